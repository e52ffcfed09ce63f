//! What the contract's page lists: reasons with rank, kind and whether they disturb; triggers with
//! class and order; actions with kind and order.
//!
//! Responsible for: reading the lists out of `docs/claims.md`, and holding the model's tables and
//! production's vocabulary against them. Most of it shows in some tick as well; the order of
//! triggers that propose nothing, and the classes, show nowhere else. Not here: the rows
//! themselves, which only ticks compare (`sweep`). Invariants: the page is compiled in, so what is
//! checked is the page that belongs to the executable.

use forge_search_core::index::machine as production;
use touchstone_model::index::tables::{ActionKind, MachineTables, ReasonKind};

const PAGE: &str = include_str!("../../../docs/claims.md");

/// A line of a list, with what stands beside the name.
type PageLine = (String, String);

/// Whether the tables and production list what the page lists.
///
/// # Errors
/// The first place where they do not.
pub(crate) fn agrees(tables: &MachineTables<'_>) -> Result<(), String> {
    let reasons = tables.reasons.iter().map(|row| {
        let kind = match row.kind {
            ReasonKind::Uncertain => "uncertain",
            ReasonKind::Disabled => "disabled",
            ReasonKind::Statistic => "statistic",
        };
        (row.name.to_owned(), format!("{kind}, {}", if row.disturbs { "yes" } else { "no" }))
    });
    same("reasons", "the model", &reasons_of_page(), &reasons.collect::<Vec<_>>())?;
    let triggers = tables.triggers.iter().map(|row| (row.name.to_owned(), row.class.to_string()));
    same("triggers", "the model", &triggers_of_page(), &triggers.collect::<Vec<_>>())?;
    let actions = tables.actions.iter().map(|row| {
        let kind = match row.kind {
            ActionKind::Additive => "additive",
            ActionKind::Owned => "owned",
            ActionKind::Proof => "proof",
        };
        (row.name.to_owned(), kind.to_owned())
    });
    same("actions", "the model", &actions_of_page(), &actions.collect::<Vec<_>>())?;

    let bare = |listed: Vec<PageLine>| {
        listed.into_iter().map(|(name, _)| (name, String::new())).collect::<Vec<_>>()
    };
    let named = |names: Vec<&str>| -> Vec<PageLine> {
        names.into_iter().map(|name| (name.to_owned(), String::new())).collect()
    };
    let reasons = production::Reason::ALL.iter().map(|reason| reason.name()).collect();
    same("reasons", "production", &bare(reasons_of_page()), &named(reasons))?;
    let triggers = production::Trigger::ALL.iter().map(|trigger| trigger.name()).collect();
    same("triggers", "production", &bare(triggers_of_page()), &named(triggers))?;
    let actions = production::Action::ALL.iter().map(|action| action.name()).collect();
    same("actions", "production", &bare(actions_of_page()), &named(actions))
}

fn same(what: &str, side: &str, page: &[PageLine], other: &[PageLine]) -> Result<(), String> {
    let length = page.len().max(other.len());
    let place = (0..length).find(|place| page.get(*place) != other.get(*place));
    let told = |listed: Option<&PageLine>| match listed {
        Some((name, beside)) if beside.is_empty() => format!("`{name}`"),
        Some((name, beside)) => format!("`{name}` ({beside})"),
        None => "nothing".to_owned(),
    };
    match place {
        None if page.is_empty() => Err(format!("the contract's page lists no {what}")),
        None => Ok(()),
        Some(place) => Err(format!(
            "{what}, place {}: the contract's page has {}, {side} has {}\n",
            place + 1,
            told(page.get(place)),
            told(other.get(place))
        )),
    }
}

/// Section 4: `| 1 | NAME | kind | disturbs | ... |`.
fn reasons_of_page() -> Vec<PageLine> {
    numbered(section("## 4."), |cells| match cells {
        [name, kind, disturbs, ..] => Some((quoted(name)?, format!("{kind}, {disturbs}"))),
        _ => None,
    })
}

/// Section 6: `| 1 | name | ... |` below lines that name the class.
fn triggers_of_page() -> Vec<PageLine> {
    let mut class = String::new();
    let mut listed = Vec::new();
    for line in section("## 6.").lines() {
        if let Some((_, rest)) = line.split_once("**class ") {
            class = rest.chars().take_while(char::is_ascii_digit).collect();
        }
        listed.extend(numbered(line, |cells| Some((quoted(cells.first()?)?, class.clone()))));
    }
    listed
}

/// Section 7: `| 1 | name | kind | ... |`.
fn actions_of_page() -> Vec<PageLine> {
    numbered(section("## 7."), |cells| match cells {
        [name, kind, ..] => Some((quoted(name)?, (*kind).to_owned())),
        _ => None,
    })
}

fn section(heading: &str) -> &'static str {
    let Some((_, rest)) = PAGE.split_once(heading) else { return "" };
    rest.split_once("\n## ").map_or(rest, |(section, _)| section)
}

/// The rows of a table whose first cell is a number.
fn numbered(text: &str, read: impl Fn(&[&str]) -> Option<PageLine>) -> Vec<PageLine> {
    let rows = text.lines().filter_map(|line| line.strip_prefix('|'));
    rows.filter_map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (number, cells) = cells.split_first()?;
        number.parse::<u32>().ok()?;
        read(cells)
    })
    .collect()
}

fn quoted(cell: &str) -> Option<String> {
    cell.split('`').nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_page_lists_reasons_triggers_and_actions() {
        let (reasons, triggers, actions) =
            (reasons_of_page(), triggers_of_page(), actions_of_page());
        assert_eq!((reasons.len(), triggers.len(), actions.len()), (16, 58, 15));
        assert_eq!(
            reasons.first(),
            Some(&("WATCHER_OVERFLOW".to_owned(), "uncertain, yes".to_owned()))
        );
        assert_eq!(triggers.last(), Some(&("index_accessed".to_owned(), "8".to_owned())));
        assert_eq!(actions.last(), Some(&("touch_access".to_owned(), "additive".to_owned())));
    }
}
