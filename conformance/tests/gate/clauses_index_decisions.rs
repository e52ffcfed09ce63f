//! Clauses about decisions that only need to be told the time: the dirty queue, the settling of
//! events, eviction, and budgets.
//!
//! Production and the model are put through the same events, and each is held to what the test
//! says.

use crate::clauses_index::{self, TABLES, reachable, then, uncertain};
use forge_search_core::index::budget::{self, Spent};
use forge_search_core::index::debounce::{Change, Debouncer, RawEvent};
use forge_search_core::index::eviction;
use forge_search_core::index::machine::{Reason, State, Trigger, Triggers, step};
use forge_search_core::index::queue::{DirtyKind, DirtyQueue};
use forge_search_core::index::settings::Settings;
use touchstone_model::index::decisions as model;

/// Production's queue and the model's, fed alike.
struct Queues {
    production: DirtyQueue,
    model: model::DirtyQueue<'static>,
}

/// What tells where both queues stand.
#[derive(Clone, Copy)]
struct Mark {
    production: u64,
    model: u64,
}

impl Queues {
    fn new() -> Self {
        Self { production: DirtyQueue::new(), model: model::DirtyQueue::new(&TABLES.decisions) }
    }

    fn of(entries: &[(&str, DirtyKind)]) -> Self {
        let mut queues = Self::new();
        for (path, kind) in entries {
            queues.push(path, *kind);
        }
        queues
    }

    fn push(&mut self, path: &str, kind: DirtyKind) {
        self.production.push(path.as_bytes(), kind);
        let kind = match kind {
            DirtyKind::File => model::Kind::File,
            DirtyKind::Subtree => model::Kind::Subtree,
        };
        self.model.queue(path.as_bytes(), kind);
    }

    fn mark(&self) -> Mark {
        Mark { production: self.production.mark(), model: self.model.mark() }
    }

    fn clear_older(&mut self, mark: Mark) {
        let newer = self.production.clear_older(mark.production);
        self.model.clear_older(mark.model);
        assert_eq!(newer, !self.model.entries().is_empty());
    }

    /// What is queued, in the order in which it is worked off: `d/` is a subtree.
    fn shown(&self) -> Vec<String> {
        let text = |path: &[u8], subtree: bool| {
            format!("{}{}", String::from_utf8_lossy(path), if subtree { "/" } else { "" })
        };
        let production: Vec<String> = self
            .production
            .ordered()
            .iter()
            .map(|entry| text(&entry.path, entry.kind == DirtyKind::Subtree))
            .collect();
        let model: Vec<String> = self
            .model
            .entries()
            .iter()
            .map(|entry| text(&entry.path, entry.kind == model::Kind::Subtree))
            .collect();
        assert_eq!(production, model);
        production
    }
}

use DirtyKind::{File, Subtree};

#[test]
fn single_files_and_whole_subtrees_can_be_dirty() {
    touchstone::verifies!("FR-LSI-TRK-05");
    let queues =
        Queues::of(&[("a", File), ("d/x", File), ("d.rs", File), ("d", Subtree), ("d/y/z", File)]);
    assert_eq!(
        queues.shown(),
        ["a", "d.rs", "d/"],
        "a subtree takes over what is below it, and nothing beside it"
    );
    for (path, covered) in
        [("a", true), ("d", true), ("d/x", true), ("d/q/r", true), ("dd", false), ("b", false)]
    {
        assert_eq!(queues.production.covers(path.as_bytes()), covered, "{path}");
    }
    // A file that is replaced by a directory of its name, and the other way round (E-C46).
    assert_eq!(Queues::of(&[("x", File), ("x", Subtree)]).shown(), ["x/"]);
    assert_eq!(Queues::of(&[("x", Subtree), ("x", File)]).shown(), ["x/"]);
    // The whole tree is the subtree of the root.
    assert_eq!(
        Queues::of(&[("a", File), ("b/c", File), ("", Subtree), ("d", File)]).shown(),
        ["/"]
    );
}

#[test]
fn the_queue_is_drained_oldest_first_by_number_and_not_by_time() {
    // E-C46: the letter orders by milliseconds, of which several events share one and clocks go
    // back.
    touchstone::verifies!("FR-LSI-TRK-10", "E-C46");
    let mut queues =
        Queues::of(&[("z", File), ("m", File), ("a", File), ("z", File), ("m", Subtree)]);
    assert_eq!(queues.shown(), ["z", "m/", "a"], "queueing again does not move an entry");
    queues.push("b", File);
    assert_eq!(queues.shown(), ["z", "m/", "a", "b"]);
    // Emptying it does not begin the numbers anew.
    let mark = queues.mark();
    queues.clear_older(mark);
    assert!(queues.shown().is_empty());
    queues.push("y", File);
    queues.push("c", File);
    assert_eq!(queues.shown(), ["y", "c"]);
    queues.clear_older(mark);
    assert_eq!(queues.shown(), ["y", "c"], "both are newer than that mark");
}

