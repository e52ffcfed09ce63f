use super::*;
use crate::generated::agent::AGENT;

fn of(most: u64, times: &[u64]) -> Vec<Decision> {
    decisions(&AGENT.limits, most, times)
}

const FAR: Decision = Decision::Accepted { near: false };
const NEAR: Decision = Decision::Accepted { near: true };

fn after(retry_after_seconds: u64) -> Decision {
    Decision::Refused { retry_after_seconds }
}

#[test]
fn a_call_is_refused_while_the_window_holds_as_many_as_the_limit() {
    assert_eq!(
        of(2, &[0, 1_000, 1_001, 59_999, 60_000, 60_001]),
        [FAR, NEAR, after(59), after(1), NEAR, after(1)]
    );
}

#[test]
fn refused_calls_are_not_counted() {
    let mut times = vec![0];
    times.extend((1..60).map(|second| second * 1_000));
    times.push(60_000);
    assert_eq!(of(1, &times).last(), Some(&NEAR));
}

#[test]
fn the_limit_is_near_from_four_fifths_on_rounded_up() {
    let near =
        |most: u64| of(most, &[0; 10]).iter().position(|one| *one == NEAR).map(|place| place + 1);
    assert_eq!((near(5), near(6), near(10), near(1)), (Some(4), Some(5), Some(8), Some(1)));
}
