//! Files one after the other as ripgrep prints them: on a terminal below a heading, in colours and
//! with numbers; in a pipe one line after the other.

use std::io::{self, BufWriter, Write};

use forge_search_engine::listing::FileLines;

use super::{
    events::Events,
    line::LineWriter,
    replace::Replacement,
    stats::Totals,
    style::{Show, Style},
};
use crate::progress::Progress;

/// Prints files.
#[expect(clippy::struct_excessive_bools, reason = "each is about something else")]
pub(super) struct Printer<'p> {
    writer: LineWriter,
    /// How many lines may still be shown.
    room: Option<u64>,
    /// Counts of zero are shown.
    zero: bool,
    out: Counted,
    progress: &'p Progress,
    events: Events,
    totals: Option<Totals>,
    /// A file whose lines are being printed; the number of the last one.
    open: bool,
    last: Option<u64>,
    /// What is known of such a file and not printed.
    held: FileLines,
    found: bool,
    over: bool,
    anything: bool,
    outcome: io::Result<()>,
}

/// What is printed about all files.
pub(super) struct Wanted {
    pub(super) style: Style,
    pub(super) show: Show,
    pub(super) replacement: Option<Replacement>,
    /// Most lines.
    pub(super) room: Option<u64>,
    /// Counts of zero are shown.
    pub(super) zero: bool,
    /// Figures are printed at the end.
    pub(super) stats: bool,
}

impl<'p> Printer<'p> {
    pub(super) fn new(wanted: Wanted, progress: &'p Progress) -> Self {
        let Wanted { style, show, replacement, room, zero, stats } = wanted;
        Self {
            writer: LineWriter { style, replacement, show },
            room,
            zero,
            out: Counted { out: BufWriter::with_capacity(1 << 16, io::stdout()), bytes: 0 },
            progress,
            events: Events::new(),
            totals: stats.then(Totals::new),
            open: false,
            last: None,
            held: FileLines::default(),
            found: false,
            over: false,
            anything: false,
            outcome: Ok(()),
        }
    }

    /// Whether anything was found.
    pub(super) fn found(&self) -> bool {
        self.found
    }

