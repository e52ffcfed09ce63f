//! When no prompt is sent.

use std::thread;

use forge_search_engine::Call;
use serde_json::{Value, json};

use crate::clauses_keyword::desk::{Desk, alone, ask, dry, found, having, keyword, notices, text};
use crate::clauses_keyword::server::Server;

const TREE: [(&str, &str); 2] = [("a.rs", "backoff\n"), ("b.rs", "backoff retry\n")];

#[test]
fn without_hits_no_model_is_asked() {
    touchstone::verifies!("E-I24", "REQ-KWS-003");
    let server = Server::answering("openai", "{\"files\": []}");
    let desk = Desk::over(&TREE, &having(&[("local", "openai", &server)]));
    for request in [ask(&["nowhere"]), ask(&["nowhere", "nothing"]), alone(&["nowhere"])] {
        let answer = desk.call(&request);
        let page = &answer.structured;
        assert!(!answer.is_error && !answer.found, "{page}");
        assert_eq!(
            (&page["results"], &page["total"], &page["complete"]),
            (&json!([]), &json!(0), &json!(true))
        );
        assert_eq!(
            (&page["ranked_by"], page.get("model"), notices(page)),
            (&json!("hits"), None, vec![])
        );
        assert!(!text(&page["message"]).is_empty(), "{page}");
    }
    let page = desk.page(&dry(&["nowhere"]));
    assert_eq!(
        (&page["prompt"], &page["bytes"], &page["complete"]),
        (&json!(null), &json!(0), &json!(true))
    );
    assert!(server.asked().is_empty());
}

#[test]
fn with_use_model_false_no_model_is_asked() {
    touchstone::verifies!("E-I25");
    let server = Server::answering("openai", "{\"files\": []}");
    let desk = Desk::over(&TREE, &having(&[("local", "openai", &server)]));
    let page = desk.page(&alone(&["backoff"]));
    assert_eq!(
        (found(&page), &page["ranked_by"], page.get("model")),
        (vec!["a.rs".into(), "b.rs".into()], &json!("hits"), None)
    );
    assert!(!page["results"].to_string().contains("model_reason"), "{page}");
    desk.page(&dry(&["backoff"]));
    assert!(server.asked().is_empty());
}

#[test]
fn without_a_model_the_call_is_an_error_and_nothing_is_searched() {
    touchstone::verifies!("REQ-KWS-005.5", "REQ-KWS-005");
    let server = Server::answering("openai", "{\"files\": []}");
    let locked = having(&[("local", "openai", &server)])
        + "key_variable = \"A_VARIABLE_THAT_NOBODY_SETS\"\n";
    let switched_off = having(&[("local", "openai", &server)])
        .replace("[tools.keyword]", "[tools.keyword]\nmodel = \"none\"");
    for config in [keyword("builtin = false"), keyword("model = \"none\""), locked, switched_off] {
        let desk = Desk::over(&TREE, &config);
        let call = Call::new();
        let answer = desk.call_as(&ask(&["backoff"]), &call);
        assert!(answer.is_error, "{}", answer.structured);
        let error = &answer.structured;
        assert_eq!(
            (text(&error["error"]), text(&error["code"])),
            ("no_model".to_owned(), "ACODE-SRC-011".to_owned())
        );
        // It says what to do about it.
        assert!(text(&error["message"]).contains("use_model"), "{error}");
        assert_eq!(call.files_seen(), 0);
        // Even if there is nothing to be found.
        assert_eq!(desk.refused(&ask(&["nowhere"]))[0], "no_model");
        // Who wants none needs none.
        let call = Call::new();
        assert!(desk.call_as(&alone(&["backoff"]), &call).found && call.files_seen() > 0);
        let dry = desk.page(&dry(&["backoff"]));
        assert!(dry.get("model").is_none() && dry["prompt"].is_string(), "{dry}");
    }
    assert!(server.asked().is_empty());
}

#[test]
fn a_search_that_ended_early_is_not_sent() {
    touchstone::verifies!("E-I27");
    let server = Server::answering("openai", "{\"files\": []}");
    // All have to be read.
    let terms: Vec<String> =
        (0..12).map(|at| format!("backoff{}", char::from(b'a' + at))).collect();
    let files: Vec<(String, String)> =
        (0..300).map(|at| (format!("{at}.rs"), format!("{}\n", terms.join(" ")))).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let desk = Desk::over(&files, &having(&[("local", "openai", &server)]));
    let request = json!({"query": "q", "search_terms": terms});
    let cancelled_amid = || {
        let (call, asked) = (Call::new(), server.asked().len());
        let answer = thread::scope(|scope| {
            let answer = scope.spawn(|| desk.call_as(&request, &call));
            while call.files_seen() < 150 && !answer.is_finished() {
                thread::yield_now();
            }
            call.cancel();
            answer.join().unwrap().structured
        });
        (answer, server.asked().len() - asked)
    };
    // A cancellation may come too late; such runs do not count, but some must succeed.
    let is_early = |(page, _): &(Value, usize)| {
        let is_late = page["incomplete_because"].as_array().unwrap().contains(&json!("timeout"));
        is_late && page["results"] != json!([])
    };
    let (page, asked) = (0..50).map(|_| cancelled_amid()).find(is_early).unwrap();
    assert_eq!((asked, page.get("model"), &page["ranked_by"]), (0, None, &json!("hits")));
}
