//! Trees that only `search_files` asks for: many matches on a line, deep directories, NULs beyond
//! any probe.
//!
//! Responsible for: those trees, small like all others. Not here: trees and texts in general
//! ([`super::super::tree`], [`super::super::text`]). Invariants: what comes out is a well-formed
//! tree ([`tree::grow`]).

use proptest::prelude::*;
use proptest::sample::select;

use crate::case::{Contents, Entry, Node};
use crate::generate::text::{self, Flavour, Piece, word};
use crate::generate::tree::{self, grow};

/// Lines on which something stands several times, next to itself, inside itself, or beside what is
/// wider than a byte.
const DENSE: &[&str] = &[
    "foo foo foo",
    "foofoofoo",
    "aaaa",
    "aaaaaaa a",
    "abababa",
    "ooo o oo",
    "\u{e9}foo\u{e9}foo",
    "\u{65e5}foo\u{672c} foo",
    "xfooxfoox",
    "foobar barfoo Foo",
    "\u{1f600}\u{1f600} foo",
    "\u{e9}\u{e9}\u{e9}",
    "foo\tfoo",
    "  foo",
    "x",
    "the quick brown fox",
    "fo foo fooo",
    "k K \u{212a} k",
    "foo\u{301}foo",
    "foo\"foo\\",
    "foo\u{7f}foo\u{85}",
    "foo\u{202e}foo\u{2028}",
];

/// Files whose lines are dense, under plain names.
pub(super) fn dense(most: usize) -> BoxedStrategy<Vec<Entry>> {
    let line = prop_oneof![
        3 => select(DENSE).prop_map(str::to_owned),
        2 => prop::collection::vec(word(), 1..4).prop_map(|words| words.join(" ")),
        1 => Just(String::new()),
    ];
    let end = prop_oneof![6 => Just("\n"), 1 => Just("\r\n")];
    let text = (prop::collection::vec(line, 1..5), end, prop::bool::weighted(0.8)).prop_map(
        |(lines, end, last)| {
            let text = lines.join(end);
            if last { text + end } else { text }
        },
    );
    let place = select(&["a.txt", "b.txt", "a", "a/b", "sub/x.md", "sub/a/c", "a-b", "d/d/d"][..]);
    prop::collection::vec((place, text), 1..=most)
        .prop_map(|files| grow(files.into_iter().map(|(place, text)| Entry::file(place, text))))
        .boxed()
}

/// Lines of many words, of which some are longer than a machine word has bits.
pub(super) fn wordy() -> BoxedStrategy<Vec<Entry>> {
    let line = prop::collection::vec(word(), 18..36).prop_map(|words| words.join(" "));
    let short = prop::collection::vec(word(), 1..4).prop_map(|words| words.join(" "));
    let text = prop::collection::vec(prop_oneof![2 => line, 1 => short], 1..4)
        .prop_map(|lines| lines.join("\n") + "\n");
    prop::collection::vec((select(&["a.txt", "b", "sub/c"][..]), text), 1..3)
        .prop_map(|files| grow(files.into_iter().map(|(place, text)| Entry::file(place, text))))
        .boxed()
}

/// Files that are text at first sight: a NUL or a broken character far behind the beginning; and
/// the other encodings.
pub(super) fn encoded() -> BoxedStrategy<Vec<Entry>> {
    let late: &[&[u8]] = &[b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"foo\xe2\x82\n", b"\0\n"];
    let far = select(&[1_u64, 100, 8_191, 8_192, 9_000, 70_000][..]);
    let text = (far, select(late), any::<bool>()).prop_map(|(far, broken, ends)| -> Vec<Piece> {
        let mut pieces =
            vec![(b"foo\n".to_vec(), 1), (b"xfoo\n".to_vec(), far / 5 + 1), (broken.to_vec(), 1)];
        if ends {
            pieces.push((b"\nfoo\n".to_vec(), 1));
        }
        pieces
    });
    let place = select(&["bin", "a.bin", "sub/b", "0"][..]);
    let binary = (place, text).prop_map(|(place, pieces)| Entry {
        path: place.as_bytes().to_vec(),
        node: Node::File { contents: Contents::of(pieces), readable: true },
    });
    let others =
        tree::tree(tree::Bias { flavour: Flavour::Encoded, entries: 2, ..tree::Bias::PLAIN });
    (prop::option::weighted(0.6, binary), others)
        .prop_map(|(binary, others)| grow(others.into_iter().chain(binary)))
        .boxed()
}

/// Links to files and to directories, inside and out, good and bad, beside what they lead to.
pub(super) fn linked() -> BoxedStrategy<Vec<Entry>> {
    let target = select(
        &[
            "a.txt",
            "../a.txt",
            "sub",
            "../sub",
            ".",
            "missing",
            "../outside/o.txt",
            "l",
            "sub/b.txt",
            "{root}/a.txt",
            "../outside",
        ][..],
    );
    let place = select(&["l", "m", "sub/l", "sub/k", "0"][..]);
    prop::collection::vec((place, target), 1..4)
        .prop_map(|links| {
            let files = [
                Entry::file("a.txt", "foo foo\nbar\n"),
                Entry::file("sub/b.txt", "foo\n"),
                Entry::file("../outside/o.txt", "foo outside\n"),
            ];
            let links = links.into_iter().map(|(place, target)| Entry::link(place, target));
            grow(files.into_iter().chain(links))
        })
        .boxed()
}

/// Directories in directories, with a file here and there, ignored, hidden, closed and empty ones
/// among them.
pub(super) fn nested() -> BoxedStrategy<Vec<Entry>> {
    let component = select(&["a", "b", "d", "sub", ".h", "a-b", "x"][..]);
    let path = |most: usize| {
        prop::collection::vec(component.clone(), 1..=most)
            .prop_map(|components| components.join("/"))
    };
    let name = select(&["f", "a.txt", "z", ".f", "a"][..]);
    let file =
        (path(5), name, text::contents(Flavour::Plain)).prop_map(|(path, name, pieces)| Entry {
            path: format!("{path}/{name}").into_bytes(),
            node: Node::File { contents: Contents::of(pieces), readable: true },
        });
    let entry = prop_oneof![
        8 => file,
        2 => path(4).prop_map(Entry::dir),
        1 => path(3).prop_map(|path| Entry::dir(path).unreadable()),
        1 => path(2).prop_map(|path| Entry::link(format!("{path}/l"), "..")),
        1 => (prop::option::of(path(2)), select(&["a/\n", "/a\n", "b\n", "d/d\n", "*.txt\n"][..])).prop_map(|(path, rule)| {
            Entry::file(path.map_or(".gitignore".to_owned(), |path| format!("{path}/.gitignore")), rule)
        }),
    ];
    // A file that cannot be read at the top is reported below it, too.
    let rules = prop::option::weighted(0.2, Just(Entry::file(".gitignore", "x\n").unreadable()));
    let top = text::contents(Flavour::Plain).prop_map(|pieces| Entry {
        path: b"f".to_vec(),
        node: Node::File { contents: Contents::of(pieces), readable: true },
    });
    (prop::collection::vec(entry, 2..7), prop::option::weighted(0.5, top), rules)
        .prop_map(|(entries, top, rules)| grow(rules.into_iter().chain(entries).chain(top)))
        .boxed()
}
