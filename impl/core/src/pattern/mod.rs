//! What a request's pattern means, and the wider forms of it that backends are given (D4).
//!
//! One matcher decides: [`Pattern::find`] looks at a single line. Everything else a backend is
//! asked is derived from the same parsed expression and can only match more:
//! [`Pattern::buffer_expression`] for a matcher that sees a whole buffer with line feeds in it,
//! [`Pattern::portable_expression`] for external programs of any release. So a line that a backend
//! invents is dropped, and none is lost to a dialect.

mod approximate;
mod case_mode;
mod exact;
mod fold;

pub use case_mode::CaseMode;

use regex_syntax::{
    ast::{self, Ast},
    hir::{Hir, Look, translate::TranslatorBuilder},
};

use self::exact::Exact;
use crate::{
    error::{Interrupted, ToolError},
    fuzzy::FuzzyMatcher,
    index::{fold::Fold, need::Need, plan},
};

/// The largest compiled automaton, in bytes; a larger one is refused as `BadArgs`.
pub const AUTOMATON_BYTES: usize = 10 << 20;
/// How deeply groups, classes and repetitions may be nested.
const NEST_LIMIT: u32 = 250;

/// What a request looks for.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'r> {
    /// As given.
    pub pattern: &'r str,
    /// Take it as characters, not as a regular expression.
    pub literal: bool,
    /// How letters compare.
    pub case: CaseMode,
    /// Matches must be whole words.
    pub word: bool,
    /// Number of edits a literal tolerates.
    pub fuzzy: Option<u8>,
}

impl<'r> Sought<'r> {
    /// A regular expression in smart case.
    pub fn expression(pattern: &'r str) -> Self {
        Self { pattern, literal: false, case: CaseMode::Smart, word: false, fuzzy: None }
    }
}

/// A compiled pattern: the matcher of one line, and the expressions backends are given.
#[derive(Clone, Debug)]
pub struct Pattern {
    matcher: Matcher,
    /// The pattern itself, if it is a literal that is searched exactly.
    literal: Option<String>,
    /// Whether ASCII letters match in either case, inline flags apart.
    fold_ascii: bool,
}

#[derive(Clone, Debug)]
enum Matcher {
    Exact(Exact),
    Fuzzy {
        matcher: FuzzyMatcher,
        /// The pattern's first character, without which no line matches.
        first: Hir,
    },
}

impl Pattern {
    /// Compiles what a validated request looks for. Errors are `BadArgs` on `pattern`
    /// (FR-LS-SRC-02).
    pub fn compile(sought: Sought<'_>) -> Result<Self, ToolError> {
        let pattern = sought.pattern;
        let parsed = if sought.literal { None } else { Some(parse(pattern)?) };
        let fold_ascii = match sought.case {
            CaseMode::Sensitive => false,
            CaseMode::Insensitive => true,
            CaseMode::Smart => !match &parsed {
                None => pattern.bytes().any(|byte| byte.is_ascii_uppercase()),
                Some(ast) => fold::has_ascii_capital(ast),
            },
        };
        let expression = match parsed {
            None => literal(pattern, fold_ascii),
            // The user's own spelling is translated first: it is what errors should point into.
            Some(ast) => {
                let plain = translate(pattern, &ast)?;
                if fold_ascii { folded(pattern, ast)? } else { plain }
            }
        };
        if let Some(level) = sought.fuzzy {
            return Ok(Self::approximate(pattern, level, fold_ascii, sought.word));
        }
        let expression = if sought.word {
            Hir::concat(vec![
                Hir::look(Look::WordStartHalfUnicode),
                expression,
                Hir::look(Look::WordEndHalfUnicode),
            ])
        } else {
            expression
        };
        let Some(exact) = Exact::new(expression) else {
            return Err(ToolError::bad_args(
                "pattern",
                format!(
                    "regular expression compiles to more than {AUTOMATON_BYTES} bytes; shorten it or lower its repetition counts"
                ),
            ));
        };
        let literal = sought.literal.then(|| pattern.to_owned());
        Ok(Self { matcher: Matcher::Exact(exact), literal, fold_ascii })
    }

    /// A literal, within so many edits.
    fn approximate(pattern: &str, level: u8, fold_ascii: bool, word: bool) -> Self {
        let matcher = FuzzyMatcher::new(pattern, level, fold_ascii, word);
        let first = match pattern.chars().next() {
            // Bytes that are not UTF-8 read as this character, and no expression names them all.
            None | Some(char::REPLACEMENT_CHARACTER) => Hir::empty(),
            Some(first) => literal(&first.to_string(), fold_ascii),
        };
        Self { matcher: Matcher::Fuzzy { matcher, first }, literal: None, fold_ascii }
    }

    /// The same literal, within so many edits. `sought` is what this was compiled of.
    pub(crate) fn within(&self, level: u8, sought: Sought<'_>) -> Self {
        Self::approximate(sought.pattern, level, self.fold_ascii, sought.word)
    }

    /// The leftmost match in one line's visible bytes, as byte offsets.
    pub fn find(&self, line: &[u8]) -> Option<(usize, usize)> {
        // Never interrupted, so the error cannot be.
        self.find_while(line, &mut || true).unwrap_or_default()
    }

