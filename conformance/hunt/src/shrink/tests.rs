use regex_automata::meta::Regex;

use super::*;
use crate::question::{Ask, Case as Letters, Pack, Show, Walk};

/// What drawing makes: several files of many lines, one of which matters.
fn noise(line: &str) -> Vec<(String, String)> {
    let words = ["lorem", "ipsum dolor", "Größe", "fn main() {", "x = 12;", "", "\tsit amet"];
    let file = |seed: usize| -> String {
        let lines =
            (0..40).map(|at| format!("{} {}\n", words[(at * seed + at) % words.len()], at % 7));
        lines.collect::<Vec<_>>().concat()
    };
    let mut files: Vec<(String, String)> =
        (1..9).map(|seed| (format!("dir{seed}/file{seed}.txt"), file(seed))).collect();
    files[5].1.push_str(line);
    files[5].1.push_str(&file(3));
    files
}

fn question(pattern: &str, files: &[(String, String)]) -> Question {
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Question { tree: Pack::of(&files), ask: Ask::new(pattern) }
}

/// All there is, in one text.
fn text(question: &Question) -> Vec<u8> {
    question.tree.files().flat_map(|(_, bytes)| bytes).collect()
}

fn lines_matched(question: &Question) -> usize {
    let Ok(regex) = Regex::new(&question.ask.patterns[0]) else { return 0 };
    text(question).split(|byte| *byte == b'\n').filter(|line| regex.is_match(line)).count()
}

fn bytes(question: &Question) -> u64 {
    Measure::of(question).bytes
}

fn has(question: &Question, what: &str) -> bool {
    text(question).windows(what.len()).any(|window| window == what.as_bytes())
}

#[test]
fn a_lost_line_of_an_alternation_is_shrunk_to_one_file_of_a_few_bytes() {
    let mut start =
        question("(?:Gr(?:öße|oesse)|[lL]orem){1,3}|(sit|amet)", &noise("tiny Grösse\n"));
    start.ask.before = 3;
    start.ask.show = Show::Spans;
    start.ask.case = Letters::Smart;
    let bug = |question: &Question| {
        question.ask.patterns[0].contains('|') && lines_matched(question) > 0 && has(question, "ö")
    };
    assert!(bug(&start));
    let shrunk = shrink(&start, 1_000, bug);
    assert!(bug(&shrunk.question) && shrunk.fixpoint);
    assert_eq!(shrunk.question.tree.tree.len(), 1);
    assert!(bytes(&shrunk.question) <= 16, "{:?}", shrunk.question);
    assert!(shrunk.asked <= 300, "{} asks", shrunk.asked);
    let plain = Ask { patterns: shrunk.question.ask.patterns.clone(), ..Ask::new("") };
    assert_eq!(shrunk.question.ask, plain, "no option is needed");
    assert!(shrunk.question.ask.patterns[0].len() <= 2, "{:?}", shrunk.question.ask.patterns);
}

#[test]
fn a_word_in_pattern_and_text_is_shrunk_to_one_letter_in_both() {
    let start = question("^int (Monkey)+$", &noise("int MonkeyMonkey\n"));
    let bug = |question: &Question| {
        let pattern = &question.ask.patterns[0];
        pattern.starts_with('^')
            && pattern.ends_with('$')
            && pattern.contains('+')
            && lines_matched(question) > 0
            && lines_matched(&Question {
                ask: Ask::new(pattern.replace('+', "")),
                ..question.clone()
            }) == 0
    };
    assert!(bug(&start));
    let shrunk = shrink(&start, 1_000, bug);
    assert!(bytes(&shrunk.question) <= 3, "{:?}", shrunk.question);
    assert_eq!(shrunk.question.ask.patterns, ["^a+$"]);
    assert!(shrunk.asked <= 300, "{} asks", shrunk.asked);
}

#[test]
fn a_word_shared_by_alternatives_is_shortened_in_all_of_them() {
    let start = question("(aaa|aaa )(0| )", &[("a".to_owned(), "aaa 0\n".to_owned())]);
    let bug = |question: &Question| {
        let pattern = &question.ask.patterns[0];
        let both = pattern.split(['|', '(', ')']).filter(|part| part.starts_with('a')).count();
        both == 2 && pattern.contains("a )") && lines_matched(question) > 0
    };
    assert!(bug(&start));
    let shrunk = shrink(&start, 500, bug);
    assert!(bytes(&shrunk.question) <= 2, "{:?}", shrunk.question);
    assert!(
        shrunk.question.ask.patterns[0].len() < start.ask.patterns[0].len() - 3,
        "{:?}",
        shrunk.question
    );
}

