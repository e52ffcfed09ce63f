//! `keyword_search` on a service (docs/keyword-search.md, sections 2, 3 and 7).
//!
//! Responsible for: the search root, the search for any of the terms or for each of them, and the
//! request to the model. Not here: ranking, the selection of terms, the prompt and the answer
//! ([`forge_search_core::agent::keyword`]); requests to models ([`crate::language_model`]); limits
//! of sessions ([`crate::toolbox`]). Invariants: nothing is sent unless a model is given; a model
//! gets the hits only; its request ends with the call.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use forge_search_core::{
    ToolError,
    agent::{
        self, Filters, Notice, Page, Refusal,
        keyword::{self, AnswerInput, Collector, Findings, HitFinder, Limits, ModelCall, Prompt},
    },
    index::plan,
    scope::Scope,
};

mod hit_scanner;

use self::hit_scanner::{HitFold, HitScanner};
use super::{
    explain::Named,
    ranked_page::{Admits, GoOn, Question},
};
use crate::{
    call::Call,
    deadline::Deadline,
    eligible::Eligible,
    index::QueryNeed,
    language_model::{self, LanguageModel, ModelFacts, ModelFailure},
    pipeline::JobEnd,
    places::{Known, Places},
    sandbox::{Resolution, ResolvedPath},
    service::Service,
    walk::WalkItem,
};

/// The result of searching the terms of a request.
pub(crate) struct KeywordSearch {
    pub(crate) findings: Findings,
    root: String,
    /// Notices beside the results.
    pub(crate) notices: Vec<Notice>,
}

/// A request, and where and how long it is searched.
struct Search<'s> {
    request: &'s keyword::Request,
    places: &'s Places,
    until: Deadline<'s>,
}

impl Service {
    /// Searches for the terms, until the deadline or until the call is cancelled.
    pub(crate) fn keyword_search(
        &self,
        request: &keyword::Request,
        deadline: Instant,
        call: &Call,
    ) -> Result<KeywordSearch, Refusal> {
        let refused = |error: ToolError| Refusal::of(error, "query", "query");
        let until = self.deadline_with_progress(deadline, call);
        let places = self.keyword_places().map_err(refused)?;
        let search = Search { request, places: &places, until };
        let (findings, index_notice) = if self.config().keyword.skip_broad_terms {
            self.selected_terms(&search)?
        } else {
            self.any_term(&search).map_err(refused)?
        };
        let why = findings.found_no_file().then(|| {
            let (scope, filters) = (&Scope::default(), &Filters::default());
            let named = Named { scope, unnamed: scope, filters, pattern: None, has_fields: false };
            self.left_out(&places, &named, until)?.notice(scope, filters)
        });
        let notices = why.flatten().into_iter().chain(index_notice).collect();
        Ok(KeywordSearch { findings, root: places.shown, notices })
    }

