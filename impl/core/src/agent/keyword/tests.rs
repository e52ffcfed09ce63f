//! `keyword_search` from texts to answers, without files or a model.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::{
    agent::{NoticeKind, Reason, Refusal, Searched},
    budget::Budget,
    collect::{Item, Outcome},
};

const TREE: [(&str, &str); 3] = [
    (
        "src/retry.rs",
        "use std;\n\nfn retry() {\n    // Backoff\n    backoff(1);\n}\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n// backoff again\r\n",
    ),
    ("src/wait.rs", "fn wait() { sleep(backoff()) }\n"),
    ("tests/a.txt", "api_key = \"abcdef123456\"\nretry\n"),
];

fn found(terms: &[&str], limits: Limits) -> Result<SelectedTerms, Refusal> {
    let one = |term: &&str| {
        let mut finder = Finder::new(&[(*term).to_owned()], 0, limits.term);
        let mut collector = Collector::new(limits.term);
        for (path, text) in TREE {
            let hits = finder.scan(text.as_bytes(), path.as_bytes(), &mut || true).unwrap();
            if !collector
                .add(Item::File { path: path.to_owned(), outcome: Outcome::Searched(hits) })
            {
                break;
            }
        }
        ((*term).to_owned(), collector)
    };
    let mut selected = select_terms(terms.iter().map(one).collect(), limits)?;
    let owned: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
    for number in selected.broad_terms() {
        let (mut collector, mut finder) =
            (selected.broad_collector(), Finder::existence(&owned, number));
        for (path, text) in TREE {
            let hits = finder.scan(text.as_bytes(), path.as_bytes(), &mut || true).unwrap();
            if !collector
                .add(Item::File { path: path.to_owned(), outcome: Outcome::Searched(hits) })
            {
                break;
            }
        }
        selected.add_broad(number, collector);
    }
    let (measures, named) = measured(terms, &selected);
    Ok(selected.ranked(&request(terms), measures, named, TREE.len() as u64, false))
}

#[test]
fn a_line_hit_by_several_terms_is_shown_around_its_first_hit() {
    let text = format!("alpha {} beta\n", "x ".repeat(400));
    let collected = ["beta", "alpha"].map(|term| {
        let mut collector = Collector::new(LIMITS.term);
        let mut finder = Finder::new(&[term.to_owned()], 0, LIMITS.term);
        let hits = finder.scan(text.as_bytes(), b"a", &mut || true).unwrap();
        collector.add(Item::File { path: "a".to_owned(), outcome: Outcome::Searched(hits) });
        collector
    });
    for order in [[0, 1], [1, 0]] {
        let files = pool::hit_files(order.into_iter().map(|number| &collected[number]));
        let [file] = files.as_slice() else { panic!("{} files", files.len()) };
        assert_eq!(file.lines[&1].at, 0, "{order:?}");
    }
}

fn measured(
    terms: &[&str],
    selected: &SelectedTerms,
) -> (BTreeMap<Vec<u8>, Measures>, BTreeMap<Vec<u8>, String>) {
    let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
    let (mut texts, mut paths) = (selected.measurer(), PathSeeker::new(&terms));
    let hit: Vec<&[u8]> = selected.hit_files().collect();
    let mut measures = BTreeMap::new();
    for (path, text) in TREE {
        paths.add(path.as_bytes());
        if hit.contains(&path.as_bytes()) {
            measures.insert(
                path.as_bytes().to_owned(),
                texts.scan(text.as_bytes(), path.as_bytes(), &mut || true).unwrap(),
            );
        }
    }
    let shown = |walked: Vec<u8>| (walked.clone(), String::from_utf8(walked).unwrap());
    (measures, paths.finish().into_iter().map(shown).collect())
}

const DEFAULTS: Defaults = Defaults { max_results: 20, context_lines: 2 };
const LIMITS: Limits = Limits { term: 65_536, total: 262_144, broad_files: 0 };

fn request(terms: &[&str]) -> Request {
    Request::builder("how", &DEFAULTS).search_terms(terms.iter().copied()).build().unwrap()
}

