//! Several processes on one tree, several threads in one process, and what must not be left behind.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use touchstone::case::{CaseConfig, Entry, Part, Text};
use touchstone::index_live::{Act, Crowd, Edit, Expected, Life, Played, Use};
use touchstone::runner::{Runner, RunnerOptions, SharedDir};
use touchstone::verifies;

const DEADLINE: Duration = Duration::from_secs(60);

fn runner() -> Runner {
    Runner::new(RunnerOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn life(name: &str, using: Use, tree: Vec<Entry>, acts: Vec<Act>) -> Life {
    Life {
        name: name.to_owned(),
        config: CaseConfig::default(),
        settings: BTreeMap::new(),
        using,
        own_mounts: false,
        beside: false,
        sabotage: None,
        damage: Vec::new(),
        tree,
        acts,
    }
}

/// Two directories, one for each process, and something for both.
fn tree() -> Vec<Entry> {
    let mut entries = vec![Entry::file("both.txt", "needle for both\n")];
    for part in ["one", "two"] {
        for number in 0..20 {
            let text = format!("file {number} of {part}\n");
            entries.push(Entry::file(format!("{part}/deep{}/f{number}.txt", number % 3), text));
        }
    }
    entries
}

fn play(runner: &Runner, shared: &SharedDir, fresh: bool, life: &Life) -> Played {
    let played = runner.play_in(life, shared, fresh, DEADLINE);
    let played = played.unwrap_or_else(|broken| panic!("{}: {broken}", life.name));
    if let Some(problem) = &played.problem {
        let act = problem.at.and_then(|at| life.acts.get(at));
        panic!("{}: at {:?} ({act:?}): {}\n{}", life.name, problem.at, problem.what, problem.told);
    }
    played
}

/// Plays lives on one tree at once, each in a process of its own.
fn together(runner: &Runner, shared: &SharedDir, lives: &[Life]) -> Vec<Played> {
    thread::scope(|scope| {
        let played: Vec<_> =
            lives.iter().map(|life| scope.spawn(|| play(runner, shared, false, life))).collect();
        played.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

/// A search in a process's own part of the tree, which the other does not touch.
fn own(part: &str, pattern: &str) -> Act {
    Act::Search(json!({ "pattern": pattern, "fixed_strings": true, "path": part }))
}

fn complete() -> Act {
    Act::Expect(Expected { state: Some("COMPLETE".to_owned()), ..Expected::default() })
}

/// Edits and searches in one part of the tree, again and again; the index has to be COMPLETE all
/// the time.
fn busy(part: &str, rounds: usize) -> Vec<Act> {
    let mut acts = vec![Act::Settle, own(part, "file 3"), complete()];
    for round in 0..rounds {
        let path = format!("{part}/deep{}/f{}.txt", round % 3, round % 20);
        let text = format!("round {round} of {part}\n");
        acts.extend([
            Act::write(&path, &text),
            own(part, &format!("round {round}")),
            complete(),
            Act::Turns(2),
            own(part, "file 7"),
            complete(),
        ]);
    }
    acts.extend([Act::Settle, own(part, "round"), complete()]);
    acts
}

#[test]
fn two_processes_on_one_tree_answer_correctly_and_do_not_demote_each_other() {
    verifies!("FR-LSI-IDX-CONC-01");
    let runner = runner();
    let shared = runner.shared();
    play(
        &runner,
        &shared,
        true,
        &life("the tree", Use::Stepped, tree(), vec![Act::Settle, Act::find("needle")]),
    );
    let played = together(
        &runner,
        &shared,
        &[
            life("one", Use::Stepped, Vec::new(), busy("one", 25)),
            life("two", Use::Stepped, Vec::new(), busy("two", 25)),
        ],
    );
    for one in played {
        assert!(one.tally.excluding > 20, "{:?}", one.tally);
    }
}

#[test]
fn a_process_that_rebuilds_does_not_demote_the_other() {
    let runner = runner();
    let shared = runner.shared();
    play(&runner, &shared, true, &life("the tree", Use::Stepped, tree(), vec![Act::Settle]));
    let mut rebuilding = vec![Act::Settle];
    for round in 0..10 {
        rebuilding.extend([
            Act::Rebuild,
            Act::Turns(2),
            own("two", &format!("file {round}")),
            Act::Settle,
            complete(),
        ]);
    }
    let lives = [
        life("one", Use::Stepped, Vec::new(), busy("one", 25)),
        life("two", Use::Stepped, Vec::new(), rebuilding),
    ];
    together(&runner, &shared, &lives);
}

#[test]
fn a_reader_answers_correctly_while_others_evict_and_clear() {
    let runner = runner();
    let shared = runner.shared();
    play(&runner, &shared, true, &life("the tree", Use::Stepped, tree(), vec![Act::Settle]));
    let mut reading = vec![Act::Settle];
    for round in 0..40 {
        reading.extend([
            own("one", &format!("file {}", round % 20)),
            Act::find("needle"),
            Act::Turns(1),
        ]);
    }
    let mut evicting = vec![Act::Set("index_max_indexes".to_owned(), json!(1))];
    for round in 0..6 {
        evicting.extend([
            Act::Set("bloom_ngram_k".to_owned(), json!(2 + round % 2)),
            Act::Restart { clean: round % 3 != 0 },
            Act::Settle,
            Act::find("needle"),
            Act::Clear,
            Act::find("needle"),
        ]);
    }
    let lives = [
        life("reads", Use::Stepped, Vec::new(), reading.clone()),
        life("reads what is stored", Use::Existing, Vec::new(), reading),
        life("evicts", Use::Stepped, Vec::new(), evicting),
    ];
    together(&runner, &shared, &lives);
}

fn requests() -> Vec<Value> {
    ["needle", "file 3", "file 17", "of one", "nowhere at all"]
        .map(|pattern| json!({ "pattern": pattern, "fixed_strings": true }))
        .to_vec()
}

#[test]
fn eight_threads_search_while_the_index_is_built() {
    let runner = runner();
    for using in [Use::Stepped, Use::Background] {
        let crowd = |rounds, switched_off| {
            Act::Crowd(Crowd { threads: 8, rounds, requests: requests(), switched_off })
        };
        let acts = vec![
            crowd(6, false),
            Act::Rebuild,
            crowd(6, false),
            Act::Settle,
            crowd(4, false),
            Act::Verify,
        ];
        let played = runner.play(&life("crowd", using, tree(), acts)).unwrap();
        assert_eq!(played.problem, None);
        assert!(played.tally.excluded > 0, "{:?}", played.tally);
    }
}

#[test]
fn the_kill_switch_takes_effect_on_a_running_service() {
    verifies!("FR-LSI-ROLL-03");
    let runner = runner();
    for using in [Use::Stepped, Use::Background] {
        let crowd = Crowd { threads: 4, rounds: 20, requests: requests(), switched_off: true };
        let acts = vec![
            Act::Settle,
            Act::find("needle"),
            Act::excludes(true),
            Act::Crowd(crowd),
            Act::find("needle"),
            Act::excludes(false),
            Act::reason("DISABLED", "MODE_OFF"),
            Act::Mode("on".to_owned()),
            Act::Settle,
            Act::find("needle"),
            Act::excludes(true),
        ];
        let played = runner.play(&life("kill switch", using, tree(), acts)).unwrap();
        assert_eq!(played.problem, None);
    }
}

#[test]
fn denied_contents_leave_nothing_in_the_store() {
    let runner = runner();
    let (name, token) = ("xyzzy-plugh-denied", "\u{10fa01}\u{10fb02}\u{10fc03}");
    let mut entries = tree();
    for number in 0..30 {
        let contents =
            Part { bytes: Text(format!("{token} {token}{number}\n").into_bytes()), times: 3 };
        let contents = touchstone::case::Contents { parts: vec![contents] };
        let node = touchstone::case::Node::File { contents, readable: true };
        entries.push(Entry { path: format!("secret/{name}-{number}.txt").into_bytes(), node });
    }
    let told = |text: &str| Text(text.as_bytes().to_vec());
    let forgotten = || Act::Forgotten(vec![told(name), told(token)]);
    let acts = vec![
        Act::Settle,
        // Through deltas as well as through the base.
        Act::write(&format!("secret/{name}-3.txt"), &format!("{token} changed\n")),
        Act::Settle,
        Act::find(token),
        Act::Remembered(vec![told(name)]),
        Act::Deny(vec!["secret/".to_owned()]),
        Act::Restart { clean: true },
        Act::find(token),
        Act::Settle,
        Act::find(token),
        forgotten(),
        Act::Restart { clean: true },
        forgotten(),
        Act::Edit(Edit::Remove(told("secret"))),
        Act::Settle,
        forgotten(),
    ];
    let played = runner.play(&life("denied", Use::Stepped, entries, acts)).unwrap();
    assert_eq!(
        played
            .problem
            .map(|problem| format!("{:?} {}\n{}", problem.at, problem.what, problem.told)),
        None
    );
}
