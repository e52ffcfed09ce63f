//! Translates a syntax tree into an expression with ASCII case folding.
//!
//! Folding works as `(?i)` does in `regex-syntax`, but with a-z and A-Z as the only pairs: literals
//! and class items are closed under folding before set operations and negation. Inline flags apply
//! in their scope: `(?i)` folds as Unicode does, `(?-i)` does not fold (FR-LS-SRC-04, E-F10).
//! Precondition: `regex-syntax` translates the tree with UTF-8 on. Then classes of `(?-u)` scopes
//! are ASCII only, so all classes here are sets of scalar values.

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{
    Capture, Class, ClassUnicode, ClassUnicodeRange, Dot, Hir, HirKind, Look, Repetition,
};

/// Which characters are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    /// Only identical ones.
    None,
    /// The two cases of an ASCII letter.
    Ascii,
    /// Unicode's simple case folding, as inside `(?i)`.
    Unicode,
}

/// The flags in force at a place in an expression.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag letter")]
struct Flags {
    fold: Fold,
    multi_line: bool,
    dot_matches_new_line: bool,
    swap_greed: bool,
    unicode: bool,
    crlf: bool,
    /// Whether a line ends before a CR too, which is a character all the same.
    ends_before_cr: bool,
    /// Whether word boundaries, and `\w \d \s`, are ASCII only.
    ascii: Ascii,
}

/// Where a dialect is ASCII only; the documents' dialect is Unicode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ascii {
    pub(crate) boundaries: bool,
    pub(crate) classes: bool,
}

pub(crate) fn literal(text: &str, fold: Fold) -> Hir {
    let flags = Flags::new(fold);
    Hir::concat(text.chars().map(|character| flags.character(character)).collect())
}

/// The expression of a syntax tree; `None` if it is not acceptable.
pub(crate) fn expression(parsed: &Ast, fold: Fold) -> Option<Hir> {
    Flags::new(fold).translate(parsed)
}

/// The same for a dialect that is ASCII only in places. With `ends_before_cr`, a line ends before a
/// CR too.
pub(crate) fn expression_in(
    parsed: &Ast,
    fold: Fold,
    ascii: Ascii,
    ends_before_cr: bool,
) -> Option<Hir> {
    Flags { ascii, ends_before_cr, multi_line: ends_before_cr, ..Flags::new(fold) }
        .translate(parsed)
}

impl Flags {
    fn new(fold: Fold) -> Flags {
        Flags {
            fold,
            multi_line: false,
            dot_matches_new_line: false,
            swap_greed: false,
            unicode: true,
            crlf: false,
            ends_before_cr: false,
            ascii: Ascii::default(),
        }
    }

    /// Translates a part of the tree. Its flags apply to what follows in the same group.
    fn translate(&mut self, parsed: &Ast) -> Option<Hir> {
        Some(match parsed {
            Ast::Empty(_) => Hir::empty(),
            Ast::Flags(set) => {
                self.set(&set.flags);
                Hir::empty()
            }
            Ast::Literal(literal) => self.character(literal.c),
            Ast::Dot(_) => Hir::dot(self.dot()),
            Ast::Assertion(assertion) => Hir::look(self.look(&assertion.kind)),
            Ast::ClassUnicode(class) => of_class(self.property(class)?),
            Ast::ClassPerl(class) => of_class(self.perl(class)?),
            Ast::ClassBracketed(class) => of_class(self.bracketed(class)?),
            Ast::Repetition(repetition) => {
                let inner = self.translate(&repetition.ast)?;
                self.repeat(repetition, inner)
            }
            Ast::Group(group) => self.group(group)?,
            Ast::Alternation(alternation) => Hir::alternation(self.each(&alternation.asts)?),
            Ast::Concat(concat) => Hir::concat(self.each(&concat.asts)?),
        })
    }

    fn each(&mut self, parts: &[Ast]) -> Option<Vec<Hir>> {
        parts.iter().map(|part| self.translate(part)).collect()
    }

    /// A group's flags, and those set inside it, end with it.
    fn group(self, group: &ast::Group) -> Option<Hir> {
        let mut inside = self;
        if let Some(flags) = group.flags() {
            inside.set(flags);
        }
        let sub = inside.translate(&group.ast)?;
        Some(match &group.kind {
            ast::GroupKind::NonCapturing(_) => sub,
            ast::GroupKind::CaptureIndex(index) => {
                Hir::capture(Capture { index: *index, name: None, sub: Box::new(sub) })
            }
            ast::GroupKind::CaptureName { name, .. } => Hir::capture(Capture {
                index: name.index,
                name: Some(name.name.clone().into_boxed_str()),
                sub: Box::new(sub),
            }),
        })
    }

