//! The meaning of a request's pattern, and relaxed forms of it for backends (D4).
//!
//! [`Pattern::find`] alone decides whether a line matches. The forms for backends are derived from
//! the same syntax tree and can only match more: [`Pattern::buffer_expression`] for a matcher that
//! sees a whole buffer with line feeds, [`Pattern::portable_expression`] for external programs of
//! any release. So a wrong proposal is dropped, and no dialect loses a line.

mod case_mode;
mod exact;
mod fold;
mod relaxation;

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
    reading::Reading,
};

/// Largest compiled automaton, in bytes. A larger one is `BadArgs`.
pub const AUTOMATON_BYTES: usize = 10 << 20;
/// Maximum nesting of groups, classes and repetitions.
const NEST_LIMIT: u32 = 250;

/// A pattern and its options.
#[derive(Clone, Copy, Debug)]
pub struct PatternOptions<'r> {
    /// The pattern as given.
    pub pattern: &'r str,
    /// Whether it is a literal rather than a regular expression.
    pub literal: bool,
    /// How letters compare.
    pub case: CaseMode,
    /// Whether matches must be whole words.
    pub word: bool,
    /// Permitted number of edits of a literal.
    pub fuzzy: Option<u8>,
    /// How an insensitive pattern folds: ASCII as the documents say, or Unicode's simple folding.
    /// With edits it is ASCII.
    pub reading: Reading,
}

impl<'r> PatternOptions<'r> {
    /// A regular expression in smart case.
    pub fn expression(pattern: &'r str) -> Self {
        let (case, reading) = (CaseMode::Smart, Reading::Documents);
        Self { pattern, literal: false, case, word: false, fuzzy: None, reading }
    }
}

/// A compiled pattern: the matcher of one line, and the expressions for backends.
#[derive(Clone, Debug)]
pub struct Pattern {
    matcher: Matcher,
    /// The pattern, if it is a literal without edits.
    literal: Option<String>,
    /// Whether ASCII letters match in either case, apart from inline flags.
    fold_ascii: bool,
    /// Whether other letters do too; then the expression says so itself.
    fold_unicode: bool,
}

#[derive(Clone, Debug)]
enum Matcher {
    Exact(Exact),
    Fuzzy {
        matcher: FuzzyMatcher,
        /// The pattern's first character, which every matching line contains.
        first: Hir,
    },
}

