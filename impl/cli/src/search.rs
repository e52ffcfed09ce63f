//! `forge-search search PATTERN [PATH...]`: the search with ripgrep's flags, printed as ripgrep
//! prints (docs/cli.md).
//!
//! Responsible for: several paths in one search, the request, problems, and the exit status. Not
//! here: flags, patterns, paths, files, and how lines look.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use forge_search_engine::{
    Call, Service, escape_name,
    listing::{Depth, Disregarded, Listing, ListingSummary},
    requests::{
        Builder as _, CaseMode,
        search::{Request, RequestBuilder},
    },
};

use self::{
    files::Filter,
    flags::Search,
    output::JsonForm,
    pass::Pass,
    pattern::Sought,
    places::{Kind, Place, Places},
    printer::{Printer, Wanted},
    replace::Replacement,
    style::{Show, Style},
};
use crate::{args::Common, call, errors::Failure, progress::Progress, setup};

mod colours;
mod events;
mod files;
pub(crate) mod flags;
mod line;
mod output;
mod pass;
mod pattern;
mod places;
mod printer;
mod replace;
mod respond;
pub(crate) mod ripgrep;
mod stats;
mod style;

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
    if search.files.unrestricted > 2 {
        return Err(Failure::new("-u may be given twice; -uu -a searches binary files as well"));
    }
    if search.output.files {
        let paths: Vec<_> = search.pattern.iter().map(PathBuf::from).collect();
        return list(common, search, None, &[paths, search.paths.clone()].concat());
    }
    let (patterns, paths) = pattern::words(search)?;
    if patterns.is_empty() && !search.matching.invert_match {
        return Ok(ExitCode::from(1));
    }
    let sought = pattern::sought(&patterns, &search.matching)?;
    if search.output.json == Some(JsonForm::Response) {
        return respond::respond(common, search, &patterns, &sought, &paths);
    }
    list(common, search, Some(&sought), &paths)
}

/// Prints what is found below all paths, in their order; without a pattern, the files.
fn list(
    common: &Common,
    search: &Search,
    sought: Option<&Sought>,
    paths: &[PathBuf],
) -> Result<ExitCode, Failure> {
    let filter = Filter::new(&std::env::current_dir()?, &search.files)?;
    let (output, matching) = (&search.output, &search.matching);
    // Several roots are searched as if they were the paths.
    let paths = if paths.is_empty() { setup::several_roots(common) } else { paths.to_vec() };
    // What -f has read is over.
    let streams = sought.is_some() && !search.reads_patterns_from_stdin();
    let places = Places::new(&paths, streams);
    for missing in places.missing.iter().filter(|_| !output.no_messages) {
        eprintln!("forge-search: {missing}");
    }
    if places.all.is_empty() {
        return Ok(ExitCode::from(2));
    }
    let service = Arc::new(setup::service(common, &places.roots())?);
    let mut requests = Vec::new();
    for place in &places.all {
        requests.push(request(&service, search, sought, place, &filter)?);
    }
    let replacement = match (sought, &output.replace) {
        (Some(sought), Some(text)) => Some(Replacement::new(sought, text)?),
        _ => None,
    };
    let style = Style::of(output, places.is_one_file(), places.is_stdin())?;
    let show =
        if sought.is_none() && !output.quiet { Show::Paths } else { Show::of(output, matching) };
    let call = Arc::new(Call::new());
    let on_disk = |(place, _): &(&Place, &Request)| place.is_on_disk();
    let wanted = places.all.iter().zip(&requests).filter(on_disk);
    let wanted: Vec<Request> = wanted.map(|(_, request)| request.clone()).collect();
    let counting = Arc::clone(&service);
    let count = move |call: &Call| wanted.iter().map(|one| counting.count_files(one, call)).sum();
    let progress = Progress::of_search(&call, count);
    let wanted = Wanted {
        style,
        show,
        replacement,
        room: output.max_results,
        zero: output.include_zero,
        stats: output.stats && sought.is_some(),
    };
    let printer = Printer::new(wanted, &progress);
    let mut pass = Pass {
        search,
        service: &service,
        call: &call,
        progress: &progress,
        filter: &filter,
        show,
        names: sought.is_none(),
        printer,
        incomplete: Incomplete::default(),
    };
    for (place, request) in places.all.iter().zip(&requests) {
        pass.place(place, request, places.implicit)?;
        if pass.printer.is_over() {
            break;
        }
    }
    let Pass { printer, incomplete, .. } = pass;
    let (found, written) = (printer.found(), printer.finish());
    drop(progress);
    incomplete.tell(search, &service);
    if !found && !output.no_messages {
        incomplete.tell_of_binary_files();
    }
    let missing = !(places.missing.is_empty() || output.quiet && found);
    match written {
        Err(err) => Err(err.into()),
        Ok(()) if missing => Ok(ExitCode::from(2)),
        Ok(()) => Ok(call::status(found, incomplete.is_empty())),
    }
}

