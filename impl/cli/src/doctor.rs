//! `forge-search doctor`: what a search would meet here, point by point, and what to do about it.

use std::{fmt::Write as _, io::Write as _, path::Path, process::ExitCode, sync::Arc};

use forge_search_engine::{
    BackendChoice, Call, Config, IndexMode, IndexUse, Service, escape_line, escape_name,
    listing::{Listing, ListingItem},
    requests::Builder as _,
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

/// A search for something that is nowhere: root, backend and what is left out.
fn trial(common: &Common, service: &Service, config: &Config, report: &mut Report) {
    let roots: Vec<String> = match common.roots.as_slice() {
        [] => std::env::current_dir().map(|path| shown(&path)).into_iter().collect(),
        roots => roots.iter().map(|path| shown(path)).collect(),
    };
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
    let call = Arc::new(Call::new());
    let nowhere = Listing::default();
    let mut unreadable = 0_u64;
    let mut each = |listed| {
        unreadable += u64::from(matches!(listed, ListingItem::Problem(_)));
        true
    };
    let request = service.search_request("forge-search.doctor.nowhere").fixed_strings(true).build();
    let outcome = request.and_then(|mut request| {
        request.timeout_ms = TRIAL_MS;
        service.list(&request, &nowhere, &call, &mut each)
    });
    match outcome {
        Err(error) => {
            report.add(Mark::Bad, "search", &format!("backend {backend}: {}", error.message));
        }
        Ok(left) => {
            report.add(Mark::Good, "backend", &backend);
            let mut how = format!("{}: {} files can be searched", roots.join(", "), left.files);
            let mut mark = Mark::Good;
            if left.timed_out {
                how += ", and more than 10 s allow; an index makes that fast";
                mark = Mark::Note;
            }
            if unreadable + left.oversized > 0 {
                let most = config.max_file_size_bytes;
                let large = left.oversized;
                let _ = write!(
                    how,
                    "\n{unreadable} places cannot be read, {large} files are larger than {most} \
                     bytes (max_file_size_bytes in [tools.search])"
                );
                mark = Mark::Note;
            }
            report.add(mark, "roots", &how);
        }
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
