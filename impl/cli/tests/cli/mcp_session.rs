//! A scripted client over standard input and output, its transcript golden: opening, listing, every
//! tool, refusals, cancelling, the rate limit, the end.
//!
//! `BLESS=1` writes the transcript anew. Lines that begin with `>` are sent, with `<` received;
//! nothing in them is made up or smoothed, except how
//! long something took.

use std::{fmt::Write, fs, path::Path, time::Duration};

use boon::{Compiler, Schemas};
use forge_search_engine::{TokenCounter as _, Tokenizer};
use serde_json::{Value, json};

use crate::client::{self, Client, Ended};
use crate::place::Place;

/// One client and what was said.
struct Session {
    client: Client,
    said: String,
}

impl Session {
    fn new(place: &Place, args: &[&str]) -> Self {
        let said = format!("# forge-search mcp {}\n", args.join(" ")).replace(" \n", "\n");
        Self { client: Client::start(place, args), said }
    }

    /// Sends lines at once.
    fn send(&mut self, lines: &[String]) {
        for line in lines {
            writeln!(self.said, "> {line}").unwrap();
        }
        self.client.send_raw((lines.join("\n") + "\n").as_bytes());
    }

    /// The next message.
    fn receive(&mut self) -> Value {
        let line = self.client.next_line();
        writeln!(self.said, "< {}", smoothed(&line)).unwrap();
        client::message(&line)
    }

    fn ask(&mut self, line: &str) -> Value {
        self.send(&[line.to_owned()]);
        self.receive()
    }

    fn request(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.ask(&request(id, method, params))
    }

    fn call(&mut self, id: u64, tool: &str, arguments: &Value) -> Value {
        self.request(id, "tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    fn open(&mut self, revision: &str) {
        let hello = json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "script", "version": "1" }
        });
        self.request(0, "initialize", &hello);
        self.send(&[notice("notifications/initialized", &json!({}))]);
    }

    fn close(self) -> (String, Ended) {
        let ended = self.client.finish();
        assert_eq!(ended.rest, Vec::<Value>::new(), "more was said than was asked for");
        assert!(ended.status.success(), "{}: {}", ended.status, ended.stderr);
        (self.said + "# end of input\n", ended)
    }
}

