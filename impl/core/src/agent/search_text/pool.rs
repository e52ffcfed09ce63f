//! The files that match, with what each is ranked by.
//!
//! There may be as many as the tree has, so that they share their memory. Invariant: all files of a
//! pool were measured for the same terms.

use super::{Matching, Measures, TermMeasures};

/// Files that match, in path order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    files: Vec<Entry>,
    /// One after the other.
    paths: Vec<u8>,
    /// Those of each file after those of the one before.
    terms: Vec<TermMeasures>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Where its path ends.
    path: usize,
    bytes: u64,
    hundredths: u64,
}

/// A file of a pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolFile<'p> {
    /// Its path below the search root.
    pub walked: &'p [u8],
    /// What each term counts, in the query's order.
    pub terms: &'p [TermMeasures],
    /// Bytes of the text.
    pub bytes: u64,
    /// What the file counts by its path.
    pub hundredths: u64,
}

impl Pool {
    /// Adds a file.
    pub fn add(
        &mut self,
        walked: &[u8],
        terms: impl IntoIterator<Item = TermMeasures>,
        bytes: u64,
        hundredths: u64,
    ) {
        self.paths.extend(walked);
        self.terms.extend(terms);
        self.files.push(Entry { path: self.paths.len(), bytes, hundredths });
    }

    /// Adds the files of another pool.
    pub(super) fn append(&mut self, other: Self) {
        if self.files.is_empty() {
            *self = other;
            return;
        }
        let before = self.paths.len();
        self.paths.extend(other.paths);
        self.terms.extend(other.terms);
        let moved = |file: Entry| Entry { path: file.path + before, ..file };
        self.files.extend(other.files.into_iter().map(moved));
    }

    /// The files.
    pub fn files(&self) -> impl Iterator<Item = PoolFile<'_>> + Clone {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    fn get(&self, at: usize) -> Option<PoolFile<'_>> {
        let Entry { path, bytes, hundredths } = *self.files.get(at)?;
        let begin = at.checked_sub(1).and_then(|before| self.files.get(before));
        let walked = self.paths.get(begin.map_or(0, |before| before.path)..path)?;
        let terms = self.terms.chunks_exact(self.terms_each().max(1)).nth(at).unwrap_or_default();
        Some(PoolFile { walked, terms, bytes, hundredths })
    }

    /// How many terms were asked for.
    pub fn terms_each(&self) -> usize {
        self.terms.len() / self.len().max(1)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Bytes of memory, about.
    pub(super) fn held(&self) -> u64 {
        let terms = self.terms.len() * size_of::<TermMeasures>();
        (self.paths.len() + terms + self.files.len() * size_of::<Entry>()) as u64
    }

    /// A file on its own.
    pub(super) fn matching(&self, at: usize) -> Option<Matching> {
        let PoolFile { walked, terms, bytes, hundredths } = self.get(at)?;
        let measures = Measures { terms: terms.to_vec(), bytes, hundredths };
        Some(Matching { walked: walked.to_vec(), measures })
    }
}

impl FromIterator<Matching> for Pool {
    fn from_iter<I: IntoIterator<Item = Matching>>(files: I) -> Self {
        let mut pool = Self::default();
        for Matching { walked, measures: Measures { terms, bytes, hundredths } } in files {
            pool.add(&walked, terms, bytes, hundredths);
        }
        pool
    }
}
