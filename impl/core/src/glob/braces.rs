//! Parses braces into an automaton, and counts and validates expansions without writing them out.

use super::{
    Dialect, Glob, GlobError, MAX_EXPANSIONS,
    automaton::{Automaton, Op},
    class, first_unit,
};

/// Open braces.
struct OpenBraces {
    /// The choice between the current branch and the next.
    choice: usize,
    /// The first pending jump past these braces.
    first_jump: usize,
    /// Number of expansions of the earlier branches.
    before: u64,
    /// Number of expansions of what precedes the braces.
    outside: u64,
}

/// Parses a glob with braces; `None` if it has none.
pub(super) fn read(text: &[u8]) -> Result<Option<Automaton>, GlobError> {
    if !text.iter().any(|byte| matches!(byte, b'{' | b'}')) {
        return Ok(None);
    }
    let (ops, has_braces) = operations(text)?;
    if has_braces { Automaton::new(text, ops).map(Some) } else { Ok(None) }
}

/// The operations of a glob, and whether it has braces.
#[expect(clippy::too_many_lines, reason = "one branch for each character")]
pub(super) fn operations(text: &[u8]) -> Result<(Vec<Op>, bool), GlobError> {
    let mut ops = Vec::new();
    let mut open: Vec<OpenBraces> = Vec::new();
    let mut jumps: Vec<usize> = Vec::new();
    let mut expansions = 1_u64;
    let mut has_braces = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let here = ops.len();
        at += 1;
        match (byte, open.last_mut()) {
            (b'\\', _) => {
                let rest = text
                    .get(at..)
                    .filter(|rest| !rest.is_empty())
                    .ok_or(GlobError::DanglingEscape)?;
                let (unit, length) = first_unit(rest, Dialect::Request);
                ops.push(if rest.starts_with(b"/") { Op::EscapedSlash } else { Op::Unit(unit) });
                at += length;
            }
            (b'[', _) => {
                let end = class::class_end(text, at - 1, Dialect::Request)
                    .ok_or(GlobError::UnclosedClass)?;
                class::check(text.get(at..end).unwrap_or_default(), Dialect::Request)?;
                ops.push(Op::Class(number(at)?));
                at = end + 1;
            }
            (b'{', _) => {
                has_braces = true;
                open.push(OpenBraces {
                    choice: here,
                    first_jump: jumps.len(),
                    before: 0,
                    outside: expansions,
                });
                ops.push(Op::Jump(0));
                expansions = 1;
            }
            (b',', Some(braces)) => {
                jumps.push(here);
                set(&mut ops, braces.choice, Op::Split(number(here + 1)?));
                braces.choice = here + 1;
                braces.before = braces.before.saturating_add(expansions);
                ops.extend([Op::Jump(0), Op::Jump(0)]);
                expansions = 1;
            }
            (b'}', None) => return Err(GlobError::UnopenedAlternatives),
            (b'}', Some(braces)) => {
                // The last branch needs no choice.
                let (only, first_jump) = (number(braces.choice + 1)?, braces.first_jump);
                set(&mut ops, braces.choice, Op::Jump(only));
                expansions =
                    braces.before.saturating_add(expansions).saturating_mul(braces.outside);
                for jump in jumps.drain(first_jump..) {
                    set(&mut ops, jump, Op::Jump(number(here)?));
                }
                open.pop();
            }
            (b'?', _) => ops.push(Op::One),
            (b'*', _) => ops.push(Op::Star),
            (b'/', _) => ops.push(Op::Slash),
            (b'.', _) => ops.push(Op::Dot),
            _ => {
                let (unit, length) =
                    first_unit(text.get(at - 1..).unwrap_or_default(), Dialect::Request);
                ops.push(Op::Unit(unit));
                at += length - 1;
            }
        }
    }
    if !open.is_empty() {
        return Err(GlobError::UnclosedAlternatives);
    }
    if expansions > MAX_EXPANSIONS {
        return Err(GlobError::TooManyAlternatives);
    }
    Ok((ops, has_braces))
}

/// The expansions of a glob with one pair of braces, without escapes or classes: matching them one
/// by one takes less than the automaton.
pub(super) fn few(text: &[u8]) -> Option<Box<[Glob]>> {
    const MOST: usize = 8;
    if text.iter().any(|byte| matches!(byte, b'\\' | b'[')) {
        return None;
    }
    let (before, rest) = text.split_at(text.iter().position(|byte| *byte == b'{')?);
    let (inside, after) = rest.split_at(rest.iter().position(|byte| *byte == b'}')?);
    let (inside, after) = (inside.get(1..)?, after.get(1..)?);
    let is_one = !inside.contains(&b'{') && !after.contains(&b'{');
    let branches: Vec<&[u8]> = inside.split(|byte| *byte == b',').collect();
    if !is_one || branches.len() > MOST {
        return None;
    }
    let expansion = |branch| Glob::parse(&[before, branch, after].concat(), Dialect::Request).ok();
    branches.into_iter().map(expansion).collect()
}

fn set(ops: &mut [Op], at: usize, op: Op) {
    if let Some(place) = ops.get_mut(at) {
        *place = op;
    }
}

/// A longer glob would have too many branches.
fn number(at: usize) -> Result<u32, GlobError> {
    u32::try_from(at).map_err(|_| GlobError::TooManyAlternatives)
}
