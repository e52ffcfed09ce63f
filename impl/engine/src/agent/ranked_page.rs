//! Ranks the files that hold terms, and reads those of one page for their lines: what `search_text`
//! and `keyword_search` have in common.
//!
//! Invariants: a file is shown as what it was ranked as, or everything is done once more; an index
//! does not change an answer.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use forge_search_core::{
    ToolError,
    agent::{
        Page,
        search_text::{Collector, Finder, Measures, Pool, Ranked},
    },
    collect::{Item, Outcome},
    error::Interrupted,
    response::IndexStats,
    scan::Proposer,
    scope::Scope,
};

use crate::{
    deadline::Deadline,
    eligible::Eligible,
    index::{IndexQuery, QueryNeed, WordQuery},
    job::{Batches, Fold, Job, Scanner},
    pipeline::{Items, JobEnd},
    places::{Known, Places},
    service::Service,
    walk::WalkItem,
};

/// Time that is kept for showing what was ranked, also of a call that is cancelled.
const SHOWING: Duration = Duration::from_millis(200);
/// The same where none is left.
const LATE: Duration = Duration::from_millis(50);

static NEVER: AtomicBool = AtomicBool::new(false);

/// Whether to go on.
pub(super) type GoOn<'g> = &'g mut dyn FnMut() -> bool;

/// What is asked of the files below a search root.
pub(super) struct Question<'q> {
    pub(super) finder: &'q Finder,
    pub(super) scope: &'q Scope,
    pub(super) page: Page,
    pub(super) scores: &'q dyn Fn(&Pool) -> Vec<f64>,
}

/// Which of the files that were read are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admits {
    /// Those that hold what the finder demands.
    Matching,
    /// All of them: they were found otherwise.
    All,
}

/// One page of ranked files.
pub(super) struct RankedPage<L> {
    pub(super) ranked: Ranked,
    /// The path of each file as shown, and its lines if it still matches.
    pub(super) lines: Vec<(String, Option<L>)>,
    /// Whether all files are what they were ranked as.
    is_stable: bool,
    pub(super) ending: JobEnd,
    pub(super) index: IndexStats,
}

impl Service {
    /// The page, with what `lines` says of each file. If a file is not any more what it was ranked
    /// as, everything is done once more.
    pub(super) fn ranked_page<L: Send>(
        &self,
        question: &Question<'_>,
        lines: &Lines<'_, L>,
        places: &Places,
        until: Deadline<'_>,
    ) -> Result<RankedPage<L>, ToolError> {
        let first = self.page_once(question, lines, places, until)?;
        if first.is_stable || until.expired() {
            return Ok(first);
        }
        self.page_once(question, lines, places, until)
    }

    fn page_once<L: Send>(
        &self,
        question: &Question<'_>,
        lines: &Lines<'_, L>,
        places: &Places,
        until: Deadline<'_>,
    ) -> Result<RankedPage<L>, ToolError> {
        let finder = question.finder;
        let need = |fold, ngram| finder.need(fold, ngram);
        let read = |fold, ngram| finder.need_beside_words(fold, ngram);
        let words = finder.words();
        let tell_all = finder.is_told_by_words();
        let words = WordQuery { words: &words, demand: finder.demand(), tell_all, read: &read };
        let index_query = IndexQuery {
            words: (!words.words.is_empty()).then_some(words),
            ..self.index_query(question.scope, QueryNeed::Grams(&need))
        };
        let Eligible { items, index, known, held: _held, .. } =
            self.files_in(places, &index_query, until);
        let left = until.at.saturating_duration_since(Instant::now());
        let at = until.at.checked_sub((left / 4).min(SHOWING)).unwrap_or(until.at);
        let ranking = Deadline { at, ..until };
        let (ranked, mut ending) =
            self.rank(question, items, Admits::Matching, known, places, ranking)?;
        let files: Vec<WalkItem> =
            ranked.shown().map(|file| places.file_item(&file.walked)).collect();
        let scanner = LineScanner { finder: finder.clone(), lines };
        let is_over = until.expired();
        let at = shown_by(until.at, Instant::now(), is_over);
        let call = if is_over { &NEVER } else { until.call };
        let showing = Deadline { at, call, seen: None, ..until };
        let items = Box::new(files.into_iter());
        let fold = LineFold(Vec::new());
        let job = Job { batches: Batches::Single, ..self.job(places, u64::MAX, showing) };
        let (LineFold(found), shown) = job.run(items, &scanner, fold)?;
        ending.timed_out |= shown.timed_out;
        let mut measured = ranked.shown().map(|file| &file.measures);
        let mut is_stable = true;
        let mut lines = Vec::new();
        for (path, found) in found {
            is_stable &= found.as_ref().map(|(now, _)| now) == measured.next();
            lines.push((path, found.map(|(_, lines)| lines)));
        }
        drop(measured);
        Ok(RankedPage { ranked, lines, is_stable, ending, index })
    }

