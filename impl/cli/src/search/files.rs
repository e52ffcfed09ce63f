//! Which files the flags `-g`, `-t` and `-T` leave, decided by ripgrep's own crate.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use forge_search_engine::listing::{FileFilter, Overrides};
use ignore::{
    overrides::{Override, OverrideBuilder},
    types::{Types, TypesBuilder},
};

use super::flags::Files;
use crate::errors::{Failure, nearest};

/// What decides about files, the same below every path.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    globs: Override,
    types: Types,
}

impl Filter {
    /// Globs are relative to this directory.
    pub(crate) fn new(current: &Path, flags: &Files) -> Result<Self, Failure> {
        let mut globs = OverrideBuilder::new(current);
        let bad = |glob: &str, err: &ignore::Error| {
            Failure::new(format!(
                "the glob `{glob}` is wrong: {err}; a backslash takes a character literally"
            ))
        };
        for glob in &flags.glob {
            globs.add(glob).map_err(|err| bad(glob, &err))?;
        }
        for glob in &flags.exclude {
            globs.add(&format!("!{glob}")).map_err(|err| bad(glob, &err))?;
        }
        globs.case_insensitive(true).map_err(|err| bad("--iglob", &err))?;
        for glob in &flags.iglob {
            globs.add(glob).map_err(|err| bad(glob, &err))?;
        }
        let globs = globs.build().map_err(|err| bad("-g", &err))?;
        let mut types = known_types(flags)?;
        let names: Vec<String> =
            types.definitions().iter().map(|known| known.name().to_owned()).collect();
        for (name, wanted) in flags
            .types
            .iter()
            .map(|name| (name, true))
            .chain(flags.type_not.iter().map(|n| (n, false)))
        {
            if name != "all" && !names.contains(name) {
                let close = nearest(name, names.iter().map(String::as_str));
                return Err(Failure::new(format!(
                    "no type of files is called `{name}`{close}; `forge-search search --type-list` \
                     has them all, and -g '*.{name}' goes by the ending"
                )));
            }
            if wanted {
                types.select(name)
            } else {
                types.negate(name)
            };
        }
        let types = types.build().map_err(|err| bad("--type", &err))?;
        Ok(Self { globs, types })
    }

    /// What decides about the files below a path as it was typed, if anything does.
    pub(crate) fn below(&self, path: Option<&Path>) -> Option<FileFilter> {
        if self.globs.is_empty() && self.types.is_empty() {
            return None;
        }
        let (filter, path) = (self.clone(), path.map(Path::to_owned).unwrap_or_default());
        Some(Arc::new(move |walked| filter.admits(&path, &os_path(walked))))
    }

    /// What brings back files that ignore files or leading dots leave out: only a glob that selects
    /// does, and it costs the index, which does not have them.
    pub(crate) fn overrides(&self, path: Option<&Path>) -> Option<Overrides> {
        if self.globs.num_whitelists() == 0 {
            return None;
        }
        let (globs, path) = (self.globs.clone(), path.map(Path::to_owned).unwrap_or_default());
        Some(Overrides(Arc::new(move |walked, is_dir| {
            globs.matched(path.join(os_path(walked)), is_dir).is_whitelist()
        })))
    }

    fn admits(&self, typed: &Path, walked: &Path) -> bool {
        if self.globs.num_ignores() > 0 {
            // A directory that is left out is left out with all that is in it.
            let above = walked.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
            if above
                .into_iter()
                .any(|above| self.globs.matched(typed.join(above), true).is_ignore())
            {
                return false;
            }
        }
        let path = typed.join(walked);
        let by_glob = self.globs.matched(&path, false);
        if !by_glob.is_none() {
            return by_glob.is_whitelist();
        }
        !self.types.matched(&path, false).is_ignore()
    }
}

fn known_types(flags: &Files) -> Result<TypesBuilder, Failure> {
    let mut types = TypesBuilder::new();
    types.add_defaults();
    for added in &flags.type_add {
        let wrong = |err| Failure::new(format!("--type-add {added}: {err}; write `web:*.html`"));
        types.add_def(added).map_err(wrong)?;
    }
    Ok(types)
}

/// Prints the types as ripgrep does.
pub(crate) fn list_types(flags: &Files, out: &mut dyn Write) -> Result<(), Failure> {
    for known in known_types(flags)?.definitions() {
        writeln!(out, "{}: {}", known.name(), known.globs().join(", "))?;
    }
    Ok(())
}

#[cfg(unix)]
fn os_path(bytes: &[u8]) -> PathBuf {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn os_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
