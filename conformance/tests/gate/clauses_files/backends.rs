//! Sections 3.7 and 5: files and programs that fail.

use std::time::{Duration, Instant};

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, ErrorClass, FilesBackend, Service, ToolContext, ToolError};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};

use super::asked::{answer_unprivileged, call, errors, matches, over, table};
use super::clauses::{self, Fake, Ground, eventually, is_alive};

/// Files in the first batch that a backend is given; the ones after that come later.
const FIRST_BATCH: usize = 32;

const KINDS: [FilesBackend; 2] = [FilesBackend::Rg, FilesBackend::Ugrep];

fn named(backend: FilesBackend, program: &str) -> Config {
    let mut config = Config { threads: 1, ..table("") };
    config.search_files.backend = backend;
    program.clone_into(&mut config.search_files.rg_binary);
    program.clone_into(&mut config.search_files.ugrep_binary);
    config
}

fn over_fake(ground: &Ground, fake: &Fake) -> Service {
    ground.service(named(FilesBackend::Rg, &fake.program.to_string_lossy()))
}

fn refused(service: &Service, request: &Value) -> ToolError {
    service.call_files(&mut ToolContext::default(), request).unwrap_err()
}

/// Asserts that every call fails because of the backend, and gives the message.
fn unusable(ground: &Ground, config: Config) -> String {
    let service = ground.service(config);
    let request = json!({"path": ".", "query": "foo"});
    let messages = [(); 2].map(|()| {
        let error = refused(&service, &request);
        assert_eq!(
            (error.class, error.field.as_deref()),
            (ErrorClass::ExecutionFailed, Some("backend")),
            "{error}"
        );
        error.message
    });
    assert_eq!(messages[0], messages[1]);
    // An error of the request is reported first.
    assert_eq!(refused(&service, &json!({"path": ".", "query": ""})).class, ErrorClass::BadArgs);
    assert_eq!(
        refused(&service, &json!({"path": "..", "query": "a"})).class,
        ErrorClass::SandboxViolation
    );
    assert_eq!(
        refused(&service, &json!({"path": "nowhere", "query": "a"})).field.as_deref(),
        Some("path")
    );
    let [message, _] = messages;
    message
}

fn real(backend: FilesBackend) -> std::path::PathBuf {
    let found = clauses::backends();
    match backend {
        FilesBackend::Ugrep => found.ugrep.unwrap(),
        _ => found.ripgrep.unwrap(),
    }
}

#[test]
fn a_missing_too_old_or_wrong_backend_fails_every_call() {
    touchstone::verifies!("CFG-SF-03");
    let ground = Ground::of(&over(&[("a", "foo\n")], json!({"query": "foo"})));
    for backend in KINDS {
        for missing in ["/nonexistent/program", "no-such-program-anywhere"] {
            let message = unusable(&ground, named(backend, missing));
            assert!(message.contains(missing) && message.contains("was not found"), "{message}");
            assert!(
                message.contains(&format!("tools.search_files.{}_binary", backend.name())),
                "{message}"
            );
        }
    }
    let versions = [
        (FilesBackend::Rg, "ripgrep 12.1.1", "ripgrep 13.0.0"),
        (FilesBackend::Ugrep, "ugrep 2.5.6 x86_64", "ugrep 3.0.0 x86_64"),
    ];
    for (backend, old, enough) in versions {
        let real = real(backend);
        let fake = Fake::calling_itself(old, &real);
        let message = unusable(&ground, named(backend, &fake.program.to_string_lossy()));
        assert!(message.contains("below the required"), "{message}");
        let fake = Fake::calling_itself(enough, &real);
        let service = ground.service(named(backend, &fake.program.to_string_lossy()));
        assert_eq!(matches(&call(&service, &json!({"path": ".", "query": "foo"}))), ["a:1:1:foo"]);
    }
    // The other program is not the one that was asked for, and one that is neither is none.
    let message =
        unusable(&ground, named(FilesBackend::Rg, &real(FilesBackend::Ugrep).to_string_lossy()));
    assert!(message.contains("not ripgrep"), "{message}");
    unusable(&ground, named(FilesBackend::Ugrep, &real(FilesBackend::Rg).to_string_lossy()));
    unusable(&ground, named(FilesBackend::Rg, "/bin/true"));
    // The embedded one needs no program.
    let service = ground.service(named(FilesBackend::Native, "/nonexistent/program"));
    assert_eq!(matches(&call(&service, &json!({"path": ".", "query": "foo"}))), ["a:1:1:foo"]);
}

#[test]
fn a_backend_is_verified_when_the_service_starts_and_not_at_each_call() {
    touchstone::verifies!("CFG-SF-03");
    let ground = Ground::of(&over(&[("a", "foo\n")], json!({"query": "foo"})));
    for backend in KINDS {
        let real = real(backend);
        let fake = Fake::program(
            &real,
            "case \"$1\" in --version) echo asked >> \"$here/versions\";; esac\nexec \"$real\" \"$@\"\n",
        );
        let service = ground.service(named(backend, &fake.program.to_string_lossy()));
        assert_eq!(fake.note_so_far("versions"), "asked\n", "before any call");
        for _ in 0..3 {
            assert_eq!(
                matches(&call(&service, &json!({"path": ".", "query": "foo"}))),
                ["a:1:1:foo"]
            );
        }
        assert_eq!(fake.note_so_far("versions"), "asked\n");
    }
}

