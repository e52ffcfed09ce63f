//! Checks for defects that do not prevent loading: wrong, incomplete, or untestable content.

mod adapters;
mod agent;
mod index;
mod keyword;
mod quoted;
mod search_files;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::backend::Backend;
use crate::checks;
use crate::errata::Severity;
use crate::files;
use crate::place::{At, Finding};
use crate::requirement::Requirement;
use crate::specification::Spec;

/// All findings, in the order of files and lines.
///
/// They include what [`Spec::from_sources`] refuses, so that a specification from [`Spec::parse`]
/// gets a full report.
pub fn lint(spec: &Spec) -> Vec<Finding> {
    let mut findings = checks::structure(spec);
    tables::lint(spec, &mut findings);
    adapters::lint(spec, &mut findings);
    index::lint(spec, &mut findings);
    search_files::lint(spec, &mut findings);
    agent::lint(spec, &mut findings);
    keyword::lint(spec, &mut findings);
    quoted::lint(spec, &mut findings);
    clauses(spec, &mut findings);
    errata(spec, &mut findings);
    resolved(spec, &mut findings);
    examples(spec, &mut findings);
    vectors(spec, &mut findings);
    for backend in &spec.backends {
        facts(backend, &mut findings);
    }
    findings.sort();
    findings
}

/// Whether the cases that the errata name exist in `dir` (`golden/errata`), and every case there
/// has its erratum.
///
/// An unreadable directory counts as empty.
pub fn lint_cases(spec: &Spec, dir: &Path) -> Vec<Finding> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let present: BTreeSet<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    let mut named = BTreeSet::new();
    let mut findings = Vec::new();
    for case in spec.errata.errata.iter().filter_map(|erratum| erratum.case.as_ref()) {
        named.insert(case.value.clone());
        if !present.contains(&case.value) {
            findings.push(Finding::at(
                files::ERRATA,
                case,
                format!("there is no case `{}`", case.value),
            ));
        }
    }
    for stray in present.difference(&named) {
        findings.push(Finding::of(files::ERRATA, format!("no erratum names the case `{stray}`")));
    }
    findings
}

/// Every row cites a clause.
fn clauses(spec: &Spec, findings: &mut Vec<Finding>) {
    for (file, clauses) in checks::cited(spec) {
        let mut seen = BTreeSet::new();
        for clause in clauses {
            if !seen.insert(&clause.value) {
                findings.push(Finding::at(
                    file,
                    clause,
                    format!("`{}` is cited twice here", clause.value),
                ));
            }
        }
    }
    for rule in checks::all_rules(spec).filter(|rule| rule.clauses.is_empty()) {
        let message = format!("`{}` cites no clause", rule.id);
        findings.push(Finding { file: rule.file.to_owned(), line: rule.line, message });
    }
    let mut unfounded = |file: &str, id: &At<String>, clauses: &[At<String>]| {
        if clauses.is_empty() {
            findings.push(Finding::at(file, id, format!("`{}` cites no clause", id.value)));
        }
    };
    for field in &spec.search.request {
        unfounded(files::TOOL, &field.name, &field.clauses);
    }
    for field in spec.search.response.iter().chain(&spec.search.event) {
        unfounded(files::TOOL, &field.name, &field.clauses);
    }
    for key in &spec.configuration.keys {
        unfounded(files::CONFIG, &key.name, &key.clauses);
    }
    for erratum in &spec.errata.errata {
        unfounded(files::ERRATA, &erratum.id, &erratum.clauses);
    }
}

fn errata(spec: &Spec, findings: &mut Vec<Finding>) {
    for erratum in &spec.errata.errata {
        let id = &erratum.id;
        let mut wrong = |message: String| findings.push(Finding::at(files::ERRATA, id, message));
        match (&erratum.case, &erratum.no_case) {
            (Some(case), None) if case.value != format!("{}.yaml", id.value) => {
                wrong(format!("the case of `{}` must be called `{}.yaml`", id.value, id.value));
            }
            (Some(_), None) => {}
            (None, Some(_)) if erratum.severity == Severity::S1 => {
                wrong(format!("`{}` is S1 and needs a case", id.value));
            }
            (None, Some(reason)) if !reason.trim().is_empty() => {}
            _ => wrong(format!("`{}` needs either `case` or `no_case`", id.value)),
        }
        for (name, text) in
            [("wrong", &erratum.wrong), ("chosen", &erratum.chosen), ("why", &erratum.why)]
        {
            if text.trim().is_empty() {
                wrong(format!("`{name}` of `{}` says nothing", id.value));
            }
        }
    }
}

