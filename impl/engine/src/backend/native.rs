//! The embedded backend: ripgrep's matcher crate over the buffer that holds the file.

use forge_search_core::{ToolError, pattern::Pattern, scan::Proposer};
use grep_matcher::{LineMatchKind, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};

/// Proposes lines of a text in memory.
#[derive(Clone, Debug)]
pub(crate) struct NativeProposer {
    matcher: RegexMatcher,
}

impl NativeProposer {
    pub(crate) fn new(pattern: &Pattern) -> Result<Self, ToolError> {
        let matcher = RegexMatcherBuilder::new()
            .multi_line(true)
            .line_terminator(Some(b'\n'))
            .build(&pattern.buffer_expression())
            .map_err(|err| {
                ToolError::bad_args("pattern", format!("regular expression cannot be used: {err}"))
            })?;
        Ok(Self { matcher })
    }
}

impl Proposer for NativeProposer {
    fn next(&mut self, text: &[u8], from: usize) -> Option<usize> {
        // Lines are searched one by one, so what precedes `from` cannot matter.
        let rest = text.get(from..)?;
        match self.matcher.find_candidate_line(rest) {
            Ok(Some(LineMatchKind::Confirmed(offset) | LineMatchKind::Candidate(offset))) => {
                Some(from + offset)
            }
            Ok(None) => None,
            Err(never) => unreachable_error(never),
        }
    }
}

/// The matcher's error type has no values.
fn unreachable_error(_: grep_matcher::NoError) -> Option<usize> {
    None
}
