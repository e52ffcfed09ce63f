//! How large a question is.
//!
//! Invariants: an order without ties that matter: what shrinking takes is smaller, never merely
//! different.

use touchstone_cases::case::{Contents, Entry, Node};

use crate::question::{Ask, Case, Question, Show};

/// How large a question is; the first number that differs decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Entries of the tree.
    pub entries: usize,
    /// Entries that are no readable file or directory.
    pub oddities: usize,
    /// Bytes of contents and link targets.
    pub bytes: u64,
    /// Options, and patterns beside the first.
    pub options: usize,
    /// Bytes of patterns and globs.
    pub pattern: usize,
    /// Files without a line feed at their end; last among what is seen, first among what is a
    /// matter of taste.
    pub unended: usize,
    /// Bytes of names.
    pub names: usize,
    /// Bytes that the written case holds for contents, repetitions counted once.
    pub written: usize,
    /// Sum of the numbers in options and patterns.
    pub numbers: u64,
    /// How far the characters are from `a`.
    pub strangeness: u64,
}

impl Measure {
    /// Measures a question.
    pub fn of(question: &Question) -> Self {
        let tree = &question.tree.tree;
        let ask = &question.ask;
        let files: Vec<&Contents> = tree.iter().filter_map(contents).collect();
        let globs = ask.walk.iter().flat_map(|walk| walk.globs.iter());
        let texts: Vec<&str> = ask.patterns.iter().chain(globs).map(String::as_str).collect();
        Self {
            entries: tree.len(),
            oddities: tree.iter().filter(|entry| odd(entry)).count(),
            bytes: tree.iter().fold(0, |sum, entry| {
                sum.saturating_add(entry.bytes()).saturating_sub(entry.path.len() as u64)
            }),
            options: options(ask),
            pattern: texts.iter().map(|text| text.len()).sum(),
            unended: files.iter().filter(|contents| unended(contents)).count(),
            names: tree.iter().map(|entry| entry.path.len()).sum(),
            written: files
                .iter()
                .flat_map(|file| &file.parts)
                .map(|part| part.bytes.0.len() + usize::from(part.times > 1) + 1)
                .sum(),
            numbers: numbers(ask),
            strangeness: tree
                .iter()
                .map(|entry| strangeness(&entry.path))
                .chain(texts.iter().map(|text| strangeness(text.as_bytes())))
                .chain(
                    files
                        .iter()
                        .flat_map(|file| &file.parts)
                        .map(|part| strangeness(&part.bytes.0)),
                )
                .fold(0, u64::saturating_add),
        }
    }
}

fn contents(entry: &Entry) -> Option<&Contents> {
    match &entry.node {
        Node::File { contents, .. } => Some(contents),
        _ => None,
    }
}

fn odd(entry: &Entry) -> bool {
    match &entry.node {
        Node::File { readable, .. } | Node::Dir { readable } => !readable,
        Node::Link { .. } | Node::Fifo => true,
    }
}

fn unended(contents: &Contents) -> bool {
    let last = contents.parts.iter().rev().find(|part| part.times > 0 && !part.bytes.0.is_empty());
    last.is_some_and(|part| part.bytes.0.last() != Some(&b'\n'))
}

/// How many options are set, and patterns beside the first.
pub fn options(ask: &Ask) -> usize {
    let walk = ask.walk.as_ref().map_or(0, |walk| {
        let switches = [walk.hidden, walk.no_ignore, walk.follow, walk.sort];
        let limits = [walk.max_filesize, walk.max_depth];
        1 + count(&switches) + limits.iter().flatten().count() + walk.globs.len() + walk.roots.len()
    });
    // Smart is more than insensitive, which is more than nothing.
    let case = match ask.case {
        Case::Sensitive => 0,
        Case::Insensitive => 1,
        Case::Smart => 2,
    };
    count(&[ask.fixed, ask.word, ask.line, ask.invert, ask.crlf])
        + usize::from(ask.max_count.is_some())
        + usize::from(ask.mmap.is_some())
        + usize::from(ask.before > 0)
        + usize::from(ask.after > 0)
        + usize::from(ask.show != Show::Lines)
        + ask.patterns.len().saturating_sub(1)
        + case
        + walk
}

fn count(switches: &[bool]) -> usize {
    switches.iter().filter(|on| **on).count()
}

fn numbers(ask: &Ask) -> u64 {
    let limits = ask.walk.iter().flat_map(|walk| [walk.max_filesize, walk.max_depth]).flatten();
    let counts = ask.patterns.iter().filter(|_| !ask.fixed).map(|text| counted(text));
    [ask.before, ask.after]
        .into_iter()
        .chain(ask.max_count)
        .chain(limits)
        .chain(counts)
        .fold(0, u64::saturating_add)
}

/// The sum of the numbers written in a pattern.
fn counted(pattern: &str) -> u64 {
    let digits = pattern.split(|character: char| !character.is_ascii_digit());
    digits.filter_map(|number| number.parse::<u64>().ok()).fold(0, u64::saturating_add)
}

/// How far the characters are from `a`, added up.
fn strangeness(bytes: &[u8]) -> u64 {
    let mut sum = 0_u64;
    for chunk in bytes.utf8_chunks() {
        sum += chunk.valid().chars().map(strange).sum::<u64>();
        sum += 300 * chunk.invalid().len() as u64;
    }
    sum
}

fn strange(character: char) -> u64 {
    match character {
        'a'..='z' => u64::from(character) - u64::from('a'),
        'A'..='Z' => 30 + u64::from(character) - u64::from('A'),
        '0'..='9' => 60 + u64::from(character) - u64::from('0'),
        ' ' => 70,
        '\n' => 71,
        '_' => 72,
        '!'..='~' => 80,
        '\0'..='\x7f' => 90,
        '\u{80}'..='\u{ff}' => 100,
        '\u{100}'..='\u{ffff}' => 200,
        _ => 250,
    }
}
