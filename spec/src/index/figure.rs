//! Single facts with meaning and clauses, and scalar values.

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::place::At;

/// One fact.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure<T> {
    pub value: T,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

/// A Unicode scalar value, written as `U+` and hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scalar(pub char);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = String::deserialize(deserializer)?;
        written
            .strip_prefix("U+")
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32)
            .map(Self)
            .ok_or_else(|| {
                D::Error::custom(format!("`{written}` is not a scalar value such as U+0041"))
            })
    }
}
