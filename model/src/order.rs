//! Sort keys: ranks by the keys of a table, sorting, and the ranks of files and errors, which are
//! `path_sort_key` (section 3.4; ALG-LS-A2, ALG-LS-A3).
//!
//! Only a table's keys distinguish items. Different paths never have equal ranks, because raw bytes
//! break ties (E-B21).

use std::cmp::Reverse;

use unicode_normalization::UnicodeNormalization;

use crate::place::{self, Name};
use crate::tables::order::{By, Form, Key, Orders};

/// A compared value. Values of one key are of one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Nothing,
    Bytes(Vec<u8>),
    Number(u64),
    Rank(Rank),
}

impl Value {
    pub(crate) fn count(count: usize) -> Value {
        Value::Number(u64::try_from(count).unwrap_or(u64::MAX))
    }

    /// A score. None is negative, so the order of their bits is their order.
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

/// A position in an order: bytewise and number by number, key by key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(Vec<Directed>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Directed {
    Up(Value),
    Down(Reverse<Value>),
}

impl Rank {
    /// The rank of an item; `value` gives what keys compare.
    fn of(keys: &[Key], value: impl Fn(By) -> Value) -> Rank {
        let directed = |key: &Key| {
            let value = value(key.by).formed(key.form);
            if key.descending { Directed::Down(Reverse(value)) } else { Directed::Up(value) }
        };
        Rank(keys.iter().map(directed).collect())
    }

    /// The rank of a file or link with these names below the sandbox root (E-D02): by its path
    /// relative to the search root, or by its base name if it is the search root.
    pub(crate) fn of_file(orders: &Orders, names: &[Name], root: &[Name]) -> Rank {
        let below = names.strip_prefix(root).unwrap_or(names);
        let keyed =
            if below.is_empty() { names.last().map_or(below, std::slice::from_ref) } else { below };
        Rank::of_entry(orders, keyed, orders.suffixes.entry, names)
    }

    /// The rank of an error about a directory or an ignore file in it: before everything below the
    /// directory; first of all if the directory is the search root or above it.
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

/// Sorts items by a table's order; `value` gives what keys compare.
pub(crate) fn sort<T>(things: &mut [T], keys: &[Key], value: impl Fn(&T, By) -> Value) {
    // Items that the keys do not distinguish have no order, so their original one must not remain.
    things.reverse();
    things.sort_by_cached_key(|thing| Rank::of(keys, |by| value(thing, by)));
}

#[cfg(test)]
mod tests;
