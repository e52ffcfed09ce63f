//! The request of `keyword_search`.
//!
//! Responsible for: the fields with every default filled in, and which terms there are, in the order in which they are checked
//! (section 1).
//! Left to neighbours: how a field is read (`fields`).
//! Invariants: no bound or default stands here; no two terms are equal once folded.

use serde_json::Value;

use super::Config;
use crate::agent::Refusal;
use crate::agent::query;
use crate::fields::exceeds;
use crate::fields::{self, Given, Values};
use crate::tables::agent::{AgentError, AgentSetting};

/// A call that passed every check but that of the model.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) query: String,
    /// The most important first.
    pub(super) terms: Vec<Term>,
    pub(super) max_results: u64,
    pub(super) use_model: bool,
    pub(super) dry_run: bool,
}

/// A term.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// As it was given.
    pub(super) given: String,
    /// Its letters folded.
    pub(super) folded: String,
    /// Whether it is a word, and of which parts.
    pub(super) sought: query::Term,
}

/// Reads a request, or says what refuses it.
pub(super) fn read(config: &Config, request: &Value) -> Result<Call, Refusal> {
    let Value::Object(object) = request else { return Err(Refusal::of(AgentError::InvalidArgument)) };
    let fields = config.tables.fields;
    if let Some(unknown) = fields::unknown(object, fields) {
        return Err(Refusal::at(AgentError::InvalidArgument, &unknown));
    }
    let most = config.agent.search.tables.limits.integer_max;
    let setting = |key| {
        Some(Given::Integer(match key {
            AgentSetting::DefaultMaxResults => config.agent.default_max_results,
            AgentSetting::DefaultContextLines => config.agent.default_context_lines,
        }))
    };
    for field in fields {
        let values = fields::read(object, std::slice::from_ref(field), most, setting);
        if !values.is_ok_and(|values| means_something(&values, field.name, config)) {
            let error =
                if field.name == "query" { AgentError::InvalidQuery } else { AgentError::InvalidArgument };
            return Err(Refusal::at(error, field.name));
        }
    }
    let values = fields::read(object, fields, most, setting);
    let values = values.map_err(|field| Refusal::at(AgentError::InvalidArgument, &field))?;
    let query = values.text("query").unwrap_or_default();
    if query.trim().is_empty() {
        return Err(Refusal::at(AgentError::InvalidQuery, "query"));
    }
    let mut terms: Vec<Term> = Vec::new();
    for given in values.texts("search_terms") {
        let folded = given.to_ascii_lowercase();
        if terms.iter().all(|known| known.folded != folded) {
            terms.push(Term { sought: query::Term::word_or_literal(&given), given, folded });
        }
    }
    Ok(Call {
        query,
        terms,
        max_results: values.integer("max_results").unwrap_or(u64::MAX),
        use_model: values.flag("use_model"),
        dry_run: values.flag("dry_run"),
    })
}

/// Whether a field that is of the right type also means something. Whether the query is blank is asked later.
fn means_something(values: &Values, field: &str, config: &Config) -> bool {
    let limits = &config.tables.limits;
    match field {
        "query" => {
            let query = values.text(field).unwrap_or_default();
            !exceeds(query.len(), limits.query_bytes) && !query.contains('\0')
        }
        "search_terms" => {
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
