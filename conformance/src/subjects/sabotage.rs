//! Production bugs, simulated.
//!
//! Responsible for: [`Sabotage`], one bug each, as a change of the question before and of the
//! answer after a sound subject runs. The harness is shown to find every one of them; production
//! carries no switch for it. Left to neighbours: the changes of trees (`tree`) and of answers
//! (`answer`, `files`, `agent`, `keyword`), and running ([`crate::runner`]). Invariants: where the
//! bug would not touch an answer, the sound answer comes back unchanged; a request that is refused
//! stays refused; whatever a bug asks extra is asked of the sound subject, never of the model.

mod agent;
mod answer;
mod files;
mod keyword;
mod tree;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::case::{CallContext, Case};
use crate::observation::{Broken, Observation};

/// Runs one case on the sound subject.
pub type Sound<'a> = &'a mut dyn FnMut(&Case) -> Result<Observation, Broken>;

/// More events than any case has, and as many as a request may ask for.
const ALL_EVENTS: u64 = 100_000;

/// One production bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sabotage {
    /// Files are ordered component by component, not by the whole path.
    ComponentSort,
    /// One event too many is emitted.
    TruncationOffByOne,
    /// Whether more events exist is assumed, not looked up.
    NoPeek,
    /// Insensitive matching folds as Unicode does.
    UnicodeFolding,
    /// Ignore files above the search root are not read.
    ForgetParentIgnore,
    /// `max_results` counts matches only.
    ContextNotCounted,
    /// Columns count characters, not bytes.
    ColumnInCharacters,
    /// Followed links may leave the sandbox.
    FollowSymlinkOut,
    /// A last line without a line feed is lost.
    DropLastLineWithoutNewline,
    /// The carriage return before a line feed belongs to the line.
    KeepCr,
    /// One file too many is searched.
    MaxFilesOffByOne,
    /// `search_files` loses the last match.
    FilesLastMatchLost,
    /// `search_files` finds one match on a line.
    FilesLinesCounted,
    /// Columns of `search_files` count characters, not bytes.
    FilesColumnInCharacters,
    /// `search_files` tells nothing of binary files.
    FilesBinaryForgotten,
    /// Answers of `search_files` may be one byte too long.
    FilesOneByteMore,
    /// Scores of `search_files` go by the query's length alone.
    FilesScoreOff,
    /// The agent's tools lose the last result of an answer.
    AgentLastResultLost,
    /// `total` of the agent's tools counts what is shown.
    AgentTotalOfPage,
    /// Scores of `search_text` are a hundredth too low.
    AgentScoreOff,
    /// The agent's tools forget which types of files were asked for.
    AgentTypeForgotten,
    /// `grep` and `search_text` show one line less below a line.
    AgentContextShort,
    /// That a line was cut is not said.
    AgentCutUnsaid,
    /// A page begins one result too late.
    AgentPageTooFar,
    /// The path search looks below the search root's children though it should not.
    AgentAlwaysRecursive,
    /// What the budget of the agent's tools cut is called complete.
    AgentBudgetUnsaid,
    /// The first two results of the agent's tools stand the other way round.
    AgentOrderSwapped,
    /// What `max_results` cut is called complete; the reason stays.
    AgentCompleteSaid,
    /// A language model is told what should be redacted.
    KeywordSecretSent,
    /// Scores of `keyword_search` are a hundredth too low.
    KeywordScoreOff,
    /// `keyword_search` keeps terms that are too broad.
    KeywordTermKept,
    /// `keyword_search` never looks for a repository.
    KeywordRootForgotten,
    /// What a language model named and was dropped is not counted.
    KeywordDropUnsaid,
    /// The files that a language model named stand in path order.
    KeywordOrderLost,
}

