//! A life of an index as a value.
//!
//! Not here: drawing one (`draw`), playing it (`play`), making it small (`shrink`). Invariants: a
//! life depends on no machine; an act that cannot be carried out (a file that is not there) does
//! nothing, so that any part of a list of acts is a list of acts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use touchstone_cases::case::{CaseConfig, Entry, Part, Text};

pub use super::edit::Edit;

/// A tree, settings, and what happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Life {
    pub name: String,
    /// What differs from the preset, beside the index.
    #[serde(default)]
    pub config: CaseConfig,
    /// The index's settings, by key; `{root}` and `{scratch}` in texts stand for the sandbox root
    /// and the directory that holds it.
    #[serde(default)]
    pub settings: BTreeMap<String, Value>,
    /// How the process uses the index at first.
    #[serde(default)]
    pub using: Use,
    /// Whether it is played among mounts of its own, so that it may make some.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_mounts: bool,
    /// Whether another service uses the same index, as another process would.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// A deliberate defect of the service, by name, that the checks have to find.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sabotage: Option<String>,
    /// Damage to the stored files before the beginning.
    #[serde(default)]
    pub damage: Vec<Damage>,
    /// The tree at the beginning.
    #[serde(default)]
    pub tree: Vec<Entry>,
    /// The acts, in order.
    pub acts: Vec<Act>,
}

/// How a process uses an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// It indexes, one turn at a time, on the calling thread.
    #[default]
    Stepped,
    /// It indexes in a thread of its own.
    Background,
    /// It only reads what is stored.
    Existing,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// The tree is edited.
    Edit(Edit),
    Search(Value),
    /// The indexer takes at most this many turns.
    Turns(u32),
    /// The indexer takes all its turns.
    Settle,
    /// So many milliseconds pass on the index's clock.
    Advance(u64),
    /// The service ends, in order or just so, and another begins.
    Restart {
        /// Whether it ends in order.
        clean: bool,
    },
    /// The service is used otherwise from the next restart on.
    Use(Use),
    /// Other deny patterns, from the next restart on.
    Deny(Vec<String>),
    /// Other contents of the first global ignore file, from the next restart on.
    GlobalIgnore(Text),
    /// Another setting of the index, from the next restart on.
    Set(String, Value),
    /// `index_mode` on the running service.
    Mode(String),
    /// A new index is asked for.
    Rebuild,
    /// The stored indexes are removed.
    Clear,
    /// Every index is evicted, as when the cache is over its limits.
    Evict,
    /// The index is compared with the tree.
    Verify,
    Arm(Trap),
    /// Disarms all traps.
    Disarm,
    /// The stored files are damaged, without the service's doing.
    Damage(Damage),
    /// Many search at once while the indexer takes its turns.
    Crowd(Crowd),
    /// None of these stands in any stored file: as it is, or its scalars in 32 bits each.
    Forgotten(Vec<Text>),
    /// Each of these stands in some stored file; so that what is forgotten later was there.
    Remembered(Vec<Text>),
    /// What has to be so now; for lives that are written for a purpose.
    Expect(Expected),
}

/// A fault at a named point of the engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trap {
    /// The point, by its name.
    pub point: String,
    /// How often it is passed before.
    #[serde(default)]
    pub after: u32,
    /// How often it goes wrong.
    #[serde(default = "once")]
    pub times: u32,
    /// What goes wrong.
    pub fault: Fault,
    /// An error that the system gives besides, after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<i32>,
}

fn once() -> u32 {
    1
}

/// What goes wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The system gives an error.
    Errno(i32),
    /// The tree is edited at that moment.
    Edits(Vec<Edit>),
    /// A search at that moment; the thread at the point waits for its answer.
    Search(Value),
    /// `index_mode` is set at that moment.
    Mode(String),
    /// A rebuild is requested at that moment.
    Rebuild,
    /// The stored indexes are removed at that moment.
    Clear,
    /// Every index is evicted at that moment, or as soon as the indexer's present work is done.
    Evict,
    /// The process is killed.
    Kill,
}

/// Threads that search at once. The tree stays as it is meanwhile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crowd {
    pub threads: usize,
    /// How often each asks everything.
    pub rounds: u32,
    /// What they ask.
    pub requests: Vec<Value>,
    /// Whether the index is switched off when half of the answers are there.
    #[serde(default)]
    pub switched_off: bool,
}

/// Damage to stored files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Damage {
    /// Databases are cut to so many thousandths of their length.
    Truncate(u64),
    /// A page at so many thousandths of each database is zeroed.
    Zero(u64),
    /// A bit at so many thousandths of each database is turned over.
    Flip(u64),
    /// The same three for write-ahead logs.
    TruncateLog(u64),
    ZeroLog(u64),
    FlipLog(u64),
    /// Write-ahead logs are gone.
    RemoveLog,
    /// Everything is gone.
    RemoveAll,
    /// The database is overwritten with garbage.
    Garbage,
    /// The database has another program's application id.
    Foreign,
    /// Others may read the directory.
    OpenToAll,
}

/// An expectation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expected {
    /// The state of the index.
    pub state: Option<String>,
    /// The reason that is shown.
    pub reason: Option<String>,
    /// Whether the last search excluded files.
    pub excludes: Option<bool>,
    /// Why the last search did not.
    pub bypass: Option<String>,
    /// Where the index is stored.
    pub storage: Option<String>,
}

impl Act {
    /// A file is written.
    pub fn write(path: &str, contents: &str) -> Self {
        Self::Edit(Edit::write(path, contents))
    }

    /// A literal is looked for.
    pub fn find(literal: &str) -> Self {
        Self::Search(serde_json::json!({ "pattern": literal, "fixed_strings": true }))
    }

    /// An error at a point, so many times, from the first time on.
    pub fn fail(point: &str, errno: i32, times: u32) -> Self {
        Self::Arm(Trap {
            point: point.to_owned(),
            after: 0,
            times,
            fault: Fault::Errno(errno),
            errno: None,
        })
    }

    /// The state of the index has to be this.
    pub fn state(state: &str) -> Self {
        Self::Expect(Expected { state: Some(state.to_owned()), ..Expected::default() })
    }

    pub fn reason(state: &str, reason: &str) -> Self {
        let (state, reason) = (Some(state.to_owned()), Some(reason.to_owned()));
        Self::Expect(Expected { state, reason, ..Expected::default() })
    }

    /// The last search has to have excluded files, or not to.
    pub fn excludes(excludes: bool) -> Self {
        Self::Expect(Expected { excludes: Some(excludes), ..Expected::default() })
    }
}

/// A text as it stands in lives.
pub fn text(text: &str) -> Text {
    Text(text.as_bytes().to_vec())
}

/// Contents, once.
pub fn part(contents: &str) -> Part {
    Part { bytes: text(contents), times: 1 }
}
