//! From a client's request to the answer in its hands: `forge-search mcp` as a client starts it, over its standard input and output.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use criterion::{Criterion, SamplingMode};
use serde_json::{Value, json};
use touchstone::provision::build_directory;
use touchstone_benches::queries;

use crate::{CALLS, PATIENCE};

/// Every how manieth question of the lists is asked: enough of all kinds.
const EVERY: usize = 4;

/// Times questions of all tools over the protocol, on the index that is in `cache`.
pub(crate) fn measure(criterion: &mut Criterion, tree: &Path, cache: &Path) {
    let mut server = Server::start(tree, cache);
    let mut group = criterion.benchmark_group("agent end to end");
    let short = Duration::from_millis(1);
    group.sampling_mode(SamplingMode::Flat).sample_size(CALLS).warm_up_time(short).measurement_time(short);
    let lists =
        [("search_text", queries::texts()), ("find_files", queries::paths()), ("grep", queries::lines())];
    for (tool, queries) in lists {
        for query in queries.iter().step_by(EVERY) {
            let name = format!("{tool} {}", query.name);
            group.bench_function(name, |bencher| bencher.iter(|| server.call(tool, &query.request)));
        }
    }
    group.finish();
    server.end();
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Server {
    fn start(tree: &Path, cache: &Path) -> Self {
        let config = cache.with_extension("toml");
        let place = json!(cache.to_string_lossy());
        let text = format!(
            "[tools.search]\nindex_mode = \"on\"\nindex_path = {place}\n[tools.agent]\nsearches_per_minute = 100000\n"
        );
        std::fs::write(&config, text).expect("a configuration file");
        let mut child = Command::new(program())
            .arg("--config")
            .arg(config)
            .args(["mcp", "--log", "warn"])
            .current_dir(tree)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut server = Self { child, input, output, asked: 0 };
        let client = json!({ "name": "touchstone-benches", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        server.ask("initialize", &hello);
        writeln!(server.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .expect("the server listens");
        server.wait_for_the_index();
        server
    }

    /// Calls until the answer no longer says that the index is not there yet.
    fn wait_for_the_index(&mut self) {
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.call("find_files", &json!({ "pattern": "MAINTAINERS" }));
            let notices = answer.pointer("/structuredContent/notices").and_then(Value::as_array);
            let waits = notices.is_none_or(|notices| {
                notices
                    .iter()
                    .any(|notice| notice.get("notice").is_some_and(|name| name == "index_not_ready"))
            });
            if !waits {
                return;
            }
            assert!(Instant::now() < until, "the server's index is ready: {answer}");
        }
    }

    fn call(&mut self, tool: &str, request: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": request }));
        assert!(answer.get("isError").is_none_or(|is| is == false), "{answer}");
        answer
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        writeln!(self.input, "{message}").expect("the server listens");
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the server answers");
            assert!(read > 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer.get("id").is_some_and(|id| *id == self.asked) {
                return answer.get("result").cloned().unwrap_or_else(|| panic_with(&answer));
            }
        }
    }

    fn end(self) {
        let Self { mut child, input, .. } = self;
        drop(input);
        child.wait().expect("the server ends");
    }
}

#[expect(clippy::panic, reason = "a bench that cannot run says so and ends")]
fn panic_with(answer: &Value) -> Value {
    panic!("an error of the protocol: {answer}")
}

/// The program as it is released.
fn program() -> std::path::PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo).args(["build", "--release", "--quiet", "-p", "forge-search"]).status();
    assert!(built.is_ok_and(|status| status.success()), "forge-search can be built");
    build_directory().expect("a build directory").join("release").join("forge-search")
}
