//! Clauses about the response as a whole, about what went wrong on the way, and about leaving
//! things as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::clauses::{
    Fake, Ground, answer, asked_unprivileged, backends, errors, json, lines, only, over, paths,
};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{
    BackendChoice, Config, IndexMode, IndexOptions, IndexUse, Preset, Sandbox, Service,
};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};
use touchstone::golden;
use touchstone_spec::Spec;

/// Requests of several kinds: with and without matches, capped, with problems.
fn cases() -> Vec<Case> {
    let files = [("a", "x\nfoo\ny\n"), ("b", "foo foo\n"), ("c\u{1b}[31m", "foo\u{202e}\n")];
    let requests = [
        json!({"pattern": "foo"}),
        json!({"pattern": "nothing"}),
        json!({"pattern": "foo", "context": 1}),
        json!({"pattern": "foo", "max_results": 1}),
        json!({"pattern": "foo", "follow": true}),
        json!({"pattern": "foo", "path": "b"}),
        json!({"pattern": "FOO", "case": "insensitive", "max_files": 1}),
    ];
    let case = |request: &Value| over(&files, request.clone()).with(Entry::link("l", "nothing"));
    requests.iter().map(case).collect()
}

/// Their answers.
fn answers() -> Vec<Value> {
    cases().iter().map(answer).collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

const FIELDS: [&str; 9] = [
    "pattern",
    "path",
    "count",
    "matches",
    "truncated",
    "timed_out",
    "files_scanned",
    "errors",
    "content",
];

#[test]
fn a_response_always_has_its_nine_fields_including_errors() {
    touchstone::verifies!(
        "FR-LS-05",
        "FR-LS-ERR-07",
        "FR-LSI-SCHEMA-RESP-01",
        "FR-LSI-SCHEMA-RESP-04",
        "T-LSI-BASE-01"
    );
    let mut with_errors = 0;
    for seen in answers() {
        assert_eq!(keys(&seen), FIELDS.into());
        assert!(
            seen["pattern"].is_string() && seen["path"].is_string() && seen["content"].is_string()
        );
        assert!(seen["count"].is_u64() && seen["files_scanned"].is_u64());
        assert!(seen["truncated"].is_boolean() && seen["timed_out"].is_boolean());
        assert!(seen["matches"].is_array());
        with_errors += usize::from(seen["errors"] != json!([]));
    }
    assert_eq!(with_errors, 1, "the dangling link, where links are followed");
}

#[test]
fn a_service_with_index_mode_off_answers_like_one_without_an_index() {
    touchstone::verifies!("T-LSI-BASE-01", "FR-LSI-IDX-02");
    for case in cases() {
        let ground = Ground::of(&case);
        let mut config = Config {
            backend: BackendChoice::Native,
            emit_stats: false,
            ..Config::preset(Preset::Agent)
        };
        config.index.index_mode = IndexMode::Off;
        let root = ground.root().to_owned();
        let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
        let options = IndexOptions { using: IndexUse::Background, ..IndexOptions::default() };
        let service = Service::with_index(config, sandbox, options).unwrap();
        // The model and every backend say the same of the case.
        let seen = json(service.call("Search", &case.request));
        assert_eq!(seen, answer(&case), "{}", case.request);
    }
}

#[test]
fn exit_code_and_stderr_have_the_documented_types() {
    touchstone::verifies!("FR-LSI-SCHEMA-RESP-01", "FR-LS-05");
    let files: Vec<(String, &str)> = (0..40).map(|n| (format!("f-{n:04}"), "foo\n")).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let ground = Ground::of(&over(&files, json!({})));
    let script = "for one; do case \"$one\" in ./f-0039) echo no >&2; exit 3;; esac; done\n\
        exec \"$real\" \"$@\"";
    let fake = Fake::ripgrep(script);
    let seen = json(ground.service(only(&fake.program)).call("Search", &json!({"pattern": "foo"})));
    let mut fields = keys(&seen);
    assert!(fields.remove("exit_code") && fields.remove("stderr") && fields.remove("stats"));
    assert_eq!(fields, FIELDS.into());
    assert_eq!((&seen["exit_code"], &seen["stderr"]), (&json!(3), &json!("no\n")));
}

#[test]
fn stats_of_preset_agent_report_completeness_and_its_reasons() {
    touchstone::verifies!("E-H13", "FR-LSI-SCHEMA-RESP-03");
    let ground = Ground::of(&over(&[("a", "foo\n"), ("b", "foo\n")], json!({})));
    let answer = |request: &Value| {
        let config = Config { index: only(Path::new("")).index, ..Config::preset(Preset::Agent) };
        json(ground.service(config).call("Search", request))["stats"].clone()
    };
    let whole = json!({
        "complete": true, "incomplete_because": [], "index_safety_state": "DISABLED",
        "proof_names": "read", "proof_contents": "read",
    });
    assert_eq!(answer(&json!({"pattern": "foo"})), whole);
    let cut = answer(&json!({"pattern": "foo", "max_results": 1}));
    let said = (&cut["complete"], &cut["incomplete_because"]);
    assert_eq!(said, (&json!(false), &json!(["max_results"])));
}

#[test]
fn count_is_the_number_of_match_and_context_events() {
    touchstone::verifies!("FR-LS-05a", "FR-LSI-COUNT-01");
    let seen = answer(&over(
        &[("a", "1\nfoo\n3\n"), ("b", "foo\n")],
        json!({"pattern": "foo", "context": 1}),
    ));
    assert_eq!((&seen["count"], lines(&seen).len()), (&json!(4), 4));
    for seen in answers() {
        assert_eq!(seen["count"], seen["matches"].as_array().unwrap().len());
    }
}

#[test]
fn the_pattern_is_returned_unchanged() {
    touchstone::verifies!("FR-LS-05b");
    for pattern in [" foo ", "F(o)o", "\u{e9}|e\u{301}", "\\.", "\u{1b}[", "a\tb"] {
        let request = json!({"pattern": pattern, "fixed_strings": true});
        let seen = answer(&over(&[("d/a", "foo\n")], request));
        assert_eq!((&seen["pattern"], &seen["path"]), (&json!(pattern), &json!(".")));
    }
    let seen = answer(&over(&[("d/a", "foo\n")], json!({"pattern": "foo", "path": "./d/../d//"})));
    assert_eq!(seen["path"], "d");
}

#[test]
fn content_shows_the_events_in_their_order_and_then_notes() {
    touchstone::verifies!("FR-LS-05c", "FR-LS-05c.view", "FR-LSI-ENC-02");
    for seen in answers() {
        let content = seen["content"].as_str().unwrap();
        let harmless =
            |event: String| event.replace('\u{1b}', "\\u{1b}").replace('\u{202e}', "\\u{202e}");
        let events: Vec<String> = lines(&seen).into_iter().map(harmless).collect();
        let shown: Vec<&str> = content.lines().take(events.len()).collect();
        assert_eq!(shown, events);
        assert!(
            content
                .lines()
                .skip(events.len())
                .all(|note| note.starts_with('[') && note.ends_with(']'))
        );
        assert!(content.ends_with('\n'));
    }
    let files = [("a", "x\nfoo\n"), ("b", "foo\n")];
    let content =
        |request: Value| answer(&over(&files, request))["content"].as_str().unwrap().to_owned();
    assert_eq!(content(json!({"pattern": "foo", "context": 1})), "a-1-x\na:2:1:foo\nb:1:1:foo\n");
    assert_eq!(
        content(json!({"pattern": "foo", "max_results": 1})),
        "a:2:1:foo\n[truncated: max_results 1 reached, more events exist]\n"
    );
    assert_eq!(content(json!({"pattern": "none"})), "[no matches]\n");
    // Bytes that are no text, and text that would act on a terminal, are there in a harmless form.
    let case = Case::new("bytes", "bytes", json!({"pattern": "foo"}))
        .with(Entry::file(b"n\xff\x1b".to_vec(), b"foo \x1b[2J\xff\xfe\n".to_vec()));
    let seen = answer(&case);
    assert_eq!(seen["content"], "n\u{fffd}\\u{1b}:1:1:foo \\u{1b}[2J\u{fffd}\u{fffd}\n");
    assert_eq!(lines(&seen), ["n\u{fffd}\u{1b}:1:1:foo \u{1b}[2J\u{fffd}\u{fffd}"]);
}

#[test]
fn the_only_further_field_is_the_stats_of_the_indexing_document() {
    touchstone::verifies!(
        "FR-LS-05d",
        "FR-LSI-SCHEMA-RESP-02",
        "FR-LSI-SCHEMA-RESP-04",
        "FR-LSI-STAT-01",
        "CFGKEY-LSI-emit_stats"
    );
    let ground = Ground::of(&over(&[("a", "foo\n")], json!({})));
    let config = |emit_stats: bool| Config {
        backend: BackendChoice::Native,
        emit_stats,
        ..only(Path::new(""))
    };
    let call = |emit_stats: bool| {
        json(ground.service(config(emit_stats)).call("Search", &json!({"pattern": "foo"})))
    };
    let mut expected: BTreeSet<&str> = FIELDS.into();
    assert_eq!(keys(&call(false)), expected);
    expected.insert("stats");
    let mut with_stats = call(true);
    assert_eq!(keys(&with_stats), expected);
    with_stats.as_object_mut().unwrap().remove("stats");
    assert_eq!(with_stats, call(false), "and it changes nothing else");
}

#[test]
fn an_unreadable_file_is_listed_and_the_search_goes_on() {
    touchstone::verifies!(
        "FR-LS-ERR-05",
        "FR-LS-ERR-06",
        "T-LS-ERR-01",
        "FR-LS-ERR-03",
        "EXIT-LS-2"
    );
    // ripgrep and ugrep both end with status 2 here, having printed the matches of the other files
    // (E-F06).
    let mut case =
        over(&[("a", "foo\n"), ("z", "foo\n"), ("d/e", "foo\n")], json!({"pattern": "foo"}))
            .with(Entry::file("b", "foo\n").unreadable())
            .with(Entry::file("d/f", "foo\n").unreadable())
            .with(Entry::dir("g").unreadable());
    let seen = asked_unprivileged(&case).unwrap();
    assert_eq!(paths(&seen), ["a", "d/e", "z"]);
    assert_eq!(
        seen["errors"],
        json!([
            {"path": "b", "error": "permission denied"},
            {"path": "d/f", "error": "permission denied"},
            {"path": "g", "error": "permission denied"},
        ])
    );
    assert_eq!(seen["timed_out"], false);
    // The same where nothing else matches, and paths stay relative to the working directory.
    case.request = json!({"pattern": "none", "path": "d"});
    let seen = asked_unprivileged(&case).unwrap();
    assert_eq!(errors(&seen), ["d/f: permission denied"]);
    "d".clone_into(&mut case.config.working_dir);
    case.request = json!({"pattern": "none"});
    assert_eq!(errors(&asked_unprivileged(&case).unwrap()), ["f: permission denied"]);
}

#[test]
fn an_undecodable_file_does_not_fail_the_call() {
    touchstone::verifies!("FR-LS-ERR-05");
    let files: [(&str, &[u8]); 4] = [
        ("bad", b"\xc3\x28 foo \xff\n"),
        ("bin", b"\0\x01foo"),
        ("odd", b"\xff\xfef\0o\0o\0x"),
        ("ok", b"foo\n"),
    ];
    let case = Case::new("bytes", "bytes", json!({"pattern": "foo"}));
    let seen = answer(
        &files.iter().fold(case, |case, (path, bytes)| case.with(Entry::file(*path, *bytes))),
    );
    assert_eq!(paths(&seen), ["bad", "odd", "ok"]);
    assert_eq!((errors(&seen), &seen["files_scanned"]), (vec![], &json!(4)));
}

/// Everything there is to see of a tree, below and including `directory`.
fn picture(directory: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, u64, Vec<u8>)> {
    let mut seen = BTreeMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(path) = pending.pop() {
        let metadata = path.symlink_metadata().unwrap();
        let bytes = if metadata.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            Vec::new()
        } else if metadata.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if metadata.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        seen.insert(path, (metadata.mode(), changed.0, changed.1, metadata.len(), bytes));
    }
    seen
}

