//! Which files the flags `-g`, `-t`, `-T` and `--ignore-file` leave, decided by ripgrep's own crate.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use forge_search_engine::escape_name;
use forge_search_engine::listing::{FileFilter, PathTest};
use ignore::{
    gitignore::{Gitignore, GitignoreBuilder},
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
    ignored: Gitignore,
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
        let folds = flags.glob_case_insensitive;
        globs.case_insensitive(folds).map_err(|err| bad("-g", &err))?;
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
        Ok(Self { globs, types, ignored: ignored(current, flags)? })
    }

    /// What decides about the files below a path as it was typed, if anything does.
    /// `compressed` counts the files among them that ripgrep's -z would unpack.
    pub(crate) fn below(
        &self,
        path: Option<&Path>,
        compressed: Option<Arc<AtomicU64>>,
    ) -> Option<FileFilter> {
        if self.globs.is_empty() && self.types.is_empty() && compressed.is_none() {
            return None;
        }
        let (filter, path) = (self.clone(), path.map(Path::to_owned).unwrap_or_default());
        Some(Arc::new(move |walked| {
            let walked = os_path(walked);
            let admitted = filter.admits(&path, &walked);
            if let Some(compressed) = compressed.as_ref().filter(|_| admitted && is_packed(&walked))
            {
                compressed.fetch_add(1, Ordering::Relaxed);
            }
            admitted
        }))
    }

    /// What brings back files that ignore files or leading dots leave out: only a glob that selects
    /// does, and it costs the index, which does not have them.
    pub(crate) fn overrides(&self, path: Option<&Path>) -> Option<PathTest> {
        if self.globs.num_whitelists() == 0 {
            return None;
        }
        let (globs, path) = (self.globs.clone(), path.map(Path::to_owned).unwrap_or_default());
        Some(PathTest(Arc::new(move |walked, is_dir| {
            globs.matched(path.join(os_path(walked)), is_dir).is_whitelist()
        })))
    }

    /// What `--ignore-file` leaves out below a path, if it is given.
    pub(crate) fn ignored(&self, path: Option<&Path>) -> Option<PathTest> {
        if self.ignored.is_empty() {
            return None;
        }
        let (rules, path) = (self.ignored.clone(), path.map(Path::to_owned).unwrap_or_default());
        Some(PathTest(Arc::new(move |walked, is_dir| {
            rules.matched(path.join(os_path(walked)), is_dir).is_ignore()
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

/// Whether ripgrep's -z would unpack a file.
fn is_packed(path: &Path) -> bool {
    const ENDINGS: [&str; 14] = [
        "gz", "tgz", "bz2", "tbz2", "xz", "txz", "lz4", "lzma", "br", "zst", "zstd", "Z", "taz",
        "tZ",
    ];
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

/// The rules of the files that `--ignore-file` names.
fn ignored(current: &Path, flags: &Files) -> Result<Gitignore, Failure> {
    let mut rules = GitignoreBuilder::new(current);
    let files = flags.ignore_file.iter().filter(|_| !flags.no_ignore_files);
    for file in files {
        if let Some(err) = rules.add(file) {
            // As in ripgrep, a wrong rule is no reason to search nothing.
            eprintln!("forge-search: {}", escape_name(&err.to_string()));
        }
    }
    rules.build().map_err(|err| Failure::new(format!("--ignore-file: {err}")))
}

fn known_types(flags: &Files) -> Result<TypesBuilder, Failure> {
    let mut types = TypesBuilder::new();
    types.add_defaults();
    for name in &flags.type_clear {
        types.clear(name);
    }
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
