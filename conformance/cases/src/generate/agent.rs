//! Whole cases of the agent's tools: a theme, and a tree, a configuration and a request that fit
//! each other.
//!
//! Responsible for: the mix of themes and tools, and putting the plans together. Not here: trees in
//! general, globs and what is denied or ignored, which are those of `Search` ([`super`]); source
//! text, requests and what is wrong with some, in the rooms below. Invariants: every case is well
//! formed, and no tree needs more than a handful of files to trip a tool up.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::case::themed;
use super::config;
use super::named::directories;
use super::tree;
use crate::case::{AGENT_TOOLS, Case, CaseConfig, Entry, Keys};

mod fault;
mod request;
pub(super) mod source;

use request::RequestPlan;

/// The biases of a theme, by generator.
struct Biases {
    tree: BoxedStrategy<Vec<Entry>>,
    config: config::Bias,
    tool: BoxedStrategy<&'static str>,
    /// Whether the answer budget is small.
    is_tight: bool,
    request: request::Bias,
}

/// The whole mix.
pub fn cases() -> BoxedStrategy<Case> {
    themed(themes().into_iter().map(|(weight, theme, biases)| (weight, theme, of(biases))))
}

/// The themes, each with its weight in the mix.
#[expect(clippy::too_many_lines, reason = "a table: one entry for each theme")]
fn themes() -> [(u32, &'static str, Biases); 10] {
    let plain = tree::Bias::PLAIN;
    let quiet = config::Bias { caps: 0.03, ..config::Bias::QUIET };
    let usual = || Biases {
        tree: source::tree(source::Text::Plain),
        config: quiet,
        tool: select(&AGENT_TOOLS[..]).boxed(),
        is_tight: false,
        request: request::Bias::USUAL,
    };
    let of_tree = |tree: tree::Bias| Biases { tree: tree::tree(tree), ..usual() };
    // Only they read lines.
    let of_lines = |text: source::Text| Biases {
        tree: source::tree(text),
        tool: select(&AGENT_TOOLS[1..]).boxed(),
        ..usual()
    };
    let asking = |request: request::Bias| Biases { request, ..usual() };
    let request = request::Bias::USUAL;
    [
        (
            24,
            "identifiers",
            Biases {
                tool: prop_oneof![4 => Just("search_text"), 1 => Just("grep")].boxed(),
                ..usual()
            },
        ),
        (10, "encodings", of_lines(source::Text::Encoded)),
        (9, "long lines", of_lines(source::Text::Long)),
        (7, "names", of_tree(tree::Bias { entries: 7, odd_names: 14, ..plain })),
        (
            9,
            "ignore files",
            Biases {
                tree: prop_oneof![
                    2 => tree::tree(tree::Bias {
                        entries: 7,
                        odd_names: 2,
                        rules: 14,
                        links: 5,
                        ..plain
                    }),
                    1 => source::tree(source::Text::Plain),
                ]
                .boxed(),
                config: config::Bias { deny: 0.2, ignore: 0.12, working_dir: 0.15, ..quiet },
                request: request::Bias { filters: 0.15, directory: 0.35, ..request },
                ..usual()
            },
        ),
        (12, "filters", asking(request::Bias { filters: 0.45, directory: 0.4, ..request })),
        (9, "pages", asking(request::Bias { pages: 0.7, ..request })),
        (
            8,
            "budgets",
            Biases {
                tree: source::tree(source::Text::Much),
                is_tight: true,
                request: request::Bias { context: 0.2, whole: true, ..request },
                ..usual()
            },
        ),
        (
            7,
            "faults",
            Biases {
                config: config::Bias { caps: 0.2, ..quiet },
                ..of_tree(tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain })
            },
        ),
        (
            12,
            "refusals",
            Biases { request: request::Bias { fault: 0.85, ..request }, ..of_tree(plain) },
        ),
    ]
}

fn of(biases: Biases) -> BoxedStrategy<Case> {
    let Biases { tree, config, tool, is_tight, request } = biases;
    (tree, config::config(config), keys(is_tight), tool)
        .prop_flat_map(move |(tree, config, keys, tool)| {
            request::request(request, tool).prop_map(move |request| {
                assemble(tool, tree.clone(), config.clone(), keys.clone(), &request)
            })
        })
        .boxed()
}

/// Keys of `[tools.agent]`; most cases set none.
fn keys(is_tight: bool) -> BoxedStrategy<Keys> {
    let key = |name: &'static str, chance: f64, values: &'static [u64]| {
        weighted(chance, select(values))
            .prop_map(move |value| value.map(|value| (name, json!(value))))
    };
    (
        key("default_max_results", 0.05, &[1, 2, 3, 200]),
        key("default_context_lines", 0.05, &[0, 1, 5]),
        key("max_answer_bytes", if is_tight { 0.4 } else { 0.02 }, &[4_096, 4_097, 5_000, 8_000]),
        key(
            "max_answer_tokens",
            if is_tight { 0.6 } else { 0.02 },
            &[200, 250, 400, 700, 1_000, 1_365],
        ),
    )
        .prop_map(|(a, b, c, d)| {
            let set = [a, b, c, d].into_iter().flatten();
            set.fold(Keys::default(), |keys, (name, value)| keys.with(name, value))
        })
        .boxed()
}

/// Builds the case from its plans.
fn assemble(
    tool: &str,
    tree: Vec<Entry>,
    config: config::ConfigPlan,
    keys: Keys,
    request: &RequestPlan,
) -> Case {
    let config::ConfigPlan { config, working_dir } = config;
    let directories = directories(&tree);
    let entered = working_dir.and_then(|index| directories.get(index % directories.len().max(1)));
    // What only `Search` looks at would be noise here.
    let config = CaseConfig {
        max_files: config.max_files,
        max_file_size_bytes: config.max_file_size_bytes,
        deny: config.deny,
        global_ignore: config.global_ignore,
        working_dir: entered.cloned().unwrap_or_default(),
        agent: keys,
        ..CaseConfig::default()
    };
    let request = request.concrete(&tree, &directories, &config.working_dir);
    Case { tree, config, ..Case::of("", "", tool, request) }
}

#[cfg(test)]
mod tests;
