//! Where keys and prompts do not go.

#![expect(clippy::disallowed_methods, reason = "a test runs itself in another environment")]

use std::{env, process::Command};

use super::{
    fixtures::ANSWER,
    server::{Act, Server, answered, bytes, json},
    *,
};

#[test]
fn a_key_is_sent_in_one_header_only() {
    for (protocol, header) in [
        (Protocol::OpenAi, "authorization"),
        (Protocol::Anthropic, "x-api-key"),
        (Protocol::Ollama, "authorization"),
    ] {
        let server = Server::start(vec![json(404, &[], "{}")]);
        drop(ask(&model(preference(protocol, server.url()))));
        let request = server.request();
        assert!(request.header(header).is_some_and(|value| value.ends_with(KEY)), "{protocol:?}");
        assert_eq!(request.head.matches(KEY).count(), 1, "{protocol:?}");
        assert!(!request.body.contains(KEY), "{protocol:?}");
    }
}

#[test]
fn a_key_in_a_server_message_is_not_shown() {
    let said = format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {KEY}.\"}}}}");
    for body in [said.clone(), said.replace("error", "unheard-of"), format!("<b>{KEY}</b>")] {
        let server = Server::start(vec![json(401, &[], &body)]);
        let answer = ask(&model(preference(Protocol::OpenAi, server.url())));
        let failure = answer.unwrap_err();
        let shown = format!("{failure:?} {failure}");
        assert!(!shown.contains(KEY) && shown.contains("[key]"), "{shown}");
    }
    let model = model(preference(Protocol::OpenAi, "https://example.invalid".to_owned()));
    let chosen = format!("{model:?}");
    assert!(!chosen.contains(KEY) && chosen.contains("example.invalid"), "{chosen}");
}

#[test]
fn a_key_in_an_answer_is_replaced() {
    let answer =
        serde_json::json!({ "choices": [{ "message": { "content": format!("why: {KEY}") } }] });
    let server = Server::start(vec![json(200, &[], &answer.to_string())]);
    let said = ask(&model(preference(Protocol::OpenAi, server.url())));
    assert_eq!(said, Ok("why: [key]".to_owned()));
}

#[test]
fn a_key_that_is_invalid_in_a_header_is_not_shown() {
    let preference = preference(Protocol::OpenAi, "http://127.0.0.1:9".to_owned());
    let chosen = Chosen { preference, key: Some(Key::from("half\nand half".to_owned())) };
    let answer = ask(&RemoteModel::new(chosen));
    let why = "what `TEST_KEY` holds cannot be a key".to_owned();
    assert_eq!(answer, Err(ModelFailure::Unreachable(why)));
}

#[test]
fn server_messages_are_escaped_and_cut() {
    let server =
        Server::start(vec![json(404, &[], "{\"error\":\"no\\nmodel\\u001b[31m \\u202e\"}")]);
    let answer = ask(&model(preference(Protocol::Ollama, server.url())));
    let Err(ModelFailure::Refused { status: 404, message }) = answer else { panic!("{answer:?}") };
    assert!(message.starts_with("no model") && !message.contains(['\n', '\u{1b}']), "{message:?}");
    let server = Server::start(vec![json(404, &[], &"ä".repeat(5000))]);
    let answer = ask(&model(preference(Protocol::Ollama, server.url())));
    let Err(ModelFailure::Refused { message, .. }) = answer else { panic!("{answer:?}") };
    assert!(message.len() <= 200 && message.len() > 190 && message.ends_with('…'), "{message}");
}

#[test]
fn no_redirect_is_followed() {
    let other = Server::start(vec![answered()]);
    for status in [301, 302, 303, 307, 308] {
        let location = format!("location: http://localhost:{}/v1/chat/completions", other.port());
        let server = Server::start(vec![Act::Send(bytes(status, &[&location], ""))]);
        let answer = ask(&model(preference(Protocol::OpenAi, server.url())));
        let message = "redirects to localhost, which is not followed".to_owned();
        assert_eq!(answer, Err(ModelFailure::Refused { status, message }));
        assert_eq!(server.count(), 1);
    }
    assert_eq!(other.count(), 0);
}

#[test]
fn no_proxy_is_used() {
    // The environment can be set for a process only as it begins; so this one is begun again, for
    // another of its tests, with a proxy that nobody is.
    let nobody = "http://127.0.0.1:9";
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "tests::answers::the_openai_protocol_sends_and_reads_a_chat_completion"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    {
        command.env(name, nobody);
    }
    let output = command.env_remove("NO_PROXY").env_remove("no_proxy").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn no_state_of_one_call_is_sent_with_the_next() {
    let server = Server::start(vec![
        json(200, &["set-cookie: seen=1"], super::fixtures::OPENAI),
        answered(),
    ]);
    let model = model(preference(Protocol::OpenAi, server.url()));
    assert_eq!(ask(&model), Ok(ANSWER.to_owned()));
    assert_eq!(ask(&model), Ok(ANSWER.to_owned()));
    let requests = server.requests();
    assert_eq!(requests[0].head, requests[1].head);
}