    /// Files in which any of the terms occurs.
    fn any_term(&self, search: &Search<'_>) -> Result<(Findings, Option<Notice>), ToolError> {
        let Search { request, places, until } = *search;
        let is_sent = request.use_model || request.dry_run;
        let files = if is_sent { keyword::SENT_FILES } else { 0 }.max(request.max_results);
        let finder = request.finder();
        let scope = Scope::default();
        let question = Question {
            finder: &finder,
            scope: &scope,
            page: Page { offset: 0, max_results: files },
            scores: &|pool| keyword::scores(request, pool),
        };
        let lines = |finder: &mut _, text: &[u8], walked: &[u8], go_on: GoOn<'_>| {
            keyword::best_lines(finder, text, walked, is_sent, go_on)
        };
        let page = self.ranked_page(&question, &lines, places, until)?;
        let searched = self.searched_by_tool(places, &page.ending);
        let findings = Findings::ranked(request, page.ranked, page.lines, searched);
        Ok((findings, self.index_notice(&page.index)))
    }

    /// Files with hits of the terms that are not too broad.
    fn selected_terms(&self, search: &Search<'_>) -> Result<(Findings, Option<Notice>), Refusal> {
        let Search { request, places, until } = *search;
        let refused = |error: ToolError| Refusal::of(error, "query", "query");
        let config = &self.config().keyword;
        let bytes = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let limits = Limits { term: bytes(config.term_bytes), total: bytes(config.total_bytes) };
        let late = JobEnd { timed_out: true, ..JobEnd::default() };
        let mut found = Vec::with_capacity(request.terms.len());
        let mut index_notice = None;
        for (number, term) in request.terms.iter().enumerate() {
            let collector = if number > 0 && until.expired() {
                Collector::new(limits.term).ended(self.searched_by_tool(places, &late))
            } else {
                let (collector, notice) = self.hits(term, limits.term, search).map_err(refused)?;
                index_notice = index_notice.or(notice);
                collector
            };
            found.push((term.clone(), collector));
        }
        let selected = keyword::select_terms(found, limits)?;
        // Links are not followed, so a path identifies a file.
        let items: Vec<WalkItem> = {
            let hit = selected.hit_files().into_iter();
            hit.map(|walked| places.file_item(walked)).collect()
        };
        let question = Question {
            finder: &request.finder(),
            scope: &Scope::default(),
            page: Page { offset: 0, max_results: items.len() },
            scores: &|pool| keyword::scores(request, pool),
        };
        let items = Box::new(items.into_iter());
        let (ranked, ending) = self
            .rank(&question, items, Admits::All, Known::default(), places, until)
            .map_err(refused)?;
        Ok((selected.findings(ranked, ending.timed_out), index_notice))
    }

    /// The hits of one term.
    fn hits(
        &self,
        term: &str,
        most: usize,
        search: &Search<'_>,
    ) -> Result<(Collector, Option<Notice>), ToolError> {
        let Search { places, until, .. } = *search;
        let need = |fold, ngram| plan::literal(term, true, fold, ngram);
        let scope = Scope::default();
        let index_query = self.index_query(&scope, QueryNeed::Grams(&need));
        let Eligible { items, index, held: _held, .. } = self.files_in(places, &index_query, until);
        let scanner = HitScanner(HitFinder::new(term, most));
        let fold = HitFold(Collector::new(most));
        let max_files = self.config().max_files;
        let (HitFold(collector), ending) =
            self.run(places, items, max_files, &scanner, fold, until)?;
        let collector = collector.ended(self.searched_by_tool(places, &ending));
        Ok((collector, self.index_notice(&index)))
    }

    /// The common part of an answer of which the caller did not choose the directory.
    fn searched_by_tool(&self, places: &Places, ending: &JobEnd) -> agent::Searched {
        agent::Searched { root: agent::RootBy::Tool, ..self.searched(places, ending) }
    }

    /// Where to search: all of several roots (D26), else the repository.
    fn keyword_places(&self) -> Result<Places, ToolError> {
        let scope = Scope::default();
        if !self.sandbox().named().is_empty() {
            return self.places(None, &scope, None);
        }
        let path = self.keyword_root();
        let given = path.to_string_lossy().into_owned();
        let root = self.sandbox().root_of(&path).unwrap_or(&path).to_owned();
        let resolved = ResolvedPath { root, path, found: Resolution::Exists };
        self.place_at(resolved, &given, &scope)
    }

    /// The repository's top (REQ-KWS-002.1, REQ-KWS-002.2, E-I25), not above the sandbox, else the
    /// working directory.
    fn keyword_root(&self) -> PathBuf {
        let here = self.sandbox().working_dir();
        let top =
            here.ancestors().find(|directory| directory.join(".git").symlink_metadata().is_ok());
        let Some(top) = top else { return here.to_owned() };
        let inside = here.ancestors().take_while(|directory| directory.starts_with(top));
        let uppermost =
            inside.filter(|directory| self.sandbox().root_of(directory).is_some()).last();
        uppermost.unwrap_or(here).to_owned()
    }
}

impl KeywordSearch {
    /// The prompt; `None` without hits, or if the deadline expired before all were found.
    pub(crate) fn prompt(&self, request: &keyword::Request) -> Option<Prompt> {
        (!self.findings.is_empty() && !self.findings.timed_out())
            .then(|| keyword::prompt(request, &self.findings))
    }

    /// Sends the prompt to the first model that is available, if there is a prompt.
    pub(crate) fn ask(
        &self,
        request: &keyword::Request,
        models: &[Arc<dyn LanguageModel>],
        patience: Duration,
        cancelled: &[&AtomicBool],
    ) -> Option<ModelCall> {
        let prompt = self.prompt(request)?;
        let (bytes_sent, redacted) = (prompt.bytes(), prompt.redacted);
        let Prompt { system, user, schema, max_answer_tokens, .. } = prompt;
        let prompt = language_model::Prompt { system, user, schema, max_answer_tokens };
        let deadline = Instant::now() + patience;
        let mut passed_over = Vec::new();
        for (at, model) in models.iter().enumerate() {
            let answer = model.ask(&prompt, deadline, cancelled);
            let is_gone = answer.as_ref().is_err_and(ModelFailure::is_permanent);
            let ModelFacts { name, model, host } = model.facts().clone();
            let answer = answer.map_err(|why| match why {
                // Text from a model is only permitted elsewhere in an answer.
                ModelFailure::Refused { status: 200, .. } => "it declined to answer".to_owned(),
                why => why.to_string(),
            });
            let asked = ModelCall {
                name,
                model,
                host,
                bytes_sent,
                redacted,
                answer,
                passed_over: Vec::new(),
            };
            if !is_gone || at + 1 == models.len() {
                return Some(ModelCall { passed_over, ..asked });
            }
            passed_over.push(asked);
        }
        None
    }

    /// The answer, before it is cut to length.
    pub(crate) fn answer(
        self,
        request: &keyword::Request,
        asked: Option<ModelCall>,
    ) -> keyword::Draft {
        let found = AnswerInput { request, findings: &self.findings, asked, root: self.root };
        let mut draft = found.answer();
        draft.notices.extend(self.notices);
        draft
    }
}
