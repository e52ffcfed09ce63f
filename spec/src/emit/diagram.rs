//! `docs/index-states.svg`: the index's states and transitions.
//!
//! Rows that propose a state are grouped into edges and drawn where `layout` places them, with the
//! rows in tooltips. Rows that propose nothing are only in `docs/tables/index-transitions.md`. The
//! result is plain SVG without scripts or fonts.

mod layout;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::index::{Index, Row, StateId, Trigger, Way};
use crate::specification::Spec;
use layout::{BOXES, Frame, Label, NOTES, ROUTES, Route};

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 800;

/// The meaning of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    /// To COMPLETE, or out of DISABLED.
    Recovery,
    /// Opening and building.
    Lifecycle,
    /// Loss of coverage or of the index itself.
    Demotion,
}

impl Tone {
    const ALL: [Self; 3] = [Self::Recovery, Self::Lifecycle, Self::Demotion];

    fn class(self) -> &'static str {
        match self {
            Self::Recovery => "recovery",
            Self::Lifecycle => "lifecycle",
            Self::Demotion => "demotion",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Self::Recovery => "#177a3c",
            Self::Lifecycle => "#5b6673",
            Self::Demotion => "#b8341f",
        }
    }

    /// The size of its arrowheads.
    fn head(self) -> u32 {
        match self {
            Self::Recovery => 13,
            Self::Lifecycle | Self::Demotion => 9,
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Recovery => "coverage shown again, or no longer disabled",
            Self::Lifecycle => "opening and building",
            Self::Demotion => "coverage or the index lost, or disabled",
        }
    }
}

/// All rows from one state to another.
struct Edge<'a> {
    from: StateId,
    to: StateId,
    rows: Vec<(&'a Trigger, &'a Row)>,
}

impl Edge<'_> {
    fn tone(&self) -> Tone {
        let built = |(trigger, _): &(&Trigger, &Row)| {
            trigger.class.value == 6
                && !matches!(trigger.way.as_ref().map(|way| way.value), Some(Way::NewProcess))
        };
        if self.to == StateId::Complete
            || (self.from == StateId::Disabled && self.to != StateId::Disabled)
        {
            Tone::Recovery
        } else if self.rows.iter().all(built) && self.to != StateId::Disabled {
            Tone::Lifecycle
        } else {
            Tone::Demotion
        }
    }

    /// The distinct triggers, in order.
    fn triggers(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.rows.iter().map(|(trigger, _)| &*trigger.id.value).collect();
        names.dedup();
        names
    }

    /// The names that the route shows, as far as they are of this edge, and the number of others.
    fn label(&self, route: &Route) -> Vec<String> {
        let all = self.triggers();
        let mut lines: Vec<String> = route
            .shown
            .iter()
            .filter(|name| all.contains(name))
            .map(|name| (*name).to_owned())
            .collect();
        match (all.len() - lines.len(), lines.last_mut()) {
            (0, _) => {}
            (others, Some(last)) => {
                let _ = write!(last, " +{others}");
            }
            (others, None) => lines.push(format!("{others} triggers")),
        }
        lines
    }

    fn tooltip(&self) -> String {
        let mut text = format!("{} to {}", self.from.name(), self.to.name());
        for (trigger, row) in &self.rows {
            let _ = write!(text, "\n{}", trigger.id.value);
            let joined = |all: Vec<String>| all.join(", ");
            if !row.when.is_empty() {
                let guard = row.when.iter().map(|condition| condition.value.to_string()).collect();
                let _ = write!(text, " [{}]", joined(guard));
            }
            for (sign, reasons) in [("+", &row.adds), ("−", &row.resolves)] {
                for reason in reasons {
                    let _ = write!(text, " {sign}{}", reason.value);
                }
            }
            let actions: Vec<String> =
                row.actions.iter().map(|action| action.value.clone()).collect();
            if !actions.is_empty() {
                let _ = write!(text, ": {}", joined(actions));
            }
        }
        text
    }
}

/// The edges, in the order of states.
fn edges(index: &Index) -> Vec<Edge<'_>> {
    let mut grouped: BTreeMap<(StateId, StateId), Vec<(&Trigger, &Row)>> = BTreeMap::new();
    for (trigger, row) in index.transitions.rows() {
        let Some(to) = row.next.value.state() else { continue };
        for from in &row.states {
            grouped.entry((from.value, to)).or_default().push((trigger, row));
        }
    }
    grouped.into_iter().map(|((from, to), rows)| Edge { from, to, rows }).collect()
}

pub(super) fn states(spec: &Spec) -> String {
    let index = &spec.index;
    let mut out = head();
    let edges = edges(index);
    for edge in &edges {
        let route = ROUTES.iter().find(|route| (route.from, route.to) == (edge.from, edge.to));
        draw_edge(&mut out, edge, route);
    }
    for frame in &BOXES {
        draw_box(&mut out, index, frame);
    }
    // Labels come last, so that no line covers them.
    for edge in &edges {
        if let Some(route) =
            ROUTES.iter().find(|route| (route.from, route.to) == (edge.from, edge.to))
        {
            draw_label(&mut out, edge, route);
        }
    }
    legend(&mut out);
    out.push_str("</svg>\n");
    out
}

