//! `forge-search doctor`: what a search would meet here, point by point, and what to do about it.

use std::{fmt::Write as _, io::Write as _, path::Path, process::ExitCode, sync::Arc};

use forge_search_engine::{
    BackendChoice, Call, Config, IndexMode, IndexUse, Service, ToolError, escape_line, escape_name,
    git_excludes_file,
    listing::{Listing, ListingItem, ListingSummary},
    requests::{Builder as _, search::RequestBuilder},
};

use crate::{
    args::Common,
    clients,
    consent::{Consent, what_is_sent},
    errors::ended,
    index,
    progress::Progress,
    setup,
};

/// How long a trial search may take, in milliseconds.
const TRIAL_MS: u64 = 10_000;

/// How a point stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Good,
    /// Works, but could be better.
    Note,
    Bad,
}

/// What was looked at.
#[derive(Default)]
struct Report {
    text: String,
    bad: bool,
}

impl Report {
    fn add(&mut self, mark: Mark, what: &str, how: &str) {
        let word = match mark {
            Mark::Good => "ok  ",
            Mark::Note => "note",
            Mark::Bad => "BAD ",
        };
        self.bad |= mark == Mark::Bad;
        for (number, line) in how.lines().enumerate() {
            let (word, what) = if number == 0 { (word, what) } else { ("    ", "") };
            // Writing to a string does not fail.
            let _ = writeln!(self.text, "{word}  {what:<14} {}", escape_line(line));
        }
    }
}

/// Looks, and prints what there is: 0 if a search works, else 2.
pub(crate) fn run(common: &Common, consent: Consent) -> ExitCode {
    let progress = Progress::of("looking");
    let mut report = Report::default();
    let version = env!("CARGO_PKG_VERSION");
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let program = std::env::current_exe().map(|path| shown(&path)).unwrap_or_default();
    report.add(Mark::Good, "program", &format!("{version} for {system} {machine}, {program}"));
    look(common, consent, &mut report);
    drop(progress);
    if report.bad {
        report.text += "\nMend what is BAD; until then searches fail.\n";
    }
    let status = if report.bad { ExitCode::from(2) } else { ExitCode::SUCCESS };
    ended(std::io::stdout().write_all(report.text.as_bytes()), status)
}

fn look(common: &Common, consent: Consent, report: &mut Report) {
    let file = setup::config_file(common);
    let config = match consent.config(common) {
        Ok(config) => config,
        Err(error) => {
            report.add(Mark::Bad, "configuration", &error.message);
            return;
        }
    };
    match &file {
        Some(file) if file.exists() => report.add(Mark::Good, "configuration", &shown(file)),
        Some(file) => {
            let how = format!("the preset's values; {} would change them", shown(file));
            report.add(Mark::Good, "configuration", &how);
        }
        None => report.add(Mark::Note, "configuration", "no home directory; use --config FILE"),
    }
    let using =
        if config.index.index_mode == IndexMode::Off { IndexUse::None } else { IndexUse::Existing };
    let service = match setup::build(common, config.clone(), &[], using) {
        Ok(service) => service,
        Err(error) => {
            report.add(Mark::Bad, "roots", &error.message);
            return;
        }
    };
    trial(common, &service, &config, report);
    rules(&service, &config, report);
    indexes(&service, report);
    watches(report);
    report.add(Mark::Good, "models", &what_is_sent(&config));
    let known = clients::known_by(common);
    let listed: Vec<String> = known.iter().map(|(name, file)| format!("{name}: {file}")).collect();
    match listed.as_slice() {
        [] => {
            let how = "none has this server; `forge-search mcp --install CLIENT` shows what to add";
            report.add(Mark::Note, "clients", how);
        }
        listed => report.add(Mark::Good, "clients", &listed.join("\n")),
    }
}

/// The backend, and a trial search of each root.
fn trial(common: &Common, service: &Service, config: &Config, report: &mut Report) {
    let backend = match config.backend {
        BackendChoice::Native => "embedded".to_owned(),
        BackendChoice::Rg => "`rg` on PATH".to_owned(),
        BackendChoice::Ugrep => "`ugrep` on PATH".to_owned(),
        BackendChoice::Auto => format!(
            "`{}`, else `{}`{}",
            config.binary,
            config.fallback_binary,
            if config.allow_native { ", else embedded" } else { "" }
        ),
    };
    // What a search starts at, and how the row names it.
    let only = || {
        let given = common.roots.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", ");
        let here = || std::env::current_dir().map(|path| shown(&path)).unwrap_or_default();
        vec![(None, if given.is_empty() { here() } else { given })]
    };
    let places: Vec<(Option<String>, String)> = match service.named_roots() {
        [] => only(),
        roots => roots
            .iter()
            .map(|root| {
                (Some(root.name.clone()), format!("`{}`, {}", root.name, shown(&root.path)))
            })
            .collect(),
    };
    for (number, (place, name)) in places.iter().enumerate() {
        match look_at(service, place.as_deref()) {
            Err(error) => {
                report.add(Mark::Bad, "search", &format!("backend {backend}: {}", error.message));
                return;
            }
            Ok((left, unreadable)) => {
                if number == 0 {
                    report.add(Mark::Good, "backend", &backend);
                }
                let (mark, how) = counted(&left, unreadable, config);
                let what = if place.is_some() { "root" } else { "roots" };
                report.add(mark, what, &format!("{name}: {how}"));
            }
        }
    }
}

