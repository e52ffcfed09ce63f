//! Cases that are neither stored nor drawn: beyond limits that no configuration lowers, which makes
//! them wide, or with a deadline that may strike, of which there is more than one right answer.

use serde_json::json;

use crate::case::{Case, Entry, FILES_TOOL, Keys};

/// More lines than `grep` counts, and a search that may end early.
pub fn many() -> Vec<Case> {
    let lines = Case::of(
        "many-lines",
        "lines are counted over files, and what lies behind is not looked at",
        "grep",
        json!({"pattern": "alpha", "context_lines": 0, "max_results": 1}),
    );
    let lines = lines
        .with(Entry::file("a", "alpha\n".repeat(600)))
        .with(Entry::file("b", "alpha\n".repeat(600)));
    let mut struck = Case::new(
        "struck",
        "a deadline may strike where a link leads nowhere and a file is too large",
        json!({"pattern": "alpha", "follow": true, "max_file_size_bytes": 1}),
    );
    struck.config.deadline_may_strike = true;
    struck.config.keys = Keys::default().with("emit_stats", true);
    let struck = struck.with(Entry::link("a", "nowhere")).with(Entry::file("b", "alpha\n"));
    let mut files = Case::of(
        "struck-files",
        "a deadline may strike before the file that holds one match too many",
        FILES_TOOL,
        json!({"path": ".", "query": "alpha", "max_results": 1}),
    );
    files.config.deadline_may_strike = true;
    let files = files.with(Entry::file("a", "alpha\n")).with(Entry::file("b", "alpha\n"));
    let mut cut = Case::new(
        "struck-cut",
        "a deadline may strike before the file that holds one event too many",
        json!({"pattern": "alpha", "max_results": 1}),
    );
    cut.config.deadline_may_strike = true;
    let cut = cut.with(Entry::file("a", "alpha\n")).with(Entry::file("b", "alpha\n"));
    vec![files, cut, struck, lines.with(Entry::file("c", "alpha\n"))]
}
