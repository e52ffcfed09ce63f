//! What callers are told of `Search`, in words for a model that has to choose a tool.

use serde_json::{Value, json};

use super::{MAX_CONTEXT, MAX_GLOBS, MAX_RESULTS, MAX_TIMEOUT_MS, NAMES, UNCAPPED};
use crate::tool::ToolDefinition;

/// The definition of `Search`. What it says of numbers is what the document fixes; configuration may allow less.
pub fn definition() -> ToolDefinition {
    let [name, ..] = NAMES;
    ToolDefinition::looking(
        name,
        "Find lines in files by regular expression or literal. One event per matching line, sorted by path, with optional \
         context lines; the answer says whether anything was left out. Ignore files are respected.",
        input_schema(),
    )
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
                "description": "smart: sensitive only if the pattern has a capital letter.",
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
