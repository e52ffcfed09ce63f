use super::*;

fn of(text: &str) -> Vec<Part> {
    parts(&text.chars().collect::<Vec<_>>())
}

fn texts(text: &str) -> Vec<String> {
    of(text).into_iter().map(|part| part.text).collect()
}

#[test]
fn identifiers_are_split_as_in_the_contract() {
    assert_eq!(texts("parseHTTPServer2_old"), ["parse", "http", "server", "2", "old"]);
    assert_eq!(texts("__a__B_"), ["a", "b"]);
    assert_eq!(texts("XMLs"), ["xm", "ls"]);
    assert_eq!(texts("ABC"), ["abc"]);
    assert_eq!(texts("a1B2"), ["a", "1", "b", "2"]);
    assert_eq!(texts("\u{c9}tat\u{c9}t\u{e9}"), ["\u{c9}tat", "\u{c9}t\u{e9}"]);
}

#[test]
fn a_word_matches_parts_of_identifiers() {
    use WordMatch::{Some as Part, Whole};
    let occurs = |word: &str, identifier: &str| super::occurs(&of(word), &of(identifier));
    for (word, identifier, how) in [
        ("UserService", "IUserService", Some(Part)),
        ("UserService", "user_service", Some(Whole)),
        ("UserService", "USERSERVICE", Some(Whole)),
        ("userservice", "UserService", Some(Whole)),
        ("userservice", "user_service", None),
        ("serv", "UserService", None),
        ("serv", "user_service", None),
        ("user_service", "UserService", Some(Whole)),
        ("user", "_user_", Some(Whole)),
        ("foo", "foo_foo", Some(Part)),
        ("ab", "a_b", None),
        ("a_b", "a_b_c", Some(Part)),
        ("http2", "HTTP2Server", Some(Part)),
    ] {
        assert_eq!(occurs(word, identifier), how, "{word} in {identifier}");
    }
}

#[test]
fn identifiers_are_the_longest_runs_of_word_characters() {
    let line: Vec<Option<char>> = "a_1-\u{e9}".chars().map(Some).chain([None, Some('x')]).collect();
    assert_eq!(identifiers(&line), [0..3, 4..5, 6..7]);
}
