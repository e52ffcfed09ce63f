use touchstone_cases::case::Entry;

use super::*;
use crate::answer::{FileAnswer, Line};
use crate::plainer::without;
use crate::question::{Case, Pack};

#[test]
fn shapes_ignore_letters_and_depend_on_options() {
    let one = Question { tree: Pack::of(&[("h", "foo\n")]), ask: Ask::new("fo.|o[a-c]") };
    let other = Question { tree: Pack::of(&[("k", "xy")]), ask: Ask::new("x.|yz[b-d]") };
    assert_eq!(shape(&one), shape(&other));
    let signs = Question { ask: Ask::new(r":\.+.|_?[a-c]"), ..one.clone() };
    let repeated = Question { ask: Ask::new("a*.|b+[a-c]"), ..one.clone() };
    assert_eq!(shape(&signs), shape(&repeated));
    let of = |ask: Ask| shape(&Question { ask, ..one.clone() });
    assert_eq!(of(Ask::new("A*")), of(Ask::new("a*")));
    assert_ne!(of(Ask::new(r"\W")), of(Ask::new(r"\w")));
    assert_ne!(of(Ask::new(r"\wab")), of(Ask::new(r"\w")));
    assert_eq!(of(Ask::new(r"\wab")), of(Ask::new(r"\dx")));
    let smart = |pattern: &str| of(Ask { case: Case::Smart, ..Ask::new(pattern) });
    assert_ne!(smart("A*"), smart("a*"));
    let insensitive =
        Question { ask: Ask { case: Case::Insensitive, ..one.ask.clone() }, ..one.clone() };
    assert_ne!(shape(&one), shape(&insensitive));
    let beyond = Question { tree: Pack::of(&[("h", "é\n")]), ..one.clone() };
    assert_ne!(shape(&one), shape(&beyond));
}

fn finding(id: &str, ask: Ask, bad: &[&str]) -> Finding {
    let question = Question { tree: Pack::of(&[("h", "foo\n")]), ask };
    let sweep = |version: &str| Sweep {
        version: version.to_owned(),
        verdict: if bad.contains(&version) {
            Verdict::Diverge(Aspect::Lines)
        } else {
            Verdict::Agree
        },
    };
    Finding {
        id: id.to_owned(),
        shape: shape(&question),
        aspect: Aspect::Lines,
        releases: ["1", "2", "3"].map(sweep).to_vec(),
        question,
        ..crate::report::sample::finding(0)
    }
}

#[test]
fn a_finding_with_more_parts_in_the_same_releases_is_a_variant() {
    let line = |pattern: &str| Ask { line: true, ..Ask::new(pattern) };
    let mut findings = vec![
        finding("a", line("foo|^o"), &["1", "2"]),
        finding("b", line("foo"), &["1", "2"]),
        finding("c", line("^foo"), &["2"]),
        finding("d", Ask::new("fo+"), &["1", "2"]),
    ];
    for _ in 0..2 {
        fold(&mut findings);
        let of: Vec<Option<&str>> = findings.iter().map(|one| one.variant_of.as_deref()).collect();
        assert_eq!(of, [Some("b"), None, None, None]);
    }
    // Where no release is right, only the same shape is the same bug.
    let all = ["1", "2", "3"];
    let mut undated = [("a", "foo|^o"), ("b", "foo"), ("c", "ba")]
        .map(|(id, pattern)| finding(id, line(pattern), &all));
    fold(&mut undated);
    assert_eq!(undated.map(|one| one.variant_of), [None, None, Some("b".to_owned())]);
    // Nothing new is a variant of a known finding: it would not be reported.
    findings[1].known = Some("listed".to_owned());
    fold(&mut findings);
    assert!(findings.iter().all(|one| one.variant_of.is_none()));
}

/// The cause of a finding that is wrong in that aspect.
fn cause(told: Finding, aspect: Aspect) -> Cause {
    let seen = |one: Sweep| match (&told.broken, one.verdict) {
        (_, Verdict::Agree) => Sweep { verdict: Verdict::Agree, ..one },
        (Some(why), _) => Sweep { verdict: Verdict::Broken(why.clone()), ..one },
        (None, _) => Sweep { verdict: Verdict::Diverge(aspect), ..one },
    };
    let releases = told.releases.iter().cloned().map(seen).collect();
    Cause::of(&Finding { aspect, releases, ..told })
}

