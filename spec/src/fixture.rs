//! The specification as it stands, and copies of it in memory with one thing changed.

use std::path::Path;

use crate::load::{LoadError, Spec, collect};
use crate::place::Finding;

/// The texts of the specification's files.
pub(crate) fn sources() -> Vec<(String, String)> {
    let mut sources = Vec::new();
    collect(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut sources).unwrap();
    sources
}

/// The specification as it stands.
pub(crate) fn spec() -> Spec {
    Spec::from_sources(sources()).unwrap()
}

/// The texts with the first `old` of `file` replaced, and the line it stands in.
pub(crate) fn changed(file: &str, old: &str, new: &str) -> (Vec<(String, String)>, u64) {
    let mut sources = sources();
    let (_, text) = sources.iter_mut().find(|(name, _)| name == file).unwrap();
    let place = text.find(old).unwrap_or_else(|| panic!("`{old}` does not stand in {file}"));
    let line = text.split_at(place).0.matches('\n').count() as u64 + 1;
    *text = text.replacen(old, new, 1);
    (sources, line)
}

/// What the loader says about `sources`, which it must refuse.
pub(crate) fn refused(sources: Vec<(String, String)>) -> LoadError {
    Spec::from_sources(sources).expect_err("the loader accepts a defective specification")
}

/// The findings with which the loader refuses `sources`.
pub(crate) fn defects(sources: Vec<(String, String)>) -> Vec<Finding> {
    match refused(sources) {
        LoadError::Defective(findings) => findings,
        other => panic!("refused for another reason: {other}"),
    }
}
