//! Questions without one of the things they are made of.
//!
//! Responsible for: what a question is made of ([`parts`]), and the same question without some of
//! it ([`without`]).
//! Not here: searching for the smallest question ([`super::shrink`]); what it means that
//! a bug needs a part ([`super::cluster`]).
//! Invariants: every question returned lacks the part and parses; a part that cannot be taken out
//! on its own gives none.

use std::collections::BTreeSet;

use regex_syntax::ast::{Ast, GroupKind, RepetitionKind, parse::Parser};
use touchstone_cases::case::{Contents, Node};

use super::features::{content_features, is_ignore_file, syntax_features, tree_features};
use super::question::{Ask, Case, Feature, Question, Show};

/// Most alternatives, or patterns, that are tried alone.
const MOST_ALONE: usize = 4;

/// Most ways in which several parts are taken out together.
const MOST_WAYS: usize = 16;

/// Something that a question is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// An option, a piece of syntax, or a kind of content.
    Feature(Feature),
    /// A character other than letters, digits and separators in the rules of an ignore file.
    Rule(char),
    /// That files are listed instead of lines, with or without a match.
    Listed,
    /// That lines are counted.
    Counted,
}

impl Part {
    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::Feature(feature) => feature.name().to_owned(),
            Self::Rule(letter) => format!("rule:{}", letter.escape_default()),
            Self::Listed => "listed".to_owned(),
            Self::Counted => "counted".to_owned(),
        }
    }

    /// Whether [`without`] can take it out.
    pub fn comes_out(self) -> bool {
        !matches!(
            self,
            Self::Feature(
                Feature::Walk
                    | Feature::IgnoreFiles
                    | Feature::Links
                    | Feature::Long
                    | Feature::Class
                    | Feature::EmptyMatch
                    | Feature::Regex
            )
        )
    }
}

/// What a question is made of. That it is an expression is a matter of course, several patterns are
/// alternatives, and a class is one however it is written.
pub fn parts(question: &Question) -> BTreeSet<Part> {
    let mut features = question.ask.features();
    let mut parts = BTreeSet::new();
    let is_walked = question.ask.walk.is_some();
    features.extend(tree_features(&question.tree, is_walked));
    if is_walked {
        for (_, rules) in question.tree.files().filter(|(path, _)| is_ignore_file(path)) {
            let rules = String::from_utf8_lossy(&rules).into_owned();
            let plain = |letter: &char| letter.is_alphanumeric() || matches!(letter, '\n' | '/');
            parts.extend(rules.chars().filter(|letter| !plain(letter)).map(Part::Rule));
        }
    } else {
        for (path, bytes) in question.tree.files() {
            features.extend(content_features(path, &bytes));
        }
    }
    features.remove(&Feature::Regex);
    if features.remove(&Feature::Several) {
        features.insert(Feature::Alternation);
    }
    if [Feature::PerlClass, Feature::Property].map(|class| features.remove(&class)).contains(&true)
    {
        features.insert(Feature::Class);
    }
    parts.extend(features.into_iter().map(Part::Feature));
    parts.extend(match question.ask.show {
        Show::Files | Show::FilesWithout => Some(Part::Listed),
        Show::Count => Some(Part::Counted),
        Show::Lines | Show::Spans => None,
    });
    parts
}

/// The question without these parts, in each way there is; those that cannot be taken out stay.
pub fn without<'a>(question: &Question, gone: impl IntoIterator<Item = &'a Part>) -> Vec<Question> {
    let mut all = vec![question.clone()];
    for part in gone.into_iter().filter(|part| part.comes_out()) {
        all = all.iter().flat_map(|one| without_one(one, *part)).take(MOST_WAYS).collect();
    }
    all.retain(|one| one.ask.fixed || one.ask.patterns.iter().all(|text| parses(text)));
    all
}

