//! Sections 3.4 and 4.1: what ends a search, what is left out, and how the answer says so.

use std::time::{Duration, Instant};

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Call, Config, FilesBackend, ToolContext};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};

use super::asked::{
    answer, answer_unprivileged, call, configured, errors, matches, of, over, paths, table,
};
use super::clauses::{Fake, Ground, Spy};

fn capped(files: &[(&str, &str)], mut fields: Value) -> Value {
    fields["query"] = json!("foo");
    answer(&over(files, fields))
}

/// What an answer says about its own completeness.
fn cut(answer: &Value) -> (bool, &Value, &Value) {
    (
        answer["truncated"] == true,
        &answer["truncated_reason"],
        &answer["stats"]["incomplete_because"],
    )
}

#[test]
fn a_search_ends_at_the_first_match_beyond_max_results() {
    touchstone::verifies!(
        "FR-SF-SRC-08",
        "T-SF-06",
        "OUTF-SF-truncated",
        "OUTF-SF-truncated_reason",
        "OUTF-SF-returned",
        "STATF-SF-matches_total",
        "STATF-SF-files_scanned"
    );
    let files = [("a", "foo foo\nfoo\n"), ("b", "x\n"), ("c", "foo\n"), ("d", "foo\n")];
    for (most, shown, scanned) in [
        (1, &["a:1:1:foo"][..], 1),
        (2, &["a:1:1:foo", "a:1:5:foo"], 1),
        (3, &["a:1:1:foo", "a:1:5:foo", "a:2:1:foo"], 3),
        (4, &["a:1:1:foo", "a:1:5:foo", "a:2:1:foo", "c:1:1:foo"], 4),
    ] {
        let seen = capped(&files, json!({"max_results": most}));
        assert_eq!((matches(&seen), &seen["returned"]), (of(shown), &json!(most)));
        assert_eq!(
            (&seen["max_results"], &seen["stats"]["matches_total"]),
            (&json!(most), &json!(most + 1))
        );
        assert_eq!(cut(&seen), (true, &json!("max_results"), &json!(["max_results"])));
        assert_eq!(seen["stats"]["files_scanned"], scanned, "{most}");
    }
    // Exactly as many as allowed are all of them.
    let seen = capped(&files, json!({"max_results": 5}));
    assert_eq!((&seen["returned"], &seen["stats"]["matches_total"]), (&json!(5), &json!(5)));
    assert_eq!(cut(&seen), (false, &json!(null), &json!([])));
}

#[test]
fn files_beyond_the_end_of_an_answer_are_not_opened() {
    touchstone::verifies!("FR-SF-SRC-08", "NFR-SF-PERF-01");
    let case = over(&[("a", "foo\nfoo\n")], json!({"query": "foo", "max_results": 1}))
        .with(Entry::file("b", "foo\n").unreadable())
        .with(Entry::dir("c").unreadable());
    assert_eq!(errors(&answer_unprivileged(&case)), [""; 0]);
    let mut case = case;
    case.request = json!({"path": ".", "query": "foo", "max_files": 1});
    assert_eq!(errors(&answer_unprivileged(&case)), [""; 0]);
}

#[test]
fn the_walk_goes_no_further_than_the_answer() {
    touchstone::verifies!("FR-SF-SRC-08", "NFR-SF-PERF-01");
    let ground = Ground::of(&over(&[("d00/f", "foo\n")], json!({})));
    for number in 0..5_000 {
        let place = ground.root().join(format!("d{:02}", number / 100));
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join(format!("f{number:04}")), "foo\n").unwrap();
    }
    let service = ground.service(Config { threads: 1, ..table("") });
    let last = Spy::on(&[ground.root().join("d49")]);
    for (field, most, seen) in [("max_results", 3, 200), ("max_files", 20, 200)] {
        let call = Call::new();
        let request = json!({"path": ".", "query": "foo", field: most});
        let answer =
            service.call_files_until(&mut ToolContext::default(), &request, &call).unwrap();
        let answer: Value = serde_json::from_str(&answer.text).unwrap();
        assert_eq!(
            (&answer["returned"], &answer["truncated"]),
            (&json!(most), &json!(true)),
            "{field}"
        );
        assert!(call.files_seen() <= seen, "{field}: {}", call.files_seen());
        assert_eq!(last.touched(), [""; 0], "{field}");
    }
    let call = Call::new();
    let request = json!({"path": ".", "query": "nowhere"});
    service.call_files_until(&mut ToolContext::default(), &request, &call).unwrap();
    assert!(call.files_seen() > 5_000 && !last.touched().is_empty(), "both can tell");
}

