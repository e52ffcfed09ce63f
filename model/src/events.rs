//! From one file to its events.
//!
//! Responsible for: whether a file is searched at all, which lines are matches and which context, and the cap on
//! matches of one file (section 5).
//! Left to neighbours: caps on the whole answer (`answer`).
//! Invariants: a line has at most one event (E-E01, E-D01); events are in line order.

use crate::config::Config;
use crate::outcome::Event;
use crate::pattern::{Hit, Matcher};
use crate::place;
use crate::request::Request;
use crate::tables::Problem;
use crate::text;
use crate::walk::Candidate;

/// What one eligible file contributes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) events: Vec<Event>,
    /// Whether there are matching lines beyond the cap of one file.
    pub(crate) cut: bool,
    /// Whether it is over the size limit.
    pub(crate) oversized: bool,
    pub(crate) problem: Option<Problem>,
}

/// Reads an eligible file. A file that is skipped silently below a directory is a problem if it is what the request
/// asked for by name (`is_root`).
pub(crate) fn read(
    config: &Config,
    request: &Request,
    matcher: &Matcher,
    file: &Candidate<'_>,
    is_root: bool,
) -> Reading {
    let size = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
    if request.max_file_size_bytes.is_some_and(|limit| size > limit) {
        let problem = is_root.then_some(Problem::RootTooLarge);
        return Reading { oversized: true, problem, ..Reading::default() };
    }
    if !file.readable {
        return Reading { problem: Some(Problem::PermissionDenied), ..Reading::default() };
    }
    let text = text::decode(file.bytes);
    if text::is_binary(&text, config.tables.limits.binary_probe_bytes) {
        return Reading { problem: is_root.then_some(Problem::RootBinary), ..Reading::default() };
    }
    let lines = text::lines(&text);
    let mut scratch = matcher.scratch();
    let hits: Vec<Option<Hit>> = lines.iter().map(|line| matcher.find(line, &mut scratch)).collect();
    of_lines(&file.path, &lines, &hits, request.context, request.max_matches_per_file)
}

/// The events of a file's lines. After the last match that the cap allows, context runs its width but stops before
/// the next matching line (E-D13, E-D14).
fn of_lines(path: &str, lines: &[&[u8]], hits: &[Option<Hit>], context: u64, cap: Option<u64>) -> Reading {
    let mut matching = hits.iter().zip(0..).filter(|(hit, _)| hit.is_some()).map(|(_, index)| index);
    let cap = cap.and_then(|cap| usize::try_from(cap).ok()).unwrap_or(usize::MAX);
    let reported: Vec<usize> = matching.by_ref().take(cap).collect();
    let beyond = matching.next();
    let near = near(&reported, lines.len(), context);

    let mut events = Vec::new();
    let shown = lines.iter().zip(hits).zip(near).zip(1..).take(beyond.unwrap_or(lines.len()));
    for (((bytes, hit), near), line) in shown {
        let (path, text) = (path.to_owned(), place::lossy(bytes));
        match hit {
            Some(Hit { column, text: matched }) => {
                events.push(Event::Match { path, line, column: *column, text, matched: matched.clone() });
            }
            None if near => events.push(Event::Context { path, line, text }),
            None => {}
        }
    }
    Reading { events, cut: beyond.is_some(), ..Reading::default() }
}

/// For each of `count` lines, whether one of the `matches` is at most `context` lines away.
fn near(matches: &[usize], count: usize, context: u64) -> Vec<bool> {
    let context = usize::try_from(context).unwrap_or(usize::MAX);
    (0..count)
        .map(|line| {
            let after = matches.partition_point(|matching| *matching < line);
            let next = matches.get(after).is_some_and(|next| next - line <= context);
            let previous = after.checked_sub(1).and_then(|before| matches.get(before));
            next || previous.is_some_and(|previous| line - previous <= context)
        })
        .collect()
}

#[cfg(test)]
mod tests;
