//! Cost of cutting and serialising an answer, without the search.

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, SamplingMode};
use forge_search_core::agent::{Answer, Lines, Listing, Page, ResultItem, Searched, find_files};
use forge_search_core::budget::Budget;
use forge_search_engine::Tokenizer;
use serde_json::json;

/// A typical line of source text.
const LINE: &str = "\tif (unlikely(!ring_buffer_event_length(event) && cpu_buffer->nr_pages_to_update)) /* a comment */";

/// Times the longest answers that can be asked for, under the budget that is usual, and under one
/// that lets everything through.
pub(crate) fn measure(criterion: &mut Criterion) {
    Tokenizer::O200kBase.prepare();
    let mut group = criterion.benchmark_group("agent formatting");
    let short = Duration::from_millis(1);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(1_000)
        .warm_up_time(short)
        .measurement_time(short);
    let usual = (32 << 10, 4_000);
    let wide = (256 << 20, 100_000);
    let cases = [
        ("20 results, 2 lines around, 4,000 tokens", answer(20, 2), usual),
        ("200 results, 20 lines around, 4,000 tokens", answer(200, 20), usual),
        ("200 results, 2 lines around, 100,000 tokens", answer(200, 2), wide),
        ("search_text: 200 results, 20 lines around, 4,000 tokens", ranked(200, 20), usual),
        ("search_text: 200 results, 2 lines around, 100,000 tokens", ranked(200, 2), wide),
        ("paths: 200 results, 4,000 tokens", paths(200), usual),
        ("paths: 200 results, 100,000 tokens", paths(200), wide),
    ];
    for (name, answer, (bytes, tokens)) in cases {
        let budget = Budget { bytes, tokens, tokenizer: &Tokenizer::O200kBase };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let fitted = answer.fit(&budget);
                black_box((fitted.structured.to_string(), fitted.text));
            });
        });
    }
    group.finish();
}

/// An answer of `grep`, three results a file.
fn answer(results: u64, around: u64) -> Answer {
    let found = |at: u64| {
        let path = format!("drivers/net/ethernet/vendor/family/file_{}.c", at / 3);
        let line = 100 + at % 3 * 50;
        let lines = |from: u64| {
            (from..from + around).map(|line| (line, LINE.to_owned())).collect::<Vec<_>>()
        };
        let texts = |from: u64| lines(from).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        let (above, below) = (line - around, line + 1);
        let context = json!({ "before": texts(above), "after": texts(below) });
        ResultItem {
            json: json!({ "path": path, "line": line, "match": LINE, "context": context }),
            path,
            heading: String::new(),
            lines: Lines {
                matching: vec![(line, LINE.to_owned())],
                around: [lines(above), lines(below)].concat(),
            },
            cut: false,
        }
    };
    Answer {
        nouns: ("matching line", "matching lines"),
        total: results,
        results: (0..results).map(found).collect(),
        page: Page { max_results: usize::try_from(results).unwrap_or(usize::MAX), offset: 0 },
        stopped: None,
        searched: Searched { files: 100_000, ..Searched::default() },
        notices: Vec::new(),
        advice: String::new(),
        counts: String::new(),
        listing: Listing::Pages,
        fields: serde_json::Map::new(),
    }
}

/// An answer of `search_text`: the same, with a score and the lines of each file.
fn ranked(results: u64, around: u64) -> Answer {
    let mut answer = answer(results, around);
    answer.nouns = ("matching file", "matching files");
    for (at, found) in (0_u32..).zip(&mut answer.results) {
        found.path = format!("{}-{at}", found.path);
        found.heading = format!(" (0.{at:03}, 12 lines)");
        let context = found.json["context"].take();
        found.json = json!({
            "path": found.path, "line": 100, "score": 0.5, "snippet": LINE, "match_count": 12,
            "match_lines": [1, 2, 3, 5, 8, 13, 21, 34, 55, 89], "context": context,
        });
    }
    answer
}

/// An answer of the path search.
fn paths(results: u64) -> Answer {
    let modified = || Some("2026-01-01T00:00:00Z".to_owned());
    let path = |at| format!("drivers/net/ethernet/vendor/family/{}/file_{at}.c", at / 3);
    Answer {
        nouns: ("file", "files"),
        results: (0..results).map(|at| find_files::found(path(at), Some(at), modified())).collect(),
        ..answer(results, 0)
    }
}
