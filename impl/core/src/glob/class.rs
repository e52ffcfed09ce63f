//! Character classes. Only their text is stored; it is parsed on each match.

use super::{Dialect, GlobError, Unit, first_unit};

/// Inclusive ranges of members.
type Ranges = &'static [(Unit, Unit)];

/// The offset of the `]` that closes the class opened at `open`.
pub(super) fn class_end(glob: &[u8], open: usize, dialect: Dialect) -> Option<usize> {
    let mut at = open + 1;
    if matches!(glob.get(at), Some(b'!' | b'^')) {
        at += 1;
    }
    let first = at;
    loop {
        match glob.get(at)? {
            b'\\' => at += 2,
            b']' if at > first => return Some(at),
            b'[' if dialect == Dialect::Ignore => {
                // The `]` of a POSIX class does not close this one.
                at += posix_length(glob.get(at..)?).unwrap_or(1);
            }
            _ => at += 1,
        }
    }
}

/// Validates the text between the brackets of a class.
pub(super) fn check(body: &[u8], dialect: Dialect) -> Result<(), GlobError> {
    let (_, rest) = negation(body);
    Members { rest, dialect }.try_for_each(|member| match member {
        Member::Range(start, end) if start > end && dialect == Dialect::Request => {
            Err(GlobError::ReversedRange)
        }
        Member::Unknown => Err(GlobError::UnknownClass),
        Member::Range(..) | Member::Posix(_) => Ok(()),
    })
}

/// Whether a valid class contains a unit.
pub(super) fn holds(body: &[u8], unit: Unit, dialect: Dialect) -> bool {
    let (negated, rest) = negation(body);
    let held = Members { rest, dialect }.any(|member| match member {
        // git compares the first member before it sees that a range follows, so a reversed range
        // contains its start.
        Member::Range(start, end) => unit == start || (start..=end).contains(&unit),
        Member::Posix(ranges) => ranges.iter().any(|&(start, end)| start <= unit && unit <= end),
        Member::Unknown => false,
    });
    held != negated
}

fn negation(body: &[u8]) -> (bool, &[u8]) {
    match body {
        [b'!' | b'^', rest @ ..] => (true, rest),
        _ => (false, body),
    }
}

enum Member {
    Range(Unit, Unit),
    Posix(Ranges),
    /// An unknown POSIX class.
    Unknown,
}

struct Members<'t> {
    rest: &'t [u8],
    dialect: Dialect,
}

impl Iterator for Members<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        if self.rest.is_empty() {
            return None;
        }
        if let Some(length) = posix_length(self.rest).filter(|_| self.dialect == Dialect::Ignore) {
            let (name, rest) = self.rest.split_at_checked(length)?;
            self.rest = rest;
            let known = POSIX.iter().find(|(known, _)| *known == name);
            return Some(known.map_or(Member::Unknown, |(_, ranges)| Member::Posix(ranges)));
        }
        let start = self.member();
        let end = match self.rest {
            [b'-', more @ ..] if !more.is_empty() => {
                self.rest = more;
                self.member()
            }
            _ => start,
        };
        Some(Member::Range(start, end))
    }
}

impl Members<'_> {
    /// One member, unescaped.
    fn member(&mut self) -> Unit {
        if let [b'\\', escaped @ ..] = self.rest
            && !escaped.is_empty()
        {
            self.rest = escaped;
        }
        let (unit, length) = first_unit(self.rest, self.dialect);
        self.rest = self.rest.get(length..).unwrap_or_default();
        unit
    }
}

/// The length of a `[:…:]` at the start of `text`, whatever its name. As in git, it ends at the
/// next `]`.
fn posix_length(text: &[u8]) -> Option<usize> {
    let name = text.strip_prefix(b"[:")?;
    let end = name.iter().position(|&byte| byte == b']')?;
    name.get(..end)?.ends_with(b":").then_some(end + 3)
}

/// The POSIX classes; ASCII only, as in git.
const POSIX: [(&[u8], Ranges); 12] = [
    (b"[:alnum:]", &[(0x30, 0x39), (0x41, 0x5a), (0x61, 0x7a)]),
    (b"[:alpha:]", &[(0x41, 0x5a), (0x61, 0x7a)]),
    (b"[:blank:]", &[(0x09, 0x09), (0x20, 0x20)]),
    (b"[:cntrl:]", &[(0x00, 0x1f), (0x7f, 0x7f)]),
    (b"[:digit:]", &[(0x30, 0x39)]),
    (b"[:graph:]", &[(0x21, 0x7e)]),
    (b"[:lower:]", &[(0x61, 0x7a)]),
    (b"[:print:]", &[(0x20, 0x7e)]),
    (b"[:punct:]", &[(0x21, 0x2f), (0x3a, 0x40), (0x5b, 0x60), (0x7b, 0x7e)]),
    (b"[:space:]", &[(0x09, 0x0d), (0x20, 0x20)]),
    (b"[:upper:]", &[(0x41, 0x5a)]),
    (b"[:xdigit:]", &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]),
];
