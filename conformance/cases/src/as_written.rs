//! The documents as they are written: what a program that takes a clause at its word answers to a
//! case.
//!
//! Responsible for: [`AsWritten`], the block of a case that says how to run such a program on the
//! case's tree and what it shows, running it ([`AsWritten::read`]), and telling whether it showed
//! that ([`AsWritten::holds`]). Not here: the process this happens in (`touchstone::worker`), and
//! where programs are (`touchstone_hunt::provision`). Invariants: no shell; a closed environment;
//! output and time are bounded, the time by the worker's deadline.

use std::collections::BTreeMap;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::backend::Backend;
use crate::escapes::{Text, escape};

/// Most bytes of output that are kept of each stream.
pub const MAX_OUTPUT_BYTES: u64 = 1 << 20;

/// Programs that a case can be run on directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Program {
    Ripgrep,
    Ugrep,
}

impl Program {
    /// The backend that runs the same program.
    pub fn backend(self) -> Backend {
        match self {
            Self::Ripgrep => Backend::Ripgrep,
            Self::Ugrep => Backend::Ugrep,
        }
    }
}

/// How a program is run on a case's tree, and its expected output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsWritten {
    pub program: Program,
    /// Its arguments, as they are. Lines are recognised in output of the form `path:line:...`.
    pub args: Vec<String>,
    /// Its whole environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Its standard input, escaped; closed if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<Text>,
    /// Its working directory below the sandbox root.
    #[serde(default = "here", skip_serializing_if = "is_here")]
    pub cwd: String,
    pub shows: ExpectedOutput,
}

/// The expected output of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum ExpectedOutput {
    /// Exactly these `path:line`, in any order.
    Lines(Vec<String>),
    Exit {
        exit: i32,
    },
    /// This text, anywhere in the escaped output.
    Output {
        stdout_has: String,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramOutput {
    /// `path:line` of every line of output that starts with one, sorted; the path escaped and
    /// without `./`.
    pub lines: Vec<String>,
    /// Exit status; `None` if a signal ended it.
    pub exit: Option<i32>,
    /// Standard output, escaped, its first bytes.
    pub stdout: String,
    /// Standard error, escaped, its first bytes.
    pub stderr: String,
}

/// The output differs from what the case expects.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`as_written` shows {expected}, the program {observed}; stdout `{stdout}`, stderr `{stderr}`"
)]
pub struct OutputMismatch {
    expected: String,
    observed: String,
    stdout: String,
    stderr: String,
}

impl AsWritten {
    /// Runs `executable` in the tree below `root`.
    pub fn read(&self, executable: &Path, root: &Path) -> io::Result<ProgramOutput> {
        let mut child = Command::new(executable)
            .args(&self.args)
            .env_clear()
            .envs(&self.env)
            .current_dir(root.join(&self.cwd))
            .stdin(if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = thread::scope(|scope| {
            let input = self.stdin.as_ref().map_or(&[][..], |text| &text.0);
            // A program may close its input without reading it.
            scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(input)));
            let stderr = scope.spawn(move || keep(stderr));
            let stdout = keep(stdout);
            (
                stdout,
                stderr.join().unwrap_or_else(|_| Err(io::Error::other("reading stderr panicked"))),
            )
        });
        let status = child.wait()?;
        let (stdout, stderr) = (stdout?, stderr?);
        Ok(ProgramOutput {
            lines: lines(&stdout),
            exit: status.code(),
            stdout: escape(&stdout),
            stderr: escape(&stderr),
        })
    }

    /// Compares `reading` with the expected output.
    pub fn holds(&self, reading: &ProgramOutput) -> Result<(), OutputMismatch> {
        let (holds, expected, observed) = match &self.shows {
            ExpectedOutput::Lines(expected) => {
                let mut expected = expected.clone();
                expected.sort_unstable();
                (expected == reading.lines, format!("{expected:?}"), format!("{:?}", reading.lines))
            }
            ExpectedOutput::Exit { exit } => (
                Some(*exit) == reading.exit,
                format!("exit {exit}"),
                format!("exit {:?}", reading.exit),
            ),
            ExpectedOutput::Output { stdout_has } => {
                let holds = reading.stdout.contains(stdout_has.as_str());
                (holds, format!("`{stdout_has}`"), "something else".to_owned())
            }
        };
        if holds {
            return Ok(());
        }
        let (stdout, stderr) = (reading.stdout.clone(), reading.stderr.clone());
        Err(OutputMismatch { expected, observed, stdout, stderr })
    }
}