impl Pattern {
    /// Compiles a validated pattern. Errors are `BadArgs` on `pattern` (FR-LS-SRC-02).
    pub fn compile(sought: PatternOptions<'_>) -> Result<Self, ToolError> {
        let pattern = sought.pattern;
        let parsed = if sought.literal { None } else { Some(parse(pattern)?) };
        let unicode = sought.reading == Reading::Callers;
        let is_capital = |c: char| c.is_ascii_uppercase() || unicode && c.is_uppercase();
        let fold_ascii = match sought.case {
            CaseMode::Sensitive => false,
            CaseMode::Insensitive => true,
            CaseMode::Smart => !match &parsed {
                None => pattern.contains(is_capital),
                Some(ast) => fold::has_capital(ast, &is_capital),
            },
        };
        let fold_unicode = fold_ascii && unicode && sought.fuzzy.is_none();
        let expression = match parsed {
            None if fold_unicode => unicode_literal(pattern),
            None => literal(pattern, fold_ascii),
            // An inline `(?-i)` sets its scope back.
            Some(ast) if fold_unicode => translate(pattern, &ast, true)?,
            // The user's spelling is translated first, since errors should point into it.
            Some(ast) => {
                let plain = translate(pattern, &ast, false)?;
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
        Ok(Self { matcher: Matcher::Exact(exact), literal, fold_ascii, fold_unicode })
    }

    /// A literal with `level` permitted edits.
    fn approximate(pattern: &str, level: u8, fold_ascii: bool, word: bool) -> Self {
        let matcher = FuzzyMatcher::new(pattern, level, fold_ascii, word);
        let first = match pattern.chars().next() {
            // Bytes that are not UTF-8 read as this character, and no expression names them all.
            None | Some(char::REPLACEMENT_CHARACTER) => Hir::empty(),
            Some(first) => literal(&first.to_string(), fold_ascii),
        };
        let matcher = Matcher::Fuzzy { matcher, first };
        Self { matcher, literal: None, fold_ascii, fold_unicode: false }
    }

    /// The same literal with `level` permitted edits. `options` are those it was compiled from.
    pub(crate) fn within(&self, level: u8, options: PatternOptions<'_>) -> Self {
        Self::approximate(options.pattern, level, self.fold_ascii, options.word)
    }

    /// The leftmost match in a line without its end, in byte offsets.
    pub fn find(&self, line: &[u8]) -> Option<(usize, usize)> {
        // It is never interrupted, so there is no error.
        self.find_while(line, &mut || true).unwrap_or_default()
    }

    /// As [`Pattern::find`], but fails once `go_on` returns false.
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

    /// The leftmost match that starts at `from` or later in the whole line; assertions see the text
    /// before `from`. Not for fuzzy patterns.
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

    /// Bytes that a matcher of the buffer expression searches in a few milliseconds, for one that
    /// cannot be interrupted.
    pub fn stride(&self) -> usize {
        match &self.matcher {
            Matcher::Exact(exact) => exact.stride(),
            Matcher::Fuzzy { .. } => exact::MOST_BYTES,
        }
    }

    /// The expression for proposals: it matches every line that the pattern matches.
    fn proposal(&self) -> &Hir {
        match &self.matcher {
            Matcher::Exact(exact) => exact.expression(),
            Matcher::Fuzzy { first, .. } => first,
        }
    }

    /// Whether ASCII letters match in either case, apart from inline flags.
    pub fn folds_ascii(&self) -> bool {
        self.fold_ascii
    }

    /// What a text must contain for a line of it to match, for an index with this fold and n-gram
    /// size (FR-LSI-CAND-01). Fuzzy patterns need nothing (FR-LSI-CAND-FZ-01).
    pub fn need(&self, fold: Fold, ngram: usize) -> Need {
        match (&self.matcher, &self.literal) {
            (Matcher::Fuzzy { .. }, _) => Need::Nothing,
            // Its classes hold all that letters equal, and an index may fold ASCII alone.
            (Matcher::Exact(_), _) if self.fold_unicode => {
                plan::regex(self.proposal(), false, fold, ngram)
            }
            (Matcher::Exact(_), Some(literal)) => {
                plan::literal(literal, self.fold_ascii, fold, ngram)
            }
            (Matcher::Exact(_), None) => plan::regex(self.proposal(), self.fold_ascii, fold, ngram),
        }
    }

    /// An expression for a whole buffer whose lines have CR and LF. In every line that this pattern
    /// matches it matches too, without matching a line feed.
    pub fn buffer_expression(&self) -> String {
        relaxation::for_buffer(self.proposal()).to_string()
    }

    /// An expression in constructs that every release of ripgrep and ugrep parses alike: ASCII
    /// text, bytes as `\xNN`, no assertions, no empty alternatives. It matches every line that this
    /// pattern matches. Empty if every line must be proposed.
    pub fn portable_expression(&self) -> String {
        relaxation::portable(self.proposal())
    }
}

/// The expression of a literal, each ASCII letter in both cases if `fold_ascii`.
fn literal(pattern: &str, fold_ascii: bool) -> Hir {
    if !fold_ascii {
        return Hir::literal(pattern.as_bytes());
    }
    Hir::concat(pattern.chars().map(fold::either_case).collect())
}

/// The expression of a literal whose letters match in every case, by Unicode's simple folding.
fn unicode_literal(pattern: &str) -> Hir {
    Hir::concat(pattern.chars().map(fold::every_case).collect())
}

fn parse(pattern: &str) -> Result<Ast, ToolError> {
    let ast =
        ast::parse::ParserBuilder::new().nest_limit(NEST_LIMIT).build().parse(pattern).map_err(
            |err| {
                // An unclosed group or class is reported where it opens.
                let why = format!("{}{}", err.kind(), way_out(pattern, &err));
                invalid(err.span().start.offset, &why)
            },
        )?;
    if let Some(offset) = fold::line_feed(&ast) {
        return Err(invalid(offset, "a line feed can never match, the search goes line by line"));
    }
    Ok(ast)
}

/// What to write instead of what the parser refuses.
fn way_out(pattern: &str, err: &ast::Error) -> String {
    let start = err.span().start.offset;
    let character = match err.kind() {
        ast::ErrorKind::RepetitionMissing => pattern.get(start..).and_then(|at| at.chars().next()),
        ast::ErrorKind::RepetitionCountUnclosed
        | ast::ErrorKind::RepetitionCountDecimalEmpty
        | ast::ErrorKind::RepetitionCountInvalid => Some('{'),
        ast::ErrorKind::GroupUnclosed => Some('('),
        ast::ErrorKind::GroupUnopened => Some(')'),
        ast::ErrorKind::ClassUnclosed => Some('['),
        ast::ErrorKind::EscapeUnexpectedEof => Some('\\'),
        ast::ErrorKind::UnsupportedLookAround => {
            return "; leave it out: a result shows the whole line".to_owned();
        }
        ast::ErrorKind::UnsupportedBackreference => {
            return "; repeat the expression that it refers to".to_owned();
        }
        _ => None,
    };
    character.map_or_else(String::new, |one| format!("; write `\\{one}` to find `{one}`"))
}

fn translate(pattern: &str, ast: &Ast, insensitive: bool) -> Result<Hir, ToolError> {
    TranslatorBuilder::new()
        .utf8(true)
        .case_insensitive(insensitive)
        .build()
        .translate(pattern, ast)
        .map_err(|err| invalid(err.span().start.offset, &err.kind().to_string()))
}

/// Rewrites the syntax tree so that every letter outside inline `(?i)` and `(?-i)` accepts both
/// ASCII cases, and parses the result. Rewriting syntax rather than classes leaves flags, scopes
/// and set operations to regex-syntax.
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
    translate(&rewritten, &ast, false)
}

fn invalid(offset: usize, why: &str) -> ToolError {
    ToolError::bad_args("pattern", format!("invalid regular expression at byte {offset}: {why}"))
}

#[cfg(test)]
mod tests;
