//! Whole cases: a theme, and a tree, a configuration and a request that fit it and each other.
//!
//! Responsible for: the mix of themes, putting the plans of the other generators together, and the
//! numbering that makes a case depend on nothing but the seed and its number. Left to neighbours:
//! each noun has its own generator beside this one. Invariants: [`Generator::case`] with the same
//! seed and number gives the same case, in any order, on any thread; every case is well formed.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::agent;
use super::config::{self, ConfigPlan};
use super::files;
use super::keyword;
use super::named::{directories, lines, paths};
use super::request::{self, Places, RequestPlan};
use super::text::Flavour;
use super::tree;
use crate::case::{Case, Entry};

/// What a case is mostly about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// Which lines match.
    Matching,
    /// Byte order marks, UTF-16, invalid bytes, NULs.
    Encoding,
    /// Names, and the order they give.
    Names,
    /// Ignore files and repositories.
    Ignoring,
    /// Request globs and deny patterns.
    Globs,
    /// Symbolic links.
    Links,
    /// Caps of every kind.
    Caps,
    /// What cannot be opened.
    Faults,
    /// Approximate matching.
    Fuzzy,
    /// Literals that are nowhere, and what is shown instead.
    Fallback,
    /// Requests that must be refused.
    Refusals,
    /// Long lines and many lines.
    Large,
}

/// The themes, with their weights in the mix.
pub const THEMES: &[(u32, Theme)] = &[
    (26, Theme::Matching),
    (10, Theme::Encoding),
    (9, Theme::Names),
    (12, Theme::Ignoring),
    (9, Theme::Globs),
    (9, Theme::Links),
    (11, Theme::Caps),
    (3, Theme::Faults),
    (6, Theme::Fuzzy),
    (8, Theme::Fallback),
    (7, Theme::Refusals),
    (2, Theme::Large),
];

/// Which cases are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// Of `Search`.
    Search,
    /// Of `search_files`.
    Files,
    /// Of `search_files`, without a budget, and with small answers as a rule.
    SmallFiles,
    /// Of the agent's tools.
    Agent,
    /// Of `keyword_search`.
    Keyword,
}

/// Draws cases. Not shared between threads; every thread makes its own, and they agree.
pub struct Generator {
    seed: u64,
    strategy: BoxedStrategy<Drawn>,
}

/// What is drawn, before it is put together.
#[derive(Debug, Clone)]
enum Drawn {
    Search(Box<Plans>),
    Files(Box<files::Plans>),
    Agent(Box<agent::Plans>),
    Keyword(Box<keyword::Plans>),
}

/// Everything a case is made of, before it is put together.
#[derive(Debug, Clone)]
struct Plans {
    theme: Theme,
    tree: Vec<Entry>,
    config: ConfigPlan,
    request: RequestPlan,
}

impl Generator {
    /// A generator of all there is of `Search`.
    pub fn new(seed: u64) -> Self {
        Self::of(Mix::Search, seed)
    }

    /// A generator of a mix.
    pub fn of(mix: Mix, seed: u64) -> Self {
        let strategy = match mix {
            Mix::Search => {
                let themes: Vec<(u32, BoxedStrategy<Plans>)> =
                    THEMES.iter().map(|(weight, theme)| (*weight, plans(*theme))).collect();
                proptest::strategy::Union::new_weighted(themes)
                    .prop_map(|plans| Drawn::Search(Box::new(plans)))
                    .boxed()
            }
            Mix::Keyword => {
                keyword::plans().prop_map(|plans| Drawn::Keyword(Box::new(plans))).boxed()
            }
            Mix::Agent => agent::plans().prop_map(|plans| Drawn::Agent(Box::new(plans))).boxed(),
            Mix::Files | Mix::SmallFiles => files::plans(mix == Mix::SmallFiles)
                .prop_map(|plans| Drawn::Files(Box::new(plans)))
                .boxed(),
        };
        Self { seed, strategy }
    }

    /// The case with this number.
    pub fn case(&self, number: u64) -> Case {
        let mut runner = TestRunner::new_with_rng(Config::default(), self.rng(number));
        let id = format!("random-{:x}-{number}", self.seed);
        match self.strategy.new_tree(&mut runner).map(|value| value.current()) {
            Ok(Drawn::Search(plans)) => assemble(id, *plans),
            Ok(Drawn::Files(plans)) => files::assemble(id, *plans),
            Ok(Drawn::Agent(plans)) => agent::assemble(id, *plans),
            Ok(Drawn::Keyword(plans)) => keyword::assemble(id, *plans),
            // No strategy here filters, so none can run out of tries; a plain case keeps the
            // numbering whole.
            Err(reason) => fallback(id, &reason.to_string()),
        }
    }

    /// Random numbers for one case. Seed and number are spread over the whole key, so neighbours
    /// have nothing in common.
    fn rng(&self, number: u64) -> TestRng {
        let mut key = [0_u8; 32];
        let words = [self.seed, number, !self.seed, number.rotate_left(32)];
        for (chunk, word) in key.chunks_exact_mut(8).zip(words) {
            let mixed = xxhash_rust::xxh3::xxh3_64_with_seed(
                &word.to_le_bytes(),
                self.seed ^ number.rotate_left(17),
            );
            chunk.copy_from_slice(&mixed.to_le_bytes());
        }
        TestRng::from_seed(RngAlgorithm::ChaCha, &key)
    }
}

