//! `forge-search search PATTERN [PATH...]`: the search with ripgrep's flags, printed as ripgrep
//! prints (docs/cli.md).
//!
//! Responsible for: several paths in one search, the request, problems, and the exit status. Not
//! here: flags, patterns, files, and how lines look.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use forge_search_engine::{
    Call, Response, Service, escape_name,
    listing::{Listing, ListingItem, ListingSummary},
    requests::{
        Builder as _, CaseMode,
        search::{Request, RequestBuilder},
    },
};

use self::{
    files::Filter,
    flags::{JsonForm, Search},
    pattern::Sought,
    printer::{Printer, Show, Style},
};
use crate::{
    args::Common,
    call::{self, Printed},
    errors::Failure,
    progress::Progress,
    setup,
};

pub(crate) mod elsewhere;
mod events;
mod files;
pub(crate) mod flags;
mod pattern;
mod printer;

/// A search without a deadline of its own ends after this long, a year, in milliseconds.
const NO_DEADLINE_MS: u64 = 365 * 24 * 60 * 60 * 1000;

/// Runs the search and prints it.
pub(crate) fn run(common: &Common, search: &Search) -> ExitCode {
    answer(common, search).unwrap_or_else(|failure| failure.tell())
}

fn answer(common: &Common, search: &Search) -> Result<ExitCode, Failure> {
    if search.files.type_list {
        files::list_types(&search.files, &mut io::stdout().lock())?;
        return Ok(ExitCode::SUCCESS);
    }
    let (patterns, paths) = words(search)?;
    let sought = pattern::sought(&patterns, &search.matching)?;
    if search.output.json == Some(JsonForm::Response) {
        return respond(common, search, &patterns, &sought, &paths);
    }
    list(common, search, &sought, &paths)
}

/// The patterns and the paths: with -e all other words are paths.
fn words(search: &Search) -> Result<(Vec<String>, Vec<PathBuf>), Failure> {
    let first = search.pattern.clone();
    if search.patterns.is_empty() {
        let pattern = first.unwrap_or_default().into_string().map_err(|pattern| {
            let pattern = escape_name(&pattern.to_string_lossy());
            Failure::new(format!(
                "the pattern `{pattern}` is not UTF-8; write bytes as `(?-u:\\xNN)`"
            ))
        })?;
        return Ok((vec![pattern], search.paths.clone()));
    }
    let paths = first.map(PathBuf::from).into_iter().chain(search.paths.clone()).collect();
    Ok((search.patterns.clone(), paths))
}

/// Prints what is found below all paths, in their order.
fn list(
    common: &Common,
    search: &Search,
    sought: &Sought,
    paths: &[PathBuf],
) -> Result<ExitCode, Failure> {
    let filter = Filter::new(&std::env::current_dir()?, &search.files)?;
    // Several roots are searched as if they were the paths.
    let paths = if paths.is_empty() { setup::several_roots(common) } else { paths.to_vec() };
    let (there, missing): (Vec<_>, Vec<_>) =
        paths.iter().partition(|path| path.symlink_metadata().is_ok());
    for path in &missing {
        eprintln!("forge-search: {}", absent(path));
    }
    if there.is_empty() && !missing.is_empty() {
        return Ok(ExitCode::from(2));
    }
    let roots: Vec<PathBuf> = there.iter().map(|path| (*path).clone()).collect();
    let service = Arc::new(setup::service(common, &roots)?);
    let places: Vec<Option<&Path>> = match there.as_slice() {
        [] => vec![None],
        paths => paths.iter().map(|path| Some(path.as_path())).collect(),
    };
    let mut requests = Vec::new();
    for place in &places {
        let mut request = request(&service, search, sought, *place)?;
        request.scope.overrides = filter.overrides(*place);
        requests.push(request);
    }
    let style = Style::of(&search.output, there.as_slice());
    let show = Show::of(&search.output, &search.matching);
    let call = Arc::new(Call::new());
    let (counting, wanted) = (Arc::clone(&service), requests.clone());
    let count = move |call: &Call| wanted.iter().map(|one| counting.count_files(one, call)).sum();
    let progress = Progress::of_search(&call, count);
    let mut printer = Printer::new(style, show, search.output.max_results, &progress);
    let mut incomplete = Incomplete::default();
    let mut problems = 0;
    for (place, request) in places.into_iter().zip(&requests) {
        let is_file = place.is_some_and(Path::is_file);
        let listing = Listing {
            admits: if is_file { None } else { filter.below(place) },
            ..listing(search, show)
        };
        printer.below(place, is_file);
        let mut each = |listed| match listed {
            ListingItem::File(file) => printer.file(&file),
            ListingItem::Problem(problem) => {
                problems += 1;
                progress.aside(|| {
                    eprintln!("forge-search: {}: {}", escape_name(&problem.path), problem.error);
                });
                true
            }
        };
        incomplete.add(service.list(request, &listing, &call, &mut each)?);
        if printer.is_over() {
            break;
        }
    }
    incomplete.problems = problems;
    let (found, written) = (printer.found(), printer.finish());
    drop(progress);
    incomplete.tell(search, &service);
    match written {
        Err(err) => Err(err.into()),
        Ok(()) if !missing.is_empty() => Ok(ExitCode::from(2)),
        Ok(()) => Ok(call::status(found, incomplete.is_empty())),
    }
}

