//! Compares with the definition over all windows of a line.

use super::*;
use crate::scan::Proposer as _;

const THRESHOLDS: [f64; 9] = [0.0, 0.1, 1.0 / 3.0, 0.5, 0.6, 0.75, 0.8, 0.9, 1.0];

/// The best window by definition: every window, its distance by the textbook recurrence.
fn by_definition(query: &str, fold_ascii: bool, line: &str) -> Option<Window> {
    let folded = |c: char| if fold_ascii { c.to_ascii_lowercase() } else { c };
    let query: Vec<char> = query.chars().map(folded).collect();
    let mut best: Option<Window> = None;
    for (start, _) in line.char_indices() {
        let mut row: Vec<usize> = (0..=query.len()).collect();
        for (before, (at, c)) in line[start..].char_indices().enumerate() {
            let mut diagonal = row[0];
            row[0] = before + 1;
            for (i, &q) in query.iter().enumerate() {
                let substituted = diagonal + usize::from(q != folded(c));
                diagonal = row[i + 1];
                row[i + 1] = substituted.min(row[i] + 1).min(diagonal + 1);
            }
            let longer = query.len().max(before + 1);
            #[expect(clippy::cast_precision_loss, reason = "small lengths")]
            let score = (longer - row[query.len()]) as f64 / longer as f64;
            if best.is_none_or(|best| score > best.score) {
                best = Some(Window { start, end: start + at + c.len_utf8(), score });
            }
        }
    }
    best
}

fn best(query: &str, threshold: f64, fold_ascii: bool, line: &str) -> Option<Window> {
    Similarity::new(query, threshold, fold_ascii).best_window(line, &mut || true).unwrap()
}

/// Asserts the best window at every threshold, and that the line is proposed where it has one.
fn assert_defined(query: &str, fold_ascii: bool, line: &str) {
    let defined = by_definition(query, fold_ascii, line);
    let own = defined.map_or(0.0, |window| window.score);
    for threshold in
        THRESHOLDS.into_iter().chain([own, own.next_up().min(1.0), own.next_down().max(0.0)])
    {
        let wanted = defined.filter(|window| window.score >= threshold);
        let similarity = Similarity::new(query, threshold, fold_ascii);
        let found = similarity.best_window(line, &mut || true).unwrap();
        assert_eq!(found, wanted, "`{query}` in `{line}` at {threshold}, folded: {fold_ascii}");
        let proposed = next(&mut similarity.proposer(), line.as_bytes(), 0);
        assert!(
            proposed == Some(0) || wanted.is_none(),
            "`{query}` in `{line}` at {threshold} is passed over"
        );
    }
}

