//! Scenarios of unlucky moments: what happens while something else is under way.

use serde_json::json;
use touchstone_cases::case::Entry;

use super::super::life::{Act, Damage, Edit, Fault, Trap, part, text};
use super::Scenario;

pub(super) fn all() -> Vec<Scenario> {
    [opening(), scanning(), watching(), limits(), waiting()].into_iter().flatten().collect()
}

fn at(point: &str, after: u32, fault: Fault) -> Act {
    Act::Arm(Trap { point: point.to_owned(), after, times: 1, fault, errno: None })
}

fn off() -> Fault {
    Fault::Mode("off".to_owned())
}

/// The last acts of every scenario.
fn ending() -> Vec<Act> {
    vec![
        Act::Turns(3),
        Act::find("needle"),
        Act::Disarm,
        Act::Mode("on".to_owned()),
        Act::Advance(70_000),
        Act::Settle,
        Act::find("zebra"),
        Act::Verify,
    ]
}

fn scenario(name: &str, acts: Vec<Act>) -> Scenario {
    Scenario::new(name, acts.into_iter().chain(ending()))
}

/// Switched off, or otherwise disturbed, while an index is opened.
#[expect(clippy::too_many_lines, reason = "a list of lives")]
fn opening() -> Vec<Scenario> {
    let again = |acts: Vec<Act>, clean| {
        let changed = vec![
            Act::Settle,
            Act::Deny(vec!["docs/".to_owned()]),
            Act::GlobalIgnore(text("*.rs\n")),
        ];
        changed.into_iter().chain(acts).chain([Act::Restart { clean }]).collect::<Vec<_>>()
    };
    vec![
        scenario("switched off while nothing is found", vec![at("open_store", 0, off())]),
        scenario(
            "switched off while an index is opened",
            again(vec![at("open_store", 0, off())], true),
        )
        .walking(&[("index_opened", "DISABLED"), ("policy_changed", "DISABLED")]),
        scenario(
            "switched off while an index is opened that was left",
            again(vec![at("open_store", 0, off())], false),
        ),
        scenario("switched off while another format is opened", {
            let mut acts =
                vec![Act::Settle, Act::Restart { clean: true }, Act::Damage(Damage::Garbage)];
            acts.extend([at("open_store", 0, off()), Act::Restart { clean: true }]);
            acts
        }),
        scenario(
            "switched off while no store can be had",
            vec![at("cache_root", 0, off()), Act::fail("open_store", 13, 9), Act::Turns(1)],
        ),
        scenario(
            "switched off while nothing can be had",
            vec![
                at("cache_root", 0, off()),
                Act::fail("open_store", 13, 9),
                Act::fail("open_memory", 12, 9),
                Act::Turns(1),
            ],
        ),
        scenario(
            "switched off while part of a build is found",
            vec![Act::Settle, at("open_store", 0, off()), Act::Restart { clean: true }],
        )
        .with("index_build_max_files", 2),
        scenario(
            "part of a build that is broken",
            vec![
                Act::Settle,
                Act::Restart { clean: false },
                Act::Damage(Damage::Flip(620)),
                Act::Damage(Damage::Flip(640)),
                Act::Restart { clean: false },
                Act::Turns(1),
            ],
        )
        .with("index_build_max_files", 2),
        scenario(
            "switched off while a block is read that is broken",
            vec![
                Act::Settle,
                Act::Restart { clean: true },
                Act::Settle,
                at("read_block", 0, off()),
                Act::Arm(Trap {
                    point: "read_block".to_owned(),
                    after: 1,
                    times: 9,
                    fault: Fault::Errno(5),
                    errno: None,
                }),
                Act::find("needle"),
            ],
        ),
        scenario(
            "switched off before a block is read that is broken",
            vec![
                Act::Settle,
                at("cookie", 0, off()),
                Act::fail("read_block", 5, 9),
                Act::find("needle"),
            ],
        ),
    ]
}

/// A scan of the whole tree, disturbed.
fn scanning() -> Vec<Scenario> {
    let faults = [
        ("switched off", off()),
        ("cleared", Fault::Clear),
        ("evicted", Fault::Evict),
        ("rebuilt", Fault::Rebuild),
    ];
    let mut all = Vec::new();
    for (name, fault) in faults {
        for (what, after) in [("goes well", None), ("fails", Some(1))] {
            let mut acts =
                vec![Act::Settle, Act::Restart { clean: true }, at("list", 0, fault.clone())];
            acts.extend(after.map(|after| {
                Act::Arm(Trap {
                    point: "list".to_owned(),
                    after,
                    times: 9,
                    fault: Fault::Errno(5),
                    errno: None,
                })
            }));
            acts.extend([Act::Turns(2), Act::Turns(1), Act::Turns(1)]);
            all.push(scenario(&format!("{name} while a scan {what}"), acts));
        }
        for point in ["read_file", "write_delta", "after_delta", "delete_inactive", "scan_slice"] {
            all.push(
                scenario(
                    &format!("{name} at {point} after a change"),
                    vec![
                        Act::Settle,
                        at(point, 0, fault.clone()),
                        Act::write("b.txt", "needle\n"),
                        Act::find("needle"),
                        Act::Turns(6),
                        Act::Restart { clean: true },
                        Act::Turns(6),
                    ],
                )
                .with("reconcile_max_files", 1),
            );
        }
    }
    all.push(
        scenario(
            "changed while it is scanned",
            vec![
                Act::Settle,
                Act::Restart { clean: true },
                at(
                    "scan_slice",
                    0,
                    Fault::Edits(vec![
                        Edit::write(".gitignore", "*.md\n"),
                        Edit::write("a.txt", "zebra\n"),
                    ]),
                ),
                Act::Turns(9),
            ],
        )
        .with("reconcile_max_files", 1),
    );
    all
}

