//! Texts of the specification's files, parsed with the file and line of every defect.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::place::Finding;
use crate::yaml::{self, YamlError};

/// Why the specification cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("`{path}` cannot be read")]
    Read { path: PathBuf, source: io::Error },
    #[error("{file}: the specification needs this file")]
    Missing {
        /// Relative to the specification's directory.
        file: String,
    },
    /// No such file belongs to the specification.
    #[error("{file}: no such file belongs to the specification; the loader names those that do")]
    Unknown {
        /// Relative to the specification's directory.
        file: String,
    },
    /// A file is not YAML, or has the wrong shape.
    #[error("{file}:{line}: {message}")]
    Parse {
        /// Relative to the specification's directory.
        file: String,
        /// From 1; 0 if unknown.
        line: u64,
        message: String,
    },
    /// The files are inconsistent.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Defective(Vec<Finding>),
}

/// Texts by path. Parsed ones are removed, so that the rest is unknown.
pub(crate) struct Sources(BTreeMap<String, String>);

impl Sources {
    pub(crate) fn new(sources: Vec<(String, String)>) -> Result<Self, LoadError> {
        let mut texts = BTreeMap::new();
        for (file, text) in sources {
            if texts.insert(file.clone(), text).is_some() {
                let message = "given twice".to_owned();
                return Err(LoadError::Parse { file, line: 0, message });
            }
        }
        Ok(Self(texts))
    }

    pub(crate) fn one<T: DeserializeOwned>(&mut self, file: &str) -> Result<T, LoadError> {
        let text =
            self.0.remove(file).ok_or_else(|| LoadError::Missing { file: file.to_owned() })?;
        read(file, &text)
    }

    /// All files of a directory. `name` stores a file's name in its value.
    pub(crate) fn many<T: DeserializeOwned>(
        &mut self,
        dir: &str,
        name: fn(&mut T, String),
    ) -> Result<Vec<T>, LoadError> {
        let inside: Vec<String> =
            self.0.keys().filter(|file| file.starts_with(dir)).cloned().collect();
        if inside.is_empty() {
            return Err(LoadError::Missing { file: format!("{dir}*.yaml") });
        }
        let mut all = Vec::with_capacity(inside.len());
        for file in inside {
            let mut value = self.one(&file)?;
            name(&mut value, file);
            all.push(value);
        }
        Ok(all)
    }

    pub(crate) fn finish(self) -> Result<(), LoadError> {
        match self.0.into_keys().next() {
            None => Ok(()),
            Some(file) => Err(LoadError::Unknown { file }),
        }
    }
}

pub(crate) fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, LoadError> {
    yaml::read(text).map_err(|YamlError { message, line, .. }| LoadError::Parse {
        file: file.to_owned(),
        line,
        message,
    })
}

/// Adds every YAML file below `dir`, with its path relative to the first directory.
pub(crate) fn collect(
    dir: &Path,
    prefix: &str,
    sources: &mut Vec<(String, String)>,
) -> Result<(), LoadError> {
    let refused = |path: &Path| {
        let path = path.to_owned();
        move |source| LoadError::Read { path, source }
    };
    for entry in fs::read_dir(dir).map_err(refused(dir))? {
        let path = entry.map_err(refused(dir))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let file = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{file}/"), sources)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            let text = fs::read_to_string(&path).map_err(refused(&path))?;
            sources.push((file, text));
        }
    }
    Ok(())
}
