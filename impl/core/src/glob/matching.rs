//! Components against names, without recursion: one remembered star is enough in a name, one `**` in a path.

use super::{Component, Dialect, Token, first_unit};

/// Matches components against the names of a path; `**` is tried at every length.
pub(super) fn matches_path(components: &[Component], names: &[&[u8]], dialect: Dialect) -> bool {
    // The last `**` seen and where its tail may start next; one is enough, as for stars in a name.
    let (mut at, mut name, mut retry) = (0, 0, None);
    loop {
        match components.get(at) {
            Some(Component::Any) if at + 1 == components.len() => {
                if name < names.len() {
                    return true;
                }
            }
            Some(Component::Any) => {
                at += 1;
                retry = Some((at, name));
                continue;
            }
            Some(Component::Name(tokens)) => {
                if names.get(name).is_some_and(|text| matches_name(tokens, text, dialect)) {
                    (at, name) = (at + 1, name + 1);
                    continue;
                }
            }
            None => {
                if name == names.len() {
                    return true;
                }
            }
        }
        match retry {
            Some((after, from)) if from < names.len() => {
                retry = Some((after, from + 1));
                (at, name) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

/// Matches one component; on a mismatch the last star takes one unit more.
pub(super) fn matches_name(tokens: &[Token], name: &[u8], dialect: Dialect) -> bool {
    let (mut at, mut rest) = (0, name);
    let mut retry: Option<(usize, &[u8])> = None;
    loop {
        let advanced = match tokens.get(at) {
            Some(Token::Star) => {
                at += 1;
                retry = Some((at, rest));
                continue;
            }
            Some(Token::Literal(text)) => rest.strip_prefix(text.as_slice()),
            Some(Token::One | Token::Class { .. }) if rest.is_empty() => None,
            Some(Token::One) => rest.get(first_unit(rest, dialect).1..),
            Some(Token::Class { negated, items }) => {
                let (unit, length) = first_unit(rest, dialect);
                let held = items.iter().any(|&(start, end)| start <= unit && unit <= end);
                if held == *negated { None } else { rest.get(length..) }
            }
            Some(Token::Never) => return false,
            None if rest.is_empty() => return true,
            None => None,
        };
        if let Some(after) = advanced {
            (at, rest) = (at + 1, after);
            continue;
        }
        match retry {
            Some((after, from)) if !from.is_empty() => {
                let from = from.get(first_unit(from, dialect).1..).unwrap_or_default();
                retry = Some((after, from));
                (at, rest) = (after, from);
            }
            _ => return false,
        }
    }
}
