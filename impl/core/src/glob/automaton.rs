//! A glob with braces as an automaton with one state per character. A match takes at most (length
//! of the glob) × (length of the path) steps, however many expansions there are.
//!
//! Each expansion is parsed on its own, so the meaning of a character depends on the choices before
//! it: whether a `./` is dropped, whether stars stand alone between slashes. [`Context`] records
//! this per state. Whether an expansion is anchored is known only at its end, so both readings are
//! tried. The wrong one adds no match: an unanchored expansion has one component, and is matched
//! against whole paths in vain.

use std::cell::RefCell;

use super::{Dialect, GlobError, Subject, Unit, class, first_unit};
use crate::cancellation::Cancellation;

/// An operation. Execution continues with the next one unless stated otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Unit(Unit),
    /// A literal `.`, which may start a `./`.
    Dot,
    One,
    Star,
    /// A class, by the offset of its text.
    Class(u32),
    Slash,
    /// Matches nothing, since names have no slash.
    EscapedSlash,
    /// Continue with the next operation or with this one.
    Split(u32),
    /// Continue with this operation.
    Jump(u32),
}

/// A compiled glob.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    text: Box<[u8]>,
    ops: Box<[Op]>,
    /// Whether an expansion may end before each operation, and after the last.
    may_end: Box<[bool]>,
    /// Whether an expansion may be anchored.
    slashes: bool,
    /// The first operation.
    start: u32,
}

/// What precedes a state in its expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Context {
    /// Part of a name.
    Name,
    /// Nothing.
    Start,
    /// The `.` of a leading `./`.
    Dot,
    /// A leading `./`.
    Stripped,
    /// A slash.
    Fresh,
    /// One star that must become a `**`.
    OneStar,
    /// Two stars or more since the last slash: any number of names.
    DoubleStar,
}

const CONTEXTS: usize = 7;

impl Automaton {
    pub(super) fn new(text: &[u8], ops: Vec<Op>) -> Result<Self, GlobError> {
        let mut may_end = vec![true; ops.len() + 1];
        for (at, op) in ops.iter().enumerate().rev() {
            let ends = |at: usize| may_end.get(at).copied().unwrap_or(false);
            let ends = match *op {
                Op::Jump(to) => ends(to as usize),
                Op::Split(to) => ends(at + 1) || ends(to as usize),
                // The trailing slash is removed, which leaves its backslash dangling.
                Op::EscapedSlash if ends(at + 1) => return Err(GlobError::DanglingEscape),
                _ => false,
            };
            if let Some(place) = may_end.get_mut(at) {
                *place = ends;
            }
        }
        let mut glob = Self {
            text: text.into(),
            ops: ops.into(),
            may_end: may_end.into(),
            slashes: text.contains(&b'/'),
            start: 0,
        };
        glob.drop_double_star();
        Ok(glob)
    }

    /// Removes a leading `**/` before a glob without slash: the meaning is the same, and base names
    /// are shorter.
    fn drop_double_star(&mut self) {
        let stars = self.text.iter().take_while(|&&byte| byte == b'*').count();
        let rest = self.text.get(stars..).and_then(|rest| rest.strip_prefix(b"/"));
        let behind = u32::try_from(stars + 1).unwrap_or(0);
        if stars > 1 && rest.is_some_and(|rest| !rest.contains(&b'/')) && !self.ends(behind) {
            (self.slashes, self.start) = (false, behind);
        }
    }

    /// Whether a component may begin with a literal dot.
    pub(super) fn has_dotted_name(&self) -> bool {
        // Operations reached, within a name or at its beginning.
        let mut reached = vec![[false; 2]; self.ops.len() + 1];
        let mut open = vec![(0, true)];
        while let Some((at, begins)) = open.pop() {
            let Some(seen) = reached.get_mut(at).and_then(|of| of.get_mut(usize::from(begins)))
            else {
                continue;
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            match self.ops.get(at) {
                Some(Op::Dot) if begins && !matches!(self.ops.get(at + 1), Some(Op::Slash)) => {
                    return true;
                }
                Some(Op::Unit(unit)) if begins && *unit == Unit::from(b'.') => return true,
                Some(Op::Jump(to)) => open.push((*to as usize, begins)),
                Some(Op::Split(to)) => open.extend([(at + 1, begins), (*to as usize, begins)]),
                Some(op) => open.push((at + 1, matches!(op, Op::Slash))),
                None => {}
            }
        }
        false
    }

    /// Memory use in bytes.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.text.len() + size_of_val(&*self.ops) + self.may_end.len()
    }

