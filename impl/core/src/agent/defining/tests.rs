use proptest::prelude::*;

use super::*;
use crate::{identifier::identifiers, text};

/// Of each family the shapes, with an expression for each instead of one automaton for all.
static APART: [OnceLock<Shapes>; FAMILIES.len()] = [const { OnceLock::new() }; FAMILIES.len()];

fn apart<'t>(path: &str, text: &'t str) -> Definer<'t> {
    let definer = Definer::new(path.as_bytes(), text.as_bytes());
    let family = definer.family.map(|(family, _)| {
        let at = FAMILIES.iter().position(|other| other.endings == family.endings).unwrap();
        (family, APART[at].get_or_init(|| Shapes { before: None, ..Shapes::new(family) }))
    });
    Definer { family, ..definer }
}

fn levels(definer: &Definer<'_>, line: Span, text: &str, places: &[(usize, usize)]) -> Vec<u8> {
    let shown = std::str::from_utf8(line.visible(text.as_bytes())).unwrap();
    let mut levels = Vec::new();
    definer.levels(line, shown, places.iter().copied(), |_, level| levels.push(level));
    levels
}

/// The level of the first occurrence of `name` in a text.
fn level(path: &str, text: &str, name: &str) -> u8 {
    let at = text.find(name).unwrap();
    let line = text::line_at(text.as_bytes(), at).unwrap();
    let place = (at - line.start, at - line.start + name.len());
    let both = [Definer::new(path.as_bytes(), text.as_bytes()), apart(path, text)];
    let [one, other] = both.map(|definer| levels(&definer, line, text, &[place]));
    assert_eq!(one, other, "{path}: {text}");
    one[0]
}

proptest! {
    #[test]
    fn identifiers_in_a_row_have_the_levels_that_they_have_alone(
        ending in prop::sample::select(ENDINGS.to_vec()),
        lines in prop::collection::vec(prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..8), 1..9),
    ) {
        let lines: Vec<String> = lines.iter().map(|words| words.concat()).collect();
        let text = lines.join("\n");
        let path = format!("a.{ending}");
        // One keeps what encloses the lines before.
        let whole = Definer::new(path.as_bytes(), text.as_bytes());
        let mut next = text::line_at(text.as_bytes(), 0);
        while let Some(line) = next {
            let shown = text.get(line.start..line.end).unwrap();
            let names = identifiers(shown).map(|name| name.as_ptr().addr() - shown.as_ptr().addr());
            let ends = identifiers(shown).map(str::len);
            let places: Vec<(usize, usize)> = names.zip(ends).map(|(at, length)| (at, at + length)).collect();
            let in_a_row = levels(&whole, line, &text, &places);
            prop_assert_eq!(in_a_row.len(), places.len());
            for (place, level) in places.into_iter().zip(in_a_row) {
                let alone = Definer::new(path.as_bytes(), text.as_bytes());
                prop_assert_eq!(&levels(&alone, line, &text, &[place]), &[level], "{}", text);
                prop_assert_eq!(&levels(&apart(&path, &text), line, &text, &[place]), &[level], "{}", text);
            }
            next = text::line_after(text.as_bytes(), line);
        }
    }
}

proptest! {
    #[test]
    fn what_encloses_a_line_is_the_same_whatever_was_asked_before(
        lines in prop::collection::vec(
            (0_usize..4, prop::sample::select(CODE.to_vec()), any::<bool>()),
            1..20,
        ),
        far in prop::sample::select(vec![0, 0, ENCLOSING_LINES - 3]),
    ) {
        let shown = |(columns, code, _): &(usize, &str, bool)| " ".repeat(*columns) + code;
        let texts: Vec<String> = lines.iter().map(shown).collect();
        let above = format!("a\n{}", " b\n".repeat(far));
        let text = format!("{above}{}", texts.join("\n"));
        let (family, _) = Definer::new(b"a.c", b"").family.unwrap();
        let whole = Definer::new(b"a.c", text.as_bytes());
        let mut start = above.len();
        for (shown, (_, _, is_asked)) in texts.iter().zip(&lines) {
            if *is_asked {
                let alone = Definer::new(b"a.c", text.as_bytes());
                let columns = indentation(shown.as_bytes());
                let [alone, own] = [&alone, &whole].map(|one| one.enclosing(family, start, columns));
                prop_assert_eq!(own, alone, "{:?} at {}", text, start);
            }
            start += shown.len() + 1;
        }
    }
}

