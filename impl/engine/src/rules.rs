//! Which ignore files apply to a path (docs/search.md section 3.2, E-B04, E-B08).
//!
//! [`DirRules`] is a chain from a directory to its top: the nearest directory at or above it that
//! holds `.git`, or the sandbox root. Paths here are relative to the sandbox root, as walked.

use std::{io::Read, path::Path, sync::Arc};

use forge_search_core::{
    cancellation::Cancellation,
    ignore_rules::{Rule, RuleFile, Verdict},
    scope::Disregarded,
};

use crate::{
    root::{Entry, Kind, Root, os_path},
    rulebook::Rulebook,
};

/// Largest ignore file that is read, in bytes.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// Most bytes of the ignore files from a directory up to its top: more than any real tree has, and
/// few enough for every running call.
const MAX_CHAIN_BYTES: u64 = 16 << 20;

/// Names of per-directory ignore files, strongest first.
pub(crate) const IGNORE_FILES: [&[u8]; 2] = [b".ignore", b".gitignore"];

/// The entry that makes a directory the top of a repository.
pub(crate) const REPOSITORY: &[u8] = b".git";

/// The ignore file of a repository, below its top.
pub(crate) const EXCLUDE: &[u8] = b".git/info/exclude";

/// Whether an entry of this name decides which files are eligible.
pub(crate) fn decides(name: &[u8]) -> bool {
    name == REPOSITORY || IGNORE_FILES.contains(&name)
}

/// The rules of a directory.
#[derive(Debug, Default)]
pub(crate) struct DirRules {
    parent: Option<Arc<DirRules>>,
    /// Length of the directory's path including the slash after it; 0 for the sandbox root.
    base: usize,
    /// Parallel to [`IGNORE_FILES`].
    files: [Option<Arc<RuleFile>>; 2],
    /// At a top: `.git/info/exclude`, then the configured global files.
    top: Vec<Arc<RuleFile>>,
    /// Whether `top` begins with `.git/info/exclude`.
    has_exclude: bool,
    /// Bytes of the tree's own files, from here up to the top.
    bytes: u64,
}

/// The file that a rule comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// An ignore file, by its path relative to the sandbox root.
    Tree(Vec<u8>),
    /// A configured global file, by its index.
    Global(usize),
}

/// The rule that decides about a path.
pub(crate) struct DecidingRule<'r> {
    pub(crate) rule: Rule<'r>,
    /// The directory of its file.
    directory: &'r DirRules,
    /// The name of the file in that directory, or its index in `top`.
    name: Result<&'static [u8], usize>,
}

impl DecidingRule<'_> {
    /// The file of the rule, for this path.
    pub(crate) fn origin(&self, walked: &[u8]) -> Origin {
        let of = |name: &[u8]| {
            let directory = walked.get(..self.directory.base).unwrap_or_default();
            Origin::Tree([directory, name].concat())
        };
        match (self.name, self.directory.has_exclude) {
            (Ok(name), _) => of(name),
            (Err(0), true) => of(EXCLUDE),
            (Err(number), has_exclude) => Origin::Global(number - usize::from(has_exclude)),
        }
    }
}

/// An ignore file that cannot be read: its path relative to the sandbox root.
pub(crate) struct Unreadable(pub(crate) Vec<u8>);

/// A directory by its path below a root, and by the path that rules refer to.
pub(crate) struct DirLocation<'d> {
    pub(crate) root: &'d Root,
    /// Below `root`.
    pub(crate) real: &'d [u8],
    /// Below the sandbox root, as walked.
    pub(crate) walked: &'d [u8],
}

impl DirRules {
    /// The rules of a top without ignore files: configured global files only.
    pub(crate) fn at_top(walked: &[u8], book: &Rulebook) -> Arc<Self> {
        Arc::new(Self { base: base(walked), top: book.global().to_vec(), ..Self::default() })
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
            |name: &[u8]| entries.iter().find(|entry| entry.name == name).map(|entry| entry.kind);
        let git = find(REPOSITORY);
        // Ignore files above a repository do not apply in it.
        let mut bytes = if git.is_some() { 0 } else { above.bytes };
        let mut read = |name: &[u8], present: bool| {
            if !present || cancellation.is_cancelled() {
                return None;
            }
            match read_rules(dir.root, &join(dir.real, name), MAX_CHAIN_BYTES - bytes) {
                RuleRead::Rules(content) => {
                    bytes += content.len() as u64;
                    let rules = book.parsed(&content);
                    cancellation.go_on(content.len());
                    Some(rules)
                }
                RuleRead::Absent => None,
                RuleRead::Unreadable => {
                    unreadable.push(Unreadable(join(dir.walked, name)));
                    None
                }
            }
        };
        let files = IGNORE_FILES.map(|name| read(name, find(name) == Some(Kind::File)));
        if git.is_some() {
            let exclude = read(EXCLUDE, git == Some(Kind::Dir));
            let has_exclude = exclude.is_some();
            let top = exclude.into_iter().chain(book.global().iter().cloned()).collect();
            return Arc::new(Self {
                parent: None,
                base: base(dir.walked),
                files,
                top,
                has_exclude,
                bytes,
            });
        }
        if files.iter().all(Option::is_none) {
            return Arc::clone(above);
        }
        let (parent, base) = (Some(Arc::clone(above)), base(dir.walked));
        Arc::new(Self { parent, base, files, bytes, ..Self::default() })
    }

    /// Whether the rules exclude a path below this directory. Void if it is cancelled.
    pub(crate) fn excludes(
        &self,
        walked: &[u8],
        is_dir: bool,
        cancellation: &Cancellation<'_>,
    ) -> bool {
        self.deciding(walked, is_dir, cancellation)
            .is_some_and(|deciding| deciding.rule.verdict == Verdict::Ignore)
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
        let relative = |rules: &Self| walked.get(rules.base..).unwrap_or_default();
        let uncounted = [not.dot, not.vcs];
        for (source, name) in IGNORE_FILES.into_iter().enumerate() {
            if uncounted.get(source) == Some(&true) {
                continue;
            }
            let deciding = chain().find_map(|directory| {
                let rules = directory.files.get(source)?.as_ref()?;
                let rule = rules.deciding(relative(directory), is_dir, cancellation)?;
                Some(DecidingRule { rule, directory, name: Ok(name) })
            });
            if deciding.is_some() {
                return deciding;
            }
        }
        let directory = chain().last().unwrap_or(self);
        directory.top.iter().enumerate().find_map(|(number, rules)| {
            let exclude = number == 0 && directory.has_exclude;
            if not.vcs || if exclude { not.exclude } else { not.global } {
                return None;
            }
            let rule = rules.deciding(relative(directory), is_dir, cancellation)?;
            Some(DecidingRule { rule, directory, name: Err(number) })
        })
    }
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

/// The entries of a directory above the search root that matter to rules, without listing it.
pub(crate) fn rule_entries(dir: &Path) -> Vec<Entry> {
    IGNORE_FILES
        .into_iter()
        .chain([REPOSITORY])
        .filter_map(|name| {
            let metadata = dir.join(os_path(name)).symlink_metadata().ok()?;
            let kind = if metadata.is_file() {
                Kind::File
            } else if metadata.is_dir() {
                Kind::Dir
            } else {
                Kind::Other
            };
            Some(Entry { name: name.to_vec(), kind, fingerprint: None })
        })
        .collect()
}
