use super::*;
use crate::agent::query::terms;
use crate::generated::agent::AGENT;
use crate::place::names;

/// The occurrences of a query's first term.
fn found(query: &str, line: &[u8]) -> Vec<(usize, u64)> {
    let query = terms(query, &AGENT.limits).unwrap();
    let level = |place: &Range<usize>| u64::from(place.start == 3);
    let found = in_line(&query[0], &query, &characters(line), &AGENT, level);
    found.into_iter().map(|one| (one.start, one.units + 100 * one.strength)).collect()
}

#[test]
fn words_weigh_by_whole_part_or_definition() {
    assert_eq!(found("foo", b"foo fooBar Foo_"), [(0, 2), (4, 1), (11, 2)]);
    assert_eq!(found("foo", b"fn foo() fn fooBar()"), [(3, 802), (12, 1)]);
    assert_eq!(found("foo", b"fn FOO() fn fooBar()"), [(3, 202), (12, 1)]);
    assert_eq!(found("bar", b"fn foo_bar()"), [(3, 101)]);
    assert_eq!(found("foo", b"food\xfffoo"), [(5, 2)]);
}

#[test]
fn several_words_together_name_an_identifier() {
    assert_eq!(found("task struct", b"fn task_struct()"), [(3, 3201)]);
    assert_eq!(found("struct task", b"fn TaskStruct()"), [(3, 3201)]);
    assert_eq!(found("task struct x", b"fn task_struct()"), [(3, 3201)]);
    assert_eq!(found("task struct", b"fn task_struct_x()"), [(3, 101)]);
    assert_eq!(found("task \"struct\"", b"fn task_struct()"), [(3, 101)]);
    assert_eq!(found("task_struct x", b"fn xTaskStruct()"), [(3, 3201)]);
}

#[test]
fn literals_do_not_overlap_and_fold_ascii_only() {
    assert_eq!(found("\"a-a\"", b"A-a-a-a"), [(0, 2), (4, 2)]);
    assert_eq!(found("\"\u{e9}\"", "\u{c9}\u{e9}".as_bytes()), [(1, 2)]);
    assert_eq!(found("\"\u{fffd}\"", b"\xff\xef\xbf\xbd"), [(1, 2)]);
}

#[test]
fn a_path_weighs_by_its_nearest_part() {
    let units = |query: &str, path: &str| {
        let query = terms(query, &AGENT.limits).unwrap();
        in_path(&query[0], &query, &names(path.as_bytes()), &AGENT.limits)
    };
    for (query, path, expected) in [
        ("user_service", "a/UserService.rs", 8),
        ("service", "a/UserService.rs", 4),
        ("service user", "a/UserService.rs", 8),
        ("service a", "a/UserService.rs", 4),
        ("rs", "rs/UserService.rs", 4),
        ("a", "a/UserService.rs", 2),
        ("b", "a/UserService.rs", 0),
        ("user", "a/user-service", 4),
        ("bashrc", ".bashrc", 4),
        ("tar", "x.tar.gz", 4),
        ("\"Service.R\"", "a/UserService.rs", 4),
        ("\"a/user\"", "a/UserService.rs", 2),
        ("\"b/user\"", "a/UserService.rs", 0),
    ] {
        assert_eq!(units(query, path), expected, "{query} in {path}");
    }
}
