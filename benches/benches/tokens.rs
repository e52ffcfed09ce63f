//! Tokenizing source text, in megabytes a second on one core, beside a plain scan of the same bytes
//! for line feeds with `memchr`.
//!
//! `cargo bench -p touchstone-benches --bench tokens` prints criterion's figures, then the medians
//! of paired rounds. The tree is that of the other bench; texts are read before anything is timed.

#![expect(clippy::expect_used, reason = "a bench that cannot run says so and ends")]
#![expect(clippy::cast_precision_loss, reason = "rates are shown with three digits")]

use std::{hint::black_box, path::Path, time::Instant};

use criterion::{Criterion, Throughput};
use forge_search_core::index::{
    filter::{DEFAULT_SEED, FilterParameters},
    fold::Fold,
    tokens::{Parameters, Tokenizer, folded},
};
use touchstone_benches::{corpus, quantile, sources};

/// Bytes of source text that are read at most.
const TEXT: usize = 96 << 20;

/// Paired rounds.
const ROUNDS: usize = 21;

/// Every n-th source file, so that the texts are from all over the tree.
fn texts(tree: &Path) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    sources(tree, &mut paths);
    let mut texts = Vec::new();
    let mut bytes = 0;
    let step = (paths.len() / 8_000).max(1);
    for path in paths.iter().step_by(step) {
        let Ok(text) = std::fs::read(path) else { continue };
        if text.len() > 1 << 20 {
            continue;
        }
        bytes += text.len();
        texts.push(text);
        if bytes > TEXT {
            break;
        }
    }
    texts
}

fn tokenized(tokenizer: &mut Tokenizer, texts: &[Vec<u8>]) -> usize {
    texts.iter().map(|text| tokenizer.tokenize(text).grams.len()).sum()
}

/// Line feeds, which a search without a match has to find in any case.
fn scanned(texts: &[Vec<u8>]) -> usize {
    texts.iter().map(|text| memchr::memchr_iter(b'\n', text).count()).sum()
}

fn rate(bytes: f64, work: impl FnOnce() -> usize) -> f64 {
    let started = Instant::now();
    black_box(work());
    bytes / started.elapsed().as_secs_f64() / 1e6
}

fn main() {
    let tree = corpus().expect("a tree with source text");
    let texts = texts(&tree);
    let bytes: usize = texts.iter().map(Vec::len).sum();
    println!("{}: {} files, {:.1} MB", tree.display(), texts.len(), bytes as f64 / 1e6);
    let mut tokenizer = Tokenizer::new(Parameters { max_bytes: 1 << 20, ngram: 3 });
    let grams: Vec<_> = texts.iter().map(|text| tokenizer.tokenize(text).grams).collect();
    let filter = FilterParameters::sized(1 << 20, 0.01, DEFAULT_SEED);

    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("tokens");
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("tokenize", |bencher| {
        bencher.iter(|| tokenized(&mut tokenizer, black_box(&texts)));
    });
    group.bench_function("scan for line feeds", |bencher| {
        bencher.iter(|| scanned(black_box(&texts)));
    });
    group.bench_function("fold the grams", |bencher| {
        bencher.iter(|| grams.iter().map(|grams| folded(grams, Fold::Ascii).len()).sum::<usize>());
    });
    group.bench_function("hash the grams", |bencher| {
        bencher.iter(|| {
            grams.iter().flatten().flat_map(|gram| filter.probes(*gram)).fold(0, u64::wrapping_add)
        });
    });
    group.finish();
    criterion.final_summary();

    if std::env::args().any(|argument| argument == "--bench") {
        let (mut tokenizing, mut ratios) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let own = rate(bytes as f64, || tokenized(&mut tokenizer, &texts));
            let plain = rate(bytes as f64, || scanned(&texts));
            tokenizing.push(own);
            ratios.push(plain / own);
        }
        tokenizing.sort_by(f64::total_cmp);
        ratios.sort_by(f64::total_cmp);
        println!(
            "tokenizing on one core: median {:.0} MB/s, slowest {:.0} MB/s; a scan for line feeds is {:.1} times as fast (median of {ROUNDS} pairs)",
            quantile(&tokenizing, 0.5),
            quantile(&tokenizing, 0.0),
            quantile(&ratios, 0.5),
        );
    }
}
