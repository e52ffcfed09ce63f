//! Patterns in a program's own syntax.
//!
//! Responsible for: writing the syntax tree of a pattern as POSIX extended, Perl, RE/flex or a
//! plain literal ([`translate`]), and the
//! name of the construct where that cannot be done without changing what it means.
//! Not here: what a class holds in a program, which its dialect says; sets in brackets
//! (`brackets`); where assertions may stand (`places`).
//! Invariants: a pattern that is written means the same by the documents of both syntaxes, or is
//! refused.

mod brackets;
mod places;

use regex_syntax::ast::{
    self, Assertion, AssertionKind, Ast, ClassPerl, ClassPerlKind, ClassUnicode, ClassUnicodeKind,
    Flag, FlagsItemKind, Group, GroupKind, Repetition, RepetitionKind, RepetitionRange,
};
use touchstone_spec::Adapter;
use touchstone_spec::adapter::{Alphabet, Syntax};

/// More repetitions than this are refused by some programs.
const MAX_TIMES: u32 = 255;

/// The pattern as the program has to be given it.
///
/// # Errors
/// The construct that the program has not, or reads differently.
pub fn translate(pattern: &str, fixed: bool, adapter: &Adapter) -> Result<String, String> {
    if pattern.contains('\n') {
        return Err("a line feed in a pattern".to_owned());
    }
    if fixed || adapter.syntax == Syntax::Rust {
        return Ok(pattern.to_owned());
    }
    let tree = ast::parse::Parser::new()
        .parse(pattern)
        .map_err(|error| format!("no expression: {}", error.kind()))?;
    if adapter.syntax == Syntax::Reflex
        && let Some(what) = places::misplaced(&tree)
    {
        return Err(format!("{what}: its manual says that nothing may occur there"));
    }
    let ascii = adapter.dialect.classes == Alphabet::Ascii;
    Writer { syntax: adapter.syntax, ascii }.write(&tree)
}

#[derive(Debug, Clone, Copy)]
struct Writer {
    syntax: Syntax,
    /// Whether `\w \d \s` know ASCII alone.
    ascii: bool,
}

impl Writer {
    fn write(self, node: &Ast) -> Result<String, String> {
        if self.syntax == Syntax::Literal {
            return literal(node);
        }
        Ok(match node {
            Ast::Empty(_) => String::new(),
            Ast::Flags(set) => format!("({})", self.flags(&set.flags)?),
            Ast::Literal(literal) => self.character(literal.c)?,
            Ast::Dot(_) => ".".to_owned(),
            Ast::Assertion(assertion) => self.assertion(assertion)?,
            Ast::ClassUnicode(class) => self.property(class)?,
            Ast::ClassPerl(class) => self.perl_class(class)?,
            Ast::ClassBracketed(class) => brackets::write(self, class)?,
            Ast::Repetition(repetition) => self.repetition(repetition)?,
            Ast::Group(group) => self.group(group)?,
            Ast::Alternation(alternation) => {
                let parts = alternation.asts.iter().map(|part| self.write(part)).collect::<Result<
                    Vec<_>,
                    _,
                >>(
                )?;
                if self.syntax == Syntax::Reflex && parts.iter().any(String::is_empty) {
                    return Err("an empty alternative".to_owned());
                }
                parts.join("|")
            }
            Ast::Concat(concat) => {
                concat.asts.iter().map(|part| self.write(part)).collect::<Result<String, _>>()?
            }
        })
    }

    /// A literal character, escaped where it would mean something else.
    fn character(self, character: char) -> Result<String, String> {
        if matches!(character, '\n' | '\0') {
            return Err(format!("`{}` in a pattern", character.escape_default()));
        }
        let special = match self.syntax {
            // A `}` or `]` alone is a literal; escaped, its meaning is open.
            Syntax::Ere => r".[\()*+?{|^$",
            _ => r".[]\()*+?{}|^$",
        };
        Ok(if special.contains(character) {
            format!("\\{character}")
        } else {
            character.to_string()
        })
    }

