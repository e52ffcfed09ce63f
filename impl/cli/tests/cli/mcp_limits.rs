//! Requests and trees that are as much as is allowed, asked of a server in a process of bounded
//! memory: it answers each in time, and lives.
//!
//! `TOUCHSTONE_HOSTILE=TREES,REQUESTS,SEED` makes a longer run, of so many requests for each tree:
//! `TOUCHSTONE_HOSTILE=2000,50,7 cargo test --release -p forge-search --test cli
//! what_is_as_much -- --nocapture` (nextest ends a test after two minutes). A fourth number is the
//! most milliseconds that a deadline may be missed by. What was missed is printed in any case: the
//! median, the 99th percentile and the most of each kind of tree.

use std::{
    collections::BTreeMap,
    env, fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::client::{Client, PATIENCE};
use crate::dice::Dice;
use crate::hostile;
use crate::place::Place;

/// The deadline of a call.
const DEADLINE: Duration = Duration::from_secs(1);
/// What a deadline may be missed by here, where a debug build runs beside other tests; 100 ms are
/// promised.
const SLACK: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });
/// Memory of the server at most, in KiB: of one call, and of one that builds an index.
const MEMORY: u64 = 512 << 10;
const MEMORY_OF_INDEX: u64 = 400 << 10;

/// The port of a language model that refuses every question, which is not asked twice then: after a
/// broken connection it would be, after a pause of up to 400 ms.
fn refusing_model() -> u16 {
    fn refuse(stream: TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(bytes) = line.strip_prefix("content-length: ") {
                length = bytes.parse().map_err(io::Error::other)?;
            }
            if line.is_empty() {
                break;
            }
        }
        io::copy(&mut reader.by_ref().take(length), &mut io::sink())?;
        let answer = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        reader.get_mut().write_all(answer)
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // A client may be gone before its answer.
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(refuse(stream))));
    port
}

/// A configuration with this `index_mode`.
fn config(index_mode: &str, model: u16) -> String {
    format!(
        "[tools.search]\nindex_mode = \"{index_mode}\"\n\n[tools.search_files]\ntimeout_ms = 1000\n\n\
         [tools.agent]\nsearches_per_minute = 100000\ntimeout_seconds = 1\n\n\
         [tools.keyword]\nbuiltin = false\n\n[[tools.keyword.models]]\nname = \"refusing\"\n\
         protocol = \"ollama\"\nbase_url = \"http://127.0.0.1:{model}\"\nmodel = \"none\"\n"
    )
}

/// The most memory that the server has had, in KiB, that of mapped files included.
fn peak(client: &Client) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A server that cannot have more than two GiB of addresses.
fn bounded(place: &Place) -> Client {
    let program = place.program();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -v 2097152 && exec \"$@\"", "sh"])
        .arg(program.get_program())
        .args(program.get_args());
    shell.args(["mcp", "--profile", "all", "--log", "error"]).current_dir(place.tree());
    for (name, value) in program.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    Client::of(shell)
}

/// What calls in trees of one kind came to.
#[derive(Default)]
struct Figures {
    took: Duration,
    /// Behind the deadline.
    late: Vec<Duration>,
    latest: Option<String>,
    /// KiB at most.
    memory: u64,
}

impl Figures {
    fn add(&mut self, took: Duration, memory: u64, call: &str) {
        self.took += took;
        let late = took.saturating_sub(DEADLINE);
        if self.late.iter().all(|earlier| *earlier < late) {
            self.latest = Some(call.chars().take(120).collect());
        }
        self.late.push(late);
        self.memory = self.memory.max(memory);
    }

    fn print(mut self, kind: &str) {
        self.late.sort();
        let share = |percent: usize| self.late[(self.late.len() - 1) * percent / 100];
        println!(
            "{kind}: {} calls in {:?}, late by {:?}, {:?}, {:?}; {} MiB; {}",
            self.late.len(),
            self.took,
            share(50),
            share(99),
            share(100),
            self.memory >> 10,
            self.latest.unwrap_or_default()
        );
    }
}

