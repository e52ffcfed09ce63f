//! Ignore files of a tree.

use forge_search_core::{cancellation::Cancellation, ignore_rules::RuleFile};

use crate::soup;

const WORDS: &[&str] = &[
    "\n", "\n", "\r\n", "a", "b", "a", "*", "**", "/", "!", "#", " ", "\\", "\\ ", "?", "[ab]",
    "[", "*.rs", "a/b", "**/", "/**", "\u{feff}", "\0", "é", "x", "\t",
];
const NAMES: &[&str] = &["a", "b", "/", "a/b", ".rs", "x", " ", "é", "c"];

#[test]
fn the_last_matching_line_decides_as_if_it_were_the_only_line() {
    let input = (soup::bytes(WORDS, 40), soup::bytes(NAMES, 8));
    bolero::check!().with_iterations(3_000).with_generator(input).for_each(|(content, path)| {
        let file = RuleFile::parse(content);
        let lines: Vec<&[u8]> = without_mark(content).split(|byte| *byte == b'\n').collect();
        assert!(file.is_of(content) && file.size() <= content.len());
        assert!(file.rules().count() <= lines.len());
        for is_dir in [false, true] {
            let decided = |file: &RuleFile| {
                let cancellation = Cancellation::never();
                file.deciding(path, is_dir, &cancellation).map(|rule| (rule.verdict, rule.line))
            };
            let alone = |line: &[u8]| decided(&RuleFile::parse(&[b"\n", line, b"\n"].concat()));
            let last =
                (1..).zip(&lines).filter_map(|(number, line)| Some((alone(line)?.0, number)));
            assert_eq!(decided(&file), last.last(), "is_dir {is_dir}");
            let ended = RuleFile::parse(&[content.as_slice(), b"\n# a comment\n"].concat());
            assert_eq!(decided(&ended), decided(&file), "lines that mean nothing decide nothing");
        }
    });
}

#[test]
fn rules_are_lines_of_the_file_in_order() {
    let contents = soup::bytes(WORDS, 60);
    bolero::check!().with_iterations(2_000).with_generator(contents).for_each(|content| {
        let lines: Vec<&[u8]> = without_mark(content).split(|byte| *byte == b'\n').collect();
        let file = RuleFile::parse(content);
        let mut before = 0;
        for rule in file.rules() {
            assert!(before < rule.line);
            before = rule.line;
            let line = lines[rule.line - 1];
            assert_eq!(rule.text, line.strip_suffix(b"\r").unwrap_or(line));
        }
    });
}

fn without_mark(content: &[u8]) -> &[u8] {
    content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content)
}