fn absent(path: &Path) -> String {
    let shown = escape_name(&path.to_string_lossy());
    if path.as_os_str() == "-" {
        return "`-`: standard input is not searched; write it to a file, or ask rg".to_owned();
    }
    match path.symlink_metadata() {
        Err(err) => format!("{shown}: {err}"),
        Ok(_) => format!("{shown}: not found"),
    }
}

/// Which lines of a file are wanted.
fn listing(search: &Search, show: Show) -> Listing {
    let (output, matching) = (&search.output, &search.matching);
    let lines = matches!(show, Show::Lines | Show::Matches | Show::Events);
    let around = |side: Option<u32>| match side.or(output.context) {
        Some(lines_of) if lines => usize::try_from(lines_of).unwrap_or(usize::MAX),
        _ => 0,
    };
    let one_is_enough = matches!(show, Show::Paths | Show::PathsWithout | Show::Nothing);
    Listing {
        before: around(output.before_context),
        after: around(output.after_context),
        invert: matching.invert_match,
        max_lines: if one_is_enough { Some(1) } else { matching.max_count },
        count_only: !lines,
        every_file: show == Show::PathsWithout,
        admits: None,
    }
}

/// The request that the flags spell. Only its pattern, place and scope count for a listing, with
/// deadline and caps of files.
fn request(
    service: &Service,
    search: &Search,
    sought: &Sought,
    path: Option<&Path>,
) -> Result<Request, Failure> {
    let mut request = builder(service, search, sought, path)?.build()?;
    let files = &search.files;
    request.timeout_ms = files.timeout_ms.unwrap_or(NO_DEADLINE_MS);
    request.max_files = files.max_files.unwrap_or(request.max_files);
    request.max_file_size_bytes = files.max_filesize.unwrap_or(request.max_file_size_bytes);
    Ok(request)
}

fn builder(
    service: &Service,
    search: &Search,
    sought: &Sought,
    path: Option<&Path>,
) -> Result<RequestBuilder, Failure> {
    let (matching, files) = (&search.matching, &search.files);
    let mut request = service.search_request(&sought.pattern);
    if let Some(path) = path {
        // Absolute, because the working directory of the sandbox need not be the current one.
        let path = dunce::canonicalize(path)?;
        let shown = || escape_name(&path.to_string_lossy());
        let path = path.to_str().ok_or_else(|| {
            Failure::new(format!(
                "the path `{}` is not UTF-8; search a directory above it",
                shown()
            ))
        })?;
        request = request.path(path);
    }
    request = request
        .case(CaseMode::Sensitive)
        .fixed_strings(sought.literal)
        .word_regexp(sought.word)
        .recursive(!files.no_recursive)
        .hidden(files.hidden || files.unrestricted > 1)
        .follow(files.follow)
        .no_ignore(files.no_ignore || files.unrestricted > 0);
    if let Some(edits) = matching.fuzzy {
        let folds = matching.ignore_case;
        let smart = if matching.smart_case { CaseMode::Smart } else { CaseMode::Sensitive };
        request = request.fixed_strings(true).fuzzy(edits);
        request = request.case(if folds { CaseMode::Insensitive } else { smart });
    }
    Ok(request)
}

