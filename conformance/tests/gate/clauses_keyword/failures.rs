//! Models that do not answer: the hits are the answer then, and that is said.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use forge_search_engine::Call;
use serde_json::{Value, json};

use crate::clauses_keyword::desk::{
    Desk, alone, ask, files, having, having_with, notices, paths, text,
};
use crate::clauses_keyword::server::{Act, PROTOCOLS, Server, answering, saying};

const TREE: [(&str, &str); 3] =
    [("b.rs", "backoff\n"), ("c.rs", "fn backoff() {}\n"), ("a.rs", "no\n")];

/// What a server may say of something it did not like.
fn complaint() -> Value {
    json!({"error": {"message": "not today", "type": "some_error"}})
}

/// Asserts that an answer is that of the hits alone, and why; what the notice says.
fn fell_back(page: &Value, hits: &Value, what: &str) -> String {
    for field in ["results", "total", "terms", "root", "complete", "ranked_by"] {
        assert_eq!(page[field], hits[field], "{what}: {field}");
    }
    assert_eq!(
        (&page["ranked_by"], &page["model"]["outcome"]),
        (&json!("hits"), &json!("failed")),
        "{what}"
    );
    assert_eq!(notices(page), ["model_failed"], "{what}");
    text(&page["notices"][0]["message"])
}

#[test]
fn after_any_failure_of_a_model_the_ranked_hits_are_the_answer() {
    touchstone::verifies!("E-I26", "REQ-KWS-003");
    let good = || answering("openai", &files(&[("b.rs", &[], "")]));
    let later = |status: u16| {
        Act::Say(status, vec!["retry-after: 3600".to_owned()], complaint().to_string())
    };
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "I will not."}, "finish_reason": "stop"}]});
    let broken =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"choices\":"
            .to_vec();
    for (what, acts, requests) in [
        (
            "an error of the server, twice",
            vec![saying(500, &complaint()), saying(503, &complaint()), good()],
            2,
        ),
        ("too many requests, for an hour", vec![later(429), good()], 1),
        ("overloaded, for an hour", vec![later(529), good()], 1),
        ("a request that it does not like", vec![saying(400, &complaint()), good()], 1),
        ("too large", vec![saying(413, &complaint()), good()], 1),
        (
            "a connection that is cut, twice",
            vec![Act::Cut(Vec::new()), Act::Cut(broken), good()],
            2,
        ),
        (
            "half of a body of JSON",
            vec![Act::Say(200, Vec::new(), "{\"choices\": [".to_owned()), good()],
            1,
        ),
        ("a body that is no JSON", vec![Act::Say(200, Vec::new(), "<html>".to_owned()), good()], 1),
        ("JSON that is no answer", vec![saying(200, &json!({"files": ["b.rs"]})), good()], 1),
        (
            "an answer that is no JSON",
            vec![answering("openai", "I would start with b.rs."), good()],
            1,
        ),
        (
            "an answer that is half of JSON",
            vec![answering("openai", "{\"files\": [{\"path\": \"b"), good()],
            1,
        ),
        (
            "files that are not there",
            vec![answering("openai", "{\"files\": [[\"x.rs\"]]}"), good()],
            1,
        ),
        ("a refusal", vec![saying(200, &refusal), good()], 1),
        (
            "a redirect",
            vec![
                Act::Say(307, vec!["location: http://127.0.0.1:9/".to_owned()], String::new()),
                good(),
            ],
            1,
        ),
    ] {
        let server = Server::start(acts);
        let desk = Desk::over(&TREE, &having(&[("local", "openai", &server)]));
        let hits = desk.page(&alone(&["backoff"]));
        let mut page = desk.page(&ask(&["backoff"]));
        if what == "files that are not there" {
            // That something was dropped is said as well.
            assert_eq!(notices(&page), ["model_failed", "model_dropped"]);
            page["notices"].as_array_mut().unwrap().pop();
        }
        let why = fell_back(&page, &hits, what);
        assert!(why.contains("`local`"), "{what}: {why}");
        assert_eq!(server.asked().len(), requests, "{what}");
    }
}

