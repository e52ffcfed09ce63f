//! Where RE/flex takes an anchor or a boundary.
//!
//! Responsible for: [`misplaced`], by the table of patterns in ugrep's README ("nothing may occur
//! before `^`", "nothing may occur after `$`", for boundaries one of both).
//! Not here: how an assertion is written ([`super::Writer`]).
//! Invariants: what is accepted stands at an edge of the pattern and beside an expression, or is an
//! anchor that is the whole pattern.

use regex_syntax::ast::{Assertion, AssertionKind, Ast};

use super::is_hollow;

/// Whether something stands before and behind a piece.
#[derive(Debug, Clone, Copy)]
struct Around {
    before: bool,
    behind: bool,
}

/// The name of what stands where its meaning is not defined; nothing if there is no such thing.
pub(super) fn misplaced(tree: &Ast) -> Option<&'static str> {
    match tree {
        Ast::Assertion(_) if is_boundary(tree) => Some("a boundary alone"),
        Ast::Concat(concat) if is_hollow(tree) && concat.asts.iter().any(is_boundary) => {
            Some("a boundary alone")
        }
        Ast::Assertion(_) => None,
        Ast::Flags(_) => Some("flags alone"),
        _ => find(tree, Around { before: false, behind: false }),
    }
}

fn find(node: &Ast, around: Around) -> Option<&'static str> {
    let alone = |part: &Ast| (!matches!(part, Ast::Empty(_)) && is_hollow(part)).then_some(ALONE);
    match node {
        Ast::Assertion(assertion) => at(assertion, around),
        Ast::Concat(concat) => {
            let last = concat.asts.len().saturating_sub(1);
            concat.asts.iter().enumerate().find_map(|(index, part)| {
                let before = around.before || index > 0;
                find(part, Around { before, behind: around.behind || index < last })
            })
        }
        Ast::Alternation(list) => {
            list.asts.iter().find_map(|part| alone(part).or_else(|| find(part, around)))
        }
        Ast::Group(group) => alone(&group.ast).or_else(|| find(&group.ast, around)),
        // What is repeated stands behind itself.
        Ast::Repetition(repetition) => find(&repetition.ast, Around { before: true, behind: true }),
        _ => None,
    }
}

const ALONE: &str = "an anchor or a boundary alone in its group or alternative";

fn at(assertion: &Assertion, Around { before, behind }: Around) -> Option<&'static str> {
    match assertion.kind {
        AssertionKind::StartLine | AssertionKind::StartText => before.then_some("`^` inside"),
        AssertionKind::EndLine | AssertionKind::EndText => behind.then_some("`$` inside"),
        _ => (before && behind).then_some("a boundary inside"),
    }
}

fn is_boundary(node: &Ast) -> bool {
    let Ast::Assertion(assertion) = node else { return false };
    !matches!(
        assertion.kind,
        AssertionKind::StartLine
            | AssertionKind::EndLine
            | AssertionKind::StartText
            | AssertionKind::EndText
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_needs_an_expression_beside_it_and_flags_are_none() {
        let of =
            |pattern| misplaced(&regex_syntax::ast::parse::Parser::new().parse(pattern).unwrap());
        for pattern in [r"\b", r"(?i)\b", r"^\b"] {
            assert_eq!(of(pattern), Some("a boundary alone"), "{pattern}");
        }
        for pattern in [r"\ba", "^", "^$"] {
            assert_eq!(of(pattern), None, "{pattern}");
        }
    }
}
