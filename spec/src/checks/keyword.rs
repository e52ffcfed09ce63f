//! Consistency of the file of `keyword_search`.

use super::Scope;
use crate::files;
use crate::place::{At, Finding};
use crate::specification::Spec;

/// The ids of each namespace.
pub(super) fn scopes(spec: &Spec) -> Vec<Scope<'_>> {
    let tool = &spec.keyword_search;
    let file = files::KEYWORD_SEARCH;
    let mut limits = Scope::new("limit of keyword_search");
    tool.limits.iter().for_each(|row| limits.add(file, row.id.value.name(), &row.id));
    let notices = tool.notices.iter().map(|row| &row.id);
    let reasons = tool.incomplete_because.iter().map(|row| &row.id);
    vec![
        limits,
        Scope::new("notice of keyword_search").add_all(file, reasons.chain(notices)),
        Scope::new("reason to skip a term").add_all(file, tool.skipped.iter().map(|row| &row.id)),
        Scope::new("field of keyword_search")
            .add_all(file, tool.request.iter().map(|row| &row.name)),
        Scope::new("key of keyword_search").add_all(file, tool.keys.iter().map(|key| &key.name)),
        Scope::new("preference").add_all(file, tool.preferences.iter().map(|row| &row.name)),
        Scope::new("word of secrets").add_all(file, tool.words.iter().map(|row| &row.id)),
        Scope::new("harmless value").add_all(file, tool.harmless.iter().map(|row| &row.id)),
        Scope::new("secret").add_all(file, tool.secrets.iter().map(|row| &row.id)),
        Scope::new("everyday word").add_all(file, tool.everyday.iter()),
    ]
}

/// Every list of clauses but those of rules, with its file.
pub(crate) fn cited(spec: &Spec) -> Vec<(&str, &[At<String>])> {
    let tool = &spec.keyword_search;
    let words = tool.skipped.iter().chain(&tool.notices).map(|row| &*row.clauses);
    let all = words
        .chain(tool.request.iter().map(|row| &*row.clauses))
        .chain(tool.incomplete_because.iter().map(|row| &*row.clauses))
        .chain(tool.preferences.iter().map(|row| &*row.clauses))
        .chain(tool.keys.iter().map(|row| &*row.clauses))
        .chain(tool.limits.iter().map(|row| &*row.clauses));
    all.map(|clauses| (files::KEYWORD_SEARCH, clauses)).collect()
}

/// References to configuration keys, which are those of the agent's tools.
pub(super) fn settings(spec: &Spec, findings: &mut Vec<Finding>) {
    let fields = spec.keyword_search.request.iter();
    for key in fields.flat_map(|field| field.maximum_from.iter().chain(&field.default_from)) {
        if spec.agent_tools.key(&key.value).is_none() {
            let message =
                format!("`{}` is not a configuration key of the agent's tools", key.value);
            findings.push(Finding::at(files::KEYWORD_SEARCH, key, message));
        }
    }
}
