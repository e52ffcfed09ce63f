//! What a started `forge-search` does that no call of the library shows: what it has without
//! options, and the figures that it hands out.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use forge_search_core::index::machine::Trigger;
use forge_search_engine::index::Point;
use forge_search_engine::{Config, IndexMode, IndexUse, Preset};
use serde_json::{Value, json};

use crate::clauses_index_service::home::{Gate, Home, eventually, settle, state};

/// The program, if it has been built beside this test.
pub(crate) fn program() -> Option<PathBuf> {
    let built = std::env::current_exe().unwrap();
    let program = built.ancestors().nth(2)?.join("forge-search");
    assert!(
        program.exists() || std::env::var_os("CI").is_none(),
        "there is no server here and CI is set"
    );
    program.exists().then_some(program)
}

/// A server. It is killed when this is dropped.
struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    errors: BufReader<ChildStderr>,
}

impl Server {
    /// Starts one in a tree, whose user has this home.
    fn start(program: &Path, arguments: &[&str], tree: &Path, user: &Path) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(tree)
            .env_remove("XDG_CONFIG_HOME")
            .env("XDG_CACHE_HOME", user.join("cache"))
            .env("HOME", user)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let errors = BufReader::new(child.stderr.take().unwrap());
        Self { child, output, errors }
    }

    fn ask(&mut self, id: u64, method: &str, params: &Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(self.child.stdin.as_mut().unwrap(), "{request}").unwrap();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    fn initialize(&mut self) {
        let client = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        self.ask(0, "initialize", &params);
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        writeln!(self.child.stdin.as_mut().unwrap(), "{done}").unwrap();
    }

    /// Ends it by a signal; whether it ended by itself.
    fn signal(mut self, signal: &str) -> bool {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        // The end of the input would end it, too.
        let input = self.child.stdin.take();
        let ended = self.child.wait().unwrap().code().is_some();
        drop(input);
        ended
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether an index was begun in a user's cache.
fn has_index(cache: &Path) -> bool {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| path.extension() == Some("sqlite".as_ref()))
}

#[test]
fn index_and_fallback_are_off_in_the_library_and_the_program_indexes_large_trees() {
    let Some(program) = program() else { return };
    touchstone::verifies!("FR-LSI-ROLL-01", "E-H13");
    for config in
        [Config::preset(Preset::Documents), Config::from_toml("", Preset::Documents).unwrap()]
    {
        assert_eq!((config.index.index_mode, config.index.fuzzy_fallback), (IndexMode::Off, false));
    }
    let agent = Config::preset(Preset::Agent);
    assert_eq!((agent.index.index_mode, agent.index.fuzzy_fallback), (IndexMode::Auto, false));
    // So many files that an index is built by itself.
    let home = Home::of_words(2_100);
    for (options, cache, indexed) in [
        (&["mcp"][..], "forge/search-index", true),
        (&["--preset", "documents", "mcp"], "forge/search-index", false),
    ] {
        let user = home.base().join(format!("user-{indexed}"));
        fs::create_dir(&user).unwrap();
        let cache = user.join("cache").join(cache);
        let mut server = Server::start(&program, options, &home.root, &user);
        server.initialize();
        let request = json!({"name": "grep", "arguments": {"pattern": "number 7"}});
        server.ask(1, "tools/call", &request);
        if indexed {
            eventually("the index of a program without options", || has_index(&cache));
        } else {
            assert!(server.signal("TERM"));
            assert!(!has_index(&cache));
        }
    }
}

#[test]
fn metrics_page_and_stats_report_the_same_latency_percentiles() {
    let Some(program) = program() else { return };
    touchstone::verifies!("NFR-015b-13");
    let home = Home::of_words(12);
    let options = ["mcp", "--metrics", "127.0.0.1:0"];
    let mut server = Server::start(&program, &options, &home.root, home.base());
    let mut line = String::new();
    while !line.contains("/metrics") {
        line.clear();
        assert!(server.errors.read_line(&mut line).unwrap() > 0, "no address is printed");
    }
    let address = line.split_once("http://").unwrap().1.split('/').next().unwrap();
    server.initialize();
    for id in 1..=5 {
        let request = json!({"name": "grep", "arguments": {"pattern": "number 7"}});
        server.ask(id, "tools/call", &request);
    }
    let mut page = TcpStream::connect(address).unwrap();
    page.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut text = String::new();
    page.read_to_string(&mut text).unwrap();
    let told = ["0.5", "0.9", "0.99"].map(|share| {
        let name =
            format!("forge_search_call_duration_seconds{{tool=\"grep\",quantile=\"{share}\"}} ");
        let value = text.lines().find_map(|line| line.strip_prefix(&name));
        value.unwrap_or_else(|| panic!("no {name} in {text}")).parse::<f64>().unwrap()
    });
    assert!(told[0] > 0.0 && told.is_sorted(), "{told:?}");
    assert!(text.contains("forge_search_call_duration_seconds_count{tool=\"grep\"} 5"), "{text}");
    assert!(server.signal("TERM"));
    let stats = Command::new(&program)
        .args(["stats", "--json"])
        .current_dir(&home.root)
        .env_remove("XDG_CONFIG_HOME")
        .env("XDG_CACHE_HOME", home.base().join("cache"))
        .env("HOME", home.base())
        .output()
        .unwrap();
    let stats: Value = serde_json::from_slice(&stats.stdout).unwrap();
    let latency = &stats[0]["tools"]["grep"]["latency"];
    let stored = ["p50_ms", "p90_ms", "p99_ms"].map(|name| latency[name].as_f64().unwrap());
    assert_eq!(latency["count"], 5, "{stats}");
    for (seconds, millis) in told.iter().zip(stored) {
        assert!((seconds * 1e3 - millis).abs() < 1e-6, "{told:?} {stored:?}");
    }
}

#[test]
fn a_server_terminated_during_a_build_leaves_read_files_to_the_next_process() {
    /// Of which a batch has 512.
    const FILES: u64 = 2_000;
    let Some(program) = program() else { return };
    touchstone::verifies!("FR-LSI-BG-40", "FR-LSI-BG-41");
    for signal in ["TERM", "INT"] {
        let home = Home::of_words(usize::try_from(FILES).unwrap());
        // The next process would read again what was written a moment before it was read.
        home.age();
        let config = home.base().join("config.toml");
        // A batch, then a pause that is longer than the server may take to end.
        let settings = format!(
            "[tools.search]\nindex_mode = \"on\"\nindex_path = {:?}\nstats_detail = \"all\"\n\
             index_build_throttle_ms = 1000\nindex_idle_boost_ms = 3600000\n\
             index_build_max_cpu_percent = 1\n",
            home.cache
        );
        fs::write(&config, settings).unwrap();
        let options = ["--config", config.to_str().unwrap(), "mcp", "--profile", "all"];
        let mut server = Server::start(&program, &options, &home.root, home.base());
        server.initialize();
        let request = json!({"pattern": "x", "fixed_strings": true, "path": "d0/f000"});
        let request = json!({"name": "Search", "arguments": request});
        let mut read = 0;
        eventually("a batch of the build", || {
            let answer = server.ask(1, "tools/call", &request);
            let stats = &answer["structuredContent"]["stats"];
            read = stats["build_files_done"].as_u64().unwrap_or(0);
            read > 0
        });
        assert!(read < FILES, "{read}: it is in the midst of it");
        assert!(server.signal(signal), "{signal}");
        let gate = Gate::open();
        let next = home.with_faults(IndexUse::Stepped, "", gate.clone());
        settle(&next);
        assert_eq!(state(&next), ("COMPLETE", None), "{signal}");
        let found = next.index_trace();
        let found = found.iter().any(|step| step.triggers.contains(Trigger::CheckpointFound));
        assert!(found, "{signal}: there is a checkpoint");
        let again = gate.count(Point::ReadFile) as u64;
        assert!(again <= FILES - read, "{signal}: {again} are read of {FILES} after {read}");
    }
}
