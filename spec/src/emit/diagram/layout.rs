//! The layout of the diagram, by hand.
//!
//! DISABLED and CORRUPT are bars at the bottom and the top, so that edges to them are straight;
//! ABSENT is a bar at the left for the same reason. BUILDING, COMPLETE and UNCERTAIN are between
//! them.

use crate::index::StateId;
use StateId::{Absent, Building, Complete, Corrupt, Disabled, Uncertain};

/// A state's box.
pub(super) struct Frame {
    pub(super) state: StateId,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) fill: &'static str,
    pub(super) stroke: &'static str,
    /// Text below the name.
    pub(super) note: &'static [&'static str],
}

/// The path of an edge.
pub(super) struct Route {
    pub(super) from: StateId,
    pub(super) to: StateId,
    pub(super) path: &'static str,
    pub(super) label: Label,
    /// The triggers to name, of all on this edge.
    pub(super) shown: &'static [&'static str],
}

/// The position of a label: the base of its first line.
#[derive(Clone, Copy)]
pub(super) struct Label {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) anchor: &'static str,
}

/// Notes of the legend besides the colours.
pub(super) const NOTES: [&str; 1] = [
    "Point at an edge for its triggers, guards, reasons and actions. Triggers that propose no state are not drawn. Who comes to \
     COMPLETE with a reason left is UNCERTAIN instead.",
];

const fn frame(
    state: StateId,
    [x, y, width, height]: [u32; 4],
    [fill, stroke]: [&'static str; 2],
    note: &'static [&'static str],
) -> Frame {
    Frame { state, x, y, width, height, fill, stroke, note }
}

pub(super) const BOXES: [Frame; 6] = [
    frame(
        Absent,
        [40, 212, 180, 398],
        ["#eef2f7", "#6b7a8d"],
        &["there is no index;", "a process begins here"],
    ),
    frame(
        Building,
        [346, 368, 156, 74],
        ["#e5f0fb", "#3f74ad"],
        &["what goes wrong now", "counts at its end"],
    ),
    frame(
        Complete,
        [800, 214, 300, 70],
        ["#def3e4", "#177a3c"],
        &["covers everything;", "the only state that excludes"],
    ),
    frame(
        Uncertain,
        [640, 528, 320, 70],
        ["#fdf1d8", "#a9761a"],
        &["a set of reasons says why", "coverage is not proven"],
    ),
    frame(Corrupt, [40, 74, 1130, 46], ["#fbe4df", "#b8341f"], &["its data failed a check"]),
    frame(
        Disabled,
        [40, 690, 1130, 46],
        ["#e9e9ec", "#5c5c66"],
        &["there shall be none, for exactly one reason"],
    ),
];

const fn route(
    from: StateId,
    to: StateId,
    path: &'static str,
    (x, y, anchor): (u32, u32, &'static str),
    shown: &'static [&'static str],
) -> Route {
    Route { from, to, path, label: Label { x, y, anchor }, shown }
}

pub(super) const ROUTES: [Route; 26] = [
    route(Absent, Building, "M220 388 L346 388", (283, 380, "middle"), &["build_started"]),
    route(Absent, Uncertain, "M220 560 L640 560", (232, 553, "start"), &["index_opened"]),
    route(Absent, Corrupt, "M62 212 L62 120", (69, 172, "start"), &["integrity_failed"]),
    route(Absent, Disabled, "M62 610 L62 690", (69, 645, "start"), &["below_threshold"]),
    route(Building, Absent, "M346 422 L220 422", (283, 438, "middle"), &["build_failed_clean"]),
    route(Building, Complete, "M502 386 L800 254", (590, 334, "end"), &["build_completed"]),
    route(
        Building,
        Uncertain,
        "M502 422 L652 528",
        (588, 464, "start"),
        &["build_over_budget", "enumeration_failed"],
    ),
    route(
        Building,
        Corrupt,
        "M400 368 L400 120",
        (393, 205, "end"),
        &["build_failed_inconsistent"],
    ),
    route(Building, Disabled, "M427 442 L427 690", (434, 650, "start"), &["mode_off"]),
    route(Complete, Absent, "M800 238 L220 238", (480, 231, "start"), &["evicted"]),
    route(Complete, Building, "M800 274 L502 406", (570, 396, "start"), &["rebuild_requested"]),
    route(
        Complete,
        Complete,
        "M1030 214 C1030 176 1070 176 1070 214",
        (1050, 178, "middle"),
        &["call_verified"],
    ),
    route(
        Complete,
        Uncertain,
        "M938 284 L938 528",
        (945, 380, "start"),
        &["watcher_overflowed", "watcher_stopped", "eligibility_changed"],
    ),
    route(Complete, Corrupt, "M870 214 L870 120", (877, 172, "start"), &["integrity_failed"]),
    route(Complete, Disabled, "M1076 284 L1076 690", (1069, 650, "end"), &["mode_off"]),
    route(Uncertain, Absent, "M640 580 L220 580", (232, 597, "start"), &["evicted"]),
    route(
        Uncertain,
        Building,
        "M640 545 L490 442",
        (540, 505, "end"),
        &["build_resumed", "rebuild_requested"],
    ),
    route(
        Uncertain,
        Complete,
        "M846 528 L846 284",
        (839, 400, "end"),
        &["reconcile_completed", "queue_drained", "call_verified"],
    ),
    route(
        Uncertain,
        Uncertain,
        "M900 598 C900 636 940 636 940 598",
        (920, 642, "middle"),
        &["watcher_overflowed"],
    ),
    route(Uncertain, Corrupt, "M704 528 L704 120", (711, 172, "start"), &["integrity_failed"]),
    route(Uncertain, Disabled, "M740 598 L740 690", (747, 650, "start"), &["mode_off"]),
    route(Corrupt, Absent, "M190 120 L190 212", (197, 150, "start"), &["index_missing"]),
    route(
        Corrupt,
        Building,
        "M454 120 L454 368",
        (461, 180, "start"),
        &["build_started", "rebuild_requested"],
    ),
    route(Corrupt, Disabled, "M1146 120 L1146 690", (1139, 150, "end"), &["mode_off"]),
    route(
        Disabled,
        Absent,
        "M190 690 L190 610",
        (197, 640, "start"),
        &["mode_on", "threshold_exceeded"],
    ),
    route(
        Disabled,
        Disabled,
        "M980 736 C980 760 1020 760 1020 736",
        (1028, 752, "start"),
        &["mode_off"],
    ),
];
