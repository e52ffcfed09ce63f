use std::fs;

use super::*;

#[test]
fn a_root_is_a_directory() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("directory")).unwrap();
    fs::write(place.path().join("file"), "").unwrap();
    let root = Root::open(place.path()).unwrap();
    for (name, is_directory) in [("directory", true), ("file", false), ("gone", false)] {
        assert_eq!(Root::open(&place.path().join(name)).is_ok(), is_directory, "{name}");
        assert_eq!(root.below(name.as_bytes()).is_ok(), is_directory, "{name}");
    }
}
