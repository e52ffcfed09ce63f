//! The one walker: eligible files and problems below a search root, in `path_sort_key` order, one
//! at a time (docs/search.md section 3, D3, E-B04, E-B15, E-D04).
//!
//! Order comes without collecting the tree: the entries of one directory are sorted with `/`
//! appended to directories, which is the order of the whole paths below them. Directories whose
//! names differ in bytes but share a key are walked as one group, so that their children interleave
//! as their keys demand (E-B21).
//!
//! The walker opens directories and ignore files, never other files.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::{HashMap, VecDeque},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use forge_search_core::{
    cancellation::Cancellation,
    collect::problem,
    ignore_rules::Verdict,
    order::sort_key,
    scope::{Links, Scope},
};

use crate::{
    read::reason,
    root::{Entry, Kind, ListDetail, Root, os_path, path_bytes},
    rulebook::Rulebook,
    rules::{self, DirLocation, DirRules, Unreadable, join},
    sandbox::{Resolution, ResolvedPath, Sandbox, Target},
};

mod item;
mod node;
mod report;

pub(crate) use item::{FoundFile, Unread, WalkItem};
use node::{ENTRY_STEPS, FileDetail, Frame, Node, NodeKind, OpenDirs, PendingDir, sort};
pub(crate) use report::{Observer, WalkError};

/// Walks one search root.
pub(crate) struct Walker<'s> {
    sandbox: &'s Sandbox,
    scope: &'s Scope,
    book: &'s Rulebook,
    /// The search root, or the directory of a root that is a file.
    base: Arc<Root>,
    /// `base` relative to the sandbox root, which rules and deny patterns refer to.
    prefix: Vec<u8>,
    sandbox_root: PathBuf,
    frames: Vec<Frame>,
    /// Bytes of the stack, of the rules of its directories, and of a listing that is being read.
    held: Arc<AtomicU64>,
    ready: VecDeque<WalkItem>,
    /// Whether files come with fingerprints.
    stats: bool,
    observer: Option<&'s mut (dyn Observer + Send)>,
    /// Roots that followed links lead into.
    roots: RefCell<HashMap<PathBuf, Arc<Root>>>,
    /// Entries of a directory that was read after its end are discarded.
    cancellation: Cancellation<'s>,
    interrupted: bool,
}

impl<'s> Walker<'s> {
    /// A walker of a directory.
    #[expect(clippy::too_many_arguments, reason = "each is one thing that decides what is found")]
    pub(crate) fn directory(
        sandbox: &'s Sandbox,
        scope: &'s Scope,
        book: &'s Rulebook,
        base: Arc<Root>,
        sandbox_root: &Path,
        stats: bool,
        observer: Option<&'s mut (dyn Observer + Send)>,
        held: Arc<AtomicU64>,
        cancellation: Cancellation<'s>,
    ) -> Self {
        let prefix = path_bytes(base.path().strip_prefix(sandbox_root).unwrap_or(Path::new("")));
        let mut walker = Self {
            sandbox,
            scope,
            book,
            prefix,
            sandbox_root: sandbox_root.to_owned(),
            frames: Vec::new(),
            held,
            ready: VecDeque::new(),
            stats,
            observer,
            roots: RefCell::default(),
            base,
            cancellation,
            interrupted: false,
        };
        let rules = walker.rules_above();
        let way = (scope.links == Links::Follow)
            .then(|| Arc::new(OpenDirs { above: None, canonical: walker.base.path().to_owned() }));
        let root = PendingDir {
            root: Arc::clone(&walker.base),
            real: Vec::new(),
            rules,
            linked: false,
            included: false,
            way,
        };
        walker.open_group(vec![(Vec::new(), root)]);
        // Problems of the search root and of directories above it share one place, so their paths
        // decide.
        walker.ready.make_contiguous().sort_by_key(WalkItem::problem_path);
        walker
    }

    /// A walker of the single file `name` in `base`, which globs may exclude; hidden and ignore
    /// rules do not apply.
    pub(crate) fn file(
        sandbox: &'s Sandbox,
        scope: &'s Scope,
        book: &'s Rulebook,
        base: Arc<Root>,
        name: &[u8],
        cancellation: Cancellation<'s>,
    ) -> Self {
        let eligible = scope.includes(name, false, &cancellation)
            && !scope.excludes(name, false, &cancellation);
        let file = FoundFile::new(name.to_vec());
        Self {
            sandbox,
            scope,
            book,
            base,
            prefix: Vec::new(),
            sandbox_root: PathBuf::new(),
            frames: Vec::new(),
            held: Arc::default(),
            ready: eligible.then_some(WalkItem::File(file)).into_iter().collect(),
            stats: false,
            observer: None,
            roots: RefCell::default(),
            cancellation,
            interrupted: false,
        }
    }

