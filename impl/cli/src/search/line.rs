//! One line as ripgrep's printer writes it: fields, colours, and what is cut.

use std::io::{self, Write};

use bstr::ByteSlice as _;
use forge_search_engine::{escape_line, escape_name, listing::Line};

use super::{
    colours::{self, Colours},
    replace::Replacement,
    style::{Show, Style},
};

/// Writes lines and paths.
#[derive(Debug)]
pub(super) struct LineWriter {
    pub(super) style: Style,
    pub(super) replacement: Option<Replacement>,
    pub(super) show: Show,
}

/// A part of a line: where it starts and ends.
type Part = (usize, usize);

impl LineWriter {
    /// A line, or each of its matches, below a heading or behind the path.
    pub(super) fn line(
        &self,
        path: Option<&[u8]>,
        line: &Line,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let replaced = match &self.replacement {
            Some(replacement) if !line.matches.is_empty() => Some(replacement.line(line)),
            _ => None,
        };
        let line = replaced.as_ref().unwrap_or(line);
        let matches: &[Part] = if self.style.granular { &line.matches } else { &[] };
        let Some(first) = matches.first() else {
            self.fields(path, line, None, out)?;
            return self.plain_line(&line.bytes, &[], line, out);
        };
        match self.show {
            Show::Matches => {
                for one in matches {
                    self.fields(path, line, Some(one.0), out)?;
                    let found = line.bytes.get(one.0..one.1).unwrap_or_default();
                    self.marked_line(found, &[(0, found.len())], line, out)?;
                }
                Ok(())
            }
            Show::EachMatch => {
                for one in matches {
                    self.fields(path, line, Some(one.0), out)?;
                    self.marked_line(&line.bytes, std::slice::from_ref(one), line, out)?;
                }
                Ok(())
            }
            _ => {
                self.fields(path, line, Some(first.0), out)?;
                self.marked_line(&line.bytes, matches, line, out)
            }
        }
    }

    /// A path in its colour.
    pub(super) fn name(&self, path: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut shown = if self.style.escapes_names {
            escape_name(&String::from_utf8_lossy(path)).into_bytes()
        } else {
            path.to_vec()
        };
        if let Some(separator) = self.style.path_separator {
            shown.iter_mut().filter(|byte| **byte == b'/').for_each(|byte| *byte = separator);
        }
        self.coloured(|colours| colours.path, out, |out| out.write_all(&shown))
    }

    fn fields(
        &self,
        path: Option<&[u8]>,
        line: &Line,
        column: Option<usize>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let style = &self.style;
        let [of_match, of_context] = &style.fields;
        let after = if line.matched { of_match } else { of_context };
        if let Some(path) = path {
            self.name(path, out)?;
            out.write_all(if style.nul { b"\0" } else { after })?;
        }
        if style.numbers {
            self.coloured(|colours| colours.line, out, |out| write!(out, "{}", line.number))?;
            out.write_all(after)?;
        }
        if let Some(column) = column.filter(|_| style.columns) {
            self.coloured(|colours| colours.column, out, |out| write!(out, "{}", column + 1))?;
            out.write_all(after)?;
        }
        if style.offsets {
            let each = matches!(self.show, Show::Matches | Show::EachMatch);
            let within = column.filter(|_| each).unwrap_or(0) as u64;
            let offset = line.offset + within;
            self.coloured(|colours| colours.column, out, |out| write!(out, "{offset}"))?;
            out.write_all(after)?;
        }
        Ok(())
    }

    /// Text whose matches are not marked.
    fn plain_line(
        &self,
        text: &[u8],
        matches: &[Part],
        line: &Line,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let text = text.get(self.margin(text)..).unwrap_or_default();
        if self.is_too_long(text) {
            return self.cut_line(text, (0, text.len()), matches, line, out);
        }
        if !self.style.escape && text.ends_with(b"\n") {
            return out.write_all(text);
        }
        self.write(self.without_end(text), out)?;
        out.write_all(if text.ends_with(b"\n") { b"\n" } else { self.style.end })
    }

    /// Text whose matches are marked, if there are colours.
    fn marked_line(
        &self,
        text: &[u8],
        matches: &[Part],
        line: &Line,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.style.colours.as_ref().is_none_or(|colours| colours.matched.is_none()) {
            return self.plain_line(text, matches, line, out);
        }
        let part = (self.margin(text), text.len());
        if self.is_too_long(text) {
            return self.cut_line(text, part, matches, line, out);
        }
        self.marked(text, (part.0, self.without_end(text).len()), matches, line, out)?;
        out.write_all(self.style.end)
    }

