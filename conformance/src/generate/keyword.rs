//! Whole cases of `keyword_search`: a theme, and a tree, a configuration, a request and what a
//! language model says that fit each other.
//!
//! Responsible for: the mix of themes, where repositories begin, and putting the plans together.
//! Left to neighbours: trees of source text, which are those of the agent's tools
//! ([`super::agent`]); terms and fields (`request`), questions (`query`), answers of a model
//! (`says`), what is secret (`secret`). Invariants: every case is well formed; trees are small, but
//! for those that are there to be too much.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::agent::source;
use super::config;
use super::named::{directories, lines, paths};
use super::tree;
use crate::case::{Case, CaseConfig, Contents, Entry, Keys, Node};
use crate::script::Script;

mod query;
mod request;
mod says;
mod secret;

use request::RequestPlan;

/// What a case is mostly about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// Terms, and what files they rank.
    Ranking,
    /// What a language model says.
    Saying,
    /// Terms that are too much.
    Broad,
    /// What is not sent.
    Secrets,
    /// Repositories and working directories.
    Roots,
    /// Byte order marks, UTF-16, invalid bytes, line ends.
    Encoding,
    /// Lines that are too long.
    LongLines,
    /// Odd names.
    Names,
    /// Ignore files, hidden names, deny patterns.
    Eligibility,
    /// Answers that do not fit.
    Budget,
    /// What cannot be opened, and limits on files.
    Faults,
    /// Requests that must be refused.
    Refusals,
}

/// The themes, with their weights in the mix.
const THEMES: &[(u32, Theme)] = &[
    (18, Theme::Ranking),
    (19, Theme::Saying),
    (20, Theme::Broad),
    (12, Theme::Secrets),
    (10, Theme::Roots),
    (6, Theme::Encoding),
    (6, Theme::LongLines),
    (7, Theme::Names),
    (6, Theme::Eligibility),
    (5, Theme::Budget),
    (5, Theme::Faults),
    (8, Theme::Refusals),
];

/// Everything a case is made of, before it is put together.
#[derive(Debug, Clone)]
pub struct Plans {
    theme: Theme,
    tree: Vec<Entry>,
    config: config::ConfigPlan,
    agent: Keys,
    keyword: Keys,
    /// Where `.git` stands, by remainder among the directories and the place above the sandbox, and
    /// whether it is a file.
    repository: Option<(usize, bool)>,
    request: RequestPlan,
    model: Option<Script>,
}

/// The whole mix.
pub fn plans() -> BoxedStrategy<Plans> {
    let themes: Vec<(u32, BoxedStrategy<Plans>)> =
        THEMES.iter().map(|(weight, theme)| (*weight, of_theme(*theme))).collect();
    proptest::strategy::Union::new_weighted(themes).boxed()
}

fn tree_of(theme: Theme) -> BoxedStrategy<Vec<Entry>> {
    let plain = tree::Bias::PLAIN;
    match theme {
        Theme::Ranking | Theme::Saying => {
            let number = prop_oneof![2 => Just(0_u64), 1 => 1_u64..18, 1 => 18_u64..30];
            (source::tree(source::Text::Plain), number)
                .prop_map(|(tree, number)| spread(tree, number))
                .boxed()
        }
        Theme::Refusals => source::tree(source::Text::Plain),
        Theme::Roots => prop_oneof![
            2 => source::tree(source::Text::Plain),
            1 => tree::tree(tree::Bias { entries: 6, ..plain }),
        ]
        .boxed(),
        Theme::Encoding => source::tree(source::Text::Encoded),
        Theme::LongLines => source::tree(source::Text::Long),
        Theme::Broad => (source::tree(source::Text::Much), 2_u64..14)
            .prop_map(|(tree, times)| much(tree, times))
            .boxed(),
        Theme::Budget => source::tree(source::Text::Much),
        Theme::Secrets => secret::tree(),
        Theme::Names => tree::tree(tree::Bias { entries: 7, odd_names: 14, ..plain }),
        Theme::Eligibility => prop_oneof![
            2 => tree::tree(tree::Bias { entries: 7, odd_names: 2, rules: 14, links: 5, ..plain }),
            1 => source::tree(source::Text::Plain),
        ]
        .boxed(),
        Theme::Faults => {
            tree::tree(tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain })
        }
    }
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

fn of_theme(theme: Theme) -> BoxedStrategy<Plans> {
    let quiet = config::Bias { caps: 0.05, ..config::Bias::QUIET };
    let config = match theme {
        Theme::Eligibility => config::Bias { deny: 0.3, ignore: 0.12, working_dir: 0.15, ..quiet },
        Theme::Roots => config::Bias { working_dir: 0.8, ..quiet },
        Theme::Faults => config::Bias { caps: 0.35, ..quiet },
        _ => quiet,
    };
    let repository =
        weighted(if theme == Theme::Roots { 0.85 } else { 0.06 }, any::<(usize, bool)>());
    let model = if theme == Theme::Saying { says::script().boxed() } else { says::usual().boxed() };
    (
        (tree_of(theme), config::config(config), agent_keys(theme), keyword_keys(theme)),
        repository,
        request::request(theme),
        weighted(if matches!(theme, Theme::Saying | Theme::Broad) { 0.99 } else { 0.8 }, model),
    )
        .prop_map(move |((tree, config, agent, keyword), repository, request, model)| Plans {
            theme,
            tree,
            config,
            agent,
            keyword,
            repository,
            request,
            model,
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

fn agent_keys(theme: Theme) -> BoxedStrategy<Keys> {
    let is_tight = theme == Theme::Budget;
    (
        key("default_max_results", 0.05, &[1, 2, 3, 200]),
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

fn keyword_keys(theme: Theme) -> BoxedStrategy<Keys> {
    let (each, all, broad) =
        if theme == Theme::Broad { (0.75, 0.9, 0.9) } else { (0.05, 0.05, 0.08) };
    (
        key("term_bytes", each, &[1_024, 1_024, 1_024, 1_025, 1_500, 2_000, 3_000]),
        key("total_bytes", all, &[1_024, 1_500, 2_000, 3_000, 5_000]),
        key("broad_files", broad, &[0, 0, 0, 1, 1, 2, 3, 4_000]),
        prop::bool::weighted(0.97),
    )
        .prop_map(|(a, b, c, from_query)| {
            let keys = keys([a, b, c]);
            if from_query { keys } else { keys.with("terms_from_query", false) }
        })
        .boxed()
}

/// The case that the plans come to.
pub fn assemble(id: String, plans: Plans) -> Case {
    let Plans { theme, mut tree, config, agent, keyword, repository, request, model } = plans;
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
    let mut case =
        Case::of_keyword(id, format!("drawn at random, about {}", theme.name()), request);
    case.tree = tree;
    case.config = config;
    case.model = model;
    case
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

impl Theme {
    /// The theme in words.
    fn name(self) -> &'static str {
        match self {
            Theme::Ranking => "ranking",
            Theme::Saying => "what a model says",
            Theme::Broad => "terms that are too broad",
            Theme::Secrets => "secrets",
            Theme::Roots => "repositories",
            Theme::Encoding => "encodings",
            Theme::LongLines => "long lines",
            Theme::Names => "names",
            Theme::Eligibility => "ignore files",
            Theme::Budget => "budgets",
            Theme::Faults => "faults",
            Theme::Refusals => "refusals",
        }
    }
}

#[cfg(test)]
mod tests;
