//! Consistency of the files: ids are unique, references exist, requirements are verified.
//!
//! The loader reports these defects as errors, and the lint repeats them.

mod agent;
mod index;
mod keyword;
mod search_files;

use std::collections::{BTreeMap, BTreeSet};

use crate::files;
use crate::index::files as index_files;
use crate::place::{At, Finding};
use crate::rules::Stated;
use crate::specification::Spec;
use crate::truncation::CapsOf;

pub(crate) use agent::cited as agent_cited;
pub(crate) use keyword::cited as keyword_cited;

/// All such defects, in the order of files and lines.
pub(crate) fn structure(spec: &Spec) -> Vec<Finding> {
    let mut findings = Vec::new();
    duplicates(spec, &mut findings);
    citations(spec, &mut findings);
    settings(spec, &mut findings);
    shown_rules(spec, &mut findings);
    verification(spec, &mut findings);
    index::references(spec, &mut findings);
    findings.sort();
    findings
}

/// Ids of one namespace: their kind, and each with its file and line.
struct Scope<'a> {
    what: &'static str,
    ids: Vec<(&'a str, &'a str, u64)>,
}

impl<'a> Scope<'a> {
    fn new(what: &'static str) -> Self {
        Self { what, ids: Vec::new() }
    }

    fn add<T>(&mut self, file: &'a str, id: &'a str, at: &At<T>) {
        self.ids.push((file, id, at.line));
    }

    fn add_all(mut self, file: &'a str, ids: impl Iterator<Item = &'a At<String>>) -> Self {
        for id in ids {
            self.add(file, &id.value, id);
        }
        self
    }
}

fn scopes(spec: &Spec) -> Vec<Scope<'_>> {
    let mut clauses = Scope::new("id");
    for document in &spec.documents {
        clauses = clauses.add_all(
            &document.file,
            document.requirements.iter().map(|requirement| &requirement.id),
        );
    }
    clauses = clauses.add_all(files::ERRATA, spec.errata.errata.iter().map(|erratum| &erratum.id));

    let mut documents = Scope::new("document");
    for document in &spec.documents {
        documents.add(&document.file, &document.document.value, &document.document);
    }
    let mut facts = Scope::new("fact");
    for backend in &spec.backends {
        facts = facts.add_all(&backend.file, backend.facts.iter().map(|fact| &fact.id));
    }
    let mut rules = Scope::new("rule");
    for rule in all_rules(spec) {
        rules.ids.push((rule.file, rule.id, rule.line));
    }
    rules = rules
        .add_all(files::EXIT_CLASSES, spec.exit_classes.classification.iter().map(|step| &step.id));

    let tool = &spec.search;
    let mut scopes = vec![
        clauses,
        documents,
        facts,
        rules,
        Scope::new("audited row").add_all(files::AUDIT, spec.audit.rows().map(|(_, gap)| &gap.row)),
        Scope::new("budget")
            .add_all(files::NFR, spec.budgets.budgets.iter().map(|budget| &budget.id)),
        Scope::new("key")
            .add_all(files::CONFIG, spec.configuration.keys.iter().map(|key| &key.name))
            .add_all(
                index_files::CONFIGURATION,
                spec.index.configuration.keys.iter().map(|key| &key.name),
            ),
        Scope::new("preset")
            .add_all(files::CONFIG, spec.configuration.presets.iter().map(|preset| &preset.name)),
        Scope::new("ignore source")
            .add_all(files::PATHS, spec.paths.ignore_sources.iter().map(|source| &source.id)),
        Scope::new("alias").add_all(files::TOOL, tool.aliases.iter()),
        Scope::new("field").add_all(files::TOOL, tool.request.iter().map(|field| &field.name)),
        Scope::new("response field")
            .add_all(files::TOOL, tool.response.iter().map(|field| &field.name)),
        Scope::new("event field").add_all(files::TOOL, tool.event.iter().map(|field| &field.name)),
        named("check", tool.checks.iter().map(|check| (check.id.value.name(), check.id.line))),
        named("problem", tool.problems.iter().map(|row| (row.id.value.name(), row.id.line))),
        named("note", tool.notes.iter().map(|note| (note.id.value.name(), note.id.line))),
        named("limit", tool.limits.iter().map(|limit| (limit.id.value.name(), limit.id.line))),
    ];
    scopes.extend(index::scopes(&spec.index));
    scopes.extend(search_files::scopes(spec));
    scopes.extend(agent::scopes(spec));
    scopes.extend(keyword::scopes(spec));
    scopes
}