#[test]
fn only_the_first_matches_of_each_file_count() {
    touchstone::verifies!("NFR-SF-PERF-01", "OUTF-SF-truncated", "STATF-SF-matches_total");
    let files = [("a", "foo foo foo\nfoo\n"), ("b", "foo\nfoo\n"), ("c", "foo\n")];
    let seen = capped(&files, json!({"max_matches_per_file": 2}));
    assert_eq!(matches(&seen), ["a:1:1:foo", "a:1:5:foo", "b:1:1:foo", "b:2:1:foo", "c:1:1:foo"]);
    assert_eq!(cut(&seen), (true, &json!(null), &json!(["max_matches_per_file"])));
    assert_eq!(
        (&seen["stats"]["files_cut"], &seen["stats"]["matches_total"]),
        (&json!(1), &json!(5))
    );
    let seen = capped(&files, json!({"max_matches_per_file": 4}));
    assert_eq!((cut(&seen).0, &seen["stats"]["files_cut"]), (false, &json!(0)));
    // The file with the first match beyond `max_results` is not searched further.
    let seen = capped(&files, json!({"max_matches_per_file": 1, "max_results": 1}));
    assert_eq!(
        cut(&seen),
        (true, &json!("max_results"), &json!(["max_results", "max_matches_per_file"]))
    );
    assert_eq!(seen["stats"]["files_cut"], 1);
}

#[test]
fn only_the_first_max_files_files_are_searched() {
    touchstone::verifies!("NFR-SF-PERF-01", "OUTF-SF-truncated_reason", "STATF-SF-files_scanned");
    let files = [("a", "x\n"), ("b/1", "foo\n"), ("b/2", "\0"), ("c", "foo\n")];
    for (most, shown) in [(1, vec![]), (2, of(&["b/1"])), (3, of(&["b/1"]))] {
        let seen = capped(&files, json!({"max_files": most}));
        assert_eq!((paths(&seen), &seen["stats"]["files_scanned"]), (shown, &json!(most)));
        assert_eq!(cut(&seen), (true, &json!("max_files"), &json!(["max_files"])));
    }
    let seen = capped(&files, json!({"max_files": 4}));
    assert_eq!((paths(&seen), cut(&seen)), (of(&["b/1", "c"]), (false, &json!(null), &json!([]))));
    // Files that are not eligible do not count; if both caps cut, the one of the matches is named.
    let seen = capped(&files, json!({"max_files": 2, "exclude_globs": ["a", "2"]}));
    assert_eq!((paths(&seen), cut(&seen).0), (of(&["b/1", "c"]), false));
    let files = [("a", "foo\nfoo\n"), ("b", "foo\n")];
    let seen = capped(&files, json!({"max_files": 1, "max_results": 1}));
    assert_eq!(cut(&seen), (true, &json!("max_results"), &json!(["max_results"])));
}

