//! Relations between answers of one program, which need no model.
//!
//! Responsible for: which relations an ask can be tried by, what has to be asked for it, and
//! whether it holds, file by file.
//! Not here: choosing one, counting ([`super::run`]).
//! Invariants: a relation holds in every dialect; where an option would change what it says, it is
//! not tried.

use std::collections::BTreeSet;

use regex_syntax::ast::{self, Ast};
use touchstone_cases::case::{Contents, Node, Part, Text};

use super::adapter::arguments::named;
use super::answer::{Answer, FileAnswer};
use super::pack_directory::{PackDirectory, PackError};
use super::question::{Ask, Pack, Question, Show};
use super::searcher::Searcher;
use super::verdict::{NoAnswer, Verdict};

/// Lines that match nothing that is drawn.
const PADDING: &[u8] = b"\x02\n";

/// How many of them are put in front.
const PADDED: u64 = 3;

/// A relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Lines of several alternatives are those of each.
    Union,
    /// `-v` selects the others.
    Complement,
    /// `-m k` is the beginning of `-m k+1`.
    Prefix,
    /// A file alone is answered as among others.
    Alone,
    /// Lines in front that match nothing move numbers and nothing else.
    Padding,
}

/// Why a relation could not be tried.
#[derive(Debug, thiserror::Error)]
pub enum NotTried {
    /// The program did not answer.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// A pack could not be laid.
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// Whether an adapter declares that a program differs here without an exact rule, or nobody says
/// what is right: then a relation need not hold either.
pub fn is_excused(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Declared(what) => what != "dialect",
        Verdict::Unsupported(_) => true,
        _ => false,
    }
}

impl Relation {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Union, Self::Complement, Self::Prefix, Self::Alone, Self::Padding];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Union => "union",
            Self::Complement => "complement",
            Self::Prefix => "prefix",
            Self::Alone => "alone",
            Self::Padding => "padding",
        }
    }

    /// The relation with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|relation| relation.name() == name)
    }

    /// Whether an ask can be tried by it.
    pub fn applies(self, ask: &Ask) -> bool {
        let plain = ask.walk.is_none() && ask.show == Show::Lines;
        let no_context = ask.before == 0 && ask.after == 0;
        match self {
            Self::Union => {
                plain
                    && no_context
                    && !ask.invert
                    && ask.max_count.is_none()
                    && parts(ask).is_some()
            }
            Self::Complement => plain && no_context && ask.max_count.is_none(),
            Self::Prefix => plain && no_context && ask.max_count.is_some(),
            Self::Alone => plain,
            Self::Padding => {
                plain
                    && no_context
                    && !ask.invert
                    && !ask.patterns.iter().any(|pattern| takes_padding(pattern))
            }
        }
    }

    /// The files for which it does not hold.
    ///
    /// # Errors
    /// If the program does not answer one of the asks it takes.
    pub fn broken(
        self,
        searcher: &mut dyn Searcher,
        packs: &mut PackDirectory,
        question: &Question,
    ) -> Result<BTreeSet<Text>, NotTried> {
        let Question { tree, ask } = question;
        // What is not named to the program is not in its answers.
        let named: BTreeSet<Vec<u8>> =
            named(searcher.adapter(), tree).map(<[u8]>::to_vec).collect();
        let kept = tree.tree.iter().filter(|entry| named.contains(&entry.path)).cloned();
        let pack = &Pack { tree: kept.collect() };
        let mut answer = |pack: &Pack, ask: &Ask| -> Result<Answer, NotTried> {
            let written = packs.write(pack)?;
            Ok(searcher.ask(written.placed(), ask)?)
        };
        let whole = answer(pack, ask)?;
        let mut broken = BTreeSet::new();
        let mut note = |path: &[u8], holds: bool| {
            if !holds {
                broken.insert(Text(path.to_vec()));
            }
        };
        match self {
            Self::Union => {
                let mut each = Vec::new();
                for part in parts(ask).unwrap_or_default() {
                    each.push(answer(pack, &part)?);
                }
                for (path, _) in pack.files() {
                    let of_parts: BTreeSet<u64> =
                        each.iter().flat_map(|one| selected(one, path)).collect();
                    note(path, selected(&whole, path) == of_parts);
                }
            }
            Self::Complement => {
                let others = answer(pack, &Ask { invert: !ask.invert, ..ask.clone() })?;
                for (path, bytes) in pack.files() {
                    let (one, other) = (selected(&whole, path), selected(&others, path));
                    let count = if is_wide(&bytes) { None } else { Some(lines(&bytes)) };
                    let all = count.is_none_or(|count| one.len() + other.len() == count);
                    note(path, one.is_disjoint(&other) && all);
                }
            }
            Self::Prefix => {
                let more = answer(
                    pack,
                    &Ask { max_count: ask.max_count.map(|count| count + 1), ..ask.clone() },
                )?;
                for (path, _) in pack.files() {
                    let (one, other) = (selected(&whole, path), selected(&more, path));
                    let begins = other.iter().zip(&one).all(|(other, one)| other == one);
                    note(path, one.len() <= other.len() && other.len() <= one.len() + 1 && begins);
                }
            }
            Self::Alone => {
                for entry in &pack.tree {
                    let alone = answer(&Pack { tree: vec![entry.clone()] }, ask)?;
                    note(&entry.path, of(&whole, &entry.path) == of(&alone, &entry.path));
                }
            }
            Self::Padding => {
                let padded = answer(&with_padding(pack), ask)?;
                for (path, _) in pack.files().filter(|(_, bytes)| !has_mark(bytes)) {
                    let moved: BTreeSet<u64> =
                        selected(&whole, path).iter().map(|number| number + PADDED).collect();
                    note(path, selected(&padded, path) == moved);
                }
            }
        }
        Ok(broken)
    }
}

