//! What answers of the agent's tools say of what they lack, which the model lacks a clock and
//! failing programs for; the window of the rate limit, and tokens that are counted by bytes.
//!
//! Not here: notices that several calls or an index are needed for, which a test of the gate asks
//! ([`CIRCUMSTANCES`]).

use std::collections::BTreeSet;

use forge_search_core::agent::grep::{Found, FoundFile};
use forge_search_core::agent::{Draft, Listing, Page, Reason, Searched};
use forge_search_core::budget::{Budget, TokenCounter};
use forge_search_core::rate_limit::{self, RateLimiter};
use forge_search_engine::{PathError, Session, Tokenizer};
use serde_json::{Value, json};
use touchstone_model::agent::{Decision, decisions};
use touchstone_model::tables::agent::AgentTables;
use touchstone_model::tables::keyword::KeywordTables;

const REASONS: [&str; 9] = [
    "max_results",
    "budget",
    "counted",
    "terms_skipped",
    "max_files",
    "max_file_size_bytes",
    "timeout",
    "backend_error",
    "errors",
];

/// Reasons that an answer of `grep`, of `search_text` and of `keyword_search` never has.
const LEFT_OUT: [&[&str]; 3] =
    [&["counted", "terms_skipped"], &["counted", "terms_skipped"], &["counted", "backend_error"]];

/// Notices that an answer has at a time, in no order; the last two are of `keyword_search`.
pub const CIRCUMSTANCES: [&[&str]; 5] = [
    &["configuration", "index_not_ready", "nothing_eligible", "rate_limit_near"],
    &["configuration", "index_not_ready", "rate_limit_near", "substring"],
    &["configuration", "index_not_ready", "lines_cut", "rate_limit_near"],
    &["configuration", "index_not_ready", "nothing_eligible", "rate_limit_near"],
    &["configuration", "index_not_ready", "lines_cut", "rate_limit_near"],
];

/// The searches of a minute, and when calls are made, in milliseconds.
const RATE: u64 = 100;
const LATER: [u64; 3] = [59_999, 60_000, 61_000];

const TEXT_BYTES: usize = 300;

pub(super) fn of_tables(agent: &AgentTables, keyword: &KeywordTables) -> Value {
    let code = |name: &str| {
        let row = agent.notices.iter().find(|row| row.notice.name() == name);
        json!([name, row.and_then(|row| row.code)])
    };
    let notices = |names: &[&str]| -> Vec<Value> {
        let rows = agent.notices.iter().map(|row| row.notice.name());
        rows.filter(|name| names.contains(name)).map(code).collect()
    };
    let mut all = LEFT_OUT.map(|others| {
        let reasons = agent.reasons.iter().map(|row| row.reason.name());
        let reasons: Vec<&str> = reasons.filter(|name| !others.contains(name)).collect();
        json!([reasons, notices(&reasons)])
    });
    let of_keyword: Vec<&str> = keyword.reasons.iter().map(|row| row.name).collect();
    if let Some(last) = all.last_mut() {
        let notices: Vec<Value> = of_keyword.iter().map(|name| code(name)).collect();
        *last = json!([of_keyword, notices]);
    }
    let bounds = agent.reasons.iter().map(|row| (row.reason.name(), row.lower_bound));
    let bounds = bounds.chain(keyword.reasons.iter().map(|row| (row.name, row.lower_bound)));
    let [first, second, third, fourth, fifth] = CIRCUMSTANCES;
    let of_agent = [first, second, third].map(notices);
    let of_keyword = [fourth, fifth].map(|names| {
        let rows = keyword.notices.iter().copied();
        rows.filter(|name| names.contains(name)).map(code).collect::<Vec<_>>()
    });
    let rate = decisions(&agent.limits, RATE, &times()).into_iter().map(decided);
    json!({
        "all": all,
        "lower_bounds": bounds.collect::<BTreeSet<_>>(),
        "circumstances": of_agent.into_iter().chain(of_keyword).collect::<Vec<_>>(),
        "rate": rate.collect::<Vec<_>>(),
        "tokens": (TEXT_BYTES as u64).div_ceil(agent.limits.bytes_per_token),
    })
}

/// Production's, but for [`CIRCUMSTANCES`], whose notices are given.
pub(super) fn production(circumstances: &[Value]) -> Value {
    let all = LEFT_OUT.map(|others| {
        let page = page(&|name| !others.contains(&name));
        json!([page.get("incomplete_because"), notices(&page)])
    });
    let bounds = REASONS.map(|only| {
        let page = page(&|name| name == only);
        (only, page.get("total_is_lower_bound").and_then(Value::as_bool).unwrap_or_default())
    });
    let mut limiter = RateLimiter::new(Session::WINDOW_MS);
    let rate = times().into_iter().map(|now| {
        let accepted = limiter.try_acquire("grep", RATE, now);
        decided(match accepted {
            rate_limit::Decision::Accepted { .. } => {
                Decision::Accepted { near: accepted.is_near() }
            }
            rate_limit::Decision::Refused { retry_after_ms } => Decision::Refused {
                retry_after_seconds: rate_limit::retry_after_seconds(retry_after_ms),
            },
        })
    });
    json!({
        "all": all,
        "lower_bounds": bounds.into_iter().collect::<BTreeSet<_>>(),
        "circumstances": circumstances,
        "rate": rate.collect::<Vec<_>>(),
        "tokens": Tokenizer::Bytes.count(&"x".repeat(TEXT_BYTES)),
    })
}

/// As many calls as are allowed at once, and later ones.
fn times() -> Vec<u64> {
    (0..RATE).map(|_| 0).chain(LATER).collect()
}

fn decided(decision: Decision) -> Value {
    match decision {
        Decision::Accepted { near } => json!(near),
        Decision::Refused { retry_after_seconds } => json!(retry_after_seconds),
    }
}

/// Names and codes of an answer's notices.
pub fn notices(page: &Value) -> Value {
    let notices = page.get("notices").and_then(Value::as_array).into_iter().flatten();
    notices.map(|notice| json!([notice.get("notice"), notice.get("code")])).collect()
}

/// Production's answer that lacks something for these reasons.
fn page(lacks: &dyn Fn(&str) -> bool) -> Value {
    let stopped = [("counted", Reason::Counted), ("terms_skipped", Reason::TermsSkipped)];
    let stopped = stopped.into_iter().find(|(name, _)| lacks(name));
    let (left_out, behind) = (usize::from(lacks("budget")), usize::from(lacks("max_results")));
    let error = PathError { path: "a".to_owned(), error: "b".to_owned() };
    let draft = Draft {
        nouns: ("file", "files"),
        total: (left_out + behind) as u64,
        counts: String::new(),
        // None fits the budget.
        results: vec![
            Found::File(FoundFile { match_count: 1, path: "a".to_owned() });
            left_out * behind
        ],
        page: Page { offset: 0, max_results: left_out },
        stopped: stopped.map(|(_, reason)| (reason, String::new())),
        searched: Searched {
            files: 1,
            oversized: u64::from(lacks("max_file_size_bytes")),
            errors: lacks("errors").then_some(error).into_iter().collect(),
            more_files: lacks("max_files"),
            timed_out: lacks("timeout"),
            backend_failed: lacks("backend_error"),
            ..Searched::default()
        },
        notices: Vec::new(),
        advice: String::new(),
        listing: Listing::Pages,
        own: (),
    };
    draft.fit(&Budget { bytes: 0, tokens: 0, tokenizer: &Tokenizer::Bytes }).to_json()
}
