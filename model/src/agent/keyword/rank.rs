//! Which files are results, and in which order, without any model.
//!
//! Responsible for: the pool, places and their units, what paths are worth, the score, and the lines of a result (section 4).
//! Left to neighbours: hits (`hits`), words and definitions, which are those of `search_text`.
//! Invariants: a score depends on the pool and on nothing else; equal scores are in path order.

use super::Config;
use super::hits::{Found, Held};
use super::request::{Call, Term};
use crate::agent::definition::Definer;
use crate::agent::identifier::identifiers;
use crate::agent::occurrence::{self, characters};
use crate::agent::query;
use crate::agent::ranking::{count, number};
use crate::order;
use crate::place::{self, Name};
use crate::tables::order::By;

/// A file of the pool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked {
    /// Its place among the eligible files.
    pub(super) file: usize,
    pub(super) score: f64,
}

/// What scores are made of.
struct Measures {
    /// For each term and eligible file, the units of the places of the term; none in a file without hits of kept terms.
    units: Vec<Vec<u64>>,
    /// Files with hits of kept terms.
    hit_files: Vec<usize>,
    /// The mean length of those, in bytes.
    mean: f64,
}

/// The pool, in the order of scores.
pub(super) fn rank(config: &Config, call: &Call, found: &Found<'_>) -> Vec<Ranked> {
    let hit_files: Vec<usize> = (0..)
        .zip(&found.held)
        .filter(|(_, file)| !found.hits_in(file).is_empty())
        .map(|(place, _)| place)
        .collect();
    let length = |file: &usize| found.readings.get(*file).map_or(0, crate::agent::reading::Reading::length);
    let measures = Measures {
        units: call.terms.iter().map(|term| units(config, found, &hit_files, term)).collect(),
        mean: count(hit_files.iter().map(length).sum()) / count(hit_files.len()),
        hit_files,
    };
    let joining: Vec<&Term> = call.terms.iter().filter(|term| few_paths_hold(config, found, term)).collect();
    let below = |file: &usize| found.files.eligible.get(*file).map_or(&[][..], |file| &file.below_root);
    let joins = |file: &usize| joining.iter().any(|term| holds(&place::join(below(file)), term));
    let pool = (0..found.held.len()).filter(|file| measures.hit_files.contains(file) || joins(file));
    let mut ranked: Vec<Ranked> = pool
        .map(|file| Ranked {
            file,
            score: measures.score(config, call, found, file, length(&file), below(&file)),
        })
        .collect();
    order::sort(&mut ranked, config.agent.search.tables.orders.keyword, |one, by| match by {
        By::Score => order::Value::score(one.score),
        By::Place => found.files.place(one.file),
        _ => order::Value::Nothing,
    });
    ranked
}

/// Whether the paths of some files hold a term, but not of too many.
fn few_paths_hold(config: &Config, found: &Found<'_>, term: &Term) -> bool {
    let files =
        found.files.eligible.iter().filter(|file| holds(&place::join(&file.below_root), term)).count();
    u64::try_from(files).is_ok_and(|files| files <= config.tables.limits.path_files)
}

/// Whether the characters of a term stand in a path, folded.
fn holds(path: &[u8], term: &Term) -> bool {
    super::hits::first_place(path, term).is_some()
}

/// The units of a term's places in each file that has hits of kept terms.
fn units(config: &Config, found: &Found<'_>, hit_files: &[usize], term: &Term) -> Vec<u64> {
    let of_file = |file: usize| -> u64 {
        if !hit_files.contains(&file) {
            return 0;
        }
        let lines = found.readings.get(file).map(crate::agent::reading::Reading::lines).unwrap_or_default();
        let below_root = found.files.eligible.get(file).map(|file| &*file.below_root).unwrap_or_default();
        let definer = Definer::new(&config.agent.tables.definitions, below_root, &lines);
        let numbered = lines.iter().enumerate();
        numbered.map(|(number, line)| units_in(config, &definer, number, &characters(line), term)).sum()
    };
    (0..found.held.len()).map(of_file).collect()
}