    fn assertion(self, assertion: &Assertion) -> Result<String, String> {
        let perl = self.syntax == Syntax::Perl;
        let written =
            match assertion.kind {
                AssertionKind::StartLine => "^",
                AssertionKind::EndLine => "$",
                AssertionKind::WordBoundary => r"\b",
                AssertionKind::NotWordBoundary => r"\B",
                AssertionKind::WordBoundaryStart | AssertionKind::WordBoundaryStartAngle => {
                    if perl { r"\b(?=\w)" } else { r"\<" }
                }
                AssertionKind::WordBoundaryEnd | AssertionKind::WordBoundaryEndAngle => {
                    if perl {
                        r"\b(?<=\w)"
                    } else {
                        r"\>"
                    }
                }
                AssertionKind::WordBoundaryStartHalf if perl => r"(?<!\w)",
                AssertionKind::WordBoundaryEndHalf if perl => r"(?!\w)",
                AssertionKind::WordBoundaryStartHalf | AssertionKind::WordBoundaryEndHalf => {
                    return Err("half a word boundary".to_owned());
                }
                AssertionKind::StartText => return Err(r"`\A`: what a text is differs".to_owned()),
                AssertionKind::EndText => return Err(r"`\z`: what a text is differs".to_owned()),
            };
        Ok(written.to_owned())
    }

    fn property(self, class: &ClassUnicode) -> Result<String, String> {
        let name = match &class.kind {
            ClassUnicodeKind::OneLetter(letter) => letter.to_string(),
            ClassUnicodeKind::Named(name) if is_category(name) => name.clone(),
            _ => return Err("a property other than a general category".to_owned()),
        };
        match self.syntax {
            Syntax::Perl => {
                Ok(format!(r"\{}{{{name}}}", if class.is_negated() { 'P' } else { 'p' }))
            }
            // A complement outside brackets would match the line feed (its manual, "Unicode
            // character classes").
            Syntax::Reflex if class.is_negated() => Err("the complement of a property".to_owned()),
            Syntax::Reflex => Ok(format!(r"\p{{{name}}}")),
            _ => Err("a class by property".to_owned()),
        }
    }

    fn perl_class(self, class: &ClassPerl) -> Result<String, String> {
        let letter = match class.kind {
            ClassPerlKind::Digit => 'd',
            ClassPerlKind::Space => 's',
            ClassPerlKind::Word => 'w',
        };
        if self.syntax == Syntax::Ere && letter == 'd' {
            return match (self.ascii, class.negated) {
                (true, false) => Ok("[0-9]".to_owned()),
                (true, true) => Ok("[^0-9]".to_owned()),
                (false, _) => Err(r"`\d`: all digits of Unicode".to_owned()),
            };
        }
        Ok(match (self.syntax, class.negated) {
            (Syntax::Reflex, true) => format!(r"[^\{letter}]"),
            (_, true) => format!(r"\{}", letter.to_ascii_uppercase()),
            (_, false) => format!(r"\{letter}"),
        })
    }

