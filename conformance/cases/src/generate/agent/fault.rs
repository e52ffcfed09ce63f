//! What is wrong with a request on purpose, most of it as a model gets things wrong.
//!
//! Responsible for: values of another type, out of bounds or out of place, in every field. Not
//! here: requests that are right ([`super::request`]). Invariants: one fault a request.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

#[derive(Debug, Clone)]
pub(super) enum Fault {
    Request(Value),
    /// A field is set to this value, known to the tool or not.
    Field(&'static str, Value),
    /// The query has this value.
    Sought(Value),
    /// The query is missing.
    Nothing,
    /// The pattern is no valid expression.
    Expression(&'static str),
}

impl Fault {
    /// The request with the fault.
    pub(super) fn put_into(&self, mut request: Map<String, Value>) -> Value {
        let sought = if request.contains_key("query") { "query" } else { "pattern" };
        match self {
            Fault::Request(other) => return other.clone(),
            Fault::Field(name, value) => {
                request.insert((*name).to_owned(), value.clone());
            }
            Fault::Sought(value) => {
                request.insert(sought.to_owned(), value.clone());
            }
            Fault::Nothing => {
                request.remove(sought);
            }
            Fault::Expression(pattern) => {
                request.insert("pattern".to_owned(), json!(pattern));
                request.insert("regex".to_owned(), json!(true));
            }
        }
        Value::Object(request)
    }
}

#[expect(clippy::too_many_lines, reason = "a list of values")]
fn values() -> Vec<(&'static str, Value)> {
    let of =
        |name: &'static str, values: Vec<Value>| values.into_iter().map(move |value| (name, value));
    let globs = || {
        vec![
            json!("["),
            json!(["*.rs", "{"]),
            json!(5),
            json!([1]),
            json!(""),
            json!("!x"),
            json!({}),
            json!(["a", null]),
            json!(["a", 5]),
            json!([["a"]]),
            json!(1.5),
            json!(["[a", "b"]),
        ]
    };
    let many = |one: &str| json!(vec![one; 257]);
    let mut all: Vec<(&'static str, Value)> = Vec::new();
    all.extend(of(
        "max_results",
        vec![
            json!(0),
            json!(201),
            json!(-1),
            json!("10"),
            json!(10.5),
            json!(1.5),
            json!("ten"),
            json!("10.5"),
            json!({}),
            json!(1000),
            json!(null),
            json!([10]),
            json!(true),
        ],
    ));
    all.extend(of(
        "offset",
        vec![
            json!(-1),
            json!(9_007_199_254_740_992_u64),
            json!("0"),
            json!(0.5),
            json!("first"),
            json!("-1"),
            json!({}),
            json!([1]),
            json!(1.5),
            json!(u64::MAX),
            json!(null),
            json!([0]),
            json!("10"),
        ],
    ));
    all.extend(of(
        "context_lines",
        vec![json!(21), json!(-1), json!("2"), json!(2.5), json!(false)],
    ));
    all.extend(of("regex", vec![json!("true"), json!(1), json!(null), json!([true])]));
    all.extend(of("recursive", vec![json!("false"), json!(0)]));
    all.extend(of("case", vec![json!("Sensitive"), json!(""), json!(true), json!("ignore")]));
    all.extend(of("output", vec![json!("Files"), json!(["files"])]));
    all.extend(of(
        "directory",
        vec![
            json!(""),
            json!("a\0"),
            json!(".."),
            json!("../outside"),
            json!("/"),
            json!("/etc"),
            json!("no/such"),
            json!("README.md"),
            json!("a.txt"),
            json!(["src"]),
            json!(null),
            json!("{root}/.."),
            json!("../root"),
        ],
    ));
    all.extend(of("include_path", [globs(), globs()].concat()));
    all.extend(of("exclude_path", globs()));
    all.push(("include_path", many("*.rs")));
    all.extend(of(
        "file_type",
        vec![
            json!("*.rs"),
            json!(""),
            json!("."),
            json!("a b"),
            json!("a\u{1}"),
            json!(["rs", "\u{7f}"]),
            json!("a,b"),
            json!("src/rs"),
            json!("x".repeat(33)),
            json!("x".repeat(32)),
            json!([".rs", 1]),
            json!(1),
            json!("a\\"),
            json!("{rs}"),
            many("rs"),
        ],
    ));
    all.extend(of("path", vec![json!("src")]));
    all.extend(of("query", vec![json!("foo")]));
    all.extend(of("pattern", vec![json!("foo")]));
    all.extend(of("Pattern", vec![json!("foo")]));
    all.extend(of("include_glob", vec![json!(["*.rs"])]));
    all
}

fn sought() -> Vec<Value> {
    let long = |length: usize| json!("x".repeat(length));
    let terms = |most: u32| {
        json!((0..most).map(|number| format!("t{number}")).collect::<Vec<_>>().join(" "))
    };
    vec![
        json!(""),
        json!(" "),
        json!("\u{a0}\t"),
        json!("\""),
        json!("\"foo"),
        json!("\"\""),
        json!("\" \" foo"),
        json!("foo \"bar"),
        json!("a\nb"),
        json!("\"a\nb\""),
        json!("a\0b"),
        json!(1),
        json!(null),
        json!(["foo"]),
        json!({"text": "foo"}),
        json!(true),
        long(16_384),
        long(16_385),
        long(4_097),
        terms(16),
        terms(17),
        json!("["),
        json!("{a"),
        json!("!foo"),
        json!("a/"),
        json!("**"),
        json!("\\"),
    ]
}

/// Invalid or refused expressions.
const EXPRESSIONS: &[&str] =
    &["(", "a)", "[z-a]", "a{2,1}", "(?<n>a", "\\", "*", "\\n", "(?-u)\\xff", "a{99999}"];

/// Directories outside the sandbox.
const OUTSIDE: &[&str] = &["..", "../outside", "/", "/etc", "{root}/.."];

pub(super) fn fault() -> BoxedStrategy<Fault> {
    let others = vec![
        json!([]),
        json!(null),
        json!("foo"),
        json!(1),
        json!({}),
        json!([{"pattern": "foo"}]),
    ];
    prop_oneof![
        2 => select(others).prop_map(Fault::Request),
        9 => select(values()).prop_map(|(name, value)| Fault::Field(name, value)),
        4 => select(sought()).prop_map(Fault::Sought),
        1 => Just(Fault::Nothing),
        1 => select(OUTSIDE).prop_map(|place| Fault::Field("directory", json!(place))),
        3 => select(EXPRESSIONS).prop_map(Fault::Expression),
    ]
    .boxed()
}
