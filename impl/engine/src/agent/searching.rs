//! `search_text`, `grep` and the path search on a service (docs/agent-tools.md, sections 4 to 6).
//!
//! Responsible for: the search root, the source of files, and the common pipeline. Not here:
//! requests and answers ([`forge_search_core::agent`]), limits of sessions ([`crate::toolbox`]).
//! Invariants: the embedded backend only; an index does not change an answer.

use std::{sync::Arc, time::Instant};

use forge_search_core::{
    ToolError,
    agent::{
        Draft, Notice, NoticeKind, Searched, find_files, grep,
        search_text::{self, Finder},
    },
    cancellation::Cancellation,
    content::escape_name,
    glob::Place,
    index::{machine::State, settings::Mode},
    request::{Reading, shown},
    response::IndexStats,
    scope::OutsideGlob,
    scope::Scope,
};

use super::{
    ranked_page::{GoOn, Question, RankedPage},
    scanners::{GrepFold, PathFold, grep_scanner},
};
use crate::{
    backend::Backend,
    call::Call,
    deadline::Deadline,
    eligible::Eligible,
    index::{IndexQuery, QueryNeed},
    job::{Batches, Fold, Job, Naming, Scanner},
    pipeline::{Items, JobEnd},
    root::{Root, path_bytes},
    sandbox::{Resolution, ResolvedPath},
    service::{Service, open},
    walk::WalkItem,
};

/// The search root of a call.
pub(super) struct SearchRoot {
    pub(super) place: ResolvedPath,
    pub(super) base: Arc<Root>,
    /// The file in `base` that alone is searched.
    pub(super) file: Option<Vec<u8>>,
    pub(super) shown: String,
}

impl Service {
    /// Carries out a call of `grep`.
    pub(crate) fn grep(
        &self,
        request: &grep::Request,
        deadline: Instant,
        call: &Call,
    ) -> Result<Draft<grep::Found, Option<grep::Totals>>, ToolError> {
        let until = self.deadline_with_progress(deadline, call);
        let search_root = self.search_root(&request.directory)?;
        let need = |fold, ngram| request.pattern.need(fold, ngram);
        let index_query = self.index_query(&request.scope, QueryNeed::Grams(&need));
        let Eligible { items, index, held: _held, .. } =
            self.files_below(&search_root, &index_query, until);
        let (collector, finder) = grep::Collector::new(request);
        let scanner = grep_scanner(finder, &request.pattern)?;
        let mut job = self.job(&search_root, self.config().max_files, until);
        if request.is_deep() {
            job.threads = 1;
        }
        let (GrepFold(collector), ending) = job.run(items, &scanner, GrepFold(collector))?;
        let mut answer = collector.finish(self.searched(&search_root, &ending));
        if answer.searched.found_no_file() {
            let grep::Request { scope, filters, .. } = request;
            answer.notices.extend(self.explain_no_files(&search_root, scope, filters, true, until));
        }
        answer.notices.extend(self.index_notice(&index));
        Ok(answer)
    }

