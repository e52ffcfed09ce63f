//! Trees of one to a few entries, with the names, links and rule files that walkers disagree about.
//!
//! Responsible for: which entries stand where, and making a well-formed tree out of entries drawn
//! at random. Not here: contents ([`super::text`]), rules ([`super::glob`]). Invariants: what comes
//! out passes [`crate::case::Case::validate`] as far as the tree goes; entries keep the order in
//! which they were drawn, for the order of creation must not matter.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;

use super::glob;
use super::text::{self, Flavour};
use crate::case::{Contents, Entry, Node};

/// The bias of a tree; chosen per theme of the case.
#[derive(Debug, Clone, Copy)]
pub struct Bias {
    /// Contents of its files.
    pub flavour: Flavour,
    /// Most entries that are drawn.
    pub entries: usize,
    /// Weight of names with a trap in them, against 10 for plain ones.
    pub odd_names: u32,
    /// Weight of ignore files and `.git`, against 20 for plain files.
    pub rules: u32,
    /// Weight of links, against 20 for plain files.
    pub links: u32,
    /// Weight of what cannot be opened, against 20 for plain files.
    pub faults: u32,
}

impl Bias {
    /// Mostly plain files.
    pub const PLAIN: Self =
        Self { flavour: Flavour::Plain, entries: 4, odd_names: 1, rules: 1, links: 1, faults: 0 };
}

/// Names for files and directories alike, so that `a`, `a-b`, `a.b` and `a/b` meet often.
const NAMES: &[&str] = &["a.txt", "a.txt", "b.txt", "a", "b", "a-b", "a.b", "x.md", "sub", "d"];

/// Directories on the way to a file.
const DIRECTORIES: &[&str] = &["a", "a", "b", "d", "sub", "sub", "a.d"];

/// Names that sorting, globbing, decoding or option parsing could get wrong.
const ODD: &[&[u8]] = &[
    "\u{e9}.txt".as_bytes(),
    "e\u{301}.txt".as_bytes(),
    "\u{e9}".as_bytes(),
    "e\u{301}".as_bytes(),
    b"\xff.txt",
    b"\xff",
    b"\xfe.txt",
    b"a\xc3.txt",
    "\u{fffd}.txt".as_bytes(),
    b"new\nline.txt",
    b"-dash",
    b"--",
    b"-e",
    b"[a].txt",
    b"*",
    b"{a,b}.txt",
    b".hidden",
    b".hid.txt",
    b"a b.txt",
    b" a",
    b"a ",
    b"a\\b.txt",
    b"!bang",
    b"#hash",
    b"A.txt",
    b"A",
    b"a0",
    b"a!",
    "\u{212b}".as_bytes(),
    "\u{c5}".as_bytes(),
    b".env",
    b"a\tb",
    b"a:1:2:b",
    b"foo",
    b"?",
    b"]a",
    b"c\xcc\x81",
    "\u{1f600}".as_bytes(),
    "\u{ffff}x".as_bytes(),
    b"~",
    b"a.txt~",
    b"\x1b[31m",
    b"'q'",
    b"...",
    b"..a",
];

const ODD_DIRECTORIES: &[&[u8]] = &[
    b".hid",
    "\u{e9}".as_bytes(),
    "e\u{301}".as_bytes(),
    b"\xff",
    b"[d]",
    b"-d",
    b"new\nline",
    b"a ",
    b"a!",
    b"A",
    b".github",
    b"a\\b",
    b"a-",
    b"a.",
    b"*",
    b"...",
];

/// Targets of links; whether they lead anywhere depends on where the link stands.
const TARGETS: &[&str] = &[
    "a.txt",
    "a.txt",
    "b.txt",
    "a",
    "a",
    "b",
    "sub",
    "d",
    ".",
    "..",
    "../a",
    "../a.txt",
    "../b.txt",
    "../sub",
    "../..",
    "{root}",
    "{root}/a",
    "{root}/a.txt",
    "{root}/sub",
    "./a.txt",
    "a/",
    "a/../b.txt",
    "sub/../a.txt",
    "l",
    "l2",
    "l/l",
    "missing",
    "missing/x",
    "a.txt/x",
    "../outside",
    "../outside/o.txt",
    "../../outside/o.txt",
    "../outside/back",
    "/nonexistent/x",
    "{root}/../outside/o.txt",
    ".hidden",
    ".env",
    "{root}/missing",
    "a//b",
];

