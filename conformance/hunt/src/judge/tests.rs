use std::collections::BTreeMap;

use super::*;
use crate::subjects::Adapters;

/// The verdict on one file `a` with the line `abab`, of which the program says that it matched
/// there.
fn verdict(adapter: &Adapter, pattern: &str, spans: &[(u64, u64)]) -> Verdict {
    let (pack, text) = (Pack::of(&[("a", "abab\n")]), Text(b"abab".to_vec()));
    let ask = Ask { show: Show::Spans, ..Ask::new(pattern) };
    let own = Expectation::of(&pack, &ask, adapter.dialect).unwrap();
    let canonical = Expectation::of(&pack, &ask, Dialect::default()).unwrap();
    let line = Line { number: 1, selected: true, text: Some(text), spans: Some(spans.to_vec()) };
    let said = FileAnswer { lines: vec![line], count: None };
    Judge::new(adapter, (&pack, &ask), &canonical, &own).file(
        &Text(b"a".to_vec()),
        b"abab\n",
        Some(&said),
    )
}

#[test]
fn spans_of_a_leftmost_longest_program_are_compared_only_for_plain_literals() {
    let mut grep = Adapter::clone(&Adapters::shipped().unwrap().get("grep").unwrap());
    let declared = Verdict::Declared("spans_not_first".to_owned());
    assert_eq!(verdict(&grep, "a|abab", &[(0, 4)]), declared);
    // The dialect says it without the declaration.
    grep.declared = BTreeMap::new();
    assert_eq!(verdict(&grep, "a|abab", &[(0, 4)]), declared);
    assert_eq!(verdict(&grep, "a|abab", &[(0, 1), (2, 3)]), Verdict::Agree);
    assert_eq!(verdict(&grep, "ab", &[(0, 4)]), Verdict::Diverge(Aspect::Spans));
    grep.dialect.spans = Spans::First;
    assert_eq!(verdict(&grep, "a|abab", &[(0, 4)]), Verdict::Diverge(Aspect::Spans));
}

#[test]
fn empty_spans_are_not_compared() {
    let grep = Adapter::clone(&Adapters::shipped().unwrap().get("grep").unwrap());
    for spans in [&[(1, 2), (3, 4)][..], &[(0, 0), (1, 2), (3, 4), (4, 4)]] {
        assert_eq!(verdict(&grep, "b*", spans), Verdict::Agree, "{spans:?}");
    }
}
