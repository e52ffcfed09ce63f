//! A reference implementation of braces: it writes out every expansion and parses each on its own.
//! Small random globs compare it with the automaton and with the matcher of globs without braces.

use std::collections::BTreeSet;

use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any, prop_oneof, proptest},
    sample::select,
};

use super::*;

/// The expansions of a text; `None` if a brace is unclosed.
fn expansions(text: &[char]) -> Option<Vec<Vec<char>>> {
    let unit = unit_length(text)?;
    let (first, rest) = text.split_at(unit);
    let after = |beginnings: &[Vec<char>], rest: &[char]| {
        let endings = expansions(rest)?;
        let each = |start: &Vec<char>| {
            endings.iter().map(|end| [&start[..], end].concat()).collect::<Vec<_>>()
        };
        Some(beginnings.iter().flat_map(each).collect())
    };
    match first {
        [] => Some(vec![Vec::new()]),
        ['}'] => None,
        ['{'] => {
            let (mut at, mut depth, mut start, mut branches) = (0, 0, 0, Vec::new());
            loop {
                match (rest.get(at)?, depth) {
                    ('{', _) => depth += 1,
                    ('}', 0) => break,
                    ('}', _) => depth -= 1,
                    (',', 0) => {
                        branches.push(&rest[start..at]);
                        start = at + 1;
                    }
                    _ => {}
                }
                at += unit_length(&rest[at..])?;
            }
            branches.push(&rest[start..at]);
            let inside: Option<Vec<_>> = branches.into_iter().map(expansions).collect();
            after(&inside?.concat(), &rest[at + 1..])
        }
        first => after(&[first.to_vec()], rest),
    }
}

/// The number of characters of an escape or a class.
fn unit_length(text: &[char]) -> Option<usize> {
    match text.first() {
        None => Some(0),
        Some('\\') => text.get(1).map(|_| 2),
        Some('[') => {
            let mut at = if matches!(text.get(1), Some('!' | '^')) { 2 } else { 1 };
            let first = at;
            while *text.get(at)? != ']' || at == first {
                at += unit_length_in_class(text, at);
            }
            Some(at + 1)
        }
        Some(_) => Some(1),
    }
}

fn unit_length_in_class(text: &[char], at: usize) -> usize {
    if text[at] == '\\' { 2 } else { 1 }
}

/// Whether one expansion matches; an error if it is invalid. Classes are tested elsewhere.
fn expansion_matches(text: &[char], path: &[u8], is_dir: bool) -> Result<bool, ()> {
    let text = text.strip_prefix(&['.', '/']).unwrap_or(text);
    let Some((last, before)) = text.split_last() else { return Ok(false) };
    let (dir_only, text) = if *last == '/' { (true, before) } else { (false, text) };
    let anchored = text.contains(&'/');
    let mut rest = text.strip_prefix(&['/']).unwrap_or(text);
    let mut components = vec![Vec::new()];
    while !rest.is_empty() {
        let (unit, after) = rest.split_at(unit_length(rest).ok_or(())?);
        match unit {
            ['/'] => components.push(Vec::new()),
            unit => components.last_mut().unwrap().push(unit),
        }
        rest = after;
    }
    let subject = if anchored { path } else { base_name(path) };
    let names: Vec<&[u8]> = subject.split(|byte| *byte == b'/').collect();
    Ok((is_dir || !dir_only) && path_matches(&components, &names))
}

fn path_matches(components: &[Vec<&[char]>], names: &[&[u8]]) -> bool {
    let Some((first, rest)) = components.split_first() else { return names.is_empty() };
    if first.len() > 1 && first.iter().all(|unit| *unit == ['*']) {
        return if rest.is_empty() {
            !names.is_empty()
        } else {
            (0..=names.len()).any(|taken| path_matches(rest, &names[taken..]))
        };
    }
    names
        .split_first()
        .is_some_and(|(name, names)| name_matches(first, name) && path_matches(rest, names))
}

