//! Where to look: the paths of a command line, and standard input where ripgrep searches it.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal as _},
    path::{Path, PathBuf},
};

use forge_search_engine::escape_name;

use crate::errors::Failure;

/// The path by which ripgrep shows standard input.
const STANDARD_INPUT: &str = "<stdin>";

/// A place that is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// As it was typed; `None` for the current directory that nobody typed.
    typed: Option<PathBuf>,
    /// Where it is, without links and `..`.
    real: Option<PathBuf>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    File,
    /// A pipe with a name, such as the shell's `<(command)`.
    Pipe,
    StandardInput,
}

impl Place {
    /// What paths below start with, if it was typed.
    pub(super) fn typed(&self) -> Option<&Path> {
        self.typed.as_deref()
    }

    /// The path that a request names; `None` for the current directory.
    pub(super) fn request_path(&self) -> Result<Option<&str>, Failure> {
        let Some(real) = &self.real else { return Ok(None) };
        let not_utf8 = || {
            let shown = escape_name(&real.to_string_lossy());
            Failure::new(format!("the path `{shown}` is not UTF-8; search a directory above it"))
        };
        real.to_str().ok_or_else(not_utf8).map(Some)
    }

    /// It has files that can be counted.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.kind, Kind::Directory | Kind::File)
    }

    /// The root that typing it permits to be searched.
    fn root(&self) -> Option<PathBuf> {
        match self.kind {
            Kind::Directory => self.real.clone(),
            Kind::File => self.real.as_ref().and_then(|real| real.parent()).map(Path::to_owned),
            Kind::Pipe | Kind::StandardInput => None,
        }
    }

    /// The path of what was found, as ripgrep shows it.
    pub(super) fn shown(&self, walked: &[u8]) -> Vec<u8> {
        let typed = self.typed.as_deref().unwrap_or(Path::new(""));
        let mut path = typed.as_os_str().as_encoded_bytes().to_vec();
        match self.kind {
            Kind::StandardInput => STANDARD_INPUT.as_bytes().to_vec(),
            Kind::File | Kind::Pipe => path,
            Kind::Directory => {
                if !path.is_empty() && !path.ends_with(b"/") {
                    path.push(b'/');
                }
                path.extend(walked);
                path
            }
        }
    }

    /// What is read as it comes.
    pub(super) fn stream(&self) -> io::Result<Option<Box<dyn BufRead>>> {
        Ok(match (self.kind, &self.typed) {
            (Kind::StandardInput, _) => Some(Box::new(io::stdin().lock())),
            (Kind::Pipe, Some(path)) => Some(Box::new(BufReader::new(File::open(path)?))),
            _ => None,
        })
    }
}

/// The places of a search.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) all: Vec<Place>,
    /// What is wrong with paths that cannot be searched.
    pub(super) missing: Vec<String>,
    /// Nothing was typed.
    pub(super) implicit: bool,
}

impl Places {
    /// The places of these paths. `streams`: without a path, and with `-`, standard input is one.
    pub(super) fn new(paths: &[PathBuf], streams: bool) -> Self {
        let mut places = Self::default();
        if paths.is_empty() {
            let kind =
                if streams && is_stdin_readable() { Kind::StandardInput } else { Kind::Directory };
            places.all.push(Place { typed: None, real: None, kind });
            places.implicit = true;
        }
        for path in paths {
            match place(path) {
                Ok(place) if !streams && place.root().is_none() => {
                    let shown = escape_name(&path.to_string_lossy());
                    places.missing.push(format!("{shown}: only files and directories are listed"));
                }
                Ok(place) => places.all.push(place),
                Err(err) => {
                    places.missing.push(format!("{}: {err}", escape_name(&path.to_string_lossy())));
                }
            }
        }
        places
    }

    /// The roots that typing them permits to be searched.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        self.all.iter().filter_map(Place::root).collect()
    }

    /// One file is searched, so its path need not be shown.
    pub(super) fn is_one_file(&self) -> bool {
        self.missing.is_empty()
            && matches!(self.all.as_slice(), [one] if one.kind != Kind::Directory)
    }

    /// Standard input is all that is searched.
    pub(super) fn is_stdin(&self) -> bool {
        self.missing.is_empty()
            && matches!(self.all.as_slice(), [one] if one.kind == Kind::StandardInput)
    }
}

fn place(path: &Path) -> io::Result<Place> {
    let typed = Some(path.to_owned());
    if path.as_os_str() == "-" {
        return Ok(Place { typed, real: None, kind: Kind::StandardInput });
    }
    let metadata = path.metadata()?;
    let kind = if metadata.is_dir() {
        Kind::Directory
    } else if is_pipe(metadata.file_type()) {
        Kind::Pipe
    } else {
        Kind::File
    };
    let real = if kind == Kind::Pipe { None } else { Some(dunce::canonicalize(path)?) };
    Ok(Place { typed, real, kind })
}

/// Whether standard input is searched where no path is given: it is a file, a pipe or a socket, and
/// nobody types it.
#[cfg(unix)]
fn is_stdin_readable() -> bool {
    use std::os::{fd::AsFd as _, unix::fs::FileTypeExt as _};
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return false;
    }
    let Ok(handle) = stdin.as_fd().try_clone_to_owned() else { return false };
    let kind = File::from(handle).metadata().map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
}

/// Elsewhere nobody tells, so `-` has to.
#[cfg(not(unix))]
fn is_stdin_readable() -> bool {
    let _ = io::stdin().is_terminal();
    false
}

#[cfg(unix)]
fn is_pipe(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: std::fs::FileType) -> bool {
    false
}
