//! The index's part of `[tools.search]`: keys, defaults, bounds (section 13 of the document, E-A18,
//! E-C21, E-C50, D2, D10).
//!
//! Responsible for: the value of every key under the two presets, which values are acceptable, and
//! saying what would be. Left to the engine: reading configuration files, and doing what the
//! settings say. Invariants: a value that is refused changes nothing.

use super::{filter::DEFAULT_SEED, gram};

/// No bound but what JSON and TOML can carry exactly.
const UNCAPPED: u64 = 1 << 53;

/// Roots at most.
const MOST_ROOTS: usize = 64;

/// A value as a configuration file gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number that is not negative.
    Integer(u64),
    /// Any other number.
    Real(f64),
    /// A string.
    Text(String),
    /// A list of strings.
    Texts(Vec<String>),
    /// A list of whole numbers.
    Integers(Vec<u64>),
}

/// Why a value was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No such key.
    #[error("no such key")]
    Unknown,
    /// Not one of the values that are allowed.
    #[error("allowed: {0}")]
    Invalid(String),
}

/// Declares the words that a key may have.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)+ })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The one that a configuration file means.
            pub fn named(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.name() == text)
            }

            fn given(value: &Given) -> Result<Self, Refused> {
                let named = if let Given::Text(text) = value { Self::named(text) } else { None };
                named.ok_or_else(|| refused([$($text),+].join(", ").as_str()))
            }

            /// The word in a configuration file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }
    )*};
}

words! {
    /// `index_mode`.
    Mode {
        /// No index.
        Off = "off",
        /// One where the tree is large enough.
        Auto = "auto",
        /// One in any case.
        On = "on",
    }
    /// `index_storage`.
    StorageKind {
        /// In the process's memory.
        Memory = "memory",
        /// In a database in the cache directory.
        Sqlite = "sqlite",
    }
    /// `index_filter_layout`.
    FilterLayout {
        /// By n-gram.
        Factored = "factored",
        /// File by file.
        Packed = "packed",
    }
    /// `index_integrity_check`.
    IntegrityCheck {
        /// Only after an unclean end.
        Off = "off",
        /// Whenever the store is opened.
        OnOpen = "on_open",
        /// Now and then.
        Periodic = "periodic",
    }
}

