//! A client of the protocol over standard input and output: the handshake, listing, a call, the
//! end.
//!
//! Written from the protocol's text, not with its SDK, which the server of this house is built on:
//! two readings. Responsible for: messages, their ids, which answer is whose. Not here: the process
//! and its pipes (`process`). Invariants: no wait is longer than the deadline, whatever else the
//! server has to say meanwhile; what is not a message is no answer.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::process::{Process, ReadError};
use crate::subject::Broken;

/// The revision that is asked for; what a server speaks instead is good enough.
const REVISION: &str = "2025-06-18";
/// Longest wait for an answer.
const DEADLINE: Duration = Duration::from_secs(60);
/// Pages of a listing that are turned.
const PAGES: usize = 100;
/// Most characters of a message in an error.
const TOLD: usize = 400;

/// A connection.
pub(crate) struct Client {
    process: Process,
    next: u64,
}

impl Client {
    /// Starts a server and opens the connection.
    pub(crate) fn start(command: &mut Command) -> Result<Self, Broken> {
        let process = Process::start(command)
            .map_err(|error| Broken::Unstartable { reason: error.to_string() })?;
        let mut client = Self { process, next: 0 };
        client.open()?;
        Ok(client)
    }

    fn open(&mut self) -> Result<(), Broken> {
        let who = json!({ "name": "touchstone", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": REVISION, "capabilities": {}, "clientInfo": who });
        let answer = self.ask("initialize", &hello)?;
        if !answer.get("protocolVersion").is_some_and(Value::is_string) {
            return Err(garbled("no revision in the answer to `initialize`", &answer));
        }
        self.process.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        Ok(())
    }

    /// The tools that it lists, of all pages.
    pub(super) fn tools(&mut self) -> Result<Vec<Value>, Broken> {
        let mut tools = Vec::new();
        let mut params = json!({});
        for _ in 0..PAGES {
            let answer = self.ask("tools/list", &params)?;
            let page = answer.get("tools").and_then(Value::as_array);
            tools.extend(page.ok_or_else(|| garbled("no list of tools", &answer))?.iter().cloned());
            match answer.get("nextCursor").filter(|cursor| cursor.is_string()) {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return Ok(tools),
            }
        }
        Err(garbled("the list of tools has no end", &params))
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, Broken> {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// Ends the input and sees the server to its end.
    pub(crate) fn finish(self) -> Result<(), Broken> {
        self.process.finish()
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Broken> {
        let message = self.response(json!({ "method": method, "params": params }))?;
        match (message.get("result"), message.get("error")) {
            (Some(result), None) => Ok(result.clone()),
            (None, Some(error)) => Err(garbled(&format!("`{method}` is refused"), error)),
            _ => Err(garbled("neither a result nor an error", &message)),
        }
    }

    /// The response to a request, which gets an `id` unless it has one. Whatever else the server
    /// sends meanwhile is passed over.
    pub(crate) fn response(&mut self, mut request: Value) -> Result<Value, Broken> {
        self.next += 1;
        let number = json!(self.next);
        let id = request.get("id").cloned().unwrap_or(number);
        if let Value::Object(request) = &mut request {
            request.extend([("jsonrpc".to_owned(), json!("2.0")), ("id".to_owned(), id.clone())]);
        }
        self.process.send(&request);
        let until = Instant::now() + DEADLINE;
        loop {
            let message = self.receive(until)?;
            if message.get("id") == Some(&id) && message.get("method").is_none() {
                return Ok(message);
            }
        }
    }

    /// The next message.
    fn receive(&mut self, until: Instant) -> Result<Value, Broken> {
        let line = self.process.line(until).map_err(|silence| match silence {
            ReadError::Hung => self.process.hung(DEADLINE),
            ReadError::Ended => self.process.died(),
            ReadError::Endless(bytes) => {
                Broken::Garbled { reason: format!("a line of more than {bytes} bytes") }
            }
        })?;
        let message: Value = serde_json::from_slice(&line)
            .map_err(|error| garbled_text(&error.to_string(), &String::from_utf8_lossy(&line)))?;
        if message.get("jsonrpc").is_some_and(|version| version == "2.0") {
            Ok(message)
        } else {
            Err(garbled("not a message", &message))
        }
    }
}

/// What is wrong with a message, and its beginning.
pub(super) fn garbled(what: &str, message: &Value) -> Broken {
    garbled_text(what, &message.to_string())
}

fn garbled_text(what: &str, message: &str) -> Broken {
    let mut told: String = message.trim_end().chars().take(TOLD).collect();
    if told.len() < message.trim_end().len() {
        told.push('…');
    }
    Broken::Garbled { reason: format!("{what}: {told}") }
}
