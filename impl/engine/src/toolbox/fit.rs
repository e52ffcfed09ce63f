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
    let tokenizer = &Tokenizer::from(config.tokenizer);
    cut(&Budget { bytes: config.max_answer_bytes, tokens: config.max_answer_tokens, tokenizer })
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
        let cut = |events: usize| answer(found.cut(events));
        let none = cut(0);
        let events = found.events().iter().map(|event| serde_json::to_string(event).unwrap_or_default());
        let near = within(self.config, |budget| budget.about(&none.structured.to_string(), events));
        let most = found.events().len() - 1;
        largest(most, near, |events| Some(cut(events)).filter(|cut| self.permits(cut))).unwrap_or(none)
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
        let shorter = largest(steps, steps / 2, |steps| {
            answer(bytes(steps)).ok().filter(|answer| self.permits(answer))
        });
        // Less than this the tool cannot say; how much it may say is not the caller's to raise.
        Ok(shorter.or_else(|| answer(bytes(0)).ok()).unwrap_or(whole))
    }
}