    /// The same as [`Pattern::find`], as long as `go_on` says so.
    pub fn find_while(
        &self,
        line: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        match &self.matcher {
            Matcher::Exact(exact) => exact.find(line, 0, go_on),
            Matcher::Fuzzy { matcher, .. } => matcher.find(line, go_on),
        }
    }

    /// The leftmost match that starts at `from` or later, in the whole line: what stands before
    /// `from` is seen by assertions. For patterns that are not fuzzy.
    pub fn find_from(
        &self,
        line: &[u8],
        from: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        match &self.matcher {
            Matcher::Exact(exact) => exact.find(line, from, go_on),
            Matcher::Fuzzy { .. } => Ok(None),
        }
    }

    /// How many bytes a matcher of the buffer expression may be given if it cannot be interrupted:
    /// it is through with them in a few milliseconds.
    pub fn stride(&self) -> usize {
        match &self.matcher {
            Matcher::Exact(exact) => exact.stride(),
            Matcher::Fuzzy { .. } => exact::MOST_BYTES,
        }
    }

    /// What may propose a line: it matches in every line the pattern matches.
    fn proposal(&self) -> &Hir {
        match &self.matcher {
            Matcher::Exact(exact) => exact.expression(),
            Matcher::Fuzzy { first, .. } => first,
        }
    }

    /// Whether ASCII letters match in either case, inline flags apart.
    pub fn folds_ascii(&self) -> bool {
        self.fold_ascii
    }

    /// What a text must hold for any of its lines to match, for an index of this fold and gram size
    /// (FR-LSI-CAND-01). Fuzzy patterns need nothing (FR-LSI-CAND-FZ-01).
    pub fn need(&self, fold: Fold, ngram: usize) -> Need {
        match (&self.matcher, &self.literal) {
            (Matcher::Fuzzy { .. }, _) => Need::Nothing,
            (Matcher::Exact(_), Some(literal)) => {
                plan::literal(literal, self.fold_ascii, fold, ngram)
            }
            (Matcher::Exact(_), None) => plan::regex(self.proposal(), self.fold_ascii, fold, ngram),
        }
    }

    /// An expression that matches, somewhere between its line feeds, in every line this pattern
    /// matches, when searched over a whole buffer whose lines still carry CR and LF. It never needs
    /// a line feed to match.
    pub fn buffer_expression(&self) -> String {
        approximate::for_buffer(self.proposal()).to_string()
    }

    /// An expression in the few constructs that every release of ripgrep and ugrep reads alike:
    /// ASCII text only, bytes as `\xNN`, no assertions, no empty alternatives. It matches in every
    /// line this pattern matches. Empty if every line has to be proposed.
    pub fn portable_expression(&self) -> String {
        approximate::portable(self.proposal())
    }
}

/// The expression of a literal, each ASCII letter in both cases if `fold_ascii`.
fn literal(pattern: &str, fold_ascii: bool) -> Hir {
    if !fold_ascii {
        return Hir::literal(pattern.as_bytes());
    }
    Hir::concat(pattern.chars().map(fold::either_case).collect())
}

fn parse(pattern: &str) -> Result<Ast, ToolError> {
    let ast =
        ast::parse::ParserBuilder::new().nest_limit(NEST_LIMIT).build().parse(pattern).map_err(
            |err| {
                // An unclosed group or class is reported where it opens, which is where it must be
                // mended.
                invalid(err.span().start.offset, &err.kind().to_string())
            },
        )?;
    if let Some(offset) = fold::line_feed(&ast) {
        return Err(invalid(offset, "a line feed can never match, the search goes line by line"));
    }
    Ok(ast)
}

fn translate(pattern: &str, ast: &Ast) -> Result<Hir, ToolError> {
    TranslatorBuilder::new()
        .utf8(true)
        .build()
        .translate(pattern, ast)
        .map_err(|err| invalid(err.span().start.offset, &err.kind().to_string()))
}

/// Rewrites the syntax tree so that every letter outside an inline `(?i)` or `(?-i)` accepts both
/// ASCII cases, and reads the result back. Rewriting syntax rather than classes keeps flags, scopes
/// and set operations regex-syntax's.
fn folded(pattern: &str, mut ast: Ast) -> Result<Hir, ToolError> {
    let mut rewritten = String::new();
    fold::fold_ascii(pattern, &mut ast);
    let printed = ast::print::Printer::new().print(&ast, &mut rewritten);
    debug_assert!(printed.is_ok(), "printing to a string does not fail");
    // Each letter may have become a class of its own.
    let ast = ast::parse::ParserBuilder::new()
        .nest_limit(NEST_LIMIT + 2)
        .build()
        .parse(&rewritten)
        .map_err(|err| {
            invalid(0, &format!("cannot be read without regard to case: {}", err.kind()))
        })?;
    translate(&rewritten, &ast)
}

fn invalid(offset: usize, why: &str) -> ToolError {
    ToolError::bad_args("pattern", format!("invalid regular expression at byte {offset}: {why}"))
}

#[cfg(test)]
mod tests;
