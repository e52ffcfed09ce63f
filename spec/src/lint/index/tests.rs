//! Provokes every finding about the index in a copy of the specification.

use std::sync::LazyLock;

use super::lint;
use crate::fixture::{changed, defects, sources, spec};
use crate::index::Index;
use crate::index::files::{CONFIGURATION, DECISIONS, EXCLUSION, MACHINE, STATS, TRANSITIONS};
use crate::place::Finding;
use crate::specification::Spec;

mod figures;

/// The findings about the index of `sources`.
fn findings(sources: Vec<(String, String)>) -> Vec<Finding> {
    static UNCHANGED: LazyLock<Spec> = LazyLock::new(spec);
    let index = Index::parse(sources)
        .unwrap_or_else(|error| panic!("the change makes a file unreadable: {error}"));
    let mut findings = Vec::new();
    lint(&Spec { index, ..UNCHANGED.clone() }, &mut findings);
    findings
}

/// A change, and the expected message about that file. The files must stay readable.
#[track_caller]
fn found(file: &str, old: &str, new: &str, message: &str) {
    let (sources, _) = changed(file, old, new);
    let findings = findings(sources);
    assert!(
        findings.iter().any(|finding| finding.file == file && finding.message.contains(message)),
        "no `{message}` for {file} in {findings:#?}"
    );
}

/// As [`found`], for a change within the trigger `id`.
#[track_caller]
fn found_in(id: &str, old: &str, new: &str, message: &str) {
    found_elsewhere(id, old, new, TRANSITIONS, message);
}

/// As [`found_in`], for a message about another file.
#[track_caller]
fn found_elsewhere(id: &str, old: &str, new: &str, file: &str, message: &str) {
    let head = format!("  - id: {id}\n");
    let sources = sources();
    let (_, text) = sources.iter().find(|(file, _)| file == TRANSITIONS).unwrap();
    let (_, rest) = text.split_once(&head).unwrap();
    let whole = rest.split("\n  - id: ").next().unwrap();
    assert!(whole.contains(old), "`{old}` does not stand in {id}");
    let (sources, _) = changed(TRANSITIONS, whole, &whole.replacen(old, new, 1));
    let findings = findings(sources);
    assert!(
        findings.iter().any(|finding| finding.file == file && finding.message.contains(message)),
        "no `{message}` for {file} in {findings:#?}"
    );
}

#[test]
fn every_row_has_an_effect() {
    let spec = spec();
    assert_eq!(spec.index.transitions.triggers.len(), 58);
    found_in("index_accessed", ", do: [touch_access]", "", "says nothing, as holds without it");
}

#[test]
fn an_impossible_row_must_agree_with_reachability() {
    found_in(
        "reconcile_started",
        "[ABSENT, CORRUPT",
        "[ABSENT, UNCERTAIN, CORRUPT",
        "in UNCERTAIN, and not",
    );
}

#[test]
fn no_cell_has_conflicting_rows() {
    let guard = ", when: [has MEMORY_BUDGET_EXCEEDED]";
    found_in(
        "cooldown_expired",
        guard,
        "",
        "a row for `cooldown_expired` in DISABLED always holds",
    );
    found_in(
        "cooldown_expired",
        "has DISK_BUDGET",
        "has MEMORY_BUDGET",
        "hold under the same conditions",
    );
    found_in(
        "build_started",
        "[ABSENT, CORRUPT]",
        "[ABSENT, ABSENT, CORRUPT]",
        "names a state twice",
    );
    found_in(
        "rename_ambiguous",
        "adds: [RENAME_UNCERTAIN]",
        "adds: [RENAME_UNCERTAIN, RENAME_UNCERTAIN]",
        "something twice",
    );
}

#[test]
fn a_row_without_a_proposal_may_not_act_as_a_winner() {
    found_in(
        "index_accessed",
        "do: [",
        "resolves: [WATCHER_DOWN], do: [",
        "proposes nothing and yet",
    );
    found_in(
        "cooldown_active",
        "next: impossible",
        "next: impossible, do: [touch_access]",
        "impossible and yet does",
    );
}

