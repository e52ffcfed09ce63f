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

/// A line, and what there is to know of it as a whole: it is looked at once, however many identifiers stand on it.
#[derive(Clone, Debug)]
pub struct DefiningLine<'l> {
    line: &'l str,
    /// How much of it may stand ahead of a name in a signature, in bytes; 0 if it is none. Not looked at yet, if there is nothing.
    plain: Option<usize>,
}

impl<'l> DefiningLine<'l> {
    /// A line without its end.
    pub const fn new(line: &'l str) -> Self {
        Self { line, plain: None }
    }

    /// Whether the identifier at these bytes looks defined.
    pub fn defines(&mut self, start: usize, end: usize) -> bool {
        let part = |from: usize, to: usize| self.line.get(from..to).unwrap_or_default();
        let (before, after) = (part(0, start), part(end, self.line.len()));
        follows_keyword(before, after) || (after.starts_with('(') && self.is_signature(before))
    }

    /// `static int name(…` at the beginning of a line, or a method of Go.
    fn is_signature(&mut self, before: &str) -> bool {
        let plain = *self.plain.get_or_insert_with(|| plain(self.line));
        plain > 0 && !before.is_empty() && (before.len() <= plain || before.starts_with("func ("))
    }
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

/// How much of a line may stand ahead of a name in a signature, in bytes; 0 if the line is none.
fn plain(line: &str) -> usize {
    let plain = |c: char| word_character(c) || " \t*&:".contains(c);
    // What follows a name that a parenthesis follows does not end before it.
    let may_be = line.chars().next().is_some_and(word_character) && !line.trim_end().ends_with(';');
    if may_be { line.find(|c| !plain(c)).unwrap_or(line.len()) } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The contract's words, for one identifier.
    fn is_signature(before: &str, after: &str) -> bool {
        let plain = |c: char| word_character(c) || " \t*&:".contains(c);
        after.starts_with('(')
            && !after.trim_end().ends_with(';')
            && before.chars().next().is_some_and(word_character)
            && (before.chars().all(plain) || before.starts_with("func ("))
    }

    proptest! {
        #[test]
        fn a_line_tells_of_each_identifier_what_its_two_sides_tell(line in "(func \\()?([a-z]{1,3}|[ *&:.;()\t]){0,12}") {
            let mut whole = DefiningLine::new(&line);
            let places: Vec<(usize, usize)> = line.char_indices().map(|(at, c)| (at, at + c.len_utf8())).collect();
            for (start, _) in &places {
                for (_, end) in places.iter().filter(|(at, _)| at >= start) {
                    let (before, after) = (line.get(..*start).unwrap(), line.get(*end..).unwrap());
                    let expected = follows_keyword(before, after) || is_signature(before, after);
                    prop_assert_eq!(whole.defines(*start, *end), expected, "{:?} {:?}", before, after);
                }
            }
        }
    }
}
