//! Changes of the tables that answers are made by.
//!
//! Responsible for: every key of every order removed, turned round, taken as it is or brought into NFC, and exchanged with the next one; every suffix of
//! paths replaced.
//! Left to neighbours: whether a change is noticed (`answers`).
//! Invariants: none is left out. Changed tables live as long as the process, as the model's own do.

use touchstone_model::generated::ordering::ORDERS;
use touchstone_model::generated::search::SEARCH;
use touchstone_model::tables::SearchTables;
use touchstone_model::tables::order::{By, Form, Key, Orders};

use crate::case::Tables;

/// A change of the tables.
pub(super) struct Mutant {
    pub(super) name: String,
    pub(super) tables: Tables,
}

/// A table for as long as the process lives.
fn kept<T>(table: T) -> &'static T {
    Box::leak(Box::new(table))
}

/// All changes of all tables.
pub(super) fn all() -> Vec<Mutant> {
    orders()
}

/// A list with each entry removed, each two neighbours exchanged, and each entry changed in every way that `others` knows.
fn lists<T: Copy>(list: &[T], others: impl Fn(T) -> Vec<(&'static str, T)>) -> Vec<(String, &'static [T])> {
    let mut lists: Vec<(String, Vec<T>)> = Vec::new();
    for (place, entry) in list.iter().enumerate() {
        let number = place + 1;
        let mut without = list.to_vec();
        without.remove(place);
        lists.push((format!("without entry {number}"), without));
        if number < list.len() {
            let mut exchanged = list.to_vec();
            exchanged.swap(place, number);
            lists.push((format!("entries {number} and {} exchanged", number + 1), exchanged));
        }
        for (what, other) in others(*entry) {
            let changed = list.iter().enumerate().map(|(at, old)| if at == place { other } else { *old });
            lists.push((format!("entry {number} {what}"), changed.collect()));
        }
    }
    lists.into_iter().map(|(name, list)| (name, kept(list).as_slice())).collect()
}

fn orders() -> Vec<Mutant> {
    type Field = fn(&mut Orders) -> &mut &'static [Key];
    type Suffix = fn(&mut Orders) -> &mut &'static str;
    let fields: [(&str, Field); 9] = [
        ("files", |orders| &mut orders.files),
        ("problems", |orders| &mut orders.problems),
        ("lines", |orders| &mut orders.lines),
        ("matches", |orders| &mut orders.matches),
        ("pool", |orders| &mut orders.pool),
        ("ranked", |orders| &mut orders.ranked),
        ("best_line", |orders| &mut orders.best_line),
        ("keyword", |orders| &mut orders.keyword),
        ("keyword_lines", |orders| &mut orders.keyword_lines),
    ];
    let suffixes: [(&str, Suffix); 3] = [
        ("entry", |orders| &mut orders.suffixes.entry),
        ("directory", |orders| &mut orders.suffixes.directory),
        ("root", |orders| &mut orders.suffixes.root),
    ];
    let mut all: Vec<(String, Orders)> = Vec::new();
    for (name, field) in fields {
        let mut orders = ORDERS;
        for (what, keys) in lists(field(&mut orders), other_keys) {
            let mut orders = ORDERS;
            *field(&mut orders) = keys;
            all.push((format!("order {name}: {what}"), orders));
        }
    }
    for (name, suffix) in suffixes {
        for other in ["", "/", "\u{7f}"] {
            let mut orders = ORDERS;
            if *suffix(&mut orders) != other {
                *suffix(&mut orders) = other;
                all.push((format!("suffix of {name} {other:?}"), orders));
            }
        }
    }
    let of_search = |orders| kept(SearchTables { orders: kept(orders), ..SEARCH });
    let mutant =
        |(name, orders)| Mutant { name, tables: Tables { search: of_search(orders), ..Tables::CURRENT } };
    all.into_iter().map(mutant).collect()
}

fn other_keys(key: Key) -> Vec<(&'static str, Key)> {
    let form = if key.form == Form::Raw { Form::Nfc } else { Form::Raw };
    let mut others = vec![("turned round", Key { descending: !key.descending, ..key })];
    // Numbers and ranks have no forms.
    if matches!(key.by, By::Path | By::Entry | By::Message) {
        others.push(("in the other form", Key { form, ..key }));
    }
    others
}
