//! Fits answers into the configured length.
//!
//! Not here: what an answer drops first. `Search` and `search_files` have fixed formats; how many
//! of their results fit is computed here, from the size of each with everything else in the answer.

use std::time::Instant;

use forge_search_core::{
    ToolError,
    agent::Notice,
    budget::{Budget, filled, largest},
    collect::SearchResults,
    content,
    search_files::{self, Fitted},
};

use super::answer::Answer;
use crate::{agent::tokens::Tokenizer, config::AgentConfig, service::Service};

/// The field of the events.
const MATCHES: &str = "matches";

/// The result of `cut` under the configured budget.
pub(super) fn within<T>(config: &AgentConfig, cut: impl FnOnce(&Budget<'_>) -> T) -> T {
    let tokenizer = &Tokenizer::from(config.tokenizer);
    cut(&Budget { bytes: config.max_answer_bytes, tokens: config.max_answer_tokens, tokenizer })
}

/// The length limit of an answer, and its fixed part.
pub(super) struct Length<'l> {
    pub(super) config: &'l AgentConfig,
    pub(super) notices: &'l [Notice],
}

impl Length<'_> {
    fn with_notices(&self, mut answer: Answer) -> Answer {
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

    /// An answer of `Search` with as many events as fit, none if even one does not. Each event is
    /// serialised once.
    pub(super) fn search(
        &self,
        service: &Service,
        found: &SearchResults,
        started: Instant,
    ) -> Answer {
        let elapsed = started.elapsed();
        let most = self.config.max_answer_bytes;
        let (mut values, mut written, mut bytes) = (Vec::new(), Vec::new(), 0);
        let events = found.events();
        // Events after those that exceed the limit in bytes alone cannot fit.
        for event in events {
            let value = serde_json::to_value(event).unwrap_or_default();
            let text = value.to_string();
            bytes += text.len() as u64 + 1;
            values.push(value);
            written.push(text);
            if bytes > most {
                break;
            }
        }
        let lines: Vec<String> = events.iter().take(written.len()).map(content::line).collect();
        let frame = |events: usize| {
            let lines = lines.get(..events).unwrap_or_default().concat();
            self.with_notices(Answer::response(
                service.response(found.frame(events, lines), elapsed),
            ))
        };
        let fits = |events: usize, frame: &Answer| {
            let data =
                filled(&frame.structured, MATCHES, written.get(..events).unwrap_or_default());
            within(self.config, |budget| budget.permits(&data) && budget.permits(&frame.text))
        };
        let fitting =
            |events: usize| Some((events, frame(events))).filter(|(_, frame)| fits(events, frame));
        let whole = if bytes <= most { fitting(written.len()) } else { None };
        let (shown, mut answer) = whole.unwrap_or_else(|| {
            let none = frame(0);
            let near =
                within(self.config, |budget| budget.about(&none.structured.to_string(), &written));
            largest(written.len().saturating_sub(1), near, fitting).unwrap_or((0, none))
        });
        if let Some(list) = answer.structured.get_mut(MATCHES) {
            *list = values.into_iter().take(shown).collect();
        }
        answer
    }

    /// An answer of `search_files` of at most `most` bytes, fewer if the rest of the answer does
    /// not fit; its frame if even that is too long, since the caller's limit holds. The error says
    /// that `most` is too small for any answer.
    pub(super) fn files(
        &self,
        found: &search_files::Answer<'_>,
        most: u64,
    ) -> Result<Answer, ToolError> {
        let answer = |fitted: &Fitted| {
            self.with_notices(Answer::contents(&fitted.text, fitted.found, fitted.complete))
        };
        let whole = answer(&found.fit(most)?);
        if self.permits(&whole) {
            return Ok(whole);
        }
        let near = within(self.config, |budget| budget.about("", &found.matches));
        let shortened = found.shortened(near, |fitted| {
            fitted.text.len() as u64 <= most && self.permits(&answer(fitted))
        });
        Ok(answer(&shortened))
    }
}

#[cfg(test)]
mod tests;
