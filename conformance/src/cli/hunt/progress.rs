//! Progress of a hunt on standard error: bars on a terminal, lines at intervals elsewhere. Ends the
//! hunt on a signal.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::hunt::results::Finding;
use crate::hunt::watch::{Counts, Watch};

/// Interval between redraws on a terminal.
const DRAWN: Duration = Duration::from_millis(200);

/// Interval between lines elsewhere.
const WRITTEN: Duration = Duration::from_secs(15);

/// Most subjects with a line of their own on a terminal; the others share the last.
const MOST_LINES: usize = 12;

/// Shows a hunt on standard error, and ends it on a signal.
pub(super) struct HuntProgress {
    terminal: bool,
    over: Arc<AtomicBool>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    begun: Option<Instant>,
    told: Option<Instant>,
    order: Vec<String>,
    subjects: BTreeMap<String, (Counts, u64)>,
    lines: Vec<ProgressBar>,
    bars: Option<MultiProgress>,
    sightings: Option<(usize, usize)>,
    found: BTreeSet<String>,
}

impl HuntProgress {
    /// Bars if standard error is a terminal. From now on the first SIGINT or SIGTERM ends the
    /// hunt, and the second the process.
    ///
    /// # Errors
    /// Signals cannot be handled.
    pub(super) fn new() -> anyhow::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&over);
        ctrlc::set_handler(move || {
            if set.swap(true, Ordering::SeqCst) {
                std::process::exit(2);
            }
            let _ = writeln!(
                stderr(),
                "stopping, as soon as the programs have answered; once more ends at once"
            );
        })?;
        Ok(Self { terminal: stderr().is_terminal(), over, state: Mutex::default() })
    }

    fn with(&self, act: impl FnOnce(&mut State)) {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn print_line(state: &State, line: &str) {
        match &state.bars {
            // A closed terminal does not fail the hunt.
            Some(bars) => drop(bars.println(line)),
            None => drop(writeln!(stderr(), "{line}")),
        }
    }

    /// Draws or writes if it is due.
    fn draw_if_due(state: &mut State) {
        let (Some(begun), now) = (state.begun, Instant::now()) else { return };
        let often = if state.bars.is_some() { DRAWN } else { WRITTEN };
        if state.told.is_some_and(|told| now - told < often) {
            return;
        }
        state.told = Some(now);
        let lines = lines(state, now - begun);
        if state.bars.is_none() {
            for line in lines {
                Self::print_line(state, &line);
            }
            return;
        }
        for (bar, line) in state.lines.iter().zip(lines) {
            bar.set_message(line);
            bar.tick();
        }
    }
}

/// A line for each subject, and one for shrinking.
fn lines(state: &State, elapsed: Duration) -> Vec<String> {
    let line = |name: &str, (counts, found): (Counts, u64)| {
        #[expect(clippy::cast_precision_loss, reason = "a rate is told in whole cases")]
        let rate = counts.cases as f64 / elapsed.as_secs_f64().max(0.001);
        format!(
            "{name:<20} {} cases, {rate:.0} a second, {} diverging, {} broken, {found} findings",
            counts.cases, counts.diverge, counts.broken
        )
    };
    let of = |name: &String| state.subjects.get(name).copied().unwrap_or_default();
    let alone = if state.order.len() > MOST_LINES { MOST_LINES - 1 } else { state.order.len() };
    let (own, others) = state.order.split_at(alone);
    let mut lines: Vec<String> = own.iter().map(|name| line(name, of(name))).collect();
    if !others.is_empty() {
        let sum = others.iter().map(of).fold(<(Counts, u64)>::default(), |sum, one| {
            let (counts, more) = (sum.0, one.0);
            let counts = Counts {
                cases: counts.cases + more.cases,
                diverge: counts.diverge + more.diverge,
                broken: counts.broken + more.broken,
            };
            (counts, sum.1 + one.1)
        });
        lines.push(line(&format!("{} others", others.len()), sum));
    }
    if let Some((done, all)) = state.sightings {
        lines.push(format!("{done} of {all} sightings looked at"));
    }
    lines
}

impl Watch for HuntProgress {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn begin(&self, subjects: &[&str]) {
        self.with(|state| {
            let now = Instant::now();
            (state.begun, state.told) = (Some(now), Some(now));
            state.order = subjects.iter().map(ToString::to_string).collect();
            if self.terminal {
                let bars = MultiProgress::new();
                let style = ProgressStyle::with_template("{msg}");
                let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
                let many = subjects.len().min(MOST_LINES) + 1;
                state.lines = (0..many)
                    .map(|_| bars.add(ProgressBar::new_spinner().with_style(style.clone())))
                    .collect();
                state.bars = Some(bars);
            }
            let many = subjects.len();
            let noun = if many == 1 { "subject" } else { "subjects" };
            Self::print_line(
                state,
                &format!("asking {many} {noun}; Ctrl-C ends it and keeps what it has"),
            );
        });
    }

    fn asked(&self, subject: &str, counts: Counts) {
        self.with(|state| {
            let (sum, _) = state.subjects.entry(subject.to_owned()).or_default();
            sum.cases += counts.cases;
            sum.diverge += counts.diverge;
            sum.broken += counts.broken;
            Self::draw_if_due(state);
        });
    }

    fn settle(&self, sightings: usize) {
        self.with(|state| {
            state.sightings = Some((0, sightings));
            Self::print_line(state, &format!("making {sightings} sightings small"));
        });
    }

    fn looked(&self, finding: Option<&Finding>) {
        self.with(|state| {
            if let Some((done, _)) = &mut state.sightings {
                *done += 1;
            }
            if let Some(finding) = finding
                && state.found.insert(finding.id.clone())
            {
                state.subjects.entry(finding.subject.clone()).or_default().1 += 1;
                Self::print_line(state, &format!("found {}: {}", finding.id, finding.title));
            }
            Self::draw_if_due(state);
        });
    }
}

impl Drop for HuntProgress {
    fn drop(&mut self) {
        self.with(|state| {
            for line in &state.lines {
                line.finish_and_clear();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subject_has_a_progress_line_and_many_share_one() {
        let counts = Counts { cases: 10, diverge: 2, broken: 1 };
        let names = |many: usize| (0..many).map(|n| format!("s@{n}")).collect::<Vec<_>>();
        let state = |many: usize| State {
            order: names(many),
            subjects: names(many).into_iter().map(|name| (name, (counts, 1))).collect(),
            ..State::default()
        };
        let told = lines(&state(2), Duration::from_secs(2));
        assert_eq!(
            told.first().map(String::as_str),
            Some("s@0                  10 cases, 5 a second, 2 diverging, 1 broken, 1 findings")
        );
        let told = lines(&state(20), Duration::from_secs(2));
        assert_eq!(told.len(), MOST_LINES);
        assert!(told.last().is_some_and(|last| last.starts_with("9 others")
            && last.contains("90 cases")
            && last.contains("18 diverging, 9 broken, 9 findings")));
    }
}
