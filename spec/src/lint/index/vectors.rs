//! Checks that worked examples equal the values of the figures.
//!
//! They were computed independently, with more digits than a program has.

use crate::index::{Arithmetic, Index, ProbeVector, Rounding, SizingVector, files};
use crate::place::Finding;

pub(super) fn lint(index: &Index, findings: &mut Vec<Finding>) {
    let filter = &index.filter;
    let mut wrong = |line: u64, message: String| {
        findings.push(Finding { file: files::FILTER.to_owned(), line, message });
    };
    for vector in &filter.sizing {
        let worked = size(index, vector);
        let given = (vector.n, vector.m, vector.hashes, vector.packed_bytes);
        if worked != given {
            let message = format!(
                "n, m, k_hashes and bytes are {given:?} here and {worked:?} by the formula"
            );
            wrong(vector.max_bytes.line, message);
        }
    }
    let configured = |key: &str| index.configuration.default_of(key);
    let default = filter.sizing.iter().any(|vector| {
        configured("index_max_tokenized_bytes").and_then(serde_json::Value::as_u64)
            == Some(vector.max_bytes.value)
            && configured("bloom_target_fp_rate") == Some(&serde_json::Value::from(vector.rate))
    });
    if !default {
        wrong(0, "no size is worked out for what holds when nothing is configured".to_owned());
    }
    for vector in &filter.probes {
        let bit = probe(index.filter.arithmetic.value, vector);
        if bit != Some(vector.bit) {
            let message =
                format!("probe {} is bit {} here and {bit:?} by the formula", vector.i, vector.bit);
            wrong(vector.h1.line, message);
        }
    }
    for vector in &filter.seeds {
        let stored = vector.seed.value.cast_signed();
        if stored != vector.stored {
            let message =
                format!("seed {} is stored as {stored}, not {}", vector.seed.value, vector.stored);
            wrong(vector.seed.line, message);
        }
    }
    decisions(index, findings);
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes lie below 2^53 and are positive"
)]
fn size(index: &Index, vector: &SizingVector) -> (u64, u64, u64, u64) {
    let filter = &index.filter;
    let whole = |rounding: Rounding, number: f64| match rounding {
        Rounding::Ceil => number.ceil() as u64,
        Rounding::Floor => number.floor() as u64,
        Rounding::HalfUp => (number + 0.5).floor() as u64,
    };
    let n = vector.max_bytes.value.checked_div(filter.basis_divisor.value).unwrap_or(0);
    let ln2 = std::f64::consts::LN_2;
    let m = whole(filter.bits_rounding.value, -(n as f64) * vector.rate.ln() / (ln2 * ln2));
    let hashes = whole(filter.hashes_rounding.value, (m as f64 / n as f64) * ln2);
    let hashes = hashes.max(filter.hashes_minimum.value);
    (n, m, hashes, m.div_ceil(filter.bits_per_byte.value.max(1)))
}

/// The bit of a probe; `None` without bits.
fn probe(arithmetic: Arithmetic, vector: &ProbeVector) -> Option<u64> {
    match arithmetic {
        Arithmetic::Wrapping64 => {
            vector.h1.value.wrapping_add(vector.i.wrapping_mul(vector.h2)).checked_rem(vector.m)
        }
        Arithmetic::Exact => {
            let sum = u128::from(vector.h1.value) + u128::from(vector.i) * u128::from(vector.h2);
            sum.checked_rem(u128::from(vector.m)).and_then(|bit| u64::try_from(bit).ok())
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "timeouts lie below 2^53, and a part of one is positive and no larger"
)]
fn decisions(index: &Index, findings: &mut Vec<Finding>) {
    for vector in &index.decisions.maintenance.vectors {
        let budget = (vector.fraction * vector.timeout_ms.value as f64).floor() as u64;
        if budget != vector.budget_ms {
            let message =
                format!("the budget is {} here and {budget} by the rule", vector.budget_ms);
            findings.push(Finding::at(files::DECISIONS, &vector.timeout_ms, message));
        }
    }
    for vector in &index.decisions.cooldown.vectors {
        if (vector.now < vector.disabled_until.value) != vector.active {
            let message =
                "a cooldown is active before its end, and neither at it nor after".to_owned();
            findings.push(Finding::at(files::DECISIONS, &vector.disabled_until, message));
        }
    }
}
