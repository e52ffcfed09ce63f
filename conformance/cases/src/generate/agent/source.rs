//! Trees of source text: names, identifiers and lines that meet each other in many spellings.
//!
//! Responsible for: which files there are, and what stands in them, in every disguise that a file
//! can wear. Not here: making a well-formed tree out of entries ([`tree::grow`]). Invariants: files
//! are few and short, but for those that are there to be long.

use proptest::prelude::*;
use proptest::sample::select;

use crate::case::{Contents, Entry, Node};
use crate::generate::tree;

/// The kind of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// Short lines of valid UTF-8.
    Plain,
    /// Byte order marks, UTF-16, invalid bytes, NULs, odd line ends.
    Encoded,
    /// With lines that are too long to be shown.
    Long,
    /// With so many lines that an answer does not fit.
    Much,
}

/// One name in every spelling, neighbours of it, and others.
pub(crate) const IDENTIFIERS: &[&str] = &[
    "UserService",
    "UserService",
    "userService",
    "user_service",
    "user_service",
    "USER_SERVICE",
    "userservice",
    "USERSERVICE",
    "IUserService",
    "UserServiceImpl",
    "_user_service_",
    "user__service",
    "UserServices",
    "user",
    "User",
    "user",
    "service",
    "Service",
    "serv",
    "HTTPServer",
    "HTTPServer2",
    "http_server",
    "parseHTTPServer2_old",
    "server2",
    "Server",
    "HTTP",
    "v2",
    "2",
    "x86_64",
    "__init__",
    "___",
    "foo",
    "foo",
    "Foo",
    "fooBar",
    "foo_bar",
    "FOO_BAR",
    "bar",
    "a",
    "order",
    "Order",
    "\u{e9}t\u{e9}Service",
    "\u{c9}t\u{e9}",
    "stra\u{df}e",
    "\u{212a}elvin",
    "na\u{17f}e",
    "\u{663}foo",
    "\u{65e5}\u{672c}\u{8a9e}",
];

/// Text before an identifier.
const BEFORE: &[&str] = &[
    "",
    "",
    "",
    " ",
    "class ",
    "class  ",
    "pub fn ",
    "fn ",
    "def ",
    "struct ",
    "  struct\t",
    "let ",
    "const ",
    "type ",
    "enum ",
    "trait ",
    "subclass ",
    "Class ",
    "int ",
    "void *",
    "static int ",
    "func (s *S) ",
    "func ",
    "return ",
    "x = ",
    "a.",
    "// ",
    "use a::",
    "module ",
    "val ",
    "union ",
    "\u{e9} ",
    "impl ",
    "std::string A::",
    "#define ",
    "# ",
    "} ",
    "    ",
    "    def ",
    "\tint ",
    "export const ",
    "  async ",
    "local function ",
    "data A = ",
    "public static int ",
    "DEFINE_MUTEX(",
    "interface\u{a0}",
    "\t",
    "record-",
];

/// Text after it.
const BEHIND: &[&str] = &[
    "",
    "",
    "",
    ";",
    " {",
    "(",
    "()",
    "() {",
    "();",
    "(x) ; ",
    " = 1",
    ": u8",
    "<T>",
    "< ",
    ".x",
    ",",
    " x",
    " (",
    "  ",
    "!",
    "-bar",
    " foo",
    "\u{301}",
    "(a);b",
    ") {",
    " :: Int",
    " = function() {",
    "(x)\n{",
    "(x,\n  y)\n;",
    "\n{",
    "\n  {",
    ":",
    " do",
    "(\r\n) {",
];

/// Paths of files.
pub(super) const PLACES: &[&str] = &[
    "src/UserService.rs",
    "src/user_service.rs",
    "src/userservice.cs",
    "src/user-service.rs",
    "src/Order.cs",
    "lib/order.py",
    "lib/user/service.py",
    "lib/HTTPServer2.h",
    "user/readme.md",
    "README.md",
    "a.tar.gz",
    "gz",
    "foo",
    "foo.foo",
    "service.d/a.rs",
    ".user.rs",
    ".hidden/service.rs",
    "src/a-b.rs",
    "src/a/b.rs",
    "src/\u{e9}t\u{e9}.rs",
    "test/foo_test.rs",
    "test/Foo.test.rs",
    "b.RS",
    "Makefile",
    "src/foo.c",
    "src/foo.c",
    "src/user.h",
    "src/user.h",
    "lib/order.py",
    "lib/foo.py",
    "web/order.js",
    "web/user.ts",
    "app/User.java",
    "app/User.java",
    "pkg/foo.go",
    "examples/foo.go",
    "Foo.hs",
    "foo.lua",
    "foo.sh",
];

