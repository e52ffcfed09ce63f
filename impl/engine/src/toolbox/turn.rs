//! A call from when it is accepted until its answer.

use std::time::{Duration, Instant};

use forge_search_core::{
    ToolError,
    agent::{self, Defaults, Draft, Notice, Refusal, Shown, keyword},
};
use serde::Serialize;

use super::{
    answer::Answer,
    fit::{self, Length},
    registry::Tool,
};
use crate::{call::Call, config::AgentConfig};

/// An accepted call.
pub(super) struct Turn<'c> {
    pub(super) tool: Tool,
    pub(super) call: &'c Call,
    /// As it was when the call was accepted.
    pub(super) config: AgentConfig,
    /// Notices about the call rather than its results.
    pub(super) notices: Vec<Notice>,
    pub(super) started: Instant,
}

impl Turn<'_> {
    pub(super) fn deadline(&self) -> Instant {
        self.started + Duration::from_secs(self.config.timeout_seconds)
    }

    pub(super) fn length(&self) -> Length<'_> {
        Length { config: &self.config, notices: &self.notices }
    }

    /// The answer of a search until the deadline, with the call's notices, within the configured
    /// length.
    pub(super) fn fitted<R: Shown, O: Clone + Serialize>(
        self,
        search: impl FnOnce(Instant) -> Result<Draft<R, O>, ToolError>,
    ) -> Result<agent::Answer<R, O>, Refusal> {
        let draft = self.call.account.unless_over(search(self.deadline()));
        let mut draft = draft.map_err(|error| self.tool.refused(error))?;
        draft.notices.extend(self.notices);
        Ok(fit::within(&self.config, |budget| draft.fit(budget)))
    }
}

/// What a configuration says of fields that a request does not set.
pub(super) fn defaults(config: &AgentConfig) -> Defaults {
    Defaults {
        max_results: config.default_max_results,
        context_lines: config.default_context_lines,
        reading: config.reading,
    }
}

/// What is logged and counted of an answer.
pub(super) trait Counted {
    fn complete(&self) -> bool;
    fn results(&self) -> u64;
}

impl<R, O> Counted for agent::Answer<R, O> {
    fn complete(&self) -> bool {
        self.complete
    }

    fn results(&self) -> u64 {
        self.results.len() as u64
    }
}

impl Counted for keyword::Answer {
    fn complete(&self) -> bool {
        match self {
            Self::Files(files) => files.complete,
            Self::DryRun(dry) => dry.complete,
        }
    }

    fn results(&self) -> u64 {
        match self {
            Self::Files(files) => files.results(),
            Self::DryRun(_) => 0,
        }
    }
}

impl Counted for Answer {
    fn complete(&self) -> bool {
        self.complete
    }

    fn results(&self) -> u64 {
        self.results
    }
}

#[cfg(test)]
mod tests;