impl Sabotage {
    /// All of them.
    pub const ALL: [Self; 34] = [
        Self::ComponentSort,
        Self::TruncationOffByOne,
        Self::NoPeek,
        Self::UnicodeFolding,
        Self::ForgetParentIgnore,
        Self::ContextNotCounted,
        Self::ColumnInCharacters,
        Self::FollowSymlinkOut,
        Self::DropLastLineWithoutNewline,
        Self::KeepCr,
        Self::MaxFilesOffByOne,
        Self::FilesLastMatchLost,
        Self::FilesLinesCounted,
        Self::FilesColumnInCharacters,
        Self::FilesBinaryForgotten,
        Self::FilesOneByteMore,
        Self::FilesScoreOff,
        Self::AgentLastResultLost,
        Self::AgentTotalOfPage,
        Self::AgentScoreOff,
        Self::AgentTypeForgotten,
        Self::AgentContextShort,
        Self::AgentCutUnsaid,
        Self::AgentPageTooFar,
        Self::AgentAlwaysRecursive,
        Self::AgentBudgetUnsaid,
        Self::AgentOrderSwapped,
        Self::AgentCompleteSaid,
        Self::KeywordSecretSent,
        Self::KeywordScoreOff,
        Self::KeywordTermKept,
        Self::KeywordRootForgotten,
        Self::KeywordDropUnsaid,
        Self::KeywordOrderLost,
    ];

    /// The part after `+` in a subject's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ComponentSort => "component-sort",
            Self::TruncationOffByOne => "truncation-off-by-one",
            Self::NoPeek => "no-peek",
            Self::UnicodeFolding => "unicode-folding",
            Self::ForgetParentIgnore => "forget-parent-ignore",
            Self::ContextNotCounted => "context-not-counted",
            Self::ColumnInCharacters => "column-in-characters",
            Self::FollowSymlinkOut => "follow-symlink-out",
            Self::DropLastLineWithoutNewline => "drop-last-line-without-newline",
            Self::KeepCr => "keep-cr",
            Self::MaxFilesOffByOne => "max-files-off-by-one",
            Self::FilesLastMatchLost => "files-last-match-lost",
            Self::FilesLinesCounted => "files-lines-counted",
            Self::FilesColumnInCharacters => "files-column-in-characters",
            Self::FilesBinaryForgotten => "files-binary-forgotten",
            Self::FilesOneByteMore => "files-one-byte-more",
            Self::FilesScoreOff => "files-score-off",
            Self::AgentLastResultLost => "agent-last-result-lost",
            Self::AgentTotalOfPage => "agent-total-of-page",
            Self::AgentScoreOff => "agent-score-off",
            Self::AgentTypeForgotten => "agent-type-forgotten",
            Self::AgentContextShort => "agent-context-short",
            Self::AgentCutUnsaid => "agent-cut-unsaid",
            Self::AgentPageTooFar => "agent-page-too-far",
            Self::AgentAlwaysRecursive => "agent-always-recursive",
            Self::AgentBudgetUnsaid => "agent-budget-unsaid",
            Self::AgentOrderSwapped => "agent-order-swapped",
            Self::AgentCompleteSaid => "agent-complete-said",
            Self::KeywordSecretSent => "keyword-secret-sent",
            Self::KeywordScoreOff => "keyword-score-off",
            Self::KeywordTermKept => "keyword-term-kept",
            Self::KeywordRootForgotten => "keyword-root-forgotten",
            Self::KeywordDropUnsaid => "keyword-drop-unsaid",
            Self::KeywordOrderLost => "keyword-order-lost",
        }
    }

    /// Whether it is a bug of `search_files`.
    pub fn is_of_files(self) -> bool {
        self.name().starts_with("files-")
    }

    /// Whether it is a bug of the agent's tools.
    pub fn is_of_agent(self) -> bool {
        self.name().starts_with("agent-")
    }

    /// Whether it is a bug of `keyword_search`.
    pub fn is_of_keyword(self) -> bool {
        self.name().starts_with("keyword-")
    }

    /// Runs `case` on `sound` as if production had the bug.
    ///
    /// # Errors
    /// Those of `sound`.
    pub fn run(self, case: &Case, sound: Sound<'_>) -> Result<Observation, Broken> {
        let honest = sound(case)?;
        let Ok(response) = &honest else {
            // A refusal for the budget is where that bug shows first.
            let is_it = self == Self::FilesOneByteMore && case.context != CallContext::default();
            let fits = if is_it { files::one_byte_more(case, sound)? } else { None };
            return Ok(fits.map_or(honest, Ok));
        };
        let is_of_tool = self.is_of_files() == case.calls_files()
            && self.is_of_agent() == case.calls_agent()
            && self.is_of_keyword() == case.calls_keyword();
        if !is_of_tool {
            return Ok(honest);
        }
        let bugged = match self {
            Self::ComponentSort => component_sort(case, response, sound)?,
            Self::TruncationOffByOne => one_more_event(case, response, sound)?,
            Self::NoPeek => no_peek(case, response, sound)?,
            Self::UnicodeFolding => unicode_folding(case, sound)?,
            Self::ForgetParentIgnore => ask(tree::without_rules_above(case), sound)?,
            Self::ContextNotCounted => context_not_counted(case, response, sound)?,
            Self::ColumnInCharacters => Some(answer::columns_in_characters(response)),
            Self::FollowSymlinkOut => ask(tree::with_outside_links_inlined(case), sound)?,
            Self::DropLastLineWithoutNewline => ask(tree::without_unfinished_lines(case), sound)?,
            Self::KeepCr => ask(tree::with_carriage_returns_doubled(case), sound)?,
            Self::MaxFilesOffByOne => one_more_file(case, sound)?,
            Self::FilesLastMatchLost => files::changed(response, files::last_match_lost),
            Self::FilesLinesCounted => files::changed(response, files::lines_counted),
            Self::FilesColumnInCharacters => files::changed(response, files::columns_in_characters),
            Self::FilesBinaryForgotten => files::changed(response, files::binary_forgotten),
            Self::FilesOneByteMore => files::one_byte_more(case, sound)?,
            Self::FilesScoreOff => files::changed(response, files::scores_off),
            Self::AgentLastResultLost => agent::changed(response, agent::last_result_lost),
            Self::AgentTotalOfPage => agent::changed(response, agent::total_of_page),
            Self::AgentScoreOff => agent::changed(response, agent::scores_off),
            Self::AgentTypeForgotten => ask(without_field(case, "file_type"), sound)?,
            Self::AgentContextShort => agent::changed(response, agent::context_short),
            Self::AgentCutUnsaid => agent::changed(response, agent::cut_unsaid),
            Self::AgentPageTooFar => ask(page_too_far(case), sound)?,
            Self::AgentAlwaysRecursive => ask(without_field(case, "recursive"), sound)?,
            Self::AgentBudgetUnsaid => agent::changed(response, agent::budget_unsaid),
            Self::AgentOrderSwapped => agent::changed(response, agent::order_swapped),
            Self::AgentCompleteSaid => agent::changed(response, agent::complete_said),
            Self::KeywordSecretSent => keyword::secret_sent(response),
            Self::KeywordScoreOff => keyword::changed(response, agent::scores_off),
            Self::KeywordTermKept => ask(keyword::with_room(case), sound)?,
            Self::KeywordRootForgotten => ask(keyword::without_repositories(case), sound)?,
            Self::KeywordDropUnsaid => keyword::changed(response, keyword::drop_unsaid),
            Self::KeywordOrderLost => keyword::changed(response, keyword::order_lost),
        };
        Ok(bugged.map_or(honest, Ok))
    }
}