/// The asks whose lines together are those of this one.
fn parts(ask: &Ask) -> Option<Vec<Ask>> {
    let with = |patterns: Vec<String>| Ask { patterns, ..ask.clone() };
    if ask.patterns.len() > 1 {
        // Smart case depends on all patterns together.
        let smart = ask.case == super::question::Case::Smart;
        return (!smart)
            .then(|| ask.patterns.iter().map(|pattern| with(vec![pattern.clone()])).collect());
    }
    let [pattern] = ask.patterns.as_slice() else { return None };
    if ask.fixed || ask.case == super::question::Case::Smart {
        return None;
    }
    let tree = ast::parse::Parser::new().parse(pattern).ok()?;
    let Ast::Alternation(alternation) = &tree else { return None };
    // Flags would reach from one alternative into the next.
    let has_flags = |part: &Ast| {
        matches!(part, Ast::Flags(_))
            || matches!(part, Ast::Concat(parts) if parts.asts.iter().any(|part| matches!(part, Ast::Flags(_))))
    };
    if alternation.asts.iter().any(has_flags) {
        return None;
    }
    let texts = alternation
        .asts
        .iter()
        .map(|part| pattern.get(part.span().start.offset..part.span().end.offset));
    let texts: Option<Vec<&str>> = texts.collect();
    Some(texts?.into_iter().map(|text| with(vec![text.to_owned()])).collect())
}

/// Whether a pattern could match a line of padding.
fn takes_padding(pattern: &str) -> bool {
    regex_syntax::Parser::new().parse(pattern).is_err()
        || regex_automata::meta::Regex::new(pattern).is_ok_and(|regex| regex.is_match("\x02"))
        || regex_automata::meta::Regex::new(pattern).is_err()
}

fn with_padding(pack: &Pack) -> Pack {
    let tree = pack.tree.iter().cloned().map(|mut entry| {
        if let Node::File { contents, .. } = &mut entry.node {
            let mut parts = vec![Part { bytes: Text(PADDING.to_vec()), times: PADDED }];
            parts.append(&mut contents.parts);
            *contents = Contents { parts };
        }
        entry
    });
    Pack { tree: tree.collect() }
}

fn of<'a>(answer: &'a Answer, path: &[u8]) -> Option<&'a FileAnswer> {
    answer.files.get(&Text(path.to_vec()))
}

fn selected(answer: &Answer, path: &[u8]) -> BTreeSet<u64> {
    let lines = of(answer, path).map(|file| file.lines.as_slice()).unwrap_or_default();
    lines.iter().filter(|line| line.selected).map(|line| line.number).collect()
}

fn lines(bytes: &[u8]) -> usize {
    bytes.split_inclusive(|byte| *byte == b'\n').count()
}

/// Whether a text is in UTF-16, so that its bytes do not tell its lines; or is nothing but a mark.
fn is_wide(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes == b"\xef\xbb\xbf"
}

fn has_mark(bytes: &[u8]) -> bool {
    is_wide(bytes) || bytes.starts_with(b"\xef\xbb\xbf")
}
