//! The files that a call looks at, and what becomes of them.
//!
//! Responsible for: `max_files`, which files are too large or cannot be read, the lines of the
//! others, and what that makes an
//! answer incomplete by.
//! Left to neighbours: which files are eligible (`walk`), what is looked for in them.
//! Invariants: files are in path order; a binary file has no lines and is not mentioned.

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

/// What a call looks at.
#[derive(Debug)]
pub(super) struct Files<'w> {
    /// The eligible files, as many as the caps let through.
    pub(super) eligible: Vec<Candidate<'w>>,
    /// For each of them what the cap tells that leaves it out.
    left_out: Vec<Option<Reason>>,
    /// What the cap tells that leaves out others.
    stopped: Option<Reason>,
    /// Where something could not be read while they were looked for.
    problems: Vec<Rank>,
}

/// The text of a file.
#[derive(Debug)]
pub(super) enum FileText<'w> {
    /// Decoded; what is not UTF-8 stays as it is.
    Text(Cow<'w, [u8]>),
    /// It has no lines.
    Binary,
    /// A cap leaves it out, and tells this.
    LeftOut(Reason),
    /// It cannot be opened.
    Unreadable,
}

/// The files that a call is about, as far as `max_files` goes.
pub(super) fn files<'w>(world: &'w World, config: &Config, call: &Call<'_>) -> Files<'w> {
    let opened = !matches!(call.sought, SearchTarget::Paths(..));
    files_of(world, config, &call.scope(), opened, |below_root| call.asks_for(below_root))
}

/// Whether a file is eligible for a call, in the path search whatever its pattern is.
pub(super) fn is_any_eligible(world: &World, config: &Config, call: &Call<'_>) -> bool {
    let files =
        files_of(world, config, &call.scope(), false, |below_root| call.is_of_type(below_root));
    !files.eligible.is_empty()
}

/// The files of a scope that are asked for, as far as `max_files` goes; those too large to be
/// opened are left out if they
/// would be `opened`.
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
    /// Reads the files.
    pub(super) fn read(&self, config: &Config) -> Vec<FileText<'w>> {
        let both = self.eligible.iter().zip(&self.left_out);
        both.map(|(file, left_out)| left_out.map_or_else(|| read(config, file), FileText::LeftOut))
            .collect()
    }

    /// Where an eligible file stands, as orders compare it.
    pub(in crate::agent) fn place(&self, file: usize) -> Value {
        self.eligible.get(file).map_or(Value::Nothing, |file| Value::Rank(file.place.clone()))
    }

    /// What an answer is incomplete by that looked at all files, which ends with the last of them
    /// if there are more.
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

    /// The same of an answer that ended with the file of this number, from 0. What lies behind is
    /// not looked for.
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
    /// Its lines.
    pub(super) fn lines(&self) -> Vec<&[u8]> {
        match self {
            FileText::Text(text) => text::lines(text),
            FileText::Binary | FileText::LeftOut(_) | FileText::Unreadable => Vec::new(),
        }
    }

    /// The length of its text in bytes.
    pub(super) fn length(&self) -> usize {
        match self {
            FileText::Text(text) => text.len(),
            FileText::Binary | FileText::LeftOut(_) | FileText::Unreadable => 0,
        }
    }
}