/// Sets one number of a request.
type SetNumber = fn(RequestBuilder, u64) -> RequestBuilder;

/// `--json`: the response of `call Search`, within that tool's caps.
fn respond(
    common: &Common,
    search: &Search,
    patterns: &[String],
    sought: &Sought,
    paths: &[PathBuf],
) -> Result<ExitCode, Failure> {
    let (output, matching, files) = (&search.output, &search.matching, &search.files);
    let refused = [
        (paths.len() > 1, "several paths"),
        (matching.invert_match, "-v"),
        (!files.types.is_empty() || !files.type_not.is_empty(), "-t and -T"),
        (!files.iglob.is_empty(), "--iglob"),
        (output.before_context.is_some() || output.after_context.is_some(), "-A and -B"),
        (output.files_with_matches || output.files_without_match, "-l and --files-without-match"),
        (output.count || output.count_matches, "-c and --count-matches"),
    ];
    if let Some((_, what)) = refused.iter().find(|(given, _)| *given) {
        return Err(Failure::new(format!(
            "--json prints one response of the tool Search, which has no place for {what}; \
             --json=rg takes them"
        )));
    }
    let service = setup::service(common, paths)?;
    let mut request = builder(&service, search, sought, paths.first().map(PathBuf::as_path))?;
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

/// What a search has left out.
#[derive(Default)]
struct Incomplete {
    left: ListingSummary,
    problems: u64,
}

impl Incomplete {
    fn add(&mut self, left: ListingSummary) {
        let all = &mut self.left;
        all.files += left.files;
        all.oversized += left.oversized;
        all.more_files |= left.more_files;
        all.timed_out |= left.timed_out;
        all.backend_failure = all.backend_failure.take().or(left.backend_failure);
    }

    fn is_empty(&self) -> bool {
        let ListingSummary { oversized, more_files, timed_out, ref backend_failure, .. } =
            self.left;
        self.problems + oversized == 0 && !more_files && !timed_out && backend_failure.is_none()
    }

    /// Says so on standard error, with the way out.
    fn tell(&self, search: &Search, service: &Service) {
        let config = service.config();
        let mut notes = Vec::new();
        if self.left.oversized > 0 {
            let most = search.files.max_filesize.unwrap_or(config.max_file_size_bytes);
            let files = self.left.oversized;
            notes.push(format!(
                "{files} files are larger than {most} bytes and were not searched; \
                 --max-filesize 1G searches them"
            ));
        }
        if self.left.more_files {
            let most = search.files.max_files.unwrap_or(config.max_files);
            notes.push(format!(
                "there are more than {most} files; --max-files N looks at more, a PATH at fewer"
            ));
        }
        if self.left.timed_out {
            let files = self.left.files;
            notes.push(match search.files.timeout_ms {
                Some(_) => format!("the time was up after {files} files; --timeout-ms gives more"),
                None => format!("interrupted after {files} files"),
            });
        }
        if let Some(said) = &self.left.backend_failure {
            notes.push(format!(
                "the backend failed: {}; `forge-search doctor` looks into it",
                escape_name(said.trim())
            ));
        }
        for note in notes {
            // Nobody reads a note that cannot be written.
            let _ = writeln!(io::stderr(), "forge-search: incomplete: {note}");
        }
    }
}
