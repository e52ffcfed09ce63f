//! The agent's tools, whose answers are compared field by field.
//!
//! Responsible for: what the model answers; the structured answer; the budget, which depends on
//! messages whose wording is free and is therefore held by its properties; scores, which are
//! compared within a tolerance, and the order of files whose scores are nearly equal. Not here:
//! taking the observation ([`crate::subjects::forge`]); fields in general ([`crate::compare`]).
//! Invariants: messages have to be there and to say something; everything else that is not a score
//! is compared exactly.

use serde_json::{Value, json};
use touchstone_cases::case::{Case, Tables};
use touchstone_model::agent;
use touchstone_model::generated::agent::AGENT;

use crate::compare::{
    Answer, FieldDiff, Group, Outcome, Refusal, Traps, diff, leaf, without_prose,
};
use crate::coverage;
use crate::expected::Expected;
use crate::observation::{BYTES, COMPLETE, STRUCTURED, TEXT_BYTES, length};

/// Tolerance of scores: rounding and the order of additions.
const TOLERANCE: f64 = 0.000_2;

/// By how many bytes an answer with one result more may differ from what is known: figures in
/// messages, and a notice that lines were cut.
const SLACK: u64 = 400;

/// An answer with its limit in bytes, if known.
#[derive(Debug)]
struct AgentAnswer {
    answer: agent::Answer,
    budget: Option<u64>,
}

/// What the model allows.
pub(super) fn expected(case: &Case, tables: Tables) -> Result<Expected, String> {
    Ok(Expected::only(outcome(case, model(case, tables)?)))
}

impl Answer for AgentAnswer {
    fn json(&self) -> Value {
        self.answer.page(self.answer.due())
    }

    fn differences(&self, observation: &Value) -> Vec<FieldDiff> {
        let page = &without_prose(observation.get(STRUCTURED).unwrap_or(&Value::Null));
        let paged = Paged {
            results: self.answer.results(),
            offset: self.answer.offset(),
            due: self.answer.due(),
            page: &|shown| self.answer.page(shown),
            by_score: true,
        };
        paged.differences(page, observation, self.budget)
    }

    fn traps(&self, case: &Case) -> Traps {
        coverage::agent::answer_traps(case, &self.answer, self.budget)
    }

    fn groups(&self, case: &Case) -> Vec<Group> {
        Group::of_results(case, &self.json())
    }
}

/// What the model answers to a case by these tables.
///
/// # Errors
/// That the specification has no such preset.
pub fn model(case: &Case, tables: Tables) -> Result<agent::Outcome, String> {
    let config = case.agent_config(tables).ok_or_else(|| case.no_preset())?;
    let tool = match case.tool.as_str() {
        "grep" => agent::grep,
        "find_files" => agent::find_files,
        _ => agent::search_text,
    };
    Ok(tool(&case.world(), &config, &case.request))
}

/// An outcome of the model, as it is compared.
fn outcome(case: &Case, outcome: agent::Outcome) -> Outcome {
    match outcome {
        Ok(answer) => Ok(Box::new(AgentAnswer { answer, budget: case.agent_budget() })),
        Err(refusal) => Err(Refusal { error: refusal.json(&AGENT), names: None }),
    }
}

/// The model's answer for every number of results that fits.
pub(super) struct Paged<'a> {
    /// The results of all pages.
    pub(super) results: &'a [Value],
    /// How many of them stand before the page.
    pub(super) offset: usize,
    /// How many the page has if the budget leaves all of them.
    pub(super) due: usize,
    pub(super) page: &'a dyn Fn(usize) -> Value,
    /// Whether results are in the order of their scores, if they have scores.
    pub(super) by_score: bool,
}

impl Paged<'_> {
    /// The differences between what the model has and an observation, whose page is given with
    /// [`FREE_TEXT`](touchstone_model::agent::FREE_TEXT) for what is free.
    pub(super) fn differences(
        &self,
        page: &Value,
        observation: &Value,
        budget: Option<u64>,
    ) -> Vec<FieldDiff> {
        let mut found = page_differences(self, page);
        // The completeness that callers get must be the answer's.
        let (says, told) = (page.get("complete"), observation.get(COMPLETE));
        found.extend((says != told).then(|| leaf(COMPLETE, says, told)));
        if let (true, Some(budget)) = (found.is_empty(), budget) {
            found.extend(budget_differences(self, page, budget, observation));
        }
        found
    }
}

