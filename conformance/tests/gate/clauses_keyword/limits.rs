//! Terms that find too much.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::clauses_keyword::desk::{
    Desk, alone, ask, dry, found, having, notices, selecting, text,
};
use crate::clauses_keyword::server::Server;

/// A file `a` whose text for term `needle` has exactly so many bytes, all of its lines being hits.
fn of_bytes(bytes: usize) -> String {
    let mut text = String::new();
    // The heading is `a` and LF.
    let mut left = bytes - 2;
    for number in 1.. {
        let frame = format!("{number}:").len() + "needle".len() + 1;
        // Lines of 100 bytes; the last has the remainder.
        let fill = if left >= 200 + 2 * frame { 100 } else { left - frame };
        writeln!(text, "needle{}", "x".repeat(fill)).unwrap();
        left -= frame + fill;
        if left == 0 {
            return text;
        }
    }
    unreachable!("the loop ends")
}

/// What is said of the first term.
fn term(desk: &Desk, request: &Value) -> Value {
    desk.page(request)["terms"][0].clone()
}

#[test]
fn a_term_of_65536_bytes_is_kept_and_one_byte_more_is_too_broad() {
    touchstone::verifies!("REQ-KWS-001.4", "E-I23");
    let other = ("b", "thread\n");
    let kept = Desk::over(&[("a", &of_bytes(65_536)), other], &selecting(""));
    let request = alone(&["needle", "thread"]);
    assert_eq!(term(&kept, &request)["bytes"], json!(65_536));
    let data = kept.data(&["needle"]);
    assert_eq!(data.len(), 65_536 + "## term 1: \"needle\"\n".len());
    let strict = selecting("");
    let skipped = Desk::over(&[("a", &of_bytes(65_537)), other], &strict);
    assert_eq!(term(&skipped, &request), json!({"term": "needle", "skipped": "too_broad"}));
}

#[test]
fn the_term_limit_counts_formatted_bytes() {
    touchstone::verifies!("REQ-KWS-001.4", "E-I23");
    // 50 hits of 7 bytes, each with 20 lines of 80 bytes around it: 350 bytes found, 85 KB to be
    // read.
    let far = format!(
        "{}needle\n{}",
        format!("{}\n", "x".repeat(80)).repeat(10),
        format!("{}\n", "y".repeat(80)).repeat(10)
    );
    let desk = Desk::over(&[("a", &far.repeat(50)), ("b", "thread\n")], &selecting(""));
    assert_eq!(term(&desk, &alone(&["needle", "thread"]))["skipped"], "too_broad");
    // The same number of hits side by side is little.
    let desk = Desk::over(&[("a", &"needle\n".repeat(50))], &selecting(""));
    assert_eq!(term(&desk, &alone(&["needle"]))["lines"], json!(50));
}

#[test]
fn one_byte_decides_at_any_term_limit() {
    touchstone::verifies!("REQ-KWS-001.4", "E-I23");
    for limit in [1_024, 1_025, 2_000, 4_097, 10_000] {
        for bytes in limit - 3..=limit + 3 {
            let config = selecting(&format!("term_bytes = {limit}"));
            let desk = Desk::over(&[("a", &of_bytes(bytes)), ("b", "thread\n")], &config);
            let skipped = term(&desk, &alone(&["needle", "thread"])).get("skipped").cloned();
            assert_eq!(
                skipped,
                (bytes > limit).then(|| json!("too_broad")),
                "{bytes} bytes of {limit}"
            );
        }
    }
}

#[test]
fn a_too_broad_term_is_left_out_and_named_and_the_rest_is_answered() {
    touchstone::verifies!("REQ-KWS-001.4", "REQ-KWS-001", "E-I23");
    let config = selecting("term_bytes = 1024");
    let desk =
        Desk::over(&[("a", &of_bytes(1_100)), ("b", "thread\n"), ("c", "cotton\n")], &config);
    let page = desk.page(&alone(&["needle", "thread", "x", "cotton"]));
    assert_eq!(found(&page), ["b", "c"]);
    let skipped = |term: &str| json!({"term": term, "skipped": "too_broad"});
    assert_eq!((&page["terms"][0], &page["terms"][2]), (&skipped("needle"), &skipped("x")));
    assert_eq!(page["terms"][3], json!({"term": "cotton", "files": 1, "lines": 1, "bytes": 11}));
    let state = (
        &page["complete"],
        &page["incomplete_because"],
        &page["total"],
        &page["total_is_lower_bound"],
    );
    assert_eq!(state, (&json!(false), &json!(["terms_skipped"]), &json!(2), &json!(true)));
    assert_eq!(notices(&page), ["terms_skipped"]);
    let message = text(&page["notices"][0]["message"]);
    assert!(
        message.contains("\"needle\"") && message.contains("\"x\"") && !message.contains("thread"),
        "{message}"
    );
    // Nothing of it is sent, but that it was left out.
    assert_eq!(desk.data(&["needle", "thread"]), "## term 2: \"thread\"\nb\n1:thread\n");
}