/// Watchers that lose, in every state that has one.
fn watching() -> Vec<Scenario> {
    let lost = || Act::fail("read_events", 75, 1);
    let failed = || Act::fail("read_events", 5, 1);
    let mut all = Vec::new();
    for (name, way) in [
        ("after a failed build", vec![Act::fail("build_batch", 5, 1), Act::Turns(2)]),
        ("from the beginning", vec![]),
        (
            "while an index is UNCERTAIN",
            vec![Act::Settle, Act::Restart { clean: true }, Act::Turns(2)],
        ),
        ("while an index is COMPLETE", vec![Act::Settle]),
        (
            "while an index is CORRUPT",
            vec![Act::Settle, Act::fail("read_block", 5, 1), Act::find("needle")],
        ),
        ("while an index is ABSENT by eviction", vec![Act::Settle, Act::Evict, Act::Turns(1)]),
    ] {
        let edits = vec![
            ("events are lost", vec![lost(), Act::write("b.txt", "needle\n")]),
            ("the watcher fails", vec![failed(), Act::write("b.txt", "needle\n")]),
            ("the root is exchanged", vec![Act::Edit(Edit::NewRoot)]),
            (
                "a directory leaves",
                vec![Act::Edit(Edit::Rename(text("src"), text("../left"))), Act::Advance(60_000)],
            ),
            ("rules change", vec![Act::write(".gitignore", "*.rs\n")]),
        ];
        for (what, edits) in edits {
            let acts = way.iter().cloned().chain(edits).chain([Act::Turns(1)]).collect();
            all.push(scenario(&format!("{what} {name}"), acts));
        }
    }
    all
}

/// Indexes that are too large, and come back.
#[expect(clippy::too_many_lines, reason = "a list of lives")]
fn limits() -> Vec<Scenario> {
    let acts = || {
        vec![
            Act::Settle,
            Act::find("needle"),
            Act::Turns(2),
            Act::Advance(300),
            Act::Turns(2),
            Act::Mode("on".to_owned()),
            Act::Advance(60_000),
            Act::Turns(1),
            Act::find("needle"),
            Act::Turns(5),
        ]
    };
    // Text in which most sequences of three letters stand.
    let noise = |seed: u64| {
        let mut word = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let letters = (0..60_000).map(|place| {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if place % 90 == 89 {
                b'\n'
            } else {
                b'!' + u8::try_from((word >> 33) % 94).unwrap_or(0)
            }
        });
        letters.collect::<Vec<u8>>()
    };
    let mut too_large = scenario("too large for memory", acts())
        .with("index_max_db_bytes", 1_048_576)
        .with("index_storage", "memory")
        .with("index_disable_cooldown_ms", 100_000);
    too_large
        .life
        .tree
        .extend((0..24).map(|number| Entry::file(format!("noise/{number}.txt"), noise(number))));
    let mut grown = scenario("too large for the disk after a while", {
        let many: Vec<Act> = (0..12)
            .map(|number| {
                Act::Edit(Edit::Many(
                    text(&format!("n{number}/m")),
                    400,
                    part("some needle more\n"),
                ))
            })
            .collect();
        vec![Act::Settle].into_iter().chain(many).chain(acts()).collect()
    })
    .with("index_max_db_bytes", 1_048_576)
    .with("index_disable_cooldown_ms", 100_000);
    grown
        .life
        .tree
        .extend((0..3).map(|number| Entry::file(format!("noise/{number}.txt"), noise(number))));
    vec![
        too_large,
        grown,
        scenario("too large for the disk", acts())
            .with("index_max_db_bytes", 1_048_576)
            .with("index_filter_layout", "packed")
            .with("index_disable_cooldown_ms", 100_000),
        scenario("too large, for good", acts())
            .with("index_max_db_bytes", 1_048_576)
            .with("index_filter_layout", "packed"),
        scenario("no time for changes, again and again", {
            let mut acts = vec![Act::Settle];
            for round in 0..5 {
                acts.extend([
                    Act::write("b.txt", &format!("needle {round}\n")),
                    Act::find("needle"),
                ]);
            }
            acts.push(Act::Set("fuzzy_min_pattern_len".to_owned(), json!(4)));
            acts
        })
        .with("index_maint_budget_fraction", 0.0),
    ]
}

