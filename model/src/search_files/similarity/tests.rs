use super::best_window;

/// The best window's text and score, case-sensitive.
fn best<'l>(query: &str, threshold: f64, line: &'l str) -> Option<(&'l str, f64)> {
    best_window(query, threshold, false, line)
        .map(|(start, end, score)| (line.get(start..end).unwrap(), score))
}

#[test]
fn an_equal_window_scores_one() {
    assert_eq!(best("hello", 0.8, "say hello!"), Some(("hello", 1.0)));
    assert_eq!(best("h", 1.0, "oh"), Some(("h", 1.0)));
    assert_eq!(best("hello", 1.0, "say hallo!"), None);
}

/// CFG-SF-04, E-G09: one substitution in five.
#[test]
fn a_score_equal_to_the_threshold_is_a_match() {
    assert_eq!(best("hello", 0.8, "say hallo!"), Some(("hallo", 0.8)));
    assert_eq!(best("hello", 0.800_000_000_000_000_2, "say hallo!"), None);
    assert_eq!(best("abc", 2.0 / 3.0, "abd"), Some(("ab", 2.0 / 3.0)));
}

/// An insertion lengthens the window, and with it the denominator.
#[test]
fn an_insertion_beats_a_substitution() {
    // `helllo`: 1 - 1/6; `helll` and `elllo` have 1 - 1/5 at most.
    assert_eq!(best("hello", 0.8, "say helllo!"), Some(("helllo", 5.0 / 6.0)));
    // After a deletion the query is the longer one.
    assert_eq!(best("hello", 0.8, "say helo!"), Some(("helo", 0.8)));
}

/// Leftmost first, then the shortest.
#[test]
fn among_equal_windows_the_leftmost_then_the_shortest_wins() {
    assert_eq!(best_window("hello", 0.8, false, "hallo hillo"), Some((0, 5, 0.8)));
    assert_eq!(best_window("hello", 0.8, false, "hallo hello"), Some((6, 11, 1.0)));
    // `a`, `ac` and, from the second character on, nothing better: all have one edit of two.
    assert_eq!(best_window("ab", 0.5, false, "ac"), Some((0, 1, 0.5)));
    // `ca` has no character in its place, `a` alone has one.
    assert_eq!(best_window("ab", 0.5, false, "ca"), Some((1, 2, 0.5)));
    // `cab` has one edit of three.
    assert_eq!(best_window("ab", 0.5, false, "cxab"), Some((2, 4, 1.0)));
    assert_eq!(best_window("abab", 0.5, false, "ab"), Some((0, 2, 0.5)));
}

/// Lengths count scalar values, offsets bytes.
#[test]
fn lengths_are_in_scalar_values_and_places_in_bytes() {
    assert_eq!(best_window("grün", 0.75, false, "→ grun"), Some((4, 8, 0.75)));
    assert_eq!(best_window("日本語", 0.6, false, "x日本人x"), Some((1, 7, 2.0 / 3.0)));
    // A letter and a combining mark are two scalar values.
    assert_eq!(best("e\u{301}", 0.5, "e"), Some(("e", 0.5)));
}

#[test]
fn folding_equates_only_ascii_letters() {
    assert_eq!(best_window("hello", 1.0, true, "HeLLo"), Some((0, 5, 1.0)));
    assert_eq!(best_window("hello", 1.0, false, "HeLLo"), None);
    assert_eq!(best_window("été", 1.0, true, "ÉTÉ"), None);
    // Only the `t` is equal; of the windows with it the leftmost has one character more.
    assert_eq!(best_window("été", 0.3, true, "ÉTÉ"), Some((0, 3, 1.0 / 3.0)));
}

/// At threshold 0 every non-empty line has a match.
#[test]
fn a_threshold_of_zero_matches_every_non_empty_line() {
    assert_eq!(best("a", 0.0, "zzz"), Some(("z", 0.0)));
    assert_eq!(best("abc", 0.0, "xc"), Some(("xc", 1.0 / 3.0)));
    assert_eq!(best("a", 0.0, ""), None);
    assert_eq!(best("a", 1.0, ""), None);
}

/// A window may be as much longer as the threshold allows: four of five scalar values are 0.8.
#[test]
fn longer_windows_are_considered_as_far_as_they_can_reach_the_threshold() {
    assert_eq!(best("abcd", 0.8, "ab_cd"), Some(("ab_cd", 0.8)));
    assert_eq!(best("abcd", 0.81, "ab_cd"), None);
    assert_eq!(best("abcd", 0.5, "a_b_c_d"), Some(("a_b_c_d", 4.0 / 7.0)));
}
