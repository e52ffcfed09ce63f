//! The text form of an answer: files, their lines, and what was left out.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{Answer, Draft, Shown};
use crate::content::{escape_line, escape_name};

impl<R: Shown, O> Draft<R, O> {
    /// The noun for all results.
    pub(super) const fn noun(&self) -> &'static str {
        let (one, several) = self.nouns;
        if self.total == 1 { one } else { several }
    }

    /// The text of `answer` with the first `kept` results. Lines shared by several results of a
    /// file appear once.
    pub(super) fn text(&self, answer: &Answer<R, O>, kept: usize) -> String {
        let mut text = String::new();
        let least = if answer.total_is_lower_bound { "at least " } else { "" };
        let (total, noun) = (self.total, self.noun());
        // Writing to a string does not fail.
        let _ = writeln!(text, "{least}{total} {noun}{}", self.counts);
        let mut rest = self.results.get(..kept).unwrap_or_default();
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|found| found.path() == first.path()).count();
            let (group, more) = rest.split_at(same.max(1));
            rest = more;
            let _ = writeln!(text, "{}{}", escape_name(first.path()), first.heading());
            let mut lines: BTreeMap<u64, (char, &str)> = BTreeMap::new();
            for (number, mark, line) in group.iter().flat_map(Shown::lines) {
                // A line may be a match of one result and context of another.
                let shown = lines.entry(number).or_insert((mark, line));
                if mark == ':' {
                    *shown = (mark, line);
                }
            }
            for (number, (mark, line)) in lines {
                let _ = writeln!(text, "{number}{mark}{}", escape_line(line));
            }
        }
        // The first line states the number of results, so a notice about it would repeat it.
        let said = answer.notices.iter().map(|notice| &notice.message).chain(&answer.message);
        for sentence in said {
            let _ = writeln!(text, "[{}]", escape_name(sentence));
        }
        text
    }
}
