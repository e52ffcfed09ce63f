use std::collections::BTreeMap;

use super::*;
use touchstone_cases::case::{Entry, Node};

use crate::question::Walk;
use crate::subjects::Adapters;

/// The verdict on one file `a` with the line `abab`, of which the program says that it matched
/// there.
fn verdict(adapter: &Adapter, pattern: &str, spans: &[(u64, u64)]) -> Verdict {
    let (pack, text) = (Pack::of(&[("a", "abab\n")]), Text(b"abab".to_vec()));
    let ask = Ask { show: Show::Spans, ..Ask::new(pattern) };
    let haystacks = Haystack::all(&pack);
    let own = Expectation::of(&pack, &haystacks, &ask, adapter.dialect).unwrap();
    let canonical = Expectation::of(&pack, &haystacks, &ask, Dialect::default()).unwrap();
    let line = Line { number: 1, selected: true, text: Some(text), spans: Some(spans.to_vec()) };
    let said = FileAnswer { lines: vec![line], count: None };
    Judge::new(adapter, (&pack, &ask), &canonical, &own).file(&haystacks[0], Some(&said))
}

#[test]
fn spans_of_a_leftmost_longest_program_are_compared_only_for_plain_literals() {
    let mut grep = Adapter::clone(&Adapters::shipped().unwrap().get("grep").unwrap());
    let declared = Verdict::Declared("spans_not_first".to_owned());
    assert_eq!(verdict(&grep, "a|abab", &[(0, 4)]), declared);
    // The dialect says it without the declaration.
    grep.declared = BTreeMap::new();
    assert_eq!(verdict(&grep, "a|abab", &[(0, 4)]), declared);
    assert_eq!(verdict(&grep, "a|abab", &[(0, 1), (2, 3)]), Verdict::Agree);
    assert_eq!(verdict(&grep, "ab", &[(0, 4)]), Verdict::Diverge(Aspect::Spans));
    grep.dialect.spans = Spans::First;
    assert_eq!(verdict(&grep, "a|abab", &[(0, 4)]), Verdict::Diverge(Aspect::Spans));
}

#[test]
fn empty_spans_are_not_compared() {
    let grep = Adapter::clone(&Adapters::shipped().unwrap().get("grep").unwrap());
    for spans in [&[(1, 2), (3, 4)][..], &[(0, 0), (1, 2), (3, 4), (4, 4)]] {
        assert_eq!(verdict(&grep, "b*", spans), Verdict::Agree, "{spans:?}");
    }
}

#[test]
fn whether_a_match_has_the_cr_of_cr_lf_is_not_compared() {
    let ripgrep = Adapter::clone(&Adapters::shipped().unwrap().get("ripgrep").unwrap());
    let pack = Pack::of(&[("a", "a\r\n")]);
    let verdict = |crlf: bool, spans: &[(u64, u64)]| {
        let ask = Ask { crlf, show: Show::Spans, ..Ask::new("a") };
        let haystacks = Haystack::all(&pack);
        let own = Expectation::of(&pack, &haystacks, &ask, ripgrep.dialect).unwrap();
        let text = Some(Text(b"a\r".to_vec()));
        let line = Line { number: 1, selected: true, text, spans: Some(spans.to_vec()) };
        let said = FileAnswer { lines: vec![line], count: None };
        Judge::new(&ripgrep, (&pack, &ask), &own, &own).file(&haystacks[0], Some(&said))
    };
    assert_eq!(verdict(true, &[(0, 1)]), Verdict::Agree);
    assert_eq!(verdict(true, &[(0, 2)]), Verdict::Agree);
    assert_eq!(verdict(true, &[(0, 1), (1, 2)]), Verdict::Agree);
    assert_eq!(verdict(true, &[(1, 2)]), Verdict::Diverge(Aspect::Files));
    assert_eq!(verdict(false, &[(0, 2)]), Verdict::Diverge(Aspect::Spans));
}

