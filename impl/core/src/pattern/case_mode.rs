/// How letters compare (FR-LS-SRC-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseMode {
    /// Sensitive if the pattern has an ASCII capital, else insensitive.
    Smart,
    /// Characters compare exactly.
    Sensitive,
    /// ASCII letters equal their other case; nothing else folds.
    Insensitive,
}

impl CaseMode {
    /// The name in requests and configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smart => "smart",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
        }
    }

    /// The mode of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Smart, Self::Sensitive, Self::Insensitive]
            .into_iter()
            .find(|case| case.name() == name)
    }
}
