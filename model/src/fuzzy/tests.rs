use super::Fuzzy;

/// The match of `pattern` at `level` in `line`: the text before it, and itself.
fn find(pattern: &str, level: u64, line: &str) -> Option<(String, String)> {
    Fuzzy::new(pattern, level, true, false).find(line)
}

fn found(pattern: &str, level: u64, line: &str) -> Option<String> {
    find(pattern, level, line).map(|(_, text)| text)
}

/// E-E12, E-G01.
#[test]
fn a_fuzzy_match_starts_with_the_first_character_and_is_text_of_the_file() {
    let rows = [
        ("hello", 1, "say hallo", Some("hallo")),
        ("hello", 1, "xello", None),
        ("hello", 4, "xello", None),
        ("hello", 1, "helo", Some("helo")),
        ("hello", 1, "hexllo", Some("hexllo")),
        ("hello", 1, "hlelo", None),
        ("hello", 2, "hlelo", Some("hlelo")),
        ("日本語", 1, "x日x語", Some("日x語")),
        ("abc", 2, "a", Some("a")),
        ("abc", 1, "", None),
    ];
    for (pattern, level, line, expected) in rows {
        assert_eq!(
            found(pattern, level, line).as_deref(),
            expected,
            "`{pattern}` at {level} in `{line}`"
        );
    }
}

#[test]
fn the_leftmost_start_wins_then_the_smallest_distance_then_the_shortest_end() {
    assert_eq!(find("hello", 1, "hallo hello"), Some((String::new(), "hallo".to_owned())));
    assert_eq!(found("ab", 1, "abb").as_deref(), Some("ab"));
    assert_eq!(found("needle", 1, "needles").as_deref(), Some("needle"));
    assert_eq!(found("hello", 2, "help").as_deref(), Some("hel"));
    assert_eq!(find("ab", 1, "é ac"), Some(("é ".to_owned(), "a".to_owned())));
}

#[test]
fn every_fuzzy_level_includes_the_matches_of_the_level_below() {
    let lines = [
        "needle",
        "nedle",
        "neeeedle",
        "n e e d l e",
        "noodle",
        "nle",
        "ndl",
        "nothing",
        "need less",
    ];
    for line in lines {
        for level in 1..4 {
            let nested = found("needle", level, line).is_none()
                || found("needle", level + 1, line).is_some();
            assert!(nested, "level {level} in `{line}`");
        }
    }
}

/// The Levenshtein distance, by its recursive definition.
#[test]
fn fuzzy_distances_agree_with_the_definition() {
    fn distance(one: &[char], other: &[char]) -> u64 {
        match (one, other) {
            ([], rest) | (rest, []) => rest.len() as u64,
            ([a, one_rest @ ..], [b, other_rest @ ..]) => {
                let substituted = distance(one_rest, other_rest) + u64::from(a != b);
                let dropped = distance(one_rest, other).min(distance(one, other_rest)) + 1;
                substituted.min(dropped)
            }
        }
    }
    for pattern in ["aab", "abca", "a"] {
        let chars: Vec<char> = pattern.chars().collect();
        for line in ["aab", "abcab", "bca", "aaaa", "cab"] {
            let text: Vec<char> = line.chars().collect();
            let level = 4;
            let expected: Vec<u64> =
                (1..=text.len()).map(|length| distance(&chars, &text[..length])).collect();
            assert_eq!(
                Fuzzy::new(pattern, level, true, false).distances(&text),
                expected,
                "{pattern} {line}"
            );
        }
    }
}

/// E-G02.
#[test]
fn case_and_word_rules_apply_to_fuzzy_literals() {
    let insensitive = Fuzzy::new("kilo", 1, false, false);
    assert_eq!(insensitive.find("KALO").map(|found| found.1).as_deref(), Some("KALO"));
    assert_eq!(insensitive.find("\u{212a}ilo"), None);
    assert_eq!(found("kilo", 1, "KILO"), None);
    let word = Fuzzy::new("hello", 1, true, true);
    let matched = |line: &str| word.find(line).map(|found| found.1);
    assert_eq!(matched("xhallo"), None);
    assert_eq!(matched("hallox"), None);
    assert_eq!(matched("hallo, x").as_deref(), Some("hallo"));
    assert_eq!(matched("\u{fffd}hallo").as_deref(), Some("hallo"));
    // The best end is no word boundary, a worse one is.
    assert_eq!(matched("hellos").as_deref(), Some("hellos"));
}
