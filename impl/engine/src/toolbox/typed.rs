//! The agent's tools with typed requests and answers. A call takes the same way as by name.

use forge_search_core::agent::{Defaults, Refusal, find_files, grep, keyword, search_text};

use super::{Counted, Session, Tool, Toolbox, Turn, defaults};
use crate::{call::Call, observe::UNKNOWN_TOOL};

impl Toolbox {
    /// The defaults that requests are built with; a tree may have changed them since the last call.
    pub fn defaults(&self) -> Defaults {
        defaults(&self.overlay.current(&self.service.config().agent).0)
    }

    /// Files that hold all terms of a query, best first.
    pub fn search_text(
        &self,
        session: &Session,
        request: &search_text::Request,
        call: &Call,
    ) -> Result<search_text::Answer, Refusal> {
        self.asked(Tool::Text, search_text::NAME, &request.query, session, call, |turn| {
            turn.fitted(|until| self.service.search_text(request, until, call))
        })
    }

    /// Lines that match a pattern.
    pub fn grep(
        &self,
        session: &Session,
        request: &grep::Request,
        call: &Call,
    ) -> Result<grep::Answer, Refusal> {
        self.asked(Tool::Grep, grep::NAME, &request.given, session, call, |turn| {
            turn.fitted(|until| self.service.grep(request, until, call))
        })
    }

    /// Files by name.
    pub fn find_files(
        &self,
        session: &Session,
        request: &find_files::Request,
        call: &Call,
    ) -> Result<find_files::Answer, Refusal> {
        self.asked(Tool::Paths, find_files::NAME, &request.pattern, session, call, |turn| {
            turn.fitted(|until| self.service.find_files(request, until, call))
        })
    }

    /// Files for a question.
    pub fn keyword_search(
        &self,
        session: &Session,
        request: &keyword::Request,
        call: &Call,
    ) -> Result<keyword::Answer, Refusal> {
        self.asked(Tool::Keyword, keyword::NAME, &request.query, session, call, |turn| {
            self.files_by_terms(request, turn)
        })
    }

    /// A call of a tool, which is refused if the profile lacks it.
    fn asked<A: Counted>(
        &self,
        tool: Tool,
        usual_name: &'static str,
        query: &str,
        session: &Session,
        call: &Call,
        run: impl FnOnce(Turn<'_>) -> Result<A, Refusal>,
    ) -> Result<A, Refusal> {
        let listed = self.listed(tool);
        let (_, answer) = self.observed(listed.unwrap_or(UNKNOWN_TOOL), Some(query), |name| {
            if listed.is_none() {
                return Err(self.unknown(usual_name));
            }
            run(self.turn(tool, name, session, 0, call)?)
        });
        answer
    }
}