fn head() -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         role=\"img\" aria-labelledby=\"title\">\n\
         <!-- Generated by `touchstone spec emit` from spec/index/*.yaml. Do not edit. -->\n\
         <title id=\"title\">The states of the index and what leads from one to another</title>\n\
         <style>\n\
         text {{ font-family: \"Helvetica Neue\", Helvetica, Arial, \"Liberation Sans\", sans-serif; fill: #1d2430; }}\n\
         .heading {{ font-size: 22px; font-weight: bold; }}\n\
         .name {{ font-size: 17px; font-weight: bold; }}\n\
         .note {{ font-size: 12px; fill: #46505e; }}\n\
         .label {{ font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 5px; stroke-linejoin: round; }}\n\
         .edge path {{ fill: none; stroke-width: 2; }}\n\
         .recovery path:not(.under) {{ stroke-width: 3.2; }}\n\
         .lifecycle path:not(.under) {{ stroke-dasharray: 7 4; }}\n\
         .edge .under {{ stroke: #ffffff; stroke-width: 7; }}\n\
         .edge:hover path:not(.under) {{ stroke-width: 4; }}\n"
    );
    for tone in Tone::ALL {
        let (class, colour) = (tone.class(), tone.colour());
        let _ = writeln!(
            out,
            ".{class} path:not(.under) {{ stroke: {colour}; }} .label.{class} {{ fill: {colour}; }}"
        );
    }
    out.push_str("</style>\n<defs>\n");
    for tone in Tone::ALL {
        let _ = writeln!(
            out,
            "<marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"{size}\" markerHeight=\"{size}\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 L10 5 L0 10 z\" fill=\"{}\" stroke=\"none\"/></marker>",
            tone.class(),
            tone.colour(),
            size = tone.head(),
        );
    }
    let _ = write!(
        out,
        "</defs>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
         <text class=\"heading\" x=\"40\" y=\"40\">The index: what it may claim, and what changes that</text>\n"
    );
    out
}

fn draw_edge(out: &mut String, edge: &Edge<'_>, route: Option<&Route>) {
    let path = route.map_or_else(|| straight(edge), |route| route.path.to_owned());
    let class = edge.tone().class();
    let _ = write!(
        out,
        "<g class=\"edge {class}\"><title>{}</title>\n<path class=\"under\" d=\"{path}\"/>\
         <path d=\"{path}\" marker-end=\"url(#{class})\"/></g>\n",
        escaped(&edge.tooltip()),
    );
}

/// A straight line, for an edge without layout.
fn straight(edge: &Edge<'_>) -> String {
    let middle = |state| {
        let frame = BOXES.iter().find(|frame| frame.state == state);
        frame.map_or((0, 0), |frame| (frame.x + frame.width / 2, frame.y + frame.height / 2))
    };
    let ((x1, y1), (x2, y2)) = (middle(edge.from), middle(edge.to));
    format!("M{x1} {y1} L{x2} {y2}")
}

fn draw_label(out: &mut String, edge: &Edge<'_>, route: &Route) {
    let Label { x, y, anchor } = route.label;
    let class = edge.tone().class();
    for (place, line) in (0_u32..).zip(edge.label(route)) {
        let y = y + 14 * place;
        let line = escaped(&line);
        let _ = writeln!(
            out,
            "<text class=\"label {class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{line}</text>"
        );
    }
}

fn draw_box(out: &mut String, index: &Index, frame: &Frame) {
    let Frame { state, x, y, width, height, fill, stroke, note } = frame;
    let meaning = index
        .machine
        .states
        .iter()
        .find(|row| row.id.value == *state)
        .map_or("", |row| &*row.meaning);
    let middle = x + width / 2;
    let mut line = y + (height - 14 * u32::try_from(note.len()).unwrap_or(0)) / 2 + 6;
    let _ = writeln!(
        out,
        "<g><title>{}: {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"9\" fill=\"{fill}\" \
         stroke=\"{stroke}\" stroke-width=\"2\"/>",
        state.name(),
        escaped(meaning),
    );
    let _ = writeln!(
        out,
        "<text class=\"name\" x=\"{middle}\" y=\"{line}\" text-anchor=\"middle\">{}</text>",
        state.name()
    );
    for words in *note {
        line += 16;
        let _ = writeln!(
            out,
            "<text class=\"note\" x=\"{middle}\" y=\"{line}\" text-anchor=\"middle\">{words}</text>"
        );
    }
    out.push_str("</g>\n");
}

fn legend(out: &mut String) {
    let mut x = 40;
    for tone in Tone::ALL {
        let class = tone.class();
        let _ = writeln!(
            out,
            "<g class=\"edge {class}\"><path d=\"M{x} 767 L{} 767\" marker-end=\"url(#{class})\"/></g>\n\
             <text class=\"note\" x=\"{}\" y=\"771\">{}</text>",
            x + 34,
            x + 42,
            tone.meaning(),
        );
        x += 72 + 6 * u32::try_from(tone.meaning().len()).unwrap_or(0);
    }
    for (place, note) in (0_u32..).zip(NOTES) {
        let _ =
            writeln!(out, "<text class=\"note\" x=\"40\" y=\"{}\">{note}</text>", 790 + 16 * place);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
