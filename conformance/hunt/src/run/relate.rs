//! Relations between answers of one program, tried on some asks.

use std::collections::BTreeMap;

use touchstone_cases::case::{Entry, Text};

use super::{RELATIONS, Worker};
use crate::cost::cpu_seconds;
use crate::groups::Set;
use crate::judge::judge;
use crate::question::{Ask, Pack, Question};
use crate::relations::{NotTried, Relation, is_excused};
use crate::tally::{Kind, Sighting};
use crate::verdict::Aspect;

/// By program its subjects that break a relation, each with its name and a file that shows it.
type Wrong = BTreeMap<String, BTreeMap<usize, (String, Text)>>;

impl Worker<'_> {
    /// Tries the relation whose turn it is.
    pub(super) fn relate(&mut self, place: (u64, usize), pack: &Pack, ask: &Ask) {
        let applying: Vec<Relation> =
            Relation::ALL.into_iter().filter(|relation| relation.applies(ask)).collect();
        let Ok(chosen) = usize::try_from(place.0 / RELATIONS) else { return };
        let Some(relation) =
            chosen.checked_rem(applying.len()).and_then(|index| applying.get(index)).copied()
        else {
            return;
        };
        // Alone takes one ask a file.
        let few = if relation == Relation::Alone { 8 } else { usize::MAX };
        let question = Question {
            tree: Pack { tree: pack.tree.iter().take(few).cloned().collect() },
            ask: ask.clone(),
        };
        let mut wrong = Wrong::new();
        self.turns.clone().visit(place, |subject| {
            let broken = self.broken(subject, relation, &question);
            let is_wrong = broken.is_some();
            if let Some((program, shown)) = broken {
                wrong.entry(program).or_default().insert(subject, shown);
            }
            is_wrong
        });
        self.sight_broken(place, &question, relation, wrong);
    }

    /// Whether a subject breaks a relation: its program, its name and the first file that shows it.
    fn broken(
        &mut self,
        subject: usize,
        relation: Relation,
        question: &Question,
    ) -> Option<(String, (String, Text))> {
        let searcher = self.searchers.get_mut(subject)?;
        let tried = self.tally.relations.entry(relation.name()).or_default();
        let broken = match relation.broken(searcher.as_mut(), &mut self.packs, question) {
            Ok(broken) => broken,
            // What cannot be asked, or breaks, has been seen by the model.
            Err(NotTried::NoAnswer(_)) => return None,
            Err(NotTried::Pack(error)) => {
                self.tally.troubles.insert(error.to_string());
                return None;
            }
        };
        tried.tried += question.tree.tree.len() as u64;
        let among = |path: &Text| Question {
            tree: only(&question.tree, path, relation),
            ask: question.ask.clone(),
        };
        // What cannot be judged is not excused.
        let counts = |path: &Text| {
            !judge(searcher.as_mut(), &mut self.packs, &among(path))
                .is_ok_and(|judged| is_excused(&judged.verdict))
        };
        let broken: Vec<Text> = broken.into_iter().filter(counts).collect();
        tried.broken += broken.len() as u64;
        let first = broken.into_iter().next()?;
        Some((searcher.adapter().name.clone(), (searcher.name().to_owned(), first)))
    }

    /// Keeps what breaks a relation.
    fn sight_broken(
        &mut self,
        place: (u64, usize),
        question: &Question,
        relation: Relation,
        wrong: Wrong,
    ) {
        for (program, subjects) in wrong {
            let Some((_, (first, path))) = subjects.first_key_value() else { continue };
            let group = self.groups.group(Set::of(&question.ask.features()));
            let names: Vec<String> = subjects.values().map(|(name, _)| name.clone()).collect();
            let kind = Kind {
                program: program.clone(),
                oracle: relation.name().to_owned(),
                aspect: Aspect::Lines,
                group,
                wrong: names.clone(),
            };
            let right = self.searchers.iter().find(|one| {
                one.adapter().name == program && !names.contains(&one.name().to_owned())
            });
            let sighting = Sighting {
                place,
                subject: first.clone(),
                right: right.map(|one| one.name().to_owned()),
                aspect: Aspect::Lines,
                group,
                oracle: relation.name().to_owned(),
                hangs: false,
                question: Question {
                    tree: only(&question.tree, path, relation),
                    ask: question.ask.clone(),
                },
                among: None,
                cpu_seconds: cpu_seconds(),
                met: 1,
            };
            self.tally.keep(kind, sighting);
        }
    }
}

/// The file that shows it; among all others where these matter.
fn only(pack: &Pack, path: &Text, relation: Relation) -> Pack {
    let shows = |entry: &&Entry| entry.path == path.0 || relation == Relation::Alone;
    Pack { tree: pack.tree.iter().filter(shows).cloned().collect() }
}