    fn set(&mut self, flags: &ast::Flags) {
        let mut on = true;
        for item in &flags.items {
            match item.kind {
                ast::FlagsItemKind::Negation => on = false,
                ast::FlagsItemKind::Flag(ast::Flag::CaseInsensitive) => {
                    self.fold = if on { Fold::Unicode } else { Fold::None };
                }
                ast::FlagsItemKind::Flag(ast::Flag::MultiLine) => self.multi_line = on,
                ast::FlagsItemKind::Flag(ast::Flag::DotMatchesNewLine) => {
                    self.dot_matches_new_line = on;
                }
                ast::FlagsItemKind::Flag(ast::Flag::SwapGreed) => self.swap_greed = on,
                ast::FlagsItemKind::Flag(ast::Flag::Unicode) => self.unicode = on,
                ast::FlagsItemKind::Flag(ast::Flag::CRLF) => self.crlf = on,
                // The parser has handled it.
                ast::FlagsItemKind::Flag(ast::Flag::IgnoreWhitespace) => {}
            }
        }
    }

    /// A character, or the class of its equals.
    fn character(self, character: char) -> Hir {
        let mut class = ClassUnicode::new([ClassUnicodeRange::new(character, character)]);
        self.close(&mut class);
        of_class(class)
    }

    /// Closes a class under the folding in force. Without Unicode, `(?i)` folds ASCII letters only.
    fn close(self, class: &mut ClassUnicode) {
        match self.fold {
            Fold::None => {}
            Fold::Unicode if self.unicode => class.case_fold_simple(),
            Fold::Unicode | Fold::Ascii => close_in_ascii(class),
        }
    }

    fn dot(self) -> Dot {
        match (self.dot_matches_new_line, self.crlf) {
            (true, _) => Dot::AnyChar,
            (false, true) => Dot::AnyCharExceptCRLF,
            (false, false) => Dot::AnyCharExceptLF,
        }
    }

    fn look(self, kind: &ast::AssertionKind) -> Look {
        use ast::AssertionKind as Kind;
        let ends_before_cr = self.crlf || self.ends_before_cr;
        match (kind, self.multi_line, ends_before_cr, self.unicode && !self.ascii.boundaries) {
            (Kind::StartText, ..) | (Kind::StartLine, false, ..) => Look::Start,
            (Kind::EndText, ..) | (Kind::EndLine, false, ..) => Look::End,
            // Behind a CR that ends a line no line begins, unless CR alone ends lines as well.
            (Kind::StartLine, true, ..) if self.crlf => Look::StartCRLF,
            (Kind::StartLine, true, ..) => Look::StartLF,
            (Kind::EndLine, true, false, _) => Look::EndLF,
            (Kind::EndLine, true, true, _) => Look::EndCRLF,
            (Kind::WordBoundary, .., true) => Look::WordUnicode,
            (Kind::WordBoundary, .., false) => Look::WordAscii,
            (Kind::NotWordBoundary, .., true) => Look::WordUnicodeNegate,
            (Kind::NotWordBoundary, .., false) => Look::WordAsciiNegate,
            (Kind::WordBoundaryStart | Kind::WordBoundaryStartAngle, .., true) => {
                Look::WordStartUnicode
            }
            (Kind::WordBoundaryStart | Kind::WordBoundaryStartAngle, .., false) => {
                Look::WordStartAscii
            }
            (Kind::WordBoundaryEnd | Kind::WordBoundaryEndAngle, .., true) => Look::WordEndUnicode,
            (Kind::WordBoundaryEnd | Kind::WordBoundaryEndAngle, .., false) => Look::WordEndAscii,
            (Kind::WordBoundaryStartHalf, .., true) => Look::WordStartHalfUnicode,
            (Kind::WordBoundaryStartHalf, .., false) => Look::WordStartHalfAscii,
            (Kind::WordBoundaryEndHalf, .., true) => Look::WordEndHalfUnicode,
            (Kind::WordBoundaryEndHalf, .., false) => Look::WordEndHalfAscii,
        }
    }

    fn repeat(self, repetition: &ast::Repetition, sub: Hir) -> Hir {
        use ast::{RepetitionKind as Kind, RepetitionRange as Range};
        let (min, max) = match &repetition.op.kind {
            Kind::ZeroOrOne => (0, Some(1)),
            Kind::ZeroOrMore => (0, None),
            Kind::OneOrMore => (1, None),
            Kind::Range(Range::Exactly(count)) => (*count, Some(*count)),
            Kind::Range(Range::AtLeast(min)) => (*min, None),
            Kind::Range(Range::Bounded(min, max)) => (*min, Some(*max)),
        };
        let greedy = repetition.greedy != self.swap_greed;
        Hir::repetition(Repetition { min, max, greedy, sub: Box::new(sub) })
    }

    /// A class in brackets: folded, then negated.
    fn bracketed(self, class: &ast::ClassBracketed) -> Option<ClassUnicode> {
        let mut members = self.set_members(&class.kind)?;
        self.close(&mut members);
        if class.negated {
            members.negate();
        }
        Some(members)
    }

