//! The rate limit.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use forge_search_core::rate_limit::{self, RateLimiter};
use forge_search_engine::Call;
use forge_search_engine::json::Json;
use serde_json::json;
use touchstone_model::agent::{self, decisions};
use touchstone_model::generated::agent::AGENT;

use crate::clauses_agent::asked::{Desk, notices, text};

const FILES: &[(&str, &str)] = &[("a", "foo\n")];

fn grep() -> serde_json::Value {
    json!({"pattern": "foo"})
}

#[test]
fn calls_up_to_the_rate_limit_are_answered_and_further_ones_refused() {
    touchstone::verifies!(
        "FR-015b-28",
        "UT-015b-RL-01",
        "UT-015b-RL-02",
        "AC-011",
        "ACODE-SRC-003",
        "PAYLOAD-RATE-01",
        "SECC-015b-03",
        "SC-015b-04",
        "FM-015b-04",
        "FR-015b-31",
        "UT-015b-RL-04",
        "FR-015b-30"
    );
    let desk = Desk::over(FILES, "searches_per_minute = 3");
    for _ in 0..3 {
        assert!(!desk.call("grep", &grep()).is_error);
        desk.clock.goes_on(5_000);
    }
    let answer = desk.call("search_text", &json!({"query": "foo"}));
    assert!(answer.is_error);
    let error = &answer.structured;
    assert_eq!(
        (text(&error["error"]), text(&error["code"])),
        ("rate_limit_exceeded".into(), "ACODE-SRC-003".into())
    );
    assert_eq!(error["retry_after_seconds"], json!(45));
    assert!(text(&error["message"]).contains("(3/min)"), "{error}");
    let fields: Vec<&String> = error.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["code", "error", "message", "retry_after_seconds"]);
    // A caller that waits for the advised time is answered; the advice can be read off the text as
    // well.
    assert!(answer.text.contains("45"), "{}", answer.text);
    desk.clock.goes_on(45_000);
    assert!(!desk.call("grep", &grep()).is_error);
}

#[test]
fn the_rate_limit_window_slides() {
    touchstone::verifies!("UT-015b-RL-03", "FR-015b-28", "E-I15");
    let desk = Desk::over(FILES, "searches_per_minute = 2");
    let is_answered = || !desk.call("grep", &grep()).is_error;
    assert!(is_answered());
    desk.clock.goes_on(30_000);
    assert!(is_answered() && !is_answered());
    desk.clock.goes_on(29_999);
    assert!(!is_answered(), "the first call is not a minute ago");
    desk.clock.goes_on(1);
    assert!(is_answered() && !is_answered(), "the second still counts");
    desk.clock.goes_on(60_000);
    assert!(is_answered() && is_answered() && !is_answered());
}

#[test]
fn a_notice_reports_the_rate_limit_from_four_fifths_on() {
    touchstone::verifies!("FR-015b-30", "AC-012");
    let desk = Desk::over(FILES, "searches_per_minute = 10");
    let near: Vec<bool> = (0..10)
        .map(|_| notices(&desk.page("grep", &grep())).contains(&"rate_limit_near".to_owned()))
        .collect();
    assert_eq!(near, [[false; 7].as_slice(), &[true; 3]].concat());
}

#[test]
fn requests_of_any_content_are_counted_and_not_read_beyond_the_limit() {
    touchstone::verifies!("FR-015b-28", "BP-015b-06", "E-I15");
    let desk = Desk::over(FILES, "searches_per_minute = 4");
    let error = |tool: &str, request| text(&desk.call(tool, &request).structured["error"]);
    assert_eq!(error("nothing", json!({})), "unknown_tool", "there is nothing to be counted");
    assert_eq!(error("grep", json!({})), "invalid_query");
    assert_eq!(error("grep", json!({"pattern": "(", "regex": true})), "invalid_query");
    assert_eq!(error("grep", json!({"pattern": "x", "offset": -1})), "invalid_argument");
    assert_eq!(error("grep", json!({"pattern": "x", "directory": ".."})), "path_not_allowed");
    for request in [grep(), json!({}), json!({"pattern": "x", "directory": ".."})] {
        assert_eq!(error("grep", request), "rate_limit_exceeded");
    }
    assert_eq!(desk.session.counts(0).into_iter().collect::<Vec<_>>(), [("grep".to_owned(), 4)]);
    // What the limit has refused is forgotten.
    desk.clock.goes_on(60_000);
    assert!((0..4).all(|_| !desk.call("grep", &grep()).is_error));
}