#[test]
fn requests_at_every_limit_are_answered_within_time_and_memory() {
    let numbers = env::var("TOUCHSTONE_HOSTILE").unwrap_or_else(|_| "15,6,1".to_owned());
    let numbers: Vec<u64> = numbers.split(',').map(|number| number.parse().unwrap()).collect();
    let (trees, requests, seed, slack) = match numbers[..] {
        [trees, requests, seed] => (trees, requests, seed, SLACK),
        [trees, requests, seed, slack] => (trees, requests, seed, Duration::from_millis(slack)),
        _ => panic!("TREES,REQUESTS,SEED[,SLACK]"),
    };
    let model = refusing_model();
    let mut kinds: BTreeMap<String, Figures> = BTreeMap::new();
    for number in 0..trees {
        let mut dice = Dice((seed << 32) + number * 7_919 + 1);
        for _ in 0..8 {
            dice.below(2);
        }
        let index_mode = if number % 2 == 0 { "off" } else { "on" };
        let place = Place::configured(&config(index_mode, model));
        let (kind, make) = hostile::TREES[usize::try_from(number).unwrap() % hostile::TREES.len()];
        make(&place.tree(), &mut dice);
        let kind = format!("{kind}, index {index_mode}");
        let mut client = bounded(&place);
        client.initialize();
        let id = client.request("tools/list", &json!({}));
        let tools = client.answer(id)["result"]["tools"].as_array().unwrap().clone();
        for _ in 0..requests {
            let (tool, arguments) = hostile::call(&tools, &mut dice, 1_000);
            let shown = format!("{tool} {arguments}").chars().take(300).collect::<String>();
            if trees == 1 {
                println!("{kind}: {shown}");
            }
            let started = Instant::now();
            let id = client.call(&tool, &arguments);
            let answer = client.answer(id);
            let elapsed = started.elapsed();
            let late = elapsed.saturating_sub(DEADLINE);
            let memory = peak(&client);
            assert!(late <= slack, "{late:?} late in a tree of {kind}: {shown}");
            let most = if index_mode == "on" { MEMORY_OF_INDEX } else { MEMORY };
            assert!(memory <= most, "{memory} KiB in a tree of {kind}: {shown}");
            assert!(answer["result"].is_object(), "{answer}: {shown}");
            assert_eq!(outside(&answer), None, "{shown}");
            kinds.entry(kind.clone()).or_default().add(elapsed, memory, &shown);
        }
        assert!(client.finish().status.success());
    }
    for (kind, figures) in kinds {
        figures.print(&kind);
    }
}

#[test]
fn the_search_for_the_reason_of_no_eligible_file_obeys_the_deadline() {
    let place = Place::configured(&config("on", refusing_model()));
    let mut directory = place.tree();
    directory.extend(["d"; 400]);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("needle.txt"), "needle\n").unwrap();
    let mut client = bounded(&place);
    client.initialize();
    // The index gives out the names at once, so that the whole time is spent on why none is wanted.
    let since = Instant::now();
    loop {
        let id = client.call("find_files", &json!({ "pattern": "*" }));
        if !client.answer(id).to_string().contains("index is not ready") {
            break;
        }
        assert!(since.elapsed() < PATIENCE);
    }
    let glob = format!("{{{}}}", vec!["*.x"; 1_000].join(","));
    let id = client
        .call("find_files", &json!({ "pattern": "(?:a+a+)+y", "include_path": vec![glob; 256] }));
    let started = Instant::now();
    let answer = client.answer(id);
    let late = started.elapsed().saturating_sub(DEADLINE);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert!(late <= SLACK, "{late:?}");
}

#[test]
fn the_largest_number_of_the_longest_messages_fits_into_memory() {
    const CALLS: usize = 68;
    let room = (8 << 20) - 1_000;
    let list = |item: &str| format!("[{}]", vec![item; room / (item.len() + 1)].join(","));
    let keys: Vec<String> = (0..room / 12).map(|number| format!("\"{number:07}\":0")).collect();
    for (kind, filler, said) in [
        ("numbers", list("0"), "more than 10000 values"),
        ("objects", list("{}"), "more than 10000 values"),
        ("keys", format!("{{{}}}", keys.join(",")), "more than 10000 values"),
        ("text", format!("\"{}\"", "a".repeat(room)), "unknown field `filler`"),
    ] {
        let place = Place::configured(&config("off", refusing_model()));
        let mut client = bounded(&place);
        client.initialize();
        let params =
            format!(r#"{{"name":"grep","arguments":{{"pattern":"x","filler":{filler}}}}}"#);
        for id in 0..CALLS {
            let head = format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/call","params":"#);
            client.send_raw(format!("{head}{params}}}\n").as_bytes());
        }
        let answers: Vec<String> = (0..CALLS).map(|_| client.next().to_string()).collect();
        let refused = answers.iter().filter(|answer| answer.contains(said)).count();
        let busy = answers.iter().filter(|answer| answer.contains("ACODE-SRC-009")).count();
        assert!(refused > 0 && refused + busy == CALLS, "{kind}: {refused} refused, {busy} busy");
        let peak = peak(&client);
        println!("{CALLS} messages of {kind}: {} MiB", peak >> 10);
        assert!(peak <= MEMORY, "{kind}: {peak} KiB");
        assert!(client.finish().status.success());
    }
}

/// A path of the answer that lies outside the tree.
fn outside(answer: &Value) -> Option<String> {
    let data = &answer["result"]["structuredContent"];
    let of = |result: &Value| {
        let path = result["path"].as_str().or_else(|| result["data"]["path"]["text"].as_str());
        path.map(str::to_owned)
    };
    let lists =
        ["results", "matches"].map(|list| data[list].as_array().cloned().unwrap_or_default());
    lists
        .concat()
        .iter()
        .filter_map(of)
        .find(|path| path.starts_with('/') || path.starts_with("../"))
}
