//! Shorter patterns, by their syntax tree.
//!
//! Responsible for: for each node of the tree the shorter spellings of what stands there
//! ([`shorter`]).
//! Not here: letters that patterns share with contents ([`super::letters`]).
//! Invariants: every candidate that is offered parses; whether it means the same is for the
//! predicate to say.

use std::ops::Range;

use regex_syntax::ast::{
    Ast, ClassBracketed, ClassSet, ClassSetItem, GroupKind, Repetition, RepetitionKind,
    RepetitionRange, Span, parse::Parser,
};
use regex_syntax::hir::translate::TranslatorBuilder;

use crate::question::Question;

use super::Search;

/// Largest repetition count that is counted down in steps of one.
const SMALL: u32 = 16;

impl<P: FnMut(&Question) -> bool> Search<P> {
    /// Patterns left out.
    pub(super) fn alternatives(&mut self) {
        self.thin(
            64,
            |question| question.ask.patterns.clone(),
            |question, patterns| question.ask.patterns = patterns,
        );
    }

    /// Each pattern made shorter.
    pub(super) fn patterns(&mut self) {
        self.alternatives();
        for index in 0..self.best.ask.patterns.len() {
            if self.best.ask.fixed {
                self.thin(
                    64,
                    |question| pattern(question, index).chars().collect(),
                    |question, characters: Vec<char>| {
                        set(question, index, characters.into_iter().collect());
                    },
                );
                continue;
            }
            // What failed is not asked again, so that beginning anew costs nothing.
            while !self.spent() {
                let edits = shorter(&pattern(&self.best, index));
                if !edits.into_iter().any(|text| self.change(|question| set(question, index, text)))
                {
                    break;
                }
            }
        }
    }
}

pub(super) fn pattern(question: &Question, index: usize) -> String {
    question.ask.patterns.get(index).cloned().unwrap_or_default()
}

pub(super) fn set(question: &mut Question, index: usize, text: String) {
    if let Some(pattern) = question.ask.patterns.get_mut(index) {
        *pattern = text;
    }
}

/// Whether a text is a pattern.
pub(super) fn parses(text: &str) -> bool {
    let mut translator = TranslatorBuilder::new().utf8(false).build();
    Parser::new().parse(text).is_ok_and(|ast| translator.translate(text, &ast).is_ok())
}

/// Shorter spellings of the whole pattern, the shortest first.
pub(super) fn shorter(text: &str) -> Vec<String> {
    let Ok(ast) = Parser::new().parse(text) else { return Vec::new() };
    let mut edits = Edits { text, found: Vec::new() };
    edits.node(&ast);
    let mut candidates: Vec<String> = edits
        .found
        .into_iter()
        .filter_map(|(range, new)| {
            Some([text.get(..range.start)?, &new, text.get(range.end..)?].concat())
        })
        .filter(|candidate| candidate != text)
        .collect();
    // Stable: among equals, what stands further up in the tree comes first.
    candidates.sort_by_key(String::len);
    candidates.dedup();
    candidates
}

/// Places of a pattern and what could stand there instead.
struct Edits<'t> {
    text: &'t str,
    found: Vec<(Range<usize>, String)>,
}