#[test]
fn an_unreadable_file_is_reported_and_does_not_fail_the_call() {
    touchstone::verifies!("FR-SF-ERR-04");
    let case =
        over(&[("a", "foo\n"), ("z", "foo\n")], json!({"query": "foo", "follow_symlinks": true}))
            .with(Entry::file("closed", "foo\n").unreadable())
            .with(Entry::dir("shut").unreadable())
            .with(Entry::file("d/.gitignore", "x\n").unreadable())
            .with(Entry::link("gone", "nothing"));
    let seen = answer_unprivileged(&case);
    assert_eq!(matches(&seen), ["a:1:1:foo", "z:1:1:foo"]);
    assert_eq!(
        errors(&seen),
        [
            "closed: permission denied",
            "d/.gitignore: ignore file cannot be read",
            "gone: dangling symlink",
            "shut: permission denied"
        ]
    );
    assert_eq!((&seen["truncated"], &seen["stats"]["complete"]), (&json!(false), &json!(false)));
}

#[test]
fn a_file_that_vanishes_during_the_search_is_an_error_of_that_file_only() {
    touchstone::verifies!("FR-SF-ERR-04");
    let case = over(&[("a", "foo\n"), ("b", "foo\n"), ("c", "foo\n")], json!({"query": "foo"}));
    for backend in KINDS {
        let ground = Ground::of(&case);
        let fake = Fake::standing_in_for(&real(backend), "rm -f ./b\nexec \"$real\" \"$@\"");
        let service = ground.service(named(backend, &fake.program.to_string_lossy()));
        let seen = call(&service, &case.request);
        assert_eq!(
            (matches(&seen), errors(&seen)),
            (super::asked::of(&["a:1:1:foo", "c:1:1:foo"]), super::asked::of(&["b: not found"]))
        );
        assert_eq!(seen["stats"]["files_scanned"], 3);
    }
}

/// More files than the first batch holds.
fn two_batches() -> Case {
    let case = over(&[], json!({"query": "foo"})).with(Entry::dir("empty"));
    (0..FIRST_BATCH + 8)
        .fold(case, |case, number| case.with(Entry::file(format!("f-{number:04}"), "foo\n")))
}

/// Does `script` when it is given one of the later files, and what ripgrep does before that.
fn later(script: &str) -> Fake {
    let last = format!("./f-{:04}", FIRST_BATCH + 1);
    Fake::ripgrep(&format!(
        "for one; do case \"$one\" in {last}) later=1;; esac; done\n\
         if [ -n \"$later\" ]; then {script}\nexit; fi\nexec \"$real\" \"$@\""
    ))
}

#[test]
fn a_failing_backend_leaves_earlier_files_or_fails_the_call() {
    touchstone::verifies!("FR-SF-ERR-04", "OUTF-SF-truncated");
    let case = two_batches();
    let ground = Ground::of(&case);
    let fake = later("echo 'out of luck' >&2; exit 2");
    let seen = call(&over_fake(&ground, &fake), &case.request);
    assert_eq!(
        (&seen["returned"], &seen["stats"]["files_scanned"]),
        (&json!(FIRST_BATCH), &json!(FIRST_BATCH))
    );
    assert_eq!((&seen["truncated"], &seen["truncated_reason"]), (&json!(true), &json!(null)));
    assert_eq!(seen["stats"]["incomplete_because"], json!(["backend_error"]));
    // Before any file is known there is nothing to answer.
    let fake = Fake::ripgrep("echo 'out of luck' >&2; exit 2");
    let error = refused(&over_fake(&ground, &fake), &case.request);
    assert_eq!(
        (error.class, error.field.as_deref()),
        (ErrorClass::ExecutionFailed, Some("backend"))
    );
    assert!(error.message.contains("out of luck"), "{error}");
}

#[test]
fn the_elapsed_time_of_a_call_is_reported_and_bounded() {
    touchstone::verifies!("STATF-SF-elapsed_ms");
    let case = two_batches();
    let ground = Ground::of(&case);
    let fake = later("echo $$ > \"$here/pid\"; exec sleep 120");
    let mut config = named(FilesBackend::Rg, &fake.program.to_string_lossy());
    config.search_files.timeout_ms = 2_000;
    let service = ground.service(config);
    let started = Instant::now();
    let answer = service.call_files(&mut ToolContext::default(), &case.request).unwrap();
    let took = started.elapsed();
    let seen: Value = serde_json::from_str(&answer.text).unwrap();
    let told = Duration::from_millis(seen["stats"]["elapsed_ms"].as_u64().unwrap());
    assert!(told >= Duration::from_secs(2) && told <= took, "told {told:?}, took {took:?}");
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert!(!answer.complete && answer.found);
    assert_eq!(seen["stats"]["incomplete_because"], json!(["timeout"]));
    assert_eq!(
        (&seen["truncated"], &seen["stats"]["files_scanned"]),
        (&json!(true), &json!(FIRST_BATCH))
    );
    let pid = fake.note("pid");
    eventually("the process outlived the call", || !is_alive(pid.trim()));
    // A quick one took hardly any time, in the same ten characters.
    let quick = ground.service(table(""));
    let started = Instant::now();
    let text = quick.call_files(&mut ToolContext::default(), &case.request).unwrap().text;
    let field = text.split("\"elapsed_ms\":").nth(1).unwrap().split(',').next().unwrap();
    assert_eq!(field.len(), 10, "`{field}`");
    assert!(u128::from(field.trim().parse::<u64>().unwrap()) <= started.elapsed().as_millis());
}
