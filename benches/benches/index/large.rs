//! What large files cost: those above `index_max_tokenized_bytes` have no n-grams, so every search
//! reads them.

use std::path::Path;

use forge_search_engine::IndexUse;
use serde_json::json;
use touchstone::provision::Backends;
use touchstone_benches::{
    config,
    literals::{LITERALS, Literal},
    median, time_call,
};

use crate::{PATIENCE, indexed, state};

/// The documents' cap and the preset's.
const CAPS: [u64; 2] = [1 << 20, 32 << 20];
const CALLS: usize = 5;

/// Builds under each cap, and asks for what is rare.
pub(crate) fn measure(tree: &Path, scratch: &Path, backends: &Backends) {
    println!();
    for cap in CAPS {
        let mut settings = config("native", backends).expect("the embedded backend");
        settings.index.index_max_tokenized_bytes = cap;
        let service =
            indexed(settings, tree, &scratch.join(format!("cache-{cap}")), IndexUse::Background);
        assert!(service.index_wait(PATIENCE), "the index is built: {}", state(&service));
        let rare = LITERALS.iter().filter(|literal| literal.is_rare() && !literal.folded);
        let times: Vec<f64> = rare.map(|literal| asked(&service, literal)).collect();
        let size = service.index_status().first().map_or(0, |status| status.size_bytes);
        println!(
            "files up to {} MiB have n-grams: rare literals {:.2} ms at the median, index {} kB",
            cap >> 20,
            median(&times),
            size / 1000
        );
        service.index_shutdown();
    }
}

fn asked(service: &forge_search_engine::Service, literal: &Literal) -> f64 {
    let request = json!({
        "pattern": literal.text, "fixed_strings": true, "case": "sensitive", "max_results": 200, "timeout_ms": 120_000
    });
    let call = || time_call(service, &request).expect("an answer").as_secs_f64() * 1000.0;
    median(&(0..CALLS).map(|_| call()).collect::<Vec<_>>())
}
