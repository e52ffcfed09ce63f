//! Cost of cutting and serialising an answer, without the search.

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, BenchmarkGroup, Criterion, SamplingMode, measurement::WallTime};
use forge_search_core::agent::{
    Context, Draft, Listing, Page, Searched, Shown, find_files, grep, search_text,
};
use forge_search_core::budget::Budget;
use forge_search_engine::Tokenizer;

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
    let group = &mut group;
    time(group, "20 results, 2 lines around, 4,000 tokens", &answer(20, 2), usual);
    time(group, "200 results, 20 lines around, 4,000 tokens", &answer(200, 20), usual);
    time(group, "200 results, 2 lines around, 100,000 tokens", &answer(200, 2), wide);
    let text = |rest: &str| format!("search_text: 200 results, {rest}");
    time(group, &text("20 lines around, 4,000 tokens"), &ranked(200, 20), usual);
    time(group, &text("2 lines around, 100,000 tokens"), &ranked(200, 2), wide);
    time(group, "paths: 200 results, 4,000 tokens", &paths(200), usual);
    time(group, "paths: 200 results, 100,000 tokens", &paths(200), wide);
}

fn time<R: Shown + Clone>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    draft: &Draft<R>,
    (bytes, tokens): (u64, u64),
) {
    let budget = Budget { bytes, tokens, tokenizer: &Tokenizer::O200kBase };
    group.bench_function(name, |bencher| {
        bencher.iter_batched(
            || draft.clone(),
            |draft| {
                let answer = draft.fit(&budget);
                black_box((answer.to_json().to_string(), answer.text));
            },
            BatchSize::SmallInput,
        );
    });
}

/// An answer of `grep`, three results a file.
fn answer(results: u64, around: usize) -> Draft<grep::Found> {
    let found = |at: u64| {
        grep::Found::Line(grep::FoundLine {
            context: Some(context(around)),
            cut: false,
            line: 100 + at % 3 * 50,
            text: LINE.to_owned(),
            path: format!("drivers/net/ethernet/vendor/family/file_{}.c", at / 3),
        })
    };
    draft((0..results).map(found).collect(), ("matching line", "matching lines"))
}

/// An answer of `search_text`: the same, with a score and the lines of each file.
fn ranked(results: u64, around: usize) -> Draft<search_text::Found> {
    let found = |at: u64| search_text::Found {
        context: Some(context(around)),
        cut: false,
        inside: None,
        line: 100,
        match_count: 12,
        match_lines: vec![1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
        path: format!("drivers/net/ethernet/vendor/family/file_{}.c-{at}", at / 3),
        score: 0.5,
        snippet: LINE.to_owned(),
    };
    draft((0..results).map(found).collect(), ("matching file", "matching files"))
}

/// An answer of the path search.
fn paths(results: u64) -> Draft<find_files::Found> {
    let found = |at: u64| find_files::Found {
        modified: Some("2026-01-01T00:00:00Z".to_owned()),
        path: format!("drivers/net/ethernet/vendor/family/{}/file_{at}.c", at / 3),
        size_bytes: Some(at),
        r#type: find_files::FileType::File,
    };
    draft((0..results).map(found).collect(), ("file", "files"))
}

fn context(around: usize) -> Context {
    let lines = || vec![LINE.to_owned(); around];
    Context { after: lines(), before: lines() }
}

fn draft<R>(results: Vec<R>, nouns: (&'static str, &'static str)) -> Draft<R> {
    Draft {
        nouns,
        total: results.len() as u64,
        page: Page { max_results: results.len(), offset: 0 },
        results,
        stopped: None,
        searched: Searched { files: 100_000, ..Searched::default() },
        notices: Vec::new(),
        advice: String::new(),
        counts: String::new(),
        listing: Listing::Pages,
        own: (),
    }
}
