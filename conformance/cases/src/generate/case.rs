//! Whole cases: of `Search` a theme, and a tree, a configuration and a request that fit it and each
//! other; and the generator of the cases of any tool.
//!
//! Responsible for: the mix of themes, putting the plans of the other generators together, and the
//! numbering that makes a case depend on nothing but the seed and its number. Not here: each noun
//! has its own generator beside this one. Invariants: [`Generator::case`] with the same seed and
//! number gives the same case, in any order, on any thread; every case is well formed.

use proptest::prelude::*;
use proptest::strategy::{Union, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::above;
use super::agent;
use super::config::{self, ConfigPlan};
use super::files;
use super::keyword;
use super::named::{directories, lines, paths};
use super::request::{self, Places};
use super::text::Flavour;
use super::tree;
use crate::case::{Case, Entry};
use crate::dice::Dice;
use crate::family::Family;

/// One case in so many has its sandbox root in a repository.
const ABOVE: u64 = 9;

/// Which cases are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// Of the tools of a family.
    Of(Family),
    /// Of `search_files`, without a budget, and with small answers as a rule.
    SmallFiles,
}

/// Draws cases. Not shared between threads; every thread makes its own, and they agree.
pub struct Generator {
    seed: u64,
    strategy: BoxedStrategy<Case>,
}

impl Generator {
    /// A generator of all there is of `Search`.
    pub fn new(seed: u64) -> Self {
        Self::of(Mix::Of(Family::Search), seed)
    }

    /// A generator of a mix.
    pub fn of(mix: Mix, seed: u64) -> Self {
        let strategy = match mix {
            Mix::Of(Family::Search) => cases(),
            Mix::Of(Family::Files) => files::cases(false),
            Mix::Of(Family::Agent) => agent::cases(),
            Mix::Of(Family::Keyword) => keyword::cases(),
            Mix::SmallFiles => files::cases(true),
        };
        Self { seed, strategy }
    }

    pub fn case(&self, number: u64) -> Case {
        let mut runner = TestRunner::new_with_rng(Config::default(), self.rng(number));
        let id = format!("random-{:x}-{number}", self.seed);
        match self.strategy.new_tree(&mut runner).map(|value| value.current()) {
            Ok(case) if number.is_multiple_of(ABOVE) => {
                above::moved(Case { id, ..case }, &mut Dice::new(self.seed, number))
            }
            Ok(case) => Case { id, ..case },
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

/// Cases of several themes, each with its weight in the mix and its name.
pub(super) fn themed(
    themes: impl IntoIterator<Item = (u32, &'static str, BoxedStrategy<Case>)>,
) -> BoxedStrategy<Case> {
    let weighted = themes.into_iter().map(|(weight, theme, cases)| {
        let title = format!("drawn at random, about {theme}");
        (weight, cases.prop_map(move |case| Case { title: title.clone(), ..case }).boxed())
    });
    Union::new_weighted(weighted.collect()).boxed()
}

/// Cases of `Search`.
#[expect(clippy::too_many_lines, reason = "a table: one entry for each theme")]
pub fn cases() -> BoxedStrategy<Case> {
    let plain = tree::Bias::PLAIN;
    let quiet = config::Bias::QUIET;
    let mixed = request::Bias::MIXED;
    let themes = [
        (26, "matching", tree::Bias { entries: 3, ..plain }, quiet, mixed),
        (
            10,
            "encodings",
            tree::Bias { flavour: Flavour::Encoded, entries: 2, ..plain },
            quiet,
            request::Bias { literal: 0.65, path: 0.35, ..mixed },
        ),
        (
            9,
            "names",
            tree::Bias { flavour: Flavour::Rough, entries: 7, odd_names: 14, ..plain },
            quiet,
            request::Bias { flags: 0.3, path: 0.25, ..mixed },
        ),
        (
            12,
            "ignore files",
            tree::Bias { entries: 7, odd_names: 2, rules: 14, ..plain },
            config::Bias { ignore: 0.12, working_dir: 0.12, ..quiet },
            request::Bias { literal: 0.8, flags: 0.3, path: 0.3, ..mixed },
        ),
        (
            9,
            "globs",
            tree::Bias { entries: 6, odd_names: 4, ..plain },
            config::Bias { deny: 0.3, ..quiet },
            request::Bias { literal: 0.8, globs: 0.38, path: 0.25, ..mixed },
        ),
        (
            9,
            "links",
            tree::Bias { entries: 7, links: 14, rules: 2, ..plain },
            config::Bias { deny: 0.1, working_dir: 0.12, ..quiet },
            request::Bias { literal: 0.8, follow: 0.85, path: 0.3, ..mixed },
        ),
        (
            11,
            "caps",
            tree::Bias { entries: 5, ..plain },
            config::Bias { caps: 0.12, ..quiet },
            request::Bias { literal: 0.7, caps: 0.35, context: 0.5, path: 0.1, ..mixed },
        ),
        (
            3,
            "faults",
            tree::Bias { entries: 6, faults: 10, rules: 2, links: 2, ..plain },
            quiet,
            request::Bias { literal: 0.8, path: 0.3, ..mixed },
        ),
        (
            6,
            "approximate matching",
            tree::Bias { flavour: Flavour::Rough, entries: 3, ..plain },
            quiet,
            request::Bias { fuzzy: 0.95, ..mixed },
        ),
        (
            8,
            "fuzzy fallback",
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
        (
            7,
            "refusals",
            plain,
            config::Bias { off: 0.06, ..quiet },
            request::Bias { fault: 0.8, ..mixed },
        ),
        (
            2,
            "large files",
            tree::Bias { flavour: Flavour::Large, entries: 3, ..plain },
            quiet,
            request::Bias { caps: 0.2, ..mixed },
        ),
    ];
    themed(
        themes.map(|(weight, theme, tree, config, request)| {
            (weight, theme, of(tree, config, request))
        }),
    )
}

fn of(tree: tree::Bias, config: config::Bias, request: request::Bias) -> BoxedStrategy<Case> {
    (tree::tree(tree), config::config(config), request::request(request))
        .prop_map(|(tree, ConfigPlan { mut config, working_dir }, request)| {
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
            Case { tree, config, ..Case::of("", "", &tool, request) }
        })
        .boxed()
}
