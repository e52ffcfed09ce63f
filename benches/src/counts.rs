//! What plain rankings know of a tree: how often each term stands in each file.
//!
//! Texts are read once (`Texts`) and asked for many lists of terms.

use std::collections::HashMap;

use forge_search_core::{
    agent::search_text::{Term, terms as query_terms},
    identifier::{identifiers, occurs, parts},
};

/// A text file and the terms in it.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Below the tree's root.
    pub path: String,
    /// Its length in bytes.
    pub bytes: usize,
    /// Its length in identifiers.
    pub identifiers: usize,
    /// Its length in parts of identifiers.
    pub parts: usize,
    /// By term.
    pub terms: Vec<Counts>,
}

/// One term in one file, letters folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines that hold its characters.
    pub lines: usize,
    /// Places where its characters stand.
    pub places: usize,
    /// Identifiers that it is.
    pub whole: usize,
    /// Identifiers in which it is a run of parts, or all of them (`PartOf` in `IsPartOf`).
    pub parts: usize,
}

/// A text that has been read.
#[derive(Clone, Debug)]
pub struct Text {
    folded: String,
    identifiers: usize,
    parts: usize,
    /// Identifiers by number, each with how often it stands here.
    held: Vec<(usize, usize)>,
}

/// The identifiers of texts, each once.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    numbers: HashMap<String, usize>,
    /// By number: as it is written, folded, and of how many parts it is.
    known: Vec<(String, String, usize)>,
}

impl Vocabulary {
    /// Reads a text.
    pub fn read(&mut self, text: &str) -> Text {
        let mut held: HashMap<usize, usize> = HashMap::new();
        let mut read =
            Text { folded: text.to_ascii_lowercase(), identifiers: 0, parts: 0, held: Vec::new() };
        for identifier in identifiers(text) {
            let (number, parts) = self.number(identifier);
            *held.entry(number).or_default() += 1;
            read.identifiers += 1;
            read.parts += parts;
        }
        read.held = held.into_iter().collect();
        read
    }

    /// An identifier's number, and of how many parts it is.
    fn number(&mut self, identifier: &str) -> (usize, usize) {
        if let Some(number) = self.numbers.get(identifier) {
            return (*number, self.known.get(*number).map_or(0, |(_, _, parts)| *parts));
        }
        let (number, parts) = (self.known.len(), parts(identifier).count());
        self.numbers.insert(identifier.to_owned(), number);
        self.known.push((identifier.to_owned(), identifier.to_ascii_lowercase(), parts));
        (number, parts)
    }

    /// Counts terms in texts that were read by this.
    pub fn count<'t>(
        &self,
        texts: impl Iterator<Item = (&'t String, &'t Text)>,
        terms: &[String],
    ) -> Vec<File> {
        let words: Vec<Option<Vec<String>>> = terms.iter().map(|term| word(term)).collect();
        // By identifier's number: which terms it is or has, and as what.
        let mut met: HashMap<usize, Vec<(usize, Counts)>> = HashMap::new();
        for (number, (written, folded, _)) in self.known.iter().enumerate() {
            for (at, (term, word)) in terms.iter().zip(&words).enumerate() {
                if folded.contains(term.as_str()) {
                    let whole = usize::from(folded == term);
                    let part = word.as_ref().is_some_and(|word| occurs(word, written).is_some());
                    let counts = Counts { whole, parts: usize::from(part), ..Counts::default() };
                    met.entry(number).or_default().push((at, counts));
                }
            }
        }
        texts.map(|(path, text)| counted(path, text, terms, &met)).collect()
    }
}

/// Counts terms in files.
pub fn count(texts: &[(String, String)], terms: &[String]) -> Vec<File> {
    let mut vocabulary = Vocabulary::default();
    let read: Vec<Text> = texts.iter().map(|(_, text)| vocabulary.read(text)).collect();
    vocabulary.count(texts.iter().map(|(path, _)| path).zip(&read), terms)
}

/// A term's parts, if it can be an identifier.
fn word(term: &str) -> Option<Vec<String>> {
    match query_terms(term).ok()?.as_slice() {
        [Term::Word { parts, .. }] => Some(parts.clone()),
        _ => None,
    }
}

fn counted(
    path: &str,
    text: &Text,
    terms: &[String],
    met: &HashMap<usize, Vec<(usize, Counts)>>,
) -> File {
    let mut file = File {
        path: path.to_owned(),
        bytes: text.folded.len(),
        identifiers: text.identifiers,
        parts: text.parts,
        terms: terms.iter().map(|term| characters(&text.folded, term)).collect(),
    };
    for (number, times) in &text.held {
        for (at, one) in met.get(number).into_iter().flatten() {
            if let Some(counts) = file.terms.get_mut(*at) {
                counts.whole += one.whole * times;
                counts.parts += one.parts * times;
            }
        }
    }
    file
}

/// Where a term's characters stand, and on how many lines.
fn characters(folded: &str, term: &str) -> Counts {
    let mut counts = Counts::default();
    // Where the last line with a place ends.
    let mut end = 0;
    for (at, _) in folded.match_indices(term) {
        counts.places += 1;
        if at >= end {
            counts.lines += 1;
            let rest = folded.get(at..).unwrap_or_default();
            end = rest.find('\n').map_or(folded.len(), |length| at + length);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::{Counts, count};

    #[test]
    fn a_term_is_counted_in_text_in_identifiers_and_in_their_parts() {
        let texts = [("a.rs".to_owned(), "Frame frame_size\nreframed frames\n".to_owned())];
        let files = count(&texts, &["frame".to_owned()]);
        let [file] = files.as_slice() else { panic!("{files:?}") };
        assert_eq!(file.terms, [Counts { lines: 2, places: 4, whole: 1, parts: 2 }]);
        assert_eq!((file.identifiers, file.parts), (4, 5));
    }

    #[test]
    fn a_line_with_several_hits_is_counted_once() {
        let texts = [("a".to_owned(), "ab ab\nno\nab\nab ab".to_owned())];
        let files = count(&texts, &["ab".to_owned()]);
        let [file] = files.as_slice() else { panic!("{files:?}") };
        assert_eq!(file.terms, [Counts { lines: 3, places: 5, whole: 5, parts: 5 }]);
    }
}
