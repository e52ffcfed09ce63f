//! Hits of one term in one text: the lines for the model and the figures for ranking (REQ-KWS-002.3
//! to REQ-KWS-002.5; docs/keyword-search.md, sections 3 and 4).

use std::fmt::Write as _;

use memchr::{memchr_iter, memmem};

use super::{
    redact::{Redacted, private_keys, redact_while},
    reply::start_of,
};
use crate::{
    agent::{
        cut::{Anchor, Cut, cut},
        excerpt::shown,
    },
    content::escape_line,
    error::Interrupted,
    text::{self, Span},
};

/// Context lines above and below a hit (REQ-KWS-002.4).
const CONTEXT: usize = 10;
/// Bytes of a decoded line that are searched for secrets: far more than is shown of it, and few
/// enough to search between two checks for cancellation.
const REDACTED_BYTES: usize = 1 << 16;
/// Bytes between two checks for cancellation.
const LOOK_EVERY: usize = 1 << 16;

/// A line with a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HitLine {
    /// Line number, 1-based.
    pub(super) number: u64,
    /// Byte offset of the first occurrence in the decoded line.
    pub(super) at: usize,
    /// The line as a result shows it.
    pub(super) shown: Cut,
}

/// The hits of one term in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHits {
    /// In line order; incomplete if `text` is too long.
    pub(super) lines: Vec<HitLine>,
    /// The file's part of the term's text, without its path. It ends once it exceeds its limit.
    pub(super) text: String,
    /// Number of secrets redacted in `text`.
    pub(super) redacted: u64,
    /// The file's path below the search root.
    pub(super) walked: Vec<u8>,
}

