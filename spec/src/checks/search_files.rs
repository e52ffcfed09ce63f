//! Consistency of the files of `search_files`.

use super::Scope;
use crate::files;
use crate::place::{At, Finding};
use crate::specification::Spec;

/// The ids of each namespace.
pub(super) fn scopes(spec: &Spec) -> Vec<Scope<'_>> {
    let tool = &spec.search_files;
    let mut checks = Scope::new("check of search_files");
    for check in &tool.checks {
        checks.add(files::FILES_TOOL, check.id.value.name(), &check.id);
    }
    let mut limits = Scope::new("limit of search_files");
    for limit in &tool.limits {
        limits.add(files::FILES_TOOL, limit.id.value.name(), &limit.id);
    }
    let mut scopes = vec![
        checks,
        limits,
        Scope::new("field of search_files")
            .add_all(files::FILES_TOOL, tool.request.iter().map(|field| &field.name)),
        Scope::new("key of search_files").add_all(
            files::FILES_CONFIG,
            spec.search_files_configuration.keys.iter().map(|key| &key.name),
        ),
    ];
    for (what, reasons) in [
        ("reason of truncated_reason", &tool.truncated_reasons),
        ("reason of incomplete_because", &tool.incomplete_because),
    ] {
        let mut scope = Scope::new(what);
        for reason in reasons {
            scope.add(files::FILES_TOOL, reason.id.value.name(), &reason.id);
        }
        scopes.push(scope);
    }
    for (what, parts) in [
        ("field of the answer", &tool.answer),
        ("field of a match", &tool.of_match),
        ("figure", &tool.stats),
        ("field of an error", &tool.error),
    ] {
        scopes
            .push(Scope::new(what).add_all(files::FILES_TOOL, parts.iter().map(|part| &part.name)));
    }
    scopes
}

/// Every list of clauses but those of rules, with its file.
pub(super) fn cited(spec: &Spec) -> Vec<(&str, &[At<String>])> {
    let tool = &spec.search_files;
    let defined = &tool.definition;
    let mut all: Vec<(&str, &[At<String>])> = vec![
        (files::FILES_TOOL, &defined.name.clauses),
        (files::FILES_TOOL, &defined.description.clauses),
        (files::FILES_TOOL, &defined.is_side_effecting.clauses),
        (files::FILES_TOOL, &defined.requires_approval.clauses),
        (files::FILES_TOOL, &defined.risk.clauses),
    ];
    all.extend(tool.request.iter().map(|field| (files::FILES_TOOL, &*field.clauses)));
    all.extend(tool.checks.iter().map(|check| (files::FILES_TOOL, &*check.clauses)));
    let parts = [&tool.answer, &tool.of_match, &tool.stats, &tool.error].into_iter().flatten();
    all.extend(parts.map(|part| (files::FILES_TOOL, &*part.clauses)));
    let reasons = tool.truncated_reasons.iter().chain(&tool.incomplete_because);
    all.extend(reasons.map(|reason| (files::FILES_TOOL, &*reason.clauses)));
    all.extend(tool.limits.iter().map(|limit| (files::FILES_TOOL, &*limit.clauses)));
    all.extend(
        spec.search_files_configuration.keys.iter().map(|key| (files::FILES_CONFIG, &*key.clauses)),
    );
    all
}

/// References to configuration keys.
pub(super) fn settings(spec: &Spec, findings: &mut Vec<Finding>) {
    let fields = spec.search_files.request.iter();
    for key in fields.flat_map(|field| field.maximum_from.iter().chain(&field.default_from)) {
        if spec.search_files_configuration.key(&key.value).is_none() {
            let message = format!("`{}` is not a configuration key of search_files", key.value);
            findings.push(Finding::at(files::FILES_TOOL, key, message));
        }
    }
}
