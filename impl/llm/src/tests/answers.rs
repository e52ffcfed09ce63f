//! What goes out and what is read, protocol by protocol.

use serde_json::json;

use super::{
    fixtures::{ANSWER, ANTHROPIC, OLLAMA, OPENAI},
    server::{Act, Server, answered, bytes, json},
    *,
};
use crate::transport::MAX_BODY;

fn openai(act: Act) -> Result<String, ModelFailure> {
    let server = Server::start(vec![act]);
    ask(&model(preference(Protocol::OpenAi, server.url())))
}

#[test]
fn the_openai_protocol_sends_and_reads_a_chat_completion() {
    let server = Server::start(vec![answered()]);
    let model = model(preference(Protocol::OpenAi, format!("{}/v1/", server.url())));
    assert_eq!(ask(&model), Ok(ANSWER.to_owned()));
    let request = server.request();
    assert_eq!(request.line(), "POST /v1/chat/completions HTTP/1.1");
    assert_eq!(request.header("authorization"), Some("Bearer sk-only-for-tests-4711"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("accept-encoding"), None, "what is decompressed has no bound");
    let sent = json!({
        "model": "qwen2.5-coder",
        "messages": [
            { "role": "system", "content": "Rank the files." },
            { "role": "user", "content": "Where is the retry?" },
        ],
        "stream": false,
        "max_tokens": 500,
        "temperature": 0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "answer", "strict": true,
                "schema": { "type": "object", "additionalProperties": false },
            },
        },
    });
    assert_eq!(request.json(), sent);
}

#[test]
fn the_anthropic_protocol_sends_and_reads_a_message() {
    let server = Server::start(vec![json(200, &[], ANTHROPIC)]);
    let model = model(preference(Protocol::Anthropic, server.url()));
    assert_eq!(ask(&model), Ok(ANSWER.to_owned()), "texts are joined, thoughts left out");
    let request = server.request();
    assert_eq!(request.line(), "POST /v1/messages HTTP/1.1");
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    let sent = json!({
        "model": "claude-sonnet-4-6",
        "system": "Rank the files.",
        "messages": [{ "role": "user", "content": "Where is the retry?" }],
        "stream": false,
        "max_tokens": 500,
        "temperature": 0,
        "output_config": {
            "format": { "type": "json_schema", "schema": { "type": "object", "additionalProperties": false } },
        },
    });
    assert_eq!(request.json(), sent);
}

#[test]
fn the_ollama_protocol_sends_and_reads_a_chat() {
    let server = Server::start(vec![json(200, &[], OLLAMA)]);
    let mut preference = preference(Protocol::Ollama, server.url());
    preference.key_variable = None;
    let chosen = Chosen { preference, key: None };
    assert_eq!(ask(&RemoteModel::new(chosen)), Ok(ANSWER.to_owned()));
    let request = server.request();
    assert_eq!(request.line(), "POST /api/chat HTTP/1.1");
    assert_eq!(request.header("authorization"), None);
    let sent = json!({
        "model": "qwen2.5-coder:7b",
        "messages": [
            { "role": "system", "content": "Rank the files." },
            { "role": "user", "content": "Where is the retry?" },
        ],
        "stream": false,
        "think": false,
        "format": { "type": "object", "additionalProperties": false },
        "options": { "temperature": 0, "num_predict": 500, "num_ctx": 4096 },
    });
    assert_eq!(request.json(), sent);
}

#[test]
fn the_facts_of_a_model_include_its_name_and_host() {
    for (base_url, host) in [
        ("https://api.openai.com/v1", "api.openai.com"),
        ("https://api.openai.com:443/v1", "api.openai.com"),
        ("http://127.0.0.1:11434", "127.0.0.1:11434"),
        ("http://[::1]:8080/x", "[::1]:8080"),
    ] {
        let model = model(preference(Protocol::OpenAi, base_url.to_owned()));
        let facts = model.facts();
        assert_eq!(
            (facts.name.as_str(), facts.model.as_str(), facts.host.as_str()),
            ("here", "qwen2.5-coder", host)
        );
    }
}