#[test]
fn names_refer_to_existing_entries() {
    for (file, old, new, message) in [
        (TRANSITIONS, "adds: [MODE_OFF]", "adds: [MODE_OF]", "there is no reason `MODE_OF`"),
        (TRANSITIONS, "has MODE_OFF", "has MODE_OF", "there is no reason `MODE_OF`"),
        (
            TRANSITIONS,
            "[stop_build, stop_watchers",
            "[stop_builds, stop_watchers",
            "there is no action `stop_builds`",
        ),
        (TRANSITIONS, "    class: 8", "    class: 9", "there is no class `9`"),
        (MACHINE, "only DIRTY_BACKLOG", "only BACKLOG", "there is no reason `BACKLOG`"),
        (
            DECISIONS,
            "{key: reconcile_max_ms",
            "{key: reconcile_ms",
            "there is no configuration key of the index",
        ),
        (
            TRANSITIONS,
            "  - id: mode_on\n",
            "  - id: mode_off\n",
            "trigger `mode_off` is given twice",
        ),
        (CONFIGURATION, "name: index_storage", "name: max_files", "key `max_files` is given twice"),
    ] {
        let (sources, line) = changed(file, old, new);
        let findings = defects(sources);
        assert!(
            findings
                .iter()
                .any(|finding| finding.line >= line && finding.message.contains(message)),
            "no `{message}` from line {line} on in {findings:#?}"
        );
    }
}

#[test]
fn a_condition_an_effect_or_a_state_outside_the_closed_lists_is_refused() {
    for (old, new) in [
        ("has MODE_OFF", "had MODE_OFF"),
        ("[watcher down]", "[watcher gone]"),
        ("next: no_change", "next: nothing"),
        ("next: DISABLED", "next: OFF"),
    ] {
        let (sources, line) = changed(TRANSITIONS, old, new);
        let message = Spec::parse(sources).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{TRANSITIONS}:{line}: ")), "{message}");
    }
}

#[test]
fn entries_are_in_their_order() {
    found(
        TRANSITIONS,
        "    class: 8",
        "    class: 1",
        "`integrity_confirmed` stands after `call_ended`",
    );
    found(
        MACHINE,
        "order: [DISABLED, CORRUPT",
        "order: [DISABLED, DISABLED",
        "two places in the order",
    );
    found(MACHINE, "order: [DISABLED, CORRUPT", "order: [DISABLED", "`CORRUPT` has no place");
    found(MACHINE, "{class: 3,", "{class: 4,", "numbered from 1");
    found(
        MACHINE,
        "id: ABSENT\n    letter: A",
        "id: BUILDING\n    letter: A",
        "`BUILDING` stands where",
    );
    found(MACHINE, "letter: X", "letter: A", "two states have one letter");
}

#[test]
fn every_action_is_used_and_duties_are_total() {
    let touch = "do: [touch_access]";
    let other = "do: [open_index]";
    found_elsewhere("index_accessed", touch, other, MACHINE, "no row asks for `touch_access`");
    found(
        MACHINE,
        "  - {in: [UNCERTAIN], duty: reconcile, clauses: [FR-LSI-REC-01, FR-LSI-BG-50]}\n",
        "",
        "the last duty of UNCERTAIN",
    );
    found(MACHINE, ", when: [has BUILD_BUDGET_EXCEEDED]", "", "a duty of UNCERTAIN always holds");
    found(MACHINE, "in: [DISABLED], duty", "in: [COMPLETE], duty", "DISABLED has no duty");
}

#[test]
fn every_row_of_the_documents_is_present() {
    found_in("cooldown_active", "[TT-03]", "[TT-04]", "no trigger is `TT-03`");
    found_in("mode_on", "[M-01]", "[M-40]", "`M-40` is no row");
    found_in("mode_on", "[M-01]", "[TT-99]", "`TT-99` is no row");
    found_in("mode_on", "[M-01]", "[]", "has no id");
}