const CODE: [&str; 6] = ["a", "b", "{", "", "# c", "// d"];
const ENDINGS: [&str; 12] =
    ["c", "rs", "py", "js", "java", "cs", "kt", "scala", "go", "rb", "hs", "zig"];
const WORDS: [&str; 23] = [
    "struct ", "zap", " ", "(", ") {", ";", "def ", "class ", "fn ", "pub ", "const ", " = ",
    "    ", "#define ", "int ", "ä", ": ", ", ", "static ", "data ", "{", "\t", "enum ",
];

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
fn c_definitions_are_distinguished_from_declarations_and_uses() {
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
fn a_module_level_definition_ranks_above_a_member() {
    assert_eq!(level("a.py", "def go(a):\n", "go"), 3);
    assert_eq!(level("a.py", "class A:\n    def g(self):\n", "g"), 2);
    assert_eq!(level("a.py", "class A:\n    h = 1\n", "h"), 2);
    assert_eq!(level("a.py", "def go():\n    h = 1\n", "h"), 0);
    assert_eq!(level("a.rs", "pub(crate) fn go() {\n", "go"), 3);
    assert_eq!(level("Makefile", "all: b\n", "all"), 3);
}

/// Each name is `zap`, at its first occurrence.
#[test]
fn definition_levels_distinguish_members_imports_and_uses() {
    for (path, text, expected) in [
        ("a.h", "struct s\n{\n/* of the first kind */\n   int zap;\n", 2),
        ("a.h", "struct s {\n\n   int zap;\n", 2),
        ("a.h", "struct s {\n#if A\n   int zap;\n", 2),
        ("a.h", "enum e { a, zap };\n", 2),
        ("a.cc", "template <typename T, int zap = 3,\n", 0),
        ("a.rs", "pub(crate) struct S {\n    zap: u8,\n", 2),
        ("a.rs", "struct S<T>\nwhere\n    T: Sized,\n{\n    zap: u8,\n", 2),
        ("a.rs", "impl Clone for zap {\n", 1),
        ("a.py", "class A:\n    zap: int\n", 2),
        ("a.py", "class A:\n    \"\"\"\n    zap: what it is called\n", 0),
        ("a.py", "try:\n    zap = 1\n", 2),
        ("a.py", "    self.zap = 1\n", 1),
        ("a.js", "class A {\n  zap(b) {\n", 2),
        ("a.js", "f() {\n  zap(b, function () {\n", 0),
        ("a.js", "const zap = require('zap')\n", 0),
        ("a.js", "const zap = 1\n", 3),
        ("a.js", "const zap = a.zap;\n", 1),
        ("a.java", "class A {\n    private final B zap = 1;\n", 3),
        ("a.java", "void f() {\n    final B zap = 1;\n", 1),
        ("a.cs", "public static zap<A, B> Get<A>(B b)\n", 0),
        ("a.cs", "public static A zap<A, B>(B b)\n", 3),
        ("a.kt", "fun <E> zap<E>.first() = 1\n", 0),
        ("a.kt", "fun <E> B<E>.zap() = 1\n", 3),
        ("a.scala", "    case zap(a) => a\n", 0),
        ("a.scala", "trait A {\n  private[this] val zap: B = b\n", 3),
        ("a.swift", "enum A {\n    case b, zap\n", 2),
        ("a.go", "\ttests := []struct {\n\t\ta, zap string\n", 2),
        ("a.go", "func f(a interface{}) {\n\tzap(a)\n", 0),
        ("a.rb", "def zap?\n", 2),
        ("a.php", "function f(private readonly A $zap) {\n", 2),
        ("a.lua", "function M.zap(a)\n", 3),
        ("a.lua", "local zap = require(\"zap\")\n", 0),
        ("a.hs", "data A = A { zap :: Int }\n", 2),
        ("a.ex", "  def zap!(a), do: a\n", 2),
        ("a.sh", "a-b::zap() {\n", 3),
        ("a.sql", "CREATE TABLE a (b int, zap int);\n", 2),
        ("a.zig", "const zap = @import(\"a.zig\").zap;\n", 1),
        ("a.zig", "pub const zap = struct {\n", 3),
        ("a.proto", "extend zap {\n", 0),
        ("Makefile", "zap += b\n", 1),
    ] {
        assert_eq!(level(path, text, "zap"), expected, "{path}: {text}");
    }
}
