//! The log and the figures of calls.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, Unit, with_local_recorder,
};
use serde_json::{Value, json};
use tracing::Level;

use crate::clauses_agent::asked::{Desk, text};

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

/// The lines that are logged up to a level while `act` runs.
pub(crate) fn logged(level: Level, act: impl FnOnce()) -> Vec<String> {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, act);
    let bytes = log.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

/// The value of `name=` in a line.
fn value(line: &str, name: &str) -> String {
    let (_, rest) =
        line.split_once(&format!("{name}=")).unwrap_or_else(|| panic!("no {name}: {line}"));
    rest.split([' ', '}']).next().unwrap().trim_matches('"').to_owned()
}

const FILES: &[(&str, &str)] = &[("a", "sk-live-4711\nfoo\n"), ("b", "foo\n")];

#[test]
fn every_call_is_logged_with_its_time_and_the_number_of_its_results() {
    touchstone::verifies!(
        "FR-015b-37",
        "AC-015",
        "NFR-015b-15",
        "BP-015b-08",
        "E2E-015b-04",
        "E-I20"
    );
    let desk = Desk::over(FILES, "");
    let mut ids = Vec::new();
    let lines = logged(Level::INFO, || {
        for (tool, request) in [
            ("grep", json!({"pattern": "foo"})),
            ("search_text", json!({"query": "foo"})),
            ("find_files", json!({"pattern": "*"})),
            ("grep", json!({"pattern": "(", "regex": true})),
        ] {
            ids.push(desk.call(tool, &request).query_id.to_string());
        }
    });
    let ended: Vec<&String> = lines.iter().filter(|line| line.contains("call ended")).collect();
    assert_eq!(ended.len(), 4, "{lines:#?}");
    let of = |name: &str| ended.iter().map(|line| value(line, name)).collect::<Vec<_>>();
    assert_eq!(of("query_id"), ids);
    assert_eq!(of("tool"), ["grep", "search_text", "find_files", "grep"]);
    assert_eq!(of("outcome"), ["complete", "complete", "complete", "error"]);
    assert_eq!(of("results"), ["2", "2", "2", "0"]);
    assert!(
        of("elapsed_ms").iter().all(|elapsed| elapsed.parse::<f64>().unwrap() >= 0.0),
        "{ended:#?}"
    );
    // Equal queries have equal hashes, and different ones different hashes.
    let hashes = of("query_hash");
    assert_eq!(
        (hashes[0] == hashes[1], hashes[0] == hashes[2], hashes[0].len()),
        (true, false, 16)
    );
    assert_eq!(of("query_bytes"), ["3", "3", "1", "1"]);
}

/// Every field of every tool that says what is looked for, or where, with the secret in it;
/// requests that are answered and such as are refused.
pub(crate) fn secrets() -> Vec<(&'static str, Value)> {
    let secret = "sk-live-4711";
    let keyword =
        |terms: Value| json!({"query": secret, "search_terms": terms, "use_model": false});
    vec![
        ("grep", json!({"pattern": secret})),
        ("grep", json!({"pattern": format!("{secret}("), "regex": true})),
        ("grep", json!({"pattern": secret, "directory": "nowhere"})),
        ("search_text", json!({"query": secret})),
        ("search_text", json!({"query": format!("\"{secret}")})),
        ("find_files", json!({"pattern": format!("*{secret}*")})),
        ("find_files", json!({"pattern": format!("[{secret}")})),
        ("keyword_search", keyword(json!([secret]))),
        ("keyword_search", keyword(json!([]))),
        ("grep", json!({"pattern": "foo", "directory": secret})),
        ("search_text", json!({"query": "foo", "include_path": format!("{secret}/**")})),
        ("find_files", json!({"pattern": "*", "exclude_path": format!("[{secret}")})),
        ("grep", json!({"pattern": "foo", "file_type": format!("{secret}*")})),
        ("grep", json!({"pattern": "foo", "case": secret})),
        (secret, json!({secret: secret})),
    ]
}

#[test]
fn a_query_is_logged_only_at_level_debug() {
    touchstone::verifies!("SECC-015b-05", "E-I20", "FR-015b-37");
    // The last calls are one too many.
    let desk = Desk::over(FILES, "searches_per_minute = 12");
    let ask = || {
        for (tool, request) in secrets().iter().chain(&secrets()) {
            desk.call(tool, request);
        }
    };
    let lines = logged(Level::INFO, ask);
    assert!(lines.len() >= 2 * secrets().len(), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("rate limit")), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.contains("live")), "{lines:#?}");
    desk.clock.goes_on(60_000);
    assert!(logged(Level::DEBUG, ask).iter().any(|line| line.contains("sk-live-4711")));
}