#[test]
fn where_no_release_is_right_matches_that_begin_too_late_are_one_bug_in_any_shape() {
    let told_in = |aspect, pattern: &str, word, bad: &[&str], actual| {
        let spans = |span| {
            let line = Line { number: 1, selected: true, text: None, spans: Some(vec![span]) };
            let file = FileAnswer { lines: vec![line], count: None };
            Some(Answer { files: [(Text(b"h".to_vec()), file)].into(), ..Answer::default() })
        };
        let told = finding("a", Ask { word, ..Ask::new(pattern) }, bad);
        cause(Finding { expected: spans((1, 6)), actual: spans(actual), ..told }, aspect)
    };
    let told = |pattern: &str, word, bad: &[&str], actual| {
        told_in(Aspect::Spans, pattern, word, bad, actual)
    };
    let all = &["1", "2", "3"][..];
    let late = told("a+aa|b", false, all, (2, 6));
    assert!(late.covers(&told("(ab)*b{3}", false, all, (5, 9))));
    assert!(!late.covers(&told("(ab)*b{3}", true, all, (2, 6))), "with -w");
    assert!(!late.covers(&told("(ab)*b{3}", false, all, (1, 5))), "too short");
    assert!(!late.covers(&told("(ab)*b{3}", false, all, (6, 7))), "lost");
    let lines = |pattern| told_in(Aspect::Lines, pattern, false, all, (2, 6));
    assert!(!lines("a+aa|b").covers(&lines("(ab)*b{3}")), "other lines");
    let dated = told("a+aa|b", false, &["1"], (2, 6));
    assert!(!dated.covers(&told("ab{3}", false, &["1"], (2, 6))), "dated, so that parts tell");
}

#[test]
fn where_spans_are_wrong_a_choice_of_lengths_is_one_of_alternatives() {
    let of = |pattern: &str, aspect| {
        let ask = Ask { word: true, ..Ask::new(pattern) };
        cause(finding("a", ask, &["2"]), aspect)
    };
    let one = of("aa|a", Aspect::Spans);
    assert!(one.covers(&of("a+", Aspect::Spans)));
    assert!(one.covers(&of("(b)?a", Aspect::Spans)));
    assert!(!one.covers(&of("a{2}", Aspect::Spans)));
    assert!(!of("aa|a", Aspect::Lines).covers(&of("a+", Aspect::Lines)));
}

#[test]
fn a_text_read_wrongly_is_one_bug_whatever_is_shown_of_it() {
    let of = |ask: Ask, aspect, text: &[u8]| {
        let tree = Pack { tree: vec![Entry::file("h", text)] };
        let question = Question { tree, ask: ask.clone() };
        let shape = shape(&question);
        cause(Finding { shape, question, ..finding("a", ask, &["1"]) }, aspect)
    };
    let wide = b"\xff\xfe\xe9\0";
    let lines = of(Ask::new("a"), Aspect::Lines, wide);
    let text = of(Ask { invert: true, ..Ask::new("b") }, Aspect::Text, wide);
    assert!(lines.covers(&text));
    assert!(!text.covers(&lines));
    assert!(!lines.covers(&of(Ask::new("a"), Aspect::Text, b"a")));
    let plain = of(Ask::new("a"), Aspect::Lines, "é".as_bytes());
    assert!(!plain.covers(&of(Ask::new("a"), Aspect::Text, "é".as_bytes())));
}

#[test]
fn what_comes_behind_the_last_allowed_line_is_one_bug_selected_or_not() {
    let of = |aspect, after| {
        let ask = Ask { max_count: Some(1), after, ..Ask::new("a") };
        cause(finding("a", ask, &["1"]), aspect)
    };
    assert!(of(Aspect::Context, 1).covers(&of(Aspect::Lines, 1)));
    assert!(!of(Aspect::Context, 0).covers(&of(Aspect::Lines, 0)));
    assert!(!of(Aspect::Context, 1).covers(&of(Aspect::Spans, 1)));
}

#[test]
fn what_is_too_slow_in_the_same_releases_is_one_bug() {
    let of = |pattern: &str, bad: &[&str]| {
        let broken = Some("no end within 10000 ms".to_owned());
        cause(Finding { broken, ..finding("a", Ask::new(pattern), bad) }, Aspect::Status)
    };
    assert!(of("a|b", &["1"]).covers(&of("^b{2}", &["1"])));
    assert!(!of("a|b", &["1"]).covers(&of("a|b", &["2"])));
}

#[test]
fn a_cause_covers_an_implied_aspect_and_no_other() {
    let one = finding("a", Ask::new("a|b"), &["1"]);
    let files = Finding { aspect: Aspect::Files, ..one.clone() };
    assert!(Cause::of(&one).covers(&Cause::of(&files)));
    // Which lines are selected says which are context, and not the other way round.
    let (lines, context) = (cause(one.clone(), Aspect::Lines), cause(one.clone(), Aspect::Context));
    assert!(lines.covers(&context) && !context.covers(&lines));
    // A match that is lost leaves out a line, or a place in one that has others.
    let spans = |ask: Ask, bad: &[&str]| cause(finding("a", ask, bad), Aspect::Spans);
    let same = spans(Ask::new("b|c"), &["1"]);
    assert!(lines.covers(&same) && !same.covers(&lines));
    assert!(!lines.covers(&spans(Ask { word: true, ..Ask::new("b|c") }, &["1"])));
    let all = ["1", "2", "3"];
    let undated = finding("a", Ask::new("a|b"), &all);
    assert!(!cause(undated, Aspect::Lines).covers(&spans(Ask::new("b|c"), &all)));
    let crash = Finding { aspect: Aspect::Status, broken: Some("x".to_owned()), ..one.clone() };
    assert!(!Cause::of(&one).covers(&Cause::of(&crash)));
}

