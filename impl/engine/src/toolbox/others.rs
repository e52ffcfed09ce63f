//! `Search` and `search_files` of documents 000 and 001 as tools of the registry: checked before they are counted, and held to the same length.
//!
//! Their answers are their documents'; one that is too long is asked for again with as many results as fit, so that what it says of itself is true.

use std::time::Instant;

use forge_search_core::{ToolError, agent::Notice, request, search_files};
use serde_json::{Map, Value, json};

use super::{Answer, Toolbox, fits, registry::Tool};
use crate::{
    call::Call,
    config::{AgentConfig, FilesBackend},
    search::Asking,
    search_files::{ToolContext, compiled},
};

/// How often an answer that is too long is asked for again: once is enough but for what changes meanwhile, and for notes of what was left out.
const ATTEMPTS: usize = 4;
/// The smallest answer of `search_files`, or text of lines of `Search`, that is asked for, in bytes.
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
            let native = files.backend == FilesBackend::Native;
            compiled(&search_files::Request::parse(arguments, &files.caps, native)?)?;
        }
        Ok(())
    }

    /// Carries out a call of one of the two; what it is told besides counts for its length.
    pub(super) fn other(
        &self,
        tool: Tool,
        name: &str,
        arguments: &Value,
        config: &AgentConfig,
        call: &Call,
        notices: &[Notice],
    ) -> Result<Answer, ToolError> {
        let within = |text: &str| text.len() as u64 <= config.max_answer_bytes && fits(config, text);
        let long = |answer: &Answer| !(within(&answer.structured.to_string()) && within(&answer.text));
        let telling = |mut answer: Answer| {
            for notice in notices {
                answer.add(notice);
            }
            answer
        };
        if tool == Tool::Contents {
            let mut bytes = config.max_answer_bytes.min(self.service.config().search_files.max_output_bytes);
            let mut longer = None;
            loop {
                let mut context = ToolContext { max_output_bytes: bytes, ..ToolContext::default() };
                let fitted = match self.service.search_files_until(&mut context, arguments, &call.cancelled) {
                    Ok(fitted) => fitted,
                    // Less than this the tool cannot say; how much it may say is not the caller's to raise.
                    Err(error) => return longer.ok_or(error),
                };
                let answer = telling(Answer::contents(&fitted.text, fitted.found, fitted.complete));
                if bytes <= LEAST_BYTES || !long(&answer) {
                    return Ok(answer);
                }
                bytes = (bytes / 2).max(LEAST_BYTES);
                longer = Some(answer);
            }
        }
        let mut arguments = arguments.clone();
        // However often it is asked, it is one call, with one deadline.
        let started = Instant::now();
        let ask = |arguments: &Value, bytes: u64| {
            let asked = Asking { started, bytes };
            let response = self.service.call_within(name, arguments, &asked, &call.cancelled)?;
            Ok(telling(Answer::response(response)))
        };
        for attempt in 0..ATTEMPTS {
            let answer = ask(&arguments, u64::MAX)?;
            if answer.results == 0 || !long(&answer) {
                return Ok(answer);
            }
            let mut events = fitting(&answer, attempt == 0, config.max_answer_bytes, &within);
            if events == 0 && attempt > 0 {
                events = usize::try_from(answer.results / 2).unwrap_or(0);
            }
            if events == 0 {
                break;
            }
            if let Some(fields) = arguments.as_object_mut() {
                fields.insert("max_results".to_owned(), json!(events));
            }
        }
        // Few lines, and long ones: they are whole or not there.
        let mut bytes = config.max_answer_bytes;
        loop {
            let answer = ask(&arguments, bytes)?;
            if bytes == 0 || answer.results == 0 || !long(&answer) {
                return Ok(answer);
            }
            bytes = if bytes > LEAST_BYTES { (bytes / 2).max(LEAST_BYTES) } else { 0 };
        }
    }
}

/// How many of its first events an answer that is too long may have, by what they take: all it has are too many. A shorter answer ends sooner, so that
/// it may be `without` the problems that this one tells of.
fn fitting(answer: &Answer, without: bool, bytes: u64, within: &dyn Fn(&str) -> bool) -> usize {
    const EVENTS: &str = "matches";
    const PROBLEMS: &str = "errors";
    let none = Vec::new();
    let events = answer.structured.get(EVENTS).and_then(Value::as_array).unwrap_or(&none);
    // What the events alone come to rules most numbers out without writing an answer.
    let mut sum = 0;
    let possible = events.iter().take_while(|event| {
        sum += event.to_string().len() as u64 + 1;
        sum <= bytes
    });
    let possible = possible.count().min(events.len().saturating_sub(1));
    let fields = answer.structured.as_object().into_iter().flatten();
    let frame: Map<String, Value> = fields
        .filter(|(name, _)| *name != EVENTS && !(without && *name == PROBLEMS))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let lines: Vec<&str> = answer.text.lines().take(possible).collect();
    let fits = |kept: usize| {
        let mut data = frame.clone();
        data.insert(EVENTS.to_owned(), events.get(..kept).unwrap_or_default().into());
        let text = lines.get(..kept).unwrap_or_default().join("\n");
        within(&Value::Object(data).to_string()) && within(&text)
    };
    let (mut least, mut most) = (0, possible);
    while least < most {
        let middle = (least + most).div_ceil(2);
        if fits(middle) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    least
}