#[test]
fn only_too_broad_terms_are_an_error_and_nothing_is_sent() {
    touchstone::verifies!("REQ-KWS-001.5", "E-I24");
    let server = Server::answering("openai", "{\"files\": []}");
    let config = having(&[("local", "openai", &server)])
        .replace("[tools.keyword]", "[tools.keyword]\nskip_broad_terms = true\nterm_bytes = 1024");
    let desk = Desk::over(&[("a", &of_bytes(1_100)), ("b", "thread\n")], &config);
    for terms in [&["needle"][..], &["needle", "x"]] {
        for request in [ask(terms), alone(terms), dry(terms)] {
            assert_eq!(
                desk.refused(&request),
                ["terms_too_broad", "ACODE-SRC-010", "search_terms"],
                "{request}"
            );
            let message = text(&desk.call(&request).structured["message"]);
            assert!(message.contains("too broad"), "{message}");
        }
    }
    // One that finds nothing is not too broad.
    assert_eq!(desk.page(&alone(&["needle", "nowhere"]))["total"], 0);
    assert!(server.asked().is_empty());
}

#[test]
fn the_total_budget_is_given_to_terms_in_order_of_importance() {
    touchstone::verifies!("E-I24", "REQ-KWS-004.2", "REQ-KWS-001.4");
    let line = |word: &str| format!("{word}{}\n", "z".repeat(390));
    // Each text: name, LF, `1:`, the line with 390 more characters (less than 400 bytes), LF.
    let files =
        [("a", line("one")), ("b", line("two")), ("c", line("ten")), ("d", "six\n".to_owned())];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let config = selecting("total_bytes = 1024");
    let desk = Desk::over(&files, &config);
    // 398 bytes each: two fit, and then whatever is small enough.
    let state = |terms: &[&str]| -> Vec<String> {
        let page = desk.page(&alone(terms));
        let each = page["terms"].as_array().unwrap().iter();
        each.map(|term| term.get("skipped").map_or_else(|| term["bytes"].to_string(), text))
            .collect()
    };
    assert_eq!(state(&["one", "two", "ten", "six"]), ["398", "398", "over_budget", "8"]);
    assert_eq!(state(&["six", "ten", "one", "two"]), ["8", "398", "398", "over_budget"]);
    let page = desk.page(&alone(&["one", "two", "ten", "six"]));
    assert_eq!(
        (found(&page), notices(&page)),
        (["a", "b", "d"].map(str::to_owned).to_vec(), vec!["terms_skipped".to_owned()])
    );
    assert!(text(&page["notices"][0]["message"]).contains("\"ten\""), "{page}");
    assert!(!desk.data(&["one", "two", "ten", "six"]).contains("ten"));
    // A term that is too broad takes no room.
    let broad = "needle\n".repeat(200);
    let config = selecting("total_bytes = 1024\nterm_bytes = 1024");
    let desk = Desk::over(&[files.as_slice(), &[("e", &broad)]].concat(), &config);
    let page = desk.page(&alone(&["needle", "one", "two"]));
    assert_eq!(
        (&page["terms"][0]["skipped"], &page["terms"][2]["bytes"]),
        (&json!("too_broad"), &json!(398))
    );
}

#[test]
fn terms_that_all_exceed_the_total_budget_are_an_error() {
    touchstone::verifies!("REQ-KWS-001.5");
    let config = selecting("total_bytes = 1024");
    let desk = Desk::over(&[("a", &of_bytes(1_025))], &config);
    assert_eq!(desk.refused(&alone(&["needle"]))[0], "terms_too_broad");
    let desk = Desk::over(&[("a", &of_bytes(1_024))], &config);
    assert_eq!(found(&desk.page(&alone(&["needle"]))), ["a"]);
}
