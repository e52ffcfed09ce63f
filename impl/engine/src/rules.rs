//! Which ignore files apply to a path (docs/search.md section 3.2, E-B04, E-B08).
//!
//! [`DirRules`] is a chain from a directory to its top: the nearest directory at or above it that
//! holds `.git`, or the sandbox root. Paths here are relative to the sandbox root, as walked. If
//! the top lies above the sandbox root (D23), rules see these paths with the names between put
//! before them.

use std::{borrow::Cow, io::Read, sync::Arc};

use forge_search_core::{
    cancellation::Cancellation,
    ignore_rules::{Rule, RuleFile, Verdict},
    scope::Disregarded,
};

use crate::{
    repository::{REPOSITORY, Trail},
    root::{Entry, Kind, Root, path_bytes},
    rulebook::Rulebook,
};

mod above;

pub(crate) use above::above;

/// Largest ignore file that is read, in bytes.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// Most bytes of the ignore files from a directory up to its top: more than any real tree has, and
/// few enough for every running call.
const MAX_CHAIN_BYTES: u64 = 16 << 20;

/// Names of per-directory ignore files, strongest first.
pub(crate) const IGNORE_FILES: [&[u8]; 2] = [b".ignore", b".gitignore"];

/// The ignore file of a repository, below its top.
pub(crate) const EXCLUDE: &[u8] = b".git/info/exclude";

/// The same below the directory that a `.git` file leads to.
pub(crate) const LINKED_EXCLUDE: &[u8] = b"info/exclude";

/// Whether an entry of this name decides which files are eligible.
pub(crate) fn decides(name: &[u8]) -> bool {
    name == REPOSITORY || IGNORE_FILES.contains(&name)
}

/// The rules of a directory.
#[derive(Debug, Default)]
pub(crate) struct DirRules {
    parent: Option<Arc<DirRules>>,
    /// The path from the top to the sandbox root with a slash after it; empty unless the top lies
    /// above.
    outer: Arc<[u8]>,
    /// The absolute path of a directory above the sandbox root.
    outside: Option<Vec<u8>>,
    /// Length of the directory's path from the top if that is above, else from the sandbox root,
    /// including the slash after it.
    base: usize,
    /// Parallel to [`IGNORE_FILES`].
    files: [Option<Arc<RuleFile>>; 2],
    /// At a top: `info/exclude` of the repository.
    exclude: Option<Exclude>,
    /// At a top: the configured global files.
    global: Vec<Arc<RuleFile>>,
    /// Bytes of the tree's own files, from here up to the top.
    bytes: u64,
}

#[derive(Debug)]
struct Exclude {
    rules: Arc<RuleFile>,
    /// Its absolute path, if a `.git` file led to it.
    path: Option<Vec<u8>>,
}

/// The file that a rule comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// An ignore file, by its path relative to the sandbox root, or absolute outside it.
    Tree(Vec<u8>),
    /// A configured global file, by its index.
    Global(usize),
}

/// The rule that decides about a path.
pub(crate) struct DecidingRule<'r> {
    pub(crate) rule: Rule<'r>,
    /// The directory of its file.
    directory: &'r DirRules,
    source: Source,
}

#[derive(Clone, Copy)]
enum Source {
    /// By its name in the directory.
    File(&'static [u8]),
    Exclude,
    /// By its index.
    Global(usize),
}

impl DecidingRule<'_> {
    /// The file of the rule, for this path.
    pub(crate) fn origin(&self, walked: &[u8]) -> Origin {
        let of = |name: &[u8]| {
            if let Some(directory) = &self.directory.outside {
                return join(directory, name);
            }
            let base = self.directory.base.saturating_sub(self.directory.outer.len());
            [walked.get(..base).unwrap_or_default(), name].concat()
        };
        let linked = || self.directory.exclude.as_ref()?.path.clone();
        match self.source {
            Source::File(name) => Origin::Tree(of(name)),
            Source::Exclude => Origin::Tree(linked().unwrap_or_else(|| of(EXCLUDE))),
            Source::Global(number) => Origin::Global(number),
        }
    }
}