fn without_one(question: &Question, part: Part) -> Vec<Question> {
    let mut plain = question.clone();
    let ask = &mut plain.ask;
    match part {
        Part::Rule(letter) => {
            rewrite(&mut plain, true, |bytes| {
                String::from_utf8_lossy(bytes).replace(letter, "").into_bytes()
            });
        }
        Part::Listed | Part::Counted => ask.show = Show::Lines,
        Part::Feature(feature) => match feature {
            Feature::Word => ask.word = false,
            Feature::Line => ask.line = false,
            Feature::Invert => ask.invert = false,
            Feature::Insensitive | Feature::Smart => ask.case = Case::Sensitive,
            Feature::MaxCount => ask.max_count = None,
            Feature::Before => ask.before = 0,
            Feature::After => ask.after = 0,
            Feature::Crlf => ask.crlf = false,
            Feature::Mmap | Feature::NoMmap => ask.mmap = None,
            Feature::Fixed => {
                ask.fixed = false;
                ask.patterns = ask.patterns.iter().map(|text| regex_syntax::escape(text)).collect();
            }
            Feature::Cr => rewrite(&mut plain, false, |bytes| {
                bytes.iter().copied().filter(|byte| *byte != b'\r').collect()
            }),
            Feature::Bom => rewrite(&mut plain, false, |bytes| {
                bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).to_vec()
            }),
            Feature::Nul => rewrite(&mut plain, false, |bytes| plain_bytes(bytes, |b| b == 0)),
            Feature::InvalidUtf8 | Feature::Utf16 => {
                rewrite(&mut plain, false, |bytes| plain_bytes(bytes, |b| b >= 0x80));
            }
            Feature::Inaccessible => {
                let gone: BTreeSet<&[u8]> = question.tree.inaccessible().collect();
                plain.tree.tree.retain(|entry| !gone.contains(entry.path.as_slice()));
            }
            Feature::NonAscii | Feature::NonAsciiPattern => {
                // In both, so that what was found still is.
                for text in &mut ask.patterns {
                    *text = text.chars().map(|c| if c.is_ascii() { c } else { 'a' }).collect();
                }
                rewrite(&mut plain, false, |bytes| {
                    let text = String::from_utf8_lossy(bytes);
                    text.chars()
                        .map(|c| if c.is_ascii() { c } else { 'a' })
                        .collect::<String>()
                        .into_bytes()
                });
            }
            Feature::Alternation | Feature::Several => return each_alternative(question),
            syntax => {
                if let Some(walk) = &mut ask.walk {
                    match syntax {
                        Feature::Hidden => walk.hidden = false,
                        Feature::NoIgnore => walk.no_ignore = false,
                        Feature::Globs => walk.globs.clear(),
                        Feature::Roots => walk.roots.clear(),
                        Feature::Follow => walk.follow = false,
                        Feature::MaxFilesize => walk.max_filesize = None,
                        Feature::MaxDepth => walk.max_depth = None,
                        Feature::Sort => walk.sort = false,
                        _ => {}
                    }
                }
                plain = rewritten(&plain, syntax, 0);
            }
        },
    }
    vec![plain]
}

/// The question with one alternative of one pattern alone, in each way there is.
fn each_alternative(question: &Question) -> Vec<Question> {
    let alone = |text: &String| {
        let ask = Ask { patterns: vec![text.clone()], ..question.ask.clone() };
        Question { ask, ..question.clone() }
    };
    let alone = question.ask.patterns.iter().take(MOST_ALONE).map(alone);
    let nth = |one: Question| -> Vec<Question> {
        (0..MOST_ALONE).map(|nth| rewritten(&one, Feature::Alternation, nth)).collect()
    };
    let mut all: Vec<Question> = alone.flat_map(nth).collect();
    all.dedup();
    all
}

/// These bytes as letters.
fn plain_bytes(bytes: &[u8], odd: impl Fn(u8) -> bool) -> Vec<u8> {
    bytes.iter().map(|byte| if odd(*byte) { b'a' } else { *byte }).collect()
}

/// Changes what stands in haystacks, or in ignore files.
fn rewrite(question: &mut Question, rules: bool, change: impl Fn(&[u8]) -> Vec<u8>) {
    for entry in &mut question.tree.tree {
        if is_ignore_file(&entry.path) != rules {
            continue;
        }
        if let Node::File { contents, .. } = &mut entry.node {
            let Contents { parts } = contents;
            for part in parts {
                part.bytes.0 = change(&part.bytes.0);
            }
        }
    }
}

fn rewritten(question: &Question, feature: Feature, nth: usize) -> Question {
    let mut plain = question.clone();
    if !plain.ask.fixed {
        for text in &mut plain.ask.patterns {
            if let Ok(mut tree) = Parser::new().parse(text) {
                simplify(&mut tree, feature, nth);
                *text = tree.to_string();
            }
        }
    }
    plain
}

fn parses(text: &str) -> bool {
    Parser::new().parse(text).is_ok()
}

