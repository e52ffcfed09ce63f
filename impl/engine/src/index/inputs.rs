//! Inputs of eligibility that raise no event in the index root: ignore files and repositories above
//! it, and the exclude file of each repository (docs/index-service.md, section 3; D8, D23).
//!
//! Responsible for: what they are now, as one list that is compared with the one of the time when
//! rules were read. Not here: ignore files below the root, which are watched.
//! Invariants: what is not there is an input too; above the sandbox root everything is found from
//! its handle.

use std::{
    path::{Path, PathBuf},
    thread,
};

use forge_search_core::index::segment::Fingerprint;
use xxhash_rust::xxh3::Xxh3;

use super::{
    Clock,
    coverage::Coverage,
    fingerprint::{RACY_PERIOD, input, is_written},
};
use crate::{
    repository::{Ascent, REPOSITORY, Trail},
    root::{Kind, Root, os_path},
    rules::{EXCLUDE, IGNORE_FILES, LINKED_EXCLUDE},
};

/// An input, and what it was like; `None` if nothing was there.
pub(crate) type Input = (PathBuf, Option<Fingerprint>);

/// What an input is looked at for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// It will be read. One written a moment ago is awaited until its times prove something.
    BeforeReading,
    /// It is compared.
    Now,
}

/// Whether inputs are what they were. One whose times prove nothing counts as changed.
pub(crate) fn are_still(before: &[Input], now: &[Input]) -> bool {
    let proves = |(_, known): &Input| *known != Some(Fingerprint::default());
    before == now && now.iter().all(proves)
}

impl Coverage {
    /// The inputs outside the watched directories, in order of their paths. A path above the
    /// sandbox root leads through the root.
    pub(crate) fn inputs(&self, repositories: &[Vec<u8>], moment: Moment) -> Vec<Input> {
        if !self.heeds_ignore_files() {
            return Vec::new();
        }
        let mut inputs = Vec::new();
        let mut directory = self.root.as_path();
        let mut in_repository = holds_git(Root::open(directory).ok().as_ref());
        while directory != self.sandbox_root {
            let Some(above) = directory.parent() else { break };
            let opened = Root::open(above).ok();
            let (path, opened) = (above.to_owned(), opened.as_ref());
            inputs.push(self.named(&path, opened, REPOSITORY, moment));
            self.push_rules(&mut inputs, &path, opened, moment);
            inputs.push((path.join(os_path(EXCLUDE)), self.exclude(opened, moment)));
            in_repository |= holds_git(opened);
            directory = above;
        }
        if !in_repository && self.rulebook.follows_repositories() {
            self.push_above(&mut inputs, moment);
        }
        inputs.extend(repositories.iter().map(|repository| {
            let opened = Root::open(&self.absolute(repository)).ok();
            (self.exclude_file(repository), self.exclude(opened.as_ref(), moment))
        }));
        inputs.sort_by(|a, b| a.0.cmp(&b.0));
        inputs
    }

    /// Directories above the sandbox root, by identity, up to the repository that holds it; and the
    /// rules there, if they count.
    fn push_above(&self, inputs: &mut Vec<Input>, moment: Moment) {
        let Ok(root) = Root::open(&self.sandbox_root) else { return };
        let ascent = Ascent::from(&root);
        let mut path = self.sandbox_root.clone();
        let counted = ascent.counted().len();
        for (number, level) in ascent.levels.iter().enumerate() {
            path.push("..");
            let opened = Some(&level.directory);
            inputs.push((path.clone(), Some(level.stat.identity())));
            inputs.push(self.named(&path, opened, REPOSITORY, moment));
            if number < counted {
                self.push_rules(inputs, &path, opened, moment);
            }
            if number + 1 == counted {
                inputs.push((path.join(os_path(EXCLUDE)), self.exclude(opened, moment)));
            }
        }
    }

    fn push_rules(
        &self,
        inputs: &mut Vec<Input>,
        path: &Path,
        opened: Option<&Root>,
        moment: Moment,
    ) {
        inputs.extend(IGNORE_FILES.map(|name| self.named(path, opened, name, moment)));
    }

    fn named(&self, path: &Path, opened: Option<&Root>, name: &[u8], moment: Moment) -> Input {
        let look = |directory: &Root| input(directory, name, &*self.clock);
        let is_written = |directory: &Root| is_written(directory, name);
        (path.join(os_path(name)), opened.and_then(|root| looked(root, moment, look, is_written)))
    }

    /// What the exclude file of a directory's repository is like; through `.git`, if that is a file.
    pub(crate) fn exclude(&self, opened: Option<&Root>, moment: Moment) -> Option<Fingerprint> {
        let root = opened?;
        let clock = &*self.clock;
        match root.stat(REPOSITORY).ok()?.kind {
            Kind::Dir => {
                let look = |root: &Root| input(root, EXCLUDE, clock);
                looked(root, moment, look, |root| is_written(root, EXCLUDE))
            }
            Kind::File if self.rulebook.follows_repositories() => {
                let is_written = |root: &Root| {
                    let home = Trail::default().follow(root);
                    home.is_ok_and(|home| is_written(&home, LINKED_EXCLUDE))
                };
                looked(root, moment, |root| Some(linked(root, clock)), is_written)
            }
            Kind::File | Kind::Symlink | Kind::Other => None,
        }
    }
}

fn holds_git(directory: Option<&Root>) -> bool {
    directory.is_some_and(|directory| directory.stat(REPOSITORY).is_ok())
}

/// One look, or two with a pause, if it is to be read and its times prove nothing yet.
fn looked(
    root: &Root,
    moment: Moment,
    look: impl Fn(&Root) -> Option<Fingerprint>,
    is_written: impl Fn(&Root) -> bool,
) -> Option<Fingerprint> {
    let mut found = look(root);
    if moment == Moment::Now {
        return found;
    }
    if found == Some(Fingerprint::default()) {
        thread::sleep(RACY_PERIOD);
        found = look(root);
    }
    found.map(|found| if is_written(root) { Fingerprint::default() } else { found })
}

/// All that decides where the exclude file of a `.git` file lies, and the file, as one fingerprint.
fn linked(directory: &Root, clock: &dyn Clock) -> Fingerprint {
    let mut trail = Trail::default();
    let home = trail.follow(directory).ok();
    trail.0.push(home.and_then(|home| input(&home, LINKED_EXCLUDE, clock)));
    let stamp = clock.stamp_ns();
    let mut hash = Xxh3::new();
    for known in &trail.0 {
        let found = known.unwrap_or_default();
        if known.is_some() && (found == Fingerprint::default() || found.is_racy(stamp)) {
            return Fingerprint::default();
        }
        let Fingerprint { size, mtime_ns, ctime_ns, device, inode, links } = found;
        let times = [mtime_ns, ctime_ns].map(i64::cast_unsigned);
        for number in [size, times[0], times[1], device, inode, links] {
            hash.update(&number.to_le_bytes());
        }
    }
    let [size, inode] = [hash.digest(), trail.0.len() as u64];
    Fingerprint { size, inode, ..Fingerprint::default() }
}
