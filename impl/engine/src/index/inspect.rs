//! Looking at an index as a whole: against the tree, against itself, and file by file.

use std::io::Read;

use forge_search_core::{
    ToolError,
    index::{need::Variant, tokens::Tokenizer},
    text::TextKind,
};

use super::{
    IndexCheck,
    catalog::{ExtraKind, differences},
    root_index::RootIndex,
    scan::scan,
    schedule::{Retry, Task},
    segment::Segment,
};
use crate::root::of_file;

/// Findings that are listed.
const MOST_FINDINGS: usize = 1000;

impl RootIndex {
    /// Compares the catalog with the tree, each file's filters with those of its text, and each row
    /// with its checksum.
    pub(crate) fn verify_all(&self) -> Result<IndexCheck, ToolError> {
        let failed = |why: String| ToolError::failed("index", why);
        if self.options.using == super::IndexUse::Existing {
            self.open(false);
        }
        let (view, store) = {
            let mut control = self.control();
            (control.catalog_mut().files_mut().view(), control.storage().store().cloned())
        };
        let mut check = IndexCheck { root: self.coverage.root.clone(), ..IndexCheck::default() };
        if let Some(store) = store {
            let (blocks, findings) =
                store.verify_rows().map_err(|fault| failed(fault.to_string()))?;
            check.blocks = blocks;
            check.findings.extend(findings);
            check.findings.extend(store.check().map_err(|fault| failed(fault.to_string()))?);
        }
        let found = scan(&self.coverage, b"", None, &super::NoFaults, &|| false, &mut |_| true);
        let found = found.map_err(|err| failed(format!("the tree cannot be listed: {err}")))?;
        for (path, now) in differences(self, &view, &found.files) {
            // One whose times prove nothing is judged by its text, below.
            if now.is_some()
                && now
                    == self.control().catalog().files().find(&path).map(|known| known.fingerprint)
            {
                continue;
            }
            let path = String::from_utf8_lossy(&path).into_owned();
            let what = if now.is_some() { "is new or differs" } else { "is gone" };
            check.findings.push(format!("{path}: {what}"));
        }
        self.verify_filters(&view.base, &mut check, |rank| !view.dead.contains(rank));
        for (number, delta) in view.deltas.iter().enumerate() {
            let live = |rank| {
                view.extras.iter().any(|extra| matches!(extra.kind, ExtraKind::Delta(delta, own) if delta == number && own == rank))
            };
            self.verify_filters(delta, &mut check, live);
        }
        check.findings.sort();
        check.findings.truncate(MOST_FINDINGS);
        Ok(check)
    }

    /// Each live file's kind and n-grams, read anew, must be those that are stored: a gram of the
    /// text that its file does not pass would lose matches.
    fn verify_filters(
        &self,
        segment: &Segment,
        check: &mut IndexCheck,
        live: impl Fn(u32) -> bool,
    ) {
        let Ok(root) = self.coverage.open() else { return };
        let stored = match segment.all_grams(&self.key) {
            Ok(stored) => stored,
            Err(fault) => {
                check.findings.push(fault.to_string());
                return;
            }
        };
        let mut tokenizer = Tokenizer::new(self.key.tokens);
        for rank in (0..segment.catalog.len()).filter(|rank| live(*rank)) {
            check.files += 1;
            let path = segment.catalog.path(rank);
            let Ok((mut file, _)) = root.open_file(path) else { continue };
            // One that differs has been found already.
            let is_same = of_file(&file).ok() == Some(segment.catalog.fingerprint(rank));
            let (kind, is_proof) = (segment.catalog.kind(rank), segment.catalog.is_proof(rank));
            if !is_same || !(is_proof || kind != TextKind::Unknown) {
                continue;
            }
            let mut bytes = Vec::new();
            if file.read_to_end(&mut bytes).is_err() {
                continue;
            }
            let mut differs = |what| {
                check.findings.push(format!(
                    "{}: its {what} not what is stored",
                    String::from_utf8_lossy(path)
                ));
            };
            if kind != TextKind::of(&bytes) {
                differs("kind is");
            }
            let grams = tokenizer.tokenize(&bytes).grams;
            if is_proof
                && stored.as_ref().is_some_and(|stored| stored.get(rank as usize) != Some(&grams))
            {
                differs("n-grams are");
            }
        }
    }

    /// One file's packed filter.
    pub(crate) fn export(&self, path: &[u8], variant: Variant) -> Option<Vec<u8>> {
        let view = self.control().catalog_mut().files_mut().view();
        let pick = |[sensitive, insensitive]: [Vec<u8>; 2]| match variant {
            Variant::Sensitive => sensitive,
            Variant::Insensitive => insensitive,
        };
        for extra in view.extras.iter().filter(|extra| view.path(extra) == path) {
            if let ExtraKind::Delta(delta, rank) = extra.kind {
                return view.deltas.get(delta)?.filters(rank, &self.key).ok().map(pick);
            }
        }
        let rank = view.base.catalog.find(path).ok().filter(|rank| !view.dead.contains(*rank))?;
        view.base.filters(rank, &self.key).ok().map(pick)
    }

    /// Whether the background has nothing to do that it could do now.
    pub(crate) fn is_settled(&self) -> bool {
        use forge_search_core::index::machine::{Duty, State};
        let awaits_call = self.awaits_call();
        let words_are_due = self.words_are_due();
        let control = self.control();
        let schedule = control.schedule();
        let now = self.now_ms();
        if self.options.using == super::IndexUse::Existing {
            return !schedule.has(Task::Open);
        }
        if schedule.has(Task::Open) && !awaits_call && control.state() != State::Disabled {
            return false;
        }
        let writes = control.storage().writer().is_some();
        let tidies =
            schedule.has(Task::Tidy) && self.is_idle() && schedule.is_due(Retry::Tidy, now);
        if schedule.has_messages()
            || schedule.has(Task::Check)
            || schedule.has(Task::Remove)
            || (writes && tidies)
        {
            return false;
        }
        // A reader never stores its deltas.
        let stored = !writes || control.is_stored() || !schedule.is_due(Retry::Store, now);
        let kept = stored && !control.has_untried();
        match control.state() {
            State::Disabled => true,
            State::Building => false,
            State::Absent | State::Corrupt => {
                awaits_call || (schedule.has_failed() && !self.settings.index_retry_on_failure)
            }
            State::Complete | State::Uncertain => match control.status().duty() {
                Duty::None => {
                    control.state() == State::Complete
                        && kept
                        && !words_are_due
                        && control.changes().is_applied()
                        && control.changes().is_settled()
                }
                Duty::StartWatchers => {
                    (!self.settings.index_watch || !schedule.is_due(Retry::Watch, now)) && kept
                }
                Duty::ResumeBuild => !self.settings.index_retry_on_failure,
                Duty::Reconcile | Duty::Drain | Duty::Build => false,
            },
        }
    }
}
