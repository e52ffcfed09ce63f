use super::*;

/// How many pairs it may take to come across a bug.
const FEW: u64 = 3_000;

/// Production with one bug.
struct Bugged {
    window: fn(&Text, &str, Option<Window>) -> Option<Window>,
    looked_at: fn(&Text, BTreeSet<usize>) -> BTreeSet<usize>,
}

impl Finder for Bugged {
    fn window(&self, text: &Text, line: &str) -> Option<Window> {
        (self.window)(text, line, Production.window(text, line))
    }

    fn looked_at(&self, text: &Text) -> BTreeSet<usize> {
        (self.looked_at)(text, Production.looked_at(text))
    }
}

const SOUND: Bugged = Bugged { window: |_, _, window| window, looked_at: |_, lines| lines };

fn faults(finder: &dyn Finder) -> usize {
    compare(finder, 7, FEW, 2, &|_| {}).faults.len()
}

#[test]
fn production_agrees_with_the_model_on_windows_of_4_000_pairs() {
    let compared = compare(&Production, 1, 4_000, 2, &|_| {});
    assert!(compared.faults.is_empty(), "{}", compared.faults.join("\n"));
    assert!(compared.pairs >= 4_000);
    assert!(compared.reached > 1_600, "{:?}", compared.lines());
    assert!(compared.partial > 1_000, "{:?}", compared.lines());
    assert!(compared.wide > 400, "{:?}", compared.lines());
    assert!(compared.long > 120, "{:?}", compared.lines());
    assert!(compared.passed_over > 200, "{:?}", compared.lines());
}

#[test]
fn the_number_of_threads_changes_no_result() {
    let run = |threads| compare(&Production, 3, 500, threads, &|_| {}).lines();
    assert_eq!(run(1), run(5));
}

#[test]
fn a_skipped_line_is_found() {
    let strict = Bugged {
        looked_at: |text, lines| {
            let first =
                |line: &str| text.query.chars().next().is_some_and(|letter| line.contains(letter));
            lines.into_iter().filter(|number| first(&text.lines[*number])).collect()
        },
        ..SOUND
    };
    assert!(faults(&strict) > 0);
}

#[test]
fn a_score_by_the_query_length_alone_is_found() {
    let off = Bugged {
        window: |text, line, window| {
            window.map(|(start, end, score)| {
                let length = |text: &str| f64::from(u32::try_from(text.chars().count()).unwrap());
                let (window, query) = (length(line.get(start..end).unwrap()), length(&text.query));
                let distance = (1.0 - score) * window.max(query);
                (start, end, 1.0 - distance.round() / query)
            })
        },
        ..SOUND
    };
    assert!(faults(&off) > 0);
}

#[test]
fn a_window_that_is_not_leftmost_or_shortest_is_found() {
    let longer = Bugged {
        window: |_, line, window| {
            window.map(|(start, end, score)| {
                let wider = line
                    .get(end..)
                    .unwrap()
                    .chars()
                    .next()
                    .map_or(end, |next| end + next.len_utf8());
                (start, if score < 0.7 { wider } else { end }, score)
            })
        },
        ..SOUND
    };
    assert!(faults(&longer) > 0);
    let last = Bugged {
        window: |_, line, window| {
            window.map(|(start, end, score)| {
                let same = line.rfind(line.get(start..end).unwrap()).unwrap_or(start);
                (same, same + (end - start), score)
            })
        },
        ..SOUND
    };
    assert!(faults(&last) > 0);
}

#[test]
fn a_strict_threshold_is_found() {
    let above = Bugged {
        window: |text, _, window| {
            window.filter(|(_, _, score)| *score > text.threshold || *score >= 1.0)
        },
        ..SOUND
    };
    assert!(faults(&above) > 0);
}

#[test]
fn folding_beyond_ascii_is_found() {
    let folding = Bugged {
        window: |text, line, window| {
            let folded = Text { query: text.query.to_lowercase(), ..text.clone() };
            let lower = line.to_lowercase();
            if text.fold_ascii && lower.len() == line.len() {
                Production.window(&folded, &lower)
            } else {
                window
            }
        },
        ..SOUND
    };
    assert!(faults(&folding) > 0);
}
