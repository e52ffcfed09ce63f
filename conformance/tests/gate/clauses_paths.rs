//! Clauses about where a search may look, what a request's path means, and how paths are written
//! and ordered.

use std::fs;
use std::path::Path;

use crate::clauses::{
    Fake, Ground, Spy, answer, asked, asked_unprivileged, backends, errors, in_documents, json,
    lines, only, over, paths, refusal,
};
use forge_search_core::order::{compare, sort_key};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{BackendChoice, Config, ErrorClass, Sandbox, Service};
use serde_json::json;
use touchstone::case::{Case, Entry};

fn at(path: &str) -> serde_json::Value {
    json!({"pattern": "foo", "path": path})
}

fn refused_at_path(case: &Case) -> (String, String) {
    let (class, field, message) = refusal(case);
    assert_eq!(field, "path", "{}", case.request);
    (class, message)
}

#[test]
fn a_relative_path_starts_at_the_working_directory() {
    touchstone::verifies!("FR-LS-VAL-03", "ALG-LS-A1.1", "ALG-LSI-C1.1");
    let mut case = over(&[("a/x", "foo top\n"), ("w/a/x", "foo below\n")], at("a"));
    assert_eq!(lines(&answer(&case)), ["a/x:1:1:foo top"]);
    "w".clone_into(&mut case.config.working_dir);
    assert_eq!(lines(&answer(&case)), ["a/x:1:1:foo below"]);
    // An absolute one does not, and what lies outside the working directory is shown absolutely.
    case.request = at("{root}/a");
    assert_eq!(lines(&answer(&case)), ["{root}/a/x:1:1:foo top"]);
}

#[test]
fn a_path_out_of_the_sandbox_is_refused_whether_or_not_it_exists() {
    touchstone::verifies!(
        "FR-LS-VAL-03",
        "ALG-LS-A1.2",
        "CON-LS-02",
        "NFR-LS-SEC-01",
        "ALG-LSI-C1.2",
        "SEC-LSI-01"
    );
    for path in [
        "..",
        "../outside",
        "../outside/o.txt",
        "../nothing",
        "a/../../outside/o.txt",
        "../root/a",
        "/",
        "/etc/passwd",
        "{root}/../outside/o.txt",
        "{root}extra",
        "out/o.txt",
        "out/nothing",
        "onefile",
    ] {
        let case = over(&[("a/x", "foo\n"), ("../outside/o.txt", "foo\n")], at(path))
            .with(Entry::link("out", "../outside"))
            .with(Entry::link("onefile", "../outside/o.txt"));
        let (class, message) = refused_at_path(&case);
        assert_eq!(class, "SandboxViolation", "{path}");
        assert!(!message.contains("exist"), "{path}: {message}");
    }
}

#[test]
fn links_are_resolved_before_a_path_is_checked() {
    touchstone::verifies!(
        "ALG-LS-A1",
        "ALG-LS-A1.3",
        "ALG-LS-A1.4",
        "ALG-LSI-C1",
        "ALG-LSI-C1.3",
        "T-LSI-PATH-04"
    );
    let case = |path: &str| {
        over(&[("real/deep/x", "foo\n"), ("../outside/o", "foo\n")], at(path))
            .with(Entry::link("alias", "real"))
            .with(Entry::link("real/door", "../../outside"))
            .with(Entry::link("ring", "ring"))
    };
    assert_eq!(answer(&case("alias/deep"))["path"], "real/deep");
    assert_eq!(lines(&answer(&case("{root}/alias/deep/x"))), ["real/deep/x:1:1:foo"]);
    // What does not exist is put back below what does, and judged there.
    assert_eq!(refused_at_path(&case("alias/missing/er")).0, "ExecutionFailed");
    assert_eq!(refused_at_path(&case("alias/door/missing/er")).0, "SandboxViolation");
    // Two dots after a link go up from where the path is written, never from where the link leads.
    assert_eq!(answer(&case("alias/../real"))["path"], "real");
    assert_eq!(refused_at_path(&case("alias/door/../deep/x/y")).0, "ExecutionFailed");
    // One without an end cannot be shown to end inside.
    assert_eq!(refused_at_path(&case("ring")).0, "SandboxViolation");
}

