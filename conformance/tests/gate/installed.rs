//! The program outside a checkout and outside a build directory, as `cargo install` leaves it.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// The program, moved to a directory of its own, with a home that is empty.
fn installed(home: &Path, arguments: &[&str]) -> Command {
    let program = home.join("touchstone");
    if !program.exists() {
        let built = env!("CARGO_BIN_EXE_touchstone");
        fs::hard_link(built, &program).or_else(|_| fs::copy(built, &program).map(drop)).unwrap();
    }
    let mut command = Command::new(program);
    command.current_dir(home).args(arguments).env_remove("CARGO_TARGET_DIR");
    command.env("HOME", home).env_remove("XDG_DATA_HOME").env_remove("XDG_CACHE_HOME");
    command
}

#[test]
fn an_installed_program_needs_no_checkout() {
    let home = tempfile::tempdir().unwrap();
    let doctor = installed(home.path(), &["doctor"]).assert().success();
    let said = String::from_utf8(doctor.get_output().stdout.clone()).unwrap();
    for place in [".cache/touchstone/specification-", ".local/share/touchstone/backends"] {
        let place = home.path().join(place);
        assert!(said.contains(&place.display().to_string()), "{said}");
    }
    installed(home.path(), &["spec", "lint"]).assert().success();
    installed(home.path(), &["museum"]).assert().success();
    // Another project may have directories of these names.
    for directory in ["golden/museum", "spec"] {
        fs::create_dir_all(home.path().join(directory)).unwrap();
    }
    installed(home.path(), &["spec", "lint"]).assert().success();
    let hunt = ["hunt", "--subject", "native", "--theme", "listed", "--batches", "1"];
    installed(home.path(), &hunt).assert().success();
    assert!(home.path().join(".local/share/touchstone/hunts/native-1.json").is_file());
}