/// Something is demanded in the very moment in which something fails.
pub(super) fn doubled() -> Vec<Scenario> {
    const POINTS: [&str; 12] = [
        "cache_root",
        "open_store",
        "list",
        "watch",
        "read_events",
        "read_block",
        "read_file",
        "write_base",
        "before_flip",
        "after_flip",
        "write_delta",
        "scan_slice",
    ];
    let search = Fault::Search(json!({ "pattern": "needle", "fixed_strings": true }));
    let ways: [(&str, Vec<Act>); 4] = [
        ("in a first build", vec![]),
        ("after opening", vec![Act::Settle, Act::Restart { clean: true }]),
        ("after an unclean end", vec![Act::Settle, Act::Restart { clean: false }]),
        ("after a change", vec![Act::Settle, Act::write("b.txt", "needle\n")]),
    ];
    let faults = [("switched off", off()), ("cleared", Fault::Clear), ("searched", search)];
    let mut all = Vec::new();
    for point in POINTS {
        for (name, fault) in &faults {
            for (when, way) in &ways {
                let trap = Trap {
                    point: point.to_owned(),
                    after: 0,
                    times: 1,
                    fault: fault.clone(),
                    errno: Some(5),
                };
                let mut acts = way.clone();
                acts.push(Act::Arm(trap));
                // A search in that moment meets a block that is broken.
                acts.push(Act::Arm(Trap {
                    point: "read_block".to_owned(),
                    after: 0,
                    times: 3,
                    fault: Fault::Errno(5),
                    errno: None,
                }));
                acts.extend([
                    Act::Turns(1),
                    Act::Advance(5_000),
                    Act::Turns(9),
                    Act::find("needle"),
                ]);
                all.push(
                    scenario(&format!("{name} at {point} that fails {when}"), acts)
                        .with("reconcile_max_files", 1),
                );
            }
        }
    }
    all
}

/// Calls that wait in vain, calls that end elsewhere than they began, changes that are too many for
/// a moment.
#[expect(clippy::too_many_lines, reason = "a list of lives")]
fn waiting() -> Vec<Scenario> {
    // The store is locked by another process for a moment (EAGAIN); the call sends a message to the
    // indexer, which receives it later.
    let waiting = |then: Vec<Act>| {
        let mut acts = vec![Act::Settle, Act::fail("read_block", 11, 1), Act::find("needle")];
        acts.extend(then);
        acts.push(Act::Turns(1));
        acts
    };
    let mut all = vec![
        scenario("a call waits in vain", waiting(vec![]))
            .walking(&[("lock_timed_out", "COMPLETE")]),
        scenario(
            "a call waits in vain, then it is switched off",
            waiting(vec![Act::Mode("off".to_owned())]),
        ),
        scenario("a call waits in vain, then it is cleared", waiting(vec![Act::Clear])),
        scenario(
            "a call waits in vain, then a block is broken",
            waiting(vec![Act::fail("read_block", 5, 2), Act::find("needle")]),
        ),
        scenario(
            "a call waits in vain, then events are lost",
            waiting(vec![Act::fail("read_events", 75, 1), Act::find("needle")]),
        ),
        scenario(
            "ended while part of a build is found",
            vec![
                Act::Settle,
                Act::Restart { clean: true },
                Act::Turns(1),
                Act::Restart { clean: true },
            ],
        )
        .with("index_build_max_files", 2),
        scenario(
            "part of a build that turns out broken",
            vec![
                Act::Settle,
                Act::Restart { clean: false },
                Act::Turns(1),
                Act::fail("read_block", 5, 9),
                Act::Turns(1),
            ],
        )
        .with("index_build_max_files", 2),
        scenario(
            "more comes in than a moment has time for",
            vec![
                Act::Edit(Edit::Many(text("../away/m"), 4_500, part("of many\n"))),
                Act::Settle,
                Act::Edit(Edit::Rename(text("../away"), text("new"))),
                Act::Turns(1),
                Act::Advance(5_000),
                Act::Turns(1),
                Act::Edit(Edit::Rename(text("new"), text("newer"))),
                Act::Settle,
                Act::Edit(Edit::Rename(text("newer"), text("newest"))),
                Act::Turns(1),
                Act::Advance(5_000),
                Act::Turns(1),
            ],
        ),
        scenario(
            "more comes in than the end of a build has time for",
            vec![
                Act::Edit(Edit::Many(text("../away/m"), 4_500, part("of many\n"))),
                at(
                    "before_flip",
                    0,
                    Fault::Edits(vec![Edit::Rename(text("../away"), text("new"))]),
                ),
                Act::Settle,
            ],
        ),
    ];
    for (name, fault) in
        [("switched off", off()), ("cleared", Fault::Clear), ("evicted", Fault::Evict)]
    {
        for after in 0..4 {
            let acts = vec![
                Act::Settle,
                at("read_block", after, fault.clone()),
                Act::find("needle"),
                Act::find("alpha"),
            ];
            let name = format!("{name} in a call that looks for itself, after {after} blocks");
            all.push(scenario(&name, acts).with("index_watch", false));
        }
    }
    all
}
