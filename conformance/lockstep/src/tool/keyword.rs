//! `keyword_search`.
//!
//! Responsible for: the model's answer; the structured answer, the data given to a language model,
//! byte for byte, and the number of its requests. Not here: pages, scores and budgets in general
//! ([`super::agent`]), the observation ([`crate::subjects::forge`]). Invariants: of a prompt only
//! the words around the data are free, and its length has to be reported.

use serde_json::{Map, Value, json};
use touchstone_cases::case::{Case, Tables};
use touchstone_cases::script::{HOST, MODEL, NAME};
use touchstone_model::agent::FREE_TEXT;
use touchstone_model::agent::keyword;
use touchstone_model::generated::agent::AGENT;

use super::agent::Paged;
use crate::compare::{Answer, FieldDiff, Group, Outcome, Refusal, Traps, diff, without_prose};
use crate::coverage;
use crate::expected::Expected;
use crate::observation::{ASKED, COMPLETE, DATA, STRUCTURED, TOLD_BYTES};

/// Most bytes between the parts of a prompt.
const BETWEEN: u64 = 4;

/// An answer with its limit in bytes, if known.
#[derive(Debug)]
struct KeywordAnswer {
    answer: keyword::Answer,
    budget: Option<u64>,
}

/// What the model allows, the sandbox root lying at `root`.
pub(super) fn expected(case: &Case, tables: Tables, root: &str) -> Result<Expected, String> {
    Ok(Expected::only(outcome(case, model(case, tables, root)?)))
}

/// What the model answers to a case by these tables, its tree lying at `root`.
///
/// # Errors
/// That the specification has no such preset.
pub fn model(case: &Case, tables: Tables, root: &str) -> Result<keyword::Outcome, String> {
    let config = case.keyword_config(tables, root).ok_or_else(|| case.no_preset())?;
    let says = |data: &str| case.model.as_ref().and_then(|script| script.answer(data));
    let model = keyword::Model { name: NAME, model: MODEL, host: HOST, says: &says };
    let model = case.model.as_ref().map(|_| &model);
    Ok(keyword::keyword_search(&case.world(), &config, &case.request, model))
}

/// An outcome of the model, for comparison. A refused request must not reach a language model.
fn outcome(case: &Case, outcome: keyword::Outcome) -> Outcome {
    match outcome {
        Ok(answer) => Ok(Box::new(KeywordAnswer { answer, budget: case.agent_budget() })),
        Err(refusal) => {
            let mut error = refusal.json(&AGENT);
            if let Some(fields) = error.as_object_mut() {
                fields.insert(ASKED.to_owned(), json!(0));
            }
            Err(Refusal { error, names: None })
        }
    }
}

impl Answer for KeywordAnswer {
    fn json(&self) -> Value {
        let mut page = self.answer.page(self.answer.due());
        let is_told = self.answer.asked() || self.answer.is_dry();
        if let (true, Some(data), Some(fields)) =
            (is_told, self.answer.data(), page.as_object_mut())
        {
            fields.insert(DATA.to_owned(), json!(data));
        }
        page
    }

    fn differences(&self, observation: &Value) -> Vec<FieldDiff> {
        let answer = &self.answer;
        let page = normalised(observation);
        let got = |field: &str| observation.get(field).unwrap_or(&Value::Null);
        let mut found = Vec::new();
        diff(ASKED, &json!(usize::from(answer.asked())), got(ASKED), &mut found);
        if answer.asked() || answer.is_dry() {
            let lines = |text: Option<&str>| -> Value {
                text.map(|text| text.split('\n').collect()).unwrap_or_default()
            };
            diff(DATA, &lines(answer.data()), &lines(got(DATA).as_str()), &mut found);
        }
        if answer.is_dry() {
            diff("", &answer.page(0), &page, &mut found);
            diff(COMPLETE, &json!(true), got(COMPLETE), &mut found);
            return found;
        }
        let paged = Paged {
            results: answer.results(),
            offset: 0,
            due: answer.due(),
            page: &|shown| answer.page(shown),
            by_score: page.get("ranked_by") == Some(&json!("hits")),
        };
        found.extend(paged.differences(&page, observation, self.budget));
        found
    }

    fn traps(&self, case: &Case) -> Traps {
        coverage::keyword::answer_traps(case, &self.answer, self.budget)
    }

    fn groups(&self, case: &Case) -> Vec<Group> {
        Group::of_results(case, &self.answer.page(self.answer.due()))
    }
}

/// The structured answer with [`FREE_TEXT`] for correct lengths, and for a correct prompt.
fn normalised(observation: &Value) -> Value {
    let mut page = without_prose(observation.get(STRUCTURED).unwrap_or(&Value::Null));
    let told = observation.get(TOLD_BYTES).and_then(Value::as_u64).filter(|told| *told > 0);
    let steady = |fields: &mut Map<String, Value>, name: &str| {
        if let Some(value) = fields.get_mut(name)
            && value.as_u64().zip(told).is_some_and(|(bytes, told)| bytes.abs_diff(told) <= BETWEEN)
        {
            *value = json!(FREE_TEXT);
        }
    };
    if let Some(fields) = page.as_object_mut() {
        steady(fields, "bytes");
        if let Some(prompt) = fields.get_mut("prompt").filter(|prompt| prompt.is_string()) {
            *prompt = json!(FREE_TEXT);
        }
        if let Some(model) = fields.get_mut("model").and_then(Value::as_object_mut) {
            steady(model, "bytes_sent");
        }
    }
    page
}

#[cfg(test)]
mod tests;
