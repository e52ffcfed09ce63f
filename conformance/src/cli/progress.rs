//! Progress of `check` on standard error: a bar on a terminal, a line per suite elsewhere.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};

use crate::gate::suite::{Progress, Suite};
use crate::report::SuiteReport;

#[derive(Debug)]
pub(super) struct TerminalProgress {
    bar: Mutex<Option<ProgressBar>>,
    terminal: bool,
}

impl TerminalProgress {
    /// A bar if standard error is a terminal.
    pub(super) fn new() -> Self {
        Self { bar: Mutex::new(None), terminal: stderr().is_terminal() }
    }

    fn print_line(&self, line: &str) {
        if !self.terminal {
            let _ = writeln!(stderr(), "{line}");
        }
    }

    fn with_bar(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut self.bar.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for TerminalProgress {
    fn begin(&self, suite: Suite, cases: Option<u64>) {
        let many = cases.map_or_else(
            || "cases until the time is up".to_owned(),
            |cases| format!("{cases} case(s)"),
        );
        self.print_line(&format!("{}: {many}", suite.name()));
        if self.terminal {
            let bar = cases.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
            let style =
                ProgressStyle::with_template("{prefix:12} {bar:30} {pos}/{len} {per_sec} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(suite.name());
            self.with_bar(|shown| *shown = Some(bar));
        }
    }

    fn advance(&self, done: u64) {
        self.with_bar(|shown| {
            if let Some(bar) = shown {
                bar.set_position(done);
            }
        });
    }

    fn shrinking(&self, failures: usize) {
        self.print_line(&format!("{failures} failure(s), making them small"));
        self.with_bar(|shown| {
            if let Some(bar) = shown {
                bar.set_message(format!("{failures} failure(s), making them small"));
            }
        });
    }

    fn end(&self, report: &SuiteReport) {
        self.print_line(&format!("{}: done in {:.1} s", report.name, report.took.as_secs_f64()));
        self.with_bar(|shown| {
            if let Some(bar) = shown.take() {
                bar.finish_and_clear();
            }
        });
    }
}
