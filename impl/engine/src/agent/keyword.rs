//! `keyword_search` on a service (docs/keyword-search.md, sections 2, 3 and 7).
//!
//! Responsible for: the search root, one search for each term, and the request to the model. Not
//! here: hits, the selection of terms, the prompt and the answer
//! ([`forge_search_core::agent::keyword`]); requests to models ([`crate::language_model`]); limits
//! of sessions ([`crate::toolbox`]). Invariants: nothing is sent unless a model is given; a model
//! gets the hits only; its request ends with the call.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::resume_unwind,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use forge_search_core::{
    ToolError,
    agent::{
        self, Filters, Notice, Refusal,
        keyword::{
            self, AnswerInput, BroadTermCollector, Collector, Finder, Limits, Measures, ModelCall,
            PathSeeker, Prompt, SelectedTerms,
        },
    },
    scope::Scope,
};

mod scanning;

use self::scanning::{KnownAbsent, Measured, TermFiles, TermFold, TermScanner, TextScanner};
use super::searching::SearchRoot;
use crate::{
    account::Reservation,
    call::Call,
    deadline::Deadline,
    eligible::Eligible,
    index::QueryNeed,
    language_model::{self, LanguageModel, ModelFacts, ModelFailure},
    pipeline::{Items, JobEnd},
    sandbox::{Resolution, ResolvedPath},
    service::Service,
    walk::{FoundFile, WalkItem},
};

/// The result of searching the terms of a request.
pub(crate) struct KeywordSearch {
    pub(crate) selected: SelectedTerms,
    root: String,
    /// Notices beside the results.
    pub(crate) notices: Vec<Notice>,
}

impl Service {
    /// Searches for every term, until the deadline or until the call is cancelled.
    pub(crate) fn keyword_search(
        &self,
        request: &keyword::Request,
        deadline: Instant,
        call: &Call,
    ) -> Result<KeywordSearch, Refusal> {
        let refused = |error: ToolError| Refusal::of(error, "query", "query");
        let until = self.deadline_with_progress(deadline, call);
        let root = self.keyword_root();
        let given = root.to_string_lossy().into_owned();
        let inside = self.sandbox().root_of(&root).map(std::path::Path::to_path_buf);
        let place = ResolvedPath {
            root: inside.unwrap_or_else(|| root.clone()),
            path: root,
            found: Resolution::Exists,
        };
        let search_root = self.search_root_at(place, &given).map_err(refused)?;
        let limits = self.term_limits();
        // Names are scanned in parallel with texts, since reading leaves time for it.
        thread::scope(|scope| {
            let named = scope.spawn(|| self.named(request, &search_root, until));
            let mut found = Vec::with_capacity(request.terms.len());
            let mut index_notice = None;
            let mut known =
                Known { walk: None, held: until.reservation(), absent: KnownAbsent::default() };
            let unsearched = agent::Searched {
                root: agent::RootBy::Tool,
                ..self.searched(&search_root, &JobEnd { timed_out: true, ..JobEnd::default() })
            };
            for (number, term) in request.terms.iter().enumerate() {
                if number > 0 && until.expired() {
                    found.push((
                        term.clone(),
                        Collector::new(limits.term).ended(unsearched.clone()),
                    ));
                    continue;
                }
                let (collector, notice) = self
                    .term(request, number, limits.term, &search_root, &mut known, until)
                    .map_err(refused)?;
                index_notice = index_notice.or(notice);
                found.push((term.clone(), collector));
            }
            let mut selected = keyword::select_terms(found, limits)?;
            let mut led_late = false;
            for number in selected.broad_terms() {
                if until.expired() {
                    led_late = true;
                    break;
                }
                let collector = selected.broad_collector();
                let collector = self
                    .broad_collector(request, number, collector, &search_root, &mut known, until)
                    .map_err(refused)?;
                selected.add_broad(number, collector);
            }
            let (measures, late) =
                self.measures(&selected, &search_root, until).map_err(refused)?;
            let (named, files, too_late) =
                named.join().unwrap_or_else(|panic| resume_unwind(panic));
            let selected =
                selected.ranked(request, measures, named, files, late || led_late || too_late);
            let why = selected.found_no_file().then(|| {
                self.explain_no_files(
                    &search_root,
                    &Scope::default(),
                    &Filters::default(),
                    true,
                    until,
                )
            });
            let notices = why.flatten().into_iter().chain(index_notice).collect();
            Ok(KeywordSearch { selected, root: search_root.shown.clone(), notices })
        })
    }

    fn term_limits(&self) -> Limits {
        let config = &self.config().keyword;
        let bytes = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        Limits {
            term: bytes(config.term_bytes),
            total: bytes(config.total_bytes),
            broad_files: bytes(config.broad_files),
        }
    }

    /// The files whose paths hold rare terms, as walked and as shown; the number of eligible files;
    /// whether the deadline expired first.
    fn named(
        &self,
        request: &keyword::Request,
        search_root: &SearchRoot,
        until: Deadline<'_>,
    ) -> (BTreeMap<Vec<u8>, String>, u64, bool) {
        let scope = Scope::default();
        let index_query = self.index_query(&scope, QueryNeed::Names);
        let Eligible { items, held: _held, .. } =
            self.files_below(search_root, &index_query, until);
        let mut paths = PathSeeker::new(&request.terms);
        let (mut files, mut timed_out) = (0, false);
        for item in self.permitted(search_root, items) {
            if until.expired() || matches!(item, WalkItem::Interrupted) {
                timed_out = true;
                break;
            }
            let WalkItem::File(file) = item else { continue };
            if files == self.config().max_files {
                break;
            }
            files += 1;
            paths.add(&file.walked);
        }
        let job = self.job(search_root, u64::MAX, until);
        let shown = |walked: Vec<u8>| {
            let shown = job.shown_file(&walked);
            (walked, shown)
        };
        (paths.finish().into_iter().map(shown).collect(), files, timed_out)
    }

