//! Results on the disk.
//!
//! Responsible for: reading and writing the JSON document, and refusing what is none of ours with a
//! sentence that says why.
//! Not here: what it means ([`super::results`]), adding documents up ([`super::merge`]).
//! Invariants: a document of another shape is refused by its number, before anything else is looked
//! at.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::results::{Results, SCHEMA};

/// Largest document that is read, in bytes.
const MAX_BYTES: u64 = 512 << 20;

/// A document that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// It cannot be read or written.
    #[error("cannot use `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is larger than any run's.
    #[error("`{}` has {bytes} bytes, at most {MAX_BYTES} are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// It has another shape.
    #[error("`{}` has schema {found}, this program reads {SCHEMA}; make it again, or use the program that wrote it", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The number it names.
        found: u32,
    },
    /// It is not what `hunt` writes.
    #[error("`{}` is not what `touchstone hunt` writes", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// Where it differs.
        source: serde_json::Error,
    },
}

/// The part of the document that every shape has.
#[derive(Deserialize)]
struct Head {
    schema: u32,
}

impl Results {
    /// Reads a document.
    ///
    /// # Errors
    /// It cannot be read, is too large, has another schema, or is no such document.
    pub fn read(path: &Path) -> Result<Self, StoredError> {
        let io = |source| StoredError::Io { path: path.to_owned(), source };
        let bytes = fs::metadata(path).map_err(io)?.len();
        if bytes > MAX_BYTES {
            return Err(StoredError::TooLarge { path: path.to_owned(), bytes });
        }
        Self::parse(path, &fs::read(path).map_err(io)?)
    }

    /// Reads a document from bytes; the path is for complaints.
    ///
    /// # Errors
    /// It has another schema, or is no such document.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, StoredError> {
        let shape = |source| StoredError::Shape { path: path.to_owned(), source };
        let head: Head = serde_json::from_slice(bytes).map_err(shape)?;
        if head.schema != SCHEMA {
            return Err(StoredError::Schema { path: path.to_owned(), found: head.schema });
        }
        serde_json::from_slice(bytes).map_err(shape)
    }

    /// Writes the document, replacing what is there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoredError> {
        let told = Self { outcome: self.outcome(), ..self.clone() };
        let text = serde_json::to_string_pretty(&told)
            .map_err(|source| StoredError::Shape { path: path.to_owned(), source })?;
        let text = text + "\n";
        let io = |source| StoredError::Io { path: path.to_owned(), source };
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return fs::write(path, text).map_err(io);
        }
        // A concurrent reader gets the previous file or this one, complete.
        let place = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut partial = tempfile::Builder::new()
            .permissions(fs::Permissions::from_mode(0o666))
            .tempfile_in(place.unwrap_or(Path::new(".")))
            .map_err(io)?;
        partial.write_all(text.as_bytes()).map_err(io)?;
        partial.persist(path).map_err(|error| io(error.error))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn results_are_read_back_as_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.json");
        let results = sample::small();
        results.write(&path).unwrap();
        let told = Results { outcome: results.outcome(), ..results };
        assert_eq!(Results::read(&path).unwrap(), told);
    }

    #[test]
    fn another_schema_version_is_reported_before_unknown_keys() {
        let complaint = Results::parse(Path::new("r.json"), br#"{"schema": 7, "new_key": 1}"#)
            .unwrap_err()
            .to_string();
        assert!(complaint.contains("schema 7") && complaint.contains("`r.json`"), "{complaint}");
    }

    #[test]
    fn a_file_that_is_no_results_document_is_refused() {
        let complaint = Results::parse(Path::new("r.json"), b"{}").unwrap_err().to_string();
        assert!(complaint.contains("is not what `touchstone hunt` writes"), "{complaint}");
        assert!(matches!(Results::read(Path::new("no/such/file")), Err(StoredError::Io { .. })));
    }
}
