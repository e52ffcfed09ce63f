//! The life of calls, with tools that do what the test tells them: turns, bounds, cancelling,
//! progress, the end.

use std::{
    io::{BufRead, BufReader, PipeWriter, Write, pipe},
    sync::{Arc, mpsc},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use forge_search_cli::mcp::{Limits, StartError, over};
use serde_json::{Value, json};

use crate::puppets::{PATIENCE, Puppets, Stage};

/// A client and its server in one process.
struct Conversation {
    stage: Arc<Stage>,
    to: Option<PipeWriter>,
    from: mpsc::Receiver<Value>,
    server: JoinHandle<Result<(), StartError>>,
}

impl Conversation {
    fn new(limits: Limits) -> Self {
        let stage = Arc::<Stage>::default();
        let (input, to) = pipe().unwrap();
        let (output, out) = pipe().unwrap();
        let tools = Puppets(Arc::clone(&stage));
        let server = std::thread::spawn(move || over(tools, &limits, BufReader::new(input), out));
        let (message, from) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let message_of = serde_json::from_str(&line.unwrap()).expect("a message");
                if message.send(message_of).is_err() {
                    return;
                }
            }
        });
        let mut conversation = Self { stage, to: Some(to), from, server };
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        conversation.send(
            &json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello }),
        );
        assert_eq!(conversation.receive()["id"], "hello");
        conversation
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.to.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    fn hold(&mut self, name: &str) {
        self.call(name, &json!({ "name": "hold", "arguments": { "name": name } }));
    }

    fn call(&mut self, id: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
    }

    fn cancel(&mut self, id: &str) {
        let which = json!({ "requestId": id });
        self.send(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": which }),
        );
    }

    fn receive(&self) -> Value {
        self.from.recv_timeout(PATIENCE).expect("the server says something")
    }

    /// Asks for a sign of life; what comes first is no answer of a call.
    fn ping(&mut self) {
        self.send(&json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" }));
        assert_eq!(self.receive()["id"], "ping");
    }

    /// Ends the input and waits for the end; gives what was still said, and how long it took.
    fn end(mut self) -> (Vec<Value>, Duration) {
        drop(self.to.take());
        let since = Instant::now();
        let rest: Vec<Value> = self.from.iter().collect();
        self.server.join().unwrap().expect("it ends well");
        (rest, since.elapsed())
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("call {number:02}")).collect()
}

