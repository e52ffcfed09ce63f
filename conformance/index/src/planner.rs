//! The planner: no excluded file contains a match.
//!
//! Responsible for: patterns and files of drawn cases, each pattern against the files of many cases
//! and against texts with traps; for every file that a need excludes, a search of each of its lines
//! by production's matcher, and of the whole file by the model (FR-LSI-CAND-01, T-LSI-BLOOM-02).
//! Not here: whether literals exclude as much as they should (`exclusion`). How little expressions
//! exclude is not checked. Invariants: needs are evaluated on the sets of grams themselves; a
//! filter passes more, so its exclusions are among those checked here. A run that excluded little
//! is a fault of the check.

use std::collections::VecDeque;

use forge_search_core::index::gram::Gram;
use forge_search_core::index::need::Variant;
use forge_search_core::index::tokens::{Parameters, TokenStatus, Tokenizer, folded};
use forge_search_core::pattern::Pattern;
use forge_search_core::text::{Encoding, encoding};
use serde_json::{Map, Value, json};
use touchstone_cases::case::{Case, Entry, Node, escape};
use touchstone_cases::dice::Dice;
use touchstone_cases::generate::Generator;
use touchstone_lockstep::expected::Expected;

use super::tokens::{FOLDS, SIZES};
use super::{Area, AreaReport, Extent, patterns, texts};

/// Files that a pattern is held against, of this case and earlier ones.
const FILES: usize = 24;

/// Exclusions after which only one in so many is put to the model.
const ALL_PUT: u64 = 20_000;
const THEN_ONE_IN: u64 = 16;

/// A file with its grams, for every size of grams.
struct File {
    text: Vec<u8>,
    indexed: Vec<Indexed>,
}

/// What an index knows of a file.
struct Indexed {
    ngram: usize,
    complete: bool,
    sensitive: Vec<Gram>,
    /// By fold.
    insensitive: Vec<Vec<Gram>>,
}

#[derive(Default)]
struct Counts {
    patterns: u64,
    questions: u64,
    literals: u64,
    expressions: u64,
    put: u64,
}

/// Looks for a match in what production excludes.
pub(crate) fn check(extent: Extent, tick: &(dyn Fn(u64) + Sync)) -> AreaReport {
    let mut checked = AreaReport::of(Area::Planner);
    let generator = Generator::new(extent.seed);
    let mut files: VecDeque<File> = VecDeque::new();
    let mut counts = Counts::default();
    for number in 0..u64::from(extent.drawn) {
        let case = generator.case(number);
        let drawn = texts::drawn(&mut Dice::new(extent.seed.rotate_left(11), number));
        for text in contents(&case).into_iter().chain([drawn]) {
            files.push_front(File::new(text));
        }
        files.truncate(FILES);
        let request = reduced(&case.request);
        let Some(pattern) = patterns::of_caller(&request) else { continue };
        counts.patterns += 1;
        for file in &files {
            if let Err(what) = one(&request, &pattern, file, &mut counts) {
                let (request, text) = smallest(request, file.text.clone());
                checked
                    .fault(what, format!("text        `{}`\nrequest     {request}", escape(&text)));
                return checked;
            }
        }
        if number.is_multiple_of(100) {
            tick(100);
        }
    }
    checked.cases = counts.questions;
    let excluded = counts.literals + counts.expressions;
    if counts.expressions < counts.patterns / 4 || counts.literals < counts.patterns / 4 {
        checked.fault("the check decides too little", format!("only {excluded} exclusions"));
    }
    checked.fact(format!(
        "{} patterns, {} questions; {excluded} exclusions ({} by expressions), none with a match line by line, {} of them put to the model",
        counts.patterns, counts.questions, counts.expressions, counts.put
    ));
    checked
}

/// The part of a request that says what matches.
fn reduced(request: &Value) -> Value {
    let said = |field: &&str| Some(((*field).to_owned(), request.get(field)?.clone()));
    let fields: Map<String, Value> = ["pattern", "case", "fixed_strings", "word_regexp", "fuzzy"]
        .iter()
        .filter_map(said)
        .collect();
    Value::Object(fields)
}