impl FileHits {
    /// Whether the file has no hit.
    pub fn is_omitted(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Finds the hits of one term in one text after another.
#[derive(Clone, Debug)]
pub struct HitFinder {
    term: String,
    sought: memmem::Finder<'static>,
    most: usize,
    /// The folded text; offsets equal those of the original. Reused, since allocation costs as much
    /// as searching.
    folded: Vec<u8>,
}

impl HitFinder {
    /// Finds a term; collects at most `most` bytes of text, and the hit that exceeds them.
    pub fn new(term: &str, most: usize) -> Self {
        let term = term.to_ascii_lowercase();
        let sought = memmem::Finder::new(term.as_bytes()).into_owned();
        Self { sought, term, most, folded: Vec::new() }
    }

    /// Whether one of these lines may have a hit.
    pub fn may_match(&mut self, lines: &[u8]) -> bool {
        fold(lines, &mut self.folded);
        self.sought.find(&self.folded).is_some()
    }

    /// The hits in a file's text. `text` is empty if no line passed [`HitFinder::may_match`].
    pub fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<FileHits, Interrupted> {
        fold(text, &mut self.folded);
        let folded = &self.folded;
        let mut file = FileHits { walked: walked.to_owned(), ..FileHits::default() };
        let mut writer = Writer { text, keys: None, from: 0, number: 1, last: 0, waiting: None };
        let (mut from, mut looked) = (0, 0);
        while let Some(at) =
            folded.get(from..).and_then(|rest| self.sought.find(rest)).map(|at| from + at)
        {
            if at >= looked + LOOK_EVERY {
                looked = at;
                if !go_on() {
                    return Err(Interrupted);
                }
            }
            let Some(line) = text::line_at(text, at) else { break };
            // A match reaches beyond the line's visible end if the term ends in the CR there.
            if at + self.term.len() <= line.start + line.visible(text).len() {
                let ahead = text.get(line.start..at).unwrap_or_default();
                let begins = String::from_utf8_lossy(ahead).len();
                let number = writer.hit(line, &mut file, go_on)?;
                file.lines.push(HitLine {
                    number,
                    at: begins,
                    shown: shown(text, line, Anchor::At(begins)),
                });
                if file.text.len() > self.most {
                    return Ok(file);
                }
            }
            from = line.end + 1;
        }
        writer.end(&mut file, go_on)?;
        if go_on() { Ok(file) } else { Err(Interrupted) }
    }
}

/// Folds ASCII letters; offsets stay the same.
fn fold(text: &[u8], folded: &mut Vec<u8>) {
    folded.clear();
    folded.extend_from_slice(text);
    folded.make_ascii_lowercase();
}

/// Writes a term's text of one file.
struct Writer<'t> {
    text: &'t [u8],
    /// Lines of private keys, found when the first line is written.
    keys: Option<Vec<Span>>,
    /// Lines before this offset are counted.
    from: usize,
    number: u64,
    /// Number of the last line written; 0 if none.
    last: u64,
    /// The last hit, whose context below is not written yet.
    waiting: Option<(Span, u64)>,
}

impl Writer<'_> {
    /// Writes a hit with its context above and the rest of the previous hit's context. Returns its
    /// line number.
    fn hit(
        &mut self,
        line: Span,
        file: &mut FileHits,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Interrupted> {
        let passed = self.text.get(self.from..line.start).unwrap_or_default();
        self.number += memchr_iter(b'\n', passed).count() as u64;
        self.from = line.start;
        let number = self.number;
        self.below(Some(number), file, go_on)?;
        let mut above = Vec::new();
        let mut at = line;
        while above.len() < CONTEXT {
            let Some(before) = text::line_before(self.text, at) else { break };
            let before_number = number - 1 - above.len() as u64;
            if before_number <= self.last {
                break;
            }
            above.push((before, before_number));
            at = before;
        }
        let first = number - above.len() as u64;
        if self.last > 0 && first > self.last + 1 {
            file.text.push_str("--\n");
        }
        for (span, number) in above.into_iter().rev() {
            self.write(span, number, '-', file, go_on)?;
        }
        self.write(line, number, ':', file, go_on)?;
        self.waiting = Some((line, number));
        Ok(number)
    }

    /// Writes the context below the last hit, up to the next hit.
    fn below(
        &mut self,
        next: Option<u64>,
        file: &mut FileHits,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        let Some((mut at, number)) = self.waiting.take() else { return Ok(()) };
        for below in (number + 1..).take(CONTEXT) {
            if next == Some(below) {
                break;
            }
            let Some(line) = text::line_after(self.text, at) else { break };
            self.write(line, below, '-', file, go_on)?;
            at = line;
        }
        Ok(())
    }

    fn end(
        &mut self,
        file: &mut FileHits,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        self.below(None, file, go_on)
    }

    fn write(
        &mut self,
        line: Span,
        number: u64,
        mark: char,
        file: &mut FileHits,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        let text = self.text;
        let keys = self.keys.get_or_insert_with(|| private_keys(text));
        let Redacted { text, count } = sent_line(text, line, keys, go_on)?;
        file.redacted += count;
        self.last = number;
        // Writing to a string does not fail.
        let _ = writeln!(file.text, "{number}{mark}{text}");
        Ok(())
    }
}

/// A line as a model reads it: redacted, cut and escaped. `keys` are the private keys of the text.
pub(super) fn sent_line(
    text: &[u8],
    line: Span,
    keys: &[Span],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Redacted, Interrupted> {
    let is_key = keys.iter().any(|key| key.start <= line.start && line.start <= key.end);
    let Redacted { text, count } =
        if is_key { Redacted::whole() } else { redact_while(&head(line.visible(text)), go_on)? };
    Ok(Redacted { text: escape_line(&cut(&text, Anchor::Start).text), count })
}

/// The first [`REDACTED_BYTES`] of a line, decoded, without part of a character.
fn head(line: &[u8]) -> String {
    // Decoding does not shorten a text. A character that ends here is beyond what is kept.
    let enough = line.get(..REDACTED_BYTES + 4).unwrap_or(line);
    start_of(&String::from_utf8_lossy(enough), REDACTED_BYTES).to_owned()
}
