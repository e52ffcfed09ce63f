//! Sections 3.3, 4.2 and 4.4: where a search may look, what it opens, and how paths are written.

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, ErrorClass, FilesBackend, ToolContext};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};

use super::asked::{
    answer, answer_unprivileged, asked_unprivileged, call, errors, matches, of, over, paths,
    refusal, table, text,
};
use super::clauses::{self, Fake, Ground, Spy};

fn at(path: &str) -> Value {
    json!({"query": "foo", "path": path})
}

fn refused_at_path(case: &Case) -> (String, String) {
    let (class, field, message) = refusal(case);
    assert_eq!(field, "path", "{}", case.request);
    (class, message)
}

#[test]
fn a_path_out_of_the_sandbox_is_a_violation_whether_or_not_it_exists() {
    touchstone::verifies!("FR-SF-ERR-02", "T-SF-03", "FR-SF-VAL-06", "NFR-SF-SEC-01", "C-02");
    for path in [
        "..",
        "../outside",
        "../nothing",
        "../pipe",
        "a/../../outside",
        "../root/../outside",
        "/",
        "/etc",
        "{root}/../outside",
        "{root}extra",
        "out",
        "out/nothing",
        "ring",
    ] {
        let case = over(&[("a/x", "foo\n"), ("../outside/o.txt", "foo\n")], at(path))
            .with(Entry::link("out", "../outside"))
            .with(Entry::link("ring", "ring"))
            .with(Entry::fifo("../pipe"));
        let (class, message) = refused_at_path(&case);
        assert_eq!(class, "SandboxViolation", "{path}");
        assert!(!message.contains("exist"), "{path}: {message}");
    }
}

#[test]
fn denied_files_are_neither_searched_nor_opened() {
    touchstone::verifies!("FR-SF-ERR-02", "NFR-SF-SEC-01", "C-02");
    let files = [("a", "foo\n"), (".env", "foo\n"), ("keys/id", "foo\n"), ("sub/k", "foo\n")];
    let everything = json!({"query": "foo", "include_hidden": true, "respect_gitignore": false, "follow_symlinks": true});
    let mut case = over(&files, everything).with(Entry::link("link", "keys/id"));
    case.config.deny = of(&[".env", "keys"]);
    let found = answer(&case);
    assert_eq!(
        (paths(&found), errors(&found)),
        (of(&["a", "sub/k"]), of(&["link: symlink leaves the sandbox"]))
    );
    for path in ["keys", "keys/nothing", "sub/keys"] {
        case.request = at(path);
        assert_eq!(refused_at_path(&case).0, "SandboxViolation", "{path}");
    }
    // Had it been opened, an unreadable one would be a problem.
    case.request = json!({"query": "foo", "path": ".", "include_hidden": true});
    case.tree.push(Entry::file("sub/.env", "foo\n").unreadable());
    case.tree.push(Entry::dir("sub/deep/keys").unreadable());
    let found = answer_unprivileged(&case);
    assert_eq!((paths(&found), errors(&found)), (of(&["a", "sub/k"]), vec![]));
}

#[test]
fn nothing_outside_the_sandbox_is_opened_through_links_or_given_to_a_backend() {
    touchstone::verifies!("FR-SF-VAL-06", "NFR-SF-SEC-01", "C-02");
    // Opening a pipe would block for ever, and reading outside would find something.
    let case = over(
        &[("a", "foo\n"), ("../outside/o", "foo\n")],
        json!({"query": "foo", "follow_symlinks": true}),
    )
    .with(Entry::fifo("../outside/pipe"))
    .with(Entry::fifo("pipe"))
    .with(Entry::link("l-file", "../outside/o"))
    .with(Entry::link("l-pipe", "../outside/pipe"))
    .with(Entry::link("to-pipe", "pipe"));
    let found = answer(&case);
    assert_eq!(paths(&found), ["a"]);
    assert_eq!(
        errors(&found),
        ["l-file: symlink leaves the sandbox", "l-pipe: symlink leaves the sandbox"]
    );
    let ground = Ground::of(&case);
    let fake = Fake::ripgrep(
        "for file; do case \"$file\" in ./*) echo \"$file\" >> \"$here/asked\";; esac; done\nexec \"$real\" \"$@\"",
    );
    let mut config = Config { threads: 1, ..table("") };
    config.search_files.backend = FilesBackend::Rg;
    config.search_files.rg_binary = fake.program.to_string_lossy().into_owned();
    assert_eq!(paths(&call(&ground.service(config), &case.request)), ["a"]);
    assert_eq!(fake.note("asked"), "./a\n");
}

