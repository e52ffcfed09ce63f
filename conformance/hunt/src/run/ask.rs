//! Putting a question to subjects, and judging what they answer.

use std::rc::Rc;

use touchstone_spec::adapter::Dialect;

use super::Worker;
use crate::expect::Expectation;
use crate::features::Haystack;
use crate::git;
use crate::judge::{Judge, beyond_the_model};
use crate::question::Ask;
use crate::searcher::PlacedPack;
use crate::verdict::{NoAnswer, Verdict};

/// What is expected of an ask. That of a dialect is computed once.
struct Expected<'a> {
    placed: PlacedPack<'a>,
    files: &'a [Haystack],
    ask: &'a Ask,
    known: Vec<(Dialect, Option<Rc<Expectation>>)>,
}

impl Expected<'_> {
    fn of(&mut self, dialect: Dialect) -> Option<Rc<Expectation>> {
        if let Some((_, found)) = self.known.iter().find(|(one, _)| *one == dialect) {
            return found.clone();
        }
        let found = Expectation::of(self.placed.pack, self.files, self.ask, dialect).map(Rc::new);
        self.known.push((dialect, found.clone()));
        found
    }
}

impl Worker<'_> {
    /// Asks of each program the subject whose turn it is, and the others if that one is wrong.
    /// Verdicts by subject; none of one that was not asked.
    pub(super) fn ask(
        &mut self,
        place: (u64, usize),
        placed: PlacedPack<'_>,
        ask: &Ask,
        files: &[Haystack],
    ) -> Vec<Vec<Verdict>> {
        let mut expected = Expected { placed, files, ask, known: Vec::new() };
        let mut all = vec![Vec::new(); self.searchers.len()];
        let is_wrong =
            |verdict: &Verdict| matches!(verdict, Verdict::Diverge(_)) || verdict.is_silent();
        self.turns.clone().visit(place, |subject| {
            let program = self.program(subject);
            // It would hang with most of the batch's asks, in most releases, and take the whole
            // deadline for each.
            if self.hung.contains(&program) {
                return false;
            }
            let verdicts = self.ask_one(subject, place, &mut expected);
            if verdicts.iter().any(Verdict::hangs) {
                self.hung.insert(program);
            }
            let any_wrong = verdicts.iter().any(is_wrong);
            if let Some(own) = all.get_mut(subject) {
                *own = verdicts;
            }
            any_wrong
        });
        all
    }

    fn ask_one(
        &mut self,
        subject: usize,
        place: (u64, usize),
        expected: &mut Expected<'_>,
    ) -> Vec<Verdict> {
        let Some(searcher) = self.searchers.get_mut(subject) else { return Vec::new() };
        let Expected { placed, files, ask, .. } = *expected;
        let same = |verdict: Verdict| vec![verdict; files.len() + 1];
        let beyond = beyond_the_model(ask, placed.pack, files);
        let canonical = expected.of(Dialect::default());
        let own = expected.of(searcher.adapter().dialect);
        let (Some(canonical), Some(own), None) = (&canonical, &own, beyond) else {
            let reason = beyond.unwrap_or("the model refuses the pattern");
            return same(Verdict::Unsupported(reason.to_owned()));
        };
        self.tally.cost.asks += 1;
        let answered = searcher.ask(placed, ask);
        self.tally.read(searcher.name(), ask.show, place, &answered);
        let answer = match answered {
            Ok(answer) => answer,
            Err(no_answer) => {
                if let NoAnswer::Unstartable(reason) = &no_answer {
                    self.tally.troubles.insert(format!("{}: {reason}", searcher.name()));
                }
                return same(Verdict::without(&no_answer));
            }
        };
        let judge = Judge::new(searcher.adapter(), (placed.pack, ask), canonical, own);
        let mut verdicts: Vec<Verdict> =
            files.iter().map(|file| judge.file(file, answer.files.get(&file.path))).collect();
        let fine = verdicts
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Agree | Verdict::Unsupported(_)));
        verdicts.push(if fine { judge.whole(files, &answer) } else { Verdict::Agree });
        verdicts
    }

    /// Holds the model's word on a walk against git's. Where they differ, no verdict on that walk
    /// means anything.
    pub(super) fn ask_git(
        &mut self,
        (number, index): (u64, usize),
        placed: PlacedPack<'_>,
        ask: &Ask,
        files: &[Haystack],
    ) {
        if !git::applies(placed.pack, ask) {
            return;
        }
        let Some(model) = Expectation::of(placed.pack, files, ask, Dialect::default()) else {
            return;
        };
        let ours = |path: &[u8]| path.starts_with(b".git/");
        match git::files(placed) {
            Ok(files) => {
                let tried = self.tally.relations.entry("git").or_default();
                tried.tried += 1;
                let model: Vec<&[u8]> = model
                    .files
                    .keys()
                    .map(|path| path.0.as_slice())
                    .filter(|path| !ours(path))
                    .collect();
                if !files.iter().map(Vec::as_slice).eq(model) {
                    tried.broken += 1;
                    self.tally
                        .troubles
                        .insert(format!("the model and git differ on batch {number}, ask {index}"));
                }
            }
            Err(error) => {
                self.tally.troubles.insert(format!("git was not asked: {error}"));
            }
        }
    }
}
