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
    text::BinaryRule,
};

use super::{
    explain::Named,
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
    places::Places,
    root::path_bytes,
    service::Service,
    walk::{FoundFile, WalkItem},
};

impl Service {
    /// Carries out a call of `grep`.
    pub(crate) fn grep(
        &self,
        request: &grep::Request,
        deadline: Instant,
        call: &Call,
    ) -> Result<Draft<grep::Found, Option<grep::Totals>>, ToolError> {
        let until = self.deadline_with_progress(deadline, call);
        let places = self.directories(request.directory.as_deref(), &request.scope)?;
        let need = |fold, ngram| request.pattern.need(fold, ngram);
        let index_query = self.index_query(&request.scope, QueryNeed::Grams(&need));
        let Eligible { items, index, held: _held, .. } =
            self.files_in(&places, &index_query, until);
        let (collector, finder) = grep::Collector::new(request);
        let scanner = grep_scanner(finder, &request.pattern)?;
        let mut job = self.job(&places, self.config().max_files, until);
        if request.is_deep() {
            job.threads = 1;
        }
        let (GrepFold(collector), ending) = job.run(items, &scanner, GrepFold(collector))?;
        let mut answer = collector.finish(self.searched(&places, &ending));
        let grep::Request { scope, filters, .. } = request;
        let named = Named { scope, unnamed: scope, filters, pattern: None, has_fields: true };
        self.explain(&mut answer, &places, &named, until);
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
        let places = self.directories(request.directory.as_deref(), &request.scope)?;
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
        let ranked = self.ranked_page(&question, &lines, &places, until)?;
        let RankedPage { ranked, lines, ending, index, .. } = ranked;
        let searched = self.searched(&places, &ending);
        let mut answer = ranked.finish(lines, request.context, searched);
        answer.advice = request.advice();
        let search_text::Request { scope, filters, .. } = request;
        let named = Named { scope, unnamed: scope, filters, pattern: None, has_fields: false };
        self.explain(&mut answer, &places, &named, until);
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
        let places = self.directories(request.directory.as_deref(), &request.scope)?;
        let index_query = self.index_query(&request.scope, QueryNeed::Names);
        let Eligible { items, index, held: _held, .. } =
            self.files_in(&places, &index_query, until);
        let page = request.page;
        let job = self.job(&places, self.config().max_files, until);
        let mut names = PathFold::new(page, self.config().max_files);
        let mut near = PathFold::new(page, self.config().max_files);
        let cancellation = Cancellation::when(|| until.expired());
        for item in items {
            let is_wanted =
                matches!(&item, WalkItem::File(file) if is_named(request, file, &cancellation));
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
            Searched { errors: names.errors, files: 0, ..self.searched(&places, &ending) };
        let PathFold { total, found, .. } = names;
        let pattern = by_substring.then_some(request.pattern.as_str());
        let mut answer = find_files::draft(pattern, page, total, found, searched);
        let asked = Named {
            scope: &request.scope,
            unnamed: &Scope { conditions: Vec::new(), ..request.scope.clone() },
            filters: &request.filters,
            pattern: Some(&request.pattern),
            has_fields: true,
        };
        self.explain(&mut answer, &places, &asked, until);
        answer.notices.extend(self.index_notice(&index));
        Ok(answer)
    }

    /// Where to search: a directory, or a file where callers may name one (D25), or all of several
    /// roots.
    fn directories(&self, given: Option<&str>, scope: &Scope) -> Result<Places, ToolError> {
        let no_file = |given: &str| {
            let given = escape_name(given);
            format!(
                "`{given}` is not a directory; name the directory it is in, and the file in include_path"
            )
        };
        let is_strict = self.config().agent.reading == Reading::Documents;
        self.places(given, scope, if is_strict { Some(&no_file) } else { None })
    }

    /// Makes absolute globs of a request relative to its search root, or to the names of several
    /// roots. `fields` are those of globs that include and exclude files.
    pub(crate) fn place_globs(
        &self,
        given: Option<&str>,
        fields: [&str; 2],
        place: impl FnOnce(&Place<'_>) -> Result<(), OutsideGlob>,
    ) -> Result<(), ToolError> {
        if self.config().agent.reading == Reading::Documents {
            return Ok(());
        }
        let sandbox = self.sandbox();
        let all_roots = given.is_none() && !sandbox.named().is_empty();
        // What is wrong with the search root is said by the search.
        let Ok(at) = sandbox.resolve(given.unwrap_or(".")) else { return Ok(()) };
        let is_file = at.path.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
        let directory = at.path.parent().filter(|_| is_file).unwrap_or(&at.path);
        let search_root = path_bytes(directory);
        let roots: Vec<(Vec<u8>, &[u8])> = if all_roots {
            let named = sandbox.named().iter();
            named.map(|root| (path_bytes(&root.path), root.name.as_bytes())).collect()
        } else {
            sandbox.roots().iter().map(|root| (path_bytes(root), &b""[..])).collect()
        };
        let roots: Vec<(&[u8], &[u8])> =
            roots.iter().map(|(root, name)| (root.as_slice(), *name)).collect();
        let search_root = (!all_roots).then_some(search_root.as_slice());
        place(&Place { roots: &roots, search_root }).map_err(|outside| {
            let [include, exclude] = fields;
            let field = if outside.excludes { exclude } else { include };
            let glob = shown(&outside.text);
            let why = format!(
                "glob `{glob}` in `{field}` leads outside the roots; globs are relative to the directory searched"
            );
            ToolError::bad_args(field, why)
        })
    }

    pub(super) fn index_query<'r>(&self, scope: &'r Scope, need: QueryNeed<'r>) -> IndexQuery<'r> {
        let max_file_size_bytes = self.config().max_file_size_bytes;
        // An answer that found nothing counts binary files.
        IndexQuery {
            scope,
            max_file_size_bytes,
            names_binary: Some(BinaryRule::EarlyNul),
            need,
            words: None,
        }
    }

    /// The eligible files. The index may exclude files.
    pub(super) fn files_in<'s>(
        &'s self,
        places: &'s Places,
        query: &IndexQuery<'s>,
        until: Deadline<'s>,
    ) -> Eligible<'s> {
        let found = self.eligible(places, query, true, false, until);
        // Where the caller names the directory, that is refused before.
        if self.sandbox().is_denied(&places.first().resolved.path) {
            return Eligible { items: Box::new(std::iter::empty()), ..found };
        }
        found
    }

