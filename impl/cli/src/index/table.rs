//! Indexes as people see them: a table, a line, a progress bar.

use std::io::IsTerminal;

use forge_search_engine::{IndexStatus, escape_name};
use indicatif::{
    HumanBytes, HumanCount, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle,
};

const HEADINGS: [&str; 8] =
    ["root", "state", "reason", "files", "pending", "size", "storage", "phase"];
/// Columns of figures, which are aligned at their end.
const FIGURES: std::ops::Range<usize> = 3..6;
const BAR: &str = "{msg} [{bar:32}] {human_pos} of {human_len} files, {elapsed}";
const SPINNER: &str = "{msg} {spinner} {elapsed}";

/// A number of bytes, in the largest unit that leaves a digit before the point.
pub(crate) fn size(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

/// The phase of a build that runs: a status is put together while things go on, so it may name one
/// that has just ended.
pub(crate) fn phase(status: &IndexStatus) -> Option<&'static str> {
    status.build_phase.filter(|_| status.state == "BUILDING")
}

fn root(status: &IndexStatus) -> String {
    escape_name(&status.root.to_string_lossy())
}

fn cells(status: &IndexStatus) -> [String; 8] {
    let storage = match status.storage_fallback_reason {
        Some(why) => format!("{} ({why})", status.storage),
        None => status.storage.to_owned(),
    };
    [
        root(status),
        status.state.to_owned(),
        status.reason.unwrap_or("-").to_owned(),
        count(status.files),
        count(status.pending),
        size(status.size_bytes),
        storage,
        phase(status).unwrap_or("-").to_owned(),
    ]
}

/// All of them, one a line, under headings.
pub(crate) fn of(statuses: &[IndexStatus]) -> String {
    let headings = HEADINGS.map(str::to_owned);
    let rows: Vec<[String; 8]> =
        std::iter::once(headings).chain(statuses.iter().map(cells)).collect();
    let mut widths = [0; 8];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for row in &rows {
        let cells = row.iter().zip(widths).enumerate().map(|(at, (cell, width))| {
            if FIGURES.contains(&at) {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            }
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// One of them in one line.
pub(crate) fn line(status: &IndexStatus) -> String {
    let mut line = format!("{}: {}", root(status), status.state);
    for why in [status.reason, phase(status)].into_iter().flatten() {
        line.push(' ');
        line.push_str(why);
    }
    let figures = format!(", {} files, {} pending, ", count(status.files), count(status.pending));
    line + &figures + &format!("{} in {}", size(status.size_bytes), status.storage)
}

/// What a state means for searches, and what can be done about it.
pub(crate) fn advice(status: &IndexStatus) -> Option<String> {
    let root = root(status);
    let what = match (status.state, status.reason) {
        ("ABSENT", _) => {
            "no index is stored, so searches read every file; `forge-search index build` builds one"
        }
        ("CORRUPT", _) => {
            "what is stored does not verify; `forge-search index clear`, then `forge-search index \
             build`"
        }
        ("DISABLED", Some("MODE_OFF")) => {
            "index_mode is \"off\" in [tools.search]; searches read every file"
        }
        ("DISABLED", _) => {
            "the index is out of use; `forge-search index build` builds it anew, `forge-search \
             doctor` looks into it"
        }
        ("UNCERTAIN", _) => {
            "each search compares it with the files first, then uses it; `forge-search mcp` and \
             `forge-search index watch` keep it compared"
        }
        _ => return None,
    };
    Some(format!("{root}: {what}"))
}

/// A bar below the table for a build that runs; on a terminal only.
pub(crate) fn show_progress(status: &IndexStatus) {
    if phase(status).is_none() || !std::io::stdout().is_terminal() {
        return;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stdout());
    draw(&bar, status);
    bar.abandon();
}

/// Bars that move, one for each root.
pub(crate) struct Bars {
    all: MultiProgress,
    bars: Vec<ProgressBar>,
}

impl Bars {
    /// None yet; hidden unless standard error is a terminal.
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target =
            if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { all: MultiProgress::with_draw_target(target), bars: Vec::new() }
    }

    /// How the indexes stand now.
    pub(crate) fn show(&mut self, statuses: &[IndexStatus]) {
        while self.bars.len() < statuses.len() {
            self.bars.push(self.all.add(ProgressBar::no_length()));
        }
        for (bar, status) in self.bars.iter().zip(statuses) {
            draw(bar, status);
        }
    }

    /// Takes them off the screen.
    pub(crate) fn clear(&self) {
        // A terminal that cannot be written to shows nothing either way.
        let _ = self.all.clear();
    }
}

fn draw(bar: &ProgressBar, status: &IndexStatus) {
    let template = if status.build_files_total.is_some() { BAR } else { SPINNER };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(format!("{} {}", root(status), phase(status).unwrap_or(status.state)));
    if let Some(total) = status.build_files_total {
        bar.set_length(total);
        bar.set_position(status.build_files_done.unwrap_or(0));
    }
    bar.tick();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(root: &str, state: &'static str, reason: Option<&'static str>) -> IndexStatus {
        IndexStatus {
            root: root.into(),
            state,
            reason,
            duty: "none",
            watcher_live: true,
            writer: true,
            files: 86_629,
            pending: 3,
            indexed_bytes: 0,
            directories: 1,
            segments: 1,
            storage: "sqlite",
            storage_fallback_reason: None,
            file: None,
            size_bytes: 5 << 20,
            build_phase: None,
            build_files_total: None,
            build_files_done: None,
            build_elapsed_ms: None,
        }
    }

    #[test]
    fn columns_line_up_and_names_cannot_break_the_table() {
        let mut memory = status("/b\n", "UNCERTAIN", Some("WATCHER_DOWN"));
        (memory.storage, memory.storage_fallback_reason) = ("memory", Some("PERMISSION_DENIED"));
        let mut building = status("/c", "BUILDING", None);
        // One that has ended, and one that goes on.
        (memory.build_phase, building.build_phase) = (Some("ACTIVATE"), Some("PERSIST"));
        let text = of(&[status("/tree", "COMPLETE", None), memory, building]);
        let want = "\
root   state      reason         files  pending      size  storage                     phase
/tree  COMPLETE   -             86,629        3  5.00 MiB  sqlite                      -
/b\\n   UNCERTAIN  WATCHER_DOWN  86,629        3  5.00 MiB  memory (PERMISSION_DENIED)  -
/c     BUILDING   -             86,629        3  5.00 MiB  sqlite                      PERSIST
";
        assert_eq!(text, want);
    }

    #[test]
    fn a_status_line_has_state_reason_and_figures() {
        let uncertain = status("/tree", "UNCERTAIN", Some("WATCHER_DOWN"));
        let want = "/tree: UNCERTAIN WATCHER_DOWN, 86,629 files, 3 pending, 5.00 MiB in sqlite";
        assert_eq!(line(&uncertain), want);
    }
}
