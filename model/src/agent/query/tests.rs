use super::*;
use crate::generated::agent::AGENT;

/// Words as they are, literals in guillemets.
fn read(query: &str) -> Option<Vec<String>> {
    let terms = terms(query, &AGENT.limits)?;
    let shown = terms.into_iter().map(|term| match term {
        Term::Word { text, .. } => text,
        Term::Literal(text) => format!("<{text}>"),
    });
    Some(shown.collect())
}

#[test]
fn white_space_separates_words_and_literals() {
    assert_eq!(
        read(" user_2\tfoo-bar\u{a0}\u{e9}t\u{e9}\n"),
        Some(owned(&["user_2", "<foo-bar>", "\u{e9}t\u{e9}"]))
    );
    assert_eq!(read("__ _a"), Some(owned(&["<__>", "_a"])));
}

#[test]
fn a_phrase_ends_at_the_next_quotation_mark_and_a_term_begins_after_it() {
    assert_eq!(read("\"foo bar\"baz\"x"), Some(owned(&["<foo bar>", "<baz\"x>"])));
    assert_eq!(read("\"a\"\" b \""), Some(owned(&["<a>", "< b >"])));
    for none in ["\"foo", "\" \"", "\"\"", "foo \"", "\"a\nb\"", "", " ", "a\0"] {
        assert_eq!(read(none), None, "{none:?}");
    }
}

#[test]
fn equal_terms_count_once_and_more_than_sixteen_are_refused() {
    assert_eq!(read("Foo foo \"FOO\" f-oo F-OO"), Some(owned(&["foo", "<foo>", "<f-oo>"])));
    let numbered = |most: u32| {
        (0..most).map(|number| format!("t{number} T{number}")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(read(&numbered(16)).map(|terms| terms.len()), Some(16));
    assert_eq!(read(&numbered(17)), None);
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
