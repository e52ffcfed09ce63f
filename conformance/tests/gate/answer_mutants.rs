//! A wrong table would be noticed: a sample of all changes of the tables that answers are made by.
//!
//! Not here: all changes, which `touchstone spec mutate` tries.

use forge_search_core::tool::Profile;
use forge_search_engine::IndexUse;
use serde_json::{Value, json};
use touchstone::case::{Entry, Node, Tables};
use touchstone::generate::edges::edges;
use touchstone::generate::many::many;
use touchstone::mutants::Sample;
use touchstone::mutants::answers::{Extent, run};
use touchstone::mutants::facts;

use crate::clauses_agent::asked::{Desk, asked, asked_unprivileged};

#[test]
fn every_sampled_mutant_is_noticed() {
    for table in ["search.orders", "search.caps", "search.notes"] {
        let extent = Extent { drawn: 0, seed: 0, threads: 2, table };
        let outcome = run(Sample { size: Some(12), seed: 0 }, extent, &|_| ()).unwrap();
        assert!(outcome.killed() >= 5, "{outcome:#?}");
        assert!(outcome.is_clean(), "{:#?}\n{:#?}", outcome.survivors, outcome.stale);
    }
}

#[test]
fn the_tables_agree_with_the_constants_of_production() {
    let keyword = json!({"query": "foo", "search_terms": ["foo"], "use_model": false});
    let circumstances = [
        circumstance("f.rs", "grep", &json!({"pattern": "foo", "file_type": "none"})),
        circumstance("foobar", "find_files", &json!({"pattern": "oob"})),
        circumstance("f.rs", "grep", &json!({"pattern": "foo"})),
        circumstance(".f", "keyword_search", &keyword),
        circumstance("f.rs", "keyword_search", &keyword),
    ];
    assert_eq!(facts::of_tables(Tables::CURRENT), facts::production(&circumstances));
}

/// The notices of a call over one file, with an index that is not ready, a rate limit that is used
/// up, and a file of configuration that cannot be read.
fn circumstance(file: &str, tool: &str, request: &Value) -> Value {
    let config = "[tools.search]\nindex_mode = \"on\"\nindex_storage = \"memory\"\n\
        [tools.agent]\nsearches_per_minute = 1\n";
    let files = [(file, "foo ".repeat(200))];
    let files = files.each_ref().map(|(file, text)| (*file, text.as_str()));
    let desk = Desk::of(&files, config, Profile::All, Some(IndexUse::Stepped));
    desk.write(".agent/config.yml", "tools: [");
    facts::notices(&desk.page(tool, request))
}

#[test]
fn cases_at_the_edges_of_the_tables_agree_with_the_model() {
    let is_closed = |entry: &Entry| matches!(entry.node, Node::Dir { readable: false });
    for case in edges() {
        if case.tree.iter().any(is_closed) {
            asked_unprivileged(&case).ok();
        } else {
            asked(&case).ok();
        }
    }
}

#[test]
fn cases_beyond_the_counting_limits_agree_with_the_model() {
    touchstone::verifies!("FR-015b-06", "E-I17");
    for case in many() {
        asked(&case).unwrap();
    }
}
