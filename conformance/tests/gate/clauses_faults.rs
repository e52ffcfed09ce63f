//! Clauses about backends that go wrong while they search: exit codes, deadlines, output that is
//! none.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::clauses::{
    Fake, Ground, backends, errors, eventually, is_alive, json, lines, numbered, only, over,
    warm_up,
};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{BackendChoice, Config, ErrorClass, ToolError};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};
use touchstone::compare::Comparison;
use touchstone::expected::Expected;
use touchstone::golden::workspace;
use touchstone::subject::Backend;
use touchstone_spec::Spec;

/// Files in the first batch that a backend is given; the ones after that come later.
const FIRST_BATCH: usize = 32;

/// Notes three processes of its group under `pids` and waits for ever: itself, a child, and a
/// child's child.
const HANG: &str = "sleep 120 & one=$!; (sleep 120 & echo $! > \"$here/two\"; wait) & three=$!\n\
    while [ ! -s \"$here/two\" ]; do :; done\n\
    echo $$ $one $three $(cat \"$here/two\") > \"$here/pids.new\"; mv \"$here/pids.new\" \"$here/pids\"; wait";

/// Does `script` when it is given one of the later files, and what ripgrep does before that.
fn later(script: &str) -> Fake {
    let last = format!("./f-{:04}", FIRST_BATCH + 1);
    Fake::ripgrep(&format!(
        "for one; do case \"$one\" in {last}) later=1;; esac; done\n\
         if [ -n \"$later\" ]; then {script}\nexit; fi\nexec \"$real\" \"$@\""
    ))
}

/// More files than the first batch holds, and an empty directory.
fn two_batches() -> Case {
    numbered(FIRST_BATCH + 8, "foo\n").with(Entry::dir("empty"))
}

fn call(case: &Case, fake: &Fake) -> Result<Value, ToolError> {
    let ground = Ground::of(case);
    let response = ground.service(only(&fake.program)).call("Search", &case.request)?;
    Ok(json(Ok(response)))
}

fn failed(error: &ToolError) -> &str {
    assert_eq!(
        (error.class, error.field.as_deref()),
        (ErrorClass::ExecutionFailed, Some("backend")),
        "{error}"
    );
    &error.message
}

/// Whether a response is one of those that the model allows to a search that a deadline may strike.
fn is_allowed(case: &Case, seen: &Value) -> bool {
    let mut case = case.clone();
    case.config.deadline_may_strike = true;
    let mut seen = seen.clone();
    if let Some(fields) = seen.as_object_mut() {
        fields.remove("stats");
    }
    let expected = Expected::of(&case).unwrap();
    !matches!(expected.compare(&case, Backend::Native, Ok(&seen)), Comparison::Differs(_))
}

#[test]
fn the_table_of_exit_codes_equals_the_document() {
    touchstone::verifies!(
        "EXIT-LS-0",
        "EXIT-LS-1",
        "EXIT-LS-2",
        "EXIT-LS-3",
        "FR-LS-ERR-03",
        "EXIT-LSI-0",
        "EXIT-LSI-1",
        "EXIT-LSI-2",
        "EXIT-LSI-3",
        "FR-LSI-EXIT-02"
    );
    let spec = Spec::load(&workspace().join("spec")).unwrap();
    let class = |status: u8| {
        let rows: Vec<_> = spec
            .exit_classes
            .documented
            .iter()
            .filter(|row| (row.from.value..=row.to).contains(&status))
            .collect();
        assert_eq!(rows.len(), 1, "{status}");
        rows[0].class.clone()
    };
    assert_eq!(class(0), "ok_with_matches");
    assert_eq!(class(1), "ok_no_matches");
    for status in 2..=255 {
        assert_eq!(class(status), "backend_error", "{status}");
    }
}