/// The ids of a closed list, all in the file of `Search`.
fn named<'a>(what: &'static str, ids: impl Iterator<Item = (&'a str, u64)>) -> Scope<'a> {
    Scope { what, ids: ids.map(|(id, line)| (files::TOOL, id, line)).collect() }
}

fn duplicates(spec: &Spec, findings: &mut Vec<Finding>) {
    for scope in scopes(spec) {
        let mut first: BTreeMap<&str, (&str, u64)> = BTreeMap::new();
        for (file, id, line) in scope.ids {
            if let Some((before, at)) = first.get(id) {
                let message =
                    format!("{} `{id}` is given twice, first at {before}:{at}", scope.what);
                findings.push(Finding { file: file.to_owned(), line, message });
            } else {
                first.insert(id, (file, line));
            }
        }
    }
}

/// The ids of requirements and errata.
pub(crate) fn clauses(spec: &Spec) -> BTreeSet<&str> {
    let requirements = spec.documents.iter().flat_map(|document| &document.requirements);
    let ids = requirements.map(|requirement| &*requirement.id.value);
    ids.chain(spec.errata.errata.iter().map(|erratum| &*erratum.id.value)).collect()
}

/// Every rule, and every row that vectors can name as one.
pub(crate) fn all_rules(spec: &Spec) -> impl Iterator<Item = Stated<'_>> {
    let paths = spec.paths.rules().map(|rule| (files::PATHS, rule));
    let matching = spec.matching.rules().map(|rule| (files::MATCHING, rule));
    let search_files = spec.search_files.rules.iter().map(|rule| (files::FILES_TOOL, rule));
    let agent = spec.agent_tools.rules.iter().map(|rule| (files::AGENT_TOOLS, rule));
    let keyword = spec.keyword_search.rules.iter().map(|rule| (files::KEYWORD_SEARCH, rule));
    let rules = paths.chain(matching).chain(search_files).chain(agent).chain(keyword);
    let tables = spec.ordering.stated().chain(spec.truncation.stated());
    tables.chain(rules.map(|(file, rule)| rule.stated(file)))
}

/// Every list of clauses, with its file.
pub(crate) fn cited(spec: &Spec) -> Vec<(&str, &[At<String>])> {
    let mut all: Vec<(&str, &[At<String>])> = vec![(files::TOOL, &spec.search.name_clauses)];
    let tool = &spec.search;
    all.extend(tool.request.iter().map(|field| (files::TOOL, &*field.clauses)));
    all.extend(tool.checks.iter().map(|check| (files::TOOL, &*check.clauses)));
    all.extend(tool.response.iter().chain(&tool.event).map(|field| (files::TOOL, &*field.clauses)));
    all.extend(tool.problems.iter().map(|problem| (files::TOOL, &*problem.clauses)));
    all.extend(tool.notes.iter().map(|note| (files::TOOL, &*note.clauses)));
    all.extend(tool.limits.iter().map(|limit| (files::TOOL, &*limit.clauses)));
    all.extend(spec.configuration.keys.iter().map(|key| (files::CONFIG, &*key.clauses)));
    all.extend(all_rules(spec).map(|rule| (rule.file, rule.clauses)));
    all.extend(spec.paths.ignore_sources.iter().map(|source| (files::PATHS, &*source.clauses)));
    all.extend(spec.exit_classes.documented.iter().map(|row| (files::EXIT_CLASSES, &*row.clauses)));
    all.extend(
        spec.exit_classes.classification.iter().map(|step| (files::EXIT_CLASSES, &*step.clauses)),
    );
    all.extend(spec.budgets.budgets.iter().map(|budget| (files::NFR, &*budget.clauses)));
    all.extend(search_files::cited(spec));
    all.extend(agent::cited(spec));
    all.extend(keyword::cited(spec));
    for backend in &spec.backends {
        all.push((&backend.file, &backend.minimum_clauses));
        all.extend(backend.facts.iter().map(|fact| (&*backend.file, &*fact.clauses)));
    }
    all
}

