//! Calls of `search_files`.
//!
//! Responsible for: the context of a call, the observation made of what comes back, and calling
//! under every budget. Not here: the service and its configuration ([`super`]), what has to hold
//! between budgets ([`crate::budget`]). Invariants: an observation's text differs from the
//! service's in two places only: what stands for the time that a call took, if it is written as it
//! should be, and what stands for the sandbox root.

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Service, ToolContext};
use serde_json::{Value, json};
use touchstone_cases::case::{Case, ROOT_MARK};

use super::{hide_root, with_root};
use crate::budget::{BudgetSweep, sweep};
use crate::observation::{ALLOW_TRUNCATION, Broken, COMPLETE, FOUND, Observation, TEXT};

/// The key before the time that a call took. Inside a string its quotes would be escaped.
const ELAPSED_KEY: &str = "\"elapsed_ms\":";

/// Characters that the time takes up.
const ELAPSED_WIDTH: usize = 10;

/// Calls once.
pub(crate) fn observe(case: &Case, service: &Service, root: &str) -> Result<Observation, Broken> {
    let mut context = context(case);
    // A case's budget is meant for the answer as cases have it, in which the root has a shorter
    // name. The root is shown only where the search root lies outside the working directory, so
    // that most cases need no second call.
    if !case.config.working_dir.is_empty() {
        let spare = spare(case, service, root);
        context.max_output_bytes = context.max_output_bytes.saturating_add(spare);
        context.available_capacity_bytes = context.available_capacity_bytes.saturating_add(spare);
    }
    let answer = service.call_files(&mut context, &with_root(&case.request, root));
    let garbled = |error: serde_json::Error| Broken::Garbled { reason: error.to_string() };
    Ok(match answer {
        Ok(answer) => Ok(json!({
            TEXT: timeless(&answer.text).replace(root, ROOT_MARK),
            FOUND: answer.found,
            COMPLETE: answer.complete,
            ALLOW_TRUNCATION: context.allow_truncation,
        })),
        Err(error) => {
            let mut error = serde_json::to_value(error).map_err(garbled)?;
            hide_root(&mut error, root);
            if let Some(fields) = error.as_object_mut() {
                fields.insert(ALLOW_TRUNCATION.to_owned(), json!(context.allow_truncation));
            }
            Err(error)
        }
    })
}

/// Calls under every budget.
pub(super) fn observe_budgets(case: &Case, service: &Service, root: &str) -> BudgetSweep {
    let request = with_root(&case.request, root);
    sweep(&mut |budget| {
        // Either of the limits is the smaller one in turn.
        let larger = budget.saturating_add(budget % 3);
        let (output, capacity) = if budget % 2 == 0 { (budget, larger) } else { (larger, budget) };
        let mut context = ToolContext {
            max_output_bytes: output,
            available_capacity_bytes: capacity,
            allow_truncation: true,
        };
        match service.call_files(&mut context, &request) {
            Ok(answer) => Ok(timeless(&answer.text)),
            Err(error) => Err(serde_json::to_value(error).unwrap_or(Value::Null)),
        }
    })
}

fn context(case: &Case) -> ToolContext {
    let usual = ToolContext::default();
    ToolContext {
        max_output_bytes: case.context.max_output_bytes.unwrap_or(usual.max_output_bytes),
        available_capacity_bytes: case
            .context
            .available_capacity_bytes
            .unwrap_or(usual.available_capacity_bytes),
        allow_truncation: true,
    }
}

/// By how many bytes an answer is longer than a case has it.
fn spare(case: &Case, service: &Service, root: &str) -> u64 {
    let whole = service.call_files(&mut ToolContext::default(), &with_root(&case.request, root));
    let shown = whole.map_or(0, |answer| answer.text.matches(root).count());
    u64::try_from(shown.saturating_mul(root.len().saturating_sub(ROOT_MARK.len()))).unwrap_or(0)
}

/// The text with no time in the place of the time that the call took, if that is digits, padded on
/// the left.
pub fn timeless(text: &str) -> String {
    let Some(at) = text.find(ELAPSED_KEY).map(|at| at + ELAPSED_KEY.len()) else {
        return text.to_owned();
    };
    let (Some(before), Some(elapsed), Some(behind)) =
        (text.get(..at), text.get(at..at + ELAPSED_WIDTH), text.get(at + ELAPSED_WIDTH..))
    else {
        return text.to_owned();
    };
    let digits = elapsed.trim_start_matches(' ');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = digits == "0" || !digits.starts_with('0');
    if is_number && is_short && behind.starts_with([',', '}']) {
        format!("{before}{:>ELAPSED_WIDTH$}{behind}", 0)
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elapsed_time_is_masked_if_it_is_padded_correctly() {
        let text =
            |elapsed: &str| format!(r#"{{"a":"\"elapsed_ms\":77","elapsed_ms":{elapsed},"b":1}}"#);
        let zero = text("         0");
        for fine in ["         0", "        17", "9999999999"] {
            assert_eq!(timeless(&text(fine)), zero, "{fine}");
        }
        for other in [
            "17",
            "0000000017",
            "17        ",
            "       1.5",
            "        -1",
            "          ",
            "99999999999",
        ] {
            assert_eq!(timeless(&text(other)), text(other), "{other}");
        }
        assert_eq!(timeless("{}"), "{}");
    }
}
