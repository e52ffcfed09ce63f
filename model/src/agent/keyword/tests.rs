//! Whole answers, and fixtures shared with other test modules.

use serde_json::{Value, json};

use super::{Answer, Config, Model, Outcome, keyword_search};
use crate::World;
use crate::agent::{FREE_TEXT, Refusal};
use crate::generated::keyword::KEYWORD;
use crate::tables::agent::AgentError;

pub(super) fn config() -> Config {
    Config {
        agent: crate::agent::tests::agent(),
        term_bytes: KEYWORD.term_bytes,
        total_bytes: KEYWORD.total_bytes,
        skip_broad_terms: KEYWORD.skip_broad_terms,
        terms_from_query: KEYWORD.terms_from_query,
        use_model_default: true,
        root: "{root}".to_owned(),
        tables: &KEYWORD,
    }
}

/// Terms are selected, and skipped from so many bytes on.
fn selecting(term_bytes: u64) -> Config {
    Config { term_bytes, skip_broad_terms: true, ..config() }
}

/// The answer to a request if the model gives this reply.
pub(super) fn with_model(
    config: &Config,
    world: &World,
    request: &Value,
    said: Option<&str>,
) -> Outcome {
    let says = |_: &str| said.map(str::to_owned);
    let model = Model { name: "small", model: "small-1", host: "here", says: &says };
    keyword_search(world, config, request, Some(&model))
}

