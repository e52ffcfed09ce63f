//! The backends of the service: their names, and their executables.

use std::path::{Path, PathBuf};

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

/// Executables of backends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Backends {
    pub ripgrep: Option<PathBuf>,
    pub ugrep: Option<PathBuf>,
}

impl Backends {
    /// The executable of a backend; `None` for the native one.
    pub fn executable(&self, backend: Backend) -> Option<&Path> {
        match backend {
            Backend::Native => None,
            Backend::Ripgrep => self.ripgrep.as_deref(),
            Backend::Ugrep => self.ugrep.as_deref(),
        }
    }

    /// The missing external backends.
    pub fn missing(&self) -> Vec<Backend> {
        [Backend::Ripgrep, Backend::Ugrep]
            .into_iter()
            .filter(|one| self.executable(*one).is_none())
            .collect()
    }
}