    fn ends(&self, at: u32) -> bool {
        self.may_end.get(at as usize).copied().unwrap_or(false)
    }

    /// The text between the brackets of a class.
    fn class(&self, start: u32) -> &[u8] {
        let start = start as usize;
        let end = class::class_end(&self.text, start.saturating_sub(1), Dialect::Request);
        end.and_then(|end| self.text.get(start..end)).unwrap_or_default()
    }

    /// Whether an expansion matches this path. Void if `cancellation` was triggered.
    pub(super) fn matches(&self, subject: &Subject<'_>, cancellation: &Cancellation<'_>) -> bool {
        self.runs(subject, false, cancellation)
    }

    /// Whether a path matches an expansion up to one of its components, which begins with a dot of
    /// its own. Void if `cancellation` was triggered.
    pub(super) fn names_hidden(
        &self,
        subject: &Subject<'_>,
        cancellation: &Cancellation<'_>,
    ) -> bool {
        self.runs(subject, true, cancellation)
    }

    fn runs(&self, subject: &Subject<'_>, dotted: bool, cancellation: &Cancellation<'_>) -> bool {
        thread_local! {
            static SETS: RefCell<Sets> = RefCell::default();
        }
        SETS.with_borrow_mut(|sets| {
            let mut run = |path: &[u8], whole| {
                sets.clear(self.ops.len());
                let dot = dotted.then_some(path.len() - subject.name.len());
                let is_dir = subject.is_dir;
                Run { glob: self, whole, is_dir, dot, sets }.matches(path, cancellation)
            };
            let anchored = self.slashes && run(subject.path, true);
            let is_name = subject.path.len() == subject.name.len();
            anchored || ((!self.slashes || !is_name) && run(subject.name, false))
        })
    }
}

/// The state sets of a match, reused to avoid allocation.
#[derive(Debug, Default)]
struct Sets {
    /// States that consume the next unit.
    active: Vec<u32>,
    before: Vec<u32>,
    /// States to enter.
    open: Vec<(u32, Context)>,
    /// States entered since the last unit: a bit per state and context.
    entered: Vec<u64>,
    /// Words of `entered` per context.
    words: usize,
    /// States after a `**/`, which are entered again after every slash.
    skipping: Vec<u32>,
}

impl Sets {
    fn clear(&mut self, ops: usize) {
        self.words = ops / 64 + 1;
        self.entered.clear();
        self.entered.resize(self.words * CONTEXTS, 0);
        self.active.clear();
        self.open.clear();
        self.skipping.clear();
    }

    /// Marks a state as entered. `false` if it was already.
    fn enters(&mut self, (at, context): (u32, Context)) -> bool {
        let place = self.entered.get_mut(context as usize * self.words + at as usize / 64);
        place.is_some_and(|word| {
            let bit = 1 << (at % 64);
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }
}

/// One match against a path or a base name.
struct Run<'r> {
    glob: &'r Automaton,
    /// Whether the subject is a whole path, so that slashes can match.
    whole: bool,
    is_dir: bool,
    /// The offset of the last name, if only a literal dot may match its first character, and its
    /// end may be that of any component.
    dot: Option<usize>,
    sets: &'r mut Sets,
}

impl Run<'_> {
    fn matches(&mut self, path: &[u8], cancellation: &Cancellation<'_>) -> bool {
        // Also before the first unit: a union of thousands enters all of them at once.
        if !cancellation.go_on(self.sets.words) {
            return false;
        }
        self.sets.open.push((self.glob.start, Context::Start));
        let mut rest = path;
        loop {
            if self.enter(rest.is_empty()) {
                return true;
            }
            let idle = self.sets.active.is_empty() && self.sets.skipping.is_empty();
            if idle
                || rest.is_empty()
                || !cancellation.go_on(self.sets.active.len() + self.sets.words)
            {
                return false;
            }
            let (unit, length) = first_unit(rest, Dialect::Request);
            let literally = self.dot == Some(path.len() - rest.len());
            rest = rest.get(length..).unwrap_or_default();
            self.take(unit, literally);
        }
    }

