//! Sets of ranks, one bit a file.

/// A set of the files of one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankSet {
    words: Vec<u64>,
    files: u32,
}

impl RankSet {
    /// No file out of `files`.
    pub fn none(files: u32) -> Self {
        Self { words: vec![0; files.div_ceil(64) as usize], files }
    }

    /// Every file out of `files`.
    pub fn all(files: u32) -> Self {
        let mut words = vec![u64::MAX; files.div_ceil(64) as usize];
        let spare = files % 64;
        if let Some(last) = words.last_mut()
            && spare != 0
        {
            *last = (1 << spare) - 1;
        }
        Self { words, files }
    }

    /// The set of a stored bitmap; none if that is not one of so many files.
    pub fn from_bytes(bytes: &[u8], files: u32) -> Option<Self> {
        let mut set = Self::none(files);
        set.add_bits(bytes)?;
        Some(set)
    }

    /// The stored form: one bit a file, the lowest first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.files.div_ceil(8) as usize);
        bytes
    }

    /// How many files the segment has.
    pub fn files(&self) -> u32 {
        self.files
    }

    /// Adds a file.
    pub fn insert(&mut self, rank: u32) {
        if rank < self.files
            && let Some(word) = self.words.get_mut((rank / 64) as usize)
        {
            *word |= 1 << (rank % 64);
        }
    }

    /// Takes a file out.
    pub fn remove(&mut self, rank: u32) {
        if let Some(word) = self.words.get_mut((rank / 64) as usize) {
            *word &= !(1 << (rank % 64));
        }
    }

    /// Whether a file is in it.
    pub fn contains(&self, rank: u32) -> bool {
        self.words.get((rank / 64) as usize).is_some_and(|word| word & (1 << (rank % 64)) != 0)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// How many files are in it.
    pub fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The word with a file's bit, without the bits of files before it.
    fn word_from(&self, rank: u32) -> u64 {
        let word = self.words.get((rank / 64) as usize).copied().unwrap_or(0);
        word & (u64::MAX << (rank % 64))
    }

    /// The first file at or after a rank.
    pub fn next(&self, rank: u32) -> Option<u32> {
        let first = (rank / 64, self.word_from(rank));
        let others = (rank / 64 + 1..).zip(self.words.iter().copied().skip(first.0 as usize + 1));
        let (at, word) = std::iter::once(first).chain(others).find(|(_, word)| *word != 0)?;
        Some(at * 64 + word.trailing_zeros())
    }

    /// How many files are in it at or after one rank and before another.
    pub fn count(&self, from: u32, to: u32) -> u32 {
        if from >= to {
            return 0;
        }
        let (first, last) = ((from / 64) as usize, (to / 64) as usize);
        let behind = self.word_from(to).count_ones();
        let whole = self.words.iter().take(last + 1).skip(first + 1);
        let whole: u32 = whole.map(|word| word.count_ones()).sum();
        self.word_from(from).count_ones() + whole - behind
    }

    /// Keeps what is in the other, too.
    pub fn intersect(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Adds what is in the other.
    pub fn unite(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Takes out what is in the other.
    pub fn subtract(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// Adds the files of a bitmap; none if it has others.
    pub(super) fn add_bits(&mut self, bytes: &[u8]) -> Option<()> {
        let spare = self.files % 8;
        let fits = bytes.len() == self.files.div_ceil(8) as usize
            && (spare == 0 || bytes.last().is_none_or(|last| last >> spare == 0));
        for (word, chunk) in self.words.iter_mut().zip(bytes.chunks(8)).take_while(|_| fits) {
            let mut padded = [0; 8];
            padded.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            *word |= u64::from_le_bytes(padded);
        }
        fits.then_some(())
    }

    /// The files, by rank.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.words).flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let lowest = (rest != 0).then(|| at * 64 + rest.trailing_zeros());
                rest &= rest.wrapping_sub(1);
                lowest
            })
        })
    }
}
