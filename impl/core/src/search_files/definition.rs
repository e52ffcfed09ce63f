//! Description and schemas of the tool (FR-SF-DEF-01 to FR-SF-DEF-04, SCHEMA-SF).

use serde_json::{Value, json};

use super::NAME;
use crate::{
    request::definition::{notices_schema, problem_schema},
    tool::ToolDefinition,
};

/// The definition of `search_files`: the document's schema, closed to unknown fields.
pub fn definition() -> ToolDefinition {
    let count = json!({ "type": "integer", "minimum": 1 });
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    ToolDefinition {
        title: "Search contents",
        output_schema: output_schema(),
        ..ToolDefinition::read_only(
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
}

/// The schema of the answer (MATF-SF-*, STATF-SF-*).
fn output_schema() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    let text = json!({ "type": "string" });
    let flag = json!({ "type": "boolean" });
    let lines = json!({ "type": "array", "items": text });
    let found = json!({
        "type": "object",
        "properties": {
            "path": text, "line": count, "column": count, "match_text": text, "line_text": text,
            "before": lines, "after": lines, "score": { "type": ["number", "null"] },
        },
        "required": ["path", "line", "column", "match_text", "line_text", "before", "after", "score"],
        "additionalProperties": false,
    });
    let stats = json!({
        "type": "object",
        "properties": {
            "files_scanned": count, "files_matched": count, "matches_total": count, "elapsed_ms": count, "complete": flag,
            "incomplete_because": lines, "files_cut": count, "files_oversized": count, "files_binary": count,
            "directories_not_entered": count, "errors_total": count,
        },
        "required": ["files_scanned", "matches_total", "complete", "incomplete_because"],
        "additionalProperties": false,
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "path": text, "query": text, "mode": text, "case": text, "matches": { "type": "array", "items": found },
            "returned": count, "max_results": count, "truncated": flag, "truncated_reason": { "type": ["string", "null"] },
            "stats": stats, "errors": { "type": "array", "items": problem_schema() }, "notices": notices_schema(),
        },
        "required": ["path", "query", "mode", "case", "matches", "returned", "truncated", "stats", "errors"],
        "additionalProperties": false,
    })
}