    /// The measures of files with hits, and whether the deadline expired first.
    fn measures(
        &self,
        selected: &SelectedTerms,
        search_root: &SearchRoot,
        until: Deadline<'_>,
    ) -> Result<(BTreeMap<Vec<u8>, Measures>, bool), ToolError> {
        // Links are not followed, so a path identifies a file.
        let file = |walked: &[u8]| WalkItem::File(FoundFile::new(walked.to_owned()));
        let hit: BTreeSet<&[u8]> = selected.hit_files().collect();
        let items: Vec<WalkItem> = hit.into_iter().map(file).collect();
        let scanner = TextScanner(selected.measurer());
        let fold = Measured(BTreeMap::new());
        let (Measured(measures), ending) =
            self.run(search_root, Box::new(items.into_iter()), u64::MAX, &scanner, fold, until)?;
        Ok((measures, ending.timed_out))
    }

    /// The hits of one term.
    fn term(
        &self,
        request: &keyword::Request,
        number: usize,
        most: usize,
        search_root: &SearchRoot,
        known: &mut Known<'_>,
        until: Deadline<'_>,
    ) -> Result<(Collector, Option<Notice>), ToolError> {
        let finder = Finder::new(&request.terms, number, most);
        let (collector, searched, notice) =
            self.holding(request, number, finder, Collector::new(most), search_root, known, until)?;
        Ok((collector.ended(searched), notice))
    }

    /// The files with hits of a skipped term.
    fn broad_collector(
        &self,
        request: &keyword::Request,
        number: usize,
        collector: BroadTermCollector,
        search_root: &SearchRoot,
        known: &mut Known<'_>,
        until: Deadline<'_>,
    ) -> Result<BroadTermCollector, ToolError> {
        let finder = Finder::existence(&request.terms, number);
        let (collector, searched, _) =
            self.holding(request, number, finder, collector, search_root, known, until)?;
        Ok(collector.ended(searched))
    }

    /// Collects the files that may hold a term, in path order.
    #[expect(
        clippy::too_many_arguments,
        reason = "what one search of a term needs, and nothing is left over"
    )]
    fn holding<C: TermFiles>(
        &self,
        request: &keyword::Request,
        number: usize,
        finder: Finder,
        files: C,
        search_root: &SearchRoot,
        known: &mut Known<'_>,
        until: Deadline<'_>,
    ) -> Result<(C, agent::Searched, Option<Notice>), ToolError> {
        let need = |fold, ngram| request.need(number, fold, ngram);
        let scope = Scope::default();
        let index_query = self.index_query(&scope, QueryNeed::Grams(&need));
        let max_files = self.config().max_files;
        let (mut held, mut notice) = (None, None);
        let mut items: Items<'_> = Box::new(std::iter::empty());
        if known.walk.is_none() {
            let Eligible { items: found, index, walked, held: lent, .. } =
                self.files_below(search_root, &index_query, until);
            (items, held, notice) =
                (self.permitted(search_root, found), Some(lent), self.index_notice(&index));
            if walked {
                let walk = std::mem::replace(&mut items, Box::new(std::iter::empty()));
                known.walk = Some(first(walk, max_files, &mut known.held));
            }
        }
        if let Some(walk) = &known.walk {
            items = Box::new(walk.iter().cloned());
        }
        let scanner = TermScanner { number, finder, absent: &known.absent };
        let fold = TermFold { files, learned: Vec::new() };
        let (TermFold { files, learned }, ending) =
            self.run(search_root, items, max_files, &scanner, fold, until)?;
        drop(held);
        known.absent.extend(learned);
        // The caller does not choose the directory.
        let searched =
            agent::Searched { root: agent::RootBy::Tool, ..self.searched(search_root, &ending) };
        Ok((files, searched, notice))
    }

    /// The files, unless the search root is denied, which is not an error because the caller did
    /// not name it.
    fn permitted<'i>(&self, search_root: &SearchRoot, items: Items<'i>) -> Items<'i> {
        if self.sandbox().is_denied(&search_root.place.path) {
            Box::new(std::iter::empty())
        } else {
            items
        }
    }

    /// Where to search (REQ-KWS-002.1, REQ-KWS-002.2, E-I25): the repository's top, not above the
    /// sandbox, else the working directory.
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
        (!self.selected.is_empty() && !self.selected.timed_out())
            .then(|| keyword::prompt(request, &self.selected))
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
        let found = AnswerInput { request, selected: &self.selected, asked, root: self.root };
        let mut draft = found.answer();
        draft.notices.extend(self.notices);
        draft
    }
}

/// State shared by the searches of the terms.
struct Known<'c> {
    /// The items of the walk, which is made once.
    walk: Option<Vec<WalkItem>>,
    held: Reservation<'c>,
    absent: KnownAbsent,
}

/// The first items, enough to detect that there are more than the permitted files.
fn first(items: Items<'_>, max_files: u64, held: &mut Reservation<'_>) -> Vec<WalkItem> {
    let mut files = 0;
    let mut kept = Vec::new();
    for item in items {
        if !held.grows(item.held()) {
            kept.push(WalkItem::Interrupted);
            break;
        }
        files += u64::from(matches!(item, WalkItem::File(_)));
        kept.push(item);
        if files > max_files {
            break;
        }
    }
    kept
}
