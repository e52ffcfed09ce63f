//! Scenarios that take a story.

use serde_json::json;

use super::super::life::{Act, Damage, Edit, Expected, Mishap, Trap, Use, part, text};
use super::Scenario;

/// All of them.
pub(super) fn all() -> Vec<Scenario> {
    [first(), openings(), budgets(), watchers(), stores(), calls(), building()]
        .into_iter()
        .flatten()
        .collect()
}

/// An index comes about, and searches use it.
fn first() -> Vec<Scenario> {
    vec![
        Scenario::new(
            "first",
            [
                Act::find("needle"),
                Act::Settle,
                Act::state("COMPLETE"),
                Act::find("needle"),
                Act::excludes(true),
                Act::Verify,
            ],
        )
        .walking(&[
            ("build_started", "ABSENT"),
            ("watcher_started", "ABSENT"),
            ("build_completed", "BUILDING"),
        ]),
        Scenario::new(
            "read your writes",
            [
                Act::Settle,
                Act::write("b.txt", "needle at last\n"),
                Act::find("needle"),
                Act::excludes(true),
                Act::Edit(Edit::Disguise(text("a.txt"), 1)),
                Act::find("needle"),
                Act::Edit(Edit::Replace(text("src/c.rs"), part("needle by another file\n"))),
                Act::find("needle"),
                Act::Edit(Edit::Remove(text("b.txt"))),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
                Act::Verify,
            ],
        ),
        Scenario::new(
            "in memory",
            [
                Act::Settle,
                Act::find("needle"),
                Act::excludes(true),
                Act::Expect(Expected { storage: Some("memory".to_owned()), ..Expected::default() }),
            ],
        )
        .with("index_storage", "memory"),
        Scenario::new("packed", [Act::Settle, Act::find("needle"), Act::excludes(true), Act::Verify])
            .with("index_filter_layout", "packed"),
        Scenario::new(
            "kill switch",
            [
                Act::Settle,
                Act::find("needle"),
                Act::excludes(true),
                Act::Mode("off".to_owned()),
                Act::find("needle"),
                Act::excludes(false),
                Act::reason("DISABLED", "MODE_OFF"),
                Act::Mode("on".to_owned()),
                Act::Settle,
                Act::find("needle"),
                Act::excludes(true),
            ],
        )
        .walking(&[("mode_off", "COMPLETE"), ("mode_on", "DISABLED")]),
        Scenario::new(
            "a changed file is dead in its old segment, a gone one too",
            [
                Act::Settle,
                Act::write("a.txt", "other words\n"),
                Act::Settle,
                Act::write("a.txt", "needle again\n"),
                Act::Settle,
                Act::find("needle"),
                Act::find("other"),
                Act::Edit(Edit::Remove(text("a.txt"))),
                Act::Settle,
                Act::find("needle"),
                Act::Restart { clean: true },
                Act::Settle,
                Act::write("a.txt", "Quartz\n"),
                Act::Settle,
                Act::find("Quartz"),
                Act::Verify,
            ],
        ),
        Scenario::new(
            "a second name inside the root",
            [
                Act::Settle,
                Act::Edit(Edit::HardLink(text("a.txt"), text("docs/alias.txt"))),
                Act::find("alpha"),
                Act::write("docs/alias.txt", "alpha by its other name\n"),
                Act::find("alpha"),
            ],
        ),
        Scenario::new(
            "a second name outside the root",
            [
                Act::Edit(Edit::HardLink(text("a.txt"), text("../out/alias.txt"))),
                Act::Settle,
                Act::find("alpha"),
                Act::write("../out/alias.txt", "alpha by its other name\n"),
                Act::find("alpha"),
                Act::Edit(Edit::SecondName(text("b.txt"), text("../out/later.txt"))),
                Act::find("omega"),
                Act::write("../out/later.txt", "omega by its other name\n"),
                Act::find("omega"),
            ],
        ),
    ]
}