#[test]
fn exit_codes_0_and_1_are_no_errors() {
    touchstone::verifies!(
        "EXIT-LS-0",
        "EXIT-LS-1",
        "FR-LS-ERR-03",
        "IT-LS-EXIT-01",
        "EXIT-LSI-0",
        "EXIT-LSI-1",
        "FR-LSI-EXIT-01",
        "FR-LSI-EXIT-02",
        "FR-LSI-BE-EXIT-01"
    );
    let case = over(&[("a", "foo\n"), ("b", "x\n")], json!({"pattern": "foo"}));
    let none = over(&[("a", "y\n"), ("b", "x\n")], json!({"pattern": "foo"}));
    for program in [backends().ripgrep, backends().ugrep] {
        let program = program.unwrap();
        let note = Fake::program(
            &program,
            "\"$real\" \"$@\"; status=$?; echo $status > \"$here/status\"; exit $status\n",
        );
        let seen = call(&case, &note).unwrap();
        assert_eq!(
            (note.note("status").as_str(), lines(&seen)),
            ("0\n", vec!["a:1:1:foo".to_owned()])
        );
        let seen = call(&none, &note).unwrap();
        assert_eq!(note.note("status"), "1\n", "{}", program.display());
        assert_eq!(
            (&seen["count"], &seen["files_scanned"], &seen["truncated"]),
            (&json!(0), &json!(2), &json!(false))
        );
        assert_eq!(errors(&seen), [""; 0]);
        assert!(seen.get("exit_code").is_none() && seen.get("stderr").is_none());
    }
    // What was named counts more than the status (E-F06): matches with status 1, none with status
    // 0.
    let seen = call(&case, &Fake::ripgrep("\"$real\" \"$@\"; exit 1")).unwrap();
    assert_eq!(lines(&seen), ["a:1:1:foo"]);
    let seen = call(&none, &Fake::ripgrep("\"$real\" \"$@\"; exit 0")).unwrap();
    assert_eq!((&seen["count"], seen.get("exit_code")), (&json!(0), None));
}

#[test]
fn exit_code_2_and_above_without_an_explanation_is_a_backend_failure() {
    touchstone::verifies!(
        "EXIT-LS-2",
        "EXIT-LS-3",
        "FR-LS-ERR-03",
        "IT-LS-EXIT-02",
        "EXIT-LSI-2",
        "EXIT-LSI-3",
        "FR-LSI-EXIT-01",
        "FR-LSI-EXIT-02",
        "FR-LSI-BE-EXIT-01"
    );
    let programs = [backends().ripgrep.unwrap(), backends().ugrep.unwrap()];
    let each = programs.iter().flat_map(|real| [2, 3, 4, 127, 255].map(|status| (real, status)));
    for (real, status) in each {
        let words = format!("echo 'out of luck' >&2; exit {status}");
        let fake = Fake::standing_in_for(real, &words);
        for text in ["foo\n", "x\n"] {
            let error = call(&over(&[("a", text)], json!({"pattern": "foo"})), &fake).unwrap_err();
            let message = failed(&error);
            assert!(
                message.contains(&status.to_string()) && message.contains("out of luck"),
                "{message}"
            );
        }
    }
    // The real programs end with 2 for an expression that does not parse, which is why none is ever
    // given to them.
    for program in [backends().ripgrep, backends().ugrep] {
        let fake = Fake::standing_in_for(&program.unwrap(), "exec \"$real\" -e '(' -- a");
        let error = call(&over(&[("a", "x\n")], json!({"pattern": "foo"})), &fake).unwrap_err();
        assert!(failed(&error).contains("exit code 2"), "{error}");
    }
}