fn citations(spec: &Spec, findings: &mut Vec<Finding>) {
    let requirements: BTreeSet<&str> = spec
        .documents
        .iter()
        .flat_map(|document| &document.requirements)
        .map(|row| &*row.id.value)
        .collect();
    let errata: BTreeSet<&str> =
        spec.errata.errata.iter().map(|erratum| &*erratum.id.value).collect();
    for (file, clauses) in cited(spec) {
        for clause in clauses {
            if !requirements.contains(&*clause.value) && !errata.contains(&*clause.value) {
                let message = format!("`{}` is neither a requirement nor an erratum", clause.value);
                findings.push(Finding::at(file, clause, message));
            }
        }
    }
    for (_, gap) in spec.audit.rows().filter(|(_, gap)| !requirements.contains(&*gap.row.value)) {
        let message = format!("no requirement has the id `{}`", gap.row.value);
        findings.push(Finding::at(files::AUDIT, &gap.row, message));
    }
    for erratum in &spec.errata.errata {
        for clause in erratum.clauses.iter().filter(|clause| !requirements.contains(&*clause.value))
        {
            let message = format!("`{}` is not a requirement", clause.value);
            findings.push(Finding::at(files::ERRATA, clause, message));
        }
    }
    for document in &spec.documents {
        let resolved = document.requirements.iter().flat_map(|row| &row.resolved_by);
        for id in resolved.filter(|id| !errata.contains(&*id.value)) {
            let message = format!("`{}` is not an erratum", id.value);
            findings.push(Finding::at(&document.file, id, message));
        }
    }
    let tools =
        [(files::TOOL, &spec.search.document), (files::FILES_TOOL, &spec.search_files.document)];
    for (file, named) in tools {
        if !spec.documents.iter().any(|document| document.document.value == named.value) {
            let message = format!("there is no document `{}`", named.value);
            findings.push(Finding::at(file, named, message));
        }
    }
}

/// References to configuration keys.
fn settings(spec: &Spec, findings: &mut Vec<Finding>) {
    let fields = spec.search.request.iter();
    for key in fields.flat_map(|field| field.maximum_from.iter().chain(&field.default_from)) {
        if spec.configuration.key(&key.value).is_none() {
            let message = format!("`{}` is not a configuration key", key.value);
            findings.push(Finding::at(files::TOOL, key, message));
        }
    }
    search_files::settings(spec, findings);
    agent::settings(spec, findings);
    keyword::settings(spec, findings);
    for vector in &spec.vectors.events {
        for key in vector.config.keys().filter(|key| spec.configuration.key(key).is_none()) {
            let message = format!("`{key}`, configured by this vector, is not a configuration key");
            findings.push(Finding::at(files::EVENTS, &vector.rule, message));
        }
    }
}

/// References from vectors to rules and notes, and from caps to reasons.
fn shown_rules(spec: &Spec, findings: &mut Vec<Finding>) {
    let rules: BTreeSet<&str> = all_rules(spec).map(|rule| rule.id).collect();
    for (file, rule) in spec.vectors.rules() {
        if !rules.contains(&*rule.value) {
            findings.push(Finding::at(file, rule, format!("`{}` is not a rule", rule.value)));
        }
    }
    let agent = &spec.agent_tools;
    for (of, reason) in spec.truncation.reasons() {
        let id = &*reason.value;
        let is_told = match of {
            CapsOf::Search => spec.search.notes.iter().any(|note| note.id.value.name() == id),
            CapsOf::SearchFiles => {
                spec.search_files.incomplete_because.iter().any(|row| row.id.value.name() == id)
            }
            CapsOf::Agent => agent.incomplete_because.iter().any(|row| row.id.value.name() == id),
            CapsOf::Keyword => spec.keyword_search.skipped.iter().any(|row| *row.id.value == *id),
        };
        if !is_told {
            findings.push(Finding::at(
                files::TRUNCATION,
                reason,
                format!("`{id}` is no reason there"),
            ));
        }
    }
    let notes: BTreeSet<&str> = spec.search.notes.iter().map(|note| note.id.value.name()).collect();
    for note in spec.vectors.events.iter().flat_map(|vector| &vector.notes) {
        if !notes.contains(&*note.value) {
            findings.push(Finding::at(
                files::EVENTS,
                note,
                format!("`{}` is not a note", note.value),
            ));
        }
    }
}

fn verification(spec: &Spec, findings: &mut Vec<Finding>) {
    for document in &spec.documents {
        for requirement in
            document.requirements.iter().filter(|requirement| requirement.verify.is_empty())
        {
            let message = format!("nothing verifies `{}`; give it `verify`", requirement.id.value);
            findings.push(Finding::at(&document.file, &requirement.id, message));
        }
    }
}
