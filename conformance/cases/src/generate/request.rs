//! Requests: a plan of fields, made concrete once the tree is known.
//!
//! Responsible for: which fields a request carries and with which values, at and around every
//! bound, and the ways a request can be wrong. Not here: the pattern itself ([`super::pattern`]),
//! globs ([`super::glob`]). Invariants: a plan without a [`Fault`] becomes a request that is valid,
//! unless its pattern or its path happens not to be; a plan with one is wrong in one further way.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::fault::{Fault, fault};
use super::glob;
use super::pattern::{self, Plan};

/// Probabilities of the fields that are set; chosen per theme of the case.
#[derive(Debug, Clone, Copy)]
pub struct Bias {
    /// Probability that the pattern is a literal.
    pub literal: f64,
    /// Probability of approximate matching.
    pub fuzzy: f64,
    /// Probability of a literal that nearly matches, without asking for approximate matching.
    pub near: f64,
    /// Probability of each glob field.
    pub globs: f64,
    /// Probability of each cap.
    pub caps: f64,
    /// Probability of context lines.
    pub context: f64,
    /// Probability of each traversal flag.
    pub flags: f64,
    /// Probability of following symlinks.
    pub follow: f64,
    /// Probability of a path other than the working directory.
    pub path: f64,
    /// Probability of one deliberate fault.
    pub fault: f64,
}

impl Bias {
    /// Every kind now and then.
    pub const MIXED: Self = Self {
        literal: 0.55,
        fuzzy: 0.03,
        near: 0.02,
        globs: 0.05,
        caps: 0.07,
        context: 0.3,
        flags: 0.2,
        follow: 0.2,
        path: 0.2,
        fault: 0.02,
    };
}

