use super::*;
use crate::{
    request::{Builder, Limits},
    response::{BuildProgress, SkippedReason},
    scan::LineEvent,
};

fn request(max_results: u64) -> Request {
    let asked = max_results.max(1);
    let limits = Limits {
        default_timeout_ms: 1000,
        default_max_results: asked,
        max_matches_per_file: None,
        max_files: 100,
        max_file_size_bytes: 1 << 20,
        max_output_bytes: 1 << 20,
        reading: crate::request::Reading::Documents,
    };
    let request = Request::builder("x", &limits).build().unwrap();
    // Requests have at least one result; a truncated answer may have none.
    Request { max_results: usize::try_from(max_results).unwrap(), ..request }
}

#[test]
fn errors_are_counted_in_the_answer() {
    let problem =
        |path: &str| Item::Problem(PathError { path: path.to_owned(), error: "why".to_owned() });
    let found = found(vec![problem("a"), problem("b")], 10, &SearchEnd::default());
    assert_eq!((found.seen.errors, found.errors.len()), (2, 2));
}

#[test]
fn an_answer_of_long_paths_ends_at_the_memory_limit() {
    let request = request(100);
    let mut collector = Collector::new(&request, false);
    let long = "p".repeat(10 << 20);
    let taken = (0..100).take_while(|_| collector.add(file(&long, &["x"]))).count();
    let found = collector.finish(".".to_owned(), SearchEnd::default(), "native");
    assert_eq!((taken, found.events().len(), found.is_complete()), (6, 6, false));
    let mut collector = Collector::new(&request, false);
    let problem = || Item::Problem(PathError { path: long.clone(), error: "why".to_owned() });
    assert_eq!((0..100).take_while(|_| collector.add(problem())).count(), 6);
}

fn file(path: &str, lines: &[&str]) -> Item {
    let events = lines.iter().zip(1..).map(|(text, line)| LineEvent {
        line,
        bytes: text.len() as u64,
        text: (*text).to_owned(),
        matched: text.contains('x').then(|| (1, "x".to_owned())),
    });
    let events = events.collect();
    Item::File {
        path: path.to_owned(),
        outcome: Outcome::Searched(FileEvents { events, cut: false }),
    }
}

fn found(items: Vec<Item>, max_results: u64, ending: &SearchEnd) -> SearchResults {
    let request = request(max_results);
    let mut collector = Collector::new(&request, false);
    let all = items.into_iter().all(|item| collector.add(item));
    // A full answer does not observe the end of the search.
    let ending = if all {
        ending.clone()
    } else {
        SearchEnd { index: ending.index.clone(), ..SearchEnd::default() }
    };
    collector.finish(".".to_owned(), ending, "native")
}

fn answer(items: Vec<Item>, max_results: u64, ending: &SearchEnd) -> Response {
    found(items, max_results, ending).response()
}

#[test]
fn stats_fields_are_in_documented_order_and_null_if_unknown() {
    let mut response = answer(vec![file("a", &["x"])], 10, &SearchEnd::default());
    let shown = |response: &Response| serde_json::to_string(&response.stats).unwrap();
    let without = concat!(
        r#"{"stats_version":2,"complete":true,"incomplete_because":[],"files_oversized":0,"files_cut":0,"files_binary":0,"#,
        r#""backend":"native","index_safety_state":"DISABLED","index_uncertain_reason":"MODE_OFF","#,
        r#""index_exclusion_used":false,"exclusion_bypass_reason":"INDEX_OFF","#,
        r#""proof_names":"read","proof_contents":"read","storage_mode":"none","#,
        r#""storage_fallback_reason":null,"fallback_used":false,"fallback_reason":null,"#,
        r#""fallback_skipped_reason":null,"fallback_passes_skipped":0,"fuzzy_levels_tried":[],"elapsed_ms":0,"#,
        r#""candidates_total":1,"candidates_excluded":0,"candidates_scanned":1}"#
    );
    assert_eq!(shown(&response), without);
    let stats = response.stats.as_mut().unwrap();
    stats.build =
        Some(BuildProgress { phase: "ENUMERATE", files_total: None, files_done: 3, elapsed_ms: 7 });
    stats.fallback.skipped_reason = Some(SkippedReason::PatternTooShort);
    let with = without.replace(
        r#""fallback_skipped_reason":null"#,
        r#""fallback_skipped_reason":"PATTERN_TOO_SHORT""#,
    );
    let build = r#","build_phase":"ENUMERATE","build_files_total":null,"build_files_done":3,"build_elapsed_ms":7}"#;
    assert_eq!(shown(&response), with.strip_suffix('}').unwrap().to_owned() + build);
}