#[test]
fn exit_code_2_with_a_vanished_file_is_an_error_of_that_file_only() {
    touchstone::verifies!("FR-LS-ERR-05", "FR-LS-ERR-06", "EXIT-LS-2");
    let case = over(&[("a", "foo\n"), ("b", "foo\n"), ("c", "foo\n")], json!({"pattern": "foo"}));
    for program in [backends().ripgrep, backends().ugrep] {
        // It takes the file away while the search is on, before the real one looks at it.
        let fake = Fake::standing_in_for(&program.unwrap(), "rm -f ./b\nexec \"$real\" \"$@\"");
        let ground = Ground::of(&case);
        let service = ground.service(only(&fake.program));
        let seen = json(service.call("Search", &case.request));
        assert_eq!(lines(&seen), ["a:1:1:foo", "c:1:1:foo"]);
        assert_eq!(seen["errors"], json!([{"path": "b", "error": "not found"}]));
        assert_eq!((&seen["files_scanned"], seen.get("exit_code")), (&json!(3), None));
    }
}

#[test]
fn backend_output_about_a_changed_file_is_discarded() {
    touchstone::verifies!("FR-LS-ERR-05");
    // It names a line that the file no longer has; what the file holds now is the answer.
    let case = over(&[("a", "x\nfoo\nfoo\n"), ("b", "foo\n")], json!({"pattern": "foo"}));
    let seen = call(&case, &Fake::ripgrep("printf './a\\0009:foo\\n./b\\0001:foo\\n'")).unwrap();
    assert_eq!(lines(&seen), ["a:2:1:foo", "a:3:1:foo", "b:1:1:foo"]);
    let fake = Fake::ripgrep("\"$real\" \"$@\"; status=$?; echo foo > ./a; exit $status");
    assert_eq!(lines(&call(&case, &fake).unwrap()), ["a:1:1:foo", "b:1:1:foo"]);
}

#[test]
fn a_backend_that_fails_midway_leaves_the_finished_files_with_its_code_and_message() {
    touchstone::verifies!("FR-LS-ERR-04", "FR-LS-05", "FR-LS-ENC-01", "FR-LSI-ENC-01");
    let case = two_batches();
    for status in [2, 3] {
        let fake = later(&format!(
            "\"$real\" \"$@\" | head -n 2; printf 'bad \\377\\376 luck' >&2; exit {status}"
        ));
        let seen = call(&case, &fake);
        // Lines were named, so the run as a whole is judged by its files: nothing explains the
        // status.
        let seen = seen.unwrap();
        assert_eq!(
            (&seen["exit_code"], &seen["stderr"]),
            (&json!(status), &json!("bad \u{fffd}\u{fffd} luck"))
        );
        assert_eq!(
            (&seen["count"], &seen["files_scanned"]),
            (&json!(FIRST_BATCH), &json!(FIRST_BATCH))
        );
        assert_eq!((&seen["truncated"], &seen["timed_out"]), (&json!(true), &json!(false)));
        let expected: Vec<String> =
            (0..FIRST_BATCH).map(|number| format!("f-{number:04}:1:1:foo")).collect();
        assert_eq!(lines(&seen), expected);
    }
    // The same words give the same text every time.
    let fake = Fake::ripgrep("printf '\\303(\\360\\237\\230' >&2; exit 2");
    let messages = [(); 3].map(|()| {
        call(&over(&[("a", "x\n")], json!({"pattern": "foo"})), &fake).unwrap_err().message
    });
    assert!(messages[0].contains("\u{fffd}(\u{fffd}"), "{}", messages[0]);
    assert!(messages.iter().all(|message| *message == messages[0]));
}

#[test]
fn untrustworthy_output_fails_the_call() {
    touchstone::verifies!("FR-LS-ERR-04.untrusted", "FR-LS-ENC-01", "FR-LS-EXE-02");
    let case = over(&[("a", "foo\n"), ("b", "foo\n")], json!({"pattern": "foo"}));
    for script in [
        "echo 'no list of lines at all'",
        "printf './a\\0001:foo\\nsomething else\\n'; exit 0",
        "printf './a\\000one:foo\\n'",
        "printf './a\\0000:foo\\n'",
        "printf './a\\0001'",
        "printf './a\\0001:foo'",
        "printf './nobody-asked\\0001:foo\\n'",
        "printf '{\"type\":\"match\",\"data\":\\n'",
        "printf './a\\0001:foo\\n'; kill -9 $$",
        "kill -TERM $$",
    ] {
        let error = call(&case, &Fake::ripgrep(script)).expect_err(script);
        failed(&error);
    }
}