#[test]
fn an_unusable_response_is_malformed() {
    let empty = json(200, &[], r#"{"choices":[]}"#);
    assert_eq!(openai(empty), Err(ModelFailure::Malformed("it holds no choice".to_owned())));
    let without = json(
        200,
        &[],
        r#"{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}"#,
    );
    assert_eq!(openai(without), Err(ModelFailure::Malformed("it holds no message".to_owned())));
    let blank =
        json(200, &[], r#"{"choices":[{"message":{"content":" \n"},"finish_reason":"stop"}]}"#);
    assert_eq!(openai(blank), Err(ModelFailure::Malformed("it holds no answer".to_owned())));
    let Err(ModelFailure::Malformed(why)) = openai(json(200, &[], r#"{"choices":[{"mess"#)) else {
        panic!("half of a body was read")
    };
    assert!(why.starts_with("not JSON: EOF"), "{why}");
    let page = Act::Send(bytes(200, &["content-type: text/html"], "<html>Sign in</html>"));
    let why = "its content type is not application/json".to_owned();
    assert_eq!(openai(page), Err(ModelFailure::Malformed(why)));
}

#[test]
fn only_text_parts_of_a_message_are_read() {
    let body = r#"{"content":[{"type":"compaction","text":"Aside."},{"type":"text","text":"[]"}],"stop_reason":"end_turn"}"#;
    let server = Server::start(vec![json(200, &[], body)]);
    assert_eq!(ask(&model(preference(Protocol::Anthropic, server.url()))), Ok("[]".to_owned()));
}

#[test]
fn a_response_without_a_content_type_is_read_as_json() {
    assert_eq!(openai(Act::Send(bytes(200, &[], OPENAI))), Ok(ANSWER.to_owned()));
}

#[test]
fn a_declined_request_is_a_refusal() {
    let refused =
        |message: &str| Err(ModelFailure::Refused { status: 200, message: message.to_owned() });
    let said = r#"{"choices":[{"message":{"content":null,"refusal":"I can't  help\nwith that."},"finish_reason":"stop"}]}"#;
    assert_eq!(openai(json(200, &[], said)), refused("I can't help with that."));
    let filtered = r#"{"choices":[{"message":{"content":"{"},"finish_reason":"content_filter"}]}"#;
    assert_eq!(openai(json(200, &[], filtered)), refused("the model declined"));
    let server = Server::start(vec![json(200, &[], r#"{"content":[],"stop_reason":"refusal"}"#)]);
    assert_eq!(
        ask(&model(preference(Protocol::Anthropic, server.url()))),
        refused("the model declined")
    );
}

#[test]
fn an_answer_cut_by_its_length_is_too_long() {
    let cut = [
        (
            Protocol::OpenAi,
            r#"{"choices":[{"message":{"content":"{\"files\":["},"finish_reason":"length"}]}"#,
        ),
        (
            Protocol::Anthropic,
            r#"{"content":[{"type":"text","text":"{"}],"stop_reason":"max_tokens"}"#,
        ),
        (Protocol::Ollama, r#"{"message":{"content":"{"},"done":true,"done_reason":"length"}"#),
    ];
    for (protocol, body) in cut {
        let server = Server::start(vec![json(200, &[], body)]);
        assert_eq!(
            ask(&model(preference(protocol, server.url()))),
            Err(ModelFailure::TooLong),
            "{protocol:?}"
        );
    }
}

#[test]
fn a_response_body_is_read_up_to_its_bound() {
    let filled = |length: usize| format!("{OPENAI}{}", " ".repeat(length - OPENAI.len()));
    assert_eq!(openai(json(200, &[], &filled(MAX_BODY))), Ok(ANSWER.to_owned()));
    assert_eq!(openai(json(200, &[], &filled(MAX_BODY + 1))), Err(ModelFailure::TooLong));
    // The same where no length is announced.
    let chunked = |length: usize| {
        let body = filled(length);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
        Act::Send(format!("{head}{length:x}\r\n{body}\r\n0\r\n\r\n").into_bytes())
    };
    assert_eq!(openai(chunked(MAX_BODY)), Ok(ANSWER.to_owned()));
    assert_eq!(openai(chunked(MAX_BODY + 1)), Err(ModelFailure::TooLong));
    // What is announced as too long is not even begun.
    let announced =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1048577\r\n\r\n";
    assert_eq!(openai(Act::SendAndWait(announced.to_vec())), Err(ModelFailure::TooLong));
    let server = Server::start(vec![Act::Pour]);
    assert_eq!(ask(&model(preference(Protocol::OpenAi, server.url()))), Err(ModelFailure::TooLong));
    assert_eq!(server.requests().len(), 1, "the server could end, since the connection was closed");
}
