use std::os::unix::fs::PermissionsExt as _;
use std::thread;

use super::*;

/// Stands in for cargo, apt-get, dpkg-deb and python: makes a program that says that it is release
/// 1.2, and a line into `runs` beside it for each call.
const INSTALLER: &str = r#"#!/bin/sh
tool() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\necho seek %s\n' "$2" > "$1"; chmod 755 "$1"; }
while [ "$1" = -o ]; do shift 2; done
echo "$1" >> "$(dirname "$0")/runs"
case "$1 $2" in
    "install broken") echo "error[E0599]: no such method" >&2; exit 101 ;;
    "install "*) tool "$7/bin/seek" 1.2 ;;
    "-m pip") [ "$9" = "seek==1.2" ] && touch "$8/seek.whl" ;;
    "-m zipfile") tool "$5/seek.data/seek" 1.2; chmod 644 "$5/seek.data/seek" ;;
    "indextargets "*) echo "Debian|Debian|main|mirror:/debian/" ;;
    "update "*) ;;
    "--simulate install") [ "$3" = seek ] || { echo "E: Unable to locate package $3" >&2; exit 100; }
        echo "Inst libc6 (2.36-9 Debian [amd64])"; echo "Inst seek (1.2-1 Debian [amd64])" ;;
    "download "*) touch libc6.deb seek.deb ;;
    -x*) tool "$3/usr/bin/seek" 1.2 ;;
esac
"#;

fn adapter(releases: &str) -> Adapter {
    let text = format!(
        "name: seek\nsays: a stand-in\ncommand: [seek]\nidentify: {{args: [--version], pattern: 'seek ([0-9.]+)'}}\n\
         releases: {releases}\nprecise: [lines]\n"
    );
    serde_yaml::from_str(&text).unwrap()
}

fn of_crate(package: &str) -> Adapter {
    adapter(&format!(
        "[{{from: crate, package: {package}, bin: bin/seek, versions: ['1.2', '1.10']}}]"
    ))
}

fn program(home: &Path, name: &str, script: &str) -> PathBuf {
    let text = home.join(format!("{name}.sh"));
    fs::write(&text, script).unwrap();
    fs::set_permissions(&text, fs::Permissions::from_mode(0o755)).unwrap();
    // Copied by another process, for what this one has open for writing cannot be executed.
    let program = home.join(name);
    assert!(Command::new("cp").args([&text, &program]).status().unwrap().success());
    program
}

fn installation() -> (tempfile::TempDir, Installation) {
    let home = tempfile::tempdir().unwrap();
    let program = program(home.path(), "installer", INSTALLER);
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

fn runs(home: &tempfile::TempDir) -> usize {
    fs::read_to_string(home.path().join("runs")).unwrap_or_default().lines().count()
}

fn left(installation: &Installation) -> Vec<String> {
    let entries = fs::read_dir(&installation.directory).unwrap();
    let mut left: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    left.sort();
    left
}

#[test]
fn a_release_is_installed_once_and_listed_with_its_source() {
    let (home, installation) = installation();
    let first = installation.install(&of_crate("seek"), "1.2").unwrap();
    assert_eq!((first.program.as_str(), first.version.as_str()), ("seek", "1.2"));
    assert_eq!(first.from, "crate seek 1.2");
    assert!(Path::new(first.command.first().unwrap()).is_file());
    assert_eq!(installation.install(&of_crate("seek"), "1.2").unwrap(), first);
    assert_eq!((runs(&home), installation.releases()), (1, vec![first]));
}

#[test]
fn concurrent_installations_of_one_release_install_it_once() {
    let (home, installation) = installation();
    let adapter = of_crate("seek");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| installation.install(&adapter, "1.2").unwrap());
        }
    });
    assert_eq!(runs(&home), 1);
}

#[test]
fn a_wheel_is_unpacked_and_its_program_made_executable() {
    let (_home, installation) = installation();
    let adapter =
        adapter("[{from: wheel, package: seek, bin: 'seek.data/seek', versions: ['1.2']}]");
    let release = installation.install(&adapter, "1.2").unwrap();
    assert_eq!(release.from, "wheel seek 1.2");
}

#[test]
fn a_package_of_a_suite_is_unpacked_with_its_libraries() {
    let (_home, installation) = installation();
    let adapter =
        adapter("[{from: debian, package: seek, bin: usr/bin/seek, versions: {'1.2': trixie}}]");
    let release = installation.install(&adapter, "1.2").unwrap();
    assert_eq!(release.from, "package seek of Debian trixie");
    assert_eq!(left(&installation), ["lock", "seek-1.2", "suites"]);
    installation.tidy_up().unwrap();
    assert_eq!(left(&installation), ["lock", "seek-1.2"]);
}

#[test]
fn the_package_lists_of_a_suite_are_fetched_once() {
    let (home, installation) = installation();
    let text = "[{from: debian, package: seek, bin: usr/bin/seek, versions: {'1.2': trixie}}]";
    installation.install(&adapter(text), "1.2").unwrap();
    let mut other = adapter(text);
    other.name = "seek-too".to_owned();
    installation.install(&other, "1.2").unwrap();
    let runs = fs::read_to_string(home.path().join("runs")).unwrap();
    assert_eq!(runs.lines().filter(|line| *line == "update").count(), 1, "{runs}");
    assert_eq!(runs.lines().filter(|line| *line == "download").count(), 2, "{runs}");
}