    fn repetition(self, repetition: &Repetition) -> Result<String, String> {
        if !repetition.greedy && self.syntax == Syntax::Ere {
            return Err("lazy repetition".to_owned());
        }
        let operand = self.write(&repetition.ast)?;
        if matches!(self.syntax, Syntax::Perl | Syntax::Reflex) && is_hollow(&repetition.ast) {
            return Err("repetition of what is always empty".to_owned());
        }
        // Two in a row are something else in most syntaxes, and on an anchor undefined in POSIX's.
        let loose =
            matches!(*repetition.ast, Ast::Repetition(_) | Ast::Assertion(_) | Ast::Empty(_));
        if loose && self.syntax == Syntax::Reflex {
            return Err("repetition of an anchor or of a repetition".to_owned());
        }
        let operand = match (loose, self.syntax) {
            (false, _) => operand,
            (true, Syntax::Ere) => format!("({operand})"),
            (true, _) => format!("(?:{operand})"),
        };
        let lazy = if repetition.greedy { "" } else { "?" };
        let operator = match &repetition.op.kind {
            RepetitionKind::ZeroOrOne => "?".to_owned(),
            RepetitionKind::ZeroOrMore => "*".to_owned(),
            RepetitionKind::OneOrMore => "+".to_owned(),
            RepetitionKind::Range(RepetitionRange::Exactly(times)) => {
                format!("{{{}}}", few(*times)?)
            }
            RepetitionKind::Range(RepetitionRange::AtLeast(times)) => {
                format!("{{{},}}", few(*times)?)
            }
            RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => {
                format!("{{{},{}}}", few(*least)?, few(*most)?)
            }
        };
        Ok(format!("{operand}{operator}{lazy}"))
    }

    fn group(self, group: &Group) -> Result<String, String> {
        let inside = self.write(&group.ast)?;
        if self.syntax == Syntax::Reflex && inside.is_empty() {
            return Err("an empty group".to_owned());
        }
        Ok(match &group.kind {
            GroupKind::NonCapturing(flags) if !flags.items.is_empty() => {
                format!("({}:{inside})", self.flags(flags)?)
            }
            GroupKind::NonCapturing(_) if self.syntax != Syntax::Ere => format!("(?:{inside})"),
            // There are no references back, so it does not matter what is captured.
            _ => format!("({inside})"),
        })
    }

    /// `?i`, `?s-m`: what stands behind the opening parenthesis.
    fn flags(self, flags: &ast::Flags) -> Result<String, String> {
        if self.syntax == Syntax::Ere {
            return Err("flags inside the pattern".to_owned());
        }
        let mut written = "?".to_owned();
        for item in &flags.items {
            written.push(match item.kind {
                FlagsItemKind::Negation => '-',
                FlagsItemKind::Flag(Flag::CaseInsensitive) => 'i',
                FlagsItemKind::Flag(Flag::MultiLine) if self.syntax == Syntax::Perl => 'm',
                FlagsItemKind::Flag(Flag::DotMatchesNewLine) if self.syntax == Syntax::Perl => 's',
                FlagsItemKind::Flag(flag) => return Err(format!("the flag of {flag:?}")),
            });
        }
        Ok(written)
    }
}

/// Whether an expression can match nothing but the empty text: Perl warns, RE/flex refuses.
fn is_hollow(node: &Ast) -> bool {
    match node {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => true,
        Ast::Group(group) => is_hollow(&group.ast),
        Ast::Repetition(repetition) => is_hollow(&repetition.ast),
        Ast::Concat(concat) => concat.asts.iter().all(is_hollow),
        Ast::Alternation(alternation) => alternation.asts.iter().all(is_hollow),
        _ => false,
    }
}

/// A pattern that is a literal as it stands.
fn literal(node: &Ast) -> Result<String, String> {
    match node {
        Ast::Empty(_) => Ok(String::new()),
        Ast::Literal(one) => Ok(one.c.to_string()),
        Ast::Concat(concat) => concat.asts.iter().map(literal).collect(),
        _ => Err("an expression".to_owned()),
    }
}

fn few(times: u32) -> Result<u32, String> {
    if times > MAX_TIMES { Err(format!("more than {MAX_TIMES} repetitions")) } else { Ok(times) }
}

/// A general category by its short name, which all syntaxes have alike.
fn is_category(name: &str) -> bool {
    const SHORT: [&str; 7] = ["L", "M", "N", "P", "S", "Z", "C"];
    let first = name.get(..1).unwrap_or_default();
    SHORT.contains(&first)
        && (name.len() == 1
            || (name.len() == 2 && name.ends_with(|last: char| last.is_ascii_lowercase())))
}

#[cfg(test)]
mod tests;
