//! The pool and its order without a model: occurrence units, path weights, scores, and the lines of
//! a result (section 4).
//!
//! Invariants: a score depends on the pool alone; equal scores are in path order.

use super::Config;
use super::hits::Hits;
use super::query_terms;
use super::references::{References, stem};
use super::request::{Call, Term};
use crate::agent::definition::{self, Definer};
use crate::agent::files::FileText;
use crate::agent::identifier::{WordMatch, identifiers};
use crate::agent::occurrence::{self, characters};
use crate::agent::query;
use crate::agent::ranking::{count, number};
use crate::order;
use crate::place::{self, Name};
use crate::tables::order::By;

/// A file of the pool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked {
    /// Index among the eligible files.
    pub(super) file: usize,
    pub(super) score: f64,
}

/// The measure of a hit file's text for a term.
#[derive(Debug, Clone, Copy, Default)]
struct TermMeasure {
    /// Occurrence units.
    units: u64,
    /// Weight of its definitions in hundredths.
    defined: u64,
}

struct Measures {
    /// By term and eligible file; zero unless it is a hit file.
    in_text: Vec<Vec<TermMeasure>>,
    references: References,
}

/// The pool, best score first.
pub(super) fn rank(config: &Config, call: &Call, found: &Hits<'_>) -> Vec<Ranked> {
    let measures = Measures {
        in_text: call.terms.iter().map(|term| in_texts(config, found, term)).collect(),
        references: References::of(&call.query),
    };
    let joining: Vec<&Term> =
        call.terms.iter().filter(|term| few_paths_hold(config, found, term)).collect();
    let below =
        |file: &usize| found.files.eligible.get(*file).map_or(&[][..], |file| &file.below_root);
    let joins = |file: &usize| joining.iter().any(|term| holds(&place::join(below(file)), term));
    let pool = (0..found.held.len()).filter(|file| found.is_hit_file(*file) || joins(file));
    let mut ranked: Vec<Ranked> = pool
        .map(|file| Ranked { file, score: measures.score(config, call, found, file, below(&file)) })
        .collect();
    order::sort(&mut ranked, config.agent.search.tables.orders.keyword, |one, by| match by {
        By::Score => order::Value::score(one.score),
        By::Place => found.files.place(one.file),
        _ => order::Value::Nothing,
    });
    ranked
}

/// Whether some paths contain a term, but not too many.
fn few_paths_hold(config: &Config, found: &Hits<'_>, term: &Term) -> bool {
    let files = found
        .files
        .eligible
        .iter()
        .filter(|file| holds(&place::join(&file.below_root), term))
        .count();
    u64::try_from(files).is_ok_and(|files| files <= config.tables.limits.path_files)
}

/// Whether a path contains a term, folded.
fn holds(path: &[u8], term: &Term) -> bool {
    super::hits::first_place(path, term).is_some()
}

/// The measure of each file's text for a term.
fn in_texts(config: &Config, found: &Hits<'_>, term: &Term) -> Vec<TermMeasure> {
    let of_file = |file: usize| {
        if !found.is_hit_file(file) {
            return TermMeasure::default();
        }
        let lines = found.readings.get(file).map(FileText::lines).unwrap_or_default();
        let below_root =
            found.files.eligible.get(file).map(|file| &*file.below_root).unwrap_or_default();
        let definer = Definer::new(&config.agent.tables.definitions, below_root, &lines);
        let numbered = lines.iter().enumerate();
        let of_lines = numbered
            .map(|(number, line)| in_line(config, &definer, number, &characters(line), term));
        of_lines.fold(TermMeasure::default(), TermMeasure::and)
    };
    (0..found.held.len()).map(of_file).collect()
}

/// The measure of a line for a term.
fn in_line(
    config: &Config,
    definer: &Definer<'_>,
    number: usize,
    line: &[Option<char>],
    term: &Term,
) -> TermMeasure {
    let limits = &config.tables.limits;
    let sought: Vec<Option<char>> = term.folded.chars().map(Some).collect();
    let folded: Vec<Option<char>> =
        line.iter().map(|one| one.map(|one| one.to_ascii_lowercase())).collect();
    let is_word = matches!(term.sought, query::Term::Word { .. });
    let mut all = TermMeasure::default();
    let mut from = 0;
    while let Some(start) = (from..folded.len())
        .find(|at| folded.get(*at..).is_some_and(|rest| rest.starts_with(&sought)))
    {
        let place = identifiers(line).into_iter().find(|place| is_word && place.contains(&start));
        let identifier = place.clone().and_then(|place| line.get(place));
        let occurs = identifier.and_then(|one| occurrence::in_identifier(&term.sought, one));
        let (units, worth) = match occurs {
            _ if !is_word => (limits.units_whole, 0),
            None => (limits.units_place, 0),
            Some(WordMatch::Some) => (limits.units_part, limits.defined_part_hundredths),
            Some(WordMatch::Whole) => (limits.units_whole, limits.defined_hundredths),
        };
        let is_defined = place.as_ref().is_some_and(|place| definer.level(number, place) > 0);
        all = all.and(TermMeasure { units, defined: if is_defined { worth } else { 0 } });
        from = place.map_or(start + sought.len(), |place| place.end);
    }
    all
}

