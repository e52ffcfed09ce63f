//! `keyword_search` from texts to answers, without files or a model.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    agent::{
        NoticeKind, Page, Reason, Refusal, Searched,
        search_text::{Matching, Ranked},
    },
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

fn in_tree<T>(path: &str, outcome: T) -> Item<T> {
    Item::File { path: path.to_owned(), outcome: Outcome::Searched(outcome) }
}

fn selected(terms: &[&str], limits: Limits) -> Result<SelectedTerms, Refusal> {
    let one = |term: &&str| {
        let mut finder = HitFinder::new(term, limits.term);
        let mut collector = Collector::new(limits.term);
        for (path, text) in TREE {
            let hits = finder.scan(text.as_bytes(), path.as_bytes(), &mut || true).unwrap();
            if !collector.add(in_tree(path, hits)) {
                break;
            }
        }
        ((*term).to_owned(), collector)
    };
    select_terms(terms.iter().map(one).collect(), limits)
}

/// Ranks files of the tree; `given` is for those that are found without an occurrence, too.
fn ranked(request: &Request, files: usize, given: Option<&SelectedTerms>) -> Ranked {
    let mut collector = search_text::Collector::new(Page { offset: 0, max_results: files });
    let mut finder = request.finder();
    for (path, text) in TREE {
        let walked = path.as_bytes().to_vec();
        if given.is_some_and(|given| !given.hit_files().contains(&path.as_bytes())) {
            continue;
        }
        let measures = finder.measure(text.as_bytes(), &walked, &mut || true).unwrap();
        let measures = measures.or_else(|| given.map(|_| finder.path_measures(&walked)));
        let matching = measures.map(|measures| Matching { walked, measures });
        collector.add(in_tree(path, matching.into_iter().collect()));
    }
    collector.rank(|pool| scores(request, pool))
}

/// By document 002's way.
fn found(terms: &[&str], limits: Limits) -> Result<Findings, Refusal> {
    let selected = selected(terms, limits)?;
    Ok(selected.findings(ranked(&request(terms), 200, Some(&selected)), false))
}

/// Files with any of the terms, of which so many are shown.
fn any(request: &Request, files: usize, is_sent: bool) -> Findings {
    let ranked = ranked(request, files, None);
    let mut finder = request.finder();
    let lines = |file: &Matching| {
        let path = String::from_utf8(file.walked.clone()).unwrap();
        let (_, text) = TREE.into_iter().find(|(other, _)| *other == path).unwrap();
        let found =
            best_lines(&mut finder, text.as_bytes(), &file.walked, is_sent, &mut || true).unwrap();
        (path, found.map(|(_, lines)| lines))
    };
    let shown = ranked.shown().map(lines).collect();
    Findings::ranked(request, ranked, shown, Searched::default())
}

#[test]
fn a_line_hit_by_several_terms_is_shown_around_its_first_hit() {
    let text = format!("alpha {} beta\n", "x ".repeat(400));
    for order in [["alpha", "beta"], ["beta", "alpha"]] {
        let collected = order.map(|term| {
            let mut collector = Collector::new(LIMITS.term);
            let mut finder = HitFinder::new(term, LIMITS.term);
            let hits = finder.scan(text.as_bytes(), b"a", &mut || true).unwrap();
            collector.add(in_tree("a", hits));
            (term.to_owned(), collector)
        });
        let selected = select_terms(collected.into_iter().collect(), LIMITS).unwrap();
        let mut pool = search_text::Collector::new(Page { offset: 0, max_results: 1 });
        let measures = request(&order).finder().path_measures(b"a");
        let matching = Matching { walked: b"a".to_vec(), measures };
        pool.add(in_tree("a", [matching].into_iter().collect()));
        let findings = selected.findings(pool.rank(|_| vec![0.0]), false);
        let [file] = findings.files.as_slice() else { panic!("{findings:?}") };
        assert_eq!((file.best[0].at, file.match_count), (0, 1), "{order:?}");
    }
}

const DEFAULTS: Defaults =
    Defaults { max_results: 20, context_lines: 2, reading: crate::request::Reading::Documents };
const LIMITS: Limits = Limits { term: 65_536, total: 262_144 };

fn request(terms: &[&str]) -> Request {
    Request::builder("how", &DEFAULTS).search_terms(terms.iter().copied()).build().unwrap()
}

