//! Cases beyond limits that no configuration lowers: too wide to be stored, and too slow to be drawn.

use serde_json::json;

use crate::case::{Case, Entry};

/// More files and lines than `search_text` ranks and `grep` counts.
pub fn many() -> Vec<Case> {
    let pool = Case::of_agent(
        "many-files",
        "the file that is named after the term is ranked, though it is the last",
        "search_text",
        json!({"query": "alpha", "context_lines": 0}),
    );
    let pool =
        (0..1_001).fold(pool, |case, number| case.with(Entry::file(format!("f{number:04}"), "alpha\n")));
    vec![pool.with(Entry::file("z_alpha", "alpha\n"))]
}
