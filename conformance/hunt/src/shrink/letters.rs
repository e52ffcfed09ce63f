//! Letters that patterns and contents share: fewer, plainer, the same ones on both sides.
//!
//! Invariants: what is changed in a pattern is changed in every file as well.

use std::ops::Range;

use regex_syntax::ast::{self, Ast, ClassSetItem, parse::Parser};
use touchstone_cases::case::Node;

use crate::question::Question;

use super::Search;
use super::pattern::{pattern, set};

/// Most characters of a word that are left out one by one.
const WORD: usize = 64;

/// Largest contents in which letters are looked for, in bytes.
const LARGEST: usize = 1 << 20;

impl<P: FnMut(&Question) -> bool> Search<P> {
    /// Words of patterns made shorter here and in the files; alone, and wherever else a pattern has
    /// them.
    pub(super) fn words(&mut self) {
        for index in 0..self.best.ask.patterns.len() {
            let mut at = 0;
            loop {
                let words = words(&self.best, index);
                let Some((range, word)) = words.into_iter().nth(at).filter(|_| !self.spent())
                else {
                    break;
                };
                let smaller = lesser(&word);
                let taken = smaller.into_iter().any(|new| {
                    self.change(|question| {
                        respell(question, index, &range, &new);
                        contents(question, |bytes| swapped(bytes, &word, &new));
                    }) || self.change(|question| {
                        everywhere(question, &word, &new);
                        contents(question, |bytes| swapped(bytes, &word, &new));
                    })
                });
                if !taken {
                    at += 1;
                }
            }
        }
    }

    /// Letters become the first ones of the alphabet: all at once, then one by one; capitals small
    /// ones.
    pub(super) fn letters(&mut self) {
        let used = used(&self.best);
        let fresh: Vec<Pair> = used.iter().copied().zip('a'..='z').flat_map(both_cases).collect();
        self.change(|question| renamed(question, &fresh));
        for letter in used {
            self.change(|question| renamed(question, &[(capital(letter), letter)]));
            for plain in ('a'..='d').filter(|plain| *plain != letter) {
                if self.change(|question| renamed(question, &both_cases((letter, plain)))) {
                    self.change(|question| renamed(question, &[(capital(plain), plain)]));
                    break;
                }
            }
        }
    }
}

/// A letter and what stands for it.
type Pair = (char, char);

/// A pair of small letters, and that of their capitals.
fn both_cases((from, to): Pair) -> [Pair; 2] {
    [(from, to), (capital(from), capital(to))]
}

/// Fewer characters of a word: one, a half, all but one.
fn lesser(word: &[char]) -> Vec<Vec<char>> {
    if word.len() < 2 {
        return Vec::new();
    }
    let (front, back) = word.split_at(word.len() / 2);
    let ends = word.first().into_iter().chain(word.last()).map(|end| vec![*end]);
    let mut all: Vec<Vec<char>> = ends.chain([front.to_vec(), back.to_vec()]).collect();
    all.extend((0..word.len().min(WORD)).map(|at| {
        let rest = word.iter().enumerate().filter(|(index, _)| *index != at);
        rest.map(|(_, character)| *character).collect()
    }));
    all
}

/// Puts a word in the place of another.
fn respell(question: &mut Question, index: usize, range: &Range<usize>, new: &[char]) {
    let mut text = pattern(question, index);
    let spelt: String = new.iter().map(|character| spell(question.ask.fixed, *character)).collect();
    if range.end <= text.len() {
        text.replace_range(range.clone(), &spelt);
    }
    set(question, index, text);
}

/// Each `old` in the words of all patterns becomes `new`.
fn everywhere(question: &mut Question, old: &[char], new: &[char]) {
    for index in 0..question.ask.patterns.len() {
        for (range, word) in words(question, index).into_iter().rev() {
            let text: String = word.iter().collect();
            let text = String::from_utf8_lossy(&swapped(text.as_bytes(), old, new)).into_owned();
            if text.chars().ne(word.iter().copied()) {
                respell(question, index, &range, &text.chars().collect::<Vec<_>>());
            }
        }
    }
}

/// A character as it stands in a pattern.
fn spell(fixed: bool, character: char) -> String {
    if fixed { character.to_string() } else { regex_syntax::escape(&character.to_string()) }
}

/// Runs of literals in a pattern: where, and what they say.
fn words(question: &Question, index: usize) -> Vec<(Range<usize>, Vec<char>)> {
    let text = pattern(question, index);
    if question.ask.fixed {
        return vec![(0..text.len(), text.chars().collect())];
    }
    let mut words: Vec<(Range<usize>, Vec<char>)> = Vec::new();
    for (range, character, in_class) in literals(&text) {
        match words.last_mut().filter(|(before, _)| before.end == range.start && !in_class) {
            Some((before, word)) => {
                before.end = range.end;
                word.push(character);
            }
            None if !in_class => words.push((range, vec![character])),
            None => {}
        }
    }
    words
}