/// Declares the settings: flags, whole numbers with bounds, and words out of a list; the rest is
/// written out below.
macro_rules! settings {
    (
        flags { $($(#[$flag_doc:meta])* $flag:ident = $flag_default:literal,)* }
        integers { $($(#[$integer_doc:meta])* $integer:ident = $documents:expr, $agent:expr, $least:expr, $most:expr;)* }
        words { $($(#[$word_doc:meta])* $word:ident: $choices:ident = $word_documents:ident, $word_agent:ident;)* }
    ) => {
        /// Everything that can be configured about the index.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Settings {
            $($(#[$flag_doc])* pub $flag: bool,)*
            $($(#[$integer_doc])* pub $integer: u64,)*
            $($(#[$word_doc])* pub $word: $choices,)*
            /// Where indexes are stored; empty: the user's cache directory.
            pub index_path: String,
            /// What is indexed; empty: the working directory.
            pub index_roots: Vec<String>,
            /// Share of a call's timeout that upkeep may take.
            pub index_maint_budget_fraction: f64,
            /// p: the false-positive rate that filters are sized for.
            pub bloom_target_fp_rate: f64,
            /// Levels that the fuzzy fallback tries, in order.
            pub fuzzy_fallback_levels: Vec<u64>,
        }

        impl Settings {
            /// Every key.
            pub const KEYS: &[&str] = &[
                $(stringify!($flag),)* $(stringify!($integer),)* $(stringify!($word),)*
                "index_path", "index_roots", "index_maint_budget_fraction", "bloom_target_fp_rate", "fuzzy_fallback_levels",
            ];

            fn preset(agent: bool) -> Self {
                Self {
                    $($flag: $flag_default,)*
                    $($integer: if agent { $agent } else { $documents },)*
                    $($word: if agent { $choices::$word_agent } else { $choices::$word_documents },)*
                    index_path: String::new(),
                    index_roots: Vec::new(),
                    index_maint_budget_fraction: 0.25,
                    bloom_target_fp_rate: 0.01,
                    fuzzy_fallback_levels: vec![1, 2, 3],
                }
            }

            /// Sets one key.
            ///
            /// # Errors
            /// [`Refused`] if there is no such key, or the value is not acceptable for it.
            pub fn set(&mut self, key: &str, value: Given) -> Result<(), Refused> {
                match key {
                    $(stringify!($flag) => self.$flag = flag(&value)?,)*
                    $(stringify!($integer) => self.$integer = integer(key, &value, $least, $most)?,)*
                    $(stringify!($word) => self.$word = $choices::given(&value)?,)*
                    _ => return self.set_other(key, value),
                }
                Ok(())
            }

            /// The value of a key, as it would be given; `None` if there is no such key.
            pub fn get(&self, key: &str) -> Option<Given> {
                Some(match key {
                    $(stringify!($flag) => Given::Flag(self.$flag),)*
                    $(stringify!($integer) => Given::Integer(self.$integer),)*
                    $(stringify!($word) => Given::Text(self.$word.name().to_owned()),)*
                    "index_path" => Given::Text(self.index_path.clone()),
                    "index_roots" => Given::Texts(self.index_roots.clone()),
                    "index_maint_budget_fraction" => Given::Real(self.index_maint_budget_fraction),
                    "bloom_target_fp_rate" => Given::Real(self.bloom_target_fp_rate),
                    "fuzzy_fallback_levels" => Given::Integers(self.fuzzy_fallback_levels.clone()),
                    _ => return None,
                })
            }
        }
    };
}

settings! {
    flags {
        /// Whether a failed build is tried again within the process.
        index_retry_on_failure = false,
        /// Whether an unfinished build is written down at the end of the process.
        index_checkpoint_on_shutdown = true,
        /// Whether the tree is watched.
        index_watch = true,
        /// Whether the index covers hidden files.
        index_default_hidden = false,
        /// Whether the index follows symbolic links.
        index_default_follow = false,
        /// Whether the index covers ignored files.
        index_default_no_ignore = false,
        /// Whether an index may be stored where others could read it.
        index_allow_insecure_persistence = false,
        /// Whether a literal search without a match is tried again fuzzily.
        fuzzy_fallback = false,
    }
    integers {
        /// More files than this are worth an index in `auto` mode.
        index_auto_threshold_files = 2_000, 2_000, 0, UNCAPPED;
        /// More bytes than this are worth an index in `auto` mode.
        index_auto_threshold_bytes = 500_000_000, 500_000_000, 0, UNCAPPED;
        /// Calls after which the thresholds are looked at again.
        index_auto_reeval_calls = 100, 100, 1, 1_000_000;
        /// How long a build may work, in milliseconds.
        index_build_timeout_ms = 300_000, 300_000, 1, 86_400_000;
        /// Files in a build; 0: any number.
        index_build_max_files = 0, 0, 0, UNCAPPED;
        /// Bytes read in a build; 0: any number.
        index_build_max_bytes = 0, 0, 0, UNCAPPED;
        /// Share of one processor that a build aims at.
        index_build_max_cpu_percent = 50, 50, 1, 100;
        /// Pause between batches of a build, in milliseconds.
        index_build_throttle_ms = 10, 10, 0, 1_000;
        /// Time without a search after which a build goes faster, in milliseconds.
        index_idle_boost_ms = 1_000, 1_000, 0, 3_600_000;
        /// How long the indexer may take to stop, in milliseconds.
        index_shutdown_timeout_ms = 5_000, 5_000, 0, 600_000;
        /// How long changes are collected, in milliseconds.
        index_watch_debounce_ms = 250, 250, 0, 60_000;
        /// Bytes of all stored indexes together.
        index_max_db_bytes = 1 << 30, 1 << 30, 1 << 20, UNCAPPED;
        /// Stored indexes.
        index_max_indexes = 10, 10, 1, 1_000;
        /// How long a locked store is waited for, in milliseconds.
        index_lock_timeout_ms = 250, 250, 0, 60_000;
        /// Calls after which the store is checked again, with `periodic` checks.
        index_integrity_period_calls = 200, 200, 1, 1_000_000;
        /// How long an index that outgrew its budget stays off, in milliseconds; 0: until the
        /// process ends (E-C21).
        index_disable_cooldown_ms = 0, 0, 0, 86_400_000;
        /// Files in one slice of a reconcile scan.
        reconcile_max_files = 50_000, 50_000, 1, UNCAPPED;
        /// How long one slice of a reconcile scan may take, in milliseconds.
        reconcile_max_ms = 2_000, 2_000, 1, 600_000;
        /// Files larger than this are not tokenized.
        index_max_tokenized_bytes = 1 << 20, 32 << 20, 4_096, 1 << 30;
        /// k: scalars in a gram.
        bloom_ngram_k = 3, 3, *gram::SIZES.start() as u64, *gram::SIZES.end() as u64;
        /// The seed of the second hash.
        bloom_hash_seed = DEFAULT_SEED, DEFAULT_SEED, 1, u64::MAX;
        /// Scalars that a pattern needs for the fuzzy fallback.
        fuzzy_min_pattern_len = 4, 4, 1, 65_536;
    }
    words {
        /// Whether there is an index.
        index_mode: Mode = Off, Auto;
        /// Where it is kept.
        index_storage: StorageKind = Sqlite, Sqlite;
        /// How filters are kept: factored by gram, or packed file by file (D2).
        index_filter_layout: FilterLayout = Factored, Factored;
        /// When the store is checked.
        index_integrity_check: IntegrityCheck = OnOpen, OnOpen;
    }
}

impl Settings {
    /// The documents' defaults: no index.
    pub fn documents() -> Self {
        Self::preset(false)
    }

    /// What the programs start with.
    pub fn agent() -> Self {
        Self::preset(true)
    }

    fn set_other(&mut self, key: &str, value: Given) -> Result<(), Refused> {
        match (key, value) {
            ("index_path", Given::Text(path)) => self.index_path = path,
            ("index_roots", Given::Texts(roots)) => self.index_roots = checked_roots(roots)?,
            ("index_maint_budget_fraction", value) => {
                self.index_maint_budget_fraction = real(&value, 0.0, 1.0)?;
            }
            ("bloom_target_fp_rate", value) => {
                self.bloom_target_fp_rate = real(&value, 0.000_001, 0.5)?;
            }
            ("fuzzy_fallback_levels", Given::Integers(levels)) => {
                self.fuzzy_fallback_levels = checked_levels(levels)?;
            }
            ("index_path", _) => return Err(refused("a path")),
            ("index_roots", _) => return Err(refused(ROOTS)),
            ("fuzzy_fallback_levels", _) => return Err(refused(LEVELS)),
            _ => return Err(Refused::Unknown),
        }
        Ok(())
    }
}

const ROOTS: &str = "at most 64 paths";
const LEVELS: &str = "1 to 4 rising levels from 1 to 4";

fn refused(allowed: &str) -> Refused {
    Refused::Invalid(allowed.to_owned())
}

fn flag(value: &Given) -> Result<bool, Refused> {
    match value {
        Given::Flag(flag) => Ok(*flag),
        _ => Err(refused("true, false")),
    }
}

fn integer(key: &str, value: &Given, least: u64, most: u64) -> Result<u64, Refused> {
    let number = match value {
        Given::Integer(number) => Some(*number),
        // It is larger than TOML's integers.
        Given::Text(text) if key == "bloom_hash_seed" => {
            text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
        }
        _ => None,
    };
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| Refused::Invalid(format!("{least} to {most}")))
}

fn real(value: &Given, least: f64, most: f64) -> Result<f64, Refused> {
    let number = match value {
        Given::Real(number) => Some(*number),
        Given::Integer(0) => Some(0.0),
        Given::Integer(1) => Some(1.0),
        _ => None,
    };
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| Refused::Invalid(format!("{least} to {most}")))
}

/// Roots; they may lie inside each other (D18).
fn checked_roots(roots: Vec<String>) -> Result<Vec<String>, Refused> {
    if roots.len() > MOST_ROOTS { Err(refused(ROOTS)) } else { Ok(roots) }
}

fn checked_levels(levels: Vec<u64>) -> Result<Vec<u64>, Refused> {
    let rising = levels.windows(2).all(|pair| matches!(pair, [before, after] if before < after));
    let bounded = levels.iter().all(|level| (1..=4).contains(level));
    if levels.is_empty() || !rising || !bounded { Err(refused(LEVELS)) } else { Ok(levels) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_read_and_set_to_its_value() {
        for mut settings in [Settings::documents(), Settings::agent()] {
            for key in Settings::KEYS {
                let value = settings.get(key).expect("a known key");
                assert_eq!(settings.set(key, value), Ok(()), "{key}");
            }
        }
        assert_eq!(Settings::documents().get("index"), None);
    }

    #[test]
    fn an_out_of_bounds_value_is_refused_with_the_bounds_and_changes_nothing() {
        let text = |text: &str| Given::Text(text.to_owned());
        let texts = |texts: &[&str]| Given::Texts(texts.iter().map(ToString::to_string).collect());
        for (key, value, allowed) in [
            ("index_max_tokenized_bytes", Given::Integer(4_095), "4096 to 1073741824"),
            ("index_build_max_cpu_percent", Given::Integer(101), "1 to 100"),
            ("bloom_ngram_k", Given::Integer(4), "2 to 3"),
            ("bloom_hash_seed", Given::Integer(0), "1 to 18446744073709551615"),
            ("bloom_target_fp_rate", Given::Real(f64::NAN), "0.000001 to 0.5"),
            ("index_maint_budget_fraction", Given::Real(1.01), "0 to 1"),
            ("index_mode", text("ON"), "off, auto, on"),
            ("index_watch", Given::Integer(1), "true, false"),
            ("index_roots", texts(&["/a"; MOST_ROOTS + 1]), ROOTS),
            ("fuzzy_fallback_levels", Given::Integers(vec![2, 1]), LEVELS),
            ("fuzzy_fallback_levels", Given::Integers(vec![]), LEVELS),
            ("fuzzy_fallback_levels", Given::Integers(vec![5]), LEVELS),
        ] {
            let mut settings = Settings::documents();
            assert_eq!(settings.set(key, value), Err(refused(allowed)), "{key}");
            assert_eq!(settings, Settings::documents());
        }
        let mut settings = Settings::documents();
        assert_eq!(settings.set("bloom_hash_seed", text("0x9E3779B97F4A7C15")), Ok(()));
        assert_eq!(settings.set("index_roots", texts(&["/a", "/a/b"])), Ok(()));
        assert_eq!(settings.set("nothing", Given::Flag(true)), Err(Refused::Unknown));
    }
}
