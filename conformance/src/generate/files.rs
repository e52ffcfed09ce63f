//! Whole cases of `search_files`: a theme, and a tree, a configuration, a request and a budget that
//! fit each other.
//!
//! Responsible for: the mix of themes and putting the plans together. Left to neighbours: trees,
//! texts, globs and patterns, which are those of `Search` ([`super`]); what only this tool has, in
//! the rooms below. Invariants: every case is well formed; one that searches approximately has no
//! long line, since the model looks at every window; a budget is drawn last, for its interesting
//! values depend on the whole answer.

use proptest::prelude::*;

use super::config;
use super::named::{directories, lines, paths};
use super::request::Places;
use super::text::Flavour;
use super::tree;
use crate::case::{Case, CaseConfig, Entry, Keys, Node};

mod budget;
mod fault;
mod keys;
mod query;
mod request;
mod trees;

use budget::BudgetPlan;
use request::RequestPlan;

/// What a case is mostly about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// Literals, several to a line.
    Exact,
    /// Expressions, those that match nothing at many places among them.
    Regex,
    /// Lines that resemble the query.
    Fuzzy,
    /// Queries and lines longer than a machine word has bits.
    LongFuzzy,
    /// Byte order marks, UTF-16, invalid bytes, NULs early and late.
    Encoding,
    /// Names, and the order they give.
    Names,
    /// Ignore files and repositories.
    Ignoring,
    /// Request globs and deny patterns.
    Globs,
    /// Symbolic links.
    Links,
    /// Directories in directories.
    Depth,
    /// Caps of every kind.
    Caps,
    /// Answers that do not fit.
    Budget,
    /// What cannot be opened.
    Faults,
    /// Requests that must be refused.
    Refusals,
    /// Long lines and many lines.
    Large,
    /// Few short files, whose whole answer is small.
    Small,
}

/// The themes, with their weights in the mix.
const THEMES: &[(u32, Theme)] = &[
    (16, Theme::Exact),
    (14, Theme::Regex),
    (14, Theme::Fuzzy),
    (5, Theme::LongFuzzy),
    (10, Theme::Encoding),
    (5, Theme::Names),
    (5, Theme::Ignoring),
    (5, Theme::Globs),
    (8, Theme::Links),
    (7, Theme::Depth),
    (11, Theme::Caps),
    (10, Theme::Budget),
    (4, Theme::Faults),
    (10, Theme::Refusals),
    (1, Theme::Large),
];

/// The same for answers that are called for under every budget.
const SMALL: &[(u32, Theme)] = &[
    (12, Theme::Small),
    (2, Theme::Encoding),
    (2, Theme::Links),
    (1, Theme::Caps),
    (1, Theme::Faults),
];

/// Everything a case is made of, before it is put together.
#[derive(Debug, Clone)]
pub struct Plans {
    theme: Theme,
    tree: Vec<Entry>,
    config: config::ConfigPlan,
    keys: Keys,
    request: RequestPlan,
    budget: Option<BudgetPlan>,
}

/// The whole mix, without budgets if the answers are to be `small`.
pub fn plans(small: bool) -> BoxedStrategy<Plans> {
    let themes = if small { SMALL } else { THEMES };
    let themes: Vec<(u32, BoxedStrategy<Plans>)> =
        themes.iter().map(|(weight, theme)| (*weight, of_theme(*theme, small))).collect();
    proptest::strategy::Union::new_weighted(themes).boxed()
}

/// What a theme wants of each generator.
struct Biases {
    tree: BoxedStrategy<Vec<Entry>>,
    config: config::Bias,
    keys: keys::Bias,
    request: request::Bias,
    budget: f64,
}