#[test]
fn a_search_changes_nothing_in_the_tree() {
    touchstone::verifies!("NFR-LS-SEC-02");
    // Names that would do harm in a shell, a configuration file of each backend, and everything
    // else there is.
    let case = over(
        &[
            ("a", "foo\n"),
            ("$(touch pwned)", "foo\n"),
            (";touch pwned;", "foo\n"),
            ("--pre=touch", "foo\n"),
            (".ugrep", "save-config\nformat=x\n"),
            (".ripgreprc", "--pre=touch\n"),
            ("sub/.gitignore", "x\n"),
            ("sub/bin", "\0\n"),
            ("../outside/o", "foo\n"),
        ],
        json!({}),
    )
    .with(Entry::link("l", "sub"))
    .with(Entry::link("out", "../outside"))
    .with(Entry::fifo("pipe"));
    let ground = Ground::of(&case);
    let tree = ground.root().parent().unwrap().to_owned();
    let before = picture(&tree);
    let native = Config { backend: BackendChoice::Native, ..only(Path::new("")) };
    let real = backends();
    for config in [native, only(&real.ripgrep.unwrap()), only(&real.ugrep.unwrap())] {
        let service = ground.service(config);
        for request in [
            json!({"pattern": "foo", "context": 2}),
            json!({"pattern": "--pre=touch", "fixed_strings": true, "hidden": true, "no_ignore": true}),
            json!({"pattern": "f(o|0)+", "follow": true, "hidden": true, "max_results": 1}),
            json!({"pattern": "fooo", "fixed_strings": true, "fuzzy": 1}),
            json!({"pattern": "foo", "path": "a"}),
        ] {
            json(service.call("Search", &request));
            assert!(service.call("Search", &json!({"pattern": "foo", "path": "nowhere"})).is_err());
        }
    }
    assert_eq!(picture(&tree), before);
}

