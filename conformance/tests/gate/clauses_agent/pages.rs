//! Pages far from the first, up to the last and behind it.

use std::fs;

use serde_json::{Value, json};

use crate::clauses_agent::asked::{Desk, each, notices, over, page, paths, text};

/// Room for pages of 200 results.
const ROOM: &str = "max_answer_tokens = 100000\nmax_answer_bytes = 1048576";
const SEVERAL: usize = 11_000;

/// The pages from `offset` on, one after the other, as each names the next; the last of them, and
/// one field of all results.
fn follow(desk: &Desk, tool: &str, request: &Value, from: u64, field: &str) -> (Value, Vec<Value>) {
    let (mut request, mut offset, mut all) = (request.clone(), from, Vec::new());
    loop {
        request["offset"] = json!(offset);
        let page = desk.page(tool, &request);
        all.extend(each(&page, field));
        let Some(next) = page.get("next_offset") else { return (page, all) };
        assert!(next.as_u64() > Some(offset), "{tool} at {offset}: {:?}", notices(&page));
        offset = next.as_u64().unwrap();
    }
}

#[test]
fn next_offset_leads_through_all_lines_to_the_end() {
    touchstone::verifies!("E-I34", "FR-015b-14", "FR-015b-17", "FR-015b-27");
    let lines = "foo\n".repeat(SEVERAL);
    let desk = Desk::over(&[("a", &lines), ("b", "foo\n")], ROOM);
    let request = json!({"pattern": "foo", "max_results": 200, "context_lines": 0});
    let (last, all) = follow(&desk, "grep", &request, 0, "line");
    let expected: Vec<Value> = (1..=SEVERAL).chain([1]).map(|line| json!(line)).collect();
    assert!(all == expected, "{} of {} lines", all.len(), expected.len());
    let whole = (&json!(SEVERAL + 1), &json!(true), &json!(false));
    assert_eq!((&last["total"], &last["complete"], &last["total_is_lower_bound"]), whole);
}

#[test]
fn next_offset_leads_through_all_paths_to_the_end() {
    touchstone::verifies!("E-I34", "FR-015b-09", "FR-015b-14", "FR-015b-17", "FR-015b-27");
    let names: Vec<String> = (0..SEVERAL).map(|number| format!("f{number:05}")).collect();
    let desk = Desk::over(&[], ROOM);
    for name in &names {
        fs::write(desk.place(name), "x").unwrap();
    }
    for (tool, request) in [
        ("find_files", json!({"pattern": "*", "max_results": 200})),
        ("grep", json!({"pattern": "x", "output": "files", "max_results": 200})),
    ] {
        let (last, all) = follow(&desk, tool, &request, 9_900, "path");
        assert!(all == names[9_900..], "{tool}: {} paths", all.len());
        assert_eq!((&last["total"], &last["complete"]), (&json!(SEVERAL), &json!(true)), "{tool}");
    }
}

/// What is shown of the lines before the page comes to hundreds of megabytes.
#[test]
fn a_late_page_has_room_for_its_results() {
    touchstone::verifies!("E-I34", "FR-015b-14", "FR-015b-17");
    let lines = format!("{}\n", "x".repeat(99)).repeat(60_000);
    let desk = Desk::over(&[("a", "y\n"), ("b", &lines), ("c", "x\n")], ROOM);
    let request = json!({"pattern": "x", "max_results": 20, "context_lines": 20});
    let (_, all) = follow(&desk, "grep", &request, 59_950, "line");
    let expected: Vec<Value> = (59_951..=60_000).chain([1]).map(|line| json!(line)).collect();
    assert_eq!(all, expected);
}

#[test]
fn a_page_beyond_the_last_result_reports_the_total() {
    touchstone::verifies!("E-I35", "BP-015b-07", "FR-015b-34");
    let files = [("a", "foo\n"), ("b", "foo\n"), ("c", "foo\n")];
    for (tool, field, value) in [
        ("search_text", "query", "foo"),
        ("find_files", "pattern", "*"),
        ("grep", "pattern", "foo"),
    ] {
        for offset in [3_u64, 5, 9_007_199_254_740_991] {
            let page = page(&over(tool, &files, json!({field: value, "offset": offset})));
            assert_eq!((paths(&page).len(), &page["total"]), (0, &json!(3)), "{tool}");
            assert_eq!(
                (page.get("next_offset"), &page["complete"]),
                (None, &json!(true)),
                "{tool}"
            );
            let message = text(&page["message"]);
            assert!(
                message.contains(&offset.to_string()) && message.contains("below 3"),
                "{message}"
            );
        }
        let page = page(&over(tool, &files, json!({field: "nowhere", "offset": 5})));
        assert_eq!(
            (&page["total"], text(&page["message"]).is_empty()),
            (&json!(0), false),
            "{tool}"
        );
    }
    let counted = json!({"pattern": "foo", "output": "count", "offset": 5});
    assert_eq!(page(&over("grep", &files, counted)).get("message"), None);
}