    pub(super) fn job<'s>(
        &'s self,
        places: &Places,
        max_files: u64,
        until: Deadline<'s>,
    ) -> Job<'s> {
        Job {
            sandbox: self.sandbox(),
            backend: &Backend::Native,
            base: Arc::clone(&places.first().base),
            file: places.first().file.clone(),
            expression: String::new(),
            max_files,
            max_file_size_bytes: self.config().max_file_size_bytes,
            batches: Batches::Growing,
            all_is_text: false,
            naming: places.naming(Naming::WorkingDirectory),
            threads: self.threads(),
            deadline: until,
        }
    }

    pub(super) fn run<S, F>(
        &self,
        places: &Places,
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
        self.job(places, max_files, until).run(items, scanner, fold)
    }

    /// The common part of an answer.
    pub(super) fn searched(&self, places: &Places, ending: &JobEnd) -> Searched {
        Searched {
            directory: places.told(),
            more_files: ending.more_files,
            timed_out: ending.timed_out,
            backend_failed: ending.backend_failure.is_some(),
            max_files: self.config().max_files,
            max_file_size_bytes: self.config().max_file_size_bytes,
            ..Searched::default()
        }
    }
}

/// Whether the pattern of a path search matches a file, with or without the name of its root.
fn is_named(
    request: &find_files::Request,
    file: &FoundFile,
    cancellation: &Cancellation<'_>,
) -> bool {
    request.matches(file.below(), cancellation)
        || (file.name > 0 && request.matches(&file.walked, cancellation))
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
