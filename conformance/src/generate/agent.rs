//! Whole cases of the agent's tools: a theme, and a tree, a configuration and a request that fit
//! each other.
//!
//! Responsible for: the mix of themes and tools, and putting the plans together. Left to
//! neighbours: trees in general, globs and what is denied or ignored, which are those of `Search`
//! ([`super`]); source text, requests and what is wrong with some, in the rooms below. Invariants:
//! every case is well formed, and no tree needs more than a handful of files to trip a tool up.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::config;
use super::named::directories;
use super::tree;
use crate::case::{AGENT_TOOLS, Case, CaseConfig, Entry, Keys};

mod fault;
mod request;
pub(super) mod source;

use request::RequestPlan;

/// What a case is mostly about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// Identifiers, their parts, definitions.
    Identifiers,
    /// Byte order marks, UTF-16, invalid bytes, NULs, line ends.
    Encoding,
    /// Lines that are too long to be shown.
    LongLines,
    /// Names, and the order they give.
    Names,
    /// Ignore files, hidden names, deny patterns.
    Eligibility,
    /// Globs, types and directories.
    Filters,
    /// Pages.
    Pages,
    /// Answers that do not fit.
    Budget,
    /// Limits on files, and what cannot be opened.
    Faults,
    /// Requests that must be refused.
    Refusals,
}

/// The themes, with their weights in the mix.
const THEMES: &[(u32, Theme)] = &[
    (24, Theme::Identifiers),
    (10, Theme::Encoding),
    (9, Theme::LongLines),
    (7, Theme::Names),
    (9, Theme::Eligibility),
    (12, Theme::Filters),
    (9, Theme::Pages),
    (8, Theme::Budget),
    (7, Theme::Faults),
    (12, Theme::Refusals),
];

/// Everything a case is made of, before it is put together.
#[derive(Debug, Clone)]
pub struct Plans {
    theme: Theme,
    tool: &'static str,
    tree: Vec<Entry>,
    config: config::ConfigPlan,
    keys: Keys,
    request: RequestPlan,
}

/// The whole mix.
pub fn plans() -> BoxedStrategy<Plans> {
    let themes: Vec<(u32, BoxedStrategy<Plans>)> =
        THEMES.iter().map(|(weight, theme)| (*weight, of_theme(*theme))).collect();
    proptest::strategy::Union::new_weighted(themes).boxed()
}

fn tree_of(theme: Theme) -> BoxedStrategy<Vec<Entry>> {
    let drawn = |bias: tree::Bias| tree::tree(bias);
    let plain = tree::Bias::PLAIN;
    match theme {
        Theme::Identifiers | Theme::Filters | Theme::Pages => source::tree(source::Text::Plain),
        Theme::Encoding => source::tree(source::Text::Encoded),
        Theme::LongLines => source::tree(source::Text::Long),
        Theme::Budget => source::tree(source::Text::Much),
        Theme::Names => drawn(tree::Bias { entries: 7, odd_names: 14, ..plain }),
        Theme::Eligibility => prop_oneof![
            2 => drawn(tree::Bias { entries: 7, odd_names: 2, rules: 14, links: 5, ..plain }),
            1 => source::tree(source::Text::Plain),
        ]
        .boxed(),
        Theme::Faults => drawn(tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain }),
        Theme::Refusals => drawn(plain),
    }
}

fn of_theme(theme: Theme) -> BoxedStrategy<Plans> {
    let quiet = config::Bias { caps: 0.03, ..config::Bias::QUIET };
    let config = match theme {
        Theme::Eligibility => config::Bias { deny: 0.2, ignore: 0.12, working_dir: 0.15, ..quiet },
        Theme::Faults => config::Bias { caps: 0.2, ..quiet },
        _ => quiet,
    };
    let tool = match theme {
        // Only they read lines.
        Theme::Encoding | Theme::LongLines => select(&AGENT_TOOLS[1..]).boxed(),
        Theme::Identifiers => prop_oneof![4 => Just("search_text"), 1 => Just("grep")].boxed(),
        _ => select(&AGENT_TOOLS[..]).boxed(),
    };
    (tree_of(theme), config::config(config), keys(theme), tool)
        .prop_flat_map(move |(tree, config, keys, tool)| {
            request::request(request::Bias::of(theme), tool).prop_map(move |request| Plans {
                theme,
                tool,
                tree: tree.clone(),
                config: config.clone(),
                keys: keys.clone(),
                request,
            })
        })
        .boxed()
}

/// Keys of `[tools.agent]`; most cases set none.
fn keys(theme: Theme) -> BoxedStrategy<Keys> {
    let is_tight = theme == Theme::Budget;
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

/// The case that the plans come to.
pub fn assemble(id: String, plans: Plans) -> Case {
    let Plans {
        theme,
        tool,
        tree,
        config: config::ConfigPlan { config, working_dir },
        keys,
        request,
    } = plans;
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
    let mut case =
        Case::of_agent(id, format!("drawn at random, about {}", theme.name()), tool, request);
    case.tree = tree;
    case.config = config;
    case
}

impl Theme {
    /// The theme in words.
    fn name(self) -> &'static str {
        match self {
            Theme::Identifiers => "identifiers",
            Theme::Encoding => "encodings",
            Theme::LongLines => "long lines",
            Theme::Names => "names",
            Theme::Eligibility => "ignore files",
            Theme::Filters => "filters",
            Theme::Pages => "pages",
            Theme::Budget => "budgets",
            Theme::Faults => "faults",
            Theme::Refusals => "refusals",
        }
    }
}

#[cfg(test)]
mod tests;