    /// Both sides of a set operation are folded before it.
    fn set_members(self, set: &ast::ClassSet) -> Option<ClassUnicode> {
        use ast::ClassSetBinaryOpKind as Operation;
        match set {
            ast::ClassSet::Item(item) => self.item(item),
            ast::ClassSet::BinaryOp(operation) => {
                let mut left = self.set_members(&operation.lhs)?;
                let mut right = self.set_members(&operation.rhs)?;
                self.close(&mut left);
                self.close(&mut right);
                match operation.kind {
                    Operation::Intersection => left.intersect(&right),
                    Operation::Difference => left.difference(&right),
                    Operation::SymmetricDifference => left.symmetric_difference(&right),
                }
                Some(left)
            }
        }
    }

    fn item(self, item: &ast::ClassSetItem) -> Option<ClassUnicode> {
        use ast::ClassSetItem as Item;
        match item {
            Item::Empty(_) => Some(ClassUnicode::empty()),
            Item::Literal(literal) => {
                Some(ClassUnicode::new([ClassUnicodeRange::new(literal.c, literal.c)]))
            }
            Item::Range(range) => {
                Some(ClassUnicode::new([ClassUnicodeRange::new(range.start.c, range.end.c)]))
            }
            Item::Ascii(class) => self.posix(class),
            Item::Unicode(class) => self.property(class),
            Item::Perl(class) => self.perl(class),
            Item::Bracketed(class) => self.bracketed(class),
            Item::Union(union) => {
                let mut members = ClassUnicode::empty();
                for item in &union.items {
                    members.union(&self.item(item)?);
                }
                Some(members)
            }
        }
    }

    /// `\w`, `\d`, `\s` and their negations.
    fn perl(self, class: &ast::ClassPerl) -> Option<ClassUnicode> {
        if !self.ascii.classes {
            return self.leaf(ast::ClassSetItem::Perl(class.clone()));
        }
        let positive = ast::ClassPerl { negated: false, ..class.clone() };
        let mut members =
            Flags { unicode: false, ..self }.leaf(ast::ClassSetItem::Perl(positive))?;
        if class.negated {
            members.negate();
        }
        Some(members)
    }

    /// `[:alpha:]` and the like: folded, then negated.
    fn posix(self, class: &ast::ClassAscii) -> Option<ClassUnicode> {
        let mut positive = class.clone();
        positive.negated = false;
        let mut members = self.leaf(ast::ClassSetItem::Ascii(positive))?;
        self.close(&mut members);
        if class.negated {
            members.negate();
        }
        Some(members)
    }

    /// `\pL` and the like: folded, then negated.
    fn property(self, class: &ast::ClassUnicode) -> Option<ClassUnicode> {
        let mut positive = class.clone();
        positive.negated ^= class.is_negated();
        let mut members = self.leaf(ast::ClassSetItem::Unicode(positive))?;
        self.close(&mut members);
        if class.is_negated() {
            members.negate();
        }
        Some(members)
    }

    /// The scalar values of an item as `regex-syntax` translates it, without folding.
    fn leaf(self, item: ast::ClassSetItem) -> Option<ClassUnicode> {
        let span = *item.span();
        let class = ast::ClassBracketed { span, negated: false, kind: ast::ClassSet::Item(item) };
        let tree = Ast::class_bracketed(class);
        let leaf = TranslatorBuilder::new()
            .utf8(true)
            .unicode(self.unicode)
            .build()
            .translate("", &tree)
            .ok()?;
        members_of(&leaf)
    }
}

/// The characters of an expression for one character.
fn members_of(expression: &Hir) -> Option<ClassUnicode> {
    match expression.kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class.clone()),
        HirKind::Class(Class::Bytes(class)) => class.to_unicode_class(),
        HirKind::Literal(literal) => {
            let characters = std::str::from_utf8(&literal.0).ok()?.chars();
            Some(ClassUnicode::new(
                characters.map(|character| ClassUnicodeRange::new(character, character)),
            ))
        }
        HirKind::Empty
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => None,
    }
}

/// Adds the other case of every ASCII letter in the class.
fn close_in_ascii(class: &mut ClassUnicode) {
    let holds = |letter: char| {
        class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&letter))
    };
    let others: Vec<char> = ('A'..='Z')
        .chain('a'..='z')
        .filter(|letter| holds(*letter))
        .map(|letter| {
            if letter.is_ascii_lowercase() {
                letter.to_ascii_uppercase()
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect();
    for other in others {
        class.push(ClassUnicodeRange::new(other, other));
    }
}

fn of_class(class: ClassUnicode) -> Hir {
    Hir::class(Class::Unicode(class))
}

#[cfg(test)]
mod tests;