#[test]
fn a_timed_out_call_is_logged_and_counted_with_its_time() {
    touchstone::verifies!("FR-015b-37", "FR-015b-38", "NFR-015b-13", "BP-015b-08");
    let desk = Desk::slow("timeout_seconds = 1");
    let figures = Figures::default();
    let lines = logged(Level::INFO, || {
        with_local_recorder(&figures, || {
            desk.page("grep", &json!({"pattern": "[a-z]+ ?[0-9]", "regex": true}));
            desk.call("grep", &json!({}));
        });
    });
    let ended: Vec<&String> = lines.iter().filter(|line| line.contains("call ended")).collect();
    let told = |name: &str| ended.iter().map(|line| value(line, name)).collect::<Vec<_>>();
    assert_eq!(told("outcome"), ["partial", "error"], "{ended:#?}");
    assert_eq!(told("results"), ["1", "0"]);
    let elapsed: f64 = told("elapsed_ms")[0].parse().unwrap();
    assert!((900.0..60_000.0).contains(&elapsed), "{ended:#?}");
    let seconds = figures.of("forge_search_call_duration_seconds tool=grep");
    assert!(
        seconds.len() == 2 && (0.9..60.0).contains(&seconds[0]) && seconds[1] < 0.9,
        "{seconds:?}"
    );
    for outcome in ["partial", "error"] {
        let counted = figures.of(&format!("forge_search_calls_total outcome={outcome} tool=grep"));
        assert_eq!(counted, [1.0], "{outcome}");
    }
}

#[test]
fn a_breach_of_the_rate_limit_is_logged_and_counted() {
    touchstone::verifies!("NFR-015b-14");
    let desk = Desk::over(FILES, "searches_per_minute = 1");
    let figures = Figures::default();
    let lines = logged(Level::WARN, || {
        with_local_recorder(&figures, || {
            for _ in 0..3 {
                desk.call("grep", &json!({"pattern": "foo"}));
            }
        });
    });
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(
        lines.iter().all(|line| line.contains("rate limit") && value(line, "limit") == "1"),
        "{lines:#?}"
    );
    assert_eq!(figures.of("forge_search_rate_limited_total tool=grep"), [1.0, 1.0]);
}

#[test]
fn every_tool_reports_latency_results_and_errors() {
    touchstone::verifies!("FR-015b-38", "NFR-015b-13");
    let desk = Desk::over(FILES, "");
    let figures = Figures::default();
    with_local_recorder(&figures, || {
        for (tool, field) in
            [("grep", "pattern"), ("search_text", "query"), ("find_files", "pattern")]
        {
            let sought = if tool == "find_files" { "*" } else { "foo" };
            for _ in 0..3 {
                desk.call(tool, &json!({ field: sought }));
            }
            assert_eq!(text(&desk.call(tool, &json!({})).structured["error"]), "invalid_query");
        }
    });
    for tool in ["grep", "search_text", "find_files"] {
        // Every duration is recorded, so that a recorder has all percentiles.
        let durations = figures.of(&format!("forge_search_call_duration_seconds tool={tool}"));
        assert_eq!(durations.len(), 4);
        assert!(durations.iter().all(|seconds| (0.0..60.0).contains(seconds)), "{durations:?}");
        let results: f64 =
            figures.of(&format!("forge_search_results_total tool={tool}")).iter().sum();
        assert!((results - 6.0).abs() < 1e-9, "{tool}: {results}");
        let errors =
            figures.of(&format!("forge_search_errors_total error=invalid_query tool={tool}"));
        assert_eq!(errors, [1.0], "{tool}");
        assert_eq!(
            figures.of(&format!("forge_search_calls_total outcome=complete tool={tool}")).len(),
            3
        );
    }
}

/// Every recorded figure, by name and labels.
#[derive(Clone, Default)]
struct Figures(Arc<Mutex<BTreeMap<String, Vec<f64>>>>);

impl Figures {
    fn of(&self, name: &str) -> Vec<f64> {
        self.0.lock().unwrap().get(name).cloned().unwrap_or_default()
    }

    fn named(&self, key: &Key) -> Arc<Figure> {
        let mut labels: Vec<String> =
            key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        labels.sort();
        labels.insert(0, key.name().to_owned());
        Arc::new(Figure(labels.join(" "), self.clone()))
    }
}

struct Figure(String, Figures);

impl Figure {
    fn note(&self, value: f64) {
        self.1.0.lock().unwrap().entry(self.0.clone()).or_default().push(value);
    }
}

impl CounterFn for Figure {
    fn increment(&self, by: u64) {
        self.note(f64::from(u32::try_from(by).unwrap()));
    }

    fn absolute(&self, _: u64) {
        panic!("nothing here counts so");
    }
}

impl HistogramFn for Figure {
    fn record(&self, value: f64) {
        self.note(value);
    }
}

impl Recorder for Figures {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.named(key))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.named(key))
    }
}