/// Which lines of a file are wanted.
fn listing(search: &Search, show: Show) -> Listing {
    let (output, matching) = (&search.output, &search.matching);
    let lines = show.has_lines();
    let around = |side: Option<u32>| match side.or(output.context) {
        Some(lines_of) if lines => usize::try_from(lines_of).unwrap_or(usize::MAX),
        _ => 0,
    };
    let one_is_enough =
        matches!(show, Show::Paths | Show::PathsWithout | Show::Nothing | Show::NothingWithout)
            && !output.stats;
    Listing {
        before: around(output.before_context),
        after: around(output.after_context),
        invert: matching.invert_match,
        max_lines: if one_is_enough { Some(1) } else { matching.max_count },
        count_only: !lines,
        text: search.files.text,
        every_file: show.is_without() || output.stats || output.include_zero,
        all_files: search.files.search_zip,
        admits: None,
    }
}

/// The request that the flags spell. Only its pattern, place and scope count for a listing, with
/// deadline and caps of files.
fn request(
    service: &Service,
    search: &Search,
    sought: Option<&Sought>,
    place: &Place,
    filter: &Filter,
) -> Result<Request, Failure> {
    let any = Sought { pattern: ".".to_owned(), literal: true, word: false };
    let mut request =
        builder(service, search, sought.unwrap_or(&any), place.request_path()?).build()?;
    let files = &search.files;
    request.timeout_ms = files.timeout_ms.unwrap_or(NO_DEADLINE_MS);
    request.max_files = files.max_files.unwrap_or(request.max_files);
    request.max_file_size_bytes = files.max_filesize.unwrap_or(request.max_file_size_bytes);
    let scope = &mut request.scope;
    if let Some(depth) = files.max_depth {
        scope.depth = Depth::AtMost(depth);
    }
    scope.by_name = search.output.sort_files || search.output.sort.as_deref() == Some("path");
    scope.disregarded = Disregarded {
        dot: files.no_ignore_dot,
        vcs: files.no_ignore_vcs,
        exclude: files.no_ignore_exclude,
        global: files.no_ignore_global,
        parents: files.no_ignore_parent,
    };
    if place.kind == Kind::Directory {
        scope.overrides = filter.overrides(place.typed());
        scope.ignored = filter.ignored(place.typed());
    }
    Ok(request)
}

fn builder(
    service: &Service,
    search: &Search,
    sought: &Sought,
    path: Option<&str>,
) -> RequestBuilder {
    let (matching, files) = (&search.matching, &search.files);
    let mut request = service.search_request(&sought.pattern);
    if let Some(path) = path {
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
    request
}

/// What a search has left out.
#[derive(Default)]
struct Incomplete {
    left: ListingSummary,
    problems: u64,
    /// Files that -z asks to unpack.
    compressed: u64,
}

impl Incomplete {
    fn add(&mut self, left: ListingSummary) {
        let all = &mut self.left;
        all.files += left.files;
        all.oversized += left.oversized;
        all.binary += left.binary;
        all.first_binary = all.first_binary.take().or(left.first_binary);
        all.more_files |= left.more_files;
        all.timed_out |= left.timed_out;
        all.backend_failure = all.backend_failure.take().or(left.backend_failure);
    }

    fn is_empty(&self) -> bool {
        let ListingSummary { oversized, more_files, timed_out, ref backend_failure, .. } =
            self.left;
        self.problems + self.compressed + oversized == 0
            && !more_files
            && !timed_out
            && backend_failure.is_none()
    }

    /// Says on standard error that files were binary, of a search that found nothing.
    fn tell_of_binary_files(&self) {
        let Some(first) = &self.left.first_binary else { return };
        let first = escape_name(first);
        let told = match self.left.binary {
            1 => format!("`{first}` is binary (it has a NUL byte) and was not searched"),
            files => format!("{files} binary files were not searched, the first being `{first}`"),
        };
        // Nobody reads a note that cannot be written.
        let _ = writeln!(io::stderr(), "forge-search: {told}");
    }

    /// Says so on standard error, with the way out.
    fn tell(&self, search: &Search, service: &Service) {
        if search.output.no_messages {
            return;
        }
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
        if self.compressed > 0 {
            let files = self.compressed;
            notes.push(format!("{files} compressed files were not unpacked; use rg -z for them"));
        }
        for note in notes {
            // Nobody reads a note that cannot be written.
            let _ = writeln!(io::stderr(), "forge-search: incomplete: {note}");
        }
    }
}
