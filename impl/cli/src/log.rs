//! The log: events on standard error, for the person who runs the program (docs/observability.md).
//!
//! Standard output belongs to answers and protocols. What other libraries tell of their work may
//! hold what was searched for, so it is logged only where that is allowed to be: at level `debug`.
//! Lines go through a bounded queue, so that a reader of standard error that stops reading stops no
//! call; what does not fit is dropped and counted.

use std::{
    io::{self, Write},
    sync::{Arc, OnceLock},
};

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// From which level on events are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// None
    Off,
    /// Failures of the program itself
    Error,
    /// Also what its user may have to change, such as a limit that was reached
    Warn,
    /// Also every call, with its query as a hash and a length
    Info,
    /// Also what was searched for
    Debug,
}

/// Where our own events come from.
const OURS: [&str; 3] = ["forge_search", "forge_search_engine", "forge_search_cli"];

/// Lines that may wait for standard error to be read.
const WAITING_LINES: usize = 4_096;

/// Has events of this level and above logged until the guard is dropped. Where somebody logs
/// already, nothing changes.
pub(crate) fn to_stderr(level: Level) -> WorkerGuard {
    let dropped = Arc::new(OnceLock::new());
    let out = Counted { out: io::stderr(), dropped: Arc::clone(&dropped), told: 0 };
    let (queue, guard) =
        NonBlockingBuilder::default().buffered_lines_limit(WAITING_LINES).lossy(true).finish(out);
    let _ = dropped.set(queue.error_counter());
    let lines = fmt::layer().with_writer(queue).with_ansi(false).with_target(false);
    let _ = tracing_subscriber::registry().with(lines).with(wanted(level)).try_init();
    guard
}

/// Writes lines, and how many were dropped before them.
struct Counted<W> {
    out: W,
    dropped: Arc<OnceLock<ErrorCounter>>,
    /// Lines that were dropped and reported.
    told: usize,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let dropped = self.dropped.get().map_or(0, ErrorCounter::dropped_lines);
        if dropped > self.told {
            let lines = dropped - self.told;
            writeln!(self.out, "{lines} lines of the log were dropped: nobody read them in time")?;
            self.told = dropped;
        }
        self.out.write_all(line)?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn wanted(level: Level) -> Targets {
    let filter = match level {
        Level::Off => LevelFilter::OFF,
        Level::Error => LevelFilter::ERROR,
        Level::Warn => LevelFilter::WARN,
        Level::Info => LevelFilter::INFO,
        Level::Debug => LevelFilter::DEBUG,
    };
    let others = if level == Level::Debug { filter } else { LevelFilter::OFF };
    OURS.iter().fold(Targets::new().with_default(others), |targets, ours| {
        targets.with_target(*ours, filter)
    })
}

#[cfg(test)]
mod tests {
    use tracing::Level as Severity;

    use super::{Level, wanted};

    #[test]
    fn events_of_libraries_are_logged_only_at_level_debug() {
        for level in [Level::Off, Level::Error, Level::Warn, Level::Info] {
            assert!(!wanted(level).would_enable("rmcp::service", &Severity::ERROR), "{level:?}");
        }
        assert!(wanted(Level::Debug).would_enable("rmcp::service", &Severity::DEBUG));
    }

    #[test]
    fn events_of_the_program_are_logged_from_the_requested_level() {
        let logged =
            |level, severity| wanted(level).would_enable("forge_search_engine::observe", &severity);
        assert!(logged(Level::Info, Severity::INFO) && !logged(Level::Info, Severity::DEBUG));
        assert!(logged(Level::Debug, Severity::DEBUG));
        assert!(logged(Level::Warn, Severity::WARN) && !logged(Level::Warn, Severity::INFO));
        assert!(!logged(Level::Off, Severity::ERROR));
    }
}
