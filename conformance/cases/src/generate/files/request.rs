//! Requests of `search_files`: a plan of fields, made concrete once the tree is known.
//!
//! Responsible for: which fields a request carries and with which values, at and around every bound
//! and cap. Not here: the query ([`super::query`]), globs, spellings of paths
//! ([`super::super::request`]), and what is wrong on purpose ([`super::fault`]). Invariants: a plan
//! without a fault becomes a request that is valid, unless a cap of the configuration, its path or
//! its query happens to make it otherwise.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::fault::{Fault, fault};
use super::query::{self, QueryPlan};
use crate::generate::glob;
use crate::generate::request::{PathPlan, Places, path};

/// Probabilities of the fields that are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bias {
    /// Probability of a regular expression.
    pub(super) regex: f64,
    /// Whether expressions compile quickly.
    pub(super) quick: bool,
    /// Probability of approximate matching.
    pub(super) fuzzy: f64,
    /// Whether approximate queries are long.
    pub(super) long: bool,
    /// Probability of each list of globs.
    pub(super) globs: f64,
    /// Probability of each cap.
    pub(super) caps: f64,
    /// Probability of a depth.
    pub(super) depth: f64,
    /// Probability of context lines.
    pub(super) context: f64,
    /// Probability of each flag.
    pub(super) flags: f64,
    /// Probability of a word about links.
    pub(super) follow: f64,
    /// Probability of a path other than `.`.
    pub(super) path: f64,
    /// Probability of one deliberate fault.
    pub(super) fault: f64,
}

impl Bias {
    /// Every kind now and then.
    pub(super) const MIXED: Self = Self {
        regex: 0.3,
        quick: false,
        fuzzy: 0.12,
        long: false,
        globs: 0.07,
        caps: 0.07,
        depth: 0.08,
        context: 0.2,
        flags: 0.2,
        follow: 0.2,
        path: 0.15,
        fault: 0.02,
    };
}

/// A request under construction.
#[derive(Debug, Clone)]
pub(super) struct RequestPlan {
    mode: &'static str,
    /// Whether the mode is named though it is the default.
    says_mode: bool,
    query: QueryPlan,
    /// The path; with whether it is one of a directory.
    path: Option<(PathPlan, bool)>,
    case: Option<&'static str>,
    flags: Vec<(&'static str, bool)>,
    globs: Vec<(&'static str, Vec<String>)>,
    integers: Vec<(&'static str, u64)>,
    fault: Option<Fault>,
}

impl RequestPlan {
    /// The request. What `is_long` is not searched approximately.
    pub(super) fn concrete(
        &self,
        places: &Places,
        directories: Vec<String>,
        is_long: bool,
    ) -> Value {
        let mode = if self.mode == "fuzzy" && is_long { "exact" } else { self.mode };
        let lines: Vec<String> = places.lines.iter().map(|(_, line)| line.clone()).collect();
        let query = match &self.fault {
            Some(Fault::Regex(plan)) => plan.concrete(&lines),
            _ => self.query.concrete(&lines),
        };
        let entered = Places {
            paths: directories,
            lines: Vec::new(),
            working_dir: places.working_dir.clone(),
        };
        let path = match &self.path {
            None => ".".to_owned(),
            Some((plan, true)) => plan.concrete(&entered),
            Some((plan, false)) => plan.concrete(places),
        };
        let mut request = Map::new();
        request.insert("path".to_owned(), json!(path));
        request.insert("query".to_owned(), json!(query));
        if mode != "exact" || self.says_mode {
            request.insert("mode".to_owned(), json!(mode));
        }
        if let Some(case) = self.case {
            request.insert("case".to_owned(), json!(case));
        }
        request.extend(self.flags.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        request.extend(self.globs.iter().map(|(name, globs)| ((*name).to_owned(), json!(globs))));
        request
            .extend(self.integers.iter().map(|(name, number)| ((*name).to_owned(), json!(number))));
        if request.get("recursive") == Some(&json!(false)) && request.contains_key("max_depth") {
            request.insert("max_depth".to_owned(), json!(1));
        }
        match &self.fault {
            Some(fault) => fault.put_into(request),
            None => Value::Object(request),
        }
    }
}

pub(super) fn request(bias: Bias) -> BoxedStrategy<RequestPlan> {
    let sought = (prop::bool::weighted(bias.fuzzy), prop::bool::weighted(bias.regex));
    let sought = sought.prop_flat_map(move |(is_fuzzy, is_regex)| match (is_fuzzy, is_regex) {
        (true, _) => (Just("fuzzy"), query::fuzzy(bias.long)).boxed(),
        (false, true) if bias.quick => (Just("regex"), query::quick_regex()).boxed(),
        (false, true) => (Just("regex"), query::regex()).boxed(),
        (false, false) => (Just("exact"), query::exact()).boxed(),
    });
    let case = prop_oneof![
        5 => Just(None),
        2 => Just(Some("insensitive")),
        2 => Just(Some("sensitive")),
        1 => Just(Some("smart")),
    ];
    let place = weighted(bias.path, (path(), prop::bool::weighted(0.8)));
    let rest =
        (prop::bool::weighted(0.1), place, case, flags(bias), globs(bias.globs), integers(bias));
    (sought, rest, weighted(bias.fault, fault()))
        .prop_map(|((mode, query), (says_mode, path, case, flags, globs, integers), fault)| {
            RequestPlan { mode, says_mode, query, path, case, flags, globs, integers, fault }
        })
        .boxed()
}

fn flags(bias: Bias) -> impl Strategy<Value = Vec<(&'static str, bool)>> {
    let flag = |name: &'static str, chance: f64, value: f64| {
        weighted(chance, prop::bool::weighted(value))
            .prop_map(move |given| given.map(|given| (name, given)))
    };
    (
        flag("recursive", bias.flags * 0.4, 0.2),
        flag("include_hidden", bias.flags, 0.85),
        flag("respect_gitignore", bias.flags * 0.5, 0.15),
        flag("follow_symlinks", bias.follow, 0.9),
    )
        .prop_map(|(a, b, c, d)| [a, b, c, d].into_iter().flatten().collect())
}

fn globs(chance: f64) -> impl Strategy<Value = Vec<(&'static str, Vec<String>)>> {
    let field = |name: &'static str| {
        weighted(chance, prop::collection::vec(glob::request_glob(), 0..3))
            .prop_map(move |globs| globs.map(|globs| (name, globs)))
    };
    (field("include_globs"), field("exclude_globs"))
        .prop_map(|(include, exclude)| [include, exclude].into_iter().flatten().collect())
}

fn integers(bias: Bias) -> impl Strategy<Value = Vec<(&'static str, u64)>> {
    let number = |name: &'static str, chance: f64, values: &'static [u64]| {
        weighted(chance, select(values)).prop_map(move |given| given.map(|given| (name, given)))
    };
    (
        number("max_depth", bias.depth, &[1, 1, 2, 2, 3, 4, 1_000]),
        number("max_results", bias.caps, &[1, 1, 2, 2, 3, 4, 5, 6, 8, 200]),
        number("max_matches_per_file", bias.caps, &[1, 1, 1, 2, 2, 3, 9_007_199_254_740_992]),
        number(
            "max_file_size_bytes",
            bias.caps * 0.5,
            &[1, 4, 8, 12, 16, 20, 24, 32, 40, 64, 8_200, 33_554_432],
        ),
        number("max_files", bias.caps, &[1, 1, 2, 2, 3, 4, 1_000_000]),
        number("context_lines", bias.context, &[0, 1, 1, 1, 2, 2, 3, 1_000]),
    )
        .prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f].into_iter().flatten().collect())
}