/// The literals of a pattern in order: where, which, and whether in a class.
fn literals(text: &str) -> Vec<(Range<usize>, char, bool)> {
    struct Literals(Vec<(Range<usize>, char, bool)>);
    impl Literals {
        fn literal(&mut self, literal: &ast::Literal, in_class: bool) {
            let range = literal.span.start.offset..literal.span.end.offset;
            self.0.push((range, literal.c, in_class));
        }
    }
    impl ast::Visitor for Literals {
        type Output = Vec<(Range<usize>, char, bool)>;
        type Err = ();
        fn finish(self) -> Result<Self::Output, ()> {
            Ok(self.0)
        }
        fn visit_pre(&mut self, ast: &Ast) -> Result<(), ()> {
            if let Ast::Literal(literal) = ast {
                self.literal(literal, false);
            }
            Ok(())
        }
        fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), ()> {
            match item {
                ClassSetItem::Literal(literal) => self.literal(literal, true),
                ClassSetItem::Range(range) if range.start.c == range.end.c => {
                    self.literal(&range.start, true);
                    self.literal(&range.end, true);
                }
                _ => {}
            }
            Ok(())
        }
    }
    let Ok(ast) = Parser::new().parse(text) else { return Vec::new() };
    ast::visit(&ast, Literals(Vec::new())).unwrap_or_default()
}

/// Small letters in use in patterns and files, those of the patterns first; a capital counts as its
/// small letter.
fn used(question: &Question) -> Vec<char> {
    let mut used: Vec<char> = Vec::new();
    let mut meet = |character: char| {
        let small = small(character);
        if character.is_alphabetic() && !used.contains(&small) && used.len() < 26 {
            used.push(small);
        }
    };
    for index in 0..question.ask.patterns.len() {
        words(question, index).into_iter().flat_map(|(_, word)| word).for_each(&mut meet);
        if !question.ask.fixed {
            for (_, character, _) in literals(&pattern(question, index)) {
                meet(character);
            }
        }
    }
    for entry in &question.tree.tree {
        if let Node::File { contents, .. } = &entry.node {
            for part in contents.parts.iter().filter(|part| part.bytes.0.len() <= LARGEST) {
                part.bytes
                    .0
                    .utf8_chunks()
                    .flat_map(|chunk| chunk.valid().chars())
                    .for_each(&mut meet);
            }
        }
    }
    used
}

fn small(character: char) -> char {
    let mut small = character.to_lowercase();
    small.next().filter(|_| small.next().is_none()).unwrap_or(character)
}

fn capital(character: char) -> char {
    let mut capital = character.to_uppercase();
    capital.next().filter(|_| capital.next().is_none()).unwrap_or(character)
}

/// What stands for a character.
fn mapped(character: char, map: &[Pair]) -> char {
    map.iter().find(|(from, _)| *from == character).map_or(character, |(_, to)| *to)
}

/// Letters renamed in patterns and files.
fn renamed(question: &mut Question, map: &[Pair]) {
    for index in 0..question.ask.patterns.len() {
        let mut text = pattern(question, index);
        if question.ask.fixed {
            text = text.chars().map(|character| mapped(character, map)).collect();
        } else {
            for (range, character, _) in literals(&text).into_iter().rev() {
                let new = mapped(character, map);
                if new != character && range.end <= text.len() {
                    text.replace_range(range, &new.to_string());
                }
            }
        }
        set(question, index, text);
    }
    contents(question, |bytes| {
        let mut new = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            let valid: String =
                chunk.valid().chars().map(|character| mapped(character, map)).collect();
            new.extend_from_slice(valid.as_bytes());
            new.extend_from_slice(chunk.invalid());
        }
        new
    });
}

/// Changes the bytes of every file that is not itself a rule for files.
fn contents(question: &mut Question, change: impl Fn(&[u8]) -> Vec<u8>) {
    for entry in &mut question.tree.tree {
        let rules = entry.path.ends_with(b"ignore");
        if let Node::File { contents, .. } = &mut entry.node
            && !rules
        {
            for part in contents.parts.iter_mut().filter(|part| part.bytes.0.len() <= LARGEST) {
                part.bytes.0 = change(&part.bytes.0);
            }
        }
    }
}

/// Each `old` in the bytes, in whatever case, becomes `new`.
fn swapped(bytes: &[u8], old: &[char], new: &[char]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let characters: Vec<char> = chunk.valid().chars().collect();
        let mut rest = characters.as_slice();
        while let Some((first, behind)) = rest.split_first() {
            let here = rest.get(..old.len()).filter(|here| {
                !old.is_empty() && here.iter().zip(old).all(|(a, b)| small(*a) == small(*b))
            });
            if let Some(here) = here {
                let kept: String = kept(here, old, new);
                result.extend_from_slice(kept.as_bytes());
                rest = rest.get(old.len()..).unwrap_or_default();
            } else {
                result.extend_from_slice(first.to_string().as_bytes());
                rest = behind;
            }
        }
        result.extend_from_slice(chunk.invalid());
    }
    result
}

/// Of `here`, which is `old` in some case, the characters that `new` has of `old`, in order.
fn kept(here: &[char], old: &[char], new: &[char]) -> String {
    let mut wanted = new.iter().peekable();
    let pairs = here.iter().zip(old);
    pairs
        .filter(|(_, old)| wanted.next_if(|new| new == old).is_some())
        .map(|(here, _)| *here)
        .collect()
}
