//! The walk: eligible files in order, and errors on the way (section 3): hidden names, ignore
//! files, globs, deny patterns, symlinks, special files.
//!
//! An excluded directory is never opened, an excluded link is never followed. Files are identified
//! by their path as walked; only loops depend on where a path leads (E-B23).

use crate::config::Config;
use crate::glob::Glob;
use crate::ignore_rules::{self, IgnoreFile, Ruling};
use crate::meter::Meter;
use crate::order::{Rank, Value};
use crate::place::{self, Name, Place};
use crate::sandbox;
use crate::tables::caps::{Cap, Counted, Within};
use crate::tables::files::Shortfall;
use crate::tables::order::{By, Orders};
use crate::tables::{IgnoreSource, Problem};
use crate::world::{Absent, Node, World};

mod repository;
mod scope;

pub(crate) use scope::{BroughtBack, Depth, Links, Paths, Scope};

/// A file to search, unless it is oversized, binary or unreadable.
#[derive(Debug, Clone)]
pub(crate) struct Candidate<'w> {
    pub(crate) place: Rank,
    pub(crate) path: String,
    /// Names below the search root; none if it is the search root.
    pub(crate) below_root: Vec<Name>,
    pub(crate) bytes: &'w [u8],
    pub(crate) readable: bool,
}

/// An error about one file, link or directory (FR-LS-ERR-05).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WalkError {
    pub(crate) place: Rank,
    pub(crate) path: String,
    /// From the closed list.
    pub(crate) message: &'static str,
}

impl WalkError {
    /// The value that orders compare.
    pub(crate) fn value(&self, by: By) -> Value {
        match by {
            By::Place => Value::Rank(self.place.clone()),
            By::Message => Value::Bytes(self.message.as_bytes().to_vec()),
            _ => Value::Nothing,
        }
    }
}

/// The result of a walk; files are in order.
#[derive(Debug, Default)]
pub(crate) struct WalkResult<'w> {
    pub(crate) eligible: Vec<Candidate<'w>>,
    pub(crate) problems: Vec<WalkError>,
    /// Directories below the depth limit.
    pub(crate) too_deep: Vec<Rank>,
}

/// The eligible files, and the errors of the walk. Of the configuration it uses what all tools
/// share: deny patterns, global ignore files, the working directory.
pub(crate) fn walk<'w>(world: &'w World, config: &Config, scope: &Scope<'_>) -> WalkResult<'w> {
    let root = &scope.root.names;
    let deny = sandbox::deny_globs(config);
    let mut walk = Walk {
        world,
        config,
        scope,
        deny,
        root,
        outer: Vec::new(),
        open: Vec::new(),
        found: WalkResult::default(),
    };
    if scope.root.file.is_some() {
        walk.file_root();
    } else {
        let ignore = walk.ignore_files_of_root();
        walk.enter(root, &Place::inside(root.clone()), &ignore);
    }
    walk.found.eligible.sort_by(|one, other| one.place.cmp(&other.place));
    walk.found
}

struct Walk<'w, 'c> {
    world: &'w World,
    config: &'c Config,
    scope: &'c Scope<'c>,
    deny: Vec<Glob>,
    root: &'c [Name],
    /// The names from the top of the rules down to the sandbox root, if the top lies above it.
    outer: Vec<Name>,
    /// The directories from the search root to the current one, after resolving links.
    open: Vec<Place>,
    found: WalkResult<'w>,
}

