//! `grep`: every line that matches (FR-015b-12 to FR-015b-16; docs/agent-tools.md, section 4).
//!
//! Responsible for: the request, one text to its matching lines, and adding files up to a page of results.
//! Invariant: texts are kept of lines that may be the page's, and of no more than `KEPT_BYTES` of them at a time; the rest are counted.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use memchr::memchr_iter;
use serde_json::{Value, json};

use super::{
    answer::{Answer, Found, Lines, Reason, Searched},
    cut::{Anchor, Cut},
    excerpt::{Around, shown},
    request::{Defaults, Page, context, directory, file_types, scope},
};
use crate::{
    collect::{Item, Outcome},
    error::{Interrupted, ToolError},
    pattern::{Pattern, Sought},
    request::{
        CaseMode,
        fields::{Fields, check_pattern},
    },
    scan::{Proposer, block_end},
    scope::Scope,
    text::{self, Span},
};

/// What the tool is called.
pub const NAME: &str = "grep";

/// Lines that are counted, unless the page asks for more.
const COUNTED: usize = 1_000;

/// Bytes of shown lines that are kept of files that are scanned one after the other, before they are added up.
const KEPT_BYTES: usize = 16 << 20;

const FIELDS: [&str; 10] = [
    "pattern",
    "regex",
    "case",
    "directory",
    "include_path",
    "exclude_path",
    "file_type",
    "max_results",
    "offset",
    "context_lines",
];

/// A request that passed every check that needs no file.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root, as given.
    pub directory: String,
    /// What lines have to match.
    pub pattern: Pattern,
    /// Which files.
    pub scope: Scope,
    /// Which results.
    pub page: Page,
    /// Lines above and below a match.
    pub context: usize,
}

impl Request {
    /// Checks a request.
    pub fn parse(request: &Value, defaults: &Defaults) -> Result<Self, ToolError> {
        let fields = Fields::of(request, &FIELDS)?;
        let pattern = fields.required("pattern")?;
        let regex = fields.flag("regex", false)?;
        let case = fields.case()?.unwrap_or(CaseMode::Sensitive);
        let directory = directory(&fields)?;
        let scope = scope(&fields, true)?;
        let types = file_types(&fields)?;
        let page = Page::parse(&fields, defaults)?;
        let context = context(&fields, defaults)?;
        check_pattern("pattern", pattern)?;
        let sought = Sought { pattern, literal: !regex, case, word: false, fuzzy: None };
        Ok(Self {
            directory,
            pattern: Pattern::compile(sought)?,
            scope: Scope { also: types.into_iter().collect(), ..scope },
            page,
            context,
        })
    }

    fn counted(&self) -> usize {
        self.page.end().max(COUNTED)
    }
}

/// One line that matches, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchingLine {
    line: u64,
    text: Cut,
    around: Around,
}

impl MatchingLine {
    fn bytes(&self) -> usize {
        self.text.text.len() + self.around.bytes()
    }
}

/// What one file contributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLines {
    /// How many lines match, as far as they were counted.
    pub count: usize,
    /// The first of them.
    pub first: Vec<MatchingLine>,
}

/// Finds the lines of one text after the other.
#[derive(Clone, Debug)]
pub struct Finder {
    /// Matchers keep scratch memory per clone.
    pattern: Pattern,
    page: Page,
    counted: usize,
    context: usize,
    /// Lines added up so far, by the collector.
    settled: Arc<AtomicU64>,
    /// Lines, and bytes of them, that can still be kept.
    room: (usize, usize),
}