/// A tree of such files.
pub(crate) fn tree(text: Text) -> BoxedStrategy<Vec<Entry>> {
    let most = if text == Text::Much { 4 } else { 6 };
    // Files that hold the same have the same score, unless their names say more.
    (prop::collection::vec((select(PLACES), contents(text)), 1..=most), prop::bool::weighted(0.2))
        .prop_map(|(mut files, alike)| {
            if let (true, Some((_, first))) = (alike, files.first().cloned()) {
                for (_, contents) in &mut files {
                    contents.clone_from(&first);
                }
            }
            tree::grow(files.into_iter().map(|(place, contents)| Entry {
                path: place.into(),
                node: Node::File { contents, readable: true },
            }))
        })
        .boxed()
}

fn line() -> BoxedStrategy<String> {
    let one = (select(BEFORE), select(IDENTIFIERS), select(BEHIND))
        .prop_map(|(before, identifier, behind)| format!("{before}{identifier}{behind}"));
    let two = (
        select(BEFORE),
        select(IDENTIFIERS),
        select(&[" ", "-", ".", "::", "("][..]),
        select(IDENTIFIERS),
    )
        .prop_map(|(before, one, between, other)| format!("{before}{one}{between}{other}"));
    prop_oneof![4 => one, 3 => two, 1 => Just(String::new()), 1 => Just("}".to_owned())].boxed()
}

fn contents(text: Text) -> BoxedStrategy<Contents> {
    let lines = prop::collection::vec(line(), 0..6);
    match text {
        Text::Plain => (lines, prop::bool::weighted(0.8))
            .prop_map(|(lines, ends)| {
                Contents::plain(lines.join("\n") + if ends { "\n" } else { "" })
            })
            .boxed(),
        Text::Encoded => (lines, 0_u8..10)
            .prop_map(|(lines, how)| Contents::plain(disguised(&lines, how)))
            .boxed(),
        Text::Long => (prop::collection::vec(long_line(), 1..4), lines)
            .prop_map(|(long, short)| {
                let mut pieces: Vec<(Vec<u8>, u64)> = Vec::new();
                for (index, line) in long.into_iter().enumerate() {
                    pieces.extend(line);
                    pieces.push((b"\n".to_vec(), 1));
                    pieces
                        .extend(short.get(index).map(|line| (format!("{line}\n").into_bytes(), 1)));
                }
                Contents::of(pieces)
            })
            .boxed(),
        Text::Much => (prop::collection::vec(line(), 1..4), 1_u64..40)
            .prop_map(|(lines, times)| {
                Contents::of([((lines.join("\n") + "\n").into_bytes(), times)])
            })
            .boxed(),
    }
}

/// The same lines, as other bytes.
fn disguised(lines: &[String], how: u8) -> Vec<u8> {
    let text = lines.join("\n") + "\n";
    let utf16 = |mark: u16, swapped: bool| -> Vec<u8> {
        let units = std::iter::once(mark).chain(text.encode_utf16());
        units
            .flat_map(|unit| if swapped { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    match how {
        0 => lines.join("\r\n").into_bytes(),
        1 => (lines.join("\r\n") + "\r\n").into_bytes(),
        2 => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        3 => utf16(0xfeff, false),
        4 => utf16(0xfeff, true),
        5 => [text.as_bytes(), b"\xff", text.as_bytes()].concat(),
        6 => [text.as_bytes(), b"foo\xc3\nfoo\xe2\x82bar\n\xffuser_service"].concat(),
        7 => [text.as_bytes(), b"\0"].concat(),
        8 => [text.as_bytes(), &b"x".repeat(8_200), b"\0\nuser service foo\n"].concat(),
        _ => (lines.join("\r") + "\rfoo\r").into_bytes(),
    }
}

/// A line longer than is shown, with something in it at an interesting place.
fn long_line() -> BoxedStrategy<Vec<(Vec<u8>, u64)>> {
    let filler = select(&["x ", "x", "\u{65e5}", "\u{e9} ", "- ", "\u{1f600}"][..]);
    let bytes = select(
        &[0_usize, 90, 290, 296, 299, 300, 301, 302, 304, 310, 396, 400, 401, 420, 700, 5_000][..],
    );
    let behind = select(&[0_usize, 1, 90, 100, 300, 396, 400, 401, 600][..]);
    (filler.clone(), bytes, select(IDENTIFIERS), filler, behind)
        .prop_map(|(before, bytes, identifier, after, behind)| {
            let times =
                |filler: &str, bytes: usize| u64::try_from(bytes / filler.len()).unwrap_or(0);
            vec![
                (before.into(), times(before, bytes)),
                (format!(" {identifier} ").into_bytes(), 1),
                (after.into(), times(after, behind)),
            ]
        })
        .boxed()
}