#[test]
fn complete_is_entered_only_by_proofs_of_coverage() {
    found_in("queue_drained", "    way: drain\n", "", "without having shown coverage");
    found_in("queue_drained", "way: drain", "way: build", "without having shown coverage");
    found_in(
        "build_completed",
        "in: [BUILDING]",
        "in: [BUILDING, CORRUPT]",
        "without having shown coverage",
    );
    found_in("mode_on", "next: ABSENT", "next: COMPLETE", "without having shown coverage");
    found_in(
        "reconcile_completed",
        "when: [scan running]\n",
        "when: [scan under way]\n",
        "may have been disturbed",
    );
    found_in("call_verified", "        effects: [lends]\n", "", "what only one call has verified");
    found_in(
        "queue_drained",
        "next: COMPLETE,",
        "next: COMPLETE, effects: [lends],",
        "lends something other than",
    );
    found_in(
        "build_failed_clean",
        "do: [remove_index",
        "do: [bump_epoch, remove_index",
        "does not lead to COMPLETE",
    );
}

#[test]
fn reasons_are_resolved_only_by_their_ways() {
    found_in(
        "queue_drained",
        "resolves: [DIRTY",
        "resolves: [WATCHER_DOWN, DIRTY",
        "resolves `WATCHER_DOWN`, which",
    );
    found_in(
        "reconcile_completed",
        "OPEN_REQUIRES_VALIDATION, DIRTY",
        "BUILD_BUDGET_EXCEEDED, DIRTY",
        "resolves `BUILD_BUDGET",
    );
    found_in(
        "enumeration_failed",
        "next: UNCERTAIN,",
        "next: UNCERTAIN, resolves: [WATCHER_DOWN],",
        "forgets all or keeps all",
    );
    found_in(
        "build_started",
        "next: BUILDING",
        "next: BUILDING, resolves: [WATCHER_DOWN]",
        "resolves `WATCHER_DOWN`, which",
    );
    found_in(
        "watcher_stopped",
        "adds: [WATCHER_DOWN], effects: [watcher down]",
        "effects: [watcher down]",
        "puts the watcher down without",
    );
    found_in(
        "reconcile_completed_with_changes",
        "adds: [DIRTY_BACKLOG]",
        "adds: [WATCHER_DOWN]",
        "adds and resolves `WATCHER_DOWN`",
    );
}

#[test]
fn reasons_are_added_only_in_their_states() {
    found_in(
        "index_accessed",
        "next: no_change",
        "next: no_change, adds: [DIRTY_BACKLOG]",
        "for BUILDING alone",
    );
    found_in(
        "mode_off",
        "adds: [MODE_OFF]",
        "adds: [MODE_OFF, BELOW_THRESHOLD]",
        "exactly one reason",
    );
    found_in("mode_off", "adds: [MODE_OFF]", "adds: [WATCHER_DOWN]", "exactly one reason");
    found_in("mode_off", " adds: [MODE_OFF],", "", "exactly one reason");
    found_in(
        "evicted",
        "next: ABSENT,",
        "next: ABSENT, adds: [DIRTY_BACKLOG],",
        "a state that has none",
    );
    found_in(
        "write_rolled_back",
        "next: UNCERTAIN, adds: [DIRTY_BACKLOG]",
        "next: UNCERTAIN",
        "UNCERTAIN without a reason",
    );
    found_in(
        "write_rolled_back",
        "adds: [DIRTY_BACKLOG]",
        "adds: [MODE_OFF]",
        "never stands in UNCERTAIN",
    );
    found_in(
        "write_rolled_back",
        "adds: [DIRTY_BACKLOG]",
        "adds: [MAINT_BUDGET_EXCEEDED]",
        "never stands in UNCERTAIN",
    );
}