impl<'w> Walk<'w, '_> {
    /// A search root that is a file: only globs apply, relative to its directory (FR-LS-VAL-04).
    fn file_root(&mut self) {
        let name = self.root.last().map_or(self.root, std::slice::from_ref);
        if self.includes(name, false) && !self.excludes(name, false) {
            let place = Place::inside(self.root.to_vec());
            self.add_file(self.root, self.world.look(&place));
        }
    }

    /// Walks the directory with these names as walked, which leads to `place`.
    fn enter(&mut self, names: &[Name], place: &Place, ignore: &[IgnoreFile]) {
        if !matches!(self.world.look(place), Ok(Node::Dir { readable: true })) {
            self.report_directory(names, names, Problem::PermissionDenied);
            return;
        }
        self.open.push(place.clone());
        for name in self.world.children(place) {
            self.visit(&[names, std::slice::from_ref(&name)].concat(), &place.child(&name), ignore);
        }
        self.open.pop();
    }

    /// Examines one directory entry.
    fn visit(&mut self, names: &[Name], place: &Place, ignore: &[IgnoreFile]) {
        let node = self.world.look(place);
        if matches!(node, Ok(Node::Symlink { .. })) {
            if self.scope.links != Links::Skipped {
                self.follow(names, place, ignore);
            }
            return;
        }
        let is_dir = matches!(node, Ok(Node::Dir { .. }));
        if self.removes(names, place, is_dir, ignore) {
            return;
        }
        match node {
            Ok(Node::File { .. }) if self.includes(self.below_root(names), false) => {
                self.add_file(names, node);
            }
            Ok(Node::Dir { .. }) => self.descend(names, place, ignore),
            Ok(Node::File { .. } | Node::Symlink { .. } | Node::Fifo) | Err(_) => {}
        }
    }

    /// Enters a directory, unless it lies too deep.
    fn descend(&mut self, names: &[Name], place: &Place, ignore: &[IgnoreFile]) {
        let depth = u64::try_from(self.below_root(names).len()).unwrap_or(u64::MAX);
        match self.scope.depth {
            Depth::Children => return,
            Depth::Capped(cap, most) if is_too_deep(cap, most, depth) => {
                self.found.too_deep.push(Rank::of_directory(
                    self.orders(),
                    names,
                    self.root,
                    names,
                ));
                return;
            }
            Depth::All | Depth::Capped(..) => {}
        }
        let ignore = self.ignore_files_of(names, place, ignore);
        self.enter(names, place, &ignore);
    }

    /// Follows a symlink, unless its own name is excluded. A link to a directory counts as one
    /// (E-B19, E-B20).
    fn follow(&mut self, names: &[Name], link: &Place, ignore: &[IgnoreFile]) {
        let led = self.resolve_link(link);
        let is_dir = matches!(led, Ok((_, Node::Dir { .. })));
        if self.removes(names, link, is_dir, ignore) {
            return;
        }
        match led {
            Err(problem) => self.report_link(names, is_dir, problem),
            Ok((_, file @ Node::File { .. })) if self.includes(self.below_root(names), false) => {
                self.add_file(names, Ok(file));
            }
            Ok((place, Node::Dir { .. }))
                if self.scope.links == Links::Followed && self.scope.depth != Depth::Children =>
            {
                if self.open.contains(&place) {
                    self.report_link(names, is_dir, Problem::LinkLoop);
                } else {
                    self.descend(names, &place, ignore);
                }
            }
            Ok((_, Node::File { .. } | Node::Dir { .. } | Node::Symlink { .. } | Node::Fifo)) => {}
        }
    }

    /// The target of a symlink, or why it cannot be followed. A target outside the roots or denied
    /// is not examined, not even for its type.
    fn resolve_link(&self, link: &Place) -> Result<(Place, &'w Node), Problem> {
        let own_name = link.names_inside().and_then(<[Name]>::last).cloned().unwrap_or_default();
        let steps = self.config.tables.limits.symlink_steps;
        let resolved = self
            .world
            .resolve(link.parent(), vec![own_name], steps)
            .map_err(|_| Problem::LinkLoop)?;
        let target = resolved.place.names_inside().ok_or(Problem::LeavesSandbox)?;
        if sandbox::denied(&self.deny, target, matches!(resolved.node, Ok(Node::Dir { .. }))) {
            return Err(Problem::LeavesSandbox);
        }
        match resolved.node {
            Ok(node) => Ok((resolved.place, node)),
            Err(Absent::Missing) => Err(Problem::DanglingLink),
            Err(Absent::Unseen) => Err(Problem::PermissionDenied),
        }
    }

    /// Whether the hidden, ignore, exclude or deny rule excludes the entry with everything below
    /// it. Deny patterns apply to the path as walked and to the real place.
    fn removes(&self, names: &[Name], place: &Place, is_dir: bool, ignore: &[IgnoreFile]) -> bool {
        let denied = |names: &[Name]| sandbox::denied(&self.deny, names, is_dir);
        let hidden = names.last().is_some_and(|name| name.starts_with(b"."));
        let brought_back = || self.scope.brought_back.has(self.below_root(names), is_dir);
        let ruling = ignore_rules::decide(ignore, &self.names_at_top(names), is_dir);
        // As ripgrep: a rule that includes a name includes it whatever its dot says.
        let is_repository = names.last().is_some_and(|name| name == b".git");
        let included =
            self.config.reincludes_hidden && ruling == Some(Ruling::Included) && !is_repository;
        hidden && !self.scope.hidden && !brought_back() && !included
            || ruling == Some(Ruling::Ignored)
            || self.excludes(self.below_root(names), is_dir)
            || denied(names)
            || place.names_inside().is_some_and(denied)
    }

    /// Whether the include globs admit a path below the search root (FR-LS-VAL-10). They never
    /// widen the scope (E-B11), and do not apply to directories to enter.
    fn includes(&self, below: &[Name], is_dir: bool) -> bool {
        self.scope.include.is_empty()
            || self.scope.include.iter().any(|glob| glob.covers(below, is_dir))
    }

    fn excludes(&self, below: &[Name], is_dir: bool) -> bool {
        self.scope.exclude.iter().any(|glob| glob.covers(below, is_dir))
    }

    fn below_root<'n>(&self, names: &'n [Name]) -> &'n [Name] {
        names.strip_prefix(self.root).unwrap_or(names)
    }

    fn add_file(&mut self, names: &[Name], node: Result<&'w Node, Absent>) {
        if let Ok(Node::File { bytes, readable }) = node {
            self.found.eligible.push(Candidate {
                place: Rank::of_file(self.orders(), names, self.root),
                path: self.shown(names),
                below_root: match self.below_root(names) {
                    // The search root is this file.
                    [] => names.last().cloned().into_iter().collect(),
                    below_root => below_root.to_vec(),
                },
                bytes,
                readable: *readable,
            });
        }
    }

    /// Reports a link that cannot be followed, unless the include globs exclude it.
    fn report_link(&mut self, names: &[Name], is_dir: bool, problem: Problem) {
        if self.includes(self.below_root(names), is_dir) {
            self.problem(Rank::of_file(self.orders(), names, self.root), names, problem);
        }
    }

    /// Reports a directory, or an ignore file of it at `path`.
    fn report_directory(&mut self, directory: &[Name], path: &[Name], problem: Problem) {
        self.problem(Rank::of_directory(self.orders(), directory, self.root, path), path, problem);
    }

    fn orders(&self) -> &'static Orders {
        self.config.tables.orders
    }

    fn problem(&mut self, place: Rank, path: &[Name], problem: Problem) {
        let path = self.shown(path);
        let message = self.config.tables.message(problem);
        self.found.problems.push(WalkError { place, path, message });
    }

    fn shown(&self, names: &[Name]) -> String {
        match self.scope.paths {
            Paths::FromWorkingDirectory => place::shown(names, &self.config.working_dir),
            Paths::FromSearchRoot => place::relative(names, self.root),
        }
    }

    /// The ignore files in force in the search root: from the nearest directory at or above it with
    /// `.git`, or else from the sandbox root, down.
    fn ignore_files_of_root(&mut self) -> Vec<IgnoreFile> {
        let within = (0..=self.root.len()).rev().find(|depth| {
            self.root.get(..*depth).is_some_and(|names| self.is_repository(&inside(names)))
        });
        let mut ignore = match within {
            None if self.config.repository_rules && !self.scope.no_ignore => {
                self.ignore_files_above()
            }
            _ => None,
        };
        let top = within.unwrap_or(0);
        for depth in top..=self.root.len() {
            let names = self.root.get(..depth).unwrap_or(self.root);
            let mut files =
                ignore.take().unwrap_or_else(|| self.ignore_files_at_top(names, &inside(names)));
            files.extend(self.ignore_files_in(names, &inside(names)));
            ignore = Some(files);
        }
        ignore.unwrap_or_default()
    }

    /// The ignore files in force above the sandbox root, from the nearest directory with `.git`
    /// down; none if no directory there has it (D23).
    fn ignore_files_above(&mut self) -> Option<Vec<IgnoreFile>> {
        let names = self.world.root.clone();
        let place = |depth: usize| {
            let names = names.get(..depth).unwrap_or_default();
            Place::below_top(names, &self.world.root)
        };
        let top = (0..names.len()).rev().find(|depth| self.is_repository(&place(*depth)))?;
        let mut ignore = Vec::new();
        for depth in top..names.len() {
            let place = place(depth);
            let base = names.get(top..depth)?.to_vec();
            if depth == top {
                ignore = self.ignore_files_at_top(&base, &place);
            }
            ignore.extend(self.ignore_files_in(&base, &place));
        }
        // From here on what lies below the sandbox root is named from that top.
        self.outer = names.get(top..)?.to_vec();
        Some(ignore)
    }

    /// The ignore files in force in a directory, given those of its parent.
    fn ignore_files_of(
        &mut self,
        names: &[Name],
        place: &Place,
        above: &[IgnoreFile],
    ) -> Vec<IgnoreFile> {
        let mut ignore = if self.is_repository(place) {
            self.ignore_files_at_top(names, place)
        } else {
            above.to_vec()
        };
        ignore.extend(self.ignore_files_in(names, place));
        ignore
    }

    fn is_repository(&self, place: &Place) -> bool {
        self.world.look(&place.child(b".git")).is_ok()
    }

    /// The sources that exist once per repository, at its top; configured files are relative to it.
    fn ignore_files_at_top(&mut self, names: &[Name], place: &Place) -> Vec<IgnoreFile> {
        let mut files = Vec::new();
        for (rank, source) in self.config.tables.ignore_sources.iter().enumerate() {
            match source {
                IgnoreSource::InDirectory(_) => {}
                IgnoreSource::AtTop(path) => {
                    let is_file =
                        matches!(self.world.look(&place.child(b".git")), Ok(Node::File { .. }));
                    if is_file && self.config.repository_rules {
                        let home = repository::linked(self.world, place);
                        let path = path.strip_prefix(".git/").unwrap_or(path);
                        files.extend(
                            home.and_then(|home| self.ignore_file(rank, names, &home, path)),
                        );
                    } else {
                        files.extend(self.ignore_file(rank, names, place, path));
                    }
                }
                IgnoreSource::Global if self.scope.no_ignore => {}
                // The last one listed is the strongest, as a nearer directory is.
                IgnoreSource::Global => files.extend(
                    self.config
                        .global_ignore
                        .iter()
                        .rev()
                        .map(|text| IgnoreFile::read(rank, &self.names_at_top(names), text)),
                ),
            }
        }
        files
    }

    /// The sources that every directory may have.
    fn ignore_files_in(&mut self, names: &[Name], place: &Place) -> Vec<IgnoreFile> {
        let mut files = Vec::new();
        for (rank, source) in self.config.tables.ignore_sources.iter().enumerate() {
            if let IgnoreSource::InDirectory(file) = source {
                files.extend(self.ignore_file(rank, names, place, file));
            }
        }
        files
    }

    /// Parses the ignore file at `path` below the directory. It must be a regular file, not a link;
    /// one that is unreadable or too large is an error, and empty.
    fn ignore_file(
        &mut self,
        rank: usize,
        names: &[Name],
        place: &Place,
        path: &str,
    ) -> Option<IgnoreFile> {
        if self.scope.no_ignore {
            return None;
        }
        let path = place::names(path.as_bytes());
        let looked = self.world.look(&place.clone().walk_blindly(&path));
        if matches!(looked, Err(Absent::Unseen))
            && matches!(self.world.look(place), Ok(Node::Dir { readable: true }))
        {
            // It lies in an unreadable directory such as `.git`, so its absence is not known.
            self.report_directory(names, &[names, &path].concat(), Problem::IgnoreUnreadable);
        }
        let Ok(Node::File { bytes, readable }) = looked else { return None };
        let limit = self.config.tables.limits.ignore_file_bytes;
        if !readable || u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
            self.report_directory(names, &[names, &path].concat(), Problem::IgnoreUnreadable);
            return None;
        }
        Some(IgnoreFile::read(rank, &self.names_at_top(names), bytes))
    }

    /// The names of a path below the sandbox root from the top of the rules.
    fn names_at_top(&self, names: &[Name]) -> Vec<Name> {
        [&self.outer, names].concat()
    }
}

fn inside(names: &[Name]) -> Place {
    Place::inside(names.to_vec())
}

/// Whether a cap strikes at a directory at this depth.
fn is_too_deep(cap: Cap<Shortfall>, most: u64, depth: u64) -> bool {
    let mut meter = Meter::new(&[cap], cap.within == Within::File, |_| Some(most));
    meter.strike(|counted| (counted == Counted::Levels).then_some(depth)).is_some()
}

#[cfg(test)]
mod tests;