#[test]
fn a_path_is_shown_in_one_form_for_every_spelling() {
    touchstone::verifies!(
        "ALG-LS-A1.5",
        "ALG-LS-A1.7",
        "NFR-LS-PORT-02",
        "FR-LS-05b",
        "FR-LS-04a",
        "ALG-LSI-C1.4",
        "ALG-LSI-C1.5",
        "ALG-LSI-C1.7",
        "ALG-LSI-C1.8",
        "NFR-LSI-PORT-02"
    );
    for path in [
        "sub/deep",
        "./sub/deep",
        "sub//deep/",
        "sub/./deep/.",
        "sub/x/../deep",
        "{root}/sub/deep//",
    ] {
        let found = answer(&over(&[("sub/deep/a.txt", "foo\n")], at(path)));
        assert_eq!(found["path"], "sub/deep", "{path}");
        assert_eq!(lines(&found), ["sub/deep/a.txt:1:1:foo"], "{path}");
        assert_eq!(found["content"], "sub/deep/a.txt:1:1:foo\n", "{path}");
    }
    for path in [".", "./", "./.", "{root}", "{root}/"] {
        assert_eq!(answer(&over(&[("a", "foo\n")], at(path)))["path"], ".", "{path}");
    }
    // A backslash is a character of a name here, not a separator (E-B22).
    let found =
        answer(&over(&[("sub\\a", "foo\n"), ("sub/a", "foo\n")], json!({"pattern": "foo"})));
    assert_eq!(paths(&found), ["sub/a", "sub\\a"]);
}

#[test]
fn the_root_directory_keeps_its_slash() {
    touchstone::verifies!("ALG-LS-A1.7", "ALG-LSI-C1.7");
    // The one sandbox in which the root of the file system is a search root; the file named is the
    // one searched.
    let ground = Ground::of(&over(&[("a.txt", "foo\n")], json!({})));
    let sandbox = Sandbox::new(&["/".into()], ground.root()).unwrap();
    let config = forge_search_engine::Config {
        backend: forge_search_engine::BackendChoice::Native,
        ..forge_search_engine::Config::preset(forge_search_engine::Preset::Agent)
    };
    let service = Service::new(config, sandbox).unwrap();
    let request = json!({"pattern": "foo", "path": "/", "recursive": false, "max_files": 1, "include_glob": ["none"]});
    assert_eq!(json(service.call("Search", &request))["path"], "/");
    let request = json!({"pattern": "foo", "path": "a.txt"});
    assert_eq!(lines(&json(service.call("Search", &request))), ["a.txt:1:1:foo"]);
}

#[test]
fn a_file_as_path_confines_the_search_and_a_directory_does_not() {
    touchstone::verifies!("FR-LS-VAL-04");
    let files = [
        ("d/a", "foo\n"),
        ("d/b", "foo\n"),
        ("d/.h/c", "foo\n"),
        ("d/e/f/g", "foo\n"),
        ("z", "foo\n"),
    ];
    let found = |request| paths(&answer(&over(&files, request)));
    assert_eq!(found(at("d/a")), ["d/a"]);
    assert_eq!(found(at("d")), ["d/a", "d/b", "d/e/f/g"]);
    assert_eq!(
        found(json!({"pattern": "foo", "path": "d", "hidden": true})),
        ["d/.h/c", "d/a", "d/b", "d/e/f/g"]
    );
    assert_eq!(found(at("d/.h")), ["d/.h/c"]);
    assert_eq!(found(at("d/.h/c")), ["d/.h/c"]);
}

#[test]
fn a_missing_or_unreadable_path_ends_the_call_with_a_clear_message() {
    touchstone::verifies!("FR-LS-VAL-05");
    let table = [
        (over(&[], at("nowhere")), "does not exist"),
        (over(&[("a", "foo\n")], at("a/b")), "does not exist"),
        (over(&[], at("pipe")).with(Entry::fifo("pipe")), "neither a regular file nor a directory"),
    ];
    for (case, words) in table {
        let (class, message) = refused_at_path(&case);
        assert_eq!(class, "ExecutionFailed");
        assert!(
            message.contains(words) && message.contains(case.request["path"].as_str().unwrap()),
            "{message}"
        );
    }
    let closed = [
        over(&[], at("a")).with(Entry::file("a", "foo\n").unreadable()),
        over(&[], at("d")).with(Entry::dir("d").unreadable()),
        over(&[("d/a", "foo\n")], at("d/a")).with(Entry::dir("d").unreadable()),
    ];
    for case in closed {
        let error = asked_unprivileged(&case).unwrap_err();
        assert_eq!((&error["class"], &error["field"]), (&json!("ExecutionFailed"), &json!("path")));
        assert!(error["message"].as_str().unwrap().contains("permission denied"), "{error}");
    }
}

