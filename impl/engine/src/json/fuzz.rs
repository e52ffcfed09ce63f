//! Requests as models and clients with a bug write them.

use crate::{Arguments as _, Config, ErrorClass, Preset, ToolError, requests::Defaults};
use bolero::produce;
use serde_json::{Map, Value};

use super::{Json, parse};
use crate::soup;

const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\"pattern\":",
    "\"query\":",
    "\"a\"",
    "\"é\"",
    "\"\\u0000\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "0",
    "-0",
    "1",
    "-1",
    "1.5",
    "1e3",
    "1e999",
    "-1e-999",
    "null",
    "true",
    "false",
    "18446744073709551616",
    "\n",
    " ",
    "\t",
    "//",
    "nul",
    "{\"a\":1,\"b\":2}",
    "{\"a\":[{}],\"a\":1}",
    "[1,2]",
    "\u{feff}",
    "\u{1b}",
    "NaN",
    "'",
];

#[test]
fn the_strict_parser_agrees_with_serde_json_except_on_duplicate_keys() {
    let input = soup::text(WORDS, 24);
    bolero::check!().with_iterations(4_000).with_generator(input).for_each(|text| {
        let any: Result<Value, _> = serde_json::from_str(text);
        match parse(text) {
            Ok(strict) => {
                assert_eq!(any.ok().as_ref(), Some(&strict));
                // A float may differ in its last digit once it was printed; both read it alike.
                let printed = strict.to_string();
                assert_eq!(
                    parse(&printed).unwrap(),
                    serde_json::from_str::<Value>(&printed).unwrap()
                );
            }
            Err(error) => {
                let error = error.to_string();
                assert!(any.is_err() || error.contains("given twice"), "{error}");
                assert!(error.len() < 1_000 && !error.contains(char::is_control), "{error:?}");
            }
        }
    });
}

#[test]
fn a_duplicate_key_error_is_one_short_line_without_control_characters() {
    let text = format!("{{\"{key}\":1,\"{key}\":2}}", key = "\\u001b[31m\\n".repeat(10_000));
    let error = parse(&text).unwrap_err().to_string();
    assert!(error.len() < 4_000 && !error.contains(char::is_control), "{} bytes", error.len());
}

#[test]
fn json_nested_deeper_than_any_request_is_refused() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        assert!(parse(&text).unwrap_err().to_string().contains("recursion"));
    }
}

/// The fields of all tools, and one of none.
const FIELDS: [&str; 37] = [
    "pattern",
    "query",
    "path",
    "case",
    "fixed_strings",
    "word_regexp",
    "include_glob",
    "exclude_glob",
    "glob",
    "recursive",
    "hidden",
    "follow",
    "no_ignore",
    "context",
    "max_results",
    "max_matches_per_file",
    "max_files",
    "timeout_ms",
    "fuzzy",
    "mode",
    "include_globs",
    "exclude_globs",
    "include_hidden",
    "directory",
    "include_path",
    "exclude_path",
    "file_type",
    "regex",
    "context_lines",
    "offset",
    "output",
    "search_terms",
    "use_model",
    "dry_run",
    "root",
    "type",
    "none\u{1b}",
];

/// A value by number: of every kind, some of them right.
fn value(number: u16, text: &str) -> Value {
    match number % 12 {
        0 => Value::Null,
        1 => Value::Bool(number & 64 > 0),
        2 => Value::from(number >> 6),
        3 => Value::from(-i64::from(number)),
        4 => Value::from(u64::MAX - u64::from(number)),
        5 => Value::from(f64::from(number) / 7.0),
        6 => Value::from(text),
        7 => Value::from(text.repeat(usize::from(number))),
        8 => Value::from(vec![text; usize::from(number % 9)]),
        9 => Value::from(vec![Value::from(text), Value::from(number)]),
        10 => Value::from(["smart", "exact", "regex", "fuzzy", "files"][usize::from(number) % 5]),
        _ => Value::Object(Map::from_iter([(text.to_owned(), Value::Null)])),
    }
}

fn check(request: &Value, refused: Result<(), ToolError>) {
    let Err(error) = refused else { return };
    assert_eq!(error.class, ErrorClass::BadArgs, "{request}");
    let field = error.field.unwrap();
    assert!(
        request.get(&field).is_some() || FIELDS.contains(&field.as_str()),
        "{field}: {request}"
    );
    assert!(error.message.split(' ').count() >= 4, "{}", error.message);
    // The lists of known fields are the longest part.
    assert!(error.message.len() < 2_500, "{}", error.message);
    assert!(!error.message.contains(char::is_control), "{:?}", error.message);
}

#[test]
fn a_request_is_accepted_or_its_refusal_names_a_field() {
    let words =
        &["a", "*", "[", "{", "\n", "\0", "é", "\u{1b}", "(", "/", "..", "!", " ", "\u{202e}"];
    let fields = produce::<Vec<(u8, u16)>>().with().len(0_usize..8);
    let config = Config::preset(Preset::Agent);
    let defaults = Defaults {
        max_results: 20,
        context_lines: 2,
        reading: crate::requests::Reading::Documents,
    };
    let input = (fields, soup::text(words, 5));
    bolero::check!().with_iterations(2_000).with_generator(input).for_each(|(fields, text)| {
        let mut request = Map::from_iter([("pattern".to_owned(), Value::from(text.as_str()))]);
        for (field, number) in fields {
            let field = FIELDS[usize::from(*field) % FIELDS.len()];
            request.insert(field.to_owned(), value(*number, text));
        }
        let request = Value::Object(request);
        let json = Json(&request);
        check(&request, json.search(&config.limits()).map(drop));
        check(&request, json.search_files(&config.search_files.caps(), true).map(drop));
        check(&request, json.search_text(&defaults).map(drop));
        check(&request, json.grep(&defaults).map(drop));
        check(&request, json.find_files(&defaults).map(drop));
        check(&request, json.keyword_search(&defaults, &config.keyword).map(drop));
    });
}
