//! Everything that can be provoked, in every state.
//!
//! Invariants: a way into a state ends with an act that says that it is reached, so that nothing is
//! provoked elsewhere.

use serde_json::json;

use super::super::faults::points;
use super::super::life::{Act, Damage, Edit, Fault, Trap, part, text};
use super::Scenario;

/// The states between two turns of the indexer, each with a way into it; what happens while an
/// index is BUILDING happens at points of the build (`stories`).
const STATES: [&str; 5] = ["ABSENT", "COMPLETE", "UNCERTAIN", "CORRUPT", "DISABLED"];

/// Errors of the system: EIO, ENOSPC, EACCES, EMFILE.
const ERRORS: [i32; 4] = [5, 28, 13, 24];

/// A scenario that begins in a state.
fn into(state: &'static str, name: &str, acts: Vec<Act>) -> Scenario {
    let (mut way, last) = match state {
        "ABSENT" => (vec![], Act::state(state)),
        "COMPLETE" => (vec![Act::Settle], Act::state(state)),
        "UNCERTAIN" => {
            (vec![Act::Settle, Act::Restart { clean: true }, Act::Turns(1)], Act::state(state))
        }
        "CORRUPT" => (
            vec![Act::Settle, Act::fail("read_block", 5, 1), Act::find("needle"), Act::Disarm],
            Act::state(state),
        ),
        _ => (vec![Act::Settle, Act::Mode("off".to_owned())], Act::state(state)),
    };
    way.push(last);
    way.extend(acts);
    way.extend([Act::find("needle"), Act::Disarm, Act::Settle, Act::find("zebra"), Act::Verify]);
    // One file in a slice, so that a build takes several turns.
    Scenario::new(&format!("{name} in {state}"), way).with("reconcile_max_files", 1)
}

