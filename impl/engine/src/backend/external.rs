//! Runs an external program over a chunk of files and reads the lines that it proposes.
//!
//! Its exit code is only a hint, because releases disagree about it (E-F06). Parsed output counts.
//! After a failure (a code of 2 or more, or anything on standard error) the caller looks at each
//! file itself.

use std::{
    cell::LazyCell,
    collections::HashMap,
    ffi::OsString,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use super::frames::{Frames, Malformed};
use crate::{
    process::{Invocation, ProcessEnd, run},
    root::os_path,
};

/// What differs between the programs.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    /// The name in answers and messages.
    pub(crate) name: &'static str,
    /// The beginning of the output of `--version`.
    pub(super) banner: &'static str,
    /// Lowest acceptable major and minor version (FR-LS-EXE-01).
    pub(super) floor: (u32, u32),
    /// The program searches the bytes on disk. Otherwise it decodes UTF-16 by its byte-order mark.
    pub(crate) reads_raw_bytes: bool,
    /// All arguments but the file names, for a portable expression.
    pub(super) arguments: fn(&str) -> Vec<String>,
    /// The argument for a list of names on standard input, one a line, and the first version that
    /// has it.
    pub(super) list: Option<((u32, u32), &'static str)>,
}

/// A program that passed its probes.
#[derive(Clone, Debug)]
pub(crate) struct External {
    pub(crate) dialect: Dialect,
    /// Absolute.
    pub(crate) program: PathBuf,
    /// The argument by which this version reads a list of names.
    pub(super) list: Option<&'static str>,
}

/// Line numbers kept per chunk; files with more are scanned in process.
const LINES_PER_CHUNK: usize = 1 << 20;

/// The lines proposed in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// These lines, ascending.
    Listed(Vec<u64>),
    /// Too many to keep; any line may match.
    Many,
}

/// The lines proposed in a chunk.
#[derive(Debug, Default)]
pub(crate) struct Proposals {
    /// Parallel to the chunk's files.
    pub(crate) lines: Vec<Lines>,
    /// Exit code and standard error of a program that reported failure: files without proposals
    /// have to be opened.
    pub(crate) failure: Option<(Option<i32>, String)>,
}

impl Lines {
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Self::Listed(lines) if lines.is_empty())
    }

    fn add(&mut self, line: u64, room: &mut usize) {
        match self {
            Self::Listed(lines) if *room > 0 => {
                *room -= 1;
                lines.push(line);
            }
            Self::Listed(lines) => {
                *room += lines.len();
                *self = Self::Many;
            }
            Self::Many => {}
        }
    }
}

/// Why there are no proposals for a chunk.
#[derive(Debug)]
pub(crate) enum Failure {
    Deadline,
    /// The search needs no more lines.
    Stopped,
    /// The program could not be run, or failed: exit code and standard error.
    Backend(Option<i32>, String),
    /// The output is malformed, so nothing of it can be trusted (FR-LS-ERR-04.untrusted).
    Malformed(String),
}

/// A chunk of files for one process.
pub(crate) struct Chunk<'c> {
    /// The directory that `files` are relative to.
    pub(crate) cwd: &'c Path,
    /// Names as the program gets them, each once: relative with `./` in front, or absolute.
    pub(crate) files: &'c [Vec<u8>],
    pub(crate) deadline: Instant,
}

