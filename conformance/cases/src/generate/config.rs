//! Configurations of the service under test.
//!
//! Responsible for: which keys a case sets over its preset: small caps, deny patterns, global
//! ignore files, a working directory below the root. Not here: what the presets hold, and which
//! directories a tree has (`named`). Invariants: most cases set nothing, since a cap in the
//! configuration hides what lies beyond it.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::glob;
use crate::case::{CaseConfig, CasePreset, Keys, Text};

/// Probabilities of the keys that are set; chosen per theme of the case.
#[derive(Debug, Clone, Copy)]
pub struct Bias {
    /// Probability of each cap.
    pub caps: f64,
    /// Probability of deny patterns.
    pub deny: f64,
    /// Probability of a global ignore file.
    pub ignore: f64,
    /// Probability of a working directory below the root.
    pub working_dir: f64,
    /// Chance of what makes every call fail: a disabled tool, the documents' preset as it is, no
    /// backend.
    pub off: f64,
    /// Probability that answers carry `stats`.
    pub stats: f64,
    /// Probability of fuzzy fallback, with levels and a shortest pattern of its own at times.
    pub fallback: f64,
}

impl Bias {
    /// Almost nothing.
    pub const QUIET: Self = Self {
        caps: 0.02,
        deny: 0.03,
        ignore: 0.02,
        working_dir: 0.08,
        off: 0.003,
        stats: 0.3,
        fallback: 0.08,
    };
}

/// A configuration whose working directory is chosen once the tree is known.
#[derive(Debug, Clone)]
pub struct ConfigPlan {
    /// Everything but the working directory.
    pub config: CaseConfig,
    /// Chooses a directory of the tree by remainder.
    pub working_dir: Option<usize>,
}

/// A configuration with the given bias.
pub fn config(bias: Bias) -> BoxedStrategy<ConfigPlan> {
    let cap = |chance: f64, values: &'static [u64]| weighted(chance, select(values));
    let caps = (
        cap(bias.caps, &[1, 2, 3, 5, 200]),
        cap(bias.caps, &[1, 1, 2, 3]),
        cap(bias.caps, &[1, 2, 3, 5]),
        cap(bias.caps * 0.5, &[1, 7, 8, 12, 20, 8_192]),
        cap(bias.caps, &[1, 3, 4, 7, 10, 20]),
    );
    let texts = (
        weighted(bias.deny, prop::collection::vec(glob::deny(), 1..3)),
        weighted(bias.ignore, prop::collection::vec(glob::ignore_file().prop_map(Text), 1..3)),
    );
    let preset = prop_oneof![30 => Just(CasePreset::Agent), 1 => Just(CasePreset::Documents)];
    let off = weighted(bias.off, 0_u8..3);
    (caps, texts, preset, weighted(bias.working_dir, any::<usize>()), off, keys(bias))
        .prop_map(|(caps, (deny, global_ignore), preset, working_dir, off, keys)| {
            let (
                default_max_results,
                max_matches_per_file,
                max_files,
                max_file_size_bytes,
                max_output_bytes,
            ) = caps;
            let mut config = CaseConfig {
                preset,
                default_max_results,
                max_matches_per_file,
                max_files,
                max_file_size_bytes,
                max_output_bytes,
                deny: deny.unwrap_or_default(),
                global_ignore: global_ignore.unwrap_or_default(),
                keys,
                ..CaseConfig::default()
            };
            if preset == CasePreset::Documents {
                config.enabled = Some(true);
            }
            match off {
                None => {}
                Some(0) => config.enabled = Some(false),
                Some(1) => config.backend_available = Some(false),
                Some(_) => {
                    config = CaseConfig { preset: CasePreset::Documents, ..CaseConfig::default() }
                }
            }
            ConfigPlan { config, working_dir }
        })
        .boxed()
}

/// Keys that have no field of their own in a case: `stats`, and fuzzy fallback.
fn keys(bias: Bias) -> impl Strategy<Value = Keys> {
    let levels: &[&[u64]] = &[&[1], &[2], &[1, 2], &[2, 3], &[1, 3], &[3, 4], &[1, 2, 3, 4], &[4]];
    let shortest: &[u64] = &[1, 2, 2, 3, 4, 5, 6, 9];
    let fallback = (weighted(0.6, select(levels)), weighted(0.6, select(shortest)));
    (prop::bool::weighted(bias.stats), weighted(bias.fallback, fallback)).prop_map(
        |(stats, fallback)| {
            let mut keys = Keys::default();
            if stats {
                keys = keys.with("emit_stats", true);
            }
            if let Some((levels, shortest)) = fallback {
                keys = keys.with("fuzzy_fallback", true);
                if let Some(levels) = levels {
                    keys = keys.with("fuzzy_fallback_levels", json!(levels));
                }
                if let Some(shortest) = shortest {
                    keys = keys.with("fuzzy_min_pattern_len", shortest);
                }
            }
            keys
        },
    )
}
