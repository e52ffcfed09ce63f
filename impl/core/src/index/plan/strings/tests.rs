use super::*;

/// So many texts of so many scalars.
fn texts(count: u8, length: usize) -> Strings {
    let text = |first: u8| [vec![char::from(first)], vec!['x'; length - 1]].concat();
    Strings((0..count).map(text).collect())
}

#[test]
fn texts_are_put_together_up_to_4096_scalars_and_24_texts() {
    let crossed = |first: (u8, usize), second: (u8, usize)| {
        let both = texts(first.0, first.1).cross(&texts(second.0, second.1));
        both.map(|both| (both.0.len(), both.scalars()))
    };
    assert_eq!(crossed((2, 341), (4, 171)), Some((8, 4_096)));
    assert_eq!(crossed((2, 341), (4, 172)), None);
    assert_eq!(crossed((2, 342), (4, 171)), None);
    assert_eq!(crossed((6, 1), (4, 1)), Some((24, 48)));
    assert_eq!(crossed((5, 1), (5, 1)), None);
}

#[test]
fn texts_side_by_side_are_at_most_24_and_have_at_most_4096_scalars() {
    let too_much = [(24, 1), (25, 1), (1, 4_096), (1, 4_097), (4, 1_024), (4, 1_025)]
        .map(|(count, length)| texts(count, length).is_too_much());
    assert_eq!(too_much, [false, true, false, true, false, true]);
}
