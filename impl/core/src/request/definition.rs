//! Description and schemas of `Search`, worded for a model that selects a tool.

use serde_json::{Value, json};

use super::{MAX_CONTEXT, MAX_GLOBS, MAX_RESULTS, MAX_TIMEOUT_MS, NAMES, UNCAPPED};
use crate::tool::ToolDefinition;

/// The definition of `Search`. Its bounds are the document's; configuration may allow less.
pub fn definition() -> ToolDefinition {
    let [name, ..] = NAMES;
    ToolDefinition {
        title: "Search lines",
        output_schema: output_schema(),
        ..ToolDefinition::read_only(
            name,
            "Find lines in files by regular expression or literal, with every option: whole words, globs, hidden and ignored files, approximate \
             matching, limits. One event per matching line, sorted by path, with optional context lines; the answer says whether anything was \
             left out. Ignore files are respected.",
            input_schema(),
        )
    }
}

/// The answer without `content`, which is sent as text.
fn output_schema() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    let text = json!({ "type": "string" });
    let flag = json!({ "type": "boolean" });
    let texts = json!({ "type": "object", "properties": { "text": text }, "required": ["text"], "additionalProperties": false });
    let data = json!({
        "type": "object",
        "properties": { "path": texts, "line_number": count, "column": count, "lines": texts, "match_text": text },
        "required": ["path", "line_number", "lines"],
        "additionalProperties": false,
    });
    let event = json!({
        "type": "object",
        "properties": { "type": { "enum": ["match", "context"] }, "data": data },
        "required": ["type", "data"],
        "additionalProperties": false,
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "pattern": text, "path": text, "count": count, "matches": { "type": "array", "items": event },
            "truncated": flag, "timed_out": flag, "files_scanned": count,
            "errors": { "type": "array", "items": problem_schema() },
            "exit_code": { "type": "integer" }, "stderr": text,
            "stats": { "type": "object", "description": "Whether the answer is complete, why not, what the index did." },
            "notices": notices_schema(),
        },
        "required": ["pattern", "path", "count", "matches", "truncated", "timed_out", "files_scanned", "errors"],
        "additionalProperties": false,
    })
}

/// The schema of a place that could not be searched.
pub(crate) fn problem_schema() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object", "properties": { "path": text, "error": text },
        "required": ["path", "error"], "additionalProperties": false,
    })
}

/// The schema of notices.
pub(crate) fn notices_schema() -> Value {
    let text = json!({ "type": "string" });
    let notice = json!({
        "type": "object", "properties": { "notice": text, "code": text, "message": text },
        "required": ["notice", "message"], "additionalProperties": false,
    });
    json!({ "type": "array", "items": notice })
}

fn input_schema() -> Value {
    let flag = |default: bool, description: &str| json!({ "type": "boolean", "default": default, "description": description });
    let count = |description: &str| json!({ "type": "integer", "minimum": 1, "maximum": UNCAPPED, "description": description });
    let globs = |description: &str| {
        let glob = json!({ "type": "string", "minLength": 1 });
        json!({ "type": "array", "items": glob, "maxItems": MAX_GLOBS, "description": description })
    };
    json!({
        "type": "object",
        "properties": {
            "pattern": { "type": "string", "minLength": 1, "description": "Regular expression (Rust syntax, line by line), or a literal with fixed_strings." },
            "path": { "type": "string", "minLength": 1, "description": "File or directory to search; the working directory if absent." },
            "case": {
                "type": "string", "enum": ["smart", "sensitive", "insensitive"], "default": "smart",
                "description": "Letters of any script. smart: sensitive only if the pattern has a capital.",
            },
            "fixed_strings": flag(false, "Take the pattern literally."),
            "word_regexp": flag(false, "Only whole words."),
            "include_glob": globs("Only files that one of these covers; `*.rs` at any depth, `src/**` from the search root."),
            "exclude_glob": globs("No files that one of these covers."),
            "glob": globs("Deprecated name of include_glob."),
            "recursive": flag(true, "Descend into directories."),
            "hidden": flag(false, "Also names that start with a dot."),
            "follow": flag(false, "Follow symlinks that stay inside the roots."),
            "no_ignore": flag(false, "Disregard ignore files."),
            "context": { "type": "integer", "minimum": 0, "maximum": MAX_CONTEXT, "default": 0, "description": "Lines before and after each match." },
            "max_results": { "type": "integer", "minimum": 1, "maximum": MAX_RESULTS, "default": 200, "description": "Events, context lines included." },
            "max_matches_per_file": count("Matching lines of one file."),
            "max_files": count("Files to look at, in order of their paths."),
            "max_file_size_bytes": count("Larger files are not searched."),
            "timeout_ms": { "type": "integer", "minimum": 1, "maximum": MAX_TIMEOUT_MS, "default": 20_000, "description": "What is known by then is the answer." },
            "fuzzy": { "type": "integer", "minimum": 1, "maximum": 4, "description": "Edits that a literal tolerates; needs fixed_strings." },
        },
        "required": ["pattern"],
        "additionalProperties": false,
    })
}