    /// The rules above the search root.
    fn rules_above(&mut self) -> Arc<DirRules> {
        if self.scope.no_ignore || self.scope.disregarded.parents {
            return DirRules::at_top(&self.prefix, self.book);
        }
        let (root, prefix) = (&self.sandbox_root, &self.prefix);
        let (rules, unreadable) =
            rules::above(&self.base, root, prefix, self.book, &self.cancellation);
        self.report(unreadable);
        rules
    }

    fn report(&mut self, unreadable: Vec<Unreadable>) {
        for Unreadable(path) in unreadable {
            self.report_error(&path, problem::IGNORE_FILE, Vec::new());
        }
    }

    fn report_error(&mut self, from_sandbox_root: &[u8], why: &'static str, at: Vec<u8>) {
        let path = self.absolute(from_sandbox_root);
        self.ready.push_back(WalkItem::Problem(WalkError { path, why, at }));
    }

    /// The absolute form of a path relative to the sandbox root, or absolute.
    fn absolute(&self, from_sandbox_root: &[u8]) -> PathBuf {
        self.sandbox_root.join(os_path(from_sandbox_root))
    }

    /// The index needs fresh fingerprints.
    fn list_detail(&self) -> ListDetail {
        match (self.stats, self.observer.is_some()) {
            (false, _) => ListDetail::Names,
            (true, false) => ListDetail::Stat,
            (true, true) => ListDetail::FreshStat,
        }
    }

    /// Reads directories that share a key and pushes their entries, sorted, onto the stack.
    fn open_group(&mut self, dirs: Vec<(Vec<u8>, PendingDir)>) {
        let mut nodes = Vec::new();
        let mut problems = Vec::new();
        let mut own_rules = 0;
        let before = self.held.load(Ordering::Relaxed);
        for (walked, dir) in dirs {
            let from_top =
                if walked.is_empty() { self.prefix.clone() } else { join(&self.prefix, &walked) };
            if let Some(observer) = &mut self.observer {
                observer.enter(&dir.root, &dir.real, &walked);
            }
            match dir.root.list(&dir.real, self.list_detail(), &self.held, &self.cancellation) {
                Ok(entries) => {
                    let mut unreadable = Vec::new();
                    let rules = if self.scope.no_ignore {
                        Arc::clone(&dir.rules)
                    } else {
                        let (root, real) = (&*dir.root, &*dir.real);
                        let located = DirLocation { root, real, walked: &from_top, above: None };
                        DirRules::inside(
                            &dir.rules,
                            &located,
                            &entries,
                            self.book,
                            &mut unreadable,
                            &self.cancellation,
                        )
                    };
                    if !self.cancellation.go_on(1) {
                        return;
                    }
                    own_rules += rules.bytes().saturating_sub(dir.rules.bytes());
                    let unreadable = unreadable.into_iter();
                    problems.extend(
                        unreadable
                            .map(|Unreadable(path)| (path, problem::IGNORE_FILE, walked.clone())),
                    );
                    if let Some(observer) = &mut self.observer {
                        observer.listed(&walked, &rules, &entries, &self.cancellation);
                    }
                    let timely =
                        entries.iter().take_while(|_| self.cancellation.go_on(ENTRY_STEPS));
                    let timely = timely.filter_map(|entry| self.node(entry, &walked, &dir, &rules));
                    nodes.extend(timely.inspect(|node| {
                        self.held.fetch_add(node.bytes(), Ordering::Relaxed);
                    }));
                }
                Err(err) => {
                    problems.push((from_top, reason(&err), walked.clone()));
                    if let Some(observer) = &mut self.observer {
                        observer.failed(&walked, &err);
                    }
                }
            }
        }
        sort(&mut nodes, self.scope.by_name, &self.cancellation);
        if self.cancellation.is_cancelled() {
            return;
        }
        problems.sort();
        for (path, why, at) in problems {
            self.report_error(&path, why, at);
        }
        let frame = Frame::new(nodes, own_rules);
        self.held.store(before + frame.bytes, Ordering::Relaxed);
        self.frames.push(frame);
    }

