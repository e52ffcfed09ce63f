//! What a server says, and what is made of it.

use super::*;

#[test]
fn data_is_read_from_every_known_place_of_a_result() {
    let page = json!({ "complete": true, "results": [] });
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let both = json!({ "content": text("0 lines"), "structuredContent": page, "isError": false });
    let seen = observed(&both, "/r").unwrap().unwrap();
    assert_eq!(
        (&seen[STRUCTURED], &seen[COMPLETE], &seen[TEXT_BYTES]),
        (&page, &json!(true), &json!(7))
    );
    // Before 2025-06-18 there was text alone.
    let alone = json!({ "content": text(&page.to_string()) });
    assert_eq!(observed(&alone, "/r").unwrap().unwrap()[STRUCTURED], page);
    assert!(observed(&json!({ "content": text("some lines") }), "/r").is_err());
    assert!(observed(&json!({ "content": [], "structuredContent": page }), "/r").is_err());
}

#[test]
fn errors_are_read_from_every_known_place_of_a_result() {
    let error = json!({ "code": "ACODE-SRC-006", "error": "path_not_allowed", "message": "/r/x" });
    let hidden =
        json!({ "code": "ACODE-SRC-006", "error": "path_not_allowed", "message": "{root}/x" });
    let content = json!([{ "type": "text", "text": "no" }]);
    for result in [
        json!({ "isError": true, "content": content, "structuredContent": error }),
        json!({ "isError": true, "content": content, "_meta": { "some/number": 3, "some/error": error } }),
        json!({ "isError": true, "content": [{ "type": "text", "text": error.to_string() }] }),
    ] {
        assert_eq!(observed(&result, "/r").unwrap().unwrap_err(), hidden, "{result}");
    }
    let bare = json!({ "isError": true, "content": content });
    assert_eq!(observed(&bare, "/r").unwrap().unwrap_err(), json!({ "message": "no" }));
}

#[test]
fn a_path_search_tool_is_recognised_by_its_parameters() {
    let tools = |field: &str| {
        let files =
            json!({ "name": "search_files", "inputSchema": { "properties": { field: {} } } });
        vec![json!({ "name": "grep" }), files]
    };
    assert_eq!(offered(&tools("pattern"), "find_files").as_deref(), Some("search_files"));
    assert_eq!(offered(&tools("query"), "find_files"), None);
    assert_eq!(offered(&tools("query"), "grep").as_deref(), Some("grep"));
    assert_eq!(offered(&tools("query"), "search_text"), None);
}

/// A server in a few lines of shell: it answers the first requests, whatever they are.
fn server(third: &str) -> String {
    let say = |id: u32, result: &str| {
        format!("read -r line; echo '{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}'")
    };
    let tools = r#"{"tools":[{"name":"grep","inputSchema":{}}]}"#;
    format!(
        "{}; read -r line; {}; {third}",
        say(1, r#"{"protocolVersion":"2025-06-18"}"#),
        say(2, tools)
    )
}

fn asked(command: &str) -> Verdict {
    let case = Case::of("a", "a", "grep", json!({ "pattern": "nothing" }));
    let asked = Server::new(command).unwrap();
    asked.judge(&case, &Expected::of(&case).unwrap())
}

#[test]
fn a_protocol_violation_of_a_server_is_distinguished_from_a_wrong_answer() {
    let broken = |third: &str| match asked(&server(third)) {
        Verdict::Broken(why) => why,
        other => panic!("{other:?}"),
    };
    assert!(broken("exit 3").contains("ended (exit status: 3)"), "{}", broken("exit 3"));
    assert!(broken("read -r line; echo hello").contains("unreadable answer"));
    assert!(
        broken(r#"read -r line; echo '{"jsonrpc":"2.0","id":3,"error":{"code":-32602}}'"#)
            .contains("is refused")
    );
    assert!(matches!(asked("no-such-program-at-all"), Verdict::Broken(_)));
    let empty = r#"{"content":[{"type":"text","text":"x"}],"structuredContent":{"results":[]}}"#;
    let said = format!("read -r line; echo '{{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{empty}}}'");
    assert!(matches!(asked(&server(&said)), Verdict::Diverge(_)));
}

#[test]
fn a_missing_tool_or_an_impossible_request_is_unsupported() {
    let case = Case::of("a", "a", "search_text", json!({ "query": "x" }));
    let server = Server::new(&server("read -r line")).unwrap();
    let verdict = server.judge(&case, &Expected::of(&case).unwrap());
    assert_eq!(verdict, Verdict::Unsupported("has no tool `search_text`".to_owned()));
    let case = Case { request: json!([1]), ..case };
    assert!(matches!(server.judge(&case, &Expected::of(&case).unwrap()), Verdict::Unsupported(_)));
}
