use super::*;
use crate::generated::agent::AGENT;
use crate::place::names;

/// The level of the text between the guillemets.
fn level(path: &str, text: &str) -> u64 {
    let (before, rest) = text.split_once('‹').unwrap();
    let (name, after) = rest.split_once('›').unwrap();
    let start = before.rsplit('\n').next().unwrap().chars().count();
    let text = format!("{before}{name}{after}");
    let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    let definer = Definer::new(&AGENT.definitions, &names(path.as_bytes()), &lines);
    definer.level(before.matches('\n').count(), &(start..start + name.chars().count()))
}

#[test]
fn every_definition_expression_compiles() {
    for family in AGENT.definitions.families {
        let compiled = family.shapes.iter().filter_map(Compiled::new).count();
        assert_eq!(compiled, family.shapes.len(), "{:?}", family.endings);
    }
}

#[test]
fn a_shape_is_matched_by_the_text_around_the_name() {
    for (path, text, expected) in [
        ("a.h", "struct ‹a› {", 3),
        ("a.h", "struct ‹a›;", 0),
        ("a.h", "// struct ‹a› {", 0),
        ("a.txt", "struct ‹a› {", 0),
        ("a.c", "int ‹a›(int b,\n  int c)\n{", 3),
        ("a.c", "int ‹a›(int b,\n  int c);\n{", 0),
        ("a.c", "struct s\n{\n  int ‹a›;", 2),
        ("a.c", "int f(struct s *s)\n{\n  int ‹a›;", 0),
        ("a.c", "struct s\n{\n// b\n  int ‹a›;", 2),
        ("a.c", "struct s\n{\n\n#if b\n  int ‹a›;", 2),
        ("a.rs", "pub(crate) struct S<B>\nwhere\n    B: Sized,\n{\n    ‹a›: B,", 2),
        ("a.rs", "impl B for ‹a› {", 1),
        ("a.js", "f() {\n  ‹a›(b, function () {", 0),
        ("a.cs", "public static ‹a›<A, B> Get<A>(B b)", 0),
        ("a.kt", "fun <E> B<E>.‹a›() = 1", 3),
        ("a.zig", "const ‹a› = @import(\"a.zig\").a;", 1),
        ("a.py", "def ‹a›(b):", 3),
        ("a.py", "class B:\n\n    def ‹a›(b):", 2),
        ("A/Makefile", "‹a›: b", 3),
    ] {
        assert_eq!(level(path, text), expected, "{path}: {text}");
    }
}

#[test]
fn secondary_places_weigh_less_unless_the_query_names_them() {
    let hundredths = |path: &str, query: &str| {
        let terms = crate::agent::query::terms(query, &AGENT.limits).unwrap();
        hundredths(&AGENT.definitions, &names(path.as_bytes()), &terms)
    };
    assert_eq!(hundredths("src/a.rs", "a"), 100);
    assert_eq!(hundredths("src/a_test.rs", "a"), 50);
    assert_eq!(hundredths("src/tests/a.rs", "a"), 50);
    assert_eq!(hundredths("src/tests/a.rs", "test a"), 100);
    assert_eq!(hundredths("examples/tests/a.rs", "a"), 50);
    assert_eq!(hundredths("third_party/a.rs", "a"), 60);
    assert_eq!(hundredths("a.md", "a"), 60);
    assert_eq!(hundredths("a.D.ts", "a"), 60);
    assert_eq!(hundredths("ad.ts", "a"), 100);
    assert_eq!(hundredths("latest.rs", "a"), 100);
}

#[test]
fn a_tab_advances_to_the_next_multiple_of_eight_columns() {
    for (line, expected) in
        [("", 0), ("  x", 2), ("\tx", 8), ("  \tx", 8), ("\t x", 9), ("         \tx", 16)]
    {
        assert_eq!(columns(line.as_bytes()), expected, "{line:?}");
    }
}

#[test]
fn a_line_of_more_bytes_than_are_looked_at_defines_nothing() {
    let most = usize::try_from(AGENT.definitions.line_bytes).unwrap();
    let of_bytes = |bytes: usize| format!("{}struct ‹a› {{", " ".repeat(bytes - 10));
    assert_eq!(level("a.h", &of_bytes(most),), 3);
    assert_eq!(level("a.h", &of_bytes(most + 1)), 0);
}