#[test]
fn effects_and_conditions_fit_their_states() {
    let begins = "next: no_change, effects: [scan begins]";
    found_in("index_accessed", "next: no_change", begins, "where there is none");
    found_in("watcher_stopped", "[watcher down]", "[watcher down, watcher live]", "live and down");
    found_in("mode_on", "has MODE_OFF", "has WATCHER_DOWN", "asks for `has WATCHER_DOWN` where");
    found_in("queue_drained", "[has DIRTY_BACKLOG]", "[lent]", "asks for `lent` where");
    found_in(
        "build_resumed",
        "[has BUILD_BUDGET_EXCEEDED]",
        "[has MAINT_BUDGET_EXCEEDED]",
        "asks for `has MAINT",
    );
}

#[test]
fn disabled_is_left_only_by_the_way_of_its_reason() {
    found_in(
        "mode_on",
        "has MODE_OFF",
        "has BELOW_THRESHOLD",
        "`BELOW_THRESHOLD`, which is not recovered this way",
    );
    found_in("mode_on", "when: [has MODE_OFF]", "when: [watcher down]", "without asking why");
    found_in("threshold_exceeded", "    way: thresholds\n", "", "not recovered this way");
}

#[test]
fn every_state_and_reason_is_reachable() {
    let added = "adds: [BELOW_THRESHOLD]";
    let message = "no sequence of triggers adds `BELOW_THRESHOLD`";
    found_elsewhere("below_threshold", added, "adds: [MODE_OFF]", MACHINE, message);
    let (mut sources, _) = changed(TRANSITIONS, "next: CORRUPT", "next: CORRUPT");
    for (_, text) in sources.iter_mut().filter(|(file, _)| file == TRANSITIONS) {
        *text = text.replace("next: CORRUPT", "next: ABSENT");
    }
    let findings = findings(sources);
    let message = "no sequence of triggers leads to `CORRUPT`";
    assert!(findings.iter().any(|finding| finding.message == message), "{findings:#?}");
}

#[test]
fn every_reason_can_be_left() {
    found(
        MACHINE,
        "recovered_by: [mode_on]",
        "recovered_by: []",
        "nothing recovers from `MODE_OFF`",
    );
    found(
        MACHINE,
        "recovered_by: [mode_on]",
        "recovered_by: [cooldown]",
        "no row recovers from `MODE_OFF` by `cooldown`",
    );
    found(
        MACHINE,
        "recovered_by: [build]",
        "recovered_by: [build, drain]",
        "no row recovers from `BUILD_BUDGET",
    );
    found(MACHINE, "recovered_by: []", "recovered_by: [drain]", "is a statistic");
}

#[test]
fn citations_are_known_and_unique() {
    found(
        EXCLUSION,
        "clauses: [FR-LSI-CAND-FZ-01]",
        "clauses: []",
        "`fuzzy_bypasses` cites no clause",
    );
    found(
        EXCLUSION,
        "[FR-LSI-CAND-FZ-01]",
        "[FR-LSI-CAND-FZ-01, FR-LSI-CAND-FZ-01]",
        "`FR-LSI-CAND-FZ-01` twice",
    );
    found(
        EXCLUSION,
        "[FR-LSI-CAND-FZ-01]",
        "[FR-LSI-CAND-FZ-09]",
        "neither a requirement nor an erratum",
    );
}

#[test]
fn names_from_the_documents_exist_and_are_cited() {
    found(STATS, "name: storage_mode", "name: storage", "nothing here is called `storage_mode`");
    found(STATS, "STAT-storage_mode", "STAT-elapsed_ms", "does not cite `STAT-storage_mode`");
    found(
        CONFIGURATION,
        "CFGKEY-LSI-index_path",
        "CFGKEY-LSI-enabled",
        "does not cite `CFGKEY-LSI-index_path`",
    );
    found(MACHINE, "[D-WATCHER_DOWN, TT-19]", "[TT-19]", "does not cite `D-WATCHER_DOWN`");
}
