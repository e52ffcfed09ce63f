//! Fewer options, lower numbers.

use crate::question::{Case, Question, Show, Walk};

use super::Search;

/// One change to a question.
type Change = fn(&mut Question);

/// Each makes one option absent or plainer. Those on walking do nothing in a listed question.
const PLAINER: &[Change] = &[
    |question| question.ask.walk = None,
    |question| question.ask.show = Show::Lines,
    |question| question.ask.mmap = None,
    |question| question.ask.crlf = false,
    |question| question.ask.invert = false,
    |question| question.ask.word = false,
    |question| question.ask.line = false,
    |question| question.ask.case = Case::Sensitive,
    |question| question.ask.case = Case::Insensitive,
    |question| question.ask.max_count = None,
    |question| question.ask.before = 0,
    |question| question.ask.after = 0,
    |question| question.ask.fixed = false,
    |question| {
        question.ask.fixed = false;
        question.ask.patterns =
            question.ask.patterns.iter().map(|text| regex_syntax::escape(text)).collect();
    },
    |question| walk(question, |walk| walk.hidden = false),
    |question| walk(question, |walk| walk.no_ignore = false),
    |question| walk(question, |walk| walk.roots.clear()),
    |question| walk(question, |walk| walk.follow = false),
    |question| walk(question, |walk| walk.sort = false),
    |question| walk(question, |walk| walk.max_filesize = None),
    |question| walk(question, |walk| walk.max_depth = None),
];

fn walk(question: &mut Question, change: impl FnOnce(&mut Walk)) {
    if let Some(walk) = &mut question.ask.walk {
        change(walk);
    }
}

impl<P: FnMut(&Question) -> bool> Search<P> {
    /// Options left out: all but what is shown at once, then one by one.
    pub(super) fn options(&mut self) {
        self.change(|question| {
            for plainer in PLAINER {
                plainer(question);
            }
        });
        for plainer in PLAINER {
            self.change(plainer);
        }
        self.thin(
            64,
            |question| question.ask.walk.iter().flat_map(|walk| walk.globs.clone()).collect(),
            |question, globs| walk(question, |walk| walk.globs = globs),
        );
        self.thin(
            64,
            |question| question.ask.walk.iter().flat_map(|walk| walk.roots.clone()).collect(),
            // None would be another walk.
            |question, roots: Vec<String>| {
                walk(question, |walk| {
                    if !roots.is_empty() {
                        walk.roots = roots;
                    }
                });
            },
        );
    }

    /// Globs with fewer characters.
    pub(super) fn globs(&mut self) {
        let globs =
            |question: &Question| question.ask.walk.as_ref().map_or(0, |walk| walk.globs.len());
        for index in 0..globs(&self.best) {
            self.thin(
                64,
                |question| {
                    let walk = question.ask.walk.as_ref();
                    walk.and_then(|walk| walk.globs.get(index))
                        .map(|glob| glob.chars().collect())
                        .unwrap_or_default()
                },
                |question, characters: Vec<char>| {
                    walk(question, |walk| {
                        if let Some(glob) = walk.globs.get_mut(index) {
                            *glob = characters.into_iter().collect();
                        }
                    });
                },
            );
        }
    }

    /// Numbers of options lowered. Nought context is no context.
    pub(super) fn numbers(&mut self) {
        self.lower(
            |question| question.ask.max_count,
            |question, number| question.ask.max_count = Some(number),
        );
        self.lower(
            |question| Some(question.ask.before),
            |question, number| question.ask.before = number,
        );
        self.lower(
            |question| Some(question.ask.after),
            |question, number| question.ask.after = number,
        );
        self.lower(
            |question| question.ask.walk.as_ref()?.max_filesize,
            |question, number| walk(question, |walk| walk.max_filesize = Some(number)),
        );
        self.lower(
            |question| question.ask.walk.as_ref()?.max_depth,
            |question, number| walk(question, |walk| walk.max_depth = Some(number)),
        );
    }
}
