//! What the clauses say that a case cites, and the errata by which they are read.

use touchstone_spec::{Keyword, Spec};

/// A requirement or an erratum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseText {
    pub id: String,
    /// Its obligation and its document, or that it is an erratum.
    pub about: String,
    /// The requirement, or the chosen meaning.
    pub text: String,
}

/// The clauses in their order, then the errata that decide how they are read, each once. What is
/// not in the specification is left out: `touchstone spec lint` tells of it.
pub fn cited(spec: &Spec, ids: &[String]) -> Vec<ClauseText> {
    let mut texts: Vec<ClauseText> = Vec::new();
    let mut errata: Vec<&str> = Vec::new();
    for id in ids {
        let of = |document: &touchstone_spec::Document| document.document.value.clone();
        let rows = spec
            .documents
            .iter()
            .flat_map(|document| document.requirements.iter().map(move |row| (of(document), row)));
        let found = rows.into_iter().find(|(_, row)| row.id.value == *id);
        let Some((document, row)) = found else {
            errata.push(id);
            continue;
        };
        let about = format!("{} of document {document}", Keyword::name(row.keyword));
        texts.push(ClauseText { id: id.clone(), about, text: row.text.clone() });
        errata.extend(row.resolved_by.iter().map(|erratum| erratum.value.as_str()));
    }
    for id in errata {
        let found = spec.errata.errata.iter().find(|erratum| erratum.id.value == id);
        let is_new = !texts.iter().any(|text| text.id == id);
        if let Some(erratum) = found.filter(|_| is_new) {
            let (about, text) = ("erratum".to_owned(), erratum.chosen.clone());
            texts.push(ClauseText { id: id.to_owned(), about, text });
        }
    }
    texts
}
