//! The files that hold terms, ranked, and the lines that show them (docs/keyword-search.md, sections
//! 3 and 4).

use std::fmt::Write as _;

use super::{
    Request,
    findings::{Findings, RankedFile},
    found::TermFound,
    hits::{HitLine, sent_line},
    redact::{Redacted, private_keys, redact},
};
use crate::{
    agent::{
        Searched,
        cut::Anchor,
        excerpt::shown,
        search_text::{Finder, Measures, Ranked, TermLine},
    },
    content::escape_name,
    error::Interrupted,
};

/// Lines shown of a file.
pub(super) const SHOWN_LINES: usize = 5;
/// Files that a model reads.
pub const SENT_FILES: usize = 50;

/// The lines that show a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestLines {
    pub(super) match_count: usize,
    /// In line order.
    pub(super) lines: Vec<HitLine>,
    /// The same as a model reads them.
    sent: Redacted,
}

/// The lines of a file on which most terms occur, and what the file is ranked by; nothing if no term
/// occurs.
pub fn best_lines(
    finder: &mut Finder,
    text: &[u8],
    walked: &[u8],
    is_sent: bool,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<(Measures, BestLines)>, Interrupted> {
    let mut best: Vec<TermLine> = Vec::with_capacity(SHOWN_LINES + 1);
    let mut match_count = 0;
    let measures = finder.lines(text, walked, go_on, &mut |line| {
        match_count += 1;
        let place = best.partition_point(|better| better.worth() >= line.worth());
        best.insert(place, line);
        best.truncate(SHOWN_LINES);
    })?;
    let Some(measures) = measures else { return Ok(None) };
    best.sort_unstable_by_key(|line| line.number);
    let keys = if is_sent { private_keys(text) } else { Vec::new() };
    let (mut lines, mut sent) = (Vec::new(), Redacted::default());
    for TermLine { line, number, at, .. } in best {
        lines.push(HitLine { number, at, shown: shown(text, line, Anchor::At(at)) });
        if is_sent {
            let Redacted { text, count } = sent_line(text, line, &keys, go_on)?;
            // Writing to a string does not fail.
            let _ = writeln!(sent.text, "{number}:{text}");
            sent.count += count;
        }
    }
    Ok(Some((measures, BestLines { match_count, lines, sent })))
}

impl Findings {
    /// What a search for files with any of the terms found: of each file of `ranked` the path as
    /// shown, and its lines if they can still be read. A model reads the first [`SENT_FILES`].
    pub fn ranked(
        request: &Request,
        ranked: Ranked,
        shown: Vec<(String, Option<BestLines>)>,
        ending: Searched,
    ) -> Self {
        let total = ranked.total;
        let mut holding = ranked.holding.clone().into_iter();
        let (files, searched) = ranked.with_lines(shown, ending);
        let mut findings = Self { total, searched, ..Self::default() };
        let term = |term: &String| TermFound {
            files: Some(holding.next().unwrap_or(0)),
            ..TermFound::new(term)
        };
        findings.terms = request.terms.iter().map(term).collect();
        for (score, file, path, BestLines { match_count, lines, sent }) in files {
            let terms = file.measures.terms.iter().enumerate();
            let terms = terms.filter(|(_, term)| term.occurrences > 0);
            let mut found = RankedFile {
                path,
                score,
                terms: terms.map(|(number, _)| number).collect(),
                match_count,
                heading: None,
                sent: Vec::new(),
                best: lines,
                walked: file.walked,
            };
            if !sent.text.is_empty() && findings.files.len() < SENT_FILES {
                let name = redact(&String::from_utf8_lossy(&found.walked));
                let heading = escape_name(&name.text);
                let apart = if findings.data.text.is_empty() { "" } else { "\n" };
                let _ = write!(findings.data.text, "{apart}{heading}\n{}", sent.text);
                findings.data.count += name.count + sent.count;
                found.sent.clone_from(&found.best);
                found.heading = Some(heading);
            }
            findings.files.push(found);
        }
        findings
    }
}
