//! Whoever sends rubbish is told what is wrong with it and how it is done right: ten thousand
//! mutated messages and arguments, and not one that is
//! passed over in silence, crashes the server, or makes it wait.

use std::{collections::BTreeMap, fs};

use forge_search_engine::json;
use serde_json::{Value, json};

use crate::client::Client;
use crate::dice::Dice;
use crate::place::Place;
use crate::rubbish::{Rubbish, draw};

/// Messages, on connections that have been opened and on one that never is.
const OPENED: u64 = 9_000;
const UNOPENED: u64 = 1_000;

const CONFIG: &str = "[tools.search]\nbackend = \"native\"\nindex_mode = \"off\"\n\n[tools.agent]\nsearches_per_minute = 100000\n";

/// What has to come back.
#[derive(Debug, PartialEq)]
enum Due {
    /// An answer to this id.
    Answer(Value),
    /// An error that has no id, because there was none to be read.
    Error,
    Nothing,
}

/// Read off the rules of JSON-RPC and of docs/mcp.md.
fn due(line: &[u8]) -> Due {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Due::Nothing;
    }
    let message = std::str::from_utf8(line).ok().and_then(|text| json::parse(text).ok());
    let Some(Value::Object(message)) = message else { return Due::Error };
    let method = message.get("method");
    if method.is_none() && (message.contains_key("result") || message.contains_key("error")) {
        return Due::Nothing;
    }
    match message.get("id") {
        None if method
            .and_then(Value::as_str)
            .is_some_and(|name| name.starts_with("notifications/")) =>
        {
            Due::Nothing
        }
        Some(id) if id.is_string() || id.is_i64() => Due::Answer(id.clone()),
        _ => Due::Error,
    }
}

/// Sends one message and looks at what comes of it; says what kind of answer that was.
fn put(client: &mut Client, sent: &Rubbish, number: u64) -> &'static str {
    let shown = String::from_utf8_lossy(&sent.line).chars().take(600).collect::<String>();
    let due = due(&sent.line);
    client.send_raw(&[&sent.line[..], b"\n"].concat());
    let sign = |client: &mut Client| {
        let id = format!("sign {number}");
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }));
        let said = client.next();
        assert_eq!(said["id"], json!(id), "something came that was not due: {said}: {shown}");
    };
    if due == Due::Nothing {
        sign(client);
        return "nothing";
    }
    let answer = client.next();
    match &due {
        Due::Answer(id) => assert_eq!(answer["id"], *id, "{shown}: {answer}"),
        _ => {
            assert!(answer.get("id").is_none() && answer["error"].is_object(), "{shown}: {answer}");
        }
    }
    if let Some(error) = answer.get("error") {
        assert!(is_told_well(error), "{shown}: {answer}");
        return "error of the protocol";
    }
    let result = &answer["result"];
    if result["isError"] != true {
        return "result";
    }
    let error = &result["_meta"]["forge-search/error"];
    let (told, field) = (result["content"][0]["text"].as_str().unwrap(), error["field"].as_str());
    assert!(told.contains(error["code"].as_str().unwrap()), "{shown}: {told}");
    if let Some(wrong) = &sent.field {
        // What is wrong is the one thing that was changed; or, where a required field went by
        // another name, that one.
        assert_eq!(field, Some(wrong.as_str()), "{shown}: {told}");
    }
    if let Some(field) = field {
        assert!(told.contains(&format!("({field})")), "{shown}: {told}");
    }
    assert!(says_more_than(field.unwrap_or_default(), told), "{shown}: {told}");
    "error of a tool"
}

/// An error of the protocol has one of its codes, and says in a sentence what to do.
fn is_told_well(error: &Value) -> bool {
    let codes = [-32700, -32600, -32601, -32602];
    let message = error["message"].as_str().unwrap();
    codes.contains(&error["code"].as_i64().unwrap())
        && says_more_than("", message)
        && message.len() < 600
}

/// Some words besides the field's name.
fn says_more_than(field: &str, message: &str) -> bool {
    message.replace(field, " ").split_whitespace().count() >= 4
}

fn place() -> Place {
    let place = Place::configured(CONFIG);
    place.file("src/a.rs", "fn needle() {\n    word(needle);\n}\n");
    place.file("src/b.rs", "// nothing\n");
    place
}

#[test]
fn malformed_messages_are_answered_with_the_error_and_its_correction() {
    let place = place();
    let mut client = Client::start(&place, &["--profile", "all"]);
    client.initialize();
    let mut dice = Dice(0x0bad_5eed);
    let mut tally = BTreeMap::new();
    for number in 1_000..1_000 + OPENED {
        let sent = draw(number, &mut dice);
        *tally.entry(put(&mut client, &sent, number)).or_insert(0) += 1;
    }
    // All of them are there, none of them in name only.
    for (kind, least) in [
        ("error of a tool", 2_000),
        ("error of the protocol", 2_000),
        ("result", 300),
        ("nothing", 100),
    ] {
        assert!(tally.get(kind).is_some_and(|count| *count >= least), "{kind}: {tally:?}");
    }
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.split_whitespace().next().unwrap().parse().unwrap();
    assert!(peak < 512 << 10, "{peak} KiB");
    let call = client.call("grep", &json!({ "pattern": "needle" }));
    assert_eq!(client.answer(call)["result"]["structuredContent"]["total"], 2);
    let ended = client.finish();
    assert!(ended.status.success() && ended.rest.is_empty(), "{:?}: {}", ended.rest, ended.stderr);
}

#[test]
fn malformed_messages_before_initialization_do_not_end_the_server() {
    let place = place();
    let mut client = Client::start(&place, &["--profile", "all"]);
    let mut dice = Dice(0x0bad_cafe);
    for number in 1_000..1_000 + UNOPENED {
        put(&mut client, &draw(number, &mut dice), number);
    }
    assert_eq!(client.initialize()["result"]["protocolVersion"], "2025-11-25");
    let call = client.call("grep", &json!({ "pattern": "needle" }));
    assert_eq!(client.answer(call)["result"]["structuredContent"]["total"], 2);
    assert!(client.finish().status.success());
}
