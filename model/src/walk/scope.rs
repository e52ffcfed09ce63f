//! The part of a request that the walk needs, for any tool.

use crate::glob::Glob;
use crate::place::Name;
use crate::sandbox::SearchRoot;
use crate::tables::caps::Cap;
use crate::tables::files::Shortfall;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) root: &'a SearchRoot<'a>,
    /// Globs, one of which must match; no restriction if empty.
    pub(crate) include: &'a [Glob],
    /// Globs that exclude what they match.
    pub(crate) exclude: &'a [Glob],
    pub(crate) depth: Depth,
    /// Whether names with a leading dot are included.
    pub(crate) hidden: bool,
    /// The hidden names that are included all the same.
    pub(crate) brought_back: BroughtBack<'a>,
    pub(crate) links: Links,
    /// Whether ignore files are disregarded.
    pub(crate) no_ignore: bool,
    pub(crate) paths: Paths,
}

/// Hidden names that a request names.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BroughtBack<'a> {
    /// Globs that may have components with a leading dot.
    pub(crate) include: &'a [Glob],
    pub(crate) pattern: Option<&'a Glob>,
    /// A pattern without wildcards: names that begin with one of its names with a leading dot are
    /// included, too. ASCII letters compare without case.
    pub(crate) text: Option<&'a str>,
}

impl BroughtBack<'_> {
    /// Whether a path below the search root is included whatever its leading dot says.
    pub(crate) fn has(&self, below_root: &[Name], is_dir: bool) -> bool {
        let by_glob = self
            .include
            .iter()
            .chain(self.pattern)
            .any(|glob| glob.names_hidden(below_root, is_dir));
        by_glob || below_root.last().is_some_and(|name| self.begins(name))
    }

    fn begins(&self, name: &[u8]) -> bool {
        let name = name.to_ascii_lowercase();
        let mut named =
            self.text.unwrap_or_default().split('/').filter(|name| name.starts_with('.'));
        named.any(|dotted| {
            !matches!(dotted, "." | "..")
                && name.starts_with(dotted.to_ascii_lowercase().as_bytes())
        })
    }
}

/// The depth of a walk; children of the search root have depth 1 (E-B27).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    All,
    /// The children of the search root only, as requested.
    Children,
    /// Down to the limit of a cap. Directories below it were requested, so they are reported.
    Capped(Cap<Shortfall>, u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Skipped,
    /// Followed (E-B19).
    Followed,
    /// Followed to files; links to directories are skipped (FR-SF-VAL-08).
    FollowedToFiles,
}

/// The base of shown paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    /// The working directory (E-B26).
    FromWorkingDirectory,
    /// The search root (MATF-SF-path).
    FromSearchRoot,
}
