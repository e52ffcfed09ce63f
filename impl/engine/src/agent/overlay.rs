//! `.agent/config.yml` in the working directory: what a tree may lower of the agent's configuration
//! (docs/agent-tools.md, section 9).
//!
//! Responsible for: reading the file anew when it is another one; which of its keys count; saying
//! what is wrong with it. Not here: the service's own configuration ([`crate::config`]); what its
//! values do. Invariants: whatever the file holds, no value is above the service's own; no file
//! outside the working directory is opened, nor one behind a link; no more than `MOST_BYTES` of it
//! are read; a file that cannot be used changes nothing.

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

/// Where the file is, below the working directory.
const PLACE: &str = ".agent/config.yml";

/// Larger files are not read: nobody writes so much by hand.
const MOST_BYTES: u64 = 64 << 10;

/// What the file of one working directory says, and which file that was.
#[derive(Debug)]
pub(crate) struct Overlay {
    working_dir: PathBuf,
    cached: Mutex<CachedFile>,
}

/// What is known of the file.
#[derive(Debug)]
struct CachedFile {
    /// None if it has to be read before it is believed: never read, not there, or read too soon
    /// after a change.
    fingerprint: Option<Fingerprint>,
    content: Result<OverlayFile, String>,
}

impl CachedFile {
    /// That of a file that has not been read, or is not there.
    fn empty() -> Self {
        Self { fingerprint: None, content: Ok(OverlayFile::empty()) }
    }
}

impl Overlay {
    /// That of this working directory. Nothing is read yet.
    pub(crate) fn new(working_dir: PathBuf) -> Self {
        Self { working_dir, cached: Mutex::new(CachedFile::empty()) }
    }

    /// The configuration that counts now: `base`, with what the file lowers. And what is wrong with
    /// the file, if anything is.
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

    /// Reads the file if it is not the one that is known.
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
                // It could be changed once more without looking any different.
                fingerprint: Some(fingerprint).filter(|found| !found.is_racy(read_ns)),
                content: text.and_then(|text| OverlayFile::parse(&text)),
            },
            Err(_) if is_linked(&root) => {
                let why =
                    "it is behind a symbolic link, and none is followed; put the file itself there";
                CachedFile { fingerprint: None, content: Err(why.to_owned()) }
            }
            // Neither the file nor, perhaps, its directory.
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

/// What the file is, taken before it is read, and its text, or why there is none.
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

/// Now, as files' times are counted.
fn now_ns() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
