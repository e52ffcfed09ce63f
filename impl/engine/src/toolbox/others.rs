//! `Search` and `search_files` of documents 000 and 001 as tools of the registry: checked before they are counted, and held to the same length.
//!
//! Their answers are their documents'; one that is too long is asked for again with fewer results, so that what it says of itself is true.

use forge_search_core::{ToolError, request, search_files};
use serde_json::{Value, json};

use super::{Answer, Toolbox, fits, registry::Tool};
use crate::{
    call::Call,
    config::{AgentConfig, FilesBackend},
    search_files::ToolContext,
};

/// How often an answer that is too long is asked for again.
const ATTEMPTS: usize = 6;
/// The smallest answer of `search_files` that is asked for, in bytes.
const LEAST_BYTES: u64 = 1 << 10;

impl Toolbox {
    /// Whether a request is one, before it is counted.
    pub(super) fn check_other(&self, tool: Tool, arguments: &Value) -> Result<(), ToolError> {
        let config = self.service.config();
        if tool == Tool::Search {
            let request = request::Request::parse(arguments, &config.limits())?;
            forge_search_core::pattern::Pattern::compile(request.sought())?;
        } else {
            let files = &config.search_files;
            search_files::Request::parse(arguments, &files.caps, files.backend == FilesBackend::Native)?;
        }
        Ok(())
    }

    /// Carries out a call of one of the two.
    pub(super) fn other(
        &self,
        tool: Tool,
        name: &str,
        arguments: &Value,
        config: &AgentConfig,
        call: &Call,
    ) -> Result<Answer, ToolError> {
        let long = |answer: &Answer| {
            let json = answer.structured.to_string();
            let within = |text: &str| text.len() as u64 <= config.max_answer_bytes && fits(config, text);
            !(within(&json) && within(&answer.text))
        };
        if tool == Tool::Contents {
            let mut bytes = config.max_answer_bytes.min(self.service.config().search_files.max_output_bytes);
            loop {
                let mut context = ToolContext { max_output_bytes: bytes, ..ToolContext::default() };
                let fitted = self.service.search_files_until(&mut context, arguments, &call.cancelled)?;
                let answer = Answer::contents(&fitted.text, fitted.found, fitted.complete);
                if bytes <= LEAST_BYTES || !long(&answer) {
                    return Ok(answer);
                }
                bytes = (bytes / 2).max(LEAST_BYTES);
            }
        }
        let mut arguments = arguments.clone();
        for _ in 0..ATTEMPTS {
            let answer = Answer::response(self.service.call_until(name, &arguments, &call.cancelled)?);
            if answer.results <= 1 || !long(&answer) {
                return Ok(answer);
            }
            if let Some(fields) = arguments.as_object_mut() {
                fields.insert("max_results".to_owned(), json!((answer.results / 2).max(1)));
            }
        }
        Ok(Answer::response(self.service.call_until(name, &arguments, &call.cancelled)?))
    }
}
