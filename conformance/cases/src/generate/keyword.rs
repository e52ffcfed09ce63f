//! Whole cases of `keyword_search`: a theme, and a tree, a configuration, a request and what a
//! language model says that fit each other.
//!
//! Responsible for: the mix of themes, where repositories begin, and putting the plans together.
//! Not here: trees of source text, which are those of the agent's tools ([`super::agent`]); terms
//! and fields (`request`), questions (`query`), answers of a model (`says`), what is secret
//! (`secret`). Invariants: every case is well formed; trees are small, but for those that are there
//! to be too much.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::agent::source;
use super::case::themed;
use super::config;
use super::named::{directories, lines, paths};
use super::tree;
use crate::case::{Case, CaseConfig, Contents, Entry, KEYWORD_TOOL, Keys, Node};
use crate::script::Script;

mod model_reply;
mod query;
mod request;
mod secret;

/// The biases of a theme, by generator.
struct Biases {
    tree: BoxedStrategy<Vec<Entry>>,
    config: config::Bias,
    /// Whether the answer budget is small.
    is_tight: bool,
    /// Whether terms may be too much.
    is_broad: bool,
    /// Probability that terms are selected.
    selected: f64,
    /// Probability of a repository.
    repository: f64,
    request: request::Bias,
    /// What a language model says, and the chance that there is one.
    model: (f64, BoxedStrategy<Script>),
}

/// The whole mix.
pub fn cases() -> BoxedStrategy<Case> {
    themed(themes().into_iter().map(|(weight, theme, biases)| (weight, theme, of(biases))))
}

