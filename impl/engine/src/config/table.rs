//! Tables of configuration, one row for each key: name, type, values in both presets, range.
//!
//! Responsible for: the macro that makes a struct of such rows, with its presets, readers and
//! ranges; how a value of each type is read. Not here: the rows ([`super`] and its modules).

use std::path::PathBuf;

use forge_search_core::{request::CaseMode, response::StatsDetail, search_files::Mode};
use toml::{Table, Value};

use super::{BackendChoice, ConfigError, FilesBackend};
use crate::language_model::Protocol;

/// A value of a key.
pub(super) trait Setting: Sized {
    /// Reads the value of `key`, without a look at the key's range.
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError>;

    /// The number that has to be in the key's range, if there is one.
    fn number(&self) -> Option<u64> {
        None
    }
}

/// Declares a table: a field of the struct is a key. A row is `key: type = value in preset
/// documents, value in preset agent;`, with the range of a number behind a further comma. Fields
/// behind `and` are no keys of the table; each has a function from preset to value.
macro_rules! table {
    (
        $(#[$about:meta])*
        $name:ident = $table:literal {
            $($(#[$doc:meta])* $key:ident: $type:ty = $documents:expr, $agent:expr $(, $range:expr)?;)*
        }
        $(and {
            $($(#[$other_doc:meta])* $other:ident: $other_type:ty = $of_preset:expr;)*
        })?
    ) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$doc])* pub $key: $type,)*
            $($($(#[$other_doc])* pub $other: $other_type,)*)?
        }

        impl $name {
            /// The keys of the table.
            pub(super) const KEYS: &[&str] = &[$(stringify!($key)),*];

            /// The preset's values.
            pub fn preset(preset: Preset) -> Self {
                let agent = preset == Preset::Agent;
                Self {
                    $($key: if agent { $agent } else { $documents },)*
                    $($($other: { let of_preset: fn(Preset) -> $other_type = $of_preset; of_preset(preset) },)*)?
                }
            }

            /// The keys that hold a number with a range: name, value, minimum and maximum.
            pub fn ranges(&self) -> Vec<(&'static str, u64, u64, u64)> {
                let mut ranges = Vec::new();
                $($(if let Some(number) = Setting::number(&self.$key) {
                    ranges.push((stringify!($key), number, *$range.start(), *$range.end()));
                })?)*
                ranges
            }

            /// Sets the key `name`, of which `key` is the full name.
            pub(super) fn set(
                &mut self,
                key: &str,
                name: &str,
                value: &Value,
            ) -> Result<(), ConfigError> {
                match name {
                    $(stringify!($key) => self.$key = Setting::read(key, value)?,)*
                    _ => return Err(unknown(key, Self::KEYS)),
                }
                Ok(())
            }

            pub(super) fn check_ranges(&self) -> Result<(), ConfigError> {
                for (name, value, least, most) in self.ranges() {
                    if !(least..=most).contains(&value) {
                        let key = format!(concat!($table, ".{}"), name);
                        return Err(out_of_range(&key, value, least, most));
                    }
                }
                Ok(())
            }
        }
    };
}
pub(super) use table;

/// Reads words.
macro_rules! words {
    ($($type:ty { $($word:literal = $value:ident),+ })*) => {$(
        impl Setting for $type {
            fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
                match value.as_str() {
                    $(Some($word) => Ok(Self::$value),)+
                    _ => Err(invalid(key, value, &[$($word),+].join(", "))),
                }
            }
        }
    )*};
}

words! {
    BackendChoice { "auto" = Auto, "native" = Native, "rg" = Rg, "ugrep" = Ugrep }
    StatsDetail { "proof" = Proof, "all" = All }
    FilesBackend { "native" = Native, "rg" = Rg, "ugrep" = Ugrep }
    Mode { "exact" = Exact, "regex" = Regex, "fuzzy" = Fuzzy }
    CaseMode { "sensitive" = Sensitive, "insensitive" = Insensitive, "smart" = Smart }
    Protocol { "openai" = OpenAi, "anthropic" = Anthropic, "ollama" = Ollama }
}

impl Setting for bool {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        value.as_bool().ok_or_else(|| invalid(key, value, "true, false"))
    }
}

impl Setting for u64 {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        let positive = value.as_integer().and_then(|number| Self::try_from(number).ok());
        positive.ok_or_else(|| invalid(key, value, "a positive integer"))
    }

    fn number(&self) -> Option<u64> {
        Some(*self)
    }
}

impl Setting for usize {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        u64::read(key, value).map(|number| Self::try_from(number).unwrap_or(Self::MAX))
    }

    fn number(&self) -> Option<u64> {
        u64::try_from(*self).ok()
    }
}

/// `None` is no limit, which only a preset sets.
impl Setting for Option<u64> {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        u64::read(key, value).map(Some)
    }

    fn number(&self) -> Option<u64> {
        *self
    }
}

impl Setting for String {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        value.as_str().map(str::to_owned).ok_or_else(|| invalid(key, value, "a string"))
    }
}

impl Setting for Vec<String> {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        let items = value.as_array().ok_or_else(|| invalid(key, value, "an array of strings"))?;
        items.iter().map(|item| String::read(key, item)).collect()
    }
}

impl Setting for Vec<PathBuf> {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        Vec::<String>::read(key, value).map(|texts| texts.into_iter().map(PathBuf::from).collect())
    }
}

pub(super) fn as_table<'v>(key: &str, value: &'v Value) -> Result<&'v Table, ConfigError> {
    value.as_table().ok_or_else(|| invalid(key, value, "a table"))
}

pub(super) fn invalid(key: &str, value: &Value, allowed: &str) -> ConfigError {
    refused(key, &value.to_string(), allowed)
}

pub(super) fn out_of_range(key: &str, value: u64, least: u64, most: u64) -> ConfigError {
    refused(key, &value.to_string(), &format!("{least} to {most}"))
}

pub(super) fn refused(key: &str, value: &str, allowed: &str) -> ConfigError {
    ConfigError::Invalid {
        key: key.to_owned(),
        value: value.to_owned(),
        allowed: allowed.to_owned(),
    }
}

pub(super) fn unknown(key: &str, known: &[&str]) -> ConfigError {
    ConfigError::UnknownKey { key: key.to_owned(), known: known.join(", ") }
}
