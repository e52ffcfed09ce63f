//! The events of one file: whether it is searched, which lines match, which are context, and the
//! cap on matches of one file (section 5).
//!
//! A line has at most one event (E-E01, E-D01); events are in line order.

use crate::config::Config;
use crate::meter::Meter;
use crate::outcome::Event;
use crate::pattern::{Hit, Matcher};
use crate::place;
use crate::request::Request;
use crate::tables::caps::{Cap, Counted};
use crate::tables::{Note, Problem};
use crate::text;
use crate::walk::Candidate;

/// The events of an eligible file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FileEvents {
    pub(crate) events: Vec<Event>,
    /// The cap that cut or left out the file.
    pub(crate) lost: Option<Cap<Note>>,
    pub(crate) problem: Option<Problem>,
}

/// A file that a cap leaves out. Below a directory this is silent; if the file is the search root
/// (`is_root`), it is an error.
pub(crate) fn left_out(cap: Cap<Note>, is_root: bool) -> FileEvents {
    let problem = is_root.then_some(Problem::RootTooLarge);
    FileEvents { lost: Some(cap), problem, ..FileEvents::default() }
}

/// Reads an eligible file; `is_root` as for [`left_out`].
pub(crate) fn read(
    config: &Config,
    request: &Request,
    matcher: &Matcher,
    file: &Candidate<'_>,
    is_root: bool,
) -> FileEvents {
    if !file.readable {
        return FileEvents { problem: Some(Problem::PermissionDenied), ..FileEvents::default() };
    }
    let text = text::decode(file.bytes);
    if text::is_binary(&text, config.tables.limits.binary_probe_bytes) {
        return FileEvents {
            problem: is_root.then_some(Problem::RootBinary),
            ..FileEvents::default()
        };
    }
    let lines = text::lines(&text);
    let mut scratch = matcher.scratch();
    let hits: Vec<Option<Hit>> =
        lines.iter().map(|line| matcher.find(line, &mut scratch)).collect();
    let meter = Meter::new(config.tables.caps.search, true, |limit| request.limit(limit, config));
    of_lines(&file.path, &lines, hits, request.context, meter)
}

/// The events of a file's lines. After the last permitted match, context stops before the next
/// matching line (E-D13, E-D14).
fn of_lines(
    path: &str,
    lines: &[&[u8]],
    mut hits: Vec<Option<Hit>>,
    context: u64,
    mut meter: Meter<Note>,
) -> FileEvents {
    let matching: Vec<usize> =
        hits.iter().zip(0..).filter(|(hit, _)| hit.is_some()).map(|(_, index)| index).collect();
    let passed = meter.pass(matching, |_, counted| (counted == Counted::Matches).then_some(1));
    let kept: Vec<usize> = passed.kept().copied().collect();
    let near = near(&kept, lines.len(), context);
    let end = passed.stopped.map_or(lines.len(), |(line, _)| line);
    let mut lost = passed.stopped.map(|(_, cap)| cap);
    for (line, cap) in passed.gone_through.iter().filter(|(_, cap)| cap.is_some()) {
        lost = *cap;
        hits.get_mut(*line).into_iter().for_each(|hit| *hit = None);
    }

    let mut events = Vec::new();
    let shown = lines.iter().zip(&hits).zip(near).zip(1..).take(end);
    for (((bytes, hit), near), line) in shown {
        let (path, text) = (path.to_owned(), place::lossy(bytes));
        match hit {
            Some(Hit { column, text: matched }) => {
                events.push(Event::Match {
                    path,
                    line,
                    column: *column,
                    text,
                    matched: matched.clone(),
                });
            }
            None if near => events.push(Event::Context { path, line, text }),
            None => {}
        }
    }
    FileEvents { events, lost, ..FileEvents::default() }
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
