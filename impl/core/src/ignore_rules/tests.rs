use super::*;

fn verdict(rules: &str, path: &str, is_dir: bool) -> Option<Verdict> {
    let file = RuleFile::parse(rules.as_bytes());
    file.deciding(path.as_bytes(), is_dir, &Cancellation::never()).map(|rule| rule.verdict)
}

const IGNORE: Option<Verdict> = Some(Verdict::Ignore);
const INCLUDE: Option<Verdict> = Some(Verdict::Include);

#[test]
fn the_last_matching_ignore_line_decides_in_any_form() {
    assert_eq!(verdict("*.log\n!keep.log\n", "a/keep.log", false), INCLUDE);
    assert_eq!(verdict("!keep.log\n*.log\n", "a/keep.log", false), IGNORE);
    assert_eq!(verdict("*.log\n!k*.log\n", "keep.log", false), INCLUDE);
    assert_eq!(verdict("!k*.log\nkeep.log\n", "keep.log", false), IGNORE);
}

#[test]
fn the_deciding_ignore_rule_has_its_line_number_and_text() {
    let rules = RuleFile::parse(b"# all\r\n\n/*\r\n!/a \n");
    let said = |path: &str| {
        let rule = rules.deciding(path.as_bytes(), false, &Cancellation::never())?;
        Some((rule.line, String::from_utf8(rule.text.to_owned()).unwrap(), rule.verdict))
    };
    assert_eq!(said("b"), Some((3, "/*".to_owned(), Verdict::Ignore)));
    assert_eq!(said("a"), Some((4, "!/a ".to_owned(), Verdict::Include)));
    assert_eq!(said("b/c"), None);
}

#[test]
fn anchored_rules_test_the_whole_path_others_the_base_name() {
    assert_eq!(verdict("/build\n", "build", true), IGNORE);
    assert_eq!(verdict("/build\n", "a/build", true), None);
    assert_eq!(verdict("a/b\n", "a/b", false), IGNORE);
    assert_eq!(verdict("a/b\n", "x/a/b", false), None);
    assert_eq!(verdict("b\n", "x/a/b", false), IGNORE);
}

#[test]
fn a_trailing_slash_restricts_an_ignore_rule_to_directories() {
    assert_eq!(verdict("build/\n", "a/build", true), IGNORE);
    assert_eq!(verdict("build/\n", "a/build", false), None);
}

#[test]
fn blanks_comments_and_escapes_are_parsed_as_in_git() {
    assert_eq!(verdict("# a\n\n\\#a\n", "#a", false), IGNORE);
    assert_eq!(verdict("a  \n", "a", false), IGNORE);
    assert_eq!(verdict("a\\ \n", "a ", false), IGNORE);
    assert_eq!(verdict("\\!a\n", "!a", false), IGNORE);
    assert_eq!(verdict("a\r\nb\r", "a", false), IGNORE);
    assert_eq!(verdict("a\r\nb\r", "b", false), IGNORE);
    assert_eq!(verdict("\u{feff}a\n", "a", false), IGNORE);
}

#[test]
fn braces_are_literal_and_malformed_classes_match_nothing() {
    assert_eq!(verdict("*.{a,b}\n", "x.a", false), None);
    assert_eq!(verdict("*.{a,b}\n", "x.{a,b}", false), IGNORE);
    assert_eq!(verdict("[a\n", "[a", false), None);
    assert_eq!(verdict("a\\\n", "a\\", false), None);
    assert_eq!(verdict("[[:alpha:]]x\n", "ax", false), IGNORE);
    assert_eq!(verdict("[[:nope:]]x\n", "ax", false), None);
}

#[test]
fn double_stars_match_as_in_git() {
    assert_eq!(verdict("**/a\n", "x/y/a", false), IGNORE);
    assert_eq!(verdict("**/a\n", "a", false), IGNORE);
    assert_eq!(verdict("a/**/b\n", "a/b", false), IGNORE);
    assert_eq!(verdict("a/**/b\n", "a/x/y/b", false), IGNORE);
    assert_eq!(verdict("a/**\n", "a", true), None);
    assert_eq!(verdict("a/**\n", "a/b", false), IGNORE);
    assert_eq!(verdict("a/x**y\n", "a/xzzy", false), IGNORE);
    assert_eq!(verdict("a/x**y\n", "a/xz/zy", false), None);
}

#[test]
fn the_last_of_equal_globs_in_an_ignore_file_decides() {
    let rules = RuleFile::parse(b"a\n!b\n!a\nb\na/\n");
    let lines: Vec<usize> = rules.rules().map(|rule| rule.line).collect();
    assert_eq!(lines, [3, 4, 5]);
    assert_eq!(verdict("a\n!b\n!a\nb\na/\n", "a", false), INCLUDE);
    assert_eq!(verdict("a\n!b\n!a\nb\na/\n", "a", true), IGNORE);
    assert_eq!(verdict("!b\nb\n", "b", true), IGNORE);
}

#[test]
fn an_ignore_file_takes_at_most_seven_times_its_text_in_memory() {
    for suffix in ["", "?", "*", "/", r"\?"] {
        let line = |number: u32| {
            let letter =
                |shift: u32| char::from(b'a' + u8::try_from((number >> shift) & 15).unwrap());
            format!("{}{}{}{suffix}\n", letter(0), letter(4), letter(8))
        };
        let text = (0..4_096).map(line).collect::<Vec<String>>().concat();
        let RuleFile { text: held, keys, lines, names, paths, suffixes, others } =
            RuleFile::parse(text.as_bytes());
        let numbers = names.len() + paths.len() + suffixes.len() + others.len();
        let taken = held.len() + keys.len() + size_of_val(&*lines) + 4 * numbers;
        assert_eq!(numbers, 4_096);
        assert!(taken <= 7 * text.len(), "{taken} bytes for {}", text.len());
    }
}

#[test]
fn matching_of_ignore_rules_can_be_cancelled() {
    let lines: Vec<String> = (0..5_000).map(|number| format!("*{number}*x?\n")).collect();
    let text = lines.concat();
    let rules = RuleFile::parse(text.as_bytes());
    let hopeless = Cancellation::when(|| true);
    rules.deciding(&b"0123456789".repeat(20), false, &hopeless);
    assert!(hopeless.is_cancelled());
}
