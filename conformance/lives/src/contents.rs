//! One call of `search_files` and one of each of the agent's tools after a search, with the index
//! and without: the same answers.
//!
//! Responsible for: the requests, made of that of the search, and what is wrong with the answers. Not
//! here: what the answer has to be in a tree that rests (`touchstone::gate`, the suite
//! `search-files`).

use std::sync::Arc;

use forge_search_core::tool::Profile;
use forge_search_engine::json::{Json, JsonCalls as _};
use forge_search_engine::{Call, Service, ToolContext, Toolbox};
use serde_json::{Map, Value, json};
use touchstone_lockstep::subjects::forge::{timeless, with_root};

/// Fields of `Search` under the names that `search_files` has for them.
const FIELDS: [(&str, &str); 12] = [
    ("pattern", "query"),
    ("path", "path"),
    ("case", "case"),
    ("hidden", "include_hidden"),
    ("follow", "follow_symlinks"),
    ("include_glob", "include_globs"),
    ("exclude_glob", "exclude_globs"),
    ("recursive", "recursive"),
    ("max_files", "max_files"),
    ("max_results", "max_results"),
    ("max_matches_per_file", "max_matches_per_file"),
    ("context", "context_lines"),
];

/// What is wrong with the answer of `service`, going by that of one without index.
pub(super) fn differs(
    service: &Service,
    plain: &Service,
    search: &Value,
    root: &str,
) -> Option<String> {
    let request = with_root(&request(search), root);
    let ask = |service: &Service| {
        let answer = service.call_files(&mut ToolContext::default(), &request);
        answer.map(|answer| timeless(&answer.text)).map_err(|error| error.to_string())
    };
    let (own, plain) = (ask(service), ask(plain));
    let told = || format!("{request}\n  - without index {plain:?}\n  + with one     {own:?}\n");
    (own != plain).then(told)
}

/// The same of the agent's tools, notices aside: whether the index was ready may differ.
pub(super) fn agents_differ(
    service: &Arc<Service>,
    plain: &Arc<Service>,
    search: &Value,
    root: &str,
) -> Option<(&'static str, String)> {
    agent_requests(search).into_iter().find_map(|(tool, request)| {
        let request = with_root(&request, root);
        let ask = |service: &Arc<Service>| {
            let toolbox = Toolbox::new(Arc::clone(service), Profile::All);
            let answer = toolbox.call(&toolbox.session(), tool, &Json(&request), &Call::new());
            let mut structured = answer.structured;
            if let Some(fields) = structured.as_object_mut() {
                fields.remove("notices");
            }
            structured
        };
        let (own, plain) = (ask(service), ask(plain));
        let told = || format!("{request}\n  - without index {plain}\n  + with one     {own}\n");
        (own != plain).then(|| (tool, told()))
    })
}

/// Requests of the agent's tools: for the words of the pattern, for the pattern, and for names.
fn agent_requests(search: &Value) -> Vec<(&'static str, Value)> {
    let with = |fields: &[(&str, &str)], request: Value| {
        let mut request = request;
        for (field, name) in fields {
            if let (Some(value), Some(request)) = (search.get(field), request.as_object_mut()) {
                request.insert((*name).to_owned(), value.clone());
            }
        }
        request
    };
    let pattern = search.get("pattern").and_then(Value::as_str).unwrap_or_default();
    let words = pattern.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let regex = search.get("fixed_strings") != Some(&json!(true));
    let glob = search.pointer("/include_glob/0").cloned().unwrap_or(json!("*"));
    let widened = [("path", "directory"), ("hidden", "hidden"), ("no_ignore", "no_ignore")];
    let lines = [&widened[..], &[("case", "case"), ("include_glob", "include_path")]].concat();
    let query = json!({"query": words.join(" "), "max_results": 50});
    let mut requests = vec![
        ("grep", with(&lines, json!({"pattern": pattern, "regex": regex, "max_results": 50}))),
        ("find_files", with(&widened, json!({"pattern": glob, "max_results": 50}))),
    ];
    if !words.is_empty() {
        requests.push(("search_text", with(&[("path", "directory")], query)));
    }
    requests
}

/// What is asked; how deep, depends on the request.
fn request(search: &Value) -> Value {
    let mut request = Map::from_iter([("path".to_owned(), json!("."))]);
    for (field, name) in FIELDS {
        if let Some(value) = search.get(field) {
            request.insert(name.to_owned(), value.clone());
        }
    }
    let is_set = |field: &str| search.get(field) == Some(&json!(true));
    let mode = match (search.get("fuzzy"), is_set("fixed_strings")) {
        (Some(_), _) => "fuzzy",
        (None, true) => "exact",
        (None, false) => "regex",
    };
    request.insert("mode".to_owned(), json!(mode));
    request.insert("respect_gitignore".to_owned(), json!(!is_set("no_ignore")));
    let depth = search.to_string().len() % 5;
    if depth > 0 && search.get("recursive").is_none() {
        request.insert("max_depth".to_owned(), json!(depth));
    }
    Value::Object(request)
}
