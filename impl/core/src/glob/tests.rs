use super::*;

fn read(glob: &str, dialect: Dialect) -> Glob {
    Glob::parse(glob.as_bytes(), dialect).unwrap()
}

fn is_match(glob: &Glob, path: &[u8], is_dir: bool) -> bool {
    glob.matches(path, is_dir, &Cancellation::never())
}

fn matches(glob: &str, path: &str) -> bool {
    is_match(&read(glob, Dialect::Request), path.as_bytes(), false)
}

fn error(glob: &str) -> GlobError {
    Glob::parse(glob.as_bytes(), Dialect::Request).unwrap_err()
}

#[test]
fn a_star_matches_within_one_component_and_backtracks() {
    assert!(matches("*.rs", "src/a.rs"));
    assert!(!matches("src/*.rs", "src/x/a.rs"));
    assert!(matches("a*b*c", "aXbYbZc"));
    assert!(!matches("a*b*c", "aXbYbZ"));
    assert!(matches("*", "a"));
    assert!(matches("**a", "xa"));
}

#[test]
fn a_fixed_end_is_the_end_of_the_name_and_not_enough_where_the_glob_is_anchored() {
    assert!(matches("*.rs", ".rs") && !matches("*.rs", "a.rst") && !matches("*.rs", "rs"));
    assert!(!matches("a*.rs", "b.rs") && !matches("?*.rs", ".rs"));
    assert!(matches("/*.rs", "a.rs") && !matches("/*.rs", "x/a.rs"));
    assert!(matches("/*", "a") && !matches("/*", "x/a"));
}

#[test]
fn a_question_mark_matches_one_character_or_one_stray_byte() {
    assert!(matches("?.txt", "é.txt"));
    assert!(!matches("?.txt", "éé.txt"));
    let glob = read("?.txt", Dialect::Request);
    assert!(is_match(&glob, b"\xff.txt", false));
    assert!(!is_match(&glob, b"\xff\xfe.txt", false));
    let rule = read("?.txt", Dialect::Ignore);
    assert!(!is_match(&rule, "é.txt".as_bytes(), false), "git counts bytes");
}

#[test]
fn classes_hold_characters_and_ranges_and_never_the_separator() {
    assert!(matches("[a-c]x", "bx"));
    assert!(matches("[é]x", "éx"));
    assert!(matches("[!a]x", "bx") && matches("[^a]x", "bx") && !matches("[!a]x", "ax"));
    assert!(matches("[]a]x", "]x"));
    assert!(matches(r"[\]]x", "]x"));
    assert!(matches("[a-]x", "-x"));
    assert!(!matches("a[!b]c", "a/c"));
    assert!(matches("[]-a]x", "^x"), "`]` may start a range");
}

#[test]
fn braces_match_each_of_their_expansions() {
    assert!(matches("*.{rs,toml}", "a.toml"));
    assert!(matches("{a,b{c,d}}x", "bdx"));
    assert!(matches("x{,y}", "x") && matches("x{,y}", "xy"));
    assert!(matches(r"\{a,b\}", "{a,b}"));
    assert!(matches("[{]a", "{a"));
    assert!(matches("a,b", "a,b"));
    assert_eq!(error(&"{a,b}".repeat(11)), GlobError::TooManyAlternatives);
}

#[test]
fn double_stars_span_components_only_when_alone_between_slashes() {
    assert!(matches("**/a", "a") && matches("**/a", "x/y/a"));
    assert!(matches("a/**", "a/b/c") && !matches("a/**", "a"));
    assert!(matches("a/**/b", "a/b") && matches("a/**/b", "a/x/y/b"));
    assert!(matches("a/**/b/**/c", "a/x/b/b/c"));
    assert!(!matches("a/x**y", "a/x/y"));
    assert!(matches("**", "a/b"));
}

#[test]
fn a_slash_anchors_and_a_leading_dot_slash_is_dropped() {
    assert!(matches("/a", "a") && !matches("/a", "x/a"));
    assert!(matches("./a/b", "a/b"));
    assert!(matches("./a", "x/a"), "what is left has no slash");
    assert!(!matches("a//b", "a/b"));
}