/// Takes a piece of syntax out of a tree; of alternatives the `nth` is kept, counted round.
fn simplify(tree: &mut Ast, feature: Feature, nth: usize) {
    let span = *tree.span();
    let taken = |of: &mut Ast| std::mem::replace(of, Ast::empty(span));
    let mut instead = None;
    match tree {
        Ast::Alternation(list) => {
            let kept = nth.checked_rem(list.asts.len()).filter(|_| feature == Feature::Alternation);
            instead = kept.and_then(|kept| list.asts.get_mut(kept)).map(taken);
            for one in &mut list.asts {
                simplify(one, feature, nth);
            }
        }
        Ast::Concat(list) => {
            for one in &mut list.asts {
                simplify(one, feature, nth);
            }
        }
        Ast::Group(group) => {
            if let GroupKind::NonCapturing(flags) = &mut group.kind
                && feature == Feature::InlineFlags
            {
                flags.items.clear();
            }
            simplify(&mut group.ast, feature, nth);
        }
        Ast::Repetition(repetition) => {
            let counted = matches!(repetition.op.kind, RepetitionKind::Range(_));
            let gone = if counted { Feature::Bounded } else { Feature::Repetition };
            repetition.greedy |= feature == Feature::Lazy;
            simplify(&mut repetition.ast, feature, nth);
            if feature == gone {
                instead = Some(taken(&mut repetition.ast));
            }
        }
        Ast::Assertion(_) | Ast::Flags(_) => {
            let mut has = BTreeSet::new();
            syntax_features(&tree.to_string(), &mut has);
            if has.contains(&feature) {
                instead = Some(Ast::empty(span));
            }
        }
        Ast::ClassBracketed(class) => class.negated &= feature != Feature::NegatedClass,
        Ast::ClassPerl(class) => class.negated &= feature != Feature::NegatedClass,
        Ast::ClassUnicode(class) => class.negated &= feature != Feature::NegatedClass,
        Ast::Empty(_) | Ast::Literal(_) | Ast::Dot(_) => {}
    }
    if let Some(mut instead) = instead {
        if feature == Feature::Alternation {
            simplify(&mut instead, feature, nth);
        }
        *tree = instead;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Pack;

    fn plain(pattern: &str, feature: Feature) -> Vec<String> {
        let question = Question { tree: Pack::of(&[("h", "a\n")]), ask: Ask::new(pattern) };
        let all = without(&question, [&Part::Feature(feature)]);
        let mut texts: Vec<String> =
            all.into_iter().flat_map(|question| question.ask.patterns).collect();
        texts.dedup();
        texts
    }

    #[test]
    fn each_piece_of_syntax_is_removed_at_any_depth() {
        for (pattern, feature, left) in [
            (r"\ba(\Bb|c)", Feature::Boundary, r"a(b|c)"),
            ("^(a|b$)", Feature::Anchor, "(a|b)"),
            ("(a+)*b{2}", Feature::Repetition, "(a)b{2}"),
            ("(a+)*b{2}", Feature::Bounded, "(a+)*b"),
            ("a+?b", Feature::Lazy, "a+b"),
            (r"[^a]\W\PL", Feature::NegatedClass, r"[a]\w\pL"),
            ("(?i:a)b", Feature::InlineFlags, "(?:a)b"),
        ] {
            assert_eq!(plain(pattern, feature), [left], "{pattern}");
        }
        assert_eq!(plain("x(a|bc)", Feature::Alternation), ["x(a)", "x(bc)", "x(a)", "x(bc)"]);
    }

    #[test]
    fn simplified_patterns_that_do_not_parse_are_not_offered() {
        assert!(plain(r"(?:\b)*", Feature::Boundary).iter().all(|text| parses(text)));
        assert_eq!(plain("[ab]", Feature::Class), ["[ab]"]);
    }

    #[test]
    fn a_part_of_an_ignore_rule_can_be_removed_from_the_tree() {
        let tree = Pack::of(&[(".gitignore", "a}\n"), ("a", "a\n")]);
        let mut ask = Ask::new("a");
        ask.walk = Some(crate::question::Walk::default());
        let question = Question { tree, ask };
        assert!(parts(&question).contains(&Part::Rule('}')));
        let left = without(&question, [&Part::Rule('}')]);
        assert!(!parts(left.first().unwrap()).contains(&Part::Rule('}')));
    }
}
