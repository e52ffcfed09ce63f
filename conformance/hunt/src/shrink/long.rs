//! Contents that are needed for their length: shortened at both ends, then written as runs.
//!
//! Invariants: at most so many asks for each file and round, however long it is.

use touchstone_cases::case::{Contents, Part};

use crate::question::Question;

use super::{Search, contents, contents_mut};

/// From how many bytes on contents are long.
pub(super) const LONG: usize = 256;

/// Ranges of a file that are tried as runs, in one round.
const RANGES: usize = 256;

/// The shortest range that is tried as a run, in bytes.
const SHORTEST: usize = 16;

impl<P: FnMut(&Question) -> bool> Search<P> {
    /// A file of one long part: shortened and written in runs.
    pub(super) fn long(&mut self, file: usize) {
        let Some(bytes) = plain(&self.best, file).filter(|bytes| bytes.len() > LONG) else {
            return;
        };
        let front = self.longest(bytes.len(), |question, cut| {
            put(question, file, bytes.get(cut..).unwrap_or_default());
        });
        let bytes = bytes.get(front..).unwrap_or_default().to_vec();
        let back = self.longest(bytes.len(), |question, cut| {
            put(question, file, bytes.get(..bytes.len() - cut).unwrap_or_default());
        });
        let bytes = bytes.get(..bytes.len() - back).unwrap_or_default().to_vec();
        if bytes.len() > LONG {
            self.runs(file, bytes);
        }
    }

    /// The largest number up to `most` for which the change still shows the bug, if all smaller
    /// ones do.
    fn longest(&mut self, most: usize, cut: impl Fn(&mut Question, usize)) -> usize {
        let (mut holds, mut fails) = (0, most + 1);
        while fails - holds > 1 && !self.spent() {
            let middle = holds + (fails - holds) / 2;
            if self.change(|question| cut(question, middle)) {
                holds = middle;
            } else {
                fails = middle;
            }
        }
        holds
    }

    /// Ranges become runs of one letter or of line feeds, long ranges first.
    fn runs(&mut self, file: usize, mut bytes: Vec<u8>) {
        let letter = strange_letter(&self.best);
        let mut ranges = Vec::new();
        ranges.push(0..bytes.len());
        let mut tried = 0;
        while let Some(range) = ranges.pop() {
            tried += 1;
            if tried > RANGES || self.spent() {
                return;
            }
            let old = bytes.get(range.clone()).unwrap_or_default().to_vec();
            let uniform = old.iter().all(|byte| old.first() == Some(byte));
            let done = [letter, b'\n'].into_iter().any(|filler| {
                if let Some(place) = bytes.get_mut(range.clone()) {
                    place.fill(filler);
                }
                let parts = in_runs(&bytes);
                self.change(|question| {
                    if let Some(contents) = contents_mut(question, file) {
                        *contents = parts;
                    }
                })
            });
            if done {
                continue;
            }
            if let Some(place) = bytes.get_mut(range.clone()) {
                place.copy_from_slice(&old);
            }
            if range.len() > SHORTEST && !uniform {
                let middle = range.start + range.len() / 2;
                ranges.push(middle..range.end);
                ranges.push(range.start..middle);
            }
        }
    }
}

/// The contents, if they are not written in runs yet.
fn plain(question: &Question, file: usize) -> Option<Vec<u8>> {
    let contents = contents(question, file)?;
    let whole = contents.parts.iter().all(|part| part.times == 1);
    whole.then(|| contents.bytes())
}

fn put(question: &mut Question, file: usize, bytes: &[u8]) {
    if let Some(contents) = contents_mut(question, file) {
        *contents = Contents::plain(bytes);
    }
}

/// A letter that no pattern has.
fn strange_letter(question: &Question) -> u8 {
    let known = |letter: u8| {
        let (small, capital) = (char::from(letter), char::from(letter.to_ascii_uppercase()));
        question.ask.patterns.iter().any(|pattern| pattern.contains([small, capital]))
    };
    (b'a'..=b'z').find(|letter| !known(*letter)).unwrap_or(b'a')
}

/// Bytes as parts: a run of one byte is a part with a number.
fn in_runs(bytes: &[u8]) -> Contents {
    let mut parts: Vec<Part> = Vec::new();
    for run in bytes.chunk_by(|a, b| a == b) {
        if run.len() >= SHORTEST {
            let byte = run.first().copied().into_iter().collect();
            parts.push(Part { bytes: touchstone_cases::case::Text(byte), times: run.len() as u64 });
        } else if let Some(part) = parts.last_mut().filter(|part| part.times == 1) {
            part.bytes.0.extend_from_slice(run);
        } else {
            parts.push(Part { bytes: touchstone_cases::case::Text(run.to_vec()), times: 1 });
        }
    }
    Contents { parts }
}
