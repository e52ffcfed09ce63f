//! Checks of citations, keys, fields and the tokenizer's table.

use std::collections::BTreeSet;

use crate::index::{Determinism, Index, IndexKey, SkipId, StateId, StatsField, StatsType, files};
use crate::place::{At, Finding};
use crate::specification::Spec;

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    citations(spec, findings);
    documented(spec, findings);
    for key in &spec.index.configuration.keys {
        configuration(key, findings);
    }
    for field in spec.index.stats.all() {
        stats(field, findings);
    }
    limits(&spec.index, findings);
    tokenizer(&spec.index, findings);
}

/// Every row cites existing clauses, none twice.
fn citations(spec: &Spec, findings: &mut Vec<Finding>) {
    let requirements =
        spec.documents.iter().flat_map(|document| &document.requirements).map(|row| &row.id);
    let errata = spec.errata.errata.iter().map(|erratum| &erratum.id);
    let known: BTreeSet<&str> = requirements.chain(errata).map(|id| &*id.value).collect();
    for (file, what, clauses) in spec.index.cited() {
        if clauses.is_empty() {
            findings.push(Finding::of(file, format!("{what} cites no clause")));
        }
        let mut seen = BTreeSet::new();
        for clause in clauses {
            let message = if !seen.insert(&clause.value) {
                format!("{what} cites `{}` twice", clause.value)
            } else if known.contains(&*clause.value) {
                continue;
            } else {
                format!(
                    "{what} cites `{}`, which is neither a requirement nor an erratum",
                    clause.value
                )
            };
            findings.push(Finding::at(file, clause, message));
        }
    }
}

/// Names of the documents exist, and cite their requirement.
fn documented(spec: &Spec, findings: &mut Vec<Finding>) {
    let index = &spec.index;
    let mut named =
        |prefix: &str, except: &[&str], file: &str, given: Vec<(&At<String>, &[At<String>])>| {
            let requirements = spec.documents.iter().flat_map(|document| &document.requirements);
            for id in requirements.filter_map(|row| row.id.value.strip_prefix(prefix)) {
                let clause = format!("{prefix}{id}");
                match given.iter().find(|(name, _)| name.value == id) {
                    None if except.contains(&id) => {}
                    None => findings.push(Finding::of(
                        file,
                        format!("nothing here is called `{id}`, as `{clause}` is"),
                    )),
                    Some((name, clauses)) if !clauses.iter().any(|cited| cited.value == clause) => {
                        findings.push(Finding::at(
                            file,
                            name,
                            format!("`{id}` does not cite `{clause}`"),
                        ));
                    }
                    Some(_) => {}
                }
            }
        };
    let reasons = &index.machine.reasons;
    named(
        "D-",
        &["CLEAR"],
        files::MACHINE,
        reasons.iter().map(|row| (&row.id, &*row.clauses)).collect(),
    );
    named(
        "STAT-",
        &[],
        files::STATS,
        index.stats.all().map(|row| (&row.name, &*row.clauses)).collect(),
    );
    let elsewhere: Vec<&str> = spec.configuration.keys.iter().map(|key| &*key.name.value).collect();
    let keys = &index.configuration.keys;
    named(
        "CFGKEY-LSI-",
        &elsewhere,
        files::CONFIGURATION,
        keys.iter().map(|row| (&row.name, &*row.clauses)).collect(),
    );
}

/// A key has one value per preset, of its type and within its bounds.
fn configuration(key: &IndexKey, findings: &mut Vec<Finding>) {
    let name = &key.name;
    let mut wrong = |message: String| {
        findings.push(Finding::at(
            files::CONFIGURATION,
            name,
            format!("key `{}`: {message}", name.value),
        ));
    };
    if key.kind.is_bounded() != (key.minimum.is_some() && key.maximum.is_some()) {
        wrong("numbers, and nothing else, have `minimum` and `maximum`".to_owned());
    }
    if key.kind.is_list() != key.maximum_entries.is_some() {
        wrong("lists, and nothing else, have `maximum_entries`".to_owned());
    }
    let one = key.default.is_some() && key.documents.is_none() && key.agent.is_none();
    let two = key.default.is_none() && key.documents.is_some() && key.agent.is_some();
    if !one && !two {
        wrong("needs either `default` or both `documents` and `agent`".to_owned());
    }
    if two && key.documents == key.agent {
        wrong("both presets have the same value; write `default`".to_owned());
    }
    for value in key.default.iter().chain(&key.documents).chain(&key.agent) {
        if !key.holds(value) {
            wrong(format!("`{value}` is not a value of this key"));
        }
    }
}

