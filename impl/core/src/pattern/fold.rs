//! ASCII case folding on the syntax tree, and the case of its literals (FR-LS-SRC-04, E-F10,
//! E-F11).
//!
//! regex-syntax folds by Unicode's rules or not at all. Here the effect of `(?i)` is written out
//! for a–z and A–Z alone: a letter becomes a class of both cases, and each class item gets the
//! letters it lacks, before negation and set operations. Scopes of an inline `(?i)` or `(?-i)` are
//! left unchanged: regex-syntax folds the former, and the latter does not fold.

use regex_syntax::{
    ast::{
        Ast, ClassAsciiKind, ClassBracketed, ClassSet, ClassSetBinaryOp, ClassSetBinaryOpKind,
        ClassSetItem, ClassSetUnion, ClassUnicode, Flag, Flags, GroupKind, Literal, LiteralKind,
        Span,
    },
    hir::{Class, ClassUnicodeRange, Hir, HirKind, translate::Translator},
};

/// The class of both cases of an ASCII letter; any other character as itself.
pub(super) fn either_case(c: char) -> Hir {
    match other_case(c) {
        None => Hir::literal(c.to_string().into_bytes()),
        Some(other) => {
            let ranges = [c, other].map(|c| ClassUnicodeRange::new(c, c));
            Hir::class(Class::Unicode(regex_syntax::hir::ClassUnicode::new(ranges)))
        }
    }
}

/// The class of all characters that equal this one by Unicode's simple folding.
pub(super) fn every_case(c: char) -> Hir {
    let mut class = regex_syntax::hir::ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
    class.case_fold_simple();
    Hir::class(Class::Unicode(class))
}

fn other_case(c: char) -> Option<char> {
    match c {
        'a'..='z' => Some(c.to_ascii_uppercase()),
        'A'..='Z' => Some(c.to_ascii_lowercase()),
        _ => None,
    }
}

/// Whether a literal of the pattern is a capital, also within classes. Escapes such as `\S` and
/// property names are not literals; `\x41` is one.
pub(super) fn has_capital(ast: &Ast, is_capital: &dyn Fn(char) -> bool) -> bool {
    any_literal(ast, true, &mut |literal| is_capital(literal.c))
}

/// The offset of a line feed written as a literal outside classes, however spelled (E-A07, E-E07).
pub(super) fn line_feed(ast: &Ast) -> Option<usize> {
    let mut offset = None;
    any_literal(ast, false, &mut |literal| {
        let found = literal.c == '\n';
        if found {
            offset = Some(literal.span.start.offset);
        }
        found
    });
    offset
}

/// Whether `test` holds for some literal; literals of classes only if `in_classes`. The parser's
/// nest limit bounds the recursion.
fn any_literal(ast: &Ast, in_classes: bool, test: &mut dyn FnMut(&Literal) -> bool) -> bool {
    match ast {
        Ast::Literal(literal) => test(literal),
        Ast::ClassBracketed(class) => in_classes && any_in_set(&class.kind, test),
        Ast::Repetition(repetition) => any_literal(&repetition.ast, in_classes, test),
        Ast::Group(group) => any_literal(&group.ast, in_classes, test),
        Ast::Alternation(alternation) => {
            alternation.asts.iter().any(|ast| any_literal(ast, in_classes, test))
        }
        Ast::Concat(concat) => concat.asts.iter().any(|ast| any_literal(ast, in_classes, test)),
        Ast::Empty(_)
        | Ast::Flags(_)
        | Ast::Dot(_)
        | Ast::Assertion(_)
        | Ast::ClassUnicode(_)
        | Ast::ClassPerl(_) => false,
    }
}

fn any_in_set(set: &ClassSet, test: &mut dyn FnMut(&Literal) -> bool) -> bool {
    match set {
        ClassSet::Item(item) => any_in_item(item, test),
        ClassSet::BinaryOp(op) => any_in_set(&op.lhs, test) || any_in_set(&op.rhs, test),
    }
}

fn any_in_item(item: &ClassSetItem, test: &mut dyn FnMut(&Literal) -> bool) -> bool {
    match item {
        ClassSetItem::Literal(literal) => test(literal),
        ClassSetItem::Range(range) => test(&range.start) || test(&range.end),
        ClassSetItem::Bracketed(class) => any_in_set(&class.kind, test),
        ClassSetItem::Union(union) => union.items.iter().any(|item| any_in_item(item, test)),
        ClassSetItem::Empty(_)
        | ClassSetItem::Ascii(_)
        | ClassSetItem::Unicode(_)
        | ClassSetItem::Perl(_) => false,
    }
}

/// Writes out ASCII folding in the tree. `pattern` is the text of the tree.
pub(super) fn fold_ascii(pattern: &str, ast: &mut Ast) {
    Folder { pattern, ours: true }.ast(ast);
}

/// Visits the tree in the order in which flags take effect.
struct Folder<'p> {
    pattern: &'p str,
    /// Whether no inline `i` flag is in force, so that folding is written out here.
    ours: bool,
}

