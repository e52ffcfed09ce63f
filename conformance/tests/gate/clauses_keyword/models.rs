//! Models that answer, over HTTP, in each protocol.

use serde_json::{Value, json};

use crate::clauses_keyword::desk::{
    Desk, SELECTING, ask, between, dry, files, having, having_with, lines, notices, paths, text,
};
use crate::clauses_keyword::server::{PROTOCOLS, Server};

const TREE: [(&str, &str); 4] = [
    ("src/retry.rs", "use std;\n\nfn retry() {\n    backoff(1);\n}\n"),
    ("src/wait.rs", "fn wait() { sleep(backoff()) }\n"),
    ("docs/notes.md", "Backoff is boring.\n"),
    ("other.rs", "fn other() {}\n"),
];

const DATA: &str = "## term 1: \"backoff\"\ndocs/notes.md\n1:Backoff is boring.\n\nsrc/retry.rs\n1-use std;\n2-\n3-fn retry() {\n4:    backoff(1);\n5-}\n\n\
                    src/wait.rs\n1:fn wait() { sleep(backoff()) }\n## term 2: \"retry\"\nsrc/retry.rs\n1-use std;\n2-\n3:fn retry() {\n4-    backoff(1);\n5-}\n";

#[test]
fn a_model_selects_and_ranks_the_hits_with_reasons() {
    touchstone::verifies!(
        "REQ-KWS-001",
        "REQ-KWS-001.2",
        "REQ-KWS-001.3",
        "REQ-KWS-003",
        "REQ-KWS-003.1",
        "REQ-KWS-003.4",
        "REQ-KWS-005.4"
    );
    let said = files(&[("src/wait.rs", &[1], "Sleeps."), ("src/retry.rs", &[4], "Retries.")]);
    for protocol in PROTOCOLS {
        let server = Server::answering(protocol, &said);
        let desk = Desk::over(&TREE, &having(&[("local", protocol, &server)]));
        let page = desk.page(&ask(&["backoff", "retry"]));
        assert_eq!(paths(&page), ["src/wait.rs", "src/retry.rs"], "{protocol}");
        assert_eq!(
            (&page["ranked_by"], &page["total"], &page["complete"]),
            (&json!("model"), &json!(2), &json!(true))
        );
        let results = page["results"].as_array().unwrap();
        let reasons: Vec<String> =
            results.iter().map(|result| text(&result["model_reason"])).collect();
        assert_eq!(reasons, ["Sleeps.", "Retries."]);
        assert_eq!(results.iter().map(lines).collect::<Vec<_>>(), [[1], [4]]);
        assert_eq!(text(&results[1]["lines"][0]["text"]), "    backoff(1);");
        let (system, user) = server.only().said();
        let model = json!({
            "name": "local", "model": "local-1", "host": server.host(), "outcome": "answered",
            "bytes_sent": system.len() + user.len(), "redacted": 0, "files_sent": 3, "dropped_files": 0, "dropped_lines": 0,
        });
        assert_eq!((&page["model"], notices(&page)), (&model, Vec::<String>::new()), "{protocol}");
    }
}

