//! One call of `search_files` under every budget (docs/search-files.md, section 6).
//!
//! Responsible for: calling with every `effective_max` from nothing to the length of the whole
//! answer, and what has to hold between those answers: valid JSON, no longer than allowed, no
//! shorter than need be, lists that only grow, `stats` that are those of the whole search, and a
//! refusal that names the smallest budget that works. Not here: how a call is made (a closure;
//! `touchstone::worker`), and whether the whole answer is right. Invariants: no model is asked:
//! these are relations between answers of one subject.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::compare::{FieldDiff, numbers};

/// A refusal, as JSON with `class`, `field`, `message`.
pub type Refused = Value;

/// A call under a budget. `elapsed_ms` is normalised in the answer's text.
pub type Call<'a> = &'a mut dyn FnMut(u64) -> Result<String, Refused>;

/// Longest answer for which every budget is tried, in bytes.
pub const LONGEST: usize = 3_000;

/// Result of calls under every budget.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BudgetSweep {
    /// Number of budgets tried.
    pub budgets: u64,
    /// Number of different answers, refusals aside.
    pub answers: u64,
    /// Length of the whole answer, in bytes; `None` if the call is refused under every budget.
    pub length: Option<u64>,
    /// Violations, each with the budget in front of the field's name.
    pub wrong: Vec<FieldDiff>,
}

/// Violations after which the sweep ends.
const ENOUGH: usize = 20;

/// Calls under every budget. An answer longer than [`LONGEST`] is not swept: `budgets` is 0.
pub fn sweep(call: Call<'_>) -> BudgetSweep {
    let mut swept = BudgetSweep::default();
    let whole = match call(u64::MAX) {
        Ok(whole) => whole,
        Err(refusal) => {
            for budget in [0, 1_000] {
                swept.budgets += 1;
                let other = call(budget);
                let is_same = other.as_ref().is_err_and(|other| {
                    ["class", "field"].into_iter().all(|key| other.get(key) == refusal.get(key))
                });
                if !is_same {
                    let got = other
                        .map_or_else(|refused| json!({ "error": refused }), |text| json!(text));
                    swept.add(budget, "", Some(json!({ "error": refusal })), Some(got));
                }
            }
            return swept;
        }
    };
    swept.length = u64::try_from(whole.len()).ok();
    let Ok(parsed) = serde_json::from_str::<Value>(&whole) else {
        swept.add(u64::MAX, "text", Some(json!("valid JSON")), Some(json!(whole)));
        return swept;
    };
    let (true, Some(length)) = (whole.len() <= LONGEST, swept.length) else { return swept };
    let mut state = State { whole: &whole, parsed: &parsed, before: None, named: None };
    for budget in 0..=length {
        swept.budgets += 1;
        let outcome = call(budget);
        state.step(budget, outcome, &mut swept);
        if swept.wrong.len() >= ENOUGH {
            break;
        }
    }
    if state.before.as_ref().is_none_or(|(text, _)| *text != whole) && swept.wrong.is_empty() {
        let last = state.before.map(|(text, _)| json!(text));
        swept.add(length, "", Some(json!("the whole answer")), last);
    }
    swept
}

impl BudgetSweep {
    fn add(&mut self, budget: u64, field: &str, expected: Option<Value>, got: Option<Value>) {
        self.wrong.push(FieldDiff { field: format!("budget {budget}: {field}"), expected, got });
    }
}

/// State of a sweep before a budget is tried.
struct State<'a> {
    whole: &'a str,
    parsed: &'a Value,
    /// The answer under the previous budget, if any.
    before: Option<(String, Value)>,
    /// The smallest sufficient budget that a refusal named.
    named: Option<u64>,
}