fn request(id: u64, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn notice(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

/// A refused call waits 60 seconds, less what has gone by since the first one; and an answer of
/// `search_files` says how long it took.
fn smoothed(line: &str) -> String {
    let message = client::message(line);
    let at = |pointer| message.pointer(pointer).and_then(Value::as_u64);
    let mut line = line.to_owned();
    if let Some(waits) = at("/result/_meta/forge-search~1error/retry_after_seconds") {
        assert!((30..=60).contains(&waits), "{waits}");
        line = line
            .replace(&format!("_seconds\":{waits}"), "_seconds\":60")
            .replace(&format!("{waits} s"), "60 s");
    }
    if let Some(took) = at("/result/structuredContent/stats/elapsed_ms") {
        line = line.replace(&format!("\"elapsed_ms\":{took}"), "\"elapsed_ms\":0");
    }
    line
}

const CONFIG: &str = "[tools.search]\nbackend = \"native\"\nindex_mode = \"off\"\n";

fn place(config: &str) -> Place {
    let place = Place::configured(&[CONFIG, config].concat());
    place.file(
        "src/Services/UserService.cs",
        "namespace Shop;\n\npublic class UserService : IUserService\n{\n    private readonly IUserRepository _users;\n\n    \
         public User? Find(int id) => _users.Find(id);\n    // TODO: cache\n}\n",
    );
    place.file(
        "src/Services/OrderService.cs",
        "namespace Shop;\n\npublic class OrderService\n{\n    // TODO: validate\n}\n",
    );
    place.file(
        "src/user_service_test.py",
        "from shop import user_service\n\ndef test_find():\n    assert user_service.find(1)\n",
    );
    place.file("README.md", "# Shop\n\nUsers and orders.\n");
    place
}

#[test]
fn a_session_gives_the_same_transcript_every_time() {
    let place = place("");
    place.heavy(".heavy", 8, 10_000);
    let mut session = Session::new(&place, &["--profile", "all"]);
    session.open("2025-11-25");
    session.request(1, "ping", &json!({}));
    let listed = session.request(2, "tools/list", &json!({}));

    session.call(3, "search_text", &json!({ "query": "user service" }));
    session.call(
        4,
        "search_text",
        &json!({ "query": "UserService", "max_results": 1, "context_lines": 0 }),
    );
    session.call(5, "grep", &json!({ "pattern": "TODO", "file_type": ".cs", "context_lines": 1 }));
    session.call(
        6,
        "grep",
        &json!({ "pattern": "find\\(\\w+\\)", "regex": true, "case": "insensitive", "context_lines": 0 }),
    );
    session.call(7, "find_files", &json!({ "pattern": "*.cs" }));
    session.call(8, "Search", &json!({ "pattern": "class \\w+" }));
    session.call(9, "search_files", &json!({ "path": "src", "query": "TODO" }));
    session.call(10, "grep", &json!({ "pattern": "nowhere at all" }));
    session.call(
        30,
        "keyword_search",
        &json!({ "query": "where are users found", "search_terms": ["find user", "userservice", "todo"], "use_model": false }),
    );

    // Refused by tools: the model is told.
    session.call(11, "grep", &json!({ "patern": "TODO" }));
    session.call(12, "grep", &json!({ "pattern": "TODO", "max_results": "10" }));
    session.call(13, "search_text", &json!({ "query": "\"open" }));
    session.call(14, "find_files", &json!({ "pattern": "*.cs", "directory": ".." }));
    session.call(15, "grep", &json!({ "pattern": "a", "directory": "nowhere" }));
    session.call(16, "Search", &json!({}));

    // Refused by the protocol: the client is told.
    session.call(17, "serch_text", &json!({ "query": "x" }));
    session.request(18, "tools/call", &json!({ "name": "grep", "arguments": "TODO" }));
    session.request(19, "tools/run", &json!({}));
    session.ask("{\"jsonrpc\": \"2.0\", \"id\": 20, ");
    session.ask("[{\"jsonrpc\":\"2.0\",\"id\":21,\"method\":\"ping\"}]");
    session.ask("{\"jsonrpc\":\"2.0\",\"id\":22.5,\"method\":\"ping\"}");

    session.ask("{\"jsonrpc\":\"2.0\",\"id\":22,\"id\":23,\"method\":\"ping\"}");

    // A call that takes long is cancelled: no answer to it comes.
    let long = json!({ "name": "search_text", "arguments": { "query": "order service user", "directory": ".heavy" } });
    let cancelled =
        notice("notifications/cancelled", &json!({ "requestId": 23, "reason": "not needed" }));
    session.send(&[request(23, "tools/call", &long), cancelled, request(24, "ping", &json!({}))]);
    assert_eq!(session.receive()["id"], 24);

    let (said, ended) = session.close();
    assert!(ended.took < Duration::from_secs(2), "{:?}", ended.took);
    golden("session", &said);
    every_answer_is_as_promised(&listed, &said);
}

#[test]
fn the_rate_limit_is_announced_before_and_at_the_limit() {
    let place = place("[tools.agent]\nsearches_per_minute = 3\n");
    let mut session = Session::new(&place, &["--profile", "all"]);
    session.open("2025-06-18");
    session.call(1, "grep", &json!({ "pattern": "TODO", "max_results": 1, "context_lines": 0 }));
    // What is refused for its fields is counted, and what is refused by the limit is not.
    session.call(2, "grep", &json!({}));
    session.call(3, "find_files", &json!({ "pattern": "*.md" }));
    session.call(4, "search_text", &json!({ "query": "user" }));
    session.call(5, "Search", &json!({ "pattern": "user" }));
    golden("rate_limit", &session.close().0);
    // Another connection is another session.
    let mut session = Session::new(&place, &["--profile", "all"]);
    session.open("2025-06-18");
    assert_eq!(session.call(1, "grep", &json!({ "pattern": "TODO" }))["result"]["isError"], false);
    session.close();
}

#[test]
fn each_profile_has_its_tools_under_its_names() {
    let place = place("");
    let mut said = String::new();
    for profile in ["default", "acode", "forge"] {
        let mut session = Session::new(&place, &["--profile", profile]);
        session.open("2025-03-26");
        let listed = session.client.request("tools/list", &json!({}));
        let listed = session.client.answer(listed);
        let tools = listed["result"]["tools"].as_array().unwrap();
        if profile == "default" {
            // What every conversation pays for, as the client receives it.
            let tokens = Tokenizer::O200kBase.count(&listed["result"].to_string());
            assert!(tokens <= 1_850, "{tokens} tokens");
        }
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        writeln!(session.said, "# lists {}", names.join(", ")).unwrap();
        session.call(2, "search_files", &json!({ "pattern": "*.py" }));
        session.call(3, "search_files", &json!({ "path": ".", "query": "def" }));
        session.call(4, "find_files", &json!({ "pattern": "*.py" }));
        said += &session.close().0;
    }
    golden("profiles", &said);
}

#[test]
fn the_protocol_revision_without_a_handshake_is_supported() {
    let place = place("");
    let mut session = Session::new(&place, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "script", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    session.request(1, "tools/list", &json!({}));
    session.request(2, "server/discover", &json!({ "_meta": meta }));
    session.send(&[notice("notifications/cancelled", &json!({ "requestId": 9 }))]);
    let call = json!({ "name": "grep", "arguments": { "pattern": "TODO", "context_lines": 0 }, "_meta": meta });
    session.request(3, "tools/call", &call);
    session.request(4, "tools/call", &json!({ "name": "grep", "arguments": {} }));
    golden("without_handshake", &session.close().0);
}

/// Holds the data of every answer in a transcript against the schema that its tool was listed with,
/// and the text against the data's length.
fn every_answer_is_as_promised(listed: &Value, said: &str) {
    let mut asked = std::collections::BTreeMap::new();
    let mut held = 0;
    for line in said.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line.get(2..).unwrap_or_default()) else {
            continue;
        };
        let id = message["id"].to_string();
        if line.starts_with('>') {
            asked.insert(id, message["params"]["name"].clone());
            continue;
        }
        let Some(name) = asked.get(&id).filter(|name| name.is_string()) else { continue };
        let result = &message["result"];
        if result["isError"] != false {
            assert!(result.get("structuredContent").is_none(), "{line}");
            continue;
        }
        let tools = listed["result"]["tools"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["name"] == *name).expect("listed");
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("tool", tool["outputSchema"].clone()).expect("a resource");
        let schema = compiler.compile("tool", &mut schemas).expect("a schema");
        let data = &result["structuredContent"];
        schemas.validate(data, schema).unwrap_or_else(|wrong| panic!("{line}: {wrong:#}"));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.len() <= data.to_string().len(), "the text is longer than the data: {line}");
        held += 1;
    }
    assert!(held >= 8, "only {held} answers were held against their schemas");
}

/// Compares with the stored transcript.
fn golden(name: &str, said: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("mcp_{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, said).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    for (number, (is, should)) in said.lines().zip(stored.lines()).enumerate() {
        assert_eq!(is, should, "line {} of {}", number + 1, path.display());
    }
    assert_eq!(said.lines().count(), stored.lines().count(), "{}", path.display());
}