/// Asks a changed question; `None` if there is none or the answer is a refusal.
fn ask(changed: Option<Case>, sound: Sound<'_>) -> Result<Option<Value>, Broken> {
    changed.map_or(Ok(None), |case| Ok(sound(&case)?.ok()))
}

/// The same case with another event limit, and the limit that applied before.
fn limited(case: &Case, limit: u64) -> Case {
    with_field(case, "max_results", json!(limit))
}

fn with_field(case: &Case, field: &str, value: Value) -> Case {
    let mut case = case.clone();
    if let Some(fields) = case.request.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
    case
}

/// The same case without a field of its request, if it has that.
fn without_field(case: &Case, field: &str) -> Option<Case> {
    let mut case = case.clone();
    case.request.as_object_mut()?.remove(field)?;
    Some(case)
}

/// The same case from one result further on, if it asks for an offset at all.
fn page_too_far(case: &Case) -> Option<Case> {
    let offset = number(case, "offset").filter(|offset| *offset > 0)?;
    Some(with_field(case, "offset", json!(offset + 1)))
}

/// The event limit that applies to a case whose request is sound.
fn max_results(case: &Case) -> u64 {
    number(case, "max_results").unwrap_or_else(|| case.model_config().default_max_results)
}

fn number(case: &Case, field: &str) -> Option<u64> {
    case.request.get(field).and_then(Value::as_u64)
}

