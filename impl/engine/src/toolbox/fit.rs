//! Answers as long as configuration permits, cut from what was found.
//!
//! Left to neighbours: what an answer leaves out first. `Search` and `search_files` have documents that say how they
//! read; how many of their results fit is found here, by what they take with everything else that is told.

use std::time::Instant;

use forge_search_core::{
    ToolError,
    agent::Notice,
    budget::{Budget, largest},
    collect::Found,
    search_files,
};

use super::answer::Answer;
use crate::{agent::tokens::Tokenizer, config::AgentConfig, service::Service};

/// Steps in which an answer of `search_files` is made shorter, in bytes.
const STEP: u64 = 1 << 10;

/// What comes of `cut` under the configured budget.
pub(super) fn within<T>(config: &AgentConfig, cut: impl FnOnce(&Budget<'_>) -> T) -> T {
    let bytes = usize::try_from(config.max_answer_bytes).unwrap_or(usize::MAX);
    let tokens = |text: &str| Tokenizer::from(config.tokenizer).fits(text, config.max_answer_tokens);
    cut(&Budget { bytes, tokens: &tokens })
}

/// How long an answer may be, and what it says besides.
pub(super) struct Length<'l> {
    pub(super) config: &'l AgentConfig,
    pub(super) notices: &'l [Notice],
}

impl Length<'_> {
    fn telling(&self, mut answer: Answer) -> Answer {
        for notice in self.notices {
            answer.add(notice);
        }
        answer
    }

    fn permits(&self, answer: &Answer) -> bool {
        within(self.config, |budget| {
            budget.permits(&answer.structured.to_string()) && budget.permits(&answer.text)
        })
    }

    /// An answer of `Search` with as many events as fit; with none if one is too much.
    pub(super) fn search(&self, service: &Service, found: &Found, started: Instant) -> Answer {
        let answer = |found: Found| self.telling(Answer::response(service.response(found, started)));
        let whole = answer(found.clone());
        if whole.results == 0 || self.permits(&whole) {
            return whole;
        }
        // What the events alone come to rules most numbers out without an answer being written.
        let mut bytes = 0;
        let events = found.events().iter().take_while(|event| {
            bytes += event.data.lines.text.len() as u64;
            bytes <= self.config.max_answer_bytes
        });
        let most = events.count().min(found.events().len() - 1);
        let cut = |events: usize| answer(found.cut(events));
        largest(most, |events| Some(cut(events)).filter(|cut| self.permits(cut))).unwrap_or_else(|| cut(0))
    }

    /// An answer of `search_files` of at most so many bytes, and of fewer if what is told besides does not fit.
    /// The error is that of a budget in which not even the frame of an answer fits.
    pub(super) fn files(&self, found: &search_files::Answer<'_>, most: u64) -> Result<Answer, ToolError> {
        let answer = |bytes: u64| {
            let fitted = found.fit(bytes)?;
            Ok(self.telling(Answer::contents(&fitted.text, fitted.found, fitted.complete)))
        };
        let whole = answer(most)?;
        if self.permits(&whole) {
            return Ok(whole);
        }
        let bytes = |steps: usize| most.min(STEP * (steps as u64 + 1));
        let steps = usize::try_from(most / STEP).unwrap_or(usize::MAX).saturating_sub(1);
        let shorter = largest(steps, |steps| answer(bytes(steps)).ok().filter(|answer| self.permits(answer)));
        // Less than this the tool cannot say; how much it may say is not the caller's to raise.
        Ok(shorter.or_else(|| answer(bytes(0)).ok()).unwrap_or(whole))
    }
}
