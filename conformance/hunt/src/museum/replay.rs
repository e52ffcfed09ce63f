//! Whether the museum still tells the truth.
//!
//! Responsible for: asking every installed release every exhibit's question ([`replay`]), and
//! saying which were not there.
//! Not here: what an exhibit says ([`super`]), installing
//! ([`crate::provision::releases`]).
//! Invariants: a release that is not installed is named, never passed over; one that is wrong and
//! not listed is a
//! failure like one that is listed and right.

use std::collections::BTreeSet;

use super::{Asked, Exhibit};
use crate::bisect::State;
use crate::pack_directory::{PackDirectory, PackError};
use crate::provision::releases::{installed, offered};
use crate::subjects::{Adapters, subject};

/// What replaying came to.
#[derive(Debug, Default)]
pub struct Replay {
    /// How many answers were asked for.
    pub asked: usize,
    /// What is not as it is stored, in words.
    pub wrong: Vec<String>,
    /// Releases that exhibits name and that are not installed.
    pub missing: BTreeSet<String>,
}

/// Asks every installed release of its program each exhibit's question.
///
/// # Errors
/// If nothing can be laid on the disk.
pub fn replay(exhibits: &[Exhibit], adapters: &Adapters) -> Result<Replay, PackError> {
    let mut packs = PackDirectory::new()?;
    let mut replay = Replay::default();
    for exhibit in exhibits {
        let Some(adapter) = adapters.get(&exhibit.program) else {
            replay.wrong.push(format!("{}: there is no adapter `{}`", exhibit.id, exhibit.program));
            continue;
        };
        let there: Vec<String> =
            installed(&adapter.name).into_iter().map(|one| one.version).collect();
        let offered = offered(&adapter);
        let listed = || exhibit.releases.bad.iter().chain(&exhibit.releases.good);
        replay.missing.extend(
            listed()
                .filter(|one| !there.contains(one))
                .map(|one| format!("{}@{one}", exhibit.program)),
        );
        for version in &there {
            let is_listed = listed().any(|one| one == version);
            // What somebody has beside that is his own affair.
            if !is_listed && !offered.contains(version) {
                continue;
            }
            let asked = match subject(&format!("{}@{version}", exhibit.program), adapters) {
                Ok(mut subject) => exhibit.ask(subject.searcher.as_mut(), &mut packs),
                Err(error) => {
                    replay.wrong.push(format!("{}: {error}", exhibit.id));
                    continue;
                }
            };
            replay.asked += 1;
            replay.wrong.extend(offence(exhibit, version, &asked));
        }
    }
    Ok(replay)
}

/// In what a release is not as the exhibit says.
fn offence(exhibit: &Exhibit, version: &str, asked: &Asked) -> Option<String> {
    let id = &exhibit.id;
    let bad = exhibit.releases.bad.iter().any(|one| one == version);
    let good = exhibit.releases.good.iter().any(|one| one == version);
    let told = &asked.told;
    if let Some(judged) = &asked.judged
        && judged.expected != exhibit.expected
    {
        return Some(format!("{id}: the model's answer is another one than the stored one"));
    }
    let first = exhibit.releases.bad.first().is_some_and(|first| first == version);
    match asked.state {
        State::Bad if good => Some(format!("{id}: {version} is listed as right and {told}")),
        State::Bad if !bad => Some(format!("{id}: {version} is wrong and not listed: it {told}")),
        State::Bad if first && exhibit.actual.is_some() => {
            let same = asked.judged.as_ref().is_some_and(|judged| judged.actual == exhibit.actual);
            (!same).then(|| format!("{id}: {version} is wrong in another way than stored"))
        }
        State::Good | State::Unknown if bad => {
            Some(format!("{id}: {version} is listed as wrong and {told}"))
        }
        State::Unknown if good => Some(format!("{id}: {version} is listed as right and {told}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Judged;
    use crate::museum::tests::exhibit;
    use crate::verdict::{Aspect, Verdict};

    fn asked(state: State) -> Asked {
        let expected = exhibit().expected;
        let verdict = Verdict::Diverge(Aspect::Lines);
        let judged = Some(Judged { verdict, expected, actual: None, no_answer: None });
        Asked { state, judged, told: "diverges".to_owned() }
    }

    #[test]
    fn replay_requires_each_release_to_have_its_listed_state() {
        for (version, state, is_fine) in [
            ("1.2", State::Bad, true),
            ("1.2", State::Good, false),
            ("1.10", State::Unknown, false),
            ("2.0", State::Good, true),
            ("2.0", State::Bad, false),
            ("2.0", State::Unknown, false),
            ("3.0", State::Good, true),
            ("3.0", State::Unknown, true),
            ("3.0", State::Bad, false),
        ] {
            let offence = offence(&exhibit(), version, &asked(state));
            assert_eq!(offence.is_none(), is_fine, "{version} {state:?}: {offence:?}");
        }
    }

    #[test]
    fn replay_reports_a_bug_that_shows_differently_and_a_changed_model() {
        let mut stored = exhibit();
        stored.actual = stored.expected.clone();
        assert!(
            offence(&stored, "1.2", &asked(State::Bad))
                .is_some_and(|why| why.contains("another way"))
        );
        stored.expected = None;
        assert!(
            offence(&stored, "2.0", &asked(State::Good))
                .is_some_and(|why| why.contains("the model"))
        );
    }
}
