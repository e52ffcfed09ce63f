//! `docs/tables/adapters.md`: a comparison of the adapters, and what each cannot do.

use std::fmt::Write as _;

use super::pages::{code, page, table};
use crate::adapter::{Adapter, Difference, Drive, Feature, Show};
use crate::specification::Spec;

/// The comparison, then each adapter with its reasons.
pub(super) fn adapters(spec: &Spec) -> String {
    let mut out = page("How search programs are asked", "`spec/backends/*.yaml`");
    out.push_str("\nDeclared differences are explained in [hunt.md](../hunt.md), how to add a program in [adapters.md](../adapters.md).\n");
    let mut head = vec!["asked for"];
    head.extend(spec.adapters.iter().map(|adapter| adapter.name.as_str()));
    let asked = Feature::ALL.iter().filter(|feature| feature.is_option());
    let options = asked.map(|feature| {
        let cells = spec.adapters.iter().map(|adapter| option(adapter, *feature));
        std::iter::once(code(feature.name())).chain(cells).collect()
    });
    let shows = Show::ALL.iter().map(|show| {
        let cells = spec.adapters.iter().map(|adapter| shown(adapter, *show));
        std::iter::once(code(show.name())).chain(cells).collect()
    });
    table(&mut out, &head, shows.chain(options));
    for adapter in &spec.adapters {
        let _ = writeln!(out, "\n## {}\n\n{}.", adapter.name, adapter.says);
        let precise: Vec<&str> = adapter.precise.iter().map(|aspect| aspect.name()).collect();
        let _ = writeln!(out, "Compared in: {}.", precise.join(", "));
        let unsupported = adapter.unsupported.iter();
        let rows = unsupported.map(|(feature, reason)| row(feature.name(), "unsupported", reason));
        let declared = Difference::ALL.iter().filter_map(|difference| {
            adapter
                .declared
                .get(difference)
                .map(|reason| row(difference.name(), "declared", reason))
        });
        let rows: Vec<_> = rows.chain(declared).collect();
        if !rows.is_empty() {
            table(&mut out, &["what", "is", "because"], rows.into_iter());
        }
    }
    out
}

fn row(name: &str, what: &str, reason: &str) -> Vec<String> {
    vec![code(name), what.to_owned(), reason.to_owned()]
}

fn option(adapter: &Adapter, feature: Feature) -> String {
    let words = if feature == Feature::Walk {
        &adapter.ask.walk
    } else {
        match adapter.ask.options.get(&feature) {
            Some(words) => words,
            None => return String::new(),
        }
    };
    let mut cell = match (words.is_empty(), feature) {
        (true, Feature::Walk) => return String::new(),
        (true, _) => "yes".to_owned(),
        (false, _) => code(words.join(" ")),
    };
    if let Some(release) = adapter.since.get(&feature) {
        let _ = write!(cell, " since {release}");
    }
    if let Some(needed) = adapter.needs.get(&feature) {
        let needed: Vec<String> = needed.iter().map(|feature| code(feature.name())).collect();
        let _ = write!(cell, " with {}", needed.join(", "));
    }
    cell
}

fn shown(adapter: &Adapter, show: Show) -> String {
    match adapter.show.get(&show) {
        None => String::new(),
        Some(shown) if shown.args.is_empty() || adapter.drive != Drive::Command => "yes".to_owned(),
        Some(shown) => code(shown.args.join(" ")),
    }
}
