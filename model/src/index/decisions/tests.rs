use super::*;
use crate::generated::index::INDEX;
use crate::index::tables::{LimitRow, QueueOrder};

/// The generated tables, but with a small queue.
const TABLES: DecisionTables<'static> = DecisionTables { queue_limit: 4, ..INDEX.decisions };

#[test]
fn a_build_may_reach_its_limits_and_not_exceed_them() {
    let budget = BuildBudget { milliseconds: 100, files: 10, bytes: 0 };
    let used = |milliseconds, files, bytes| BuildBudget { milliseconds, files, bytes };
    assert!(build_exceeds(&TABLES, &budget, &used(100, 10, u64::MAX), 0).is_empty());
    assert_eq!(build_exceeds(&TABLES, &budget, &used(101, 10, 0), 0), [Limit::IndexBuildTimeoutMs]);
    assert!(build_exceeds(&TABLES, &budget, &used(150, 10, 0), 50).is_empty());
    let unlimited = BuildBudget { files: 0, ..budget };
    assert!(build_exceeds(&TABLES, &unlimited, &used(0, u64::MAX, 0), 0).is_empty());
    let both = build_exceeds(&TABLES, &BuildBudget { bytes: 5, ..budget }, &used(0, 11, 6), 0);
    assert_eq!(both, [Limit::IndexBuildMaxFiles, Limit::IndexBuildMaxBytes]);
}

#[test]
fn limits_are_compared_as_in_the_tables() {
    let rows: Vec<LimitRow> = TABLES
        .limits
        .iter()
        .map(|row| LimitRow { inclusive: false, zero_is_none: true, ..*row })
        .collect();
    let other = DecisionTables { limits: &rows, ..TABLES };
    for row in TABLES.limits {
        assert!(!exceeds(&TABLES, row.limit, 7, 7) && exceeds(&TABLES, row.limit, 8, 7), "{row:?}");
        assert!(exceeds(&other, row.limit, 7, 7) && !exceeds(&other, row.limit, 7, 0), "{row:?}");
        assert_eq!(exceeds(&TABLES, row.limit, 1, 0), !row.zero_is_none, "{row:?}");
    }
}

#[test]
fn slices_and_thresholds_have_two_limits_each() {
    assert!(reconcile_exceeds(&TABLES, (5, 9), (5, 9)).is_empty());
    assert_eq!(reconcile_exceeds(&TABLES, (5, 9), (6, 0)), [Limit::ReconcileMaxFiles]);
    assert_eq!(reconcile_exceeds(&TABLES, (5, 9), (0, 10)), [Limit::ReconcileMaxMs]);
    assert!(!is_worth_building(&TABLES, (2000, 100), (2000, 100)));
    assert!(is_worth_building(&TABLES, (2000, 100), (2001, 0)));
    assert!(is_worth_building(&TABLES, (2000, 100), (0, 101)));
}

fn stored(key_hash: &str, size: u64, last_access: u64) -> Stored {
    Stored { key_hash: key_hash.to_owned(), size, last_access, held: false }
}

fn names(tables: &DecisionTables<'_>, limits: (u64, u64), indexes: &[Stored]) -> Vec<String> {
    victims(tables, limits, indexes).into_iter().map(|index| index.key_hash.clone()).collect()
}

#[test]
fn eviction_takes_the_least_recently_used_then_the_larger_then_the_smaller_hash() {
    let indexes = [
        stored("d", 10, 5),
        stored("c", 10, 3),
        stored("b", 20, 3),
        stored("a", 10, 3),
        stored("e", 9, 9),
    ];
    assert_eq!(names(&TABLES, (0, 0), &indexes), ["b", "a", "c", "d", "e"]);
    assert_eq!(names(&TABLES, (59, 5), &indexes), [""; 0]);
    assert_eq!(names(&TABLES, (58, 5), &indexes), ["b"]);
    assert_eq!(names(&TABLES, (59, 3), &indexes), ["b", "a"]);
    let other = DecisionTables { eviction: &[EvictionOrder::SmallestKeyHash], ..TABLES };
    assert_eq!(names(&other, (59, 3), &indexes), ["a", "b"]);
}

#[test]
fn an_index_in_use_or_under_construction_is_not_evicted() {
    let indexes = [Stored { held: true, ..stored("a", 100, 1) }, stored("b", 1, 2)];
    assert_eq!(names(&TABLES, (50, 10), &indexes), ["b"]);
    assert_eq!(names(&TABLES, (101, 1), &indexes), ["b"]);
}

