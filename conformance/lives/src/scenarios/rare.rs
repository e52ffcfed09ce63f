//! Cells that take a setting or a failure of their own.

use serde_json::json;

use super::super::life::{Act, Crowd, Edit, Fault, Trap, part, text};
use super::Scenario;

#[expect(clippy::too_many_lines, reason = "a list")]
pub(super) fn all() -> Vec<Scenario> {
    vec![
        Scenario::new(
            "a partial index whose store turns out broken",
            [
                Act::Settle,
                Act::Restart { clean: false },
                Act::fail("check", 5, 1),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("index_build_max_files", 1)
        .walking(&[("integrity_failed", "BUILDING")]),
        Scenario::new(
            "a directory that is moved away from a partial index",
            [
                Act::Settle,
                Act::state("UNCERTAIN"),
                Act::Edit(Edit::Rename(text("src"), text("../src"))),
                Act::Advance(60_000),
                Act::Turns(3),
                Act::find("zebra"),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("index_build_max_files", 1)
        .walking(&[("rename_ambiguous", "UNCERTAIN")]),
        Scenario::new(
            "an index that outgrows its limit",
            [
                Act::Settle,
                Act::write("noise.txt", &noise()),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("index_max_db_bytes", 1 << 20)
        .walking(&[("disk_exceeded", "COMPLETE")]),
        Scenario::new(
            "an index without a watcher that outgrows its limit",
            [
                Act::Settle,
                Act::write("noise.txt", &noise()),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("index_watch", false)
        .with("index_max_db_bytes", 1 << 20)
        .walking(&[("disk_exceeded", "UNCERTAIN")]),
        Scenario::new(
            "another root, without a watcher",
            [
                Act::Settle,
                Act::Edit(Edit::NewRoot),
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("index_watch", false)
        .walking(&[("key_changed", "UNCERTAIN")]),
        Scenario::new(
            "a delta that cannot be stored, without a watcher",
            [
                Act::Settle,
                Act::fail("write_delta", 28, 1),
                Act::write("b.txt", "needle\n"),
                Act::find("zebra"),
                Act::Settle,
                Act::find("needle"),
                Act::Advance(10_000),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("index_watch", false)
        .walking(&[("write_rolled_back", "UNCERTAIN")]),
        Scenario::new(
            "a file that changed and was not read before the end, without a watcher",
            [
                Act::Settle,
                // As below: nothing is so young any more that it is looked at each time.
                at("read_block", Fault::Mode("on".to_owned())),
                Act::find("needle"),
                Act::Rebuild,
                Act::Settle,
                Act::write("src/deep/d.rs", "xylophone\n"),
                Act::find("needle"),
                Act::Restart { clean: true },
                Act::Settle,
                Act::find("xylophone"),
            ],
        )
        .with("index_watch", false),
        Scenario::new(
            "many calls without a watcher",
            [
                Act::Edit(Edit::Many(text("m/f"), 600, super::super::life::part("needle here\n"))),
                Act::Settle,
                Act::Crowd(Crowd {
                    threads: 8,
                    rounds: 6,
                    requests: vec![json!({ "pattern": "alpha" }), json!({ "pattern": "zebra" })],
                    switched_off: false,
                }),
                Act::find("needle"),
            ],
        )
        .with("index_watch", false)
        .walking(&[("call_verified", "UNCERTAIN")]),
        Scenario::new(
            "a call without a watcher while the index is lent to another",
            [
                Act::Settle,
                // Time passes: then no file is so young any more that it has to be looked at each
                // time, which is dearer than a scan.
                Act::Edit(Edit::Many(text("../out/m"), 3_000, part("of many\n"))),
                Act::Rebuild,
                Act::Settle,
                at("permitted", search()),
                Act::find("needle"),
                Act::excludes(true),
                Act::find("zebra"),
            ],
        )
        .with("index_watch", false)
        .walking(&[
            ("call_verified", "UNCERTAIN"),
            ("call_verified", "COMPLETE"),
            ("call_ended", "COMPLETE"),
        ]),
        Scenario::new(
            "to be built anew, but not before part of a build is opened that was left",
            [
                Act::Settle,
                Act::Mode("off".to_owned()),
                Act::Settle,
                Act::Rebuild,
                Act::Mode("on".to_owned()),
                Act::Settle,
                Act::find("needle"),
            ],
        )
        .with("index_build_max_files", 2)
        .walking(&[("checkpoint_found", "ABSENT")]),
        Scenario::new(
            "asked while it ends, and denied afterwards",
            [
                Act::Settle,
                Act::Deny(vec!["docs/".to_owned(), "a.txt".to_owned()]),
                at("mark_clean", search()),
                Act::Restart { clean: true },
                Act::find("needle"),
                Act::Settle,
                Act::find("needle"),
            ],
        ),
    ]
}

/// Something goes wrong when a point is reached for the first time.
fn at(point: &str, fault: Fault) -> Act {
    Act::Arm(Trap { point: point.to_owned(), after: 0, times: 1, fault, errno: None })
}

fn search() -> Fault {
    Fault::Search(json!({ "pattern": "needle", "fixed_strings": true }))
}

/// A text of so many different n-grams that their index takes more than the smallest limit there
/// is.
fn noise() -> String {
    let mut state = 7_u64;
    let mut letters = String::new();
    for at in 1..120_000_u32 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let printable = u8::try_from((state >> 33) % 94).unwrap_or(0) + b'!';
        letters.push(if at % 80 == 0 { '\n' } else { char::from(printable) });
    }
    letters
}
