use std::path::Path;

use serde_json::json;

use super::*;
use crate::as_written::{ExpectedOutput, Program};
use crate::script::{Failure, Script};

fn parse(text: &str) -> Result<Case, CaseError> {
    Case::parse(text, Path::new("cases/a.yaml"))
}

fn round_trip(case: &Case) -> String {
    let text = case.to_yaml();
    let back = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(&back, case, "{text}");
    assert_eq!(back.to_yaml(), text);
    let line = serde_json::to_string(case).unwrap();
    assert_eq!(&serde_json::from_str::<Case>(&line).unwrap(), case, "{line}");
    text
}

const EXAMPLE: &str = r"id: cap-stops
title: Context stops before the next match, always
clauses: [FR-LS-SRC-10, E-D14]
tree:
  - file: a.txt
    bytes: 'foo1\nx\nit''s\n'
  - file: big.txt
    parts:
      - {bytes: 'x', times: 100000}
      - {bytes: 'needle\n'}
  - file: '\xff #.txt'
    bytes: ''
    readable: false
  - dir: private
    readable: false
  - link: sub/l
    target: ../../outside/o.txt
  - fifo: pipe
  - file: ../outside/o.txt
    bytes: 'foo'
config: {deny: ['**/.env'], global_ignore: ['*.tmp\n'], max_files: 3, preset: documents, working_dir: sub}
request: {max_matches_per_file: 1, pattern: foo}
as_written:
  program: ripgrep
  args: ['-n', foo]
  shows: ['a.txt:1']
";

#[test]
fn the_example_case_is_parsed_and_written_unchanged() {
    let case = parse(EXAMPLE).unwrap();
    assert_eq!(case.tree.len(), 7);
    assert_eq!(case.tree[0], Entry::file("a.txt", "foo1\nx\nit's\n"));
    let Node::File { contents, readable: true } = &case.tree[1].node else { panic!() };
    assert_eq!(contents.len(), 100_007);
    assert_eq!(case.tree[2], Entry::file(&b"\xff #.txt"[..], "").unreadable());
    assert_eq!(case.tree[4], Entry::link("sub/l", "../../outside/o.txt"));
    assert_eq!(case.config.preset, CasePreset::Documents);
    assert_eq!(case.config.global_ignore, [Text(b"*.tmp\n".to_vec())]);
    assert_eq!(case.request, json!({"pattern": "foo", "max_matches_per_file": 1}));
    assert_eq!(
        case.as_written.as_ref().unwrap().shows,
        ExpectedOutput::Lines(vec!["a.txt:1".to_owned()])
    );
    assert_eq!(round_trip(&case), EXAMPLE);
}

#[test]
fn odd_names_and_contents_survive_storing() {
    let names: [&[u8]; 12] = [
        b"n\nl",
        b"\xff\xfe",
        "e\u{301}".as_bytes(),
        b" ",
        b"- a",
        b"#",
        b"a: b",
        b"'",
        b"\"",
        b"null",
        b"1e3",
        b"\\n",
    ];
    let mut case = Case::new("odd", "names: 'odd' #1\n", json!({}));
    for name in names {
        case.tree.push(Entry::file(name, [name, b"\r\n\0\x85\xe2\x80\xa8\xef\xbb\xbf"].concat()));
    }
    case.tree.push(Entry::link("link", &b"\xff\n"[..]));
    round_trip(&case);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of requests")]
fn odd_requests_survive_storing() {
    let strings = [
        "",
        " ",
        "~",
        "yes",
        "No",
        "null",
        "1",
        "1.0",
        "0x1f",
        "1_000",
        "12:30",
        "2001-01-01",
        ".inf",
        "-",
        "- a",
        "a: b",
        "a #b",
        "a,b",
        "[a",
        "{a",
        "*a",
        "&a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "'",
        "\"",
        "\\",
        "\n",
        "\t",
        "\r",
        "\0",
        "\u{7f}",
        "\u{85}",
        "\u{a0}",
        "\u{2028}",
        "\u{feff}",
        "\u{1f600}",
        "e\u{301}",
        "\u{fffe}",
        "a\nb ",
        "=",
        "<<",
        "?",
        "\u{10ffff}",
        "a ",
        "a  b",
        "---",
        "...",
        ".inf",
        ".NaN",
        "..",
        ".5",
        "../a",
        ".git",
        "/nan",
        "./.e1",
    ];
    for text in strings {
        round_trip(&Case::new("a", text, json!({"pattern": text, text: [text, {"x": text}]})));
    }
    for value in [
        json!(0),
        json!(-1),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.0),
        json!(1.5e300),
        json!(1e300),
        json!(-1e-7),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!("x"),
        json!([[1], {"a": []}]),
    ] {
        round_trip(&Case::new("a", "a", json!({ "context": value })));
        round_trip(&Case::new("a", "a", value));
    }
}

