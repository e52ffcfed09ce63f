//! Requests of `keyword_search`: a plan of terms and fields, made concrete once the tree is known.
//!
//! Responsible for: which terms there are, most of them out of the tree, and which fields with
//! which values, at and around every bound, and beyond it. Not here: trees, queries (`query`), and
//! what a language model says. Invariants: a plan without a fault becomes a request that is valid,
//! unless there are neither terms nor words that could be some.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::query::{self, QueryPlan};
use crate::generate::agent::source::IDENTIFIERS;

/// Probabilities of the fields that are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bias {
    pub(super) use_model: f64,
    pub(super) dry_run: f64,
    pub(super) fault: f64,
    /// Whether answers should reach the budget.
    pub(super) is_tight: bool,
    /// Whether terms are to be what many lines hold.
    pub(super) is_broad: bool,
}

impl Bias {
    /// Every kind now and then.
    pub(super) const USUAL: Self =
        Self { use_model: 0.5, dry_run: 0.15, fault: 0.01, is_tight: false, is_broad: false };
}

#[derive(Debug, Clone)]
enum Term {
    /// Verbatim.
    Written(String),
    /// A run of characters of a line.
    Cut {
        line: usize,
        start: usize,
        length: usize,
    },
    Word {
        line: usize,
        word: usize,
    },
    /// A run of characters of a path.
    Path {
        path: usize,
        start: usize,
        length: usize,
    },
}