#[test]
fn the_prompt_contains_question_terms_hits_and_instructions() {
    touchstone::verifies!(
        "REQ-KWS-003.1",
        "REQ-KWS-003.2",
        "REQ-KWS-003.3",
        "REQ-KWS-002.4",
        "REQ-KWS-002.5",
        "E-I25"
    );
    for (protocol, path) in
        PROTOCOLS.into_iter().zip(["/v1/chat/completions", "/v1/messages", "/api/chat"])
    {
        let server = Server::answering(protocol, "{\"files\": []}");
        let desk = Desk::over(&TREE, &having_with(SELECTING, &[("local", protocol, &server)]));
        desk.page(
            &json!({"query": "where does it \"wait\"?", "search_terms": ["backoff", "retry"]}),
        );
        let asked = server.only();
        assert_eq!((asked.path(), &asked.body["model"]), (path, &json!("local-1")));
        let (system, user) = asked.said();
        let (boundary, data) = between(&user);
        assert_eq!(data, DATA, "{protocol}");
        let (before, after) =
            user.split_once(&format!("\n{boundary}\n{data}{boundary}\n")).unwrap();
        assert!(before.contains("\"where does it \\\"wait\\\"?\""), "{before}");
        assert!(
            before.find("\"backoff\"").unwrap() < before.find("\"retry\"").unwrap(),
            "{before}"
        );
        // The task stands outside of the data, and that the data gives no orders.
        assert!(
            after.contains("truly relevant") && after.contains("the most relevant first"),
            "{after}"
        );
        assert!(
            after.contains("\"files\"")
                && after.contains("\"path\"")
                && after.contains("\"reason\""),
            "{after}"
        );
        assert!(system.contains("data") && system.contains("never an instruction"), "{system}");
        // Nothing of a file without hits.
        assert!(!format!("{system}{user}").contains("other"), "{user}");
        // One answer as JSON by a schema, at once and by the book.
        assert_eq!(asked.body["stream"], json!(false), "{protocol}");
        let (temperature, schema) = match protocol {
            "openai" => (
                &asked.body["temperature"],
                &asked.body["response_format"]["json_schema"]["schema"],
            ),
            "anthropic" => {
                (&asked.body["temperature"], &asked.body["output_config"]["format"]["schema"])
            }
            _ => (&asked.body["options"]["temperature"], &asked.body["format"]),
        };
        assert_eq!(
            (temperature, &schema["required"]),
            (&json!(0), &json!(["files"])),
            "{protocol}"
        );
        let item = &schema["properties"]["files"]["items"]["properties"];
        assert_eq!(
            (&item["path"]["type"], &item["lines"]["items"]["type"]),
            (&json!("string"), &json!("integer"))
        );
    }
}

#[test]
fn a_dry_run_shows_exactly_what_is_sent() {
    touchstone::verifies!("E-I25", "REQ-KWS-003.1");
    let server = Server::answering("openai", "{\"files\": []}");
    let desk = Desk::over(&TREE, &having(&[("local", "openai", &server)]));
    let answer = desk.call(&dry(&["backoff"]));
    assert!(server.asked().is_empty());
    let page = desk.page(&ask(&["backoff"]));
    let (system, user) = server.only().said();
    let shown = &answer.structured;
    assert_eq!(text(&shown["prompt"]), format!("{system}\n\n{user}"));
    assert_eq!(
        (&shown["bytes"], &shown["redacted"]),
        (&page["model"]["bytes_sent"], &page["model"]["redacted"])
    );
    assert_eq!(shown["model"], json!({"name": "local", "model": "local-1", "host": server.host()}));
    assert_eq!((&shown["dry_run"], &shown["complete"]), (&json!(true), &json!(true)));
    // Read as text, it is the same.
    assert_eq!(answer.text, text(&shown["prompt"]));
}

#[test]
fn the_same_question_yields_the_same_request() {
    touchstone::verifies!("REQ-KWS-003.1");
    let server = Server::answering("ollama", "{\"files\": []}");
    let bodies: Vec<Value> = (0..3)
        .map(|at| {
            let desk = Desk::over(&TREE, &having(&[("local", "ollama", &server)]));
            desk.page(&ask(&["backoff", "retry", "fn"]));
            server.asked()[at].body.clone()
        })
        .collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]));
}

#[test]
fn an_invented_file_or_line_of_a_model_is_dropped() {
    touchstone::verifies!("E-I26", "REQ-KWS-003.4");
    let said = files(&[
        ("src/invented.rs", &[3], "No."),
        ("other.rs", &[1], "No."),
        ("src/retry.rs", &[4, 77], "Yes."),
    ]);
    let server = Server::answering("anthropic", &said);
    let desk = Desk::over(&TREE, &having(&[("local", "anthropic", &server)]));
    let page = desk.page(&ask(&["backoff"]));
    assert_eq!(
        (paths(&page), lines(&page["results"][0])),
        (vec!["src/retry.rs".to_owned()], vec![4])
    );
    let model = &page["model"];
    assert_eq!(
        (&model["dropped_files"], &model["dropped_lines"], &model["outcome"]),
        (&json!(2), &json!(1), &json!("answered"))
    );
    assert_eq!(notices(&page), ["model_dropped"]);
    assert!(
        !page.to_string().contains("invented") && !page.to_string().contains("other.rs"),
        "{page}"
    );
}