/// All strings of up to `length` characters of the alphabet.
fn strings(alphabet: &str, length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last.iter().flat_map(|s| alphabet.chars().map(move |c| format!("{s}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// A deterministic pseudorandom generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn character(&mut self, alphabet: &[char]) -> char {
        alphabet[self.below(alphabet.len())]
    }

    fn text(&mut self, alphabet: &[char], length: usize) -> String {
        (0..length).map(|_| self.character(alphabet)).collect()
    }

    /// The query after `edits` edits. Insertions are more frequent, since they make windows longer
    /// than the query.
    fn edited(&mut self, query: &str, edits: usize, alphabet: &[char]) -> String {
        let mut text: Vec<char> = query.chars().collect();
        for _ in 0..edits {
            let at = self.below(text.len() + 1);
            match self.below(4) {
                0 if at < text.len() => text[at] = self.character(alphabet),
                1 if at < text.len() => drop(text.remove(at)),
                _ => text.insert(at, self.character(alphabet)),
            }
        }
        text.into_iter().collect()
    }
}

const LETTERS: [char; 7] = ['a', 'b', 'B', 'ß', 'é', '漢', '𝒳'];

#[test]
fn the_first_exact_occurrence_scores_one() {
    let found = best("needle", 0.8, false, "a neede needle needle").unwrap();
    assert_eq!((found.start, found.end), (8, 14));
    assert!((found.score - 1.0).abs() < f64::EPSILON);
}

#[test]
fn a_score_is_a_quotient_by_the_longer_length() {
    let score = |query, line| {
        best(query, 0.0, false, line).map(|found| (found.start, found.end, found.score))
    };
    assert_eq!(score("hello", "say hallo"), Some((4, 9, 4.0 / 5.0)));
    assert_eq!(score("hello", "heello"), Some((0, 6, 5.0 / 6.0)));
    assert_eq!(score("hello", "helo"), Some((0, 4, 4.0 / 5.0)));
    assert_eq!(score("ab", "a--b"), Some((0, 1, 0.5)));
}

#[test]
fn a_line_without_common_characters_matches_at_threshold_zero_only() {
    assert_eq!(best("abc", 0.0, false, "éxy"), Some(Window { start: 0, end: 2, score: 0.0 }));
    assert_eq!(best("abc", f64::MIN_POSITIVE, false, "xyz"), None);
    assert_eq!(best("abc", 0.0, false, ""), None);
}

#[test]
fn a_longer_window_with_more_edits_can_score_higher_than_a_nearer_one() {
    // Two edits of ten (8/10) against three insertions in thirteen.
    let found = best("abcdefghij", 0.0, false, "abcdefgh-- a-bc-def-ghij").unwrap();
    assert_eq!((found.start, found.end), (0, 8));
    let found = best("abcdefghij", 0.0, false, "abc--efghi z a-bcde-fghij").unwrap();
    assert_eq!((found.start, found.end, found.score), (13, 25, 10.0 / 12.0));
}

#[test]
fn similarity_folds_ascii_letters_only() {
    assert_eq!(best("Kelvin", 1.0, true, "kELVIN").map(|found| found.end), Some(6));
    assert_eq!(best("kelvin", 1.0, true, "\u{212a}elvin"), None);
    assert_eq!(best("É", 1.0, true, "é"), None);
    assert_eq!(best("kelvin", 1.0, false, "Kelvin"), None);
}

#[test]
fn every_short_query_agrees_with_the_definition_in_every_short_line() {
    let lines = strings("abc", 6);
    for query in strings("abc", 4).iter().filter(|query| query.starts_with('a')) {
        for line in lines.iter().filter(|line| line.len() != 5) {
            let defined = by_definition(query, false, line);
            for threshold in [0.0, 0.5, 0.7, 0.8, 1.0] {
                let wanted = defined.filter(|window| window.score >= threshold);
                let similarity = Similarity::new(query, threshold, false);
                let found = similarity.best_window(line, &mut || true).unwrap();
                assert_eq!(found, wanted, "`{query}` in `{line}` at {threshold}");
            }
        }
    }
}

#[test]
fn random_short_queries_agree_with_the_definition() {
    let mut draw = Draw(1);
    for _ in 0..3000 {
        let (length, before, after) = (1 + draw.below(9), draw.below(12), draw.below(12));
        let query = draw.text(&LETTERS, length);
        let edits = draw.below(6);
        let middle = draw.edited(&query, edits, &LETTERS);
        let line = format!("{}{middle}{}", draw.text(&LETTERS, before), draw.text(&LETTERS, after));
        assert_defined(&query, draw.below(2) == 0, &line);
    }
}

#[test]
fn queries_around_and_beyond_a_machine_word_agree_with_the_definition() {
    let mut draw = Draw(2);
    let wide: Vec<char> = ('a'..='z').chain('α'..='ω').collect();
    for (length, times) in [(31, 12), (63, 12), (64, 12), (65, 12), (127, 4), (128, 4), (130, 6)] {
        for round in 0..times {
            let alphabet = if round % 2 == 0 { &wide[..] } else { &LETTERS[..] };
            let query = draw.text(alphabet, length);
            let edits = draw.below(length / 2);
            let middle = draw.edited(&query, edits, alphabet);
            let line = format!("{}{middle}{}", draw.text(alphabet, 20), draw.text(alphabet, 20));
            assert_defined(&query, round % 3 == 0, &line);
        }
    }
}

#[test]
fn windows_with_insertions_at_every_rate_agree_with_the_definition() {
    let mut draw = Draw(3);
    let alphabet: Vec<char> = ('a'..='z').collect();
    for length in [3, 12, 40, 64, 90] {
        let query = draw.text(&alphabet, length);
        for every in 1..6 {
            let stretched: String = query
                .chars()
                .enumerate()
                .flat_map(|(at, c)| [Some(c), (at % every == 0).then_some('-')])
                .flatten()
                .collect();
            assert_defined(&query, false, &format!("zz{stretched}zz"));
        }
    }
}

/// The next proposed line, by some byte of it.
fn next(proposer: &mut SimilarityProposer, text: &[u8], from: usize) -> Option<usize> {
    proposer.next(text, from, &mut || true).unwrap()
}

/// The numbers of the lines proposed when a text is scanned as in [`crate::scan`].
fn proposed(similarity: &Similarity, text: &str) -> Vec<usize> {
    let mut proposer = similarity.proposer();
    let (mut lines, mut from) = (Vec::new(), 0);
    while let Some(at) =
        (from < text.len()).then(|| next(&mut proposer, text.as_bytes(), from)).flatten()
    {
        assert!(at >= from, "lines are proposed in order");
        lines.push(text[..at].bytes().filter(|byte| *byte == b'\n').count());
        from = crate::text::line_at(text.as_bytes(), at).unwrap().end + 1;
    }
    lines
}

/// A text of random lines, some of them long, with edited copies of the query.
fn strewn(draw: &mut Draw, query: &str, alphabet: &[char], bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        let length = if draw.below(60) == 0 { 5000 } else { draw.below(90) };
        text += &draw.text(alphabet, length);
        if draw.below(5) == 0 {
            let edits = draw.below(query.chars().count() / 3 + 2);
            text += &draw.edited(query, edits, alphabet);
            let rest = draw.below(80);
            text += &draw.text(alphabet, rest);
        }
        if draw.below(12) != 0 {
            text += if draw.below(4) == 0 { "\r\n" } else { "\n" };
        }
    }
    text
}

#[test]
fn every_line_with_a_window_is_proposed_in_a_long_text() {
    let mut draw = Draw(4);
    let ascii: Vec<char> = ('a'..='z').chain(['E', ' ', '_']).collect();
    let mixed: Vec<char> = ('a'..='z').chain('а'..='я').chain(['漢', '𝒳', '字']).collect();
    for alphabet in [&ascii, &mixed] {
        for length in [1, 2, 5, 12, 33, 64, 65, 140] {
            let query = draw.text(alphabet, length);
            let text = strewn(&mut draw, &query, alphabet, 60_000);
            for threshold in [0.5, 0.8, 0.95, 1.0] {
                let similarity = Similarity::new(&query, threshold, true);
                let proposed = proposed(&similarity, &text);
                let has = |line: &str| {
                    let line = line.strip_suffix('\r').unwrap_or(line);
                    similarity.best_window(line, &mut || true).unwrap().is_some()
                };
                let wanted: Vec<usize> = text
                    .split('\n')
                    .enumerate()
                    .filter(|(_, line)| has(line))
                    .map(|(at, _)| at)
                    .collect();
                let missed = wanted.iter().find(|line| !proposed.contains(line));
                assert_eq!(missed, None, "`{query}` at {threshold}");
                let vain = proposed.len() - wanted.len();
                assert!(
                    threshold < 0.8 || vain <= 20 + wanted.len() / 2,
                    "`{query}` at {threshold}: {} of {} proposals in vain",
                    vain,
                    proposed.len()
                );
            }
        }
    }
}

#[test]
fn a_line_too_costly_to_examine_is_proposed_unexamined() {
    let long = "x".repeat(1 << 19);
    let proposed = |query: usize| {
        let mut proposer = Similarity::new(&"ab".repeat(query / 2), 0.8, false).proposer();
        next(&mut proposer, long.as_bytes(), 0)
    };
    assert_eq!((proposed(64), proposed(1024)), (None, Some(0)));
}

#[test]
fn a_proposer_started_within_a_line_examines_the_whole_line() {
    let mut proposer = Similarity::new("needle", 1.0, false).proposer();
    assert_eq!(next(&mut proposer, b"x\nneedle\nx\n", 4), Some(4));
    assert_eq!(next(&mut proposer, b"x\nneedle\nx\n", 9), None);
}

#[test]
fn invalid_bytes_do_not_disturb_the_proposer() {
    let mut proposer = Similarity::new("näher", 0.8, false).proposer();
    assert_eq!(next(&mut proposer, b"\xff\xc3\n\xf0\x9f\nn\xc3\xa4her\n", 0), Some(6));
}

#[test]
fn scoring_a_long_line_can_be_cancelled_at_every_step() {
    let query = format!("{}b", "a".repeat(1023));
    for line in ["a".repeat(1 << 18), format!("{}b", "a".repeat(600)).repeat(400)] {
        let similarity = Similarity::new(&query, 0.0, false);
        let mut asked = 0;
        let all = similarity.best_window(&line[..1 << 14], &mut || {
            asked += 1;
            true
        });
        assert!(all.is_ok() && asked > 10, "asked {asked} times");
        for stop in [1, 3, asked] {
            let mut left = stop;
            let found = similarity.best_window(&line, &mut || {
                left -= 1;
                left > 0
            });
            assert_eq!((found, left), (Err(Interrupted), 0));
        }
    }
}

#[test]
fn every_pass_over_a_line_checks_cancellation() {
    let (query, text) = ([1; 100], [1; 8_000]);
    let refuse = || false;
    let found = common(
        &Masks::of(&query),
        text.into_iter(),
        &mut Poller { go_on: &mut refuse.clone(), spent: 0 },
    );
    assert_eq!(found, Err(Interrupted));
    let level = Ratio::of(1, 2);
    let poller = &mut Poller { go_on: &mut refuse.clone(), spent: 0 };
    let found = alignment::above(&query, text.into_iter().enumerate(), level, poller);
    assert!(found.is_err());
}

#[test]
fn the_longest_common_subsequence_agrees_with_the_textbook() {
    let mut draw = Draw(6);
    for length in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
        for kinds in [1, 2, 3, 9] {
            let drawn = |draw: &mut Draw, length| -> Vec<u16> {
                (0..length).map(|_| u16::try_from(draw.below(kinds + 1)).unwrap()).collect()
            };
            let query: Vec<u16> =
                drawn(&mut draw, length).iter().map(|symbol| symbol.max(&1)).copied().collect();
            let length = draw.below(300);
            let text = drawn(&mut draw, length);
            let mut row = vec![0; query.len() + 1];
            for symbol in &text {
                let mut diagonal = 0;
                for (i, wanted) in query.iter().enumerate() {
                    let above = row[i + 1];
                    row[i + 1] = if wanted == symbol { diagonal + 1 } else { above.max(row[i]) };
                    diagonal = above;
                }
            }
            let poller = &mut Poller { go_on: &mut || true, spent: 0 };
            let found = common(&Masks::of(&query), text.iter().copied(), poller);
            assert_eq!(found, Ok(row[query.len()]), "{query:?} {text:?}");
        }
    }
}

#[test]
fn the_work_for_a_line_is_bounded_by_line_length_times_query_length() {
    let mut draw = Draw(5);
    for threshold in [0.0, 1e-6, 0.01, 0.3, 0.8] {
        let drawn = draw.text(&['a', 'b'], 6000);
        for line in ["a".repeat(6000), format!("{}b", "a".repeat(99)).repeat(60), drawn] {
            let query = format!("{}b{}b", "a".repeat(80), "a".repeat(118));
            let mut asked = 0;
            let found = Similarity::new(&query, threshold, false).best_window(&line, &mut || {
                asked += 1;
                true
            });
            assert!(found.is_ok());
            // At most some ten passes over all cells; each call stands for thousands of cells.
            assert!(
                asked * Poller::STRIDE <= 10 * line.len() * query.len(),
                "{threshold}: asked {asked} times"
            );
        }
    }
}
