//! Lines that the shapes of definitions decide.
//!
//! Responsible for: a line for each value of a shape that is defined at another level if the value
//! is another one, drawn from the shape's own expressions until one is found, and the same for
//! beginnings of comments. Not here: whether production agrees. Invariants: a value for which no
//! line is found has none, and is a change that `touchstone spec mutate` names.

use serde_json::json;
use touchstone_model::agent::prober;
use touchstone_model::generated::agent::AGENT;
use touchstone_model::tables::agent::{Family, Shape};

use super::super::examples::example;
use super::{NAME, wanted};
use crate::case::{Case, Entry};
use crate::dice::Dice;

/// How many lines are drawn of a shape at most.
const DRAWN: usize = 1_260;

/// How many names are.
const NAMES: usize = 200;

/// Cases of the family with this number.
pub(super) fn of_family(number: usize, family: &'static Family) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut all = Vec::new();
    for place in 0..family.shapes.len() {
        let mut dice = Dice::new(1, (number * 100 + place) as u64);
        let texts = deciding(family, place, &mut dice);
        let title = "lines that one shape of definitions decides";
        let id = format!("family-{number}-shape-{}", place + 1);
        cases.push(with_files(wanted(id, title), family, &texts));
        cases.extend(of_names(family, number, place, &mut dice));
        all.extend(texts);
    }
    let title = "lines behind what comments of a family begin with";
    let commented = wanted(format!("family-{number}-comments"), title);
    cases.push(with_files(commented, family, &behind_comments(family, &all)));
    let title = "one line in files of each ending and name of a family";
    let mut named = wanted(format!("family-{number}-names"), title);
    let text = all.first().map(String::as_str).unwrap_or_default();
    for (number, ending) in family.endings.iter().enumerate() {
        named = named.with(Entry::file(format!("e{number}.{ending}"), text));
    }
    for name in family.names {
        named = named.with(Entry::file(*name, text));
    }
    cases.push(named);
    cases
}

/// A file of the family for each text.
fn with_files(case: Case, family: &Family, texts: &[String]) -> Case {
    texts.iter().enumerate().fold(case, |case, (number, text)| {
        let name = match family.endings.first() {
            Some(ending) => format!("f{number}.{ending}"),
            None => format!("d{number}/{}", family.names.first().copied().unwrap_or("f")),
        };
        case.with(Entry::file(name, text.as_str()))
    })
}

/// For each other family the first of the texts that it reads otherwise, once.
fn first_deciding(
    family: &Family,
    others: &[Family],
    texts: impl Iterator<Item = String>,
) -> Vec<String> {
    let level = prober(&AGENT.definitions, family, NAME);
    let mut open: Vec<_> =
        others.iter().map(|other| prober(&AGENT.definitions, other, NAME)).collect();
    let mut found = Vec::new();
    for text in texts {
        if open.is_empty() {
            break;
        }
        let own = level(&text);
        let undecided = open.len();
        open.retain(|other| other(&text) == own);
        if open.len() < undecided {
            found.push(text);
        }
    }
    found
}

/// Texts that tell a shape from one with another value, and from none.
fn deciding(family: &Family, place: usize, dice: &mut Dice) -> Vec<String> {
    let Some(shape) = family.shapes.get(place) else { return Vec::new() };
    let others = changed(family, place, others(*shape));
    let drawn = (0..DRAWN).map(|number| drawn(shape, NAME, number, dice));
    let written = WRITTEN.iter().filter(|(ending, _)| family.endings.contains(ending));
    let texts = drawn.chain(written.map(|(_, text)| (*text).to_owned()));
    first_deciding(family, &others, texts)
}

/// The family with each of these in a shape's place.
fn changed(family: &Family, place: usize, others: Vec<Option<Shape>>) -> Vec<Family> {
    let changed = others.into_iter().map(|other| {
        let mut shapes = family.shapes.to_vec();
        shapes.splice(place..=place, other);
        Family { shapes: Box::leak(shapes.into_boxed_slice()), ..*family }
    });
    changed.collect()
}

fn longer(text: &str) -> &'static str {
    Box::leak(format!("{text}~").into_boxed_str())
}

