//! Patterns, as trees that can be written and that can say what they match.

use regex_syntax::escape;
use touchstone_cases::dice::Dice;

use super::swarm::Swarm;

/// Longest repetition in what a pattern says it matches.
const MOST_SAMPLED: u32 = 4;

const FLAGS: &[&str] = &["i", "i", "-i", "s", "U"];
const STARTS: &[&str] = &["^", "^", r"\A"];
const ENDS: &[&str] = &["$", "$", r"\z"];
const BOUNDARIES: &[&str] = &[r"\b", r"\b", r"\B", r"\b{start}", r"\b{end}"];

/// A pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Literal(String),
    Any,
    /// Members, and whether the others are meant.
    Class(Vec<(char, char)>, bool),
    /// One of `wWdDsS`.
    Perl(char),
    /// A property, and whether the others are meant.
    Property(&'static str, bool),
    Concat(Vec<Piece>),
    Alternation(Vec<Piece>),
    Repeat {
        of: Box<Piece>,
        min: u32,
        max: Option<u32>,
        lazy: bool,
    },
    /// An anchor or a boundary.
    Look(&'static str),
    Flags(&'static str, Box<Piece>),
    /// Flags from here on, to the end of the group.
    SetFlags(&'static str),
    Empty,
}

/// Which places a piece can stand in without brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Alternative,
    Sequence,
    Operand,
}

impl Piece {
    /// In the syntax of Rust's `regex`.
    pub(super) fn write(&self) -> String {
        self.at(Place::Alternative)
    }

    fn at(&self, place: Place) -> String {
        let (needs, text) = match self {
            Self::Literal(text) => {
                let single = text.chars().count() == 1;
                (if single { Place::Operand } else { Place::Sequence }, escape(text))
            }
            Self::Any => (Place::Operand, ".".to_owned()),
            Self::Class(members, negated) => (Place::Operand, class(members, *negated)),
            Self::Perl(letter) => (Place::Operand, format!("\\{letter}")),
            Self::Property(name, negated) => {
                (Place::Operand, format!("\\{}{{{name}}}", if *negated { 'P' } else { 'p' }))
            }
            Self::Concat(parts) => {
                (Place::Sequence, parts.iter().map(|part| part.at(Place::Sequence)).collect())
            }
            Self::Alternation(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| part.at(Place::Sequence)).collect();
                (Place::Alternative, parts.join("|"))
            }
            Self::Repeat { of, min, max, lazy } => {
                let operator = match (min, max) {
                    (0, None) => "*".to_owned(),
                    (1, None) => "+".to_owned(),
                    (0, Some(1)) => "?".to_owned(),
                    (min, None) => format!("{{{min},}}"),
                    (min, Some(max)) if min == max => format!("{{{min}}}"),
                    (min, Some(max)) => format!("{{{min},{max}}}"),
                };
                let lazy = if *lazy { "?" } else { "" };
                (Place::Sequence, format!("{}{operator}{lazy}", of.at(Place::Operand)))
            }
            Self::Look(look) => (Place::Sequence, (*look).to_owned()),
            Self::Flags(flags, inner) => {
                (Place::Operand, format!("(?{flags}:{})", inner.at(Place::Alternative)))
            }
            Self::SetFlags(flags) => (Place::Sequence, format!("(?{flags})")),
            Self::Empty => (Place::Sequence, String::new()),
        };
        if needs < place { format!("({text})") } else { text }
    }

    /// A text that it matches, or nearly.
    pub(super) fn sample(&self, dice: &mut Dice, swarm: &Swarm) -> String {
        match self {
            Self::Literal(text) => text.clone(),
            Self::Any | Self::Class(_, true) => swarm.letter(dice).to_string(),
            Self::Class(members, false) => {
                let (start, end) = dice.pick(members, ('a', 'a'));
                if dice.once_in(2) { start.to_string() } else { end.to_string() }
            }
            Self::Perl(letter) => {
                let choices: &[char] = match letter {
                    'w' => &['a', '_', '0', 'é'],
                    'd' => &['0', '7', '9'],
                    's' => &[' ', '\t'],
                    _ => &['-', 'a', ' ', '1'],
                };
                dice.pick(choices, 'a').to_string()
            }
            Self::Property(name, _) => match *name {
                "Lu" => "A".to_owned(),
                "Greek" => "σ".to_owned(),
                _ => swarm.letter(dice).to_string(),
            },
            Self::Concat(parts) => parts.iter().map(|part| part.sample(dice, swarm)).collect(),
            Self::Alternation(parts) => parts
                .get(dice.below(parts.len()))
                .map_or_else(String::new, |part| part.sample(dice, swarm)),
            Self::Repeat { of, min, max, .. } => {
                let most = max.unwrap_or(MOST_SAMPLED).min(*min + MOST_SAMPLED);
                let span = usize::try_from(most.saturating_sub(*min)).unwrap_or(0) + 1;
                let count = *min as usize + dice.below(span);
                (0..count).map(|_| of.sample(dice, swarm)).collect()
            }
            Self::Flags(_, inner) => inner.sample(dice, swarm),
            Self::Look(_) | Self::SetFlags(_) | Self::Empty => String::new(),
        }
    }
}

fn class(members: &[(char, char)], negated: bool) -> String {
    let one = |letter: char| {
        if matches!(letter, '[' | ']' | '\\' | '^' | '-' | '&' | '~') {
            format!("\\{letter}")
        } else {
            letter.to_string()
        }
    };
    let members: String = members
        .iter()
        .map(
            |(start, end)| {
                if start == end { one(*start) } else { format!("{}-{}", one(*start), one(*end)) }
            },
        )
        .collect();
    format!("[{}{members}]", if negated { "^" } else { "" })
}

impl Swarm {
    /// A pattern of what the batch turns on.
    pub(super) fn pattern(&self, dice: &mut Dice) -> Piece {
        let mut inner =
            if self.brief { self.brief_piece(dice) } else { self.piece(dice, self.depth) };
        if self.flags && dice.once_in(3) {
            let set = Piece::SetFlags(dice.pick(FLAGS, "i"));
            inner = Piece::Concat(vec![set, inner]);
        }
        if self.anchor && dice.once_in(3) {
            let mut parts = vec![inner];
            if dice.once_in(2) {
                parts.insert(0, Piece::Look(dice.pick(STARTS, "^")));
            }
            if parts.len() == 1 || dice.once_in(2) {
                parts.push(Piece::Look(dice.pick(ENDS, "$")));
            }
            return Piece::Concat(parts);
        }
        inner
    }

    /// One to three atoms, some repeated; or two alternatives of such.
    fn brief_piece(&self, dice: &mut Dice) -> Piece {
        let atoms = |dice: &mut Dice| {
            let part = |dice: &mut Dice| {
                if self.repetition && dice.once_in(2) {
                    self.repeat(dice, 2)
                } else {
                    self.atom(dice)
                }
            };
            Piece::Concat((0..=dice.below(3)).map(|_| part(dice)).collect())
        };
        let first = atoms(dice);
        if self.alternation && dice.once_in(3) {
            return Piece::Alternation(vec![first, atoms(dice)]);
        }
        first
    }

    fn piece(&self, dice: &mut Dice, depth: usize) -> Piece {
        if depth == 0 {
            return self.atom(dice);
        }
        match dice.below(8) {
            0 | 1 if self.alternation => self.shared_alternatives(dice),
            2 if self.alternation => Piece::Alternation(
                (0..2 + dice.below(2)).map(|_| self.piece(dice, depth - 1)).collect(),
            ),
            3 if self.repetition => self.repeat(dice, depth),
            4 if self.flags => {
                let flags = dice.pick(FLAGS, "i");
                Piece::Flags(flags, Box::new(self.piece(dice, depth - 1)))
            }
            _ => Piece::Concat((0..=dice.below(3)).map(|_| self.piece(dice, depth - 1)).collect()),
        }
    }

    /// Alternatives that share their letters: a text and what becomes of it.
    fn shared_alternatives(&self, dice: &mut Dice) -> Piece {
        let base = self.text(dice);
        let letters: Vec<char> = base.chars().collect();
        let others = (0..=dice.below(3)).map(|_| {
            let at = dice.below(letters.len());
            let (before, after) = letters.split_at(at);
            let text = |letters: &[char]| Piece::Literal(letters.iter().collect());
            match dice.below(7) {
                0 => Piece::Literal(format!("{base}{}", self.text(dice))),
                1 => text(before),
                2 => text(after),
                3 => Piece::Concat(vec![text(before), Piece::Any, text(after)]),
                4 => Piece::Concat(vec![
                    text(before),
                    self.atom(dice),
                    text(after.get(1..).unwrap_or(&[])),
                ]),
                5 => Piece::Literal(self.text(dice)),
                _ => Piece::Concat(vec![text(before), self.repeat(dice, 1), text(after)]),
            }
        });
        let others: Vec<Piece> = others.collect();
        let mut parts = vec![Piece::Literal(base)];
        for other in others {
            let at = dice.below(parts.len() + 1);
            parts.insert(at, other);
        }
        // An alternative that is nothing makes everything match.
        if !self.empty {
            parts.retain(|part| *part != Piece::Literal(String::new()));
        }
        Piece::Alternation(parts)
    }

    fn repeat(&self, dice: &mut Dice, depth: usize) -> Piece {
        let of = Box::new(match dice.below(4) {
            0 => self.piece(dice, depth.saturating_sub(1)),
            1 => self.set(dice),
            _ => self.atom(dice),
        });
        let few = u32::try_from(dice.below(4)).unwrap_or(0);
        let (min, max) = match dice.below(if self.bounded { 7 } else { 4 }) {
            0 => (0, None),
            1 | 2 => (1, None),
            3 => (0, Some(1)),
            4 => (few, Some(few + 1 + u32::from(dice.once_in(2)))),
            5 => (few, None),
            _ => (few, Some(few)),
        };
        Piece::Repeat { of, min, max, lazy: self.lazy && dice.once_in(2) }
    }

    fn atom(&self, dice: &mut Dice) -> Piece {
        match dice.below(12) {
            0..=2 => self.set(dice),
            3 if self.boundary => Piece::Look(dice.pick(BOUNDARIES, r"\b")),
            4 if self.anchor => {
                let ends = if dice.once_in(2) { STARTS } else { ENDS };
                Piece::Look(dice.pick(ends, "^"))
            }
            5 if self.empty => Piece::Empty,
            _ => Piece::Literal(self.text(dice)),
        }
    }

    /// One character of several.
    fn set(&self, dice: &mut Dice) -> Piece {
        let negated = self.negated && dice.once_in(2);
        match dice.below(6) {
            0 | 1 if self.class => {
                let members = (0..=dice.below(2)).map(|_| self.range(dice)).collect();
                Piece::Class(members, negated)
            }
            2 | 3 if self.class => Piece::Any,
            4 if self.perl => {
                let positive = dice.pick(&['w', 'd', 's'], 'w');
                Piece::Perl(if negated { positive.to_ascii_uppercase() } else { positive })
            }
            5 if self.property => Piece::Property(dice.pick(&["L", "Lu", "Greek"], "L"), negated),
            _ if self.negated => Piece::Class(vec![self.range(dice)], true),
            _ => Piece::Literal(self.letter(dice).to_string()),
        }
    }

    fn range(&self, dice: &mut Dice) -> (char, char) {
        let (one, other) = (self.letter(dice), self.letter(dice));
        if dice.once_in(2) { (one, one) } else { (one.min(other), one.max(other)) }
    }
}
