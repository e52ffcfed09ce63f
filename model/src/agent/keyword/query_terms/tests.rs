use super::*;
use crate::generated::keyword::KEYWORD;

fn terms_of(query: &str) -> Vec<String> {
    terms(&words(query), &KEYWORD)
}

#[test]
fn words_are_the_longest_runs_without_outer_underscores() {
    let texts =
        |query: &str| -> Vec<String> { words(query).into_iter().map(|word| word.text).collect() };
    assert_eq!(texts("__Foo_bar__, \u{e9}t\u{c9}.x2"), ["foo_bar", "\u{e9}t\u{c9}", "x2"]);
    assert_eq!(texts("___"), [""]);
    assert_eq!(texts(""), Vec::<String>::new());
}

#[test]
fn names_are_recognised_by_their_letters_or_by_back_quotes() {
    let names = |query: &str| -> Vec<String> {
        words(query).into_iter().filter(|word| word.is_name).map(|word| word.text).collect()
    };
    assert_eq!(
        names("Users a_b _users_ fooBar HTTP HTTPx Http x\u{c9}"),
        ["a_b", "foobar", "httpx", "x\u{c9}"]
    );
    assert_eq!(names("one `two three` four ``five` six"), ["two", "three", "six"]);
    assert_eq!(names("`a` b `c"), ["a", "c"]);
}

#[test]
fn plurals_lose_their_ending() {
    let all = [
        ("queries", "query"),
        ("ties", "tie"),
        ("files", "file"),
        ("ids", "ids"),
        ("logs", "log"),
        ("class", "class"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("s", "s"),
    ];
    for (text, form) in all {
        assert_eq!(singular(text), form);
    }
    assert_eq!(terms_of("sessions `tokens`"), ["tokens", "session"]);
}

#[test]
fn short_words_and_stop_words_count_only_as_names_with_a_letter() {
    assert_eq!(
        terms_of("the retry of an id 123 `id` `for` 4x4 __ab__ The"),
        ["for", "retry", "4x4"]
    );
    let long = "x".repeat(1024);
    assert_eq!(terms_of(&format!("{long} {long}y")), [long]);
    assert_eq!(terms_of("where is the file?"), ["where", "is", "the", "file"]);
    assert_eq!((terms_of("g"), terms_of("12 == ?")), (vec!["g".to_owned()], Vec::new()));
    // A word becomes a stop word when it loses its plural ending.
    assert_eq!(terms_of("files"), ["file"]);
}

#[test]
fn query_terms_are_names_then_the_first_line_then_frequent_words() {
    let query = " \n retry later\nsome backoff, Backoff; retries MaxWait timer\n`jitter` timer";
    assert_eq!(terms_of(query), ["maxwait", "jitter", "retry", "later", "backoff", "timer"]);
    assert_eq!(terms_of("alpha\nbeta gamma beta `alpha`"), ["alpha", "beta", "gamma"]);
}

#[test]
fn the_first_line_is_the_first_that_is_not_blank() {
    let first = |query: &str| -> Vec<bool> {
        words(query).into_iter().map(|word| word.in_first_line).collect()
    };
    assert_eq!(first("\n\t\none two\nthree"), [true, true, false]);
    assert_eq!(first("one"), [true]);
    assert_eq!(first(" one\r\ntwo"), [true, false]);
}

#[test]
fn at_most_32_terms_are_taken() {
    let words: Vec<String> = (0..40).map(|number| format!("word{number}")).collect();
    let terms = terms_of(&words.join(" "));
    assert_eq!((terms.len(), terms.last().map(String::as_str)), (32, Some("word31")));
}