fn unless_changed(shape: Shape) -> Vec<Option<Shape>> {
    let other = |unless| Some(Shape { unless, ..shape });
    shape.unless.map_or_else(Vec::new, |unless| vec![other(None), other(Some(longer(unless)))])
}

/// The shape with each value changed; none at all too.
fn others(shape: Shape) -> Vec<Option<Shape>> {
    let mut others = vec![
        None,
        Some(Shape { before: longer(shape.before), ..shape }),
        Some(Shape { after: longer(shape.after), ..shape }),
        Some(Shape { body: !shape.body, ..shape }),
    ];
    others.extend(unless_changed(shape));
    if let Some(inside) = shape.inside {
        others.push(Some(Shape { inside: None, ..shape }));
        others.push(Some(Shape { inside: Some(longer(inside)), ..shape }));
    }
    others
}

/// A text that is of the shape, or nearly.
fn drawn(shape: &Shape, name: &str, number: usize, dice: &mut Dice) -> String {
    let mut of = |pattern: &str| example(pattern, dice).replace('\n', " ");
    let (before, after) = (of(shape.before), of(shape.after));
    let unless = of(shape.unless.unwrap_or_default());
    let above = match number % 3 {
        0 => shape.inside.map_or_else(String::new, |inside| format!("{}\n", of(inside))),
        1 => String::new(),
        _ => "x {\n".to_owned(),
    };
    let line = match number / 3 % 4 {
        0 | 1 => format!("{before}{name}{after}"),
        2 => format!("{unless} {before}{name}{after}"),
        _ => format!("{unless}{before}{name}{after}"),
    };
    let line = match number / 12 % 7 {
        0 => line,
        1 => format!("{line} {{"),
        2 => format!("{line};"),
        3 => format!("{line}) {{"),
        4 => format!("{line}\n) {{"),
        5 => format!("{before}{name}{unless}{after}"),
        _ => format!("{line}{unless}"),
    };
    format!("{above}{line}\n")
}

/// A case for each exception that only names meet, such as a keyword that no shape defines.
fn of_names(family: &'static Family, number: usize, place: usize, dice: &mut Dice) -> Vec<Case> {
    let Some((shape, unless)) = family.shapes.get(place).and_then(|one| Some((one, one.unless?)))
    else {
        return Vec::new();
    };
    let others = changed(family, place, unless_changed(*shape));
    let mut cases = Vec::new();
    for other in &others {
        for round in 0..NAMES {
            let written = example(unless, dice);
            let name = written.trim();
            if name.len() < 2 || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                continue;
            }
            let text = drawn(shape, name, round / 3 * 12 + round % 3, dice);
            let [own, changed] =
                [family, other].map(|family| prober(&AGENT.definitions, family, name)(&text));
            if own != changed {
                let id = format!("family-{number}-shape-{}-name-{}", place + 1, cases.len());
                let request = json!({"query": name, "max_results": 200});
                let case = Case::of(id, "a name that a shape leaves out", "search_text", request);
                cases.push(with_files(case, family, &[text]));
                break;
            }
        }
    }
    cases
}

/// Lines behind each beginning of a comment, and below one that would enclose them.
fn behind_comments(family: &Family, texts: &[String]) -> Vec<String> {
    let mut others = Vec::new();
    let mut candidates = Vec::new();
    for (place, comment) in family.comments.iter().enumerate() {
        for other in [None, Some(longer(comment))] {
            let mut comments = family.comments.to_vec();
            comments.splice(place..=place, other);
            others.push(Family { comments: Box::leak(comments.into_boxed_slice()), ..*family });
        }
        for text in texts {
            let text = text.trim_end_matches('\n');
            let (above, line) = text.rsplit_once('\n').unwrap_or(("", text));
            let above = if above.is_empty() { String::new() } else { format!("{above}\n") };
            candidates.push(format!("{above}{comment}{line}\n"));
            candidates.push(format!("{above}{comment} {line}\n"));
            candidates.push(format!("{above}  {comment}{line}\n"));
            candidates.push(format!("{above}{comment}x\n{line}\n"));
        }
    }
    first_deciding(family, &others, candidates.into_iter())
}

/// Lines that no draw finds, by the ending of their family.
const WRITTEN: [(&str, &str); 2] =
    [("c", "struct wantedName;\n"), ("js", "Object.defineProperty(exports, 'wantedName', {\n")];