fn answer(terms: &[&str], said: Option<Result<&str, &str>>) -> Files {
    let selected = found(terms, LIMITS).unwrap();
    let request = request(terms);
    let asked = said.map(|said| ModelCall {
        name: "small".to_owned(),
        model: "small-1".to_owned(),
        host: "127.0.0.1".to_owned(),
        bytes_sent: 10,
        redacted: 0,
        answer: said.map(str::to_owned).map_err(str::to_owned),
        passed_over: Vec::new(),
    });
    let found = AnswerInput { request: &request, selected: &selected, asked, root: ".".to_owned() };
    found.answer().fit(&Budget { bytes: 1 << 20, tokens: 0, tokenizer: &|_: &str| 0 })
}

fn paths(answer: &Files) -> Vec<&str> {
    answer.results.iter().map(|found| found.path.as_str()).collect()
}

fn noticed(answer: &Files) -> Vec<NoticeKind> {
    answer.notices.iter().map(|notice| notice.kind).collect()
}

#[test]
fn a_terms_text_shows_its_hits_with_context() {
    let selected = found(&["BACKOFF"], LIMITS).unwrap();
    assert_eq!(
        selected.terms[0].found.text(),
        "src/retry.rs\n1-use std;\n2-\n3-fn retry() {\n4:    // Backoff\n5:    backoff(1);\n6-}\n7-\n8-\n9-\n10-\n11-\n12-\n13-\n14-\n15-\n\
         16-\n17-\n18-\n19-\n20-\n21:// backoff again\n\nsrc/wait.rs\n1:fn wait() { sleep(backoff()) }\n"
    );
    assert_eq!(selected.terms[0].found.bytes, selected.terms[0].found.text().len());
}

#[test]
fn lines_between_distant_hits_are_left_out() {
    let lines: String = (1..=60).map(|line| if line % 30 == 0 { "hit\n" } else { "x\n" }).collect();
    let hits = Finder::new(&["hit".to_owned()], 0, 65_536)
        .scan(lines.as_bytes(), b"a", &mut || true)
        .unwrap();
    let numbers: Vec<&str> =
        hits.text.lines().map(|line| line.split(['-', ':']).next().unwrap()).collect();
    assert_eq!((numbers[0], numbers[20], numbers[21], numbers[22]), ("20", "40", "", "50"));
    assert_eq!(numbers.len(), 21 + 1 + 11);
}

#[test]
fn a_hit_must_lie_within_the_visible_line() {
    let scan = |term: &str| {
        Finder::new(&[term.to_owned()], 0, 65_536)
            .scan(b"ab\r\nb\rc\n", b"a", &mut || true)
            .unwrap()
            .lines
            .len()
    };
    assert_eq!((scan("b\r"), scan("b\rc"), scan("B")), (1, 1, 2));
}

#[test]
fn a_file_is_read_no_further_than_its_text_may_be_long() {
    let text = "ab\n".repeat(10_000);
    let mut finder = Finder::new(&["ab".to_owned()], 0, 100);
    let hits = finder.scan(text.as_bytes(), b"a", &mut || true).unwrap();
    assert!((101..200).contains(&hits.text.len()), "{}", hits.text.len());
}

#[test]
fn terms_are_kept_in_order_while_the_budget_lasts() {
    let whole = found(&["backoff", "retry"], LIMITS).unwrap();
    let bytes: Vec<usize> = whole.terms.iter().map(|term| term.found.bytes).collect();
    let skipped = |term: usize, total: usize, terms: &[&str]| -> Option<Vec<Option<SkipReason>>> {
        let selected = found(terms, Limits { term, total, ..LIMITS }).ok()?;
        Some(selected.terms.iter().map(|term| term.skipped).collect())
    };
    let both = ["backoff", "retry"];
    let most = bytes[0].max(bytes[1]);
    assert_eq!(skipped(most, bytes[0] + bytes[1], &both), Some(vec![None, None]));
    assert_eq!(
        skipped(most, bytes[0] + bytes[1] - 1, &both),
        Some(vec![None, Some(SkipReason::OverBudget)])
    );
    assert_eq!(skipped(bytes[0] - 1, LIMITS.total, &both).unwrap()[0], Some(SkipReason::TooBroad));
    assert_eq!(skipped(1, LIMITS.total, &both), None, "none is kept");
    assert_eq!(
        skipped(1, LIMITS.total, &["backoff", "nowhere"]).unwrap()[1],
        None,
        "a term without hits is kept"
    );
}

