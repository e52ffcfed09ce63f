//! Every act of `spec/index/changes.yaml`, on each kind of object, in each state.
//!
//! Responsible for: one example of each act and object, and the ways into the states. Not here:
//! which acts there are ([`super::super::Edit::act`]), what they promise (the table), counting them
//! (`tally`). Invariants: what an example looks for is in the tree only after the act, or only
//! before it, wherever the act can bring that about.

mod contents;
mod mounts;
mod names;

use touchstone_cases::case::Entry;

use super::super::life::{Act, Edit, Fault, Trap, part, text};
use super::Scenario;

/// The states between two turns of the indexer; in BUILDING the act is done at a point of the
/// build.
const STATES: [&str; 6] = ["COMPLETE", "UNCERTAIN", "ABSENT", "BUILDING", "CORRUPT", "DISABLED"];

/// An act on an object, in a tree that is made ready for it.
#[derive(Debug, Clone)]
struct Example {
    name: String,
    ready: Vec<Edit>,
    acts: Vec<Edit>,
    find: &'static str,
}

impl Example {
    fn new(name: impl Into<String>, acts: impl IntoIterator<Item = Edit>) -> Self {
        let acts = acts.into_iter().collect();
        Self { name: name.into(), ready: Vec::new(), acts, find: "needle" }
    }

    fn ready(mut self, ready: impl IntoIterator<Item = Edit>) -> Self {
        self.ready.extend(ready);
        self
    }

    fn finding(mut self, find: &'static str) -> Self {
        self.find = find;
        self
    }

    fn scenario(&self, state: &str, own_mounts: bool) -> Scenario {
        let mut acts: Vec<Act> = self.ready.iter().cloned().map(Act::Edit).collect();
        let find = || Act::find(self.find);
        if state == "BUILDING" {
            let trap = Trap {
                point: "build_batch".to_owned(),
                after: 0,
                times: 1,
                fault: Fault::Edits(self.acts.clone()),
                errno: None,
            };
            acts.extend([Act::Arm(trap), Act::Settle]);
        } else {
            acts.extend(way_into(state));
            acts.push(Act::state(state));
            acts.extend(self.acts.iter().cloned().map(Act::Edit));
        }
        acts.extend([find(), find(), Act::Settle, find()]);
        let mut scenario = Scenario::new(&format!("act: {} in {state}", self.name), acts);
        scenario.life.tree.extend(tree());
        scenario.life.own_mounts = own_mounts;
        scenario
    }
}

fn way_into(state: &str) -> Vec<Act> {
    match state {
        "ABSENT" => vec![],
        "COMPLETE" => vec![Act::Settle],
        "UNCERTAIN" => vec![Act::Settle, Act::Restart { clean: true }, Act::Turns(1)],
        "CORRUPT" => {
            vec![Act::Settle, Act::fail("read_block", 5, 1), Act::find("needle"), Act::Disarm]
        }
        _ => vec![Act::Settle, Act::Mode("off".to_owned())],
    }
}

/// Those that need no mounts; in the states in which files are excluded soonest, or in all.
pub(super) fn all(whole: bool) -> Vec<Scenario> {
    in_states(&[contents::all(), names::all()].concat(), whole, false)
}

pub(super) fn mounted(whole: bool) -> Vec<Scenario> {
    in_states(&mounts::all(), whole, true)
}

fn in_states(examples: &[Example], whole: bool, own_mounts: bool) -> Vec<Scenario> {
    let states = if whole { &STATES[..] } else { STATES.get(..1).unwrap_or_default() };
    let each = states.iter().flat_map(|state| examples.iter().map(move |example| (example, state)));
    // After an ignore file was written nothing is excluded, so that no block is read and found
    // broken.
    let reads = |(example, state): &(&Example, &&str)| {
        **state != "CORRUPT" || !example.ready.iter().any(|edit| matches!(edit, Edit::Open(..)))
    };
    each.filter(reads).map(|(example, state)| example.scenario(state, own_mounts)).collect()
}

/// What lies in the tree beside what all scenarios have.
fn tree() -> Vec<Entry> {
    let filler = "filler and nothing more ".repeat(512);
    let filler = |length: usize| filler.get(..length).unwrap_or_default();
    vec![
        Entry::file(".gitignore", "hid.txt\n"),
        Entry::file("hid.txt", "needle behind a rule\n"),
        // A word that a block parts.
        Entry::file("big.txt", format!("{}nee{}dle\n", filler(4_093), filler(4_096))),
        Entry::link("link", "a.txt"),
        Entry::file("../out/needle.txt", "needle from outside\n"),
        Entry::file("../out/rules", "########\n"),
    ]
}

/// A file and an ignore file: what each is called, and what shows that it was written.
fn written() -> [(&'static str, &'static str, &'static str); 2] {
    [("a file", "b.txt", "needle"), ("an ignore file", ".gitignore", "#")]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use touchstone_spec::Spec;

    use super::*;

    #[test]
    fn the_change_examples_try_exactly_the_acts_of_the_table() {
        let spec = Spec::load(&touchstone_cases::golden::workspace().join("spec")).unwrap();
        let table: BTreeSet<&str> = spec
            .index
            .changes
            .changes
            .iter()
            .flat_map(|row| &row.acts)
            .map(|act| &*act.value)
            .collect();
        let mut tried: BTreeSet<&str> = BTreeSet::new();
        for example in [contents::all(), names::all(), mounts::all()].concat() {
            tried.extend(example.acts.iter().filter_map(Edit::act));
        }
        // What a handle does depends on where it was opened, which the edit alone does not tell.
        tried.insert("write_through_outside");
        assert_eq!(tried, table);
    }
}
