//! A batch with an external process: which files it gets, and how its proposals are used.

use std::{collections::HashMap, io::Read, sync::atomic::Ordering};

use forge_search_core::{
    collect::{Item, Outcome},
    error::Interrupted,
    text::{self, Encoding},
};

use super::{BatchEnd, BatchOutcome, Worker, place};
use crate::{
    backend::{Chunk, External, Failure, Lines, Proposals},
    job::Scanner,
    read::reason,
    root::{Root, os_path, path_bytes},
    walk::{FoundFile, WalkItem},
};

impl<S: Scanner> Worker<'_, S> {
    pub(super) fn search_externally(
        &mut self,
        external: &External,
        items: &[WalkItem],
    ) -> BatchOutcome<S::Output> {
        let mut asked = Vec::with_capacity(items.len());
        let mut names = Names::default();
        for item in items {
            asked.push(match item {
                WalkItem::Problem(_)
                | WalkItem::Unread(_)
                | WalkItem::NotEntered
                | WalkItem::Interrupted => ItemState::Settled(None),
                WalkItem::File(file) => match self.before_backend(external, file) {
                    Ok(None) => ItemState::Backend(names.add(file)),
                    Ok(settled) => ItemState::Settled(settled),
                    Err(Interrupted) => {
                        return BatchOutcome { items: Vec::new(), end: BatchEnd::Deadline };
                    }
                },
            });
        }
        let chunk = Chunk {
            cwd: self.job.base.path(),
            files: &names.names,
            deadline: self.job.deadline.at,
        };
        let (stop, deadline) = (self.stop, self.job.deadline);
        let enough = || stop.load(Ordering::Relaxed) || deadline.cancelled();
        let proposals = match external.propose(&self.job.expression, &chunk, &enough) {
            Ok(proposals) => proposals,
            Err(Failure::Deadline | Failure::Stopped) => {
                return BatchOutcome { items: Vec::new(), end: BatchEnd::Deadline };
            }
            Err(Failure::Backend(code, said)) => {
                return BatchOutcome { items: Vec::new(), end: BatchEnd::Failed(code, said) };
            }
            Err(Failure::Malformed(why)) => {
                return BatchOutcome { items: Vec::new(), end: BatchEnd::Malformed(why) };
            }
        };
        self.after_backend(items, asked, proposals)
    }

    /// The outcome of a file that the backend need not see; `None` if it must.
    fn before_backend(
        &mut self,
        external: &External,
        file: &FoundFile,
    ) -> Result<Option<Outcome<S::Output>>, Interrupted> {
        if file.binary {
            return Ok(Some(Outcome::Binary));
        }
        let (root, path) = place(self.job, file);
        match file.fingerprint.map_or_else(|| root.size(path), |found| Ok(found.size)) {
            Err(err) => return Ok(Some(Outcome::Failed(reason(&err)))),
            Ok(size) if size > self.job.max_file_size_bytes => {
                return Ok(Some(Outcome::Oversized));
            }
            Ok(_) => {}
        }
        // An expression that selects every line says nothing.
        if self.job.expression.is_empty() {
            return self.search_file(file, None).map(Some);
        }
        if external.dialect.reads_raw_bytes {
            return Ok(None);
        }
        match is_utf16(root, path) {
            Ok(false) => Ok(None),
            Ok(true) => self.search_file(file, None).map(Some),
            Err(err) => Ok(Some(Outcome::Failed(reason(&err)))),
        }
    }

    fn after_backend(
        &mut self,
        items: &[WalkItem],
        asked: Vec<ItemState<S::Output>>,
        proposals: Proposals,
    ) -> BatchOutcome<S::Output> {
        let mut done = Vec::with_capacity(items.len());
        let mut explained = false;
        for (item, asked) in items.iter().zip(asked) {
            let file = match item {
                WalkItem::Problem(error) => {
                    done.push(self.problem(error));
                    continue;
                }
                WalkItem::Unread(unread) => {
                    done.push(self.unread(unread));
                    continue;
                }
                WalkItem::NotEntered => {
                    done.push(Item::NotEntered);
                    continue;
                }
                WalkItem::Interrupted => {
                    return BatchOutcome { items: done, end: BatchEnd::Deadline };
                }
                WalkItem::File(file) => file,
            };
            let lines = match asked {
                ItemState::Settled(None) => continue,
                ItemState::Settled(Some(outcome)) => {
                    explained |= matches!(outcome, Outcome::Failed(_));
                    done.push(self.item(file, outcome));
                    continue;
                }
                ItemState::Backend(at) => proposals.lines.get(at).unwrap_or(&Lines::Many),
            };
            let outcome = match self.confirm(file, lines, proposals.failure.is_some()) {
                Ok(outcome) => outcome,
                Err(Interrupted) => return BatchOutcome { items: done, end: BatchEnd::Deadline },
            };
            explained |= matches!(outcome, Outcome::Failed(_));
            done.push(self.item(file, outcome));
        }
        match proposals.failure {
            // Some releases exit with an error although only one file failed; here no file did.
            Some((code, said)) if !explained && code.is_none_or(|code| code > 1) => {
                BatchOutcome { items: Vec::new(), end: BatchEnd::Failed(code, said) }
            }
            _ => BatchOutcome { items: done, end: BatchEnd::Whole },
        }
    }

    /// Confirms proposed lines. A file without any is not opened, unless the program failed.
    fn confirm(
        &mut self,
        file: &FoundFile,
        lines: &Lines,
        failed: bool,
    ) -> Result<Outcome<S::Output>, Interrupted> {
        if S::READS_ALL || !lines.is_none() || self.job.file.is_some() {
            let listed = match lines {
                Lines::Listed(lines) => Some(lines.as_slice()),
                Lines::Many => None,
            };
            return self.search_file(file, listed);
        }
        if failed {
            let (root, path) = place(self.job, file);
            if let Err(err) = root.open_file(path) {
                return Ok(Outcome::Failed(reason(&err)));
            }
        }
        Ok(Outcome::Searched(S::Output::default()))
    }
}

/// The state of an item before the backend has run.
enum ItemState<T> {
    /// Decided; `None` for items that are not files.
    Settled(Option<Outcome<T>>),
    /// The backend gets the file at this index of the chunk.
    Backend(usize),
}

/// The names of a chunk, each once.
#[derive(Default)]
struct Names {
    names: Vec<Vec<u8>>,
    /// Index by real name, for files reached through links: several links may lead to one file.
    linked: HashMap<Vec<u8>, usize>,
}

impl Names {
    /// The index of a file's name. A backend never gets a link, so a file behind one has its
    /// absolute real name.
    fn add(&mut self, file: &FoundFile) -> usize {
        let next = self.names.len();
        let Some((root, below)) = &file.opened_at else {
            // `./` keeps a name from being read as an option or as standard input.
            self.names.push([b"./", file.walked.as_slice()].concat());
            return next;
        };
        let name = path_bytes(&root.path().join(os_path(below)));
        let at = *self.linked.entry(name.clone()).or_insert(next);
        if at == next {
            self.names.push(name);
        }
        at
    }
}

fn is_utf16(root: &Root, path: &[u8]) -> std::io::Result<bool> {
    let (file, _) = root.open_file(path)?;
    let mut start = Vec::with_capacity(2);
    file.take(2).read_to_end(&mut start)?;
    Ok(matches!(text::encoding(&start), Encoding::Utf16Le | Encoding::Utf16Be))
}