#[test]
fn directories_at_the_deepest_level_are_counted_and_not_entered() {
    touchstone::verifies!("NFR-SF-PERF-01", "OUTF-SF-truncated");
    let files = [
        ("a", "foo\n"),
        ("d/b", "foo\n"),
        ("d/e/c", "foo\n"),
        ("d/e/f/g", "foo\n"),
        ("h/i/j", "foo\n"),
    ];
    for (depth, shown, passed) in
        [(1, &["a"][..], 2), (2, &["a", "d/b"], 2), (3, &["a", "d/b", "d/e/c", "h/i/j"], 1)]
    {
        let seen = capped(&files, json!({"max_depth": depth}));
        assert_eq!(
            (paths(&seen), &seen["stats"]["directories_not_entered"]),
            (of(shown), &json!(passed)),
            "{depth}"
        );
        assert_eq!(cut(&seen), (true, &json!(null), &json!(["max_depth"])));
    }
    let seen = capped(&files, json!({"max_depth": 4}));
    assert_eq!((paths(&seen).len(), cut(&seen).0), (5, false));
    // Whoever asks for the files of one directory did not ask for the others; and depth counts from
    // the search root.
    let seen = capped(&files, json!({"recursive": false}));
    assert_eq!((paths(&seen), cut(&seen).0), (of(&["a"]), false));
    let seen = answer(&over(&files, json!({"path": "d", "query": "foo", "max_depth": 2})));
    assert_eq!(
        (paths(&seen), &seen["stats"]["directories_not_entered"]),
        (of(&["b", "e/c"]), &json!(1))
    );
    // Not entered means not opened.
    let case = over(&files, json!({"query": "foo", "max_depth": 1}))
        .with(Entry::dir("d/e/x").unreadable());
    let case = case.with(Entry::dir("shut").unreadable());
    assert_eq!(errors(&answer_unprivileged(&case)), [""; 0]);
}

#[test]
fn a_file_above_the_size_limit_is_skipped_and_reported() {
    touchstone::verifies!("FR-SF-SRC-07", "ERRF-SF-error", "STATF-SF-files_scanned");
    let files = [("a", "foo45678\n"), ("b", "foo456789\n"), ("c", "foo\n")];
    let seen = capped(&files, json!({"max_file_size_bytes": 9}));
    assert_eq!(paths(&seen), ["a", "c"]);
    assert_eq!(errors(&seen), ["b: larger than max_file_size_bytes"]);
    assert_eq!(cut(&seen), (true, &json!(null), &json!(["max_file_size_bytes"])));
    assert_eq!(
        (&seen["stats"]["files_scanned"], &seen["stats"]["files_oversized"]),
        (&json!(3), &json!(1))
    );
    // The configured value holds where a request is silent. Such a file is not even opened.
    let case =
        over(&files, json!({"query": "foo"})).with(Entry::file("d", "foo4567890\n").unreadable());
    let seen = answer_unprivileged(&configured(case, "max_file_size_bytes", 9));
    assert_eq!(
        errors(&seen),
        ["b: larger than max_file_size_bytes", "d: larger than max_file_size_bytes"]
    );
    let seen = capped(&files, json!({"max_file_size_bytes": 10}));
    assert_eq!((paths(&seen), cut(&seen).0), (of(&["a", "b", "c"]), false));
}

#[test]
fn stats_count_the_whole_search() {
    touchstone::verifies!(
        "STATF-SF-files_scanned",
        "STATF-SF-files_matched",
        "STATF-SF-matches_total",
        "OUTF-SF-stats"
    );
    let case = over(
        &[
            ("a", "foo foo\n"),
            ("b", "x\n"),
            ("c", "foo\0"),
            ("d", "foo long enough\n"),
            (".e", "foo\n"),
            ("f", "foo\n"),
        ],
        json!({"query": "foo", "max_file_size_bytes": 10}),
    )
    .with(Entry::file("g", "foo\n").unreadable())
    .with(Entry::fifo("h"))
    .with(Entry::link("i", "a"));
    let stats = answer_unprivileged(&case)["stats"].clone();
    let of = |keys: [&str; 6]| keys.map(|key| stats[key].as_u64().unwrap());
    // The binary, the oversized and the unreadable one were looked at; the hidden one, the pipe and
    // the link were not.
    assert_eq!(
        of([
            "files_scanned",
            "files_matched",
            "matches_total",
            "files_oversized",
            "files_binary",
            "files_cut"
        ]),
        [6, 2, 3, 1, 1, 0]
    );
    // What the caps cut off is not counted, but for the one match that shows that there is more.
    let seen =
        capped(&[("a", "foo\n"), ("b", "foo\nfoo\n"), ("c", "foo\n")], json!({"max_results": 2}));
    let stats = &seen["stats"];
    assert_eq!(
        (&stats["files_scanned"], &stats["files_matched"], &stats["matches_total"]),
        (&json!(2), &json!(2), &json!(3))
    );
}