#[test]
fn a_bug_that_needs_two_files_keeps_two() {
    let start = question("lorem", &noise("lorem\n"));
    let bug = |question: &Question| {
        let holders =
            question.tree.files().filter(|(_, bytes)| bytes.windows(2).any(|two| two == b"or"));
        holders.count() >= 2
    };
    let shrunk = shrink(&start, 1_000, bug);
    assert_eq!((shrunk.question.tree.tree.len(), bytes(&shrunk.question)), (2, 4));
    let names: Vec<&[u8]> = shrunk.question.tree.files().map(|(path, _)| path).collect();
    assert_eq!(names, [b"a", b"b"]);
}

#[test]
fn a_long_needed_line_is_shrunk_to_a_run_of_minimal_length() {
    let line = (0..15_000).map(|at| (at * 7919 % 10_007).to_string()).collect::<Vec<_>>().join(" ");
    let mut files = noise("needle\n");
    files[3].1 = format!("short\n{line}needle x\nshort\n");
    let start = question("needle", &files);
    // A needle that begins beyond the first 65,536 bytes of its line.
    let bug = |question: &Question| {
        let text = text(question);
        let mut lines = text.split(|byte| *byte == b'\n');
        question.ask.patterns[0].len() > 1
            && lines.any(|line| {
                let place = line.windows(2).position(|two| two == b"ne");
                place.is_some_and(|at| at > 65_536)
            })
    };
    assert!(bug(&start));
    let shrunk = shrink(&start, 2_000, bug);
    assert!(bug(&shrunk.question));
    let contents = contents(&shrunk.question, 0).cloned().unwrap_or_default();
    assert!(
        contents.parts.len() <= 4,
        "{:?} parts after {} asks",
        contents.parts.len(),
        shrunk.asked
    );
    assert!(contents.len() <= 65_540, "{} bytes", contents.len());
    assert!(shrunk.asked <= 600, "{} asks", shrunk.asked);
}

#[test]
fn many_needed_lines_are_shrunk_to_line_feeds() {
    let lines = (0..9_000).map(|at| format!("line {at}\n")).collect::<Vec<_>>().concat();
    let start = question("line", &[("a".to_owned(), lines)]);
    let bug = |question: &Question| text(question).split(|byte| *byte == b'\n').count() > 4_096;
    let shrunk = shrink(&start, 2_000, bug);
    assert_eq!(bytes(&shrunk.question), 4_096, "after {} asks", shrunk.asked);
    assert!(shrunk.asked <= 600, "{} asks", shrunk.asked);
}

#[test]
fn a_given_repetition_is_shrunk_by_its_count() {
    let mut start = question("b", &[("a".to_owned(), "b\n".to_owned())]);
    if let Some(contents) = contents_mut(&mut start, 0) {
        *contents = Contents::of([(b"some line\n".to_vec(), 70_000), (b"b\n".to_vec(), 1)]);
    }
    let bug = |question: &Question| text(question).split(|byte| *byte == b'\n').count() > 301;
    let shrunk = shrink(&start, 500, bug);
    assert_eq!(
        contents(&shrunk.question, 0),
        Some(&Contents::of([(b"\n".to_vec(), 301)])),
        "{} asks",
        shrunk.asked
    );
}

#[test]
fn a_tree_with_ignore_rules_keeps_the_rule_and_its_file() {
    let files = [
        (".gitignore", "*.log\nbuild/*.tmp\n# comment\n!keep.log\n"),
        ("build/deep/notes.tmp", "hello world\n"),
        ("build/some-output.tmp", "hello world\n"),
        ("src/main.rs", "fn main() {}\n"),
    ];
    let mut start = Question { tree: Pack::of(&files), ask: Ask::new("hello") };
    start.ask.walk = Some(Walk {
        globs: vec!["!*.rs".to_owned(), "*".to_owned()],
        max_depth: Some(40),
        sort: true,
        ..Walk::default()
    });
    let bug = |question: &Question| {
        let rules =
            question.tree.files().find(|(path, _)| *path == b".gitignore").map(|(_, bytes)| bytes);
        let rules = String::from_utf8_lossy(&rules.unwrap_or_default()).into_owned();
        question.ask.walk.is_some()
            && rules.lines().any(|rule| {
                rule.split_once('/').is_some_and(|(above, name)| {
                    let path = format!("{above}/{}", name.replace('*', "some-output"));
                    !above.is_empty()
                        && name.contains('*')
                        && question.tree.files().any(|(found, _)| found == path.as_bytes())
                })
            })
    };
    assert!(bug(&start));
    let shrunk = shrink(&start, 1_000, bug);
    assert_eq!(shrunk.question.tree.tree.len(), 2, "{:?}", shrunk.question);
    assert_eq!(shrunk.question.ask.walk, Some(Walk::default()));
    assert!(
        shrunk.question.tree.files().any(|(_, bytes)| bytes == b"a/*\n" || bytes == b"a/*"),
        "{:?}",
        shrunk.question
    );
}

