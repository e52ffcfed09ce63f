//! The caps (`truncation.yaml`).

use serde::Deserialize;

use crate::closed::ids;
use crate::files::TRUNCATION;
use crate::place::At;
use crate::rules::{Rule, Stated};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truncation {
    /// In the order in which they count, by tool.
    pub caps: Vec<Cap>,
    /// Shortening of answers that are too long.
    pub budgets: Vec<LengthBudget>,
    /// Where deadlines may cut.
    pub deadlines: Vec<Deadline>,
    pub rules: Vec<Rule>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cap {
    pub id: At<String>,
    pub of: CapsOf,
    pub limit: CapLimit,
    pub counts: Counted,
    /// The scope of the count.
    pub within: Within,
    pub strikes: Strikes,
    pub then: Then,
    /// A reason or note of the tool.
    pub reason: At<String>,
    pub text: String,
    pub clauses: Vec<At<String>>,
}

/// Shortening of answers that are too long.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthBudget {
    pub id: At<String>,
    pub of: CapsOf,
    /// What is removed, in order.
    pub leaves_out: Vec<LengthPart>,
    /// A reason of the tool.
    pub reason: At<String>,
    pub text: String,
    pub clauses: Vec<At<String>>,
}

/// Where a deadline may cut.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deadline {
    pub id: At<String>,
    pub of: CapsOf,
    /// Least number of scanned files.
    pub least: u64,
    /// The last file after which it may cut.
    pub up_to: UpTo,
    /// A reason or note of the tool.
    pub reason: At<String>,
    pub text: String,
    pub clauses: Vec<At<String>>,
}

impl Truncation {
    /// The caps of a tool.
    pub fn of(&self, tools: CapsOf) -> impl Iterator<Item = &Cap> {
        self.caps.iter().filter(move |cap| cap.of == tools)
    }

    /// The reason of every row, with its tool.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (CapsOf, &At<String>)> {
        let caps = self.caps.iter().map(|row| (row.of, &row.reason));
        let budgets = self.budgets.iter().map(|row| (row.of, &row.reason));
        caps.chain(budgets).chain(self.deadlines.iter().map(|row| (row.of, &row.reason)))
    }

    /// Every row as a rule.
    pub(crate) fn stated<'s>(&'s self) -> impl Iterator<Item = Stated<'s>> {
        let stated = |id: &'s At<String>, text: &'s str, clauses: &'s [At<String>]| Stated {
            file: TRUNCATION,
            id: &id.value,
            line: id.line,
            text,
            clauses,
        };
        let caps = self.caps.iter().map(move |row| stated(&row.id, &row.text, &row.clauses));
        let budgets = self.budgets.iter().map(move |row| stated(&row.id, &row.text, &row.clauses));
        let deadlines =
            self.deadlines.iter().map(move |row| stated(&row.id, &row.text, &row.clauses));
        let rules = self.rules.iter().map(|rule| rule.stated(TRUNCATION));
        caps.chain(budgets).chain(deadlines).chain(rules)
    }
}

ids! {
    CapsOf {
        Search = "search",
        SearchFiles = "search_files",
        Agent = "agent",
        /// `keyword_search`, in addition to the caps of the agent's tools.
        Keyword = "keyword",
    }
}

ids! {
    /// The number that a cap allows.
    CapLimit {
        MaxFiles = "max_files",
        MaxFileSizeBytes = "max_file_size_bytes",
        MaxMatchesPerFile = "max_matches_per_file",
        MaxResults = "max_results",
        MaxOutputBytes = "max_output_bytes",
        MaxDepth = "max_depth",
        /// The lines that `grep` counts.
        CountedLines = "counted_lines",
        TermBytes = "term_bytes",
        TotalBytes = "total_bytes",
    }
}

ids! {
    /// What a cap counts.
    Counted {
        Files = "files",
        FileBytes = "file_bytes",
        /// Matching lines, or matches.
        Matches = "matches",
        Events = "events",
        LineBytes = "line_bytes",
        /// Lines that `grep` lists.
        Lines = "lines",
        /// Levels of a directory below the search root.
        Levels = "levels",
        Results = "results",
        /// Files that `search_text` finds.
        TermBytes = "term_bytes",
    }
}

ids! {
    /// The scope of a count.
    Within {
        Answer = "answer",
        File = "file",
        /// Each item by itself.
        Each = "each",
    }
}

ids! {
    /// When a cap strikes.
    Strikes {
        /// When an item exceeds the limit.
        Beyond = "beyond",
        /// When an item reaches the limit.
        At = "at",
    }
}

ids! {
    /// The effect of a cap.
    Then {
        /// It ends the scope of the count.
        Stop = "stop",
        /// It leaves out the item.
        Skip = "skip",
    }
}

ids! {
    /// A part of an answer that a budget removes.
    LengthPart {
        Matches = "matches",
        Errors = "errors",
        Results = "results",
    }
}

ids! {
    /// The last file after which a deadline may cut.
    UpTo {
        /// The last file processed to its end.
        Complete = "complete",
        /// The last scanned file.
        Scanned = "scanned",
    }
}