    /// Ranks files.
    pub(super) fn rank(
        &self,
        question: &Question<'_>,
        items: Items<'_>,
        admits: Admits,
        known: Known,
        places: &Places,
        until: Deadline<'_>,
    ) -> Result<(Ranked, JobEnd), ToolError> {
        let scanner = RankScanner { finder: question.finder.clone(), admits, known };
        let fold = RankFold(Collector::new(question.page));
        let max_files = self.config().max_files;
        let (RankFold(collector), ending) =
            self.run(places, items, max_files, &scanner, fold, until)?;
        Ok((collector.rank(question.scores), ending))
    }
}

/// When a page has to be read that is ranked now. What is ranked is shown, also if the call is over.
fn shown_by(at: Instant, now: Instant, is_over: bool) -> Instant {
    if is_over { at.min(now + SHOWING).max(now + LATE) } else { at }
}

/// What ranks files.
#[derive(Clone)]
struct RankScanner {
    finder: Finder,
    admits: Admits,
    /// What the index says of files that need not be read.
    known: Known,
}

impl Scanner for RankScanner {
    type Output = Pool;

    const READS_ALL: bool = false;

    fn known(&mut self, places: &mut dyn Iterator<Item = usize>) -> Pool {
        let mut pool = Pool::default();
        for (walked, bytes, found) in places.filter_map(|place| self.known.get(place)) {
            self.finder.add_known(&mut pool, &walked, bytes, found);
        }
        pool
    }

    fn may_match(&mut self, lines: &[u8], _go_on: GoOn<'_>) -> bool {
        self.finder.may_match(lines)
    }

    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        _proposer: Option<&mut dyn Proposer>,
        go_on: GoOn<'_>,
    ) -> Result<Outcome<Pool>, Interrupted> {
        let measures = self.finder.measure(text, walked, go_on)?;
        let admits_all = self.admits == Admits::All;
        let measures = measures.or_else(|| admits_all.then(|| self.finder.path_measures(walked)));
        let mut pool = Pool::default();
        if let Some(Measures { terms, bytes, hundredths }) = measures {
            pool.add(walked, terms, bytes, hundredths);
        }
        Ok(Outcome::Searched(pool))
    }

    fn is_omitted(_found: &Self::Output) -> bool {
        // Paths are shown of a page only.
        true
    }
}

/// The fold of the files that are ranked.
struct RankFold(Collector);

impl Fold for RankFold {
    type Input = Pool;

    fn add(&mut self, item: Item<Pool>) -> bool {
        self.0.add(item);
        true
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn held(&self) -> u64 {
        self.0.held()
    }
}

/// What a file is ranked by, and its lines; nothing if it does not match.
type Found<L> = Result<Option<(Measures, L)>, Interrupted>;

/// Says of a text, and of its path below the search root, what it is ranked by, and its lines.
pub(super) type Lines<'l, L> = dyn Fn(&mut Finder, &[u8], &[u8], GoOn<'_>) -> Found<L> + Sync + 'l;

/// What finds the lines of the files of a page.
struct LineScanner<'l, L> {
    finder: Finder,
    lines: &'l Lines<'l, L>,
}

impl<L> Clone for LineScanner<'_, L> {
    fn clone(&self) -> Self {
        Self { finder: self.finder.clone(), lines: self.lines }
    }
}

impl<L: Send> Scanner for LineScanner<'_, L> {
    type Output = Option<(Measures, L)>;

    const READS_ALL: bool = true;

    fn may_match(&mut self, _lines: &[u8], _go_on: GoOn<'_>) -> bool {
        true
    }

    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        _proposer: Option<&mut dyn Proposer>,
        go_on: GoOn<'_>,
    ) -> Result<Outcome<Self::Output>, Interrupted> {
        (self.lines)(&mut self.finder, text, walked, go_on).map(Outcome::Searched)
    }
}

/// The fold of the files that are shown: their paths, and what was found.
struct LineFold<L>(Vec<(String, Option<(Measures, L)>)>);

impl<L: Send> Fold for LineFold<L> {
    type Input = Option<(Measures, L)>;

    fn add(&mut self, item: Item<Self::Input>) -> bool {
        if let Item::File { path, outcome } = item {
            let found = if let Outcome::Searched(found) = outcome { found } else { None };
            self.0.push((path, found));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_take_all_the_time_that_is_left_and_a_little_after_that() {
        let now = Instant::now();
        let (later, before) = (now + SHOWING * 50, now.checked_sub(LATE).unwrap());
        assert_eq!(shown_by(later, now, false), later);
        assert_eq!(shown_by(later, now, true), now + SHOWING, "the call is cancelled");
        assert_eq!(shown_by(before, now, true), now + LATE);
    }
}
