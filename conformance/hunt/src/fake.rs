//! A search program with one bug, by which the hunt is tried.
//!
//! Responsible for: `touchstone fake KIND -- ARGUMENTS`: arguments in, an answer with the bug of
//! that kind out; the same by the
//! protocol (`talk`).
//! Not here: which kinds there are (`kind`); how lines are matched (`engine`) and shown
//! (`output`); which verdict each
//! bug has to get (`golden/hunt/fakes.yaml`).
//! Invariants: it shares no code with the model or the service; with the kind `none` it answers as
//! `golden/hunt/fake.yaml` declares;
//! every other kind differs from that in one thing.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::process::ExitCode;

use touchstone_spec::adapter::Show;

use engine::{Engine, Event, Options};
use kind::Kind;

mod engine;
pub mod kind;
mod output;
mod talk;

/// Most directories that are walked.
const MOST_DIRECTORIES: usize = 10_000;

/// One haystack in so many is one that it crashes on.
const CRASHES: u64 = 1_000;

/// Runs as a search program.
pub fn main(kind: &str, arguments: &[OsString]) -> ExitCode {
    let Some(kind) = Kind::of(kind) else {
        return failed(&format!(
            "there is no kind `{kind}`; there are {}",
            Kind::names().join(", ")
        ));
    };
    if arguments.iter().any(|argument| argument == "--version") {
        return printed(b"fake 1.0.0\n");
    }
    if arguments.iter().any(|argument| argument == "--protocol") {
        return talk::main(kind);
    }
    match Request::parse(arguments).and_then(|request| request.answer(kind)) {
        Ok(code) => code,
        Err(reason) => failed(&reason),
    }
}

fn failed(reason: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "fake: {reason}");
    ExitCode::from(2)
}

fn printed(bytes: &[u8]) -> ExitCode {
    // A reader that went away does not care for the status.
    let _ = std::io::stdout().write_all(bytes);
    ExitCode::SUCCESS
}

/// What the arguments ask for.
#[derive(Debug, Default)]
struct Request {
    options: Options,
    walk: bool,
    hidden: bool,
    sort: bool,
    max_depth: Option<u64>,
    max_filesize: Option<u64>,
    files: Vec<OsString>,
}

/// One file and what is shown of it.
pub(super) struct Found {
    path: Vec<u8>,
    events: Vec<Event>,
}

impl Request {
    fn parse(arguments: &[OsString]) -> Result<Self, String> {
        let mut request = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_str().ok_or("an argument that is no text")?;
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let number = || value.parse::<u64>().map_err(|error| format!("`{text}`: {error}"));
            let options = &mut request.options;
            match name {
                "-e" => {
                    let pattern =
                        rest.next().and_then(|next| next.to_str()).ok_or("`-e` needs a pattern")?;
                    options.patterns.push(pattern.to_owned());
                }
                "-F" => options.fixed = true,
                "-i" => options.insensitive = true,
                "-S" => options.smart = true,
                "-w" => options.word = true,
                "-x" => options.line = true,
                "-v" => options.invert = true,
                "--with-cr" => options.crlf = true,
                "--max" => options.max_count = Some(number()?),
                "--before" => options.before = number()?,
                "--after" => options.after = number()?,
                "--spans" => options.show = Some(Show::Spans),
                "--count" => options.show = Some(Show::Count),
                "--files" => options.show = Some(Show::Files),
                "--files-without" => options.show = Some(Show::FilesWithout),
                "--mapped" | "--read" => {}
                "--dotted" => request.hidden = true,
                "--ordered" => request.sort = true,
                "--depth" => request.max_depth = Some(number()?),
                "--largest" => request.max_filesize = Some(number()?),
                "--walk" => request.walk = true,
                "--" => request.files.extend(rest.by_ref().cloned()),
                _ => return Err(format!("unknown argument `{text}`")),
            }
        }
        Ok(request)
    }

    fn answer(mut self, kind: Kind) -> Result<ExitCode, String> {
        let engine = match Engine::new(&self.options, kind) {
            Err(_) if kind == Kind::ErrorAsNone => return Ok(ExitCode::from(1)),
            other => other?,
        };
        if kind == Kind::ErrorAsNone
            && self.options.patterns.iter().any(|pattern| pattern.contains(['{', '\\']))
        {
            return Ok(ExitCode::from(1));
        }
        if self.walk {
            self.files = self.walked()?;
            if self.sort && kind == Kind::ReordersFiles {
                let middle = self.files.len() / 2;
                self.files.rotate_left(middle);
            }
            if kind == Kind::LosesOddNames {
                self.files.retain(|path| {
                    path.as_bytes()
                        .iter()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"./".contains(byte))
                });
            }
        }
        let mut found = Vec::new();
        for path in &self.files {
            let bytes =
                fs::read(path).map_err(|error| format!("{}: {error}", path.to_string_lossy()))?;
            misbehave(kind, &self.options, &bytes);
            found.push(Found { path: path.as_bytes().to_vec(), events: engine.search(&bytes) });
        }
        if kind == Kind::FailsNow && found.len() % 3 == 1 {
            return Err("out of luck".to_owned());
        }
        output::print(kind, self.options.show.unwrap_or(Show::Lines), &found)
    }

    /// The files of a walk in order of their paths, name by name. Ignore files, links and globs are
    /// not supported.
    fn walked(&self) -> Result<Vec<OsString>, String> {
        let mut directories = vec![(Vec::new(), 1)];
        let mut files = Vec::new();
        for _ in 0..MOST_DIRECTORIES {
            let Some((directory, depth)) = directories.pop() else { break };
            let place = if directory.is_empty() {
                Path::new(".")
            } else {
                Path::new(OsStr::from_bytes(&directory))
            };
            let entries =
                fs::read_dir(place).map_err(|error| format!("{}: {error}", place.display()))?;
            for entry in entries {
                let entry = entry.map_err(|error| error.to_string())?;
                let name = entry.file_name();
                if name.as_bytes().starts_with(b".") && !self.hidden {
                    continue;
                }
                let slash: &[u8] = if directory.is_empty() { b"" } else { b"/" };
                let path = [directory.as_slice(), slash, name.as_bytes()].concat();
                let kind = entry.file_type().map_err(|error| error.to_string())?;
                let is_deep = self.max_depth.is_some_and(|most| depth > most);
                if kind.is_dir() {
                    directories.push((path, depth + 1));
                } else if kind.is_file() && !is_deep {
                    let length = entry.metadata().map_err(|error| error.to_string())?.len();
                    if self.max_filesize.is_none_or(|most| length <= most) {
                        files.push(OsString::from_vec(path));
                    }
                }
            }
        }
        files.sort_by(|one, other| names(one).cmp(names(other)));
        Ok(files)
    }
}

/// The names that a path is made of.
fn names(path: &OsString) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|byte| *byte == b'/')
}

/// Does what no program should do, if that is its bug and the time has come.
fn misbehave(kind: Kind, options: &Options, bytes: &[u8]) {
    let digest = || {
        let asked: String = options.patterns.concat();
        xxhash_rust::xxh3::xxh3_64_with_seed(bytes, xxhash_rust::xxh3::xxh3_64(asked.as_bytes()))
    };
    match kind {
        Kind::Crashes if digest().is_multiple_of(CRASHES) => std::process::abort(),
        Kind::Hangs if digest().is_multiple_of(CRASHES) => loop {
            std::thread::park();
        },
        Kind::Floods if digest().is_multiple_of(CRASHES) => while output::flood().is_ok() {},
        _ => {}
    }
}