/// What is found when a process begins.
fn openings() -> Vec<Scenario> {
    let again = |clean| {
        [
            Act::Settle,
            Act::Restart { clean },
            Act::find("needle"),
            Act::Settle,
            Act::find("needle"),
            Act::excludes(true),
        ]
    };
    vec![
        Scenario::new("opened again", again(true)).walking(&[("index_opened", "ABSENT")]),
        Scenario::new("opened after an unclean end", again(false))
            .walking(&[("unclean_shutdown_found", "ABSENT"), ("index_opened", "ABSENT")]),
        Scenario::new(
            "policy changed meanwhile",
            [
                Act::Settle,
                Act::Deny(vec!["docs/".to_owned()]),
                Act::Restart { clean: true },
                Act::find("Quartz"),
                Act::Settle,
                Act::find("Quartz"),
                Act::Deny(Vec::new()),
                Act::Restart { clean: true },
                Act::find("Quartz"),
                Act::Settle,
                Act::find("Quartz"),
            ],
        ),
        Scenario::new(
            "global rules changed meanwhile",
            [
                Act::Settle,
                Act::GlobalIgnore(text("*.rs\n")),
                Act::Restart { clean: true },
                Act::find("zebra"),
                Act::Settle,
                Act::find("zebra"),
                Act::GlobalIgnore(text("*.md\n")),
                Act::Restart { clean: true },
                Act::find("zebra"),
            ],
        ),
        Scenario::new(
            "edited while nobody watched",
            [
                Act::Settle,
                Act::Restart { clean: true },
                Act::write("b.txt", "needle while nobody watched\n"),
                Act::Restart { clean: true },
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        ),
        Scenario::new(
            "a build is resumed by another process",
            [
                Act::Turns(4),
                Act::Restart { clean: true },
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
                Act::Verify,
            ],
        )
        .with("reconcile_max_files", 1),
        Scenario::new(
            "read only",
            [
                Act::Settle,
                Act::Use(Use::Existing),
                Act::Restart { clean: true },
                Act::find("needle"),
                Act::write("b.txt", "needle unknown to the store\n"),
                Act::find("needle"),
                Act::Edit(Edit::Disguise(text("src/c.rs"), 0)),
                Act::find("omega"),
            ],
        ),
        Scenario::new(
            "the mode was off at the beginning",
            [
                Act::find("needle"),
                Act::Turns(3),
                Act::Mode("on".to_owned()),
                Act::Settle,
                Act::find("needle"),
                Act::excludes(true),
            ],
        )
        .with("index_mode", "off"),
    ]
}

/// Limits.
fn budgets() -> Vec<Scenario> {
    let many = || Act::Edit(Edit::Many(text("m"), 40, part("needle of many\n")));
    vec![
        Scenario::new(
            "a build of too many files",
            [
                Act::Settle,
                Act::find("needle"),
                Act::Settle,
                Act::find("alpha"),
                Act::Restart { clean: true },
                Act::Settle,
                Act::find("alpha"),
            ],
        )
        .with("index_build_max_files", 2)
        .walking(&[("build_over_budget", "BUILDING")]),
        Scenario::new(
            "a build of too many bytes",
            [Act::Settle, Act::find("needle"), Act::Settle, Act::find("alpha")],
        )
        .with("index_build_max_bytes", 20),
        Scenario::new(
            "too small for an index, then large enough",
            [
                Act::Settle,
                Act::find("needle"),
                Act::find("needle"),
                many(),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
                Act::Settle,
                Act::find("alpha"),
                Act::excludes(true),
            ],
        )
        .with("index_mode", "auto")
        .with("index_auto_threshold_files", 20)
        .with("index_auto_reeval_calls", 1)
        .walking(&[("below_threshold", "ABSENT"), ("threshold_exceeded", "DISABLED")]),
        Scenario::new(
            "larger than it may be",
            [
                many(),
                Act::Settle,
                Act::find("needle"),
                Act::Turns(2),
                Act::Advance(500),
                Act::find("needle"),
                Act::Turns(2),
                Act::Advance(5_000),
                Act::find("needle"),
                Act::Turns(5),
                Act::find("needle"),
            ],
        )
        .with("index_max_db_bytes", 1_048_576)
        .with("index_disable_cooldown_ms", 1_000),
        Scenario::new(
            "evicted by another key",
            [
                Act::Settle,
                Act::Set("bloom_ngram_k".to_owned(), json!(2)),
                Act::Set("index_max_indexes".to_owned(), json!(1)),
                Act::Restart { clean: true },
                Act::Settle,
                Act::find("needle"),
                Act::Set("bloom_ngram_k".to_owned(), json!(3)),
                Act::Restart { clean: true },
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
                Act::excludes(true),
            ],
        ),
    ]
}

/// What watchers do.
#[expect(clippy::too_many_lines, reason = "a list")]
fn watchers() -> Vec<Scenario> {
    let overflow = || Act::fail("read_events", 75, 1);
    vec![
        Scenario::new(
            "events are lost",
            [
                Act::Settle,
                overflow(),
                Act::write("b.txt", "needle\n"),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
                Act::excludes(true),
            ],
        ),
        Scenario::new(
            "events are lost in a build",
            [
                Act::Turns(2),
                overflow(),
                Act::write("b.txt", "needle\n"),
                Act::Turns(2),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("reconcile_max_files", 1),
        Scenario::new(
            "more events than the system keeps",
            [
                Act::Settle,
                Act::Edit(Edit::Many(text("f"), 6_000, part("x\n"))),
                Act::Edit(Edit::write("b.txt", "needle\n")),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        ),
        Scenario::new(
            "no room for watches",
            [
                Act::fail("watch", 28, 1),
                Act::Settle,
                Act::find("needle"),
                Act::write("b.txt", "needle\n"),
                Act::find("needle"),
                Act::Disarm,
                Act::Settle,
                Act::find("needle"),
            ],
        ),
        Scenario::new(
            "no room for a new directory's watch",
            [
                Act::Settle,
                Act::fail("watch", 28, 1),
                Act::write("fresh/f.txt", "needle\n"),
                Act::find("needle"),
                Act::write("fresh/f.txt", "omega\n"),
                Act::find("omega"),
                Act::Settle,
                Act::find("omega"),
            ],
        ),
        Scenario::new(
            "nobody watches",
            [
                Act::Settle,
                Act::find("needle"),
                Act::write("b.txt", "needle\n"),
                Act::find("needle"),
                Act::Edit(Edit::Disguise(text("src/c.rs"), 1)),
                Act::find("omega"),
                Act::Edit(Edit::Rename(text("src"), text("lib"))),
                Act::find("zebra"),
            ],
        )
        .with("index_watch", false),
        Scenario::new(
            "a directory leaves and comes back",
            [
                Act::Settle,
                Act::Edit(Edit::Rename(text("src"), text("../away"))),
                Act::find("zebra"),
                Act::write("../away/deep/d.rs", "omega changed outside\n"),
                Act::Edit(Edit::Rename(text("../away"), text("src"))),
                Act::find("omega"),
                Act::find("zebra"),
                Act::Settle,
                Act::find("omega"),
                Act::Verify,
            ],
        ),
        Scenario::new(
            "a directory that cannot be listed",
            [
                Act::Settle,
                Act::fail("list", 5, 1),
                Act::write("fresh/f.txt", "needle\n"),
                Act::find("needle"),
                Act::Turns(3),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        ),
        Scenario::new(
            "a repository appears",
            [
                Act::write(".ignore", "*.rs\n"),
                Act::Settle,
                Act::find("zebra"),
                Act::Edit(Edit::Mkdir(text("src/.git"))),
                Act::find("zebra"),
                Act::write("src/.git/info/exclude", "deep\n"),
                Act::find("zebra"),
                Act::Edit(Edit::Remove(text("src/.git"))),
                Act::find("zebra"),
            ],
        ),
    ]
}

/// What becomes of stores.
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
    let at = |point: &str, mishap| {
        Act::Arm(Trap { point: point.to_owned(), after: 0, times: 1, mishap, errno: None })
    };
    let search = || Mishap::Search(json!({ "pattern": "needle", "fixed_strings": true }));
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
                at("read_file", Mishap::Edits(vec![Edit::Replace(text("b.txt"), part("needle in time\n"))])),
                at("list", Mishap::Edits(vec![Edit::Replace(text("src/deep/d.rs"), part("needle too\n"))])),
                Act::Settle,
                Act::find("needle"),
                at("cookie", Mishap::Edits(vec![Edit::Replace(text("src/c.rs"), part("needle three\n"))])),
                Act::find("needle"),
                Act::find("needle"),
                Act::Verify,
            ],
        ),
    ]
}

/// What happens while a build is under way, at points before, in the middle and near the end of it.
fn building() -> Vec<Scenario> {
    let search = || Mishap::Search(json!({ "pattern": "needle", "fixed_strings": true }));
    let edits = |edits| Mishap::Edits(edits);
    let mishaps: [(&str, Mishap); 12] = [
        ("searched", search()),
        ("switched off", Mishap::Mode("off".to_owned())),
        ("switched on", Mishap::Mode("on".to_owned())),
        ("set to auto", Mishap::Mode("auto".to_owned())),
        ("rebuilt", Mishap::Rebuild),
        ("cleared", Mishap::Clear),
        ("edited", edits(vec![Edit::Replace(text("b.txt"), part("needle in a build\n"))])),
        ("rules changed", edits(vec![Edit::write(".gitignore", "*.rs\n")])),
        ("moved out", edits(vec![Edit::Rename(text("src"), text("../gone"))])),
        ("renamed", edits(vec![Edit::Rename(text("src"), text("lib"))])),
        ("another root", edits(vec![Edit::NewRoot])),
        ("many files", edits(vec![Edit::Many(text("new/m"), 30, part("needle\n"))])),
    ];
    let mut all = Vec::new();
    for (name, mishap) in mishaps {
        for point in ["build_begin", "list", "build_batch", "write_base", "before_flip"] {
            let trap = |times| {
                Act::Arm(Trap {
                    point: point.to_owned(),
                    after: 0,
                    times,
                    mishap: mishap.clone(),
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
