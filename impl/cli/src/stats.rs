//! `forge-search stats`: the figures of servers, of those that run and of those that have ended
//! lately (docs/observability.md).

use std::{
    fmt::Write as _,
    io::Write as _,
    process::ExitCode,
    time::{Duration, SystemTime},
};

use clap::Args;
use forge_search_engine::{IndexUse, ToolError, escape_name};

use crate::{
    args::Common,
    errors::{Failure, ended},
    metrics::snapshot::{self, Found, Tool},
    setup,
};

/// How figures are shown.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Stats {
    /// Print JSON instead
    #[arg(long)]
    json: bool,
}

/// Prints what there is: 0 if there are servers, 1 if not, 2 if that cannot be determined.
pub(crate) fn run(common: &Common, stats: Stats) -> ExitCode {
    let found = match servers(common) {
        Ok(found) => found,
        Err(error) => return Failure::from(error).tell(),
    };
    let text = if stats.json {
        serde_json::to_string_pretty(&found).map(|json| json + "\n")
    } else {
        Ok(shown(&found))
    };
    let written = text
        .map_err(std::io::Error::other)
        .and_then(|text| std::io::stdout().write_all(text.as_bytes()));
    ended(written, if found.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn servers(common: &Common) -> Result<Vec<Found>, ToolError> {
    let service = setup::build(common, setup::config(common)?, &[], IndexUse::None)?;
    let why = "there is no directory for figures: set `tools.search.index_path` to one outside the roots that is yours alone";
    let cache =
        service.cache_directory(false).ok_or_else(|| ToolError::failed("index_path", why))?;
    Ok(snapshot::stored(&cache))
}

fn shown(servers: &[Found]) -> String {
    if servers.is_empty() {
        return "no server has left figures; `forge-search mcp` starts one\n".to_owned();
    }
    let now = snapshot::unix_ms(SystemTime::now());
    servers.iter().map(|found| server(found, now)).collect::<Vec<_>>().join("\n")
}

/// One server's figures as a table.
fn server(found: &Found, now_ms: u64) -> String {
    let server = &found.server;
    let since = |then: u64| age(Duration::from_millis(now_ms.saturating_sub(then)));
    let state = match (found.running, server.ended) {
        (true, _) => format!("running for {}", since(server.started_unix_ms)),
        (false, true) => format!("ended {} ago", since(server.stored_unix_ms)),
        (false, false) => format!("killed; figures of {} ago", since(server.stored_unix_ms)),
    };
    let place = escape_name(&server.working_directory.to_string_lossy());
    let mut text = format!("server {} in {place}, {state}\n", server.pid);
    for index in &server.summary.indexes {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "  index {}: {} files, {} pending",
            escape_name(&index.state),
            index.files,
            index.pending
        );
    }
    if server.summary.tools.is_empty() {
        text.push_str("  no calls yet\n");
        return text;
    }
    let heading = [
        "complete", "partial", "failed", "results", "limited", "p50 ms", "p90 ms", "p99 ms",
        "max ms",
    ];
    let _ = write!(text, "  {:<16}", "tool");
    for column in heading {
        let _ = write!(text, " {column:>9}");
    }
    text.push('\n');
    for (name, tool) in &server.summary.tools {
        row(&mut text, name, tool);
    }
    for (name, tool) in &server.summary.tools {
        for (error, count) in &tool.errors {
            let _ = writeln!(text, "  {}: {} {count} times", escape_name(name), escape_name(error));
        }
    }
    text
}

fn row(text: &mut String, name: &str, tool: &Tool) {
    let _ = write!(text, "  {:<16}", escape_name(name));
    for count in [tool.complete, tool.partial, tool.failed, tool.results, tool.rate_limited] {
        let _ = write!(text, " {count:>9}");
    }
    let latency = &tool.latency;
    for millis in [latency.p50_ms, latency.p90_ms, latency.p99_ms, latency.max_ms] {
        let _ = write!(text, " {millis:>9.1}");
    }
    text.push('\n');
}

fn age(span: Duration) -> String {
    match span.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds @ 7_200..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, time::Duration};

    use super::{age, server, shown};
    use crate::metrics::snapshot::{Found, Index, Latency, Server, Summary, Tool};

    fn found(running: bool, ended: bool) -> Found {
        let tool = Tool {
            complete: 118,
            partial: 2,
            failed: 3,
            results: 1_033,
            rate_limited: 1,
            errors: BTreeMap::from([
                ("invalid_query".to_owned(), 2),
                ("rate_limit_exceeded".to_owned(), 1),
            ]),
            latency: Latency {
                count: 123,
                sum_ms: 900.0,
                p50_ms: 4.125,
                p90_ms: 12.5,
                p99_ms: 80.25,
                max_ms: 101.0,
            },
        };
        let index = Index { state: "COMPLETE".to_owned(), files: 86_239, pending: 4 };
        let summary =
            Summary { tools: BTreeMap::from([("grep".to_owned(), tool)]), indexes: vec![index] };
        let server = Server {
            pid: 4711,
            version: "0.1.0".to_owned(),
            working_directory: "/work/pro\u{1b}ject".into(),
            started_unix_ms: 1_000_000,
            stored_unix_ms: 1_100_000,
            ended,
            summary,
        };
        Found { running, server }
    }

    /// NFR-015b-13.
    #[test]
    fn a_server_is_shown_with_counts_percentiles_rate_limit_hits_and_index_state() {
        let expected = "\
server 4711 in /work/pro\\u{1b}ject, running for 100 s
  index COMPLETE: 86239 files, 4 pending
  tool              complete   partial    failed   results   limited    p50 ms    p90 ms    p99 ms    max ms
  grep                   118         2         3      1033         1       4.1      12.5      80.2     101.0
  grep: invalid_query 2 times
  grep: rate_limit_exceeded 1 times
";
        assert_eq!(server(&found(true, false), 1_100_000), expected);
    }

    #[test]
    fn a_server_is_shown_as_ended_or_killed() {
        assert!(server(&found(false, true), 1_160_000).contains(", ended 60 s ago\n"));
        assert!(
            server(&found(false, false), 1_160_000).contains(", killed; figures of 60 s ago\n")
        );
    }

    #[test]
    fn without_servers_stats_names_the_command_that_starts_one() {
        assert!(shown(&[]).contains("forge-search mcp"));
    }

    #[test]
    fn ages_are_shown_in_a_fitting_unit() {
        let ages = [0, 119, 120, 7_199, 7_200, 172_799, 172_800]
            .map(|seconds| age(Duration::from_secs(seconds)));
        assert_eq!(ages, ["0 s", "119 s", "2 min", "119 min", "2 h", "47 h", "2 days"]);
    }
}