impl State<'_> {
    fn step(&mut self, budget: u64, outcome: Result<String, Refused>, swept: &mut BudgetSweep) {
        let text = match outcome {
            Err(refusal) => return self.refused(budget, &refusal, swept),
            Ok(text) => text,
        };
        if self.before.as_ref().is_some_and(|(before, _)| *before == text) {
            return;
        }
        swept.answers += 1;
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        // An answer that changes when one byte is added must use that byte: a shorter one dropped
        // something needlessly, a longer one does not fit.
        if length != budget {
            swept.add(budget, "length of the text", Some(json!(budget)), Some(json!(length)));
        }
        if self.before.is_none() && self.named.is_some_and(|named| named != budget) {
            swept.add(
                budget,
                "the smallest budget",
                self.named.map(Value::from),
                Some(json!(budget)),
            );
        }
        match serde_json::from_str::<Value>(&text) {
            Err(error) => {
                swept.add(
                    budget,
                    "text",
                    Some(json!("valid JSON")),
                    Some(json!(format!("{error}: {text}"))),
                );
            }
            Ok(answer) => {
                if text != self.whole {
                    self.shortened(budget, &answer, swept);
                }
                self.before = Some((text, answer));
            }
        }
    }

    fn refused(&mut self, budget: u64, refusal: &Refused, swept: &mut BudgetSweep) {
        for (key, expected) in [("class", "ExecutionFailed"), ("field", "max_output_bytes")] {
            if refusal.get(key).and_then(Value::as_str) != Some(expected) {
                swept.add(
                    budget,
                    &format!("error.{key}"),
                    Some(json!(expected)),
                    refusal.get(key).cloned(),
                );
            }
        }
        if let Some((text, _)) = &self.before {
            swept.add(budget, "", Some(json!(text)), Some(json!({ "error": refusal })));
        }
        let message = refusal.get("message").and_then(Value::as_str).unwrap_or_default();
        let named = numbers(message).into_iter().max();
        if named.is_none_or(|named| named <= budget)
            || (self.named.is_some() && self.named != named)
        {
            let expected =
                self.named.map_or_else(|| json!("the smallest budget that works"), Value::from);
            swept.add(budget, "error.message", Some(expected), Some(json!(message)));
        }
        self.named = self.named.or(named);
    }

    /// Compares a shortened answer with the whole one and with the previous one.
    fn shortened(&self, budget: u64, answer: &Value, swept: &mut BudgetSweep) {
        let list = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
        };
        for name in ["matches", "errors"] {
            let (all, some) = (list(self.parsed, name), list(answer, name));
            if !all.starts_with(&some) {
                swept.add(budget, name, Some(json!(all)), Some(json!(some)));
            }
            let fewer = self.before.as_ref().map_or(0, |(_, before)| list(before, name).len());
            if some.len() < fewer {
                swept.add(
                    budget,
                    &format!("{name}: how many"),
                    Some(json!(fewer)),
                    Some(json!(some.len())),
                );
            }
        }
        let (matches, errors) = (list(answer, "matches"), list(answer, "errors"));
        if !matches.is_empty() && errors != list(self.parsed, "errors") {
            swept.add(
                budget,
                "errors beside matches",
                self.parsed.get("errors").cloned(),
                Some(json!(errors)),
            );
        }
        let mut expected = self.parsed.clone();
        let because =
            |value: &Value| list(value.get("stats").unwrap_or(&Value::Null), "incomplete_because");
        let mut reasons = because(self.parsed);
        let place = reasons.iter().take_while(|reason| **reason == json!("max_results")).count();
        reasons.insert(place, json!("max_output_bytes"));
        let changes = [
            ("/matches", json!(matches)),
            ("/errors", json!(errors)),
            ("/returned", json!(matches.len())),
            ("/truncated", json!(true)),
            ("/truncated_reason", json!("max_output_bytes")),
            ("/stats/complete", json!(false)),
            ("/stats/incomplete_because", json!(reasons)),
        ];
        for (place, value) in changes {
            if let Some(field) = expected.pointer_mut(place) {
                *field = value;
            }
        }
        for difference in crate::compare::between(Ok(&expected), Ok(answer)) {
            swept.add(budget, &difference.field, difference.expected, difference.got);
        }
    }
}

#[cfg(test)]
mod tests;