#[test]
fn denied_files_are_neither_named_nor_opened_nor_given_to_a_backend() {
    touchstone::verifies!(
        "CON-LS-02",
        "NFR-LS-SEC-01",
        "SEC-LSI-01",
        "T-LSI-SEC-01",
        "ALG-LSI-C1.2"
    );
    let files = [
        ("a", "foo\n"),
        (".env", "foo\n"),
        ("keys/id", "foo\n"),
        ("sub/keys", "foo\n"),
        ("sub/k", "foo\n"),
    ];
    let mut case =
        over(&files, json!({"pattern": "foo", "hidden": true, "no_ignore": true, "follow": true}))
            .with(Entry::link("link", "keys/id"))
            .with(Entry::link("out", "../outside/o"))
            .with(Entry::file("../outside/o", "foo\n"));
    case.config.deny = vec![".env".to_owned(), "keys".to_owned()];
    let found = answer(&case);
    assert_eq!(paths(&found), ["a", "sub/k"]);
    assert_eq!(
        errors(&found),
        ["link: symlink leaves the sandbox", "out: symlink leaves the sandbox"]
    );
    for path in [".env", "keys", "keys/id", "sub/keys", "link", "keys/nothing"] {
        case.request = at(path);
        assert_eq!(refused_at_path(&case).0, "SandboxViolation", "{path}");
    }
    // Had it been opened, an unreadable file would be an error.
    case.request = json!({"pattern": "foo", "hidden": true});
    case.tree.push(Entry::file("sub/deep/.env", "foo\n").unreadable());
    case.tree.push(Entry::dir("sub/deep/keys").unreadable());
    let found = asked_unprivileged(&case).unwrap();
    assert_eq!((paths(&found), errors(&found)), (vec!["a".to_owned(), "sub/k".to_owned()], vec![]));
    // A backend is given the others and nothing else.
    case.tree.truncate(files.len());
    let ground = Ground::of(&case);
    let fake = Fake::ripgrep(
        "for file; do case \"$file\" in ./*) echo \"$file\" >> \"$here/asked\";; esac; done\nexec \"$real\" \"$@\"",
    );
    let service = ground.service(forge_search_engine::Config {
        deny: case.config.deny.clone(),
        ..only(&fake.program)
    });
    assert_eq!(paths(&json(service.call("Search", &case.request))), ["a", "sub/k"]);
    let mut asked: Vec<String> = fake.note("asked").lines().map(str::to_owned).collect();
    asked.sort();
    assert_eq!(asked, ["./a", "./sub/k"]);
}

/// The service over the embedded backend and over both programs.
fn configurations() -> [Config; 3] {
    let real = backends();
    let native = Config { backend: BackendChoice::Native, ..only(Path::new("")) };
    [native, only(&real.ripgrep.unwrap()), only(&real.ugrep.unwrap())]
}

#[test]
fn nothing_outside_the_sandbox_is_opened_or_affects_the_search() {
    touchstone::verifies!("NFR-LS-SEC-01", "CON-LS-02", "FR-LS-SRC-06");
    let case = over(
        &[("a", "foo\n"), ("../outside/o", "foo\n"), ("../outside/.gitignore", "*\n")],
        json!({"pattern": "foo", "follow": true, "hidden": true}),
    )
    .with(Entry::link("file", "../outside/o"))
    .with(Entry::link("dir", "../outside"))
    .with(Entry::link("pipe", "../outside/pipe"))
    .with(Entry::fifo("../outside/pipe"));
    let ground = Ground::of(&case);
    let above = ground.root().parent().unwrap();
    // A rule above the root would leave everything out.
    fs::write(above.join(".gitignore"), "*\n").unwrap();
    fs::write(above.join(".ignore"), "*\n").unwrap();
    let outside = above.join("outside");
    let names = ["o", ".gitignore", "pipe"].map(|name| outside.join(name));
    let spy = Spy::on(
        &[&[outside.clone(), above.join(".ignore"), above.join(".gitignore")], &names[..]].concat(),
    );
    fs::read(outside.join("o")).unwrap();
    assert!(!spy.touched().is_empty(), "the spy sees what is touched");
    for config in configurations() {
        let service = ground.service(config);
        let found = json(service.call("Search", &case.request));
        assert_eq!(lines(&found), ["a:1:1:foo"]);
        assert_eq!(errors(&found).len(), 3, "{found}");
        for path in ["file", "dir", "dir/o", "pipe", "../outside/o", "../outside", "../.ignore"] {
            let error = service.call("Search", &at(path)).unwrap_err();
            assert_eq!(error.class, ErrorClass::SandboxViolation, "{path}");
        }
        assert_eq!(spy.touched(), [""; 0]);
    }
}

