//! Says why an answer found nothing: a second walk counts what excludes the entries of a search
//! root (D24; docs/agent-tools.md, section 3).
//!
//! Responsible for: a bounded walk without the request's filters that counts exclusions by cause,
//! and what kept a binary file from being searched. Not here: the wording ([`Ineligible`]).
//! Invariants: only names are examined, and the beginning of one binary file; denied files are
//! never mentioned; the index is not used, so that it cannot change the answer.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use forge_search_core::{
    agent::{
        Draft, Filters, Ineligible, Link, RuleMatch, Searched, Shown, find_files::Alternatives,
    },
    cancellation::Cancellation,
    glob,
    ignore_rules::Verdict,
    scope::{Depth, Scope},
    text::{self, BINARY_WINDOW, Encoding},
};
use memchr::{memchr, memchr_iter};

use crate::{
    deadline::Deadline,
    places::{Place, Places},
    root::{Entry, Kind, Root, os_path, path_bytes},
    rules::{DirRules, Origin, decides, join},
    sandbox::{Resolution, Sandbox, Target},
    service::{Service, open},
    walk::{Observer, WalkItem, Walker},
};

/// Most entries that the walk examines.
const MOST_ENTRIES: u64 = 10_000;

/// Bytes of a byte order mark, at most.
const MARK_BYTES: usize = 3;

/// Which files a request names.
pub(super) struct Named<'r> {
    pub(super) scope: &'r Scope,
    /// Without the pattern of the path search.
    pub(super) unnamed: &'r Scope,
    pub(super) filters: &'r Filters,
    pub(super) pattern: Option<&'r str>,
    /// Whether the tool has the fields `hidden` and `no_ignore`.
    pub(super) has_fields: bool,
}

impl Named<'_> {
    /// Whether the request names this path, or something below it.
    fn names(&self, path: &[u8]) -> bool {
        self.filters.include.iter().map(String::as_str).chain(self.pattern).any(|glob| {
            let glob = glob.strip_prefix("./").unwrap_or(glob).trim_start_matches('/');
            let text = glob.split(['*', '?', '[', '{', '\\']).next().unwrap_or_default();
            // Only names before the first wildcard are named whole.
            let text = match text.rsplit_once('/') {
                Some((directories, _)) if text.len() < glob.len() => directories,
                None if text.len() < glob.len() => return false,
                _ => text.trim_end_matches('/'),
            };
            let below = text.as_bytes().strip_prefix(path);
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
                || (!glob.contains('/') && text.as_bytes() == glob::base_name(path))
        })
    }
}

impl Service {
    /// Adds to an answer that found nothing what was not searched: the notice that no file is
    /// eligible, or a part of the message.
    pub(super) fn explain<R: Shown, O>(
        &self,
        answer: &mut Draft<R, O>,
        places: &Places,
        named: &Named<'_>,
        until: Deadline<'_>,
    ) {
        if answer.total > 0 {
            return;
        }
        let Some(mut found) = self.left_out(places, named, until) else { return };
        // Of the path search it is not known whether other patterns would find a file.
        let is_known = named.pattern.is_none() || !found.is_partial;
        if answer.searched.found_no_file() && found.eligible == 0 && is_known {
            answer.notices.extend(found.notice(named.unnamed, named.filters));
            return;
        }
        if named.pattern.is_some() {
            answer.advice = found.alternatives.advice();
        }
        found.sort();
        let mut left_out: Vec<String> =
            self.binary(&answer.searched, named.filters).into_iter().collect();
        left_out.extend(found.left_out());
        if found.is_partial && !left_out.is_empty() {
            left_out.push(format!("and more: only {MOST_ENTRIES} names were looked at"));
        }
        answer.searched.left_out = left_out;
    }

    /// What is left out in the places of a call. `None` at the deadline.
    pub(super) fn left_out(
        &self,
        places: &Places,
        named: &Named<'_>,
        until: Deadline<'_>,
    ) -> Option<Ineligible> {
        let mut found = Ineligible {
            directory: places.told(),
            has_fields: named.has_fields,
            alternatives: named.pattern.map(Alternatives::of_pattern).unwrap_or_default(),
            ..Ineligible::default()
        };
        for place in places.iter() {
            self.tally(place, named, &mut found, until)?;
        }
        Some(found)
    }

