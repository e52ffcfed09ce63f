//! Lines as ripgrep prints them: on a terminal below a heading, in colours and with numbers; in a
//! pipe one after the other, as they are.

use std::{
    io::{self, BufWriter, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use forge_search_engine::{
    escape_line, escape_name,
    listing::{FileLines, Line},
};

use super::{
    events::Events,
    flags::{JsonForm, Matching, Output},
};
use crate::{args::Colour, progress::Progress};

const PATH: &str = "\x1b[35m";
const NUMBER: &str = "\x1b[32m";
const MATCH: &str = "\x1b[1;31m";
const PLAIN: &str = "\x1b[0m";

/// What is shown of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Lines,
    Matches,
    Events,
    Paths,
    PathsWithout,
    CountLines,
    CountMatches,
    Nothing,
}

impl Show {
    pub(super) fn of(output: &Output, matching: &Matching) -> Self {
        // Lines that do not match hold no matches to be counted.
        let each = !matching.invert_match;
        if output.json == Some(JsonForm::Rg) {
            Self::Events
        } else if output.quiet {
            Self::Nothing
        } else if output.files_with_matches {
            Self::Paths
        } else if output.files_without_match {
            Self::PathsWithout
        } else if output.count_matches || (output.count && output.only_matching) {
            if each { Self::CountMatches } else { Self::CountLines }
        } else if output.count {
            Self::CountLines
        } else if (output.only_matching || output.vimgrep) && each {
            Self::Matches
        } else {
            Self::Lines
        }
    }
}

/// How it looks.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(super) struct Style {
    colour: bool,
    /// Control characters are shown, not sent.
    escape: bool,
    heading: bool,
    paths: bool,
    numbers: bool,
    columns: bool,
    /// Whole lines, also where each match is shown by itself.
    whole: bool,
    nul: bool,
    context: bool,
    /// Somebody waits at the terminal.
    prompt: bool,
}

impl Style {
    pub(super) fn of(output: &Output, paths: &[&PathBuf]) -> Self {
        let terminal = io::stdout().is_terminal();
        let people = terminal || output.pretty;
        let one_file = matches!(paths, [path] if path.is_file());
        let colour = match output.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => output.pretty || (terminal && std::env::var_os("NO_COLOR").is_none()),
        };
        let named = output.with_filename || output.vimgrep || (!one_file && !output.no_filename);
        let columns = output.column || output.vimgrep;
        let context = [output.after_context, output.before_context, output.context];
        Self {
            colour,
            escape: people || colour,
            heading: (output.heading || people) && !output.no_heading && !output.vimgrep,
            paths: named,
            numbers: (output.line_number || people || columns) && !output.no_line_number,
            columns,
            whole: output.vimgrep,
            nul: output.null,
            context: context.into_iter().flatten().any(|lines| lines > 0),
            prompt: terminal,
        }
    }
}

/// Prints one file after the other.
#[expect(clippy::struct_excessive_bools, reason = "each is about something else")]
pub(super) struct Printer<'p> {
    style: Style,
    show: Show,
    /// How many lines may still be shown.
    room: Option<u64>,
    out: BufWriter<io::Stdout>,
    progress: &'p Progress,
    events: Events,
    /// What paths start with.
    place: Vec<u8>,
    is_file: bool,
    found: bool,
    over: bool,
    anything: bool,
    outcome: io::Result<()>,
}

impl<'p> Printer<'p> {
    pub(super) fn new(style: Style, show: Show, room: Option<u64>, progress: &'p Progress) -> Self {
        Self {
            style,
            show,
            room,
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            progress,
            events: Events::new(),
            place: Vec::new(),
            is_file: false,
            found: false,
            over: false,
            anything: false,
            outcome: Ok(()),
        }
    }

    /// What follows is found below this path.
    pub(super) fn below(&mut self, place: Option<&Path>, is_file: bool) {
        self.place =
            place.map(|path| path.as_os_str().as_encoded_bytes().to_vec()).unwrap_or_default();
        self.is_file = is_file;
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
        if self.show == Show::Events && self.outcome.is_ok() {
            self.outcome = self.events.summary(&mut self.out);
        }
        self.outcome?;
        self.out.flush()
    }

    /// Prints a file. `false` if no more is wanted.
    pub(super) fn file(&mut self, file: &FileLines) -> bool {
        let wanted = (file.matched_lines > 0) != (self.show == Show::PathsWithout);
        if !wanted {
            return true;
        }
        self.found = true;
        let path = self.path_of(file);
        let progress = self.progress;
        let written = progress.aside(|| self.write(&path, file));
        self.over |= written.is_err() || self.show == Show::Nothing || self.room == Some(0);
        self.outcome = written;
        !self.over
    }

    fn path_of(&self, file: &FileLines) -> Vec<u8> {
        if self.is_file {
            return self.place.clone();
        }
        let mut path = self.place.clone();
        if !path.is_empty() && !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend(&file.path);
        path
    }

