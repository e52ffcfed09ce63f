//! When a second attempt is made, and what becomes of it.

use super::{
    fixtures::{ANSWER, NO_TEMPERATURE, OVERLOADED, RATE_LIMIT},
    server::{Act, Server, answered, json},
    *,
};

/// What was asked of a server that acts so, and its requests.
fn asked(acts: Vec<Act>) -> (Result<String, ModelFailure>, usize) {
    let server = Server::start(acts);
    let answer = ask(&model(preference(Protocol::OpenAi, server.url())));
    (answer, server.count())
}

fn refused(status: u16, message: &str) -> Result<String, ModelFailure> {
    Err(ModelFailure::Refused { status, message: message.to_owned() })
}

const LIMIT: &str = "Rate limit reached for gpt-5.4-mini on tokens per min (TPM): Limit 200000.";

#[test]
fn a_retry_waits_for_the_time_in_retry_after() {
    let server = Server::start(vec![json(429, &["retry-after: 0.05"], RATE_LIMIT), answered()]);
    let begun = Instant::now();
    assert_eq!(ask(&model(preference(Protocol::OpenAi, server.url()))), Ok(ANSWER.to_owned()));
    assert!(begun.elapsed() >= Duration::from_millis(50), "{:?}", begun.elapsed());
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].body, requests[1].body, "the second attempt asks the same");
}

#[test]
fn a_request_is_retried_once_only() {
    let limited = || json(429, &["retry-after: 0"], RATE_LIMIT);
    assert_eq!(asked(vec![limited(), limited(), answered()]), (refused(429, LIMIT), 2));
    let overloaded = || json(529, &[], OVERLOADED);
    assert_eq!(
        asked(vec![overloaded(), overloaded(), answered()]),
        (refused(529, "Overloaded"), 2)
    );
    let (answer, count) = asked(vec![Act::Send(Vec::new()), Act::Send(Vec::new()), answered()]);
    assert!(matches!(answer, Err(ModelFailure::Unreachable(_))), "{answer:?}");
    assert_eq!(count, 2);
}

#[test]
fn a_retry_wait_beyond_the_deadline_is_not_begun() {
    let begun = Instant::now();
    let patient = vec![json(429, &["retry-after: 31"], RATE_LIMIT), answered()];
    assert_eq!(asked(patient), (refused(429, LIMIT), 1));
    assert!(begun.elapsed() < LONG / 2, "{:?}", begun.elapsed());
    for endless in ["retry-after: 1e30", "retry-after: inf"] {
        assert_eq!(
            asked(vec![json(429, &[endless], RATE_LIMIT), answered()]),
            (refused(429, LIMIT), 1)
        );
    }
    // A date is as good as nothing: it waits for as long as it would anyhow.
    let dated =
        vec![json(503, &["retry-after: Wed, 21 Oct 2199 07:28:00 GMT"], OVERLOADED), answered()];
    assert_eq!(asked(dated), (Ok(ANSWER.to_owned()), 2));
    // No time is left for any pause.
    let server = Server::start(vec![json(500, &[], OVERLOADED), answered()]);
    let chosen = Chosen { preference: preference(Protocol::OpenAi, server.url()), key: None };
    let model = RemoteModel::with(chosen, Box::new(|| LONG), Trust::Only(Vec::new()));
    let soon = Instant::now() + Duration::from_millis(390);
    let answer = model.ask(&prompt(), soon, &[&AtomicBool::new(false)]);
    // On a machine that is very slow, time may be up before the refusal is read.
    assert!(
        answer == refused(500, "Overloaded") || answer == Err(ModelFailure::TimedOut),
        "{answer:?}"
    );
    assert_eq!(server.count(), 1, "200 ms, and at most 200 more by jitter, are more than 390");
}

#[test]
fn jitter_is_bounded() {
    let server = Server::start(vec![json(500, &[], OVERLOADED), answered()]);
    let chosen = Chosen { preference: preference(Protocol::OpenAi, server.url()), key: None };
    let model = RemoteModel::with(chosen, Box::new(|| Duration::MAX), Trust::Only(Vec::new()));
    let begun = Instant::now();
    assert_eq!(ask(&model), Ok(ANSWER.to_owned()));
    assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
}

#[test]
fn a_server_error_or_a_broken_connection_is_retried() {
    assert_eq!(asked(vec![json(500, &[], "oops"), answered()]), (Ok(ANSWER.to_owned()), 2));
    // Closed without a word; in the head; in the body.
    for cut in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\ncontent-ty",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"choices\":",
    ] {
        assert_eq!(asked(vec![Act::Send(cut.to_vec()), answered()]), (Ok(ANSWER.to_owned()), 2));
    }
}

#[test]
fn a_permanent_error_is_not_retried() {
    for status in [400, 401, 403, 404, 413] {
        let said = json(status, &[], r#"{"error":{"message":"The prompt is too long"}}"#);
        assert_eq!(asked(vec![said, answered()]), (refused(status, "The prompt is too long"), 1));
    }
    let malformed = vec![json(200, &[], "{"), answered()];
    let (answer, count) = asked(malformed);
    assert!(matches!(answer, Err(ModelFailure::Malformed(_))), "{answer:?}");
    assert_eq!(count, 1, "it has been paid for once");
}

#[test]
fn a_request_is_repeated_without_options_if_an_option_is_refused() {
    let server = Server::start(vec![json(400, &[], NO_TEMPERATURE), answered()]);
    assert_eq!(ask(&model(preference(Protocol::OpenAi, server.url()))), Ok(ANSWER.to_owned()));
    let requests = server.requests();
    let plain = serde_json::json!({
        "model": "qwen2.5-coder",
        "messages": [
            { "role": "system", "content": "Rank the files." },
            { "role": "user", "content": "Where is the retry?" },
        ],
        "stream": false,
        "max_tokens": 500,
    });
    assert_eq!(requests[1].json(), plain);
    let dislikes = || json(400, &[], NO_TEMPERATURE);
    let (answer, count) = asked(vec![dislikes(), dislikes(), answered()]);
    assert!(matches!(answer, Err(ModelFailure::Refused { status: 400, .. })), "{answer:?}");
    assert_eq!(count, 2);
}

#[test]
fn a_closed_port_is_unreachable_without_showing_the_address() {
    // A free port that was somebody's a moment ago may be somebody else's already; this one takes
    // more rights than a test's server has.
    let address = "127.0.0.1:1";
    let answer = ask(&model(preference(Protocol::OpenAi, format!("http://{address}"))));
    let Err(ModelFailure::Unreachable(why)) = answer else { panic!("{answer:?}") };
    assert!(why.to_lowercase().contains("refused"), "{why}");
    assert!(!why.contains(address), "{why}");
}
