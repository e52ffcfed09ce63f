//! Whether letters compare with their case.

/// How letters compare (FR-LS-SRC-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseMode {
    /// Smart: sensitive if the pattern holds an ASCII capital, else insensitive.
    Smart,
    /// Characters compare as they are.
    Sensitive,
    /// ASCII letters compare equal to their other case; nothing else folds.
    Insensitive,
}

impl CaseMode {
    /// How it is written in requests and configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smart => "smart",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
        }
    }

    /// The one that is written so.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Smart, Self::Sensitive, Self::Insensitive]
            .into_iter()
            .find(|case| case.name() == name)
    }
}
