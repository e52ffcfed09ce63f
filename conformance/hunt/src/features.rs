//! What a question has: the features by which cases are counted and grouped (docs/hunt.md, section
//! 3).
//!
//! Responsible for: the features of an ask ([`Ask::features`]), of a tree ([`tree_features`]), and
//! of a haystack
//! ([`content_features`]).
//! Not here: which feature names the group (`spec/hunt.yaml`), and which of them a
//! program cannot be asked (its adapter).
//! Invariants: a function of the question alone; every ask has `regex` or `fixed`.

use std::collections::BTreeSet;

use regex_syntax::ast::{
    self, AssertionKind, Ast, ClassSetItem, GroupKind, RepetitionKind, RepetitionRange,
};
use touchstone_cases::case::{Node, Text};

use super::groups::Set;
use super::question::{Ask, Case, Feature, Pack};

/// Longer haystacks than this cross a buffer's border.
const BUFFER_BYTES: usize = 64 << 10;

impl Ask {
    /// What it has, options and syntax of the patterns.
    pub fn features(&self) -> BTreeSet<Feature> {
        let mut found = BTreeSet::new();
        let mut add = |holds: bool, feature| {
            if holds {
                found.insert(feature);
            }
        };
        add(self.word, Feature::Word);
        add(self.line, Feature::Line);
        add(self.invert, Feature::Invert);
        add(self.case == Case::Insensitive, Feature::Insensitive);
        add(self.case == Case::Smart, Feature::Smart);
        add(self.max_count.is_some(), Feature::MaxCount);
        add(self.before > 0, Feature::Before);
        add(self.after > 0, Feature::After);
        add(self.crlf, Feature::Crlf);
        add(self.mmap == Some(true), Feature::Mmap);
        add(self.mmap == Some(false), Feature::NoMmap);
        add(self.patterns.len() > 1, Feature::Several);
        add(self.fixed, Feature::Fixed);
        add(!self.fixed, Feature::Regex);
        if let Some(walk) = &self.walk {
            add(true, Feature::Walk);
            add(walk.hidden, Feature::Hidden);
            add(walk.no_ignore, Feature::NoIgnore);
            add(!walk.globs.is_empty(), Feature::Globs);
            add(!walk.roots.is_empty(), Feature::Roots);
            add(walk.follow, Feature::Follow);
            add(walk.max_filesize.is_some(), Feature::MaxFilesize);
            add(walk.max_depth.is_some(), Feature::MaxDepth);
            add(walk.sort, Feature::Sort);
        }
        for pattern in &self.patterns {
            if !pattern.is_ascii() {
                found.insert(Feature::NonAsciiPattern);
            }
            if self.fixed {
                if pattern.is_empty() {
                    found.insert(Feature::EmptyMatch);
                }
            } else {
                syntax_features(pattern, &mut found);
            }
        }
        found
    }
}

impl Ask {
    /// Whether a pattern can match one text or another in the same place: `a+` is `a|aa|…`.
    pub fn has_choice(&self) -> bool {
        let chooses = |pattern: &String| {
            ast::parse::Parser::new()
                .parse(pattern)
                .is_ok_and(|tree| ast::visit(&tree, Choice(false)).unwrap_or(false))
        };
        self.patterns.len() > 1 || (!self.fixed && self.patterns.iter().any(chooses))
    }
}

struct Choice(bool);

impl ast::Visitor for Choice {
    type Output = bool;
    type Err = ();

    fn finish(self) -> Result<bool, ()> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, node: &Ast) -> Result<(), ()> {
        self.0 |= match node {
            Ast::Alternation(_) => true,
            Ast::Repetition(repetition) => {
                !matches!(repetition.op.kind, RepetitionKind::Range(RepetitionRange::Exactly(_)))
            }
            _ => false,
        };
        Ok(())
    }
}

/// The features of a tree: some matter to a program that walks it, others where files are named.
pub fn tree_features(pack: &Pack, is_walked: bool) -> BTreeSet<Feature> {
    let mut found = BTreeSet::new();
    if !is_walked {
        found.extend(pack.inaccessible().next().map(|_| Feature::Inaccessible));
        return found;
    }
    for entry in &pack.tree {
        if is_ignore_file(&entry.path) {
            found.insert(Feature::IgnoreFiles);
        }
        if matches!(entry.node, Node::Link { .. }) {
            found.insert(Feature::Links);
        }
    }
    found
}

