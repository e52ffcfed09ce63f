//! Lines of a text that is read while it is searched, such as standard input.
//!
//! Responsible for: passing each line on before the next one is read. Invariants: what is held is
//! one line and the lines of context before it; a line has at most `max_file_size_bytes`.

use std::{
    collections::VecDeque,
    io::{self, BufRead, Read as _},
    time::{Duration, Instant},
};

use forge_search_core::{
    Request,
    error::Interrupted,
    text::{self, BINARY_WINDOW, Encoding, Span},
};

use super::{FileLines, Line, Listing, matches_of};
use crate::{call::Call, service::Service};

/// How the search of a stream ended.
#[derive(Debug, Default)]
pub enum StreamEnd {
    /// At the end of the text, or where no more was wanted.
    #[default]
    Whole,
    /// At a NUL among its first 8 KiB: it is binary.
    Binary,
    /// At its start: it is UTF-16, which would have to be decoded.
    Utf16,
    /// At a line that is longer than `max_file_size_bytes`.
    LongLine,
    /// The deadline expired, or the call was cancelled.
    TimedOut,
    /// It could not be read.
    Failed(io::Error),
}

impl Service {
    /// Passes on the lines of `input` that `request` finds, each as soon as it is read, until `each`
    /// returns `false`. What is passed on last holds no line and has the number of bytes.
    pub fn list_stream(
        &self,
        request: &Request,
        listing: &Listing,
        call: &Call,
        input: &mut dyn BufRead,
        each: &mut dyn FnMut(FileLines) -> bool,
    ) -> StreamEnd {
        let started = Instant::now();
        let deadline = started + Duration::from_millis(request.timeout_ms);
        let deadline = self.deadline_with_progress(deadline, call);
        let mut stream = Stream {
            request,
            wanted: listing,
            above: VecDeque::new(),
            below: 0,
            lines: 0,
            offset: 0,
            matched: 0,
        };
        let end = loop {
            if deadline.expired() {
                break StreamEnd::TimedOut;
            }
            let line = match stream.read(input) {
                Ok(Some(line)) => line,
                Ok(None) => break StreamEnd::Whole,
                Err(end) => break end,
            };
            match stream.searched(line, &mut || !deadline.expired()) {
                Err(Interrupted) => break StreamEnd::TimedOut,
                Ok(found) if !found.lines.is_empty() || found.matched_lines > 0 => {
                    if !each(found) {
                        return StreamEnd::Whole;
                    }
                }
                Ok(_) => {}
            }
            if stream.is_full() && stream.below == 0 {
                break StreamEnd::Whole;
            }
        };
        let (bytes, elapsed) = (stream.offset, started.elapsed());
        each(FileLines { searched: true, bytes, elapsed, ..FileLines::default() });
        end
    }
}

/// The state between two lines.
struct Stream<'s> {
    request: &'s Request,
    wanted: &'s Listing,
    /// The last lines that were not passed on.
    above: VecDeque<Line>,
    /// How many lines of context are still wanted.
    below: usize,
    /// Lines and bytes read.
    lines: u64,
    offset: u64,
    matched: u64,
}

impl Stream<'_> {
    /// The next line; `None` at the end.
    fn read(&mut self, input: &mut dyn BufRead) -> Result<Option<Line>, StreamEnd> {
        let most = self.request.max_file_size_bytes;
        let mut bytes = Vec::new();
        let mut limited = input.take(most.saturating_add(1));
        limited.read_until(b'\n', &mut bytes).map_err(StreamEnd::Failed)?;
        if bytes.len() as u64 > most {
            return Err(StreamEnd::LongLine);
        }
        if self.offset == 0 && self.lines == 0 && !self.wanted.text {
            match text::encoding(&bytes) {
                Encoding::Utf8 { skip } => drop(bytes.drain(..skip)),
                Encoding::Utf16Le | Encoding::Utf16Be => return Err(StreamEnd::Utf16),
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let window = (BINARY_WINDOW as u64).saturating_sub(self.offset);
        let window = usize::try_from(window).unwrap_or(usize::MAX).min(bytes.len());
        if !self.wanted.text && text::is_binary(bytes.get(..window).unwrap_or_default()) {
            return Err(StreamEnd::Binary);
        }
        self.lines += 1;
        let line = Line { number: self.lines, offset: self.offset, bytes, ..Line::default() };
        self.offset += line.bytes.len() as u64;
        Ok(Some(line))
    }

    fn is_full(&self) -> bool {
        self.wanted.max_lines.is_some_and(|most| self.matched >= most)
    }

    /// What is passed on with a line.
    fn searched(
        &mut self,
        mut line: Line,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<FileLines, Interrupted> {
        let mut found = FileLines { searched: true, ..FileLines::default() };
        let end = line.bytes.len() - usize::from(line.bytes.ends_with(b"\n"));
        let visible = Span { start: 0, end }.visible(&line.bytes);
        let pattern = &self.request.matcher;
        let first = pattern.find_while(visible, go_on)?;
        if first.is_some() != self.wanted.invert && !self.is_full() {
            if let Some(first) = first {
                line.matches = matches_of(pattern, visible, first, go_on)?;
            }
            line.matched = true;
            self.matched += 1;
            (found.matched_lines, found.matches) = (1, line.matches.len() as u64);
            if !self.wanted.count_only {
                found.lines.extend(self.above.drain(..));
                found.lines.push(line);
                self.below = self.wanted.after;
            }
        } else if self.below > 0 {
            self.below -= 1;
            found.lines.push(line);
        } else if self.wanted.before > 0 {
            if self.above.len() == self.wanted.before {
                self.above.pop_front();
            }
            self.above.push_back(line);
        }
        Ok(found)
    }
}
