//! `Search` on the pipeline: one event per line, collected into a response.

use forge_search_core::{
    Event, Request,
    collect::{Collector, Item, Outcome},
    error::Interrupted,
    pattern::Pattern,
    scan::{FileEvents, Proposer, ScanLimits, scan},
};

use crate::{
    backend::NativeProposer,
    job::{Fold, Scanner, proposes},
};

/// Receives each event as soon as it is final.
pub type EventSink<'t> = &'t mut (dyn FnMut(&Event) + Send);

/// Finds the matching lines of one file after the other.
#[derive(Clone)]
pub(crate) struct LineScanner {
    /// Matchers keep scratch memory per clone; threads that share one would wait for each other.
    pattern: Pattern,
    proposer: NativeProposer,
    limits: ScanLimits,
}

impl LineScanner {
    pub(crate) fn new(request: &Request, pattern: &Pattern, proposer: NativeProposer) -> Self {
        let limits = ScanLimits {
            context: request.context,
            max_matches: request.max_matches_per_file,
            max_events: request.max_results.saturating_add(1),
            max_bytes: request.max_output_bytes,
        };
        Self { pattern: pattern.clone(), proposer, limits }
    }
}

impl Scanner for LineScanner {
    type Output = FileEvents;

    const READS_ALL: bool = false;

    fn may_match(&mut self, lines: &[u8], go_on: &mut dyn FnMut() -> bool) -> bool {
        proposes(&mut self.proposer, lines, go_on)
    }

    fn scan(
        &mut self,
        text: &[u8],
        _walked: &[u8],
        proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome, Interrupted> {
        let proposer = proposer.unwrap_or(&mut self.proposer);
        scan(text, &self.pattern, proposer, self.limits, go_on).map(Outcome::Searched)
    }

    fn lines(found: &FileEvents) -> usize {
        found.events.iter().filter(|event| event.matched.is_some()).count() + usize::from(found.cut)
    }

    fn is_omitted(found: &FileEvents) -> bool {
        found.events.is_empty()
    }
}

/// Collects lines, and passes each event on as soon as it is final.
pub(crate) struct StreamingCollector<'c, 't> {
    pub(crate) collector: Collector<'c>,
    told: usize,
    tell: EventSink<'t>,
}

impl<'c, 't> StreamingCollector<'c, 't> {
    pub(crate) fn new(collector: Collector<'c>, tell: EventSink<'t>) -> Self {
        Self { collector, told: 0, tell }
    }
}

impl Fold for StreamingCollector<'_, '_> {
    type Input = FileEvents;

    fn add(&mut self, item: Item) -> bool {
        let goes_on = self.collector.add(item);
        let events = self.collector.events();
        events.get(self.told..).unwrap_or_default().iter().for_each(&mut self.tell);
        self.told = events.len();
        goes_on
    }

    fn is_empty(&self) -> bool {
        self.collector.is_empty()
    }

    fn held(&self) -> u64 {
        self.collector.held()
    }
}

#[cfg(test)]
mod tests;