#[test]
fn a_trailing_slash_restricts_to_directories() {
    let glob = read("build/", Dialect::Request);
    assert!(is_match(&glob, b"x/build", true));
    assert!(!is_match(&glob, b"x/build", false));
}

#[test]
fn a_malformed_request_glob_has_a_specific_error() {
    let cases = [
        ("", GlobError::Empty),
        ("./", GlobError::Empty),
        ("!a", GlobError::Negated),
        ("[a", GlobError::UnclosedClass),
        ("[]", GlobError::UnclosedClass),
        ("a{b", GlobError::UnclosedAlternatives),
        ("a}", GlobError::UnopenedAlternatives),
        ("{a,[}", GlobError::UnclosedClass),
        ("[z-a]", GlobError::ReversedRange),
        ("a\\", GlobError::DanglingEscape),
        ("{a,b}}", GlobError::UnopenedAlternatives),
    ];
    for (glob, want) in cases {
        assert_eq!(error(glob), want, "{glob}");
    }
}

#[test]
fn plain_globs_are_recognised_for_lookup() {
    let plain = |glob: &str| {
        let single = Single::parse(glob.as_bytes(), Dialect::Ignore).unwrap();
        single.plain().map(|plain| match plain {
            Plain::Whole(text) => (single.anchored, String::from_utf8(text.into_owned()).unwrap()),
            Plain::Suffix(text) => (false, "…".to_owned() + str::from_utf8(&text).unwrap()),
        })
    };
    assert_eq!(plain("a.b"), Some((false, "a.b".to_owned())));
    assert_eq!(plain(r"\a\*"), Some((false, "a*".to_owned())));
    assert_eq!(plain("/x/y"), Some((true, "x/y".to_owned())));
    assert_eq!(plain("*.o"), Some((false, "….o".to_owned())));
    for glob in ["**/a", "a?", "/a*", "*", "**", "*a*", "a[b]"] {
        assert_eq!(plain(glob), None, "{glob}");
    }
}

#[test]
fn each_expansion_is_parsed_separately() {
    assert!(matches("{src/,}a", "src/a") && matches("{src/,}a", "x/a"));
    assert!(matches("{./a,b}", "x/a"));
    assert!(matches("{,a}", "a"), "an empty branch takes nothing away");
    assert!(matches("{!a,b}", "!a"), "only a leading `!` negates");
}

#[test]
fn a_reversed_range_of_an_ignore_rule_holds_its_start_as_in_git() {
    let rule = read("[z-a]", Dialect::Ignore);
    assert!(is_match(&rule, b"z", false));
    assert!(!is_match(&rule, b"m", false) && !is_match(&rule, b"a", false));
}

#[test]
fn brace_expansion_takes_bounded_memory_and_time() {
    let read = |text: &str| read(text, Dialect::Request);
    let glob = read(&("{a,b}".repeat(10) + &"?".repeat(4_046)));
    let Form::Union(union) = &glob.form else { panic!("it has braces") };
    assert!(union.size() <= 12 * 4_096, "{}", union.size());
    let slow = read(&"{*a,*b}".repeat(10));
    let steps = std::sync::atomic::AtomicUsize::new(0);
    let counted =
        Cancellation::when(|| steps.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 64);
    assert!(!slow.matches(&[b'a'; 250].map(|_| b'c'), false, &counted));
    assert!(!counted.is_cancelled(), "a million steps are more than enough");
}

#[test]
fn a_cancelled_glob_match_ends_early() {
    let hopeless = Cancellation::when(|| true);
    let path = b"a/".repeat(2_000);
    for glob in ["**/{*a*,*b*}*{a,b}*{a,b}/**/c", "**/a/**/[ab]/**/*a*b"] {
        let glob = read(glob, Dialect::Request);
        for _ in 0..100 {
            glob.matches(&path[..path.len() - 1], false, &hopeless);
        }
        assert!(hopeless.is_cancelled());
    }
}

#[test]
fn a_cancelled_match_enters_no_state() {
    let hopeless = Cancellation::when(|| true);
    while hopeless.go_on(usize::MAX) {}
    let union = read("{,[x]}*", Dialect::Request);
    assert!(union.matches(b"", false, &Cancellation::never()));
    assert!(!union.matches(b"", false, &hopeless));
}
