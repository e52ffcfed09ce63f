//! The tools as their callers see them.

use std::{fs, path::Path, slice, sync::Arc};

use crate::{
    Answer, BackendChoice, Call, Config, Preset, Profile, Sandbox, Service, TokenCounter,
    Tokenizer, TokenizerName, Toolbox, toolbox::definitions,
};
use serde_json::{Value, json};

use crate::json::Json;

/// A toolbox over a tree of these files.
pub(super) fn toolbox(
    files: &[(&str, &str)],
    change: impl FnOnce(&mut Config),
) -> (tempfile::TempDir, Toolbox) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut config = Config::preset(Preset::Agent);
    change(&mut config);
    let sandbox = Sandbox::new(&[dir.path().to_owned()], dir.path()).unwrap();
    let service = Arc::new(Service::new(config, sandbox).unwrap());
    (dir, Toolbox::new(service, Profile::All))
}

pub(super) fn call(toolbox: &Toolbox, tool: &str, arguments: &Value) -> Answer {
    toolbox.call(&toolbox.session(), tool, &Json(arguments), &Call::new())
}

pub(super) const USERS: [(&str, &str); 4] = [
    (
        "src/user_service.rs",
        "pub struct UserService;\n\nimpl UserService {\n    fn new() -> Self { Self }\n}\n",
    ),
    ("src/main.rs", "mod user_service;\nfn main() { let s = user_service::UserService::new(); }\n"),
    ("docs/notes.md", "the user of this service\n"),
    (".hidden/user_service.rs", "UserService\n"),
];

#[test]
fn files_are_ranked_by_their_terms() {
    let (_dir, toolbox) = toolbox(&USERS, |_| {});
    let answer =
        call(&toolbox, "search_text", &json!({ "query": "UserService", "context_lines": 1 }));
    let results = answer.structured["results"].as_array().unwrap();
    assert_eq!(answer.structured["total"], 2, "{answer:#?}");
    assert_eq!(results[0]["path"], "src/user_service.rs");
    assert_eq!(results[0]["line"], 1);
    assert_eq!(results[0]["context"]["after"], json!([""]));
    assert_eq!(results[0]["match_lines"], json!([1, 3]));
    assert!(answer.complete && answer.found);
    assert!(answer.text.contains("src/user_service.rs (0."), "{}", answer.text);
}

#[test]
fn grep_pages_together_hold_every_line() {
    let (_dir, toolbox) = toolbox(&USERS, |_| {});
    let whole = call(
        &toolbox,
        "grep",
        &json!({ "pattern": "user", "case": "insensitive", "context_lines": 0 }),
    );
    assert_eq!(whole.structured["total"], 5, "{whole:#?}");
    let mut pages = Vec::new();
    for offset in 0..5 {
        let page = call(
            &toolbox,
            "grep",
            &json!({ "pattern": "user", "case": "insensitive", "context_lines": 0, "max_results": 1, "offset": offset }),
        );
        assert_eq!(page.complete, offset == 4, "{page:#?}");
        pages.extend(page.structured["results"].as_array().unwrap().clone());
    }
    assert_eq!(whole.structured["results"], Value::Array(pages));
}

