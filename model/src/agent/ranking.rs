//! `search_text`: which files match and are ranked, their scores, and the line shown of each
//! (section 6).
//!
//! Invariants: a score depends on the pool alone; equal scores are in path order.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Map, Value, json};

use super::definition::{self, Definer};
use super::files::{self, FileText};
use super::occurrence::{self, Occurrence};
use super::query::Term;
use super::request::{Call, SearchTarget};
use super::{Answer, Config, lines};
use crate::order;
use crate::place::{self, Name};
use crate::tables::agent::{AgentLimits, Reason};
use crate::tables::order::{By, Key};
use crate::walk::Candidate;
use crate::world::World;

struct MatchingFile<'a> {
    path: &'a str,
    /// Index among the eligible files.
    number: usize,
    lines: Vec<&'a [u8]>,
    below_root: &'a [Name],
    /// Length of its text in bytes.
    length: usize,
    /// Units of its path, by term.
    path_units: Vec<u64>,
    /// Weight by its place, in hundredths.
    hundredths: u64,
    /// The occurrences by line and term.
    found: Vec<Vec<Vec<Occurrence>>>,
}

/// The answer to a valid call.
pub(super) fn answer(world: &World, config: &Config, call: &Call<'_>) -> Answer {
    let terms: &[Term] = if let SearchTarget::Terms(terms) = &call.sought { terms } else { &[] };
    let files = files::files(world, config, call);
    let readings = files.read(config);
    let limits = &config.tables.limits;
    let both = files.eligible.iter().zip(&readings).enumerate();
    let pool: Vec<MatchingFile<'_>> = both
        .filter_map(|(number, (file, reading))| matching(config, terms, number, file, reading))
        .collect();
    let reasons: BTreeSet<Reason> = files.shortfalls(readings.iter());
    let scores = scores(terms.len(), &pool, limits);
    let mut ranked: Vec<(f64, &MatchingFile<'_>)> = scores.into_iter().zip(&pool).collect();
    order::sort(&mut ranked, config.search.tables.orders.ranked, |(score, file), by| match by {
        By::Score => order::Value::score(*score),
        By::Place => files.place(file.number),
        _ => order::Value::Nothing,
    });
    let results = ranked.into_iter().map(|(score, file)| result(config, call, file, score));
    Answer::new(config, call, results.collect(), reasons)
}

/// The matching file, if every term occurs in its text; `number` is its index among the eligible
/// files.
fn matching<'a>(
    config: &Config,
    terms: &[Term],
    number: usize,
    file: &'a Candidate<'_>,
    reading: &'a FileText<'_>,
) -> Option<MatchingFile<'a>> {
    let lines = reading.lines();
    let definer = Definer::new(&config.tables.definitions, &file.below_root, &lines);
    let found: Vec<Vec<Vec<Occurrence>>> = lines
        .iter()
        .enumerate()
        .map(|(number, line)| {
            let line = occurrence::characters(line);
            let level = |place: &Range<usize>| definer.level(number, place);
            terms
                .iter()
                .map(|term| occurrence::in_line(term, terms, &line, config.tables, level))
                .collect()
        })
        .collect();
    let occurs = |term: usize| {
        found.iter().any(|line| line.get(term).is_some_and(|found| !found.is_empty()))
    };
    (0..terms.len()).all(occurs).then(|| MatchingFile {
        path: &file.path,
        number,
        length: reading.length(),
        path_units: path_units(terms, file, &config.tables.limits),
        hundredths: definition::hundredths(&config.tables.definitions, &file.below_root, terms),
        lines,
        below_root: &file.below_root,
        found,
    })
}

/// The units of a file's path, by term.
fn path_units(terms: &[Term], file: &Candidate<'_>, limits: &AgentLimits) -> Vec<u64> {
    terms.iter().map(|term| occurrence::in_path(term, terms, &file.below_root, limits)).collect()
}

impl MatchingFile<'_> {
    /// Number of a term's occurrences.
    fn occurrences(&self, term: usize) -> usize {
        self.found.iter().filter_map(|line| line.get(term)).map(Vec::len).sum()
    }

    /// Half the sum of a term's units in text and path.
    fn frequency(&self, term: usize) -> f64 {
        let in_line = |line: &Vec<Vec<Occurrence>>| {
            line.get(term).into_iter().flatten().map(|one| one.units).sum::<u64>()
        };
        let in_text: u64 = self.found.iter().map(in_line).sum();
        number(in_text + self.path_units.get(term).copied().unwrap_or_default()) / 2.0
    }

    /// The greatest strength of a term's definitions.
    fn strength(&self, term: usize) -> f64 {
        let found = self.found.iter().filter_map(|line| line.get(term)).flatten();
        number(found.map(|one| one.strength).max().unwrap_or_default()) / 8.0
    }

    /// The shown line, 0-based: the first in the order of `keys`.
    fn best_line(&self, keys: &[Key]) -> usize {
        let greatest =
            |found: &Vec<Occurrence>| found.iter().map(|one| one.units + one.strength).max();
        let mut lines: Vec<(usize, &Vec<Vec<Occurrence>>)> =
            self.found.iter().enumerate().collect();
        order::sort(&mut lines, keys, |(number, line), by| match by {
            By::Terms => order::Value::count(line.iter().filter(|found| !found.is_empty()).count()),
            By::Units => order::Value::Number(line.iter().filter_map(greatest).sum()),
            By::Line => order::Value::count(*number),
            _ => order::Value::Nothing,
        });
        lines.first().map_or(0, |(number, _)| *number)
    }
}

