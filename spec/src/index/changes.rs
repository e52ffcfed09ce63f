//! Changes that a search must notice (`index/changes.yaml`). The suite `index` makes them on a real
//! disk.

use serde::Deserialize;

use super::files;
use crate::closed::ids;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    /// The system calls, in the order of their tables.
    pub changes: Vec<Change>,
}

ids! {
    /// The object of a system call.
    ObjectId {
        /// A regular file that is no ignore file.
        File = "file",
        Directory = "directory",
        /// A file whose rules decide what is searched.
        IgnoreFile = "ignore_file",
        MountPoint = "mount_point",
        Link = "link",
    }
}

ids! {
    /// The consequence of a change.
    ChangedId {
        /// Which names exist.
        Names = "names",
        Contents = "contents",
        /// What is searched: rules, permissions.
        Rules = "rules",
    }
}

ids! {
    /// The proof that the index knows of a change.
    ProofId {
        /// Events of a watched directory.
        Events = "events",
        /// The call's own cookie, which arrives after all earlier events.
        Cookie = "cookie",
        /// The status of the file or directory.
        Stat = "stat",
        MountTable = "mount_table",
        /// A read lease, which is refused while some process may write.
        Lease = "lease",
        /// An event under an unknown name.
        UnknownName = "unknown_name",
        /// The event of the last close.
        Close = "close",
    }
}

ids! {
    /// What callers may rely on.
    PromiseId {
        /// A later call knows the change, by an event.
        Promised = "promised",
        /// A later call knows the change, because it checks.
        Detected = "detected",
        /// A call may not know it.
        NotPromised = "not_promised",
    }
}

/// A system call, and how its effect becomes known.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub id: At<String>,
    /// The system call with its flags.
    pub call: String,
    pub objects: Vec<At<ObjectId>>,
    pub changes: Vec<ChangedId>,
    /// The inotify events of a watched directory.
    #[serde(default)]
    pub events: Vec<String>,
    /// What proves the change to a call; empty if a call may not know it.
    #[serde(default)]
    pub proof: Vec<ProofId>,
    pub promise: PromiseId,
    pub because: String,
    /// The edits of the suite `index` that make it.
    #[serde(default)]
    pub acts: Vec<At<String>>,
    /// Why no edit makes it.
    #[serde(default)]
    pub untried: Option<String>,
    #[serde(default)]
    pub clauses: Vec<At<String>>,
}

impl Change {
    /// Whether every later call must know it.
    pub fn is_kept(&self) -> bool {
        self.promise != PromiseId::NotPromised
    }
}

impl Changes {
    pub(crate) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let cite = |row: &'_ Change| format!("change `{}`", row.id.value);
        self.changes.iter().map(|row| (files::CHANGES, cite(row), &row.clauses[..])).collect()
    }
}
