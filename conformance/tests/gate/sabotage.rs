//! Every simulated bug is detected in the expected field, and only there.

use serde_json::{Value, json};
use touchstone::case::{Case, CasePreset, Entry};
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::script::Script;
use touchstone::subject::{Backend, SubjectSpec};
use touchstone::subjects::sabotage::Sabotage;

const WORKER: &str = env!("CARGO_BIN_EXE_touchstone");

fn runner() -> Runner {
    Runner::new(RunnerOptions { worker: Some(WORKER.into()), ..RunnerOptions::default() }).unwrap()
}

/// The answers with and without the bug.
fn answers(runner: &Runner, bug: Sabotage, case: &Case) -> (Value, Value) {
    let sound = SubjectSpec::forge(Backend::Native);
    let honest = runner.run(case, &sound).unwrap().unwrap();
    let bugged = runner.run(case, &sound.with_sabotage(bug)).unwrap().unwrap();
    (honest, bugged)
}

/// `path:line` of the events.
fn events(answer: &Value) -> Vec<String> {
    let events = answer["matches"].as_array().unwrap().iter().map(|event| &event["data"]);
    events
        .map(|data| format!("{}:{}", data["path"]["text"].as_str().unwrap(), data["line_number"]))
        .collect()
}

fn case(request: Value, files: &[(&str, &str)]) -> Case {
    let mut case = Case::new("a", "a", request);
    case.tree = files.iter().map(|(name, bytes)| Entry::file(*name, *bytes)).collect();
    case
}

