//! Generates texts from the specification: the model's tables (Rust), tables of the documentation
//! (Markdown), the diagram of the index's states, and JSON schemas for the harness.
//!
//! Equal specifications give equal texts; Rust is formatted as `rustfmt` formats it; every text
//! ends with one line feed and says that it is generated. The harness writes the texts and checks
//! that they are current.

mod adapters;
mod agent;
mod agent_pages;
mod changes;
mod diagram;
mod index;
mod index_pages;
mod keyword;
mod keyword_pages;
mod model;
mod ordering;
mod pages;
mod rust;
mod schema;
mod search_files;
mod search_files_json;
mod search_files_pages;
mod truncation;

use crate::specification::Spec;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// Path relative to the repository, with forward slashes.
    pub path: String,
    pub text: String,
}

/// The path of the diagram of the index's states.
pub const DIAGRAM: &str = "docs/index-states.svg";

/// All generated texts, in the order of paths.
pub fn emit(spec: &Spec) -> Vec<Emitted> {
    let mut emitted = vec![
        text("conformance/src/generated/search.request.schema.json", schema::request(spec)),
        text("conformance/src/generated/search.response.schema.json", schema::response(spec)),
        text(
            "conformance/src/generated/search_files.answer.schema.json",
            search_files_json::answer(spec),
        ),
        text(
            "conformance/src/generated/search_files.definition.json",
            search_files_json::definition(spec),
        ),
        text(
            "conformance/src/generated/search_files.request.schema.json",
            search_files_json::request(spec),
        ),
        text(DIAGRAM, diagram::states(spec)),
        text("docs/tables/adapters.md", adapters::adapters(spec)),
        text("docs/tables/agent-tools.md", agent_pages::tools(spec)),
        text("docs/tables/backends.md", pages::backends(spec)),
        text("docs/tables/changes.md", changes::changes(spec)),
        text("docs/tables/checks.md", pages::checks(spec)),
        text("docs/tables/configuration.md", pages::configuration(spec)),
        text("docs/tables/errata.md", pages::errata(spec)),
        text("docs/tables/exit-classes.md", pages::exit_classes(spec)),
        text("docs/tables/fields.md", pages::fields(spec)),
        text("docs/tables/index-configuration.md", index_pages::configuration(spec)),
        text("docs/tables/index-reasons.md", index_pages::reasons(spec)),
        text("docs/tables/index-stats.md", index_pages::stats(spec)),
        text("docs/tables/index-transitions.md", index_pages::transitions(spec)),
        text("docs/tables/keyword-search.md", keyword_pages::tool(spec)),
        text("docs/tables/ordering.md", ordering::page_of(spec)),
        text("docs/tables/requirements.md", pages::requirements(spec)),
        text("docs/tables/rules.md", pages::rules(spec)),
        text("model/src/generated/agent.rs", agent::agent(spec)),
        text("model/src/generated/index.rs", index::index(spec)),
        text("model/src/generated/keyword.rs", keyword::keyword(spec)),
        text("model/src/generated/ordering.rs", ordering::ordering(spec)),
        text("docs/tables/search-files-checks.md", search_files_pages::checks(spec)),
        text("docs/tables/search-files-configuration.md", search_files_pages::configuration(spec)),
        text("docs/tables/search-files-fields.md", search_files_pages::fields(spec)),
        text("docs/tables/truncation.md", truncation::page_of(spec)),
        text("model/src/generated/truncation.rs", truncation::truncation(spec)),
        text("model/src/generated/search.rs", model::search(spec)),
        text("model/src/generated/search_files.rs", search_files::search_files(spec)),
    ];
    emitted.sort_by(|a, b| a.path.cmp(&b.path));
    emitted
}

fn text(path: &str, text: String) -> Emitted {
    Emitted { path: path.to_owned(), text }
}

#[cfg(test)]
mod tests;
