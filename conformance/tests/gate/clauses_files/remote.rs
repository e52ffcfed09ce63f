//! Sections 3.3 and 3.7 over a file system that counts what it is asked, and that fails on demand.
//!
//! Each test runs in a mount namespace of its own, in another process.

use std::fs;

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, ErrorClass, FilesBackend, ToolContext};
use serde_json::json;
use touchstone_acts::{Broken, Remote};

use super::asked::{call, errors, matches, over, table};
use super::clauses::{self, Ground};
use crate::clauses_index_service::home::allowed;
use crate::clauses_index_service::mounts::may_mount_in;

#[test]
fn a_path_outside_is_refused_without_any_request_to_its_file_system() {
    if !may_mount_in(
        "clauses_files::remote::a_path_outside_is_refused_without_any_request_to_its_file_system",
    ) {
        return;
    }
    touchstone::verifies!("FR-SF-VAL-06", "E-F09");
    let ground = Ground::of(&over(&[("a/x", "foo\n"), ("../outside/x", "")], json!({})));
    let outside = ground.root().join("../outside").canonicalize().unwrap();
    let mounted = Remote::mount(&outside, &[("f", "foo\n"), ("g", "foo\n")]);
    let Some(remote) = allowed("fuse", mounted) else { return };
    let service = ground.service(table(""));
    // The first access of a mount waits for the kernel's own requests.
    fs::metadata(&outside).unwrap();
    let before = remote.requests();
    for path in ["../outside/f", "../outside/nothing", "a/../../outside/g", "../outside"] {
        let request = json!({"path": path, "query": "foo"});
        let error = service.call_files(&mut ToolContext::default(), &request).unwrap_err();
        assert_eq!(error.class, ErrorClass::SandboxViolation, "{path}");
        assert_eq!(remote.requests(), before, "{path}");
    }
    fs::metadata(outside.join("f")).unwrap();
    assert!(remote.requests() > before, "requests are counted");
}

#[test]
fn a_partly_unreadable_file_is_an_error_of_that_file_only() {
    if !may_mount_in(
        "clauses_files::remote::a_partly_unreadable_file_is_an_error_of_that_file_only",
    ) {
        return;
    }
    touchstone::verifies!("FR-SF-ERR-04");
    let long = "foo\n".repeat(200_000);
    let files =
        [("a", "foo\n"), ("closed", "foo\n"), ("gone", "foo\n"), ("rest", &long), ("z", "foo\n")];
    let ground = Ground::of(&over(&[("m/x", "")], json!({})));
    let mounted = Remote::mount(&ground.root().join("m"), &files);
    let Some(remote) = allowed("fuse", mounted) else { return };
    for (name, broken) in
        [("closed", Broken::Attributes), ("gone", Broken::Gone), ("rest", Broken::Rest)]
    {
        remote.break_down(name, broken).unwrap();
    }
    let ripgrep = clauses::backends().ripgrep.unwrap().to_string_lossy().into_owned();
    for backend in [FilesBackend::Native, FilesBackend::Rg] {
        let mut config = Config { threads: 1, ..table("") };
        config.search_files.backend = backend;
        config.search_files.rg_binary.clone_from(&ripgrep);
        let seen = call(&ground.service(config), &json!({"path": ".", "query": "foo"}));
        assert_eq!(matches(&seen), ["m/a:1:1:foo", "m/z:1:1:foo"], "{backend:?}");
        let told = ["m/closed: read error", "m/gone: not found", "m/rest: read error"];
        assert_eq!(errors(&seen), told, "{backend:?}");
        assert_eq!(
            (&seen["truncated"], &seen["stats"]["complete"]),
            (&json!(false), &json!(false)),
            "{backend:?}"
        );
    }
}
