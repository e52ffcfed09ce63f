//! Ways in which a request of `search_files` is wrong.
//!
//! Responsible for: deliberate faults, each of which one of the checks 2 to 11 of
//! docs/search-files.md must find. Not here: the request they are put into ([`super::request`]).
//! Invariants: two faults in one request test the order of the checks.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::query::{self, QueryPlan};
use crate::generate::glob;

/// What can be wrong with a request.
#[derive(Debug, Clone)]
pub(super) enum Fault {
    /// These fields are set.
    Fields(Vec<(&'static str, Value)>),
    /// A field is missing.
    Missing(&'static str),
    /// The request is no JSON object.
    Whole(Value),
    /// A list of globs holds a bad one.
    Glob(&'static str, String),
    /// The query is no acceptable expression.
    Regex(QueryPlan),
}

/// One deliberate fault.
pub(super) fn fault() -> BoxedStrategy<Fault> {
    let one = |values: Vec<(&'static str, Value)>| {
        select(values).prop_map(|field| Fault::Fields(vec![field]))
    };
    let two = (select(wrong_values()), select(wrong_values()))
        .prop_map(|(a, b)| Fault::Fields(vec![a, b]));
    let unknown = (select(unknown_fields()), select(wrong_values()))
        .prop_map(|(a, b)| Fault::Fields(vec![a, b]));
    let depth = select(&[1_u64, 2, 2, 3, 12][..]).prop_map(|depth| {
        Fault::Fields(vec![("recursive", json!(false)), ("max_depth", json!(depth))])
    });
    prop_oneof![
        3 => one(unknown_fields()),
        9 => one(wrong_values()),
        4 => two,
        1 => unknown,
        3 => depth,
        1 => select(&["path", "query"][..]).prop_map(Fault::Missing),
        1 => select(vec![json!(null), json!([]), json!("foo"), json!(1), json!(true)]).prop_map(Fault::Whole),
        3 => (select(&["include_globs", "exclude_globs"][..]), glob::invalid())
            .prop_map(|(field, bad)| Fault::Glob(field, bad)),
        3 => query::refused().prop_map(Fault::Regex),
    ]
    .boxed()
}

impl Fault {
    /// The request with the fault in it.
    pub(super) fn put_into(&self, mut request: Map<String, Value>) -> Value {
        match self {
            Fault::Fields(fields) => {
                request
                    .extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
            }
            Fault::Missing(field) => {
                request.remove(*field);
            }
            Fault::Whole(value) => return value.clone(),
            Fault::Glob(field, bad) => {
                request.insert((*field).to_owned(), json!(["*.txt", bad]));
            }
            Fault::Regex(_) => {
                request.insert("mode".to_owned(), json!("regex"));
            }
        }
        Value::Object(request)
    }
}

fn unknown_fields() -> Vec<(&'static str, Value)> {
    vec![
        ("zzz", json!(1)),
        ("Query", json!("foo")),
        ("pattern", json!("foo")),
        ("hidden", json!(true)),
        ("timeout_ms", json!(1)),
        ("", json!(null)),
        ("path ", json!(".")),
        ("\u{e9}", json!(0)),
    ]
}

/// Values that the named field may not have: of the wrong type, beyond a bound, `null`, fractional,
/// blank, too long.
fn wrong_values() -> Vec<(&'static str, Value)> {
    let mut values = vec![
        ("path", json!("")),
        ("path", json!(" \t")),
        ("path", json!("\u{2003}\u{a0}\n")),
        ("path", json!("a\u{0}b")),
        ("path", json!(["a"])),
        ("path", json!(null)),
        ("path", json!("a.txt")),
        ("query", json!(null)),
        ("query", json!(7)),
        ("query", json!("")),
        ("query", json!(" \t")),
        ("query", json!("\u{2003}\u{a0}")),
        ("query", json!("foo\nbar")),
        ("query", json!("foo\u{0}")),
        ("query", json!("x".repeat(16_384))),
        ("query", json!("x".repeat(16_385))),
        ("mode", json!("Exact")),
        ("mode", json!("literal")),
        ("mode", json!(null)),
        ("case", json!("Smart")),
        ("case", json!(true)),
        ("recursive", json!(null)),
        ("recursive", json!("false")),
        ("max_depth", json!(0)),
        ("max_depth", json!(1_001)),
        ("max_depth", json!(2.5)),
        ("max_results", json!(0)),
        ("max_results", json!(201)),
        ("max_results", json!(1.5)),
        ("max_results", json!(1e3)),
        ("max_results", json!(-1)),
        ("max_matches_per_file", json!(0)),
        ("max_matches_per_file", json!(9_007_199_254_740_993_u64)),
        ("max_file_size_bytes", json!(0)),
        ("max_file_size_bytes", json!(33_554_433)),
        ("max_files", json!(0)),
        ("max_files", json!(1_000_001)),
        ("max_files", json!(18_446_744_073_709_551_615_u64)),
        ("context_lines", json!(-1)),
        ("context_lines", json!(1_001)),
        ("context_lines", json!("1")),
        ("include_hidden", json!(0)),
        ("follow_symlinks", json!("no")),
        ("respect_gitignore", json!([])),
        ("include_globs", json!("*.txt")),
        ("include_globs", json!([1])),
        ("exclude_globs", json!(null)),
        ("exclude_globs", json!([["a"]])),
    ];
    values.push(("include_globs", json!(vec!["*"; 257])));
    values.push(("exclude_globs", json!(["x".repeat(4_097)])));
    values
}