    /// Whether no more is wanted.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Ends the output, and says what became of it.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.writer.show == Show::Events && self.outcome.is_ok() {
            self.outcome = self.events.summary(&mut self.out);
        }
        if let (Ok(()), Some(totals)) = (&self.outcome, &self.totals) {
            self.outcome = totals.print(&mut self.out);
        }
        self.outcome?;
        self.out.flush()
    }

    /// Prints a file, or the next lines of one that is being read. `false` if no more is wanted.
    pub(super) fn file(&mut self, path: &[u8], file: &FileLines, is_whole: bool) -> bool {
        let show = self.writer.show;
        let matches = file.matched_lines > 0;
        self.found |= matches != show.is_without();
        let progress = self.progress;
        let before = self.out.bytes;
        let written = progress.aside(|| self.write(path, file, is_whole));
        if let Some(totals) = &mut self.totals {
            let lines = show.has_lines() && show != Show::Events;
            let printed = if lines { self.out.bytes - before } else { 0 };
            totals.add(file, is_whole, printed);
        }
        let quiet = matches!(show, Show::Nothing | Show::NothingWithout);
        let enough = quiet && self.found && self.totals.is_none();
        self.over |= written.is_err() || enough || self.room == Some(0);
        self.outcome = written;
        !self.over
    }

    /// Prints the path of a file that is only listed.
    pub(super) fn name(&mut self, path: &[u8]) -> bool {
        self.found = true;
        let progress = self.progress;
        let quiet = self.writer.show == Show::Nothing;
        let written = if quiet { Ok(()) } else { progress.aside(|| self.path(path)) };
        self.over |= written.is_err() || quiet || self.room == Some(0);
        self.outcome = written;
        !self.over
    }

    /// Prints the next lines of a file that is being read. What is counted is held back until the
    /// last piece.
    pub(super) fn piece(&mut self, path: &[u8], mut piece: FileLines, is_last: bool) -> bool {
        let show = self.writer.show;
        if matches!(show, Show::Lines | Show::Matches | Show::EachMatch | Show::Events) {
            return self.file(path, &piece, is_last);
        }
        piece.matched_lines += std::mem::take(&mut self.held.matched_lines);
        piece.matches += std::mem::take(&mut self.held.matches);
        let is_enough = match show {
            Show::Nothing | Show::Paths => piece.matched_lines > 0 && self.totals.is_none(),
            _ => false,
        };
        if is_last || is_enough {
            return self.file(path, &piece, true) && !is_enough;
        }
        self.held = piece;
        true
    }

    fn write(&mut self, path: &[u8], file: &FileLines, is_whole: bool) -> io::Result<()> {
        match self.writer.show {
            Show::Nothing | Show::NothingWithout => return Ok(()),
            Show::Paths if file.matched_lines > 0 => self.path(path)?,
            Show::PathsWithout if file.matched_lines == 0 => self.path(path)?,
            Show::CountLines => self.count(path, file.matched_lines)?,
            Show::CountMatches => self.count(path, file.matches)?,
            Show::Paths | Show::PathsWithout => {}
            Show::Events => self.event_lines(path, file, is_whole)?,
            Show::Lines | Show::Matches | Show::EachMatch => {
                self.lines(path, file)?;
                self.open = !is_whole;
            }
        }
        if self.writer.style.prompt { self.out.flush() } else { Ok(()) }
    }

    /// A path by itself.
    fn path(&mut self, path: &[u8]) -> io::Result<()> {
        self.writer.name(path, &mut self.out)?;
        self.out.write_all(if self.writer.style.nul { b"\0" } else { self.writer.style.end })?;
        self.take_one();
        Ok(())
    }

    /// One more of what `--max-results` counts is shown.
    fn take_one(&mut self) {
        self.room = self.room.map(|room| room.saturating_sub(1));
    }

    fn count(&mut self, path: &[u8], count: u64) -> io::Result<()> {
        if count == 0 && !self.zero {
            return Ok(());
        }
        if self.writer.style.paths {
            self.writer.name(path, &mut self.out)?;
            self.out.write_all(if self.writer.style.nul { b"\0" } else { b":" })?;
        }
        self.take_one();
        write!(self.out, "{count}")?;
        self.out.write_all(self.writer.style.end)
    }

    fn event_lines(&mut self, path: &[u8], file: &FileLines, is_whole: bool) -> io::Result<()> {
        if file.matched_lines > 0 && !self.open {
            self.open = true;
            self.events.begin(path, &mut self.out)?;
        }
        if !self.open {
            return Ok(());
        }
        self.events.lines(path, file, &self.writer, &mut self.room, &mut self.out)?;
        if is_whole {
            self.open = false;
            self.events.end(path, file, &mut self.out)?;
        }
        Ok(())
    }

    fn lines(&mut self, path: &[u8], file: &FileLines) -> io::Result<()> {
        let Some(_) = file.lines.first() else { return Ok(()) };
        let heading = self.writer.style.heading && self.writer.style.paths;
        if !self.open {
            self.last = None;
            if self.anything && self.writer.style.heading {
                self.out.write_all(b"\n")?;
            } else if self.anything {
                self.part()?;
            }
            self.anything = true;
            if heading {
                self.writer.name(path, &mut self.out)?;
                self.out.write_all(if self.writer.style.nul {
                    b"\0"
                } else {
                    self.writer.style.end
                })?;
            }
        }
        for line in &file.lines {
            if self.room == Some(0) {
                break;
            }
            if self.last.is_some_and(|last| line.number > last + 1) {
                self.part()?;
            }
            self.last = Some(line.number);
            if line.matched {
                self.take_one();
            }
            let path = Some(path).filter(|_| self.writer.style.paths && !heading);
            self.writer.line(path, line, &mut self.out)?;
        }
        Ok(())
    }

    /// What stands between parts of a file with context, and between files.
    fn part(&mut self) -> io::Result<()> {
        let Some(separator) = &self.writer.style.parts else { return Ok(()) };
        self.out.write_all(separator)?;
        self.out.write_all(self.writer.style.end)
    }
}

/// Output that counts its bytes.
struct Counted {
    out: BufWriter<io::Stdout>,
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
