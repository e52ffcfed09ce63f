//! `forge-search mcp` as a client starts it, over its standard input and output.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a bench that cannot run says so and ends"
)]

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use touchstone::place::{build_directory, cargo};

/// Time between two questions whether the index is there.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// A server and its only client.
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Server {
    /// Starts a server on a tree, in preset `agent`, with all tools and a configuration file.
    pub fn start(tree: &Path, config: &Path) -> Self {
        let mut child = Command::new(program())
            .arg("--config")
            .arg(config)
            .args(["mcp", "--profile", "all", "--log", "warn"])
            .current_dir(tree)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut server = Self { child, input, output, asked: 0 };
        let client = json!({ "name": "touchstone-benches", "version": env!("CARGO_PKG_VERSION") });
        let hello =
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        server.ask("initialize", &hello);
        writeln!(
            server.input,
            "{}",
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
        )
        .expect("the server listens");
        server
    }

    /// Calls until an answer rests on events. Before that the index is opened, then each call looks
    /// at every file, then none may use the index while the tree is scanned.
    pub fn wait_for_the_index(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        loop {
            let answer = self.call("Search", &json!({ "pattern": "no such text" }));
            let names = answer.pointer("/structuredContent/stats/proof_names");
            if names.is_some_and(|proof| proof == "events") {
                return;
            }
            assert!(Instant::now() < until, "the server's index is ready: {answer}");
            // A build gives way to calls.
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// The result of a call, which must not be an error.
    pub fn call(&mut self, tool: &str, request: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": request }));
        assert!(answer.get("isError").is_none_or(|is| is == false), "{answer}");
        answer
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        writeln!(self.input, "{message}").expect("the server listens");
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the server answers");
            assert!(read > 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer.get("id").is_some_and(|id| *id == self.asked) {
                let result = answer.get("result").cloned();
                return result.unwrap_or_else(|| panic!("an error of the protocol: {answer}"));
            }
        }
    }

    /// Ends the server.
    pub fn end(self) {
        let Self { mut child, input, .. } = self;
        drop(input);
        child.wait().expect("the server ends");
    }
}

/// Writes a configuration for an index in `cache`, with `more` lines in its table `tools.search`,
/// and says where it is.
pub fn configure(cache: &Path, more: &str) -> PathBuf {
    // TOML's basic strings are JSON's, but for characters that no path of ours has.
    let place = json!(cache.to_string_lossy());
    written(cache, &format!("index_mode = \"on\"\nindex_path = {place}\n{more}"))
}

/// Writes a configuration without an index, next to `place`, and says where it is.
pub fn configure_without(place: &Path) -> PathBuf {
    written(&place.with_file_name("without"), "index_mode = \"off\"\n")
}

fn written(beside: &Path, search: &str) -> PathBuf {
    let config = beside.with_extension("toml");
    let text = format!("[tools.search]\n{search}[tools.agent]\nsearches_per_minute = 100000\n");
    std::fs::write(&config, text).expect("a configuration file");
    config
}

/// The program as it is released, built if need be.
pub fn program() -> PathBuf {
    let built = cargo().args(["build", "--release", "--quiet", "-p", "forge-search"]).status();
    assert!(built.is_ok_and(|status| status.success()), "forge-search can be built");
    build_directory().expect("a build directory").join("release").join("forge-search")
}
