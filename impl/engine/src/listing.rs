//! Lines of files in path order as they are found, for the command line.
//!
//! Responsible for: which lines of a file are listed, with every match in them; passing each file
//! on as soon as those before it are done. Not here: which files there are, what matches, when the
//! search ends. Invariants: files come in `path_sort_key` order; nothing of a file is kept after it
//! was passed on, so only the caller bounds their number.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

mod names;
mod stream;

pub use forge_search_core::scope::{Depth, Disregarded, PathTest};
use forge_search_core::{
    Request, ToolError,
    collect::{Item, Outcome, problem},
    error::Interrupted,
    pattern::Pattern,
    response::PathError,
    scan::Proposer,
    text::{self, Span},
};
use memchr::memchr_iter;

pub use stream::StreamEnd;

use crate::{
    backend::NativeProposer,
    call::Call,
    job::{Fold, Scanner, proposes},
    pipeline::JobEnd,
    places::Places,
    search::{Checked, Narrowing},
    service::Service,
    walk::FoundFile,
};

/// Whether to search a file, by its path below the search root.
pub type FileFilter = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// Which lines are listed, of which files.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Listing {
    /// Lines of context before a match.
    pub before: usize,
    /// Lines of context after a match.
    pub after: usize,
    /// List the lines that do not match instead.
    pub invert: bool,
    /// Most matching lines of one file; `None` for all.
    pub max_lines: Option<u64>,
    /// Count lines without listing them.
    pub count_only: bool,
    /// Search binary files like text.
    pub text: bool,
    /// Let an index exclude no file, so that `admits` is asked about all.
    pub all_files: bool,
    /// Files without a match are passed on, too.
    pub every_file: bool,
    /// Which files to search; `None` for all.
    pub admits: Option<FileFilter>,
}

impl fmt::Debug for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listing").field("before", &self.before).finish_non_exhaustive()
    }
}

/// A listed line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// 1-based.
    pub number: u64,
    /// Its start in the decoded text, in bytes.
    pub offset: u64,
    /// The decoded line with its CR and LF, if any.
    pub bytes: Vec<u8>,
    /// Whether the line matches (with [`Listing::invert`]: does not match). `false` for context.
    pub matched: bool,
    /// Its matches, from left to right, as byte offsets in `bytes`.
    pub matches: Vec<(usize, usize)>,
}

/// The listed lines of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLines {
    /// The raw path below the search root; the file's name if the root is a file.
    pub path: Vec<u8>,
    /// Whether it was searched: the filter admits it, and it is text.
    pub searched: bool,
    /// In order.
    pub lines: Vec<Line>,
    /// Number of lines found.
    pub matched_lines: u64,
    /// Number of matches in them.
    pub matches: u64,
    /// Bytes of the decoded text.
    pub bytes: u64,
    /// Duration of the scan.
    pub elapsed: Duration,
}

/// An item that is passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListingItem {
    /// A file with listed lines; any file with [`Listing::every_file`].
    File(FileLines),
    /// A place that could not be searched.
    Problem(PathError),
}

/// Totals of a listing, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListingSummary {
    /// Files that were searched or excluded.
    pub files: u64,
    /// Bytes of the searched texts.
    pub bytes: u64,
    /// Files larger than `max_file_size_bytes`.
    pub oversized: u64,
    /// Binary files.
    pub binary: u64,
    /// The first of them, as shown.
    pub first_binary: Option<String>,
    /// There are more files than `max_files`.
    pub more_files: bool,
    /// The deadline expired, or the call was cancelled.
    pub timed_out: bool,
    /// The receiver ended the listing.
    pub stopped: bool,
    /// The error message of a backend that failed during the search.
    pub backend_failure: Option<String>,
}

