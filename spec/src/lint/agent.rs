//! Checks that the tables of the agent's tools are complete and fit their types.

use std::collections::BTreeSet;

use super::tables::{absent, configuration, request_field};
use crate::checks;
use crate::files;
use crate::place::Finding;
use crate::requirement::{Keyword, Verify};
use crate::specification::Spec;
use crate::tool::agent::{AgentErrorId, AgentLimitId, AgentReasonId, KEYS, NoticeId};

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    complete(spec, findings);
    let tools = &spec.agent_tools;
    for row in &tools.request {
        request_field(files::AGENT_TOOLS, |key| tools.key(key), &row.field, findings);
    }
    for row in &tools.keys {
        configuration(files::AGENT_TOOLS, &row.key, findings);
    }
    for profile in &tools.profiles {
        if !profile.tools.is_sorted_by(|one, other| one.name < other.name) {
            let message = format!(
                "the tools of `{}` are not in the order of their names",
                profile.name.value
            );
            findings.push(Finding::at(files::AGENT_TOOLS, &profile.name, message));
        }
    }
    for (file, clauses) in checks::agent_cited(spec) {
        if clauses.is_empty() {
            findings.push(Finding::of(file, "a row cites no clause".to_owned()));
        }
    }
    carried_out(spec, findings);
}

/// Every member of a closed list has a row.
fn complete(spec: &Spec, findings: &mut Vec<Finding>) {
    let tools = &spec.agent_tools;
    let mut missing = |what: &str, all: Vec<&str>, given: Vec<&str>| {
        absent(files::AGENT_TOOLS, what, &all, &given, findings);
    };
    missing(
        "limit",
        AgentLimitId::ALL.iter().map(|id| id.name()).collect(),
        tools.limits.iter().map(|limit| limit.id.value.name()).collect(),
    );
    missing(
        "reason of incomplete_because",
        AgentReasonId::ALL.iter().map(|id| id.name()).collect(),
        tools.incomplete_because.iter().map(|reason| reason.id.value.name()).collect(),
    );
    missing(
        "notice",
        NoticeId::ALL.iter().map(|id| id.name()).collect(),
        tools.notices.iter().map(|notice| notice.id.value.name()).collect(),
    );
    missing(
        "error",
        AgentErrorId::ALL.iter().map(|id| id.name()).collect(),
        tools.errors.iter().map(|error| error.id.value.name()).collect(),
    );
    missing("key", KEYS.to_vec(), tools.keys.iter().map(|row| &*row.key.name.value).collect());
}

/// Some row cites every functional requirement of the document, except those without data: the log,
/// metrics.
fn carried_out(spec: &Spec, findings: &mut Vec<Finding>) {
    let rules = spec.agent_tools.rules.iter().flat_map(|rule| &rule.clauses);
    let rows = checks::agent_cited(spec).into_iter().flat_map(|(_, clauses)| clauses);
    let cited: BTreeSet<&str> = rows.chain(rules).map(|clause| &*clause.value).collect();
    let documents = spec
        .documents
        .iter()
        .filter(|document| document.document.value == spec.agent_tools.document.value);
    for document in documents {
        for requirement in &document.requirements {
            let id = &*requirement.id.value;
            let of_requests =
                id.starts_with("FR-015b-") || id.starts_with("ACODE-") || id.starts_with("CFGKEY-");
            let of_service = ["FR-015b-22", "FR-015b-23", "FR-015b-24", "FR-015b-37", "FR-015b-38"]
                .contains(&id);
            let exempt =
                requirement.keyword == Keyword::Test || requirement.verify == [Verify::Inspection];
            if of_requests && !of_service && !exempt && !cited.contains(id) {
                let message = format!("no row of agent_tools carries out `{id}`");
                findings.push(Finding::at(&document.file, &requirement.id, message));
            }
        }
    }
}