/// What is done by callers and in the tree.
#[expect(clippy::too_many_lines, reason = "a list")]
pub(super) fn common() -> Vec<Scenario> {
    let ignore = || Act::write(".gitignore", "*.rs\n");
    let provocations: Vec<(&str, Vec<Act>)> = vec![
        (
            "off",
            vec![
                Act::Mode("off".to_owned()),
                Act::find("needle"),
                Act::Mode("off".to_owned()),
                Act::Mode("on".to_owned()),
            ],
        ),
        ("on", vec![Act::Mode("on".to_owned()), Act::find("alpha"), Act::Turns(1)]),
        ("auto", vec![Act::Mode("auto".to_owned()), Act::find("alpha"), Act::Turns(2)]),
        (
            "rebuilt",
            vec![Act::Rebuild, Act::find("alpha"), Act::Turns(2), Act::Rebuild, Act::Turns(1)],
        ),
        ("searched", vec![Act::find("alpha"), Act::find("needle")]),
        ("ended in order", vec![Act::Restart { clean: true }]),
        ("ended just so", vec![Act::Restart { clean: false }]),
        ("evicted", vec![Act::Evict, Act::Turns(1), Act::find("alpha"), Act::Turns(2)]),
        ("cleared", vec![Act::Clear, Act::find("alpha"), Act::Turns(2)]),
        ("removed", vec![Act::Damage(Damage::RemoveAll), Act::find("alpha"), Act::Turns(2)]),
        ("garbled", vec![Act::Damage(Damage::Garbage), Act::find("alpha"), Act::Turns(2)]),
        (
            "opened to all",
            vec![
                Act::Damage(Damage::OpenToAll),
                Act::find("alpha"),
                Act::Turns(2),
                Act::Restart { clean: true },
            ],
        ),
        ("another root", vec![Act::Edit(Edit::NewRoot), Act::find("needle"), Act::Turns(2)]),
        ("rules changed", vec![ignore(), Act::find("omega"), Act::Turns(1)]),
        ("rules changed unseen", vec![ignore(), Act::Turns(2)]),
        ("edited", vec![Act::write("a.txt", "alpha now\n"), Act::find("alpha"), Act::Turns(1)]),
        (
            "edited unseen",
            vec![Act::write("a.txt", "alpha now\n"), Act::Advance(5_000), Act::Turns(2)],
        ),
        (
            "renamed",
            vec![
                Act::Edit(Edit::Rename(text("src"), text("lib"))),
                Act::find("zebra"),
                Act::Turns(1),
            ],
        ),
        (
            "moved out",
            vec![
                Act::Edit(Edit::Rename(text("src"), text("../src"))),
                Act::find("zebra"),
                Act::Turns(1),
            ],
        ),
        (
            "moved out and in",
            vec![
                Act::Edit(Edit::Rename(text("src"), text("../src"))),
                Act::Turns(2),
                Act::Edit(Edit::Rename(text("../src"), text("other"))),
                Act::find("zebra"),
            ],
        ),
        (
            "moved out unseen",
            vec![
                Act::Edit(Edit::Rename(text("src"), text("../src"))),
                Act::Advance(60_000),
                Act::Turns(3),
            ],
        ),
        (
            "denied",
            vec![
                Act::Deny(vec!["docs/".to_owned()]),
                Act::Restart { clean: true },
                Act::find("Quartz"),
            ],
        ),
        (
            "another key",
            vec![Act::Set("bloom_ngram_k".to_owned(), json!(2)), Act::Restart { clean: true }],
        ),
        (
            "checked often",
            vec![
                Act::Set("index_integrity_check".to_owned(), json!("periodic")),
                Act::Set("index_integrity_period_calls".to_owned(), json!(1)),
                Act::Restart { clean: false },
                Act::find("alpha"),
                Act::Turns(2),
                Act::find("alpha"),
            ],
        ),
        (
            "without time",
            vec![
                Act::Set("index_maint_budget_fraction".to_owned(), json!(0.0)),
                Act::Restart { clean: true },
                Act::Turns(2),
                Act::write("b.txt", "beta\n"),
                Act::find("beta"),
                Act::write("b.txt", "gamma\n"),
                Act::find("gamma"),
                Act::write("b.txt", "delta\n"),
                Act::find("delta"),
                Act::write("b.txt", "needle\n"),
            ],
        ),
        (
            "many",
            vec![
                Act::Edit(Edit::Many(text("m"), 60, part("needle of many\n"))),
                Act::find("needle"),
                Act::Turns(2),
            ],
        ),
        (
            "closed",
            vec![
                Act::Edit(Edit::Chmod(text("src"), false)),
                Act::find("zebra"),
                Act::Turns(2),
                Act::Edit(Edit::Chmod(text("src"), true)),
            ],
        ),
        (
            "watched while read",
            vec![
                Act::Arm(Trap {
                    point: "list".to_owned(),
                    after: 0,
                    times: 3,
                    fault: Fault::Edits(vec![Edit::write("src/deep/new.rs", "needle\n")]),
                    errno: None,
                }),
                Act::Turns(4),
            ],
        ),
    ];
    all(&provocations)
}

/// Every point, with errors that the system may give there.
pub(super) fn faults() -> Vec<Scenario> {
    let mut provocations: Vec<(String, Vec<Act>)> = Vec::new();
    for point in points() {
        for errno in ERRORS {
            for times in [1, 100] {
                provocations.push((
                    format!("{point} fails with {errno}, {times} times"),
                    vec![
                        Act::fail(&point, errno, times),
                        Act::write("new/dir/a.txt", "needle in a new place\n"),
                        Act::find("needle"),
                        Act::Turns(3),
                        Act::find("needle"),
                        Act::Turns(30),
                        Act::find("alpha"),
                        Act::Restart { clean: true },
                        Act::find("alpha"),
                        Act::Turns(30),
                    ],
                ));
            }
        }
        let search = json!({ "pattern": "needle", "fixed_strings": true });
        provocations.push((
            format!("searched at {point}"),
            vec![
                Act::Arm(Trap {
                    point,
                    after: 0,
                    times: 3,
                    fault: Fault::Search(search),
                    errno: None,
                }),
                Act::write("b.txt", "needle\n"),
                Act::find("needle"),
                Act::Turns(30),
                Act::Restart { clean: true },
                Act::find("needle"),
                Act::Turns(30),
            ],
        ));
    }
    let named: Vec<(&str, Vec<Act>)> =
        provocations.iter().map(|(name, acts)| (name.as_str(), acts.clone())).collect();
    all(&named)
}

fn all(provocations: &[(&str, Vec<Act>)]) -> Vec<Scenario> {
    let each = provocations.iter();
    each.flat_map(|(name, acts)| STATES.map(|state| into(state, name, acts.clone()))).collect()
}
