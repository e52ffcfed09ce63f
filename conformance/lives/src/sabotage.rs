//! Lives that reveal deliberate defects.
//!
//! Responsible for: for every deliberate defect of the service, a life that passes without it and
//! fails with it. Not here: the defects themselves ([`super::sabotages`]).

use serde_json::json;

use super::life::{Act, Edit, Life, part, text};
use super::scenarios::Scenario;

/// A life that reveals a deliberate defect; `None` for an unknown name.
#[expect(clippy::too_many_lines, reason = "a table: one life for each defect")]
pub fn revealing(sabotage: &str) -> Option<Life> {
    let needle = || Act::find("needle");
    let written = |path| Act::write(path, "needle in it now\n");
    let acts = match sabotage {
        "drain" | "pending" | "event_create" | "event_modify" => {
            vec![Act::Settle, needle(), written("b.txt"), needle(), written("new/n.txt"), needle()]
        }
        "event_remove" => vec![
            Act::Settle,
            Act::Edit(Edit::Remove(text("a.txt"))),
            needle(),
            Act::Settle,
            needle(),
            Act::Verify,
        ],
        "tombstone" => {
            vec![
                Act::Settle,
                Act::write("a.txt", "other words\n"),
                Act::Settle,
                Act::find("other"),
                written("a.txt"),
                Act::Settle,
                needle(),
                Act::Verify,
            ]
        }
        "ignore_files" => vec![
            Act::write(".gitignore", "*.rs\n"),
            Act::Settle,
            needle(),
            Act::write(".gitignore", "\n"),
            Act::find("zebra"),
            Act::find("omega"),
            Act::Settle,
            Act::find("zebra"),
            Act::Verify,
        ],
        "hard_links" => vec![
            Act::Edit(Edit::HardLink(text("b.txt"), text("../out/alias.txt"))),
            Act::Settle,
            needle(),
            Act::Edit(Edit::write("../out/alias.txt", "needle by its other name\n")),
            needle(),
        ],
        "fingerprint" => return Some(unwatched(Edit::Disguise(text("b.txt"), 0))),
        "last_gram" => vec![
            Act::Edit(Edit::Write(text("end.txt"), part("ends in xyzw"))),
            Act::Settle,
            Act::find("xyzw"),
        ],
        // The answers are right all the same, for whatever is opened is compared with the tree;
        // what is denied has to be forgotten besides.
        "policy" => vec![
            Act::write("docs/xyzzy-plugh.txt", "Quartz\n"),
            Act::Settle,
            Act::Remembered(vec![text("xyzzy-plugh")]),
            Act::Deny(vec!["docs/".to_owned()]),
            Act::Restart { clean: true },
            Act::find("Quartz"),
            Act::Settle,
            Act::Forgotten(vec![text("xyzzy-plugh")]),
        ],
        // While the mode is off, the tree is not watched.
        "reopen" | "watch_first" => vec![
            Act::Settle,
            needle(),
            Act::Set("index_mode".to_owned(), json!("off")),
            Act::Restart { clean: true },
            written("b.txt"),
            Act::Set("index_mode".to_owned(), json!("on")),
            Act::Restart { clean: true },
            Act::Turns(1),
            needle(),
            Act::Settle,
            needle(),
            Act::Verify,
        ],
        _ => return None,
    };
    Some(Scenario::new(sabotage, acts).life)
}

/// A life without watcher, in which the checks of each call have to find an edit.
fn unwatched(edit: Edit) -> Life {
    // By then the other files are old enough for their times to prove something.
    let many = Edit::Many(text("many/m"), 3_000, part("of many\n"));
    let acts = vec![
        Act::Edit(many),
        Act::Settle,
        Act::find("alpha"),
        Act::Edit(edit),
        Act::find("qlpha"),
        Act::find("alpha"),
    ];
    Scenario::new("unwatched", acts).with("index_watch", false).life
}