fn answer(config: &Config, world: &World, terms: &[&str]) -> Answer {
    let request = json!({"query": "q", "search_terms": terms, "use_model": false});
    keyword_search(world, config, &request, None).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

fn paths(page: &Value) -> Vec<&str> {
    page["results"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["path"].as_str())
        .collect()
}

fn two() -> World {
    World::new()
        .file("src/retry.rs", "let start = 1;\n// backoff starts over\nbackoff(start);\n")
        .file("docs/notes.md", "backoff\n")
}

#[test]
fn a_file_with_more_terms_is_first_and_shows_its_lines() {
    let page = answer(&config(), &two(), &["backoff", "start"]).page(9);
    assert_eq!(paths(&page), ["src/retry.rs", "docs/notes.md"]);
    assert_eq!(
        (&page["ranked_by"], &page["root"], &page["total"]),
        (&json!("hits"), &json!("."), &json!(2))
    );
    let lines = json!([
        {"line": 1, "text": "let start = 1;"},
        {"line": 2, "text": "// backoff starts over"},
        {"line": 3, "text": "backoff(start);"},
    ]);
    assert_eq!(page["results"][0]["lines"], lines);
    let terms = json!([{"term": "backoff", "files": 2}, {"term": "start", "files": 1}]);
    assert_eq!(page["terms"], terms);
    let page = answer(&selecting(98), &two(), &["backoff", "retry"]).page(9);
    assert_eq!(page["terms"][0], json!({"term": "backoff", "files": 2, "lines": 3, "bytes": 98}));
    assert_eq!(page["terms"][1], json!({"term": "retry", "files": 0, "lines": 0, "bytes": 0}));
}

#[test]
fn the_model_selects_lines_and_everything_else_is_dropped_and_counted() {
    let request = json!({"query": "q", "search_terms": ["backoff"]});
    let said = r#"Sure! ```json {"files": [{"path": "./docs/notes.md", "lines": [1, 9, "x"], "reason": " so\n so "}, "no.rs", 5]}"#;
    let page = with_model(&config(), &two(), &request, Some(said)).unwrap().page(9);
    assert_eq!(paths(&page), ["docs/notes.md"]);
    assert_eq!((&page["ranked_by"], &page["total"]), (&json!("model"), &json!(1)));
    assert_eq!(page["results"][0]["model_reason"], json!("so so"));
    assert_eq!(
        (&page["model"]["dropped_files"], &page["model"]["dropped_lines"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(page["notices"][0]["notice"], json!("model_dropped"));
}

#[test]
fn without_a_file_list_the_hits_are_the_answer() {
    let request = json!({"query": "q", "search_terms": ["backoff"]});
    for said in [None, Some("I cannot help with that."), Some(r#"{"files": ["no.rs"]}"#)] {
        let page = with_model(&config(), &two(), &request, said).unwrap().page(9);
        assert_eq!((&page["ranked_by"], &page["total"]), (&json!("hits"), &json!(2)), "{said:?}");
        assert_eq!(page["notices"][0]["notice"], json!("model_failed"));
        assert_eq!(page["model"]["outcome"], json!("failed"));
    }
}

#[test]
fn a_blank_query_is_refused_after_every_other_field_is_checked() {
    let refused = |request: Value| {
        let Refusal { error, field } =
            keyword_search(&two(), &config(), &request, None).unwrap_err();
        (error, field.unwrap_or_default())
    };
    let of_field = |field: &str| (AgentError::InvalidArgument, field.to_owned());
    let of_query = (AgentError::InvalidQuery, "query".to_owned());
    assert_eq!(refused(json!({"query": " ", "search_terms": "a"})), of_field("search_terms"));
    assert_eq!(
        refused(json!({"query": "", "search_terms": ["a"], "dry_run": 1})),
        of_field("dry_run")
    );
    assert_eq!(refused(json!({"query": "\n\t", "search_terms": ["a"]})), of_query);
    for query in [json!(1), json!("a\0"), json!("x".repeat(16_385))] {
        assert_eq!(refused(json!({"query": query, "search_terms": "a"})), of_query);
    }
}

#[test]
fn a_term_is_named_by_its_first_64_bytes_of_json() {
    let named = |term: &str| {
        let world = World::new().file("f", format!("{term}.\n"));
        let page = answer(&config(), &world, &[term]).page(9);
        assert_eq!(page["results"][0]["terms"][0], page["terms"][0]["term"]);
        page["terms"][0]["term"].as_str().unwrap_or_default().to_owned()
    };
    for (one, bytes) in [
        ("x", 1),
        ("/", 1),
        ("\u{7f}", 1),
        ("\"", 2),
        ("\\", 2),
        ("\t", 2),
        ("\r", 2),
        ("\u{8}", 2),
        ("\u{c}", 2),
        ("\u{e9}", 2),
        ("\u{20ac}", 3),
        ("\u{1}", 6),
        ("\u{1f}", 6),
    ] {
        let term = |times: usize| format!("x{}", one.repeat(times));
        let most = 63 / bytes;
        assert_eq!(named(&term(most)), term(most), "{one:?}");
        assert_eq!(named(&term(most + 1)), format!("{}\u{2026}", term(most)), "{one:?}");
    }
}

#[test]
fn a_dry_run_has_the_notices_of_every_answer() {
    let request = json!({"query": "q", "search_terms": ["backoff"], "dry_run": true});
    let page = |config: &Config| keyword_search(&two(), config, &request, None).unwrap().page(0);
    assert_eq!(page(&config()).get("notices"), None);
    let mut config = config();
    (config.agent.index_not_ready, config.agent.rate_limit_near) = (true, true);
    let notices = [
        json!({"notice": "index_not_ready", "code": "ACODE-SRC-001", "message": FREE_TEXT}),
        json!({"notice": "rate_limit_near", "message": FREE_TEXT}),
    ];
    let page = page(&config);
    assert_eq!((&page["notices"], &page["complete"]), (&json!(notices), &json!(true)));
}

#[test]
fn too_broad_terms_are_skipped_and_only_too_broad_terms_are_an_error() {
    let world = World::new().file("a", "foo\nfoo\nfoo\nfoo\n").file("b", "bar foo\n");
    let page = answer(&selecting(20), &world, &["foo", "bar"]).page(9);
    assert_eq!(page["terms"][0], json!({"term": "foo", "skipped": "too_broad"}));
    assert_eq!((&page["incomplete_because"], paths(&page)), (&json!(["terms_skipped"]), vec!["b"]));
    assert_eq!(page["results"][0]["terms"], json!(["bar"]));
    let request = json!({"query": "q", "search_terms": ["foo"], "use_model": false});
    let refused = keyword_search(&world, &selecting(20), &request, None).unwrap_err();
    let field = Some("search_terms".to_owned());
    assert_eq!(refused, Refusal { error: AgentError::TermsTooBroad, field });
}

#[test]
fn without_selection_no_term_is_too_broad() {
    let world = World::new().file("a", "foo\nfoo\nfoo\nfoo\n").file("b", "bar foo\n");
    let config = Config { term_bytes: 20, ..config() };
    let page = answer(&config, &world, &["foo", "bar"]).page(9);
    assert_eq!(page["terms"][0], json!({"term": "foo", "files": 2}));
    assert_eq!((&page["incomplete_because"], paths(&page)), (&json!([]), vec!["b", "a"]));
    assert_eq!(page["results"][0]["terms"], json!(["foo", "bar"]));
}

#[test]
fn any_term_is_found_by_words_and_selected_terms_by_characters() {
    let world = World::new().file("a", "foobar\n").file("b", "foo_bar\n").file("foo", "x\n");
    let found = |config: &Config| {
        let page = answer(config, &world, &["foo"]).page(9);
        paths(&page).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(&config()), ["b"]);
    assert_eq!(found(&selecting(1_000)), ["b", "a"]);
}

#[test]
fn the_best_lines_have_most_terms_then_most_weight_and_are_the_first() {
    let text = "foo\nfoo_x\nfn foo() {}\nfoo\nfoo\nfoo_x\nfoo_x bar_x\nfoo\n";
    let lines = |config: &Config| -> Vec<u64> {
        let page = answer(config, &World::new().file("f.rs", text), &["foo", "bar"]).page(9);
        assert_eq!(page["results"][0]["match_count"], json!(8));
        let lines = page["results"][0]["lines"].as_array().unwrap().iter();
        lines.filter_map(|line| line["line"].as_u64()).collect()
    };
    assert_eq!(lines(&config()), [1, 3, 4, 5, 7]);
    assert_eq!(lines(&selecting(1_000)), [1, 2, 3, 4, 7]);
}

/// The data of a dry run for the term `foo`.
fn data(config: &Config, world: &World) -> String {
    let request = json!({"query": "q", "search_terms": ["foo"], "dry_run": true});
    let answer = keyword_search(world, config, &request, None).unwrap();
    answer.data().unwrap_or_default().to_owned()
}

#[test]
fn data_of_any_term_have_the_best_lines_of_the_first_files() {
    let world = World::new()
        .file("src/foo.rs", "x\nfoo();\n\nfoo = \"a\"\n")
        .file("b", "password = \"abcdef123\" foo\n");
    let block = "src/foo.rs\n2:foo();\n4:foo = \"a\"\n\nb\n1:password = \"[redacted]\" foo\n";
    assert_eq!(data(&config(), &world), block);
    let most = KEYWORD.limits.sent_files;
    let world = (0..=most)
        .fold(World::new(), |world, number| world.file(format!("f{number:02}"), "foo\n".repeat(6)));
    let data = data(&config(), &world);
    assert_eq!(data.matches("\n\n").count() + 1, usize::try_from(most).unwrap());
    assert!(data.starts_with("f00\n1:foo\n2:foo\n3:foo\n4:foo\n5:foo\n\nf01\n"), "{data}");
    assert!(!data.contains(&format!("f{most:02}")));
}

#[test]
fn a_model_can_name_lines_and_files_of_the_data_only() {
    let most = KEYWORD.limits.sent_files;
    let world = (0..=most)
        .fold(World::new(), |world, number| world.file(format!("f{number:02}"), "foo\n".repeat(6)));
    let request = json!({"query": "q", "search_terms": ["foo"]});
    let said = format!(r#"{{"files": [{{"path": "f01", "lines": [5, 6]}}, "f{most:02}"]}}"#);
    let page = with_model(&config(), &world, &request, Some(&said)).unwrap().page(9);
    assert_eq!(page["model"]["files_sent"], json!(most));
    assert_eq!(paths(&page), ["f01"]);
    assert_eq!(page["results"][0]["lines"], json!([{"line": 5, "text": "foo"}]));
    assert_eq!(
        (&page["model"]["dropped_files"], &page["model"]["dropped_lines"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn a_line_is_shown_around_its_first_occurrence_or_hit() {
    let line = format!("foo {} bar {}\n", "x".repeat(500), "x".repeat(500));
    let world = World::new().file("a", line).file("b", "foo\n".repeat(99));
    let text = |config: &Config| {
        let page = answer(config, &world, &["bar", "foo"]).page(9);
        let result =
            page["results"].as_array().unwrap().iter().find(|one| one["path"] == "a").unwrap();
        result["lines"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    let (any, selected) = (text(&config()), text(&selecting(600)));
    assert!(any.starts_with("foo ") && !any.contains("bar"), "{any}");
    assert!(!selected.contains("foo") && selected.contains(" bar "), "{selected}");
}

#[test]
fn terms_are_derived_from_the_query_if_none_are_given() {
    let request =
        json!({"query": "Where does the `backoff` of retries start?", "use_model": false});
    let page = keyword_search(&two(), &config(), &request, None).unwrap().page(9);
    let named: Vec<&Value> =
        page["terms"].as_array().unwrap().iter().map(|one| &one["term"]).collect();
    assert_eq!(named, [&json!("backoff"), &json!("retry"), &json!("start")]);
    assert_eq!(paths(&page), ["src/retry.rs", "docs/notes.md"]);
}

#[test]
fn a_query_without_terms_is_refused_after_every_other_check() {
    let of = |terms_from_query: bool, request: Value| {
        let config = Config { terms_from_query, ..config() };
        let Refusal { error, field } = keyword_search(&two(), &config, &request, None).unwrap_err();
        (error, field.unwrap_or_default())
    };
    let of_query = (AgentError::InvalidQuery, "query".to_owned());
    let of_terms = (AgentError::InvalidArgument, "search_terms".to_owned());
    let of_results = (AgentError::InvalidArgument, "max_results".to_owned());
    assert_eq!(of(true, json!({"query": "12 == ?"})), of_query);
    assert_eq!(of(true, json!({"query": "12 == ?", "max_results": 0})), of_results);
    assert_eq!(of(true, json!({"query": "backoff", "search_terms": null})), of_terms);
    assert_eq!(of(true, json!({"query": "backoff"})), (AgentError::NoModel, String::new()));
    assert_eq!(of(false, json!({"query": "backoff"})), of_terms);
    assert_eq!(of(false, json!({"query": "backoff", "max_results": 0})), of_terms);
    assert_eq!(of(false, json!({"query": " ", "use_model": 1})), of_terms);
}

#[test]
fn the_remaining_budget_is_available_to_later_terms() {
    let config = Config { total_bytes: 22, ..selecting(1_000) };
    let world = World::new().file("a", "foo\nfoo\n").file("b", "bar\n").file("c", "baz\n");
    let page = answer(&config, &world, &["foo", "bar", "baz"]).page(9);
    let skipped: Vec<&Value> = (0..3).map(|term| &page["terms"][term]["skipped"]).collect();
    assert_eq!(skipped, [&Value::Null, &Value::Null, &json!("over_budget")]);
}

#[test]
fn the_search_root_is_the_nearest_repository_within_the_sandbox() {
    let mut config = config();
    config.agent.search.working_dir = "a/b".to_owned();
    let world = World::new().file("a/b/x", "foo\n").file("a/y", "foo\n").file("z", "foo\n");
    let root = |world: &World| answer(&config, world, &["foo"]).page(9)["root"].clone();
    assert_eq!(root(&world), json!("."));
    assert_eq!(root(&world.clone().file("a/.git", "gitdir: elsewhere\n")), json!("{root}/a"));
    assert_eq!(root(&world.clone().dir("../.git")), json!("{root}"));
    assert_eq!(root(&world.dir("../.git").link("a/b/.git", "nowhere")), json!("."));
}

#[test]
fn a_model_is_asked_only_with_data_and_required_only_if_requested() {
    let request = json!({"query": "q", "search_terms": ["nowhere"]});
    let answer = with_model(&config(), &two(), &request, Some("{}")).unwrap();
    assert!(!answer.asked() && answer.page(9).get("model").is_none());
    let refused = keyword_search(&two(), &config(), &request, None).unwrap_err();
    assert_eq!(refused, Refusal { error: AgentError::NoModel, field: None });
}

#[test]
fn data_of_selected_terms_have_the_hits_with_context_and_no_secrets() {
    let text = format!("{}foo\ntoken = \"abcdef123\"\n{}foo", "a\n".repeat(11), "b\n".repeat(20));
    let data = data(&selecting(1_000), &World::new().file("f", text));
    assert!(data.starts_with("## term 1: \"foo\"\nf\n2-a\n3-a\n"), "{data}");
    assert!(data.contains("12:foo\n13-token = \"[redacted]\"\n"), "{data}");
    assert!(data.contains("22-b\n--\n24-b\n") && data.ends_with("34:foo\n"), "{data}");
}

#[test]
fn redactions_are_counted_in_data_and_around_them() {
    let secret = "token = \"abcdef123\"";
    let request = json!({"query": secret, "search_terms": ["foo", secret], "dry_run": true});
    let world = World::new().file("f", format!("foo {secret}\n"));
    let redacted = |config: &Config| {
        keyword_search(&world, config, &request, None).unwrap().page(0)["redacted"].clone()
    };
    assert_eq!(redacted(&config()), json!(3));
    assert_eq!(redacted(&selecting(1_000)), json!(5));
}

#[test]
fn a_query_that_is_too_long_or_holds_a_nul_is_refused() {
    let most = usize::try_from(KEYWORD.limits.query_bytes).unwrap();
    for (query, is_fine) in
        [("q".repeat(most), true), ("q".repeat(most + 1), false), ("a\0b".to_owned(), false)]
    {
        let request = json!({"query": query, "search_terms": ["backoff"], "use_model": false});
        let outcome = keyword_search(&two(), &config(), &request, None);
        assert_eq!(outcome.is_ok(), is_fine, "{} bytes", query.len());
    }
}

#[test]
fn a_term_that_is_too_long_holds_a_line_break_or_is_blank_is_refused() {
    let most = usize::try_from(KEYWORD.limits.term_bytes).unwrap();
    for (term, is_fine) in [
        ("q".repeat(most), true),
        ("q".repeat(most + 1), false),
        ("a\nb".to_owned(), false),
        ("a\0b".to_owned(), false),
        (" ".to_owned(), false),
    ] {
        let request = json!({"query": "q", "search_terms": ["backoff", term], "use_model": false});
        let outcome = keyword_search(&two(), &config(), &request, None);
        assert_eq!(outcome.is_ok(), is_fine, "{term:?}");
    }
}
