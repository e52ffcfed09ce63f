//! The backends of the service, by name.

use serde::{Deserialize, Serialize};

/// A backend of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The embedded one.
    Native,
    /// A ripgrep process.
    Ripgrep,
    /// A ugrep process.
    Ugrep,
}

impl Backend {
    pub const ALL: [Self; 3] = [Self::Native, Self::Ripgrep, Self::Ugrep];

    /// The part after `forge:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Ripgrep => "ripgrep",
            Self::Ugrep => "ugrep",
        }
    }
}
