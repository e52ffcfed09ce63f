//! The groups of clauses that verdicts are counted under.

use serde_json::Value;
use touchstone_cases::case::Case;
use touchstone_cases::family::Family;
use touchstone_model::{Answer, Event};

use super::{FieldDiff, Outcome};

/// A group of clauses of document 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The request and its refusals (FR-LS-02, FR-LS-VAL).
    Request,
    /// Which files are searched (FR-LS-SRC-05, FR-LS-SRC-06).
    Eligibility,
    /// In which order (FR-LS-ORD, ALG-LS-A2, ALG-LS-A3).
    Order,
    /// Which lines match (FR-LS-SRC-01 to FR-LS-SRC-04).
    Matching,
    /// What is said about a line (FR-LS-04, FR-LS-SRC-07).
    Events,
    /// Caps (FR-LS-06, FR-LS-SRC-08 to FR-LS-SRC-10).
    Limits,
    /// The response's own fields (FR-LS-05).
    Response,
    /// Approximate matching (FR-LS-SRC-11).
    Fuzzy,
    /// Places that cannot be searched (FR-LS-ERR).
    Fault,
}

impl Group {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Group::Request => "request",
            Group::Eligibility => "eligibility",
            Group::Order => "order",
            Group::Matching => "matching",
            Group::Events => "events",
            Group::Limits => "limits",
            Group::Response => "response",
            Group::Fuzzy => "fuzzy",
            Group::Fault => "fault",
        }
    }

    /// The groups a case exercises, judged by its request and by what the model answers.
    pub fn exercised(case: &Case, outcome: &Outcome) -> Vec<Group> {
        outcome.as_ref().map_or_else(|_| vec![Group::Request], |answer| answer.groups(case))
    }

    /// Those that an answer of `Search` exercises.
    pub(crate) fn of_events(case: &Case, answer: &Answer) -> Vec<Group> {
        let asks = |field: &str| case.request.get(field).is_some();
        let paths = distinct_paths(&answer.events);
        let context = answer.events.iter().any(|event| matches!(event, Event::Context { .. }));
        let filters =
            ["include_glob", "exclude_glob", "glob", "recursive", "hidden", "follow", "no_ignore"];
        let conditions = [
            (Group::Eligibility, case.tree.len() > 1 || filters.into_iter().any(asks)),
            (Group::Order, paths > 1),
            (Group::Matching, !answer.events.is_empty()),
            (Group::Events, context || asks("max_matches_per_file")),
            (Group::Limits, answer.truncated || asks("max_results") || asks("max_files")),
            (Group::Response, true),
            (Group::Fuzzy, asks("fuzzy")),
            (Group::Fault, !answer.errors.is_empty()),
        ];
        conditions.into_iter().filter(|(_, holds)| *holds).map(|(group, _)| group).collect()
    }

    /// The same of an answer of `search_files`.
    pub(crate) fn of_matches(case: &Case, answer: &Value) -> Vec<Group> {
        let asks = |field: &str| case.request.get(field).is_some();
        let items =
            |list: &str| answer.get(list).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut paths: Vec<Option<&Value>> =
            items("matches").iter().map(|one| one.get("path")).collect();
        paths.dedup();
        let filters =
            ["include_globs", "exclude_globs", "recursive", "max_depth", "include_hidden"];
        let others = ["follow_symlinks", "respect_gitignore"];
        let is_cut = answer.get("truncated") == Some(&Value::Bool(true));
        let limits = ["max_results", "max_files", "max_matches_per_file", "max_file_size_bytes"];
        let conditions = [
            (
                Group::Eligibility,
                case.tree.len() > 1 || filters.into_iter().chain(others).any(asks),
            ),
            (Group::Order, paths.len() > 1),
            (Group::Matching, !paths.is_empty()),
            (Group::Events, !paths.is_empty()),
            (Group::Limits, is_cut || limits.into_iter().any(asks)),
            (Group::Response, true),
            (Group::Fuzzy, answer.get("mode").is_some_and(|mode| mode == "fuzzy")),
            (Group::Fault, !items("errors").is_empty()),
        ];
        conditions.into_iter().filter(|(_, holds)| *holds).map(|(group, _)| group).collect()
    }

    /// The same of an answer of the agent's tools.
    pub(crate) fn of_results(case: &Case, page: &Value) -> Vec<Group> {
        let asks = |field: &str| case.request.get(field).is_some();
        let items =
            |list: &str| page.get(list).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut paths: Vec<Option<&Value>> =
            items("results").iter().map(|one| one.get("path")).collect();
        paths.dedup();
        let filters = ["include_path", "exclude_path", "file_type", "recursive", "directory"];
        let conditions = [
            (Group::Eligibility, case.tree.len() > 1 || filters.into_iter().any(asks)),
            (Group::Order, paths.len() > 1),
            (Group::Matching, !paths.is_empty()),
            (Group::Events, !paths.is_empty()),
            (
                Group::Limits,
                !items("incomplete_because").is_empty() || asks("max_results") || asks("offset"),
            ),
            (Group::Response, true),
            (Group::Fault, items("incomplete_because").iter().any(|reason| reason == "errors")),
        ];
        conditions.into_iter().filter(|(_, holds)| *holds).map(|(group, _)| group).collect()
    }

    /// What a differing field of an answer of the agent's tools is about.
    fn of_result_field(difference: &FieldDiff) -> Group {
        let field = place(difference);
        let last = field.rsplit('.').next().unwrap_or(field);
        let is_line = ["line", "match", "snippet", "cut", "match_count"].contains(&last);
        if !field.starts_with("results") {
            Group::Limits
        } else if is_line
            || field.contains(".context")
            || field.contains(".inside")
            || field.contains("match_lines")
        {
            Group::Events
        } else if last == "score" || last == "path" {
            Group::Order
        } else {
            Group::Matching
        }
    }

    /// The groups that differences belong to; at least one. `refused` says whether the model
    /// refuses the request.
    pub fn of_differences(case: &Case, refused: bool, differences: &[FieldDiff]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        if refused {
            groups.push(Group::Request);
        }
        for difference in differences {
            groups.push(Self::of_field(case, difference));
        }
        groups.sort_unstable();
        groups.dedup();
        // The text view repeats what the other fields say; it counts only when it alone is wrong.
        if groups.len() > 1 && !differences.iter().any(|one| is_response_field(&one.field)) {
            groups.retain(|group| *group != Group::Response);
        }
        groups
    }

    fn of_field(case: &Case, difference: &FieldDiff) -> Group {
        let field = place(difference);
        if field.is_empty() || field.starts_with("error.") {
            return Group::Request;
        }
        match case.family() {
            Family::Search | Family::Files => Self::of_event_field(case, difference),
            Family::Agent | Family::Keyword => Self::of_result_field(difference),
        }
    }

    /// What a differing field of an answer of `Search` or `search_files` is about.
    fn of_event_field(case: &Case, difference: &FieldDiff) -> Group {
        let field = place(difference);
        if field.starts_with("errors") {
            return Group::Fault;
        }
        if field.starts_with("truncated")
            || field.starts_with("timed_out")
            || field.starts_with("files_scanned")
            || (field.starts_with("stats.") && case.family() == Family::Files)
        {
            return Group::Limits;
        }
        if !field.starts_with("matches") {
            return Group::Response;
        }
        let shows = ["column", "lines.text", "match_text", ".line", "line_text"];
        if shows.into_iter().any(|end| field.ends_with(end))
            || [".before", ".after"].into_iter().any(|list| field.contains(list))
        {
            return Group::Events;
        }
        let last = field.rsplit('.').next().unwrap_or(field);
        let is_fuzzy = case.request.get("fuzzy").is_some() || case.mode() == Some("fuzzy");
        if is_fuzzy || last == "score" {
            return Group::Fuzzy;
        }
        if last == "path" || field.ends_with("path.text") {
            return Group::Order;
        }
        // A whole event that is missing or unexpected: a line that matches or not, or a neighbour
        // of one.
        let event = difference.expected.as_ref().or(difference.got.as_ref());
        match event.and_then(|event| event.get("type")).and_then(Value::as_str) {
            Some("context") => Group::Events,
            _ => Group::Matching,
        }
    }
}

/// The field, without the name of a circumstance in front.
fn place(difference: &FieldDiff) -> &str {
    difference.field.rsplit_once(": ").map_or(difference.field.as_str(), |(_, field)| field)
}

fn is_response_field(field: &str) -> bool {
    matches!(field, "pattern" | "path")
}

fn distinct_paths(events: &[Event]) -> usize {
    let mut paths: Vec<&str> = events
        .iter()
        .map(|event| match event {
            Event::Match { path, .. } | Event::Context { path, .. } => path.as_str(),
        })
        .collect();
    paths.dedup();
    paths.len()
}
