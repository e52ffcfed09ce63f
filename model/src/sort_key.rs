//! The key by which files and problems are ordered.
//!
//! Responsible for: `path_sort_key` and places in the order (section 3.4; ALG-LS-A2, ALG-LS-A3).
//! Left to neighbours: which paths there are.
//! Invariants: two different paths never have equal positions, because raw bytes break ties (E-B21).

use unicode_normalization::UnicodeNormalization;

use crate::place::{self, Name};

/// A place in the order: bytewise by key on the whole path, then by raw path (E-D04).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    key: Vec<u8>,
    raw: Vec<u8>,
}

impl Position {
    /// The position of a file or link with these names below the sandbox root, seen from the search root (E-D02):
    /// its path relative to that, or its base name if it is the search root itself.
    pub(crate) fn of_file(names: &[Name], root: &[Name]) -> Position {
        let below = names.strip_prefix(root).unwrap_or(names);
        let keyed = if below.is_empty() { names.last().map_or(below, std::slice::from_ref) } else { below };
        Position { key: key(keyed), raw: place::join(names) }
    }

    /// The position of a problem with `path`, which is the directory with these names or an ignore file in it:
    /// before everything below the directory; first of all if that is the search root or lies above it.
    pub(crate) fn of_directory(directory: &[Name], root: &[Name], path: &[Name]) -> Position {
        let key = match directory.strip_prefix(root) {
            Some(below) if !below.is_empty() => [key(below), b"/".to_vec()].concat(),
            _ => Vec::new(),
        };
        Position { key, raw: place::join(path) }
    }
}

/// The path lossily decoded, in NFC, as UTF-8.
fn key(names: &[Name]) -> Vec<u8> {
    place::lossy(&place::join(names)).nfc().collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests;
