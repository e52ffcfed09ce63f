//! `forge-search index …`: how indexes stand, and the work on them that a search never does
//! (docs/index-service.md).
//!
//! Responsible for: which use of the index each command asks of the service, and its exit status.
//! Left to `table`: how it looks.

use std::{
    fs,
    io::Write,
    path::Path,
    process::ExitCode,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use forge_search_engine::{
    Config, IndexMode, IndexStatus, IndexUse, Service, ToolError, Variant, escape_line,
};

use crate::{
    args::{Common, Index, VariantName},
    errors::Failure,
    progress::Progress,
    setup,
};

mod table;

pub(crate) use table::{advice, line};

/// How long nothing is looked at between two looks at the state.
const GLANCE: Duration = Duration::from_millis(100);

/// Runs the command and prints what came of it.
pub(crate) fn run(common: &Common, command: &Index) -> ExitCode {
    let outcome = match command {
        Index::Status { json } => status(common, *json),
        Index::Build => build(common),
        Index::Watch => watch(common),
        Index::Verify => verify(common),
        Index::Export { path, variant, output } => export(common, path, *variant, output),
        Index::Clear => clear(common),
    };
    outcome.unwrap_or_else(|failure| failure.tell())
}

/// A service that uses indexes this way. Who names a command of the index wants one, whatever
/// `index_mode` says.
fn service(
    common: &Common,
    using: IndexUse,
    change: impl FnOnce(&mut Config),
) -> Result<Service, ToolError> {
    let mut config = setup::config(common)?;
    config.index.index_mode = IndexMode::On;
    change(&mut config);
    setup::serve(common, config, &[], using)
}

/// The only command that asks for the mode, because it is what people ask about.
fn status(common: &Common, json: bool) -> Result<ExitCode, Failure> {
    let service = setup::service(common, &[])?;
    let statuses = service.index_status();
    let mut out = std::io::stdout();
    if json {
        let text = serde_json::to_string(&statuses).map_err(std::io::Error::other)?;
        writeln!(out, "{text}")?;
    } else if statuses.is_empty() {
        writeln!(
            out,
            "no index: in [tools.search] index_mode is off, or no root is one of index_roots; \
             `forge-search index build` builds one all the same"
        )?;
    } else {
        write!(out, "{}", table::of(&statuses))?;
        for advice in statuses.iter().filter_map(advice) {
            writeln!(out, "{advice}")?;
        }
        statuses.iter().for_each(table::show_progress);
    }
    Ok(ExitCode::SUCCESS)
}

/// Nobody waits for anything else here, so the build need not spare the machine.
fn build(common: &Common) -> Result<ExitCode, Failure> {
    let service = service(common, IndexUse::Background, |config| {
        config.index.index_build_throttle_ms = 0;
        config.index.index_build_max_cpu_percent = 100;
    })?;
    let started = Instant::now();
    let mut bars = table::Bars::new();
    let mut wait = || {
        while !service.index_wait(GLANCE) && !interrupted(&service) {
            bars.show(&service.index_status());
        }
        service.index_status()
    };
    let mut statuses = wait();
    if statuses.iter().any(|status| is_unwatched(status) && status.directories == 0) {
        // It was opened, and nobody has looked at its tree since. Without a watcher that is done by
        // searches alone, so it is built anew.
        service.index_rebuild();
        statuses = wait();
    }
    bars.clear();
    let cut = interrupted(&service);
    service.index_shutdown();
    let mut out = std::io::stdout();
    for status in &statuses {
        let took = format!("{:.1} s", started.elapsed().as_secs_f64());
        writeln!(out, "{} after {took}", table::line(status))?;
    }
    if statuses.is_empty() {
        return Err(Failure::new(
            "no root is one of index_roots, so there is nothing to index; name one by --root, or \
             change index_roots in [tools.search]"
                .to_owned(),
        ));
    }
    // Without a watcher what is stored is whole, and every search compares it with the files.
    let is_whole = |status: &IndexStatus| {
        status.state == "COMPLETE"
            || (is_unwatched(status)
                && status.writer
                && status.directories > 0
                && status.pending == 0)
    };
    Ok(if !cut && statuses.iter().all(is_whole) { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Whether all that is missing is somebody who watches the tree, and there is nobody.
fn is_unwatched(status: &IndexStatus) -> bool {
    status.state == "UNCERTAIN" && status.duty == "start_watchers" && !status.watcher_live
}

/// Keeps the background going until somebody interrupts it.
fn watch(common: &Common) -> Result<ExitCode, Failure> {
    let service = service(common, IndexUse::Background, |_| ())?;
    let started = Instant::now();
    let mut shown: Vec<IndexStatus> = Vec::new();
    let mut out = std::io::stdout();
    while !interrupted(&service) {
        let now = service.index_status();
        for (number, status) in now.iter().enumerate() {
            if shown.get(number).is_none_or(|before| differs(before, status)) {
                let at = started.elapsed().as_secs_f64();
                writeln!(out, "{at:8.1} s  {}", table::line(status))?;
            }
        }
        shown = now;
        std::thread::sleep(GLANCE);
    }
    service.index_shutdown();
    Ok(ExitCode::SUCCESS)
}

/// Whether a change is one of state, and not just of figures.
fn differs(before: &IndexStatus, after: &IndexStatus) -> bool {
    let seen =
        |status: &IndexStatus| (status.state, status.reason, table::phase(status), status.storage);
    seen(before) != seen(after)
}

fn verify(common: &Common) -> Result<ExitCode, Failure> {
    let service = service(common, IndexUse::Existing, |_| ())?;
    // Against an index that is not there every file would be a finding.
    if service.index_status().iter().all(|status| matches!(status.state, "ABSENT" | "DISABLED")) {
        return Err(Failure::new(
            "there is no index to verify; `forge-search index build` builds one".to_owned(),
        ));
    }
    let progress = Progress::of("comparing");
    let checks = service.index_verify()?;
    drop(progress);
    let mut out = std::io::stdout();
    for check in &checks {
        for finding in &check.findings {
            writeln!(out, "{}", escape_line(finding))?;
        }
        let root = escape_line(&check.root.to_string_lossy());
        let findings = check.findings.len();
        writeln!(
            out,
            "{root}: {} files, {} blocks compared, findings: {findings}",
            check.files, check.blocks
        )?;
    }
    let clean = checks.iter().all(|check| check.findings.is_empty());
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn export(
    common: &Common,
    path: &str,
    variant: VariantName,
    output: &Path,
) -> Result<ExitCode, Failure> {
    let service = service(common, IndexUse::Existing, |_| ())?;
    let variant = match variant {
        VariantName::Sensitive => Variant::Sensitive,
        VariantName::Insensitive => Variant::Insensitive,
    };
    let bits = service.index_export(path, variant)?;
    let unwritable = |err| Failure::new(format!("cannot write `{}`: {err}", output.display()));
    fs::write(output, &bits).map_err(unwritable)?;
    let set: u64 = bits.iter().map(|byte| u64::from(byte.count_ones())).sum();
    writeln!(std::io::stdout(), "{} bytes, {set} bits set", bits.len())?;
    Ok(ExitCode::SUCCESS)
}

fn clear(common: &Common) -> Result<ExitCode, Failure> {
    let service = service(common, IndexUse::Existing, |_| ())?;
    let freed = service.index_clear()?;
    writeln!(std::io::stdout(), "{} freed", table::size(freed))?;
    Ok(ExitCode::SUCCESS)
}

fn interrupted(service: &Service) -> bool {
    service.cancel_switch().load(Ordering::Relaxed)
}
