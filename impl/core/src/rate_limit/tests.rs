//! The rows `RateLimitingTests` of document 004, and a comparison with the definition.

#![expect(clippy::disallowed_methods, reason = "a test calls from several threads")]

use std::{
    collections::BTreeMap,
    sync::{Barrier, Mutex},
};

use proptest::{collection::vec, prelude::*};

use super::{Decision, RateLimiter, retry_after_seconds};

const MINUTE: u64 = 60_000;

fn accepted(decision: Decision) -> bool {
    matches!(decision, Decision::Accepted { .. })
}

/// UT-015b-RL-01.
#[test]
fn calls_under_the_limit_are_allowed() {
    let mut limiter = RateLimiter::new(MINUTE);
    for used in 1..=30 {
        assert_eq!(limiter.try_acquire("grep", 30, 5_000), Decision::Accepted { used, limit: 30 });
    }
}

/// UT-015b-RL-02.
#[test]
fn a_call_over_the_limit_is_blocked_and_not_counted() {
    let mut limiter = RateLimiter::new(MINUTE);
    (0..30).for_each(|at| assert!(accepted(limiter.try_acquire("grep", 30, at))));
    for at in 30..1_000 {
        assert!(!accepted(limiter.try_acquire("search_text", 30, at)), "at {at}");
    }
    assert_eq!(limiter.counts(1_000), BTreeMap::from([("grep".to_owned(), 30)]));
    // If refused calls counted, the window would still be full.
    assert!(accepted(limiter.try_acquire("search_text", 30, MINUTE)));
}

/// UT-015b-RL-03.
#[test]
fn the_window_slides_and_a_call_leaves_it_after_exactly_its_length() {
    let mut limiter = RateLimiter::new(MINUTE);
    assert!(accepted(limiter.try_acquire("grep", 2, 0)));
    assert!(accepted(limiter.try_acquire("grep", 2, 40_000)));
    assert!(!accepted(limiter.try_acquire("grep", 2, 59_999)));
    assert_eq!(limiter.try_acquire("grep", 2, 60_000), Decision::Accepted { used: 2, limit: 2 });
    // A fixed window that restarted at 60 s would have room now.
    assert!(!accepted(limiter.try_acquire("grep", 2, 99_999)));
    assert!(accepted(limiter.try_acquire("grep", 2, 100_000)));
}

/// UT-015b-RL-04.
#[test]
fn a_refusal_states_when_a_call_would_be_accepted() {
    let mut limiter = RateLimiter::new(MINUTE);
    (0..30).for_each(|call| assert!(accepted(limiter.try_acquire("grep", 30, 500 + call))));
    let refused = Decision::Refused { retry_after_ms: 44_001 };
    assert_eq!(limiter.try_acquire("grep", 30, 16_499), refused);
    assert_eq!(retry_after_seconds(44_001), 45);
    assert!(!accepted(limiter.clone().try_acquire("grep", 30, 16_499 + 44_000)));
    assert!(accepted(limiter.try_acquire("grep", 30, 16_499 + 44_001)));
}

#[test]
fn retry_seconds_are_rounded_up_and_at_least_one() {
    let told = [0, 1, 999, 1_000, 1_001, 60_000].map(retry_after_seconds);
    assert_eq!(told, [1, 1, 1, 1, 2, 60]);
}

/// UT-015b-RL-05.
#[test]
fn calls_are_counted_for_each_tool_and_limited_together() {
    let mut limiter = RateLimiter::new(MINUTE);
    for call in 0..35 {
        let tool = if call < 20 { "search_text" } else { "grep" };
        assert_eq!(accepted(limiter.try_acquire(tool, 30, call)), call < 30);
    }
    let counted = |counts: &[(&str, u64)]| -> BTreeMap<String, u64> {
        counts.iter().map(|(tool, count)| ((*tool).to_owned(), *count)).collect()
    };
    assert_eq!(limiter.counts(34), counted(&[("grep", 10), ("search_text", 20)]));
    // Later, without a call that would make the limiter advance.
    assert_eq!(limiter.counts(MINUTE + 5), counted(&[("grep", 10), ("search_text", 14)]));
    assert_eq!(limiter.counts(MINUTE + 24), counted(&[("grep", 5)]));
    assert_eq!(limiter.counts(2 * MINUTE), counted(&[]));
}

