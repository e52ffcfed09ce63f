//! Consistency of the file of the agent's tools.

use super::Scope;
use crate::files;
use crate::place::{At, Finding};
use crate::specification::Spec;

/// The ids of each namespace.
pub(super) fn scopes(spec: &Spec) -> Vec<Scope<'_>> {
    let tools = &spec.agent_tools;
    let file = files::AGENT_TOOLS;
    let mut reasons = Scope::new("reason of the agent's tools");
    tools.incomplete_because.iter().for_each(|row| reasons.add(file, row.id.value.name(), &row.id));
    let mut notices = Scope::new("notice of the agent's tools");
    tools.notices.iter().for_each(|row| notices.add(file, row.id.value.name(), &row.id));
    let mut errors = Scope::new("error of the agent's tools");
    tools.errors.iter().for_each(|row| errors.add(file, row.id.value.name(), &row.id));
    let mut limits = Scope::new("limit of the agent's tools");
    tools.limits.iter().for_each(|row| limits.add(file, row.id.value.name(), &row.id));
    let families = || spec.definitions.families.iter();
    vec![
        reasons,
        notices,
        errors,
        limits,
        Scope::new("profile").add_all(file, tools.profiles.iter().map(|profile| &profile.name)),
        Scope::new("field of the agent's tools")
            .add_all(file, tools.request.iter().map(|row| &row.field.name)),
        Scope::new("key of the agent's tools")
            .add_all(file, tools.keys.iter().map(|row| &row.key.name)),
        Scope::new("family of languages")
            .add_all(files::DEFINITIONS, families().map(|family| &family.name)),
        Scope::new("ending of a family").add_all(
            files::DEFINITIONS,
            families().flat_map(|family| family.endings.iter().chain(&family.names)),
        ),
    ]
}

/// Every list of clauses but those of rules, with its file.
pub(crate) fn cited(spec: &Spec) -> Vec<(&str, &[At<String>])> {
    let tools = &spec.agent_tools;
    let profiles = tools.profiles.iter().map(|row| &*row.clauses);
    let fields = tools.request.iter().map(|row| &*row.field.clauses);
    let reasons = tools.incomplete_because.iter().map(|row| &*row.clauses);
    let notices = tools.notices.iter().map(|row| &*row.clauses);
    let errors = tools.errors.iter().map(|row| &*row.clauses);
    let keys = tools.keys.iter().map(|row| &*row.key.clauses);
    let limits = tools.limits.iter().map(|row| &*row.clauses);
    let all = profiles
        .chain(fields)
        .chain(reasons)
        .chain(notices)
        .chain(errors)
        .chain(keys)
        .chain(limits);
    let own = (files::DEFINITIONS, &*spec.definitions.clauses);
    all.map(|clauses| (files::AGENT_TOOLS, clauses)).chain([own]).collect()
}

/// References to configuration keys.
pub(super) fn settings(spec: &Spec, findings: &mut Vec<Finding>) {
    let fields = spec.agent_tools.request.iter().map(|row| &row.field);
    for key in fields.flat_map(|field| field.maximum_from.iter().chain(&field.default_from)) {
        if spec.agent_tools.key(&key.value).is_none() {
            let message =
                format!("`{}` is not a configuration key of the agent's tools", key.value);
            findings.push(Finding::at(files::AGENT_TOOLS, key, message));
        }
    }
}
