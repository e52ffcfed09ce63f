//! Changes of the configuration: every default, every bound, every list of values.
//!
//! Responsible for: numbers one more and one less, values exchanged for others, entries removed and
//! added, other types and names. Not here: everything that has a model (`cells`, `lists`,
//! `figures`). Invariants: none is left out.

use serde_json::{Number, Value, json};
use touchstone_spec::index::{IndexKey, IndexKeyType};

use super::KeyMutant;

/// All changes of all keys.
pub(super) fn all(keys: &[IndexKey]) -> Vec<KeyMutant> {
    let mut mutants = Vec::new();
    for (place, key) in keys.iter().enumerate() {
        for (what, changed) in changes(key) {
            mutants.push(KeyMutant {
                name: format!("key {}: {what}", key.name.value),
                key: place,
                changed,
            });
        }
    }
    mutants
}

fn changes(key: &IndexKey) -> Vec<(String, IndexKey)> {
    let mut changes = Vec::new();
    let mut add = |what: String, change: &dyn Fn(&mut IndexKey)| {
        let mut other = key.clone();
        change(&mut other);
        changes.push((what, other));
    };
    add("another name".to_owned(), &|key| key.name.value.push_str("_2"));
    for (preset, value) in [("documents", key.in_documents()), ("agent", key.in_agent())] {
        let Some(value) = value else { continue };
        let other = another(key, value);
        add(format!("{other} in {preset}"), &|key| {
            let (documents, agent) = (key.in_documents().cloned(), key.in_agent().cloned());
            key.default = None;
            (key.documents, key.agent) = if preset == "documents" {
                (Some(other.clone()), agent)
            } else {
                (documents, Some(other.clone()))
            };
        });
    }
    for (end, bound) in [("minimum", &key.minimum), ("maximum", &key.maximum)] {
        for other in bound.as_ref().map(beside).unwrap_or_default() {
            add(format!("{end} {other}"), &|key| {
                *(if end == "minimum" { &mut key.minimum } else { &mut key.maximum }) =
                    Some(other.clone());
            });
        }
    }
    for (place, value) in key.values.iter().enumerate() {
        add(format!("without `{value}`"), &|key| {
            key.values.remove(place);
        });
    }
    if !key.values.is_empty() {
        add("with `never`".to_owned(), &|key| key.values.push("never".to_owned()));
    }
    if let Some(entries) = key.maximum_entries {
        for other in [entries - 1, entries + 1] {
            add(format!("at most {other} entries"), &|key| key.maximum_entries = Some(other));
        }
    }
    for kind in [
        IndexKeyType::Boolean,
        IndexKeyType::Integer,
        IndexKeyType::Number,
        IndexKeyType::String,
        IndexKeyType::Strings,
        IndexKeyType::Integers,
        IndexKeyType::Seed,
    ] {
        if kind != key.kind {
            add(format!("of type {kind:?}"), &|key| key.kind = kind);
        }
    }
    changes
}

/// Another value of the same type.
fn another(key: &IndexKey, value: &Value) -> Value {
    match value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) if number.is_u64() => {
            json!(number.as_u64().unwrap_or(0).wrapping_add(1))
        }
        Value::Number(number) => json!(number.as_f64().unwrap_or(0.0) / 2.0),
        Value::String(text) => {
            let other = key.values.iter().find(|other| *other != text);
            json!(other.cloned().unwrap_or_else(|| format!("{text}x")))
        }
        Value::Array(entries) if key.kind == IndexKeyType::Integers => {
            json!(entries.iter().skip(1).collect::<Vec<_>>())
        }
        _ => json!(["x"]),
    }
}

/// The numbers just beside a bound.
fn beside(bound: &Number) -> Vec<Number> {
    if let Some(number) = bound.as_u64() {
        return number
            .checked_sub(1)
            .into_iter()
            .chain(number.checked_add(1))
            .map(Number::from)
            .collect();
    }
    let number = bound.as_f64().unwrap_or(0.0);
    [number * 0.5 - 0.1, number * 1.5 + 0.1].into_iter().filter_map(Number::from_f64).collect()
}