impl Service {
    /// Passes on what `request` finds, file by file, until `each` returns `false` or `call` is
    /// cancelled. The limits `context`, `max_results`, `max_matches_per_file` and
    /// `max_output_bytes` are ignored. Errors are those of [`Service::search`].
    pub fn list(
        &self,
        request: &Request,
        listing: &Listing,
        call: &Call,
        each: &mut (dyn FnMut(ListingItem) -> bool + Send),
    ) -> Result<ListingSummary, ToolError> {
        self.check_search_enabled()?;
        let started = Instant::now();
        let places = self.listed_places(request)?;
        let deadline = started + Duration::from_millis(request.timeout_ms);
        let deadline = self.deadline_with_progress(deadline, call);
        let checked = Checked { places: &places, backend: self.backend()?, deadline };
        let pattern = &request.matcher;
        let scanner = ListingScanner {
            pattern: pattern.clone(),
            proposer: NativeProposer::new(pattern)?,
            listing,
        };
        let fold = ListingFold {
            each,
            root_is_file: places.is_file(),
            every_file: listing.every_file,
            left: ListingSummary::default(),
        };
        let every = listing.invert || listing.every_file;
        let all_is_text = listing.text;
        let how = Narrowing {
            index: !every && !all_is_text && !listing.all_files,
            proposals: !every,
            all_is_text,
        };
        let (ListingFold { mut left, .. }, ran) =
            call.account.unless_over(self.scanned(&checked, request, how, &scanner, fold))?;
        let JobEnd { more_files, timed_out, backend_failure } = ran.ending;
        left.more_files = more_files && !left.stopped;
        left.timed_out = timed_out;
        left.backend_failure = backend_failure.map(|(_, said)| said);
        Ok(left)
    }

    /// One place, since paths are passed on as they lie below it.
    pub(super) fn listed_places(&self, request: &Request) -> Result<Places, ToolError> {
        self.places(Some(request.path.as_deref().unwrap_or(".")), &request.scope, None)
    }
}

/// Finds the lines of one file after the other.
#[derive(Clone)]
struct ListingScanner<'l> {
    pattern: Pattern,
    proposer: NativeProposer,
    listing: &'l Listing,
}

impl Scanner for ListingScanner<'_> {
    type Output = FileLines;

    const READS_ALL: bool = false;

    fn known_by_path(&mut self, file: &FoundFile) -> Option<FileLines> {
        let admitted = self.listing.admits.as_ref().is_none_or(|admits| admits(&file.walked));
        (!admitted).then(FileLines::default)
    }

    fn may_match(&mut self, lines: &[u8], go_on: &mut dyn FnMut() -> bool) -> bool {
        self.listing.invert || self.listing.every_file || proposes(&mut self.proposer, lines, go_on)
    }

    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<FileLines>, Interrupted> {
        let started = Instant::now();
        let file = FileLines {
            path: walked.to_vec(),
            searched: true,
            bytes: text.len() as u64,
            ..FileLines::default()
        };
        let mut scan =
            Scan { text, pattern: &self.pattern, wanted: self.listing, at: 0, number: 1, file };
        scan.run(proposer.unwrap_or(&mut self.proposer), go_on)?;
        scan.file.elapsed = started.elapsed();
        Ok(Outcome::Searched(scan.file))
    }

    fn lines(found: &FileLines) -> usize {
        usize::try_from(found.matched_lines).unwrap_or(usize::MAX)
    }

    // Each file carries its own path.
    fn is_omitted(_: &FileLines) -> bool {
        true
    }
}

/// The scan of one text.
struct Scan<'t> {
    text: &'t [u8],
    pattern: &'t Pattern,
    wanted: &'t Listing,
    /// The number of the line that starts here.
    at: usize,
    number: u64,
    file: FileLines,
}

