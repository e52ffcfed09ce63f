//! Sections 9 and 10 of document 003: fuzzy fallback under budgets and failures, and what `stats`
//! hold.
//!
//! Which passes there are and which is the answer is held against the model by lockstep and the
//! goldens; here stands what needs a clock, a backend that misbehaves, or the table of fields.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::clauses::{self, Fake, Ground, answer, json, lines, only, over, warm_up};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{BackendChoice, Config, Preset};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry, Keys};
use touchstone::golden;
use touchstone_spec::Spec;
use touchstone_spec::index::{StatsField, StatsType};

/// A configuration from a file with these lines in `[tools.search]`, over one program.
fn configured(program: &Path, settings: &str) -> Config {
    let toml = format!("[tools.search]\n{settings}\n");
    let read = Config::from_toml(&toml, Preset::Agent).unwrap();
    Config { emit_stats: true, index: read.index, ..only(program) }
}

fn needle() -> Value {
    json!({"pattern": "needle", "fixed_strings": true})
}

fn near(case: Case) -> Case {
    let mut case = case;
    case.config.keys = Keys::default().with("emit_stats", true).with("fuzzy_fallback", true);
    case
}

fn spec() -> Spec {
    Spec::load(&golden::workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn fallback_and_stats_are_disabled_until_configured() {
    touchstone::verifies!(
        "CFG-LSI-STAT-01",
        "CFG-LSI-FUZ-01",
        "FR-LSI-FUZ-01",
        "CFGKEY-LSI-emit_stats",
        "CFGKEY-LSI-fuzzy_fallback"
    );
    let ground = Ground::of(&over(&[("a", "neadle\n")], json!({})));
    let empty = Config::from_toml("", Preset::Documents).unwrap();
    assert!(!empty.emit_stats);
    let config = Config { enabled: true, backend: BackendChoice::Native, ..empty };
    let seen = json(ground.service(config).call("Search", &needle()));
    assert_eq!((&seen["count"], seen.get("stats")), (&json!(0), None));
    let on = "[tools.search]\nenabled = true\nbackend = \"native\"\nemit_stats = true\nfuzzy_fallback = true\n";
    let seen = json(
        ground.service(Config::from_toml(on, Preset::Documents).unwrap()).call("Search", &needle()),
    );
    assert_eq!((&seen["count"], &seen["stats"]["fallback_used"]), (&json!(1), &json!(true)));
}

/// Whether a value has the type that the table states for its field.
fn fits(field: &StatsField, value: &Value) -> bool {
    let listed = |value: &Value| {
        let reasons = field.values_from.is_some();
        value.as_str().is_some_and(|text| {
            reasons || field.values.is_empty() || field.values.iter().any(|allowed| allowed == text)
        })
    };
    match field.kind {
        _ if value.is_null() => field.nullable,
        StatsType::String => listed(value),
        StatsType::Boolean => value.is_boolean(),
        StatsType::Integer => {
            value.is_u64() && field.value.is_none_or(|only| value == &json!(only))
        }
        StatsType::Integers => value.as_array().is_some_and(|all| all.iter().all(Value::is_u64)),
        StatsType::Strings => value.as_array().is_some_and(|all| all.iter().all(listed)),
    }
}

#[test]
fn stats_have_exactly_the_fields_of_their_table() {
    touchstone::verifies!(
        "FR-LSI-STAT-01",
        "FR-LSI-STAT-02",
        "FR-LSI-SCHEMA-RESP-03",
        "STAT-stats_version",
        "STAT-index_safety_state",
        "STAT-index_uncertain_reason",
        "STAT-index_exclusion_used",
        "STAT-storage_mode",
        "STAT-storage_fallback_reason",
        "STAT-fallback_used",
        "STAT-fallback_reason",
        "STAT-fuzzy_levels_tried",
        "STAT-elapsed_ms",
        "STAT-candidates_total",
        "STAT-candidates_excluded",
        "STAT-candidates_scanned",
        "FBR-LITERAL_NO_MATCHES",
        "FBR-null",
        "E-H03"
    );
    let spec = spec();
    let fields = &spec.index.stats.fields;
    let ground = Ground::of(&over(&[("a", "neadle\nfoo\nfoo\n"), ("b", "foo\n")], json!({})));
    let native = Config {
        backend: BackendChoice::Native,
        ..configured(Path::new(""), "fuzzy_fallback = true")
    };
    let service = ground.service(native);
    for request in [
        needle(),
        json!({"pattern": "foo"}),
        json!({"pattern": "foo", "max_results": 1, "max_matches_per_file": 1}),
        json!({"pattern": "zzz", "fixed_strings": true}),
        json!({"pattern": "absent", "max_files": 1}),
    ] {
        let response = service.call("Search", &request).unwrap();
        let written = serde_json::to_string(&response).unwrap();
        let stats = &serde_json::to_value(&response).unwrap()["stats"];
        // In the order of the table, as it is written.
        let (_, mut left) = written.split_once("\"stats\":").unwrap();
        for field in fields {
            let key = format!("\"{}\":", field.name.value);
            let after = left.split_once(key.as_str());
            (_, left) = after.unwrap_or_else(|| panic!("no {key} after the one before: {written}"));
            let value = &stats[&field.name.value];
            assert!(fits(field, value), "{}: {value}", field.name.value);
        }
        assert_eq!(stats.as_object().unwrap().len(), fields.len(), "{stats}");
        let number = |key: &str| stats[key].as_u64().unwrap();
        assert_eq!(
            number("candidates_excluded") + number("candidates_scanned"),
            number("candidates_total"),
            "{stats}"
        );
        assert_eq!(stats["fallback_used"] == false, stats["fallback_reason"].is_null(), "{stats}");
        assert_eq!(
            stats["fallback_used"] == false,
            stats["fuzzy_levels_tried"] == json!([]),
            "{stats}"
        );
    }
}

#[test]
fn only_stats_fields_declared_variable_differ_between_runs() {
    touchstone::verifies!("FR-LSI-STAT-03", "FR-LSI-STAT-04", "STAT-elapsed_ms", "E-H01");
    let spec = spec();
    let ground = Ground::of(&over(&[("a", "neadle\n"), ("b", "foo\n")], json!({})));
    let call = |threads: usize| {
        let config = configured(Path::new(""), "fuzzy_fallback = true");
        let config = Config { backend: BackendChoice::Native, threads, ..config };
        json(ground.service(config).call("Search", &needle()))["stats"].clone()
    };
    let (first, second) = (call(1), call(4));
    for field in &spec.index.stats.fields {
        let name = &field.name.value;
        if field.class.name() == "deterministic" {
            assert_eq!(first[name], second[name], "{name}");
        }
        assert!(!name.ends_with("_ms") || field.class.name() == "best_effort", "{name}");
    }
}

#[test]
fn a_fallback_pass_keeps_the_limits_and_options_of_its_request() {
    touchstone::verifies!("FR-LSI-FUZ-G-02");
    let files = [
        ("a.txt", "hay\nneadle\nneadle\n"),
        ("b.rs", "neadle\n"),
        (".h.txt", "neadle\n"),
        ("ig.txt", "neadle\n"),
    ];
    let ask = |extra: Value| {
        let mut request = needle();
        request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let case = over(&files, request).with(Entry::file(".gitignore", "ig.txt\n"));
        answer(&near(case.with(Entry::link("l.txt", "b.rs"))))
    };
    assert_eq!(lines(&ask(json!({}))), ["a.txt:2:1:neadle", "a.txt:3:1:neadle", "b.rs:1:1:neadle"]);
    assert_eq!(lines(&ask(json!({"max_results": 1}))), ["a.txt:2:1:neadle"]);
    let around = ask(json!({"context": 1, "max_results": 2}));
    assert_eq!(lines(&around), ["a.txt-1-hay", "a.txt:2:1:neadle"]);
    assert_eq!(
        (&around["truncated"], &around["stats"]["fuzzy_levels_tried"]),
        (&json!(true), &json!([1]))
    );
    assert_eq!(lines(&ask(json!({"glob": ["*.rs"]}))), ["b.rs:1:1:neadle"]);
    assert_eq!(lines(&ask(json!({"hidden": true, "glob": [".h*"]}))), [".h.txt:1:1:neadle"]);
    assert_eq!(lines(&ask(json!({"no_ignore": true, "glob": ["ig*"]}))), ["ig.txt:1:1:neadle"]);
    assert_eq!(lines(&ask(json!({"follow": true, "glob": ["l*"]}))), ["l.txt:1:1:neadle"]);
    assert_eq!(lines(&ask(json!({"pattern": "NEEDLE", "case": "sensitive"}))), [""; 0]);
    assert_eq!(
        lines(&ask(json!({"pattern": "NEEDLE", "glob": ["*.rs"], "case": "insensitive"}))),
        ["b.rs:1:1:neadle"]
    );
}

#[test]
fn fallback_does_not_follow_a_deadline_or_an_error() {
    touchstone::verifies!(
        "FR-LSI-FUZ-04",
        "T-LSI-EXIT-01",
        "T-LSI-EXIT-02",
        "FR-LSI-EXIT-03",
        "FR-LSI-BE-EXIT-02",
        "E-G04",
        "FR-LSI-FUZ-03"
    );
    let ground = Ground::of(&over(&[("a", "neadle\n")], json!({})).with(Entry::dir("empty")));
    let call = |fake: &Fake, timeout: u64| {
        let service = ground.service(configured(&fake.program, "fuzzy_fallback = true"));
        warm_up(&service, "empty");
        json(service.call(
            "Search",
            &json!({"pattern": "needle", "fixed_strings": true, "timeout_ms": timeout}),
        ))
    };
    let late = call(&Fake::ripgrep("exec sleep 30"), 300);
    assert_eq!((&late["timed_out"], &late["count"]), (&json!(true), &json!(0)));
    assert_eq!(
        (&late["stats"]["fallback_used"], &late["stats"]["fuzzy_levels_tried"]),
        (&json!(false), &json!([]))
    );
    // A file that could not be read is an error; that nothing was found in the others proves
    // nothing.
    let case =
        near(over(&[("a", "neadle\n")], needle()).with(Entry::file("b", "hay\n").unreadable()));
    let seen = clauses::asked_unprivileged(&case).unwrap();
    assert_eq!((&seen["count"], &seen["stats"]["fallback_used"]), (&json!(0), &json!(false)));
    assert_eq!(seen["errors"].as_array().unwrap().len(), 1);
    // A status of 1 without matches is: nothing was found.
    let nothing = answer(&near(over(&[("a", "neadle\n")], needle())));
    assert_eq!(nothing["stats"]["fallback_reason"], "LITERAL_NO_MATCHES");
}

#[test]
fn fallback_does_not_follow_a_failed_backend() {
    touchstone::verifies!("FR-LSI-FUZ-04", "T-LSI-EXIT-01", "FR-LSI-EXIT-03", "FR-LSI-BE-EXIT-02");
    let ground = Ground::of(&over(&[("a", "neadle\n")], json!({})).with(Entry::dir("empty")));
    for status in [2, 3, 4, 127, 255] {
        let words = format!("echo x >> \"$here/runs\"; echo broken >&2; exit {status}");
        let fake = Fake::ripgrep(&words);
        let service = ground.service(configured(&fake.program, "fuzzy_fallback = true"));
        warm_up(&service, "empty");
        let error = service.call("Search", &needle()).unwrap_err();
        assert_eq!(serde_json::to_value(&error).unwrap()["class"], "ExecutionFailed", "{status}");
        assert_eq!(fake.note("runs").lines().count(), 1, "{status}: no second run");
    }
    // What was named counts (E-F06): nothing with the status of matches is nothing.
    let fake = Fake::ripgrep("echo x >> \"$here/runs\"; \"$real\" \"$@\"; exit 0");
    let service = ground.service(configured(&fake.program, "fuzzy_fallback = true"));
    warm_up(&service, "empty");
    let seen = json(service.call("Search", &needle()));
    assert_eq!((&seen["count"], &seen["stats"]["fallback_used"]), (&json!(1), &json!(true)));
    assert!(fake.note("runs").lines().count() > 1);
}

#[test]
fn only_a_literal_without_any_match_is_searched_approximately() {
    touchstone::verifies!("FR-LSI-EXIT-03", "FR-LSI-FUZ-02", "FR-LSI-FUZ-03", "FBR-null");
    let files = [("a", "neadle\nfoo\nfoo\n"), ("b", "foo\n")];
    let ask = |request: Value| {
        let seen = answer(&near(over(&files, request)));
        let stats = &seen["stats"];
        let tried = stats["fuzzy_levels_tried"].as_array().unwrap().len();
        assert_eq!(stats["fallback_used"] == true, tried > 0, "{stats}");
        assert_eq!(stats["fallback_reason"].is_null(), tried == 0, "{stats}");
        (seen["count"].as_u64().unwrap(), tried)
    };
    assert_eq!(ask(needle()), (1, 1));
    for (request, count) in [
        (json!({"pattern": "foo", "fixed_strings": true}), 3),
        (json!({"pattern": "foo", "fixed_strings": true, "max_results": 1}), 1),
        (json!({"pattern": "needle"}), 0),
        (json!({"pattern": "nxedle", "fixed_strings": true, "fuzzy": 1}), 0),
        (json!({"pattern": "needle", "fixed_strings": true, "fuzzy": 1}), 1),
        (json!({"pattern": "needle", "fixed_strings": true, "word_regexp": true}), 0),
        // Files that were not looked at leave it open whether there is a match.
        (json!({"pattern": "needle", "fixed_strings": true, "max_files": 1}), 0),
    ] {
        assert_eq!(ask(request.clone()), (count, 0), "{request}");
    }
}

#[test]
fn a_backend_without_file_lists_gets_file_arguments_and_supports_every_fallback_pass() {
    touchstone::verifies!("FBR-CAPABILITY_MISSING", "E-G08");
    let ground = Ground::of(&over(&[("a", "neadle\n"), ("b/c", "neexle\n")], json!({})));
    let fake = Fake::ripgrep(
        "for file; do case \"$file\" in -*) ;; *) echo \"$file\" >> \"$here/asked\";; esac; done\n\
         exec \"$real\" \"$@\"",
    );
    let service = ground.service(configured(&fake.program, "fuzzy_fallback = true"));
    for (pattern, found) in [
        (needle()["pattern"].clone(), 2),
        (json!("xxxxxxxx"), 0),
        (json!("\u{fffd}".repeat(8)), 0),
        // As long as a pattern may be.
        (json!("n".repeat(16_384)), 0),
    ] {
        let request = json!({"pattern": pattern, "fixed_strings": true});
        let seen = json(service.call("Search", &request));
        let stats = &seen["stats"];
        assert_eq!(
            (&seen["count"], &stats["fallback_used"], &stats["fallback_skipped_reason"]),
            (&json!(found), &json!(true), &json!(null)),
            "{request}"
        );
    }
    let asked = fake.note("asked");
    assert!(asked.lines().all(|file| ["./a", "./b/c"].contains(&file)), "no directory: {asked}");
}

#[test]
fn the_reported_elapsed_time_is_the_measured_one() {
    touchstone::verifies!("STAT-elapsed_ms");
    let ground = Ground::of(&over(&[("a", "needle\n")], json!({})).with(Entry::dir("empty")));
    let fake = Fake::ripgrep("sleep 0.3; exec \"$real\" \"$@\"");
    let service = ground.service(configured(&fake.program, ""));
    warm_up(&service, "empty");
    let begun = Instant::now();
    let told = json(service.call("Search", &needle()))["stats"]["elapsed_ms"].as_u64().unwrap();
    let took = u64::try_from(begun.elapsed().as_millis()).unwrap();
    assert!((300..=took).contains(&told), "{told} of {took}");
}

#[test]
fn all_fallback_passes_together_obey_the_deadline() {
    touchstone::verifies!(
        "T-LSI-FUZ-03",
        "FR-LSI-FUZ-G-03",
        "FR-LSI-FUZ-G-03.4",
        "E-G06",
        "FR-LSI-FUZ-G-02"
    );
    let ground = Ground::of(&over(&[("a", "hay\n")], json!({})).with(Entry::dir("empty")));
    // Every run takes most of the time, so that the first pass is begun and cannot be ended: with
    // all the time for itself it would end after six seconds at the earliest.
    let fake = Fake::ripgrep("sleep 3; exec \"$real\" \"$@\"");
    let service = ground.service(configured(&fake.program, "fuzzy_fallback = true"));
    warm_up(&service, "empty");
    let begun = Instant::now();
    let request = json!({"pattern": "needle", "fixed_strings": true, "timeout_ms": 4_000});
    let seen = json(service.call("Search", &request));
    assert!(begun.elapsed() < Duration::from_millis(5_500), "{:?}", begun.elapsed());
    let stats = &seen["stats"];
    let tried = stats["fuzzy_levels_tried"].as_array().unwrap().len() as u64;
    assert_eq!(tried + stats["fallback_passes_skipped"].as_u64().unwrap(), 3, "{stats}");
    assert!(tried < 3, "{stats}");
    assert_eq!(stats["fallback_skipped_reason"], "NO_TIME_LEFT");
    // The exact pass was complete, and its answer is not spoilt by one that was not.
    assert_eq!(
        (&seen["timed_out"], &seen["truncated"], &seen["count"]),
        (&json!(false), &json!(false), &json!(0))
    );
}
