//! Loads the specification and checks that its files fit together.
//!
//! Every file has a fixed name and shape. An extra or missing file, an unknown key, a duplicate id, a
//! dangling reference, and a requirement without verification are errors that name file and line.

use std::path::Path;

use crate::checks;
use crate::source::{LoadError, collect};
use crate::specification::Spec;

impl Spec {
    /// Loads the specification below `dir`.
    ///
    /// # Errors
    /// As [`Spec::from_sources`], and [`LoadError::Read`] if a file cannot be read.
    pub fn load(dir: &Path) -> Result<Self, LoadError> {
        let mut sources = Vec::new();
        collect(dir, "", &mut sources)?;
        Self::from_sources(sources)
    }

    /// Parses the specification from pairs of path, relative to its directory, and text.
    ///
    /// # Errors
    /// The first missing, unknown or malformed file; otherwise all duplicate ids, dangling
    /// references, and requirements without verification together.
    pub fn from_sources(sources: Vec<(String, String)>) -> Result<Self, LoadError> {
        let spec = Self::parse(sources)?;
        let findings = checks::structure(&spec);
        if findings.is_empty() { Ok(spec) } else { Err(LoadError::Defective(findings)) }
    }
}

#[cfg(test)]
mod tests;