fn name_matches(units: &[&[char]], name: &[u8]) -> bool {
    let Some((first, rest)) = units.split_first() else { return name.is_empty() };
    let (unit, length) = first_unit(name, Dialect::Request);
    match first {
        ['*'] => {
            name_matches(rest, name) || !name.is_empty() && name_matches(units, &name[length..])
        }
        _ if name.is_empty() => false,
        ['?'] => name_matches(rest, &name[length..]),
        ['[', body @ .., ']'] => {
            let body: String = body.iter().collect();
            class::holds(body.as_bytes(), unit, Dialect::Request)
                && name_matches(rest, &name[length..])
        }
        ['\\', literal] | [literal] => {
            u32::from(*literal) == unit && name_matches(rest, &name[length..])
        }
        _ => false,
    }
}

/// Whether a glob matches each of some paths; `None` if it is invalid.
fn said(text: &str, paths: &[(Vec<u8>, bool)]) -> Option<Vec<bool>> {
    if text.is_empty() || text == "./" || text.starts_with('!') {
        return None;
    }
    let all = expansions(&text.chars().collect::<Vec<_>>())?;
    if all.len() as u64 > MAX_EXPANSIONS {
        return None;
    }
    // Each distinct expansion once; they are refused together.
    let all: BTreeSet<Vec<char>> = all.into_iter().collect();
    let mut said = vec![false; paths.len()];
    for expansion in &all {
        for (said, (path, is_dir)) in said.iter_mut().zip(paths) {
            *said |= expansion_matches(expansion, path, *is_dir).ok()?;
        }
    }
    Some(said)
}

fn agree(glob: &str, paths: &[(Vec<u8>, bool)]) {
    let read = Glob::parse(glob.as_bytes(), Dialect::Request).ok();
    let matched = read.map(|glob| {
        let matches =
            |(path, is_dir): &(Vec<u8>, bool)| glob.matches(path, *is_dir, &Cancellation::never());
        paths.iter().map(matches).collect::<Vec<_>>()
    });
    assert_eq!(matched, said(glob, paths), "`{glob}` on {paths:?}");
}

/// Well-formed braces around what has a meaning at ends, at slashes, and in runs.
fn glob() -> impl Strategy<Value = String> {
    let leaf = select(vec![
        "a", "b", ".", "/", "/", "*", "*", "?", "[ab]", "[!a]", "[/]", "é", "./", r"\a", r"\.",
        r"\/", "", "{,}", "**/",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..5).prop_map(|parts| parts.concat()),
            vec(inner, 1..4).prop_map(|branches| format!("{{{}}}", branches.join(","))),
        ]
    })
}

/// Arbitrary text.
fn rubbish() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "a", "b", ".", "/", "*", "**/", "?", "{", ",", "}", "{a,", "/}", "{./,", "[ab]", "[", "]",
        "!", "\\", r"\/",
    ]);
    vec(pieces, 0..9).prop_map(|pieces| pieces.concat())
}

fn path() -> impl Strategy<Value = (Vec<u8>, bool)> {
    let odd =
        select(vec![&b".a"[..], b"c", "é".as_bytes(), b"\xff", b"\xe2\x82", b"{", b",", b"*"]);
    let odd = vec(odd, 1..3).prop_map(|parts| parts.concat());
    let name =
        prop_oneof![3 => select(vec![b"a".to_vec(), b"b".to_vec(), b"ab".to_vec()]), 2 => odd];
    (vec(name, 1..5).prop_map(|names| names.join(&b'/')), any::<bool>())
}

proptest! {
    #[test]
    fn a_glob_equals_the_union_of_its_expansions(glob in glob(), paths in vec(path(), 8)) {
        agree(&glob, &paths);
    }

    #[test]
    fn a_leading_double_star_agrees_with_the_reference(glob in glob(), paths in vec(path(), 8)) {
        agree(&format!("**/{glob}"), &paths);
    }

    #[test]
    fn malformed_globs_are_refused_as_by_the_reference(glob in rubbish(), paths in vec(path(), 4)) {
        agree(&glob, &paths);
    }

    #[test]
    fn the_number_of_expansions_is_limited_as_in_the_reference(
        groups in vec(select(vec!["{a,b}", "{a,b,c}", "{a,{b,c}}", "{,,,}", "x", "{{a,b},{c,d}}"]), 0..7),
        path in Just((b"ab".to_vec(), false)),
    ) {
        agree(&groups.concat(), &[path]);
    }
}
