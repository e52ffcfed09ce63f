//! Confines the service: roots, deny patterns, and the resolution of paths against them
//! (FR-LS-VAL-03, NFR-LS-SEC-01, ALG-LS-A1, D12; docs/search.md section 2).
//!
//! Paths are resolved component by component instead of with `canonicalize`: a path that leaves the
//! roots is refused before its existence is revealed (E-F09).

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::ErrorKind,
    path::{Component, Path, PathBuf},
};

use forge_search_core::{
    ToolError,
    cancellation::Cancellation,
    content::escape_name,
    glob::{self, Glob},
};

use crate::{config::ConfigError, root::path_bytes};

mod names;

pub use names::NamedRoot;
use names::{listed, named};

/// Symlinks followed in one resolution before it counts as a loop.
const MAX_LINKS: usize = 40;

/// Roots, working directory and deny patterns.
#[derive(Clone, Debug)]
pub struct Sandbox {
    roots: Vec<PathBuf>,
    /// Those that are searched together, if there are several (D26).
    named: Vec<NamedRoot>,
    working_dir: PathBuf,
    deny: Vec<Glob>,
}

/// A path that lies inside a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedPath {
    /// Canonical as far as it exists.
    pub(crate) path: PathBuf,
    /// The root that contains it.
    pub(crate) root: PathBuf,
    pub(crate) found: Resolution,
}

/// The outcome of a resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// The path exists.
    Exists,
    /// A component does not exist.
    Missing,
    /// A directory on the way may not be searched.
    Forbidden,
    /// More than [`MAX_LINKS`] links.
    TooManyLinks,
}

/// The target of a followed link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Inside the roots and not denied.
    Inside(ResolvedPath),
    /// Outside, or denied.
    Escapes,
}

impl Sandbox {
    /// Canonicalises the roots and the working directory, which must lie inside one of them.
    pub fn new(roots: &[PathBuf], working_dir: &Path) -> Result<Self, ConfigError> {
        Self::permitting(roots, &[], working_dir)
    }

    /// The same, with directories that a request may name and that are not searched otherwise.
    pub fn permitting(
        roots: &[PathBuf],
        more: &[PathBuf],
        working_dir: &Path,
    ) -> Result<Self, ConfigError> {
        let all = |paths: &[PathBuf]| {
            paths.iter().map(|path| canonical(path)).collect::<Result<Vec<_>, _>>()
        };
        let mut roots: Vec<PathBuf> = all(roots)?;
        let named = named(&roots);
        roots.extend(all(more)?);
        let working_dir = canonical(working_dir)?;
        if !roots.iter().any(|root| working_dir.starts_with(root)) {
            return Err(ConfigError::WorkingDirectory { path: working_dir });
        }
        Ok(Self { roots, named, working_dir, deny: Vec::new() })
    }

    /// The same roots, none of which has a name: searches start at the working directory.
    #[must_use]
    pub(crate) fn without_names(self) -> Self {
        Self { named: Vec::new(), ..self }
    }

    /// The roots, canonical.
    pub(crate) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Adds deny patterns, relative to each root.
    #[must_use]
    pub(crate) fn denying(mut self, deny: Vec<Glob>) -> Self {
        self.deny = deny;
        self
    }

    /// Resolves a request's path. The error is `SandboxViolation` unless it lies inside a root and
    /// is not denied; the path need not exist.
    pub(crate) fn resolve(&self, path: &str) -> Result<ResolvedPath, ToolError> {
        let refuse = |why: &str| ToolError::sandbox(format!("path `{}` {why}", escape_name(path)));
        let outside =
            || refuse(&format!("is outside the permitted roots{}", self.named_in_error()));
        let lexical = self.clean(Path::new(path)).ok_or_else(outside)?;
        let (resolved, found) = follow(&lexical);
        if found == Resolution::TooManyLinks {
            // A path without an end cannot be shown to end inside.
            return Err(refuse("leads through too many symlinks"));
        }
        let root = self.root_of(&resolved).ok_or_else(outside)?.to_owned();
        if self.is_denied(&lexical) || self.is_denied(&resolved) {
            return Err(refuse("is denied by configuration"));
        }
        Ok(ResolvedPath { path: resolved, root, found })
    }

    /// Resolves a link found by the walker.
    pub(crate) fn target(&self, link: &Path) -> Target {
        let (path, found) = follow(link);
        if found == Resolution::TooManyLinks {
            // A loop has no target, inside or outside.
            return Target::Inside(ResolvedPath { root: PathBuf::new(), path, found });
        }
        match self.root_of(&path) {
            Some(root) if !self.is_denied(&path) => {
                Target::Inside(ResolvedPath { root: root.to_owned(), path, found })
            }
            _ => Target::Escapes,
        }
    }

