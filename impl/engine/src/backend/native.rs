//! The embedded backend: ripgrep's matcher crate on text in memory.

use forge_search_core::{
    ToolError, error::Interrupted, pattern::Pattern, request::shown, scan::Proposer, text,
};
use grep_matcher::{LineMatchKind, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use memchr::memrchr;

/// Deepest nesting of an expression. A pattern may be nested 250 levels, and each of its
/// repetitions adds a group.
const NEST_LIMIT: u32 = 1_000;

/// Proposes lines of a text in memory.
///
/// The matcher cannot be interrupted, so it gets whole lines, and as many as it searches in a few
/// milliseconds. A line that is longer is proposed unseen: the confirming matcher can be
/// interrupted.
#[derive(Clone, Debug)]
pub(crate) struct NativeProposer {
    matcher: RegexMatcher,
    /// Most bytes given to the matcher at once.
    stride: usize,
}

impl NativeProposer {
    pub(crate) fn new(pattern: &Pattern) -> Result<Self, ToolError> {
        let matcher = RegexMatcherBuilder::new()
            .multi_line(true)
            .line_terminator(Some(b'\n'))
            .nest_limit(NEST_LIMIT)
            .build(&pattern.buffer_expression())
            .map_err(|err| {
                // The message repeats the whole expression, which differs from the caller's.
                let why = shown(&err.to_string());
                ToolError::bad_args("pattern", format!("regular expression cannot be used: {why}"))
            })?;
        Ok(Self { matcher, stride: pattern.stride() })
    }

    /// The first lines of `rest`, at most `stride` bytes; `None` if the first line is longer.
    fn lines<'t>(&self, rest: &'t [u8]) -> Option<&'t [u8]> {
        let Some(head) = rest.get(..self.stride) else { return Some(rest) };
        rest.get(..=memrchr(b'\n', head)?)
    }
}

impl Proposer for NativeProposer {
    fn next(
        &mut self,
        text: &[u8],
        mut from: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Interrupted> {
        while from < text.len() {
            let rest = text.get(from..).unwrap_or_default();
            let Some(lines) = self.lines(rest) else { return Ok(Some(from)) };
            // Lines are searched one by one, so no look-behind crosses the start. The matcher's
            // error type is uninhabited.
            let Ok(found) = self.matcher.find_candidate_line(lines) else { return Ok(Some(from)) };
            if let Some(LineMatchKind::Confirmed(at) | LineMatchKind::Candidate(at)) = found
                // A match after the last line feed is in none of these lines.
                && text::line_at(lines, at).is_some()
            {
                return Ok(Some(from + at));
            }
            from += lines.len();
            if !go_on() {
                return Err(Interrupted);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
