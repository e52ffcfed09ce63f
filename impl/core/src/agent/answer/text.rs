//! The text form of an answer: files, their lines, and what was left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Answer;
use crate::content::{escape_line, escape_name};

/// Lines of a file, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Matching lines.
    pub matching: Vec<(u64, String)>,
    /// Context lines.
    pub around: Vec<(u64, String)>,
}

impl Answer {
    /// The text with the first `kept` results. Lines shared by several results of a file appear
    /// once.
    pub(super) fn text(&self, kept: usize) -> String {
        let reasons = self.reasons(kept);
        let mut text = String::new();
        let (one, several) = self.nouns;
        let least = if reasons.iter().any(|(reason, _)| reason.hides()) { "at least " } else { "" };
        let total = self.total;
        let noun = if total == 1 { one } else { several };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{least}{total} {noun}{}", self.counts);
        let mut rest = self.results.get(..kept).unwrap_or_default();
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|found| found.path == first.path).count();
            let (group, more) = rest.split_at(same.max(1));
            rest = more;
            let _ = writeln!(text, "{}{}", escape_name(&first.path), first.heading);
            let mut lines: BTreeMap<u64, (char, &str)> = BTreeMap::new();
            for (number, line) in group.iter().flat_map(|found| &found.lines.around) {
                lines.insert(*number, ('-', line));
            }
            for (number, line) in group.iter().flat_map(|found| &found.lines.matching) {
                lines.insert(*number, (':', line));
            }
            for (number, (mark, line)) in lines {
                let _ = writeln!(text, "{number}{mark}{}", escape_line(line));
            }
        }
        for notice in self.all_notices(&reasons, kept) {
            // The first line states the number of results, so a notice about it would repeat it.
            let _ = writeln!(text, "[{}]", escape_name(&notice.message));
        }
        if let Some(message) = self.message() {
            let _ = writeln!(text, "[{}]", escape_name(&message));
        }
        text
    }
}
