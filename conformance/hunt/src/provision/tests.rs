use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::thread;

use super::*;

/// Stands in for cargo, apt-get and dpkg-deb: writes what they would, and a line into `runs` beside
/// it.
const INSTALLER: &str = r#"#!/bin/sh
echo "$1" >> "$(dirname "$0")/runs"
tool() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\necho %s\n' "$2" > "$1"; chmod 755 "$1"; }
case "$1" in
    install) [ "$2 $3 $4 $5 $6" = "ripgrep --version 15.2.0 --locked --root" ] || exit 9
        mkdir -p "$9/debug"; tool "$7/bin/rg" "ripgrep 15.2.0" ;;
    download) echo package > ugrep.deb ;;
    -x) tool "$3/usr/bin/ugrep" "ugrep 1" ;;
esac
"#;

fn installation(script: &str) -> (tempfile::TempDir, Installation) {
    let home = tempfile::tempdir().unwrap();
    let text = home.path().join("installer.sh");
    fs::write(&text, script).unwrap();
    fs::set_permissions(&text, fs::Permissions::from_mode(0o755)).unwrap();
    // Copied by another process: a child that another test starts meanwhile would keep a handle of
    // this one open, and what is open for writing cannot be executed.
    let program = home.path().join("installer");
    assert!(Command::new("cp").args([&text, &program]).status().unwrap().success());
    let installation = Installation {
        directory: home.path().join("backends"),
        cargo: program.clone(),
        apt_get: program.clone(),
        dpkg_deb: program.clone(),
        python: program,
        takes_system: false,
    };
    (home, installation)
}

fn runs(home: &tempfile::TempDir) -> Vec<String> {
    let text = fs::read_to_string(home.path().join("runs")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn provisioning_twice_installs_once() {
    let (home, installation) = installation(INSTALLER);
    let first = installation.provision().unwrap();
    assert_eq!(runs(&home), ["install", "download", "-x"]);
    assert!(first.missing().is_empty());
    assert_eq!(installation.provision().unwrap(), first);
    assert_eq!(runs(&home).len(), 3);
    let mut left: Vec<_> = fs::read_dir(&installation.directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["lock", "ripgrep-15.2.0", "ugrep-debian"]);
    assert!(
        !installation.ripgrep_directory().join("build").exists(),
        "what was only built with is gone"
    );
}

#[test]
fn concurrent_provisioning_installs_once() {
    let (home, installation) = installation(INSTALLER);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| installation.provision().unwrap());
        }
    });
    assert_eq!(runs(&home).len(), 3);
}

#[test]
fn a_failed_installation_reports_command_and_fix_and_leaves_nothing() {
    let (_home, installation) = installation("#!/bin/sh\necho no route to host >&2\nexit 101\n");
    let message = installation.provision().unwrap_err().to_string();
    for part in ["ripgrep", "install", "101", "no route to host", "PATH"] {
        assert!(message.contains(part), "{message}");
    }
    let left = fs::read_dir(&installation.directory).unwrap().count();
    assert_eq!(left, 1, "the lock only");
}

#[test]
fn a_backend_that_does_not_run_is_not_installed() {
    let (_home, installation) = installation(&INSTALLER.replace("echo %s", "exit 127; %s"));
    let error = installation.provision().unwrap_err();
    assert!(matches!(error, ProvisionError::Unusable { .. }), "{error}");
    assert_eq!(installation.installed_ripgrep(), None);
}

#[test]
fn a_partial_installation_is_repeated() {
    let (home, installation) = installation(INSTALLER);
    let partial = install::beside(&installation.ripgrep_directory());
    fs::create_dir_all(partial.join("bin")).unwrap();
    fs::write(partial.join("bin/rg"), "torn").unwrap();
    installation.provision().unwrap();
    assert!(runs(&home).contains(&"install".to_owned()));
    assert!(!partial.exists());
}