#[test]
fn what_has_a_known_bug_for_a_variant_is_that_bug() {
    let known = finding("known", Ask { line: true, ..Ask::new("a|b") }, &["1"]);
    let known = Finding { known: Some("listed".to_owned()), ..known };
    let named_as =
        |ask: Ask, bad: &[&str]| named(finding("new", ask, bad), std::iter::once(&known)).known;
    let plainer = Ask { line: true, ..Ask::new("a") };
    assert_eq!(named_as(plainer.clone(), &["1"]).as_deref(), Some("listed"));
    assert_eq!(named_as(plainer, &["2"]), None);
    assert_eq!(named_as(Ask { word: true, ..Ask::new("a") }, &["1"]), None);
}

#[test]
fn a_case_of_classes_alone_is_no_known_bug_that_has_more() {
    let known =
        |id: &str, ask: Ask| Finding { known: Some(id.to_owned()), ..finding(id, ask, &["1"]) };
    let listed = [
        known("line", Ask { line: true, ..Ask::new("[ab]|x") }),
        known("word", Ask::new(r"\wxyz")),
    ];
    let named_as = |pattern: &str, listed: &[Finding]| {
        named(finding("new", Ask::new(pattern), &["1"]), listed.iter()).known
    };
    assert_eq!(named_as(r"\wabc", &listed).as_deref(), Some("word"));
    assert_eq!(named_as(r"\wabc", &listed[..1]), None);
    assert_eq!(named_as("[ab]+", &listed).as_deref(), Some("word"));
}

#[test]
fn a_known_bug_of_the_same_shape_comes_before_one_with_more_parts() {
    let known =
        |id: &str, ask: Ask| Finding { known: Some(id.to_owned()), ..finding(id, ask, &["1"]) };
    let line = |pattern: &str| Ask { line: true, ..Ask::new(pattern) };
    let listed = [known("plain", line("ab")), known("anchored", line("^ab|c"))];
    let new = finding("new", line("xy"), &["1"]);
    assert_eq!(named(new, listed.iter()).known.as_deref(), Some("plain"));
}

#[test]
fn an_option_and_a_flag_in_the_pattern_say_alike_that_case_does_not_count() {
    let option = Ask { case: Case::Insensitive, ..Ask::new("[^a]") };
    let of = |ask: Ask| Cause::of(&finding("a", ask, &["1"]));
    assert!(of(option).covers(&of(Ask::new("(?i:[^a])"))));
    assert!(!of(Ask::new("(?i:[^a])")).covers(&of(Ask::new("[^a]"))));
}

#[test]
fn two_known_bugs_that_meet_in_one_case_are_no_third() {
    let known = |id: &str, ask: Ask, bad: &[&str]| Finding {
        known: Some(id.to_owned()),
        ..finding(id, ask, bad)
    };
    let limit = Ask { max_count: Some(1), ..Ask::new("a") };
    let listed = [
        known("line", Ask { line: true, ..Ask::new("a") }, &["1"]),
        known("limit", Ask { before: 1, ..limit.clone() }, &["2"]),
    ];
    let both = Ask { line: true, before: 1, ..limit };
    let named_as = |ask: &Ask, bad: &[&str], listed: &[Finding]| {
        named(finding("new", ask.clone(), bad), listed.iter()).known
    };
    assert_eq!(named_as(&both, &["1", "2"], &listed).as_deref(), Some("limit"));
    // Not without one of them, not where neither is, and not with less than they are made of.
    assert_eq!(named_as(&both, &["1", "2"], &listed[..1]), None);
    assert_eq!(named_as(&both, &["1", "2", "3"], &listed), None);
    assert_eq!(named_as(&Ask { before: 0, ..both }, &["1", "2"], &listed), None);
}

#[test]
fn a_bug_of_all_releases_is_tried_if_two_parts_tell() {
    let all = ["1", "2", "3"];
    let of = |ask: Ask| finding("a", ask, &all);
    let listed = of(Ask { invert: true, show: Show::Files, ..Ask::new("a") });
    let shown = of(Ask { invert: true, ..Ask::new("a") });
    assert!(Cause::of(&listed).can_be_tried() && !Cause::of(&shown).can_be_tried());
    assert_ne!(listed.shape, shown.shape);
    let [listed] = &without(&listed.question, [&Part::Listed])[..] else { panic!() };
    assert_eq!(shape(listed), shown.shape);
}
