//! A scripted server on loopback: one act for each connection, and a record of what it received.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

/// When a test has hung.
const HUNG: Duration = Duration::from_secs(20);

/// What is done with one connection, once its request is read.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// These bytes; then the connection is closed.
    Send(Vec<u8>),
    /// Nothing, until the client closes the connection.
    Wait,
    /// These bytes, then nothing until the client closes the connection.
    SendAndWait(Vec<u8>),
    /// A body without end.
    Pour,
}

/// What was seen.
#[derive(Clone, Debug)]
pub(super) enum Seen {
    Request(Request),
    /// The client closed the connection of an [`Act`] that waits for it.
    Closed,
}

#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Request line and headers, as they came.
    pub(super) head: String,
    pub(super) body: String,
}

impl Request {
    pub(super) fn line(&self) -> &str {
        self.head.lines().next().unwrap()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &'_ str| {
            line.split(':').next().is_some_and(|found| found.eq_ignore_ascii_case(name))
        };
        let line = self.head.lines().skip(1).find(|line| named(line))?;
        Some(line.split_once(':')?.1.trim())
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

pub(super) struct Server {
    address: SocketAddr,
    seen: Receiver<Seen>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Takes as many connections as there are acts.
    pub(super) fn start(acts: Vec<Act>) -> Self {
        Self::with(acts, None)
    }

    /// The same behind TLS.
    pub(super) fn encrypted(acts: Vec<Act>, tls: Arc<ServerConfig>) -> Self {
        Self::with(acts, Some(tls))
    }

    fn with(acts: Vec<Act>, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, seen) = channel();
        let thread = thread::spawn(move || {
            for act in acts {
                let (stream, _) = listener.accept().unwrap();
                stream.set_read_timeout(Some(HUNG)).unwrap();
                match &tls {
                    None => perform(stream, act, &tell),
                    Some(tls) => {
                        let connection = ServerConnection::new(Arc::clone(tls)).unwrap();
                        perform(StreamOwned::new(connection, stream), act, &tell);
                    }
                }
            }
        });
        Self { address, seen, thread }
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(super) fn next(&self) -> Seen {
        self.seen.recv_timeout(HUNG).unwrap()
    }

    pub(super) fn request(&self) -> Request {
        match self.next() {
            Seen::Request(request) => request,
            Seen::Closed => panic!("a connection was closed instead"),
        }
    }

    /// All requests it has seen once every act is done.
    pub(super) fn requests(self) -> Vec<Request> {
        self.thread.join().unwrap();
        let requests = self.seen.try_iter().filter_map(|seen| match seen {
            Seen::Request(request) => Some(request),
            Seen::Closed => None,
        });
        requests.collect()
    }

    /// How many requests came, though the acts may be more.
    pub(super) fn count(self) -> usize {
        let Self { address, seen, thread } = self;
        // Connections that the test makes itself use the other acts up; they send nothing.
        while !thread.is_finished() {
            drop(TcpStream::connect(address));
            thread::yield_now();
        }
        seen.try_iter().filter(|seen| matches!(seen, Seen::Request(_))).count()
    }
}

fn perform(mut stream: impl Read + Write, act: Act, tell: &Sender<Seen>) {
    let Some(request) = read(&mut stream) else { return };
    tell.send(Seen::Request(request)).unwrap();
    match act {
        Act::Send(bytes) => send(&mut stream, &bytes),
        Act::Wait => wait(&mut stream, tell),
        Act::SendAndWait(bytes) => {
            send(&mut stream, &bytes);
            wait(&mut stream, tell);
        }
        Act::Pour => {
            send(
                &mut stream,
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
            );
            let chunk = [b"1000\r\n".as_slice(), &[b' '; 0x1000], b"\r\n"].concat();
            while stream.write_all(&chunk).is_ok() {}
            // It is the client that ended this.
            tell.send(Seen::Closed).unwrap();
        }
    }
}

/// A client that has heard enough may be gone.
fn send(stream: &mut impl Write, bytes: &[u8]) {
    if stream.write_all(bytes).is_ok() {
        stream.flush().unwrap_or(());
    }
}

fn wait(stream: &mut impl Read, tell: &Sender<Seen>) {
    let closed = match stream.read(&mut [0; 1]) {
        Ok(count) => count == 0,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    };
    if closed {
        tell.send(Seen::Closed).unwrap();
    }
}

/// None if the client left before it had said anything, or did not like the server's certificate.
fn read(stream: &mut impl Read) -> Option<Request> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if !stream.read(&mut byte).is_ok_and(|count| count == 1) {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let mut request = Request { head, body: String::new() };
    let mut body = vec![0; request.header("content-length").unwrap().parse().unwrap()];
    stream.read_exact(&mut body).unwrap();
    request.body = String::from_utf8(body).unwrap();
    Some(request)
}

/// A response of JSON.
pub(super) fn json(status: u16, headers: &[&str], body: &str) -> Act {
    Act::Send(bytes(
        status,
        &[&["content-type: application/json; charset=utf-8"], headers].concat(),
        body,
    ))
}

/// A response with these headers and no others but its length.
pub(super) fn bytes(status: u16, headers: &[&str], body: &str) -> Vec<u8> {
    let status = format!("HTTP/1.1 {status} Said");
    let length = format!("content-length: {}", body.len());
    [&[status.as_str()], headers, &[&length, "", body]].concat().join("\r\n").into_bytes()
}

/// The answer that an OpenAI-compatible server gives.
pub(super) fn answered() -> Act {
    json(200, &[], super::fixtures::OPENAI)
}