#[test]
fn maintenance_gets_a_whole_number_of_milliseconds() {
    let rows = [
        (0.25, 20_000, 5000),
        (0.25, 1, 0),
        (0.25, 7, 1),
        (1.0, 600_000, 600_000),
        (0.0, 9, 0),
        (0.1, 30, 3),
    ];
    for (fraction, timeout_ms, expected) in rows {
        assert_eq!(
            maintenance_milliseconds(fraction, timeout_ms),
            expected,
            "{fraction} of {timeout_ms}"
        );
    }
}

#[test]
fn thresholds_are_reevaluated_after_a_configured_number_of_calls() {
    let due: Vec<u64> = (0..=7).filter(|calls| is_reevaluated(*calls, 3)).collect();
    assert_eq!(due, [3, 6]);
}

#[test]
fn a_cooldown_ends_at_its_time_and_a_zero_cooldown_never() {
    assert_eq!(disabled_until(10, 0), None);
    let until = disabled_until(10, 5).unwrap();
    assert!(is_cooling_down(14, until) && !is_cooling_down(15, until));
}

/// The queue as path, kind, number and generation.
fn listed(queue: &DirtyQueue<'_>) -> Vec<(String, Kind, u64, u64)> {
    let text = |entry: Entry| {
        (String::from_utf8(entry.path).unwrap(), entry.kind, entry.number, entry.generation)
    };
    queue.entries().into_iter().map(text).collect()
}

fn entry(path: &str, kind: Kind, number: u64, generation: u64) -> (String, Kind, u64, u64) {
    (path.to_owned(), kind, number, generation)
}

#[test]
fn a_path_queued_again_keeps_its_place_and_the_larger_kind() {
    let mut queue = DirtyQueue::new(&TABLES);
    queue.queue(b"b", Kind::File);
    queue.queue(b"a", Kind::File);
    queue.queue(b"b", Kind::Subtree);
    queue.queue(b"b", Kind::File);
    assert_eq!(listed(&queue), [entry("b", Kind::Subtree, 0, 3), entry("a", Kind::File, 1, 1)]);
    let other = DecisionTables { queue: &[QueueOrder::PathBytes], ..TABLES };
    let mut queue = DirtyQueue::new(&other);
    queue.queue(b"b", Kind::File);
    queue.queue(b"a", Kind::File);
    assert_eq!(listed(&queue), [entry("a", Kind::File, 1, 1), entry("b", Kind::File, 0, 0)]);
}

#[test]
fn a_queued_subtree_covers_everything_below_it() {
    let mut queue = DirtyQueue::new(&TABLES);
    queue.queue(b"d/x", Kind::File);
    queue.queue(b"d.txt", Kind::File);
    queue.queue(b"d", Kind::Subtree);
    assert_eq!(listed(&queue), [entry("d.txt", Kind::File, 1, 1), entry("d", Kind::Subtree, 2, 2)]);
    queue.queue(b"d/y/z", Kind::Subtree);
    assert_eq!(listed(&queue), [entry("d.txt", Kind::File, 1, 1), entry("d", Kind::Subtree, 2, 3)]);
    queue.queue(b"", Kind::Subtree);
    assert_eq!(listed(&queue), [entry("", Kind::Subtree, 4, 4)]);
}

#[test]
fn one_entry_too_many_makes_the_root_dirty() {
    let mut queue = DirtyQueue::new(&TABLES);
    for path in ["a", "b", "c", "d", "a"] {
        queue.queue(path.as_bytes(), Kind::File);
    }
    assert_eq!(listed(&queue).len(), 4);
    queue.queue(b"e", Kind::File);
    assert_eq!(listed(&queue), [entry("", Kind::Subtree, 5, 5)]);
    queue.queue(b"f", Kind::File);
    assert_eq!(listed(&queue), [entry("", Kind::Subtree, 5, 6)]);
}

#[test]
fn entries_queued_after_a_scan_began_stay() {
    let mut queue = DirtyQueue::new(&TABLES);
    for path in ["a", "b", "d/x"] {
        queue.queue(path.as_bytes(), Kind::File);
    }
    queue.queue(b"d", Kind::Subtree);
    let began = queue.mark();
    queue.queue(b"a", Kind::File);
    queue.queue(b"d/y", Kind::File);
    queue.clear_older(began);
    assert_eq!(listed(&queue), [entry("a", Kind::File, 0, 4), entry("d", Kind::Subtree, 3, 5)]);
}