#[test]
fn every_session_has_a_separate_limit_for_all_tools_together() {
    touchstone::verifies!("FR-015b-28", "UT-015b-RL-05", "E-I15");
    let desk = Desk::over(FILES, "searches_per_minute = 3");
    let other = desk.toolbox.session();
    for (tool, request) in [
        ("grep", grep()),
        ("find_files", json!({"pattern": "*"})),
        ("Search", json!({"pattern": "foo"})),
    ] {
        assert!(!desk.call(tool, &request).is_error, "{tool}");
    }
    assert!(desk.call("search_text", &json!({"query": "foo"})).is_error);
    assert!(!desk.toolbox.call(&other, "grep", &Json(&grep()), &Call::new()).is_error);
    // How many there were of each tool is kept.
    let counts = BTreeMap::from([("Search", 1), ("find_files", 1), ("grep", 1)]);
    let kept = desk.session.counts(0);
    let kept: BTreeMap<&str, u64> =
        kept.iter().map(|(tool, count)| (tool.as_str(), *count)).collect();
    assert_eq!(kept, counts);
}

#[test]
fn concurrent_calls_do_not_exceed_the_rate_limit() {
    touchstone::verifies!("UT-015b-RL-07", "IT-015b-04", "SECC-015b-03");
    let desk = Desk::over(FILES, "searches_per_minute = 25");
    let (answered, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let answer = desk.call("grep", &grep());
                    let count = if answer.is_error { &refused } else { &answered };
                    count.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
    });
    assert_eq!((answered.into_inner(), refused.into_inner()), (25, 55));
}

/// The limiter knows nothing of searches: held against the model with times of any kind, and with
/// keys of any kind.
#[test]
fn the_rate_limiter_decides_as_in_the_model() {
    touchstone::verifies!(
        "NFR-015b-11",
        "FR-015b-28",
        "FR-015b-31",
        "UT-015b-RL-01",
        "UT-015b-RL-02",
        "UT-015b-RL-05"
    );
    let mut dice = 0x2545_f491_4f6c_dd1d_u64;
    let mut roll = |most: u64| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        dice % most
    };
    for round in 0..300 {
        let limit = 1 + roll(12);
        let step = [500, 5_000, 30_000, 61_000][usize::try_from(roll(4)).unwrap()];
        let mut now = roll(1_000_000);
        let times: Vec<u64> = (0..80)
            .map(|_| {
                now += if roll(3) == 0 { 0 } else { roll(step) };
                now
            })
            .collect();
        let mut limiter = RateLimiter::new(AGENT.limits.window_seconds * 1_000);
        let expected = decisions(&AGENT.limits, limit, &times);
        for (number, (now, expected)) in times.iter().zip(expected).enumerate() {
            let key = ["printer", "door", "lamp"][number % 3];
            let decided = limiter.try_acquire(key, limit, *now);
            let decided = match decided {
                rate_limit::Decision::Accepted { .. } => {
                    agent::Decision::Accepted { near: decided.is_near() }
                }
                rate_limit::Decision::Refused { retry_after_ms } => agent::Decision::Refused {
                    retry_after_seconds: rate_limit::retry_after_seconds(retry_after_ms),
                },
            };
            assert_eq!(
                decided, expected,
                "round {round}, limit {limit}, call {number} of {times:?}"
            );
            assert!(limiter.counts(*now).values().sum::<u64>() <= limit);
        }
    }
}