/// Rules that a single input can show have a vector.
fn examples(spec: &Spec, findings: &mut Vec<Finding>) {
    let shown: BTreeSet<&str> = spec.vectors.rules().map(|(_, rule)| &*rule.value).collect();
    let paths = &spec.paths;
    let with_vectors =
        [&paths.resolution, &paths.sort_key, &paths.ignore, &paths.glob].into_iter().flatten();
    let with_vectors = with_vectors.map(|rule| (files::PATHS, rule));
    for (file, rule) in
        with_vectors.chain(spec.matching.rules().map(|rule| (files::MATCHING, rule)))
    {
        if !shown.contains(&*rule.id.value) {
            findings.push(Finding::at(
                file,
                &rule.id,
                format!("no vector shows rule `{}`", rule.id.value),
            ));
        }
    }
}

/// An erratum and the rows that it resolves name each other.
fn resolved(spec: &Spec, findings: &mut Vec<Finding>) {
    let rows = || {
        let documents = spec.documents.iter();
        documents
            .flat_map(|document| document.requirements.iter().map(move |row| (&document.file, row)))
    };
    let by_id: BTreeMap<&str, &Requirement> =
        rows().map(|(_, row)| (&*row.id.value, row)).collect();
    let mut concerned = BTreeSet::new();
    for erratum in &spec.errata.errata {
        let id = &erratum.id.value;
        for clause in &erratum.clauses {
            concerned.insert((&*clause.value, id));
            let row = by_id.get(&*clause.value);
            if row.is_some_and(|row| row.resolved_by.iter().all(|named| named.value != *id)) {
                let message =
                    format!("`{id}` concerns `{}`, whose resolved_by lacks it", clause.value);
                findings.push(Finding::at(files::ERRATA, clause, message));
            }
        }
    }
    for (file, row) in rows() {
        for named in row
            .resolved_by
            .iter()
            .filter(|named| !concerned.contains(&(&*row.id.value, &named.value)))
        {
            let message = format!(
                "`{}` is resolved by `{}`, whose clauses lack it",
                row.id.value, named.value
            );
            findings.push(Finding::at(file, named, message));
        }
    }
}

/// Vectors are distinct.
fn vectors(spec: &Spec, findings: &mut Vec<Finding>) {
    let vectors = &spec.vectors;
    for vector in &vectors.resolve {
        let message = match (&vector.shown, &vector.class) {
            (Some(_), None) => continue,
            (None, Some(class))
                if matches!(&**class, "SandboxViolation" | "ExecutionFailed" | "BadArgs") =>
            {
                continue;
            }
            (None, Some(class)) => format!("`{class}` is not a class of errors"),
            _ => "a vector needs either `shown` or `class`".to_owned(),
        };
        findings.push(Finding::at(files::RESOLVE, &vector.rule, message));
    }
    for entry in &vectors.resolve_tree {
        if !matches!(
            (&entry.file, &entry.link, &entry.target),
            (Some(_), None, None) | (None, Some(_), Some(_))
        ) {
            findings.push(Finding::of(
                files::RESOLVE,
                format!("{entry:?} is neither a file nor a link"),
            ));
        }
    }
    for vector in
        vectors.files.iter().filter(|vector| vector.bytes.is_some() != vector.parts.is_empty())
    {
        let message = "a vector needs either `bytes` or `parts`".to_owned();
        findings.push(Finding::at(files::LINES, &vector.rule, message));
    }
    let columns = vectors.lines.iter().map(|vector| {
        (files::MATCHING_VECTORS, &vector.rule, vector.matched.is_none() && vector.column.is_some())
    });
    let fuzzy = vectors.fuzzy.iter().map(|vector| {
        (files::FUZZY_VECTORS, &vector.rule, vector.matched.is_none() && vector.column.is_some())
    });
    for (file, rule, wrong) in columns.chain(fuzzy) {
        if wrong {
            findings.push(Finding::at(file, rule, "a column without a match".to_owned()));
        }
    }
}

fn facts(backend: &Backend, findings: &mut Vec<Finding>) {
    for fact in &backend.facts {
        let probe = &fact.probe;
        let looks = probe.stdout.is_some()
            || probe.stdout_sorted.is_some()
            || probe.stdout_has.is_some()
            || probe.stdout_lacks.is_some();
        if !looks {
            let message = format!("the probe of `{}` looks at nothing", fact.id.value);
            findings.push(Finding::at(&backend.file, &fact.id, message));
        }
        match (release(&fact.from.value), release(&fact.to)) {
            (Some(from), Some(to)) if from <= to => {}
            _ => {
                let message =
                    format!("`{}` to `{}` is not a range of releases", fact.from.value, fact.to);
                findings.push(Finding::at(&backend.file, &fact.from, message));
            }
        }
    }
    if release(&backend.minimum).is_none() {
        let message = format!("`{}` is not a release", backend.minimum);
        findings.push(Finding::at(&backend.file, &backend.program, message));
    }
}

/// A release number; `None` unless it is three numbers.
fn release(written: &str) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = written.split('.').map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests;