/// Whether a path is that of a file with rules on what is ignored.
pub fn is_ignore_file(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    matches!(name, b".gitignore" | b".ignore" | b".rgignore")
        || path.ends_with(b".git/info/exclude")
}

/// A readable file of a pack, which many asks are about.
#[derive(Debug)]
pub struct Haystack {
    /// Its path.
    pub path: Text,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// The features of that.
    pub features: Set,
}

impl Haystack {
    /// Those of a pack.
    pub fn all(pack: &Pack) -> Vec<Self> {
        let of = |(path, bytes): (&[u8], Vec<u8>)| {
            let features = Set::of(&content_features(path, &bytes));
            Self { path: Text(path.to_vec()), bytes, features }
        };
        pack.files().map(of).collect()
    }
}

/// The features of one haystack.
pub fn content_features(path: &[u8], bytes: &[u8]) -> BTreeSet<Feature> {
    // Nothing depends on a name so far; a feature that does will not change who calls this.
    let _ = path;
    let mut found = BTreeSet::new();
    if bytes.len() > BUFFER_BYTES {
        found.insert(Feature::Long);
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        // Its NULs and odd bytes are those of its encoding.
        found.insert(Feature::Utf16);
        let unit =
            if bytes.starts_with(b"\xff\xfe") { u16::from_le_bytes } else { u16::from_be_bytes };
        let (units, _) = bytes.as_chunks::<2>();
        if units.iter().skip(1).any(|pair| unit(*pair) > 0x7f) {
            found.insert(Feature::NonAscii);
        }
        return found;
    }
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => {
            found.insert(Feature::Bom);
            rest
        }
        None => bytes,
    };
    if bytes.contains(&0) {
        found.insert(Feature::Nul);
    }
    if bytes.contains(&b'\r') {
        found.insert(Feature::Cr);
    }
    if bytes.is_ascii() {
        return found;
    }
    for chunk in bytes.utf8_chunks() {
        if !chunk.invalid().is_empty() {
            found.insert(Feature::InvalidUtf8);
        }
        if !chunk.valid().is_ascii() {
            found.insert(Feature::NonAscii);
        }
    }
    found
}

/// What the syntax of one pattern has; nothing where it is no expression.
pub(super) fn syntax_features(pattern: &str, found: &mut BTreeSet<Feature>) {
    let Ok(tree) = ast::parse::Parser::new().parse(pattern) else { return };
    // The visitor never fails.
    let _ = ast::visit(&tree, Walker { found });
    let expression = regex_syntax::hir::translate::TranslatorBuilder::new()
        .utf8(false)
        .build()
        .translate(pattern, &tree);
    if expression.is_ok_and(|hir| hir.properties().minimum_len() == Some(0)) {
        found.insert(Feature::EmptyMatch);
    }
}

struct Walker<'a> {
    found: &'a mut BTreeSet<Feature>,
}