impl External {
    /// The lines proposed in each file.
    pub(crate) fn propose(
        &self,
        expression: &str,
        chunk: &Chunk<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Proposals, Failure> {
        if chunk.files.is_empty() {
            return Ok(Proposals::default());
        }
        // Built on first use: in large trees most chunks have no proposals.
        let positions = LazyCell::new(|| {
            let named = chunk.files.iter().enumerate();
            named.map(|(at, name)| (name.as_slice(), at)).collect::<HashMap<&[u8], usize>>()
        });
        // A name with a line break cannot stand in a list.
        let list = self.list.filter(|_| chunk.files.iter().all(|name| is_one_line(name)));
        let (args, stdin) = if let Some(list) = list {
            (self.arguments(expression, [list.into()]), Some(chunk.files.join(&b'\n')))
        } else {
            let names = chunk.files.iter().map(|name| os_path(name));
            (self.arguments(expression, std::iter::once("--".into()).chain(names)), None)
        };
        let mut lines = vec![Lines::Listed(Vec::new()); chunk.files.len()];
        let mut room = LINES_PER_CHUNK;
        let mut frames = Frames::default();
        let mut malformed = false;
        let ended = run(
            Invocation {
                program: &self.program,
                args,
                cwd: Some(chunk.cwd),
                stdin,
                deadline: chunk.deadline,
            },
            stop,
            &mut |piece| {
                let read = frames.push(piece, &mut |name, line| match positions.get(name) {
                    Some(&at) => {
                        lines.get_mut(at).into_iter().for_each(|lines| lines.add(line, &mut room));
                    }
                    None => malformed = true,
                });
                malformed |= read == Err(Malformed);
                if malformed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        let name = self.dialect.name;
        match ended {
            Err(err) => Err(Failure::Backend(None, format!("{name} could not be run: {err}"))),
            Ok(ProcessEnd::Deadline) => Err(Failure::Deadline),
            Ok(ProcessEnd::Stopped) if malformed => Err(Failure::Malformed(format!(
                "{name} printed something that is not a list of lines"
            ))),
            Ok(ProcessEnd::Stopped) => Err(Failure::Stopped),
            Ok(ProcessEnd::Exited { code, stderr }) => {
                // A signal means that the output is incomplete.
                let Some(status) = code else {
                    return Err(Failure::Backend(
                        None,
                        format!("{name} was killed by a signal; {stderr}"),
                    ));
                };
                if frames.finish().is_err() {
                    return Err(Failure::Malformed(format!(
                        "{name} stopped in the middle of a line; {stderr}"
                    )));
                }
                for lines in &mut lines {
                    if let Lines::Listed(lines) = lines {
                        lines.sort_unstable();
                        lines.dedup();
                    }
                }
                let failure = (status > 1 || !stderr.is_empty()).then_some((code, stderr));
                Ok(Proposals { lines, failure })
            }
        }
    }

    fn arguments(
        &self,
        expression: &str,
        names: impl IntoIterator<Item = OsString>,
    ) -> Vec<OsString> {
        (self.dialect.arguments)(expression).into_iter().map(OsString::from).chain(names).collect()
    }

    /// Whether the program reads a list of names by the argument `list`: with an empty list it must
    /// find nothing.
    pub(super) fn takes(list: &str, dialect: &Dialect, program: &Path, deadline: Instant) -> bool {
        let args = (dialect.arguments)("x")
            .into_iter()
            .chain([list.to_owned()])
            .map(OsString::from)
            .collect();
        let run = run(
            Invocation { program, args, cwd: None, stdin: Some(b"/dev/null\n".to_vec()), deadline },
            &|| false,
            &mut |_| ControlFlow::Continue(()),
        );
        matches!(run, Ok(ProcessEnd::Exited { code: Some(1), stderr }) if stderr.is_empty())
    }

    /// The lines proposed in `text` on standard input. For probes.
    pub(super) fn propose_in(
        &self,
        expression: &str,
        text: &[u8],
        deadline: Instant,
    ) -> Result<Vec<u64>, String> {
        let mut frames = Frames::default();
        let mut lines = Vec::new();
        let mut malformed = false;
        let args = self.arguments(expression, ["--".into(), "-".into()]);
        let ended = run(
            Invocation {
                program: &self.program,
                args,
                cwd: None,
                stdin: Some(text.to_owned()),
                deadline,
            },
            &|| false,
            &mut |piece| {
                malformed |= frames.push(piece, &mut |_, line| lines.push(line)).is_err();
                if malformed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        match ended {
            Ok(ProcessEnd::Exited { code: Some(0 | 1), .. }) if frames.finish().is_ok() => {
                Ok(lines)
            }
            Ok(ended) => Err(format!("unexpected end: {ended:?}")),
            Err(err) => Err(err.to_string()),
        }
    }
}

/// Whether a name can stand in a list of one name a line. A carriage return at the end would be
/// taken for part of the line break.
fn is_one_line(name: &[u8]) -> bool {
    !name.contains(&b'\n') && !name.ends_with(b"\r")
}

#[cfg(test)]
mod tests {
    use super::{Lines, is_one_line};

    #[test]
    fn a_file_with_too_many_lines_for_the_room_releases_its_room() {
        let (mut room, mut first, mut second) = (3, Lines::Listed(vec![]), Lines::Listed(vec![]));
        for line in 1..=2 {
            first.add(line, &mut room);
        }
        for line in 5..=6 {
            second.add(line, &mut room);
        }
        assert_eq!((&first, &second), (&Lines::Listed(vec![1, 2]), &Lines::Many));
        assert_eq!(room, 1);
        second.add(7, &mut room);
        first.add(3, &mut room);
        assert_eq!((first, second, room), (Lines::Listed(vec![1, 2, 3]), Lines::Many, 0));
    }

    #[test]
    fn names_with_line_breaks_are_not_put_into_file_lists() {
        assert!(is_one_line(b"a") && is_one_line(b"a\rb"));
        assert!(!is_one_line(b"a\nb") && !is_one_line(b"a\r"));
    }
}
