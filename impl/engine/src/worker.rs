//! One thread's work: a batch of walk items to outcomes, with the embedded backend or a process
//! over the batch.

use std::{
    collections::HashMap,
    io::Read,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use forge_search_core::{
    collect::{Item, Outcome},
    error::Interrupted,
    response::PathError,
    scan::Proposer,
    text::{self, Encoding},
};
use memchr::memchr;

use crate::{
    backend::{Backend, Chunk, External, Failure, Lines, Proposals},
    job::{Job, Scanner},
    read::{Loaded, Reader, reason},
    root::{Root, os_path, path_bytes},
    walk::{FoundFile, Trouble, WalkItem},
};

/// What became of a batch: its items in order, and whether they are all there.
pub(crate) struct Done<Found> {
    pub(crate) items: Vec<Item<Found>>,
    pub(crate) end: BatchEnd,
}

/// How the batch ended.
pub(crate) enum BatchEnd {
    Whole,
    /// The deadline struck after these items.
    Deadline,
    /// The backend failed after these items: exit code and what it said.
    Failed(Option<i32>, String),
    /// The backend's output cannot be trusted: nothing of the answer can.
    Garbled(String),
}

/// One thread's own state.
pub(crate) struct Worker<'w, S> {
    job: &'w Job<'w>,
    scanner: S,
    reader: Reader<'w>,
    stop: &'w AtomicBool,
}

impl<'w, S: Scanner> Worker<'w, S> {
    pub(crate) fn new(job: &'w Job<'w>, scanner: S, stop: &'w AtomicBool) -> Self {
        Self { job, scanner, reader: Reader::new(job.until.holding()), stop }
    }

    /// Searches a batch.
    pub(crate) fn search(&mut self, items: Vec<WalkItem>) -> Done<S::Found> {
        let job = self.job;
        self.scanner.begin();
        match &job.backend {
            Backend::Native => self.search_natively(items),
            Backend::External(external) => self.search_externally(external, &items),
        }
    }

    fn search_natively(&mut self, items: Vec<WalkItem>) -> Done<S::Found> {
        let mut done = Vec::with_capacity(items.len());
        for item in items {
            match item {
                WalkItem::Problem(trouble) => done.push(self.problem(&trouble)),
                WalkItem::Excluded(files) => done.push(Item::Excluded(files)),
                WalkItem::NotEntered => done.push(Item::NotEntered),
                WalkItem::Interrupted => return Done { items: done, end: BatchEnd::Deadline },
                WalkItem::File(file) => match self.search_file(&file, None) {
                    Ok(outcome) => done.push(self.item(&file, outcome)),
                    Err(Interrupted) => return Done { items: done, end: BatchEnd::Deadline },
                },
            }
        }
        Done { items: done, end: BatchEnd::Whole }
    }

    /// Loads and scans one file; `lines` are the backend's proposals, if an external one made any.
    fn search_file(
        &mut self,
        file: &FoundFile,
        lines: Option<&[u64]>,
    ) -> Result<Outcome<S::Found>, Interrupted> {
        let (stop, job) = (self.stop, self.job);
        let mut go_on = || !stop.load(Ordering::Relaxed) && !job.until.over();
        if !go_on() {
            return Err(Interrupted);
        }
        if file.binary {
            return Ok(Outcome::Binary);
        }
        job.until.saw(1);
        let (root, path) = place(self.job, file);
        let scanner = &mut self.scanner;
        if let Some(found) = scanner.known(&file.walked) {
            return Ok(Outcome::Searched(found));
        }
        // What a backend has proposed has to be read in any case.
        let mut promising = |block: &[u8]| {
            lines.is_some_and(|lines| !lines.is_empty()) || scanner.promising(block, &mut go_on)
        };
        let Loaded { text, transcoded } =
            match self.reader.load(root, path, job.max_file_size_bytes, &mut promising) {
                Ok(loaded) => loaded,
                Err(_) if job.until.account.is_over() => return Err(Interrupted),
                Err(unread) => return Ok(unread.into()),
            };
        if let Some(lines) = lines.filter(|_| !transcoded) {
            let mut listed = Listed { lines, number: 1, at: 0, given: 0, stale: false };
            let outcome = self.scanner.scan(&text, &file.walked, Some(&mut listed), &mut go_on)?;
            // A line that is missing, or does not match, may mean that the file changed since the
            // backend read it; what it said about lines is then void.
            let believed = match &outcome {
                Outcome::Searched(found) => !listed.stale && listed.given <= S::lines(found),
                _ => true,
            };
            if believed {
                return self.in_time(outcome);
            }
        }
        let outcome = self.scanner.scan(&text, &file.walked, None, &mut go_on)?;
        self.in_time(outcome)
    }