fn component_sort(case: &Case, honest: &Value, sound: Sound<'_>) -> Result<Option<Value>, Broken> {
    let Some(all) = ask(Some(limited(case, ALL_EVENTS)), sound)? else { return Ok(None) };
    Ok(answer::sorted_by_components(honest, &all, max_results(case)))
}

fn one_more_event(case: &Case, honest: &Value, sound: Sound<'_>) -> Result<Option<Value>, Broken> {
    let limit = max_results(case);
    if answer::event_count(honest) < limit || limit >= ALL_EVENTS {
        return Ok(None);
    }
    let more = ask(Some(limited(case, limit + 1)), sound)?;
    Ok(more.map(|more| answer::with_limit_named(more, limit + 1, limit)))
}

/// With the limit one lower, the first event that is not emitted is the last one that the bug
/// emits: where that answer stops is where the bug stops.
fn no_peek(case: &Case, honest: &Value, sound: Sound<'_>) -> Result<Option<Value>, Broken> {
    let limit = max_results(case);
    if answer::event_count(honest) != limit {
        return Ok(None);
    }
    let stop = if limit > 1 { ask(Some(limited(case, limit - 1)), sound)? } else { None };
    Ok(Some(answer::cut_without_looking(honest, stop.as_ref(), limit)))
}

fn unicode_folding(case: &Case, sound: Sound<'_>) -> Result<Option<Value>, Broken> {
    let Some(pattern) = case.request.get("pattern").and_then(Value::as_str) else {
        return Ok(None);
    };
    let folds = match case.request.get("case").and_then(Value::as_str) {
        Some("insensitive") => true,
        Some("sensitive") => false,
        // Where the capitals of a smart pattern might come from an escape, the bug is not
        // simulated.
        _ => !pattern.bytes().any(|byte| byte.is_ascii_uppercase()),
    };
    if !folds || case.request.get("fuzzy").is_some() {
        return Ok(None);
    }
    let is_literal = case.request.get("fixed_strings").and_then(Value::as_bool).unwrap_or(false);
    let folding = if is_literal { quote(pattern) } else { format!("(?:{pattern})") };
    let changed = with_field(case, "pattern", json!(format!("(?i){folding}")));
    let answer = ask(Some(with_field(&changed, "fixed_strings", json!(false))), sound)?;
    Ok(answer.map(|mut answer| {
        answer::set(&mut answer, "pattern", json!(pattern));
        answer
    }))
}

/// A literal as a regular expression.
fn quote(literal: &str) -> String {
    let mut quoted = String::new();
    for character in literal.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(character) {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted
}

/// Asks with the limit at which the bug would stop: after the context of the last match it counts.
fn context_not_counted(
    case: &Case,
    honest: &Value,
    sound: Sound<'_>,
) -> Result<Option<Value>, Broken> {
    let limit = max_results(case);
    if answer::event_count(honest) < limit {
        return Ok(None);
    }
    let Some(all) = ask(Some(limited(case, ALL_EVENTS)), sound)? else { return Ok(None) };
    let context = number(case, "context").unwrap_or(0);
    let stop = answer::events_of_matches(&all, limit, context);
    if stop <= limit || stop > ALL_EVENTS {
        return Ok(None);
    }
    let more = ask(Some(limited(case, stop)), sound)?;
    Ok(more.map(|more| answer::with_limit_named(more, stop, limit)))
}

fn one_more_file(case: &Case, sound: Sound<'_>) -> Result<Option<Value>, Broken> {
    let limit = number(case, "max_files").unwrap_or_else(|| case.model_config().max_files);
    let mut changed = with_field(case, "max_files", json!(limit + 1));
    changed.config.max_files = Some(changed.model_config().max_files.max(limit + 1));
    let more = ask(Some(changed), sound)?;
    let (from, to) = (format!("max_files {} ", limit + 1), format!("max_files {limit} "));
    Ok(more.map(|more| answer::with_note(more, &from, &to)))
}

#[cfg(test)]
mod tests;