#[test]
fn excluded_files_count_up_to_the_end_of_the_answer() {
    let items = vec![
        Item::Unread { files: 3, found: FileEvents::default() },
        file("a", &["x", "x"]),
        Item::Unread { files: 2, found: FileEvents::default() },
        file("b", &["x"]),
        Item::Unread { files: 5, found: FileEvents::default() },
        file("c", &["x"]),
    ];
    let all = answer(items.clone(), 10, &SearchEnd::default());
    let counts = |response: &Response| {
        let stats = response.stats.as_ref().unwrap();
        assert_eq!(stats.candidates_total, response.files_scanned);
        (stats.candidates_total, stats.candidates_excluded, stats.candidates_scanned)
    };
    assert_eq!(counts(&all), (13, 10, 3));
    assert_eq!((all.count, all.complete()), (4, true));
    let cut = answer(items, 2, &SearchEnd::default());
    assert_eq!(counts(&cut), (7, 5, 2));
    assert_eq!((cut.count, cut.truncated), (2, true));
}

#[test]
fn the_fallback_note_follows_the_events_and_precedes_other_notes() {
    let near = |lines: &[&str], level| {
        let mut found = found(vec![file("a", lines)], 1, &SearchEnd::default());
        found.near = Some(level);
        found.response().content
    };
    let note = "[no exact match: lines within 2 edits are shown]\n";
    let truncated = "[truncated: max_results 1 reached, more events exist]\n";
    assert_eq!(near(&["x\n\u{2028}", "x"], 2), format!("a:1:1:x\\n\\u{{2028}}\n{note}{truncated}"));
    let note = "[no exact match: lines within 1 edits are shown]\n";
    assert_eq!(near(&["y", "x"], 1), format!("a-1-y\n{note}[no matches]\n{truncated}"));
}

#[test]
fn a_cut_answer_equals_a_search_for_fewer_results() {
    let problem =
        |path: &str| Item::Problem(PathError { path: path.to_owned(), error: "why".to_owned() });
    let outcome = |path: &str, outcome| Item::File { path: path.to_owned(), outcome };
    let cut_file = FileEvents { cut: true, events: vec![] };
    let items = vec![
        Item::Unread { files: 3, found: FileEvents::default() },
        problem("0"),
        file("a", &["x", "y", "x"]),
        outcome("b", Outcome::Oversized),
        outcome("c", Outcome::Searched(cut_file)),
        file("d", &["x"]),
        problem("e"),
        outcome("f", Outcome::Failed("why")),
        Item::Unread { files: 2, found: FileEvents::default() },
        file("g", &["x", "x"]),
        outcome("h", Outcome::Binary),
    ];
    let endings = [
        SearchEnd::default(),
        SearchEnd { more_files: true, timed_out: true, ..SearchEnd::default() },
        SearchEnd { backend_failure: Some((Some(2), "oh".to_owned())), ..SearchEnd::default() },
    ];
    for ending in &endings {
        let whole = found(items.clone(), 100, ending);
        for events in 0..=7 {
            let fewer = found(items.clone(), events, ending).response();
            let shown: Vec<Event> =
                whole.events().iter().take(usize::try_from(events).unwrap()).cloned().collect();
            let lines = shown.iter().map(content::line).collect();
            let frame = whole.frame(usize::try_from(events).unwrap(), lines);
            assert_eq!(Response { matches: shown, ..frame }, fewer, "{events}");
        }
    }
}