#[test]
fn several_roots_are_one_sandbox() {
    touchstone::verifies!("CON-LS-02", "NFR-LS-SEC-01", "FR-LS-VAL-03");
    let files = [
        ("a/x", "foo\n"),
        ("a/keys/k", "foo\n"),
        ("b/y", "foo\n"),
        ("b/keys/k", "foo\n"),
        ("b/sub/keys/k", "foo\n"),
        ("ab/z", "foo\n"),
    ];
    let case = over(&files, json!({}))
        .with(Entry::link("a/over", "../b/y"))
        .with(Entry::link("a/off", "../ab/z"));
    let ground = Ground::of(&case);
    let [one, other] = ["a", "b"].map(|name| ground.root().join(name));
    for config in configurations() {
        let sandbox = Sandbox::new(&[one.clone(), other.clone()], &one).unwrap();
        let preset = forge_search_engine::Preset::Documents;
        let config = Config { deny: vec!["/keys".to_owned()], preset, ..config };
        let service = Service::new(config, sandbox).unwrap();
        let found = json(service.call("Search", &json!({"pattern": "foo", "follow": true})));
        assert_eq!(paths(&found), ["over", "x"]);
        assert_eq!(errors(&found), ["off: symlink leaves the sandbox"]);
        let found = json(service.call("Search", &at(other.to_str().unwrap())));
        let shown = |path: &str| other.join(path).to_str().unwrap().to_owned();
        assert_eq!(paths(&found), ["sub/keys/k", "y"].map(shown));
        let denied = shown("keys/k");
        // Two dots lead out of the one root before they lead into the other.
        for path in ["../ab", "../ab/z", "..", "../b", "keys", &denied, &shown("../ab")] {
            let error = service.call("Search", &at(path)).unwrap_err();
            assert_eq!(error.class, ErrorClass::SandboxViolation, "{path}");
        }
    }
}

#[test]
fn no_backend_is_run_from_within_the_sandbox() {
    touchstone::verifies!("NFR-LS-SEC-01", "FR-LS-EXE");
    let fake = Fake::ripgrep("echo run > \"$here/run\"\nexec \"$real\" \"$@\"");
    let inside = fake.program.parent().unwrap().to_owned();
    let sandbox = Sandbox::new(std::slice::from_ref(&inside), &inside).unwrap();
    let service = Service::new(only(&fake.program), sandbox).unwrap();
    let error = service.call("Search", &json!({"pattern": "foo"})).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("backend"));
    assert!(error.message.contains("inside a searched root"), "{error}");
    assert_eq!(fake.note_so_far("run"), "");
}

