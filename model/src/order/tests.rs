use super::{Rank, Value, sort};
use crate::generated::ordering::ORDERS;
use crate::place::{self, Name};
use crate::tables::order::{By, Form, Key};

fn names(path: &[u8]) -> Vec<Name> {
    place::names(path)
}

fn file(path: &[u8]) -> Rank {
    Rank::of_file(&ORDERS, &names(path), &[])
}

/// Asserts that the paths are in strictly ascending order.
fn check(paths: &[&[u8]]) {
    for pair in paths.windows(2) {
        assert!(
            file(pair[0]) < file(pair[1]),
            "{:?} < {:?}",
            place::lossy(pair[0]),
            place::lossy(pair[1])
        );
    }
}

/// E-D04.
#[test]
fn the_whole_path_is_compared_bytewise() {
    check(&[b"a-b/x", b"a.txt", b"a/x", b"a0"]);
    check(&[b"A", b"a", "é".as_bytes(), "日".as_bytes()]);
}

/// E-B21.
#[test]
fn names_with_equal_keys_are_ordered_by_raw_bytes() {
    check(&[b"a\xfe", b"a\xff", b"a\xffb"]);
    check(&["cafe\u{301}.txt".as_bytes(), "caf\u{e9}.txt".as_bytes()]);
    check(&[b"cafe", b"cafz", "cafe\u{301}".as_bytes()]);
    check(&["e\u{301}".as_bytes(), "\u{e9}/a".as_bytes(), "e\u{301}/b".as_bytes()]);
}

/// E-D02.
#[test]
fn keys_are_relative_to_the_search_root_or_the_name_of_a_file() {
    let below = Rank::of_file(&ORDERS, &names(b"sub/a"), &names(b"sub"));
    let itself = Rank::of_file(&ORDERS, &names(b"sub/a"), &names(b"sub/a"));
    assert_eq!(below, itself);
    assert_ne!(below, file(b"sub/a"));
}

#[test]
fn a_problem_with_a_directory_precedes_everything_below_it() {
    let root = names(b"root");
    let of = |path: &[u8]| Rank::of_file(&ORDERS, &names(path), &root);
    let directory = |path: &[u8]| Rank::of_directory(&ORDERS, &names(path), &root, &names(path));
    assert!(of(b"root/d-x") < directory(b"root/d"));
    assert!(directory(b"root/d") < of(b"root/d/\x01"));
    assert!(directory(b"root") < of(b"root/\x01"));
    let above = Rank::of_directory(&ORDERS, &[], &root, &names(b".gitignore"));
    assert!(above < directory(b"root"));
    assert!(above < of(b"root/\x01"));
}

#[test]
fn items_with_equal_keys_have_no_defined_order() {
    let by = |by, descending| Key { by, form: Form::Raw, descending };
    let value = |thing: &(u64, u64), key| match key {
        By::Line => Value::Number(thing.0),
        By::Column => Value::Number(thing.1),
        _ => Value::Nothing,
    };
    let sorted = |keys: &[Key]| {
        let mut things = [(1, 2), (1, 1), (2, 1)];
        sort(&mut things, keys, value);
        things
    };
    assert_eq!(sorted(&[by(By::Line, false), by(By::Column, false)]), [(1, 1), (1, 2), (2, 1)]);
    assert_eq!(sorted(&[by(By::Line, true), by(By::Column, false)]), [(2, 1), (1, 1), (1, 2)]);
    assert_eq!(sorted(&[by(By::Line, false)]), [(1, 1), (1, 2), (2, 1)], "the last comes first");
    assert_eq!(sorted(&[by(By::Score, false)]), [(2, 1), (1, 1), (1, 2)]);
}
