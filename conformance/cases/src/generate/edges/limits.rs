//! Requests at the limits of the tables and one beside them.

use serde_json::{Value, json};
use touchstone_model::generated::agent::AGENT;
use touchstone_model::generated::keyword::KEYWORD;
use touchstone_model::generated::search::SEARCH;
use touchstone_model::generated::search_files::SEARCH_FILES;
use touchstone_model::tables::agent::AgentTool;
use touchstone_model::tables::{Field, Kind, Maximum};

use crate::case::{Case, CasePreset, Entry, FILES_TOOL, KEYWORD_TOOL};

/// The tools whose requests have limits, with a valid request of each.
pub(super) const ASKED: [(&str, Option<AgentTool>); 6] = [
    ("Search", None),
    (FILES_TOOL, None),
    ("search_text", Some(AgentTool::SearchText)),
    ("grep", Some(AgentTool::Grep)),
    ("find_files", Some(AgentTool::FindFiles)),
    (KEYWORD_TOOL, Some(AgentTool::KeywordSearch)),
];

pub(super) fn limits() -> Vec<Case> {
    let asked = ASKED.iter().flat_map(|(tool, of_agent)| {
        let integers = of_integers(tool, *of_agent);
        integers.into_iter().chain(of_texts(tool)).map(|request| (*tool, request))
    });
    let of_agent = asked.map(|(tool, request)| Case::of("", "a limit", tool, request));
    // The caps that the documents configure, and an integer that is wrong before a text is.
    let of_documents = ["Search", FILES_TOOL].into_iter().flat_map(|tool| {
        let text = if tool == FILES_TOOL { "query" } else { "pattern" };
        of_integers(tool, None).into_iter().flat_map(move |request| {
            let mut capped = Case::of("", "a configured limit", tool, request.clone());
            capped.config.preset = CasePreset::Documents;
            capped.config.enabled = Some(true);
            let mut blank = Case::of("", "a limit, and a blank text", tool, request);
            if let Some(request) = blank.request.as_object_mut() {
                request.insert(text.to_owned(), json!(""));
            }
            [capped, blank]
        })
    });
    let numbered = of_agent.chain(of_documents).enumerate().map(|(number, case)| {
        let case = Case { id: format!("limit-{number}"), ..case };
        case.with(Entry::file("f.rs", "needle\nfoo\n"))
    });
    numbered.collect()
}