impl Folder<'_> {
    fn flags(&mut self, flags: &Flags) {
        if flags.flag_state(Flag::CaseInsensitive).is_some() {
            self.ours = false;
        }
    }

    fn ast(&mut self, ast: &mut Ast) {
        match ast {
            Ast::Flags(set) => self.flags(&set.flags),
            Ast::Group(group) => {
                let outside = self.ours;
                if let GroupKind::NonCapturing(flags) = &group.kind {
                    self.flags(flags);
                }
                self.ast(&mut group.ast);
                self.ours = outside;
            }
            Ast::Repetition(repetition) => self.ast(&mut repetition.ast),
            Ast::Alternation(alternation) => {
                alternation.asts.iter_mut().for_each(|ast| self.ast(ast));
            }
            Ast::Concat(concat) => concat.asts.iter_mut().for_each(|ast| self.ast(ast)),
            Ast::Literal(literal) if self.ours && other_case(literal.c).is_some() => {
                *ast = self.bracket(ClassSetItem::Literal((**literal).clone()));
            }
            Ast::ClassUnicode(class) if self.ours => {
                *ast = self.bracket(ClassSetItem::Unicode((**class).clone()));
            }
            Ast::ClassBracketed(class) if self.ours => self.set(&mut class.kind),
            Ast::Empty(_)
            | Ast::Dot(_)
            | Ast::Assertion(_)
            | Ast::ClassPerl(_)
            | Ast::Literal(_)
            | Ast::ClassUnicode(_)
            | Ast::ClassBracketed(_) => {}
        }
    }

    /// A single item as a class of its own, closed under folding.
    fn bracket(&self, item: ClassSetItem) -> Ast {
        let span = *item.span();
        let kind = ClassSet::Item(self.item(item));
        Ast::ClassBracketed(Box::new(ClassBracketed { span, negated: false, kind }))
    }

    fn set(&self, set: &mut ClassSet) {
        match set {
            ClassSet::Item(item) => {
                let span = *item.span();
                *item = self.item(std::mem::replace(item, ClassSetItem::Empty(span)));
            }
            ClassSet::BinaryOp(op) => {
                self.set(&mut op.lhs);
                self.set(&mut op.rhs);
            }
        }
    }

    /// A class item, closed under ASCII folding.
    fn item(&self, item: ClassSetItem) -> ClassSetItem {
        let span = *item.span();
        match item {
            ClassSetItem::Literal(ref literal) => match other_case(literal.c) {
                None => item,
                Some(other) => union(span, item, &[other]),
            },
            ClassSetItem::Range(ref range) => {
                let letters = letters_missing(|c| range.start.c <= c && c <= range.end.c);
                union(span, item, &letters)
            }
            ClassSetItem::Ascii(ref class) => match class.kind {
                // Other kinds contain both cases of their letters.
                ClassAsciiKind::Lower | ClassAsciiKind::Upper => {
                    let capitals = class.kind == ClassAsciiKind::Upper;
                    let letters = letters_missing(|c| c.is_ascii_uppercase() == capitals);
                    if class.negated {
                        difference(span, item, &letters)
                    } else {
                        union(span, item, &letters)
                    }
                }
                _ => item,
            },
            ClassSetItem::Unicode(ref class) => {
                let negated = class.is_negated();
                // Folding precedes negation, so a negated class loses what the positive one gains.
                let holds = self.membership(class);
                let letters = letters_missing(|c| holds(c) != negated);
                if negated { difference(span, item, &letters) } else { union(span, item, &letters) }
            }
            ClassSetItem::Bracketed(mut class) => {
                self.set(&mut class.kind);
                ClassSetItem::Bracketed(class)
            }
            ClassSetItem::Union(union) => ClassSetItem::Union(ClassSetUnion {
                items: union.items.into_iter().map(|item| self.item(item)).collect(),
                ..union
            }),
            ClassSetItem::Empty(_) | ClassSetItem::Perl(_) => item,
        }
    }

    /// Membership of a Unicode class, including its negation. An untranslatable class contains
    /// nothing; translating the whole pattern has already reported it.
    fn membership(&self, class: &ClassUnicode) -> impl Fn(char) -> bool + use<> {
        let ast = Ast::ClassUnicode(Box::new(class.clone()));
        let hir = Translator::new().translate(self.pattern, &ast).ok();
        move |c| match hir.as_ref().map(Hir::kind) {
            Some(HirKind::Class(Class::Unicode(set))) => {
                set.iter().any(|r| r.start() <= c && c <= r.end())
            }
            Some(HirKind::Literal(literal)) => *literal.0 == *c.to_string().as_bytes(),
            _ => false,
        }
    }
}

/// ASCII letters that are not in a set although their other case is.
fn letters_missing(holds: impl Fn(char) -> bool) -> Vec<char> {
    ('A'..='Z')
        .chain('a'..='z')
        .filter(|&c| !holds(c) && other_case(c).is_some_and(&holds))
        .collect()
}

fn letter(span: Span, c: char) -> ClassSetItem {
    ClassSetItem::Literal(Literal { span, kind: LiteralKind::Verbatim, c })
}

fn union(span: Span, item: ClassSetItem, letters: &[char]) -> ClassSetItem {
    if letters.is_empty() {
        return item;
    }
    let items = std::iter::once(item).chain(letters.iter().map(|&c| letter(span, c))).collect();
    ClassSetItem::Union(ClassSetUnion { span, items })
}

fn difference(span: Span, item: ClassSetItem, letters: &[char]) -> ClassSetItem {
    if letters.is_empty() {
        return item;
    }
    // Both sides are bracketed: `--` binds looser than a union, but a plain range end would swallow
    // it.
    let removed: Vec<_> = letters.iter().map(|&c| letter(span, c)).collect();
    let removed = bracketed(
        span,
        ClassSet::Item(ClassSetItem::Union(ClassSetUnion { span, items: removed })),
    );
    let kept = bracketed(span, ClassSet::Item(item));
    let op = ClassSetBinaryOp {
        span,
        kind: ClassSetBinaryOpKind::Difference,
        lhs: Box::new(ClassSet::Item(kept)),
        rhs: Box::new(ClassSet::Item(removed)),
    };
    bracketed(span, ClassSet::BinaryOp(op))
}

fn bracketed(span: Span, kind: ClassSet) -> ClassSetItem {
    ClassSetItem::Bracketed(Box::new(ClassBracketed { span, negated: false, kind }))
}
