//! Holds the numbers that requirements quote of keys and fields against the data: a text that says
//! `max_results` (200) is wrong once the data says 100.

use serde_json::Value;

use crate::place::Finding;
use crate::requirement::Document;
use crate::specification::Spec;

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    for document in &spec.documents {
        for row in &document.requirements {
            for (name, number) in quoted(&row.text) {
                let value = value(spec, document, name);
                if let Some(value) = value.filter(|value| value.total_cmp(&number).is_ne()) {
                    let message =
                        format!("the text says {number} of `{name}`, and the data {value}");
                    findings.push(Finding::at(&document.file, &row.id, message));
                }
            }
        }
    }
}

/// The names in back quotes of which a text says a number: in parentheses, as a default, as that of
/// an example, or before `for` and the name, unless it is a bound.
fn quoted(text: &str) -> Vec<(&str, f64)> {
    let pieces: Vec<&str> = text.split('`').collect();
    let mut found = Vec::new();
    for three in pieces.windows(3).step_by(2) {
        let [_, name, behind] = three else { continue };
        let alone = behind.strip_prefix(" (").and_then(|rest| rest.split_once(')'));
        let number = match alone.and_then(|(number, _)| number.parse().ok()) {
            Some(number) => Some(number),
            None if behind.contains("default") || behind.contains("example") => first(behind),
            None => None,
        };
        found.extend(number.map(|number| (*name, number)));
    }
    for two in pieces.windows(2).step_by(2) {
        let [before, name] = two else { continue };
        let mut words = before.strip_suffix(" for ").unwrap_or_default().rsplit(' ');
        let number = words.next().and_then(|number| number.parse().ok());
        let is_bound = matches!(words.next(), Some("than" | "of"));
        found.extend(number.filter(|_| !is_bound).map(|number| (*name, number)));
    }
    found
}

/// The first decimal number of a text that is a word of its own, and not that of a section.
fn first(text: &str) -> Option<f64> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';'));
    let words: Vec<&str> = words.map(|word| word.trim_end_matches('.')).collect();
    words.windows(2).find_map(|two| {
        let [before, word] = two else { return None };
        let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && *before != "section";
        is_number.then(|| word.parse().ok()).flatten()
    })
}

/// The number that the data of a document's tool has for a key or a field.
fn value(spec: &Spec, document: &Document, name: &str) -> Option<f64> {
    let key = |keys: &[crate::config::Key]| {
        let key = keys.iter().find(|key| key.name.value == name)?;
        key.documents.as_ref().and_then(Value::as_f64)
    };
    match document.document.value.as_str() {
        "000" => key(&spec.configuration.keys).or_else(|| {
            let field = spec.search.request.iter().find(|field| field.name.value == name)?;
            field.default.as_ref().and_then(Value::as_f64)
        }),
        "001" => key(&spec.search_files_configuration.keys),
        "003" => {
            let keys = &spec.index.configuration.keys;
            let key = keys.iter().find(|key| key.name.value == name)?;
            key.default.as_ref().or(key.documents.as_ref()).and_then(Value::as_f64)
        }
        _ => None,
    }
}
