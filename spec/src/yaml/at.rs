//! A value with its line.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// By this name the reader knows that a value's line is wanted.
pub(super) const NAME: &str = "touchstone_spec::yaml::At";

/// A value with its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At<T> {
    pub value: T,
    /// From 1; 0 where the reader did not know it: inside of what serde buffers.
    pub line: u64,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, AtVisitor(PhantomData))
    }
}

/// Takes the line and the value from this reader, and the value alone from any other.
struct AtVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for AtVisitor<T> {
    type Value = At<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<At<T>, A::Error> {
        let missing = || A::Error::custom("a line and a value are one value");
        let line = seq.next_element()?.ok_or_else(missing)?;
        Ok(At { value: seq.next_element()?.ok_or_else(missing)?, line })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<At<T>, D::Error> {
        Ok(At { value: T::deserialize(value)?, line: 0 })
    }
}
