//! Combines the lines of files into a page of results and totals.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{
    FileLines, Finder, Output, Request,
    found::{Found, FoundFile, Totals},
    hints,
};
use crate::{
    agent::{
        answer::{Draft, Listing},
        notice::Reason,
        request::Page,
        searched::Searched,
    },
    collect::Item,
};

/// Collects files for one page.
#[derive(Debug)]
pub struct Collector {
    page: Page,
    counted: usize,
    context: usize,
    output: Output,
    advice: String,
    /// Matching lines so far.
    lines: usize,
    /// Files with a matching line so far.
    files: usize,
    more: bool,
    /// Whether a line of the page was not kept, so that later lines belong to another page.
    gap: bool,
    found: Vec<Found>,
    searched: Searched,
    settled: Arc<AtomicU64>,
}

impl Collector {
    /// An empty collector, and the finder for its lines.
    pub fn new(request: &Request) -> (Self, Finder) {
        let settled = Arc::new(AtomicU64::new(0));
        let finder = Finder::new(request, Arc::clone(&settled));
        let collector = Self {
            page: request.page,
            counted: request.counted(),
            context: request.context,
            output: request.output,
            advice: hints::advice(request),
            lines: 0,
            files: 0,
            more: false,
            gap: false,
            found: Vec::new(),
            searched: Searched::default(),
            settled,
        };
        (collector, finder)
    }

    /// Adds the next item in path order. `false` once counting has stopped.
    pub fn add(&mut self, item: Item<FileLines>) -> bool {
        if let Some((path, file)) = self.searched.take(item) {
            match self.output {
                Output::Lines => self.add_lines(&path, file),
                Output::Files | Output::Count => self.add_file(path, file.count),
            }
        }
        !self.more
    }

    fn add_lines(&mut self, path: &str, file: FileLines) {
        let begins = self.lines + file.passed_over;
        let kept = begins + file.first.len();
        for (at, line) in file.first.into_iter().enumerate() {
            let rank = begins + at;
            if rank >= self.page.offset && rank < self.page.end() && !self.gap {
                self.found.push(Found::line(path, line, self.context));
            }
        }
        self.lines += file.count;
        self.gap |= kept < self.lines.min(self.page.end());
        if self.lines > self.counted {
            self.more = true;
            self.lines = self.counted;
        }
        self.settled.store(self.lines as u64, Ordering::Relaxed);
    }

    fn add_file(&mut self, path: String, lines: usize) {
        if lines == 0 {
            return;
        }
        let is_on_page = self.files >= self.page.offset && self.files < self.page.end();
        if is_on_page && self.output == Output::Files {
            self.found.push(Found::File(FoundFile { match_count: lines, path }));
        }
        self.lines += lines;
        self.files += 1;
    }

    /// Whether no file was added.
    pub fn is_empty(&self) -> bool {
        self.searched.files == 0
    }

    /// The answer. `ending` says how the search ended; files and errors are filled in here.
    pub fn finish(self, ending: Searched) -> Draft<Found, Option<Totals>> {
        let counted = self.counted;
        let why = format!(
            "counting stopped at {counted} matching lines; narrow the search (`directory`, `include_path`, `file_type`, a longer pattern)"
        );
        let mut searched = self.searched.ended(ending);
        // A search that stopped counting did not check for further files.
        searched.more_files &= !self.more;
        let several = |number: usize| if number == 1 { "" } else { "s" };
        let (lines, files) = (self.lines, self.files);
        let totals = Some(Totals { matching_files: files, matching_lines: lines });
        let draft = Draft {
            nouns: ("matching line", "matching lines"),
            total: lines as u64,
            counts: String::new(),
            results: self.found,
            page: self.page,
            stopped: self.more.then_some((Reason::Counted, why)),
            searched,
            notices: Vec::new(),
            advice: self.advice,
            listing: Listing::Pages,
            own: None,
        };
        match self.output {
            Output::Lines => draft,
            Output::Files => Draft {
                nouns: ("matching file", "matching files"),
                total: files as u64,
                counts: format!(", {lines} line{}", several(lines)),
                own: totals,
                ..draft
            },
            Output::Count => Draft {
                counts: format!(" in {files} file{}", several(files)),
                // There is one page, whatever the request says.
                page: Page { offset: 0, ..draft.page },
                listing: Listing::None,
                own: totals,
                ..draft
            },
        }
    }
}