impl ast::Visitor for Walker<'_> {
    type Output = ();
    type Err = ();

    fn finish(self) -> Result<(), ()> {
        Ok(())
    }

    fn visit_pre(&mut self, node: &Ast) -> Result<(), ()> {
        match node {
            Ast::Empty(_) | Ast::Concat(_) => {}
            Ast::Literal(literal) => {
                if !literal.c.is_ascii() {
                    self.found.insert(Feature::NonAsciiPattern);
                }
            }
            Ast::Flags(_) => {
                self.found.insert(Feature::InlineFlags);
            }
            Ast::Dot(_) => {
                self.found.insert(Feature::Class);
            }
            Ast::Assertion(assertion) => {
                self.found.insert(match assertion.kind {
                    AssertionKind::StartLine | AssertionKind::EndLine => Feature::Anchor,
                    AssertionKind::StartText | AssertionKind::EndText => Feature::TextAnchor,
                    _ => Feature::Boundary,
                });
            }
            Ast::ClassUnicode(class) => self.class(Feature::Property, class.is_negated()),
            Ast::ClassPerl(class) => self.class(Feature::PerlClass, class.negated),
            Ast::ClassBracketed(class) => self.class(Feature::Class, class.negated),
            Ast::Repetition(repetition) => {
                if !repetition.greedy {
                    self.found.insert(Feature::Lazy);
                }
                self.found.insert(match repetition.op.kind {
                    RepetitionKind::Range(
                        RepetitionRange::Exactly(_)
                        | RepetitionRange::AtLeast(_)
                        | RepetitionRange::Bounded(..),
                    ) => Feature::Bounded,
                    _ => Feature::Repetition,
                });
            }
            Ast::Group(group) => {
                if let GroupKind::NonCapturing(flags) = &group.kind
                    && !flags.items.is_empty()
                {
                    self.found.insert(Feature::InlineFlags);
                }
            }
            Ast::Alternation(_) => {
                self.found.insert(Feature::Alternation);
            }
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), ()> {
        match item {
            ClassSetItem::Unicode(class) => self.class(Feature::Property, class.is_negated()),
            ClassSetItem::Perl(class) => self.class(Feature::PerlClass, class.negated),
            ClassSetItem::Ascii(class) => self.class(Feature::Class, class.negated),
            ClassSetItem::Bracketed(class) => self.class(Feature::Class, class.negated),
            ClassSetItem::Literal(literal) if !literal.c.is_ascii() => {
                self.found.insert(Feature::NonAsciiPattern);
            }
            ClassSetItem::Range(range) if !(range.start.c.is_ascii() && range.end.c.is_ascii()) => {
                self.found.insert(Feature::NonAsciiPattern);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Walker<'_> {
    fn class(&mut self, feature: Feature, negated: bool) {
        self.found.insert(feature);
        if negated {
            self.found.insert(Feature::NegatedClass);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> Vec<Feature> {
        Ask::new(pattern)
            .features()
            .into_iter()
            .filter(|feature| *feature != Feature::Regex)
            .collect()
    }

    #[test]
    fn syntax_features_are_detected_by_the_parse_tree() {
        assert_eq!(of("abc"), []);
        assert_eq!(of(r"\[a\]"), []);
        assert_eq!(of("[^a]"), [Feature::NegatedClass, Feature::Class]);
        assert_eq!(of(r"\W"), [Feature::PerlClass, Feature::NegatedClass]);
        assert_eq!(of(r"[\d.]"), [Feature::PerlClass, Feature::Class]);
        assert_eq!(of(r"\ba\pL"), [Feature::Boundary, Feature::Property]);
        assert_eq!(of("a{2,3}?"), [Feature::Lazy, Feature::Bounded]);
        assert_eq!(of("^a$"), [Feature::Anchor]);
        assert_eq!(of(r"\Aa\z"), [Feature::TextAnchor]);
        assert_eq!(of("(?:a)|b"), [Feature::Alternation]);
        assert_eq!(of("(?i:a)b+"), [Feature::InlineFlags, Feature::Repetition]);
        assert_eq!(of("\u{e9}"), [Feature::NonAsciiPattern]);
        assert_eq!(of(r"\u{e9}"), [Feature::NonAsciiPattern]);
    }

    #[test]
    fn a_repetition_of_variable_length_is_a_choice() {
        for pattern in ["a|b", "a+", "(ab)?c", "a{1,2}"] {
            assert!(Ask::new(pattern).has_choice(), "{pattern}");
        }
        for pattern in ["ab", "[ab]", "a{2}", "^a"] {
            assert!(!Ask::new(pattern).has_choice(), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_can_match_the_empty_text_is_detected() {
        for pattern in ["", "a*", "^", r"\b", "(a|)", "a{0}"] {
            assert!(Ask::new(pattern).features().contains(&Feature::EmptyMatch), "{pattern}");
        }
        for pattern in ["a", "a+", "^a"] {
            assert!(!Ask::new(pattern).features().contains(&Feature::EmptyMatch), "{pattern}");
        }
    }

    #[test]
    fn every_ask_is_classified_as_regex_or_fixed() {
        let mut ask = Ask::new("a.b");
        assert!(ask.features().contains(&Feature::Regex));
        ask.fixed = true;
        assert_eq!(ask.features().into_iter().collect::<Vec<_>>(), [Feature::Fixed]);
    }

    #[test]
    fn haystack_features_are_detected_by_bytes() {
        let of = |bytes: &[u8]| content_features(b"a", bytes).into_iter().collect::<Vec<_>>();
        assert_eq!(of(b"plain\n"), []);
        assert_eq!(of(b"\xff\xfea\0"), [Feature::Utf16]);
        assert_eq!(of(b"\xff\xfe\xe9\0"), [Feature::Utf16, Feature::NonAscii]);
        assert_eq!(of(b"\xef\xbb\xbfa"), [Feature::Bom]);
        assert_eq!(of(b"a\0\r\n\xff"), [Feature::Nul, Feature::InvalidUtf8, Feature::Cr]);
        assert_eq!(of("é".as_bytes()), [Feature::NonAscii]);
        assert_eq!(of(&vec![b'a'; BUFFER_BYTES + 1]), [Feature::Long]);
    }
}
