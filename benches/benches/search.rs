//! `Search` on a real tree, each figure as a ratio to plain ripgrep and plain ugrep in the same
//! run.
//!
//! `cargo bench -p touchstone-benches` prints criterion's absolute figures and then the table of
//! ratios. Ratios below 1 are wins.

#![expect(clippy::expect_used, reason = "a bench that cannot run says so and ends")]

use std::{hint::black_box, path::Path, process::Command};

use criterion::Criterion;
use forge_search_engine::Service;
use forge_search_engine::json::JsonCalls as _;
use serde_json::{Value, json};
use touchstone::provision::{Backends, available};
use touchstone_benches::{
    corpus, peak_memory_kib, quantile, rival, service, time_call, time_rival,
};

/// Pairs per ratio; the p99 of so few is close to their maximum, and named so that it is read as a
/// bound.
const PAIRS: usize = 15;

/// Scenarios: a name, the request, and the pattern in the rivals' syntax.
fn scenarios() -> [(&'static str, Value, &'static str); 4] {
    [
        ("no match", json!({"pattern": "zzqqxxyy", "timeout_ms": 120_000}), "zzqqxxyy"),
        (
            "rare literal",
            json!({"pattern": "futex_wait_requeue_pi", "timeout_ms": 120_000}),
            "futex_wait_requeue_pi",
        ),
        (
            "regex, few matches",
            json!({"pattern": r"[A-Z]+_SUSPEND_[a-z]+\(", "timeout_ms": 120_000}),
            r"[A-Z]+_SUSPEND_[a-z]+\(",
        ),
        ("fills 200 events early", json!({"pattern": "static", "timeout_ms": 120_000}), "static"),
    ]
}

const RIPGREP: [&str; 5] = ["--no-config", "-n", "--no-require-git", "--max-filesize", "32M"];
const UGREP: [&str; 3] = ["-r", "-n", "--ignore-files"];

fn absolute(criterion: &mut Criterion, tree: &Path, services: &[(&str, Service)]) {
    for (name, request, _) in scenarios() {
        let mut group = criterion.benchmark_group(format!("search/{name}"));
        group.sample_size(10);
        for (backend, service) in services {
            group.bench_function(*backend, |bencher| {
                bencher.iter(|| {
                    black_box(service.call("Search", &request)).map(|answer| answer.count)
                });
            });
        }
        group.finish();
    }
    println!("tree: {}", tree.display());
}

fn ratios(tree: &Path, services: &[(&str, Service)], backends: &Backends) {
    println!(
        "{:<24} {:<9} {:>10} {:>22} {:>22}",
        "scenario", "backend", "median ms", "to ripgrep: med, p99", "to ugrep: med, p99"
    );
    for (name, request, pattern) in scenarios() {
        for (backend, service) in services {
            let (mut own, mut to_ripgrep, mut to_ugrep) = (Vec::new(), Vec::new(), Vec::new());
            let mut ripgrep =
                backends.ripgrep.as_deref().map(|program| rival(tree, program, &RIPGREP, pattern));
            let mut ugrep =
                backends.ugrep.as_deref().map(|program| rival(tree, program, &UGREP, pattern));
            for _ in 0..PAIRS {
                let took = time_call(service, &request).expect("the service answers").as_secs_f64();
                own.push(took * 1000.0);
                let pair = |rival: &mut Option<Command>, ratios: &mut Vec<f64>| {
                    if let Some(command) = rival {
                        let rivals = time_rival(command).expect("the rival runs").as_secs_f64();
                        ratios.push(took / rivals);
                    }
                };
                pair(&mut ripgrep, &mut to_ripgrep);
                pair(&mut ugrep, &mut to_ugrep);
            }
            for values in [&mut own, &mut to_ripgrep, &mut to_ugrep] {
                values.sort_by(f64::total_cmp);
            }
            let shown = |ratios: &[f64]| match ratios {
                [] => "not found".to_owned(),
                ratios => format!("{:.2}, {:.2}", quantile(ratios, 0.5), quantile(ratios, 0.99)),
            };
            let median = quantile(&own, 0.5);
            println!(
                "{name:<24} {backend:<9} {median:>10.1} {:>22} {:>22}",
                shown(&to_ripgrep),
                shown(&to_ugrep)
            );
        }
    }
}

fn main() {
    let tree = corpus().expect("a tree to search");
    let backends = available().expect("a build directory");
    let services: Vec<(&str, Service)> = ["native", "ripgrep", "ugrep"]
        .into_iter()
        .filter_map(|backend| {
            let found = service(&tree, backend, &backends).map(|service| (backend, service));
            if found.is_none() {
                println!("{backend}: not found, not measured");
            }
            found
        })
        .collect();
    for (backend, service) in &services {
        // Warms the page cache, and refuses to time something that is not an answer.
        let answer = service.call("Search", &json!({"pattern": "zzqqxxyy", "timeout_ms": 600_000}));
        let files = answer.expect("the service answers").files_scanned;
        println!("{backend}: {files} files");
    }
    let mut criterion = Criterion::default().configure_from_args();
    absolute(&mut criterion, &tree, &services);
    // `cargo test` and `--list` only want to know that the bench builds and runs.
    if std::env::args().any(|argument| argument == "--bench") {
        ratios(&tree, &services, &backends);
        let peak =
            peak_memory_kib().map_or_else(|| "unknown".to_owned(), |kib| format!("{kib} kB"));
        println!("peak memory of this process: {peak}");
    }
    criterion.final_summary();
}
