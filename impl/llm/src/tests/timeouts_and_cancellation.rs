//! A call whose time is up, or that is cancelled.

use std::{sync::atomic::Ordering, thread};

use super::{
    fixtures::{ANSWER, RATE_LIMIT},
    server::{Act, Seen, Server, answered, json},
    *,
};

/// How long it is, once a call is cancelled, until it returns.
const PROMPT: Duration = Duration::from_millis(100);

#[test]
fn a_slow_answer_is_not_awaited_beyond_the_deadline() {
    let half =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{".to_vec();
    for slow in [Act::Wait, Act::SendAndWait(b"HTTP/1.1 2".to_vec()), Act::SendAndWait(half)] {
        let server = Server::start(vec![slow]);
        let model = model(preference(Protocol::OpenAi, server.url()));
        let given = Duration::from_millis(150);
        let begun = Instant::now();
        let answer = model.ask(&prompt(), begun + given, &[&AtomicBool::new(false)]);
        assert_eq!(answer, Err(ModelFailure::TimedOut));
        assert!(begun.elapsed() >= given && begun.elapsed() < LONG / 2, "{:?}", begun.elapsed());
        server.request();
        assert!(matches!(server.next(), Seen::Closed), "the connection is closed");
    }
}

#[test]
fn no_request_is_sent_after_the_deadline_or_a_cancellation() {
    let server = Server::start(vec![answered()]);
    let model = model(preference(Protocol::OpenAi, server.url()));
    assert_eq!(
        model.ask(&prompt(), Instant::now(), &[&AtomicBool::new(false)]),
        Err(ModelFailure::TimedOut)
    );
    let soon = Instant::now() + LONG;
    assert_eq!(model.ask(&prompt(), soon, &[&AtomicBool::new(true)]), Err(ModelFailure::Cancelled));
    assert_eq!(server.count(), 0);
}

#[test]
fn a_cancelled_call_returns_at_once_and_closes_its_connection() {
    // A machine that is busy may be late; it is not late three times.
    let took = (0..3).map(|_| cancelled_after(Act::Wait)).min().unwrap();
    assert!(took < PROMPT, "{took:?}");
}

#[test]
fn a_call_that_waits_for_a_retry_can_be_cancelled() {
    let took = (0..3)
        .map(|_| {
            let server = Server::start(vec![json(429, &["retry-after: 20"], RATE_LIMIT)]);
            cancel_once_seen(&server)
        })
        .min()
        .unwrap();
    assert!(took < PROMPT, "{took:?}");
}

fn cancelled_after(act: Act) -> Duration {
    let server = Server::start(vec![act]);
    let took = cancel_once_seen(&server);
    assert!(matches!(server.next(), Seen::Closed), "the connection is closed");
    took
}

fn cancel_once_seen(server: &Server) -> Duration {
    let model = model(preference(Protocol::OpenAi, server.url()));
    let cancelled = AtomicBool::new(false);
    thread::scope(|scope| {
        let call = scope.spawn(|| {
            let answer = model.ask(&prompt(), Instant::now() + LONG, &[&cancelled]);
            (answer, Instant::now())
        });
        server.request();
        let at = Instant::now();
        cancelled.store(true, Ordering::Relaxed);
        let (answer, returned) = call.join().unwrap();
        assert_eq!(answer, Err(ModelFailure::Cancelled));
        returned.saturating_duration_since(at)
    })
}

#[test]
fn a_model_can_be_called_twice_and_from_the_runtime_of_a_caller() {
    let server = Server::start(vec![answered(), answered(), answered()]);
    let model = model(preference(Protocol::OpenAi, server.url()));
    assert_eq!(ask(&model), Ok(ANSWER.to_owned()));
    assert_eq!(ask(&model), Ok(ANSWER.to_owned()));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let answer =
        runtime.block_on(async { tokio::task::spawn_blocking(move || ask(&model)).await.unwrap() });
    assert_eq!(answer, Ok(ANSWER.to_owned()));
}
