//! The match of a pattern in a line: acceptable regular expressions, case and word rules (section
//! 4).
//!
//! A line is matched on its own, leftmost-first, by the simulation of one Thompson NFA: no DFA, no
//! prefilter, no literal search.

use regex_automata::Input;
use regex_automata::nfa::thompson::{self, NFA, pikevm};
use regex_automata::util::captures::Captures;
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{Hir, Look};

use crate::fold::{self, Fold};
use crate::fuzzy::Fuzzy;
use crate::place;
use crate::request::{Case, Request};

/// The leftmost match in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    /// 1-based byte offset in the lossily decoded line (FR-LS-04b, E-E02).
    pub(crate) column: u64,
    /// The matched text, lossily decoded.
    pub(crate) text: String,
}

#[derive(Debug)]
pub(crate) enum Matcher {
    Expression(pikevm::PikeVM),
    Fuzzy(Fuzzy),
}

/// Scratch memory of a matcher for the lines of one file.
#[derive(Debug)]
pub(crate) struct Scratch(Option<(pikevm::Cache, Captures)>);

/// The matcher of a request; `None` if its regular expression is not acceptable (FR-LS-SRC-02,
/// E-E10).
pub(crate) fn compile(request: &Request, automaton_bytes: u64) -> Option<Matcher> {
    let pattern = &request.pattern;
    if let (true, Some(level)) = (request.fixed_strings, request.fuzzy) {
        let sensitive = case_of_literal(pattern, request.case, request.folded) == Fold::None;
        return Some(Matcher::Fuzzy(Fuzzy::new(pattern, level, sensitive, request.word_regexp)));
    }
    let expression = if request.fixed_strings {
        literal(pattern, request.case, request.folded)
    } else {
        expression(pattern, request.case, request.folded)?
    };
    let whole = if request.word_regexp { as_word(expression) } else { expression };
    automaton(&whole, automaton_bytes).map(Matcher::Expression)
}

/// `folded` is what the insensitive mode folds.
pub(crate) fn literal(pattern: &str, case: Case, folded: Fold) -> Hir {
    fold::literal(pattern, case_of_literal(pattern, case, folded))
}

/// A regular expression; `None` if it is not acceptable.
pub(crate) fn expression(pattern: &str, case: Case, folded: Fold) -> Option<Hir> {
    let parsed = acceptable(pattern)?;
    fold::expression(&parsed, case_of_expression(case, folded, &parsed))
}

/// The automaton of an expression; `None` if it is larger than `most` bytes.
pub(crate) fn automaton(expression: &Hir, most: u64) -> Option<pikevm::PikeVM> {
    let limits = thompson::Config::new()
        .utf8(false)
        .nfa_size_limit(Some(usize::try_from(most).unwrap_or(usize::MAX)));
    let nfa: NFA = thompson::Compiler::new().configure(limits).build_from_hir(expression).ok()?;
    pikevm::PikeVM::new_from_nfa(nfa).ok()
}

/// `\b{start-half}(?:expression)\b{end-half}` (E-E11).
fn as_word(expression: Hir) -> Hir {
    Hir::concat(vec![
        Hir::look(Look::WordStartHalfUnicode),
        expression,
        Hir::look(Look::WordEndHalfUnicode),
    ])
}

/// The syntax tree of a regular expression; `None` if it does not parse, can match invalid UTF-8,
/// or has an LF as a literal outside a class (E-A07, E-A20, E-E07).
pub(crate) fn acceptable(pattern: &str) -> Option<Ast> {
    let parsed = ast::parse::Parser::new().parse(pattern).ok()?;
    TranslatorBuilder::new().utf8(true).build().translate(pattern, &parsed).ok()?;
    (!literals(&parsed).contains(&'\n')).then_some(parsed)
}

/// The folding of a literal.
pub(crate) fn case_of_literal(pattern: &str, case: Case, folded: Fold) -> Fold {
    fold_of(case, folded, || pattern.chars().any(|character| is_capital(character, folded)))
}

fn case_of_expression(case: Case, folded: Fold, parsed: &Ast) -> Fold {
    fold_of(case, folded, || {
        let mut written = literals(parsed);
        written.extend(class_literals(parsed));
        written.into_iter().any(|character| is_capital(character, folded))
    })
}

