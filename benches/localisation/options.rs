//! What the command line asks for.

use std::path::PathBuf;

use crate::tasks::Set;

const USAGE: &str =
    "usage: localisation MIRRORS [--set tuning|held-back|all] [--only SET] [--sample N]
    [--terms rule|none] [--no-rivals] [--by repository] [--each] [--fetch]
SET is one of swe-bench-lite, swe-bench-verified, multi-swe-bench, semble";

/// Which parts of the published data are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Those that ranking may be chosen by.
    Tuning,
    /// The others, for a figure at the end.
    HeldBack,
    /// Both.
    All,
}

impl Parts {
    /// Whether a task is asked that ranking may, or may not, be chosen by.
    pub(crate) const fn hold(self, tuning: bool) -> bool {
        match self {
            Self::Tuning => tuning,
            Self::HeldBack => !tuning,
            Self::All => true,
        }
    }
}

/// Where `search_terms` come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terms {
    /// The rule of `benches/src/terms.rs`.
    Rule,
    /// Nowhere: the tool has to find its own.
    None,
}

/// All of it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Options {
    pub(crate) mirrors: PathBuf,
    pub(crate) parts: Parts,
    pub(crate) only: Option<Set>,
    pub(crate) sample: Option<usize>,
    pub(crate) terms: Terms,
    pub(crate) rivals: bool,
    pub(crate) by_repository: bool,
    pub(crate) each: bool,
    pub(crate) fetch: bool,
}

impl Options {
    /// Reads arguments.
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mirrors = arguments.next().filter(|first| !first.starts_with("--")).ok_or(USAGE)?;
        let mut options = Self {
            mirrors: PathBuf::from(mirrors),
            parts: Parts::Tuning,
            only: None,
            sample: None,
            terms: Terms::Rule,
            rivals: true,
            by_repository: false,
            each: false,
            fetch: false,
        };
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match name.as_str() {
                "--set" => {
                    options.parts = match value()?.as_str() {
                        "tuning" => Parts::Tuning,
                        "held-back" => Parts::HeldBack,
                        "all" => Parts::All,
                        _ => return Err(USAGE.to_owned()),
                    }
                }
                "--only" => options.only = Some(Set::named(&value()?).ok_or(USAGE)?),
                "--sample" => {
                    options.sample = Some(value()?.parse().map_err(|_| USAGE.to_owned())?);
                }
                "--terms" => {
                    options.terms = match value()?.as_str() {
                        "rule" => Terms::Rule,
                        "none" => Terms::None,
                        _ => return Err(USAGE.to_owned()),
                    }
                }
                "--by" if value()? == "repository" => options.by_repository = true,
                "--no-rivals" => options.rivals = false,
                "--each" => options.each = true,
                "--fetch" => options.fetch = true,
                _ => return Err(USAGE.to_owned()),
            }
        }
        // Held-back data of which single tasks are seen is held back no more.
        if options.each && options.parts != Parts::Tuning {
            return Err("--each shows tasks of the set tuning alone".to_owned());
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, Parts, Terms};
    use crate::tasks::Set;

    fn read(arguments: &str) -> Result<Options, String> {
        Options::read(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn held_back_data_is_used_only_on_demand() {
        assert_eq!(read("mirrors").unwrap().parts, Parts::Tuning);
        assert_eq!(read("mirrors --set all").unwrap().parts, Parts::All);
        assert_eq!(read("mirrors --set held-back").unwrap().parts, Parts::HeldBack);
        let held = |parts: Parts| [parts.hold(true), parts.hold(false)];
        assert_eq!(held(Parts::Tuning), [true, false]);
        assert_eq!(held(Parts::HeldBack), [false, true]);
        assert_eq!(held(Parts::All), [true, true]);
    }

    #[test]
    fn single_held_back_tasks_are_never_shown() {
        assert!(read("mirrors --each").is_ok());
        assert!(read("mirrors --each --set all").is_err());
        assert!(read("mirrors --set held-back --each").is_err());
    }

    #[test]
    fn unknown_or_incomplete_arguments_are_refused() {
        for arguments in ["", "--each", "m --only swe", "m --by set", "m --sample", "m --what"] {
            assert!(read(arguments).is_err(), "{arguments}");
        }
        let options = read("m --only semble --sample 3 --terms none --no-rivals").unwrap();
        assert_eq!((options.only, options.sample), (Some(Set::Semble), Some(3)));
        assert_eq!((options.terms, options.rivals), (Terms::None, false));
    }
}
