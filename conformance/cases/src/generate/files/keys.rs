//! Keys of `[tools.search_files]`.
//!
//! Responsible for: which keys a case sets, and to which values. Not here: deny patterns, ignore
//! files and the working directory ([`super::config`]). Invariants: only values that the
//! configuration takes; most cases set none.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::case::Keys;

/// Probabilities of the keys that are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bias {
    /// Probability of each cap.
    pub(super) caps: f64,
    /// Probability of a threshold.
    pub(super) threshold: f64,
    /// Probability of each default of a request field.
    pub(super) defaults: f64,
    /// Probability that binary files are not recorded.
    pub(super) binary: f64,
}

impl Bias {
    /// Almost nothing.
    pub(super) const QUIET: Self =
        Self { caps: 0.03, threshold: 0.1, defaults: 0.03, binary: 0.05 };
}

pub(super) fn keys(bias: Bias) -> BoxedStrategy<Keys> {
    let key = |name: &'static str, chance: f64, values: Vec<Value>| {
        weighted(chance, select(values)).prop_map(move |value| value.map(|value| (name, value)))
    };
    let numbers = |values: &[u64]| values.iter().map(|value| json!(value)).collect::<Vec<Value>>();
    let flags = || vec![json!(true), json!(false)];
    let thresholds: Vec<Value> = [0.0, 0.3, 0.5, 0.6, 2.0 / 3.0, 0.75, 0.8, 0.9, 1.0]
        .into_iter()
        .map(|value| json!(value))
        .collect();
    let caps = (
        key("max_results", bias.caps, numbers(&[1, 2, 3, 5, 10, 100_000])),
        key("max_matches_per_file", bias.caps, numbers(&[1, 2, 3, 9_007_199_254_740_992])),
        key("max_file_size_bytes", bias.caps * 0.5, numbers(&[1, 8, 20, 64, 1_073_741_824])),
        key("max_files", bias.caps, numbers(&[1, 2, 3, 5])),
        key("max_depth", bias.caps, numbers(&[1, 2, 3, 10_000])),
    );
    let defaults = (
        key("respect_gitignore_default", bias.defaults, flags()),
        key("include_hidden_default", bias.defaults, flags()),
        key("follow_symlinks_default", bias.defaults, flags()),
        key("mode_default", bias.defaults, vec![json!("exact"), json!("regex"), json!("fuzzy")]),
        key(
            "case_default",
            bias.defaults,
            vec![json!("sensitive"), json!("insensitive"), json!("smart")],
        ),
    );
    let others = (
        key("fuzzy_threshold", bias.threshold, thresholds),
        key("record_binary", bias.binary, vec![json!(false), json!(false), json!(true)]),
        // Short of a real deadline, which no test can foresee, a minute is as good as ten.
        key("timeout_ms", 0.02, numbers(&[60_000, 600_000])),
    );
    (caps, defaults, others)
        .prop_map(|((a, b, c, d, e), (f, g, h, i, j), (k, l, m))| {
            let set = [a, b, c, d, e, f, g, h, i, j, k, l, m].into_iter().flatten();
            set.fold(Keys::default(), |keys, (name, value)| keys.with(name, value))
        })
        .boxed()
}
