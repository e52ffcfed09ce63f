//! What a server tells of itself while it runs and afterwards: its log, its stored figures, its
//! figures for a collector.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio},
};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tempfile::TempDir;

const SECRET: &str = "sk_live_51HxYz";

/// A tree and a place for indexes and figures.
struct Home {
    tree: TempDir,
    other: TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self { tree: TempDir::new().unwrap(), other: TempDir::new().unwrap() };
        fs::write(home.tree.path().join("a.txt"), format!("key = {SECRET}\n")).unwrap();
        let cache = json!(home.other.path().join("cache"));
        let config = format!(
            "[tools.search]\nindex_path = {cache}\n[tools.agent]\nsearches_per_minute = 3\n"
        );
        fs::write(home.config(), config).unwrap();
        home
    }

    fn config(&self) -> std::path::PathBuf {
        self.other.path().join("config.toml")
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("forge-search"));
        command.arg("--config").arg(self.config()).args(arguments).current_dir(self.tree.path());
        command
    }

    fn serve(&self, arguments: &[&str]) -> Server {
        let mut child = self
            .program(&[&["mcp"], arguments].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut server = Server { child, input, output };
        let client = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        server.ask(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client }));
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    fn stats(&self) -> (Option<i32>, Value) {
        let output = self.program(&["stats", "--json"]).output().unwrap();
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    }
}

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == message["id"] {
                return answer;
            }
        }
    }

    fn grep(&mut self, id: u64, pattern: &str) -> Value {
        let call = json!({ "name": "grep", "arguments": { "pattern": pattern } });
        self.ask(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call }))
    }

    /// Ends the input, and with it the server. What it had logged.
    fn end(mut self) -> String {
        self.input.take();
        let Output { status, stderr, .. } = self.child.wait_with_output().unwrap();
        assert!(status.success());
        String::from_utf8(stderr).unwrap()
    }
}

/// NFR-015b-13, NFR-015b-14.
#[test]
fn stats_of_a_server_are_visible_while_it_runs_and_after_its_end() {
    let home = Home::new();
    assert_eq!(home.stats(), (Some(1), json!([])));
    let mut server = home.serve(&[]);
    (1..=4).for_each(|id| drop(server.grep(id, SECRET)));
    let seen = |stats: &Value| stats[0]["tools"]["grep"]["rate_limited"] == 1;
    // They are stored within a second; each look takes a few milliseconds.
    let running = (0..2_000).map(|_| home.stats().1).find(seen).expect("figures");
    assert_eq!(running[0]["running"], true);
    server.end();
    let (code, stats) = home.stats();
    assert_eq!(
        (code, &stats[0]["running"], &stats[0]["ended"]),
        (Some(0), &json!(false), &json!(true))
    );
    let grep = &stats[0]["tools"]["grep"];
    assert_eq!(
        (&grep["complete"], &grep["failed"], &grep["results"]),
        (&json!(3), &json!(1), &json!(3))
    );
    assert_eq!(grep["errors"], json!({ "rate_limit_exceeded": 1 }));
    let latency = |name: &str| grep["latency"][name].as_f64().unwrap();
    assert!(
        latency("count") >= 4.0
            && latency("p50_ms") <= latency("p99_ms")
            && latency("p99_ms") <= latency("max_ms")
    );
    let human = home.program(&["stats"]).output().unwrap();
    let human = String::from_utf8(human.stdout).unwrap();
    assert!(
        human.contains("p50 ms") && human.contains("grep: rate_limit_exceeded 1 times"),
        "{human}"
    );
}

/// NFR-015b-15, SECC-015b-05.
#[test]
fn calls_are_logged_with_their_number_and_the_query_only_at_level_debug() {
    let home = Home::new();
    for (level, secret, lines) in [("info", false, 1), ("debug", true, 1), ("off", false, 0)] {
        let mut server = home.serve(&["--log", level]);
        let answer = server.grep(1, SECRET);
        let log = server.end();
        let number = &answer["result"]["_meta"]["forge-search/query_id"];
        let ended: Vec<&str> = log.lines().filter(|line| line.contains("call ended")).collect();
        assert_eq!(ended.len(), lines, "{level}: {log}");
        assert!(
            ended.iter().all(|line| line.contains(&format!("query_id={number}"))),
            "{number}: {log}"
        );
        assert_eq!(log.contains(SECRET), secret, "{level}: {log}");
    }
    let stored = fs::read_dir(home.other.path().join("cache")).unwrap().flatten();
    for file in stored.filter(|file| file.file_name().to_string_lossy().contains("stats")) {
        assert!(!String::from_utf8_lossy(&fs::read(file.path()).unwrap()).contains(SECRET));
    }
}

#[test]
fn metrics_are_served_only_on_request_and_only_on_loopback() {
    let home = Home::new();
    let mut server = home.serve(&["--metrics", "127.0.0.1:0", "--log", "off"]);
    server.grep(1, SECRET);
    let mut said = String::new();
    let mut errors = BufReader::new(server.child.stderr.take().unwrap());
    errors.read_line(&mut said).unwrap();
    let address = said
        .trim()
        .strip_prefix("forge-search: figures at http://")
        .unwrap()
        .strip_suffix("/metrics")
        .unwrap();
    let mut collector = TcpStream::connect(address).unwrap();
    write!(collector, "GET /metrics HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut page = String::new();
    collector.read_to_string(&mut page).unwrap();
    let counted = "forge_search_calls_total{tool=\"grep\",outcome=\"complete\"} 1";
    assert!(
        page.contains(counted)
            && page.contains("forge_search_index_state")
            && !page.contains(SECRET),
        "{page}"
    );
    server.end();
    let refused =
        home.program(&["mcp", "--metrics", "0.0.0.0:0"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("allowed: 127.0.0.1:PORT"));
}

#[test]
fn with_the_cache_inside_the_tree_stats_are_not_stored_and_calls_work() {
    let home = Home::new();
    let inside = json!(home.tree.path().join("cache"));
    fs::write(home.config(), format!("[tools.search]\nindex_path = {inside}\n")).unwrap();
    let mut server = home.serve(&[]);
    assert_eq!(server.grep(1, SECRET)["result"]["structuredContent"]["total"], 1);
    server.end();
    assert!(!Path::new(inside.as_str().unwrap()).exists());
    let stats = home.program(&["stats"]).output().unwrap();
    assert_eq!(stats.status.code(), Some(2));
    assert!(String::from_utf8(stats.stderr).unwrap().contains("tools.search.index_path"));
}