fn answer(terms: &[&str], said: Option<Result<&str, &str>>) -> Files {
    let findings = found(terms, LIMITS).unwrap();
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
    let input = AnswerInput { request: &request, findings: &findings, asked, root: ".".to_owned() };
    input.answer().fit(&Budget { bytes: 1 << 20, tokens: 0, tokenizer: &|_: &str| 0 })
}

fn paths(answer: &Files) -> Vec<&str> {
    answer.results.iter().map(|found| found.path.as_str()).collect()
}

fn noticed(answer: &Files) -> Vec<NoticeKind> {
    answer.notices.iter().map(|notice| notice.kind).collect()
}

#[test]
fn a_terms_text_shows_its_hits_with_context() {
    let selected = selected(&["BACKOFF"], LIMITS).unwrap();
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
    let hits = HitFinder::new("hit", 65_536).scan(lines.as_bytes(), b"a", &mut || true).unwrap();
    let numbers: Vec<&str> =
        hits.text.lines().map(|line| line.split(['-', ':']).next().unwrap()).collect();
    assert_eq!((numbers[0], numbers[20], numbers[21], numbers[22]), ("20", "40", "", "50"));
    assert_eq!(numbers.len(), 21 + 1 + 11);
}

#[test]
fn a_hit_must_lie_within_the_visible_line() {
    let scan = |term: &str| {
        HitFinder::new(term, 65_536).scan(b"ab\r\nb\rc\n", b"a", &mut || true).unwrap().lines.len()
    };
    assert_eq!((scan("b\r"), scan("b\rc"), scan("B")), (1, 1, 2));
}

#[test]
fn a_file_is_read_no_further_than_its_text_may_be_long() {
    let text = "ab\n".repeat(10_000);
    let mut finder = HitFinder::new("ab", 100);
    let hits = finder.scan(text.as_bytes(), b"a", &mut || true).unwrap();
    assert!((101..200).contains(&hits.text.len()), "{}", hits.text.len());
}

