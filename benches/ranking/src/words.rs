//! Identifiers and their parts, and the terms of a query, as docs/agent-tools.md, section 6, has
//! them; written for this comparison from that page.

use std::ops::Range;

/// What a file has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A word's parts, folded.
    Word(Vec<String>),
    /// Characters, folded.
    Phrase(String),
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Identifiers of a line, with where they stand.
pub fn identifiers(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split(|c| !is_word(c))
        .filter(|run| !run.is_empty())
        .map(|run| (run.as_ptr() as usize - line.as_ptr() as usize, run))
}

/// The parts of an identifier: where they are, and whether `_` stands before them.
pub fn parts(identifier: &str) -> Vec<(Range<usize>, bool)> {
    let characters: Vec<(usize, char)> = identifier.char_indices().collect();
    let (mut parts, mut start, mut apart) = (Vec::new(), 0, false);
    let mut push = |range: Range<usize>, apart: bool| {
        if !range.is_empty() {
            parts.push((range, apart));
        }
    };
    for (at, pair) in characters.windows(2).enumerate() {
        let [(_, a), (here, b)] = [pair[0], pair[1]];
        let after = characters.get(at + 2).map(|(_, c)| *c);
        if a == '_' {
            if b != '_' {
                (start, apart) = (here, true);
            }
            continue;
        }
        let split = b == '_'
            || (a.is_lowercase() && b.is_uppercase())
            || (a.is_uppercase() && b.is_uppercase() && after.is_some_and(char::is_lowercase))
            || (a.is_numeric() != b.is_numeric());
        if split {
            push(start..here, apart);
            (start, apart) = (here, false);
        }
    }
    if !identifier.ends_with('_') {
        push(start..identifier.len(), apart);
    }
    parts
}

/// Whether a word, given by its folded parts, occurs in an identifier.
pub fn occurs(word: &[String], identifier: &str) -> bool {
    let joined = word.concat();
    let mut ends = Vec::new();
    word.iter().fold(0, |sum, part| {
        ends.push(sum + part.len());
        sum + part.len()
    });
    let parts = parts(identifier);
    (0..parts.len()).any(|from| {
        let (mut text, mut seams) = (String::new(), Vec::new());
        parts[from..].iter().enumerate().any(|(at, (range, apart))| {
            if at > 0 && *apart {
                seams.push(text.len());
            }
            text.push_str(&identifier[range.clone()].to_ascii_lowercase());
            text == joined && seams.iter().all(|seam| ends.contains(seam))
        })
    })
}

/// The terms of a query.
pub fn terms(query: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    for (number, quoted) in query.split('"').enumerate() {
        if number % 2 == 1 {
            terms.push(Term::Phrase(quoted.to_ascii_lowercase()));
            continue;
        }
        for bare in quoted.split_whitespace() {
            let folded = bare.to_ascii_lowercase();
            if bare.chars().all(is_word) {
                terms.push(Term::Word(
                    parts(bare).into_iter().map(|(range, _)| bare[range].to_ascii_lowercase()).collect(),
                ));
            } else {
                terms.push(Term::Phrase(folded));
            }
        }
    }
    terms
}

/// A text as engines for words are given it: the parts of every identifier, folded, a blank between
/// them, and a full stop between identifiers, which no tokenizer takes for a word.
pub fn split(text: &str, out: &mut String) {
    out.clear();
    for line in text.lines() {
        for (_, identifier) in identifiers(line) {
            for (range, _) in parts(identifier) {
                let part = &identifier[range];
                out.extend(part.chars().map(|c| c.to_ascii_lowercase()));
                out.push(' ');
            }
            out.push_str(". ");
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::{occurs, parts, split};

    fn occurs_in(word: &str, identifier: &str) -> bool {
        let folded: Vec<String> =
            parts(word).into_iter().map(|(range, _)| word[range].to_ascii_lowercase()).collect();
        occurs(&folded, identifier)
    }

    #[test]
    fn the_examples_of_the_contract_hold() {
        let shown: Vec<&str> = parts("parseHTTPServer2_old")
            .into_iter()
            .map(|(range, _)| &"parseHTTPServer2_old"[range])
            .collect();
        assert_eq!(shown, ["parse", "HTTP", "Server", "2", "old"]);
        for identifier in ["IUserService", "user_service", "USERSERVICE"] {
            assert!(occurs_in("UserService", identifier), "{identifier}");
        }
        assert!(occurs_in("userservice", "UserService") && !occurs_in("userservice", "user_service"));
        assert!(!occurs_in("serv", "UserService") && !occurs_in("serv", "user_service"));
        assert!(occurs_in("lock", "__lock__") && parts("___").is_empty());
    }

    #[test]
    fn a_text_is_split_into_parts() {
        let mut out = String::new();
        split("int getUser_id(x);\n", &mut out);
        assert_eq!(out, "int . get user id . x . \n");
    }
}