/// The units of a term's places in a line.
fn units_in(
    config: &Config,
    definer: &Definer<'_>,
    number: usize,
    line: &[Option<char>],
    term: &Term,
) -> u64 {
    let limits = &config.tables.limits;
    let sought: Vec<Option<char>> = term.folded.chars().map(Some).collect();
    let folded: Vec<Option<char>> = line.iter().map(|one| one.map(|one| one.to_ascii_lowercase())).collect();
    let mut all = 0;
    let mut from = 0;
    while let Some(start) =
        (from..folded.len()).find(|at| folded.get(*at..).is_some_and(|rest| rest.starts_with(&sought)))
    {
        let is_word = matches!(term.sought, query::Term::Word { .. });
        let identifier = identifiers(line).into_iter().find(|place| is_word && place.contains(&start));
        let occurs = identifier.clone().filter(|place| {
            line.get(place.clone()).is_some_and(|one| occurrence::in_identifier(&term.sought, one).is_some())
        });
        all += occurs.map_or(limits.units_place, |place| {
            let is_defined = definer.level(number, &place) > 0;
            if is_defined { limits.units_definition } else { limits.units_word }
        });
        from = identifier.map_or(start + sought.len(), |place| place.end);
    }
    all
}

fn hundredths(value: u64) -> f64 {
    number(value) / 100.0
}

/// What the path of a file is worth for a term.
fn of_path(config: &Config, below_root: &[Name], term: &Term) -> f64 {
    let limits = &config.tables.limits;
    let base = below_root.last().cloned().unwrap_or_default();
    let dot = base.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0);
    let stem = dot.and_then(|dot| base.get(..dot)).unwrap_or(&base);
    hundredths(if stem.eq_ignore_ascii_case(term.folded.as_bytes()) {
        limits.stem_hundredths
    } else if holds(&base, term) {
        limits.base_hundredths
    } else if holds(&place::join(below_root), term) {
        limits.path_hundredths
    } else {
        0
    })
}

/// What a file of this name is worth beside others.
fn of_kind(config: &Config, below_root: &[Name]) -> f64 {
    let base = below_root.last().cloned().unwrap_or_default();
    let behind = base.iter().rposition(|byte| *byte == b'.').and_then(|dot| base.get(dot + 1..));
    let is_prose = behind.is_none_or(|behind| {
        config.tables.prose.split(' ').any(|extension| behind.eq_ignore_ascii_case(extension.as_bytes()))
    });
    if is_prose { hundredths(config.tables.limits.prose_hundredths) } else { 1.0 }
}

impl Measures {
    fn score(
        &self,
        config: &Config,
        call: &Call,
        found: &Found<'_>,
        file: usize,
        length: usize,
        below_root: &[Name],
    ) -> f64 {
        let limits = &config.tables.limits;
        let share = hundredths(limits.length_hundredths);
        let k = hundredths(limits.saturation_hundredths) * (1.0 - share + share * count(length) / self.mean);
        let is_hit_file = self.hit_files.contains(&file);
        let terms = count(call.terms.len());
        let (mut sum, mut greatest) = (0.0, 0.0);
        for (place, term) in call.terms.iter().enumerate() {
            let units = self.units.get(place).map_or(&[][..], Vec::as_slice);
            let with = count(units.iter().filter(|units| **units > 0).count());
            let idf = (1.0 + (count(found.held.len()) - with + 0.5) / (with + 0.5)).ln();
            let weight = (1.0 - count(place) / (2.0 * terms)) * idf;
            let f = number(units.get(file).copied().unwrap_or_default()) / 2.0;
            let s = if is_hit_file { f / (f + k) } else { 0.0 };
            let is_skipped = found.terms.get(place).is_some_and(|term| term.skipped.is_some());
            let a = if is_skipped { hundredths(limits.skipped_hundredths) } else { 1.0 };
            sum += weight * (a * s + of_path(config, below_root, term));
            greatest += weight * hundredths(limits.greatest_hundredths);
        }
        let precision = (0..limits.score_decimals).fold(1.0, |precision, _| precision * 10.0);
        (of_kind(config, below_root) * sum / greatest * precision).round() / precision
    }
}

/// The lines of a result, from 0: those of its hits with most kept terms, the earlier ones of equals, in the file's order.
pub(super) fn best_lines(config: &Config, found: &Found<'_>, file: &Held) -> Vec<usize> {
    let most = usize::try_from(config.tables.limits.shown_lines).unwrap_or(usize::MAX);
    let terms = |line: &usize| found.kept().filter(|term| file.hits_of(*term).contains(line)).count();
    let mut lines = found.hits_in(file);
    order::sort(&mut lines, config.agent.search.tables.orders.keyword_lines, |line, by| match by {
        By::Terms => order::Value::count(terms(line)),
        By::Line => order::Value::count(*line),
        _ => order::Value::Nothing,
    });
    lines.truncate(most);
    lines.sort_unstable();
    lines
}