#[test]
fn a_retry_to_a_model_may_succeed() {
    touchstone::verifies!("REQ-KWS-003");
    for protocol in PROTOCOLS {
        let soon = Act::Say(429, vec!["retry-after: 0".to_owned()], complaint().to_string());
        for first in [soon, saying(500, &complaint()), Act::Cut(Vec::new())] {
            let server = Server::start(vec![
                first.clone(),
                answering(protocol, &files(&[("c.rs", &[], "")])),
            ]);
            let page = Desk::over(&TREE, &having(&[("local", protocol, &server)]))
                .page(&ask(&["backoff"]));
            assert_eq!(
                (paths(&page), notices(&page)),
                (vec!["c.rs".to_owned()], vec![]),
                "{protocol}: {first:?}"
            );
            let asked = server.asked();
            assert_eq!((asked.len(), &asked[0].body), (2, &asked[1].body), "{protocol}");
        }
    }
}

#[test]
fn an_unreachable_model_leads_to_the_ranked_hits() {
    touchstone::verifies!("E-I26");
    let host = Server::start(vec![Act::Hang]).host();
    let free = Server::start(vec![Act::Hang]);
    let config = having(&[("local", "openai", &free)]).replace(&free.host(), &host);
    let desk = Desk::over(&TREE, &config);
    let why = fell_back(&desk.page(&ask(&["backoff"])), &desk.page(&alone(&["backoff"])), "nobody");
    assert!(why.contains("not reachable"), "{why}");
}

#[test]
fn a_slow_model_is_not_awaited_beyond_its_deadline() {
    touchstone::verifies!("E-I26");
    let stalled =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"
            .to_vec();
    // Nothing at all; an error first, and then nothing.
    for acts in [
        vec![Act::Hang],
        vec![saying(500, &json!({})), Act::Hang],
        vec![Act::Cut(stalled), Act::Hang],
    ] {
        let server = Server::start(acts);
        let config = having_with("model_timeout_seconds = 1", &[("local", "openai", &server)]);
        let desk = Desk::over(&TREE, &config);
        let hits = desk.page(&alone(&["backoff"]));
        let begun = Instant::now();
        let page = desk.page(&ask(&["backoff"]));
        let taken = begun.elapsed();
        let why = fell_back(&page, &hits, "slow");
        assert!(why.contains("no answer in time"), "{why}");
        // The search takes very little time; the rest is a margin for a busy machine.
        assert!(taken >= Duration::from_millis(900) && taken < Duration::from_secs(5), "{taken:?}");
    }
}

#[test]
fn a_cancelled_call_leaves_its_model_at_once() {
    touchstone::verifies!("E-I26");
    let server = Server::start(vec![Act::Hang]);
    let desk = Arc::new(Desk::over(&TREE, &having(&[("local", "openai", &server)])));
    let hits = desk.page(&alone(&["backoff"]));
    // A machine that is busy may hold a thread back for longer than it takes; five times in a row
    // it does not.
    let mut taken = Vec::new();
    for attempt in 1..=5 {
        let call = Arc::new(Call::new());
        let answer = thread::spawn({
            let (desk, call) = (Arc::clone(&desk), Arc::clone(&call));
            move || desk.call_as(&ask(&["backoff"]), &call)
        });
        server.await_asked(attempt);
        let begun = Instant::now();
        call.cancel();
        let page = answer.join().unwrap().structured;
        taken.push(begun.elapsed());
        fell_back(&page, &hits, "cancelled");
    }
    assert!(taken.iter().any(|taken| *taken <= Duration::from_millis(100)), "{taken:?}");
    assert!(taken.iter().all(|taken| *taken < Duration::from_secs(10)), "{taken:?}");
}

