//! Checks that the tables of `keyword_search` are complete and fit their types.

use std::collections::BTreeSet;

use super::tables::{absent, configuration, request_field};
use crate::checks;
use crate::files;
use crate::place::Finding;
use crate::requirement::Verify;
use crate::specification::Spec;
use crate::tool::keyword::{KeywordLimitId, KeywordTool, NamedPattern, Secret};

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    let tool = &spec.keyword_search;
    let all: Vec<&str> = KeywordLimitId::ALL.iter().map(|id| id.name()).collect();
    let given: Vec<&str> = tool.limits.iter().map(|limit| limit.id.value.name()).collect();
    absent(files::KEYWORD_SEARCH, "limit", &all, &given, findings);
    for field in &tool.request {
        request_field(files::KEYWORD_SEARCH, |key| spec.agent_tools.key(key), field, findings);
    }
    for key in &tool.keys {
        configuration(files::KEYWORD_SEARCH, key, findings);
    }
    for (file, clauses) in checks::keyword_cited(spec) {
        if clauses.is_empty() {
            findings.push(Finding::of(file, "a row cites no clause".to_owned()));
        }
    }
    patterns(tool, findings);
    carried_out(spec, findings);
}

/// Every pattern compiles once its words are substituted, and references exist.
fn patterns(tool: &KeywordTool, findings: &mut Vec<Finding>) {
    let word = |row: &NamedPattern| (row.id.value.clone(), tool.spelled_out(&row.pattern));
    let named = tool.words.iter().chain(&tool.harmless).map(word);
    let secret = |row: &Secret| (row.id.value.clone(), tool.spelled_out(&row.pattern));
    let key = [&tool.private_key.begin, &tool.private_key.end];
    let key = key.map(|pattern| ("private_key".to_owned(), pattern.clone()));
    for (name, pattern) in named.chain(tool.secrets.iter().map(secret)).chain(key) {
        if let Err(error) = regex_syntax::parse(&pattern) {
            let message = format!("the pattern of `{name}` is none: {error}");
            findings.push(Finding::of(files::KEYWORD_SEARCH, message));
        }
    }
    let letters = |row: &String| row.bytes().all(|letter| letter.is_ascii_lowercase());
    if tool.usual_pairs.len() != 26 || !tool.usual_pairs.iter().all(letters) {
        let message = "`usual_pairs` has no row of letters for each letter".to_owned();
        findings.push(Finding::of(files::KEYWORD_SEARCH, message));
    }
    for unless in tool.secrets.iter().flat_map(|row| &row.unless) {
        if tool.harmless.iter().all(|row| row.id.value != unless.value) {
            let message = format!("`{}` is no harmless value", unless.value);
            findings.push(Finding::at(files::KEYWORD_SEARCH, unless, message));
        }
    }
}

/// Some row cites every requirement of the document that is not verified by inspection alone.
fn carried_out(spec: &Spec, findings: &mut Vec<Finding>) {
    let rules = spec.keyword_search.rules.iter().flat_map(|rule| &rule.clauses);
    let rows = checks::keyword_cited(spec).into_iter().flat_map(|(_, clauses)| clauses);
    let cited: BTreeSet<&str> = rows.chain(rules).map(|clause| &*clause.value).collect();
    let named = &spec.keyword_search.document.value;
    for document in spec.documents.iter().filter(|document| document.document.value == *named) {
        for requirement in &document.requirements {
            let id = &*requirement.id.value;
            if requirement.verify != [Verify::Inspection] && !cited.contains(id) {
                let message = format!("no row of keyword_search carries out `{id}`");
                findings.push(Finding::at(&document.file, &requirement.id, message));
            }
        }
    }
}
