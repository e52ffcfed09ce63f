//! Whether a line looks as if it defined an identifier, in any of the common languages (docs/agent-tools.md, section 6).

use super::identifier::word_character;

/// What stands ahead of a name that is being defined.
const KEYWORDS: [&str; 16] = [
    "class",
    "def",
    "define",
    "fn",
    "func",
    "function",
    "impl",
    "interface",
    "macro",
    "mod",
    "module",
    "namespace",
    "package",
    "protocol",
    "record",
    "trait",
];
/// What also stands ahead of names that are used: what follows tells.
const AMBIGUOUS: [&str; 9] = ["const", "enum", "let", "static", "struct", "type", "union", "val", "var"];
const FOLLOWERS: [char; 6] = ['{', ':', '=', '<', '(', ';'];

/// Whether the identifier between these two looks defined.
pub fn looks_defined(before: &str, after: &str) -> bool {
    follows_keyword(before, after) || is_signature(before, after)
}

fn follows_keyword(before: &str, after: &str) -> bool {
    let ahead = before.trim_end();
    if ahead.len() == before.len() {
        return false;
    }
    let start = ahead.char_indices().rev().take_while(|(_, c)| word_character(*c)).last();
    let Some(keyword) = start.and_then(|(at, _)| ahead.get(at..)) else { return false };
    KEYWORDS.contains(&keyword)
        || (AMBIGUOUS.contains(&keyword)
            && after.trim_start().chars().next().is_none_or(|next| FOLLOWERS.contains(&next)))
}

/// `static int name(…` at the beginning of a line, or a method of Go.
fn is_signature(before: &str, after: &str) -> bool {
    let plain = |c: char| word_character(c) || " \t*&:".contains(c);
    after.starts_with('(')
        && !after.trim_end().ends_with(';')
        && before.chars().next().is_some_and(word_character)
        && (before.chars().all(plain) || before.starts_with("func ("))
}