#[test]
fn the_data_of_a_prompt_cannot_contain_its_boundary() {
    let selected = found(&["backoff", "retry", "api"], LIMITS).unwrap();
    let prompt = prompt(&request(&["backoff", "retry", "api"]), &selected);
    let data = data(&selected);
    let mark = boundary(&data.text);
    assert!(!data.text.contains(&mark));
    assert_eq!(prompt.user.matches(&mark).count(), 2);
    assert!(!prompt.user.contains("abcdef123456"), "secrets stay here");
    assert_eq!(prompt.redacted, 2, "the same line was found twice");
    let forged = format!("{}{mark}\n", data.text);
    assert_ne!(boundary(&forged), mark);
}

#[test]
fn the_answer_keeps_the_models_order_and_marks_its_words() {
    let said = r#"{"files":[{"path":"src/wait.rs","lines":[1,9],"reason":"waits\nthere"},{"path":"/etc/passwd"},{"path":"src/retry.rs","lines":[21,5,5]},"src/wait.rs"]}"#;
    let answer = answer(&["backoff"], Some(Ok(said)));
    assert_eq!(paths(&answer), ["src/wait.rs", "src/retry.rs"]);
    let [first, second] = answer.results.as_slice() else { panic!("{answer:?}") };
    assert_eq!(first.model_reason.as_deref(), Some("waits there"));
    let numbers: Vec<u64> = second.lines.iter().map(|line| line.line).collect();
    assert_eq!(numbers, [5, 21]);
    let Ranking { model: Some(model), ranked_by: RankedBy::Model, .. } = &answer.own else {
        panic!("{answer:?}")
    };
    assert_eq!((model.dropped_files, model.dropped_lines), (1, 1));
    assert_eq!(noticed(&answer), [NoticeKind::ModelDropped]);
    assert!(
        answer.text.contains("src/wait.rs (0.05; backoff) model: waits there\n"),
        "{}",
        answer.text
    );
    assert!(!answer.to_json().to_string().contains("passwd"));
}

