//! Descriptions and schemas of the agent's tools, worded for a model that selects a tool
//! (FR-015b-01, -07, -12, BP-015b-05, NFR-015b-09; docs/agent-tools.md, sections 1 and 2).

use serde_json::{Map, Value, json};

use super::{
    find_files, grep,
    request::{MAX_CONTEXT, MAX_OFFSET, MAX_RESULTS},
    search_text,
};
use crate::{request::definition::notices_schema, tool::ToolDefinition};

const TEXT: &str = "Find the files most relevant to words or identifiers, best first. Every term has to occur in a file, as a whole identifier or whole parts of one \
    (`UserService` also finds user_service); case is ignored. Use it to find where something is done or defined. \
    For exact text, parts of words or regular expressions use grep; for file names use the path search. \
    Example: {\"query\": \"retry backoff\"}.";
const GREP: &str = "Find every line that has an exact text or matches a regular expression (`regex`: true, Rust syntax, line by line), in path order. \
    Exhaustive: `total` counts all lines, `next_offset` leads to the next page. \
    `output`: \"files\" says only where, \"count\" only how many. \
    Use it for exact text, parts of words, all uses of a name; for relevance use search_text. \
    Example: {\"pattern\": \"fn main(\", \"include_path\": \"*.rs\"}.";
const FILES: &str = "Find files by name: a glob with *, **, ?, [classes], {alternatives}; without `/` for base names (*.cs), \
    with `/` for paths below `directory` (src/**/test_*.py). \
    Without wildcards also parts of names. Contents are not looked at. \
    Example: {\"pattern\": \"*_test.go\", \"directory\": \"pkg\"}.";

/// The definition of `search_text`.
pub fn search_text() -> ToolDefinition {
    let own = json!({
        "query": { "type": "string", "minLength": 1, "description": "Terms, at most 16; \"a phrase\" is literal." },
    });
    let result = json!({
        "path": path(), "line": line(), "match_count": count(), "match_lines": { "type": "array", "items": line() },
        "score": { "type": "number", "minimum": 0, "maximum": 1 },
        "snippet": { "type": "string" }, "context": context(), "cut": { "type": "boolean" },
        "inside": {
            "type": "object", "properties": { "line": line(), "text": { "type": "string" } },
            "required": ["line", "text"], "additionalProperties": false,
            "description": "The header of the definition around `line`.",
        },
    });
    let required = json!(["path", "line", "score", "snippet", "match_count", "match_lines"]);
    ToolDefinition {
        title: "Search by relevance",
        output_schema: answer(&item(&result, &required), json!({})),
        ..ToolDefinition::read_only(search_text::NAME, TEXT, request(own, &["query"], true, false))
    }
}

/// The definition of `grep`.
pub fn grep() -> ToolDefinition {
    let own = json!({
        "pattern": { "type": "string", "minLength": 1, "description": "Exact text, or a regular expression." },
        "regex": { "type": "boolean", "default": false, "description": "`pattern` is a regular expression; needed for | and the like." },
        "case": {
            "type": "string", "enum": ["sensitive", "insensitive", "smart"], "default": "sensitive",
            "description": "Letters of any script. smart: sensitive only if the pattern has a capital.",
        },
        "output": {
            "type": "string", "enum": grep::Output::ALL.map(grep::Output::name), "default": "lines",
            "description": "files: paths, with counts. count: totals only.",
        },
    });
    let result = json!({
        "path": path(), "line": line(), "match": { "type": "string" }, "context": context(), "cut": { "type": "boolean" },
        "match_count": { "type": "integer", "minimum": 1, "description": "Matching lines." },
    });
    // A result is a line or a file.
    let either = json!([{ "required": ["line", "match"] }, { "required": ["match_count"] }]);
    let mut items = item(&result, &json!(["path"]));
    if let Some(schema) = items.as_object_mut() {
        schema.insert("oneOf".to_owned(), either);
    }
    let totals = json!({ "matching_lines": count(), "matching_files": count() });
    ToolDefinition {
        title: "Find lines",
        output_schema: answer(&items, totals),
        ..ToolDefinition::read_only(grep::NAME, GREP, request(own, &["pattern"], true, true))
    }
}