#[expect(clippy::too_many_lines, reason = "a table: one entry for each theme")]
fn biases(theme: Theme) -> Biases {
    let plain = tree::Bias::PLAIN;
    let usual = Biases {
        tree: tree::tree(tree::Bias { entries: 3, ..plain }),
        config: config::Bias::QUIET,
        keys: keys::Bias::QUIET,
        request: request::Bias::MIXED,
        budget: 0.15,
    };
    let request = request::Bias::MIXED;
    let drawn = |bias: tree::Bias| tree::tree(bias);
    match theme {
        Theme::Exact => Biases { tree: trees::dense(4), ..usual },
        Theme::Regex => Biases {
            tree: prop_oneof![2 => trees::dense(3), 1 => usual.tree].boxed(),
            request: request::Bias { regex: 1.0, ..request },
            ..usual
        },
        Theme::Fuzzy => Biases {
            tree: prop_oneof![
                1 => trees::dense(2),
                2 => drawn(tree::Bias { entries: 2, ..plain }),
                1 => drawn(tree::Bias { entries: 2, flavour: Flavour::Rough, ..plain })
            ]
            .boxed(),
            keys: keys::Bias { threshold: 0.7, ..usual.keys },
            request: request::Bias { fuzzy: 1.0, ..request },
            ..usual
        },
        Theme::LongFuzzy => Biases {
            tree: trees::wordy(),
            keys: keys::Bias { threshold: 0.5, ..usual.keys },
            request: request::Bias { fuzzy: 1.0, long: true, ..request },
            ..usual
        },
        Theme::Encoding => Biases {
            tree: trees::encoded(),
            keys: keys::Bias { binary: 0.25, ..usual.keys },
            ..usual
        },
        Theme::Names => Biases {
            tree: drawn(tree::Bias { entries: 7, odd_names: 14, ..plain }),
            request: request::Bias { flags: 0.4, path: 0.3, ..request },
            ..usual
        },
        Theme::Ignoring => Biases {
            tree: drawn(tree::Bias { entries: 7, odd_names: 2, rules: 14, ..plain }),
            config: config::Bias { ignore: 0.12, working_dir: 0.12, ..usual.config },
            request: request::Bias { flags: 0.35, path: 0.3, ..request },
            ..usual
        },
        Theme::Globs => Biases {
            tree: drawn(tree::Bias { entries: 6, odd_names: 4, ..plain }),
            config: config::Bias { deny: 0.3, ..usual.config },
            request: request::Bias { globs: 0.5, path: 0.25, ..request },
            ..usual
        },
        Theme::Links => Biases {
            tree: prop_oneof![
                3 => drawn(tree::Bias { entries: 7, links: 14, rules: 2, ..plain }),
                1 => trees::linked()
            ]
            .boxed(),
            config: config::Bias { deny: 0.1, working_dir: 0.12, ..usual.config },
            request: request::Bias { follow: 0.85, path: 0.3, ..request },
            ..usual
        },
        Theme::Depth => Biases {
            tree: trees::nested(),
            keys: keys::Bias { caps: 0.12, ..usual.keys },
            request: request::Bias { depth: 0.75, flags: 0.3, path: 0.3, follow: 0.3, ..request },
            ..usual
        },
        Theme::Caps => Biases {
            tree: trees::dense(5),
            keys: keys::Bias { caps: 0.1, ..usual.keys },
            request: request::Bias { caps: 0.4, context: 0.3, ..request },
            ..usual
        },
        Theme::Budget => Biases {
            tree: prop_oneof![3 => trees::dense(4), 1 => trees::encoded(), 1 => trees::linked()]
                .boxed(),
            request: request::Bias { caps: 0.1, follow: 0.5, ..request },
            budget: 1.0,
            ..usual
        },
        Theme::Faults => Biases {
            tree: drawn(tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain }),
            request: request::Bias { path: 0.3, ..request },
            ..usual
        },
        Theme::Refusals => Biases {
            tree: drawn(plain),
            config: config::Bias { off: 0.06, ..usual.config },
            keys: keys::Bias { caps: 0.1, ..usual.keys },
            request: request::Bias { fault: 0.8, path: 0.3, ..request },
            ..usual
        },
        Theme::Large => Biases {
            tree: drawn(tree::Bias { flavour: Flavour::Large, entries: 3, ..plain }),
            ..usual
        },
        Theme::Small => Biases {
            tree: trees::dense(2),
            request: request::Bias { caps: 0.12, context: 0.2, ..request },
            ..usual
        },
    }
}

fn of_theme(theme: Theme, small: bool) -> BoxedStrategy<Plans> {
    let Biases { tree, config, keys, request, budget } = biases(theme);
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
        .prop_map(move |(tree, config, keys, request, budget)| Plans {
            theme,
            tree,
            config,
            keys,
            request,
            budget,
        })
        .boxed()
}

/// The case that the plans come to.
pub fn assemble(id: String, plans: Plans) -> Case {
    let Plans {
        theme,
        tree,
        config: config::ConfigPlan { config, working_dir },
        keys,
        request,
        budget,
    } = plans;
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
    let mut case = Case::of_files(id, format!("drawn at random, about {}", theme.name()), request);
    case.tree = tree;
    case.config = config;
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

impl Theme {
    /// The theme in words.
    fn name(self) -> &'static str {
        match self {
            Theme::Exact => "literals",
            Theme::Regex => "expressions",
            Theme::Fuzzy => "approximate matching",
            Theme::LongFuzzy => "approximate matching of long queries",
            Theme::Encoding => "encodings",
            Theme::Names => "names",
            Theme::Ignoring => "ignore files",
            Theme::Globs => "globs",
            Theme::Links => "links",
            Theme::Depth => "depth",
            Theme::Caps => "caps",
            Theme::Budget => "budgets",
            Theme::Faults => "faults",
            Theme::Refusals => "refusals",
            Theme::Large => "large files",
            Theme::Small => "small answers",
        }
    }
}

#[cfg(test)]
mod tests;
