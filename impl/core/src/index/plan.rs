//! From a pattern to what a text must hold for it to match (FR-LSI-CAND-LIT-*, FR-LSI-CAND-RE-*).
//!
//! Responsible for: [`literal`], which is exact and agreed with the specification, and [`regex`],
//! which only has to be implied by every match. Not here: parsing and folding the pattern
//! ([`crate::pattern`]), evaluation over filters or postings. Invariants: what is not understood
//! needs nothing; a gram that holds CR, LF or U+FFFD, or that normalisation would change, is never
//! needed (D1).

mod strings;

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Repetition};
use unicode_normalization::is_nfc;

use super::{
    fold::Fold,
    gram::Gram,
    need::{Need, Variant},
};
use strings::{Found, Strings};

/// Repetitions of a part that are looked at one by one; more are read as "at least so many".
const UNROLLED: u32 = 4;

/// Members of a class that are looked at one by one; a larger class is read as any character.
const CLASS_MEMBERS: usize = 32;

/// What a literal needs: all grams of it, folded if `insensitive` (FR-LSI-BLOOM-Q-01, D1).
pub fn literal(pattern: &str, insensitive: bool, fold: Fold, ngram: usize) -> Need {
    let reader = Reader::new(insensitive, fold, ngram);
    let folded: String = pattern.chars().map(|c| reader.fold(c)).collect();
    if !is_nfc(pattern) || !is_nfc(&folded) {
        return Need::Nothing;
    }
    let scalars: Vec<char> = folded.chars().collect();
    reader.grams(&scalars)
}

/// What a parsed expression needs. It may look at either filter, whatever the case of the request:
/// both are sound, and where a `(?i)` stands in a sensitive pattern the folded one says more.
pub fn regex(expression: &Hir, insensitive: bool, fold: Fold, ngram: usize) -> Need {
    let need = Reader::new(insensitive, fold, ngram).need(expression);
    if insensitive {
        return need;
    }
    let folded = Reader::new(true, fold, ngram).need(expression);
    if need == Need::Nothing || (folded != Need::Nothing && 4 * folded.size() <= need.size()) {
        folded
    } else {
        need
    }
}

/// Reads patterns for one variant.
#[derive(Clone, Copy, Debug)]
struct Reader {
    variant: Variant,
    fold: Fold,
    ngram: usize,
}

impl Reader {
    fn new(insensitive: bool, fold: Fold, ngram: usize) -> Self {
        let variant = if insensitive { Variant::Insensitive } else { Variant::Sensitive };
        Self { variant, fold, ngram: ngram.clamp(2, 3) }
    }

    fn fold(self, c: char) -> char {
        match self.variant {
            Variant::Sensitive => c,
            Variant::Insensitive => self.fold.char(c),
        }
    }

    /// All grams of a text that a match holds unbroken.
    fn grams(self, scalars: &[char]) -> Need {
        let windows = scalars.windows(self.ngram).filter(|window| {
            let odd = |c: &char| matches!(*c, '\r' | '\n' | char::REPLACEMENT_CHARACTER);
            !window.iter().any(odd) && is_nfc(&window.iter().collect::<String>())
        });
        Need::all(windows.filter_map(Gram::new).map(|gram| Need::Gram(self.variant, gram)))
    }

    /// One of these texts.
    fn one_of(self, strings: &Strings) -> Need {
        Need::one_of(strings.iter().map(|text| self.grams(text)))
    }

    fn need(self, expression: &Hir) -> Need {
        self.found(expression).into_need(self)
    }

    /// What is known of the matches of an expression. Recursion is as deep as the parser's nest
    /// limit.
    fn found(self, expression: &Hir) -> Found {
        match expression.kind() {
            HirKind::Empty | HirKind::Look(_) => Found::exactly(Strings::of_empty()),
            HirKind::Literal(literal) => match str::from_utf8(&literal.0) {
                Ok(text) => {
                    let scalars = text.chars().map(|c| self.fold(c)).collect();
                    Found::exactly(Strings::of(scalars)).simplified(self)
                }
                Err(_) => Found::anything(),
            },
            HirKind::Class(Class::Unicode(class)) => self.class(class),
            HirKind::Class(Class::Bytes(class)) => match class.to_unicode_class() {
                Some(class) => self.class(&class),
                None => Found::anything(),
            },
            HirKind::Capture(capture) => self.found(&capture.sub),
            HirKind::Concat(parts) => parts
                .iter()
                .map(|part| self.found(part))
                .reduce(|before, after| before.then(after, self))
                .unwrap_or_else(|| Found::exactly(Strings::of_empty())),
            HirKind::Alternation(parts) => {
                Found::any_of(parts.iter().map(|part| self.found(part)).collect(), self)
            }
            HirKind::Repetition(repetition) => self.repetition(repetition),
        }
    }

    fn class(self, class: &ClassUnicode) -> Found {
        let members = class.iter().flat_map(|range| range.start()..=range.end());
        let mut strings = Strings::none();
        for (count, c) in members.enumerate() {
            if count >= CLASS_MEMBERS {
                return Found::anything();
            }
            strings.insert(vec![self.fold(c)]);
        }
        // An empty class never matches; that is not worth an exclusion.
        if strings.is_empty() {
            Found::anything()
        } else {
            Found::exactly(strings).simplified(self)
        }
    }

    fn repetition(self, repetition: &Repetition) -> Found {
        let once = self.found(&repetition.sub);
        if repetition.min == 0 {
            return if repetition.max == Some(1) {
                Found::any_of(vec![once, Found::exactly(Strings::of_empty())], self)
            } else {
                Found::anything()
            };
        }
        let unrolled = repetition.min.min(UNROLLED);
        let mut found = once.clone();
        for _ in 1..unrolled {
            found = found.then(once.clone(), self);
        }
        if repetition.max == Some(unrolled) {
            return found;
        }
        // At least so many: it begins as so many do and ends as so many do.
        found.repeated(self)
    }
}

#[cfg(test)]
mod tests;
