//! The specification, and copies of it in memory with one change.

use std::path::Path;

use crate::place::Finding;
use crate::source::{LoadError, collect};
use crate::specification::Spec;

/// The texts of the specification's files.
pub(crate) fn sources() -> Vec<(String, String)> {
    let mut sources = Vec::new();
    collect(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut sources).unwrap();
    sources
}

pub(crate) fn spec() -> Spec {
    Spec::from_sources(sources()).unwrap()
}

/// The texts with the first `old` of `file` replaced, and its line.
pub(crate) fn changed(file: &str, old: &str, new: &str) -> (Vec<(String, String)>, u64) {
    let mut sources = sources();
    let (_, text) = sources.iter_mut().find(|(name, _)| name == file).unwrap();
    let place = text.find(old).unwrap_or_else(|| panic!("`{old}` does not stand in {file}"));
    let line = text.split_at(place).0.matches('\n').count() as u64 + 1;
    *text = text.replacen(old, new, 1);
    (sources, line)
}

/// The loader's error for `sources`, which must be refused.
pub(crate) fn refused(sources: Vec<(String, String)>) -> LoadError {
    Spec::from_sources(sources).expect_err("the loader accepts a defective specification")
}

/// The findings for which the loader refuses `sources`.
pub(crate) fn defects(sources: Vec<(String, String)>) -> Vec<Finding> {
    match refused(sources) {
        LoadError::Defective(findings) => findings,
        other => panic!("refused for another reason: {other}"),
    }
}
