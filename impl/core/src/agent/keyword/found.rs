//! What an answer of `keyword_search` holds (docs/keyword-search.md, section 8).

use std::ops::Not;

use serde::Serialize;

use super::{prompt::Prompt, selected_terms::SkipReason};
use crate::{
    agent::{
        answer::{self, Shown},
        excerpt::Line,
        notice::{Notice, NoticeKind, Reason},
    },
    content::escape_name,
};

/// Longest shown term in bytes of JSON.
const SHOWN_TERM_BYTES: usize = 64;

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// Files, best first.
    Files(Box<Files>),
    /// What would be sent to a language model, if the request asked for that.
    DryRun(DryRun),
}

/// An answer with files.
pub type Files = answer::Answer<Found, Ranking>;

/// An answer with files before it is cut to its budget.
pub type Draft = answer::Draft<Found, Ranking>;

/// A file with hits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// Whether a shown line is truncated.
    #[serde(skip_serializing_if = "Not::not")]
    pub cut: bool,
    /// Lines with hits: those that a model named, or those with most terms.
    pub lines: Vec<Line>,
    /// Lines with hits.
    pub match_count: usize,
    /// Why a language model named the file, in its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_reason: Option<String>,
    /// The path as shown.
    pub path: String,
    /// 0 to 1; higher is better.
    pub score: f64,
    /// The terms that the file holds.
    pub terms: Vec<String>,
}

impl Shown for Found {
    fn path(&self) -> &str {
        &self.path
    }

    fn heading(&self) -> String {
        let by = if self.terms.is_empty() { "by its path" } else { &self.terms.join(", ") };
        let mut heading = format!(" ({:.2}; {by})", self.score);
        if let Some(reason) = &self.model_reason {
            heading = format!("{heading} model: {reason}");
        }
        escape_name(&heading)
    }

    fn lines(&self) -> Vec<(u64, char, &str)> {
        self.lines.iter().map(|line| (line.line, ':', line.text.as_str())).collect()
    }

    fn is_cut(&self) -> bool {
        self.cut
    }
}

/// What files were found and ranked by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ranking {
    /// The language model that was asked, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// Who ranked the files.
    pub ranked_by: RankedBy,
    /// The search root as shown.
    pub root: String,
    /// The terms, in the order of the request.
    pub terms: Vec<TermFound>,
}

/// Who ranked files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RankedBy {
    /// The hits.
    Hits,
    /// A language model.
    Model,
}

/// What became of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TermFound {
    /// Length of its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// Files with a hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Lines with a hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Why it is not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<SkipReason>,
    /// The term, or the beginning of a long one.
    pub term: String,
}

impl TermFound {
    pub(super) fn new(term: &str) -> Self {
        Self { bytes: None, files: None, lines: None, skipped: None, term: short(term) }
    }
}

/// A term shortened to [`SHOWN_TERM_BYTES`] of JSON.
pub(super) fn short(term: &str) -> String {
    let written = |c: char| match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    };
    let mut bytes = 0;
    let end = term.char_indices().find(|(_, c)| {
        bytes += written(*c);
        bytes > SHOWN_TERM_BYTES
    });
    end.map_or_else(
        || term.to_owned(),
        |(end, _)| format!("{}…", term.get(..end).unwrap_or_default()),
    )
}

/// A language model that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Model {
    /// Length of the prompt in bytes.
    pub bytes_sent: u64,
    /// Files that it named and that have no hit.
    pub dropped_files: u64,
    /// Lines that it named and that are no hits.
    pub dropped_lines: u64,
    /// Files in the prompt.
    pub files_sent: usize,
    /// The host.
    pub host: String,
    /// The provider's name of the model.
    pub model: String,
    /// The name in the configuration.
    pub name: String,
    /// What became of it.
    pub outcome: ModelOutcome,
    /// Models asked before that were not available.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<PassedOver>,
    /// Redacted secrets in the prompt.
    pub redacted: u64,
}

/// What became of a call of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelOutcome {
    /// Its answer was used.
    Answered,
    /// It gave no usable answer.
    Failed,
}

/// A language model that was not available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassedOver {
    /// Length of the prompt in bytes.
    pub bytes_sent: u64,
    /// The host.
    pub host: String,
    /// The provider's name of the model.
    pub model: String,
    /// The name in the configuration.
    pub name: String,
    /// Why it gave no answer.
    pub why: String,
}

/// What would be sent to a language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DryRun {
    /// Length of the prompt in bytes.
    pub bytes: u64,
    /// Whether the search for hits was complete.
    pub complete: bool,
    /// Always on; tells this answer from one with files.
    pub dry_run: bool,
    /// Why the search was not complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incomplete_because: Vec<Reason>,
    /// The model that would be asked, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Addressee>,
    /// Remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// The prompt; none if nothing would be sent.
    pub prompt: Option<String>,
    /// Redacted secrets in the prompt.
    pub redacted: u64,
}

/// The language model that would be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Addressee {
    /// The host.
    pub host: String,
    /// The provider's name of the model.
    pub model: String,
    /// The name in the configuration.
    pub name: String,
}

impl DryRun {
    /// The answer to a dry run. After a timeout it has no prompt, since nothing would be sent.
    pub fn new(
        prompt: Option<&Prompt>,
        timed_out: bool,
        model: Option<Addressee>,
        notices: impl IntoIterator<Item = Notice>,
    ) -> Self {
        let late = timed_out.then(|| {
            Notice::new(
                NoticeKind::Incomplete(Reason::Timeout),
                "the time was up before all files were looked at, so nothing would be sent; give fewer or rarer terms",
            )
        });
        Self {
            bytes: prompt.map_or(0, Prompt::bytes),
            complete: !timed_out,
            dry_run: true,
            incomplete_because: timed_out.then_some(Reason::Timeout).into_iter().collect(),
            model,
            notices: late.into_iter().chain(notices).collect(),
            prompt: prompt.map(|prompt| format!("{}\n\n{}", prompt.system, prompt.user)),
            redacted: prompt.map_or(0, |prompt| prompt.redacted),
        }
    }

    /// The answer as text.
    pub fn text(&self) -> &str {
        match &self.prompt {
            Some(prompt) => prompt,
            None if self.complete => "[nothing found, so nothing would be sent]\n",
            None => "[the time was up, so nothing would be sent]\n",
        }
    }
}
