//! Values of YAML, read by one reader for all types.
//!
//! Responsible for: [`read`], a value with its place ([`At`]), and where a text is wrong
//! ([`YamlError`]). Not here: what a value means. Invariants: the place of an error is that of the
//! innermost value that is wrong.

mod access;
mod at;
mod error;
mod node;
mod value;

use serde::de::DeserializeOwned;

pub use at::At;
pub use error::YamlError;

/// The value that a text describes.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    T::deserialize(&node::parse(text)?)
}

#[cfg(test)]
mod tests;
