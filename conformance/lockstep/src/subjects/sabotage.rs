//! Production bugs, simulated.
//!
//! Responsible for: [`Sabotage`], one bug each, as a change of the question before and of the
//! answer after a sound subject runs. The harness is shown to find every one of them; production
//! carries no switch for it. Not here: the changes of trees (`tree`) and of answers (`answer`,
//! `files`, `agent`, `keyword`), and running (`touchstone::runner`). Invariants: where the bug
//! would not touch an answer, the sound answer comes back unchanged; a request that is refused
//! stays refused; whatever a bug asks extra is asked of the sound subject, never of the model.

mod agent;
mod answer;
mod files;
mod keyword;
mod tree;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use touchstone_cases::case::Case;
use touchstone_cases::family::Family;
use touchstone_cases::raw::RawObject;

use crate::observation::{Broken, Observation};

/// Runs one case on the sound subject.
pub type RunSound<'a> = &'a mut dyn FnMut(&Case) -> Result<Observation, Broken>;

/// More events than any case has, and as many as a request may ask for.
const ALL_EVENTS: u64 = 100_000;

/// How a bug is simulated. `None`: it would not affect the answer.
enum Change {
    /// Changes the case.
    Question(fn(&Case) -> Option<Case>),
    /// Changes the answer.
    Answer(fn(&Value) -> Option<Value>),
    /// Changes the text of an answer of `search_files`.
    Text(fn(&mut RawObject) -> Option<()>),
    /// Changes the structured answer of the other tools.
    Page(fn(&mut Map<String, Value>) -> Option<()>),
    /// Builds the answer from those to other cases.
    Both(fn(&Case, &Value, RunSound<'_>) -> Result<Option<Value>, Broken>),
}

/// The bugs: each with its variant, the part after `+` in a subject's name, the tools that have it,
/// and the change.
macro_rules! bugs {
    ($(
        #[doc = $doc:literal]
        $bug:ident, $name:literal, $family:ident, $change:ident($with:expr);
    )+) => {
        /// One production bug.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Sabotage {
            $(#[doc = $doc] $bug,)+
        }

        impl Sabotage {
            pub const ALL: &[Self] = &[$(Self::$bug),+];

            /// The part after `+` in a subject's name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$bug => $name,)+ }
            }

            /// The tools that have it.
            pub fn family(self) -> Family {
                match self { $(Self::$bug => Family::$family,)+ }
            }

            fn change(self) -> Change {
                match self { $(Self::$bug => Change::$change($with),)+ }
            }
        }
    };
}

bugs! {
    /// Files are ordered component by component, not by the whole path.
    ComponentSort, "component-sort", Search, Both(component_sort);
    /// One event too many is emitted.
    TruncationOffByOne, "truncation-off-by-one", Search, Both(one_more_event);
    /// Whether more events exist is assumed, not looked up.
    NoPeek, "no-peek", Search, Both(no_peek);
    /// Insensitive matching folds as Unicode does.
    UnicodeFolding, "unicode-folding", Search, Both(unicode_folding);
    /// Ignore files above the search root are not read.
    ForgetParentIgnore, "forget-parent-ignore", Search, Question(tree::without_rules_above);
    /// `max_results` counts matches only.
    ContextNotCounted, "context-not-counted", Search, Both(context_not_counted);
    /// Columns count characters, not bytes.
    ColumnInCharacters, "column-in-characters", Search, Answer(answer::columns_in_characters);
    /// Followed links may leave the sandbox.
    FollowSymlinkOut, "follow-symlink-out", Search, Question(tree::with_outside_links_inlined);
    /// A last line without a line feed is lost.
    DropLastLineWithoutNewline, "drop-last-line-without-newline", Search,
        Question(tree::without_unfinished_lines);
    /// The carriage return before a line feed belongs to the line.
    KeepCr, "keep-cr", Search, Question(tree::with_carriage_returns_doubled);
    /// One file too many is searched.
    MaxFilesOffByOne, "max-files-off-by-one", Search, Both(one_more_file);
    /// `search_files` loses the last match.
    FilesLastMatchLost, "files-last-match-lost", Files, Text(files::last_match_lost);
    /// `search_files` finds one match on a line.
    FilesLinesCounted, "files-lines-counted", Files, Text(files::lines_counted);
    /// Columns of `search_files` count characters, not bytes.
    FilesColumnInCharacters, "files-column-in-characters", Files,
        Text(files::columns_in_characters);
    /// `search_files` tells nothing of binary files.
    FilesBinaryForgotten, "files-binary-forgotten", Files, Text(files::binary_forgotten);
    /// Answers of `search_files` may be one byte too long.
    FilesOneByteMore, "files-one-byte-more", Files, Question(files::one_byte_more);
    /// Scores of `search_files` depend on the query's length alone.
    FilesScoreOff, "files-score-off", Files, Text(files::scores_off);
    /// The agent's tools lose the last result of an answer.
    AgentLastResultLost, "agent-last-result-lost", Agent, Page(agent::last_result_lost);
    /// `total` of the agent's tools counts what is shown.
    AgentTotalOfPage, "agent-total-of-page", Agent, Page(agent::total_of_page);
    /// Scores of `search_text` are a hundredth too low.
    AgentScoreOff, "agent-score-off", Agent, Page(agent::scores_off);
    /// The agent's tools forget which types of files were asked for.
    AgentTypeForgotten, "agent-type-forgotten", Agent,
        Question(|case| without_field(case, "file_type"));
    /// `grep` and `search_text` show one line less below a line.
    AgentContextShort, "agent-context-short", Agent, Page(agent::context_short);
    /// That a line was cut is not said.
    AgentCutUnsaid, "agent-cut-unsaid", Agent, Page(agent::cut_unsaid);
    /// A page begins one result too late.
    AgentPageTooFar, "agent-page-too-far", Agent, Question(page_too_far);
    /// The path search looks below the search root's children though it should not.
    AgentAlwaysRecursive, "agent-always-recursive", Agent,
        Question(|case| without_field(case, "recursive"));
    /// What the budget of the agent's tools cut is called complete.
    AgentBudgetUnsaid, "agent-budget-unsaid", Agent, Page(agent::budget_unsaid);
    /// The first two results of the agent's tools stand the other way round.
    AgentOrderSwapped, "agent-order-swapped", Agent, Page(agent::order_swapped);
    /// What `max_results` cut is called complete; the reason stays.
    AgentCompleteSaid, "agent-complete-said", Agent, Page(agent::complete_said);
    /// A language model gets what should be redacted.
    KeywordSecretSent, "keyword-secret-sent", Keyword, Answer(keyword::secret_sent);
    /// Scores of `keyword_search` are a hundredth too low.
    KeywordScoreOff, "keyword-score-off", Keyword, Page(agent::scores_off);
    /// `keyword_search` keeps terms that are too broad.
    KeywordTermKept, "keyword-term-kept", Keyword, Question(keyword::with_room);
    /// `keyword_search` never looks for a repository.
    KeywordRootForgotten, "keyword-root-forgotten", Keyword,
        Question(keyword::without_repositories);
    /// What a language model named and was dropped is not counted.
    KeywordDropUnsaid, "keyword-drop-unsaid", Keyword, Page(keyword::drop_unsaid);
    /// The files that a language model named stand in path order.
    KeywordOrderLost, "keyword-order-lost", Keyword, Page(keyword::order_lost);
}

impl Sabotage {
    /// Runs `case` on `sound` as if production had the bug.
    ///
    /// # Errors
    /// Those of `sound`.
    pub fn run(self, case: &Case, sound: RunSound<'_>) -> Result<Observation, Broken> {
        let honest = sound(case)?;
        if self.family() != case.family() {
            return Ok(honest);
        }
        let bugged = match (&honest, self.change()) {
            // A refusal for the budget is where that bug shows first.
            (Err(_), Change::Question(change)) if self == Self::FilesOneByteMore => {
                ask(change(case), sound)?
            }
            (Err(_), _) => None,
            (Ok(_), Change::Question(change)) => ask(change(case), sound)?,
            (Ok(answer), Change::Answer(change)) => change(answer),
            (Ok(answer), Change::Text(change)) => files::changed(answer, change),
            (Ok(answer), Change::Page(change)) => agent::changed(answer, change),
            (Ok(answer), Change::Both(change)) => change(case, answer, sound)?,
        };
        Ok(bugged.map_or(honest, Ok))
    }
}

/// Asks a changed question; `None` if there is none or the answer is a refusal.
fn ask(changed: Option<Case>, sound: RunSound<'_>) -> Result<Option<Value>, Broken> {
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

fn component_sort(
    case: &Case,
    honest: &Value,
    sound: RunSound<'_>,
) -> Result<Option<Value>, Broken> {
    let Some(all) = ask(Some(limited(case, ALL_EVENTS)), sound)? else { return Ok(None) };
    Ok(answer::sorted_by_components(honest, &all, max_results(case)))
}

fn one_more_event(
    case: &Case,
    honest: &Value,
    sound: RunSound<'_>,
) -> Result<Option<Value>, Broken> {
    let limit = max_results(case);
    if answer::event_count(honest) < limit || limit >= ALL_EVENTS {
        return Ok(None);
    }
    let more = ask(Some(limited(case, limit + 1)), sound)?;
    Ok(more.map(|more| answer::with_limit_named(more, limit + 1, limit)))
}

/// With the limit one lower, the first event that is not emitted is the last one that the bug
/// emits: where that answer stops is where the bug stops.
fn no_peek(case: &Case, honest: &Value, sound: RunSound<'_>) -> Result<Option<Value>, Broken> {
    let limit = max_results(case);
    if answer::event_count(honest) != limit {
        return Ok(None);
    }
    let stop = if limit > 1 { ask(Some(limited(case, limit - 1)), sound)? } else { None };
    Ok(Some(answer::cut_without_looking(honest, stop.as_ref(), limit)))
}

fn unicode_folding(case: &Case, _: &Value, sound: RunSound<'_>) -> Result<Option<Value>, Broken> {
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
    sound: RunSound<'_>,
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

fn one_more_file(case: &Case, _: &Value, sound: RunSound<'_>) -> Result<Option<Value>, Broken> {
    let limit = number(case, "max_files").unwrap_or_else(|| case.model_config().max_files);
    let mut changed = with_field(case, "max_files", json!(limit + 1));
    changed.config.max_files = Some(changed.model_config().max_files.max(limit + 1));
    let more = ask(Some(changed), sound)?;
    let (from, to) = (format!("max_files {} ", limit + 1), format!("max_files {limit} "));
    Ok(more.map(|more| answer::with_note(more, &from, &to)))
}

#[cfg(test)]
mod tests;