/// A request under construction.
#[derive(Debug, Clone)]
pub(super) struct RequestPlan {
    query: QueryPlan,
    /// None if they are to be made from the query.
    terms: Option<Vec<Term>>,
    fields: Vec<(&'static str, Value)>,
    fault: Option<(&'static str, Value)>,
}

impl RequestPlan {
    /// The request.
    pub(super) fn concrete(&self, lines: &[String], paths: &[String]) -> Value {
        let mut request = Map::new();
        request.insert("query".to_owned(), json!(self.query.concrete(lines, paths)));
        if let Some(terms) = &self.terms {
            let terms: Vec<String> = terms.iter().map(|term| term.written(lines, paths)).collect();
            request.insert("search_terms".to_owned(), json!(terms));
        }
        request.extend(self.fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        match &self.fault {
            Some(("", other)) => return other.clone(),
            Some((name, Value::Null)) if request.contains_key(*name) => {
                request.remove(*name);
            }
            Some((name, value)) => {
                request.insert((*name).to_owned(), value.clone());
            }
            None => {}
        }
        Value::Object(request)
    }
}

impl Term {
    fn written(&self, lines: &[String], paths: &[String]) -> String {
        let run = |text: Option<&String>, start: usize, length: usize| {
            let characters: Vec<char> = text.map(|text| text.chars().collect()).unwrap_or_default();
            let start = start % characters.len().max(1);
            let run: String = characters.into_iter().skip(start).take(length).collect();
            let is_term = !run.trim().is_empty() && !run.contains(['\n', '\0']);
            if is_term { run } else { "foo".to_owned() }
        };
        match self {
            Term::Written(text) => text.clone(),
            Term::Cut { line, start, length } => {
                run(lines.get(line % lines.len().max(1)), *start, *length)
            }
            Term::Path { path, start, length } => {
                run(paths.get(path % paths.len().max(1)), *start, *length)
            }
            Term::Word { line, word } => {
                let text = lines.get(line % lines.len().max(1)).map_or("", String::as_str);
                let is_word = |one: char| one.is_alphanumeric() || one == '_';
                let words: Vec<&str> =
                    text.split(|one| !is_word(one)).filter(|word| !word.is_empty()).collect();
                words
                    .get(word % words.len().max(1))
                    .map_or_else(|| "foo".to_owned(), |word| (*word).to_owned())
            }
        }
    }
}

/// Terms that are no identifiers, that every line holds, or none.
const LITERALS: &[&str] = &[
    "foo bar",
    "a.b",
    "::",
    "()",
    "{",
    "c++",
    "e",
    "a",
    "r",
    "s",
    " ",
    "nowhere to be found",
    "zzz",
    "(",
    "[a-z]",
    ".rs",
    "src/",
    "user",
    "SERVICE",
    "password",
    "token",
    "key",
    "-----",
    "=",
    "\"",
    "sk-",
    "\u{e9}",
    "\u{212a}",
    "\t",
    "\\",
];

fn term() -> BoxedStrategy<Term> {
    let length = 1_usize..12;
    prop_oneof![
        7 => select(IDENTIFIERS).prop_map(|text| Term::Written(text.to_owned())),
        4 => select(LITERALS).prop_map(|text| Term::Written(if text.trim().is_empty() { "fn" } else { text }.to_owned())),
        8 => (any::<usize>(), any::<usize>()).prop_map(|(line, word)| Term::Word { line, word }),
        2 => (any::<usize>(), any::<usize>(), length.clone()).prop_map(|(line, start, length)| Term::Cut { line, start, length }),
        2 => (any::<usize>(), any::<usize>(), length).prop_map(|(path, start, length)| Term::Path { path, start, length }),
        1 => select(&["x", "\"", "\\", "\t=", "\u{1b}["][..]).prop_map(|text| Term::Written(format!("x{}", text.repeat(80)))),
        1 => Just(Term::Written("token = \"hunter2hunter2\"".to_owned())),
    ]
    .boxed()
}

fn fields(bias: Bias) -> BoxedStrategy<Vec<(&'static str, Value)>> {
    let field = |name: &'static str, chance: f64, values: BoxedStrategy<Value>| {
        weighted(chance, values).prop_map(move |value| value.map(|value| (name, value))).boxed()
    };
    let numbers: &'static [u64] = if bias.is_tight { &[50, 200] } else { &[1, 1, 2, 3, 200] };
    (
        field(
            "max_results",
            if bias.is_tight { 0.9 } else { 0.2 },
            select(numbers).prop_map(|number| json!(number)).boxed(),
        ),
        field(
            "use_model",
            bias.use_model,
            prop::bool::weighted(0.5).prop_map(|flag| json!(flag)).boxed(),
        ),
        field(
            "dry_run",
            bias.dry_run,
            prop::bool::weighted(0.9).prop_map(|flag| json!(flag)).boxed(),
        ),
    )
        .prop_map(|(a, b, c)| [a, b, c].into_iter().flatten().collect())
        .boxed()
}

/// What is wrong on purpose: a field with a value; `Null` for a field that is left out, no name for
/// another request altogether.
fn faults() -> Vec<(&'static str, Value)> {
    let long = |length: usize| "x".repeat(length);
    let many =
        |most: usize| json!((0..most).map(|number| format!("t{number}")).collect::<Vec<_>>());
    vec![
        ("", json!([])),
        ("", json!("foo")),
        ("", json!({})),
        ("", json!({"query": " ", "search_terms": "foo"})),
        ("", json!({"query": "", "search_terms": ["foo"], "max_results": 0})),
        ("query", Value::Null),
        ("query", json!("")),
        ("query", json!(" \n\t")),
        ("query", json!("a\0b")),
        ("query", json!(long(16_384))),
        ("query", json!(long(16_385))),
        ("query", json!(5)),
        ("query", json!(["q"])),
        ("search_terms", Value::Null),
        ("search_terms", json!([])),
        ("search_terms", json!("foo")),
        ("search_terms", json!([""])),
        ("search_terms", json!(["foo", " "])),
        ("search_terms", json!(["a\nb"])),
        ("search_terms", json!(["a\0b"])),
        ("search_terms", json!(["foo", 1])),
        ("search_terms", json!([null])),
        ("search_terms", json!({"0": "foo"})),
        ("search_terms", json!([long(1_024)])),
        ("search_terms", json!([long(1_025)])),
        ("search_terms", many(32)),
        ("search_terms", many(33)),
        ("search_terms", json!(vec!["foo"; 33])),
        ("search_terms", json!(["foo", "FOO", "Foo", "bar"])),
        ("max_results", json!(0)),
        ("max_results", json!(201)),
        ("max_results", json!("10")),
        ("max_results", json!(1.5)),
        ("max_results", json!(-1)),
        ("use_model", json!("false")),
        ("use_model", json!(0)),
        ("dry_run", json!("true")),
        ("dry_run", json!(1)),
        ("terms", json!(["foo"])),
        ("directory", json!(".")),
        ("offset", json!(1)),
        ("model", json!("gpt-5-mini")),
    ]
}

/// Something that many lines of the tree hold.
fn broad_term() -> BoxedStrategy<Term> {
    let place = any::<usize>;
    prop_oneof![
        2 => (place(), place()).prop_map(|(line, word)| Term::Word { line, word }),
        1 => (place(), place(), 1_usize..4)
            .prop_map(|(line, start, length)| Term::Cut { line, start, length }),
        2 => select(&["e", "a", "r", "s", "user", "service"][..])
            .prop_map(|text| Term::Written(text.to_owned())),
    ]
    .boxed()
}

pub(super) fn request(bias: Bias) -> BoxedStrategy<RequestPlan> {
    let number = prop_oneof![3 => Just(1_usize), 4 => Just(2), 3 => Just(3), 2 => 4_usize..8];
    let terms = number.prop_flat_map(|number| prop::collection::vec(term(), number)).boxed();
    let terms = if bias.is_broad {
        prop_oneof![2 => terms, 3 => prop::collection::vec(broad_term(), 1..4)].boxed()
    } else {
        terms
    };
    let asked = prop_oneof![
        4 => (query::beside_terms(), terms.prop_map(Some)),
        1 => (query::with_terms(), Just(None)),
    ];
    (asked, fields(bias), weighted(bias.fault, select(faults())))
        .prop_map(|((query, terms), fields, fault)| RequestPlan { query, terms, fields, fault })
        .boxed()
}