/// A valid request, with these fields set.
pub(super) fn valid(tool: &str, fields: &[(&str, Value)]) -> Value {
    let mut request = match tool {
        "search_text" => json!({"query": "foo"}),
        FILES_TOOL => json!({"path": ".", "query": "foo"}),
        KEYWORD_TOOL => json!({"query": "foo", "search_terms": ["foo"], "use_model": false}),
        _ => json!({"pattern": "foo"}),
    };
    if let Some(request) = request.as_object_mut() {
        request.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    request
}

fn with(tool: &str, field: &str, value: Value) -> Value {
    valid(tool, &[(field, value)])
}

/// A field of a request.
pub(super) struct RequestField {
    pub(super) name: &'static str,
    pub(super) required: bool,
    /// Of an integer. Where configuration sets the maximum, the greatest integer stands for it.
    bounds: Option<(u64, u64)>,
}

impl RequestField {
    fn of<S>(field: &Field<S>) -> Self {
        let bounds = match &field.kind {
            Kind::Integer { minimum, maximum: Maximum::Fixed(maximum) } => {
                Some((*minimum, *maximum))
            }
            Kind::Integer { minimum, maximum: Maximum::Setting(_) } => {
                Some((*minimum, SEARCH.limits.integer_max))
            }
            _ => None,
        };
        Self { name: field.name, required: field.required, bounds }
    }
}

/// The fields of a tool in the order of validation.
pub(super) fn fields(tool: &str, of_agent: Option<AgentTool>) -> Vec<RequestField> {
    match (tool, of_agent) {
        ("Search", _) => SEARCH.fields.iter().map(RequestField::of).collect(),
        (FILES_TOOL, _) => SEARCH_FILES.fields.iter().map(RequestField::of).collect(),
        (KEYWORD_TOOL, _) => KEYWORD.fields.iter().map(RequestField::of).collect(),
        (_, of_agent) => {
            let rows = AGENT.fields.iter();
            let own = rows.filter(|row| row.tools.iter().any(|one| Some(*one) == of_agent));
            own.map(|row| RequestField::of(&row.field)).collect()
        }
    }
}

fn around(limit: u64) -> [u64; 3] {
    [limit - 1, limit, limit + 1]
}

pub(super) fn long(bytes: u64) -> String {
    "x".repeat(usize::try_from(bytes).unwrap_or_default())
}

/// `count` entries that are all the same.
fn times(entry: &str, count: u64) -> Vec<String> {
    vec![entry.to_owned(); usize::try_from(count).unwrap_or_default()]
}

/// Each integer field at its minimum and maximum, and one beside them.
fn of_integers(tool: &str, of_agent: Option<AgentTool>) -> Vec<Value> {
    let fields = fields(tool, of_agent).into_iter();
    let values = fields.filter_map(|field| Some((field.name, field.bounds?))).flat_map(
        |(name, (minimum, maximum))| {
            let values = (minimum.saturating_sub(1)..=minimum + 1).chain(around(maximum));
            values.map(move |value| (name, value))
        },
    );
    values.map(|(name, value)| with(tool, name, json!(value))).collect()
}

/// Texts and lists as long as may be, and one beside that.
fn of_texts(tool: &str) -> Vec<Value> {
    let (of_search, of_agent, of_keyword) = (&SEARCH.limits, &AGENT.limits, &KEYWORD.limits);
    let words = |count: u64| (0..count).map(|number| format!("word{number}")).collect::<Vec<_>>();
    let lengths = |field: &'static str, most: u64| {
        around(most).map(|bytes| with(tool, field, json!(long(bytes))))
    };
    let globs = |field: &'static str| {
        let entries = around(of_search.glob_entries).map(|count| json!(times("f.rs", count)));
        let bytes = around(of_search.glob_bytes).map(|bytes| json!([long(bytes)]));
        let expansions = around(of_search.glob_expansions)
            .map(|count| json!([format!("{{{}}}", times("a", count).join(","))]));
        let all = entries.into_iter().chain(bytes).chain(expansions);
        all.map(|value| with(tool, field, value)).collect::<Vec<_>>()
    };
    match tool {
        "Search" => {
            let mut all = globs("include_glob");
            all.extend(globs("exclude_glob"));
            all.extend(lengths("pattern", of_search.pattern_bytes));
            all
        }
        FILES_TOOL => {
            let mut all = globs("include_globs");
            all.extend(globs("exclude_globs"));
            all.extend(lengths("query", SEARCH_FILES.limits.query_bytes));
            let fuzzy = around(SEARCH_FILES.limits.fuzzy_query_scalars).map(long);
            let fuzzy = fuzzy.map(|query| [("mode", json!("fuzzy")), ("query", json!(query))]);
            all.extend(fuzzy.map(|fields| valid(tool, &fields)));
            all
        }
        "search_text" => {
            let terms = around(of_agent.terms).map(|count| json!(words(count).join(" ")));
            let mut all: Vec<Value> =
                terms.into_iter().map(|terms| with(tool, "query", terms)).collect();
            all.extend(lengths("query", of_agent.query_bytes));
            all
        }
        "grep" => {
            let lists = around(of_agent.texts);
            let globs = lists.map(|count| with(tool, "include_path", json!(times("f.rs", count))));
            let mut all = globs.to_vec();
            all.extend(lists.map(|count| with(tool, "file_type", json!(times("rs", count)))));
            all.extend(lengths("pattern", of_agent.query_bytes));
            all.extend(lengths("file_type", of_agent.file_type_characters));
            all
        }
        KEYWORD_TOOL => {
            let mut all = lengths("query", of_keyword.query_bytes).to_vec();
            for count in around(of_keyword.terms) {
                all.push(with(tool, "search_terms", json!(words(count))));
                all.push(json!({"query": words(count).join(" "), "use_model": false}));
            }
            let bytes =
                around(of_keyword.term_bytes).into_iter().chain(around(of_keyword.named_bytes));
            all.extend(bytes.map(|bytes| with(tool, "search_terms", json!([long(bytes)]))));
            all
        }
        _ => Vec::new(),
    }
}
