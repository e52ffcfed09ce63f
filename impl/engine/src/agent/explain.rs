//! Explains why a search root has no eligible file: a second walk counts what excludes its entries.
//!
//! Responsible for: a bounded walk without the request's filters that counts exclusions by cause.
//! Not here: the notice ([`Ineligible`]). Invariants: only names are examined; denied files are
//! never mentioned; the index is not used, so that it cannot change the answer.

use std::{collections::BTreeMap, io, path::Path, sync::Arc};

use forge_search_core::{
    agent::{Filters, Ineligible, Notice, RuleMatch},
    cancellation::Cancellation,
    ignore_rules::Verdict,
    scope::Scope,
};

use super::searching::SearchRoot;
use crate::{
    deadline::Deadline,
    root::{Entry, Kind, Root, os_path, path_bytes},
    rules::{DirRules, Origin, decides, join},
    sandbox::Sandbox,
    service::Service,
    walk::{Observer, WalkItem, Walker},
};

/// Most entries that the walk examines.
const MOST_ENTRIES: u64 = 10_000;

impl Service {
    /// The notice about a `scope` without an eligible file. `is_known`: the caller knows that there
    /// is none. `None` if there is an eligible file, or at the deadline. `scope` does not contain
    /// the pattern of the path search.
    pub(super) fn explain_no_files(
        &self,
        search_root: &SearchRoot,
        scope: &Scope,
        filters: &Filters,
        is_known: bool,
        until: Deadline<'_>,
    ) -> Option<Notice> {
        let unfiltered = Scope { depth: scope.depth, ..Scope::default() };
        let (sandbox, book) = (self.sandbox(), self.rulebook());
        let top = &search_root.place.root;
        let mut tally = Tally {
            sandbox,
            top,
            prefix: path_bytes(search_root.base.path().strip_prefix(top).unwrap_or(Path::new(""))),
            seen: 0,
            rules: BTreeMap::new(),
            hidden: 0,
            links: 0,
        };
        let mut found =
            Ineligible { directory: search_root.shown.clone(), ..Ineligible::default() };
        if !sandbox.is_denied(&search_root.place.path) {
            let base = Arc::clone(&search_root.base);
            let cancellations = [(); 2].map(|()| Cancellation::when(|| until.expired()));
            let [cancellation, own] = cancellations;
            let observer = Some(&mut tally as _);
            for item in Walker::directory(
                sandbox,
                &unfiltered,
                book,
                base,
                top,
                false,
                observer,
                cancellation,
            ) {
                if let WalkItem::File(file) = &item {
                    found.add(&file.walked, scope, &own);
                }
                if until.expired() || own.is_cancelled() || matches!(item, WalkItem::Interrupted) {
                    return None;
                }
                if found.eligible > 0 {
                    return None;
                }
            }
        }
        found.is_partial = tally.is_over();
        if found.is_partial && !is_known {
            return None;
        }
        found.hidden = tally.hidden;
        found.links = tally.links;
        found.rules = tally
            .rules
            .into_iter()
            .map(|((origin, line), left_out)| RuleMatch {
                file: self.ignore_file(&origin, top),
                line,
                // What lies outside the roots is not shown.
                text: self
                    .may_quote(&origin, top)
                    .then(|| String::from_utf8_lossy(&left_out.text).into_owned()),
                entries: left_out.entries,
            })
            .collect();
        found.notice(scope, filters)
    }

    fn may_quote(&self, origin: &Origin, top: &Path) -> bool {
        match origin {
            Origin::Tree(path) => self.sandbox().contains(&top.join(os_path(path))),
            Origin::Global(_) => true,
        }
    }

    /// The displayed path of an ignore file.
    fn ignore_file(&self, origin: &Origin, top: &Path) -> String {
        match origin {
            Origin::Tree(path) => self.sandbox().shown(&top.join(os_path(path))),
            Origin::Global(number) => {
                let file = self.config().global_ignore_files.get(*number);
                file.map_or_else(String::new, |file| file.display().to_string())
            }
        }
    }
}

/// Entries that one rule excludes.
struct LeftOut {
    text: Vec<u8>,
    entries: u64,
}

/// Counts excluded entries by cause.
struct Tally<'t> {
    sandbox: &'t Sandbox,
    /// The sandbox root.
    top: &'t Path,
    /// The search root below it.
    prefix: Vec<u8>,
    /// Entries looked at.
    seen: u64,
    rules: BTreeMap<(Origin, usize), LeftOut>,
    hidden: u64,
    links: u64,
}

impl Observer for Tally<'_> {
    fn enter(&mut self, _root: &Root, _real: &[u8], _walked: &[u8]) {}

    fn listed(
        &mut self,
        walked: &[u8],
        rules: &Arc<DirRules>,
        entries: &[Entry],
        cancellation: &Cancellation<'_>,
    ) {
        self.seen += entries.len() as u64;
        for entry in entries.iter().take_while(|_| !cancellation.is_cancelled()) {
            let path = join(&self.prefix, &join(walked, &entry.name));
            let is_dir = entry.kind == Kind::Dir;
            if self.sandbox.has_denials()
                && self.sandbox.denies(&self.top.join(os_path(&path)), is_dir)
            {
                continue;
            }
            if entry.name.starts_with(b".") {
                // Nobody misses what decides about the others.
                self.hidden += u64::from(!decides(&entry.name));
                continue;
            }
            if entry.kind == Kind::Symlink {
                self.links += 1;
            }
            if !matches!(entry.kind, Kind::File | Kind::Dir) {
                continue;
            }
            let Some(deciding) = rules.deciding(&path, is_dir, cancellation) else { continue };
            if deciding.rule.verdict == Verdict::Ignore {
                let text = || LeftOut { text: deciding.rule.text.to_owned(), entries: 0 };
                let key = (deciding.origin(&path), deciding.rule.line);
                self.rules.entry(key).or_insert_with(text).entries += 1;
            }
        }
    }

    fn failed(&mut self, _walked: &[u8], _err: &io::Error) {}

    fn is_over(&self) -> bool {
        self.seen > MOST_ENTRIES
    }
}
