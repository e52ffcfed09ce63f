//! What comes out of the generators, measured.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Coverage, Generator, Theme};
use crate::gate::allowed;
use crate::report::has_match;

const SEED: u64 = 20;
const CASES: u64 = 3_000;

/// How many cases a theme had, how many of them were answered, and how many found something.
type Rates = BTreeMap<Theme, (u64, u64, u64)>;

/// One sample for all tests here.
fn sample() -> &'static (Coverage, Rates) {
    static SAMPLE: OnceLock<(Coverage, Rates)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let generator = Generator::new(SEED);
        let mut coverage = Coverage::default();
        let mut rates = Rates::new();
        for number in 0..CASES {
            let (theme, case) = generator.themed(number);
            let allowed = allowed(&case).unwrap_or_else(|panic| panic!("{panic}\n{}", case.to_yaml()));
            coverage.observe(&case, allowed.canonical());
            let rate = rates.entry(theme).or_default();
            rate.0 += 1;
            rate.1 += u64::from(allowed.canonical().is_ok());
            rate.2 += u64::from(has_match(allowed.canonical()));
        }
        (coverage, rates)
    })
}

#[test]
fn print_rates() {
    let (coverage, rates) = sample();
    eprintln!("{rates:#?}\n{coverage:#?}");
}

#[test]
fn print_misses() {
    let generator = Generator::new(SEED);
    let mut blame: BTreeMap<String, u64> = BTreeMap::new();
    let mut none = 0;
    for number in 0..CASES {
        let (theme, case) = generator.themed(number);
        if theme == Theme::Refusals { continue; }
        let answer = allowed(&case).unwrap();
        if has_match(answer.canonical()) || answer.canonical().is_err() { continue; }
        let mut blamed = false;
        for key in case.request.as_object().unwrap().keys().filter(|key| *key != "pattern") {
            let mut other = case.clone();
            other.request.as_object_mut().unwrap().remove(key);
            if has_match(allowed(&other).unwrap().canonical()) { *blame.entry(key.clone()).or_default() += 1; blamed = true; }
        }
        let mut other = case.clone();
        other.config = crate::case::CaseConfig::default();
        if has_match(allowed(&other).unwrap().canonical()) { *blame.entry("config".into()).or_default() += 1; blamed = true; }
        let mut other = case.clone();
        other.request = serde_json::json!({"pattern": ".", "hidden": true, "no_ignore": true});
        other.config = crate::case::CaseConfig::default();
        if !has_match(allowed(&other).unwrap().canonical()) { *blame.entry("tree".into()).or_default() += 1; blamed = true; }
        let mut other = case.clone();
        other.request.as_object_mut().unwrap().insert("pattern".into(), "o".into());
        if has_match(allowed(&other).unwrap().canonical()) { *blame.entry("pattern".into()).or_default() += 1; blamed = true; eprintln!("PAT {}", case.request["pattern"]); }
        let mut other = case.clone();
        other.request.as_object_mut().unwrap().insert("hidden".into(), true.into());
        if has_match(allowed(&other).unwrap().canonical()) { *blame.entry("hidden".into()).or_default() += 1; blamed = true; }
        let mut other = case.clone();
        other.request.as_object_mut().unwrap().insert("no_ignore".into(), true.into());
        if has_match(allowed(&other).unwrap().canonical()) { *blame.entry("ignore".into()).or_default() += 1; blamed = true; }
        if !blamed { none += 1; }
    }
    eprintln!("BLAME {blame:?} none {none}");
}
