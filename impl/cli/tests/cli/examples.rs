//! The example of a server of one's own, spoken to.

use std::{
    fs,
    io::{self, Cursor, Write},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

#[path = "../../examples/own_server.rs"]
mod own_server;

/// What the server has written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_custom_server_offers_the_standard_tools_and_one_more() {
    let tree = tempfile::tempdir().unwrap();
    fs::write(tree.path().join("a.rs"), "fn needle() {}\n").unwrap();
    let request = |id: u64, method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    let call = |id, name: &str, arguments: Value| {
        request(id, "tools/call", json!({ "name": name, "arguments": arguments }))
    };
    let hello = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" }
    });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let input = [
        request(1, "initialize", hello),
        ready.to_string(),
        request(2, "tools/list", json!({})),
        call(3, "grep", json!({ "pattern": "needle" })),
        call(4, "what_time_is_it", json!({})),
    ];
    let written = Written::default();
    let input = Cursor::new(input.join("\n") + "\n");
    own_server::run(&dunce::canonicalize(tree.path()).unwrap(), input, written.clone()).unwrap();
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let result = |id: u64| {
        let found = answers.iter().find(|answer| answer["id"] == id);
        found.unwrap_or_else(|| panic!("no answer to {id}: {text}"))["result"].clone()
    };
    let listed = result(2);
    let names: Vec<&str> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["find_files", "grep", "keyword_search", "search_text", "what_time_is_it"]);
    let said = |id| result(id)["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(said(3).contains("fn needle() {}"), "{}", said(3));
    assert_eq!(said(4), "It is late.");
}