    /// Carries out a call of `search_text`.
    pub(crate) fn search_text(
        &self,
        request: &search_text::Request,
        deadline: Instant,
        call: &Call,
    ) -> Result<Draft<search_text::Found>, ToolError> {
        let until = self.deadline_with_progress(deadline, call);
        let search_root = self.search_root(&request.directory)?;
        let context = request.context;
        let question = Question {
            finder: &request.finder,
            scope: &request.scope,
            page: request.page,
            scores: &search_text::scores,
        };
        let lines = |finder: &mut Finder, text: &[u8], walked: &[u8], go_on: GoOn<'_>| {
            finder.show(text, walked, context, go_on)
        };
        let ranked = self.ranked_page(&question, &lines, &search_root, until)?;
        let RankedPage { ranked, lines, ending, index, .. } = ranked;
        let searched = self.searched(&search_root, &ending);
        let mut answer = ranked.finish(lines, request.context, searched);
        if answer.searched.found_no_file() {
            let search_text::Request { scope, filters, .. } = request;
            answer.notices.extend(self.explain_no_files(&search_root, scope, filters, true, until));
        }
        answer.notices.extend(self.index_notice(&index));
        Ok(answer)
    }

    /// Carries out a call of the path search.
    pub(crate) fn find_files(
        &self,
        request: &find_files::Request,
        deadline: Instant,
        call: &Call,
    ) -> Result<Draft<find_files::Found, find_files::Own>, ToolError> {
        let until = self.deadline_with_progress(deadline, call);
        let search_root = self.search_root(&request.directory)?;
        let index_query = self.index_query(&request.scope, QueryNeed::Names);
        let Eligible { items, index, held: _held, .. } =
            self.files_below(&search_root, &index_query, until);
        let page = request.page;
        let job = self.job(&search_root, self.config().max_files, until);
        let mut names = PathFold::new(page, self.config().max_files);
        let mut near = PathFold::new(page, self.config().max_files);
        let cancellation = Cancellation::when(|| until.expired());
        for item in items {
            let is_wanted = matches!(&item, WalkItem::File(file) if request.matches(&file.walked, &cancellation));
            if until.expired()
                || cancellation.is_cancelled()
                || matches!(item, WalkItem::Interrupted)
            {
                names.timed_out = true;
                break;
            }
            until.count_files(1);
            let goes_on = match item {
                WalkItem::File(file) if !is_wanted => {
                    near.add_unless_full(WalkItem::File(file), &job);
                    true
                }
                WalkItem::Problem(error) => {
                    near.add_unless_full(WalkItem::Problem(error.clone()), &job);
                    names.add(WalkItem::Problem(error), &job)
                }
                item => names.add(item, &job),
            };
            if !goes_on {
                break;
            }
        }
        let by_substring = names.total == 0 && near.total > 0;
        let timed_out = names.timed_out;
        let names = if by_substring { near } else { names };
        let ending = JobEnd { more_files: names.more_files, timed_out, ..JobEnd::default() };
        let searched =
            Searched { errors: names.errors, files: 0, ..self.searched(&search_root, &ending) };
        let PathFold { total, found, .. } = names;
        let pattern = by_substring.then_some(request.pattern.as_str());
        let mut answer = find_files::draft(pattern, page, total, found, searched);
        if answer.total == 0 && answer.searched.found_no_file() {
            let scope = Scope { conditions: Vec::new(), ..request.scope.clone() };
            answer.notices.extend(self.explain_no_files(
                &search_root,
                &scope,
                &request.filters,
                false,
                until,
            ));
        }
        answer.notices.extend(self.index_notice(&index));
        Ok(answer)
    }

    /// The search root: a directory, or a file where callers may name one (D25).
    fn search_root(&self, given: &str) -> Result<SearchRoot, ToolError> {
        let place = self.sandbox().resolve(given)?;
        let is_directory = place.path.symlink_metadata().map(|metadata| metadata.is_dir());
        if self.config().agent.reading == Reading::Documents
            && matches!(place.found, Resolution::Exists)
            && is_directory.is_ok_and(|is_directory| !is_directory)
        {
            let given = escape_name(given);
            return Err(ToolError::failed(
                "path",
                format!(
                    "`{given}` is not a directory; name the directory it is in, and the file in include_path"
                ),
            ));
        }
        self.search_root_at(place, given)
    }

    pub(super) fn search_root_at(
        &self,
        place: ResolvedPath,
        given: &str,
    ) -> Result<SearchRoot, ToolError> {
        let (base, file) = open(&place, given)?;
        let shown = self.sandbox().shown(&place.path);
        Ok(SearchRoot { place, base, file, shown })
    }

    /// Makes absolute globs of a request relative to its search root. `fields` are those of globs
    /// that include and exclude files.
    pub(crate) fn place_globs(
        &self,
        given: &str,
        fields: [&str; 2],
        place: impl FnOnce(&Place<'_>) -> Result<(), OutsideGlob>,
    ) -> Result<(), ToolError> {
        let sandbox = self.sandbox();
        // What is wrong with the search root is said by the search.
        let Ok(at) = sandbox.resolve(given) else { return Ok(()) };
        let is_file = at.path.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
        let directory = at.path.parent().filter(|_| is_file).unwrap_or(&at.path);
        let roots: Vec<Vec<u8>> = sandbox.roots().iter().map(|root| path_bytes(root)).collect();
        let roots: Vec<&[u8]> = roots.iter().map(Vec::as_slice).collect();
        let search_root = path_bytes(directory);
        place(&Place { roots: &roots, search_root: &search_root }).map_err(|outside| {
            let [include, exclude] = fields;
            let field = if outside.excludes { exclude } else { include };
            let glob = shown(&outside.text);
            let why = format!(
                "glob `{glob}` in `{field}` is absolute and outside the roots; globs are relative to the directory searched"
            );
            ToolError::bad_args(field, why)
        })
    }

    pub(super) fn index_query<'r>(&self, scope: &'r Scope, need: QueryNeed<'r>) -> IndexQuery<'r> {
        let max_file_size_bytes = self.config().max_file_size_bytes;
        IndexQuery { scope, max_file_size_bytes, names_binary: false, need, words: None }
    }

    /// The eligible files below a search root. The index may exclude files.
    pub(super) fn files_below<'s>(
        &'s self,
        search_root: &SearchRoot,
        query: &IndexQuery<'s>,
        until: Deadline<'s>,
    ) -> Eligible<'s> {
        let place = &search_root.place;
        let file = search_root.file.as_deref();
        let found = self.eligible(place, &search_root.base, file, query, true, false, until);
        // Where the caller names the directory, that is refused before.
        if self.sandbox().is_denied(&place.path) {
            return Eligible { items: Box::new(std::iter::empty()), ..found };
        }
        found
    }

    pub(super) fn job<'s>(
        &'s self,
        search_root: &SearchRoot,
        max_files: u64,
        until: Deadline<'s>,
    ) -> Job<'s> {
        Job {
            sandbox: self.sandbox(),
            backend: &Backend::Native,
            base: Arc::clone(&search_root.base),
            file: search_root.file.clone(),
            expression: String::new(),
            max_files,
            max_file_size_bytes: self.config().max_file_size_bytes,
            batches: Batches::Growing,
            all_is_text: false,
            naming: Naming::WorkingDirectory,
            threads: self.threads(),
            deadline: until,
        }
    }

    pub(super) fn run<S, F>(
        &self,
        search_root: &SearchRoot,
        items: Items<'_>,
        max_files: u64,
        scanner: &S,
        fold: F,
        until: Deadline<'_>,
    ) -> Result<(F, JobEnd), ToolError>
    where
        S: Scanner + Sync,
        F: Fold<Input = S::Output>,
    {
        self.job(search_root, max_files, until).run(items, scanner, fold)
    }

    /// The common part of an answer.
    pub(super) fn searched(&self, search_root: &SearchRoot, ending: &JobEnd) -> Searched {
        Searched {
            directory: search_root.shown.clone(),
            more_files: ending.more_files,
            timed_out: ending.timed_out,
            backend_failed: ending.backend_failure.is_some(),
            max_files: self.config().max_files,
            max_file_size_bytes: self.config().max_file_size_bytes,
            ..Searched::default()
        }
    }
}

impl Service {
    /// The notice that the index is not ready (ACODE-SRC-001, E-I11). A tree that gets no index has
    /// no notice; in mode `auto` that is known after the first scan.
    pub(super) fn index_notice(&self, index: &IndexStats) -> Option<Notice> {
        let reason = index.bypass_reason?;
        let auto = self.config().index.index_mode == Mode::Auto;
        let unwanted =
            index.state == State::Disabled.name() || (auto && index.state == State::Absent.name());
        if unwanted
            || !self.indexes().are_built()
            || (reason != "INDEX_UNAVAILABLE" && reason != "LOCK_TIMEOUT")
        {
            return None;
        }
        let progress =
            index.build.as_ref().map_or_else(String::new, |build| match build.files_total {
                Some(total) => format!(" ({} of {total} files so far)", build.files_done),
                None => String::new(),
            });
        Some(Notice::new(
            NoticeKind::IndexNotReady,
            format!(
                "the index is not ready{progress}; the files themselves were searched, which takes longer and finds the same; it is built in the background, so nothing need be done (`forge-search index build` builds it beforehand)"
            ),
        ))
    }
}
