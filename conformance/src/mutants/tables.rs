//! Changes of the tables that answers are made by.
//!
//! Responsible for: every key of every order removed, turned round, taken as it is or brought into
//! NFC, and exchanged with the next one; every suffix of paths replaced; every cap removed,
//! exchanged with the next one, and each of its words replaced by every other; every note that
//! makes `truncated` true or does not turned round. Left to neighbours: whether a change is noticed
//! (`answers`). Invariants: none is left out. Changed tables live as long as the process, as the
//! model's own do.

use std::fmt::Debug;

use touchstone_model::generated::agent::AGENT;
use touchstone_model::generated::keyword::KEYWORD;
use touchstone_model::generated::ordering::ORDERS;
use touchstone_model::generated::search::SEARCH;
use touchstone_model::generated::search_files::SEARCH_FILES;
use touchstone_model::generated::truncation::CAPS;
use touchstone_model::tables::agent::Reason;
use touchstone_model::tables::caps::{Cap, CapLimit, Caps, Counted, Strikes, Then, Within};
use touchstone_model::tables::order::{By, Form, Key, Orders};
use touchstone_model::tables::{Note, NoteText, SearchTables};

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
    [orders(), caps(), notes()].into_iter().flatten().collect()
}

/// A list with each entry removed, each two neighbours exchanged, and each entry changed in every
/// way that `others` knows.
fn lists<T: Copy>(
    list: &[T],
    others: impl Fn(T) -> Vec<(String, T)>,
) -> Vec<(String, &'static [T])> {
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
            let changed =
                list.iter().enumerate().map(|(at, old)| if at == place { other } else { *old });
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
    let mutant = |(name, orders)| Mutant {
        name,
        tables: Tables { search: of_search(orders), ..Tables::CURRENT },
    };
    all.into_iter().map(mutant).collect()
}

fn other_keys(key: Key) -> Vec<(String, Key)> {
    let form = if key.form == Form::Raw { Form::Nfc } else { Form::Raw };
    let mut others = vec![("turned round".to_owned(), Key { descending: !key.descending, ..key })];
    // Numbers and ranks have no forms.
    if matches!(key.by, By::Path | By::Entry | By::Message) {
        others.push(("in the other form".to_owned(), Key { form, ..key }));
    }
    others
}

/// The tables with other caps.
fn with_caps(name: String, caps: Caps) -> Mutant {
    let search = kept(SearchTables { caps: kept(caps), ..SEARCH });
    Mutant { name, tables: Tables { search, ..Tables::CURRENT } }
}

fn caps() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let notes: Vec<Note> = SEARCH.notes.iter().map(|row| row.note).collect();
    for (what, search) in lists(CAPS.search, |cap| other_caps(cap, &notes)) {
        mutants.push(with_caps(format!("caps of Search: {what}"), Caps { search, ..CAPS }));
    }
    for (what, search_files) in
        lists(CAPS.search_files, |cap| other_caps(cap, SEARCH_FILES.incomplete_because))
    {
        mutants.push(with_caps(
            format!("caps of search_files: {what}"),
            Caps { search_files, ..CAPS },
        ));
    }
    let reasons: Vec<Reason> = AGENT.reasons.iter().map(|row| row.reason).collect();
    for (what, agent) in lists(CAPS.agent, |cap| other_caps(cap, &reasons)) {
        mutants
            .push(with_caps(format!("caps of the agent's tools: {what}"), Caps { agent, ..CAPS }));
    }
    for (what, keyword) in lists(CAPS.keyword, |cap| other_caps(cap, KEYWORD.skipped)) {
        mutants
            .push(with_caps(format!("caps of keyword_search: {what}"), Caps { keyword, ..CAPS }));
    }
    mutants
}

fn other_caps<R: Copy + PartialEq + Debug>(cap: Cap<R>, reasons: &[R]) -> Vec<(String, Cap<R>)> {
    const LIMITS: [CapLimit; 9] = [
        CapLimit::MaxFiles,
        CapLimit::MaxFileSizeBytes,
        CapLimit::MaxMatchesPerFile,
        CapLimit::MaxResults,
        CapLimit::MaxOutputBytes,
        CapLimit::CountedLines,
        CapLimit::PoolFiles,
        CapLimit::TermBytes,
        CapLimit::TotalBytes,
    ];
    const COUNTED: [Counted; 8] = [
        Counted::Files,
        Counted::FileBytes,
        Counted::Matches,
        Counted::Events,
        Counted::LineBytes,
        Counted::Lines,
        Counted::MatchingFiles,
        Counted::TermBytes,
    ];
    let limits = LIMITS.map(|limit| Cap { limit, ..cap });
    let counted = COUNTED.map(|counts| Cap { counts, ..cap });
    let within = [Within::Answer, Within::File, Within::Each].map(|within| Cap { within, ..cap });
    let strikes = [Strikes::Beyond, Strikes::At].map(|strikes| Cap { strikes, ..cap });
    let then = [Then::Stop, Then::Skip].map(|then| Cap { then, ..cap });
    let all = limits.into_iter().chain(counted).chain(within).chain(strikes).chain(then);
    let all = all.chain(reasons.iter().map(|reason| Cap { reason: *reason, ..cap }));
    all.filter(|other| *other != cap).map(|other| (difference(&cap, &other), other)).collect()
}

/// What was changed of a cap.
fn difference<R: PartialEq + Debug>(cap: &Cap<R>, other: &Cap<R>) -> String {
    if cap.limit != other.limit {
        format!("limited by {:?}", other.limit)
    } else if cap.counts != other.counts {
        format!("counts {:?}", other.counts)
    } else if cap.within != other.within {
        format!("within {:?}", other.within)
    } else if cap.strikes != other.strikes {
        format!("strikes {:?}", other.strikes)
    } else if cap.then != other.then {
        format!("then {:?}", other.then)
    } else {
        format!("tells {:?}", other.reason)
    }
}

fn notes() -> Vec<Mutant> {
    let changed = lists(SEARCH.notes, |row| {
        vec![("truncates or not".to_owned(), NoteText { truncates: !row.truncates, ..row })]
    });
    let mutant = |(what, notes)| {
        let search = kept(SearchTables { notes, ..SEARCH });
        Mutant { name: format!("notes: {what}"), tables: Tables { search, ..Tables::CURRENT } }
    };
    changed.into_iter().map(mutant).collect()
}
