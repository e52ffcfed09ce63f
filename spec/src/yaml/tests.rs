//! Tests of the reader of YAML.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;

type Lists = BTreeMap<String, Vec<u8>>;

/// Where a text is wrong, and how.
fn wrong<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> (u64, u64, String) {
    let error = read::<T>(text).unwrap_err();
    (error.line, error.column, error.message)
}

#[test]
fn the_innermost_place_is_that_of_an_error() {
    let (line, column, message) = wrong::<Lists>("a: [1]\nb:\n  - 2\n  - x\n");
    assert_eq!((line, column), (4, 5), "{message}");
    assert!(!message.contains("line"), "{message}");
    let open = read::<Vec<u8>>("[1, 2\n").unwrap_err();
    assert_ne!(open.line, 0, "{open}");
    assert_eq!(read::<Vec<u8>>("[1, 2]"), Ok(vec![1, 2]));
}

#[test]
fn a_scalar_is_what_its_reader_asks_for() {
    assert_eq!(read::<Vec<String>>("[1, 1.10, true, '', 'null']").unwrap()[1], "1.10");
    assert_eq!(read::<Vec<u64>>("[0x1F, 0o17, +3, 0]"), Ok(vec![31, 15, 3, 0]));
    assert_eq!(read::<Vec<i64>>("[-3, 3]"), Ok(vec![-3, 3]));
    assert_eq!(read::<Vec<f64>>("[1, -2, 1.5, 1e3]"), Ok(vec![1.0, -2.0, 1.5, 1000.0]));
    assert_eq!(read::<Vec<bool>>("[true, False]"), Ok(vec![true, false]));
    assert_eq!(read::<BTreeMap<u8, char>>("{1: a}"), Ok(BTreeMap::from([(1, 'a')])));
    let none = [None, None, Some(String::new())];
    assert_eq!(read::<Vec<Option<String>>>("[~, null, '']").unwrap(), none);
    assert_eq!(read::<Option<u8>>("# nothing\n"), Ok(None));
    let empty: (Lists, Vec<u8>) = read("[~, ~]").unwrap();
    assert_eq!(empty, Default::default());
    let any: serde_json::Value = read("[1, -1, 1.5, true, ~, '1', inf, 0x10, {a: []}]").unwrap();
    assert_eq!(any.to_string(), r#"[1,-1,1.5,true,null,"1","inf",16,{"a":[]}]"#);
    for text in ["['1']", "[256]", "[-1]", "[1.5]", "[~]", "[yes]", "[[1]]", "[{a: 1}]"] {
        assert_eq!(wrong::<Vec<u8>>(text).1, 2, "{text}");
    }
    for text in ["[yes]", "['true']", "[1]"] {
        assert_eq!(wrong::<Vec<bool>>(text).1, 2, "{text}");
    }
    for text in ["[~]", "[[a]]", "[{a: b}]"] {
        assert_eq!(wrong::<Vec<String>>(text).1, 2, "{text}");
    }
}

#[test]
fn variants_and_structs_take_what_they_name_alone() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case", deny_unknown_fields)]
    enum Shape {
        Point,
        Circle(u8),
        Box { width: u8 },
        Pair(u8, u8),
    }
    let text = "[point, point: , circle: 1, box: {width: 2}, pair: [3, 4]]";
    let (circle, wide) = (Shape::Circle(1), Shape::Box { width: 2 });
    let shapes = vec![Shape::Point, Shape::Point, circle, wide, Shape::Pair(3, 4)];
    assert_eq!(read::<Vec<Shape>>(text), Ok(shapes));
    for (text, place) in [
        ("- circle", (1, 3)),
        ("- round: 1", (1, 3)),
        ("- point: 1", (1, 10)),
        ("- box:\n    width: 300", (2, 12)),
        ("- box: {height: 1}", (1, 9)),
        ("- box: {}", (1, 8)),
        ("- {point: , circle: 1}", (1, 3)),
        ("- [point]", (1, 3)),
    ] {
        let (line, column, message) = wrong::<Vec<Shape>>(text);
        assert_eq!((line, column), place, "{text}: {message}");
    }
}

#[test]
fn a_value_may_have_its_line() {
    let lines: BTreeMap<String, At<Vec<At<u8>>>> = read("a:\n- 1\n- 2\nb: [3]\n").unwrap();
    assert_eq!(lines["a"].line, 2);
    assert_eq!(lines["a"].value, [At { value: 1, line: 2 }, At { value: 2, line: 3 }]);
    assert_eq!(lines["b"].line, 4);
    assert_eq!(wrong::<Vec<At<u8>>>("- 1\n- x\n").0, 2);
    assert_eq!(serde_json::from_str::<At<u8>>("7").unwrap(), At { value: 7, line: 0 });
}

#[test]
fn aliases_are_copies_and_merged_mappings_give_way() {
    let text = "a: &a [1]\nb: *a\n";
    assert_eq!(read::<Lists>(text), read("a: [1]\nb: [1]\n"));
    let text = "x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: {b: 3, <<: [{a: 1}, *x]}\n";
    let merged: BTreeMap<String, BTreeMap<String, u8>> = read(text).unwrap();
    assert_eq!(merged["y"], BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 3)]));
    assert_eq!(merged["z"], merged["y"]);
    assert_eq!(wrong::<Lists>("a: [1]\nb: {<<: [1]}\n").0, 2);
}

#[test]
fn what_is_ambiguous_or_endless_is_refused() {
    for (text, place, message) in [
        ("a: [1]\nb: [2]\na: [3]\n", (3, 1), "duplicate key `a`"),
        ("a: !!str 1\n", (1, 10), "tags are not read"),
        ("a: [1]\n---\nb: [2]\n", (2, 1), "a second document"),
        ("a: &a [*a]\n", (1, 8), "an alias within its own anchor"),
    ] {
        assert_eq!(wrong::<Lists>(text), (place.0, place.1, message.to_owned()), "{text}");
    }
    let tens = (1..8).map(|level| {
        let of = format!("*a{}, ", level - 1).repeat(10);
        format!("b{level}: &a{level} [{of}]\n")
    });
    let text = format!("a: &a0 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n{}", tens.collect::<String>());
    let (line, _, message) = wrong::<serde_json::Value>(&text);
    assert_eq!((line, message), (6, "more than 1000000 values".to_owned()));
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    assert_eq!(wrong::<serde_json::Value>(&deep).0, 1);
}
