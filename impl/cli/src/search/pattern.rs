//! From the patterns of a command line to the one expression that is searched for, as ripgrep makes
//! it; and where one is wrong.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use forge_search_engine::escape_name;
use regex_syntax::ast::{self, Ast, ClassSetItem, parse::ParserBuilder};

use super::flags::{Matching, Search};
use crate::errors::{Failure, pointed};

/// How deeply groups may be nested: as the engine has it.
const NEST_LIMIT: u32 = 250;

/// What the engine is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sought {
    pub(crate) pattern: String,
    /// It is a literal.
    pub(crate) literal: bool,
    /// Only whole words.
    pub(crate) word: bool,
}

/// Largest list of patterns that -f reads, in bytes.
const MAX_LIST_BYTES: u64 = 4 << 20;

/// The patterns and the paths of a command line: with -e or -f all other words are paths.
pub(crate) fn words(search: &Search) -> Result<(Vec<String>, Vec<PathBuf>), Failure> {
    let first = search.pattern.clone();
    if search.regexp.is_empty() && search.file.is_empty() {
        let pattern = first.unwrap_or_default().into_string().map_err(|pattern| {
            let pattern = escape_name(&pattern.to_string_lossy());
            Failure::new(format!(
                "the pattern `{pattern}` is not UTF-8; write bytes as `(?-u:\\xNN)`"
            ))
        })?;
        return Ok((vec![pattern], search.paths.clone()));
    }
    let paths = first.map(PathBuf::from).into_iter().chain(search.paths.clone()).collect();
    let mut patterns = search.regexp.clone();
    for file in &search.file {
        patterns.extend(listed(file)?);
    }
    Ok((patterns, paths))
}

/// The patterns of a file, one a line.
fn listed(file: &Path) -> Result<Vec<String>, Failure> {
    let shown = escape_name(&file.to_string_lossy());
    let wrong = |why: &str| Failure::new(format!("-f {shown}: {why}"));
    let mut text = Vec::new();
    let read = if file.as_os_str() == "-" {
        io::stdin().lock().take(MAX_LIST_BYTES + 1).read_to_end(&mut text)
    } else {
        File::open(file).and_then(|file| file.take(MAX_LIST_BYTES + 1).read_to_end(&mut text))
    };
    read.map_err(|err| wrong(&err.to_string()))?;
    if text.len() as u64 > MAX_LIST_BYTES {
        return Err(wrong(&format!(
            "more than {MAX_LIST_BYTES} bytes of patterns; split the file"
        )));
    }
    let text =
        String::from_utf8(text).map_err(|_| wrong("not UTF-8; write bytes as `(?-u:\\xNN)`"))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// One expression for all patterns.
pub(crate) fn sought(patterns: &[String], flags: &Matching) -> Result<Sought, Failure> {
    let by_flag = flags.fixed_strings || flags.fuzzy.is_some();
    for pattern in patterns {
        if by_flag { check_literal(pattern) } else { check(pattern) }?;
    }
    if flags.fuzzy.is_some() {
        let [one] = patterns else {
            return Err(Failure::new("--fuzzy takes one pattern; run it once for each"));
        };
        return Ok(Sought { pattern: one.clone(), literal: true, word: flags.word_regexp });
    }
    let written: Vec<String> = patterns
        .iter()
        .map(
            |pattern| {
                if flags.fixed_strings { regex_syntax::escape(pattern) } else { pattern.clone() }
            },
        )
        .collect();
    let mut expression = match written.as_slice() {
        // Nothing matches, but with -v every line is found.
        [] => r"[^\s\S]".to_owned(),
        [one] => one.clone(),
        several => several.iter().map(|one| format!("(?:{one})")).collect::<Vec<_>>().join("|"),
    };
    let folds = flags.ignore_case || (flags.smart_case && is_lower(&expression));
    match patterns {
        [one] if flags.fixed_strings && !folds && !flags.line_regexp && !one.trim().is_empty() => {
            return Ok(Sought { pattern: one.clone(), literal: true, word: flags.word_regexp });
        }
        _ => {}
    }
    if flags.line_regexp {
        expression = format!("^(?:{expression})$");
    }
    if folds {
        expression = format!("(?i:{expression})");
    }
    if expression.trim().is_empty() {
        expression = format!("(?:{expression})");
    }
    Ok(Sought { pattern: expression, literal: false, word: flags.word_regexp })
}

/// Whether a pattern is an expression by itself: `a)|(b` becomes one only between others.
fn check(pattern: &str) -> Result<(), Failure> {
    let fail = |span: &ast::Span, why: &str| {
        let mut text = format!("the regular expression is wrong: {why}\n");
        text += &pointed(pattern, span.start.offset, span.end.offset);
        text += "-F takes a pattern literally; a backslash takes one character so, as in `\\(`";
        Failure::new(text)
    };
    let parser = ParserBuilder::new().nest_limit(NEST_LIMIT).build().parse(pattern);
    let ast = parser.map_err(|err| fail(err.span(), &err.kind().to_string()))?;
    let Ok(written) = ast::visit(&ast, Letters::default());
    if let Some(span) = written.line_feed {
        return Err(line_feed(pattern, span.start.offset, span.end.offset));
    }
    let hir = regex_syntax::hir::translate::Translator::new().translate(pattern, &ast);
    hir.map_err(|err| fail(err.span(), &err.kind().to_string())).map(drop)
}

fn check_literal(pattern: &str) -> Result<(), Failure> {
    pattern.find('\n').map_or(Ok(()), |at| Err(line_feed(pattern, at, at + 1)))
}

fn line_feed(pattern: &str, start: usize, end: usize) -> Failure {
    let shown = pointed(pattern, start, end);
    Failure::new(format!(
        "no line has a line feed, and lines are searched one by one\n{shown}-e PATTERN, repeated, \
         takes one of several; rg -U finds matches over several lines"
    ))
}

/// Whether an expression has a letter and no capital, by ripgrep's rule: escapes such as `\S` and
/// names of classes are no letters.
fn is_lower(expression: &str) -> bool {
    let Ok(ast) = ParserBuilder::new().nest_limit(NEST_LIMIT).build().parse(expression) else {
        return false;
    };
    ast::visit(&ast, Letters::default()).is_ok_and(|found| found.any && !found.capital)
}

#[derive(Default)]
struct Letters {
    any: bool,
    capital: bool,
    /// One that is no member of a class.
    line_feed: Option<ast::Span>,
}

impl Letters {
    fn saw(&mut self, literal: &ast::Literal) {
        self.any = true;
        self.capital |= literal.c.is_uppercase();
    }
}

impl ast::Visitor for Letters {
    type Output = Self;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Self, Self::Err> {
        Ok(self)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::Literal(literal) = ast {
            self.saw(literal);
            if literal.c == '\n' {
                self.line_feed = self.line_feed.or(Some(literal.span));
            }
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Self::Err> {
        match item {
            ClassSetItem::Literal(literal) => self.saw(literal),
            ClassSetItem::Range(range) => {
                self.saw(&range.start);
                self.saw(&range.end);
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smart_case_depends_on_letters_not_on_classes_or_escapes() {
        for lower in ["a", r"\Sa", r"[a-z]\p{Lu}", "[[:upper:]]a", "é"] {
            assert!(is_lower(lower), "{lower}");
        }
        for not in ["A", "[A-Z]a", r"\S", "", r"\x41", "É", "a(?:B)"] {
            assert!(!is_lower(not), "{not}");
        }
    }
}
