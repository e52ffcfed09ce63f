use super::*;
use crate::text;

/// The level of the first place of `name` in a text.
fn level(path: &str, text: &str, name: &str) -> u64 {
    let at = text.find(name).unwrap();
    let line = text::line_at(text.as_bytes(), at).unwrap();
    let shown = std::str::from_utf8(line.visible(text.as_bytes())).unwrap();
    Definer::new(path.as_bytes(), text.as_bytes()).level(
        line,
        shown,
        at - line.start,
        at - line.start + name.len(),
    )
}

#[test]
fn every_expression_compiles() {
    for family in FAMILIES {
        let compiled: Vec<Compiled> = family.shapes.iter().filter_map(Compiled::new).collect();
        assert_eq!(compiled.len(), family.shapes.len(), "{:?}", family.endings);
        for Compiled { shape, after, unless, inside, .. } in compiled {
            assert_eq!(after.is_some(), !shape.after.is_empty(), "{}", shape.after);
            assert_eq!(unless.is_some(), !shape.unless.is_empty(), "{}", shape.unless);
            assert_eq!(inside.is_some(), !shape.inside.is_empty(), "{}", shape.inside);
        }
    }
}

#[test]
fn definitions_of_c_are_told_from_declarations_and_uses() {
    assert_eq!(level("a.h", "struct task_struct {\n", "task_struct"), 3);
    assert_eq!(level("a.h", "struct task_struct;\n", "task_struct"), 0);
    assert_eq!(level("a.c", "static int f(struct task_struct *a)\n", "task_struct"), 0);
    assert_eq!(level("a.c", "int kick(int a,\n\tint b)\n{\n", "kick"), 3);
    assert_eq!(level("a.h", "int kick(int a,\n\tint b);\nstruct x {", "kick"), 0);
    assert_eq!(level("a.h", "struct s {\n\tint member;\n", "member"), 2);
    assert_eq!(level("a.c", "int f(struct s *s)\n{\n\tint local;\n", "local"), 0);
    assert_eq!(level("a.c", " * struct task_struct {\n", "task_struct"), 0);
    assert_eq!(level("a.txt", "struct task_struct {\n", "task_struct"), 0);
}

#[test]
fn what_a_module_offers_counts_more_than_a_member() {
    assert_eq!(level("a.py", "def go(a):\n", "go"), 3);
    assert_eq!(level("a.py", "class A:\n    def g(self):\n", "g"), 2);
    assert_eq!(level("a.py", "class A:\n    h = 1\n", "h"), 1);
    assert_eq!(level("a.py", "def go():\n    h = 1\n", "h"), 0);
    assert_eq!(level("a.rs", "pub(crate) fn go() {\n", "go"), 3);
    assert_eq!(level("Makefile", "all: b\n", "all"), 3);
}
