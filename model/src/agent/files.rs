//! The files of a call: `max_files`, oversized and unreadable files, the lines of the others, and
//! the resulting reasons.
//!
//! Files are in path order; a binary file has no lines and is not reported.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Config;
use super::request::{Call, SearchTarget};
use crate::meter::Meter;
use crate::order::{Rank, Value};
use crate::place::Name;
use crate::tables::agent::Reason;
use crate::tables::caps::{CapLimit, Counted};
use crate::text;
use crate::walk::{self, Candidate, Scope};
use crate::world::World;

#[derive(Debug)]
pub(super) struct Files<'w> {
    /// The eligible files within the caps.
    pub(super) eligible: Vec<Candidate<'w>>,
    /// For each, the reason if a cap leaves it out.
    left_out: Vec<Option<Reason>>,
    /// The reason if a cap ends the list.
    stopped: Option<Reason>,
    /// Places of errors of the walk.
    problems: Vec<Rank>,
}

/// The text of a file.
#[derive(Debug)]
pub(super) enum FileText<'w> {
    /// Decoded; invalid UTF-8 stays as it is.
    Text(Cow<'w, [u8]>),
    Binary,
    /// A cap leaves it out, for this reason.
    LeftOut(Reason),
    Unreadable,
}

/// The files of a call, up to `max_files`.
pub(super) fn files<'w>(world: &'w World, config: &Config, call: &Call<'_>) -> Files<'w> {
    let opened = !matches!(call.sought, SearchTarget::Paths(..));
    files_of(world, config, &call.scope(), opened, |below_root| call.asks_for(below_root))
}

/// Whether the scope of a call has an eligible file, whatever the pattern of the path search.
pub(super) fn is_any_eligible(world: &World, config: &Config, call: &Call<'_>) -> bool {
    let files =
        files_of(world, config, &call.scope(), false, |below_root| call.is_of_type(below_root));
    !files.eligible.is_empty()
}

/// The requested files of a scope, up to `max_files`. Oversized files are left out if files would
/// be `opened`.
pub(super) fn files_of<'w>(
    world: &'w World,
    config: &Config,
    scope: &Scope<'_>,
    opened: bool,
    asks_for: impl Fn(&[Name]) -> bool,
) -> Files<'w> {
    let found = walk::walk(world, &config.search, scope);
    let asked_for = found.eligible.into_iter().filter(|file| asks_for(&file.below_root));
    let mut meter = Meter::new(config.search.tables.caps.agent, false, |limit| match limit {
        CapLimit::MaxFiles => Some(config.search.max_files),
        CapLimit::MaxFileSizeBytes => Some(config.search.max_file_size_bytes),
        _ => None,
    });
    let passed = meter.pass(asked_for, |file, counted| match counted {
        Counted::Files => Some(1),
        Counted::FileBytes if opened => u64::try_from(file.bytes.len()).ok(),
        _ => None,
    });
    let left_out = passed.gone_through.iter().map(|(_, cap)| cap.map(|cap| cap.reason)).collect();
    Files {
        eligible: passed.gone_through.into_iter().map(|(file, _)| file).collect(),
        left_out,
        stopped: passed.stopped.map(|(_, cap)| cap.reason),
        problems: found.problems.into_iter().map(|problem| problem.place).collect(),
    }
}

fn read<'w>(config: &Config, file: &Candidate<'w>) -> FileText<'w> {
    if !file.readable {
        return FileText::Unreadable;
    }
    let text = text::decode(file.bytes);
    if text::is_binary(&text, config.search.tables.limits.binary_probe_bytes) {
        return FileText::Binary;
    }
    FileText::Text(text)
}

impl<'w> Files<'w> {
    pub(super) fn read(&self, config: &Config) -> Vec<FileText<'w>> {
        let both = self.eligible.iter().zip(&self.left_out);
        both.map(|(file, left_out)| left_out.map_or_else(|| read(config, file), FileText::LeftOut))
            .collect()
    }

    /// The sort value of an eligible file.
    pub(in crate::agent) fn place(&self, file: usize) -> Value {
        self.eligible.get(file).map_or(Value::Nothing, |file| Value::Rank(file.place.clone()))
    }

    /// The reasons of an answer that covers all files.
    pub(super) fn shortfalls<'r>(
        &self,
        readings: impl Iterator<Item = &'r FileText<'r>>,
    ) -> BTreeSet<Reason> {
        if let Some(reason) = self.stopped {
            let mut reasons =
                self.shortfalls_up_to(self.eligible.len().saturating_sub(1), readings);
            reasons.insert(reason);
            return reasons;
        }
        let mut reasons = of_readings(readings);
        reasons.extend((!self.problems.is_empty()).then_some(Reason::Errors));
        reasons
    }

    /// The reasons of an answer that ended with the file at index `file`. Later files are not
    /// examined.
    pub(super) fn shortfalls_up_to<'r>(
        &self,
        last: usize,
        readings: impl Iterator<Item = &'r FileText<'r>>,
    ) -> BTreeSet<Reason> {
        let mut reasons = of_readings(readings.take(last + 1));
        let end = self.eligible.get(last).map(|file| &file.place);
        let before = self.problems.iter().any(|problem| end.is_some_and(|end| problem <= end));
        reasons.extend(before.then_some(Reason::Errors));
        reasons
    }
}

fn of_readings<'r>(readings: impl Iterator<Item = &'r FileText<'r>>) -> BTreeSet<Reason> {
    readings
        .filter_map(|reading| match reading {
            FileText::LeftOut(reason) => Some(*reason),
            FileText::Unreadable => Some(Reason::Errors),
            FileText::Text(_) | FileText::Binary => None,
        })
        .collect()
}

impl FileText<'_> {
    pub(super) fn lines(&self) -> Vec<&[u8]> {
        match self {
            FileText::Text(text) => text::lines(text),
            FileText::Binary | FileText::LeftOut(_) | FileText::Unreadable => Vec::new(),
        }
    }

    /// Length of the text in bytes.
    pub(super) fn length(&self) -> usize {
        match self {
            FileText::Text(text) => text.len(),
            FileText::Binary | FileText::LeftOut(_) | FileText::Unreadable => 0,
        }
    }
}