fn fallback(id: String, reason: &str) -> Case {
    let request = serde_json::json!({ "pattern": "foo" });
    Case::new(id, format!("not drawn: {reason}"), request).with(Entry::file("a.txt", "foo\n"))
}

/// The three biases of a theme.
fn biases(theme: Theme) -> (tree::Bias, config::Bias, request::Bias) {
    let plain = tree::Bias::PLAIN;
    let quiet = config::Bias::QUIET;
    let mixed = request::Bias::MIXED;
    match theme {
        Theme::Matching => (tree::Bias { entries: 3, ..plain }, quiet, mixed),
        Theme::Encoding => (
            tree::Bias { flavour: Flavour::Encoded, entries: 2, ..plain },
            quiet,
            request::Bias { literal: 0.65, path: 0.35, ..mixed },
        ),
        Theme::Names => (
            tree::Bias { flavour: Flavour::Rough, entries: 7, odd_names: 14, ..plain },
            quiet,
            request::Bias { flags: 0.3, path: 0.25, ..mixed },
        ),
        Theme::Ignoring => (
            tree::Bias { entries: 7, odd_names: 2, rules: 14, ..plain },
            config::Bias { ignore: 0.12, working_dir: 0.12, ..quiet },
            request::Bias { literal: 0.8, flags: 0.3, path: 0.3, ..mixed },
        ),
        Theme::Globs => (
            tree::Bias { entries: 6, odd_names: 4, ..plain },
            config::Bias { deny: 0.3, ..quiet },
            request::Bias { literal: 0.8, globs: 0.38, path: 0.25, ..mixed },
        ),
        Theme::Links => (
            tree::Bias { entries: 7, links: 14, rules: 2, ..plain },
            config::Bias { deny: 0.1, working_dir: 0.12, ..quiet },
            request::Bias { literal: 0.8, follow: 0.85, path: 0.3, ..mixed },
        ),
        Theme::Caps => (
            tree::Bias { entries: 5, ..plain },
            config::Bias { caps: 0.12, ..quiet },
            request::Bias { literal: 0.7, caps: 0.35, context: 0.5, path: 0.1, ..mixed },
        ),
        Theme::Faults => (
            tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain },
            quiet,
            request::Bias { literal: 0.8, path: 0.3, ..mixed },
        ),
        Theme::Fuzzy => (
            tree::Bias { flavour: Flavour::Rough, entries: 3, ..plain },
            quiet,
            request::Bias { fuzzy: 0.95, ..mixed },
        ),
        Theme::Fallback => (
            tree::Bias { entries: 3, ..plain },
            config::Bias { stats: 0.8, fallback: 0.92, ..quiet },
            request::Bias {
                near: 0.95,
                fuzzy: 0.0,
                flags: 0.1,
                globs: 0.02,
                caps: 0.06,
                path: 0.1,
                ..mixed
            },
        ),
        Theme::Refusals => {
            (plain, config::Bias { off: 0.06, ..quiet }, request::Bias { fault: 0.8, ..mixed })
        }
        Theme::Large => (
            tree::Bias { flavour: Flavour::Large, entries: 3, ..plain },
            quiet,
            request::Bias { caps: 0.2, ..mixed },
        ),
    }
}

fn plans(theme: Theme) -> BoxedStrategy<Plans> {
    let (tree, config, request) = biases(theme);
    (tree::tree(tree), config::config(config), request::request(request))
        .prop_map(move |(tree, config, request)| Plans { theme, tree, config, request })
        .boxed()
}

fn assemble(id: String, plans: Plans) -> Case {
    let Plans { theme, tree, config: ConfigPlan { mut config, working_dir }, request } = plans;
    let directories = directories(&tree);
    if let Some(chosen) =
        working_dir.and_then(|index| directories.get(index % directories.len().max(1)))
    {
        config.working_dir.clone_from(chosen);
    }
    let places = Places {
        paths: paths(&tree, &directories),
        lines: lines(&tree),
        working_dir: config.working_dir.clone(),
    };
    let (tool, request) = request.concrete(&places);
    let mut case = Case::new(id, format!("drawn at random, about {}", theme.name()), request);
    case.tool = tool;
    case.tree = tree;
    case.config = config;
    case
}

impl Theme {
    /// The theme in words.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Matching => "matching",
            Theme::Encoding => "encodings",
            Theme::Names => "names",
            Theme::Ignoring => "ignore files",
            Theme::Globs => "globs",
            Theme::Links => "links",
            Theme::Caps => "caps",
            Theme::Faults => "faults",
            Theme::Fuzzy => "approximate matching",
            Theme::Fallback => "fuzzy fallback",
            Theme::Refusals => "refusals",
            Theme::Large => "large files",
        }
    }
}