#[test]
fn four_calls_run_sixty_four_wait_and_one_more_is_refused_at_once() {
    let mut talk = Conversation::new(Limits::default());
    for name in &names(69) {
        talk.hold(name);
    }
    let refused = talk.receive();
    assert_eq!((&refused["id"], &refused["result"]["isError"]), (&json!("call 68"), &json!(true)));
    assert_eq!(text(&refused), "busy: hold, 68 calls are running or waiting");
    talk.stage.wait("four run", |state| state.running == 4);
    talk.stage.change(|state| state.everything_released = true);
    let mut answered: Vec<String> = (0..68).map(|_| text(&talk.receive()).to_owned()).collect();
    answered.sort();
    assert_eq!(answered, names(68));
    talk.stage.change(|state| assert_eq!(state.most_running, 4));
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn a_call_without_room_in_its_tool_is_refused_at_once_and_takes_no_slot() {
    let mut talk = Conversation::new(Limits { running: 1, waiting: 0, ..Limits::default() });
    for _ in 0..3 {
        talk.hold("no room");
        assert_eq!(text(&talk.receive()), "busy: hold, no room");
    }
    talk.stage.change(|state| state.everything_released = true);
    talk.hold("first");
    assert_eq!(text(&talk.receive()), "first");
}

#[test]
fn calls_that_wait_for_an_external_service_do_not_block_local_calls() {
    let mut talk = Conversation::new(Limits::default());
    for name in &names(5) {
        talk.call(name, &json!({ "name": "ask", "arguments": { "name": name } }));
    }
    talk.stage.wait("four run", |state| state.running == 4);
    talk.hold("here");
    talk.stage.wait("it runs beside them", |state| state.begun.contains(&"here".to_owned()));
    talk.stage.change(|state| assert_eq!(state.running, 5));
    talk.stage.release("here");
    assert_eq!(text(&talk.receive()), "here");
    talk.stage.change(|state| assert!(!state.begun.contains(&"call 04".to_owned())));
    talk.stage.change(|state| state.everything_released = true);
    let mut answered: Vec<String> = (0..5).map(|_| text(&talk.receive()).to_owned()).collect();
    answered.sort();
    assert_eq!(answered, names(5));
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn calls_run_in_the_order_of_their_arrival() {
    let mut talk = Conversation::new(Limits { running: 1, waiting: 67, ..Limits::default() });
    let names = names(69);
    let (last, first) = names.split_last().unwrap();
    for name in first {
        talk.hold(name);
    }
    talk.stage.wait("one runs", |state| state.running == 1);
    talk.stage.release("call 00");
    assert_eq!(text(&talk.receive()), "call 00");
    // One that comes now is the last, and its turn comes.
    talk.hold(last);
    talk.stage.change(|state| state.everything_released = true);
    let mut answered: Vec<String> = (1..69).map(|_| text(&talk.receive()).to_owned()).collect();
    answered.sort();
    assert_eq!(answered, names[1..]);
    talk.stage.change(|state| assert_eq!(state.begun, names));
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn a_waiting_call_that_is_cancelled_never_runs_and_frees_its_slot() {
    let mut talk = Conversation::new(Limits { running: 1, waiting: 1, ..Limits::default() });
    talk.hold("runs");
    talk.stage.wait("it runs", |state| state.running == 1);
    talk.hold("waits");
    talk.cancel("waits");
    // Cancelled calls are not answered, so the place is free as soon as a call is accepted again.
    let until = Instant::now() + PATIENCE;
    loop {
        talk.hold("next");
        talk.send(&json!({ "jsonrpc": "2.0", "id": "sign", "method": "ping" }));
        let first = talk.receive();
        if first["id"] == "sign" {
            break;
        }
        // What is refused is refused before anything that comes later is answered.
        assert_eq!((text(&first), &talk.receive()["id"]), ("busy: hold, 2", &json!("sign")));
        assert!(Instant::now() < until, "the place is never free");
    }
    talk.stage.change(|state| state.everything_released = true);
    let mut answers = [text(&talk.receive()).to_owned(), text(&talk.receive()).to_owned()];
    answers.sort();
    assert_eq!(answers, ["next", "runs"]);
    talk.stage.change(|state| assert!(!state.begun.contains(&"waits".to_owned())));
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn a_running_call_is_cancelled_at_once_and_not_answered() {
    let mut talk = Conversation::new(Limits::default());
    talk.hold("long");
    talk.stage.wait("it runs", |state| state.running == 1);
    let since = Instant::now();
    talk.cancel("long");
    talk.stage.wait("it is told", |state| state.cancelled.contains("long"));
    assert!(since.elapsed() < Duration::from_millis(100), "{:?}", since.elapsed());
    talk.stage.wait("it ends", |state| state.running == 0);
    talk.ping();
    // Cancelling what is over, or never was, does nothing.
    talk.cancel("long");
    talk.cancel("nobody");
    talk.ping();
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn progress_is_reported_on_request_while_it_advances_and_not_after_the_answer() {
    let quick = Duration::from_millis(1);
    let mut talk =
        Conversation::new(Limits { quiet: quick, between_reports: quick, ..Limits::default() });
    talk.stage
        .change(|state| state.progress.extend([("told".to_owned(), 0), ("untold".to_owned(), 5)]));
    talk.hold("untold");
    let asks = json!({ "name": "hold", "arguments": { "name": "told" }, "_meta": { "progressToken": "t-1" } });
    talk.call("told", &asks);
    for done in [0, 3, 7] {
        talk.stage.at("told", done);
        let report = talk.receive();
        assert_eq!(report["method"], "notifications/progress");
        let told = json!({ "progressToken": "t-1", "progress": f64::from(u32::try_from(done).unwrap()), "total": 10.0, "message": format!("{done} things") });
        assert_eq!(report["params"], told);
    }
    // No more than before is no progress, and neither is less.
    for done in [7, 6] {
        talk.stage.at("told", done);
        talk.stage.change(|state| state.asked = 0);
        talk.stage.wait("it is asked a few times", |state| state.asked > 3);
    }
    talk.ping();
    talk.stage.release("told");
    assert_eq!(text(&talk.receive()), "told");
    talk.stage.at("told", 9);
    talk.ping();
    talk.stage.release("untold");
    assert_eq!(text(&talk.receive()), "untold");
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn no_progress_report_follows_the_answer() {
    let mut talk = Conversation::new(Limits {
        quiet: Duration::ZERO,
        between_reports: Duration::ZERO,
        ..Limits::default()
    });
    for number in 0..300 {
        let name = format!("call {number}");
        let asks = json!({ "name": "hold", "arguments": { "name": name }, "_meta": { "progressToken": name } });
        talk.call(&name, &asks);
        // It makes progress whenever it is asked for it.
        assert_eq!(talk.receive()["params"]["progressToken"], name);
        talk.stage.release(&name);
        while talk.receive()["id"] != name {}
        talk.ping();
    }
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn a_call_that_panics_is_a_protocol_error_and_other_calls_go_on() {
    let mut talk = Conversation::new(Limits { running: 1, waiting: 8, ..Limits::default() });
    talk.call("burst", &json!({ "name": "burst" }));
    assert_eq!(talk.receive()["error"]["code"], -32603);
    talk.stage.release("after");
    talk.hold("after");
    assert_eq!(text(&talk.receive()), "after");
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn the_id_of_an_open_request_is_refused_until_its_call_is_answered() {
    let mut talk = Conversation::new(Limits::default());
    talk.hold("same");
    talk.hold("same");
    let refused = talk.receive();
    assert_eq!((&refused["error"]["data"]["field"], refused.get("id")), (&json!("id"), None));
    talk.stage.release("same");
    assert_eq!(text(&talk.receive()), "same");
    talk.hold("same");
    assert_eq!(text(&talk.receive()), "same");
    assert_eq!(talk.end().0, Vec::<Value>::new());
}

#[test]
fn at_the_end_of_input_calls_get_a_grace_period_before_they_are_cut() {
    let grace = Duration::from_millis(300);
    let mut talk = Conversation::new(Limits { grace, ..Limits::default() });
    talk.hold("quick");
    talk.hold("slow");
    talk.stage.wait("both run", |state| state.running == 2);
    let stage = Arc::clone(&talk.stage);
    let to = talk.to.take();
    drop(to);
    stage.release("quick");
    let (mut rest, took) = talk.end();
    rest.sort_by_key(|message| message["id"].to_string());
    let said: Vec<&str> = rest.iter().map(text).collect();
    // What is known when a call is cut is its answer.
    assert_eq!(said, ["quick", "slow"]);
    assert!(took >= grace && took < Duration::from_secs(2), "{took:?}");
    stage.change(|state| assert_eq!(state.cancelled.iter().collect::<Vec<_>>(), ["slow"]));
}

#[test]
fn calls_are_cut_at_once_when_the_output_is_closed() {
    let stage = Arc::<Stage>::default();
    let (input, mut to) = pipe().unwrap();
    let (output, out) = pipe().unwrap();
    let tools = Puppets(Arc::clone(&stage));
    let server =
        std::thread::spawn(move || over(tools, &Limits::default(), BufReader::new(input), out));
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
    let params = json!({ "name": "hold", "arguments": { "name": "long" }, "_meta": meta });
    writeln!(
        to,
        "{}",
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
    )
    .unwrap();
    stage.wait("it runs", |state| state.running == 1);
    drop(output);
    // It is noticed when something is to be written.
    writeln!(to, "rubbish").unwrap();
    stage.wait("it is cut", |state| state.cancelled.contains("long"));
    server.join().unwrap().expect("it ends well");
}

#[test]
fn an_overlong_line_is_refused_and_the_last_line_needs_no_line_feed() {
    let mut talk = Conversation::new(Limits::default());
    let mut long = vec![b' '; 9 << 20];
    long.push(b'\n');
    talk.raw(&long);
    let refused = talk.receive();
    assert_eq!((&refused["error"]["code"], refused.get("id")), (&json!(-32600), None));
    assert!(refused["error"]["message"].as_str().unwrap().contains("8388608 bytes"), "{refused}");
    talk.raw(b"\n\r\n  \n");
    talk.ping();
    talk.raw(b"{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}");
    let (rest, _) = talk.end();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["id"], "last");
}

#[test]
fn a_message_of_more_than_eight_mebibytes_is_refused() {
    let mut talk = Conversation::new(Limits::default());
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":\"edge\",\"method\":\"ping\"}";
    for (length, is_read) in [(8 << 20, true), ((8 << 20) + 1, false)] {
        let mut line = ping.to_vec();
        line.resize(length, b' ');
        line.push(b'\n');
        talk.raw(&line);
        let answer = talk.receive();
        assert_eq!(answer.get("id") == Some(&json!("edge")), is_read, "{length}: {answer}");
        talk.ping();
    }
    assert_eq!(talk.end().0, Vec::<Value>::new());
}