/// Over ripgrep, on one thread, with a note of every file it is given.
fn noting(case: &Case) -> (Value, usize) {
    let ground = Ground::of(case);
    let fake = Fake::ripgrep(
        "for file; do case \"$file\" in ./*) echo \"$file\" >> \"$here/asked\";; esac; done\nexec \"$real\" \"$@\"",
    );
    let mut config = Config { threads: 1, ..table("") };
    config.search_files.backend = FilesBackend::Rg;
    config.search_files.rg_binary = fake.program.to_string_lossy().into_owned();
    let seen = call(&ground.service(config), &case.request);
    (seen, fake.note_so_far("asked").lines().count())
}

#[test]
fn each_cap_bounds_the_searched_files() {
    touchstone::verifies!("NFR-SF-PERF-01", "FR-SF-SRC-08");
    let mut case = over(&[], json!({"query": "foo"}));
    for number in 0..600 {
        case.tree.push(Entry::file(format!("f-{number:04}"), "foo\n"));
        case.tree.push(Entry::file(format!("z/d/{number:04}"), "foo\n"));
    }
    let mut asked = |fields: Value| {
        case.request = fields;
        let query = if case.request["mode"] == "regex" { "x" } else { "foo" };
        case.request["query"] = json!(query);
        case.request["path"] = json!(".");
        noting(&case)
    };
    let (seen, given) = asked(json!({"max_results": 3}));
    assert_eq!((matches(&seen).len(), &seen["stats"]["files_scanned"]), (3, &json!(4)));
    assert!(given <= 64, "{given} of 1,200 files were searched for an answer from the first four");
    assert_eq!(asked(json!({"max_files": 50})).1, 50);
    // With nothing to find, nothing else ends the search.
    let mut searched = |fields: Value| {
        let (seen, given) = asked(fields);
        (
            given,
            seen["stats"]["directories_not_entered"].as_u64(),
            seen["stats"]["files_scanned"].as_u64(),
        )
    };
    let nothing = |depth: u64| json!({"max_depth": depth, "mode": "regex"});
    assert_eq!(searched(nothing(1)), (600, Some(1), Some(600)));
    assert_eq!(searched(nothing(2)), (600, Some(1), Some(600)));
    assert_eq!(searched(nothing(3)), (1_200, Some(0), Some(1_200)));
}

#[test]
fn ordering_matches_takes_nearly_linear_time() {
    touchstone::verifies!("NFR-SF-PERF-02");
    // Eight times the matches may take eight times as long and some more, never anything like
    // sixty-four times.
    let timed = |files: usize| {
        let mut case = over(&[], json!({"query": "foo", "max_results": 100_000}));
        case.config.search_files = case.config.search_files.clone().with("max_results", 100_000);
        for number in 0..files {
            // Created in another order than the answer's.
            case.tree
                .push(Entry::file(format!("f-{:05}", number * 7919 % files), "foo foo foo foo\n"));
        }
        let ground = Ground::of(&case);
        let service = ground.service(Config { threads: 1, ..table("max_results = 100000") });
        let once = || {
            let started = Instant::now();
            assert_eq!(call(&service, &case.request)["returned"], 4 * files);
            started.elapsed()
        };
        [(); 5].map(|()| once()).into_iter().min().unwrap()
    };
    let (small, large) = (timed(400), timed(3_200));
    assert!(
        large < 24 * small + Duration::from_millis(200),
        "{small:?} for the small one, {large:?} for the large one"
    );
}
