//! A call from when it is accepted until its answer.

use std::time::{Duration, Instant};

use forge_search_core::{
    ToolError,
    agent::{self, Defaults, Draft, Notice, Refusal, Shown},
};

use super::{
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
    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            max_results: self.config.default_max_results,
            context_lines: self.config.default_context_lines,
        }
    }

    pub(super) fn deadline(&self) -> Instant {
        self.started + Duration::from_secs(self.config.timeout_seconds)
    }

    pub(super) fn length(&self) -> Length<'_> {
        Length { config: &self.config, notices: &self.notices }
    }

    /// What was found, with the call's notices, within the configured length.
    pub(super) fn fitted<R: Shown, O: Clone + serde::Serialize>(
        self,
        draft: Result<Draft<R, O>, ToolError>,
    ) -> Result<agent::Answer<R, O>, Refusal> {
        let draft = self.call.account.unless_over(draft);
        let mut draft = draft.map_err(|error| self.tool.refused(error))?;
        draft.notices.extend(self.notices);
        Ok(fit::within(&self.config, |budget| draft.fit(budget)))
    }
}