#[test]
fn a_run_with_garbled_output_contributes_nothing_to_the_answer() {
    touchstone::verifies!("FR-LS-ERR-04.untrusted");
    let case = two_batches();
    let garbled = later("\"$real\" \"$@\" | head -n 3; echo 'and nonsense'");
    let error =
        call(&case, &garbled).expect_err("nothing of it can be trusted, the first batch included");
    assert!(failed(&error).contains("cannot be trusted"), "{error}");
    // One that was killed has said nothing wrong before.
    let seen = call(&case, &later("\"$real\" \"$@\" | head -n 3; kill -9 $$")).unwrap();
    assert_eq!(
        (&seen["files_scanned"], &seen["count"]),
        (&json!(FIRST_BATCH), &json!(FIRST_BATCH))
    );
    assert_eq!(seen["truncated"], true);
    assert!(!seen["stderr"].as_str().unwrap().is_empty(), "{seen}");
}

/// Longest that a call of two seconds or less may take. It is far below what is configured for
/// calls that do not say.
const LATE: Duration = Duration::from_secs(10);

/// Calls a service over a backend that hangs, and waits until every process it started is gone.
fn hang(case: &Case, fake: &Fake, timeout: u64) -> (Value, Duration) {
    let mut case = case.clone();
    case.request["timeout_ms"] = json!(timeout);
    hang_for(&case, fake, Config { default_timeout_ms: 600_000, ..only(&fake.program) })
}

/// The same, by a configuration.
fn hang_for(case: &Case, fake: &Fake, config: Config) -> (Value, Duration) {
    let ground = Ground::of(case);
    let service = ground.service(config);
    warm_up(&service, "empty");
    let request = case.request.clone();
    let started = Instant::now();
    let seen = json(service.call("Search", &request));
    let took = started.elapsed();
    let pids = fake.note("pids");
    assert_eq!(
        pids.split_whitespace().count(),
        4,
        "itself, two children, and a child's child: {pids}"
    );
    for process in pids.split_whitespace() {
        eventually(&format!("process {process} outlived the call"), || !is_alive(process));
    }
    (seen, took)
}

#[test]
fn at_the_deadline_the_process_and_its_children_are_killed() {
    touchstone::verifies!(
        "FR-LS-EXE-04",
        "FR-LS-07",
        "FR-LS-03",
        "FR-LS-LIM",
        "FR-LS-EXE",
        "FR-LS-05c.view",
        "CFG-LS-03",
        "FR-LSI-BE-01",
        "FR-LSI-EXIT-01"
    );
    let case = over(&[("a", "foo\n")], json!({"pattern": "foo"})).with(Entry::dir("empty"));
    let (seen, took) = hang(&case, &Fake::ripgrep(HANG), 2_000);
    assert!(took >= Duration::from_secs(2) && took < LATE, "{took:?}");
    assert_eq!((&seen["timed_out"], &seen["truncated"]), (&json!(true), &json!(true)));
    assert_eq!((&seen["count"], &seen["files_scanned"]), (&json!(0), &json!(0)));
    assert!(
        seen["content"].as_str().unwrap().contains("[timed out: files searched: 0]\n"),
        "{seen}"
    );
    assert!(is_allowed(&case, &seen), "{seen}");
}

