//! Ways in which a request is wrong.
//!
//! Responsible for: deliberate faults, each of which one check of docs/search.md, section 1, must
//! find: unknown fields, wrong types, values beyond a bound, `null`, fractions, blank and overlong
//! text, bad globs and expressions. Not here: the request they are put into ([`super::request`]).
//! Invariants: a fault says where it goes; two faults in one request test the order of the checks.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::glob;
use super::pattern::{self, Plan};

/// What can be wrong with a request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// A field is set to a value it may not have, or a field that does not exist is set.
    Field(&'static str, Value),
    /// Two of them; the order of the checks decides.
    Fields(&'static str, Value, &'static str, Value),
    /// A field is missing.
    Missing(&'static str),
    /// The request is no JSON object.
    Whole(Value),
    /// The tool is called by an alias.
    Tool(&'static str),
    /// A glob field holds a bad glob.
    Glob(&'static str, String),
    /// The pattern is not an acceptable expression.
    Regex(Plan),
}

/// One deliberate fault.
pub fn fault() -> BoxedStrategy<Fault> {
    prop_oneof![
        4 => select(unknown_fields()).prop_map(|(name, value)| Fault::Field(name, value)),
        8 => select(wrong_values()).prop_map(|(name, value)| Fault::Field(name, value)),
        3 => (select(wrong_values()), select(wrong_values())).prop_map(|(a, b)| Fault::Fields(a.0, a.1, b.0, b.1)),
        1 => (select(unknown_fields()), select(unknown_fields())).prop_map(|(a, b)| Fault::Fields(a.0, a.1, b.0, b.1)),
        1 => Just(Fault::Missing("pattern")),
        1 => select(vec![json!(null), json!([]), json!("foo"), json!(1), json!(true)]).prop_map(Fault::Whole),
        1 => select(&["SEARCH", "RG", "egrep", "", "Search "][..]).prop_map(Fault::Tool),
        1 => select(&["", " ", "\t ", "\u{2003}\u{a0}"][..]).prop_map(|blank| Fault::Field("pattern", json!(blank))),
        3 => (select(&["include_glob", "exclude_glob", "glob"][..]), glob::invalid())
            .prop_map(|(field, bad)| Fault::Glob(field, bad)),
        3 => pattern::refused().prop_map(Fault::Regex),
    ]
    .boxed()
}

fn unknown_fields() -> Vec<(&'static str, Value)> {
    vec![
        ("zzz", json!(1)),
        ("Pattern", json!("foo")),
        ("max_result", json!(1)),
        ("", json!(null)),
        ("context ", json!(1)),
        ("stats", json!(true)),
        ("\u{e9}", json!(0)),
    ]
}

/// Values that the named field may not have: of the wrong type, beyond a bound, `null`, fractional,
/// blank, too long.
fn wrong_values() -> Vec<(&'static str, Value)> {
    let mut values = vec![
        ("pattern", json!(null)),
        ("pattern", json!(7)),
        ("pattern", json!("")),
        ("pattern", json!(" \t")),
        ("pattern", json!("\u{2003}\u{a0}")),
        ("pattern", json!("foo\nbar")),
        ("pattern", json!("foo\u{0}")),
        ("pattern", json!("x".repeat(16_385))),
        ("path", json!("")),
        ("path", json!("a\u{0}b")),
        ("path", json!(["a"])),
        ("case", json!("Smart")),
        ("case", json!("")),
        ("case", json!(null)),
        ("fixed_strings", json!("true")),
        ("word_regexp", json!(1)),
        ("include_glob", json!("*.txt")),
        ("include_glob", json!([1])),
        ("exclude_glob", json!(null)),
        ("exclude_glob", json!([["a"]])),
        ("glob", json!({})),
        ("glob", json!([""])),
        ("recursive", json!(null)),
        ("hidden", json!(0)),
        ("follow", json!("no")),
        ("no_ignore", json!([])),
        ("context", json!(-1)),
        ("context", json!(1_001)),
        ("context", json!(0.5)),
        ("context", json!("1")),
        ("max_results", json!(0)),
        ("max_results", json!(100_001)),
        ("max_results", json!(1.5)),
        ("max_results", json!(1e6)),
        ("max_results", json!(true)),
        ("max_matches_per_file", json!(0)),
        ("max_matches_per_file", json!(9_007_199_254_740_993_u64)),
        ("max_files", json!(0)),
        ("max_files", json!(1_000_001)),
        ("max_file_size_bytes", json!(0)),
        ("max_file_size_bytes", json!(33_554_433)),
        ("timeout_ms", json!(0)),
        ("timeout_ms", json!(600_001)),
        ("timeout_ms", json!(18_446_744_073_709_551_615_u64)),
        ("fuzzy", json!(0)),
        ("fuzzy", json!(5)),
        ("fuzzy", json!(null)),
        ("fuzzy", json!(3)),
    ];
    values.push(("include_glob", json!(vec!["*"; 257])));
    values.push(("exclude_glob", json!(["x".repeat(4_097)])));
    values
}
