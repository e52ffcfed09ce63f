//! Malformed and hostile responses of a model's server.

use super::{Key, MAX_ERROR_MESSAGE, ModelFailure, Protocol, answer, error_message};
use crate::soup;

const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\"error\":",
    "\"message\":",
    "\"content\":",
    "\"choices\":",
    "{\"choices\":[{\"message\":{\"content\":\"",
    "{\"content\":[{\"type\":\"text\",\"text\":\"",
    "{\"message\":{\"content\":\"",
    "\"}}]}",
    "\"}]}",
    "\"}}",
    "\"refusal\":\"",
    "\"finish_reason\":",
    "\"length\"",
    "\"stop_reason\":\"refusal\"",
    "null",
    "1",
    "sk-secret",
    "\u{1b}[31m",
    "\\u001b",
    "\r\n",
    "é",
    "a sentence ",
    "\"detail\":",
    "{\"error\":{\"message\":\"",
    "\\ud800",
];

const PROTOCOLS: [Protocol; 3] = [Protocol::OpenAi, Protocol::Anthropic, Protocol::Ollama];

fn check_words(said: &str) {
    assert!(said.len() <= MAX_ERROR_MESSAGE && !said.contains(char::is_control), "{said:?}");
}

#[test]
fn a_response_is_a_bounded_answer_or_a_failure_of_one_line() {
    let input = soup::bytes(WORDS, 30);
    bolero::check!().with_iterations(3_000).with_generator(input).for_each(|body| {
        for protocol in PROTOCOLS {
            match answer(protocol, body) {
                Ok(text) => {
                    assert!(!text.trim().is_empty() && text.len() <= body.len(), "{text:?}");
                }
                Err(ModelFailure::Refused { status, message }) => {
                    assert_eq!(status, 200);
                    check_words(&message);
                }
                Err(ModelFailure::Malformed(why)) => assert!(why.len() < 200, "{why}"),
                Err(failure) => assert_eq!(failure, ModelFailure::TooLong),
            }
        }
    });
}

#[test]
fn an_error_message_of_a_server_is_one_short_line_without_the_key() {
    let key = Key::from("sk-secret".to_owned());
    let input = soup::bytes(WORDS, 30);
    bolero::check!().with_iterations(3_000).with_generator(input).for_each(|body| {
        let said = error_message(body, Some(&key));
        check_words(&said);
        assert!(!said.contains("sk-secret"), "{said}");
    });
}
