//! Scenarios of stores that fail, and of what calls and people do while the indexer is at work.

use serde_json::json;

use super::super::life::{Act, Damage, Edit, Fault, Trap, part, text};
use super::Scenario;

pub(super) fn all() -> Vec<Scenario> {
    [stores(), calls(), building()].into_iter().flatten().collect()
}

/// Store failures.
#[expect(clippy::too_many_lines, reason = "a list of lives")]
fn stores() -> Vec<Scenario> {
    let damaged = |name: &str, damage| {
        Scenario::new(
            name,
            [
                Act::Settle,
                Act::Restart { clean: true },
                Act::Damage(damage),
                Act::Restart { clean: false },
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
                Act::excludes(true),
                Act::Verify,
            ],
        )
    };
    vec![
        damaged("a flipped bit", Damage::Flip(700)),
        damaged("a zeroed page", Damage::Zero(500)),
        damaged("half a store", Damage::Truncate(500)),
        damaged("no store at all", Damage::Truncate(0)),
        damaged("another format", Damage::Garbage),
        damaged("another program's store", Damage::Foreign)
            .walking(&[("index_mismatched", "ABSENT")]),
        Scenario::new(
            "a store inside the searched tree",
            [Act::Settle, Act::find("needle"), Act::excludes(true)],
        )
        .with("index_path", "{root}/cache"),
        Scenario::new(
            "no store can be had",
            [Act::fail("open_store", 13, 100), Act::Settle, Act::find("needle"), Act::Settle],
        ),
        Scenario::new(
            "neither store nor memory can be had",
            [
                Act::fail("open_store", 13, 100),
                Act::fail("open_memory", 12, 100),
                Act::Settle,
                Act::find("needle"),
                Act::Restart { clean: true },
                Act::find("needle"),
                Act::Settle,
            ],
        ),
        Scenario::new(
            "a delta cannot be stored",
            [
                Act::Settle,
                Act::fail("write_delta", 28, 2),
                Act::write("b.txt", "needle\n"),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
                Act::Restart { clean: true },
                Act::Settle,
                Act::find("needle"),
            ],
        ),
        Scenario::new(
            "a build cannot be stored",
            [
                Act::fail("write_base", 28, 1),
                Act::Settle,
                Act::find("needle"),
                Act::Rebuild,
                Act::Settle,
                Act::find("needle"),
            ],
        ),
        Scenario::new(
            "a build cannot be made the active one",
            [
                Act::fail("before_flip", 28, 1),
                Act::Settle,
                Act::find("needle"),
                Act::Rebuild,
                Act::Settle,
                Act::find("needle"),
            ],
        ),
    ]
}

/// What calls do while the indexer is at work.
fn calls() -> Vec<Scenario> {
    let at = |point: &str, fault| {
        Act::Arm(Trap { point: point.to_owned(), after: 0, times: 1, fault, errno: None })
    };
    let search = || Fault::Search(json!({ "pattern": "needle", "fixed_strings": true }));
    vec![
        Scenario::new(
            "searched while it is stored",
            [
                at("write_base", search()),
                at("before_flip", search()),
                at("after_flip", search()),
                Act::Settle,
                at("write_delta", search()),
                Act::write("b.txt", "needle\n"),
                Act::Settle,
                Act::find("needle"),
            ],
        ),
        Scenario::new(
            "written while it is read",
            [
                at(
                    "read_file",
                    Fault::Edits(vec![Edit::Replace(text("b.txt"), part("needle in time\n"))]),
                ),
                at(
                    "list",
                    Fault::Edits(vec![Edit::Replace(text("src/deep/d.rs"), part("needle too\n"))]),
                ),
                Act::Settle,
                Act::find("needle"),
                at(
                    "cookie",
                    Fault::Edits(vec![Edit::Replace(text("src/c.rs"), part("needle three\n"))]),
                ),
                Act::find("needle"),
                Act::find("needle"),
                Act::Verify,
            ],
        ),
    ]
}

/// What happens while a build is under way, at points before, in the middle and near the end of it.
fn building() -> Vec<Scenario> {
    let search = || Fault::Search(json!({ "pattern": "needle", "fixed_strings": true }));
    let edits = |edits| Fault::Edits(edits);
    let faults: [(&str, Fault); 12] = [
        ("searched", search()),
        ("switched off", Fault::Mode("off".to_owned())),
        ("switched on", Fault::Mode("on".to_owned())),
        ("set to auto", Fault::Mode("auto".to_owned())),
        ("rebuilt", Fault::Rebuild),
        ("cleared", Fault::Clear),
        ("edited", edits(vec![Edit::Replace(text("b.txt"), part("needle in a build\n"))])),
        ("rules changed", edits(vec![Edit::write(".gitignore", "*.rs\n")])),
        ("moved out", edits(vec![Edit::Rename(text("src"), text("../gone"))])),
        ("renamed", edits(vec![Edit::Rename(text("src"), text("lib"))])),
        ("another root", edits(vec![Edit::NewRoot])),
        ("many files", edits(vec![Edit::Many(text("new/m"), 30, part("needle\n"))])),
    ];
    let mut all = Vec::new();
    for (name, fault) in faults {
        for point in ["build_begin", "list", "build_batch", "write_base", "before_flip"] {
            let trap = |times| {
                Act::Arm(Trap {
                    point: point.to_owned(),
                    after: 0,
                    times,
                    fault: fault.clone(),
                    errno: None,
                })
            };
            all.push(Scenario::new(
                &format!("{name} at {point}"),
                [
                    trap(1),
                    Act::Turns(1),
                    Act::find("needle"),
                    Act::Disarm,
                    Act::Mode("on".to_owned()),
                    Act::Settle,
                    Act::find("needle"),
                    Act::Verify,
                    trap(1),
                    Act::Rebuild,
                    Act::Turns(2),
                    Act::find("zebra"),
                    Act::Disarm,
                    Act::Settle,
                    Act::find("zebra"),
                    Act::Verify,
                ],
            ));
        }
    }
    all
}
