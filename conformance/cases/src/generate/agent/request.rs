//! Requests of the agent's tools: a plan of fields, made concrete once the tree is known.
//!
//! Responsible for: what is looked for, which fields a request carries and with which values, at
//! and around every bound. Not here: globs ([`super::super::glob`]), expressions
//! ([`super::super::pattern`]), what is wrong on purpose ([`super::fault`]). Invariants: a plan
//! without a fault becomes a request that is valid, unless its directory happens to make it
//! otherwise.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::fault::{Fault, fault};
use super::source::IDENTIFIERS;
use crate::case::Entry;
use crate::generate::glob;
use crate::generate::named::lines;
use crate::generate::pattern::{self, Plan};

/// Probabilities of the fields that are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bias {
    pub(super) filters: f64,
    pub(super) directory: f64,
    pub(super) pages: f64,
    pub(super) context: f64,
    pub(super) fault: f64,
    /// Whether the request asks for all results.
    pub(super) whole: bool,
}

impl Bias {
    /// Every kind now and then.
    pub(super) const USUAL: Self = Self {
        filters: 0.08,
        directory: 0.12,
        pages: 0.1,
        context: 0.35,
        fault: 0.02,
        whole: false,
    };
}

/// The query.
#[derive(Debug, Clone)]
enum Sought {
    /// Terms of a query.
    Terms(Vec<Term>),
    /// A pattern for lines, and whether it is an expression.
    Line(Plan, bool),
    /// One of the identifiers, as a pattern for lines.
    Identifier(&'static str),
    Glob(String),
}

/// A term of a query.
#[derive(Debug, Clone)]
enum Term {
    /// Verbatim.
    Written(&'static str),
    /// A run of characters of a line, quoted or not.
    Cut { line: usize, start: usize, length: usize, quoted: bool },
}

/// A request under construction.
#[derive(Debug, Clone)]
pub(super) struct RequestPlan {
    sought: Sought,
    /// A directory by remainder, or as it is written.
    directory: Option<Result<usize, &'static str>>,
    fields: Vec<(&'static str, Value)>,
    fault: Option<Fault>,
}

impl RequestPlan {
    /// The request.
    pub(super) fn concrete(
        &self,
        tree: &[Entry],
        directories: &[String],
        working_dir: &str,
    ) -> Value {
        let lines: Vec<String> = lines(tree).into_iter().map(|(_, line)| line).collect();
        let mut request = Map::new();
        match &self.sought {
            Sought::Terms(terms) => {
                let terms: Vec<String> = terms.iter().map(|term| term.written(&lines)).collect();
                request.insert("query".to_owned(), json!(terms.join(" ")));
            }
            Sought::Line(plan, is_regex) => {
                request.insert("pattern".to_owned(), json!(plan.concrete(&lines)));
                request.extend(is_regex.then(|| ("regex".to_owned(), json!(true))));
            }
            Sought::Identifier(identifier) => {
                request.insert("pattern".to_owned(), json!(identifier));
            }
            Sought::Glob(glob) => {
                request.insert("pattern".to_owned(), json!(glob));
            }
        }
        let directory = match self.directory {
            Some(Ok(index)) => directories.get(index % directories.len().max(1)).map(|directory| {
                // From the working directory, if that is another.
                let up =
                    "../".repeat(working_dir.split('/').filter(|name| !name.is_empty()).count());
                format!("{up}{directory}")
            }),
            Some(Err(written)) => Some(written.to_owned()),
            None => None,
        };
        request.extend(directory.map(|directory| ("directory".to_owned(), json!(directory))));
        request.extend(self.fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        match &self.fault {
            Some(fault) => fault.put_into(request),
            None => Value::Object(request),
        }
    }
}

impl Term {
    fn written(&self, lines: &[String]) -> String {
        match self {
            Term::Written(text) => (*text).to_owned(),
            Term::Cut { line, start, length, quoted } => {
                let Some(text) = lines.get(line % lines.len().max(1)) else {
                    return "foo".to_owned();
                };
                let characters: Vec<char> = text.chars().filter(|one| *one != '"').collect();
                let start = start % characters.len().max(1);
                let cut: String =
                    characters.into_iter().skip(start).take(length.max(&1).to_owned()).collect();
                match (cut.trim().is_empty(), quoted) {
                    (true, _) => "foo".to_owned(),
                    (false, true) => format!("\"{cut}\""),
                    (false, false) => cut,
                }
            }
        }
    }
}

/// Queries that are not made of identifiers.
const LITERALS: &[&str] = &[
    "\"foo bar\"",
    "\"user service\"",
    "foo(",
    "a.b",
    "::",
    "\"()\"",
    "\"{\"",
    "x\"y",
    "foo-bar",
    "-",
    "\"a\"foo",
];

fn terms() -> BoxedStrategy<Sought> {
    let cut = (
        any::<usize>(),
        prop_oneof![Just(0_usize), any::<usize>()],
        1_usize..14,
        prop::bool::weighted(0.6),
    )
        .prop_map(|(line, start, length, quoted)| Term::Cut { line, start, length, quoted });
    let term = prop_oneof![
        7 => select(IDENTIFIERS).prop_map(Term::Written),
        2 => select(LITERALS).prop_map(Term::Written),
        2 => cut,
    ];
    let number = prop_oneof![6 => Just(1_usize), 4 => Just(2), 1 => 3_usize..6];
    number
        .prop_flat_map(move |number| prop::collection::vec(term.clone(), number))
        .prop_map(Sought::Terms)
        .boxed()
}

/// Globs that mean a few of the files that there are.
const GLOBS: &[&str] = &[
    "*.rs",
    "*",
    "**",
    "src/**",
    "src/*",
    "**/*.rs",
    "[a-u]*",
    "{src,lib}/*",
    "*service*",
    "UserService.*",
    "/README.md",
    "lib/",
    "?oo*",
    "*.{rs,cs}",
    "**/user/**",
    "!a",
    "*.tar.gz",
    "src",
    "./src/*.rs",
    "a/**",
    "**/a",
    "sub",
    ".*",
    ".hidden/**",
    "**/.h*",
    "{.hidden,src}/*",
    ".gitignore",
    "\\.*/*",
];

/// Parts of names, and of paths.
const PARTS: &[&str] = &[
    "serv", "SERVICE", "rs", "user", "./oo", "src/", "/s", "c/u", "B", "read", ".", ".h", "a/",
    "%", "\u{e9}",
];

fn sought(tool: &str) -> BoxedStrategy<Sought> {
    match tool {
        "search_text" => terms(),
        "find_files" => prop_oneof![
            3 => select(GLOBS).prop_map(|glob| Sought::Glob(if glob == "!a" { "*a*" } else { glob }.to_owned())),
            1 => glob::request_glob().prop_map(Sought::Glob),
            1 => select(PARTS).prop_map(|part| Sought::Glob(part.to_owned())),
        ]
        .boxed(),
        _ => prop_oneof![
            4 => select(IDENTIFIERS).prop_map(Sought::Identifier),
            2 => pattern::literal().prop_map(|plan| Sought::Line(plan, false)),
            2 => pattern::regex().prop_map(|plan| Sought::Line(plan, true)),
        ]
        .boxed(),
    }
}

/// Types of files, with and without dots.
const TYPES: &[&str] =
    &["rs", ".rs", "cs", "py", "gz", ".tar.gz", "md", "foo", "RS", "test.rs", "txt", "..rs"];

/// One text, or several.
fn texts(one: BoxedStrategy<String>) -> BoxedStrategy<Value> {
    prop_oneof![2 => one.clone().prop_map(|one| json!(one)), 1 => prop::collection::vec(one, 0..3).prop_map(|all| json!(all))].boxed()
}

fn globs() -> BoxedStrategy<String> {
    let known = select(GLOBS)
        .prop_filter_map("is none", |glob| (!glob.starts_with('!')).then(|| glob.to_owned()));
    prop_oneof![3 => known, 1 => glob::request_glob()].boxed()
}

fn fields(bias: Bias, tool: &str) -> BoxedStrategy<Vec<(&'static str, Value)>> {
    let field = |name: &'static str, chance: f64, values: BoxedStrategy<Value>| {
        // What a tool does not have is not drawn at all.
        let value =
            if chance > 0.0 { weighted(chance, values).boxed() } else { Just(None).boxed() };
        value.prop_map(move |value| value.map(|value| (name, value))).boxed()
    };
    let number = |values: &'static [u64]| select(values).prop_map(|number| json!(number)).boxed();
    let reads = if tool == "find_files" { 0.0 } else { 1.0 };
    let greps = if tool == "grep" { 0.4 } else { 0.0 };
    let outputs = if tool == "grep" { 0.35 } else { 0.0 };
    let output =
        select(&["lines", "files", "files", "count"][..]).prop_map(|one| json!(one)).boxed();
    let widens = if tool == "search_text" { 0.0 } else { 0.12 };
    let flag = || prop::bool::weighted(0.8).prop_map(|flag| json!(flag)).boxed();
    let recurses = if tool == "find_files" { 0.3 } else { 0.0 };
    let case =
        select(&["sensitive", "insensitive", "smart"][..]).prop_map(|case| json!(case)).boxed();
    let types = select(TYPES).prop_map(str::to_owned).boxed();
    (
        field("include_path", bias.filters, texts(globs())),
        field("exclude_path", bias.filters, texts(globs())),
        field("file_type", bias.filters * reads, texts(types)),
        if bias.whole {
            field("max_results", 0.9, number(&[50, 200]))
        } else {
            field("max_results", bias.pages, number(&[1, 1, 2, 2, 3, 5, 200]))
        },
        field(
            "offset",
            bias.pages * 0.9,
            number(&[0, 1, 1, 1, 1, 2, 2, 3, 1_001, 10_001, 9_007_199_254_740_991]),
        ),
        field("context_lines", bias.context * reads, number(&[0, 0, 1, 1, 3, 20])),
        field("case", greps, case),
        field("output", outputs, output),
        field(
            "recursive",
            recurses,
            prop::bool::weighted(0.3).prop_map(|flag| json!(flag)).boxed(),
        ),
        field("hidden", widens, flag()),
        field("no_ignore", widens, flag()),
    )
        .prop_map(|(a, b, c, d, e, f, g, h, i, j, k)| {
            [a, b, c, d, e, f, g, h, i, j, k].into_iter().flatten().collect()
        })
        .boxed()
}

pub(super) fn request(bias: Bias, tool: &'static str) -> BoxedStrategy<RequestPlan> {
    let odd = &[".", "./", "{root}", "src", "src/", ".hidden", "lib/../src", "user", "d/d"][..];
    let directory = weighted(
        bias.directory,
        prop_oneof![3 => any::<usize>().prop_map(Ok), 2 => select(odd).prop_map(Err)],
    );
    (sought(tool), directory, fields(bias, tool), weighted(bias.fault, fault()))
        .prop_map(|(sought, directory, fields, fault)| RequestPlan {
            sought,
            directory,
            fields,
            fault,
        })
        .boxed()
}