/// Smart case depends on the literals of the pattern, not on its escapes (E-F11).
fn fold_of(case: Case, folded: Fold, has_capital: impl FnOnce() -> bool) -> Fold {
    match case {
        Case::Sensitive => Fold::None,
        Case::Smart if has_capital() => Fold::None,
        Case::Smart | Case::Insensitive => folded,
    }
}

/// A capital of the letters that are folded.
fn is_capital(character: char, folded: Fold) -> bool {
    character.is_ascii_uppercase() || folded == Fold::Unicode && character.is_uppercase()
}

/// The literal characters of an expression outside classes, however spelled.
pub(crate) fn literals(parsed: &Ast) -> Vec<char> {
    match parsed {
        Ast::Literal(literal) => vec![literal.c],
        _ => parts(parsed).into_iter().flat_map(literals).collect(),
    }
}

/// The literal characters in the classes of an expression: members and ends of ranges.
pub(crate) fn class_literals(parsed: &Ast) -> Vec<char> {
    match parsed {
        Ast::ClassBracketed(class) => set_literals(&class.kind),
        _ => parts(parsed).into_iter().flat_map(class_literals).collect(),
    }
}

/// The direct subexpressions.
fn parts(parsed: &Ast) -> Vec<&Ast> {
    match parsed {
        Ast::Repetition(repetition) => vec![&repetition.ast],
        Ast::Group(group) => vec![&group.ast],
        Ast::Alternation(alternation) => alternation.asts.iter().collect(),
        Ast::Concat(concat) => concat.asts.iter().collect(),
        Ast::Empty(_)
        | Ast::Flags(_)
        | Ast::Literal(_)
        | Ast::Dot(_)
        | Ast::Assertion(_)
        | Ast::ClassUnicode(_)
        | Ast::ClassPerl(_)
        | Ast::ClassBracketed(_) => Vec::new(),
    }
}

fn set_literals(set: &ast::ClassSet) -> Vec<char> {
    match set {
        ast::ClassSet::BinaryOp(operation) => {
            [set_literals(&operation.lhs), set_literals(&operation.rhs)].concat()
        }
        ast::ClassSet::Item(item) => item_literals(item),
    }
}

fn item_literals(item: &ast::ClassSetItem) -> Vec<char> {
    use ast::ClassSetItem as Item;
    match item {
        Item::Literal(literal) => vec![literal.c],
        Item::Range(range) => vec![range.start.c, range.end.c],
        Item::Bracketed(class) => set_literals(&class.kind),
        Item::Union(union) => union.items.iter().flat_map(item_literals).collect(),
        Item::Empty(_) | Item::Ascii(_) | Item::Unicode(_) | Item::Perl(_) => Vec::new(),
    }
}

impl Matcher {
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch(match self {
            Matcher::Expression(machine) => {
                let captures = Captures::matches(machine.get_nfa().group_info().clone());
                Some((machine.create_cache(), captures))
            }
            Matcher::Fuzzy(_) => None,
        })
    }

    /// The leftmost match in a line. An expression sees the line's bytes, a fuzzy literal its
    /// characters.
    pub(crate) fn find(&self, line: &[u8], scratch: &mut Scratch) -> Option<Hit> {
        match (self, &mut scratch.0) {
            (Matcher::Expression(machine), Some((cache, captures))) => {
                machine.search(cache, &Input::new(line), captures);
                let found = captures.get_match()?;
                let before = place::lossy(line.get(..found.start())?);
                Some(Hit {
                    column: column_after(&before),
                    text: place::lossy(line.get(found.range())?),
                })
            }
            (Matcher::Expression(_), None) => None,
            (Matcher::Fuzzy(fuzzy), _) => {
                let (before, text) = fuzzy.find(&place::lossy(line))?;
                Some(Hit { column: column_after(&before), text })
            }
        }
    }
}

/// The column after this prefix of an emitted line.
fn column_after(before: &str) -> u64 {
    u64::try_from(before.len()).unwrap_or(u64::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests;