    /// Adds what excludes the entries of one place. `None` at the deadline.
    fn tally(
        &self,
        place: &Place,
        named: &Named<'_>,
        found: &mut Ineligible,
        until: Deadline<'_>,
    ) -> Option<()> {
        let Scope { depth, hidden, no_ignore, ref brought_back, .. } = *named.scope;
        let brought_back = brought_back.clone();
        let unfiltered = Scope { depth, hidden, no_ignore, brought_back, ..Scope::default() };
        let scope = Scope { conditions: named.unnamed.conditions.clone(), ..place.scope.clone() };
        let (sandbox, book) = (self.sandbox(), self.rulebook());
        let Place { resolved, base, file, .. } = place;
        if file.is_some() || sandbox.is_denied(&resolved.path) {
            return Some(());
        }
        let top = &resolved.root;
        let mut tally = Tally {
            service: self,
            sandbox,
            top,
            named,
            prefix: path_bytes(base.path().strip_prefix(top).unwrap_or(Path::new(""))),
            seen: 0,
            rules: BTreeMap::new(),
            hidden: 0,
            hidden_and_ignored: 0,
            links: 0,
            link: None,
        };
        let [cancellation, own] = [(); 2].map(|()| Cancellation::when(|| until.expired()));
        let observer = Some(&mut tally as _);
        for item in Walker::directory(
            sandbox,
            &unfiltered,
            book,
            Arc::clone(base),
            top,
            false,
            observer,
            Arc::default(),
            cancellation,
        ) {
            if let WalkItem::File(file) = &item {
                found.add(&file.walked, &scope, &own);
            }
            if until.expired() || own.is_cancelled() || matches!(item, WalkItem::Interrupted) {
                return None;
            }
        }
        found.is_partial |= tally.is_over();
        found.hidden += tally.hidden;
        found.hidden_and_ignored += tally.hidden_and_ignored;
        found.links += tally.links;
        found.link = found.link.take().or(tally.link.map(|(link, _)| link));
        found.rules.extend(tally.rules.into_iter().map(|((origin, line), left_out)| {
            RuleMatch {
                file: self.ignore_file(&origin, top),
                line,
                // What lies outside the roots is not shown.
                text: self
                    .may_quote(&origin, top)
                    .then(|| String::from_utf8_lossy(&left_out.text).into_owned()),
                entries: left_out.entries,
                first: left_out.first,
            }
        }));
        Some(())
    }

    fn may_quote(&self, origin: &Origin, top: &Path) -> bool {
        match origin {
            Origin::Tree(path) => self.sandbox().contains(&top.join(os_path(path))),
            Origin::Global(_) => true,
        }
    }

    /// How many eligible files are binary; the first by name, if it is the only one or globs name
    /// the files.
    fn binary(&self, searched: &Searched, filters: &Filters) -> Option<String> {
        let first = searched.first_binary.as_ref()?;
        let place = self.nul(first).map_or_else(String::new, |(at, line)| {
            format!(", NUL byte at offset {at}, line {line}")
        });
        match searched.binary {
            1 => Some(format!("1 binary file (`{first}`{place})")),
            files if filters.include.is_empty() => Some(format!("{files} binary files")),
            files => Some(format!("{files} binary files (such as `{first}`{place})")),
        }
    }

    /// Offset and line of the first NUL byte that makes a file binary.
    fn nul(&self, shown: &str) -> Option<(usize, usize)> {
        let place = self.sandbox().resolve(shown).ok()?;
        let (root, name) = open(&place, shown).ok()?;
        let (file, _) = root.open_file(&name?).ok()?;
        let mut bytes = Vec::new();
        file.take((BINARY_WINDOW + MARK_BYTES) as u64).read_to_end(&mut bytes).ok()?;
        let Encoding::Utf8 { .. } = text::encoding(&bytes) else { return None };
        let at = memchr(0, &bytes)?;
        let line = memchr_iter(b'\n', bytes.get(..at)?).count() + 1;
        Some((at, line))
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
    /// The first of them as shown.
    first: String,
}

/// Counts excluded entries by cause.
struct Tally<'t> {
    service: &'t Service,
    sandbox: &'t Sandbox,
    named: &'t Named<'t>,
    /// The sandbox root.
    top: &'t Path,
    /// The search root below it.
    prefix: Vec<u8>,
    /// Entries looked at.
    seen: u64,
    rules: BTreeMap<(Origin, usize), LeftOut>,
    hidden: u64,
    hidden_and_ignored: u64,
    links: u64,
    /// The link to name, and whether the request names it.
    link: Option<(Link, bool)>,
}

