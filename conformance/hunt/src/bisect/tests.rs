use std::convert::Infallible;

use proptest::prelude::*;

use super::*;

fn run(states: &[State]) -> Bisection {
    let answer = |release: usize| Ok::<_, Infallible>(states[release]);
    bisect(Bisection::new(states.len()), answer).unwrap()
}

fn broken_from(count: usize, first: usize) -> Vec<State> {
    (0..count).map(|release| if release < first { State::Good } else { State::Bad }).collect()
}

/// ceil(log2 n) + 2.
fn bound(count: usize) -> usize {
    count.next_power_of_two().ilog2() as usize + 2
}

#[test]
fn bisection_finds_the_first_bad_release_in_few_probes() {
    for count in 1..=40 {
        for first in 0..=count {
            let bisection = run(&broken_from(count, first));
            let expected = match first {
                0 => Found::AlwaysBad { first_bad: 0, unknown: vec![] },
                _ if first == count => Found::NotBad { last_good: count - 1, unknown: vec![] },
                _ => Found::Broke { last_good: first - 1, first_bad: first, unknown: vec![] },
            };
            assert_eq!(bisection.found(), expected, "{first} of {count}");
            assert!(
                bisection.probes().len() <= bound(count),
                "{first} of {count}: {:?}",
                bisection.probes()
            );
        }
    }
}

#[test]
fn bisection_finds_the_mending_release_in_few_probes() {
    for count in 2..=40 {
        for first in 1..count {
            let mended: Vec<State> = (0..count)
                .map(|release| if release < first { State::Bad } else { State::Good })
                .collect();
            let bisection = run(&mended);
            let expected =
                Found::Mended { last_bad: first - 1, first_good: first, unknown: vec![] };
            assert_eq!(bisection.found(), expected, "{first} of {count}");
            assert!(
                bisection.probes().len() <= bound(count),
                "{first} of {count}: {:?}",
                bisection.probes()
            );
        }
    }
}

#[test]
fn given_answers_are_not_probed_again() {
    let states = broken_from(16, 9);
    let mut bisection = Bisection::new(16);
    bisection.given(15, State::Bad);
    bisection.given(8, State::Good);
    let done = bisect(bisection, |release| Ok::<_, Infallible>(states[release])).unwrap();
    assert_eq!(done.found(), Found::Broke { last_good: 8, first_bad: 9, unknown: vec![] });
    assert!(done.probes().len() <= 3 && !done.probes().contains(&15), "{:?}", done.probes());
}

#[test]
fn bisection_tries_neighbours_of_an_unknown_release_and_names_it() {
    use State::{Bad, Good, Unknown};
    let found = run(&[Good, Good, Unknown, Unknown, Bad, Bad]).found();
    assert_eq!(found, Found::Broke { last_good: 1, first_bad: 4, unknown: vec![2, 3] });
    let found = run(&[Unknown, Good, Bad, Unknown]).found();
    assert_eq!(found, Found::Broke { last_good: 1, first_bad: 2, unknown: vec![] });
    let found = run(&[Unknown, Bad, Bad]).found();
    assert_eq!(found, Found::AlwaysBad { first_bad: 1, unknown: vec![0] });
    assert_eq!(run(&[Good, Unknown]).found(), Found::NotBad { last_good: 0, unknown: vec![1] });
    assert_eq!(run(&[Unknown, Unknown]).found(), Found::Nothing);
    assert_eq!(run(&[]).found(), Found::Nothing);
}

#[test]
fn bisection_of_a_history_that_broke_twice_finds_adjacent_good_and_bad_releases() {
    use State::{Bad, Good};
    let states = [Good, Bad, Good, Good, Bad, Bad];
    let Found::Broke { last_good, first_bad, .. } = run(&states).found() else { unreachable!() };
    assert_eq!((states[last_good], states[first_bad], first_bad - last_good), (Good, Bad, 1));
    assert!(!is_monotone(&states));
    let shown: Vec<_> =
        stretches(&states).iter().map(|one| (one.state, one.from, one.to)).collect();
    assert_eq!(shown, [(Good, 0, 0), (Bad, 1, 1), (Good, 2, 3), (Bad, 4, 5)]);
}

#[test]
fn an_unstable_answer_counts_as_unknown() {
    let mut answers = [State::Bad, State::Bad, State::Good].into_iter();
    assert_eq!(steady(3, || Ok::<_, Infallible>(answers.next().unwrap())), Ok(State::Unknown));
    assert_eq!(steady(3, || Ok::<_, Infallible>(State::Bad)), Ok(State::Bad));
}

fn state() -> impl Strategy<Value = State> {
    prop_oneof![Just(State::Good), Just(State::Bad), Just(State::Unknown)]
}

proptest! {
    #[test]
    fn any_history_is_bisected_to_a_true_result(states in prop::collection::vec(state(), 0..40)) {
        let done = run(&states);
        prop_assert!(done.probes().len() <= states.len());
        match done.found() {
            Found::Broke { last_good, first_bad, unknown } => {
                prop_assert_eq!(states[last_good], State::Good);
                prop_assert_eq!(states[first_bad], State::Bad);
                prop_assert!(unknown.iter().all(|release| states[*release] == State::Unknown));
                prop_assert_eq!(unknown.len(), first_bad - last_good - 1);
            }
            Found::AlwaysBad { first_bad, unknown } => {
                prop_assert_eq!(states[first_bad], State::Bad);
                prop_assert!(unknown.iter().all(|release| states[*release] == State::Unknown));
            }
            Found::Mended { last_bad, first_good, unknown } => {
                prop_assert_eq!(states[last_bad], State::Bad);
                prop_assert_eq!(states[first_good], State::Good);
                prop_assert!(unknown.iter().all(|release| states[*release] == State::Unknown));
            }
            Found::NotBad { last_good, unknown } => {
                prop_assert_eq!(states[last_good], State::Good);
                prop_assert!(unknown.iter().all(|release| states[*release] == State::Unknown));
            }
            Found::Nothing => prop_assert!(states.iter().all(|state| *state == State::Unknown)),
        }
    }
}
