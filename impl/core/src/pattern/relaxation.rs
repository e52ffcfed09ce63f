//! Wider forms of an expression: every line the expression matches, these match too.
//!
//! Two audiences. A matcher in process sees whole buffers, so assertions about the line's ends are
//! restated for text that still carries CR and LF. External programs differ in dialect from release
//! to release (classes, boundaries, empty alternatives, Unicode tables, counted repetition), so
//! they get bytes, plain classes and stars only, with assertions dropped.

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
            // At a line's ends stand CR, LF or nothing: none of them is a word character, so these
            // hold in the buffer wherever they hold in the line.
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

/// A repetition of a repetition in a group of its own: printed side by side, `x+` and `?` would
/// read as the lazy `x+?`.
fn grouped(hir: Hir) -> Hir {
    match hir.kind() {
        HirKind::Repetition(_) => {
            Hir::capture(Capture { index: 1, name: None, sub: Box::new(hir) })
        }
        _ => hir,
    }
}

/// The expression as text for external programs; empty if it would match the empty string, when
/// every line has to be proposed.
pub(super) fn portable(hir: &Hir) -> String {
    match node(hir) {
        Node::Text { text, optional: false } => text,
        Node::Nothing => NEVER.to_owned(),
        Node::Text { .. } => String::new(),
    }
}

/// Matches nothing: a byte that is two things at once has no portable spelling, but no text line
/// holds this run. Only a class without members leads here, so a stray hit is dropped by the
/// confirming matcher.
const NEVER: &str = r"\x01\x02\x01\x02\x01\x02\x01\x02";

/// A part of the portable expression. External dialects reject empty groups and alternatives, so
/// emptiness is carried beside the text instead of in it.
enum Node {
    /// Matches nothing at all.
    Nothing,
    /// `text` (possibly empty), which may also be left out if `optional`.
    Text { text: String, optional: bool },
}

fn empty() -> Node {
    Node::Text { text: String::new(), optional: true }
}

fn node(hir: &Hir) -> Node {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => empty(),
        // A class of LF alone has become a literal; no line holds it.
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
                // Counts are not carried over: some engines unroll them into automata of any size.
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

/// A class as bytes: its ASCII members, and any run of non-ASCII bytes if it has other members.
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

/// A class that holds LF would let some engines run across lines.
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

/// Letters and digits as they are, anything else in hexadecimal: no dialect gives `\xNN` a second
/// meaning.
fn push_byte(text: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() {
        text.push(char::from(byte));
    } else {
        let _ = write!(text, r"\x{byte:02x}");
    }
}
