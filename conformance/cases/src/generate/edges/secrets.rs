//! Lines that the forms of secrets decide.
//!
//! Responsible for: a line for each value of a form, each exception and each word of the patterns
//! that is sent otherwise if the value is another one, drawn until one is found. Not here: whether
//! production agrees. Invariants: a value for which no line is found has none, and is a change that
//! `touchstone spec mutate` names.

use std::collections::BTreeSet;

use regex_automata::meta::Regex;
use serde_json::json;
use touchstone_model::agent::keyword::{oddness, redactor};
use touchstone_model::generated::keyword::KEYWORD;
use touchstone_model::tables::keyword::{KeywordTables, NamedPattern, SecretRow};

use super::super::examples::example;
use super::replies::selected;
use crate::case::{Case, Entry, KEYWORD_TOOL};
use crate::dice::Dice;
use crate::script::Script;

/// How many lines are drawn of a form at most.
const DRAWN: usize = 240;

/// How many lines that a form alone decides are tried with all others.
const TRIED: usize = 6;

/// A change of the tables, by a name that other forms may share.
struct Change {
    name: String,
    tables: KeywordTables,
}

pub(super) fn secrets() -> Vec<Case> {
    let mut decided = BTreeSet::new();
    let rows = KEYWORD.secrets.iter().enumerate();
    let mut cases: Vec<Case> = rows
        .map(|(place, row)| {
            sent(&format!("secret-{}", place + 1), &of_row(place, row, &mut decided))
        })
        .collect();
    cases.push(sent("private-keys", &private_keys()));
    cases
}

/// What a model is sent of files with these lines below a hit.
fn sent(id: &str, lines: &[String]) -> Case {
    let request = json!({"query": "needle", "search_terms": ["needle"]});
    let title = "lines that one form of secrets decides";
    let mut case = selected(Case::of(id, title, KEYWORD_TOOL, request));
    case.model = Some(Script { says: "{\"files\": []}".to_owned(), fails: None });
    lines.iter().enumerate().fold(case, |case, (number, line)| {
        case.with(Entry::file(format!("f{number}"), format!("needle\n{line}\n")))
    })
}

/// Keys of each kind, with what stands behind them.
fn private_keys() -> Vec<String> {
    let mut dice = Dice::new(3, 0);
    let mut key = |_| {
        let (begin, end) =
            (example(KEYWORD.key_begin, &mut dice), example(KEYWORD.key_end, &mut dice));
        format!("{begin}\nabcd\n{end}\nefgh")
    };
    (0..12).map(&mut key).collect()
}

/// Lines that tell a form from one with another value, and from none.
fn of_row(place: usize, row: &SecretRow, decided: &mut BTreeSet<String>) -> Vec<String> {
    let mut open: Vec<_> = changes(place, *row)
        .into_iter()
        .filter(|change| !decided.contains(&change.name))
        .map(|change| (redactor(&alone(&change.tables, place, row)), change, 0))
        .collect();
    let (own, all) = (redactor(&alone(KEYWORD_TABLES, place, row)), redactor(KEYWORD_TABLES));
    let mut dice = Dice::new(2, place as u64);
    let pattern = with_words(row.pattern);
    let matcher = Regex::new(&pattern).ok();
    let odd = oddness(KEYWORD_TABLES);
    let mut found = Vec::new();
    for number in 0..DRAWN {
        if open.is_empty() {
            break;
        }
        let line = drawn(row, &pattern, matcher.as_ref(), number, &odd, &mut dice);
        let as_is = own(&line);
        let undecided = open.len();
        open.retain_mut(|(alone, change, tried)| {
            if *tried >= TRIED || alone(&line) == as_is {
                return true;
            }
            *tried += 1;
            let differs = redactor(&change.tables)(&line) != all(&line);
            if differs {
                decided.insert(change.name.clone());
            }
            !differs
        });
        if open.len() < undecided {
            found.push(line);
        }
    }
    found
}

/// The tables with one form only; with none if it is gone.
fn alone(tables: &KeywordTables, place: usize, row: &SecretRow) -> KeywordTables {
    let is_gone = tables.secrets.len() < KEYWORD.secrets.len();
    let kept = tables.secrets.get(place).copied().unwrap_or(*row);
    KeywordTables { secrets: list((!is_gone).then_some(kept).into_iter().collect()), ..*tables }
}

fn list<T>(entries: Vec<T>) -> &'static [T] {
    Box::leak(entries.into_boxed_slice())
}

fn longer(text: &str) -> &'static str {
    Box::leak(format!("{text}~").into_boxed_str())
}

