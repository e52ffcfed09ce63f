//! What changes what a path reads: `index/changes.yaml`.
//!
//! Left to neighbours: the table for people (`emit::changes`), and doing it on a real disk (the
//! suite `index`).

use serde::Deserialize;

use super::files;
use crate::closed::ids;
use crate::place::At;

/// All of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    /// The system calls, in the order of their tables.
    pub changes: Vec<Change>,
}

ids! {
    /// What a system call is applied to.
    ObjectId {
        /// A regular file that is no ignore file.
        File = "file",
        /// A directory.
        Directory = "directory",
        /// A file whose rules decide what is searched.
        IgnoreFile = "ignore_file",
        /// A place where a file system is attached.
        MountPoint = "mount_point",
        /// A symbolic link.
        Link = "link",
    }
}

ids! {
    /// What is another afterwards.
    ChangedId {
        /// Which names there are.
        Names = "names",
        /// What a file holds.
        Contents = "contents",
        /// What is searched: rules, permissions.
        Rules = "rules",
    }
}

ids! {
    /// What proves that the index knows of a change.
    ProofId {
        /// The events of a directory that is watched.
        Events = "events",
        /// The call's own cookie, which comes after every event of before.
        Cookie = "cookie",
        /// The status of the file or directory.
        Stat = "stat",
        /// The table of mounts.
        MountTable = "mount_table",
        /// A read lease, which is refused while somebody may write.
        Lease = "lease",
        /// An event under a name that is not known.
        UnknownName = "unknown_name",
        /// The event of the last close.
        Close = "close",
    }
}

ids! {
    /// What callers may rely on.
    PromiseId {
        /// The call that begins after the change knows it, by an event.
        Promised = "promised",
        /// The call that begins after the change knows it, for it looks.
        Detected = "detected",
        /// A call may not know it.
        NotPromised = "not_promised",
    }
}

/// A system call, and what becomes known of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its id.
    pub id: At<String>,
    /// The system call with its flags.
    pub call: String,
    /// What it is applied to.
    pub objects: Vec<At<ObjectId>>,
    /// What is another afterwards.
    pub changes: Vec<ChangedId>,
    /// The events that inotify reports to a directory that is watched; none if it reports none.
    #[serde(default)]
    pub events: Vec<String>,
    /// What proves to a call that it knows the change; nothing if it may not know it.
    #[serde(default)]
    pub proof: Vec<ProofId>,
    /// What callers may rely on.
    pub promise: PromiseId,
    /// Why.
    pub because: String,
    /// The edits of the suite `index` that do it.
    #[serde(default)]
    pub acts: Vec<At<String>>,
    /// Why no edit does it.
    #[serde(default)]
    pub untried: Option<String>,
    /// The requirements, errata and decisions that ask for it.
    #[serde(default)]
    pub clauses: Vec<At<String>>,
}

impl Change {
    /// Whether every call that begins afterwards has to know it.
    pub fn is_kept(&self) -> bool {
        self.promise != PromiseId::NotPromised
    }
}

impl Changes {
    /// The row of an edit.
    pub fn of_act(&self, act: &str) -> Option<&Change> {
        self.changes.iter().find(|row| row.acts.iter().any(|one| one.value == act))
    }

    pub(crate) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let cite = |row: &'_ Change| format!("change `{}`", row.id.value);
        self.changes.iter().map(|row| (files::CHANGES, cite(row), &row.clauses[..])).collect()
    }
}