/// UT-015b-RL-06. The overlay's tests show that the limit comes from the file.
#[test]
fn a_changed_limit_applies_from_the_next_call_on() {
    let mut limiter = RateLimiter::new(MINUTE);
    (0..10).for_each(|at| assert!(accepted(limiter.try_acquire("grep", 10, at))));
    // With a limit of four, seven of the ten must leave the window first.
    assert_eq!(
        limiter.try_acquire("grep", 4, 100),
        Decision::Refused { retry_after_ms: MINUTE + 6 - 100 }
    );
    assert!(!accepted(limiter.clone().try_acquire("grep", 4, MINUTE + 5)));
    assert!(accepted(limiter.clone().try_acquire("grep", 4, MINUTE + 6)));
    assert_eq!(limiter.try_acquire("grep", 12, 100), Decision::Accepted { used: 11, limit: 12 });
}

/// UT-015b-RL-07.
#[test]
fn concurrent_calls_get_no_more_than_the_limit() {
    let limiter = Mutex::new(RateLimiter::new(MINUTE));
    let together = Barrier::new(8);
    let one = |tool: &str| {
        together.wait();
        (0..20).filter(|at| accepted(limiter.lock().unwrap().try_acquire(tool, 30, *at))).count()
    };
    let counted: usize = std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> =
            (0..8).map(|tool| scope.spawn(move || one(&format!("tool {tool}")))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(counted, 30);
    assert_eq!(limiter.lock().unwrap().counts(20).values().sum::<u64>(), 30);
}

#[test]
fn the_limit_is_near_from_four_fifths_on_rounded_up() {
    let near = |used, limit| Decision::Accepted { used, limit }.is_near();
    assert!(!near(23, 30) && near(24, 30));
    // Four fifths of 7 are 5.6.
    assert!(!near(5, 7) && near(6, 7));
    assert!(near(1, 1) && near(u64::MAX, u64::MAX));
}

#[test]
fn a_limit_of_zero_accepts_no_call() {
    let mut limiter = RateLimiter::new(MINUTE);
    assert_eq!(limiter.try_acquire("grep", 0, 7), Decision::Refused { retry_after_ms: MINUTE });
    assert_eq!(limiter.counts(7), BTreeMap::new());
}

#[test]
fn the_memory_of_the_rate_limiter_is_bounded() {
    let mut limiter = RateLimiter::new(MINUTE);
    for at in 0..200_000 {
        limiter.try_acquire(&format!("key {}", at % 1_000), 50, at);
        assert!(limiter.accepted.len() <= 50 && limiter.counts.len() <= 50);
    }
    let mut limiter = RateLimiter::new(MINUTE);
    (0..100_000).for_each(|_| assert!(accepted(limiter.try_acquire("grep", 100_000, 0))));
    limiter.try_acquire("grep", 100_000, MINUTE);
    assert!(limiter.accepted.capacity() <= 64, "{}", limiter.accepted.capacity());
}

/// The definition: whether fewer than `limit` accepted times are in (now - window, now].
fn is_free(accepted: &[(u64, usize)], window: u64, limit: u64, now: u64) -> bool {
    (accepted.iter().filter(|(at, _)| at + window > now && *at <= now).count() as u64) < limit
}

proptest! {
    #[test]
    fn decisions_and_counts_agree_with_a_list_of_all_calls(
        window in 1_u64..40,
        calls in vec((0_u64..12, 0_usize..3, 0_u64..6), 0..200),
    ) {
        let mut limiter = RateLimiter::new(window);
        let (mut list, mut now): (Vec<(u64, usize)>, u64) = (Vec::new(), 100);
        for (pause, key, limit) in calls {
            now += pause;
            let free = is_free(&list, window, limit, now);
            match limiter.try_acquire(&key.to_string(), limit, now) {
                Decision::Accepted { used, limit: told } => {
                    prop_assert!(free);
                    list.push((now, key));
                    let counted = list.iter().filter(|(at, _)| at + window > now).count() as u64;
                    prop_assert_eq!((used, told), (counted, limit));
                }
                Decision::Refused { retry_after_ms } => {
                    prop_assert!(!free && retry_after_ms > 0);
                    if limit > 0 {
                        prop_assert!(is_free(&list, window, limit, now + retry_after_ms));
                        prop_assert!(!is_free(&list, window, limit, now + retry_after_ms - 1));
                    }
                }
            }
            let mut counts = BTreeMap::new();
            for (_, key) in list.iter().filter(|(at, _)| at + window > now + 3) {
                *counts.entry(key.to_string()).or_insert(0) += 1;
            }
            prop_assert_eq!(limiter.counts(now + 3), counts);
        }
    }
}
