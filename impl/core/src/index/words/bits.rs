//! Numbers of few bits. A number of some *order* takes twice the bits that it has beyond that many,
//! and the order once (Golomb's code in its exponential form).

/// Most bits a number is taken to have.
const MOST_BITS: u32 = 40;

/// Bits being written, the lowest of each byte first.
#[derive(Clone, Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    /// Bits pending, at most 7.
    filled: u32,
}

impl BitWriter {
    /// Appends the lowest bits of a number, at most 56; the others are 0.
    pub(super) fn bits(&mut self, value: u64, width: u32) {
        self.pending |= value << self.filled;
        self.filled += width;
        // Eight bytes at once, and those off again that are not full.
        let full = self.filled / 8;
        let end = self.bytes.len() + full as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes());
        self.bytes.truncate(end);
        self.pending >>= full * 8;
        self.filled %= 8;
    }

    pub(super) fn number(&mut self, value: u64, order: u32) {
        let raised = value + (1 << order);
        let width = raised.ilog2();
        self.bits(1 << (width - order), width - order + 1);
        self.bits(raised & ((1 << width) - 1), width);
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8 + u64::from(self.filled)
    }

    pub(super) fn append(&mut self, other: &Self) {
        for byte in &other.bytes {
            self.bits(u64::from(*byte), 8);
        }
        self.bits(other.pending, other.filled);
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.filled > 0 {
            self.bits(0, 8 - self.filled);
        }
        self.bytes
    }
}

/// How many bits a number of an order takes.
pub(super) fn cost(value: u64, order: u32) -> u64 {
    u64::from(2 * (value + (1 << order)).ilog2() + 1 - order)
}

/// The order below 16 in which numbers take the fewest bits, or nearly so.
pub(super) fn best_order(values: &(impl Iterator<Item = u64> + Clone)) -> u32 {
    let (count, sum) = values.clone().fold((0, 0), |(count, sum), value| (count + 1, sum + value));
    let mean = sum.checked_div(count).unwrap_or(0);
    let middle = (mean + 1).ilog2().min(14);
    let bits = |order: &u32| values.clone().map(|value| cost(value, *order)).sum::<u64>();
    (middle.saturating_sub(4)..=middle + 1).min_by_key(bits).unwrap_or(0)
}

/// Bits being read. What there is not, or cannot be, is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> BitReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Where the next bit is.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Continues where another was.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// The next bits, at least 57; zeros where there are no more.
    fn peek(&self) -> u64 {
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let word = rest.first_chunk().map_or_else(
            || rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
            |chunk| u64::from_le_bytes(*chunk),
        );
        word >> (self.at % 8)
    }

    pub(super) fn skip(&mut self, bits: u64) -> Option<()> {
        let at = self.at.checked_add(usize::try_from(bits).ok()?)?;
        (at <= self.bytes.len() * 8).then(|| self.at = at)
    }

    /// The next bits, at most 56.
    pub(super) fn bits(&mut self, width: u32) -> Option<u64> {
        let value = self.peek() & ((1 << width) - 1);
        self.skip(u64::from(width))?;
        Some(value)
    }

    pub(super) fn number(&mut self, order: u32) -> Option<u64> {
        let zeros = self.peek().trailing_zeros();
        let width = zeros + order;
        if width > MOST_BITS {
            return None;
        }
        self.skip(u64::from(zeros) + 1)?;
        Some((1 << width | self.bits(width)?) - (1 << order))
    }

    /// The next number, as a rank or count.
    pub(super) fn small(&mut self, order: u32) -> Option<u32> {
        u32::try_from(self.number(order)?).ok()
    }
}