    /// Consumes a unit and enters the following states; `literally`: not by a wildcard.
    fn take(&mut self, unit: Unit, literally: bool) {
        let Sets { active, before, open, entered, words, skipping } = &mut *self.sets;
        std::mem::swap(active, before);
        active.clear();
        let is_slash = unit == Unit::from(b'/');
        if is_slash {
            entered.fill(0);
            open.extend(skipping.iter().map(|&after| (after, Context::Fresh)));
        } else {
            // Within a name only the context `Name` occurs.
            entered.iter_mut().take(*words).for_each(|word| *word = 0);
        }
        for &at in &*before {
            let next = match self.glob.ops.get(at as usize) {
                Some(Op::Slash) if is_slash => (at + 1, Context::Fresh),
                Some(_) if is_slash => continue,
                Some(Op::Star | Op::One | Op::Class(_)) if literally => continue,
                Some(Op::Star) => (at, Context::Name),
                Some(Op::One) => (at + 1, Context::Name),
                Some(Op::Unit(own)) if *own == unit => (at + 1, Context::Name),
                Some(Op::Dot) if unit == Unit::from(b'.') => (at + 1, Context::Name),
                Some(Op::Class(start))
                    if class::holds(self.glob.class(*start), unit, Dialect::Request) =>
                {
                    (at + 1, Context::Name)
                }
                _ => continue,
            };
            open.push(next);
        }
    }

    /// Enters the open states and those they lead to. Returns whether the glob matches for certain.
    fn enter(&mut self, at_end: bool) -> bool {
        use Context::{Dot, DoubleStar, Fresh, Name, OneStar, Start, Stripped};
        while let Some((at, context)) = self.sets.open.pop() {
            if !self.sets.enters((at, context)) {
                continue;
            }
            let next = at + 1;
            let mut lead = |to: u32, context: Context| self.sets.open.push((to, context));
            let Some(op) = self.glob.ops.get(at as usize) else {
                // At the end `**` consumes the remaining names, of which there is at least one.
                if context == DoubleStar && self.dot.is_none() || (context == Name && at_end) {
                    return true;
                }
                continue;
            };
            match (*op, context) {
                (Op::Jump(to), _) => lead(to, context),
                (Op::Split(to), _) => {
                    lead(to, context);
                    lead(next, context);
                }
                (Op::Star, Start | Stripped | Fresh) => {
                    lead(next, OneStar);
                    lead(at, Name);
                }
                (Op::Star, OneStar | DoubleStar) => lead(next, DoubleStar),
                (Op::Star, Name) => {
                    self.sets.active.push(at);
                    lead(next, Name);
                }
                (Op::Slash, Dot) => lead(next, Stripped),
                (Op::Slash, Name | DoubleStar)
                    if self.is_dir
                        && self.glob.ends(next)
                        && (at_end || (context == DoubleStar && self.dot.is_none())) =>
                {
                    return true;
                }
                (Op::Slash, _) if !self.whole => {}
                (Op::Slash, Name) if at_end && self.is_dir && self.dot.is_some() => return true,
                (Op::Slash, Start | Stripped) => lead(next, Fresh),
                (Op::Slash, DoubleStar) => {
                    lead(next, Fresh);
                    self.sets.skipping.push(next);
                }
                (Op::Slash, Fresh | OneStar)
                | (Op::EscapedSlash, _)
                | (_, Dot | OneStar | DoubleStar) => {}
                (Op::Dot, Start) => {
                    lead(next, Dot);
                    self.sets.active.push(at);
                }
                (Op::Slash, Name) | (Op::Unit(_) | Op::Dot | Op::One, _) => {
                    self.sets.active.push(at);
                }
                (Op::Class(start), _) => {
                    // A slash in a class anchors an expansion, though the class does not match it.
                    if self.whole || !self.glob.class(start).contains(&b'/') {
                        self.sets.active.push(at);
                    }
                }
            }
        }
        false
    }
}
