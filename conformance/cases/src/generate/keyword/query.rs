//! Queries of `keyword_search`: a plan of pieces, made concrete once the tree is known.
//!
//! Responsible for: questions and texts of issues, made of words, names, paths and dotted names out
//! of the tree, of everyday words, and of what stands between them. Not here: terms and the other
//! fields of a request ([`super::request`]). Invariants: a query that is made of pieces is neither
//! blank nor too long, and holds no NUL.

use proptest::prelude::*;
use proptest::sample::select;

use crate::generate::agent::source::IDENTIFIERS;

/// A query under construction.
#[derive(Debug, Clone)]
pub(super) enum QueryPlan {
    /// Verbatim.
    Written(String),
    /// Pieces, each with what stands behind it.
    Made(Vec<(Piece, &'static str)>),
}

/// A piece of a query; places are by remainder among all there are.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Verbatim.
    Written(&'static str),
    Word {
        line: usize,
        word: usize,
        style: &'static str,
    },
    /// The end of a path, of so many segments, in some style.
    Path {
        path: usize,
        segments: usize,
        style: &'static str,
    },
    /// Some segments of a path without extension, with something between them, in some style.
    Dotted {
        path: usize,
        skipped: usize,
        between: &'static str,
        style: &'static str,
    },
}

/// The usual query.
const QUERY: &str = "where are users looked up";

/// Other queries.
const QUERIES: &[&str] = &[
    "?",
    "how is token = \"abcdefgh\" read",
    "Ignore all files. \"quoted\" \\ and\nmore lines",
    "\u{65e5}\u{672c}\u{8a9e}",
];

/// Words that are terms only as names.
const EVERYDAY: &[&str] =
    &["the", "Where", "is", "it", "for", "a", "file", "issue", "USE", "thanks", "not", "python3"];

/// Borderline words.
const ODD: &[&str] = &[
    "`",
    "``",
    "```\nfoo\n```",
    "_",
    "__bar__",
    "_Order",
    "x2",
    "12345",
    "user's",
    "ids",
    "services",
    "classes",
    "queries",
    "status",
    "`for`",
    "`users`",
    "...",
    "a..b",
    "user::",
    ".rs",
    "--",
    "\u{c9}t\u{e9}s",
    "\u{212a}elvins",
    "\t",
];

/// How a word stands in a query; `@` stands for it.
const OF_WORDS: &[&str] =
    &["@", "@", "@", "`@`", "@s", "_@", "`x @`", "\"@\"", "@es", "foo_@", "@()"];

/// How a path stands in a query.
const OF_PATHS: &[&str] =
    &["@", "@", "`@`", "@:12", "@.", "./@", "../@", "/work/x/@", "(@)", "@-", "x@", "@/", "@x"];

/// How a dotted name stands in a query.
const OF_DOTTED: &[&str] = &["@", "@", "`@`", "@.new", "@::new()", "crate::@", "@.", ".@", "x@"];

/// Text after a piece.
const BEHIND: &[&str] = &[" ", " ", " ", " ", ", ", "\n", "\n\n", " \n", "\r\n", "; ", "/", ""];

/// Most bytes that a piece takes of a tree.
const PIECE_BYTES: usize = 1_100;

/// Most pieces of a query.
const PIECES: usize = 9;

impl QueryPlan {
    /// The query.
    pub(super) fn concrete(&self, lines: &[String], paths: &[String]) -> String {
        let pieces = match self {
            QueryPlan::Written(text) => return text.clone(),
            QueryPlan::Made(pieces) => pieces,
        };
        let all: String = pieces
            .iter()
            .flat_map(|(piece, behind)| [piece.concrete(lines, paths), (*behind).to_owned()])
            .collect();
        if all.trim().is_empty() { QUERY.to_owned() } else { all }
    }
}

impl Piece {
    fn concrete(&self, lines: &[String], paths: &[String]) -> String {
        let (found, style) = match self {
            Piece::Written(text) => return (*text).to_owned(),
            Piece::Word { line, word, style } => (word_of(at(lines, *line), *word), style),
            Piece::Path { path, segments, style } => (end_of(at(paths, *path), *segments), style),
            Piece::Dotted { path, skipped, between, style } => {
                (dotted(at(paths, *path), *skipped, between), style)
            }
        };
        let end =
            (0..=PIECE_BYTES).rev().find(|end| found.is_char_boundary(*end)).unwrap_or_default();
        let found = found.get(..end).unwrap_or(&found);
        style.replace('@', &found.replace('\0', ""))
    }
}

fn at(texts: &[String], place: usize) -> &str {
    texts.get(place % texts.len().max(1)).map_or("", String::as_str)
}

fn word_of(line: &str, place: usize) -> String {
    let words: Vec<&str> = line
        .split(|one: char| !(one.is_alphanumeric() || one == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    words
        .get(place % words.len().max(1))
        .map_or_else(|| "foo".to_owned(), |word| (*word).to_owned())
}

fn end_of(path: &str, segments: usize) -> String {
    let all: Vec<&str> = path.split('/').collect();
    all.get(all.len().saturating_sub(segments)..).unwrap_or_default().join("/")
}

fn dotted(path: &str, skipped: usize, between: &str) -> String {
    let (directories, base) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    let all: Vec<&str> =
        directories.split('/').chain([stem]).filter(|one| !one.is_empty()).collect();
    all.get(skipped % all.len().max(1)..).unwrap_or_default().join(between)
}

fn piece() -> BoxedStrategy<Piece> {
    let place = any::<usize>;
    let path = (place(), 1_usize..5, select(OF_PATHS));
    let dotted = (place(), place(), select(&[".", ".", "::", "\\", "/"][..]), select(OF_DOTTED));
    prop_oneof![
        5 => (place(), place(), select(OF_WORDS))
            .prop_map(|(line, word, style)| Piece::Word { line, word, style }),
        4 => select(IDENTIFIERS).prop_map(Piece::Written),
        3 => select(EVERYDAY).prop_map(Piece::Written),
        2 => select(ODD).prop_map(Piece::Written),
        3 => path.prop_map(|(path, segments, style)| Piece::Path { path, segments, style }),
        2 => dotted.prop_map(|(path, skipped, between, style)| {
            Piece::Dotted { path, skipped, between, style }
        }),
    ]
    .boxed()
}

fn of(piece: BoxedStrategy<Piece>) -> BoxedStrategy<QueryPlan> {
    let pieces = prop::collection::vec((piece, select(BEHIND)), 1..=PIECES);
    pieces.prop_map(QueryPlan::Made).boxed()
}

pub(super) fn beside_terms() -> BoxedStrategy<QueryPlan> {
    prop_oneof![
        5 => Just(QueryPlan::Written(QUERY.to_owned())),
        2 => select(QUERIES).prop_map(|text| QueryPlan::Written(text.to_owned())),
        5 => of(piece()),
    ]
    .boxed()
}

/// A query that terms are made from, if it has any.
pub(super) fn with_terms() -> BoxedStrategy<QueryPlan> {
    prop_oneof![
        1 => Just(QueryPlan::Written(QUERY.to_owned())),
        1 => select(QUERIES).prop_map(|text| QueryPlan::Written(text.to_owned())),
        1 => of(select(EVERYDAY).prop_map(Piece::Written).boxed()),
        17 => of(piece()),
    ]
    .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_pieces_are_taken_from_the_tree() {
        let lines = ["let user_service = 1;".to_owned()];
        let paths = ["src/net/retry.rs".to_owned()];
        let written = |piece: Piece| piece.concrete(&lines, &paths);
        assert_eq!(written(Piece::Word { line: 7, word: 4, style: "`@`" }), "`user_service`");
        assert_eq!(written(Piece::Path { path: 3, segments: 2, style: "./@" }), "./net/retry.rs");
        assert_eq!(written(Piece::Path { path: 3, segments: 9, style: "@" }), "src/net/retry.rs");
        let dotted = |skipped| Piece::Dotted { path: 0, skipped, between: "::", style: "@.x" };
        assert_eq!(written(dotted(1)), "net::retry.x");
        assert_eq!(written(dotted(3)), "src::net::retry.x");
    }

    #[test]
    fn a_query_plan_without_a_tree_yields_a_valid_query() {
        let word = Piece::Word { line: 0, word: 0, style: "@" };
        let path = Piece::Path { path: 0, segments: 1, style: "@" };
        assert_eq!(
            QueryPlan::Made(vec![(word, ""), (path.clone(), "\n")]).concrete(&[], &[]),
            "foo\n"
        );
        assert_eq!(QueryPlan::Made(vec![(path, " ")]).concrete(&[], &[]), QUERY);
    }
}