#[test]
fn an_applied_entry_is_removed_unless_it_was_queued_again() {
    let mut queue = DirtyQueue::new(&TABLES);
    queue.queue(b"a", Kind::File);
    queue.queue(b"b", Kind::File);
    let handed_out = queue.entries();
    queue.queue(b"b", Kind::File);
    queue.clear_applied(&handed_out);
    assert_eq!(listed(&queue), [entry("b", Kind::File, 1, 2)]);
    queue.clear();
    queue.queue(b"c", Kind::File);
    assert_eq!(listed(&queue), [entry("c", Kind::File, 3, 3)]);
}

fn changed(path: &str) -> Event {
    Event::Changed(path.into())
}

fn removed(path: &str) -> Event {
    Event::Removed(path.into())
}

fn renamed(from: &str, to: &str) -> Event {
    Event::Renamed { from: from.into(), to: to.into() }
}

/// The changes of events, one per millisecond.
fn debounced(events: &[Event]) -> Vec<Change> {
    let mut settling = Debouncer::new(250);
    for (event, at) in events.iter().zip(0..) {
        settling.push(event.clone(), at);
    }
    settling.drain_all()
}

#[test]
fn a_burst_settles_to_one_change_per_path() {
    let rows: [(&[Event], &[Change]); 5] = [
        (&[removed("a"), changed("a"), changed("a")], &[Change::Changed("a".into())]),
        (&[changed("a"), removed("a")], &[Change::Removed("a".into())]),
        (
            &[changed("b"), changed("a")],
            &[Change::Changed("b".into()), Change::Changed("a".into())],
        ),
        (&[renamed("a", "b")], &[Change::Renamed { from: "a".into(), to: "b".into() }]),
        (&[renamed("a", "a")], &[Change::Changed("a".into())]),
    ];
    for (events, expected) in rows {
        assert_eq!(debounced(events), expected, "{events:?}");
    }
}

#[test]
fn a_rename_is_one_change_only_if_neither_name_is_touched_otherwise() {
    let torn = [Change::Removed("a".into()), Change::Changed("b".into())];
    assert_eq!(debounced(&[changed("a"), renamed("a", "b")]), torn);
    assert_eq!(debounced(&[renamed("a", "b"), changed("b")]), torn);
    let both =
        [Change::Removed("a".into()), Change::Removed("b".into()), Change::Changed("c".into())];
    assert_eq!(debounced(&[renamed("a", "b"), renamed("b", "c")]), both);
    let back = [Change::Changed("a".into()), Change::Removed("b".into())];
    assert_eq!(debounced(&[renamed("a", "b"), renamed("b", "a")]), back);
}

#[test]
fn a_path_waits_from_its_first_event_on() {
    let mut settling = Debouncer::new(250);
    for at in [100, 200, 300, 340] {
        settling.push(changed("a"), at);
    }
    settling.push(changed("b"), 200);
    assert_eq!(settling.drain(349), []);
    assert_eq!(settling.drain(350), [Change::Changed("a".into())]);
    assert_eq!(settling.drain(449), []);
    assert_eq!(settling.drain(450), [Change::Changed("b".into())]);
}

#[test]
fn a_rename_whose_target_was_drained_becomes_a_removal() {
    let mut settling = Debouncer::new(250);
    settling.push(changed("b"), 0);
    settling.push(renamed("a", "b"), 100);
    assert_eq!(settling.drain(250), [Change::Changed("b".into())]);
    settling.push(changed("b"), 260);
    assert_eq!(settling.drain(350), [Change::Removed("a".into())]);
    assert_eq!(settling.drain_all(), [Change::Changed("b".into())]);
}

#[test]
fn simultaneous_changes_are_ordered_by_path() {
    let mut settling = Debouncer::new(0);
    for path in ["b", "a", "a-b", "a/b"] {
        settling.push(changed(path), 7);
    }
    let expected: Vec<Change> =
        ["a", "a-b", "a/b", "b"].map(|path| Change::Changed(path.into())).into();
    assert_eq!(settling.drain(7), expected);
}

#[test]
fn an_overflow_drops_pending_changes_and_is_reported_alone() {
    let mut settling = Debouncer::new(250);
    settling.push(changed("a"), 0);
    settling.push(Event::Overflow, 1);
    settling.push(changed("b"), 2);
    assert_eq!(settling.drain(2), [Change::Overflow]);
    assert_eq!(settling.drain_all(), [Change::Changed("b".into())]);
}
