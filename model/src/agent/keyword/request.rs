//! The request of `keyword_search`: fields with defaults, and terms, validated in order (section
//! 1).
//!
//! Bounds and defaults come from the tables and the configuration. Terms are distinct when folded.

use serde_json::Value;

use super::Config;
use super::query_terms::{self, Word};
use crate::agent::Refusal;
use crate::agent::query;
use crate::arguments;
use crate::fields::exceeds;
use crate::fields::{self, FieldValue, Values};
use crate::tables::agent::{AgentError, AgentSetting, AgentTool};

/// The optional field.
const TERMS: &str = "search_terms";

/// A valid call, apart from the model.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) query: String,
    /// Most important first.
    pub(super) terms: Vec<Term>,
    pub(super) max_results: u64,
    pub(super) use_model: bool,
    pub(super) dry_run: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Term {
    /// As given.
    pub(super) given: String,
    pub(super) folded: String,
    /// The term as a word with parts, or as a literal.
    pub(super) sought: query::Term,
    /// Whether it is a name by its spelling or in the query.
    pub(super) is_name: bool,
    /// Whether a word of the query's first line belongs to it.
    pub(super) in_first_line: bool,
}

impl Term {
    /// A term of a query with these words.
    fn of(given: String, words: &[Word]) -> Term {
        let folded = given.to_ascii_lowercase();
        let sought = query::Term::word_or_literal(&given);
        let is_own_name =
            matches!(sought, query::Term::Word { .. }) && query_terms::is_name(&given);
        let of_it = || words.iter().filter(|word| word.text == folded || word.form == folded);
        let is_name = is_own_name || of_it().any(|word| word.is_name);
        let in_first_line = of_it().any(|word| word.in_first_line);
        Term { given, folded, sought, is_name, in_first_line }
    }
}

/// Validates a request.
pub(super) fn read(config: &Config, request: &Value) -> Result<Call, Refusal> {
    let fields = config.tables.fields;
    let request = if config.agent.search.lenient {
        arguments::published(AgentTool::KeywordSearch, fields, request).map_err(
            |field: String| {
                let is_query = field == "query";
                let error =
                    if is_query { AgentError::InvalidQuery } else { AgentError::InvalidArgument };
                Refusal::at(error, &field)
            },
        )?
    } else {
        request.clone()
    };
    let Value::Object(object) = &request else {
        return Err(Refusal::of(AgentError::InvalidArgument));
    };
    if let Some(unknown) = fields::unknown(object, fields) {
        return Err(Refusal::at(AgentError::InvalidArgument, &unknown));
    }
    let most = config.agent.search.tables.limits.integer_max;
    let setting = |key| {
        Some(FieldValue::Integer(match key {
            AgentSetting::DefaultMaxResults => config.agent.default_max_results,
            AgentSetting::DefaultContextLines => config.agent.default_context_lines,
        }))
    };
    for field in fields {
        let values = fields::read(object, std::slice::from_ref(field), most, setting);
        let is_absent = field.name == TERMS && !object.contains_key(TERMS);
        let is_fine = |values: Values| is_absent || means_something(&values, field.name, config);
        if is_absent && !config.terms_from_query || !values.is_ok_and(is_fine) {
            let error = if field.name == "query" {
                AgentError::InvalidQuery
            } else {
                AgentError::InvalidArgument
            };
            return Err(Refusal::at(error, field.name));
        }
    }
    let values = fields::read(object, fields, most, setting);
    let values = values.map_err(|field| Refusal::at(AgentError::InvalidArgument, &field))?;
    let query = values.text("query").unwrap_or_default();
    if query.trim().is_empty() {
        return Err(Refusal::at(AgentError::InvalidQuery, "query"));
    }
    let words = query_terms::words(&query);
    let is_given = object.contains_key(TERMS);
    let texts =
        if is_given { values.texts(TERMS) } else { query_terms::terms(&words, config.tables) };
    let mut terms: Vec<Term> = Vec::new();
    for term in texts.into_iter().map(|text| Term::of(text, &words)) {
        if terms.iter().all(|known| known.folded != term.folded) {
            terms.push(term);
        }
    }
    if terms.is_empty() {
        return Err(Refusal::at(AgentError::InvalidQuery, "query"));
    }
    Ok(Call {
        query,
        terms,
        max_results: values.integer("max_results").unwrap_or(u64::MAX),
        use_model: values.flag("use_model"),
        dry_run: values.flag("dry_run"),
    })
}

/// Whether a field of the right type is valid. The blank query is refused later.
fn means_something(values: &Values, field: &str, config: &Config) -> bool {
    let limits = &config.tables.limits;
    match field {
        "query" => {
            let query = values.text(field).unwrap_or_default();
            !exceeds(query.len(), limits.query_bytes) && !query.contains('\0')
        }
        TERMS => {
            let terms = values.texts(field);
            let is_term = |term: &String| {
                !exceeds(term.len(), limits.term_bytes)
                    && !term.contains(['\n', '\0'])
                    && !term.trim().is_empty()
            };
            !terms.is_empty() && !exceeds(terms.len(), limits.terms) && terms.iter().all(is_term)
        }
        _ => true,
    }
}