/// What tells the test below that it is the other process: which tree to search, and by which
/// programs.
const CHILD: [&str; 3] =
    ["TOUCHSTONE_SEARCHED_TREE", "TOUCHSTONE_BY_RIPGREP", "TOUCHSTONE_BY_UGREP"];

#[test]
fn a_search_leaves_no_file_outside_the_tree() {
    touchstone::verifies!("NFR-LS-SEC-02");
    if let [Some(tree), Some(ripgrep), Some(ugrep)] =
        CHILD.map(|name| std::env::var_os(name).map(PathBuf::from))
    {
        // The environment of a process cannot be changed from within, so this runs in another one.
        let native = Config { backend: BackendChoice::Native, ..only(Path::new("")) };
        for config in [native, only(&ripgrep), only(&ugrep)] {
            let sandbox = Sandbox::new(std::slice::from_ref(&tree), &tree).unwrap();
            let service = Service::new(config, sandbox).unwrap();
            let folded = json!({"pattern": "FOO", "case": "insensitive", "context": 1});
            for request in [json!({"pattern": "fo+"}), folded] {
                assert!(!lines(&json(service.call("Search", &request))).is_empty());
            }
        }
        println!("SEARCHED");
        return;
    }
    let real = backends();
    let ground = Ground::of(&over(&[("a", "foo\n"), ("utf-16", "\u{feff}foo\n")], json!({})));
    let places = tempfile::tempdir().unwrap();
    let variables =
        ["TMPDIR", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"];
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "clauses_response::a_search_leaves_no_file_outside_the_tree",
        "--nocapture",
    ]);
    let given = [ground.root().to_owned(), real.ripgrep.unwrap(), real.ugrep.unwrap()];
    child.envs(CHILD.into_iter().zip(given)).current_dir(ground.root());
    // Records of claims are this process's.
    let target = tempfile::tempdir().unwrap();
    child.env("CARGO_TARGET_DIR", target.path());
    for variable in variables {
        let place = places.path().join(variable);
        fs::create_dir(&place).unwrap();
        child.env(variable, place);
    }
    let before = picture(places.path());
    let output = child.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("SEARCHED"), "{told}");
    assert_eq!(picture(places.path()), before);
}