/// `path:line` of the match events of a response of `Search`, in the form of
/// [`ProgramOutput::lines`].
pub fn matched_lines(response: &Value) -> Vec<String> {
    let events = response.get("matches").and_then(Value::as_array).into_iter().flatten();
    let matches = events.filter(|event| event.get("type").and_then(Value::as_str) == Some("match"));
    let mut lines: Vec<String> = matches
        .filter_map(|event| {
            let path = event.pointer("/data/path/text")?.as_str()?;
            let line = event.pointer("/data/line_number")?.as_u64()?;
            Some(format!("{}:{line}", escape(path.as_bytes())))
        })
        .collect();
    lines.sort_unstable();
    lines
}

/// Keeps the first bytes of a stream and reads the rest, so that the program does not block.
fn keep(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    if let Some(mut stream) = stream {
        stream.by_ref().take(MAX_OUTPUT_BYTES).read_to_end(&mut kept)?;
        io::copy(&mut stream, &mut io::sink())?;
    }
    Ok(kept)
}

fn lines(stdout: &[u8]) -> Vec<String> {
    let mut lines: Vec<String> =
        stdout.split(|byte| *byte == b'\n').filter_map(path_and_line).collect();
    lines.sort_unstable();
    lines
}

/// `path:line` at the start of one line of output.
fn path_and_line(output: &[u8]) -> Option<String> {
    let colons: Vec<usize> =
        output.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(at, _)| at).collect();
    colons.windows(2).find_map(|pair| {
        let [first, second] = pair else { return None };
        let digits = output.get(first + 1..*second).filter(|digits| !digits.is_empty())?;
        let path = output.get(..*first).filter(|path| !path.is_empty())?;
        let path = path.strip_prefix(b"./").unwrap_or(path);
        digits
            .iter()
            .all(u8::is_ascii_digit)
            .then(|| format!("{}:{}", escape(path), String::from_utf8_lossy(digits)))
    })
}

fn here() -> String {
    ".".to_owned()
}

fn is_here(cwd: &str) -> bool {
    cwd == "."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_written(script: &str, shows: ExpectedOutput) -> AsWritten {
        let args = vec!["-c".to_owned(), script.to_owned()];
        AsWritten {
            program: Program::Ripgrep,
            args,
            env: BTreeMap::new(),
            stdin: None,
            cwd: here(),
            shows,
        }
    }

    fn read(as_written: &AsWritten) -> ProgramOutput {
        as_written.read(Path::new("/bin/sh"), &std::env::temp_dir()).unwrap()
    }

    #[test]
    fn lines_are_read_from_output_with_a_path_and_a_line_number() {
        let as_written = as_written(
            "printf './b:x.txt:12:5:text\\na.txt:3:foo:4:bar\\nnothing\\nc.txt-4-context\\n:1:x\\n'; exit 1",
            ExpectedOutput::Lines(vec!["b:x.txt:12".to_owned(), "a.txt:3".to_owned()]),
        );
        let reading = read(&as_written);
        assert_eq!(reading.lines, ["a.txt:3", "b:x.txt:12"]);
        assert_eq!(reading.exit, Some(1));
        assert_eq!(as_written.holds(&reading), Ok(()));
    }

    #[test]
    fn an_unexpected_reading_is_reported_with_standard_error() {
        let shows = [
            ExpectedOutput::Lines(vec!["a:1".to_owned()]),
            ExpectedOutput::Exit { exit: 0 },
            ExpectedOutput::Output { stdout_has: "foo".to_owned() },
        ];
        for shows in shows {
            let as_written = as_written("printf 'b:1:bar\\n'; echo oops >&2; exit 2", shows);
            let message = as_written.holds(&read(&as_written)).unwrap_err().to_string();
            assert!(message.contains("oops"), "{message}");
        }
    }

    #[test]
    fn the_environment_is_closed_and_standard_input_is_passed() {
        let mut as_written =
            as_written("printf '%s|' \"$HOME\" \"$X\"; /bin/cat", ExpectedOutput::Exit { exit: 0 });
        as_written.env.insert("X".to_owned(), "y".to_owned());
        as_written.stdin = Some(Text(b"in\xff".to_vec()));
        assert_eq!(read(&as_written).stdout, "|y|in\\xff");
    }

    #[test]
    fn output_beyond_the_bound_is_read_but_not_kept() {
        let as_written =
            as_written("head -c 3000000 /dev/zero; exit 7", ExpectedOutput::Exit { exit: 7 });
        let reading = as_written.read(Path::new("/bin/sh"), Path::new("/"));
        let reading = reading.unwrap();
        assert_eq!(reading.exit, Some(7));
        assert_eq!(reading.stdout.len() as u64, 2 * MAX_OUTPUT_BYTES);
    }
}
