//! Cost of cutting and serialising an answer, without the search.

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, SamplingMode};
use forge_search_core::agent::{Answer, Lines, Listing, Page, ResultItem, Searched};
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
    let cases = [
        ("20 results, 2 lines around, 4,000 tokens", 20, 2, 32 << 10, 4_000),
        ("200 results, 20 lines around, 4,000 tokens", 200, 20, 32 << 10, 4_000),
        ("200 results, 2 lines around, 100,000 tokens", 200, 2, 256 << 20, 100_000),
    ];
    for (name, results, around, bytes, tokens) in cases {
        let answer = answer(results, around);
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