impl Tally<'_> {
    /// Whether the request may mean something at a path: a file that it admits, or a directory.
    fn is_meant(&self, walked: &[u8], is_dir: bool, cancellation: &Cancellation<'_>) -> bool {
        let scope = self.named.scope;
        let covers = |globs: &[_]| glob::any_covers(globs, walked, is_dir, cancellation);
        if covers(&scope.exclude) {
            return false;
        }
        if is_dir {
            return scope.depth != Depth::Children;
        }
        (scope.include.is_empty() || covers(&scope.include)) && scope.admits(walked, cancellation)
    }

    /// Counts a link that is not followed.
    fn add_link(&mut self, path: &[u8], walked: &[u8]) {
        self.links += 1;
        let is_named = self.named.names(walked);
        let place = self.top.join(os_path(path));
        let shown = self.sandbox.shown(&place);
        // The first in order, of those that the request names if there are any.
        let is_better = |known: &(Link, bool)| {
            if known.1 == is_named { shown < known.0.path } else { is_named }
        };
        if self.link.as_ref().is_some_and(|known| !is_better(known)) {
            return;
        }
        let target = match self.sandbox.target(&place) {
            Target::Inside(target) if matches!(target.found, Resolution::Exists) => {
                Some(self.sandbox.shown(&target.path))
            }
            _ => None,
        };
        self.link = Some((Link { path: shown, target }, is_named));
    }
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
        let Scope { hidden, no_ignore, brought_back, .. } = self.named.scope;
        let book = self.service.rulebook();
        for entry in entries.iter().take_while(|_| !cancellation.is_cancelled()) {
            let walked = join(walked, &entry.name);
            let path = join(&self.prefix, &walked);
            let is_dir = entry.kind == Kind::Dir;
            if self.sandbox.has_denials()
                && self.sandbox.denies(&self.top.join(os_path(&path)), is_dir)
            {
                continue;
            }
            let is_hidden = entry.name.starts_with(b".")
                && !hidden
                && !brought_back.admits(&walked, is_dir, cancellation);
            match entry.kind {
                Kind::Symlink if !is_hidden => self.add_link(&path, &walked),
                Kind::File | Kind::Dir => {}
                Kind::Symlink | Kind::Other => continue,
            }
            if entry.kind == Kind::Symlink || !self.is_meant(&walked, is_dir, cancellation) {
                continue;
            }
            let deciding =
                if *no_ignore { None } else { rules.deciding(&path, is_dir, cancellation) };
            let verdict = deciding.as_ref().map(|deciding| deciding.rule.verdict);
            if !book.leaves_out(&entry.name, is_hidden, verdict) {
                continue;
            }
            let is_ignored = verdict == Some(Verdict::Ignore);
            // Nobody misses what decides about the others.
            if is_hidden && decides(&entry.name) {
                continue;
            }
            match deciding.filter(|_| is_ignored) {
                None => self.hidden += 1,
                Some(_) if is_hidden => self.hidden_and_ignored += 1,
                Some(deciding) => {
                    let first = || self.sandbox.shown(&self.top.join(os_path(&path)));
                    let new = || LeftOut {
                        text: deciding.rule.text.to_owned(),
                        entries: 0,
                        first: first(),
                    };
                    let key = (deciding.origin(&path), deciding.rule.line);
                    self.rules.entry(key).or_insert_with(new).entries += 1;
                }
            }
        }
    }

    fn failed(&mut self, _walked: &[u8], _err: &io::Error) {}

    fn is_over(&self) -> bool {
        self.seen > MOST_ENTRIES
    }
}