#[test]
fn terms_are_kept_in_order_while_the_budget_lasts() {
    let whole = selected(&["backoff", "retry"], LIMITS).unwrap();
    let bytes: Vec<usize> = whole.terms.iter().map(|term| term.found.bytes).collect();
    let skipped = |term: usize, total: usize, terms: &[&str]| -> Option<Vec<Option<SkipReason>>> {
        let selected = selected(terms, Limits { term, total }).ok()?;
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
    let findings = found(&["backoff", "retry", "api"], LIMITS).unwrap();
    let prompt = prompt(&request(&["backoff", "retry", "api"]), &findings);
    let data = &findings.data;
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
        answer.text.contains("src/wait.rs (0.06; backoff) model: waits there\n"),
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
    let findings = found(&["backoff", "api"], Limits { term: 120, total: 240 }).unwrap();
    let request = request(&["backoff", "api"]);
    let input =
        AnswerInput { request: &request, findings: &findings, asked: None, root: ".".to_owned() };
    let answer = input.answer().fit(&Budget { bytes: 1 << 20, tokens: 0, tokenizer: &|_: &str| 0 });
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
fn a_file_is_found_by_any_word_and_not_by_part_of_one() {
    let found = |terms: &[&str]| -> Vec<String> {
        let findings = any(&request(terms), 20, false);
        let mut paths: Vec<String> = findings.files.into_iter().map(|file| file.path).collect();
        paths.sort();
        paths
    };
    assert_eq!(found(&["backoff", "key"]), ["src/retry.rs", "src/wait.rs", "tests/a.txt"]);
    assert_eq!(found(&["backof", "etry"]), Vec::<String>::new());
    assert_eq!(found(&["off("]), ["src/retry.rs", "src/wait.rs"], "no word");
    assert_eq!(found(&["a.txt"]), Vec::<String>::new(), "a path alone finds nothing");
}

#[test]
fn a_plural_stem_counts_as_its_singular() {
    let score = |path: &str| {
        let request = request(&["codec"]);
        let measures = request.finder().measure(b"codec\n", path.as_bytes(), &mut || true);
        let matching =
            Matching { walked: path.as_bytes().to_vec(), measures: measures.unwrap().unwrap() };
        scores(&request, &[matching].into_iter().collect())[0]
    };
    assert!(score("codecs.py") > score("my_codec.py"));
    assert!(score("my_codec.py") > score("a.py"));
    assert!((score("codec/a.py") - score("my_codec.py")).abs() < f64::EPSILON);
}

#[test]
fn the_best_lines_have_most_terms_then_the_surest_definition() {
    let text = "a\n".repeat(6)
        + &format!("{} b {} a\n", "x".repeat(350), "x".repeat(350))
        + "A\nfn b() {\n";
    let mut finder = request(&["a", "b"]).finder();
    let found = best_lines(&mut finder, text.as_bytes(), b"f.rs", false, &mut || true);
    let (_, lines) = found.unwrap().unwrap();
    let numbers: Vec<u64> = lines.lines.iter().map(|line| line.number).collect();
    assert_eq!((lines.match_count, numbers), (9, vec![1, 2, 3, 7, 9]));
    assert_eq!(lines.lines[3].at, 351);
}

#[test]
fn a_model_reads_the_best_lines_of_the_first_files() {
    let request = request(&["backoff", "key"]);
    let findings = any(&request, 2, true);
    assert_eq!(
        findings.data.text,
        "src/retry.rs\n4:    // Backoff\n5:    backoff(1);\n21:// backoff again\n\ntests/a.txt\n1:api_key = \"[redacted]\"\n"
    );
    assert_eq!((findings.total, findings.files_sent()), (3, 2));
    let all = any(&request, 3, true);
    assert!(all.data.text.ends_with("\n\nsrc/wait.rs\n1:fn wait() { sleep(backoff()) }\n"));
    assert!(any(&request, 3, false).is_empty(), "no model reads it");
    let terms: Vec<_> = all.terms.iter().map(|term| json!(term)).collect();
    assert_eq!(
        terms,
        [json!({ "term": "backoff", "files": 2 }), json!({ "term": "key", "files": 1 })]
    );
}

#[test]
fn a_file_that_changed_before_it_was_shown_is_an_error_of_the_answer() {
    let request = request(&["backoff"]);
    let ranked = ranked(&request, 2, None);
    let gone = vec![
        ("src/retry.rs".to_owned(), None),
        ("src/wait.rs".to_owned(), Some(BestLines::default())),
    ];
    let findings = Findings::ranked(&request, ranked, gone, Searched::default());
    assert_eq!((findings.files.len(), findings.searched.errors.len()), (1, 1));
}

#[test]
fn a_search_that_ran_out_of_time_for_one_term_ran_out_of_time() {
    let late = |timed_out| Searched { timed_out, ..Searched::default() };
    for of_terms in [[false, false], [true, false], [false, true]] {
        let collectors = of_terms.map(|timed_out| Collector::new(100).ended(late(timed_out)));
        let terms = ["a", "b"].map(str::to_owned).into_iter().zip(collectors);
        let selected = select_terms(terms.collect(), LIMITS).unwrap();
        let ranked =
            || search_text::Collector::new(Page { offset: 0, max_results: 1 }).rank(|_| vec![]);
        assert_eq!(selected.findings(ranked(), false).timed_out(), of_terms.contains(&true));
        assert!(selected.findings(ranked(), true).timed_out());
    }
}

#[test]
fn a_long_term_is_named_by_its_beginning() {
    let long = "é".repeat(33);
    let named = answer(&[&long], None).own.terms.remove(0).term;
    assert_eq!(named, format!("{}…", "é".repeat(32)));
}

#[test]
fn a_file_emptied_after_its_hit_has_a_score_from_0_to_1() {
    let request = request(&["backoff"]);
    let measures = request.finder().path_measures(b"a");
    let pool = [Matching { walked: b"a".to_vec(), measures }].into_iter().collect();
    assert_eq!(scores(&request, &pool), [0.0]);
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_a_path_counts_does_not_depend_on_the_paths_before(
        paths in prop::collection::vec("([aB_t]{1,3}/|Tests/){0,2}[aBt_.s]{1,5}", 1..6),
        term in "[abt_/]{1,3}",
    ) {
        let request = request(&[&term]);
        let mut finder = request.finder();
        for path in &paths {
            let measures = finder.path_measures(path.as_bytes());
            let alone = request.finder().path_measures(path.as_bytes());
            prop_assert_eq!(&measures, &alone, "{} after {:?}", path, paths);
            let units = measures.terms[0].path;
            let holds = path.to_ascii_lowercase().contains(&term);
            prop_assert_eq!(units > 0, holds || units == search_text::STEM_UNITS, "{}", path);
        }
    }
}
