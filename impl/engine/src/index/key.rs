//! The identity of an index (FR-LSI-IDX-KEY-01, E-C47): every component by name, and the hash that
//! names its file.

use std::path::{Path, PathBuf};

use forge_search_core::index::{
    filter::FilterParameters,
    fold::Fold,
    settings::{FilterLayout, Settings},
    tokens::{Parameters, UNICODE_VERSION},
};
use xxhash_rust::xxh3::xxh3_128;

use crate::root::path_bytes;

/// Version of the stored form. A stored index of another version is not used.
pub(crate) const SCHEMA: i64 = 4;

/// The n-grams, the version of Unicode that puts them into NFC, and the hash (E-A21). ASCII, which
/// is all that `Search` folds, is the same in all versions.
fn tokenizer() -> String {
    let (major, minor, patch) = UNICODE_VERSION;
    format!("scalar-grams/1 nfc=unicode-{major}.{minor}.{patch} xxh64")
}

/// The key of an index.
#[expect(clippy::struct_excessive_bools, reason = "independent components")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    /// Canonical.
    pub(crate) root: PathBuf,
    pub(crate) hidden: bool,
    pub(crate) follow: bool,
    pub(crate) no_ignore: bool,
    pub(crate) fold: Fold,
    pub(crate) tokens: Parameters,
    pub(crate) filter: FilterParameters,
    pub(crate) fp_rate: f64,
    pub(crate) packed: bool,
}

/// A component's value in the store.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Key {
    /// The key of the index of `root` under these settings. `Search` folds ASCII (FR-LS-SRC-04).
    pub(crate) fn new(root: &Path, settings: &Settings) -> Self {
        let max_bytes = settings.index_max_tokenized_bytes;
        let fp_rate = settings.bloom_target_fp_rate;
        Self {
            root: root.to_owned(),
            hidden: settings.index_default_hidden,
            follow: settings.index_default_follow,
            no_ignore: settings.index_default_no_ignore,
            fold: Fold::Ascii,
            tokens: Parameters {
                max_bytes,
                ngram: usize::try_from(settings.bloom_ngram_k).unwrap_or(3),
            },
            filter: FilterParameters::sized(max_bytes, fp_rate, settings.bloom_hash_seed),
            fp_rate,
            packed: settings.index_filter_layout == FilterLayout::Packed,
        }
    }

    /// Every component, under the name it is stored by.
    pub(crate) fn components(&self) -> Vec<(&'static str, Value)> {
        let number = |number: u64| Value::Number(number.cast_signed());
        let flag = |flag: bool| Value::Number(i64::from(flag));
        vec![
            ("schema_version", Value::Number(SCHEMA)),
            ("root", Value::Bytes(path_bytes(&self.root))),
            ("hidden", flag(self.hidden)),
            ("follow", flag(self.follow)),
            ("no_ignore", flag(self.no_ignore)),
            ("tokenizer", Value::Text(tokenizer())),
            ("unicode_normalization", Value::Text("NFC".to_owned())),
            ("casefold_strategy", Value::Text(self.fold.name().to_owned())),
            ("max_tokenized_bytes", number(self.tokens.max_bytes)),
            ("bloom_ngram_k", number(self.tokens.ngram as u64)),
            ("bloom_m_bits", number(self.filter.bits)),
            ("bloom_k_hashes", number(u64::from(self.filter.hashes))),
            ("bloom_hash_seed", number(self.filter.seed)),
            ("bloom_target_fp_rate", Value::Real(self.fp_rate)),
            ("bloom_basis_ngrams", number((self.tokens.max_bytes / 2).max(1))),
            ("layout", Value::Text(if self.packed { "packed" } else { "factored" }.to_owned())),
        ]
    }

    /// The hash of all components: the name of the index's files.
    pub(crate) fn hash(&self) -> String {
        let mut text = Vec::new();
        for (name, value) in self.components() {
            text.extend_from_slice(name.as_bytes());
            text.push(0);
            match value {
                Value::Number(number) => text.extend_from_slice(&number.to_le_bytes()),
                Value::Real(number) => text.extend_from_slice(&number.to_bits().to_le_bytes()),
                Value::Text(value) => text.extend_from_slice(value.as_bytes()),
                Value::Bytes(bytes) => {
                    text.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
                    text.extend_from_slice(&bytes);
                }
            }
            text.push(0xFF);
        }
        format!("{:032x}", xxh3_128(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokenizer_name_in_the_key_holds_the_unicode_version() {
        let (major, minor, patch) = UNICODE_VERSION;
        let components = Key::new(Path::new("/tree"), &Settings::agent()).components();
        let tokenizer =
            components.iter().find(|(name, _)| *name == "tokenizer").map(|(_, value)| value);
        let Some(Value::Text(name)) = tokenizer else { panic!("{tokenizer:?}") };
        assert!(name.contains(&format!("unicode-{major}.{minor}.{patch} ")), "{name}");
    }

    #[test]
    fn each_key_component_changes_the_hash_and_other_settings_do_not() {
        let settings = Settings::agent();
        let key = Key::new(Path::new("/tree"), &settings);
        assert_eq!(key.hash(), Key::new(Path::new("/tree"), &settings).hash());
        let others = [
            Key::new(Path::new("/tree2"), &settings),
            Key { hidden: true, ..key.clone() },
            Key { follow: true, ..key.clone() },
            Key { no_ignore: true, ..key.clone() },
            Key { fold: Fold::UnicodeSimple, ..key.clone() },
            Key { packed: true, ..key.clone() },
            Key { fp_rate: 0.02, ..key.clone() },
            Key { tokens: Parameters { ngram: 2, ..key.tokens }, ..key.clone() },
            Key { tokens: Parameters { max_bytes: 9, ..key.tokens }, ..key.clone() },
            Key { filter: FilterParameters { seed: 9, ..key.filter }, ..key.clone() },
        ];
        for other in others {
            assert_ne!(other.hash(), key.hash(), "{other:?}");
        }
        let timed = Settings { index_watch_debounce_ms: 1, index_max_indexes: 3, ..settings };
        assert_eq!(key.hash(), Key::new(Path::new("/tree"), &timed).hash());
    }
}
