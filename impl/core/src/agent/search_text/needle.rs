//! Where a term may occur in a folded text: found by its longest part, around which the rest is
//! compared.
//!
//! What is looked for has underscores wherever parts of a word meet, so that only parts are fixed;
//! one of them, in a text that has been folded once for all terms, is found several times faster
//! than all spellings are in the text as it is.

use memchr::memmem;

use super::query::Term;
use crate::error::Interrupted;

/// Bytes of work between two looks at whether to go on; a look costs as much as a line.
pub(super) const LOOK_EVERY: usize = 64 << 10;

/// What it costs to tell whether an identifier is defined where it stands, in bytes.
pub(super) const JUDGING: usize = 1 << 10;

/// Counts the bytes that are looked at, and asks now and then whether to go on. A term of kilobytes
/// can stand at every byte of a text: each place costs its length.
pub(super) struct Looks<'g> {
    left: usize,
    go_on: &'g mut dyn FnMut() -> bool,
}

impl<'g> Looks<'g> {
    pub(super) fn new(go_on: &'g mut dyn FnMut() -> bool) -> Self {
        Self { left: LOOK_EVERY, go_on }
    }

    /// So many bytes are about to be looked at.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), Interrupted> {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None if (self.go_on)() => self.left = LOOK_EVERY,
            None => return Err(Interrupted),
        }
        Ok(())
    }
}

/// A term as it is looked for, in folded texts.
#[derive(Clone, Debug)]
pub(super) struct Needle {
    /// Neighbouring parts, folded; underscores may be between them.
    parts: Vec<Vec<u8>>,
    /// Which part is looked for.
    part: usize,
    finder: memmem::Finder<'static>,
}

impl Needle {
    pub(super) fn new(term: &Term) -> Self {
        let parts: Vec<Vec<u8>> = match term {
            Term::Word { parts, .. } => parts.iter().map(|part| part.as_bytes().to_vec()).collect(),
            Term::Literal(text) => vec![text.as_bytes().to_vec()],
        };
        let part = (0..parts.len()).max_by_key(|at| parts.get(*at).map(Vec::len)).unwrap_or(0);
        let longest = parts.get(part).map_or(&[][..], Vec::as_slice);
        Self { finder: memmem::Finder::new(longest).into_owned(), part, parts }
    }

    /// Bytes it has at least.
    pub(super) fn length(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// The first place at or after `from` where it stands.
    pub(super) fn find(
        &self,
        folded: &[u8],
        from: usize,
        looks: &mut Looks<'_>,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        let mut at = from;
        while let Some(hit) = folded.get(at..).and_then(|rest| self.finder.find(rest)) {
            looks.take(hit + self.length())?;
            at += hit + 1;
            let found = self.around(folded, at - 1).filter(|(start, _)| *start >= from);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Where it stands if its longest part is here.
    fn around(&self, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let stands = |part: &[u8], at: usize| text.get(at..at + part.len()) == Some(part);
        let (before, rest) = self.parts.split_at_checked(self.part)?;
        let (own, after) = rest.split_first()?;
        let mut left = start;
        for part in before.iter().rev() {
            while left > 0 && text.get(left - 1) == Some(&b'_') {
                left -= 1;
            }
            left = left.checked_sub(part.len()).filter(|left| stands(part, *left))?;
        }
        let mut right = start + own.len();
        for part in after {
            while text.get(right) == Some(&b'_') {
                right += 1;
            }
            if !stands(part, right) {
                return None;
            }
            right += part.len();
        }
        Some((left, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::search_text::terms;

    fn found(query: &str, text: &str) -> Vec<String> {
        let needle = Needle::new(&terms(query).unwrap()[0]);
        let mut from = 0;
        std::iter::from_fn(|| {
            let folded = text.to_ascii_lowercase();
            let (start, end) =
                needle.find(folded.as_bytes(), from, &mut Looks::new(&mut || true)).unwrap()?;
            from = start + 1;
            text.get(start..end).map(str::to_owned)
        })
        .collect()
    }

    #[test]
    fn all_spellings_of_a_term_are_found_in_order() {
        let text = "userService user_service, USER__SERVICE; user-service userservic _service userserviceuser_service";
        let all = ["userService", "user_service", "USER__SERVICE", "userservice", "user_service"];
        assert_eq!(found("UserService", text), all);
        assert_eq!(found("\"r S\"", "for some, for Some, ör some, r"), ["r s", "r S", "r s"]);
        assert_eq!(found("\"aa\"", "aAaa"), ["aA", "Aa", "aa"]);
        assert_eq!(found("größe", "Größe GRößE größe"), ["Größe", "GRößE", "größe"]);
    }
}
