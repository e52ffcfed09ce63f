//! What is shown of files, and how it looks, from the flags.

use std::io::{self, IsTerminal as _};

use super::{
    colours::Colours,
    flags::Matching,
    output::{JsonForm, Output},
};
use crate::{args::Colour, errors::Failure};

/// What is shown of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Lines,
    /// Matches, each by itself.
    Matches,
    /// Whole lines, one for each match.
    EachMatch,
    Events,
    Paths,
    PathsWithout,
    CountLines,
    CountMatches,
    Nothing,
    /// Nothing; a file without a match is what is looked for.
    NothingWithout,
}

impl Show {
    pub(super) fn of(output: &Output, matching: &Matching) -> Self {
        // Lines that do not match hold no matches to be counted.
        let each = !matching.invert_match;
        if output.quiet {
            if output.files_without_match { Self::NothingWithout } else { Self::Nothing }
        } else if output.json == Some(JsonForm::Rg) {
            Self::Events
        } else if output.files_with_matches {
            Self::Paths
        } else if output.files_without_match {
            Self::PathsWithout
        } else if output.count_matches || (output.count && output.only_matching) {
            if each { Self::CountMatches } else { Self::CountLines }
        } else if output.count {
            Self::CountLines
        } else if output.only_matching && each {
            Self::Matches
        } else if output.vimgrep && each {
            Self::EachMatch
        } else {
            Self::Lines
        }
    }

    /// Lines are wanted, with their context.
    pub(super) fn has_lines(self) -> bool {
        matches!(self, Self::Lines | Self::Matches | Self::EachMatch | Self::Events)
    }

    /// Files without a match are what is looked for.
    pub(super) fn is_without(self) -> bool {
        matches!(self, Self::PathsWithout | Self::NothingWithout)
    }
}

/// How it looks.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(super) struct Style {
    pub(super) colours: Option<Colours>,
    /// Control characters are shown, not sent.
    pub(super) escape: bool,
    /// The same for names. Those for a program that splits them at NUL bytes are as they are.
    pub(super) escapes_names: bool,
    pub(super) heading: bool,
    pub(super) paths: bool,
    pub(super) numbers: bool,
    pub(super) columns: bool,
    pub(super) offsets: bool,
    pub(super) nul: bool,
    /// Ends what has no end of its own.
    pub(super) end: &'static [u8],
    pub(super) trim: bool,
    /// Longer lines are left out, in bytes.
    pub(super) max_columns: Option<usize>,
    /// But for their start.
    pub(super) preview: bool,
    /// Where matches stand in a line is known.
    pub(super) granular: bool,
    /// Between the fields of a matching line, and of one of context.
    pub(super) fields: [Vec<u8>; 2],
    /// Between parts of a file with context, and between files.
    pub(super) parts: Option<Vec<u8>>,
    /// Instead of `/`.
    pub(super) path_separator: Option<u8>,
    /// Somebody waits for each file.
    pub(super) prompt: bool,
}

impl Style {
    pub(super) fn of(output: &Output, one_file: bool, is_stdin: bool) -> Result<Self, Failure> {
        let terminal = io::stdout().is_terminal();
        let people = terminal || output.pretty;
        let coloured = match output.color {
            Colour::Always | Colour::Ansi => true,
            Colour::Never => false,
            Colour::Auto => output.pretty || (terminal && std::env::var_os("NO_COLOR").is_none()),
        };
        let colours = Colours::of(&output.colors)?;
        let columns = output.column || (output.vimgrep && !output.no_column);
        let numbers = output.line_number
            || output.pretty
            || (terminal && !is_stdin)
            || columns
            || output.vimgrep;
        let context = [output.after_context, output.before_context, output.context];
        let context = context.into_iter().flatten().any(|lines| lines > 0);
        let parts = output.context_separator.as_deref().map_or_else(|| b"--".to_vec(), unescaped);
        let field = |given: &Option<String>, usual: &str| {
            given.as_deref().map_or_else(|| usual.as_bytes().to_vec(), unescaped)
        };
        Ok(Self {
            granular: (coloured && !colours.matched.is_none())
                || columns
                || output.replace.is_some()
                || output.vimgrep
                || output.only_matching
                || output.stats,
            colours: coloured.then_some(colours),
            escape: people || coloured,
            escapes_names: terminal || ((people || coloured) && !output.null),
            heading: (output.heading || people) && !output.no_heading && !output.vimgrep,
            paths: output.with_filename || (!output.no_filename && (output.vimgrep || !one_file)),
            numbers: numbers && !output.no_line_number,
            columns,
            offsets: output.byte_offset,
            nul: output.null,
            end: if output.crlf { b"\r\n" } else { b"\n" },
            trim: output.trim,
            max_columns: output
                .max_columns
                .filter(|most| *most > 0)
                .map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
            preview: output.max_columns_preview,
            fields: [
                field(&output.field_match_separator, ":"),
                field(&output.field_context_separator, "-"),
            ],
            parts: (context && !output.no_context_separator).then_some(parts),
            path_separator: path_separator(output)?,
            prompt: terminal || output.line_buffered,
        })
    }
}

fn path_separator(output: &Output) -> Result<Option<u8>, Failure> {
    let Some(given) = &output.path_separator else { return Ok(None) };
    match unescaped(given).as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(Failure::new(format!(
            "--path-separator `{given}` is longer than one byte; `//` is `/` in some shells"
        ))),
    }
}

/// The bytes that a text with escapes stands for: `\n`, `\t`, `\r`, `\0`, `\\` and `\xNN`.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at(at);
        bytes.extend(before.as_bytes());
        let escaped = from.get(1..2).unwrap_or_default();
        let hex = from.get(2..4).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (byte, length) = match (escaped, hex) {
            ("n", _) => (b'\n', 2),
            ("t", _) => (b'\t', 2),
            ("r", _) => (b'\r', 2),
            ("0", _) => (b'\0', 2),
            ("\\", _) => (b'\\', 2),
            ("x", Some(byte)) => (byte, 4),
            _ => (b'\\', 1),
        };
        bytes.push(byte);
        rest = from.get(length..).unwrap_or_default();
    }
    bytes.extend(rest.as_bytes());
    bytes
}