    /// What took longer than permitted is not passed off as done in time.
    fn in_time(&mut self, outcome: Outcome<S::Found>) -> Result<Outcome<S::Found>, Interrupted> {
        if let Outcome::Searched(found) = &outcome {
            self.scanner.took(found);
        }
        if self.job.until.over() { Err(Interrupted) } else { Ok(outcome) }
    }

    fn search_externally(&mut self, external: &External, items: &[WalkItem]) -> Done<S::Found> {
        let mut asked = Vec::with_capacity(items.len());
        let mut names = Names::default();
        for item in items {
            asked.push(match item {
                WalkItem::Problem(_)
                | WalkItem::Excluded(_)
                | WalkItem::NotEntered
                | WalkItem::Interrupted => Asked::Settled(None),
                WalkItem::File(file) => match self.before_backend(external, file) {
                    Ok(None) => Asked::Backend(names.add(file)),
                    Ok(settled) => Asked::Settled(settled),
                    Err(Interrupted) => return Done { items: Vec::new(), end: BatchEnd::Deadline },
                },
            });
        }
        let chunk = Chunk {
            cwd: self.job.base.path(),
            files: &names.names,
            deadline: self.job.until.deadline,
        };
        let (stop, until) = (self.stop, self.job.until);
        let enough = || stop.load(Ordering::Relaxed) || until.cancelled();
        let proposals = match external.propose(&self.job.expression, &chunk, &enough) {
            Ok(proposals) => proposals,
            Err(Failure::Deadline | Failure::Stopped) => {
                return Done { items: Vec::new(), end: BatchEnd::Deadline };
            }
            Err(Failure::Backend(code, said)) => {
                return Done { items: Vec::new(), end: BatchEnd::Failed(code, said) };
            }
            Err(Failure::Garbled(why)) => {
                return Done { items: Vec::new(), end: BatchEnd::Garbled(why) };
            }
        };
        self.after_backend(items, asked, proposals)
    }

    /// What can be said of a file without asking the backend; none if it has to be asked.
    fn before_backend(
        &mut self,
        external: &External,
        file: &FoundFile,
    ) -> Result<Option<Outcome<S::Found>>, Interrupted> {
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
        // An expression that selects every line says nothing about any.
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
        asked: Vec<Asked<S::Found>>,
        proposals: Proposals,
    ) -> Done<S::Found> {
        let mut done = Vec::with_capacity(items.len());
        let mut explained = false;
        for (item, asked) in items.iter().zip(asked) {
            let file = match item {
                WalkItem::Problem(trouble) => {
                    done.push(self.problem(trouble));
                    continue;
                }
                WalkItem::Excluded(files) => {
                    done.push(Item::Excluded(*files));
                    continue;
                }
                WalkItem::NotEntered => {
                    done.push(Item::NotEntered);
                    continue;
                }
                WalkItem::Interrupted => return Done { items: done, end: BatchEnd::Deadline },
                WalkItem::File(file) => file,
            };
            let lines = match asked {
                Asked::Settled(None) => continue,
                Asked::Settled(Some(outcome)) => {
                    explained |= matches!(outcome, Outcome::Failed(_));
                    done.push(self.item(file, outcome));
                    continue;
                }
                Asked::Backend(at) => proposals.lines.get(at).unwrap_or(&Lines::Many),
            };
            let outcome = match self.confirm(file, lines, proposals.trouble.is_some()) {
                Ok(outcome) => outcome,
                Err(Interrupted) => return Done { items: done, end: BatchEnd::Deadline },
            };
            explained |= matches!(outcome, Outcome::Failed(_));
            done.push(self.item(file, outcome));
        }
        match proposals.trouble {
            // Some releases fail as a whole when one file fails; here no file did.
            Some((code, said)) if !explained && code.is_none_or(|code| code > 1) => {
                Done { items: Vec::new(), end: BatchEnd::Failed(code, said) }
            }
            _ => Done { items: done, end: BatchEnd::Whole },
        }
    }

