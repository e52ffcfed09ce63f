//! What is told of the tool before anybody calls it (FR-SF-DEF-01 to FR-SF-DEF-04, SCHEMA-SF).

use serde_json::json;

use super::NAME;
use crate::tool::ToolDefinition;

/// The definition of `search_files`. Its schema is the document's; that unknown fields are refused is said besides.
pub fn definition() -> ToolDefinition {
    let count = json!({ "type": "integer", "minimum": 1 });
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    ToolDefinition::looking(
        NAME,
        "Search file contents",
        json!({
            "type": "object",
            "properties": {
                "path": { "type": "string" },
                "query": { "type": "string" },
                "mode": { "type": "string", "enum": ["exact", "regex", "fuzzy"], "default": "exact" },
                "case": { "type": "string", "enum": ["sensitive", "insensitive", "smart"], "default": "smart" },
                "recursive": { "type": "boolean", "default": true },
                "max_depth": count,
                "max_results": count,
                "max_matches_per_file": count,
                "max_file_size_bytes": count,
                "max_files": count,
                "context_lines": { "type": "integer", "minimum": 0, "default": 0 },
                "include_hidden": { "type": "boolean", "default": false },
                "follow_symlinks": { "type": "boolean", "default": false },
                "respect_gitignore": { "type": "boolean", "default": true },
                "include_globs": texts,
                "exclude_globs": texts,
            },
            "required": ["path", "query"],
            "additionalProperties": false,
        }),
    )
}
