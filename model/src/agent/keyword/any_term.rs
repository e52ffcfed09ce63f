//! Any term: the files in whose text a term occurs, and the data made of their best lines (section
//! 3).

use super::Config;
use super::files::SearchedFile;
use super::pool::{Found, PoolFile, PoolLine};
use super::rank;
use super::request::Call;
use super::secrets::Clean;
use crate::agent::occurrence::{self, Occurrence};

/// Finds the pool, ranks it, and writes the data.
pub(super) fn find<'a>(config: &Config, call: &Call, files: &'a [SearchedFile<'a>]) -> Found<'a> {
    let pool = files.iter().map(|file| PoolFile {
        file,
        lines: file.occurrences.iter().enumerate().filter_map(|line| line_of(file, line)).collect(),
        score: 0.0,
        sent: None,
    });
    let pool = pool.filter(|file| !file.lines.is_empty()).collect();
    let mut ranked = rank::rank(config, call, pool);
    let most = usize::try_from(config.tables.limits.sent_files).unwrap_or(usize::MAX);
    let mut data = Clean::default();
    for file in ranked.iter_mut().take(most) {
        let best = file.best_lines(config);
        if !data.text.is_empty() {
            data.text.push('\n');
        }
        data.append("", &file.file.heading(config));
        for (number, line) in file.file.sent(config, |number| best.contains(&number)) {
            data.append(&format!("{}:", number + 1), &line);
        }
        file.sent = Some(best);
    }
    let data = (!data.text.is_empty()).then_some(data);
    Found { ranked, texts: None, data }
}

/// A line with its number, if a term occurs on it.
fn line_of(
    file: &SearchedFile<'_>,
    (number, terms): (usize, &Vec<Vec<Occurrence>>),
) -> Option<(usize, PoolLine)> {
    let found = (0..).zip(terms).filter(|(_, found)| !found.is_empty());
    let start = terms.iter().flatten().map(|one| one.start).min()?;
    let line = file.lines.get(number).copied().unwrap_or_default();
    let before: Vec<_> = occurrence::characters(line).into_iter().take(start).collect();
    let greatest = |found: &Vec<Occurrence>| found.iter().map(|one| one.units + one.strength).max();
    let line = PoolLine {
        terms: found.map(|(term, _)| term).collect(),
        units: terms.iter().filter_map(greatest).sum(),
        start: occurrence::bytes(&before),
    };
    Some((number, line))
}