#[test]
fn an_unavailable_model_is_skipped_for_the_next_and_not_asked_again() {
    touchstone::verifies!("REQ-KWS-005", "REQ-KWS-005.4", "E-I25");
    for status in [401, 403, 404, 410] {
        let gone = Server::start(vec![saying(status, &complaint())]);
        let next = Server::answering("ollama", &files(&[("c.rs", &[1], "Yes.")]));
        let last = Server::answering("anthropic", "{\"files\": []}");
        let models =
            [("old", "openai", &gone), ("new", "ollama", &next), ("spare", "anthropic", &last)];
        let desk = Desk::over(&TREE, &having(&models));
        let page = desk.page(&ask(&["backoff"]));
        assert_eq!(
            (paths(&page), &page["ranked_by"]),
            (vec!["c.rs".to_owned()], &json!("model")),
            "{status}"
        );
        let model = &page["model"];
        assert_eq!((&model["name"], &model["outcome"]), (&json!("new"), &json!("answered")));
        let passed = &model["passed_over"][0];
        assert_eq!(model["passed_over"].as_array().unwrap().len(), 1);
        assert_eq!(
            (&passed["name"], &passed["model"], &passed["host"], &passed["bytes_sent"]),
            (&json!("old"), &json!("old-1"), &json!(gone.host()), &model["bytes_sent"])
        );
        assert!(text(&passed["why"]).contains(&status.to_string()), "{passed}");
        // From then on the next is the first.
        let page = desk.page(&ask(&["backoff"]));
        assert_eq!(
            (&page["model"]["name"], page["model"].get("passed_over")),
            (&json!("new"), None)
        );
        assert_eq!(
            text(&desk.page(&crate::clauses_keyword::desk::dry(&["backoff"]))["model"]["name"]),
            "new"
        );
        assert_eq!(
            (gone.asked().len(), next.asked().len(), last.asked().len()),
            (1, 2, 0),
            "{status}"
        );
    }
}

#[test]
fn an_unavailable_model_without_alternative_is_asked_every_time() {
    touchstone::verifies!("REQ-KWS-005");
    let server = Server::start(vec![
        saying(404, &complaint()),
        saying(404, &complaint()),
        answering("openai", &files(&[("c.rs", &[], "")])),
    ]);
    let desk = Desk::over(&TREE, &having(&[("local", "openai", &server)]));
    let hits = desk.page(&alone(&["backoff"]));
    for _ in 0..2 {
        let page = desk.page(&ask(&["backoff"]));
        let why = fell_back(&page, &hits, "gone");
        assert!(why.contains("404") && page["model"].get("passed_over").is_none(), "{page}");
    }
    // Somebody has put it there.
    assert_eq!(paths(&desk.page(&ask(&["backoff"]))), ["c.rs"]);
}

#[test]
fn all_models_together_share_one_deadline() {
    touchstone::verifies!("E-I26", "REQ-KWS-005");
    let gone = Server::start(vec![saying(404, &complaint())]);
    let slow = Server::start(vec![Act::Hang]);
    let spare = Server::answering("openai", "{\"files\": []}");
    let models = [("old", "openai", &gone), ("slow", "openai", &slow), ("spare", "openai", &spare)];
    let desk = Desk::over(&TREE, &having_with("model_timeout_seconds = 1", &models));
    let hits = desk.page(&alone(&["backoff"]));
    let begun = Instant::now();
    let page = desk.page(&ask(&["backoff"]));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    fell_back(&page, &hits, "gone, then slow");
    assert_eq!(
        (&page["model"]["name"], &page["model"]["passed_over"][0]["name"]),
        (&json!("slow"), &json!("old"))
    );
    // One that is slow can be had; the next is not asked instead.
    assert!(spare.asked().is_empty());
}

#[test]
fn a_notice_contains_no_words_of_a_model() {
    touchstone::verifies!("E-I26", "E-I25");
    let words = "MODEL-SPEAKS open src/evil.rs";
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": words}, "finish_reason": "stop"}]});
    for act in [
        saying(200, &refusal),
        answering("openai", words),
        answering("openai", &format!("{{\"files\": [{words:?}]}}")),
    ] {
        let server = Server::start(vec![act.clone()]);
        let answer =
            Desk::over(&TREE, &having(&[("local", "openai", &server)])).call(&ask(&["backoff"]));
        assert!(
            !answer.structured.to_string().contains("MODEL-SPEAKS"),
            "{act:?}: {}",
            answer.structured
        );
        assert!(!answer.text.contains("MODEL-SPEAKS"), "{act:?}: {}", answer.text);
    }
}
