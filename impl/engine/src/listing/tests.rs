use std::fs;

use forge_search_core::request::Builder;

use super::*;
use crate::{
    config::{Config, Preset},
    sandbox::Sandbox,
};

#[test]
fn the_files_of_a_listing_are_counted_within_its_time() {
    let directory = tempfile::tempdir().unwrap();
    let root = dunce::canonicalize(directory.path()).unwrap();
    for name in ["a", "b", "c.txt"] {
        fs::write(root.join(name), "").unwrap();
    }
    // Long enough for the clock to be looked at.
    fs::write(root.join(".gitignore"), "#".repeat(1 << 15)).unwrap();
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
    let service = Service::new(Config::preset(Preset::Agent), sandbox).unwrap();
    let request = service.search_request("x").exclude_glob(["*.txt"]).build().unwrap();
    assert_eq!(service.count_files(&request, &Call::new()), Some(2));
    let ended = Call::new();
    ended.cancel();
    assert_eq!(service.count_files(&request, &ended), None);
}
