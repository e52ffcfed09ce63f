//! `forge-search call TOOL JSON`: one JSON object in, one out (D15).
//!
//! `Search` and `search_files` over contents answer as their own documents say; everything else goes through the registry, as an agent's calls do.

use std::{
    io::{Read, Write},
    process::ExitCode,
    sync::Arc,
};

use forge_search_cli::json;
use forge_search_engine::{
    Answer, Call, ErrorClass, FilesAnswer, NAMES, Profile, Response, ToolContext, ToolError, Toolbox,
    escape_name, search_files_definition, toolbox::definitions,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    args::{Budget, Common, Names},
    setup,
};

/// Largest request, in bytes.
const MAX_REQUEST_BYTES: u64 = 4 << 20;

/// Runs the call and prints its outcome on standard output.
pub(crate) fn run(common: &Common, tool: &str, request: &str, names: Names, budget: Budget) -> ExitCode {
    let profile = names.profile_or(Profile::All);
    let request = parsed(request);
    if profile.has_document_tools() {
        if tool == search_files_definition().name {
            return print_files(request.and_then(|request| files(common, &request, budget)));
        }
        if NAMES.contains(&tool) {
            let call = |request| setup::service(common, &[])?.call(tool, &request);
            return print(&request.and_then(call));
        }
    }
    match request.and_then(|request| Ok((request, setup::service(common, &[])?))) {
        Ok((request, service)) => {
            let toolbox = Toolbox::new(Arc::new(service), profile);
            print_answer(&toolbox.call(&toolbox.session(), tool, &request, &Call::new()))
        }
        Err(error) => print_flat(&error),
    }
}

/// Prints the definitions.
pub(crate) fn tools(names: Names) -> ExitCode {
    let text = serde_json::to_string_pretty(&definitions(names.profile_or(Profile::All)));
    let written = text.map_err(std::io::Error::other).and_then(|text| writeln!(std::io::stdout(), "{text}"));
    if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// Prints an error from before the registry, as the registry would tell it (docs/agent-tools.md, section 3).
fn print_flat(error: &ToolError) -> ExitCode {
    let (word, code) = match error.class {
        ErrorClass::BadArgs => ("invalid_argument", "ACODE-SRC-005"),
        _ => ("search_failed", "ACODE-SRC-007"),
    };
    // Nobody reads an answer that cannot be written.
    let _ =
        writeln!(std::io::stdout(), "{}", json!({ "error": word, "code": code, "message": error.message }));
    ExitCode::from(2)
}

/// Prints the data of an answer and gives its exit status.
pub(crate) fn print_answer(answer: &Answer) -> ExitCode {
    match writeln!(std::io::stdout(), "{}", answer.structured) {
        Ok(()) if answer.is_error => ExitCode::from(2),
        Ok(()) if answer.found => ExitCode::SUCCESS,
        Ok(()) if answer.complete => ExitCode::from(1),
        _ => ExitCode::from(2),
    }
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
        available_capacity_bytes: budget.available_capacity.unwrap_or(usual.available_capacity_bytes),
        ..usual
    };
    setup::reading(common, config, &[])?.search_files(&mut context, request)
}

/// Prints the answer as it is and gives its exit status.
fn print_files(outcome: Result<FilesAnswer, ToolError>) -> ExitCode {
    let answer = match outcome {
        Ok(answer) => answer,
        Err(error) => return print(&Err(error)),
    };
    match writeln!(std::io::stdout(), "{}", answer.text) {
        Ok(()) if answer.found => ExitCode::SUCCESS,
        Ok(()) if answer.complete => ExitCode::from(1),
        _ => ExitCode::from(2),
    }
}

fn read_stdin() -> Result<String, ToolError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(MAX_REQUEST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|err| ToolError::failed("request", format!("cannot read standard input: {err}")))?;
    if bytes.len() as u64 > MAX_REQUEST_BYTES {
        let why = format!("request is larger than {MAX_REQUEST_BYTES} bytes");
        return Err(ToolError::bad_args("request", why));
    }
    String::from_utf8(bytes)
        .map_err(|err| ToolError::bad_args("request", format!("request is not UTF-8: {}", err.utf8_error())))
}

/// The shape of an error on standard output.
#[derive(Serialize)]
struct Failure<'e> {
    error: &'e ToolError,
}

/// Prints the outcome as JSON and gives its exit status.
pub(crate) fn print(outcome: &Result<Response, ToolError>) -> ExitCode {
    let text = match outcome {
        Ok(response) => serde_json::to_string(response),
        Err(error) => serde_json::to_string(&Failure { error }),
    };
    // A response is strings, numbers and lists; it always serialises. A reader that went away wants no more.
    let written = text.map_err(std::io::Error::other).and_then(|text| writeln!(std::io::stdout(), "{text}"));
    match written {
        Ok(()) => status(outcome),
        Err(_) => ExitCode::from(2),
    }
}

/// 0 events found, 1 complete and none, 2 an error, or incomplete and none.
pub(crate) fn status(outcome: &Result<Response, ToolError>) -> ExitCode {
    match outcome {
        Ok(response) if response.count > 0 => ExitCode::SUCCESS,
        Ok(response) if response.complete() => ExitCode::from(1),
        _ => ExitCode::from(2),
    }
}
