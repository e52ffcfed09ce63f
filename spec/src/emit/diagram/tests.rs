//! The diagram shows what the tables state, and nothing else.

use std::collections::BTreeSet;

use super::{Tone, edges, layout::ROUTES, states};
use crate::fixture::spec;
use crate::index::StateId;

#[test]
fn exactly_the_existing_edges_are_drawn() {
    let spec = spec();
    let drawn: BTreeSet<_> = ROUTES.iter().map(|route| (route.from, route.to)).collect();
    let there: BTreeSet<_> = edges(&spec.index).iter().map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(drawn, there);
    assert_eq!(drawn.len(), ROUTES.len());
}

#[test]
fn labels_name_only_triggers_of_their_edge() {
    let spec = spec();
    for edge in edges(&spec.index) {
        let route =
            ROUTES.iter().find(|route| (route.from, route.to) == (edge.from, edge.to)).unwrap();
        for name in route.shown {
            assert!(
                edge.triggers().contains(name),
                "{name} does not lead from {:?} to {:?}",
                edge.from,
                edge.to
            );
        }
        let others = edge.triggers().len() - route.shown.len();
        let last = edge.label(route).pop().unwrap();
        assert_eq!(last.ends_with(&format!(" +{others}")), others > 0, "{last}");
    }
}

#[test]
fn the_colour_of_an_edge_depends_on_its_kind() {
    let spec = spec();
    let tone = |from, to| {
        edges(&spec.index)
            .iter()
            .find(|edge| (edge.from, edge.to) == (from, to))
            .map(super::Edge::tone)
            .unwrap()
    };
    assert_eq!(tone(StateId::Uncertain, StateId::Complete), Tone::Recovery);
    assert_eq!(tone(StateId::Disabled, StateId::Absent), Tone::Recovery);
    assert_eq!(tone(StateId::Complete, StateId::Uncertain), Tone::Demotion);
    assert_eq!(tone(StateId::Absent, StateId::Disabled), Tone::Demotion);
    assert_eq!(tone(StateId::Absent, StateId::Building), Tone::Lifecycle);
    assert_eq!(tone(StateId::Complete, StateId::Building), Tone::Lifecycle);
}

#[test]
fn tooltips_contain_every_trigger_guard_and_action() {
    let spec = spec();
    let picture = states(&spec);
    for (trigger, row) in
        spec.index.transitions.rows().filter(|(_, row)| row.next.value.state().is_some())
    {
        assert!(picture.contains(&format!("\n{}", trigger.id.value)), "{}", trigger.id.value);
        for action in &row.actions {
            assert!(picture.contains(&*action.value));
        }
    }
    assert!(picture.contains("queue_drained [has DIRTY_BACKLOG] −DIRTY_BACKLOG"));
}

#[test]
fn svg_elements_are_closed_and_inside_the_canvas() {
    let picture = states(&spec());
    for element in ["g", "text", "title", "marker", "defs", "style", "svg"] {
        let opened = picture.matches(&format!("<{element}>")).count()
            + picture.matches(&format!("<{element} ")).count();
        assert_eq!(opened, picture.matches(&format!("</{element}>")).count(), "{element}");
    }
    for route in &ROUTES {
        let numbers = route
            .path
            .split(|letter: char| !letter.is_ascii_digit())
            .filter(|digits| !digits.is_empty());
        let numbers: Vec<u32> = numbers.map(|digits| digits.parse().unwrap()).collect();
        for point in numbers.chunks(2) {
            assert!(point[0] <= super::WIDTH && point[1] <= super::HEIGHT, "{}", route.path);
        }
    }
}