    /// An entry as a node; `None` if it is not eligible.
    fn node(
        &self,
        entry: &Entry,
        above: &[u8],
        dir: &PendingDir,
        rules: &Arc<DirRules>,
    ) -> Option<Node> {
        let hidden = entry.name.starts_with(b".") && !self.scope.hidden;
        let Scope { overrides, brought_back, .. } = self.scope;
        let may_return = self.book.reincludes_hidden() && !self.scope.no_ignore;
        if hidden && overrides.is_none() && brought_back.is_empty() && !may_return {
            return None;
        }
        let walked = join(above, &entry.name);
        let real = || join(&dir.real, &entry.name);
        let (what, is_dir) = match entry.kind {
            Kind::Other => return None,
            Kind::File => {
                let opened_at = dir.linked.then(|| (Arc::clone(&dir.root), real()));
                let fingerprint = entry.fingerprint.as_deref().copied();
                let is_plain = opened_at.is_none() && fingerprint.is_none();
                let detail = FileDetail { opened_at, fingerprint };
                (NodeKind::File((!is_plain).then(|| Box::new(detail))), false)
            }
            Kind::Dir => (NodeKind::Dir(Box::new(Self::pending(dir, rules, real()))), true),
            Kind::Symlink if self.scope.links == Links::Skip => return None,
            Kind::Symlink => self.linked(dir, rules, &real())?,
        };
        let from_top = if self.prefix.is_empty() {
            Cow::Borrowed(walked.as_slice())
        } else {
            Cow::Owned(join(&self.prefix, &walked))
        };
        let hidden = hidden && !self.scope.brings_back(&walked, is_dir, &self.cancellation);
        let verdict = self.verdict(&walked, &from_top, is_dir, rules);
        let left_out = self.book.leaves_out(&entry.name, hidden, verdict);
        let selected = || self.scope.overrides.as_ref().is_some_and(|one| one.0(&walked, is_dir));
        let pruned = (left_out && !selected())
            || self.scope.excludes(&walked, is_dir, &self.cancellation)
            || self.is_denied(&from_top, dir, &entry.name, is_dir);
        if pruned || (is_dir && !self.scope.recursive()) {
            return None;
        }
        let included = dir.included || self.scope.includes(&walked, is_dir, &self.cancellation);
        let what = match what {
            NodeKind::Dir(pending) => NodeKind::Dir(Box::new(PendingDir { included, ..*pending })),
            NodeKind::File(..) | NodeKind::Problem(_)
                if !included || !self.scope.admits(&walked, &self.cancellation) =>
            {
                return None;
            }
            other => other,
        };
        let key = match sort_key(&entry.name) {
            Cow::Borrowed(_) => None,
            Cow::Owned(key) => Some(key.into()),
        };
        let name = walked.len() - entry.name.len();
        Some(Node { walked: walked.into(), name, key, what })
    }

    /// What ignore files say of an entry.
    fn verdict(
        &self,
        walked: &[u8],
        from_top: &[u8],
        is_dir: bool,
        rules: &DirRules,
    ) -> Option<Verdict> {
        let deciding = if self.scope.no_ignore {
            None
        } else {
            let not = self.scope.disregarded;
            rules.deciding_without(not, from_top, is_dir, &self.cancellation)
        };
        let ignored = || self.scope.ignored.as_ref().is_some_and(|test| test.0(walked, is_dir));
        match deciding {
            Some(deciding) => Some(deciding.rule.verdict),
            None => ignored().then_some(Verdict::Ignore),
        }
    }

    /// Whether an entry is denied by the path it is walked under or, behind a link, by its real
    /// path.
    fn is_denied(&self, from_top: &[u8], dir: &PendingDir, name: &[u8], is_dir: bool) -> bool {
        self.sandbox.has_denials()
            && (self.sandbox.denies(&self.absolute(from_top), is_dir)
                || (dir.linked
                    && self
                        .sandbox
                        .denies(&dir.root.path().join(os_path(&join(&dir.real, name))), is_dir)))
    }

    /// The handle of a root that links lead into, opened once: links may be many, handles are few.
    fn root(&self, path: &Path) -> Option<Arc<Root>> {
        let mut roots = self.roots.borrow_mut();
        if let Some(root) = roots.get(path) {
            return Some(Arc::clone(root));
        }
        let root = Arc::new(Root::open(path).ok()?);
        roots.insert(path.to_owned(), Arc::clone(&root));
        Some(root)
    }