#[test]
fn the_end_of_a_build_or_scan_clears_only_older_entries() {
    touchstone::verifies!("E-C02", "E-C03", "FR-LSI-BG-61");
    let mut queues = Queues::of(&[("a", File), ("b", File), ("d", Subtree), ("e", Subtree)]);
    let began = queues.mark();
    queues.push("a", File);
    queues.push("c", File);
    queues.push("d/x", File);
    queues.clear_older(began);
    assert_eq!(queues.shown(), ["a", "d/", "c"], "`b` and `e` were older; `d` was touched below");
}

#[test]
fn an_entry_queued_again_while_it_is_applied_stays() {
    touchstone::verifies!("E-C03", "TT-25");
    let mut queues = Queues::of(&[("a", File), ("b", File)]);
    let (theirs, ours) = (queues.production.ordered(), queues.model.entries());
    queues.push("b", File);
    for entry in &theirs {
        queues.production.clear_applied(&entry.path, entry.generation);
    }
    queues.model.clear_applied(&ours);
    assert_eq!(queues.shown(), ["b"]);
}

#[test]
fn too_many_entries_become_the_whole_tree() {
    touchstone::verifies!("FR-LSI-TRK-05");
    let mut queues = Queues::new();
    for number in 0..100_000 {
        queues.production.push(format!("f{number}").as_bytes(), File);
    }
    assert_eq!(queues.production.len(), 100_000);
    queues.production.push(b"one more", File);
    assert_eq!(queues.production.len(), 1);
    assert!(queues.production.covers(b"anything at all"));
    assert_eq!(TABLES.decisions.queue_limit, 100_000);
}

/// Settles events by both sides; `drain` is the time at which what has settled is asked for, none
/// for everything.
fn settled(events: &[(u64, RawEvent)], drain: Option<u64>) -> Vec<Change> {
    let (mut theirs, mut ours) = (Debouncer::new(250), model::Debouncer::new(250));
    for (at, event) in events {
        theirs.push(event.clone(), *at);
        if let Some(event) = modelled(event) {
            ours.push(event, *at);
        }
    }
    let (production, by_model) = match drain {
        Some(now) => (theirs.drain(now), ours.drain(now)),
        None => (theirs.drain_all(), ours.drain_all()),
    };
    if events.iter().all(|(_, event)| modelled(event).is_some()) {
        let by_model: Vec<Change> = by_model.into_iter().map(produced).collect();
        assert_eq!(production, by_model, "{events:?}");
    }
    production
}

/// An event as the model knows it; half-known renames it does not.
fn modelled(event: &RawEvent) -> Option<model::Event> {
    Some(match event.clone() {
        RawEvent::Appeared(path) | RawEvent::Written(path) => model::Event::Changed(path),
        RawEvent::Removed(path) => model::Event::Removed(path),
        RawEvent::Renamed { from, to } => model::Event::Renamed { from, to },
        RawEvent::Overflow => model::Event::Overflow,
        RawEvent::RenamedPartly(_) => return None,
    })
}

fn produced(change: model::Change) -> Change {
    match change {
        model::Change::Changed(path) => Change::Changed(path),
        model::Change::Removed(path) => Change::Removed(path),
        model::Change::Renamed { from, to } => Change::Renamed { from, to },
        model::Change::Overflow => Change::Overflow,
    }
}

fn touched(path: &str) -> RawEvent {
    RawEvent::Written(path.into())
}

fn removed(path: &str) -> RawEvent {
    RawEvent::Removed(path.into())
}

fn renamed(from: &str, to: &str) -> RawEvent {
    RawEvent::Renamed { from: from.into(), to: to.into() }
}

