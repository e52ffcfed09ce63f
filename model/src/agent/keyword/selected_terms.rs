//! Selected terms: the hits of each term, the text made of them, which terms are kept, and the data
//! made of their texts (section 3).
//!
//! Invariant: the texts of the kept terms fit `total_bytes`.

use std::collections::BTreeMap;

use super::Config;
use super::files::SearchedFile;
use super::pool::{Found, PoolFile, PoolLine, TermText};
use super::rank;
use super::request::{Call, Term};
use super::secrets::{Clean, Secrets};
use crate::agent::Refusal;
use crate::meter::Meter;
use crate::place;
use crate::tables::agent::AgentError;
use crate::tables::caps::{CapLimit, Counted};

/// The hits of a file.
struct FileHits<'a> {
    file: &'a SearchedFile<'a>,
    /// For each term, the lines with a hit, 0-based.
    hits: Vec<Vec<usize>>,
    heading: Clean,
    /// The lines near a hit, as sent.
    sent: BTreeMap<usize, Clean>,
}

/// Selects terms, ranks the files with hits of them, and writes the data.
pub(super) fn find<'a>(
    config: &Config,
    call: &Call,
    files: &'a [SearchedFile<'a>],
) -> Result<Found<'a>, Refusal> {
    let held: Vec<FileHits<'_>> = files.iter().map(|file| hits(config, call, file)).collect();
    let texts = texts(config, call, &held);
    let is_kept = |term: &usize| texts.get(*term).is_some_and(|text| text.skipped.is_none());
    let kept: Vec<usize> = (0..call.terms.len()).filter(is_kept).collect();
    if kept.is_empty() {
        return Err(Refusal::at(AgentError::TermsTooBroad, "search_terms"));
    }
    let pool = held.iter().map(|held| pool_file(call, held, &kept));
    let pool = pool.filter(|file| !file.lines.is_empty()).collect();
    let ranked = rank::rank(config, call, pool);
    let data = data(config, call, &texts);
    Ok(Found { ranked, texts: Some(texts), data })
}

fn hits<'a>(config: &Config, call: &Call, file: &'a SearchedFile<'a>) -> FileHits<'a> {
    let of_term = |term: &Term| -> Vec<usize> {
        let lines = file.lines.iter().enumerate();
        lines.filter(|(_, line)| first_hit(line, term).is_some()).map(|(line, _)| line).collect()
    };
    let hits: Vec<Vec<usize>> = call.terms.iter().map(of_term).collect();
    let sent = file.sent(config, |line| hits.iter().any(|hits| is_near(config, hits, line)));
    FileHits { file, hits, heading: file.heading(config), sent }
}

/// The offset of a term's characters in a line.
fn first_hit(line: &[u8], term: &Term) -> Option<usize> {
    let sought = term.folded.as_bytes();
    line.windows(sought.len()).position(|window| window.eq_ignore_ascii_case(sought))
}

/// Whether a line is shown around one of these hits.
fn is_near(config: &Config, hits: &[usize], line: usize) -> bool {
    let context = usize::try_from(config.tables.limits.context_lines).unwrap_or(usize::MAX);
    hits.iter().any(|hit| hit.abs_diff(line) <= context)
}

/// The texts of all terms, some of which are skipped.
fn texts(config: &Config, call: &Call, held: &[FileHits<'_>]) -> Vec<TermText> {
    let caps = config.agent.search.tables.caps.keyword;
    let mut meter = Meter::new(caps, false, |limit| match limit {
        CapLimit::TermBytes => Some(config.term_bytes),
        CapLimit::TotalBytes => Some(config.total_bytes),
        _ => None,
    });
    let texts = (0..call.terms.len()).map(|term| text(config, held, term));
    let passed = meter.pass(texts, |text, counted| match counted {
        Counted::TermBytes => u64::try_from(text.text.len()).ok(),
        _ => None,
    });
    let gone_through = passed.gone_through.into_iter();
    let mut texts: Vec<TermText> = gone_through
        .map(|(text, cap)| TermText { text, skipped: cap.map(|cap| cap.reason) })
        .collect();
    if let Some((_, cap)) = passed.stopped {
        // Every term has an entry, also after the loop ends early.
        texts.resize_with(call.terms.len(), || TermText {
            text: Clean::default(),
            skipped: Some(cap.reason),
        });
    }
    texts
}

/// The text of a term: its hits with the lines around them.
fn text(config: &Config, held: &[FileHits<'_>], term: usize) -> Clean {
    let mut all = Clean::default();
    for file in held {
        let Some(hits) = file.hits.get(term).filter(|hits| !hits.is_empty()) else { continue };
        if !all.text.is_empty() {
            all.text.push('\n');
        }
        all.append("", &file.heading);
        let mut before: Option<usize> = None;
        for (number, line) in file.sent.iter().filter(|(line, _)| is_near(config, hits, **line)) {
            if before.is_some_and(|before| before + 1 < *number) {
                all.text.push_str("--\n");
            }
            let mark = if hits.contains(number) { ':' } else { '-' };
            all.append(&format!("{}{mark}", number + 1), line);
            before = Some(*number);
        }
    }
    all
}

/// A file with its hits of kept terms.
fn pool_file<'a>(call: &Call, held: &FileHits<'a>, kept: &[usize]) -> PoolFile<'a> {
    let mut lines: BTreeMap<usize, PoolLine> = BTreeMap::new();
    for term in kept {
        let (Some(hits), Some(sought)) = (held.hits.get(*term), call.terms.get(*term)) else {
            continue;
        };
        for number in hits {
            let bytes = held.file.lines.get(*number).copied().unwrap_or_default();
            let first = first_hit(bytes, sought).unwrap_or_default();
            let start = place::lossy(bytes.get(..first).unwrap_or_default()).len();
            let line =
                lines.entry(*number).or_insert(PoolLine { terms: [].into(), units: 0, start });
            line.terms.insert(*term);
            line.start = line.start.min(start);
        }
    }
    let sent = Some(lines.keys().copied().collect());
    PoolFile { file: held.file, lines, score: 0.0, sent }
}

/// The texts of the kept terms with hits.
fn data(config: &Config, call: &Call, texts: &[TermText]) -> Option<Clean> {
    let secrets = Secrets::of(config.tables);
    let mut data = Clean::default();
    for (number, (term, text)) in (1..).zip(call.terms.iter().zip(texts)) {
        if text.skipped.is_some() || text.text.text.is_empty() {
            continue;
        }
        let given = secrets.clean(&term.given);
        let written = serde_json::Value::String(given.text).to_string();
        data.append(
            &format!("## term {number}: "),
            &Clean { text: written, redacted: given.redacted },
        );
        data.text.push_str(&text.text.text);
        data.redacted += text.text.redacted;
    }
    (!data.text.is_empty()).then_some(data)
}
