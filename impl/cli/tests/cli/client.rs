//! A client of the server: what the tests of the protocol stand on.
//!
//! Nothing here uses the SDK: what is written and read are lines. Every wait has an end, so that a
//! server that hangs fails a test.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::place::Place;

/// Longest wait for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// One connection to a server of its own.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    /// Read, and not asked for yet.
    waiting: VecDeque<Value>,
    next_id: u64,
}

/// How a connection ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// From the end of the input on.
    pub(crate) took: Duration,
    /// What came that nobody had asked for.
    pub(crate) rest: Vec<Value>,
    pub(crate) stderr: String,
}

impl Client {
    pub(crate) fn start(place: &Place, args: &[&str]) -> Self {
        let mut command = place.program();
        command.arg("mcp").args(["--log", "warn"]).args(args);
        Self::of(command)
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let lines = lines_of(child.stdout.take().unwrap());
        let errors = lines_of(child.stderr.take().unwrap());
        Self { child, input, lines, errors, waiting: VecDeque::new(), next_id: 0 }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes());
    }

    /// Opens the connection.
    pub(crate) fn initialize(&mut self) -> Value {
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
        });
        let id = self.request("initialize", &hello);
        let answer = self.answer(id);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        answer
    }

    /// Sends a request and gives its id.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    pub(crate) fn cancel(&mut self, id: u64) {
        let why = json!({ "requestId": id, "reason": "test" });
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": why }));
    }

    /// The next message, whatever it is.
    pub(crate) fn next(&mut self) -> Value {
        match self.waiting.pop_front() {
            Some(message) => message,
            None => self.read(PATIENCE).expect("the server says something"),
        }
    }

    /// The next message that is this one's answer; others are kept.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.waiting.iter().position(|message| message["id"] == id) {
            return self.waiting.remove(at).unwrap();
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message =
                self.read(left).unwrap_or_else(|| panic!("no answer to {id}: {:?}", self.waiting));
            if message["id"] == id {
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    /// What has been kept.
    pub(crate) fn kept(&mut self) -> Vec<Value> {
        self.waiting.drain(..).collect()
    }

    /// The next line as it came.
    pub(crate) fn next_line(&mut self) -> String {
        assert!(self.waiting.is_empty(), "something has been kept");
        self.read_line(PATIENCE).expect("the server says something")
    }

    /// The next line of standard error.
    pub(crate) fn next_error(&mut self) -> String {
        self.errors.recv_timeout(PATIENCE).expect("the server logs something")
    }

    fn read(&mut self, patience: Duration) -> Option<Value> {
        self.read_line(patience).map(|line| message(&line))
    }

    fn read_line(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                panic!("the server has ended: {:?}", self.child.wait())
            }
        }
    }

    /// Ends the input and waits for the end.
    pub(crate) fn finish(mut self) -> Ended {
        drop(self.input.take());
        self.ended()
    }

    /// Waits for the end.
    pub(crate) fn ended(mut self) -> Ended {
        let since = Instant::now();
        let mut rest: Vec<Value> = self.kept();
        // The output ends when the program does.
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(message(&line)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end"),
            }
        }
        let status = self.child.wait().unwrap();
        let took = since.elapsed();
        let stderr = self.errors.iter().map(|line| line + "\n").collect();
        Ended { status, took, rest, stderr }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args(["-s", name, &self.pid().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After a test that failed; else it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything on standard output is a message of the protocol, on a line of its own.
pub(crate) fn message(line: &str) -> Value {
    let value: Value =
        serde_json::from_str(line).unwrap_or_else(|err| panic!("not a message: {err}: {line}"));
    assert_eq!(value["jsonrpc"], "2.0", "{line}");
    value
}

fn lines_of(out: impl Read + Send + 'static) -> Receiver<String> {
    let (line, lines) = channel();
    thread::spawn(move || {
        for read in BufReader::new(out).lines() {
            let Ok(read) = read else { break };
            if line.send(read).is_err() {
                break;
            }
        }
    });
    lines
}