/// A search for something that is nowhere: its summary, and how many places could not be read.
fn look_at(service: &Service, place: Option<&str>) -> Result<(ListingSummary, u64), ToolError> {
    let call = Arc::new(Call::new());
    let mut unreadable = 0_u64;
    let mut each = |listed| {
        unreadable += u64::from(matches!(listed, ListingItem::Problem(_)));
        true
    };
    let request = service.search_request("forge-search.doctor.nowhere").fixed_strings(true);
    let request = place.into_iter().fold(request, RequestBuilder::path);
    let mut request = request.build()?;
    request.timeout_ms = TRIAL_MS;
    let left = service.list(&request, &Listing::default(), &call, &mut each)?;
    Ok((left, unreadable))
}

/// What a trial search found of files.
fn counted(left: &ListingSummary, unreadable: u64, config: &Config) -> (Mark, String) {
    let mut how = format!("{} files can be searched", left.files);
    let mut mark = Mark::Good;
    if left.timed_out {
        how += ", and more than 10 s allow; an index makes that fast";
        mark = Mark::Note;
    }
    if unreadable + left.oversized > 0 {
        let (large, most) = (left.oversized, config.max_file_size_bytes);
        // Writing to a string does not fail.
        let _ = write!(
            how,
            "\n{unreadable} places cannot be read, {large} files are larger than {most} \
             bytes (max_file_size_bytes in [tools.search])"
        );
        mark = Mark::Note;
    }
    (mark, how)
}

/// Whose rules say what is ignored.
fn rules(service: &Service, config: &Config, report: &mut Report) {
    for repository in service.repositories() {
        let root = shown(&repository.root);
        let how = match &repository.top {
            Some(top) if *top == repository.root => format!("{root}: its own repository's"),
            Some(top) => format!("{root}: those of the repository at {} count", shown(top)),
            None => format!("{root}: in no repository; only rules below the root count"),
        };
        match repository.refused {
            Some(why) => report.add(Mark::Note, "ignore rules", &format!("{how}\n{why}")),
            None => report.add(Mark::Good, "ignore rules", &how),
        }
    }
    if let Some(file) =
        git_excludes_file().filter(|file| !config.global_ignore_files.contains(file))
    {
        let how = format!(
            "git's core.excludesFile is not read here; to use it, set global_ignore_files = \
             [\"{}\"] in [tools.search]",
            shown(&file)
        );
        report.add(Mark::Note, "ignore rules", &how);
    }
}

fn indexes(service: &Service, report: &mut Report) {
    let statuses = service.index_status();
    if statuses.is_empty() {
        let how = "off (index_mode), or no root is one of index_roots; every search reads files";
        report.add(Mark::Note, "index", how);
    }
    for status in &statuses {
        let mut how = index::line(status);
        let mut mark = Mark::Good;
        if let Some(advice) = index::advice(status) {
            how = format!("{how}\n{advice}");
            // The state of an index without a watcher.
            mark = if status.state == "UNCERTAIN" { Mark::Good } else { Mark::Note };
        }
        report.add(mark, "index", &how);
    }
    match service.cache_directory(false) {
        Some(directory) => report.add(Mark::Good, "cache", &shown(&directory)),
        None => report.add(
            Mark::Note,
            "cache",
            "no directory outside the roots that is yours alone; set index_path in [tools.search]",
        ),
    }
}

/// How many directories the system lets one user watch.
fn watches(report: &mut Report) {
    const ENOUGH: u64 = 65_536;
    const FILE: &str = "/proc/sys/fs/inotify/max_user_watches";
    let Ok(text) = std::fs::read_to_string(FILE) else {
        let how = "there is no inotify here: each search compares all files with the index";
        report.add(Mark::Note, "watching", how);
        return;
    };
    match text.trim().parse::<u64>() {
        Ok(most) if most >= ENOUGH => {
            report.add(Mark::Good, "watching", &format!("{most} directories may be watched"));
        }
        _ => {
            let how = format!(
                "{} directories may be watched; a large tree wants more: \
                 `sysctl fs.inotify.max_user_watches=524288`",
                text.trim()
            );
            report.add(Mark::Note, "watching", &how);
        }
    }
}

fn shown(path: &Path) -> String {
    escape_name(&path.to_string_lossy())
}