/// Whether a walk of a tree with one ignored directory is judged.
fn is_judged(walk: Walk) -> bool {
    let files = [(".gitignore", "out\n"), ("a/b", "x\n"), ("out/b", "x\n"), ("b", "x\n")];
    let mut pack = Pack::of(&files);
    pack.tree.push(Entry { path: b".git".to_vec(), node: Node::Dir { readable: true } });
    let ask = Ask { walk: Some(walk), ..Ask::new("x") };
    beyond_the_model(&ask, &pack, &Haystack::all(&pack)).is_none()
}

#[test]
fn a_walk_is_judged_unless_it_begins_where_rules_leave_everything_out() {
    let at = |root: &str| Walk { roots: vec![root.to_owned()], ..Walk::default() };
    assert!(is_judged(Walk::default()) && is_judged(at("a")) && !is_judged(at("out")));
    assert!(is_judged(Walk { no_ignore: true, ..at("out") }));
}

#[test]
fn a_glob_that_fits_a_directory_is_not_judged() {
    let of = |glob: &str| Walk {
        hidden: true,
        no_ignore: true,
        globs: vec![glob.to_owned()],
        ..Walk::default()
    };
    assert!(is_judged(of("b")) && is_judged(of("!b")) && is_judged(of("b*")));
    assert!(!is_judged(of("a")) && !is_judged(of("!o*")) && !is_judged(of("?")));
}

#[test]
fn half_a_unit_of_utf16_is_not_judged() {
    let grep = Adapter::clone(&Adapters::shipped().unwrap().get("ugrep").unwrap());
    let (pack, ask) = (Pack::default(), Ask::new("a"));
    let own = Expectation::of(&pack, &[], &ask, grep.dialect).unwrap();
    let judge = Judge::new(&grep, (&pack, &ask), &own, &own);
    let undecided = |contents: &[u8]| {
        let pack = Pack { tree: vec![Entry::file("a", contents)] };
        judge.undecided(&Haystack::all(&pack)[0])
    };
    assert_eq!(undecided(b"\xff\xfea\0"), None);
    assert!(undecided(b"\xff\xfea\0\n").is_some());
}

#[test]
fn what_is_found_below_each_root_is_in_order_whichever_root_comes_first() {
    let order = |paths: &[&str]| -> Vec<Text> {
        paths.iter().map(|path| Text(path.as_bytes().to_vec())).collect()
    };
    let two = Walk { roots: vec!["b".to_owned(), "a".to_owned()], ..Walk::default() };
    assert!(is_in_order(&two, &order(&["b/a", "b/c", "a/a"])));
    assert!(is_in_order(&two, &order(&["a/a", "b/a"])));
    assert!(!is_in_order(&two, &order(&["b/c", "b/a", "a/a"])));
    assert!(!is_in_order(&Walk::default(), &order(&["b/a", "a/a"])));
    assert!(is_in_order(&Walk::default(), &order(&["a/b", "a.c"])));
}

#[test]
fn an_answer_longer_than_what_is_read_of_a_program_is_not_expected() {
    let expected = |text: String, ask: Ask| {
        let pack = Pack { tree: vec![Entry::file("a", text)] };
        Expectation::of(&pack, &Haystack::all(&pack), &ask, Dialect::default()).is_some()
    };
    let lines = |count| "a\n".repeat(count);
    // A line and a match each.
    assert!(expected(lines(200_000), Ask::new("a")));
    assert!(!expected(lines(210_000), Ask::new("a")));
    // A line alone.
    let inverted = || Ask { invert: true, ..Ask::new("b") };
    assert!(expected(lines(400_000), inverted()) && !expected(lines(410_000), inverted()));
    // An empty match may be shown before each byte of a line.
    let by_nothing = |text: &str| expected(text.repeat(100_000), Ask::new("b*"));
    assert!(by_nothing("aaa\n") && !by_nothing("aaaa\n"));
}