    /// Confirms proposed lines. A file without any is not opened, unless something has to be said
    /// about it.
    fn confirm(
        &mut self,
        file: &FoundFile,
        lines: &Lines,
        trouble: bool,
    ) -> Result<Outcome<S::Found>, Interrupted> {
        if S::READS_ALL || !lines.is_none() || self.job.file.is_some() {
            let listed = match lines {
                Lines::Listed(lines) => Some(lines.as_slice()),
                Lines::Many => None,
            };
            return self.search_file(file, listed);
        }
        if trouble {
            let (root, path) = place(self.job, file);
            if let Err(err) = root.open_file(path) {
                return Ok(Outcome::Failed(reason(&err)));
            }
        }
        Ok(Outcome::Searched(S::Found::default()))
    }

    fn problem(&self, trouble: &Trouble) -> Item<S::Found> {
        let path = self.job.shown_place(&trouble.path);
        Item::Problem(PathError { path, error: trouble.why.to_owned() })
    }

    fn item(&self, file: &FoundFile, outcome: Outcome<S::Found>) -> Item<S::Found> {
        // Most files say nothing, and their paths are never shown.
        let silent = matches!(&outcome, Outcome::Searched(found) if S::is_silent(found));
        Item::File {
            path: if silent { String::new() } else { self.job.shown_file(&file.walked) },
            outcome,
        }
    }
}

/// What is known of an item before the backend has spoken.
enum Asked<Found> {
    /// Enough; nothing for what is no file to be searched.
    Settled(Option<Outcome<Found>>),
    /// The backend is asked, under this position in the chunk.
    Backend(usize),
}

/// The names a chunk is asked about, each once.
#[derive(Default)]
struct Names {
    names: Vec<Vec<u8>>,
    /// Files reached through links, by the name they really have: several links may lead to one.
    linked: HashMap<Vec<u8>, usize>,
}

impl Names {
    /// The position of a file's name. A backend is never given a link, so what lies behind one has
    /// its absolute name.
    fn add(&mut self, file: &FoundFile) -> usize {
        let next = self.names.len();
        let Some((root, below)) = &file.through_link else {
            // `./` keeps a name from being read as an option, or as standard input.
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

/// Where to open a file: a root and a path below it without links.
fn place<'f>(job: &'f Job<'_>, file: &'f FoundFile) -> (&'f Root, &'f [u8]) {
    match &file.through_link {
        Some((root, path)) => (Arc::as_ref(root), path),
        None => (Arc::as_ref(&job.base), &file.walked),
    }
}

fn is_utf16(root: &Root, path: &[u8]) -> std::io::Result<bool> {
    let (file, _) = root.open_file(path)?;
    let mut start = Vec::with_capacity(2);
    file.take(2).read_to_end(&mut start)?;
    Ok(matches!(text::encoding(&start), Encoding::Utf16Le | Encoding::Utf16Be))
}

/// Proposals that are a list of line numbers.
struct Listed<'l> {
    /// Ascending, those not yet proposed.
    lines: &'l [u64],
    /// The line that starts at `at`.
    number: u64,
    at: usize,
    /// How many lines have been proposed.
    given: usize,
    /// A line was listed that the text does not have.
    stale: bool,
}

impl Proposer for Listed<'_> {
    fn next(
        &mut self,
        text: &[u8],
        _from: usize,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Interrupted> {
        let Some((&wanted, rest)) = self.lines.split_first() else { return Ok(None) };
        while self.number < wanted {
            let Some(lf) = text.get(self.at..).and_then(|tail| memchr(b'\n', tail)) else {
                self.stale = true;
                return Ok(None);
            };
            self.at += lf + 1;
            self.number += 1;
        }
        if self.at >= text.len() {
            self.stale = true;
            return Ok(None);
        }
        self.lines = rest;
        self.given += 1;
        Ok(Some(self.at))
    }
}