impl TermMeasure {
    fn and(self, other: TermMeasure) -> TermMeasure {
        TermMeasure { units: self.units + other.units, defined: self.defined.max(other.defined) }
    }
}

fn hundredths(value: u64) -> f64 {
    number(value) / 100.0
}

/// The weight of a file's path for a term.
fn of_path(config: &Config, below_root: &[Name], term: &Term) -> f64 {
    let limits = &config.tables.limits;
    let base = below_root.last().cloned().unwrap_or_default();
    hundredths(if is_stem(&place::lossy(&base), term) {
        limits.stem_hundredths
    } else if holds(&base, term) {
        limits.base_hundredths
    } else if holds(&place::join(below_root), term) {
        limits.path_hundredths
    } else {
        0
    })
}

/// Whether a term is the stem of a base name.
fn is_stem(base: &str, term: &Term) -> bool {
    let letters =
        |text: &str| -> String { text.chars().filter(|one| one.is_alphanumeric()).collect() };
    let (of_term, of_stem) = (letters(&term.folded), letters(&stem(base).to_ascii_lowercase()));
    !of_term.is_empty() && (of_stem == of_term || query_terms::singular(&of_stem) == of_term)
}

impl Measures {
    fn score(
        &self,
        config: &Config,
        call: &Call,
        found: &Hits<'_>,
        file: usize,
        below_root: &[Name],
    ) -> f64 {
        let limits = &config.tables.limits;
        let terms = count(call.terms.len());
        let (mut sum, mut greatest) = (0.0, 0.0);
        for (place, term) in call.terms.iter().enumerate() {
            let in_text = self.in_text.get(place).map_or(&[][..], Vec::as_slice);
            let with = count(in_text.iter().filter(|one| one.units > 0).count());
            let without = (count(found.held.len()) - with + 0.5).max(0.5);
            let idf = (1.0 + without / (with + 0.5)).ln();
            let mut weight = 1.0 - count(place) / (2.0 * terms);
            weight *= if term.is_name { hundredths(limits.name_hundredths) } else { 1.0 };
            weight *=
                if term.in_first_line { hundredths(limits.first_line_hundredths) } else { 1.0 };
            let TermMeasure { units, defined } = in_text.get(file).copied().unwrap_or_default();
            let s = number(units) / (number(units) + number(limits.saturation_units));
            sum += weight * idf * (s + hundredths(defined) + of_path(config, below_root, term));
            greatest += weight * idf * hundredths(limits.greatest_hundredths);
        }
        let is_named = self.references.name(below_root);
        let q = if is_named { hundredths(limits.named_file_hundredths) } else { 1.0 };
        let c =
            hundredths(definition::hundredths(&config.agent.tables.definitions, below_root, &[]));
        let precision = (0..limits.score_decimals).fold(1.0, |precision, _| precision * 10.0);
        (c * q * sum / greatest * precision).round() / precision
    }
}

/// The lines of a result, 0-based: those with most of the terms that it can name, earlier ones
/// first among equals, in line order.
pub(super) fn best_lines(config: &Config, found: &Hits<'_>, file: usize) -> Vec<usize> {
    let most = usize::try_from(config.tables.limits.shown_lines).unwrap_or(usize::MAX);
    let named = found.named_in(file);
    let has_hit = |term: usize, line: usize| {
        found.held.get(file).is_some_and(|held| held.hits_of(term).contains(&line))
    };
    let terms = |line: &usize| named.iter().filter(|term| has_hit(**term, *line)).count();
    let mut lines = found.lines_in(file);
    order::sort(&mut lines, config.agent.search.tables.orders.keyword_lines, |line, by| match by {
        By::Terms => order::Value::count(terms(line)),
        By::Line => order::Value::count(*line),
        _ => order::Value::Nothing,
    });
    lines.truncate(most);
    lines.sort_unstable();
    lines
}

#[cfg(test)]
mod tests;