impl Edits<'_> {
    fn edit(&mut self, span: &Span, new: impl Into<String>) {
        self.found.push((span.start.offset..span.end.offset, new.into()));
    }

    fn at(&self, span: &Span) -> String {
        self.text.get(span.start.offset..span.end.offset).unwrap_or_default().to_owned()
    }

    fn node(&mut self, ast: &Ast) {
        let span = ast.span();
        if !matches!(ast, Ast::Empty(_)) {
            self.edit(span, "");
        }
        match ast {
            Ast::Empty(_) | Ast::Flags(_) => self.flags(span),
            Ast::Literal(literal) => {
                self.edit(span, literal.c.to_string());
                self.edit(span, "a");
            }
            Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) => self.class(span),
            Ast::Assertion(_) => {
                for simple in ["^", "$", "\\b"] {
                    self.edit(span, simple);
                }
            }
            Ast::ClassBracketed(class) => self.bracketed(class),
            Ast::Repetition(repetition) => {
                self.repetition(repetition);
                self.node(&repetition.ast);
            }
            Ast::Group(group) => {
                let inner = self.at(group.ast.span());
                self.edit(span, inner.clone());
                if !matches!(group.kind, GroupKind::CaptureIndex(_)) {
                    self.edit(span, format!("({inner})"));
                    self.edit(span, format!("(?:{inner})"));
                }
                if let GroupKind::NonCapturing(flags) = &group.kind {
                    self.flags(&flags.span);
                }
                self.node(&group.ast);
            }
            Ast::Alternation(alternation) => self.items(span, &alternation.asts, "|"),
            Ast::Concat(concat) => self.items(span, &concat.asts, ""),
        }
    }

    /// Lists: one item alone, a half, all but one; then the items themselves.
    fn items(&mut self, span: &Span, items: &[Ast], between: &str) {
        let texts: Vec<String> = items.iter().map(|item| self.at(item.span())).collect();
        for text in &texts {
            self.edit(span, text.clone());
        }
        let (front, back) = texts.split_at(texts.len() / 2);
        self.edit(span, front.join(between));
        self.edit(span, back.join(between));
        for left_out in 0..texts.len() {
            let rest: Vec<&str> = texts
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != left_out)
                .map(|(_, text)| text.as_str())
                .collect();
            self.edit(span, rest.join(between));
        }
        for item in items {
            self.node(item);
        }
    }

    /// A flag less.
    fn flags(&mut self, span: &Span) {
        let text = self.at(span);
        for (at, flag) in
            text.char_indices().filter(|(_, flag)| flag.is_ascii_alphabetic() || *flag == '-')
        {
            let range = span.start.offset + at..span.start.offset + at + flag.len_utf8();
            self.found.push((range, String::new()));
        }
    }

    /// A class as one literal, or a plainer class.
    fn class(&mut self, span: &Span) {
        for simple in ["a", "0", " ", ".", "\\w", "\\d", "\\s", "[a]", "[ab]"] {
            if simple.len() < self.at(span).len() {
                self.edit(span, simple);
            }
        }
        // `\W` is no longer than `\w`, but it is not simpler either: it is left alone. `\pL` and
        // `\PL` lose their letter.
    }

    fn bracketed(&mut self, class: &ClassBracketed) {
        self.class(&class.span);
        if class.negated {
            let items = self.at(class.kind.span());
            self.edit(&class.span, format!("[{items}]"));
        }
        self.set(&class.span, &class.kind);
    }

    fn set(&mut self, class: &Span, set: &ClassSet) {
        match set {
            ClassSet::Item(item) => self.item(class, item),
            ClassSet::BinaryOp(operation) => {
                for side in [&operation.lhs, &operation.rhs] {
                    let text = self.at(side.span());
                    self.edit(set.span(), text);
                    self.edit(side.span(), "a");
                    self.set(side.span(), side);
                }
            }
        }
    }

    /// What stands in a class: less of it, or alone.
    fn item(&mut self, class: &Span, item: &ClassSetItem) {
        match item {
            ClassSetItem::Union(union) => {
                for part in &union.items {
                    let alone = self.at(part.span());
                    self.edit(&union.span, alone);
                    self.edit(part.span(), "");
                    self.item(class, part);
                }
            }
            ClassSetItem::Range(range) => {
                for end in [&range.start, &range.end] {
                    let end = self.at(&end.span);
                    self.edit(&range.span, end.clone());
                    self.edit(class, end);
                }
            }
            ClassSetItem::Literal(literal) => {
                self.edit(class, literal.c.to_string());
                self.edit(&literal.span, "a");
            }
            ClassSetItem::Ascii(_) | ClassSetItem::Unicode(_) | ClassSetItem::Perl(_) => {
                let alone = self.at(item.span());
                self.edit(class, alone);
                self.edit(item.span(), "a");
            }
            ClassSetItem::Bracketed(inner) => {
                let alone = self.at(&inner.span);
                self.edit(class, alone);
                let items = self.at(inner.kind.span());
                self.edit(&inner.span, items);
                self.bracketed(inner);
            }
            ClassSetItem::Empty(_) => {}
        }
    }

    fn repetition(&mut self, repetition: &Repetition) {
        let child = self.at(repetition.ast.span());
        self.edit(&repetition.span, child.clone());
        if !repetition.greedy {
            let operator = self.at(&repetition.op.span);
            self.edit(&repetition.op.span, operator.strip_suffix('?').unwrap_or_default());
        }
        let RepetitionKind::Range(range) = &repetition.op.kind else { return };
        self.edit(&repetition.span, format!("{child}{child}"));
        for simple in ["?", "*", "+"] {
            self.edit(&repetition.op.span, simple);
        }
        let mut bounds = Vec::new();
        match range {
            RepetitionRange::Exactly(times) => {
                bounds.extend(lower(*times).map(|less| format!("{{{less}}}")));
            }
            RepetitionRange::AtLeast(times) => {
                bounds.push(format!("{{{times}}}"));
                bounds.extend(lower(*times).map(|less| format!("{{{less},}}")));
            }
            RepetitionRange::Bounded(least, most) => {
                bounds.extend([
                    format!("{{{least}}}"),
                    format!("{{{most}}}"),
                    format!("{{{least},}}"),
                ]);
                bounds.extend(lower(*most).map(|less| format!("{{{},{less}}}", less.min(*least))));
                bounds.extend(lower(*least).map(|less| format!("{{{less},{most}}}")));
            }
        }
        for bound in bounds {
            self.edit(&repetition.op.span, bound);
        }
    }
}

/// Smaller counts, the smallest first.
fn lower(times: u32) -> impl Iterator<Item = u32> {
    let steps = (0..times.min(SMALL)).chain([times / 2, times.saturating_sub(1)]);
    steps.filter(move |less| *less < times)
}