/// An ignore file that cannot be read: its path relative to the sandbox root, or absolute outside.
pub(crate) struct Unreadable(pub(crate) Vec<u8>);

/// A directory by its path below a root, and by the path that rules refer to.
pub(crate) struct DirLocation<'d> {
    pub(crate) root: &'d Root,
    /// Below `root`.
    pub(crate) real: &'d [u8],
    /// Below the sandbox root, as walked.
    pub(crate) walked: &'d [u8],
    /// Of a directory above the sandbox root: the length of its path from the top, with a slash.
    pub(crate) above: Option<usize>,
}

impl DirLocation<'_> {
    /// The path of a file in it, as [`Origin`] has it.
    fn file(&self, name: &[u8]) -> Vec<u8> {
        match self.above {
            Some(_) => join(&path_bytes(self.root.path()), name),
            None => join(self.walked, name),
        }
    }
}

impl DirRules {
    /// The rules of a top without ignore files: configured global files only.
    pub(crate) fn at_top(walked: &[u8], book: &Rulebook) -> Arc<Self> {
        Arc::new(Self { base: base(walked), global: book.global().to_vec(), ..Self::default() })
    }

    /// Bytes of the tree's ignore files, from here up to the top.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The rules inside a directory, given its entries and the rules of the directory above. Void
    /// if it is cancelled.
    pub(crate) fn inside(
        above: &Arc<Self>,
        dir: &DirLocation<'_>,
        entries: &[Entry],
        book: &Rulebook,
        unreadable: &mut Vec<Unreadable>,
        cancellation: &Cancellation<'_>,
    ) -> Arc<Self> {
        let find =
            |name: &[u8]| entries.iter().find(|entry| &*entry.name == name).map(|entry| entry.kind);
        let git = find(REPOSITORY);
        // Ignore files above a repository do not apply in it.
        let mut bytes = if git.is_some() { 0 } else { above.bytes };
        let mut read = |root: &Root, path: &[u8], shown: Vec<u8>| {
            if cancellation.is_cancelled() {
                return None;
            }
            match read_rules(root, path, MAX_CHAIN_BYTES - bytes) {
                RuleRead::Rules(content) => {
                    bytes += content.len() as u64;
                    let rules = book.parsed(&content);
                    cancellation.go_on(content.len());
                    Some(rules)
                }
                RuleRead::Absent => None,
                RuleRead::Unreadable => {
                    unreadable.push(Unreadable(shown));
                    None
                }
            }
        };
        let files = IGNORE_FILES.map(|name| {
            let present = find(name) == Some(Kind::File);
            present.then(|| read(dir.root, &join(dir.real, name), dir.file(name)))?
        });
        let (outer, walked_base) = match git {
            Some(_) if dir.above.is_none() => (Arc::default(), base(dir.walked)),
            _ => (Arc::clone(&above.outer), above.outer.len() + base(dir.walked)),
        };
        let outside = dir.above.map(|_| path_bytes(dir.root.path()));
        let base = dir.above.unwrap_or(walked_base);
        if let Some(git) = git {
            let exclude = match git {
                Kind::Dir => read(dir.root, &join(dir.real, EXCLUDE), dir.file(EXCLUDE))
                    .map(|rules| Exclude { rules, path: None }),
                Kind::File if book.follows_repositories() => {
                    linked_exclude(dir).and_then(|(home, path)| {
                        let rules = read(&home, LINKED_EXCLUDE, path.clone())?;
                        Some(Exclude { rules, path: Some(path) })
                    })
                }
                Kind::File | Kind::Symlink | Kind::Other => None,
            };
            let global = book.global().to_vec();
            let parent = None;
            return Arc::new(Self { parent, outer, outside, base, files, exclude, global, bytes });
        }
        if files.iter().all(Option::is_none) {
            return Arc::clone(above);
        }
        let parent = Some(Arc::clone(above));
        Arc::new(Self { parent, outer, outside, base, files, bytes, ..Self::default() })
    }