/// The themes, each with its weight in the mix.
#[expect(clippy::too_many_lines, reason = "a table, whose rows are read one by one")]
fn themes() -> [(u32, &'static str, Biases); 12] {
    let plain = tree::Bias::PLAIN;
    let quiet = config::Bias { caps: 0.05, ..config::Bias::QUIET };
    let usual = |tree: BoxedStrategy<Vec<Entry>>| Biases {
        tree,
        config: quiet,
        is_tight: false,
        is_broad: false,
        selected: 0.5,
        repository: 0.06,
        request: request::Bias::USUAL,
        model: (0.8, model_reply::usual().boxed()),
    };
    let of_source = |text: source::Text| usual(source::tree(text));
    let of_tree = |bias: tree::Bias| usual(tree::tree(bias));
    let spread = || {
        let number = prop_oneof![2 => Just(0_u64), 1 => 1_u64..18, 2 => 18_u64..30];
        (source::tree(source::Text::Plain), number)
            .prop_map(|(tree, number)| spread(tree, number))
            .boxed()
    };
    let much = (source::tree(source::Text::Much), 2_u64..20)
        .prop_map(|(tree, times)| much(tree, times))
        .boxed();
    let request = request::Bias::USUAL;
    [
        (24, "ranking", usual(spread())),
        (
            30,
            "what a model says",
            Biases {
                request: request::Bias { use_model: 0.02, dry_run: 0.02, ..request },
                model: (0.99, model_reply::script().boxed()),
                ..usual(spread())
            },
        ),
        (
            32,
            "terms that are too broad",
            Biases {
                is_broad: true,
                selected: 0.9,
                request: request::Bias { is_broad: true, ..request },
                model: (0.99, model_reply::usual().boxed()),
                ..usual(much)
            },
        ),
        (
            10,
            "secrets",
            Biases {
                selected: 0.5,
                request: request::Bias { dry_run: 0.4, ..request },
                ..usual(secret::tree())
            },
        ),
        (
            10,
            "repositories",
            Biases {
                config: config::Bias { working_dir: 0.8, ..quiet },
                repository: 0.85,
                ..usual(
                    prop_oneof![
                        2 => source::tree(source::Text::Plain),
                        1 => tree::tree(tree::Bias { entries: 6, ..plain }),
                    ]
                    .boxed(),
                )
            },
        ),
        (6, "encodings", of_source(source::Text::Encoded)),
        (6, "long lines", of_source(source::Text::Long)),
        (7, "names", of_tree(tree::Bias { entries: 7, odd_names: 14, ..plain })),
        (
            6,
            "ignore files",
            Biases {
                config: config::Bias { deny: 0.3, ignore: 0.12, working_dir: 0.15, ..quiet },
                ..usual(
                    prop_oneof![
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
                )
            },
        ),
        (
            9,
            "budgets",
            Biases {
                is_tight: true,
                request: request::Bias { is_tight: true, ..request },
                ..of_source(source::Text::Much)
            },
        ),
        (
            8,
            "faults",
            Biases {
                config: config::Bias { caps: 0.35, ..quiet },
                ..of_tree(tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain })
            },
        ),
        (
            8,
            "refusals",
            Biases {
                request: request::Bias { fault: 0.85, ..request },
                ..of_source(source::Text::Plain)
            },
        ),
    ]
}

/// The same tree with everything so many times.
fn much(mut tree: Vec<Entry>, times: u64) -> Vec<Entry> {
    for entry in &mut tree {
        if let Node::File { contents, .. } = &mut entry.node {
            contents.parts.iter_mut().for_each(|part| part.times *= times);
        }
    }
    tree
}

/// The same tree with so many lines that say nothing behind every other line.
fn spread(mut tree: Vec<Entry>, number: u64) -> Vec<Entry> {
    for entry in &mut tree {
        if let Node::File { contents, .. } = &mut entry.node {
            let bytes = contents.bytes();
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let pairs = lines.chunks(2).map(<[&[u8]]>::concat);
            *contents = Contents::of(pairs.flat_map(|pair| [(pair, 1), (b"-\n".to_vec(), number)]));
        }
    }
    tree
}

fn of(biases: Biases) -> BoxedStrategy<Case> {
    let Biases { tree, config, is_tight, is_broad, selected, repository, request, model } = biases;
    (
        (tree, config::config(config), agent_keys(is_tight), keyword_keys(is_broad, selected)),
        weighted(repository, any::<(usize, bool)>()),
        request::request(request),
        weighted(model.0, model.1),
    )
        .prop_map(|((mut tree, config, agent, keyword), repository, request, model)| {
            let config::ConfigPlan { config, working_dir } = config;
            let found = directories(&tree);
            let entered = working_dir.and_then(|index| found.get(index % found.len().max(1)));
            let working_dir = entered.cloned().unwrap_or_default();
            if let Some((index, is_file)) = repository {
                tree.extend(repository_at(&tree, &working_dir, index, is_file));
            }
            // What only `Search` looks at would be noise here.
            let config = CaseConfig {
                max_files: config.max_files,
                max_file_size_bytes: config.max_file_size_bytes,
                deny: config.deny,
                global_ignore: config.global_ignore,
                working_dir,
                agent,
                keyword,
                ..CaseConfig::default()
            };
            let lines: Vec<String> = lines(&tree).into_iter().map(|(_, line)| line).collect();
            let request = request.concrete(&lines, &paths(&tree, &found));
            Case { tree, config, model, ..Case::of("", "", KEYWORD_TOOL, request) }
        })
        .boxed()
}

fn key(
    name: &'static str,
    chance: f64,
    values: &'static [u64],
) -> BoxedStrategy<Option<(&'static str, u64)>> {
    weighted(chance, select(values)).prop_map(move |value| value.map(|value| (name, value))).boxed()
}

fn keys(all: impl IntoIterator<Item = Option<(&'static str, u64)>>) -> Keys {
    all.into_iter()
        .flatten()
        .fold(Keys::default(), |keys, (name, value)| keys.with(name, json!(value)))
}

fn agent_keys(is_tight: bool) -> BoxedStrategy<Keys> {
    (
        key("default_max_results", 0.15, &[1, 2, 3, 200]),
        key("max_answer_bytes", if is_tight { 0.4 } else { 0.02 }, &[4_096, 4_097, 5_000, 8_000]),
        key(
            "max_answer_tokens",
            if is_tight { 0.8 } else { 0.02 },
            &[200, 200, 250, 400, 700, 1_000],
        ),
    )
        .prop_map(|(a, b, c)| keys([a, b, c]))
        .boxed()
}

fn keyword_keys(is_broad: bool, selected: f64) -> BoxedStrategy<Keys> {
    let (each, all) = if is_broad { (0.4, 0.9) } else { (0.05, 0.05) };
    (
        key("term_bytes", each, &[1_024, 1_024, 1_024, 1_025, 1_500, 2_000, 3_000]),
        key("total_bytes", all, &[1_024, 1_024, 1_024, 1_500, 2_000]),
        weighted(0.9, prop::bool::weighted(selected)),
        prop::bool::weighted(0.97),
        // Otherwise a model is asked by the calls alone that say so.
        prop::bool::weighted(0.75),
    )
        .prop_map(|(a, b, selected, from_query, asks)| {
            let keys = keys([a, b]);
            let keys = match selected {
                Some(selected) => keys.with("skip_broad_terms", selected),
                None => keys,
            };
            let keys = if asks { keys.with("use_model_default", true) } else { keys };
            if from_query { keys } else { keys.with("terms_from_query", false) }
        })
        .boxed()
}

/// An entry `.git` at, above or beside the working directory, or above the sandbox, if nothing
/// stands there.
fn repository_at(tree: &[Entry], working_dir: &str, index: usize, is_file: bool) -> Option<Entry> {
    let names: Vec<&str> = working_dir.split('/').filter(|name| !name.is_empty()).collect();
    let mut places: Vec<String> = (0..=names.len())
        .filter_map(|depth| names.get(..depth))
        .map(|above| above.iter().flat_map(|name| [*name, "/"]).collect())
        .collect();
    places.push("../".to_owned());
    let path = format!("{}.git", places.get(index % places.len())?).into_bytes();
    let below = [path.as_slice(), b"/"].concat();
    let is_taken = tree.iter().any(|entry| entry.path == path || entry.path.starts_with(&below));
    let entry = if is_file { Entry::file(path, "gitdir: elsewhere\n") } else { Entry::dir(path) };
    (!is_taken).then_some(entry)
}

#[cfg(test)]
mod tests;