#[test]
fn a_burst_of_events_is_one_change_that_waits_only_for_the_debounce() {
    // E-C09: a search does not wait; it takes everything.
    touchstone::verifies!("FR-LSI-TRK-06", "E-C09");
    let writes: Vec<(u64, RawEvent)> = (0..=5).map(|turn| (turn * 100, touched("a"))).collect();
    let changed = [Change::Changed(b"a".to_vec())];
    for (now, expected) in
        [(0, &changed[..0]), (249, &changed[..0]), (250, &changed[..]), (500, &changed[..])]
    {
        assert_eq!(settled(&writes, Some(now)), expected, "at {now}");
    }
    assert_eq!(settled(&writes[..1], None), changed, "asked for by a search, without any delay");
    // Two files, each in its own time, the first to be touched first.
    let two = [(0, touched("b")), (100, touched("a"))];
    assert_eq!(settled(&two, Some(300)), [Change::Changed(b"b".to_vec())]);
    assert_eq!(
        settled(&two, Some(350)),
        [Change::Changed(b"b".to_vec()), Change::Changed(b"a".to_vec())]
    );
}

#[test]
fn the_last_event_of_a_burst_decides_the_change() {
    touchstone::verifies!("FR-LSI-TRK-06");
    let a = || b"a".to_vec();
    for (events, expected) in [
        (vec![touched("a"), removed("a")], Change::Removed(a())),
        (vec![removed("a"), touched("a")], Change::Changed(a())),
        (vec![touched("a"), removed("a"), touched("a"), touched("a")], Change::Changed(a())),
    ] {
        let events: Vec<(u64, RawEvent)> = (0..).zip(events).collect();
        assert_eq!(settled(&events, None), [expected], "{events:?}");
    }
}

#[test]
fn a_clear_rename_is_one_change_until_either_name_is_touched() {
    touchstone::verifies!("FR-LSI-TRK-06", "FR-LSI-TRK-09.apply");
    let (a, b) = (|| b"a".to_vec(), || b"b".to_vec());
    assert_eq!(settled(&[(0, renamed("a", "b"))], None), [Change::Renamed { from: a(), to: b() }]);
    let apart = [Change::Removed(a()), Change::Changed(b())];
    assert_eq!(settled(&[(0, touched("a")), (1, renamed("a", "b"))], None), apart);
    assert_eq!(settled(&[(0, renamed("a", "b")), (1, touched("b"))], None), apart);
    // The old name is there again, and the new one stands for itself.
    let both = [Change::Changed(a()), Change::Changed(b())];
    assert_eq!(settled(&[(0, renamed("a", "b")), (1, touched("a"))], None), both);
    // Both names have their first event in common, so that their bytes decide.
    let reversed = [Change::Changed(a()), Change::Removed(b())];
    assert_eq!(settled(&[(0, renamed("b", "a")), (1, touched("a"))], None), reversed);
}

#[test]
fn the_debouncer_reports_a_rename_with_one_unknown_name_as_unclear() {
    touchstone::verifies!("FR-LSI-TRK-09");
    let unclear = [Change::Unclear(b"a".to_vec())];
    for more in [vec![], vec![touched("a")], vec![removed("a")]] {
        let first = [(0, RawEvent::RenamedPartly(b"a".to_vec()))];
        let events: Vec<(u64, RawEvent)> = first.into_iter().chain((1..).zip(more)).collect();
        assert_eq!(settled(&events, None), unclear, "{events:?}");
    }
    let status = then(clauses_index::complete(), &[Trigger::RenameAmbiguous]);
    assert_eq!(status.shown_reason(), Some(Reason::RenameUncertain));
}

#[test]
fn an_overflow_replaces_all_pending_events() {
    touchstone::verifies!("FR-LSI-TRK-06", "TT-17");
    let events = [(0, touched("a")), (1, RawEvent::Overflow), (2, touched("b"))];
    let mut theirs = Debouncer::new(250);
    for (at, event) in &events[..2] {
        theirs.push(event.clone(), *at);
    }
    assert_eq!(theirs.drain(1), [Change::Overflow], "it does not wait");
    assert!(theirs.is_empty());
    // What comes after it is handed out after it.
    let mut theirs = Debouncer::new(250);
    for (at, event) in &events {
        theirs.push(event.clone(), *at);
    }
    assert_eq!(theirs.drain_all(), [Change::Overflow], "it comes alone");
    assert_eq!(theirs.drain_all(), [Change::Changed(b"b".to_vec())]);
    assert_eq!(settled(&events, None), [Change::Overflow]);
}

