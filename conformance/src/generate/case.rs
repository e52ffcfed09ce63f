//! Whole cases: a theme, and a tree, a configuration and a request that fit it and each other.
//!
//! Responsible for: the mix of themes, putting the plans of the other generators together, and the numbering that
//! makes a case depend on nothing but the seed and its number.
//! Left to neighbours: each noun has its own generator beside this one.
//! Invariants: [`Generator::case`] with the same seed and number gives the same case, in any order, on any thread;
//! every case is well formed.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::agent;
use super::config::{self, ConfigPlan};
use super::files;
use super::keyword;
use super::request::{self, Places, RequestPlan};
use super::text::Flavour;
use super::tree::{self, above};
use crate::case::{Case, Entry, Node};

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
            Mix::Keyword => keyword::plans().prop_map(|plans| Drawn::Keyword(Box::new(plans))).boxed(),
            Mix::Agent => agent::plans().prop_map(|plans| Drawn::Agent(Box::new(plans))).boxed(),
            Mix::Files | Mix::SmallFiles => {
                files::plans(mix == Mix::SmallFiles).prop_map(|plans| Drawn::Files(Box::new(plans))).boxed()
            }
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
            // No strategy here filters, so none can run out of tries; a plain case keeps the numbering whole.
            Err(reason) => fallback(id, &reason.to_string()),
        }
    }

    /// Random numbers for one case. Seed and number are spread over the whole key, so neighbours have nothing in common.
    fn rng(&self, number: u64) -> TestRng {
        let mut key = [0_u8; 32];
        let words = [self.seed, number, !self.seed, number.rotate_left(32)];
        for (chunk, word) in key.chunks_exact_mut(8).zip(words) {
            let mixed =
                xxhash_rust::xxh3::xxh3_64_with_seed(&word.to_le_bytes(), self.seed ^ number.rotate_left(17));
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
            request::Bias { near: 0.95, fuzzy: 0.0, flags: 0.1, globs: 0.02, caps: 0.06, path: 0.1, ..mixed },
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
    if let Some(chosen) = working_dir.and_then(|index| directories.get(index % directories.len().max(1))) {
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

/// Directories of the sandbox that can be named in JSON and entered.
pub(super) fn directories(tree: &[Entry]) -> Vec<String> {
    let closed: Vec<&[u8]> = tree
        .iter()
        .filter(|entry| matches!(entry.node, Node::Dir { readable: false }))
        .map(|entry| entry.path.as_slice())
        .collect();
    let mut found: Vec<String> = Vec::new();
    for entry in tree.iter().filter(|entry| !entry.path.starts_with(b"../")) {
        let itself = matches!(entry.node, Node::Dir { .. }).then_some(entry.path.as_slice());
        for path in above(&entry.path).chain(itself) {
            let shut =
                closed.iter().any(|closed| *closed == path || above(path).any(|parent| parent == *closed));
            if let (false, Ok(path)) = (shut, std::str::from_utf8(path)) {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What a request can name: the entries and the directories.
pub(super) fn paths(tree: &[Entry], directories: &[String]) -> Vec<String> {
    let entries = tree.iter().filter_map(|entry| String::from_utf8(entry.path.clone()).ok());
    let mut paths: Vec<String> = entries.chain(directories.iter().cloned()).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Lines that patterns can be cut out of, with the paths of their files: the beginning of every piece of every file
/// that is not hidden, or of every file if all are.
pub(super) fn lines(tree: &[Entry]) -> Vec<(String, String)> {
    let hidden = |path: &[u8]| path.split(|byte| *byte == b'/').any(|name| name.starts_with(b"."));
    let mut lines = Vec::new();
    for shown in [true, false] {
        for entry in tree.iter().filter(|entry| hidden(&entry.path) != shown) {
            let Node::File { contents, .. } = &entry.node else { continue };
            let path = String::from_utf8_lossy(&entry.path);
            let pieces = contents.parts.iter().filter(|part| part.times > 0);
            lines.extend(
                pieces.flat_map(|part| clean_lines(&part.bytes.0)).map(|line| (path.to_string(), line)),
            );
        }
        if !lines.is_empty() {
            break;
        }
    }
    lines
}

/// Lines without what no pattern holds, and without what stands for bytes that are not text.
fn clean_lines(bytes: &[u8]) -> Vec<String> {
    decoded(bytes)
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .filter(|line| !line.contains(['\0', '\u{fffd}']) && !line.trim().is_empty())
        .map(str::to_owned)
        .collect()
}

fn decoded(bytes: &[u8]) -> String {
    let units = |combine: fn([u8; 2]) -> u16, rest: &[u8]| -> String {
        let units: Vec<u16> =
            rest.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(combine).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => units(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => units(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}
