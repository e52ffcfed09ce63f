//! The search of one place after the other: files, their names, or what is read as it comes.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use forge_search_engine::{
    Call, Service, escape_name,
    listing::{FileLines, ListingItem, StreamEnd},
    requests::search::Request,
};

use super::{
    Incomplete,
    files::Filter,
    flags::Search,
    listing,
    places::{Kind, Place},
    printer::Printer,
    style::Show,
};
use crate::{errors::Failure, progress::Progress};

/// The search of one place after the other.
pub(super) struct Pass<'p> {
    pub(super) search: &'p Search,
    pub(super) service: &'p Service,
    pub(super) call: &'p Call,
    pub(super) progress: &'p Progress,
    pub(super) filter: &'p Filter,
    pub(super) show: Show,
    /// Files are listed, not searched.
    pub(super) names: bool,
    pub(super) printer: Printer<'p>,
    pub(super) incomplete: Incomplete,
}

impl Pass<'_> {
    pub(super) fn place(
        &mut self,
        place: &Place,
        request: &Request,
        implicit: bool,
    ) -> Result<(), Failure> {
        let Self { search, service, call, .. } = *self;
        let mut listing = listing(search, self.show);
        match place.stream() {
            Err(err) => {
                self.problem(&place.shown(b""), &err.to_string());
                return Ok(());
            }
            Ok(Some(mut input)) => {
                let mut any = false;
                let mut each = |piece: FileLines| {
                    any |= piece.bytes > 0 || piece.matched_lines > 0;
                    let is_whole = piece.lines.is_empty() && piece.matched_lines == 0;
                    self.printer.piece(&place.shown(b""), piece, is_whole)
                };
                let end = service.list_stream(request, &listing, call, &mut *input, &mut each);
                self.stream_end(&place.shown(b""), end, implicit && !any);
                return Ok(());
            }
            Ok(None) => {}
        }
        if place.kind == Kind::Directory && search.files.max_depth == Some(0) {
            return Ok(());
        }
        let compressed = Arc::new(AtomicU64::new(0));
        if place.kind == Kind::Directory {
            let counter = search.files.search_zip.then(|| Arc::clone(&compressed));
            listing.admits = self.filter.below(place.typed(), counter);
        }
        let (printer, progress, names) = (&mut self.printer, self.progress, self.names);
        let (mut problems, quiet) = (0, search.output.no_messages);
        let mut each = |listed| match listed {
            ListingItem::File(file) if names => printer.name(&place.shown(&file.path)),
            ListingItem::File(file) => printer.file(&place.shown(&file.path), &file, true),
            ListingItem::Problem(problem) => {
                problems += 1;
                if !quiet {
                    progress.aside(|| {
                        let path = escape_name(&problem.path);
                        eprintln!("forge-search: {path}: {}", problem.error);
                    });
                }
                true
            }
        };
        let left = if names {
            let largest = search.files.max_filesize;
            service.list_names(request, &listing, largest, call, &mut each)?
        } else {
            service.list(request, &listing, call, &mut each)?
        };
        self.incomplete.problems += problems;
        self.incomplete.compressed += compressed.load(Ordering::Relaxed);
        self.incomplete.add(left);
        Ok(())
    }

    fn problem(&mut self, path: &[u8], why: &str) {
        self.incomplete.problems += 1;
        if !self.search.output.no_messages {
            let path = escape_name(&String::from_utf8_lossy(path));
            self.progress.aside(|| eprintln!("forge-search: {path}: {why}"));
        }
    }

    /// Says how a stream ended, unless at its end.
    fn stream_end(&mut self, path: &[u8], end: StreamEnd, nothing: bool) {
        match end {
            StreamEnd::Whole if nothing && !self.search.output.no_messages => eprintln!(
                "forge-search: standard input was searched and is empty; a path, as in `.`, \
                 searches files"
            ),
            StreamEnd::Whole => {}
            StreamEnd::Binary => {
                self.problem(path, "binary, not searched; -a searches it as text");
            }
            StreamEnd::Utf16 => {
                self.problem(path, "UTF-16 is not read from a stream; write it to a file");
            }
            StreamEnd::LongLine => self.problem(
                path,
                "a line is longer than the largest file that is searched; --max-filesize 1G takes \
                 longer ones",
            ),
            StreamEnd::TimedOut => self.incomplete.left.timed_out = true,
            StreamEnd::Failed(err) => self.problem(path, &err.to_string()),
        }
    }
}