impl Scan<'_> {
    fn run(
        &mut self,
        proposer: &mut dyn Proposer,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        // Nothing is listed from this offset on.
        let mut shown = 0;
        let mut last: Option<Span> = None;
        let mut from = 0;
        while self.wanted.max_lines.is_none_or(|most| self.file.matched_lines < most) {
            let Some(line) = self.next(from, proposer, go_on)? else { break };
            from = line.end + 1;
            let found = self.pattern.find_while(line.visible(self.text), go_on)?;
            if found.is_some() == self.wanted.invert {
                continue;
            }
            self.file.matched_lines += 1;
            let matches = match found {
                Some(first) => matches_of(self.pattern, line.visible(self.text), first, go_on)?,
                None => Vec::new(),
            };
            self.file.matches += matches.len() as u64;
            if self.wanted.count_only {
                continue;
            }
            if let Some(last) = last {
                shown = self.trailing(last, Some(line));
            }
            self.leading(line, shown);
            self.push(line, true, matches);
            last = Some(line);
        }
        if let Some(last) = last {
            self.trailing(last, None);
        }
        Ok(())
    }

    /// The next line that may have to be listed.
    fn next(
        &self,
        from: usize,
        proposer: &mut dyn Proposer,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Span>, Interrupted> {
        if from >= self.text.len() {
            return Ok(None);
        }
        if !go_on() {
            return Err(Interrupted);
        }
        let at =
            if self.wanted.invert { Some(from) } else { proposer.next(self.text, from, go_on)? };
        Ok(at.and_then(|at| text::line_at(self.text, at)))
    }

    fn leading(&mut self, line: Span, shown: usize) {
        let mut above = Vec::new();
        let mut next = text::line_before(self.text, line);
        while let Some(span) =
            next.filter(|span| above.len() < self.wanted.before && span.start >= shown)
        {
            above.push(span);
            next = text::line_before(self.text, span);
        }
        for span in above.into_iter().rev() {
            self.push(span, false, Vec::new());
        }
    }

    /// Lists the context below `last`, up to `before`. Returns the offset after it.
    fn trailing(&mut self, last: Span, before: Option<Span>) -> usize {
        let mut line = last;
        for _ in 0..self.wanted.after {
            let next = text::line_after(self.text, line);
            let Some(next) = next.filter(|next| before.is_none_or(|stop| next.start < stop.start))
            else {
                break;
            };
            self.push(next, false, Vec::new());
            line = next;
        }
        line.end + 1
    }

    fn push(&mut self, span: Span, matched: bool, found: Vec<(usize, usize)>) {
        let passed = self.text.get(self.at..span.start).unwrap_or_default();
        self.number += memchr_iter(b'\n', passed).count() as u64;
        self.at = span.start;
        let end = self.text.len().min(span.end + 1);
        let bytes = self.text.get(span.start..end).unwrap_or_default().to_vec();
        let (number, offset) = (self.number, span.start as u64);
        self.file.lines.push(Line { number, offset, bytes, matched, matches: found });
    }
}

/// All matches of a line, given the first. An empty match adjacent to the one before it is dropped.
fn matches_of(
    pattern: &Pattern,
    visible: &[u8],
    first: (usize, usize),
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<(usize, usize)>, Interrupted> {
    let mut matches = vec![first];
    let mut from = first.1.max(first.0 + 1);
    while from <= visible.len() {
        let Some((start, end)) = pattern.find_from(visible, from, go_on)? else { break };
        let touches = matches.last().is_some_and(|(_, last)| start == end && start == *last);
        if !touches {
            matches.push((start, end));
        }
        from = end.max(start + 1);
    }
    Ok(matches)
}

/// Passes items on.
struct ListingFold<'e> {
    each: &'e mut (dyn FnMut(ListingItem) -> bool + Send),
    root_is_file: bool,
    every_file: bool,
    left: ListingSummary,
}

impl ListingFold<'_> {
    fn hand_over(&mut self, listed: ListingItem) -> bool {
        self.left.stopped = !(self.each)(listed);
        !self.left.stopped
    }

    fn problem(&mut self, path: String, error: &str) -> bool {
        self.hand_over(ListingItem::Problem(PathError { path, error: error.to_owned() }))
    }
}

impl Fold for ListingFold<'_> {
    type Input = FileLines;

    fn add(&mut self, item: Item<FileLines>) -> bool {
        let (path, outcome) = match item {
            Item::Problem(problem) => return self.hand_over(ListingItem::Problem(problem)),
            Item::Unread { files, .. } => {
                self.left.files += files;
                return true;
            }
            Item::NotEntered => return true,
            Item::File { path, outcome } => (path, outcome),
        };
        self.left.files += 1;
        match outcome {
            Outcome::Searched(file) => {
                self.left.bytes += file.bytes;
                let wanted = file.searched && (self.every_file || file.matched_lines > 0);
                !wanted || self.hand_over(ListingItem::File(file))
            }
            Outcome::Oversized => {
                self.left.oversized += 1;
                !self.root_is_file || self.problem(path, problem::OVERSIZED)
            }
            Outcome::Binary if self.root_is_file => self.problem(path, problem::BINARY),
            Outcome::Binary => {
                self.left.binary += 1;
                self.left.first_binary.get_or_insert(path);
                true
            }
            Outcome::Failed(error) => self.problem(path, error),
        }
    }

    fn is_empty(&self) -> bool {
        self.left.files == 0
    }
}

#[cfg(test)]
mod tests;