fn stats(field: &StatsField, findings: &mut Vec<Finding>) {
    let name = &field.name;
    let mut wrong = |message: &str| {
        findings.push(Finding::at(
            files::STATS,
            name,
            format!("field `{}`: {message}", name.value),
        ));
    };
    let listed = !field.values.is_empty() || field.values_from.is_some();
    if listed && !matches!(field.kind, StatsType::String | StatsType::Strings) {
        wrong("only strings have `values`");
    }
    if field.value.is_some() && field.kind != StatsType::Integer {
        wrong("only an integer has a `value`");
    }
    if !field.values.is_empty() && field.values_from.is_some() {
        wrong("has both `values` and `values_from`");
    }
    if name.value.ends_with("_ms") && field.class != Determinism::BestEffort {
        wrong("what takes time is `best_effort`");
    }
    let states: Vec<&str> = StateId::ALL.iter().map(|state| state.name()).collect();
    if name.value == "index_safety_state" && field.values != states {
        wrong("its values are the states, in their order");
    }
}

/// Limits are numbers; where 0 means no limit, 0 can be configured.
fn limits(index: &Index, findings: &mut Vec<Finding>) {
    for limit in &index.decisions.limits {
        let Some(key) = index.configuration.key(&limit.key.value) else { continue };
        let zero = key.holds(&serde_json::Value::from(0));
        let message = if !key.kind.is_bounded() {
            format!("`{}` is not a number", limit.key.value)
        } else if limit.zero_is_none && !zero {
            format!(
                "`{}` cannot be 0, so that 0 cannot mean that there is no limit",
                limit.key.value
            )
        } else {
            continue;
        };
        findings.push(Finding::at(files::DECISIONS, &limit.key, message));
    }
}

/// Each test occurs once; marks are bytes and not UTF-8's; fractions and ranges are valid.
fn tokenizer(index: &Index, findings: &mut Vec<Finding>) {
    let text = &index.text;
    let mut tested = BTreeSet::new();
    for skip in &text.order {
        if !tested.insert(skip.skip.value) {
            let message = format!("`{}` is tested twice", skip.skip.value.name());
            findings.push(Finding::at(files::TEXT, &skip.skip, message));
        }
    }
    for missing in SkipId::ALL.iter().filter(|skip| !tested.contains(skip)) {
        findings.push(Finding::of(files::TEXT, format!("`{}` is never tested", missing.name())));
    }
    for mark in &text.encoding_marks {
        let message = match mark.read() {
            None => format!("`{}` is not pairs of hexadecimal digits", mark.bytes.value),
            Some(bytes) if bytes.starts_with(&[0xef, 0xbb, 0xbf]) => {
                "the mark of UTF-8 keeps no file out".to_owned()
            }
            Some(_) => continue,
        };
        findings.push(Finding::at(files::TEXT, &mark.bytes, message));
    }
    let part = &text.binary_above;
    if part.denominator == 0 || part.numerator.value > part.denominator {
        let message = "a part lies between 0 and 1".to_owned();
        findings.push(Finding::at(files::TEXT, &part.numerator, message));
    }
    let ascii = &text.folds.ascii;
    if ascii.first.0 > ascii.last.0 || !ascii.last.0.is_ascii() {
        findings.push(Finding::of(files::TEXT, "the ASCII fold maps a range of ASCII".to_owned()));
    }
    for side in [&text.newline.from, &text.newline.to] {
        if std::str::from_utf8(&side.bytes).is_err() {
            findings.push(Finding::of(files::TEXT, format!("`{}` is not text", side.written)));
        }
    }
}