#[test]
fn a_call_that_names_no_deadline_has_the_configured_one() {
    touchstone::verifies!("CFGKEY-LS-default_timeout_ms", "FR-LS-02", "CFG-LS-03", "FR-LS-07");
    let case = over(&[("a", "foo\n")], json!({"pattern": "foo"})).with(Entry::dir("empty"));
    let fake = Fake::ripgrep(HANG);
    let (seen, took) =
        hang_for(&case, &fake, Config { default_timeout_ms: 500, ..only(&fake.program) });
    assert!(took >= Duration::from_millis(500) && took < LATE, "{took:?}");
    assert_eq!((&seen["timed_out"], &seen["truncated"]), (&json!(true), &json!(true)));
}

/// Globs that fail late on each of many long names, and expressions without a literal over many
/// bytes.
#[test]
fn the_deadline_applies_in_the_walk_and_in_the_embedded_backend() {
    touchstone::verifies!("FR-LS-07", "FR-LS-ORD-04", "FR-LS-EXE-04", "FR-LS-LIM");
    let ground = Ground::of(&over(&[("a", "foo\n"), ("b/c", "x\n"), ("d/e", "")], json!({})));
    for number in 0..5_000 {
        fs::write(ground.root().join(format!("b/{}{number:04}", "a".repeat(200))), "foo\n")
            .unwrap();
    }
    fs::write(ground.root().join("d/e"), "abcdefghij klmnop qrstuvw xyz\n".repeat(1_100_000))
        .unwrap();
    for number in 0..1_000 {
        fs::hard_link(ground.root().join("d/e"), ground.root().join(format!("d/f{number}")))
            .unwrap();
    }
    let slow: Vec<String> =
        (0..256).map(|number| format!("{}{number}z?", "*a".repeat(20))).collect();
    let native = Config { backend: BackendChoice::Native, ..only(Path::new("")) };
    let service = ground.service(native);
    for request in [
        json!({"pattern": "foo", "exclude_glob": slow, "timeout_ms": 500}),
        json!({"pattern": "[a-z]+ ?[0-9]|foo", "exclude_glob": ["b/"], "timeout_ms": 500}),
    ] {
        let begun = Instant::now();
        let seen = json(service.call("Search", &request));
        assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
        assert_eq!(
            (&seen["timed_out"], &seen["truncated"]),
            (&json!(true), &json!(true)),
            "{request}"
        );
        // What is known is what comes first.
        let (lines, files) = (lines(&seen), seen["files_scanned"].as_u64().unwrap());
        assert!(lines.is_empty() || lines[0] == "a:1:1:foo", "{lines:?}");
        assert!(lines.is_sorted() && lines.len() as u64 <= files, "{files} {lines:?}");
    }
}

#[test]
fn a_partial_answer_holds_only_complete_files_in_order() {
    touchstone::verifies!(
        "FR-LS-ORD-04",
        "FR-LS-07",
        "NFR-LS-COR-02",
        "FR-LSI-ORD-05",
        "FR-LSI-ORD-05.timeout"
    );
    let case = two_batches();
    // It prints matches of later files before it hangs; they are not known complete.
    let fake = later(&format!("\"$real\" \"$@\" | tac\n{HANG}"));
    let (seen, _) = hang(&case, &fake, 2_000);
    assert_eq!((&seen["timed_out"], &seen["truncated"]), (&json!(true), &json!(true)));
    let expected: Vec<String> =
        (0..FIRST_BATCH).map(|number| format!("f-{number:04}:1:1:foo")).collect();
    assert_eq!(lines(&seen), expected);
    assert_eq!(seen["files_scanned"], FIRST_BATCH);
    assert!(is_allowed(&case, &seen), "{seen}");
}

