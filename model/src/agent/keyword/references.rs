//! Files that a query names (section 4).
//!
//! Everything is folded before it is compared, and by whole segments.

use crate::agent::identifier::is_word_character;
use crate::place::{self, Name};

/// The references of a query.
#[derive(Debug)]
pub(super) struct References(Vec<Reference>);

#[derive(Debug)]
struct Reference {
    /// Segments that must end a path; empty if the reference is no file name.
    segments: Vec<String>,
    /// Dotted names; empty if the reference is no module name.
    names: Vec<String>,
}

/// Base names that stand for their directory.
const OF_DIRECTORIES: [&str; 3] = ["__init__", "mod", "index"];

/// Least number of names in a module reference.
const LEAST_NAMES: usize = 2;

impl References {
    pub(super) fn of(query: &str) -> References {
        let query = query.replace("::", ".");
        let is_of_one = |one: char| is_word_character(one) || matches!(one, '.' | '/' | '\\' | '-');
        References(query.split(|one| !is_of_one(one)).map(Reference::of).collect())
    }

    /// Whether a reference names the file with this path below the search root.
    pub(super) fn name(&self, below_root: &[Name]) -> bool {
        let path: Vec<String> = below_root.iter().map(folded).collect();
        let module = module_path(&path);
        self.0
            .iter()
            .any(|reference| reference.names_file(&path) || reference.names_module(&module))
    }
}

impl Reference {
    fn of(run: &str) -> Reference {
        let run = run.to_ascii_lowercase().replace('\\', "/");
        let run = run.trim_end_matches(['.', '-']);
        let mut segments: Vec<String> = run
            .split('/')
            .filter(|segment| !matches!(*segment, "" | "." | ".."))
            .map(str::to_owned)
            .collect();
        let is_file = |segment: &String| segment.trim_start_matches('.').contains('.');
        if !segments.last().is_some_and(is_file) {
            segments.clear();
        }
        let mut names: Vec<String> =
            run.split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        if run.contains('/') || names.len() < LEAST_NAMES {
            names.clear();
        }
        Reference { segments, names }
    }

    fn names_file(&self, path: &[String]) -> bool {
        let is_one = !self.segments.is_empty() && !path.is_empty();
        is_one && (path.ends_with(&self.segments) || self.segments.ends_with(path))
    }

    fn names_module(&self, module: &[String]) -> bool {
        let ends = |names: &[String]| module.ends_with(names);
        (LEAST_NAMES..=self.names.len()).filter_map(|k| self.names.get(..k)).any(ends)
    }
}

/// A folded path with the stem instead of the base name, or without it.
fn module_path(path: &[String]) -> Vec<String> {
    let Some((base, directories)) = path.split_last() else { return Vec::new() };
    let mut module = directories.to_vec();
    let stem = stem(base);
    module.extend((!OF_DIRECTORIES.contains(&stem)).then(|| stem.to_owned()));
    module
}

/// A base name without its extension; a leading dot starts no extension.
pub(super) fn stem(base: &str) -> &str {
    base.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty()).unwrap_or(base)
}

fn folded(name: &Name) -> String {
    place::lossy(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
