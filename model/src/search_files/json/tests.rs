use serde_json::json;

use super::{Json, decimal, write};
use crate::World;
use crate::generated::search::SEARCH;
use crate::search_files::tests::{agent, answer, text_under};

fn written(value: &Json) -> String {
    let mut text = String::new();
    write(&mut text, SEARCH.escaped, value);
    text
}

fn string(text: &str) -> String {
    written(&Json::Text(text.to_owned()))
}

/// C-04, NFR-SF-SEC-02.
#[test]
fn only_terminal_controls_and_json_specials_are_escaped() {
    assert_eq!(string("a\"b\\c"), r#""a\"b\\c""#);
    assert_eq!(string("\u{8}\t\n\u{c}\r"), r#""\b\t\n\f\r""#);
    assert_eq!(string("\0\u{1b}[31m\u{7f}\u{9b}"), r#""\u0000\u001b[31m\u007f\u009b""#);
    assert_eq!(
        string("\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}"),
        r#""\u061c\u200e\u200f\u2028\u2029""#
    );
    assert_eq!(string("\u{202a}\u{202e}\u{2066}\u{2069}"), r#""\u202a\u202e\u2066\u2069""#);
    assert_eq!(string("\u{ad}\u{feff}\u{e0041}"), r#""\u00ad\ufeff\udb40\udc41""#);
    for kept in [
        "/'<>&",
        "é日本\u{10ffff}",
        "\u{a0}\u{200c}\u{200d}\u{2027}\u{202f}\u{fe0e}\u{fe0f}\u{fffd}",
    ] {
        assert_eq!(string(kept), format!("\"{kept}\""));
    }
}

#[test]
fn escaped_text_reads_back_unchanged() {
    let all: String = (0..0x3000).filter_map(char::from_u32).collect();
    assert_eq!(serde_json::from_str::<String>(&string(&all)).expect("JSON"), all);
}

#[test]
fn scores_are_the_shortest_decimals_with_a_point() {
    assert_eq!(decimal(1.0), "1.0");
    assert_eq!(decimal(0.0), "0.0");
    assert_eq!(decimal(0.8), "0.8");
    assert_eq!(decimal(5.0 / 6.0), "0.8333333333333334");
    assert_eq!(decimal(2.0 / 3.0), "0.6666666666666666");
    assert_eq!(decimal(1.0 / 2_000_000.0), "0.0000005");
}

/// STATF-SF-elapsed_ms, E-I05.
#[test]
fn elapsed_time_takes_ten_characters() {
    assert_eq!(written(&Json::Padded(0, 10)), "         0");
    assert_eq!(written(&Json::Padded(42, 10)), "        42");
    assert_eq!(written(&Json::Padded(9_999_999_999, 10)), "9999999999");
    let text = text_under(&agent(), &World::new(), &json!({"path": ".", "query": "x"}));
    assert!(text.contains(r#","elapsed_ms":         0,"complete""#), "{text}");
    // There is no other white space than the nine spaces.
    assert_eq!(text.matches(' ').count(), 9);
}

/// OUTPUT-SF: every field of the tables has a value, in the tables' order.
#[test]
fn all_fields_are_written_in_the_order_of_the_tables() {
    let world = World::new().file("a", "x\n").unreadable_file("b", "");
    let text = text_under(&agent(), &world, &json!({"path": ".", "query": "x"}));
    let tables = agent().tables;
    let (before_errors, errors) = text.rsplit_once("\"errors\":[").expect("errors come last");
    let (answer_and_matches, stats) =
        before_errors.split_once("\"stats\":{").expect("stats come before");
    let in_order = |text: &str, fields: &[&str]| {
        let places: Option<Vec<usize>> =
            fields.iter().map(|name| text.find(&format!("\"{name}\":"))).collect();
        places.expect("every field is there").is_sorted()
    };
    assert!(in_order(stats, tables.stats) && in_order(errors, tables.errors));
    let (_, first) = answer_and_matches.split_once("\"matches\":[").expect("matches");
    assert!(in_order(first, tables.matches));
    let whole = answer(&world, &json!({"path": ".", "query": "x"}));
    let keys = whole.as_object().expect("an object").len();
    assert_eq!(keys, tables.answer.len());
}
