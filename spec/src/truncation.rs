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
    /// What is no cap's.
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

impl Truncation {
    /// The caps of a tool.
    pub fn of(&self, tools: CapsOf) -> impl Iterator<Item = &Cap> {
        self.caps.iter().filter(move |cap| cap.of == tools)
    }

    /// Every row as a rule.
    pub(crate) fn stated(&self) -> impl Iterator<Item = Stated<'_>> {
        let caps = self.caps.iter().map(|cap| Stated {
            file: TRUNCATION,
            id: &cap.id.value,
            line: cap.id.referenced.line(),
            text: &cap.text,
            clauses: &cap.clauses,
        });
        caps.chain(self.rules.iter().map(|rule| rule.stated(TRUNCATION)))
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
