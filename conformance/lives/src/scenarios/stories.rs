//! Scenarios that take a story.

use serde_json::json;

use super::super::life::{Act, Edit, Expected, Use, part, text};
use super::Scenario;

pub(super) fn all() -> Vec<Scenario> {
    [first(), openings(), budgets(), watchers()].into_iter().flatten().collect()
}

/// An index is built, and searches use it.
#[expect(clippy::too_many_lines, reason = "a list of lives")]
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
        Scenario::new(
            "packed",
            [Act::Settle, Act::find("needle"), Act::excludes(true), Act::Verify],
        )
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
#[expect(clippy::too_many_lines, reason = "a list of lives")]
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

#[expect(clippy::too_many_lines, reason = "a list of lives")]
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

/// Watcher failures.
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
