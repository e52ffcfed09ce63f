//! Lines of a client that is broken or hostile.

use super::*;
use crate::soup;

const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"jsonrpc\":\"2.0\",",
    "\"id\":",
    "\"id\":1,",
    "\"id\":\"x\",",
    "null",
    "\"method\":\"tools/call\",",
    "\"method\":\"initialize\",",
    "\"method\":\"ping\"",
    "\"method\":",
    "\"method\":\"notifications/cancelled\",",
    "\"params\":",
    "{\"name\":\"grep\",\"arguments\":{}}",
    "{\"requestId\":1}",
    "\"result\":{}",
    "\"error\":",
    "1",
    "-1",
    "1.5",
    "\"a\"",
    "\u{feff}",
    "\r",
    " ",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",",
    "\u{1b}",
    "\\u001b",
    "\"_meta\":",
    "{\"progressToken\":[]}",
    "{\"id\":1,\"id\":2}",
    "\"method\":\"\\u001b[31m\"",
];

/// What JSON-RPC calls the sender of this line by, read by another reader.
fn id(line: &[u8]) -> Option<Value> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let id = serde_json::from_slice::<Value>(line).ok()?.get("id")?.clone();
    (id.is_string() || id.is_i64()).then_some(id)
}

#[test]
fn a_line_is_taken_once_or_refused_in_a_sentence_with_its_id() {
    let input = [soup::bytes(WORDS, 12), soup::bytes(WORDS, 12)];
    bolero::check!().with_iterations(4_000).with_generator(input).for_each(|lines| {
        let mut reader = Reader::default();
        for line in lines.iter().chain(lines) {
            let before = reader.open.len();
            match reader.take(line) {
                Taken::Nothing => assert!(reader.open.len() <= before),
                Taken::Message(message) => match *message {
                    JsonRpcMessage::Request(request) => {
                        let known = serde_json::to_value(&request.id).ok();
                        assert_eq!(known, id(line));
                        assert!(
                            reader.open.contains(&request.id) && reader.open.len() == before + 1
                        );
                    }
                    _ => assert!(reader.opened && reader.open.len() <= before),
                },
                Taken::Refused(error, to) => {
                    assert_eq!(reader.open.len(), before);
                    assert!(error.message.split(' ').count() >= 4, "{}", error.message);
                    assert!(error.message.len() < 600, "{}", error.message);
                    assert!(!error.message.contains(char::is_control), "{:?}", error.message);
                    if let Some(to) = to {
                        assert_eq!(serde_json::to_value(&to).ok(), id(line));
                    }
                }
            }
        }
    });
}
