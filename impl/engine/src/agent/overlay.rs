//! `.agent/config.yml` in the working directory: limits of the agent's configuration that a tree
//! may lower (docs/agent-tools.md, section 9).
//!
//! Responsible for: reading the file again when it changed; its keys; messages about errors in it.
//! Not here: the service's own configuration ([`crate::config`]); the effect of the values.
//! Invariants: no value exceeds the service's own; no file outside the working directory or behind
//! a link is opened; at most `MOST_BYTES` are read; an unusable file changes nothing.

use std::{
    io::{self, Read},
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use forge_search_core::{content::escape_name, index::segment::Fingerprint};
use parking_lot::Mutex;

use crate::{
    config::AgentConfig,
    root::{Kind, Root, of_file},
};

mod file;

use file::OverlayFile;

/// The file's path below the working directory.
const PLACE: &str = ".agent/config.yml";

/// Larger files are not read.
const MOST_BYTES: u64 = 64 << 10;

/// The overlay of one working directory.
#[derive(Debug)]
pub(crate) struct Overlay {
    working_dir: PathBuf,
    cached: Mutex<CachedFile>,
}

/// The content of the file as it was read last.
#[derive(Debug)]
struct CachedFile {
    /// `None` if the file must be read again: never read, missing, or read too soon after a change.
    fingerprint: Option<Fingerprint>,
    content: Result<OverlayFile, String>,
}

impl CachedFile {
    /// A missing or unread file.
    fn empty() -> Self {
        Self { fingerprint: None, content: Ok(OverlayFile::empty()) }
    }
}

impl Overlay {
    /// The overlay of a working directory. Reads nothing.
    pub(crate) fn new(working_dir: PathBuf) -> Self {
        Self { working_dir, cached: Mutex::new(CachedFile::empty()) }
    }

    /// The current configuration: `base`, lowered by the file; and a message if the file has
    /// errors.
    pub(crate) fn current(&self, base: &AgentConfig) -> (AgentConfig, Option<String>) {
        let mut cached = self.cached.lock();
        self.refresh(&mut cached);
        match &cached.content {
            Ok(content) => content.lower(base),
            Err(why) => {
                let wrong = format!(
                    "`{PLACE}` cannot be used: {why}. Nothing of it has any effect until it is mended or removed."
                );
                (base.clone(), Some(wrong))
            }
        }
    }

    /// Reads the file if it changed.
    fn refresh(&self, cached: &mut CachedFile) {
        let root = match Root::open(&self.working_dir) {
            Ok(root) => root,
            Err(err) => {
                *cached =
                    CachedFile { fingerprint: None, content: Err(escape_name(&err.to_string())) };
                return;
            }
        };
        let found = root.stat(PLACE.as_bytes()).ok();
        if found.is_some_and(|found| cached.fingerprint == Some(found.fingerprint)) {
            return;
        }
        let read_ns = now_ns();
        *cached = match read(&root) {
            Ok((fingerprint, text)) => CachedFile {
                // It could change again without a new fingerprint.
                fingerprint: Some(fingerprint).filter(|found| !found.is_racy(read_ns)),
                content: text.and_then(|text| OverlayFile::parse(&text)),
            },
            Err(_) if is_linked(&root) => {
                let why =
                    "it is behind a symbolic link, and none is followed; put the file itself there";
                CachedFile { fingerprint: None, content: Err(why.to_owned()) }
            }
            // No file, or no directory.
            Err(err)
                if matches!(err.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                CachedFile::empty()
            }
            Err(err) => {
                CachedFile { fingerprint: None, content: Err(escape_name(&err.to_string())) }
            }
        };
    }
}

/// Whether the file, or the directory it is in, is a symbolic link.
fn is_linked(root: &Root) -> bool {
    let is_link =
        |place: &str| root.stat(place.as_bytes()).is_ok_and(|found| found.kind == Kind::Symlink);
    is_link(PLACE) || PLACE.split_once('/').is_some_and(|(directory, _)| is_link(directory))
}

/// The fingerprint, taken before reading, and the text or an error.
fn read(root: &Root) -> io::Result<(Fingerprint, Result<String, String>)> {
    let (file, _) = root.open_file(PLACE.as_bytes())?;
    let fingerprint = of_file(&file)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Ok((fingerprint, Err(format!("it is larger than {MOST_BYTES} bytes"))));
    }
    Ok((fingerprint, String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())))
}

/// The current time by the clock of file times.
fn now_ns() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