/// The differences between the page that the model has and the one that was observed, in which what
/// is free is [`FREE_TEXT`], whatever number of results it has.
fn page_differences(paged: &Paged<'_>, page: &Value) -> Vec<FieldDiff> {
    let shown = results(page).len();
    let is_cut = list(page, "incomplete_because").iter().any(|reason| reason == "budget");
    let expected = (paged.page)(if is_cut { shown.min(paged.due) } else { paged.due });
    let mut found = Vec::new();
    diff("", &with_scores(expected, paged, page), page, &mut found);
    if paged.by_score {
        found.extend(order_differences(paged, page));
    }
    found
}

/// The page with the observed scores, where they are within the tolerance, and, if results are
/// ordered by score, with files of nearly equal scores in the observed order.
fn with_scores(mut expected: Value, paged: &Paged<'_>, page: &Value) -> Value {
    let Some(Value::Array(rows)) = expected.get_mut("results") else { return expected };
    for (row, got) in rows.iter_mut().zip(results(page)) {
        let Some(here) = score(row) else { continue };
        if !paged.by_score && row.get("path") != got.get("path") {
            continue;
        }
        let same_file = paged.results.iter().filter(|one| one.get("path") == got.get("path"));
        let near = |one: &&Value| score(one).is_some_and(|score| (score - here).abs() <= TOLERANCE);
        let Some(twin) = same_file.clone().find(near) else { continue };
        let is_close =
            score(got).zip(score(twin)).is_some_and(|(got, twin)| (got - twin).abs() <= TOLERANCE);
        *row = twin.clone();
        if let (true, Some(fields), Some(score)) = (is_close, row.as_object_mut(), got.get("score"))
        {
            fields.insert("score".to_owned(), score.clone());
        }
    }
    expected
}

fn score(result: &Value) -> Option<f64> {
    result.get("score")?.as_f64()
}

/// Where results are not in the order of their own scores, those of one score not in that of the
/// model, or a score is none.
fn order_differences(paged: &Paged<'_>, page: &Value) -> Vec<FieldDiff> {
    let rows = results(page);
    let mut found = Vec::new();
    // Where the model's scores differ, though by next to nothing, its order is not that of paths.
    let placed = |row: &Value| {
        let same = |one: &Value| one.get("path") == row.get("path");
        let place = paged.results.iter().position(same)?;
        Some((score(paged.results.get(place)?)?, place))
    };
    for (index, (one, other)) in rows.iter().zip(rows.iter().skip(1)).enumerate() {
        if let (Some(high), Some(low)) = (score(one), score(other)) {
            let turned =
                placed(one).zip(placed(other)).is_some_and(|((a, before), (b, behind))| {
                    a.total_cmp(&b).is_eq() && before > behind
                });
            if low > high || (high.total_cmp(&low).is_eq() && turned) {
                found.push(leaf(
                    &format!("results[{index}].score"),
                    Some(&json!("not below the next, and path order among equals")),
                    Some(one),
                ));
            }
        }
    }
    found.extend(
        rows.iter()
            .filter(|row| score(row).is_some_and(|score| !(0.0..=1.0).contains(&score)))
            .map(|row| leaf("results.score", Some(&json!("from 0 to 1")), row.get("score"))),
    );
    found
}

/// Where an answer is longer than it may be, or leaves out what would have fitted.
fn budget_differences(
    paged: &Paged<'_>,
    page: &Value,
    budget: u64,
    observation: &Value,
) -> Vec<FieldDiff> {
    let shown = results(page).len();
    let number = |field: &str| observation.get(field).and_then(Value::as_u64);
    let mut found = Vec::new();
    for field in [BYTES, TEXT_BYTES] {
        let length = number(field);
        // An answer without results cannot become any shorter.
        if length.is_none_or(|length| length > budget && shown > 0) {
            found.push(leaf(
                field,
                Some(&json!(format!("at most {budget}"))),
                observation.get(field),
            ));
        }
    }
    let next = paged.results.get(paged.offset + shown).filter(|_| shown < paged.due);
    let longest = number(BYTES).max(number(TEXT_BYTES)).unwrap_or(u64::MAX);
    if let Some(next) = next
        && longest.saturating_add(length(next)).saturating_add(SLACK) <= budget
    {
        found.push(leaf(
            "results",
            Some(&json!("another result, which would have fitted")),
            Some(&json!(shown)),
        ));
    }
    found
}

fn results(page: &Value) -> &[Value] {
    list(page, "results")
}

fn list<'a>(page: &'a Value, field: &str) -> &'a [Value] {
    page.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;
