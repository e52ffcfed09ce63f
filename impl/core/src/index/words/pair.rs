//! What a name has in a file, and all names of a batch with their files.

/// How often a name stands in a file, and the greatest level it is defined at there: one number,
/// the level in its two lowest bits; 0 for a file where it does not stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Uses(u32);

impl Uses {
    /// A count, and a level of 0 to 3. Counts that are too large are the largest.
    pub(super) fn new(count: u32, level: u8) -> Self {
        Self(count.min(u32::MAX >> 2) << 2 | u32::from(level.min(3)))
    }

    pub(super) fn count(self) -> u32 {
        self.0 >> 2
    }

    pub(super) fn level(self) -> u8 {
        (self.0 & 3) as u8
    }

    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        let level = self.level().max(other.level());
        Self::new(self.count() + other.count(), level)
    }
}

/// What a name has in one file: it stands there at least once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) file: u32,
    pub(super) uses: Uses,
}

/// Names in the order of their bytes, each with its files in order.
#[derive(Debug)]
pub(super) struct Turned {
    /// The names, one after the other, and where each ends.
    pub(super) text: String,
    pub(super) ends: Vec<u32>,
    /// Their pairs, in the order of names, and where those of each end.
    pub(super) pairs: Vec<Pair>,
    pub(super) lists: Vec<u32>,
}

impl Turned {
    pub(super) fn name(&self, number: u32) -> &str {
        let (start, end) = place(&self.ends, number);
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn list(&self, number: u32) -> &[Pair] {
        let (start, end) = place(&self.lists, number);
        self.pairs.get(start..end).unwrap_or_default()
    }
}

/// Names in the order of their bytes, and of each as it was given the number that it has now.
pub(super) fn sorted(text: &str, ends: &[u32]) -> (String, Vec<u32>, Vec<u32>) {
    let name = |number| {
        let (start, end) = place(ends, number);
        text.get(start..end).unwrap_or_default()
    };
    // Most names differ in what they begin with, which is kept beside their numbers.
    let start = |number| {
        let mut start = [0; 16];
        start.iter_mut().zip(name(number).bytes()).for_each(|(to, byte)| *to = byte);
        (start, number)
    };
    let mut order: Vec<([u8; 16], u32)> = (0..).take(ends.len()).map(start).collect();
    order.sort_unstable_by(|(one, a), (other, b)| {
        let starts = u128::from_be_bytes(*one).cmp(&u128::from_be_bytes(*other));
        starts.then_with(|| name(*a).cmp(name(*b)))
    });
    let (mut to, mut to_ends) = (String::with_capacity(text.len()), Vec::with_capacity(ends.len()));
    let mut numbers = vec![0; ends.len()];
    for (new, (_, old)) in (0..).zip(order) {
        to.push_str(name(old));
        to_ends.push(u32::try_from(to.len()).unwrap_or(u32::MAX));
        if let Some(number) = numbers.get_mut(old as usize) {
            *number = new;
        }
    }
    (to, to_ends, numbers)
}

/// Where something is, of which only the ends are known.
pub(super) fn place(ends: &[u32], number: u32) -> (usize, usize) {
    let number = number as usize;
    let start = number.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    (start as usize, ends.get(number).copied().unwrap_or(start) as usize)
}