impl Finder {
    /// Files follow each other from here on: lines of one leave less room for the page in the next.
    pub fn begin(&mut self) {
        let settled = usize::try_from(self.settled.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
        // No line can be of the page behind so many.
        self.room = (self.page.end().saturating_sub(settled), KEPT_BYTES);
    }

    /// Scans one text in the lines that `proposer` names.
    pub fn scan(
        &mut self,
        text: &[u8],
        proposer: &mut dyn Proposer,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<FileLines, Interrupted> {
        let mut file = FileLines::default();
        let (mut from, mut at, mut number) = (0, 0, 1_u64);
        while from < text.len() {
            if !go_on() {
                return Err(Interrupted);
            }
            let end = block_end(text, from);
            let block = text.get(..end).unwrap_or(text);
            while let Some(line) = proposer.next(block, from).and_then(|offset| text::line_at(block, offset))
            {
                from = line.end + 1;
                // The line's visible end depends on whether an LF follows it in the text, not in the block.
                if let Some((start, _)) = self.pattern.find_while(line.visible(text), go_on)? {
                    file.count += 1;
                    if file.count > self.counted {
                        return Ok(file);
                    }
                    let (lines, bytes) = self.room;
                    if lines > 0 && bytes > 0 {
                        let passed = text.get(at..line.start).unwrap_or_default();
                        number += memchr_iter(b'\n', passed).count() as u64;
                        at = line.start;
                        let line = self.line(text, line, number, start);
                        self.room = (lines - 1, bytes.saturating_sub(line.bytes()));
                        file.first.push(line);
                    } else if lines > 0 {
                        // What follows would leave a gap.
                        self.room = (0, 0);
                    }
                }
                if from >= end {
                    break;
                }
                if !go_on() {
                    return Err(Interrupted);
                }
            }
            from = end;
        }
        Ok(file)
    }

    fn line(&self, text: &[u8], line: Span, number: u64, start: usize) -> MatchingLine {
        // The offset in the text as it is shown, which is decoded.
        let ahead = line.visible(text).get(..start).unwrap_or_default();
        let anchor = Anchor::At(String::from_utf8_lossy(ahead).len());
        MatchingLine {
            line: number,
            text: shown(text, line, anchor),
            around: Around::of(text, line, self.context),
        }
    }
}

/// Adds files up to a page.
#[derive(Debug)]
pub struct Collector {
    page: Page,
    counted: usize,
    context: usize,
    total: usize,
    more: bool,
    /// A line of the page was not kept; what stands behind it is another page's.
    gap: bool,
    found: Vec<Found>,
    searched: Searched,
    settled: Arc<AtomicU64>,
}

impl Collector {
    /// An empty page, and what finds its lines.
    pub fn new(request: &Request) -> (Self, Finder) {
        let settled = Arc::new(AtomicU64::new(0));
        let finder = Finder {
            pattern: request.pattern.clone(),
            page: request.page,
            counted: request.counted(),
            context: request.context,
            settled: Arc::clone(&settled),
            room: (0, 0),
        };
        let collector = Self {
            page: request.page,
            counted: request.counted(),
            context: request.context,
            total: 0,
            more: false,
            gap: false,
            found: Vec::new(),
            searched: Searched::default(),
            settled,
        };
        (collector, finder)
    }

    /// Takes the next item in order. `false` once counting is over.
    pub fn add(&mut self, item: Item<FileLines>) -> bool {
        if let Some((path, file)) = self.searched.take(item) {
            let kept = self.total + file.first.len();
            for (at, line) in file.first.into_iter().enumerate() {
                let rank = self.total + at;
                if rank >= self.page.offset && rank < self.page.end() && !self.gap {
                    self.found.push(found(&path, line, self.context));
                }
            }
            self.total += file.count;
            self.gap |= kept < self.total.min(self.page.end());
            if self.total > self.counted {
                self.more = true;
                self.total = self.counted;
            }
            self.settled.store(self.total as u64, Ordering::Relaxed);
        }
        !self.more
    }

    /// Whether no file has been added.
    pub fn is_empty(&self) -> bool {
        self.searched.files == 0
    }

    /// The answer; `searched` says how the search ended, files and problems apart, which are known here.
    pub fn finish(self, ending: Searched) -> Answer {
        let counted = self.counted;
        let why = format!(
            "counting stopped at {counted} matching lines; narrow the search (`directory`, `include_path`, `file_type`, a longer pattern)"
        );
        let mut searched = self.searched.ended(ending);
        // Whoever stops counting never asked what lies beyond.
        searched.more_files &= !self.more;
        Answer {
            nouns: ("matching line", "matching lines"),
            total: self.total as u64,
            results: self.found,
            page: self.page,
            stopped: self.more.then_some((Reason::Counted, why)),
            searched,
            notices: Vec::new(),
            advice: "try `case: \"insensitive\"`, a shorter pattern, `regex: true` if it is a regular expression, or search_text for words in any order".to_owned(),
            paged: true,
            fields: serde_json::Map::new(),
        }
    }
}

fn found(path: &str, line: MatchingLine, context: usize) -> Found {
    let MatchingLine { line: number, text, around } = line;
    let mut json = json!({ "path": path, "line": number, "match": text.text });
    let cut = text.cut || around.is_cut();
    if let Some(fields) = json.as_object_mut() {
        if context > 0 {
            fields.insert("context".to_owned(), around.to_json());
        }
        if cut {
            fields.insert("cut".to_owned(), true.into());
        }
    }
    let lines = Lines { matching: vec![(number, text.text)], around: around.numbered(number) };
    Found { json, path: path.to_owned(), heading: String::new(), lines, cut }
}

impl FileLines {
    /// Whether there is nothing to show of the file, not even its path.
    pub fn is_silent(&self) -> bool {
        self.first.is_empty()
    }
}

impl Searched {
    /// Counts the next item in order; hands back the path of a file that was searched, and what it contributes.
    pub(super) fn take<T>(&mut self, item: Item<T>) -> Option<(String, T)> {
        match item {
            Item::Problem(problem) => self.errors.push(problem),
            Item::Excluded(files) => self.files += files,
            Item::NotEntered => {}
            Item::File { path, outcome } => {
                self.files += 1;
                match outcome {
                    Outcome::Searched(found) => return Some((path, found)),
                    Outcome::Oversized => self.oversized += 1,
                    Outcome::Binary => {}
                    Outcome::Failed(error) => {
                        self.errors.push(crate::response::PathError { path, error: error.to_owned() });
                    }
                }
            }
        }
        None
    }

    /// With what is known at the end only.
    pub(super) fn ended(self, ending: Self) -> Self {
        Self { files: self.files, oversized: self.oversized, errors: self.errors, ..ending }
    }
}