const LINKS: &[&str] = &["l", "l", "l2", "a", "b", "sub", "a.txt", "l.txt", ".l", "z", "0"];

pub fn tree(bias: Bias) -> BoxedStrategy<Vec<Entry>> {
    let drawn = prop::collection::vec(entry(bias), 1..=bias.entries);
    let outside = prop_oneof![
        2 => Just(Vec::new()),
        3 => Just(vec![Entry::file("../outside/o.txt", "foo outside\n"), Entry::link("../outside/back", "{root}/a")]),
    ];
    let outside = if bias.links > 2 { outside.boxed() } else { Just(Vec::new()).boxed() };
    let file = plain_file(bias);
    let ordinary = (file, drawn, outside).prop_map(|(file, drawn, outside)| {
        // The file goes last, so that it yields to whatever else was drawn for its place.
        grow(drawn.into_iter().chain(outside).chain([file]))
    });
    if bias.links > 2 {
        prop_oneof![30 => ordinary, 1 => chain()].boxed()
    } else {
        ordinary.boxed()
    }
}

fn entry(bias: Bias) -> impl Strategy<Value = Entry> {
    // A weight of nothing would be refused, so the kinds that are not wanted are merely next to
    // impossible.
    let weight = |weight: u32| weight * 50 + 1;
    prop_oneof![
        weight(20) => plain_file(bias),
        weight(bias.rules) => rule_file(),
        weight(bias.rules) / 2 + 1 => repository(),
        weight(bias.links) => link(),
        weight(bias.faults) => fault(bias),
        weight(bias.links + bias.faults) / 8 + 1 => path(bias.odd_names).prop_map(Entry::fifo),
        weight(1) => path(bias.odd_names).prop_map(Entry::dir),
    ]
}

fn plain_file(bias: Bias) -> BoxedStrategy<Entry> {
    (path(bias.odd_names), text::contents(bias.flavour))
        .prop_map(|(path, pieces)| file(path, pieces))
        .boxed()
}

fn file(path: Vec<u8>, pieces: Vec<text::Piece>) -> Entry {
    Entry { path, node: Node::File { contents: Contents::of(pieces), readable: true } }
}

fn name(odd: u32) -> BoxedStrategy<Vec<u8>> {
    let plain = select(NAMES).prop_map(|name| name.as_bytes().to_vec());
    if odd == 0 {
        return plain.boxed();
    }
    prop_oneof![10 => plain, odd => select(ODD).prop_map(<[u8]>::to_vec)].boxed()
}

fn directory(odd: u32) -> BoxedStrategy<Vec<u8>> {
    let plain = select(DIRECTORIES).prop_map(|name| name.as_bytes().to_vec());
    if odd == 0 {
        return plain.boxed();
    }
    prop_oneof![20 => plain, odd => select(ODD_DIRECTORIES).prop_map(<[u8]>::to_vec)].boxed()
}

/// A path of a few components; most files lie at the top or one level down.
fn path(odd: u32) -> BoxedStrategy<Vec<u8>> {
    let above = prop_oneof![
        10 => Just(Vec::new()),
        8 => prop::collection::vec(directory(odd), 1),
        3 => prop::collection::vec(directory(odd), 2),
        1 => prop::collection::vec(directory(odd), 3),
    ];
    (above, name(odd))
        .prop_map(|(mut components, name)| {
            components.push(name);
            components.join(&b'/')
        })
        .boxed()
}

/// Where rules apply from: the root most often.
fn rule_home() -> impl Strategy<Value = &'static str> {
    select(&["", "", "", "", "a/", "sub/", "sub/", "d/", "sub/a/"][..])
}