/// The bug makes `honest` into `bugged`, both as `path:line`, and leaves the second case alone.
#[track_caller]
fn check(
    bug: Sabotage,
    touched: &Case,
    honest: &[&str],
    bugged: &[&str],
    untouched: &Case,
) -> (Value, Value) {
    let runner = runner();
    let found = answers(&runner, bug, touched);
    assert_eq!(
        (&events(&found.0)[..], &events(&found.1)[..]),
        (&owned(honest)[..], &owned(bugged)[..])
    );
    assert_ne!(found.0, found.1);
    assert_eq!(found.1["count"], json!(bugged.len()));
    let shown = found.1["content"].as_str().unwrap().lines().filter(|line| !line.starts_with('['));
    assert_eq!(shown.count(), bugged.len(), "content has a line per event: {}", found.1["content"]);
    let (honest, bugged) = answers(&runner, bug, untouched);
    assert_eq!(honest, bugged, "the bug is not in this one");
    found
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn component_sort_puts_a_directory_before_its_longer_siblings() {
    let files = [("a/b", "foo\n"), ("a-b", "foo\n"), ("a", "")];
    let touched = case(json!({"pattern": "foo", "max_results": 1}), &files[..2]);
    let untouched =
        case(json!({"pattern": "foo", "max_results": 1}), &[("a/b", "foo\n"), ("b", "foo\n")]);
    check(Sabotage::ComponentSort, &touched, &["a-b:1"], &["a/b:1"], &untouched);
}

#[test]
fn truncation_off_by_one_emits_one_event_too_many() {
    let files = [("a", "foo\nfoo\nfoo\n")];
    let touched = case(json!({"pattern": "foo", "max_results": 2}), &files);
    let untouched = case(json!({"pattern": "foo", "max_results": 4}), &files);
    let (_, bugged) = check(
        Sabotage::TruncationOffByOne,
        &touched,
        &["a:1", "a:2"],
        &["a:1", "a:2", "a:3"],
        &untouched,
    );
    assert_eq!(bugged["truncated"], false);
}

#[test]
fn no_peek_reports_a_just_fitting_answer_as_truncated() {
    let files = [("a", "foo\nfoo\n"), ("b", "x\n")];
    let touched = case(json!({"pattern": "foo", "max_results": 2}), &files);
    let untouched = case(json!({"pattern": "foo", "max_results": 3}), &files);
    let (honest, bugged) =
        check(Sabotage::NoPeek, &touched, &["a:1", "a:2"], &["a:1", "a:2"], &untouched);
    assert_eq!((&honest["truncated"], &bugged["truncated"]), (&json!(false), &json!(true)));
    assert_eq!((&honest["files_scanned"], &bugged["files_scanned"]), (&json!(2), &json!(1)));
    assert!(bugged["content"].as_str().unwrap().contains("max_results 2 reached"));
}

#[test]
fn unicode_folding_finds_the_kelvin_sign() {
    let files = [("a", "k\n\u{212a}\n\u{e9}\n\u{c9}\n")];
    // Preset agent folds Unicode.
    let case = |request| {
        let mut case = case(request, &files);
        case.config.preset = CasePreset::Documents;
        case.config.enabled = Some(true);
        case
    };
    for (pattern, honest, bugged) in
        [("k", &["a:1"][..], &["a:1", "a:2"][..]), ("\u{e9}", &["a:3"], &["a:3", "a:4"])]
    {
        for literal in [false, true] {
            let request =
                json!({"pattern": pattern, "case": "insensitive", "fixed_strings": literal});
            let untouched =
                json!({"pattern": pattern, "case": "sensitive", "fixed_strings": literal});
            check(Sabotage::UnicodeFolding, &case(request), honest, bugged, &case(untouched));
        }
    }
}

#[test]
fn forget_parent_ignore_finds_a_file_excluded_by_a_rule_above() {
    let files = [(".gitignore", "*.log\n"), ("sub/a.log", "foo\n"), ("sub/b", "foo\n")];
    let touched = case(json!({"pattern": "foo", "path": "sub"}), &files);
    let untouched = case(json!({"pattern": "foo"}), &files);
    check(
        Sabotage::ForgetParentIgnore,
        &touched,
        &["sub/b:1"],
        &["sub/a.log:1", "sub/b:1"],
        &untouched,
    );
}

#[test]
fn context_not_counted_lets_context_exceed_the_limit() {
    let files = [("a", "x\nfoo\ny\nz\nfoo\nw\n")];
    let touched = case(json!({"pattern": "foo", "max_results": 2, "context": 1}), &files);
    let untouched = case(json!({"pattern": "foo", "max_results": 2}), &files);
    let all = ["a:1", "a:2", "a:3", "a:4", "a:5", "a:6"];
    let (_, bugged) = check(Sabotage::ContextNotCounted, &touched, &all[..2], &all, &untouched);
    assert_eq!(bugged["truncated"], false);
}

#[test]
fn column_in_characters_counts_a_letter_as_one() {
    let touched = case(json!({"pattern": "foo"}), &[("a", "\u{e9}foo\n")]);
    let untouched = case(json!({"pattern": "foo"}), &[("a", "efoo\n")]);
    let (honest, bugged) =
        check(Sabotage::ColumnInCharacters, &touched, &["a:1"], &["a:1"], &untouched);
    let column = |answer: &Value| answer["matches"][0]["data"]["column"].clone();
    assert_eq!((column(&honest), column(&bugged)), (json!(3), json!(2)));
    assert!(bugged["content"].as_str().unwrap().starts_with("a:1:2:"));
}

#[test]
fn follow_symlink_out_reads_files_outside_the_sandbox() {
    let mut touched = case(
        json!({"pattern": "foo", "follow": true}),
        &[("../outside/o", "foo\n"), ("b", "foo\n")],
    );
    touched.tree.push(Entry::link("a", "../outside/o"));
    let mut untouched = touched.clone();
    untouched.request = json!({"pattern": "foo"});
    let (honest, bugged) =
        check(Sabotage::FollowSymlinkOut, &touched, &["b:1"], &["a:1", "b:1"], &untouched);
    assert_eq!(honest["errors"][0]["error"], "symlink leaves the sandbox");
    assert_eq!(bugged["errors"], json!([]));
}

#[test]
fn drop_last_line_without_newline_loses_it() {
    let touched = case(json!({"pattern": "foo"}), &[("a", "foo\nfoo")]);
    let untouched = case(json!({"pattern": "foo"}), &[("a", "foo\nfoo\n")]);
    check(Sabotage::DropLastLineWithoutNewline, &touched, &["a:1", "a:2"], &["a:1"], &untouched);
}

#[test]
fn keep_cr_leaves_the_return_at_the_end_of_the_line() {
    let touched = case(json!({"pattern": "foo$"}), &[("a", "foo\r\nfoo\n")]);
    let untouched = case(json!({"pattern": "foo"}), &[("a", "foo\nx\r")]);
    check(Sabotage::KeepCr, &touched, &["a:1", "a:2"], &["a:2"], &untouched);
}

#[test]
fn max_files_off_by_one_searches_one_file_too_many() {
    let files = [("a", "foo\n"), ("b", "foo\n"), ("c", "foo\n")];
    let touched = case(json!({"pattern": "foo", "max_files": 1}), &files);
    let untouched = case(json!({"pattern": "foo", "max_files": 3}), &files);
    let (_, bugged) =
        check(Sabotage::MaxFilesOffByOne, &touched, &["a:1"], &["a:1", "b:1"], &untouched);
    assert!(
        bugged["content"].as_str().unwrap().contains("max_files 1 reached"),
        "{}",
        bugged["content"]
    );
}

/// The texts of `search_files` with and without the bug; the second case's answer has to stay as it
/// is.
#[track_caller]
fn texts(bug: Sabotage, touched: &Case, untouched: &Case) -> (Value, Value) {
    let runner = runner();
    let text = |answer: &Value| -> Value {
        serde_json::from_str(answer["text"].as_str().unwrap()).unwrap()
    };
    let (honest, bugged) = answers(&runner, bug, touched);
    assert_ne!(honest, bugged);
    let (same, other) = answers(&runner, bug, untouched);
    assert_eq!(same, other, "the bug is not in this one");
    (text(&honest), text(&bugged))
}

fn files_case(request: Value, files: &[(&str, &str)]) -> Case {
    Case { tool: "search_files".to_owned(), ..case(request, files) }
}

fn found(query: &str) -> Value {
    json!({"path": ".", "query": query})
}

#[test]
fn files_last_match_lost_returns_one_match_less() {
    let touched = files_case(found("foo"), &[("a", "foo foo\n")]);
    let (honest, bugged) =
        texts(Sabotage::FilesLastMatchLost, &touched, &files_case(found("bar"), &[("a", "x")]));
    assert_eq!((&honest["returned"], &bugged["returned"]), (&json!(2), &json!(1)));
    assert_eq!(bugged["matches"], json!([honest["matches"][0]]));
}

#[test]
fn files_lines_counted_finds_one_match_on_a_line() {
    let touched = files_case(found("foo"), &[("a", "foo foo\nfoo\n")]);
    let untouched = files_case(found("foo"), &[("a", "foo\nfoo\n")]);
    let (_, bugged) = texts(Sabotage::FilesLinesCounted, &touched, &untouched);
    assert_eq!((&bugged["returned"], &bugged["stats"]["matches_total"]), (&json!(2), &json!(2)));
}

#[test]
fn files_column_in_characters_counts_a_letter_as_one() {
    let touched = files_case(found("foo"), &[("a", "\u{e9}foo\n")]);
    let untouched = files_case(found("foo"), &[("a", "efoo\n")]);
    let (honest, bugged) = texts(Sabotage::FilesColumnInCharacters, &touched, &untouched);
    let column = |answer: &Value| answer["matches"][0]["column"].clone();
    assert_eq!((column(&honest), column(&bugged)), (json!(3), json!(2)));
}

#[test]
fn files_binary_forgotten_omits_the_error() {
    let touched = files_case(found("foo"), &[("a", "\0"), ("b", "foo\n")]);
    let untouched = files_case(found("foo"), &[("b", "foo\n")]);
    let (honest, bugged) = texts(Sabotage::FilesBinaryForgotten, &touched, &untouched);
    assert_eq!(honest["errors"], json!([{"path": "a", "error": "binary file"}]));
    assert_eq!((&bugged["errors"], &bugged["stats"]["errors_total"]), (&json!([]), &json!(0)));
}

#[test]
fn files_one_byte_more_returns_an_answer_that_is_too_long() {
    let mut touched = files_case(found("foo"), &[("a", "foo\n")]);
    let sound = runner().run(&touched, &SubjectSpec::forge(Backend::Native)).unwrap().unwrap();
    let untouched = touched.clone();
    touched.context.max_output_bytes = Some(sound["text"].as_str().unwrap().len() as u64 - 1);
    let (honest, bugged) = texts(Sabotage::FilesOneByteMore, &touched, &untouched);
    assert_eq!((&honest["returned"], &bugged["returned"]), (&json!(0), &json!(1)));
}

#[test]
fn files_score_off_divides_by_the_query_length_alone() {
    let fuzzy = |files: &[(&str, &str)]| {
        let mut case = files_case(json!({"path": ".", "query": "abcd", "mode": "fuzzy"}), files);
        case.config.search_files.0.insert("fuzzy_threshold".to_owned(), json!(0.8));
        case
    };
    let touched = fuzzy(&[("a", "abxcd\n")]);
    let (honest, bugged) = texts(Sabotage::FilesScoreOff, &touched, &fuzzy(&[("a", "abcd\n")]));
    let score = |answer: &Value| answer["matches"][0]["score"].clone();
    assert_eq!((score(&honest), score(&bugged)), (json!(0.8), json!(0.75)));
}

#[test]
fn every_sabotage_has_a_test_here() {
    let source = include_str!("sabotage.rs");
    for bug in Sabotage::ALL.iter().copied() {
        let start = format!("fn {}", bug.name().replace('-', "_"));
        assert!(source.contains(&start), "`{}`", bug.name());
    }
}

/// The structured answers of one of the agent's tools with and without the bug; the second case's
/// has to stay as it is.
#[track_caller]
fn agent(bug: Sabotage, touched: &Case, untouched: &Case) -> (Value, Value) {
    let runner = runner();
    let (honest, bugged) = answers(&runner, bug, touched);
    assert_ne!(honest, bugged);
    let (same, other) = answers(&runner, bug, untouched);
    assert_eq!(same, other, "the bug is not in this one");
    (honest["structured"].clone(), bugged["structured"].clone())
}

fn agent_case(tool: &str, request: Value, files: &[(&str, &str)]) -> Case {
    Case { tool: tool.to_owned(), ..case(request, files) }
}

fn grep(files: &[(&str, &str)]) -> Case {
    agent_case("grep", json!({"pattern": "foo"}), files)
}

#[test]
fn agent_last_result_lost_returns_one_result_less() {
    let touched = grep(&[("a", "foo\nfoo\n")]);
    let (honest, bugged) = agent(Sabotage::AgentLastResultLost, &touched, &grep(&[("a", "x")]));
    assert_eq!(bugged["results"], json!([honest["results"][0]]));
}

#[test]
fn agent_total_of_page_counts_the_shown_results() {
    let mut touched = grep(&[("a", "foo\nfoo\n")]);
    touched.request["max_results"] = json!(1);
    let (honest, bugged) = agent(Sabotage::AgentTotalOfPage, &touched, &grep(&[("a", "foo")]));
    assert_eq!((&honest["total"], &bugged["total"]), (&json!(2), &json!(1)));
}

#[test]
fn agent_score_off_lowers_scores() {
    let touched = agent_case("search_text", json!({"query": "foo"}), &[("a", "foo")]);
    let (honest, bugged) = agent(Sabotage::AgentScoreOff, &touched, &grep(&[("a", "x")]));
    let score = |answer: &Value| answer["results"][0]["score"].as_f64().unwrap();
    assert!((score(&honest) - score(&bugged) - 0.01).abs() < 1e-9);
}

#[test]
fn agent_type_forgotten_finds_every_type() {
    let mut touched = grep(&[("a.rs", "foo"), ("b.cs", "foo")]);
    touched.request["file_type"] = json!("rs");
    let (_, bugged) = agent(Sabotage::AgentTypeForgotten, &touched, &grep(&[("a", "foo")]));
    assert_eq!(bugged["total"], json!(2));
}

#[test]
fn agent_context_short_shows_a_line_less() {
    let touched = grep(&[("a", "foo\nb\nc\nd\n")]);
    let (honest, bugged) = agent(Sabotage::AgentContextShort, &touched, &grep(&[("a", "foo")]));
    let after = |answer: &Value| answer["results"][0]["context"]["after"].clone();
    assert_eq!((after(&honest), after(&bugged)), (json!(["b", "c"]), json!(["b"])));
}

#[test]
fn agent_cut_unsaid_omits_the_mark_of_cut_lines() {
    let touched = grep(&[("a", &"foo ".repeat(200))]);
    let (honest, bugged) = agent(Sabotage::AgentCutUnsaid, &touched, &grep(&[("a", "foo")]));
    assert_eq!(
        (&honest["results"][0]["cut"], bugged["results"][0].get("cut")),
        (&json!(true), None)
    );
}

#[test]
fn agent_page_too_far_skips_one_result_more() {
    let mut touched = grep(&[("a", "foo\nfoo\nfoo\n")]);
    touched.request["offset"] = json!(1);
    let (_, bugged) = agent(Sabotage::AgentPageTooFar, &touched, &grep(&[("a", "foo")]));
    assert_eq!(bugged["results"][0]["line"], json!(3));
}

#[test]
fn agent_always_recursive_finds_files_in_subdirectories() {
    let asked = json!({"pattern": "*", "recursive": false});
    let touched = agent_case("find_files", asked.clone(), &[("a", ""), ("d/b", "")]);
    let untouched = agent_case("find_files", asked, &[("a", "")]);
    let (honest, bugged) = agent(Sabotage::AgentAlwaysRecursive, &touched, &untouched);
    assert_eq!((&honest["total"], &bugged["total"]), (&json!(1), &json!(2)));
}

#[test]
fn agent_budget_unsaid_reports_a_cut_answer_as_complete() {
    let mut touched = grep(&[("a", &"foo bar\n".repeat(15))]);
    touched.config.agent.0.insert("max_answer_tokens".to_owned(), json!(400));
    let (honest, bugged) = agent(Sabotage::AgentBudgetUnsaid, &touched, &grep(&[("a", "foo")]));
    assert_eq!((&honest["complete"], &bugged["complete"]), (&json!(false), &json!(true)));
}

#[test]
fn agent_order_swapped_swaps_the_first_two_results() {
    let touched = grep(&[("a", "foo\nfoo\nfoo\n")]);
    let (honest, bugged) = agent(Sabotage::AgentOrderSwapped, &touched, &grep(&[("a", "foo")]));
    let [first, second, third] = [0, 1, 2].map(|at| honest["results"][at].clone());
    assert_eq!(bugged["results"], json!([second, first, third]));
}

#[test]
fn agent_complete_said_reports_a_page_as_complete() {
    let mut touched = grep(&[("a", "foo\nfoo\n")]);
    touched.request["max_results"] = json!(1);
    let (honest, bugged) = agent(Sabotage::AgentCompleteSaid, &touched, &grep(&[("a", "foo")]));
    assert_eq!((&honest["complete"], &bugged["complete"]), (&json!(false), &json!(true)));
    assert_eq!(bugged["incomplete_because"], json!(["max_results"]));
}

/// The observations of `keyword_search` with and without the bug, but for where the tree was; the
/// second case's has to stay as it is.
#[track_caller]
fn keyword(bug: Sabotage, touched: &Case, untouched: &Case) -> (Value, Value) {
    let runner = runner();
    let answers = |case: &Case| {
        let (mut honest, mut bugged) = answers(&runner, bug, case);
        for one in [&mut honest, &mut bugged] {
            one.as_object_mut().unwrap().remove("root_path");
        }
        (honest, bugged)
    };
    let (honest, bugged) = answers(touched);
    assert_ne!(honest, bugged);
    let (same, other) = answers(untouched);
    assert_eq!(same, other, "the bug is not in this one");
    (honest, bugged)
}

/// A call that asks a language model, which says this.
fn keyword_case(files: &[(&str, &str)], says: &str) -> Case {
    let mut case = agent_case(
        "keyword_search",
        json!({"query": "q", "search_terms": ["foo"], "use_model": true}),
        files,
    );
    case.model = Some(Script { says: says.to_owned(), fails: None });
    case
}

const BOTH: &str = r#"["b", "a"]"#;

#[test]
fn keyword_secret_sent_sends_a_secret() {
    let touched = keyword_case(&[("a", "foo token = \"abcdefgh\"")], "[\"a\"]");
    let (honest, bugged) =
        keyword(Sabotage::KeywordSecretSent, &touched, &keyword_case(&[("a", "foo")], BOTH));
    let told = |one: &Value| one["data"].as_str().unwrap().contains("[redacted]");
    assert_eq!((told(&honest), told(&bugged)), (true, false));
}

#[test]
fn keyword_score_off_lowers_scores() {
    let touched = keyword_case(&[("a", "foo")], "[\"a\"]");
    let (honest, bugged) =
        keyword(Sabotage::KeywordScoreOff, &touched, &keyword_case(&[("b", "x")], BOTH));
    let score = |one: &Value| one["structured"]["results"][0]["score"].as_f64().unwrap();
    assert!((score(&honest) - score(&bugged) - 0.01).abs() < 1e-9);
}

#[test]
fn keyword_term_kept_keeps_a_too_broad_term() {
    let mut touched =
        keyword_case(&[("a", &"foo bar baz\n".repeat(90)), ("b", "fox\n")], "[\"b\"]");
    touched.request["search_terms"] = json!(["foo", "fox"]);
    touched.config.keyword.0.insert("term_bytes".to_owned(), json!(1_024));
    touched.config.keyword.0.insert("skip_broad_terms".to_owned(), json!(true));
    let (honest, bugged) =
        keyword(Sabotage::KeywordTermKept, &touched, &keyword_case(&[("a", "foo")], BOTH));
    let skipped = |one: &Value| one["structured"]["terms"][0].get("skipped").is_some();
    assert_eq!((skipped(&honest), skipped(&bugged)), (true, false));
}

#[test]
fn keyword_root_forgotten_stays_in_the_working_directory() {
    let mut touched = keyword_case(&[(".git", "x"), ("d/a", "foo"), ("b", "foo")], BOTH);
    touched.config.working_dir = "d".to_owned();
    let (honest, bugged) =
        keyword(Sabotage::KeywordRootForgotten, &touched, &keyword_case(&[("a", "foo")], BOTH));
    let files = |one: &Value| one["structured"]["terms"][0]["files"].clone();
    assert_eq!((files(&honest), files(&bugged)), (json!(2), json!(1)));
}

#[test]
fn keyword_drop_unsaid_counts_no_dropped_files() {
    let touched = keyword_case(&[("a", "foo")], BOTH);
    let (honest, bugged) =
        keyword(Sabotage::KeywordDropUnsaid, &touched, &keyword_case(&[("a", "foo")], "[\"a\"]"));
    let dropped = |one: &Value| one["structured"]["model"]["dropped_files"].clone();
    assert_eq!((dropped(&honest), dropped(&bugged)), (json!(1), json!(0)));
}

#[test]
fn keyword_order_lost_sorts_by_path() {
    let touched = keyword_case(&[("a", "foo"), ("b", "foo")], BOTH);
    let (honest, bugged) =
        keyword(Sabotage::KeywordOrderLost, &touched, &keyword_case(&[("a", "foo")], BOTH));
    let first = |one: &Value| one["structured"]["results"][0]["path"].clone();
    assert_eq!((first(&honest), first(&bugged)), (json!("b"), json!("a")));
}
