//! What caps do: `truncation.yaml`.

use serde::Deserialize;

use crate::closed::ids;
use crate::load::files::TRUNCATION;
use crate::place::At;
use crate::rules::{Rule, Stated};

/// The caps, and what holds for all of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truncation {
    /// The caps, those of one tool in the order in which they count.
    pub caps: Vec<Cap>,
    /// What answers lose that are too long.
    pub budgets: Vec<LengthBudget>,
    /// Where deadlines may cut.
    pub deadlines: Vec<Deadline>,
    /// What is none of them.
    pub rules: Vec<Rule>,
}

/// A cap.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cap {
    /// Its id.
    pub id: At<String>,
    /// Whose it is.
    pub of: CapsOf,
    /// How much it allows.
    pub limit: CapLimit,
    /// What it counts.
    pub counts: Counted,
    /// What it counts together.
    pub within: Within,
    /// At which number.
    pub strikes: Strikes,
    /// What becomes of what comes next.
    pub then: Then,
    /// What the answer tells: a reason or note of the tool.
    pub reason: At<String>,
    /// What it is for.
    pub text: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// What an answer loses that is too long.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthBudget {
    /// Its id.
    pub id: At<String>,
    /// Whose it is.
    pub of: CapsOf,
    /// What is left out, in this order.
    pub leaves_out: Vec<LengthPart>,
    /// What the answer tells: a reason of the tool.
    pub reason: At<String>,
    /// What it is for.
    pub text: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// Where a deadline may cut.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deadline {
    /// Its id.
    pub id: At<String>,
    /// Whose it is.
    pub of: CapsOf,
    /// Files that are scanned at least.
    pub least: u64,
    /// The last file behind which it may cut.
    pub up_to: UpTo,
    /// What the answer tells: a reason or note of the tool.
    pub reason: At<String>,
    /// What it is for.
    pub text: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

impl Truncation {
    /// The caps of a tool.
    pub fn of(&self, tools: CapsOf) -> impl Iterator<Item = &Cap> {
        self.caps.iter().filter(move |cap| cap.of == tools)
    }

    /// Every reason that a row tells, with whose it is.
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
            line: id.referenced.line(),
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
    /// Whose caps they are.
    CapsOf {
        /// Of `Search`.
        Search = "search",
        /// Of `search_files`.
        SearchFiles = "search_files",
        /// Of the agent's tools.
        Agent = "agent",
        /// Of `keyword_search`, beside those of the agent's tools.
        Keyword = "keyword",
    }
}

ids! {
    /// The number that a cap allows.
    CapLimit {
        /// `max_files`.
        MaxFiles = "max_files",
        /// `max_file_size_bytes`.
        MaxFileSizeBytes = "max_file_size_bytes",
        /// `max_matches_per_file`.
        MaxMatchesPerFile = "max_matches_per_file",
        /// `max_results`.
        MaxResults = "max_results",
        /// `max_output_bytes`.
        MaxOutputBytes = "max_output_bytes",
        /// `max_depth`.
        MaxDepth = "max_depth",
        /// What `grep` counts.
        CountedLines = "counted_lines",
        /// What `search_text` ranks.
        PoolFiles = "pool_files",
        /// `term_bytes`.
        TermBytes = "term_bytes",
        /// `total_bytes`.
        TotalBytes = "total_bytes",
    }
}

ids! {
    /// What a cap counts.
    Counted {
        /// Eligible files.
        Files = "files",
        /// Bytes of a file.
        FileBytes = "file_bytes",
        /// Matching lines, or matches.
        Matches = "matches",
        /// Events.
        Events = "events",
        /// Bytes of the text of lines.
        LineBytes = "line_bytes",
        /// Lines that `grep` lists.
        Lines = "lines",
        /// Levels of a directory below the search root.
        Levels = "levels",
        /// Results of a page.
        Results = "results",
        /// Files that `search_text` finds.
        MatchingFiles = "matching_files",
        /// Bytes of a term's text.
        TermBytes = "term_bytes",
    }
}

ids! {
    /// What a cap counts together.
    Within {
        /// All there is.
        Answer = "answer",
        /// What is in one file.
        File = "file",
        /// Each thing by itself.
        Each = "each",
    }
}

ids! {
    /// When a cap strikes.
    Strikes {
        /// At what brings the number beyond the limit.
        Beyond = "beyond",
        /// At what brings it to the limit.
        At = "at",
    }
}

ids! {
    /// What a cap that strikes does.
    Then {
        /// It ends what is counted together.
        Stop = "stop",
        /// It leaves out the one thing.
        Skip = "skip",
    }
}

ids! {
    /// What a budget leaves out.
    LengthPart {
        /// Matches.
        Matches = "matches",
        /// Errors.
        Errors = "errors",
        /// Results.
        Results = "results",
    }
}

ids! {
    /// The last file behind which a deadline may cut.
    UpTo {
        /// The last that was gone through to its end.
        Complete = "complete",
        /// The last that was scanned.
        Scanned = "scanned",
    }
}