    /// The absolute path without `.` and `..`; `None` if a `..` steps outside the roots. Of several
    /// roots the name of one may come first.
    fn clean(&self, path: &Path) -> Option<PathBuf> {
        let mut clean = if path.is_absolute() { PathBuf::new() } else { self.working_dir.clone() };
        let mut components = path.components();
        let name = components.clone().next().map(Component::as_os_str);
        if let Some(root) = self.named.iter().find(|root| name == Some(root.name.as_ref())) {
            clean.clone_from(&root.path);
            components.next();
        }
        for component in components {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    clean.pop();
                    self.root_of(&clean)?;
                }
                other => clean.push(other),
            }
        }
        Some(clean)
    }

    /// The uppermost root that contains a path.
    pub(crate) fn root_of(&self, path: &Path) -> Option<&Path> {
        let holding = self.roots.iter().filter(|root| path.starts_with(root));
        holding.min_by_key(|root| root.components().count()).map(PathBuf::as_path)
    }

    /// Whether a deny pattern matches the path or a directory above it, relative to any root that
    /// contains it.
    pub(crate) fn is_denied(&self, path: &Path) -> bool {
        if self.deny.is_empty() {
            return false;
        }
        let mut is_dir = path.is_dir();
        path.ancestors().any(|part| {
            // Everything above the path itself is a directory.
            let denied = self.denies(part, is_dir);
            is_dir = true;
            denied
        })
    }

    /// Whether a deny pattern matches this very path, relative to any root that contains it. For
    /// the walker, which checks each level.
    pub(crate) fn denies(&self, path: &Path, is_dir: bool) -> bool {
        !self.deny.is_empty()
            && self.roots.iter().filter_map(|root| path.strip_prefix(root).ok()).any(|relative| {
                !relative.as_os_str().is_empty()
                    && glob::any_matches(
                        &self.deny,
                        &path_bytes(relative),
                        is_dir,
                        &Cancellation::never(),
                    )
            })
    }

    /// The base of relative paths.
    pub(crate) fn working_dir(&self) -> &Path {
        &self.working_dir
    }

    pub(crate) fn denials(&self) -> &[Glob] {
        &self.deny
    }

    pub(crate) fn has_denials(&self) -> bool {
        !self.deny.is_empty()
    }

    /// The roots that are searched together, in their order, if there are several.
    pub fn named(&self) -> &[NamedRoot] {
        &self.named
    }

    /// What an error about a path adds: the names of several roots.
    pub(crate) fn named_in_error(&self) -> String {
        let Some(first) = self.named.first() else { return String::new() };
        let start = self.shown(&self.working_dir);
        format!(
            "; the roots are {}: begin with the name of one, as in `{}/src`; other paths start at \
             the working directory, `{start}`",
            listed(&self.named),
            escape_name(&first.name),
        )
    }

    /// A path as answers show it: relative to the working directory, absolute outside it (E-B26);
    /// of several roots, the name of one and the path below it (D26).
    pub(crate) fn shown(&self, path: &Path) -> String {
        let lossy = |path: &Path| String::from_utf8_lossy(&path_bytes(path)).into_owned();
        for NamedRoot { name, path: root } in &self.named {
            match path.strip_prefix(root) {
                Ok(below) if below.as_os_str().is_empty() => return name.clone(),
                Ok(below) => return format!("{name}/{}", lossy(below)),
                Err(_) => {}
            }
        }
        let relative = path.strip_prefix(&self.working_dir).unwrap_or(path);
        if relative.as_os_str().is_empty() {
            return ".".to_owned();
        }
        lossy(relative)
    }

    /// Whether a searched tree could contain the program (E-F18).
    pub(crate) fn contains(&self, path: &Path) -> bool {
        self.root_of(path).is_some()
    }
}

/// An existing directory without links.
fn canonical(path: &Path) -> Result<PathBuf, ConfigError> {
    let found = dunce::canonicalize(path).and_then(|found| {
        if found.is_dir() { Ok(found) } else { Err(ErrorKind::NotADirectory.into()) }
    });
    found.map_err(|source| ConfigError::Root { path: path.to_owned(), source })
}

/// Follows an absolute path through symlinks as far as it exists, and appends the rest unchanged.
fn follow(path: &Path) -> (PathBuf, Resolution) {
    let mut resolved = PathBuf::new();
    let mut rest: VecDeque<OsString> =
        path.components().map(|part| part.as_os_str().to_owned()).collect();
    let mut found = Resolution::Exists;
    let mut links = 0;
    while let Some(part) = rest.pop_front() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                resolved.pop();
                continue;
            }
            Some(Component::Normal(_)) => {}
            Some(Component::CurDir) | None => continue,
            // A root or drive replaces what came before.
            Some(Component::RootDir | Component::Prefix(_)) => {
                resolved.push(&part);
                continue;
            }
        }
        let next = resolved.join(&part);
        if found != Resolution::Exists {
            resolved = next;
            continue;
        }
        match next.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => {
                links += 1;
                match next.read_link() {
                    _ if links > MAX_LINKS => {
                        found = Resolution::TooManyLinks;
                        resolved = next;
                    }
                    Ok(target) => {
                        for part in target.components().rev() {
                            rest.push_front(part.as_os_str().to_owned());
                        }
                    }
                    Err(_) => {
                        found = Resolution::Missing;
                        resolved = next;
                    }
                }
            }
            Ok(_) => resolved = next,
            Err(err) => {
                found = match err.kind() {
                    ErrorKind::PermissionDenied => Resolution::Forbidden,
                    _ => Resolution::Missing,
                };
                resolved = next;
            }
        }
    }
    (resolved, found)
}

#[cfg(test)]
mod tests;
