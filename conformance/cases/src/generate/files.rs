//! Whole cases of `search_files`: a theme, and a tree, a configuration, a request and a budget that
//! fit each other.
//!
//! Responsible for: the mix of themes and putting the plans together. Not here: trees, texts, globs
//! and patterns, which are those of `Search` ([`super`]); what only this tool has, in the rooms
//! below. Invariants: every case is well formed; one that searches approximately has no long line,
//! since the model looks at every window; a budget is drawn last, for its interesting values depend
//! on the whole answer.

use proptest::prelude::*;

use super::case::themed;
use super::config;
use super::named::{directories, lines, paths};
use super::request::Places;
use super::text::Flavour;
use super::tree;
use crate::case::{Case, CaseConfig, Entry, FILES_TOOL, Keys, Node};

mod budget;
mod fault;
mod keys;
mod query;
mod request;
mod trees;

use budget::BudgetPlan;
use request::RequestPlan;

/// The biases of a theme, by generator.
struct Biases {
    tree: BoxedStrategy<Vec<Entry>>,
    config: config::Bias,
    keys: keys::Bias,
    request: request::Bias,
    budget: f64,
}

/// The whole mix, without budgets if the answers are to be `small`.
pub fn cases(small: bool) -> BoxedStrategy<Case> {
    themed(themes().into_iter().filter_map(|(weight, if_small, theme, biases)| {
        let weight = if small { if_small } else { weight };
        (weight > 0).then(|| (weight, theme, of(biases, small)))
    }))
}

fn usual() -> Biases {
    Biases {
        tree: tree::tree(tree::Bias { entries: 3, ..tree::Bias::PLAIN }),
        config: config::Bias::QUIET,
        keys: keys::Bias::QUIET,
        request: request::Bias::MIXED,
        budget: 0.15,
    }
}

/// The themes, each with its weight in the mix and in that of small answers.
#[expect(clippy::too_many_lines, reason = "a table: one entry for each theme")]
fn themes() -> Vec<(u32, u32, &'static str, Biases)> {
    let plain = tree::Bias::PLAIN;
    let quiet = config::Bias::QUIET;
    let quiet_keys = keys::Bias::QUIET;
    let request = request::Bias::MIXED;
    let drawn = |bias: tree::Bias| tree::tree(bias);
    vec![
        (
            0,
            12,
            "small answers",
            Biases {
                tree: trees::dense(2),
                request: request::Bias { caps: 0.12, context: 0.2, ..request },
                ..usual()
            },
        ),
        (16, 0, "literals", Biases { tree: trees::dense(4), ..usual() }),
        (
            14,
            0,
            "expressions",
            Biases {
                tree: prop_oneof![2 => trees::dense(3), 1 => usual().tree].boxed(),
                request: request::Bias { regex: 1.0, ..request },
                ..usual()
            },
        ),
        (
            14,
            0,
            "approximate matching",
            Biases {
                tree: prop_oneof![
                    1 => trees::dense(2),
                    2 => drawn(tree::Bias { entries: 2, ..plain }),
                    1 => drawn(tree::Bias { entries: 2, flavour: Flavour::Rough, ..plain })
                ]
                .boxed(),
                keys: keys::Bias { threshold: 0.7, ..quiet_keys },
                request: request::Bias { fuzzy: 1.0, ..request },
                ..usual()
            },
        ),
        (
            5,
            0,
            "approximate matching of long queries",
            Biases {
                tree: trees::wordy(),
                keys: keys::Bias { threshold: 0.5, ..quiet_keys },
                request: request::Bias { fuzzy: 1.0, long: true, ..request },
                ..usual()
            },
        ),
        (
            10,
            2,
            "encodings",
            Biases {
                tree: trees::encoded(),
                keys: keys::Bias { binary: 0.25, ..quiet_keys },
                ..usual()
            },
        ),
        (
            5,
            0,
            "names",
            Biases {
                tree: drawn(tree::Bias { entries: 7, odd_names: 14, ..plain }),
                request: request::Bias { flags: 0.4, path: 0.3, ..request },
                ..usual()
            },
        ),
        (
            5,
            0,
            "ignore files",
            Biases {
                tree: drawn(tree::Bias { entries: 7, odd_names: 2, rules: 14, ..plain }),
                config: config::Bias { ignore: 0.12, working_dir: 0.12, ..quiet },
                request: request::Bias { flags: 0.35, path: 0.3, ..request },
                ..usual()
            },
        ),
        (
            5,
            0,
            "globs",
            Biases {
                tree: drawn(tree::Bias { entries: 6, odd_names: 4, ..plain }),
                config: config::Bias { deny: 0.3, ..quiet },
                request: request::Bias { globs: 0.5, path: 0.25, ..request },
                ..usual()
            },
        ),
        (
            8,
            2,
            "links",
            Biases {
                tree: prop_oneof![
                    3 => drawn(tree::Bias { entries: 7, links: 14, rules: 2, ..plain }),
                    1 => trees::linked()
                ]
                .boxed(),
                config: config::Bias { deny: 0.1, working_dir: 0.12, ..quiet },
                request: request::Bias { follow: 0.85, path: 0.3, ..request },
                ..usual()
            },
        ),
        (
            7,
            0,
            "depth",
            Biases {
                tree: trees::nested(),
                keys: keys::Bias { caps: 0.12, ..quiet_keys },
                request: request::Bias {
                    depth: 0.75,
                    flags: 0.3,
                    path: 0.3,
                    follow: 0.3,
                    ..request
                },
                ..usual()
            },
        ),
        (
            11,
            1,
            "caps",
            Biases {
                tree: trees::dense(5),
                keys: keys::Bias { caps: 0.1, ..quiet_keys },
                request: request::Bias { caps: 0.4, context: 0.3, ..request },
                ..usual()
            },
        ),
        (
            10,
            0,
            "budgets",
            Biases {
                tree:
                    prop_oneof![3 => trees::dense(4), 1 => trees::encoded(), 1 => trees::linked()]
                        .boxed(),
                request: request::Bias { caps: 0.1, follow: 0.5, ..request },
                budget: 1.0,
                ..usual()
            },
        ),
        (
            4,
            1,
            "faults",
            Biases {
                tree: drawn(tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain }),
                request: request::Bias { path: 0.3, ..request },
                ..usual()
            },
        ),
        (
            10,
            0,
            "refusals",
            Biases {
                tree: drawn(plain),
                config: config::Bias { off: 0.06, ..quiet },
                keys: keys::Bias { caps: 0.1, ..quiet_keys },
                request: request::Bias { fault: 0.8, path: 0.3, ..request },
                ..usual()
            },
        ),
        (
            1,
            0,
            "large files",
            Biases {
                tree: drawn(tree::Bias { flavour: Flavour::Large, entries: 3, ..plain }),
                ..usual()
            },
        ),
    ]
}

