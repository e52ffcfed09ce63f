//! Relaxed forms of an expression: they match every line that the expression matches, and maybe
//! more.
//!
//! A matcher in this process sees whole buffers, so line assertions are restated for text that has
//! CR and LF. External programs differ from release to release in classes, boundaries, empty
//! alternatives, Unicode tables and counted repetition, so their form has bytes, plain classes and
//! stars only, and no assertions.

use std::fmt::Write;

use regex_syntax::hir::{Capture, Class, ClassBytesRange, Hir, HirKind, Look, Repetition};

/// Restates line assertions for a buffer. `$` and `\z` become "before LF, or CR, or the end", since
/// one CR before LF is not part of the line; a lone CR only adds proposals.
pub(super) fn for_buffer(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Look(look) => match look {
            Look::Start | Look::StartLF => Hir::look(Look::StartLF),
            Look::End | Look::EndLF | Look::EndCRLF => Hir::look(Look::EndCRLF),
            Look::StartCRLF => Hir::empty(),
            // The neighbours of a line are CR, LF or nothing, none of which is a word character, so
            // these assertions hold in the buffer wherever they hold in the line.
            word => Hir::look(*word),
        },
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(grouped(for_buffer(&repetition.sub))),
            ..repetition.clone()
        }),
        HirKind::Capture(capture) => for_buffer(&capture.sub),
        HirKind::Concat(subs) => Hir::concat(subs.iter().map(for_buffer).collect()),
        HirKind::Alternation(subs) => Hir::alternation(subs.iter().map(for_buffer).collect()),
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => Hir::fail(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
    }
}

/// A nested repetition in a group of its own: without one, `x+` and `?` would read as the lazy
/// `x+?`.
fn grouped(hir: Hir) -> Hir {
    match hir.kind() {
        HirKind::Repetition(_) => {
            Hir::capture(Capture { index: 1, name: None, sub: Box::new(hir) })
        }
        _ => hir,
    }
}

/// The expression for external programs; empty if it would match the empty string, so that every
/// line is proposed.
pub(super) fn portable(hir: &Hir) -> String {
    match node(hir) {
        Node::Text { text, optional: false } => text,
        Node::Nothing => NEVER.to_owned(),
        Node::Text { .. } => String::new(),
    }
}

/// A text that no line contains, instead of a byte with two values, which no dialect can spell. It
/// stands for an empty class. The exact matcher drops accidental hits.
const NEVER: &str = r"\x01\x02\x01\x02\x01\x02\x01\x02";

/// A part of the portable expression. External dialects reject empty groups and alternatives, so
/// optionality is recorded beside the text.
enum Node {
    /// Matches nothing.
    Nothing,
    /// `text` (possibly empty), which may be omitted if `optional`.
    Text { text: String, optional: bool },
}

fn empty() -> Node {
    Node::Text { text: String::new(), optional: true }
}

fn node(hir: &Hir) -> Node {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => empty(),
        // The parser turns a class of LF alone into a literal; no line contains it.
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => Node::Nothing,
        HirKind::Literal(literal) => {
            let mut text = String::new();
            literal.0.iter().for_each(|&byte| push_byte(&mut text, byte));
            Node::Text { text, optional: false }
        }
        HirKind::Class(class) => self::class(class),
        HirKind::Capture(capture) => node(&capture.sub),
        HirKind::Repetition(repetition) => match node(&repetition.sub) {
            Node::Nothing if repetition.min == 0 => empty(),
            Node::Nothing => Node::Nothing,
            Node::Text { text, .. } if text.is_empty() || repetition.max == Some(0) => empty(),
            Node::Text { text, optional } => {
                let optional = optional || repetition.min == 0;
                let many = repetition.max != Some(1);
                // Counts are dropped: some engines unroll them into automata of any size.
                let text = if many { format!("(?:{text})+") } else { text };
                Node::Text { text, optional }
            }
        },
        HirKind::Concat(subs) => {
            let (mut joined, mut all_optional) = (String::new(), true);
            for sub in subs {
                match node(sub) {
                    Node::Nothing => return Node::Nothing,
                    Node::Text { text, .. } if text.is_empty() => {}
                    Node::Text { text, optional: true } => {
                        let _ = write!(joined, "(?:{text})?");
                    }
                    Node::Text { text, optional: false } => {
                        all_optional = false;
                        joined.push_str(&text);
                    }
                }
            }
            Node::Text { text: joined, optional: all_optional }
        }
        HirKind::Alternation(subs) => {
            let (mut branches, mut any_optional) = (Vec::new(), false);
            for sub in subs {
                if let Node::Text { text, optional } = node(sub) {
                    any_optional |= optional;
                    if !text.is_empty() {
                        branches.push(text);
                    }
                }
            }
            match branches.len() {
                0 if any_optional => empty(),
                0 => Node::Nothing,
                _ => Node::Text {
                    text: format!("(?:{})", branches.join("|")),
                    optional: any_optional,
                },
            }
        }
    }
}

/// A class in bytes: its ASCII members, and any run of non-ASCII bytes if it has other members.
fn class(class: &Class) -> Node {
    let (mut ascii, mut beyond) = (Vec::new(), false);
    let mut add = |start: u32, end: u32| {
        beyond |= end > 0x7f;
        if let (Ok(start @ ..=0x7f), end) = (u8::try_from(start), u8::try_from(end).unwrap_or(0x7f))
        {
            ascii.push((start, end.min(0x7f)));
        }
    };
    match class {
        Class::Unicode(set) => {
            set.iter().for_each(|r| add(u32::from(r.start()), u32::from(r.end())));
        }
        Class::Bytes(set) => {
            set.iter().for_each(|r: &ClassBytesRange| add(r.start().into(), r.end().into()));
        }
    }
    let ascii = without_line_feed(&ascii);
    let mut text = String::new();
    for &(start, end) in &ascii {
        push_byte(&mut text, start);
        if end > start {
            text.push('-');
            push_byte(&mut text, end);
        }
    }
    let text = match (text.is_empty(), beyond) {
        (true, false) => return Node::Nothing,
        (true, true) => r"(?:[\x80-\xff]+)".to_owned(),
        (false, false) => format!("[{text}]"),
        (false, true) => format!(r"(?:[{text}]|[\x80-\xff]+)"),
    };
    Node::Text { text, optional: false }
}

/// A class with LF would let some engines match across lines.
fn without_line_feed(ranges: &[(u8, u8)]) -> Vec<(u8, u8)> {
    let mut kept = Vec::new();
    for &(start, end) in ranges {
        if start <= b'\n' && b'\n' <= end {
            if start < b'\n' {
                kept.push((start, b'\n' - 1));
            }
            if end > b'\n' {
                kept.push((b'\n' + 1, end));
            }
        } else {
            kept.push((start, end));
        }
    }
    kept
}

/// Letters and digits as they are, other bytes as `\xNN`, which means the same in every dialect.
fn push_byte(text: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() {
        text.push(char::from(byte));
    } else {
        let _ = write!(text, r"\x{byte:02x}");
    }
}