#[test]
fn a_search_does_not_mark_files_as_read() {
    touchstone::verifies!("NFR-LS-SEC-03", "SEC-LSI-CACHE-01", "SEC-LSI-CACHE-02");
    let ground = Ground::of(&over(&[("a", "foo one\n"), ("b", "x\n")], json!({})));
    let native = Config { backend: BackendChoice::Native, ..only(Path::new("")) };
    let real = backends();
    for config in [native.clone(), only(&real.ripgrep.unwrap()), only(&real.ugrep.unwrap())] {
        let service = ground.service(config);
        for request in [
            json!({"pattern": "foo"}),
            json!({"pattern": "foo", "path": "a", "context": 2}),
            json!({"pattern": "fo", "path": "nowhere"}),
            json!({"pattern": "fooo", "fixed_strings": true, "fuzzy": 1}),
        ] {
            let _ = service.call("Search", &request);
            assert!(service.read_tracker().is_empty(), "{request}");
        }
    }
    // The response holds no mark, digest or time of a file that an edit could be checked against,
    // and the service keeps nothing of a file from one call to the next.
    let service = ground.service(native);
    let call = || json(service.call("Search", &json!({"pattern": "foo"})));
    let seen = call();
    // Of stats the table lists every field, and none of them is about a single file.
    let spec =
        Spec::load(&golden::workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"));
    let listed = spec.index.stats.fields.iter().map(|field| field.name.value.as_str());
    assert_eq!(keys(&seen["stats"]), listed.collect());
    assert_eq!(
        keys(&seen["matches"][0]["data"]),
        ["path", "line_number", "column", "lines", "match_text"].into()
    );
    // The same length and the same time of change: whatever went by those would take the file for
    // known.
    let path = ground.root().join("a");
    let modified = path.metadata().unwrap().modified().unwrap();
    fs::write(&path, "foo two\n").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert_eq!(lines(&call()), ["a:1:1:foo two"]);
    assert_eq!(
        service.call("Read", &json!({"path": "a"})).unwrap_err().field.as_deref(),
        Some("tool")
    );
}
