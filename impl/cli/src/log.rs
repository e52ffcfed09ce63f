//! The log: events on standard error, for the person who runs the program (docs/observability.md).
//!
//! Standard output belongs to answers and protocols. What other libraries tell of their work may
//! hold what was searched for, so it is
//! logged only where that is allowed to be: at level `debug`.

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
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

/// Has events of this level and above logged. Where somebody logs already, nothing changes.
pub(crate) fn to_stderr(level: Level) {
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_target(false);
    let _ = tracing_subscriber::registry().with(lines).with(wanted(level)).try_init();
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