/// The contents of a case's files, but for the longest.
fn contents(case: &Case) -> Vec<Vec<u8>> {
    let files = case.tree.iter().filter_map(|entry| match &entry.node {
        Node::File { contents, .. } if contents.len() < 20_000 => Some(contents.bytes()),
        _ => None,
    });
    files.collect()
}

impl File {
    fn new(text: Vec<u8>) -> Self {
        let indexed = SIZES
            .iter()
            .map(|ngram| {
                let ngram = usize::try_from(*ngram).unwrap_or(3);
                let tokens =
                    Tokenizer::new(Parameters { max_bytes: 1 << 20, ngram }).tokenize(&text);
                let insensitive =
                    FOLDS.iter().map(|(_, fold)| folded(&tokens.grams, *fold)).collect();
                let complete = tokens.status == TokenStatus::Full && tokens.complete;
                Indexed { ngram, complete, sensitive: tokens.grams, insensitive }
            })
            .collect();
        Self { text, indexed }
    }
}

/// Whether some index excludes the file for this pattern.
fn excluded(pattern: &Pattern, file: &File, questions: &mut u64) -> bool {
    let mut any = false;
    for indexed in file.indexed.iter().filter(|indexed| indexed.complete) {
        for ((_, fold), insensitive) in FOLDS.iter().zip(&indexed.insensitive) {
            *questions += 1;
            let need = pattern.need(*fold, indexed.ngram);
            any |= !need.met(&mut |variant, gram| match variant {
                Variant::Sensitive => indexed.sensitive.binary_search(&gram).is_ok(),
                Variant::Insensitive => insensitive.binary_search(&gram).is_ok(),
            });
        }
    }
    any
}

fn one(
    request: &Value,
    pattern: &Pattern,
    file: &File,
    counts: &mut Counts,
) -> Result<(), &'static str> {
    if !excluded(pattern, file, &mut counts.questions) {
        return Ok(());
    }
    let literal = request.get("fixed_strings").is_some_and(|fixed| *fixed == json!(true));
    *(if literal { &mut counts.literals } else { &mut counts.expressions }) += 1;
    if matches_in(pattern, &file.text) {
        return Err("excluded, and production's matcher finds a line");
    }
    let number = counts.literals + counts.expressions;
    if number > ALL_PUT && !number.is_multiple_of(THEN_ONE_IN) {
        return Ok(());
    }
    counts.put += 1;
    if found_by_model(request, &file.text) {
        Err("excluded, and the model finds an event")
    } else {
        Ok(())
    }
}

/// Whether a line of a file matches.
fn matches_in(pattern: &Pattern, text: &[u8]) -> bool {
    match encoding(text) {
        Encoding::Utf8 { skip } => patterns::finds(pattern, text.get(skip..).unwrap_or_default()),
        // Such a file is never complete.
        Encoding::Utf16Le | Encoding::Utf16Be => true,
    }
}

/// Whether the model finds something in a tree with this file alone.
fn found_by_model(request: &Value, text: &[u8]) -> bool {
    let case = Case::new("excluded", "a file that the index excludes", request.clone())
        .with(Entry::file("f", text.to_vec()));
    // The model refuses what production accepts: that is for other suites to tell.
    let answer = Expected::of(&case).ok().and_then(|expected| expected.canonical.ok());
    answer.is_some_and(|answer| answer.json().pointer("/matches/0").is_some())
}

/// The request with as short a pattern, and as little text, as still shows the fault.
fn smallest(request: Value, text: Vec<u8>) -> (Value, Vec<u8>) {
    let fails = |request: &Value, text: &[u8]| {
        let Some(pattern) = patterns::of_caller(request) else { return false };
        let file = File::new(text.to_vec());
        one(request, &pattern, &file, &mut Counts::default()).is_err()
    };
    let text = texts::shrunk(text, &|text| fails(&request, text));
    let with = |pattern: &[u8]| {
        let mut request = request.clone();
        let pattern = String::from_utf8(pattern.to_vec()).ok()?;
        request.as_object_mut()?.insert("pattern".to_owned(), json!(pattern));
        Some(request)
    };
    let pattern =
        request.get("pattern").and_then(Value::as_str).unwrap_or_default().as_bytes().to_vec();
    let pattern = texts::shrunk(pattern, &|pattern| {
        with(pattern).is_some_and(|request| fails(&request, &text))
    });
    (with(&pattern).unwrap_or(request), text)
}
