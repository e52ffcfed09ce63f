//! Errors for people: what is wrong, where, and what to do about it.

use std::{fmt::Write as _, process::ExitCode};

use forge_search_engine::{ToolError, escape_line};

/// Why a command did not do what it is for: lines without the program's name; none if a reader went
/// away, who wants no more.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// Lines of this text are shown as they are, each escaped by itself.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Says it on standard error; exit status 2.
    pub(crate) fn tell(&self) -> ExitCode {
        if self.0.is_empty() {
            return ExitCode::from(2);
        }
        let mut text = String::from("forge-search: ");
        for line in self.0.lines() {
            let _ = writeln!(text, "{}", escape_line(line));
        }
        // Nobody reads an error that cannot be written.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
        ExitCode::from(2)
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self(error.message)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let is_closed = error.kind() == std::io::ErrorKind::BrokenPipe;
        Self(if is_closed { String::new() } else { format!("cannot write the answer: {error}") })
    }
}

/// The exit status of a command behind its answer: this one if that was written.
pub(crate) fn ended(written: std::io::Result<()>, status: ExitCode) -> ExitCode {
    written.map_or_else(|error| Failure::from(error).tell(), |()| status)
}

/// The line of a text at which bytes `start..end` stand, with carets below them.
pub(crate) fn pointed(text: &str, start: usize, end: usize) -> String {
    let before = text.get(..start).unwrap_or(text);
    let first = before.rfind('\n').map_or(0, |lf| lf + 1);
    let line = text.get(first..).unwrap_or_default().lines().next().unwrap_or_default();
    let blank = |text: &str| -> String {
        escape_line(text).chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect()
    };
    let indent = blank(before.get(first..).unwrap_or_default());
    let end = end.min(first + line.len());
    let marked = blank(text.get(start..end).unwrap_or_default()).len().max(1);
    format!("  {}\n  {indent}{}\n", escape_line(line), "^".repeat(marked))
}

/// `; did you mean ...?` with the name that is most like this one, if one is like it.
pub(crate) fn nearest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> String {
    const ALIKE: f64 = 0.75;
    let alike = |name: &'n str| (strsim::jaro_winkler(wrong, name), name);
    let best = names.map(alike).max_by(|(one, _), (other, _)| one.total_cmp(other));
    match best {
        Some((likeness, name)) if likeness >= ALIKE => format!(" (did you mean `{name}`?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_are_below_the_erroneous_text() {
        assert_eq!(pointed("a = 1\nbé[c\nd", 9, 10), "  bé[c\n    ^\n");
        assert_eq!(pointed("\t{3", 1, 2), "  \t{3\n  \t^\n");
        assert_eq!(pointed("a", 1, 1), "  a\n   ^\n");
    }

    #[test]
    fn a_suggestion_needs_a_near_name() {
        let names = ["rust", "python", "markdown"];
        assert_eq!(nearest("rst", names.into_iter()), " (did you mean `rust`?)");
        assert_eq!(nearest("zig", names.into_iter()), "");
    }
}
