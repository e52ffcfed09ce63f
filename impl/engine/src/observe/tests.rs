use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, with_local_recorder,
};
use tracing::Level;

use super::{Outcome, UNKNOWN_TOOL, call_ended, index_state, rate_limited, span};
use crate::index::IndexStatus;

/// What is logged, as text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn logged(level: Level, tell: impl FnOnce()) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, tell);
    let bytes = log.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// Every recorded metric, one line each.
#[derive(Clone, Default)]
struct Figures(Arc<Mutex<Vec<String>>>);

struct Figure(String, Figures);

impl Figure {
    fn note(&self, what: &str) {
        self.1.0.lock().unwrap().push(format!("{} {what}", self.0));
    }
}

impl CounterFn for Figure {
    fn increment(&self, by: u64) {
        self.note(&format!("+{by}"));
    }

    fn absolute(&self, to: u64) {
        self.note(&format!("={to}"));
    }
}

impl GaugeFn for Figure {
    fn increment(&self, by: f64) {
        self.note(&format!("+{by}"));
    }

    fn decrement(&self, by: f64) {
        self.note(&format!("-{by}"));
    }

    fn set(&self, to: f64) {
        self.note(&format!("={to}"));
    }
}

impl HistogramFn for Figure {
    fn record(&self, value: f64) {
        self.note(&format!("<- {value}"));
    }
}

impl Figures {
    fn of(&self, key: &Key) -> Arc<Figure> {
        let labels: Vec<String> =
            key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        Arc::new(Figure(format!("{} {}", key.name(), labels.join(" ")), self.clone()))
    }
}

impl Recorder for Figures {
    fn describe_counter(&self, _: KeyName, _: Option<metrics::Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<metrics::Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<metrics::Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.of(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.of(key))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.of(key))
    }
}

fn told(tell: impl FnOnce()) -> Vec<String> {
    let figures = Figures::default();
    with_local_recorder(&figures, tell);
    std::mem::take(&mut *figures.0.lock().unwrap())
}

const SECRET: &str = "sk_live_51HxYz";

fn call(query: Option<&str>) {
    let span = span(7, "search_text", query);
    let _inside = span.enter();
    rate_limited("search_text", 30, 45);
    call_ended(
        "search_text",
        Outcome::Failed("rate_limit_exceeded"),
        Duration::from_micros(1_500),
        0,
    );
}

/// NFR-015b-15: the events of a call can be joined, and separated from those of other calls.
#[test]
fn every_event_of_a_call_has_its_number_tool_and_query_hash_and_length() {
    let log = logged(Level::INFO, || call(Some(SECRET)));
    assert_eq!(log.lines().count(), 2, "{log}");
    for line in log.lines() {
        for part in ["query_id=7", "tool=\"search_text\"", "query_hash=", "query_bytes=14"] {
            assert!(line.contains(part), "{part} is missing: {line}");
        }
    }
    assert!(
        log.contains(
            "call ended outcome=\"error\" error=\"rate_limit_exceeded\" results=0 elapsed_ms=1.5"
        ),
        "{log}"
    );
}

#[test]
fn the_call_number_is_logged_even_at_level_warn() {
    let log = logged(Level::WARN, || call(Some(SECRET)));
    assert!(
        log.lines().count() == 1
            && log.contains("query_id=7")
            && log.contains("rate limit reached"),
        "{log}"
    );
}

#[test]
fn equal_queries_have_equal_hashes_and_others_differ() {
    let hash = |query: &str| {
        let log = logged(Level::INFO, || call(Some(query)));
        let (_, behind) = log.split_once("query_hash=").unwrap();
        behind.get(..16).unwrap().to_owned()
    };
    assert_eq!(hash("one"), hash("one"));
    assert_ne!(hash("one"), hash("two"));
}

/// SECC-015b-05.
#[test]
fn a_query_is_logged_only_at_level_debug_and_never_in_metrics() {
    let call = || call(Some(SECRET));
    for level in [Level::ERROR, Level::WARN, Level::INFO] {
        let log = logged(level, call);
        assert!(!log.contains(SECRET), "{level}: {log}");
    }
    let log = logged(Level::DEBUG, call);
    assert!(log.contains(SECRET) && log.contains("query_id=7"), "{log}");
    let figures = told(call);
    assert!(
        !figures.is_empty() && figures.iter().all(|figure| !figure.contains(SECRET)),
        "{figures:?}"
    );
}

#[test]
fn a_logged_query_is_cut_and_stays_on_one_line() {
    let query = format!("a\nINFO forged\u{1b}[2J{}", "x".repeat(5_000));
    let log = logged(Level::DEBUG, || drop(span(1, "grep", Some(&query))));
    assert!(log.lines().count() == 1 && !log.contains('\u{1b}') && log.len() < 1_500, "{log:?}");
}

#[test]
fn a_request_without_a_query_is_logged_too() {
    let log = logged(Level::INFO, || call(None));
    assert!(log.contains("query_id=7") && !log.contains("query_hash"), "{log}");
}

/// NFR-015b-14.
#[test]
fn a_violation_of_the_rate_limit_is_logged_and_counted() {
    let refuse = || rate_limited("grep", 30, 45);
    let log = logged(Level::WARN, refuse);
    assert!(
        log.contains("WARN") && log.contains("rate limit reached limit=30 retry_after_seconds=45"),
        "{log}"
    );
    assert_eq!(told(refuse), ["forge_search_rate_limited_total tool=grep +1"]);
}

/// FR-015b-38: latency, number of results, errors.
#[test]
fn every_call_is_measured_with_time_results_and_error() {
    let figures = told(|| {
        call_ended("grep", Outcome::Partial, Duration::from_millis(250), 12);
        call_ended(UNKNOWN_TOOL, Outcome::Failed("unknown_tool"), Duration::ZERO, 0);
    });
    assert_eq!(
        figures,
        [
            "forge_search_call_duration_seconds tool=grep <- 0.25",
            "forge_search_calls_total tool=grep outcome=partial +1",
            "forge_search_results_total tool=grep +12",
            "forge_search_call_duration_seconds tool=unknown <- 0",
            "forge_search_calls_total tool=unknown outcome=error +1",
            "forge_search_results_total tool=unknown +0",
            "forge_search_errors_total tool=unknown error=unknown_tool +1",
        ]
    );
}

#[test]
fn an_index_has_exactly_one_state_in_metrics() {
    let status = IndexStatus {
        root: "/tree".into(),
        state: "COMPLETE",
        reason: None,
        duty: "NONE",
        watcher_live: true,
        writer: true,
        files: 40,
        pending: 2,
        indexed_bytes: 0,
        directories: 0,
        segments: 0,
        storage: "memory",
        storage_fallback_reason: None,
        file: None,
        size_bytes: 0,
        build_phase: None,
        build_files_total: None,
        build_files_done: None,
        build_elapsed_ms: None,
    };
    let figures = told(|| index_state(&[status]));
    let is: Vec<_> = figures
        .iter()
        .filter(|figure| figure.contains("_state ") && figure.ends_with("=1"))
        .collect();
    assert_eq!(is, ["forge_search_index_state index=0 state=COMPLETE =1"]);
    assert_eq!(figures.iter().filter(|figure| figure.ends_with("=0")).count(), 5);
    assert!(figures.contains(&"forge_search_index_files index=0 =40".to_owned()), "{figures:?}");
    assert!(
        figures.contains(&"forge_search_index_pending_files index=0 =2".to_owned()),
        "{figures:?}"
    );
    assert!(figures.iter().all(|figure| !figure.contains("/tree")), "{figures:?}");
}
