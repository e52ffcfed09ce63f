use regex_syntax::Parser;

use super::*;

/// Shows a need: `abc` a gram, `~abc` a folded one, `(… & …)`, `(… | …)`, `-` nothing.
fn shown(need: &Need) -> String {
    let joined = |parts: &[Need], by: &str| {
        format!("({})", parts.iter().map(shown).collect::<Vec<_>>().join(by))
    };
    match need {
        Need::Nothing => "-".to_owned(),
        Need::Gram(variant, gram) => {
            let mark = if *variant == Variant::Sensitive { "" } else { "~" };
            mark.to_owned() + &gram.scalars().collect::<String>()
        }
        Need::All(parts) => joined(parts, " & "),
        Need::OneOf(parts) => joined(parts, " | "),
    }
}

fn check(pattern: &str, expected: &str) {
    let expression = Parser::new().parse(pattern).expect("valid");
    assert_eq!(shown(&regex(&expression, false, Fold::Ascii, 3)), expected, "{pattern}");
}

#[test]
fn literals_and_sequences_need_their_grams() {
    check("abcd", "(abc & bcd)");
    check("ab", "-");
    check("abc.*xyz", "(abc & xyz)");
    check("a.c", "-");
    check("^abc$", "abc");
    check(r"\babc\b", "abc");
    check("ab(c)d", "(abc & bcd)");
}

#[test]
fn an_alternation_needs_one_branch_and_an_optional_part_nothing() {
    check("abc|xyz", "(abc | xyz)");
    check("abc|x", "-");
    check("(?:abc|xyz)123", "(123 & ((abc & bc1 & c12) | (xyz & yz1 & z12)))");
    check("abc(?:def)?", "abc");
    check("abc(?:def)*", "abc");
    check("abc(?:def)+", "(abc & bcd & cde & def)");
    check("(?:)|abc", "-");
    check("abc?", "-");
    check("a{3}", "aaa");
    check("a{2,}", "-");
    check("a{3,}", "aaa");
}

#[test]
fn flags_are_read_from_the_parsed_pattern() {
    check("(?i)b1d", "~b1d");
    check("(?x) a b c # comment", "abc");
    check("(?i)needle", "(~dle & ~edl & ~eed & ~nee)");
    check("(?i:ne)edle", "(dle & edl & ((Eed & NEe) | (Eed & nEe) | (Nee & eed) | (eed & nee)))");
    check(
        "(?i:n)eedle_and_thread",
        "(_an & _th & and & d_t & dle & e_a & ead & edl & eed & hre & le_ & nd_ & rea & thr & (Nee | nee))",
    );
    // The letter s folds with a long s only under (?i).
    check("(?i)sun", "(~sun | ~\u{17f}un)");
}

#[test]
fn small_classes_are_expanded_into_grams() {
    check("a[bc]d", "(abd | acd)");
    check(r"ab\d", "(ab0 | ab1)".replace("ab0 | ab1", "-").trim_matches(['(', ')']));
    check(r"(?-u:ab\d)", "(ab0 | ab1 | ab2 | ab3 | ab4 | ab5 | ab6 | ab7 | ab8 | ab9)");
    check(r"foo\w+bar", "(bar & foo)");
}

#[test]
fn unreliable_grams_are_not_needed() {
    check(r"ab\rcde", "cde");
    check("ab\u{fffd}cde", "cde");
    check("cafe\u{301}s", "(afe & caf)");
}

#[test]
fn a_literal_needs_all_its_grams_or_nothing() {
    let need = |pattern, insensitive| shown(&literal(pattern, insensitive, Fold::Ascii, 3));
    assert_eq!(need("Needle", false), "(Nee & dle & edl & eed)");
    assert_eq!(need("Needle", true), "(~dle & ~edl & ~eed & ~nee)");
    assert_eq!(need("ab", false), "-");
    assert_eq!(need("foo\r", false), "foo");
    assert_eq!(need("cafe\u{301}", false), "-");
    assert_eq!(need("J\u{30c}xy", false), "(J\u{30c}x & \u{30c}xy)");
    assert_eq!(need("J\u{30c}xy", true), "-");
}

#[test]
fn the_need_of_a_hostile_pattern_is_small_and_quick() {
    let words: Vec<String> = (0..9_000).map(|i| format!("w{i:05}")).collect();
    let expression = Parser::new().parse(&words.join("|")).expect("valid");
    assert_eq!(regex(&expression, false, Fold::Ascii, 3), Need::Nothing);
    let expression = Parser::new().parse(&"a.".repeat(20_000)).expect("valid");
    assert!(regex(&expression, false, Fold::Ascii, 3).size() <= 600);
    let expression = Parser::new().parse(&"[ab][cd]".repeat(2_000)).expect("valid");
    assert!(regex(&expression, false, Fold::Ascii, 3).size() <= 20_000);
}