#[test]
fn paths_outside_or_denied_are_not_opened() {
    touchstone::verifies!("NFR-SF-SEC-01", "C-02", "FR-SF-VAL-06");
    let everything = json!({
        "path": ".", "query": "foo", "include_hidden": true, "respect_gitignore": false, "follow_symlinks": true
    });
    let files =
        [("a", "foo\n"), ("keys/id", "foo\n"), ("sub/.env", "foo\n"), ("../outside/o", "foo\n")];
    let case = over(&files, everything)
        .with(Entry::fifo("../outside/pipe"))
        .with(Entry::link("l-file", "../outside/o"))
        .with(Entry::link("l-dir", "../outside"))
        .with(Entry::link("l-pipe", "../outside/pipe"))
        .with(Entry::link("l-denied", "keys/id"));
    let ground = Ground::of(&case);
    let at_root = |path: &str| ground.root().join(path);
    let places = ["../outside", "../outside/o", "../outside/pipe", "keys", "keys/id", "sub/.env"];
    let spy = Spy::on(&places.map(at_root));
    std::fs::read(at_root("keys/id")).unwrap();
    assert!(!spy.touched().is_empty(), "the spy sees what is touched");
    let real = clauses::backends();
    let [ripgrep, ugrep] =
        [real.ripgrep, real.ugrep].map(|path| path.unwrap().to_string_lossy().into_owned());
    for backend in [FilesBackend::Native, FilesBackend::Rg, FilesBackend::Ugrep] {
        let mut config = Config { deny: of(&["keys", ".env"]), ..table("") };
        config.search_files.backend = backend;
        config.search_files.rg_binary.clone_from(&ripgrep);
        config.search_files.ugrep_binary.clone_from(&ugrep);
        let service = ground.service(config);
        let found = call(&service, &case.request);
        assert_eq!((paths(&found), errors(&found).len()), (of(&["a"]), 4), "{found}");
        for path in
            ["../outside", "../outside/o", "l-dir", "l-pipe", "keys", "keys/nothing", "sub/.env"]
        {
            let refused = service.call_files(&mut ToolContext::default(), &at(path)).unwrap_err();
            assert_eq!(refused.class, ErrorClass::SandboxViolation, "{path}");
        }
        assert_eq!(spy.touched(), [""; 0], "{backend:?}");
    }
}

/// Nothing below the command line speaks to a network but the crate `impl/llm`, which the engine
/// does not know, and nothing that this tool is made of names language models.
#[test]
fn no_code_of_the_tool_uses_a_network() {
    touchstone::verifies!("C-05");
    let sources = touchstone::golden::workspace().join("impl");
    let (mut open, mut texts) = (vec![sources.join("core/src"), sources.join("engine/src")], 0);
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&sources).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            // What keyword_search is made of.
            let asks = [
                "engine/src/agent/keyword",
                "engine/src/config/keyword",
                "engine/src/config/table.rs",
                "engine/src/language_model",
                "engine/src/lib.rs",
                "engine/src/toolbox",
            ];
            let may_ask = asks.iter().any(|place| name.starts_with(place));
            let text = std::fs::read_to_string(&path).unwrap();
            texts += 1;
            for word in
                ["reqwest", "rustls", "tokio", "std::net", "TcpStream", "UdpSocket", "net::"]
            {
                assert!(!text.contains(word), "{name}: {word}");
            }
            assert!(may_ask || !text.contains("language_model::"), "{name}");
        }
    }
    assert!(texts > 100, "{texts}");
}

#[test]
fn the_path_must_be_an_existing_readable_directory() {
    touchstone::verifies!("FR-SF-VAL-07", "FR-SF-ERR-03", "T-SF-04");
    let tree = |path: &str| {
        over(&[("file", "foo\n"), ("d/x", "foo\n")], at(path))
            .with(Entry::fifo("pipe"))
            .with(Entry::link("to-file", "file"))
            .with(Entry::link("to-d", "d"))
            .with(Entry::link("to-nothing", "nothing"))
    };
    let table = [
        ("nothing", "does not exist"),
        ("d/nothing/more", "does not exist"),
        ("to-nothing", "does not exist"),
        ("file", "is not a directory"),
        ("to-file", "is not a directory"),
        ("pipe", "is not a directory"),
    ];
    for (path, words) in table {
        let (class, message) = refused_at_path(&tree(path));
        assert_eq!(class, "ExecutionFailed", "{path}");
        assert!(message.contains(words) && message.contains(path), "{path}: {message}");
    }
    assert_eq!(matches(&answer(&tree("d"))), ["x:1:1:foo"]);
    assert_eq!(matches(&answer(&tree("to-d"))), ["x:1:1:foo"]);
    let closed = over(&[], at("d")).with(Entry::dir("d").unreadable());
    let error = asked_unprivileged(&closed).unwrap_err();
    assert_eq!((&error["class"], &error["field"]), (&json!("ExecutionFailed"), &json!("path")));
    assert!(error["message"].as_str().unwrap().contains("permission denied"), "{error}");
}