#[test]
fn a_missing_package_is_reported_by_name() {
    let (_home, installation) = installation();
    let adapter =
        adapter("[{from: debian, package: sought, bin: usr/bin/seek, versions: {'1.2': trixie}}]");
    let message = installation.install(&adapter, "1.2").unwrap_err().to_string();
    for part in ["sought of trixie", "Unable to locate package sought", "--path"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(left(&installation), ["lock", "suites"]);
}

#[test]
fn a_failed_crate_build_is_reported_with_its_log_and_leaves_nothing() {
    let (_home, installation) = installation();
    let message = installation.install(&of_crate("broken"), "1.2").unwrap_err().to_string();
    for part in ["broken 1.2", "101", "error[E0599]", "--path"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(left(&installation), ["lock"]);
}

#[test]
fn the_next_source_is_tried_after_a_failure() {
    let (_home, installation) = installation();
    let adapter = adapter(
        "[{from: crate, package: broken, bin: bin/seek, versions: ['1.2']}, \
          {from: wheel, package: seek, bin: seek.data/seek, versions: ['1.2']}]",
    );
    assert_eq!(installation.install(&adapter, "1.2").unwrap().from, "wheel seek 1.2");
}

#[test]
fn a_program_that_reports_another_release_is_not_installed() {
    let (_home, installation) = installation();
    let error = installation.install(&of_crate("seek"), "1.10").unwrap_err();
    assert!(
        matches!(&error, ProvisionError::Another { version, reported, .. } if version == "1.10" && reported == "1.2"),
        "{error}"
    );
    assert_eq!(left(&installation), ["lock"]);
}

#[test]
fn an_unavailable_release_is_refused_with_the_available_ones() {
    let (home, installation) = installation();
    let message = installation.install(&of_crate("seek"), "1.3").unwrap_err().to_string();
    assert!(message.contains("1.3") && message.contains("1.2, 1.10"), "{message}");
    for name in ["../1.2", "", ".1", "1 2", "-1"] {
        let error = installation.install(&of_crate("seek"), name).unwrap_err();
        assert!(matches!(error, ProvisionError::Unnameable(_)), "{error}");
    }
    assert_eq!(runs(&home), 0);
}

#[test]
fn a_partial_installation_is_neither_listed_nor_kept() {
    let (_home, installation) = installation();
    let partial = installation.directory.join("seek-1.2.partial");
    fs::create_dir_all(partial.join("bin")).unwrap();
    fs::write(partial.join("bin/seek"), "torn").unwrap();
    Release::of_crate("seek", "seek", "1.2", "bin/seek").write(&partial).unwrap();
    // Torn before anything was written down.
    fs::create_dir_all(installation.directory.join("seek-1.1")).unwrap();
    assert_eq!(installation.releases(), []);
    fs::create_dir_all(installation.directory.join("other-3.partial/bin")).unwrap();
    installation.install(&of_crate("seek"), "1.2").unwrap();
    assert_eq!(left(&installation), ["lock", "other-3.partial", "seek-1.1", "seek-1.2"]);
    installation.tidy_up().unwrap();
    assert_eq!(left(&installation), ["lock", "seek-1.1", "seek-1.2"]);
}

#[test]
fn an_installation_without_a_record_is_adopted() {
    let (home, installation) = installation();
    let bin = installation.directory.join("seek-1.2/bin");
    fs::create_dir_all(&bin).unwrap();
    program(&bin, "seek", "#!/bin/sh\necho seek 1.2\n");
    installation.install(&of_crate("seek"), "1.2").unwrap();
    assert_eq!((runs(&home), installation.releases().len()), (0, 1));
}

#[test]
fn a_given_binary_is_installed_under_its_reported_release() {
    let (home, installation) = installation();
    let path = program(home.path(), "built", "#!/bin/sh\necho seek 3.4\n");
    let release = installation.install_from(&of_crate("seek"), None, &path).unwrap();
    assert_eq!(release.version, "3.4");
    let error = installation.install_from(&of_crate("seek"), Some("3.5"), &path).unwrap_err();
    assert!(matches!(error, ProvisionError::Another { .. }), "{error}");
}

#[test]
fn a_source_directory_is_built_by_its_build_system_and_left_unchanged() {
    let (home, installation) = installation();
    let sources = home.path().join("sources");
    fs::create_dir(&sources).unwrap();
    let message =
        installation.install_from(&of_crate("seek"), None, &sources).unwrap_err().to_string();
    assert!(message.contains("neither `Cargo.toml` nor `configure`"), "{message}");
    program(
        &sources,
        "configure",
        "#!/bin/sh\nprintf 'all:\\n\\tcp made src/seek\\n' > Makefile\nmkdir src\n",
    );
    program(&sources, "made", "#!/bin/sh\necho seek 5.6\n");
    let before = fs::read_dir(&sources).unwrap().count();
    let release = installation.install_from(&of_crate("seek"), Some("5.6"), &sources).unwrap();
    assert_eq!(release.version, "5.6");
    assert_eq!(fs::read_dir(&sources).unwrap().count(), before);
    assert_eq!(left(&installation), ["lock", "seek-5.6"]);
}

#[test]
fn a_program_that_does_not_start_or_identify_itself_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let adapter = of_crate("seek");
    let silent = program(home.path(), "silent", "#!/bin/sh\necho hello\n");
    let said = identify(&adapter.identify, &[silent.into()]).unwrap_err();
    assert!(said.contains("hello"), "{said}");
    assert!(identify(&adapter.identify, &["/no/such/program".into()]).is_err());
    assert!(identify(&adapter.identify, &[]).is_err());
}

#[test]
fn releases_are_sorted_by_number() {
    let sorted =
        ["0.9", "1.0-rc1", "1.0", "1.0.1", "1.2", "1.10", "2.39.5", "2.53.0", "11.0.2", "14.0.0"];
    for (index, older) in sorted.iter().enumerate() {
        for (place, newer) in sorted.iter().enumerate() {
            assert_eq!(order(older, newer), index.cmp(&place), "{older} and {newer}");
        }
    }
}