#[test]
fn utf_16_text_is_shrunk_by_whole_units() {
    let words = "some words\nand more of them\nthe ende\n";
    let mut wide = b"\xff\xfe".to_vec();
    wide.extend(words.encode_utf16().flat_map(u16::to_le_bytes));
    let mut start = question("ende", &[("wide.txt".to_owned(), String::new())]);
    if let Some(contents) = contents_mut(&mut start, 0) {
        *contents = Contents::plain(wide);
    }
    let bug = |question: &Question| {
        let text = text(question);
        text.starts_with(b"\xff\xfe")
            && text.len().is_multiple_of(2)
            && text.chunks(2).any(|unit| unit == b"d\0")
    };
    let shrunk = shrink(&start, 500, bug);
    assert!(bytes(&shrunk.question) <= 6, "{:?}", shrunk.question);
}

#[test]
fn the_final_line_feed_is_removed_last_and_separately() {
    let start = question("b", &[("a".to_owned(), "some\nb\n".to_owned())]);
    let mut seen = Vec::new();
    let shrunk = shrink(&start, 200, |question| {
        seen.push(text(question));
        has(question, "b")
    });
    assert_eq!(text(&shrunk.question), b"b");
    let without: Vec<_> =
        seen.iter().filter(|text| text.last().is_some_and(|byte| *byte != b'\n')).collect();
    assert_eq!(without, [b"b"]);
}

#[test]
fn shrinking_is_deterministic_and_tests_no_candidate_twice_or_beyond_the_budget() {
    let start = question("(a|b)*[lm]o(?i:REM)", &noise("lorem\n"));
    let run = |budget: usize| {
        let mut seen = Vec::new();
        let shrunk = shrink(&start, budget, |question| {
            seen.push(question.clone());
            lines_matched(question) > 0
        });
        assert_eq!(shrunk.asked, seen.len());
        let distinct = seen.iter().enumerate().all(|(at, question)| !seen[..at].contains(question));
        assert!(distinct, "a question was asked twice");
        shrunk
    };
    let (once, again) = (run(1_000), run(1_000));
    assert_eq!(once.question, again.question);
    assert!(once.fixpoint);
    let cut = run(10);
    assert_eq!((cut.asked, cut.fixpoint), (10, false));
    assert!(Measure::of(&cut.question) <= Measure::of(&start));
}

#[test]
fn patterns_are_shrunk_to_what_the_bug_needs() {
    for (pattern, needed, smallest) in [
        ("foo(?:bar|[a-z]{2,5}?)+baz", "{", "{"),
        (r"(?i)\bx\p{Greek}*", r"\b", r"\b"),
        (r"(?P<name>a)[^[:alpha:]x-z]q", "^", "[^"),
        (r"a(?im-s:b|c)d", "?i", "(?i"),
        (r"[\w&&[^a-f]]+", "&&", "&&"),
    ] {
        let shrunk = shrink(&question(pattern, &[]), 500, |question| {
            question.ask.patterns[0].contains(needed)
        });
        let small = &shrunk.question.ask.patterns[0];
        assert!(small.contains(smallest) && small.len() <= 7, "{pattern} came to {small}");
        assert!(shrunk.asked <= 150, "{pattern} took {} asks", shrunk.asked);
    }
}

#[test]
fn no_malformed_candidate_is_tested() {
    let start = question("((a|b)|[c-e]{3,4})\\.", &[("x".to_owned(), "ddd.\n".to_owned())]);
    let shrunk = shrink(&start, 500, |question| {
        assert!(question.ask.patterns.iter().all(|pattern| pattern::parses(pattern)));
        assert!(!question.ask.patterns.is_empty());
        lines_matched(question) > 0
    });
    assert!(shrunk.fixpoint);
}

#[test]
fn a_directory_that_a_walk_begins_at_is_renamed_with_it() {
    let walk = Walk { hidden: true, roots: vec![".kept/b".to_owned()], ..Walk::default() };
    let tree = Pack::of(&[(".git/HEAD", ""), (".kept/b/c", "x\n"), ("d", "x\n")]);
    let ask = Ask { walk: Some(walk), ..Ask::new("x") };
    let small = shrink(&Question { tree, ask }, 500, |candidate| {
        let walk = candidate.ask.walk.as_ref();
        let mut roots = walk.iter().flat_map(|walk| &walk.roots);
        roots.any(|root| {
            let below = |path: &[u8]| path.starts_with(format!("{root}/").as_bytes());
            candidate.tree.files().any(|(path, _)| below(path))
        })
    });
    let walk = small.question.ask.walk.unwrap();
    assert_eq!(walk.roots, ["a"]);
    assert!(!walk.hidden);
}