#[test]
fn a_scan_that_exceeds_its_bounds_leaves_the_index_uncertain() {
    touchstone::verifies!("FR-LSI-REC-02", "T-LSI-SAFE-03", "E-C26");
    let settings = Settings::documents();
    let bounds = (settings.reconcile_max_files, settings.reconcile_max_ms);
    assert_eq!(bounds, (50_000, 2_000));
    for (files, elapsed_ms, exceeded) in
        [(0, 0, false), (50_000, 2_000, false), (50_001, 0, true), (0, 2_001, true)]
    {
        let spent = Spent { elapsed_ms, files, bytes: u64::MAX };
        assert_eq!(budget::reconcile_exceeded(&settings, spent), exceeded, "{spent:?}");
        let over = model::reconcile_exceeds(&TABLES.decisions, bounds, (files, elapsed_ms));
        assert_eq!(!over.is_empty(), exceeded, "{spent:?}");
    }
    let scanning = then(uncertain(), &[Trigger::ReconcileStarted]);
    let cut_short = clauses_index::tick(scanning, &[Trigger::ReconcileOverBudget]);
    assert_eq!((cut_short.status, cut_short.may_exclude), (uncertain(), false));
}

#[test]
fn an_uncertain_index_excludes_nothing() {
    touchstone::verifies!("FR-LSI-REC-01");
    for status in reachable().iter().filter(|status| status.state == State::Uncertain) {
        assert!(!step(*status, Triggers::NONE).may_exclude, "{status:?}");
        assert!(!step(*status, Triggers::of(&[Trigger::IndexAccessed])).may_exclude, "{status:?}");
    }
}

#[test]
fn upkeep_gets_its_share_of_the_time_of_a_call_rounded_down() {
    // Production spends no more than this; that it does not, is the engine's to show.
    let settings = Settings::documents();
    for (timeout_ms, expected) in [(20_000, 5_000), (7, 1), (3, 0), (1, 0), (600_000, 150_000)] {
        assert_eq!(budget::maintenance_ms(&settings, timeout_ms), expected);
        assert_eq!(
            model::maintenance_milliseconds(settings.index_maint_budget_fraction, timeout_ms),
            expected
        );
    }
}

#[test]
fn thresholds_are_reevaluated_after_a_configured_number_of_calls() {
    let settings = Settings::documents();
    for (calls, due) in [(0, false), (99, false), (100, true)] {
        assert_eq!(budget::reevaluation_due(&settings, calls), due);
        assert_eq!(model::is_reevaluated(calls, settings.index_auto_reeval_calls), due);
    }
}

/// An index by its hash, size, last use, and whether it is in use.
type Index = (&'static str, u64, u64, bool);

fn victims(stored: &[Index], max_bytes: u64, max_indexes: u64) -> Vec<String> {
    let theirs: Vec<eviction::Stored> = stored
        .iter()
        .map(|(hash, size_bytes, last_accessed_ms, in_use)| eviction::Stored {
            key_hash: (*hash).to_owned(),
            size_bytes: *size_bytes,
            last_accessed_ms: *last_accessed_ms,
            in_use: *in_use,
        })
        .collect();
    let ours: Vec<model::Stored> = stored
        .iter()
        .map(|(hash, size, last_access, held)| model::Stored {
            key_hash: (*hash).to_owned(),
            size: *size,
            last_access: *last_access,
            held: *held,
        })
        .collect();
    let production = eviction::victims(&theirs, max_bytes, max_indexes);
    let by_model: Vec<String> = model::victims(&TABLES.decisions, (max_bytes, max_indexes), &ours)
        .into_iter()
        .map(|stored| stored.key_hash.clone())
        .collect();
    assert_eq!(production, by_model, "{stored:?}");
    production
}

#[test]
fn eviction_takes_the_least_recently_used_then_the_larger_then_by_hash() {
    touchstone::verifies!("FR-LSI-IDX-RM-02");
    let four: [Index; 4] =
        [("d", 5, 2, false), ("c", 5, 1, false), ("b", 9, 1, false), ("a", 5, 1, false)];
    assert_eq!(victims(&four, 0, 9), ["b", "a", "c", "d"]);
    assert_eq!(victims(&four, u64::MAX, 2), ["b", "a"]);
    assert_eq!(victims(&four, 24, 4), Vec::<String>::new(), "a limit that is just reached is kept");
    assert_eq!(victims(&four, 23, 4), ["b"], "one is enough");
    assert_eq!(victims(&four, 14, 3), ["b", "a"]);
    assert_eq!(victims(&[], 0, 0), Vec::<String>::new());
}

#[test]
fn an_index_in_use_or_being_built_is_not_evicted_at_any_size() {
    touchstone::verifies!("E-C37");
    assert_eq!(victims(&[("a", 50, 1, true), ("b", 5, 2, false)], 10, 9), ["b"]);
    // Alone it stays, and the machine has a way to say that it is too large (`disk_exceeded`).
    assert_eq!(victims(&[("a", 50, 1, true)], 10, 9), Vec::<String>::new());
}