/// The definition of the path search.
pub fn find_files() -> ToolDefinition {
    let own = json!({
        "pattern": { "type": "string", "minLength": 1, "description": "Glob for base names, with `/` for paths." },
        "recursive": { "type": "boolean", "default": true, "description": "Also below direct children." },
    });
    let result = json!({
        "path": path(), "type": { "const": "file" }, "size_bytes": count(),
        "modified": { "type": "string", "description": "UTC" },
    });
    let items = item(&result, &json!(["path", "type"]));
    ToolDefinition {
        title: "Find files",
        output_schema: answer(&items, json!({ "matched_by": { "const": "substring" } })),
        ..ToolDefinition::read_only(
            find_files::NAME,
            FILES,
            request(own, &["pattern"], false, true),
        )
    }
}

fn path() -> Value {
    json!({ "type": "string", "description": "Relative to the working directory." })
}

fn line() -> Value {
    json!({ "type": "integer", "minimum": 1 })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn context() -> Value {
    let lines = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "type": "object", "properties": { "before": lines, "after": lines },
        "required": ["before", "after"], "additionalProperties": false,
    })
}

/// The request schema: the tool's own fields and the shared ones.
fn request(own: Value, required: &[&str], contents: bool, widened: bool) -> Value {
    let texts = |description: &str| {
        // Each bound is of its type alone, so this is one text or an array of texts.
        let text = json!({ "type": "string", "minLength": 1 });
        json!({ "type": ["string", "array"], "minLength": 1, "items": text, "maxItems": 256, "description": description })
    };
    let mut fields = match own {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let mut add = |name: &str, schema: Value| fields.insert(name.to_owned(), schema);
    if widened {
        let flag = |description: &str| json!({ "type": "boolean", "default": false, "description": description });
        add("hidden", flag("Also names with a leading dot."));
        add("no_ignore", flag("Also ignored files."));
    }
    add(
        "directory",
        json!({ "type": "string", "minLength": 1, "description": "Where to look (default: the working directory); may be hidden or ignored." }),
    );
    add(
        "include_path",
        texts("Only files that a glob covers: *.rs at any depth, src/** from `directory`."),
    );
    add("exclude_path", texts("No files that a glob covers."));
    if contents {
        add("file_type", texts("Only names with this ending: .cs, tar.gz."));
        add(
            "context_lines",
            json!({ "type": "integer", "minimum": 0, "maximum": MAX_CONTEXT, "description": "Lines before and after." }),
        );
    }
    add(
        "max_results",
        json!({ "type": "integer", "minimum": 1, "maximum": MAX_RESULTS, "description": "Results in one answer." }),
    );
    add(
        "offset",
        json!({ "type": "integer", "minimum": 0, "maximum": MAX_OFFSET, "default": 0, "description": "Results to skip: the last answer's `next_offset`." }),
    );
    // Draft 2020-12, which is MCP's default; naming it would cost tokens in every conversation.
    json!({
        "type": "object", "properties": fields, "required": required, "additionalProperties": false,
    })
}

/// The schema of a result with these fields.
fn item(properties: &Value, required: &Value) -> Value {
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

/// The answer schema: results of this shape and the tool's own fields.
fn answer(items: &Value, own: Value) -> Value {
    let mut fields = match own {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let mut add = |name: &str, schema: Value| fields.insert(name.to_owned(), schema);
    add(
        "total",
        json!({ "type": "integer", "minimum": 0, "description": "Results there are, on all pages." }),
    );
    add("total_is_lower_bound", json!({ "type": "boolean" }));
    add("complete", json!({ "type": "boolean", "description": "Nothing was left out." }));
    add("incomplete_because", json!({ "type": "array", "items": { "type": "string" } }));
    add("next_offset", json!({ "type": "integer", "minimum": 0 }));
    add("results", json!({ "type": "array", "items": items }));
    add("notices", notices_schema());
    add("message", json!({ "type": "string" }));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object", "properties": fields,
        "required": ["total", "total_is_lower_bound", "complete", "incomplete_because", "results", "notices"],
        "additionalProperties": false,
    })
}