/// The tables with each value of a form changed, and with what it refers to changed.
fn changes(place: usize, row: SecretRow) -> Vec<Change> {
    let mut all = Vec::new();
    let mut add = |name: String, tables: KeywordTables| all.push(Change { name, tables });
    let with = |other: Option<SecretRow>| {
        let mut rows = KEYWORD.secrets.to_vec();
        rows.splice(place..=place, other);
        KeywordTables { secrets: list(rows), ..*KEYWORD_TABLES }
    };
    let own = |what: &str| format!("{place} {what}");
    add(own("removed"), with(None));
    add(own("pattern"), with(Some(SecretRow { pattern: longer(row.pattern), ..row })));
    add(own("named"), with(Some(SecretRow { named: !row.named, ..row })));
    add(own("more odd"), with(Some(SecretRow { odd: row.odd + 1, ..row })));
    if let Some(odd) = row.odd.checked_sub(1) {
        add(own("less odd"), with(Some(SecretRow { odd, ..row })));
    }
    for number in 0..row.unless.len() {
        let mut unless = row.unless.to_vec();
        unless.remove(number);
        add(
            own(&format!("unless {number}")),
            with(Some(SecretRow { unless: list(unless), ..row })),
        );
    }
    let referred =
        |one: &NamedPattern| row.unless.contains(&one.name) || (row.named && one.name == "name");
    for (number, harmless) in with_longer(KEYWORD.harmless, referred) {
        add(format!("harmless {number}"), KeywordTables { harmless, ..*KEYWORD_TABLES });
    }
    let pattern = with_words(row.pattern);
    for (number, words) in with_longer(KEYWORD.words, |one| pattern.contains(one.pattern)) {
        add(format!("word {number}"), KeywordTables { words, ..*KEYWORD_TABLES });
    }
    if row.odd > 0 {
        for number in 0..KEYWORD.usual_pairs.len() {
            let mut pairs = KEYWORD.usual_pairs.to_vec();
            pairs.remove(number);
            add(
                format!("pair {number}"),
                KeywordTables { usual_pairs: list(pairs), ..*KEYWORD_TABLES },
            );
            let mut pairs = KEYWORD.usual_pairs.to_vec();
            if number + 1 < pairs.len() {
                pairs.swap(number, number + 1);
            }
            add(
                format!("pairs {number}"),
                KeywordTables { usual_pairs: list(pairs), ..*KEYWORD_TABLES },
            );
        }
    }
    all
}

/// The tables as they are.
const KEYWORD_TABLES: &KeywordTables = &KEYWORD;

/// The list with each of these patterns longer.
fn with_longer(
    patterns: &'static [NamedPattern],
    is_meant: impl Fn(&NamedPattern) -> bool,
) -> Vec<(usize, &'static [NamedPattern])> {
    let meant = patterns.iter().enumerate().filter(|(_, one)| is_meant(one));
    let changed = meant.map(|(number, one)| {
        let mut other = patterns.to_vec();
        let pattern = longer(one.pattern);
        other.splice(number..=number, [NamedPattern { pattern, ..*one }]);
        (number, list(other))
    });
    changed.collect()
}

/// A pattern with the words that it names.
fn with_words(pattern: &str) -> String {
    let mut written = pattern.to_owned();
    for _ in 0..8 {
        for word in KEYWORD.words {
            written = written.replace(&format!("%{}%", word.name), word.pattern);
        }
    }
    written
}

/// A line of the form, or one with another value or name in it.
fn drawn(
    row: &SecretRow,
    pattern: &str,
    matcher: Option<&Regex>,
    number: usize,
    odd: &dyn Fn(&str) -> u64,
    dice: &mut Dice,
) -> String {
    let line = example(pattern, dice).replace('\n', " ");
    let Some(matcher) = matcher.filter(|_| !number.is_multiple_of(6)) else { return line };
    let mut captures = matcher.create_captures();
    matcher.captures(line.as_bytes(), &mut captures);
    let groups: Vec<_> = captures.iter().skip(1).collect();
    let mut groups = groups.into_iter();
    let name = if row.named { groups.next().flatten() } else { None };
    let value = groups.flatten().next().or_else(|| captures.get_match().map(|one| one.span()));
    let unless = row.unless.get(dice.below(row.unless.len())).copied().unwrap_or_default();
    let of_name = |name: &str| {
        KEYWORD.harmless.iter().find(|one| one.name == name).map_or("", |one| one.pattern)
    };
    let harmless = example(of_name(unless), dice).replace('\n', " ");
    let (place, text) = match number % 6 {
        1 if unless == "before" => return format!("{harmless}{line}"),
        1 => (value, harmless),
        2 => (value, odd_by(odd, row.odd, dice)),
        3 => (value, odd_by(odd, row.odd.saturating_sub(1), dice)),
        4 if row.named => (name, example(of_name("name"), dice)),
        4 => (value, format!("{harmless}{}", odd_by(odd, row.odd + 40, dice))),
        _ => (value, odd_by(odd, row.odd + 60, dice)),
    };
    match place.and_then(|place| Some((line.get(..place.start)?, line.get(place.end..)?))) {
        Some((before, behind)) => format!("{before}{text}{behind}"),
        None => line,
    }
}

/// A text that is just so odd, if one is drawn.
fn odd_by(odd: &dyn Fn(&str) -> u64, points: u64, dice: &mut Dice) -> String {
    const WORDS: [&str; 8] = ["table", "ring", "over", "zone", "quit", "jump", "wax", "fork"];
    const SIGNS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHJKQXYZ0123456789";
    let mut text = String::new();
    for _ in 0..400 {
        text.clear();
        let most = 16 + dice.below(24);
        while text.len() < most {
            if dice.once_in(3) {
                text.push_str(dice.pick(&WORDS, ""));
            } else {
                text.push(char::from(dice.pick(SIGNS, b'x')));
            }
        }
        if odd(&text) == points {
            break;
        }
    }
    text
}
