//! What the plain rankings know of a tree: how often each term stands in each file.

use forge_search_core::agent::search_text::{Term, identifiers, occurs, parts, terms as query_terms};

/// A text file and the terms in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) path: String,
    /// Its length, measured in what each reading counts.
    pub(crate) bytes: usize,
    pub(crate) identifiers: usize,
    pub(crate) parts: usize,
    /// By term.
    pub(crate) terms: Vec<Counts>,
}

/// One term in one file, letters folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Lines that hold its characters.
    pub(crate) lines: usize,
    /// Places where its characters stand.
    pub(crate) places: usize,
    /// Identifiers that it is.
    pub(crate) whole: usize,
    /// Identifiers in which it is a run of parts, or all of them (`PartOf` in `IsPartOf`).
    pub(crate) parts: usize,
}

/// Counts terms in files.
pub(crate) fn count(texts: &[(String, String)], terms: &[String]) -> Vec<File> {
    let words: Vec<Option<Vec<String>>> = terms.iter().map(|term| word(term)).collect();
    texts.iter().map(|(path, text)| file(path, text, terms, &words)).collect()
}

/// A term's parts, if it can be an identifier.
fn word(term: &str) -> Option<Vec<String>> {
    match query_terms(term).ok()?.as_slice() {
        [Term::Word { parts, .. }] => Some(parts.clone()),
        _ => None,
    }
}

fn file(path: &str, text: &str, terms: &[String], words: &[Option<Vec<String>>]) -> File {
    let folded = text.to_ascii_lowercase();
    let counts = |term: &String| Counts {
        places: folded.matches(term.as_str()).count(),
        lines: folded.lines().filter(|line| line.contains(term.as_str())).count(),
        ..Counts::default()
    };
    let mut file = File {
        path: path.to_owned(),
        bytes: text.len(),
        terms: terms.iter().map(counts).collect(),
        ..File::default()
    };
    for identifier in identifiers(text) {
        file.identifiers += 1;
        file.parts += parts(identifier).len();
        let folded = identifier.to_ascii_lowercase();
        for ((counts, term), word) in file.terms.iter_mut().zip(terms).zip(words) {
            if folded.contains(term.as_str()) {
                counts.whole += usize::from(folded == *term);
                counts.parts +=
                    usize::from(word.as_ref().is_some_and(|word| occurs(word, identifier).is_some()));
            }
        }
    }
    file
}

#[cfg(test)]
mod tests {
    use super::{Counts, count};

    #[test]
    fn a_term_is_counted_as_characters_as_identifiers_and_as_their_parts() {
        let texts = [("a.rs".to_owned(), "Frame frame_size\nreframed frames\n".to_owned())];
        let files = count(&texts, &["frame".to_owned()]);
        let [file] = files.as_slice() else { panic!("{files:?}") };
        assert_eq!(file.terms, [Counts { lines: 2, places: 4, whole: 1, parts: 2 }]);
        assert_eq!((file.identifiers, file.parts), (4, 5));
    }
}