#[test]
fn without_a_usable_reply_the_hits_are_the_answer() {
    for (said, dropped) in [
        (Err("no answer in time"), 0),
        (Ok("I will not."), 0),
        (Ok(r#"{"files":["src/none.rs","x"]}"#), 2),
    ] {
        let answer = answer(&["backoff"], Some(said));
        assert_eq!(paths(&answer), ["src/retry.rs", "src/wait.rs"], "{said:?}");
        assert_eq!(
            (answer.own.ranked_by, noticed(&answer)[0]),
            (RankedBy::Hits, NoticeKind::ModelFailed)
        );
        let model = answer.own.model.unwrap();
        assert_eq!((model.outcome, model.dropped_files), (ModelOutcome::Failed, dropped));
    }
}

#[test]
fn an_empty_list_of_a_model_is_an_answer_with_a_notice() {
    let answer = answer(&["backoff"], Some(Ok("{\"files\": []}")));
    assert_eq!((paths(&answer).len(), noticed(&answer)), (0, vec![NoticeKind::ModelKeptNone]));
    assert_eq!((answer.own.ranked_by, answer.total), (RankedBy::Model, 0));
}

#[test]
fn skipped_terms_are_named() {
    let selected = found(&["backoff", "api"], Limits { term: 120, total: 240, ..LIMITS }).unwrap();
    let request = request(&["backoff", "api"]);
    let found =
        AnswerInput { request: &request, selected: &selected, asked: None, root: ".".to_owned() };
    let answer = found.answer().fit(&Budget { bytes: 1 << 20, tokens: 0, tokenizer: &|_: &str| 0 });
    let term = json!(answer.own.terms.first().unwrap());
    assert_eq!(term, json!({ "term": "backoff", "skipped": "too_broad" }));
    assert_eq!(answer.incomplete_because, [Reason::TermsSkipped]);
    assert!(answer.total_is_lower_bound && !answer.complete);
}

#[test]
fn keyword_answers_have_only_fields_of_the_output_schema() {
    let definition = definition(true);
    let properties = definition.output_schema["properties"].as_object().unwrap();
    for said in [None, Some(Ok("[]")), Some(Ok("[\"src/wait.rs\"]"))] {
        let answer = answer(&["backoff", "nowhere"], said).to_json();
        for field in answer.as_object().unwrap().keys() {
            assert!(properties.contains_key(field), "{field}");
        }
    }
    let dry = json!(DryRun::new(None, false, None, []));
    assert!(dry.as_object().unwrap().keys().all(|field| properties.contains_key(field)), "{dry}");
}

#[test]
fn requests_are_checked_field_by_field() {
    let refused = |query: &str, terms: &[&str]| {
        let builder = Request::builder(query, &DEFAULTS).search_terms(terms.iter().copied());
        builder.build().unwrap_err().field.unwrap()
    };
    let long = "a".repeat(1_025);
    assert_eq!(refused(" ", &["a"]), "query");
    for terms in [&[][..], &["a", " "], &["a\nb"], &[&long], &["a"; 33]] {
        assert_eq!(refused("q", terms), "search_terms");
    }
    let wide =
        Request::builder("q", &DEFAULTS).search_terms(["a"]).max_results(201).build().unwrap_err();
    assert_eq!(wide.field.as_deref(), Some("max_results"));
    assert_eq!(request(&["Retry", "b", "RETRY"]).terms, ["Retry", "b"]);
}

#[test]
fn files_are_ranked_by_hits_in_contents_and_paths() {
    let selected = found(&["backoff", "retry"], LIMITS).unwrap();
    let ranked: Vec<(&str, f64)> =
        selected.pool.iter().map(|file| (file.path.as_str(), file.score)).collect();
    let [(first, _), (second, _), (third, _)] = ranked.as_slice() else { panic!("{ranked:?}") };
    assert_eq!((*first, *second, *third), ("src/retry.rs", "src/wait.rs", "tests/a.txt"));
    let by_path = found(&["sleep", "a.txt"], LIMITS).unwrap();
    let first = by_path.pool.first().unwrap();
    assert_eq!((first.path.as_str(), first.lines.len()), ("tests/a.txt", 0));
    assert_eq!(by_path.files(), 1, "a model reads about files with hits only");
}

fn measures_of(term: &str, text: &str) -> Measures {
    Measurer::new([(term, true)]).scan(text.as_bytes(), b"a.rs", &mut || true).unwrap()
}

#[test]
fn occurrences_have_units_by_whole_word_part_or_substring() {
    let units = |term: &str, text: &str| measures_of(term, text).units[0];
    assert_eq!(units("retry", "retry\n"), 4);
    assert_eq!(units("retry", "x = RetryPolicy; retrying(); retryretry\n"), 2 + 1 + 1);
    assert_eq!(units("a b", "a ba b A B\n"), 3 * 4);
}

#[test]
fn a_whole_definition_ranks_above_a_partial_one() {
    let defined = |text: &str| measures_of("retry", text).defined[0];
    assert_eq!(defined("retry();\n"), measure::Defined::Not);
    assert_eq!(defined("fn retry_all() {\n"), measure::Defined::Part);
    assert_eq!(defined("fn retry_all() {}\nfn retry() {}\n"), measure::Defined::Whole);
}

#[test]
fn the_lines_with_most_terms_are_shown_around_their_first_hit() {
    let text = "a\n".repeat(6) + &format!("{} b {} a\n", "x".repeat(350), "x".repeat(350)) + "A\n";
    let mut three = Measurer::new([("a", true), ("b", true), ("x", false)]);
    let measures = three.scan(text.as_bytes(), b"f", &mut || true).unwrap();
    let numbers: Vec<u64> = measures.lines.iter().map(|line| line.number).collect();
    assert_eq!((measures.match_count, numbers), (8, vec![1, 2, 3, 4, 7]));
    assert_eq!(measures.lines[4].at, 351);
}

#[test]
fn a_broad_term_adds_files_up_to_the_limit() {
    let add_broad = |broad_files: usize| {
        let limits = Limits { term: 20, total: 240, broad_files };
        let selected = found(&["backoff", "sleep"], limits).unwrap();
        let answer = AnswerInput {
            request: &request(&["backoff", "sleep"]),
            selected: &selected,
            asked: None,
            root: ".".to_owned(),
        };
        let answer =
            answer.answer().fit(&Budget { bytes: 1 << 20, tokens: 0, tokenizer: &|_: &str| 0 });
        let term = json!(answer.own.terms.first().unwrap());
        (paths(&answer).join(" "), term, answer.incomplete_because)
    };
    let all = json!({ "term": "backoff", "skipped": "too_broad", "files": 2 });
    let cut = json!({ "term": "backoff", "skipped": "too_broad" });
    assert_eq!(add_broad(2), ("src/wait.rs src/retry.rs".to_owned(), all, vec![]));
    assert_eq!(add_broad(1), ("src/retry.rs".to_owned(), cut, vec![Reason::TermsSkipped]));
}

#[test]
fn a_search_that_ran_out_of_time_for_one_term_ran_out_of_time() {
    let late = |timed_out| Searched { timed_out, ..Searched::default() };
    let selected = |of_terms: [bool; 2]| {
        let collectors = of_terms.map(|timed_out| Collector::new(100).ended(late(timed_out)));
        let terms = ["a", "b"].map(str::to_owned).into_iter().zip(collectors);
        select_terms(terms.collect(), LIMITS).unwrap()
    };
    for (of_terms, of_a_broad_one) in [
        ([false, false], false),
        ([true, false], false),
        ([false, true], false),
        ([false, false], true),
    ] {
        let mut selected = selected(of_terms);
        let broad = selected.broad_collector().ended(late(of_a_broad_one));
        selected.add_broad(0, broad);
        let expected = of_terms.contains(&true) || of_a_broad_one;
        assert_eq!(selected.searched.timed_out, expected, "{of_terms:?} {of_a_broad_one}");
    }
}

#[test]
fn a_term_in_too_many_paths_adds_no_files() {
    let named = |files: usize| {
        let mut paths = PathSeeker::new(&["Retry".to_owned()]);
        for number in 0..files {
            paths.add(format!("retry/{number}.rs").as_bytes());
        }
        paths.finish().len()
    };
    assert_eq!((named(100), named(101)), (100, 0));
}

#[test]
fn a_term_matches_within_one_path_and_not_across_paths() {
    let long = "x".repeat(5_000);
    let named = |term: &str| {
        let mut paths = PathSeeker::new(&[term.to_owned()]);
        for number in 0..40 {
            paths.add(format!("{number}/{long}").as_bytes());
        }
        paths.add(b"a/Ret");
        paths.add(b"ry/b");
        paths.add(b"retry");
        paths.finish().into_iter().map(|path| String::from_utf8(path).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(named("Retry"), ["retry"]);
    assert_eq!(named("Y"), ["retry", "ry/b"]);
    assert_eq!(named("x17"), Vec::<String>::new());
    assert_eq!(named("17/x"), [format!("17/{long}")]);
}

#[test]
fn a_long_term_is_named_by_its_beginning() {
    let long = "é".repeat(33);
    let named = answer(&[&long], None).own.terms.remove(0).term;
    assert_eq!(named, format!("{}…", "é".repeat(32)));
}

#[test]
fn a_file_emptied_after_its_hit_has_a_score_from_0_to_1() {
    let selected = found(&["backoff"], LIMITS).unwrap();
    let empty = || Measurer::new([("backoff", true)]).scan(b"", b"a", &mut || true).unwrap();
    let measures: BTreeMap<_, _> =
        selected.hit_files().map(|path| (path.to_owned(), empty())).collect();
    assert!(!measures.is_empty());
    let ranked = selected.ranked(&request(&["backoff"]), measures, BTreeMap::new(), 3, false);
    assert!(ranked.pool.iter().all(|file| (0.0..=1.0).contains(&file.score)), "{:?}", ranked.pool);
}

#[test]
fn measuring_a_long_line_can_be_cancelled() {
    let line = "foo ".repeat(1 << 20);
    let mut looks = 0;
    let mut go_on = || {
        looks += 1;
        looks < 3
    };
    assert!(Measurer::new([("foo", true)]).scan(line.as_bytes(), b"a", &mut go_on).is_err());
    assert_eq!(looks, 3);
}

#[test]
fn a_shown_term_is_cut_by_its_length_in_json() {
    let shown = |term: &str| answer(&["backoff", term], None).own.terms.remove(1).term;
    assert_eq!(shown(&"x".repeat(64)), "x".repeat(64));
    assert_eq!(shown(&"x".repeat(65)), format!("{}…", "x".repeat(64)));
    assert_eq!(shown(&"\u{1}".repeat(62)), format!("{}…", "\u{1}".repeat(10)));
    assert_eq!(shown(&"\"".repeat(32)), "\"".repeat(32));
    assert_eq!(shown(&"\t\\".repeat(17)), format!("{}…", "\t\\".repeat(16)));
    assert_eq!(shown(&"é".repeat(33)), format!("{}…", "é".repeat(32)));
}