    /// What stands for a line that is too long.
    fn cut_line(
        &self,
        text: &[u8],
        (start, end): Part,
        matches: &[Part],
        line: &Line,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.style.preview {
            let most = self.style.max_columns.unwrap_or_default();
            let shown = text.get(start..end).unwrap_or_default();
            let shown = shown.grapheme_indices().map(|(_, end, _)| end).take(most).last();
            let cut = start + shown.unwrap_or_default();
            self.marked(text, (start, cut), matches, line, out)?;
            if matches.is_empty() {
                out.write_all(b" [... omitted end of long line]")?;
            } else {
                let beyond = |one: &&Part| one.0 >= cut && one.0 < end;
                let rest = matches.iter().filter(beyond).count();
                let noun = if rest == 1 { "match" } else { "matches" };
                write!(out, " [... {rest} more {noun}]")?;
            }
            return out.write_all(self.style.end);
        }
        let known = if self.style.granular { line.matches.len() } else { 0 };
        match (known, self.show, line.matched) {
            (0, _, false) | (_, Show::Matches, false) => {
                out.write_all(b"[Omitted long context line]")?;
            }
            (0, _, true) | (_, Show::Matches, true) => {
                out.write_all(b"[Omitted long matching line]")?;
            }
            _ => write!(out, "[Omitted long line with {known} matches]")?,
        }
        out.write_all(self.style.end)
    }

    /// A part of a text, the matches in it in their colour.
    fn marked(
        &self,
        text: &[u8],
        (start, end): Part,
        matches: &[Part],
        line: &Line,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let Some(colours) = &self.style.colours else {
            return self.write(text.get(start..end).unwrap_or_default(), out);
        };
        let highlight = (!colours.highlight.is_none() && line.matched).then_some(colours.highlight);
        let rest = |out: &mut _| match highlight {
            Some(style) => style.begin(out),
            None => colours::Style::end(out),
        };
        if let Some(style) = highlight {
            style.begin(out)?;
        }
        let mut from = start;
        let mut matches = matches.iter().filter(|one| one.0 < one.1 && one.1 > start).peekable();
        while let Some(&&(first, last)) = matches.peek().filter(|one| one.0 < end) {
            self.write(text.get(from..first).unwrap_or_default(), out)?;
            colours.matched.begin(out)?;
            from = from.max(first);
            // Matches that touch are one.
            let mut until = last;
            matches.next();
            while let Some(next) = matches.next_if(|next| next.0 == until) {
                until = next.1;
            }
            let until = until.min(end);
            self.write(text.get(from..until).unwrap_or_default(), out)?;
            rest(out)?;
            from = until;
        }
        self.write(text.get(from..end).unwrap_or_default(), out)?;
        if highlight.is_some() { colours::Style::end(out) } else { Ok(()) }
    }

    /// A line without its end, to which CR belongs for people.
    fn without_end<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let Some(text) = text.strip_suffix(b"\n") else { return text };
        let at_cr = self.style.escape || self.style.end == b"\r\n";
        if at_cr { text.strip_suffix(b"\r").unwrap_or(text) } else { text }
    }

    /// How much white space `--trim` takes from the start of a text.
    fn margin(&self, text: &[u8]) -> usize {
        let is_space = |byte: &u8| matches!(byte, b'\t' | b'\x0b' | b'\x0c' | b'\r' | b' ');
        if self.style.trim { text.iter().take_while(|byte| is_space(byte)).count() } else { 0 }
    }

    fn is_too_long(&self, text: &[u8]) -> bool {
        self.style.max_columns.is_some_and(|most| text.len() > most)
    }

    fn write(&self, text: &[u8], out: &mut impl Write) -> io::Result<()> {
        if !self.style.escape {
            return out.write_all(text);
        }
        out.write_all(escape_line(&String::from_utf8_lossy(text)).as_bytes())
    }

    fn coloured<W: Write>(
        &self,
        style: impl FnOnce(&Colours) -> colours::Style,
        out: &mut W,
        write: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(colours) = &self.style.colours else { return write(out) };
        style(colours).begin(out)?;
        write(out)?;
        colours::Style::end(out)
    }
}
