use super::*;

fn matches(glob: &str, path: &str) -> bool {
    Glob::parse(glob.as_bytes(), Dialect::Request).unwrap().matches(path.as_bytes(), false, Dialect::Request)
}

fn error(glob: &str) -> GlobError {
    Glob::parse(glob.as_bytes(), Dialect::Request).unwrap_err()
}

#[test]
fn a_star_stays_within_a_component_and_takes_as_much_as_it_must() {
    assert!(matches("*.rs", "src/a.rs"));
    assert!(!matches("src/*.rs", "src/x/a.rs"));
    assert!(matches("a*b*c", "aXbYbZc"));
    assert!(!matches("a*b*c", "aXbYbZ"));
    assert!(matches("*", "a"));
    assert!(matches("**a", "xa"));
}

#[test]
fn a_question_mark_is_one_character_or_one_stray_byte() {
    assert!(matches("?.txt", "é.txt"));
    assert!(!matches("?.txt", "éé.txt"));
    let glob = Glob::parse(b"?.txt", Dialect::Request).unwrap();
    assert!(glob.matches(b"\xff.txt", false, Dialect::Request));
    assert!(!glob.matches(b"\xff\xfe.txt", false, Dialect::Request));
    let rule = Glob::parse(b"?.txt", Dialect::Ignore).unwrap();
    assert!(!rule.matches("é.txt".as_bytes(), false, Dialect::Ignore), "git counts bytes");
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
fn braces_stand_for_their_expansions() {
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
    let glob = Glob::parse(b"build/", Dialect::Request).unwrap();
    assert!(glob.matches(b"x/build", true, Dialect::Request));
    assert!(!glob.matches(b"x/build", false, Dialect::Request));
}

#[test]
fn malformed_request_globs_say_what_is_wrong() {
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
    let plain = |glob: &str| Glob::parse(glob.as_bytes(), Dialect::Ignore).unwrap().plain();
    assert_eq!(plain("a.b"), Some(Plain::Name(b"a.b".to_vec())));
    assert_eq!(plain("/x/y"), Some(Plain::Path(b"x/y".to_vec())));
    assert_eq!(plain("*.o"), Some(Plain::Suffix(b".o".to_vec())));
    assert_eq!(plain("**/a"), None);
    assert_eq!(plain("a?"), None);
    assert_eq!(plain("/a*"), None);
}

#[test]
fn each_expansion_is_read_on_its_own() {
    assert!(matches("{src/,}a", "src/a") && matches("{src/,}a", "x/a"));
    assert!(matches("{./a,b}", "x/a"));
    assert!(matches("{,a}", "a"), "an empty branch takes nothing away");
    assert!(matches("{!a,b}", "!a"), "only a leading `!` negates");
}

#[test]
fn a_reversed_range_of_an_ignore_rule_holds_its_start_as_in_git() {
    let rule = Glob::parse(b"[z-a]", Dialect::Ignore).unwrap();
    assert!(rule.matches(b"z", false, Dialect::Ignore));
    assert!(!rule.matches(b"m", false, Dialect::Ignore) && !rule.matches(b"a", false, Dialect::Ignore));
}
