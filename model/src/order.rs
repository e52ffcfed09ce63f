//! Order: what the keys of a table make of things.
//!
//! Responsible for: ranks, sorting by them, and the rank of files and of places of problems, which
//! is `path_sort_key`
//! (section 3.4; ALG-LS-A2, ALG-LS-A3).
//! Left to neighbours: which things there are; what is compared of them, and in which order (the
//! tables).
//! Invariants: nothing but a table's keys tells things apart. Two different paths never have equal
//! ranks, because raw
//! bytes break ties (E-B21).

use std::cmp::Reverse;

use unicode_normalization::UnicodeNormalization;

use crate::place::{self, Name};
use crate::tables::order::{By, Form, Key, Orders};

/// What is compared of a thing. Values of one key are of one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    /// The thing has no such value.
    Nothing,
    Bytes(Vec<u8>),
    Number(u64),
    Rank(Rank),
}

impl Value {
    pub(crate) fn count(count: usize) -> Value {
        Value::Number(u64::try_from(count).unwrap_or(u64::MAX))
    }

    /// A score. None is negative, so that their bits are in their order.
    pub(crate) fn score(score: f64) -> Value {
        Value::Number(score.to_bits())
    }

    fn formed(self, form: Form) -> Value {
        match (form, self) {
            (Form::Nfc, Value::Bytes(bytes)) => {
                Value::Bytes(place::lossy(&bytes).nfc().collect::<String>().into_bytes())
            }
            (_, value) => value,
        }
    }
}

/// A place in an order: bytewise and number by number, key for key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(Vec<Directed>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Directed {
    Up(Value),
    Down(Reverse<Value>),
}

impl Rank {
    /// The rank of something of which `value` is what keys compare.
    fn of(keys: &[Key], value: impl Fn(By) -> Value) -> Rank {
        let directed = |key: &Key| {
            let value = value(key.by).formed(key.form);
            if key.descending { Directed::Down(Reverse(value)) } else { Directed::Up(value) }
        };
        Rank(keys.iter().map(directed).collect())
    }

    /// The rank of a file or link with these names below the sandbox root, seen from the search
    /// root (E-D02):
    /// by its path relative to that, or its base name if it is the search root itself.
    pub(crate) fn of_file(orders: &Orders, names: &[Name], root: &[Name]) -> Rank {
        let below = names.strip_prefix(root).unwrap_or(names);
        let keyed =
            if below.is_empty() { names.last().map_or(below, std::slice::from_ref) } else { below };
        Rank::of_entry(orders, keyed, orders.suffixes.entry, names)
    }

    /// The rank of a problem with `path`, which is the directory with these names or an ignore file
    /// in it:
    /// before everything below the directory; first of all if that is the search root or lies above
    /// it.
    pub(crate) fn of_directory(
        orders: &Orders,
        directory: &[Name],
        root: &[Name],
        path: &[Name],
    ) -> Rank {
        match directory.strip_prefix(root) {
            Some(below) if !below.is_empty() => {
                Rank::of_entry(orders, below, orders.suffixes.directory, path)
            }
            _ => Rank::of_entry(orders, &[], orders.suffixes.root, path),
        }
    }

    fn of_entry(orders: &Orders, path: &[Name], suffix: &str, entry: &[Name]) -> Rank {
        Rank::of(orders.files, |by| match by {
            By::Path => Value::Bytes([place::join(path), suffix.as_bytes().to_vec()].concat()),
            By::Entry => Value::Bytes(place::join(entry)),
            _ => Value::Nothing,
        })
    }
}

/// Puts things into the order that a table gives them; `value` is what keys compare of one.
pub(crate) fn sort<T>(things: &mut [T], keys: &[Key], value: impl Fn(&T, By) -> Value) {
    // What the keys do not tell apart has no order, so the one that things come in must not pass
    // for it.
    things.reverse();
    things.sort_by_cached_key(|thing| Rank::of(keys, |by| value(thing, by)));
}

#[cfg(test)]
mod tests;
