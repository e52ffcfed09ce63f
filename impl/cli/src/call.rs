//! `forge-search call TOOL JSON`: one JSON object in, one out (D15).
//!
//! `Search` and `search_files` over contents answer as their own documents say; everything else
//! goes through the registry, as an agent's calls do.

use std::{
    io::{Read, Write},
    process::ExitCode,
    sync::Arc,
};

use forge_search_engine::json::{self, Json, JsonCalls as _};
use forge_search_engine::{
    Answer, Call, FilesAnswer, NAMES, Profile, Response, ToolContext, ToolError, Toolbox,
    escape_json, escape_name, search_files_definition, toolbox::definitions,
};
use serde_json::Value;

use crate::{
    args::{Budget, Common, Names},
    consent::Consent,
    errors::{ended, nearest},
    progress::Progress,
    setup,
};

/// Largest request, in bytes.
const MAX_REQUEST_BYTES: u64 = 4 << 20;

/// Runs the call and prints its outcome on standard output.
pub(crate) fn run(
    common: &Common,
    tool: &str,
    request: &str,
    names: Names,
    budget: Budget,
    consent: Consent,
) -> ExitCode {
    let profile = names.profile_or(Profile::All);
    let request = parsed(request);
    if profile.has_document_tools() {
        if tool == search_files_definition().name {
            return print(
                request.and_then(|request| files(common, &request, budget)).map(Printed::from),
            );
        }
        if NAMES.contains(&tool) {
            let call = |request| setup::service(common, &[])?.call(tool, &request);
            return print(request.and_then(call).map(Printed::from));
        }
    }
    let service = || setup::reading(common, consent.config(common)?, &[]);
    let answer = match request.and_then(|request| Ok((request, service()?))) {
        Ok((request, service)) => {
            let toolbox =
                Toolbox::new(Arc::new(service), profile).with_client(forge_search_llm::client);
            let call = Arc::new(Call::new());
            let progress = Progress::of_files(&call);
            let answer = toolbox.call(&toolbox.session(), tool, &Json(&request), &call);
            drop(progress);
            if toolbox.is_known(tool) { answer } else { suggesting(answer, tool, &toolbox) }
        }
        Err(error) => Answer::failed(error),
    };
    print(Ok(Printed::from(answer)))
}

/// The answer to a call of no tool, with the name of the tool that is most like it.
fn suggesting(mut answer: Answer, tool: &str, toolbox: &Toolbox) -> Answer {
    let close = nearest(tool, toolbox.tools().iter().map(|tool| tool.name));
    if let Some(Value::String(message)) = answer.structured.get_mut("message") {
        *message = message.replacen("; known tools", &format!("{close}; known tools"), 1);
    }
    answer
}

/// Prints the definitions.
pub(crate) fn tools(names: Names) -> ExitCode {
    let text = serde_json::to_string_pretty(&definitions(names.profile_or(Profile::All)));
    let written =
        text.map_err(std::io::Error::other).and_then(|text| writeln!(std::io::stdout(), "{text}"));
    ended(written, ExitCode::SUCCESS)
}

fn parsed(request: &str) -> Result<Value, ToolError> {
    let text = if request == "-" { read_stdin()? } else { request.to_owned() };
    json::parse(&text).map_err(|err| {
        ToolError::bad_args(
            "request",
            format!("request is not valid JSON: {}", escape_name(&err.to_string())),
        )
    })
}

fn files(common: &Common, request: &Value, budget: Budget) -> Result<FilesAnswer, ToolError> {
    let config = setup::config(common)?;
    let usual = ToolContext::default();
    let mut context = ToolContext {
        max_output_bytes: budget.max_output_bytes.unwrap_or(config.search_files.max_output_bytes),
        available_capacity_bytes: budget
            .available_capacity
            .unwrap_or(usual.available_capacity_bytes),
        ..usual
    };
    setup::reading(common, config, &[])?.call_files(&mut context, request)
}

fn read_stdin() -> Result<String, ToolError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(MAX_REQUEST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|err| ToolError::failed("request", format!("cannot read standard input: {err}")))?;
    if bytes.len() as u64 > MAX_REQUEST_BYTES {
        let why = format!("request is larger than {MAX_REQUEST_BYTES} bytes");
        return Err(ToolError::bad_args("request", why));
    }
    String::from_utf8(bytes).map_err(|err| {
        ToolError::bad_args("request", format!("request is not UTF-8: {}", err.utf8_error()))
    })
}

/// What a call prints: one JSON object, and what the exit status says.
pub(crate) struct Printed {
    json: String,
    found: bool,
    complete: bool,
}

impl From<Response> for Printed {
    fn from(response: Response) -> Self {
        // A response is strings, numbers and lists; it always serialises.
        let json = serde_json::to_string(&response).unwrap_or_default();
        Self { json, found: response.count > 0, complete: response.complete() }
    }
}

impl From<FilesAnswer> for Printed {
    fn from(answer: FilesAnswer) -> Self {
        Self { json: answer.text, found: answer.found, complete: answer.complete }
    }
}

impl From<Answer> for Printed {
    fn from(answer: Answer) -> Self {
        Self { json: answer.structured.to_string(), found: answer.found, complete: answer.complete }
    }
}

/// Prints the outcome, an error as the documents of `Search` and `search_files` have it, and gives
/// its exit status.
pub(crate) fn print(outcome: Result<Printed, ToolError>) -> ExitCode {
    let failed = |error: ToolError| {
        // As it is declared, field by field.
        let json = serde_json::to_string(&error).unwrap_or_default();
        Printed { json: format!("{{\"error\":{json}}}"), found: false, complete: false }
    };
    let Printed { json, found, complete } = outcome.unwrap_or_else(failed);
    ended(writeln!(std::io::stdout(), "{}", escape_json(&json)), status(found, complete))
}

/// 0 something was found, 1 nothing and all was searched, 2 an error, or nothing and not all was
/// searched.
pub(crate) fn status(found: bool, complete: bool) -> ExitCode {
    match (found, complete) {
        (true, _) => ExitCode::SUCCESS,
        (false, true) => ExitCode::from(1),
        (false, false) => ExitCode::from(2),
    }
}
