//! Replies of a language model.

use forge_search_core::agent::keyword::{NamedFile, Reply, read};
use serde_json::json;

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
    "{\"files\":[",
    "\"path\":",
    "\"a.rs\"",
    "\"lines\":",
    "\"reason\":",
    "1",
    "-1",
    "1.0",
    "1e300",
    "\"12\"",
    "null",
    "true",
    "\"results\":",
    "{\"path\":\"x\"",
    "<think>",
    "</think>",
    "```json\n",
    "Sure! ",
    "\u{1b}",
    "\\u0000",
    "\\ud800",
    " ",
    "18446744073709551616",
];

#[test]
fn a_reply_yields_no_more_text_than_the_model_sent() {
    let answers = soup::text(WORDS, 60);
    bolero::check!().with_iterations(2_000).with_generator(answers).for_each(|answer| {
        let Reply::Files(files) = read(answer) else { return };
        let paths: usize =
            files.iter().filter_map(|file| file.path.as_ref()).map(String::len).sum();
        let lines: usize = files.iter().map(|file| file.lines.len()).sum();
        assert!(paths + lines + files.len() <= answer.len(), "{files:?}");
        for reason in files.iter().filter_map(|file| file.reason.as_ref()) {
            assert!(reason.len() <= 303 && !reason.contains(char::is_control), "{reason:?}");
        }
    });
}

#[test]
fn a_file_list_is_read_from_any_surrounding_text() {
    let talk =
        || soup::text(&["Sure! ", "```json\n", "\n", "é", "<think>", "x", ": ", "}", "]"], 8);
    let names = soup::text(&["a", "/", ".rs", "\"", "\\", "{", "[", "é", " ", "\u{1b}", "<"], 8);
    let input = (talk(), names, bolero::produce::<u64>(), talk());
    bolero::check!().with_iterations(2_000).with_generator(input).for_each(
        |(before, name, line, after)| {
            if name.contains("</think>")
                || before.contains(['{', '['])
                || after.contains("</think>")
            {
                return;
            }
            let list =
                json!({ "files": [{ "path": name, "lines": [line, line.to_string(), "x"] }] });
            let want = NamedFile {
                path: Some(name.clone()),
                lines: vec![*line; 2],
                not_lines: 1,
                reason: None,
            };
            assert_eq!(read(&format!("{before}{list}{after}")), Reply::Files(vec![want]));
        },
    );
}