fn rule_file() -> impl Strategy<Value = Entry> {
    let name = select(
        &[".gitignore", ".gitignore", ".gitignore", ".ignore", ".ignore", ".git/info/exclude"][..],
    );
    let readable = (rule_home(), name, glob::ignore_file())
        .prop_map(|(home, name, rules)| Entry::file(format!("{home}{name}"), rules));
    let odd =
        (rule_home(), select(&[".gitignore", ".ignore"][..])).prop_flat_map(|(home, name)| {
            let path = format!("{home}{name}");
            prop_oneof![
                Just(Entry::link(path.clone(), "a.txt")),
                Just(Entry::dir(path.clone())),
                Just(Entry::fifo(path.clone())),
                // One byte more than is read (docs/search.md, section 3.2), and exactly as much.
                Just(file(
                    path.clone().into_bytes(),
                    vec![(b"*.txt\n".to_vec(), 1), (b"#".to_vec(), (1 << 20) - 5)]
                )),
                Just(file(
                    path.into_bytes(),
                    vec![(b"*.txt\n".to_vec(), 1), (b"#".to_vec(), (1 << 20) - 6)]
                )),
            ]
        });
    prop_oneof![25 => readable, 1 => odd]
}

/// What makes a directory the top of a repository: a `.git` of any kind.
fn repository() -> impl Strategy<Value = Entry> {
    (rule_home(), 0_usize..4).prop_map(|(home, kind)| match kind {
        0 | 1 => Entry::dir(format!("{home}.git")),
        2 => Entry::file(format!("{home}.git"), "gitdir: ../elsewhere\n"),
        _ => Entry::file(format!("{home}.git/HEAD"), "ref: refs/heads/foo\n"),
    })
}

fn link() -> impl Strategy<Value = Entry> {
    (select(&["", "", "", "a/", "sub/", "d/", "sub/a/"][..]), select(LINKS), select(TARGETS))
        .prop_map(|(home, name, target)| Entry::link(format!("{home}{name}"), target))
}

fn fault(bias: Bias) -> impl Strategy<Value = Entry> {
    let place = select(&["a", "b", "sub", "d", "a/b", "sub/a", "d/d"][..]);
    let rules = (rule_home(), select(&[".gitignore", ".ignore"][..]), glob::ignore_file())
        .prop_map(|(home, name, rules)| Entry::file(format!("{home}{name}"), rules).unreadable());
    prop_oneof![
        3 => plain_file(bias).prop_map(Entry::unreadable),
        3 => place.prop_map(|path| Entry::dir(path).unreadable()),
        1 => rules,
    ]
}

/// A chain of links around the number that is followed (E-B20).
fn chain() -> impl Strategy<Value = Vec<Entry>> {
    (38_usize..=42).prop_map(|length| {
        let mut entries = vec![Entry::file("a.txt", "foo\n")];
        for step in 0..length {
            let target = if step == 0 { "a.txt".to_owned() } else { format!("c{:02}", step - 1) };
            entries.push(Entry::link(format!("c{step:02}"), target));
        }
        entries
    })
}

/// A well-formed tree out of entries drawn at random: one that stands in the way of an earlier one
/// is left out.
pub fn grow(drawn: impl IntoIterator<Item = Entry>) -> Vec<Entry> {
    let mut places: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
    let mut tree = Vec::new();
    for entry in drawn {
        let is_directory = matches!(entry.node, Node::Dir { .. });
        let below = [entry.path.as_slice(), b"/"].concat();
        let taken = places.contains_key(&entry.path);
        let has_children = places.keys().any(|path| path.starts_with(&below));
        let in_the_way =
            above(&entry.path).any(|parent| places.get(parent).is_some_and(|directory| !directory));
        if taken || in_the_way || (has_children && !is_directory) {
            continue;
        }
        places.insert(entry.path.clone(), is_directory);
        tree.push(entry);
    }
    tree
}

/// The directories above a path, nearest the root first.
pub fn above(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter().enumerate().filter(|(_, byte)| **byte == b'/').filter_map(|(at, _)| path.get(..at))
}