/// A request under construction.
#[derive(Debug, Clone)]
pub struct RequestPlan {
    pattern: Plan,
    fixed_strings: bool,
    fuzzy: Option<u64>,
    path: Option<PathPlan>,
    case: Option<&'static str>,
    flags: Vec<(&'static str, bool)>,
    globs: Vec<(&'static str, Vec<String>)>,
    integers: Vec<(&'static str, u64)>,
    /// Another name of the tool.
    alias: Option<&'static str>,
    /// The one thing that is wrong with the request on purpose.
    pub fault: Option<Fault>,
}

/// Which path a request names.
#[derive(Debug, Clone)]
pub enum PathPlan {
    /// One of the tree's entries or directories, in one of several spellings.
    Existing(usize, Spelling),
    Text(&'static str),
}

/// Ways to write one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Verbatim.
    Plain,
    /// With `./` before it.
    Dotted,
    /// With a slash behind it.
    Slash,
    Absolute,
    /// Through the parent directory.
    RoundTrip,
    /// With a doubled slash and a `.` inside.
    Padded,
}

/// Names and paths that a request for this tree can refer to.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Paths relative to the sandbox root that can be said in JSON, in order.
    pub paths: Vec<String>,
    /// Lines of the tree's files, as text, each with the path of its file.
    pub lines: Vec<(String, String)>,
    /// The working directory, relative to the sandbox root.
    pub working_dir: String,
}

impl RequestPlan {
    /// The tool's name and the request.
    pub fn concrete(&self, places: &Places) -> (String, Value) {
        let mut request = Map::new();
        let plan = match &self.fault {
            Some(Fault::Regex(plan)) => plan,
            _ => &self.pattern,
        };
        let pattern = plan.concrete(&self.lines(places));
        if self.fixed_strings && !matches!(self.fault, Some(Fault::Regex(_))) {
            request.insert("fixed_strings".to_owned(), json!(true));
            if let Some(level) = self.fuzzy {
                // The level stays below the pattern's length; how it is refused otherwise is a
                // fault of its own.
                let longest =
                    u64::try_from(pattern.chars().count()).unwrap_or(u64::MAX).saturating_sub(1);
                if longest > 0 {
                    request.insert("fuzzy".to_owned(), json!(level.min(longest)));
                }
            }
        }
        request.insert("pattern".to_owned(), json!(pattern));
        if let Some(path) = &self.path {
            request.insert("path".to_owned(), json!(path.concrete(places)));
        }
        if let Some(case) = self.case {
            request.insert("case".to_owned(), json!(case));
        }
        for (name, value) in &self.flags {
            request.insert((*name).to_owned(), json!(value));
        }
        for (name, globs) in &self.globs {
            request.insert((*name).to_owned(), json!(globs));
        }
        for (name, number) in &self.integers {
            request.insert((*name).to_owned(), json!(number));
        }
        self.spoil(request)
    }

    /// The lines that a pattern is best cut out of: those below the request's path, if there are
    /// any.
    fn lines(&self, places: &Places) -> Vec<String> {
        let below = |place: &str| -> Vec<String> {
            let inside = |path: &str| {
                path.strip_prefix(place)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            places
                .lines
                .iter()
                .filter(|(path, _)| inside(path))
                .map(|(_, line)| line.clone())
                .collect()
        };
        let asked = match &self.path {
            Some(PathPlan::Existing(index, _)) => {
                places.paths.get(index % places.paths.len().max(1))
            }
            _ => None,
        };
        let near = below(asked.map_or(places.working_dir.as_str(), String::as_str));
        if near.is_empty() {
            places.lines.iter().map(|(_, line)| line.clone()).collect()
        } else {
            near
        }
    }

    fn spoil(&self, mut request: Map<String, Value>) -> (String, Value) {
        let mut tool = self.alias.unwrap_or("Search").to_owned();
        match &self.fault {
            None | Some(Fault::Regex(_)) => {}
            Some(Fault::Field(name, value)) => {
                request.insert((*name).to_owned(), value.clone());
            }
            Some(Fault::Fields(first, one, second, other)) => {
                request.insert((*first).to_owned(), one.clone());
                request.insert((*second).to_owned(), other.clone());
            }
            Some(Fault::Missing(name)) => {
                request.remove(*name);
            }
            Some(Fault::Whole(value)) => return (tool, value.clone()),
            Some(Fault::Tool(name)) => (*name).clone_into(&mut tool),
            Some(Fault::Glob(name, bad)) => {
                request.insert((*name).to_owned(), json!(["*.txt", bad]));
            }
        }
        (tool, Value::Object(request))
    }
}

impl PathPlan {
    /// The path, as the request names it.
    pub(super) fn concrete(&self, places: &Places) -> String {
        let (index, spelling) = match self {
            PathPlan::Text(text) => return (*text).to_owned(),
            PathPlan::Existing(index, spelling) => (*index, *spelling),
        };
        let Some(path) = places.paths.get(index % places.paths.len().max(1)) else {
            return ".".to_owned();
        };
        // From the working directory up to the root, and down again.
        let up =
            "../".repeat(places.working_dir.split('/').filter(|part| !part.is_empty()).count());
        let base = path.rsplit('/').next().unwrap_or(path);
        match spelling {
            Spelling::Plain => format!("{up}{path}"),
            Spelling::Dotted => format!("./{up}{path}"),
            Spelling::Slash => format!("{up}{path}/"),
            Spelling::Absolute => format!("{{root}}/{path}"),
            Spelling::RoundTrip => format!("{up}{path}/../{base}"),
            Spelling::Padded => format!("{up}.//{}", path.replace('/', "/.//")),
        }
    }
}

pub fn request(bias: Bias) -> BoxedStrategy<RequestPlan> {
    let sought = (prop::bool::weighted(bias.fuzzy), prop::bool::weighted(bias.near));
    let sought = sought.prop_flat_map(move |(fuzzy, near)| {
        if fuzzy {
            (pattern::approximate(), Just(true), (1_u64..=4).prop_map(Some)).boxed()
        } else if near {
            (pattern::near(), Just(true), Just(None)).boxed()
        } else {
            prop::bool::weighted(bias.literal)
                .prop_flat_map(|literal| {
                    let plan = if literal { pattern::literal() } else { pattern::regex() };
                    (plan, Just(literal), Just(None))
                })
                .boxed()
        }
    });
    let case = prop_oneof![
        5 => Just(None),
        2 => Just(Some("insensitive")),
        2 => Just(Some("sensitive")),
        1 => Just(Some("smart")),
    ];
    let alias = weighted(0.02, select(&["rg", "ug", "ugrep", "search", "ripgrep"][..]));
    let rest =
        (weighted(bias.path, path()), case, flags(bias), globs(bias.globs), integers(bias), alias);
    (sought, rest, weighted(bias.fault, fault()))
        .prop_map(|((pattern, fixed_strings, fuzzy), rest, fault)| {
            let (path, case, flags, globs, integers, alias) = rest;
            RequestPlan {
                pattern,
                fixed_strings,
                fuzzy,
                path,
                case,
                flags,
                globs,
                integers,
                alias,
                fault,
            }
        })
        .boxed()
}

/// Another path than the working directory.
pub(super) fn path() -> impl Strategy<Value = PathPlan> {
    let spelling = prop_oneof![
        6 => Just(Spelling::Plain),
        1 => Just(Spelling::Dotted),
        1 => Just(Spelling::Slash),
        1 => Just(Spelling::Absolute),
        1 => Just(Spelling::RoundTrip),
        1 => Just(Spelling::Padded),
    ];
    prop_oneof![
        8 => (any::<usize>(), spelling).prop_map(|(index, spelling)| PathPlan::Existing(index, spelling)),
        2 => select(&[".", "./", "{root}", "{root}/", "./.", "a/.."][..]).prop_map(PathPlan::Text),
        1 => select(
            &["missing", "a.txt/x", "..", "../outside", "../outside/o.txt", "a/../../outside", "/", "/etc", "../{root}",
              "{root}/..", "{root}x", "missing/../a", "l/..", "l/../..", "../../..", "../missing"][..],
        )
        .prop_map(PathPlan::Text),
    ]
}

fn flags(bias: Bias) -> impl Strategy<Value = Vec<(&'static str, bool)>> {
    let flag = |name: &'static str, chance: f64, value: f64| {
        weighted(chance, prop::bool::weighted(value))
            .prop_map(move |given| given.map(|given| (name, given)))
    };
    (
        flag("word_regexp", bias.flags * 0.5, 0.9),
        flag("recursive", bias.flags * 0.4, 0.2),
        flag("hidden", bias.flags, 0.85),
        flag("no_ignore", bias.flags * 0.5, 0.85),
        flag("follow", bias.follow, 0.9),
    )
        .prop_map(|(a, b, c, d, e)| [a, b, c, d, e].into_iter().flatten().collect())
}

fn globs(chance: f64) -> impl Strategy<Value = Vec<(&'static str, Vec<String>)>> {
    let field = |name: &'static str, chance: f64| {
        weighted(chance, prop::collection::vec(glob::request_glob(), 0..3))
            .prop_map(move |globs| globs.map(|globs| (name, globs)))
    };
    (field("include_glob", chance), field("exclude_glob", chance), field("glob", chance * 0.5))
        .prop_map(|(include, exclude, old)| [include, exclude, old].into_iter().flatten().collect())
}

fn integers(bias: Bias) -> impl Strategy<Value = Vec<(&'static str, u64)>> {
    let number = |name: &'static str, chance: f64, values: &'static [u64]| {
        weighted(chance, select(values)).prop_map(move |given| given.map(|given| (name, given)))
    };
    (
        number("context", bias.context, &[0, 1, 1, 1, 2, 2, 3, 1_000]),
        number("max_results", bias.caps, &[1, 1, 2, 2, 3, 4, 5, 6, 8, 100_000]),
        number("max_matches_per_file", bias.caps, &[1, 1, 1, 2, 2, 3]),
        number("max_files", bias.caps, &[1, 1, 2, 2, 3, 4]),
        number("max_file_size_bytes", bias.caps * 0.5, &[1, 8, 12, 16, 20, 24, 32, 40, 64, 8_200]),
        // Short of a real deadline, which no test can foresee, a minute is as good as an hour.
        number("timeout_ms", bias.caps * 0.2, &[60_000, 600_000]),
    )
        .prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f].into_iter().flatten().collect())
}
