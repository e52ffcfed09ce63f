//! A model server on loopback: it sends scripted responses and records requests.
//!
//! Not here: prompts, and the use of answers. Invariant: when a server goes out of scope, its
//! thread has ended.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

/// When a test has hung.
const HUNG: Duration = Duration::from_secs(60);

/// How a server is spoken to, by its name in the configuration.
pub(crate) const PROTOCOLS: [&str; 3] = ["openai", "anthropic", "ollama"];

/// What becomes of one request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A status, further headers, a body.
    Say(u16, Vec<String>, String),
    /// These bytes, then the connection is cut.
    Cut(Vec<u8>),
    /// Nothing, for as long as the client waits.
    Hang,
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Request line and headers.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: Value,
}

impl Asked {
    /// The path of the address.
    pub(crate) fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    /// The system text and the user text of the request.
    pub(crate) fn said(&self) -> (String, String) {
        let text =
            |value: &Value| value.as_str().unwrap_or_else(|| panic!("{}", self.body)).to_owned();
        let messages = &self.body["messages"];
        match self.body.get("system") {
            Some(system) => (text(system), text(&messages[0]["content"])),
            None => (text(&messages[0]["content"]), text(&messages[1]["content"])),
        }
    }
}

/// The response in which a model answers `text`.
pub(crate) fn answering(protocol: &str, text: &str) -> Act {
    let body = match protocol {
        "openai" => {
            json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]})
        }
        "anthropic" => {
            json!({"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"})
        }
        "ollama" => {
            json!({"message": {"role": "assistant", "content": text}, "done": true, "done_reason": "stop"})
        }
        other => panic!("no protocol `{other}`"),
    };
    saying(200, &body)
}

/// A response of JSON.
pub(crate) fn saying(status: u16, body: &Value) -> Act {
    Act::Say(status, Vec::new(), body.to_string())
}

#[derive(Default)]
struct Seen {
    asked: Mutex<Vec<Asked>>,
    more: Condvar,
}

/// The server.
pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Seen>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Does one act for each request, and the last of them for all that come after.
    pub(crate) fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, over) = (Arc::new(Seen::default()), Arc::new(AtomicBool::new(false)));
        let thread = thread::spawn({
            let (seen, over) = (Arc::clone(&seen), Arc::clone(&over));
            move || {
                let mut acts = acts.into_iter().peekable();
                while let Ok((stream, _)) = listener.accept() {
                    if over.load(Ordering::SeqCst) {
                        return;
                    }
                    stream.set_read_timeout(Some(HUNG)).unwrap();
                    let next = acts.next().unwrap();
                    if acts.peek().is_none() {
                        acts = vec![next.clone()].into_iter().peekable();
                    }
                    serve(stream, next, &seen);
                }
            }
        });
        Self { address, seen, over, thread: Some(thread) }
    }

    /// Answers `text` to whatever is asked in a protocol.
    pub(crate) fn answering(protocol: &str, text: &str) -> Self {
        Self::start(vec![answering(protocol, text)])
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    /// What it was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.seen.asked.lock().unwrap().clone()
    }

    /// The only request there was.
    pub(crate) fn only(&self) -> Asked {
        let mut asked = self.asked();
        assert_eq!(asked.len(), 1, "{asked:?}");
        asked.remove(0)
    }

    /// Waits until so many requests have come.
    pub(crate) fn await_asked(&self, count: usize) {
        let asked = self.seen.asked.lock().unwrap();
        let (asked, waited) =
            self.seen.more.wait_timeout_while(asked, HUNG, |asked| asked.len() < count).unwrap();
        assert!(!waited.timed_out(), "{} requests came", asked.len());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the server fell over");
    }
}

fn serve(mut stream: TcpStream, act: Act, seen: &Seen) {
    let Some(asked) = read(&mut stream) else { return };
    seen.asked.lock().unwrap().push(asked);
    seen.more.notify_all();
    let bytes = match act {
        Act::Say(status, headers, body) => {
            let mut head = vec![
                format!("HTTP/1.1 {status} Said"),
                "content-type: application/json".to_owned(),
            ];
            head.extend(headers);
            head.push(format!("content-length: {}\r\n\r\n{body}", body.len()));
            head.join("\r\n").into_bytes()
        }
        Act::Cut(bytes) => bytes,
        Act::Hang => {
            // Until the client closes the connection; whatever else it does is of no interest.
            let _ = stream.read(&mut [0]);
            return;
        }
    };
    // A client that has heard enough may be gone.
    let _ = stream.write_all(&bytes);
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if !stream.read(&mut byte).is_ok_and(|count| count == 1) {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.trim().parse().unwrap()];
    stream.read_exact(&mut body).unwrap();
    Some(Asked { head, body: serde_json::from_slice(&body).unwrap() })
}