#[test]
fn links_to_directories_are_never_followed_and_links_to_files_only_on_request() {
    touchstone::verifies!("FR-SF-VAL-08", "NFR-SF-SEC-03");
    let tree = |fields: Value| {
        let mut case =
            over(&[("real/x", "foo\n"), ("top", "foo\n"), ("../outside/o", "foo\n")], fields)
                .with(Entry::link("dir", "real"))
                .with(Entry::link("real/up", ".."))
                .with(Entry::link("real/self", "."))
                .with(Entry::link("chain", "link"))
                .with(Entry::link("link", "real/x"));
        case.request["query"] = json!("foo");
        case
    };
    let found = answer(&tree(json!({})));
    assert_eq!((paths(&found), errors(&found)), (of(&["real/x", "top"]), vec![]));
    let found = answer(&tree(json!({"follow_symlinks": true})));
    assert_eq!((paths(&found), errors(&found)), (of(&["chain", "link", "real/x", "top"]), vec![]));
    assert_eq!(found["stats"]["complete"], true);
    // It does not matter whether the directory behind a link is readable: it is not opened.
    let case = tree(json!({"follow_symlinks": true}))
        .with(Entry::dir("closed").unreadable())
        .with(Entry::link("door", "closed"));
    let found = answer_unprivileged(&case);
    assert_eq!(paths(&found), ["chain", "link", "real/x", "top"]);
    assert_eq!(errors(&found), ["closed: permission denied"]);
    // A dangling link, or one that leaves the root, has its own problem.
    let case = tree(json!({"follow_symlinks": true}))
        .with(Entry::link("gone", "nothing"))
        .with(Entry::link("out", "../outside"))
        .with(Entry::link("ring", "ring"));
    assert_eq!(
        errors(&answer(&case)),
        ["gone: dangling symlink", "out: symlink leaves the sandbox", "ring: symlink loop"]
    );
}

#[test]
fn paths_of_matches_and_errors_are_relative_to_the_search_root() {
    touchstone::verifies!("MATF-SF-path", "ERRF-SF-path", "OUTF-SF-path", "NFR-SF-PORT-01");
    let files = [("sub/deep/a.txt", "foo\n"), ("sub/b.bin", "foo\0\n"), ("other", "foo\n")];
    for path in ["sub", "./sub", "sub/", "sub//.", "sub/deep/..", "{root}/sub"] {
        let found = answer(&over(&files, at(path)));
        assert_eq!(found["path"], "sub", "{path}");
        assert_eq!(matches(&found), ["deep/a.txt:1:1:foo"], "{path}");
        assert_eq!(errors(&found), ["b.bin: binary file"], "{path}");
    }
    for path in [".", "./", "{root}", "sub/.."] {
        let found = answer(&over(&files, at(path)));
        assert_eq!(
            (&found["path"], paths(&found)),
            (&json!("."), of(&["other", "sub/deep/a.txt"])),
            "{path}"
        );
    }
    // What is outside the working directory is shown from the root of the file system.
    let mut case = over(&files, at("{root}/sub"));
    "other-dir".clone_into(&mut case.config.working_dir);
    case.tree.push(Entry::dir("other-dir"));
    assert_eq!(answer(&case)["path"], "{root}/sub");
    // What concerns the search root itself is `.`, and what lies above it starts with two dots.
    let case = over(&[("sub/a", "foo\n")], at("sub"))
        .with(Entry::file(".gitignore", "x\n").unreadable())
        .with(Entry::dir("sub/d").unreadable());
    assert_eq!(
        errors(&answer_unprivileged(&case)),
        ["../.gitignore: ignore file cannot be read", "d: permission denied"]
    );
    // A backslash is a character of a name here (E-B22).
    let found = answer(&over(&[("sub\\a", "foo\n"), ("sub/a", "foo\n")], at(".")));
    assert_eq!(paths(&found), ["sub/a", "sub\\a"]);
}

#[test]
fn names_that_are_not_utf_8_are_shown_as_valid_text() {
    touchstone::verifies!("NFR-SF-REL-02", "T-SF-08", "MATF-SF-path", "ERRF-SF-path");
    let mut case = over(&[], at("."));
    for name in [&b"caf\xe9.txt"[..], b"d\xff\xfe/x", b"e\xf0\x9f\x98z", b"plain"] {
        case.tree.push(Entry::file(name, "foo\n"));
    }
    case.tree.push(Entry::file(&b"bin\xc3"[..], "foo\0\n"));
    let found = answer(&case);
    assert_eq!(paths(&found), ["caf\u{fffd}.txt", "d\u{fffd}\u{fffd}/x", "e\u{fffd}z", "plain"]);
    assert_eq!(errors(&found), ["bin\u{fffd}: binary file"]);
    assert!(std::str::from_utf8(text(&case).as_bytes()).is_ok());
}
