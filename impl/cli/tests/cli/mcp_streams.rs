//! Streams that a client does not read or close: none of them stops the server or fills the
//! memory.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::channel,
    thread,
    time::Instant,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::{Value, json};

use crate::client::PATIENCE;
use crate::place::Place;

/// Requests of the client that does not read. Their answers take less than the 64 MiB that may
/// wait.
const PINGS: usize = 200_000;
/// Memory of the server at most, in KiB.
const MEMORY: u64 = 128 << 10;
/// Calls whose log nobody reads: a pipe holds some 400 lines.
const CALLS: u64 = 2_000;
/// How long the program may take to end; two seconds are promised where nothing else runs.
const END_SECONDS: u64 = 8;
/// How long a server that takes no more input takes none.
const FULL: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };

const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"#,
    r#""2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

/// A server with an open connection, and its input.
fn started(mut command: Command) -> (Child, ChildStdin) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(HELLO.as_bytes()).unwrap();
    (child, input)
}

/// The most memory that a process has had, in KiB.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// The exit code, and seconds until it came. Kills a program that does not end.
fn ended(mut child: Child) -> (Option<i32>, u64) {
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), since.elapsed().as_secs());
        }
        thread::yield_now();
    }
    child.kill().unwrap();
    (child.wait().unwrap().code(), PATIENCE.as_secs())
}

/// Writes until the server takes nothing any more. Whether it came to that.
fn fill(input: &mut ChildStdin, bytes: &[u8]) -> bool {
    for chunk in bytes.chunks(4_096) {
        let mut ends = [PollFd::new(&*input, PollFlags::OUT)];
        if poll(&mut ends, Some(&FULL)).unwrap() == 0 {
            return true;
        }
        input.write_all(chunk).unwrap();
    }
    false
}

#[test]
fn a_client_that_pings_and_does_not_read_costs_little_memory() {
    let place = Place::configured("");
    let mut command = place.program();
    command.args(["mcp", "--log", "off"]).stderr(Stdio::null());
    let (mut child, mut input) = started(command);
    let ping = |id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
    let pings: String = (0..PINGS).map(ping).collect();
    input.write_all(pings.as_bytes()).unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..=PINGS {
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert!(answer["result"].is_object(), "{answer}");
    }
    let peak = peak(&child);
    assert!(peak <= MEMORY, "{peak} KiB");
    drop(input);
    assert_eq!(ended(child).0, Some(0));
}

#[test]
fn a_log_that_nobody_reads_stops_no_call() {
    let place = Place::configured("[tools.agent]\nsearches_per_minute = 100000\n");
    place.file("a.txt", "needle\n");
    let mut command = place.program();
    command.arg("mcp").stderr(Stdio::piped());
    let (mut child, mut input) = started(command);
    let (answer, answers) = channel();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| answer.send(line)));
    answers.recv_timeout(PATIENCE).unwrap();
    for id in 0..CALLS {
        let params = json!({"name": "grep", "arguments": {"pattern": "needle"}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        writeln!(input, "{call}").unwrap();
        let answer = answers.recv_timeout(PATIENCE);
        assert!(answer.is_ok(), "call {id} is not answered");
    }
    drop(input);
    assert_eq!(ended(child).0, Some(0));
}

#[test]
fn a_client_that_closes_its_output_and_reads_nothing_is_left() {
    let place = Place::configured("");
    let mut command = place.program();
    command.args(["mcp", "--log", "off"]).stderr(Stdio::null());
    let (child, mut input) = started(command);
    let list = |id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}\n");
    let lists: String = (0..40_000).map(list).collect();
    assert!(fill(&mut input, lists.as_bytes()), "all input is taken, whatever waits");
    let peak = peak(&child);
    assert!(peak <= MEMORY, "{peak} KiB");
    drop(input);
    let (code, seconds) = ended(child);
    assert!(code == Some(0) && seconds <= END_SECONDS, "{code:?} after {seconds} s");
}