/// BM25 of each file of the pool, divided by its maximum, rounded.
fn scores(terms: usize, pool: &[MatchingFile<'_>], limits: &AgentLimits) -> Vec<f64> {
    let (k1, b) = (number(limits.k1_hundredths) / 100.0, number(limits.b_hundredths) / 100.0);
    let bytes = count(pool.iter().map(|file| file.length).sum());
    let mean = bytes / count(pool.len());
    let idf = |term: usize| {
        let with = count(pool.iter().map(|file| file.occurrences(term)).sum());
        let others = (bytes / number(limits.rarity_line_bytes) - with).max(0.0);
        (1.0 + (others + 0.5) / (with + 0.5)).ln()
    };
    let trust = 1.0 / count(terms * terms);
    let greatest: f64 = (0..terms).map(|term| idf(term) * 5.0).sum();
    let precision = (0..limits.score_decimals).fold(1.0, |precision, _| precision * 10.0);
    pool.iter()
        .map(|file| {
            let length = k1 * (1.0 - b + b * count(file.length) / mean);
            let of_term = |term: usize| {
                let frequency = file.frequency(term);
                let is_stem = file.path_units.get(term) == Some(&limits.units_stem);
                let own = file.strength(term) * trust + if is_stem { 1.0 } else { 0.0 };
                idf(term) * (frequency / (frequency + length) + own)
            };
            let sum = (0..terms).map(of_term).sum::<f64>() * number(file.hundredths) / 100.0;
            (sum / greatest * precision).round() / precision
        })
        .collect()
}

pub(super) fn count(count: usize) -> f64 {
    number(u64::try_from(count).unwrap_or(u64::MAX))
}

#[expect(clippy::cast_precision_loss, reason = "no tree has so many lines or bytes")]
pub(super) fn number(number: u64) -> f64 {
    number as f64
}

fn result(config: &Config, call: &Call<'_>, file: &MatchingFile<'_>, score: f64) -> Value {
    let limits = &config.tables.limits;
    let best = file.best_line(config.search.tables.orders.best_line);
    let line = file.lines.get(best).copied().unwrap_or_default();
    let starts = file.found.get(best).into_iter().flatten().flatten().map(|found| found.start);
    let before = occurrence::characters(line).into_iter().take(starts.min().unwrap_or_default());
    let first_match = occurrence::bytes(&before.collect::<Vec<_>>());
    let shown = lines::shown(&place::lossy(line), first_match, limits);
    let around = lines::around(&file.lines, best, call.context_lines, limits);
    let definer = Definer::new(&config.tables.definitions, file.below_root, &file.lines);
    let above = usize::try_from(call.context_lines).unwrap_or(usize::MAX);
    let header = definer.header(best).filter(|header| best - header > above);
    let header = header.map(|number| {
        let text = place::lossy(file.lines.get(number).copied().unwrap_or_default());
        (number + 1, lines::shown(&text, 0, limits))
    });
    let cut = shown.cut
        || around.as_ref().is_some_and(|(_, cut)| *cut)
        || header.as_ref().is_some_and(|(_, header)| header.cut);
    let with_a_term = |line: &Vec<Vec<Occurrence>>| line.iter().any(|found| !found.is_empty());
    let numbered = (1_usize..).zip(&file.found);
    let with_terms: Vec<usize> =
        numbered.filter(|(_, line)| with_a_term(line)).map(|(number, _)| number).collect();
    let most = usize::try_from(limits.match_lines).unwrap_or(usize::MAX);
    let mut result = Map::new();
    result.insert("path".to_owned(), json!(file.path));
    result.insert("line".to_owned(), json!(best + 1));
    result.insert("score".to_owned(), json!(score));
    result.insert("snippet".to_owned(), json!(shown.text));
    result.extend(around.map(|(context, _)| ("context".to_owned(), context)));
    let inside = header.map(|(line, header)| json!({ "line": line, "text": header.text }));
    result.extend(inside.map(|inside| ("inside".to_owned(), inside)));
    result.insert("match_count".to_owned(), json!(with_terms.len()));
    result
        .insert("match_lines".to_owned(), json!(with_terms.iter().take(most).collect::<Vec<_>>()));
    result.extend(cut.then(|| ("cut".to_owned(), json!(true))));
    Value::Object(result)
}

#[cfg(test)]
mod tests;
