//! Description and schemas of the tool (REQ-KWS-004; docs/keyword-search.md, sections 1 and 8).

use serde_json::{Value, json};

use super::{MAX_RESULTS, MAX_TERMS, NAME};
use crate::{request::definition::notices_schema, tool::ToolDefinition};

const TEXT: &str = "Find files in an unfamiliar code base by concept, ranked by how the search terms occur. \
    `query` can be a question or the whole text of an issue: terms are made from it. Or give `search_terms`, many specific terms rather than a few general ones, the most important first: names that code for this would use, \
    synonyms, abbreviations. A word is found as a whole identifier or whole parts of one, anything else literally; case is ignored. Do NOT use this tool when you know a file name, a symbol or an error message: use grep, search_text or a file search. \
    A language model may judge the best files: lines are sent to the model, secrets redacted; `use_model`: false sends nothing, `dry_run` shows what would be sent. \
    Example: {\"query\": \"where uploads are checked for viruses\", \"search_terms\": [\"scan_upload\", \"clamav\", \"quarantine\"]}.";

/// The definition. Without `terms_from_query` the field `search_terms` is required.
pub fn definition(terms_from_query: bool) -> ToolDefinition {
    let required: &[&str] = if terms_from_query { &["query"] } else { &["query", "search_terms"] };
    let input = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "minLength": 1, "description": "A detailed question, or the text of an issue." },
            "search_terms": {
                "type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1, "maxItems": MAX_TERMS,
                "description": "In descending order of importance; words or literal text, no regular expressions.",
            },
            "max_results": { "type": "integer", "minimum": 1, "maximum": MAX_RESULTS, "description": "Files in the answer." },
            "use_model": { "type": "boolean", "default": true, "description": "false: rank by hits alone; nothing is sent anywhere." },
            "dry_run": { "type": "boolean", "default": false, "description": "Show the prompt instead of sending it." },
        },
        "required": required,
        "additionalProperties": false,
    });
    ToolDefinition {
        title: "Search by concept",
        open_world: true,
        output_schema: answer(),
        ..ToolDefinition::read_only(NAME, TEXT, input)
    }
}

fn answer() -> Value {
    let text = json!({ "type": "string" });
    let count = json!({ "type": "integer", "minimum": 0 });
    let line = json!({
        "type": "object", "properties": { "line": { "type": "integer", "minimum": 1 }, "text": text },
        "required": ["line", "text"], "additionalProperties": false,
    });
    let result = json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "Relative to the working directory." },
            "score": { "type": "number", "minimum": 0, "maximum": 1, "description": "By hits, whoever ranked." },
            "terms": { "type": "array", "items": text },
            "match_count": count,
            "lines": { "type": "array", "items": line },
            "model_reason": { "type": "string", "description": "The language model's own words; not checked." },
            "cut": { "type": "boolean" },
        },
        "required": ["path", "score", "terms", "match_count", "lines"],
        "additionalProperties": false,
    });
    let term = json!({
        "type": "object",
        "properties": {
            "term": text, "files": count, "lines": count, "bytes": count,
            "skipped": { "type": "string", "enum": ["too_broad", "over_budget"] },
        },
        "required": ["term"], "additionalProperties": false,
    });
    let passed_over = json!({
        "type": "object",
        "properties": { "name": text, "model": text, "host": text, "bytes_sent": count, "why": text },
        "required": ["name", "model", "host", "bytes_sent", "why"], "additionalProperties": false,
    });
    let model = json!({
        "type": "object",
        "properties": {
            "name": text, "model": text, "host": text, "outcome": { "type": "string", "enum": ["answered", "failed"] },
            "bytes_sent": count, "redacted": count, "files_sent": count, "dropped_files": count, "dropped_lines": count,
            "passed_over": { "type": "array", "items": passed_over },
        },
        "required": ["name", "model", "host"], "additionalProperties": false,
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "ranked_by": { "type": "string", "enum": ["model", "hits"] },
            "root": { "type": "string", "description": "Where was searched." },
            "total": count, "total_is_lower_bound": { "type": "boolean" },
            "complete": { "type": "boolean", "description": "Nothing was left out." },
            "incomplete_because": { "type": "array", "items": text },
            "terms": { "type": "array", "items": term },
            "results": { "type": "array", "items": result },
            "model": model,
            "notices": notices_schema(),
            "message": text,
            "dry_run": { "const": true }, "prompt": { "type": ["string", "null"] }, "bytes": count, "redacted": count,
        },
        "required": ["complete"],
        "anyOf": [
            { "required": ["ranked_by", "root", "total", "total_is_lower_bound", "incomplete_because", "terms", "results", "notices"] },
            { "required": ["dry_run", "prompt", "bytes", "redacted"] },
        ],
        "additionalProperties": false,
    })
}