#[test]
fn without_time_to_look_for_one_more_the_answer_counts_as_truncated() {
    touchstone::verifies!("FR-LS-06a", "FR-LS-07a", "FR-LSI-TRUNC-01a.4");
    let mut case = two_batches();
    case.request["max_results"] = json!(FIRST_BATCH);
    let (seen, _) = hang(&case, &later(HANG), 2_000);
    assert_eq!(seen["count"], FIRST_BATCH);
    assert_eq!((&seen["timed_out"], &seen["truncated"]), (&json!(true), &json!(true)));
    let why = seen["stats"]["incomplete_because"].as_array().unwrap();
    assert!(why.contains(&json!("timeout")), "{why:?}");
    assert!(is_allowed(&case, &seen), "{seen}");
    // With time for it, the look is taken.
    let seen = call(&case, &Fake::ripgrep("exec \"$real\" \"$@\"")).unwrap();
    assert_eq!((&seen["timed_out"], &seen["truncated"]), (&json!(false), &json!(true)));
    assert_eq!(
        (&seen["count"], &seen["files_scanned"]),
        (&json!(FIRST_BATCH), &json!(FIRST_BATCH + 1))
    );
}

#[test]
fn a_backend_is_stopped_once_the_cut_is_settled() {
    touchstone::verifies!("FR-LS-EXE-05", "FR-LS-03", "FR-LSI-BE-01", "FR-LSI-EXIT-01");
    let mut case = two_batches();
    case.request = json!({"pattern": "foo", "max_results": 3, "timeout_ms": 90_000});
    let ground = Ground::of(&case);
    // On one thread no later file is searched; on several, each started process is stopped.
    let fake = later(HANG);
    let started = Instant::now();
    for threads in [1, 2, 4] {
        let service = ground.service(Config { threads, ..only(&fake.program) });
        let seen = json(service.call("Search", &case.request));
        assert_eq!(lines(&seen), ["f-0000:1:1:foo", "f-0001:1:1:foo", "f-0002:1:1:foo"]);
        assert_eq!((&seen["timed_out"], &seen["truncated"]), (&json!(false), &json!(true)));
        let pids = fake.note_so_far("pids");
        assert!(threads > 1 || pids.is_empty(), "one thread ran ahead: {pids}");
        for process in pids.split_whitespace() {
            eventually(&format!("process {process} outlived the call"), || !is_alive(process));
        }
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn parsing_backend_output_takes_linear_time() {
    touchstone::verifies!("NFR-LS-PERF-02");
    // Eight times the output may take eight times as long and some more, never anything like
    // sixty-four times. Each file is empty but for its lines, so that confirming takes no time:
    // none of them matches.
    let small = parsing(25_000);
    let large = parsing(8 * 25_000);
    assert!(
        large < 24 * small + Duration::from_millis(200),
        "{small:?} for the small one, {large:?} for the large one"
    );
}

/// The least time of some calls whose backend prints `lines` records.
fn parsing(lines: usize) -> Duration {
    let case = over(&[("a", "x\n")], json!({"pattern": "foo"})).with(Entry::dir("empty"));
    let ground = Ground::of(&case);
    let fake = Fake::ripgrep("exec cat \"$here/records\"");
    let records: Vec<u8> = (1..=lines)
        .flat_map(|line| format!("./a\0{line}:{}\n", "y".repeat(40)).into_bytes())
        .collect();
    fs::write(fake.program.with_file_name("records"), records).unwrap();
    let service = ground.service(only(&fake.program));
    warm_up(&service, "empty");
    let timed = || {
        let started = Instant::now();
        // It names lines that the file does not have: its proposals are void, and the file is
        // searched in process.
        assert_eq!(json(service.call("Search", &case.request))["count"], 0);
        started.elapsed()
    };
    [(); 5].map(|()| timed()).into_iter().min().unwrap()
}

#[test]
fn a_child_that_ignores_signals_is_killed_at_the_deadline() {
    touchstone::verifies!("FR-LS-EXE-04");
    let case = over(&[("a", "foo\n")], json!({"pattern": "foo"})).with(Entry::dir("empty"));
    let (seen, _) = hang(&case, &Fake::ripgrep(&format!("trap '' TERM INT HUP\n{HANG}")), 2_000);
    assert_eq!(seen["timed_out"], true);
    assert!(Path::new("/proc/self/stat").exists(), "processes are looked up there");
}
