//! Sets in brackets, in a program's own syntax.
//!
//! Responsible for: members of a set in an order in which none is mistaken for something else.
//! Not here: everything outside brackets ([`super`]).
//! Invariants: what is written is one pair of brackets, whatever was nested in it; operators on
//! sets are refused.

use regex_syntax::ast::{
    ClassAsciiKind, ClassBracketed, ClassPerlKind, ClassSet, ClassSetItem, Literal,
};
use touchstone_spec::adapter::Syntax;

use super::Writer;

/// Members of a set so far.
#[derive(Debug, Default)]
struct Members {
    /// Ranges and classes, which go first.
    whole: String,
    /// Single characters.
    single: Vec<char>,
}

/// One bracketed class.
pub(super) fn write(writer: Writer, class: &ClassBracketed) -> Result<String, String> {
    let mut members = Members::default();
    set(writer, &class.kind, &mut members)?;
    let negation = if class.negated { "^" } else { "" };
    if members.whole.is_empty() && members.single.is_empty() {
        return Err("an empty set".to_owned());
    }
    if writer.syntax != Syntax::Ere {
        let single = members.single.iter().map(|one| escaped(*one)).collect::<String>();
        return Ok(format!("[{negation}{}{single}]", members.whole));
    }
    // POSIX has no escapes in brackets: `]` first, `^` not first, `-` last.
    let has = |character| members.single.contains(&character);
    let mut inside = String::new();
    if has(']') {
        inside.push(']');
    }
    inside.push_str(&members.whole);
    inside.extend(members.single.iter().filter(|one| !matches!(one, ']' | '^' | '-' | '[')));
    if has('[') {
        inside.push('[');
    }
    if has('^') {
        if inside.is_empty() && negation.is_empty() {
            return Ok(if has('-') { "[-^]".to_owned() } else { r"\^".to_owned() });
        }
        inside.push('^');
    }
    if has('-') {
        inside.push('-');
    }
    Ok(format!("[{negation}{inside}]"))
}

fn set(writer: Writer, set: &ClassSet, members: &mut Members) -> Result<(), String> {
    match set {
        ClassSet::Item(one) => item(writer, one, members),
        ClassSet::BinaryOp(_) => Err("an operator on sets".to_owned()),
    }
}

fn item(writer: Writer, one: &ClassSetItem, members: &mut Members) -> Result<(), String> {
    match one {
        ClassSetItem::Empty(_) => {}
        ClassSetItem::Literal(literal) => members.single.push(character(literal)?),
        ClassSetItem::Range(range) => {
            let (start, end) = (character(&range.start)?, character(&range.end)?);
            let odd = |one: char| {
                !one.is_alphanumeric() || (writer.syntax == Syntax::Ere && !one.is_ascii())
            };
            if odd(start) || odd(end) {
                return Err("a range that does not go from letter to letter".to_owned());
            }
            members.whole.extend([start, '-', end]);
        }
        ClassSetItem::Ascii(class) if class.negated => {
            return Err("a complement in a set".to_owned());
        }
        ClassSetItem::Ascii(class) => ascii(&class.kind, members)?,
        ClassSetItem::Perl(class) if class.negated => {
            return Err("a complement in a set".to_owned());
        }
        ClassSetItem::Perl(class) => members.whole.push_str(match (writer.syntax, &class.kind) {
            (Syntax::Ere, ClassPerlKind::Digit) if writer.ascii => "0-9",
            (Syntax::Ere, ClassPerlKind::Digit) => {
                return Err(r"`\d`: all digits of Unicode".to_owned());
            }
            (Syntax::Ere, ClassPerlKind::Word) => "[:alnum:]_",
            (Syntax::Ere, ClassPerlKind::Space) => "[:space:]",
            (_, ClassPerlKind::Digit) => r"\d",
            (_, ClassPerlKind::Word) => r"\w",
            (_, ClassPerlKind::Space) => r"\s",
        }),
        ClassSetItem::Unicode(_) => return Err("a property in a set".to_owned()),
        ClassSetItem::Bracketed(inner) if inner.negated => {
            return Err("a complement in a set".to_owned());
        }
        ClassSetItem::Bracketed(inner) => set(writer, &inner.kind, members)?,
        ClassSetItem::Union(union) => {
            for one in &union.items {
                item(writer, one, members)?;
            }
        }
    }
    Ok(())
}

fn character(literal: &Literal) -> Result<char, String> {
    match literal.c {
        '\n' | '\0' => Err(format!("`{}` in a pattern", literal.c.escape_default())),
        plain => Ok(plain),
    }
}

fn escaped(one: char) -> String {
    if r"\]^-[".contains(one) { format!("\\{one}") } else { one.to_string() }
}

/// The classes of POSIX, which are ASCII in Rust and something else in many a locale, spelt out.
fn ascii(kind: &ClassAsciiKind, members: &mut Members) -> Result<(), String> {
    let whole = match kind {
        ClassAsciiKind::Alnum => "a-zA-Z0-9",
        ClassAsciiKind::Alpha => "a-zA-Z",
        ClassAsciiKind::Blank => " \t",
        ClassAsciiKind::Digit => "0-9",
        ClassAsciiKind::Lower => "a-z",
        ClassAsciiKind::Upper => "A-Z",
        ClassAsciiKind::Word => "a-zA-Z0-9_",
        ClassAsciiKind::Xdigit => "0-9A-Fa-f",
        ClassAsciiKind::Punct => {
            members.single.extend((b'!'..=b'~').map(char::from).filter(char::is_ascii_punctuation));
            return Ok(());
        }
        // Their ranges run over control characters and the line feed.
        _ => return Err(format!("the class {kind:?}")),
    };
    members.whole.push_str(whole);
    Ok(())
}
