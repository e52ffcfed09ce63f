//! `forge-search search PATTERN [PATH]`: the same call for people, coloured on a terminal only.

use std::{
    fmt::Write as _,
    io::{IsTerminal, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use forge_search_engine::{
    Event, Response, Service, ToolError, escape_line, escape_name,
    requests::{
        Builder, CaseMode,
        search::{Request, RequestBuilder as Draft},
    },
};

use crate::{
    args::{Colour, Common, Search},
    call::{self, Printed},
    setup,
};

const PATH: &str = "\x1b[35m";
const LINE: &str = "\x1b[32m";
const MATCH: &str = "\x1b[1;31m";
const NOTE: &str = "\x1b[33m";
const PLAIN: &str = "\x1b[0m";

/// Runs the search and prints it.
pub(crate) fn run(common: &Common, search: &Search) -> ExitCode {
    let outcome = answer(common, search);
    if search.json {
        return call::print(outcome.map(Printed::from));
    }
    let colour = match search.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    match outcome {
        Ok(response) => {
            let text = if colour { coloured(&response) } else { response.content.clone() };
            if std::io::stdout().write_all(text.as_bytes()).is_err() {
                return ExitCode::from(2);
            }
            for error in &response.errors {
                eprintln!("forge-search: {}: {}", escape_name(&error.path), error.error);
            }
            call::status(response.count > 0, response.complete())
        }
        Err(error) => {
            eprintln!("forge-search: {}", escape_line(&error.message));
            ExitCode::from(2)
        }
    }
}

fn answer(common: &Common, search: &Search) -> Result<Response, ToolError> {
    let (pattern, path) = sought(search)?;
    let roots: Vec<_> = path.iter().cloned().collect();
    let service = setup::service(common, &roots)?;
    // Each is an expression by itself: `a)|(b` becomes one only between others.
    for alone in search.patterns.iter().filter(|_| search.patterns.len() > 1) {
        request(&service, search, alone, path.as_deref())?;
    }
    service.search(&request(&service, search, &pattern, path.as_deref())?)
}

/// The pattern and the path. Several patterns are alternatives of one expression.
fn sought(search: &Search) -> Result<(String, Option<PathBuf>), ToolError> {
    let one_path = || {
        ToolError::bad_args("path", "there may be one path; use -g for a part of what is below it")
    };
    match (&search.patterns[..], &search.pattern) {
        ([], pattern) => Ok((pattern.clone().unwrap_or_default(), search.path.clone())),
        (_, Some(_)) if search.path.is_some() => Err(one_path()),
        ([pattern], path) => Ok((pattern.clone(), path.as_ref().map(PathBuf::from))),
        (_, _) if search.fixed_strings => {
            let why =
                "several patterns are expressions; leave out -F and escape what is special in them";
            Err(ToolError::bad_args("fixed_strings", why))
        }
        (patterns, path) => {
            let either: Vec<String> =
                patterns.iter().map(|pattern| format!("(?:{pattern})")).collect();
            Ok((either.join("|"), path.as_ref().map(PathBuf::from)))
        }
    }
}

/// Sets one number of a request.
type SetNumber = fn(Draft, u64) -> Draft;

/// The request that the flags spell.
fn request(
    service: &Service,
    search: &Search,
    pattern: &str,
    path: Option<&Path>,
) -> Result<Request, ToolError> {
    let mut request = service.search_request(pattern);
    if let Some(path) = path {
        // Absolute, because the working directory of the sandbox need not be the current one.
        let path = std::path::absolute(path).map_err(|err| {
            ToolError::failed("path", format!("cannot make the path absolute: {err}"))
        })?;
        let path =
            path.to_str().ok_or_else(|| ToolError::bad_args("path", "path is not valid UTF-8"))?;
        request = request.path(path);
    }
    request = match (search.ignore_case, search.case_sensitive) {
        (true, _) => request.case(CaseMode::Insensitive),
        (false, true) => request.case(CaseMode::Sensitive),
        (false, false) => request,
    };
    request = request
        .fixed_strings(search.fixed_strings || search.fuzzy.is_some())
        .word_regexp(search.word_regexp)
        .include_glob(&search.include)
        .exclude_glob(&search.exclude)
        .recursive(!search.no_recursive)
        .hidden(search.hidden)
        .follow(search.follow)
        .no_ignore(search.no_ignore);
    let numbers: [(Option<u64>, SetNumber); 7] = [
        (search.context, Draft::context),
        (search.max_results, Draft::max_results),
        (search.max_matches_per_file, Draft::max_matches_per_file),
        (search.max_files, Draft::max_files),
        (search.max_file_size, Draft::max_file_size_bytes),
        (search.timeout_ms, Draft::timeout_ms),
        (search.fuzzy, Draft::fuzzy),
    ];
    let given = numbers.into_iter().filter_map(|(number, set)| Some((number?, set)));
    given.fold(request, |request, (number, set)| set(request, number)).build()
}

/// `content` with colours; its notes are the lines after the events.
fn coloured(response: &Response) -> String {
    let mut out = String::new();
    for event in &response.matches {
        push_event(&mut out, event);
    }
    let notes = response.content.lines().skip(response.matches.len());
    for note in notes {
        let _ = writeln!(out, "{NOTE}{note}{PLAIN}");
    }
    out
}

fn push_event(out: &mut String, event: &Event) {
    let data = &event.data;
    let (text, path) = (&data.lines.text, escape_name(&data.path.text));
    let _ = write!(out, "{PATH}{path}{PLAIN}");
    let found = data.column.zip(data.match_text.as_ref()).and_then(|(column, matched)| {
        let start = usize::try_from(column).ok()?.checked_sub(1)?;
        // A match next to bytes that are not UTF-8 need not stand at its own text's place.
        let (before, rest) = (text.get(..start)?, text.get(start..)?);
        Some((column, before, matched, rest.strip_prefix(matched.as_str())?))
    });
    let _ = match (data.column, found) {
        (_, Some((column, before, matched, after))) => writeln!(
            out,
            ":{LINE}{}{PLAIN}:{column}:{}{MATCH}{}{PLAIN}{}",
            data.line_number,
            escape_line(before),
            escape_line(matched),
            escape_line(after)
        ),
        (Some(column), None) => {
            writeln!(out, ":{LINE}{}{PLAIN}:{column}:{}", data.line_number, escape_line(text))
        }
        (None, _) => writeln!(out, "-{LINE}{}{PLAIN}-{}", data.line_number, escape_line(text)),
    };
}