    /// What the rules say of a path below this directory. Void if it is cancelled.
    pub(crate) fn verdict(
        &self,
        walked: &[u8],
        is_dir: bool,
        cancellation: &Cancellation<'_>,
    ) -> Option<Verdict> {
        self.deciding(walked, is_dir, cancellation).map(|deciding| deciding.rule.verdict)
    }

    /// The rule that decides about a path below this directory. Void if it is cancelled.
    pub(crate) fn deciding(
        &self,
        walked: &[u8],
        is_dir: bool,
        cancellation: &Cancellation<'_>,
    ) -> Option<DecidingRule<'_>> {
        self.deciding_without(Disregarded::default(), walked, is_dir, cancellation)
    }

    /// The same, some kinds of files not counted: the strongest kind of file first, within a kind
    /// the nearest directory.
    pub(crate) fn deciding_without(
        &self,
        not: Disregarded,
        walked: &[u8],
        is_dir: bool,
        cancellation: &Cancellation<'_>,
    ) -> Option<DecidingRule<'_>> {
        let chain = || std::iter::successors(Some(self), |rules| rules.parent.as_deref());
        let path = if self.outer.is_empty() {
            Cow::Borrowed(walked)
        } else {
            Cow::Owned([&self.outer, walked].concat())
        };
        let relative = |rules: &Self| path.get(rules.base..).unwrap_or_default();
        let uncounted = [not.dot, not.vcs];
        for (kind, name) in IGNORE_FILES.into_iter().enumerate() {
            if uncounted.get(kind) == Some(&true) {
                continue;
            }
            let deciding = chain().find_map(|directory| {
                let rules = directory.files.get(kind)?.as_ref()?;
                let rule = rules.deciding(relative(directory), is_dir, cancellation)?;
                Some(DecidingRule { rule, directory, source: Source::File(name) })
            });
            if deciding.is_some() {
                return deciding;
            }
        }
        let directory = chain().last().unwrap_or(self);
        let exclude = directory.exclude.iter().filter(|_| !not.vcs && !not.exclude);
        let exclude = exclude.map(|exclude| (Source::Exclude, &exclude.rules));
        let global = directory.global.iter().enumerate().filter(|_| !not.vcs && !not.global);
        exclude.chain(global.map(|(number, rules)| (Source::Global(number), rules))).find_map(
            |(source, rules)| {
                let rule = rules.deciding(relative(directory), is_dir, cancellation)?;
                Some(DecidingRule { rule, directory, source })
            },
        )
    }
}

/// Where the exclude file of a directory lies whose `.git` is a file: the directory that it leads
/// to, and the absolute path of the file.
fn linked_exclude(dir: &DirLocation<'_>) -> Option<(Root, Vec<u8>)> {
    let directory = dir.root.containing(dir.real).ok()?;
    let home = Trail::default().follow(&directory).ok()?;
    let path = join(&path_bytes(home.path()), LINKED_EXCLUDE);
    Some((home, path))
}

/// `dir/name`, without a slash at the top.
pub(crate) fn join(dir: &[u8], name: &[u8]) -> Vec<u8> {
    if dir.is_empty() {
        return name.to_vec();
    }
    [dir, b"/", name].concat()
}

fn base(walked: &[u8]) -> usize {
    if walked.is_empty() { 0 } else { walked.len() + 1 }
}

enum RuleRead {
    Rules(Vec<u8>),
    /// Not a regular file, or gone.
    Absent,
    Unreadable,
}

/// Reads an ignore file of at most `left` bytes.
fn read_rules(root: &Root, path: &[u8], left: u64) -> RuleRead {
    let most = left.min(MAX_IGNORE_BYTES);
    let opened = root.open_file(path);
    let (file, size) = match opened {
        Ok(opened) => opened,
        Err(err) if err.kind() == std::io::ErrorKind::PermissionDenied => {
            return RuleRead::Unreadable;
        }
        // Missing, a link, a directory: not an ignore file.
        Err(_) => return RuleRead::Absent,
    };
    let mut content = Vec::new();
    match file.take(most + 1).read_to_end(&mut content) {
        Ok(_) if size <= most && content.len() as u64 <= most => RuleRead::Rules(content),
        _ => RuleRead::Unreadable,
    }
}