#[test]
fn paths_are_matched_by_globs() {
    let (_dir, toolbox) = toolbox(&USERS, |_| {});
    let paths = |arguments: &Value| {
        let answer = call(&toolbox, "find_files", arguments);
        let results = answer.structured["results"].as_array().cloned().unwrap_or_default();
        results.iter().map(|found| found["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(&json!({ "pattern": "*.rs" })), ["src/main.rs", "src/user_service.rs"]);
    assert_eq!(
        paths(&json!({ "pattern": "*.rs", "directory": ".hidden" })),
        [".hidden/user_service.rs"]
    );
    assert_eq!(paths(&json!({ "pattern": "src/*n.rs" })), ["src/main.rs"]);
    assert_eq!(paths(&json!({ "pattern": "*", "recursive": false })), [""; 0]);
}

#[test]
fn a_refusal_has_a_reason_and_counts_for_the_rate_limit_if_the_tool_exists() {
    let (_dir, toolbox) = toolbox(&USERS, |config| config.agent.searches_per_minute = 7);
    let session = toolbox.session();
    let refused = |tool: &str, arguments: Value| {
        let answer = toolbox.call(&session, tool, &Json(&arguments), &Call::new());
        (answer.structured["error"].clone(), answer.structured["field"].clone())
    };
    assert_eq!(
        refused("grep", json!({ "pattern": "(", "regex": true })),
        (json!("invalid_query"), json!("pattern"))
    );
    assert_eq!(refused("grep", json!({})), (json!("invalid_query"), json!("pattern")));
    assert_eq!(
        refused("find_files", json!({ "pattern": "a", "max_results": 0 })),
        (json!("invalid_argument"), json!("max_results"))
    );
    assert_eq!(
        refused("search_text", json!({ "query": "\"a" })),
        (json!("invalid_query"), json!("query"))
    );
    assert_eq!(refused("grep", json!([])), (json!("invalid_argument"), Value::Null));
    assert_eq!(refused("nothing", json!({})), (json!("unknown_tool"), Value::Null));
    assert_eq!(
        refused("grep", json!({ "pattern": "a", "directory": ".." })),
        (json!("path_not_allowed"), json!("directory"))
    );
    assert_eq!(refused("grep", json!({ "pattern": "a" })), (Value::Null, Value::Null));
    assert_eq!(
        refused("grep", json!({ "pattern": "a" })),
        (json!("rate_limit_exceeded"), Value::Null)
    );
}

#[test]
fn a_long_answer_is_cut_from_the_end_and_reports_it() {
    let lines = "needle and some more text that takes up room in the answer\n".repeat(500);
    let (_dir, toolbox) =
        toolbox(&[("a.txt", &lines)], |config| config.agent.max_answer_bytes = 4_096);
    let answer = call(&toolbox, "grep", &json!({ "pattern": "needle", "max_results": 100 }));
    let shown = answer.structured["results"].as_array().unwrap().len();
    assert!(shown > 3 && answer.structured.to_string().len() <= 4_096);
    assert_eq!(answer.structured["incomplete_because"], json!(["max_results", "budget"]));
    assert_eq!(answer.structured["next_offset"], shown);
    assert_eq!(answer.structured["total"], 500);
}

#[test]
fn a_large_file_that_lacks_the_first_term_is_read_for_the_second() {
    let large = format!("{}needle\n", "some line or other\n".repeat(200_000));
    let (_dir, toolbox) = toolbox(&[("large.txt", large.as_str()), ("small.txt", "a\n")], |_| ());
    // What it lacks behind the second is no reason to pass it over for the second.
    let request = json!({ "query": "q", "search_terms": ["nowhere", "needle", "absent"], "use_model": false });
    let answer = call(&toolbox, "keyword_search", &request);
    assert_eq!(answer.structured["results"][0]["path"], "large.txt");
    assert_eq!(answer.structured["results"][0]["lines"][0]["line"], 200_001);
}

#[test]
fn one_line_of_megabytes_is_ranked_in_time() {
    // Time that grows with the square of a line's length takes an hour here.
    let line = format!("{}{}\n", "a ".repeat(1 << 20), "foo(".repeat(1 << 19));
    let (_dir, toolbox) = toolbox(&[("a.c", &line)], |_| ());
    let concept = json!({ "query": "q", "search_terms": ["foo"], "use_model": false });
    for (tool, request) in [("keyword_search", concept), ("search_text", json!({ "query": "foo" }))]
    {
        let answer = call(&toolbox, tool, &request);
        assert_eq!(
            (&answer.structured["complete"], &answer.structured["total"]),
            (&json!(true), &json!(1)),
            "{tool}"
        );
    }
}

#[test]
fn a_dry_run_after_a_timeout_has_no_prompt() {
    let (_dir, toolbox) = toolbox(&[("a.txt", "needle\n")], |_| ());
    let request = json!({ "query": "q", "search_terms": ["needle"], "dry_run": true });
    assert_ne!(call(&toolbox, "keyword_search", &request).structured["prompt"], Value::Null);
    let late = Call::new();
    late.cancel();
    let page =
        toolbox.call(&toolbox.session(), "keyword_search", &Json(&request), &late).structured;
    let said = (
        &page["prompt"],
        &page["complete"],
        &page["incomplete_because"],
        &page["notices"][0]["notice"],
        &page["notices"][0]["code"],
    );
    let timeout = json!("timeout");
    let code = json!("ACODE-SRC-004");
    assert_eq!(said, (&Value::Null, &json!(false), &json!([timeout]), &timeout, &code), "{page}");
}

#[test]
fn equal_scores_are_ordered_by_path_below_the_search_root() {
    let dir = tempfile::tempdir().unwrap();
    let root = dunce::canonicalize(dir.path()).unwrap();
    let order = ["other/o.rs", "sub/deep/d.rs", "sub/s.rs", "top.rs"];
    for path in order {
        let place = root.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, "needle\n").unwrap();
    }
    let here = root.join("sub/deep");
    let sandbox = Sandbox::new(slice::from_ref(&root), &here).unwrap();
    let service = Service::new(Config::preset(Preset::Agent), sandbox).unwrap();
    let toolbox = Toolbox::new(Arc::new(service), Profile::All);
    let request = json!({ "query": "needle", "directory": root.to_str().unwrap() });
    let answer = call(&toolbox, "search_text", &request);
    let rows = answer.structured["results"].as_array().unwrap();
    let paths: Vec<&Path> =
        rows.iter().map(|row| Path::new(row["path"].as_str().unwrap())).collect();
    // As shown: relative below the working directory, absolute elsewhere.
    let shown = [root.join(order[0]), "d.rs".into(), root.join(order[2]), root.join(order[3])];
    assert_eq!(paths, shown);
}

#[test]
fn a_file_beyond_max_files_is_not_found() {
    let files = [("a.txt", "needle\n"), ("b.txt", "needle\n")];
    let request = json!({ "query": "q", "search_terms": ["needle"], "use_model": false });
    for (limit, total) in [(1, 1), (2, 2)] {
        let (_dir, toolbox) = toolbox(&files, |config| config.max_files = limit);
        assert_eq!(
            call(&toolbox, "keyword_search", &request).structured["total"],
            total,
            "{limit}"
        );
    }
}

#[test]
fn a_notice_names_only_fields_of_the_tool() {
    let (_dir, toolbox) =
        toolbox(&[("a.txt", "x\n"), ("b.txt", "x\n")], |config| config.max_files = 1);
    let request = json!({ "query": "q", "search_terms": ["needle"], "use_model": false });
    let page = call(&toolbox, "keyword_search", &request).structured;
    let said = format!("{} {}", page["message"], page["notices"]);
    assert!(
        said.contains("hidden and ignored") && said.contains("only the first 1 files"),
        "{said}"
    );
    assert!(!said.contains("name a `directory`") && !said.contains("in `directory`"), "{said}");
}

#[test]
fn a_search_answer_obeys_the_length_limit_with_many_or_long_lines() {
    let many = "needle and some more text that takes up room in the answer\n".repeat(3_000);
    let long = format!("needle{}\nneedle\n", "x".repeat(300_000));
    for (files, request, least) in [
        // As many as fit: each takes some 160 bytes, and 4000 tokens are more than 12,000 of them.
        ([("a.txt", many.as_str())], json!({ "pattern": "needle", "max_results": 100_000 }), 60),
        ([("a.txt", long.as_str())], json!({ "pattern": "needle" }), 0),
    ] {
        let (_dir, toolbox) = toolbox(&files, |config| config.backend = BackendChoice::Native);
        let answer = call(&toolbox, "Search", &request);
        let (data, text) = (answer.structured.to_string(), &answer.text);
        assert!(data.len() <= 32_768 && text.len() <= 32_768, "{} and {}", data.len(), text.len());
        assert_eq!(answer.structured["truncated"], true);
        assert!(answer.structured["count"].as_u64().unwrap() >= least, "{data}");
        assert!(text.contains("[truncated: "), "{text}");
    }
}

#[test]
fn search_files_answers_even_if_its_smallest_answer_exceeds_the_limit() {
    let query = "\u{e000}".repeat(4_000);
    let (_dir, toolbox) = toolbox(&USERS, |_| {});
    let answer = call(&toolbox, "search_files", &json!({ "query": query, "path": "." }));
    assert!(!answer.is_error, "{}", answer.structured);
}

#[test]
fn a_disabled_tool_is_refused_before_the_request_is_checked_and_not_counted() {
    let (_dir, toolbox) = toolbox(&USERS, |config| {
        config.agent.searches_per_minute = 2;
        config.enabled = false;
        config.keyword.enabled = false;
    });
    let session = toolbox.session();
    let said = |tool: &str, arguments: &Value| {
        let answer = toolbox.call(&session, tool, &Json(arguments), &Call::new());
        format!("{} {}", answer.structured["error"], answer.structured["message"])
    };
    for (tool, table) in
        [("Search", "search"), ("ripgrep", "search"), ("keyword_search", "keyword")]
    {
        for arguments in [json!({ "pattern": "a" }), json!({ "nothing": 1 }), json!([])] {
            let said = said(tool, &arguments);
            assert!(
                said.contains("search_failed") && said.contains(&format!("tools.{table}.enabled")),
                "{said}"
            );
        }
    }
    // An expression that is none is counted, whichever tool is to look for it.
    let bad = said("search_files", &json!({ "path": ".", "query": "(", "mode": "regex" }));
    assert!(bad.contains("invalid_query"), "{bad}");
    assert_eq!(said("grep", &json!({ "pattern": "a" })), "null null");
    assert!(said("grep", &json!({ "pattern": "a" })).contains("rate_limit_exceeded"));
}

#[test]
fn a_dry_run_carries_the_notices_of_an_answer() {
    let (dir, toolbox) = toolbox(&USERS, |_| {});
    let notices = |toolbox: &Toolbox| {
        let request = json!({ "query": "q", "search_terms": ["user"], "dry_run": true });
        let answer = call(toolbox, "keyword_search", &request);
        assert!(answer.structured["prompt"].is_string(), "{}", answer.structured);
        answer.structured["notices"].clone()
    };
    assert_eq!(notices(&toolbox), Value::Null);
    fs::create_dir(dir.path().join(".agent")).unwrap();
    fs::write(dir.path().join(".agent/config.yml"), "tools: {search: {default_max_results: 0}}\n")
        .unwrap();
    assert_eq!(notices(&toolbox)[0]["notice"], "configuration");
}

#[test]
fn an_invalid_byte_does_not_match_the_replacement_character() {
    let (dir, toolbox) = toolbox(&[("a.txt", "\u{fffd} x\n")], |_| {});
    let score = |tool: &str, request: Value| {
        call(&toolbox, tool, &request).structured["results"][0]["score"].clone()
    };
    let both = || {
        [
            score("search_text", json!({ "query": "\u{fffd}" })),
            score(
                "keyword_search",
                json!({ "query": "q", "search_terms": ["\u{fffd}"], "use_model": false }),
            ),
        ]
    };
    let before = both();
    fs::write(dir.path().join("a.txt"), b"\xef\xbf\xbd \xff\n").unwrap();
    assert_eq!(both(), before);
    // Nor in a path; elsewhere it cannot be.
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let name = |bytes: &'static [u8]| dir.path().join(std::ffi::OsStr::from_bytes(bytes));
        fs::rename(name(b"a.txt"), name(b"qqq.txt")).unwrap();
        let before = both();
        fs::rename(name(b"qqq.txt"), name(b"q\xff.txt")).unwrap();
        assert_eq!(both(), before);
    }
}

#[cfg(unix)]
#[test]
fn problems_after_the_end_of_a_search_answer_do_not_shorten_it() {
    let (dir, toolbox) = toolbox(&[("a.txt", &"needle\n".repeat(20))], |config| {
        config.backend = BackendChoice::Native;
    });
    for number in 0..600 {
        std::os::unix::fs::symlink("nowhere", dir.path().join(format!("z{number:04}"))).unwrap();
    }
    let answer = call(&toolbox, "Search", &json!({ "pattern": "needle", "follow": true }));
    let length = answer.structured.to_string().len();
    assert!(length <= 32_768, "{length}");
    // One less ends the answer in this file; with all of them every link is a problem of it.
    assert_eq!(
        (&answer.structured["count"], &answer.structured["truncated"]),
        (&json!(19), &json!(true))
    );
    assert_eq!(answer.structured["errors"], json!([]));
}

#[test]
fn notices_count_towards_the_length_of_an_answer() {
    let lines = "needle and some more text that takes up room in the answer\n".repeat(500);
    let (_dir, toolbox) = toolbox(&[("a.txt", &lines)], |config| {
        config.backend = BackendChoice::Native;
        config.agent.max_answer_bytes = 4_096;
        config.agent.searches_per_minute = 3;
    });
    let session = toolbox.session();
    for number in 1..=3 {
        let answer =
            toolbox.call(&session, "Search", &Json(&json!({ "pattern": "needle" })), &Call::new());
        let notices = answer.structured["notices"].as_array().map_or(0, Vec::len);
        assert_eq!(notices, usize::from(number == 3), "{}", answer.structured);
        let length = answer.structured.to_string().len();
        assert!((3_000..=4_096).contains(&length), "{number}: {length}");
    }
}

#[test]
fn an_answer_over_the_budget_is_cut_without_a_second_search() {
    let lines = "needle and some more text that takes up room in the answer\n".repeat(500);
    let files = [("a.txt", lines.as_str()), ("b.txt", &lines), ("c.txt", "nothing\n")];
    let (_dir, toolbox) = toolbox(&files, |config| {
        config.backend = BackendChoice::Native;
        config.agent.max_answer_bytes = 4_096;
    });
    for (tool, request) in [
        ("Search", json!({ "pattern": "needle", "max_results": 500 })),
        ("search_files", json!({ "query": "needle", "path": ".", "max_results": 200 })),
    ] {
        let seen = Call::new();
        let answer = toolbox.call(&toolbox.session(), tool, &Json(&request), &seen);
        assert!(answer.results > 5 && !answer.complete, "{tool}: {}", answer.text);
        assert!(answer.structured.to_string().len() <= 4_096);
        assert!(seen.files_seen() <= 3, "{tool} looked at {} files", seen.files_seen());
    }
}

#[cfg(unix)]
#[test]
fn search_returns_fewer_results_if_more_results_would_add_problems() {
    let files = [("a.txt", "needle\nneedle\nneedle\n"), ("zz.txt", "needle\n")];
    let (dir, toolbox) = toolbox(&files, |config| config.backend = BackendChoice::Native);
    for number in 0..600 {
        std::os::unix::fs::symlink("nowhere", dir.path().join(format!("m{number:04}"))).unwrap();
    }
    let answer = call(&toolbox, "Search", &json!({ "pattern": "needle", "follow": true }));
    // Three of them, too, end in the second file, whose answer has every link before it.
    let said = ["count", "errors", "truncated"].map(|field| answer.structured[field].clone());
    assert_eq!(said, [json!(2), json!([]), json!(true)], "{}", answer.text);
}

#[test]
fn a_pattern_that_fills_the_answer_leaves_no_room_for_results() {
    let (_dir, toolbox) = toolbox(&[("a.txt", &"n\n".repeat(300))], |config| {
        config.backend = BackendChoice::Native;
        config.agent.max_answer_bytes = 8_192;
    });
    let pattern = format!("n|{}", "qzxv".repeat(3_000));
    let answer = call(&toolbox, "Search", &json!({ "pattern": pattern }));
    assert_eq!(
        (&answer.structured["count"], &answer.structured["truncated"]),
        (&json!(0), &json!(true))
    );
}

#[test]
fn the_tools_of_the_default_profile_cost_at_most_two_thousand_tokens() {
    let told = serde_json::to_string(&definitions(Profile::Default)).unwrap();
    let fits = |most| Tokenizer::from(TokenizerName::O200kBase).fits(&told, most);
    let tokens = (0..4_000).step_by(10).find(|most| fits(*most));
    assert!(fits(2_000), "{} bytes, {tokens:?} tokens", told.len());
}
