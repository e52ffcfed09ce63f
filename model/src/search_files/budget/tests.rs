use serde_json::{Value, json};

use crate::World;
use crate::search_files::tests::{agent, errors, refusal_under, short, text_under};
use crate::search_files::{Config, smallest_budget};

fn request() -> Value {
    json!({"path": ".", "query": "x"})
}

fn under(effective_max: usize) -> Config {
    Config { effective_max: effective_max.try_into().expect("a length"), ..agent() }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Three matches and three errors, two of them of binary or oversized files.
fn world() -> World {
    World::new().file("a", "x\nx\nx\n").file("b", "\0").unreadable_file("c", "").file("d", "\0")
}

/// FR-SF-OUT-03, FR-SF-OUT-05, T-SF-07: at every budget as much as fits.
#[test]
fn the_longest_fitting_prefix_is_answered() {
    let whole = text_under(&agent(), &world(), &request());
    let least: usize = smallest_budget(&world(), &agent(), &request())
        .expect("a budget")
        .try_into()
        .expect("a length");
    // What is left out, from most to least, and the length at which it is.
    let mut seen: Vec<(usize, usize, usize)> = Vec::new();
    for most in least..whole.len() {
        let text = text_under(&under(most), &world(), &request());
        assert!(text.len() <= most);
        let answer = read(&text);
        let kept = (short(&answer).len(), errors(&answer).len(), text.len());
        if seen.last() != Some(&kept) {
            assert_eq!(text.len(), most, "a longer prefix would have fitted before");
            seen.push(kept);
        }
        assert_eq!(
            (&answer["truncated"], &answer["truncated_reason"]),
            (&json!(true), &json!("max_output_bytes"))
        );
        assert_eq!(answer["returned"], kept.0);
        let because = json!(["max_output_bytes", "errors"]);
        assert_eq!(answer["stats"]["incomplete_because"], because);
        // The figures are those of the whole search.
        assert_eq!(
            (&answer["stats"]["matches_total"], &answer["stats"]["errors_total"]),
            (&json!(3), &json!(3))
        );
        assert_eq!(answer["stats"]["files_matched"], 1);
    }
    let kept: Vec<(usize, usize)> =
        seen.iter().map(|(matches, errors, _)| (*matches, *errors)).collect();
    assert_eq!(kept, [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]);
    assert_eq!(text_under(&under(whole.len()), &world(), &request()), whole);
}

/// Every match takes its own length and a comma.
#[test]
fn a_match_takes_its_length_and_a_comma() {
    let lengths: Vec<usize> = ["x\n", "x\nx\n", "x\nx\nx\n"]
        .iter()
        .map(|text| text_under(&agent(), &World::new().file("a", text), &request()).len())
        .collect();
    let of_one = r#",{"path":"a","line":2,"column":1,"match_text":"x","line_text":"x","before":[],"after":[],"score":null}"#;
    assert_eq!(lengths[1] - lengths[0], of_one.len());
    assert_eq!(lengths[2] - lengths[1], of_one.len());
}

/// E-I06.
#[test]
fn a_budget_below_the_smallest_answer_is_refused() {
    let least = smallest_budget(&world(), &agent(), &request()).expect("a budget");
    let least: usize = least.try_into().expect("a length");
    let refused = ("ExecutionFailed".to_owned(), "max_output_bytes".to_owned());
    for most in [0, 50, least - 1] {
        assert_eq!(refusal_under(&under(most), &world(), &request()), refused);
    }
    assert_eq!(text_under(&under(least), &world(), &request()).len(), least);
}

/// If nothing can be removed, the answer does not mention the budget, and its own length is the
/// smallest budget.
#[test]
fn an_answer_without_matches_and_errors_has_one_length() {
    let empty = World::new().file("a", "none\n");
    let whole = text_under(&agent(), &empty, &request());
    assert_eq!(smallest_budget(&empty, &agent(), &request()), u64::try_from(whole.len()).ok());
    assert_eq!(text_under(&under(whole.len()), &empty, &request()), whole);
    assert_eq!(refusal_under(&under(whole.len() - 1), &empty, &request()).1, "max_output_bytes");
}

/// The budget is the last check.
#[test]
fn other_refusals_precede_that_of_the_budget() {
    assert_eq!(
        refusal_under(&under(0), &world(), &json!({"path": "nope", "query": "x"})).1,
        "path"
    );
    assert_eq!(smallest_budget(&world(), &agent(), &json!({"path": "nope", "query": "x"})), None);
}

/// E-I08.
#[test]
fn the_budget_precedes_the_other_truncation_reasons() {
    let world = World::new().file("a", "x\nx\nx\n").file("b", "").file("c", "");
    let named = |fields: &Value, tight: bool| {
        let mut request = request();
        for (name, value) in fields.as_object().expect("an object") {
            request[name] = value.clone();
        }
        let least = smallest_budget(&world, &agent(), &request).expect("a budget");
        let effective_max = if tight { least } else { agent().effective_max };
        let answer = read(&text_under(&Config { effective_max, ..agent() }, &world, &request));
        (answer["truncated_reason"].clone(), answer["stats"]["incomplete_because"].clone())
    };
    let both = json!({"max_results": 2});
    assert_eq!(named(&both, false), (json!("max_results"), json!(["max_results"])));
    let because = json!(["max_results", "max_output_bytes"]);
    assert_eq!(named(&both, true), (json!("max_output_bytes"), because));
    let files = json!({"max_files": 1, "max_matches_per_file": 2});
    let because = json!(["max_files", "max_matches_per_file"]);
    assert_eq!(named(&files, false), (json!("max_files"), because));
    let because = json!(["max_output_bytes", "max_files", "max_matches_per_file"]);
    assert_eq!(named(&files, true), (json!("max_output_bytes"), because));
}