#[test]
fn a_scripted_model_survives_storing_and_belongs_to_keyword_search() {
    let mut case =
        Case::of("a", "a", "keyword_search", json!({"query": "q", "search_terms": ["x"]}));
    case.config.keyword = Keys::default().with("term_bytes", 1_024);
    let says = "{\"files\": [\"<<file 0>>\"]}\n".to_owned();
    case.model = Some(Script { says, fails: None });
    round_trip(&case);
    case.model = Some(Script { says: String::new(), fails: Some(Failure::TimedOut) });
    round_trip(&case);
    case.tool = "grep".to_owned();
    assert_eq!(case.validate(), Err(Malformed::NotKeyword { key: "model" }));
    case.model = None;
    assert_eq!(case.validate(), Err(Malformed::NotKeyword { key: "keyword" }));
}

#[test]
fn configuration_and_reference_output_survive_storing() {
    let mut case = Case::new("a", "a", json!({})).with(Entry::dir("sub"));
    case.tool = "rg".to_owned();
    case.config = CaseConfig {
        preset: CasePreset::Documents,
        enabled: Some(false),
        default_timeout_ms: Some(1),
        default_max_results: Some(2),
        max_matches_per_file: Some(3),
        max_files: Some(4),
        max_file_size_bytes: Some(5),
        max_output_bytes: Some(6),
        deny: vec!["\\*".to_owned()],
        global_ignore: vec![Text(b"\\*\n".to_vec())],
        root: String::new(),
        working_dir: "sub".to_owned(),
        backend_available: Some(false),
        deadline_may_strike: true,
        keys: Keys::default().with("emit_stats", true).with("fuzzy_fallback_levels", json!([1, 3])),
        search_files: Keys::default(),
        agent: Keys::default(),
        keyword: Keys::default(),
    };
    for shows in [
        ExpectedOutput::Exit { exit: 2 },
        ExpectedOutput::Output { stdout_has: "a\\nb".to_owned() },
        ExpectedOutput::Lines(vec![]),
    ] {
        case.as_written = Some(AsWritten {
            program: Program::Ugrep,
            args: vec!["-e".to_owned(), "\\bfoo".to_owned()],
            env: [("LC_ALL".to_owned(), "C".to_owned())].into(),
            stdin: Some(Text(b"\xff\n".to_vec())),
            cwd: "sub".to_owned(),
            shows,
        });
        round_trip(&case);
    }
}

#[test]
fn a_search_files_case_keeps_its_configuration_and_context() {
    let mut case = Case::of("a", "a", "search_files", json!({"path": ".", "query": "x"}));
    assert_eq!(
        round_trip(&case),
        "id: a\ntitle: a\ntool: search_files\nrequest: {path: '.', query: x}\n"
    );
    case.context =
        CallContext { max_output_bytes: Some(0), available_capacity_bytes: Some(u64::MAX) };
    let keys = Keys::default().with("fuzzy_threshold", 1.0).with("mode_default", "fuzzy");
    case.config.search_files = keys.with("max_depth", 2).with("record_binary", false);
    let text = round_trip(&case);
    let lines: Vec<&str> = text.lines().skip(2).collect();
    let keys = "{fuzzy_threshold: 1.0, max_depth: 2, mode_default: fuzzy, record_binary: false}";
    assert_eq!(
        lines,
        [
            &format!("config: {{search_files: {keys}}}"),
            "tool: search_files",
            "context: {available_capacity_bytes: 18446744073709551615, max_output_bytes: 0}",
            "request: {path: '.', query: x}"
        ]
    );
    let keys = &case.config.search_files;
    assert_eq!((keys.number("fuzzy_threshold"), keys.number("max_depth")), (Some(1.0), Some(2.0)));
    assert_eq!((keys.text("mode_default"), keys.text("max_depth")), (Some("fuzzy"), None));
}

