//! `--json=response`: one response of the tool `Search`, within that tool's caps and deadline.

use std::{path::PathBuf, process::ExitCode};

use forge_search_engine::{
    Response,
    requests::{Builder as _, search::RequestBuilder},
};

use super::{
    builder,
    flags::Search,
    pattern::Sought,
    places::{Place, Places},
};
use crate::{
    args::Common,
    call::{self, Printed},
    errors::Failure,
    setup,
};

/// Sets one number of a request.
type SetNumber = fn(RequestBuilder, u64) -> RequestBuilder;

/// Prints the response.
pub(super) fn respond(
    common: &Common,
    search: &Search,
    patterns: &[String],
    sought: &Sought,
    paths: &[PathBuf],
) -> Result<ExitCode, Failure> {
    let (output, matching, files) = (&search.output, &search.matching, &search.files);
    let ignores = files.no_ignore_dot
        || files.no_ignore_exclude
        || files.no_ignore_global
        || files.no_ignore_parent
        || files.no_ignore_vcs
        || !files.ignore_file.is_empty();
    let refused = [
        (paths.len() > 1, "several paths"),
        (paths.iter().any(|path| path.as_os_str() == "-"), "standard input"),
        (ignores, "--ignore-file and --no-ignore-*"),
        (files.max_depth.is_some(), "--max-depth"),
        (files.text, "-a"),
        (output.replace.is_some(), "-r"),
        (matching.invert_match, "-v"),
        (!files.types.is_empty() || !files.type_not.is_empty(), "-t and -T"),
        (!files.iglob.is_empty(), "--iglob"),
        (output.before_context.is_some() || output.after_context.is_some(), "-A and -B"),
    ];
    if let Some((_, what)) = refused.iter().find(|(given, _)| *given) {
        return Err(Failure::new(format!(
            "--json=response prints one response of the tool Search, which has no place for {what}; \
             --json takes them"
        )));
    }
    let places = Places::new(paths, false);
    if let Some(missing) = places.missing.first() {
        return Err(Failure::new(missing.clone()));
    }
    let service = setup::service(common, &places.roots())?;
    let path = places.all.first().map(Place::request_path).transpose()?.flatten();
    let mut request = builder(&service, search, sought, path);
    let (not, only): (Vec<_>, Vec<_>) = files.glob.iter().partition(|glob| glob.starts_with('!'));
    let not = not.into_iter().map(|glob| glob.trim_start_matches('!').to_owned());
    request = request
        .include_glob(only)
        .exclude_glob(not.chain(files.exclude.clone()))
        .context(output.context.unwrap_or(0));
    let numbers: [(Option<u64>, SetNumber); 5] = [
        (output.max_results, RequestBuilder::max_results),
        (matching.max_count, RequestBuilder::max_matches_per_file),
        (files.max_files, RequestBuilder::max_files),
        (files.max_filesize, RequestBuilder::max_file_size_bytes),
        (files.timeout_ms, RequestBuilder::timeout_ms),
    ];
    for (number, set) in numbers {
        request = match number {
            Some(number) => set(request, number),
            None => request,
        };
    }
    let mut response: Response = service.search(&request.build()?)?;
    if let [pattern] = patterns {
        response.pattern.clone_from(pattern);
    }
    Ok(call::print(Ok(Printed::from(response))))
}
