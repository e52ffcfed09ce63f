//! Values of YAML, read by one reader for all types.
//!
//! Responsible for: [`read`], and where a text is wrong ([`YamlError`]). Not here: what a value
//! means. Invariants: the place of an error is that of the innermost value that is wrong.

use serde::de::{DeserializeOwned, Error as _};

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line}, column {column}")]
pub struct YamlError {
    /// What is wrong.
    pub message: String,
    /// The line, from 1; 0 if it has no place.
    pub line: u64,
    /// The column, from 1; 0 if it has no place.
    pub column: u64,
}

/// The value that a text describes.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    let value = serde_yaml::with_deserializer_from_str(text, |yaml| {
        let mut erased = <dyn erased_serde::Deserializer>::erase(yaml);
        erased_serde::deserialize(&mut erased).map_err(serde_yaml::Error::custom)
    });
    value.map_err(|error| placed(error.without_snippet().to_string()))
}

/// Every level that an error passes through writes its own place behind it.
fn placed(mut message: String) -> YamlError {
    let (mut line, mut column) = (0, 0);
    while let Some((rest, place)) = message.rsplit_once(" at line ")
        && let Some((of_line, of_column)) = place.split_once(", column ")
        && let (Ok(of_line), Ok(of_column)) = (of_line.parse(), of_column.parse())
    {
        (line, column) = (of_line, of_column);
        message.truncate(rest.len());
    }
    YamlError { message, line, column }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_innermost_place_is_that_of_an_error() {
        let wrong = read::<BTreeMap<String, Vec<u8>>>("a: [1]\nb:\n  - 2\n  - x\n").unwrap_err();
        assert_eq!((wrong.line, wrong.column), (4, 5), "{wrong}");
        assert!(!wrong.message.contains("line"), "{wrong}");
        let open = read::<Vec<u8>>("[1, 2\n").unwrap_err();
        assert_ne!(open.line, 0, "{open}");
        assert_eq!(read::<Vec<u8>>("[1, 2]"), Ok(vec![1, 2]));
    }
}
