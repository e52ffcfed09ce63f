//! What to try after a call of `grep` that found nothing, made from the call: never what it has set.

use super::Request;
use crate::{
    pattern::{Pattern, PatternOptions},
    request::{CaseMode, Reading},
};

/// Operators with a backslash, as in basic expressions.
const BASIC: [&str; 5] = ["\\|", "\\(", "\\)", "\\{", "\\+"];

/// Texts that seldom stand for themselves.
const OPERATORS: [&str; 11] =
    ["|", ".*", ".+", "\\w", "\\d", "\\s", "\\b", "\\.", "[^", "[a-", "(?"];

/// The advice; empty if there is none.
pub(super) fn advice(request: &Request) -> String {
    let hints = [expression(request), case(request), words(request)];
    hints.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn expression(request: &Request) -> Option<String> {
    let given = request.given.as_str();
    let bare = BASIC.iter().fold(given.to_owned(), |text, escaped| {
        text.replace(escaped, escaped.trim_start_matches('\\'))
    });
    let is_basic = given.contains("\\|") && is_expression(&bare, request.case);
    if is_basic {
        let set = if request.regex { "" } else { "set `regex`: true and " };
        return Some(format!("{set}write `|` without `\\` for alternatives"));
    }
    let has_operator = OPERATORS.iter().any(|operator| given.contains(operator))
        || given.starts_with('^')
        || given.ends_with('$');
    (!request.regex && has_operator && is_expression(given, request.case))
        .then(|| "the pattern was taken literally: set `regex`: true for an expression".to_owned())
}

fn is_expression(pattern: &str, case: CaseMode) -> bool {
    let sought = PatternOptions {
        pattern,
        literal: false,
        case,
        word: false,
        fuzzy: None,
        reading: Reading::Callers,
    };
    Pattern::compile(sought).is_ok()
}

fn case(request: &Request) -> Option<String> {
    let is_cased = |c: char| c.is_lowercase() || c.is_uppercase();
    let counts = match request.case {
        CaseMode::Sensitive => request.given.contains(is_cased),
        CaseMode::Smart => request.given.contains(char::is_uppercase),
        CaseMode::Insensitive => false,
    };
    counts.then(|| "case counts: try `case`: \"insensitive\"".to_owned())
}

fn words(request: &Request) -> Option<String> {
    let several = request.given.split_whitespace().count() > 1;
    several.then(|| "`search_text` finds words in any order".to_owned())
}
