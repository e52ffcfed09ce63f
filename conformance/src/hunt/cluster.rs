//! Which divergences are one bug.
//!
//! Responsible for: the [`shape`] of a shrunk case, which forgets letters and numbers; the id of a
//! finding.
//! Invariants: the same question has the same shape in every run and on every machine.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

use super::features::{content_features, is_ignore_file, tree_features};
use super::question::{Ask, Feature, Question};
use super::verdict::Aspect;

/// What a question is made of: its features, and its patterns with every run of letters as one
/// letter.
pub fn shape(question: &Question) -> String {
    let features: Vec<&str> = features(question).into_iter().map(Feature::name).collect();
    let mut texts: Vec<String> =
        question.ask.patterns.iter().map(|pattern| skeleton(pattern)).collect();
    if question.ask.walk.is_some() {
        // There the rules of ignore files are what patterns are elsewhere.
        let rules = question.tree.files().filter(|(path, _)| is_ignore_file(path));
        texts.extend(rules.map(|(_, rules)| skeleton(&String::from_utf8_lossy(&rules))));
    }
    format!("{} {}", features.join("+"), texts.join(" "))
}

/// The features of a question: of the ask, of the tree if it is walked, and of all its haystacks.
pub fn features(question: &Question) -> BTreeSet<Feature> {
    let mut features = question.ask.features();
    if question.ask.walk.is_some() {
        features.extend(tree_features(&question.tree));
    } else {
        for (path, bytes) in question.tree.files() {
            features.extend(content_features(path, &bytes));
        }
    }
    features
}

/// Runs of letters as `a` or `A`, of digits as `0`, of characters beyond ASCII as `é`; the rest as
/// it is.
fn skeleton(pattern: &str) -> String {
    let mut out = String::new();
    for letter in pattern.chars() {
        let kind = match letter {
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            '0'..='9' => '0',
            letter if letter.is_ascii() => letter,
            _ => 'é',
        };
        if !out.ends_with(kind) || kind.is_ascii_punctuation() {
            out.push(kind);
        }
    }
    out
}

/// The id of a finding: the same for the same bug in every run.
pub fn id(
    program: &str,
    group: Feature,
    aspect: Aspect,
    shape: &str,
    first_bad: Option<&str>,
) -> String {
    let digest = xxh3_64(format!("{shape}\n{}", first_bad.unwrap_or("")).as_bytes());
    format!("{program}-{}-{}-{:08x}", group.name().replace('_', "-"), aspect.name(), digest >> 32)
}

/// One sentence on what is wrong.
pub fn title(program: &str, group: Feature, aspect: Aspect, ask: &Ask) -> String {
    let what = match aspect {
        Aspect::Files => "names the wrong files",
        Aspect::Lines => "selects the wrong lines",
        Aspect::Text => "shows other text than the file has",
        Aspect::Spans => "reports matches at the wrong place",
        Aspect::Context => "shows the wrong context",
        Aspect::Count => "counts wrongly",
        Aspect::Order => "lists files out of order",
        Aspect::Status => "ends with the wrong status",
    };
    let with = if group == Feature::Regex {
        String::new()
    } else {
        format!(" with {}", group.name().replace('_', " "))
    };
    let patterns: Vec<String> = ask.patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("{program} {what}{with}: {}", patterns.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::question::{Case, Pack};

    #[test]
    fn letters_do_not_matter_and_options_do() {
        let one = Question { tree: Pack::of(&[("h", "foo\n")]), ask: Ask::new("fo.|o[a-c]") };
        let other = Question { tree: Pack::of(&[("k", "xy")]), ask: Ask::new("x.|yz[b-d]") };
        assert_eq!(shape(&one), shape(&other));
        let insensitive =
            Question { ask: Ask { case: Case::Insensitive, ..one.ask.clone() }, ..one.clone() };
        assert_ne!(shape(&one), shape(&insensitive));
        let beyond = Question { tree: Pack::of(&[("h", "é\n")]), ..one.clone() };
        assert_ne!(shape(&one), shape(&beyond));
    }
}