#[test]
fn the_order_root_is_the_search_root() {
    touchstone::verifies!(
        "FR-LS-ORD-03",
        "ALG-LS-A2",
        "ALG-LS-A2.1",
        "ALG-LS-A2.2",
        "FR-LSI-ORD-ROOT-01",
        "FR-LSI-ORD-ROOT-01.3",
        "FR-LSI-ORD-ROOT-02",
        "FR-LSI-ORD-ROOT-03",
        "ALG-LSI-C2",
        "ALG-LSI-C2.1",
        "ALG-LSI-C2.2"
    );
    // Below it the walked path is the key; what leads to it plays no part (E-B23, E-D02).
    let files = [("s/a-b/x", "foo\n"), ("s/a/x", "foo\n"), ("s/a.x", "foo\n")];
    let mut case = over(&files, at("s"));
    let order = ["s/a-b/x", "s/a.x", "s/a/x"];
    assert_eq!(paths(&answer(&case)), order);
    case.request = at("{root}/s");
    assert_eq!(paths(&answer(&case)), order);
    // However the root is reached: by steps up, by a link, by a name that is composed otherwise.
    let mut spelt = case.clone().with(Entry::link("to", "s")).with(Entry::link("cafe\u{301}", "s"));
    for path in ["./s/.", "s/a/../../s", "to/a/../../s/", "to", "cafe\u{301}", "./to/../to"] {
        spelt.request = at(path);
        let found = paths(&answer(&spelt));
        let below = found.iter().map(|path| path.split_once('/').unwrap().1);
        assert_eq!(below.collect::<Vec<_>>(), ["a-b/x", "a.x", "a/x"], "{path}");
    }
    "s".clone_into(&mut case.config.working_dir);
    case.request = json!({"pattern": "foo"});
    assert_eq!(paths(&answer(&case)), ["a-b/x", "a.x", "a/x"]);
    // A followed link has the key of its own name, not of the file it leads to.
    let linked =
        over(&[("m", "foo m\n"), ("z", "foo z\n")], json!({"pattern": "foo", "follow": true}))
            .with(Entry::link("a", "z"))
            .with(Entry::link("n", "m"));
    assert_eq!(
        lines(&answer(&linked)),
        ["a:1:1:foo z", "m:1:1:foo m", "n:1:1:foo m", "z:1:1:foo z"]
    );
}

#[test]
fn a_key_is_the_path_decoded_composed_and_encoded_again() {
    touchstone::verifies!(
        "ALG-LS-A2.3",
        "ALG-LS-A2.4",
        "ALG-LS-A2.5",
        "IT-LS-PATH-01",
        "ALG-LSI-C2.3",
        "ALG-LSI-C2.4",
        "ALG-LSI-C2.5",
        "ALG-LSI-C2.6",
        "T-LSI-PATH-02",
        "ALG-LSI-C2"
    );
    // A key is a function of bytes: nothing of an operating system goes into it, and these are its
    // values anywhere.
    let table: [(&[u8], &[u8]); 7] = [
        (b"a/b.txt", b"a/b.txt"),
        (b"caf\xc3\xa9", b"caf\xc3\xa9"),
        (b"cafe\xcc\x81", b"caf\xc3\xa9"),
        (b"\xe2\x84\xab", b"\xc3\x85"),
        (b"\xff", b"\xef\xbf\xbd"),
        (b"\xf0\x9f\x98/\xe2\x28", b"\xef\xbf\xbd/\xef\xbf\xbd\x28"),
        (b"e\xff\xcc\x81", b"e\xef\xbf\xbd\xcc\x81"),
    ];
    for (raw, key) in table {
        assert_eq!(sort_key(raw).as_ref(), key, "{}", String::from_utf8_lossy(raw));
    }
}

#[test]
fn keys_are_compared_bytewise_and_a_prefix_is_first() {
    touchstone::verifies!("ALG-LS-A3", "ALG-LSI-C3");
    let ordered: [&[u8]; 8] = [b"", b"A", b"B", b"a", b"a ", b"a/", b"aa", "\u{e9}".as_bytes()];
    for (place, one) in ordered.iter().enumerate() {
        for (other_place, other) in ordered.iter().enumerate() {
            assert_eq!(compare(one, other), place.cmp(&other_place));
        }
    }
    let files = [
        ("b", "foo\n"),
        ("B", "foo\n"),
        ("a", "foo\n"),
        ("ab", "foo\n"),
        ("a b", "foo\n"),
        ("\u{e4}", "foo\n"),
    ];
    let found = answer(&over(&files, json!({"pattern": "foo"})));
    assert_eq!(paths(&found), ["B", "a", "a b", "ab", "b", "\u{e4}"]);
}

#[test]
fn an_empty_path_and_one_with_a_nul_are_refused() {
    touchstone::verifies!("FR-LS-VAL-03");
    for path in ["", "a\0b"] {
        let error = asked(&in_documents(over(&[("a", "foo\n")], at(path)))).unwrap_err();
        assert_eq!((&error["class"], &error["field"]), (&json!("BadArgs"), &json!("path")));
    }
    // A dash is a name like any other (E-F05).
    assert_eq!(lines(&answer(&over(&[("-", "foo\n"), ("b", "foo\n")], at("-")))), ["-:1:1:foo"]);
}
