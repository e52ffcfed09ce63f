//! Checks that the tables of `search_files` are complete, fit their types, and carry out the whole
//! document.

use std::collections::BTreeSet;

use super::tables::{absent, check_field, configuration, request_field};
use crate::checks;
use crate::files;
use crate::place::{At, Finding};
use crate::requirement::{Keyword, Verify};
use crate::specification::Spec;
use crate::tool::files::{FilesCheckId, FilesLimitId, KEYS, ShortfallId};

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    complete(spec, findings);
    let tool = &spec.search_files;
    let keys = &spec.search_files_configuration;
    for field in &tool.request {
        request_field(files::FILES_TOOL, |key| keys.key(key), field, findings);
    }
    for check in &tool.checks {
        let name = check.id.value.name();
        check_field(files::FILES_TOOL, &tool.request, &check.field, &check.id, name, findings);
    }
    for key in &keys.keys {
        configuration(files::FILES_CONFIG, key, findings);
    }
    founded(spec, findings);
    carried_out(spec, findings);
}

/// Every member of a closed list has a row.
fn complete(spec: &Spec, findings: &mut Vec<Finding>) {
    let tool = &spec.search_files;
    let mut missing = |file: &str, what: &str, all: Vec<&str>, given: Vec<&str>| {
        absent(file, what, &all, &given, findings);
    };
    missing(
        files::FILES_TOOL,
        "check",
        FilesCheckId::ALL.iter().map(|id| id.name()).collect(),
        tool.checks.iter().map(|check| check.id.value.name()).collect(),
    );
    missing(
        files::FILES_TOOL,
        "limit",
        FilesLimitId::ALL.iter().map(|id| id.name()).collect(),
        tool.limits.iter().map(|limit| limit.id.value.name()).collect(),
    );
    missing(
        files::FILES_TOOL,
        "reason of incomplete_because",
        ShortfallId::ALL.iter().map(|id| id.name()).collect(),
        tool.incomplete_because.iter().map(|reason| reason.id.value.name()).collect(),
    );
    missing(
        files::FILES_CONFIG,
        "key",
        KEYS.to_vec(),
        spec.search_files_configuration.keys.iter().map(|key| &*key.name.value).collect(),
    );
}

/// Every row cites a clause. (`lint` checks rules and duplicate citations.)
fn founded(spec: &Spec, findings: &mut Vec<Finding>) {
    let tool = &spec.search_files;
    let mut unfounded = |file: &str, id: &At<String>, clauses: &[At<String>]| {
        if clauses.is_empty() {
            findings.push(Finding::at(file, id, format!("`{}` cites no clause", id.value)));
        }
    };
    for field in &tool.request {
        unfounded(files::FILES_TOOL, &field.name, &field.clauses);
    }
    for part in [&tool.answer, &tool.of_match, &tool.stats, &tool.error].into_iter().flatten() {
        unfounded(files::FILES_TOOL, &part.name, &part.clauses);
    }
    for key in &spec.search_files_configuration.keys {
        unfounded(files::FILES_CONFIG, &key.name, &key.clauses);
    }
}

/// Some row of the tool's files or of the shared tables cites every requirement of the document,
/// except tests, which cite others themselves, and those that are verified by inspection alone.
fn carried_out(spec: &Spec, findings: &mut Vec<Finding>) {
    let of_tool = |file: &str| {
        [files::FILES_TOOL, files::FILES_CONFIG, files::ORDERING, files::TRUNCATION].contains(&file)
    };
    let cited: BTreeSet<&str> = checks::cited(spec)
        .into_iter()
        .filter(|(file, _)| of_tool(file))
        .flat_map(|(_, clauses)| clauses)
        .map(|clause| &*clause.value)
        .collect();
    let of_document = spec
        .documents
        .iter()
        .filter(|document| document.document.value == spec.search_files.document.value);
    for document in of_document {
        for requirement in &document.requirements {
            let exempt =
                requirement.keyword == Keyword::Test || requirement.verify == [Verify::Inspection];
            if !exempt && !cited.contains(&*requirement.id.value) {
                let message =
                    format!("no row of search_files carries out `{}`", requirement.id.value);
                findings.push(Finding::at(&document.file, &requirement.id, message));
            }
        }
    }
}

#[cfg(test)]
mod tests;