fn of(biases: Biases, small: bool) -> BoxedStrategy<Case> {
    let Biases { tree, config, keys, request, budget } = biases;
    let request = request::Bias { quick: small, ..request };
    let budget = if small { 0.0 } else { budget };
    (
        tree,
        config::config(config),
        keys::keys(keys),
        request::request(request),
        (prop::bool::weighted(budget), budget::plan())
            .prop_map(|(is_limited, plan)| is_limited.then_some(plan)),
    )
        .prop_map(|(tree, config, keys, request, budget)| {
            assemble(tree, config, keys, &request, budget)
        })
        .boxed()
}

/// Builds the case from its plans.
fn assemble(
    tree: Vec<Entry>,
    config: config::ConfigPlan,
    keys: Keys,
    request: &RequestPlan,
    budget: Option<BudgetPlan>,
) -> Case {
    let config::ConfigPlan { config, working_dir } = config;
    let directories = directories(&tree);
    let entered = working_dir.and_then(|index| directories.get(index % directories.len().max(1)));
    // What only `Search` looks at would be noise here.
    let config = CaseConfig {
        preset: config.preset,
        deny: config.deny,
        global_ignore: config.global_ignore,
        working_dir: entered.cloned().unwrap_or_default(),
        backend_available: config.backend_available,
        search_files: keys,
        ..CaseConfig::default()
    };
    let places = Places {
        paths: paths(&tree, &directories),
        lines: lines(&tree),
        working_dir: config.working_dir.clone(),
    };
    let is_long = tree.iter().any(has_long_line);
    let request = request.concrete(&places, directories, is_long);
    let mut case = Case { tree, config, ..Case::of("", "", FILES_TOOL, request) };
    if is_long && case.mode() == Some("fuzzy") {
        case.config.search_files.0.remove("mode_default");
    }
    if let Some(budget) = budget {
        budget.put_into(&mut case);
    }
    case
}

/// Whether a file holds more in one piece than the model can compare window by window.
fn has_long_line(entry: &Entry) -> bool {
    match &entry.node {
        Node::File { contents, .. } => {
            let piece = |bytes: &[u8], times: u64| {
                let longest =
                    bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap_or(0);
                let is_one_line = !bytes.contains(&b'\n');
                let times =
                    if is_one_line { usize::try_from(times).unwrap_or(usize::MAX) } else { 1 };
                longest.saturating_mul(times)
            };
            contents.parts.iter().any(|part| piece(&part.bytes.0, part.times) > 1_000)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