#[test]
fn keys_of_another_tool_or_of_the_harness_are_refused_in_a_case() {
    let told = [
        ("context: {max_output_bytes: 1}", "`context` belongs to the tool `search_files`"),
        ("config: {search_files: {max_depth: 1}}", "`search_files` belongs to the tool"),
        (
            "tool: search_files\nconfig: {search_files: {backend: rg}}",
            "`backend` of `search_files` comes from",
        ),
        (
            "tool: search_files\nconfig: {search_files: {max_output_bytes: 1}}",
            "comes from the case's `context`",
        ),
        ("tool: search_files\ncontext: {max_output: 1}", "unknown field"),
    ];
    for (lines, reason) in told {
        let message =
            parse(&format!("id: a\ntitle: a\n{lines}\nrequest: {{}}\n")).unwrap_err().to_string();
        assert!(message.contains(reason), "{lines}: {message}");
    }
}

#[test]
fn a_parse_error_names_the_file_and_the_line() {
    let broken = [
        (4, EXAMPLE.replace("tree:", "trees:")),
        (6, EXAMPLE.replace("'foo1", "'\\q")),
        (21, EXAMPLE.replace("max_files: 3", "max_fils: 3")),
        (9, EXAMPLE.replace("times: 100000", "time: 1")),
        (26, EXAMPLE.replace("shows:", "show:")),
    ];
    for (line, text) in broken {
        let error = parse(&text).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with(&format!("cases/a.yaml:{line}: ")), "line {line}: {message}");
    }
}

#[test]
fn a_case_that_cannot_exist_on_disk_is_refused_with_the_reason() {
    let trees = [
        ("  - file: /a", "component"),
        ("  - file: a//b", "component"),
        ("  - file: a/../b", "component"),
        ("  - file: ../../b", "component"),
        ("  - file: '..'", "component"),
        ("  - file: ../root/a", "another name"),
        ("  - file: 'a\\0'", "NUL"),
        ("  - file: ''", "empty"),
        ("  - file: a\n  - dir: a", "twice"),
        ("  - file: a/b\n  - file: a", "not a directory"),
        ("  - link: a", "target"),
        ("  - dir: a\n    bytes: x", "belongs to a file"),
        ("  - fifo: a\n    readable: false", "belongs to a file or dir"),
        ("  - file: a\n    dir: b", "exactly one"),
        ("  - file: a\n    bytes: x\n    parts: []", "not both"),
        ("  - file: a\n    parts: [{bytes: x, times: 1000000000000}]", "at most"),
    ];
    for (tree, reason) in trees {
        let message = parse(&format!("id: a\ntitle: a\ntree:\n{tree}\nrequest: {{}}\n"))
            .unwrap_err()
            .to_string();
        assert!(message.contains(reason), "{tree}: {message}");
    }
    for working_dir in ["../outside", "nowhere", "f"] {
        let text = format!(
            "id: a\ntitle: a\ntree: [{{file: f}}]\nconfig: {{working_dir: {working_dir}}}\nrequest: {{}}"
        );
        assert!(
            parse(&text).unwrap_err().to_string().contains("working directory"),
            "{working_dir}"
        );
    }
    assert!(
        parse("id: A b\ntitle: a\nrequest: {}").unwrap_err().to_string().contains("lower-case")
    );
}

#[test]
fn a_stored_case_loads_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let case = parse(EXAMPLE).unwrap();
    let path = case.store(&directory.path().join("new")).unwrap();
    assert!(path.ends_with("new/cap-stops.yaml"));
    assert_eq!(Case::load(&path).unwrap(), case);
    let missing = Case::load(&directory.path().join("x.yaml")).unwrap_err().to_string();
    assert!(missing.contains("x.yaml"), "{missing}");
}

#[test]
fn the_size_of_a_case_counts_names_contents_and_link_targets() {
    let case = Case::new("a", "a", json!({}))
        .with(Entry::file("ab", "cde"))
        .with(Entry::link("l", "xy"))
        .with(Entry::dir("d"));
    assert_eq!(case.size(), (3, 5 + 3 + 1));
}

#[test]
fn the_model_receives_the_tree_and_the_configuration() {
    let case = parse(EXAMPLE).unwrap();
    let world = case.world();
    assert_eq!(world.entries.len(), 7);
    let unreadable = touchstone_model::Node::File { bytes: Vec::new(), readable: false };
    assert_eq!(world.entries.get(&b"\xff #.txt"[..]), Some(&unreadable));
    let config = case.model_config();
    assert!(!config.enabled);
    assert_eq!((config.max_files, config.max_matches_per_file), (3, Some(50)));
    assert_eq!(config.max_file_size_bytes, 2_000_000);
    assert_eq!(config.global_ignore, [b"*.tmp\n".to_vec()]);
    assert_eq!(config.working_dir, "sub");
}
