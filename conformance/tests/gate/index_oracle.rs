//! The goldens of the index's mathematics, as they lie in `golden/index`.
//!
//! Responsible for: reading texts, patterns and the oracle's answers, strictly, and the parameters
//! of both sides. Not here: what the answers are held against (`index_goldens`).
//! Invariants: a field that is not known here is an error, so that nothing the oracle says goes
//! unread.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use forge_search_core::index::filter::FilterParameters;
use serde::Deserialize;
use touchstone::golden;
use touchstone_model::generated::index::INDEX;
use touchstone_model::index::filter;
use touchstone_model::index::tables::IndexTables;

pub(crate) static TABLES: IndexTables<'static> = INDEX;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    pub(crate) parameters: BTreeMap<String, Set>,
    pub(crate) texts: Vec<Text>,
}

/// One set of parameters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Set {
    pub(crate) max_tokenized_bytes: u64,
    pub(crate) ngram_k: usize,
    pub(crate) fp_rate: f64,
    pub(crate) hash_seed: String,
    pub(crate) fold: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    pub(crate) id: String,
    #[serde(rename = "about")]
    _about: String,
    pub(crate) with: BTreeSet<String>,
    #[serde(rename = "text")]
    pub(crate) plain: Option<String>,
    pub(crate) hex: Option<String>,
    pub(crate) repeat: Option<String>,
    pub(crate) times: Option<usize>,
    pub(crate) same_grams_as: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    pub(crate) id: String,
    pub(crate) length: usize,
    pub(crate) answers: BTreeMap<String, Answer>,
}

/// What the oracle says of one text under one set of parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    pub(crate) parameters: Set,
    pub(crate) n: u64,
    pub(crate) m: u64,
    pub(crate) k_hashes: u64,
    pub(crate) hash_seed_stored: i64,
    pub(crate) token_status: String,
    pub(crate) token_complete: bool,
    pub(crate) tokenized_bytes: u64,
    pub(crate) windows: usize,
    pub(crate) grams: BTreeMap<String, Vec<(String, Vec<u64>)>>,
    pub(crate) packed: BTreeMap<String, Packed>,
    pub(crate) excluded: BTreeMap<String, BTreeSet<String>>,
}

/// A packed filter: whole if it is short, by its digest if not.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Packed {
    pub(crate) bits_set: u64,
    pub(crate) bytes: usize,
    pub(crate) hex: Option<Vec<String>>,
    pub(crate) xxh64: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Literal {
    pub(crate) id: String,
    #[serde(rename = "about")]
    _about: String,
    pub(crate) pattern: String,
    pub(crate) ngram_k: usize,
    pub(crate) fuzzy: bool,
    pub(crate) variant: BTreeMap<String, String>,
    pub(crate) needed: BTreeMap<String, BTreeMap<String, Option<Vec<String>>>>,
}

fn read<T: for<'de> Deserialize<'de>>(name: &str) -> T {
    let path = golden::directory("index").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn asked() -> Asked {
    read("texts.json")
}

pub(crate) fn literals() -> Vec<Literal> {
    read("patterns.json")
}

impl Text {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match (&self.plain, &self.hex, &self.repeat) {
            (Some(text), None, None) => text.clone().into_bytes(),
            (None, Some(hex), None) => {
                hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
            }
            (None, None, Some(piece)) => piece.repeat(self.times.unwrap()).into_bytes(),
            _ => panic!("{} has not exactly one kind of contents", self.id),
        }
    }

    pub(crate) fn expected(&self) -> Expected {
        let expected: Expected = read(&format!("expected/{}.json", self.id));
        assert_eq!(expected.id, self.id);
        expected
    }
}

impl Set {
    pub(crate) fn seed(&self) -> u64 {
        u64::from_str_radix(self.hash_seed.strip_prefix("0x").unwrap(), 16).unwrap()
    }

    pub(crate) fn production(&self) -> FilterParameters {
        FilterParameters::sized(self.max_tokenized_bytes, self.fp_rate, self.seed())
    }

    pub(crate) fn model(&self) -> filter::Scheme<'static> {
        filter::Scheme::new(&TABLES.filter, self.max_tokenized_bytes, self.fp_rate, self.seed())
    }
}