    fn pending(dir: &PendingDir, rules: &Arc<DirRules>, real: Vec<u8>) -> PendingDir {
        let way = dir.way.as_ref().map(|above| {
            let canonical = dir.root.path().join(os_path(&real));
            Arc::new(OpenDirs { above: Some(Arc::clone(above)), canonical })
        });
        PendingDir {
            root: Arc::clone(&dir.root),
            real,
            rules: Arc::clone(rules),
            linked: dir.linked,
            included: dir.included,
            way,
        }
    }

    /// The target of a link, and whether it is a directory.
    fn linked(
        &self,
        dir: &PendingDir,
        rules: &Arc<DirRules>,
        real: &[u8],
    ) -> Option<(NodeKind, bool)> {
        let target = match self.sandbox.target(&dir.root.path().join(os_path(real))) {
            Target::Escapes => return Some((NodeKind::Problem(problem::ESCAPES), false)),
            Target::Inside(target) => target,
        };
        let ResolvedPath { path, root, found } = target;
        let why = match found {
            Resolution::Missing => problem::DANGLING,
            Resolution::Forbidden => problem::PERMISSION,
            Resolution::TooManyLinks => problem::LOOP,
            Resolution::Exists => {
                let metadata = path.symlink_metadata().ok()?;
                let below = path_bytes(path.strip_prefix(&root).ok()?);
                let Some(handle) = self.root(&root) else {
                    return Some((NodeKind::Problem(problem::READ), false));
                };
                if metadata.is_file() {
                    let opened_at = Some((handle, below));
                    let detail = FileDetail { opened_at, fingerprint: None };
                    return Some((NodeKind::File(Some(Box::new(detail))), false));
                }
                if !metadata.is_dir() || self.scope.links == Links::ToFiles {
                    return None;
                }
                if dir.way.as_ref().is_some_and(|way| way.holds(&path)) {
                    return Some((NodeKind::Problem(problem::LOOP), true));
                }
                let way = OpenDirs { above: dir.way.clone(), canonical: path };
                let pending = PendingDir {
                    root: handle,
                    real: below,
                    rules: Arc::clone(rules),
                    linked: true,
                    included: dir.included,
                    way: Some(Arc::new(way)),
                };
                return Some((NodeKind::Dir(Box::new(pending)), true));
            }
        };
        Some((NodeKind::Problem(why), false))
    }
}

impl Iterator for Walker<'_> {
    type Item = WalkItem;

    fn next(&mut self) -> Option<WalkItem> {
        loop {
            if self.cancellation.is_cancelled() {
                return (!std::mem::replace(&mut self.interrupted, true))
                    .then_some(WalkItem::Interrupted);
            }
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            let Frame { nodes: frame, bytes } = self.frames.last_mut()?;
            let Some(node) = frame.pop_front() else {
                self.held.fetch_sub(*bytes, Ordering::Relaxed);
                self.frames.pop();
                continue;
            };
            match node.what {
                NodeKind::File(detail) => {
                    let file = FoundFile::new(node.walked.into());
                    return Some(WalkItem::File(match detail {
                        None => file,
                        Some(detail) => {
                            let FileDetail { opened_at, fingerprint } = *detail;
                            FoundFile { opened_at, fingerprint, ..file }
                        }
                    }));
                }
                NodeKind::Problem(why) => {
                    let path = self.absolute(&join(&self.prefix, &node.walked));
                    return Some(WalkItem::Problem(WalkError {
                        path,
                        why,
                        at: node.walked.into(),
                    }));
                }
                NodeKind::Dir(_) if self.scope.is_too_deep(&node.walked) => {
                    return Some(WalkItem::NotEntered);
                }
                NodeKind::Dir(_)
                    if self.observer.as_ref().is_some_and(|observer| observer.is_over()) =>
                {
                    return None;
                }
                NodeKind::Dir(pending) => {
                    let key = node
                        .key
                        .unwrap_or_else(|| node.walked.get(node.name..).unwrap_or_default().into());
                    let mut group = vec![(node.walked.into(), *pending)];
                    let twin =
                        |next: &Node| matches!(next.what, NodeKind::Dir(_)) && next.key() == &*key;
                    while frame.front().is_some_and(twin) {
                        if let Some(Node { walked, what: NodeKind::Dir(pending), .. }) =
                            frame.pop_front()
                        {
                            group.push((walked.into(), *pending));
                        }
                    }
                    self.open_group(group);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