    fn write(&mut self, path: &[u8], file: &FileLines) -> io::Result<()> {
        match self.show {
            Show::Nothing => {}
            Show::Events => self.events.file(path, file, &mut self.room, &mut self.out)?,
            Show::Paths | Show::PathsWithout => {
                self.name(path)?;
                self.out.write_all(if self.style.nul { b"\0" } else { b"\n" })?;
                self.take_one();
            }
            Show::CountLines => self.count(path, file.matched_lines)?,
            Show::CountMatches => self.count(path, file.matches)?,
            Show::Lines | Show::Matches => self.lines(path, file)?,
        }
        if self.style.prompt { self.out.flush() } else { Ok(()) }
    }

    /// One more of what `--max-results` counts is shown.
    fn take_one(&mut self) {
        self.room = self.room.map(|room| room.saturating_sub(1));
    }

    fn count(&mut self, path: &[u8], count: u64) -> io::Result<()> {
        if self.style.paths {
            self.name(path)?;
            self.out.write_all(if self.style.nul { b"\0" } else { b":" })?;
        }
        self.take_one();
        writeln!(self.out, "{count}")
    }

    fn lines(&mut self, path: &[u8], file: &FileLines) -> io::Result<()> {
        let heading = self.style.heading && self.style.paths;
        if self.anything && heading {
            self.out.write_all(b"\n")?;
        } else if self.anything && self.style.context {
            self.out.write_all(b"--\n")?;
        }
        self.anything = true;
        if heading {
            self.name(path)?;
            self.out.write_all(if self.style.nul { b"\0" } else { b"\n" })?;
        }
        let mut last: Option<u64> = None;
        for line in &file.lines {
            if self.room == Some(0) {
                break;
            }
            if self.style.context && last.is_some_and(|last| line.number > last + 1) {
                self.out.write_all(b"--\n")?;
            }
            last = Some(line.number);
            if line.matched {
                self.take_one();
            }
            if self.show == Show::Matches && line.matched {
                for one in &line.matches {
                    self.line(path, line, Some(*one), heading)?;
                }
            } else {
                self.line(path, line, None, heading)?;
            }
        }
        Ok(())
    }

    /// A line, or one of its matches.
    fn line(
        &mut self,
        path: &[u8],
        line: &Line,
        only: Option<(usize, usize)>,
        heading: bool,
    ) -> io::Result<()> {
        let after: &[u8] = if line.matched { b":" } else { b"-" };
        let style = self.style;
        if style.paths && !heading {
            self.name(path)?;
            self.out.write_all(if style.nul { b"\0" } else { after })?;
        }
        if style.numbers {
            self.coloured(NUMBER, |out| write!(out, "{}", line.number))?;
            self.out.write_all(after)?;
        }
        if let Some((start, _)) = only.or(line.matches.first().copied()).filter(|_| style.columns) {
            write!(self.out, "{}", start + 1)?;
            self.out.write_all(after)?;
        }
        let text = line.bytes.strip_suffix(b"\n").unwrap_or(&line.bytes);
        match only.filter(|_| !style.whole) {
            Some((start, end)) => {
                let found = text.get(start..end).unwrap_or_default();
                self.text(found, &[(0, found.len())])?;
            }
            None => self.text(text, &line.matches)?,
        }
        self.out.write_all(b"\n")
    }

    fn text(&mut self, text: &[u8], matches: &[(usize, usize)]) -> io::Result<()> {
        if !self.style.colour {
            return self.plain(text);
        }
        let mut from = 0;
        for &(start, end) in matches.iter().filter(|(start, end)| start < end) {
            self.plain(text.get(from..start).unwrap_or_default())?;
            self.out.write_all(MATCH.as_bytes())?;
            self.plain(text.get(start..end).unwrap_or_default())?;
            self.out.write_all(PLAIN.as_bytes())?;
            from = end;
        }
        self.plain(text.get(from..).unwrap_or_default())
    }

    fn plain(&mut self, text: &[u8]) -> io::Result<()> {
        if !self.style.escape {
            return self.out.write_all(text);
        }
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        self.out.write_all(escape_line(&String::from_utf8_lossy(text)).as_bytes())
    }

    fn name(&mut self, path: &[u8]) -> io::Result<()> {
        let shown = if self.style.escape && !self.style.nul {
            escape_name(&String::from_utf8_lossy(path)).into_bytes()
        } else {
            path.to_vec()
        };
        self.coloured(PATH, |out| out.write_all(&shown))
    }

    fn coloured(
        &mut self,
        colour: &str,
        write: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>,
    ) -> io::Result<()> {
        if !self.style.colour {
            return write(&mut self.out);
        }
        self.out.write_all(colour.as_bytes())?;
        write(&mut self.out)?;
        self.out.write_all(PLAIN.as_bytes())
    }
}
