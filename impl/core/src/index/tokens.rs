//! From a file's bytes to its n-grams (FR-LSI-TOK-01..05, D1).
//!
//! Responsible for: decoding, the tests that keep a file out of the index, the check that
//! normalisation changes nothing, and the set of grams. Not here: reading files and their
//! fingerprints (the engine), folded grams ([`folded`] from the plain ones), bits
//! ([`super::filter`]). Invariants: the text is a whole file; no allocation per gram; a
//! [`Tokenizer`] can be used for any number of files, and what it returns depends on the bytes and
//! parameters alone.
//!
//! Source text is nearly all ASCII, so grams of ASCII scalars are collected in a bitmap with one
//! bit for each possible one, and everything else in a list that is sorted at the end.

use memchr::memchr;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::{
    fold::Fold,
    gram::{Gram, shift},
};

/// The version of Unicode that texts are put into NFC by: part of an index's key (E-A21).
pub use unicode_normalization::UNICODE_VERSION;

/// What a tokenizer is made for; part of an index's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// `index_max_tokenized_bytes`: larger files are not tokenized.
    pub max_bytes: u64,
    /// `bloom_ngram_k`: scalars in a gram, 2 or 3; anything else is read as the nearer of the two.
    pub ngram: usize,
}

/// What became of a file (`token_status`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenStatus {
    /// Its grams are known.
    Full,
    /// Longer than `index_max_tokenized_bytes`.
    SkippedTooLarge,
    /// Starts with a mark of UTF-16 or UTF-32 (E-A03).
    SkippedEncoding,
    /// More than half of it cannot be decoded.
    SkippedBinary,
}

impl TokenStatus {
    /// The name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            TokenStatus::Full => "FULL",
            TokenStatus::SkippedTooLarge => "SKIPPED_TOO_LARGE",
            TokenStatus::SkippedEncoding => "SKIPPED_ENCODING",
            TokenStatus::SkippedBinary => "SKIPPED_BINARY",
        }
    }
}

/// What is known of a file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// What became of it.
    pub status: TokenStatus,
    /// Whether the absence of a gram proves anything (`token_complete`).
    pub complete: bool,
    /// Bytes that were tokenized: all or none (E-A10).
    pub tokenized_bytes: u64,
    /// The SENSITIVE grams, in order, each once.
    pub grams: Vec<Gram>,
}

/// Starts of files that a reader would decode from something else than UTF-8.
const MARKS: [&[u8]; 3] = [b"\xFF\xFE", b"\xFE\xFF", b"\x00\x00\xFE\xFF"];

/// Bits of an ASCII scalar.
const ASCII_BITS: u32 = 7;

/// Turns texts into grams; keeps its tables between files.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    parameters: Parameters,
    collected: Collected,
}

impl Tokenizer {
    /// A tokenizer for files of one index.
    pub fn new(parameters: Parameters) -> Self {
        let ngram = parameters.ngram.clamp(2, 3);
        Self { parameters: Parameters { ngram, ..parameters }, collected: Collected::new(ngram) }
    }

    /// The grams of a whole file.
    pub fn tokenize(&mut self, bytes: &[u8]) -> Tokens {
        let length = bytes.len() as u64;
        let skipped =
            |status| Tokens { status, complete: false, tokenized_bytes: 0, grams: Vec::new() };
        if length > self.parameters.max_bytes {
            return skipped(TokenStatus::SkippedTooLarge);
        }
        if MARKS.iter().any(|mark| bytes.starts_with(mark)) {
            return skipped(TokenStatus::SkippedEncoding);
        }
        let stable = if bytes.is_ascii() {
            self.collected.ascii(bytes);
            true
        } else {
            let replaced = decoded(bytes).filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
            if replaced * 2 > decoded(bytes).count() {
                return skipped(TokenStatus::SkippedBinary);
            }
            let stable = match is_nfc_quick(decoded(bytes)) {
                IsNormalized::Yes => true,
                IsNormalized::No => false,
                IsNormalized::Maybe => decoded(bytes).nfc().eq(decoded(bytes)),
            };
            if stable {
                self.collected.scalars(decoded(bytes));
            } else {
                self.collected.scalars(decoded(bytes).nfc());
            }
            stable
        };
        let (grams, long_enough) = self.collected.finish();
        Tokens {
            status: TokenStatus::Full,
            complete: stable && long_enough,
            tokenized_bytes: length,
            grams,
        }
    }
}

/// The INSENSITIVE grams of a text whose SENSITIVE grams these are.
pub fn folded(grams: &[Gram], fold: Fold) -> Vec<Gram> {
    let mut folded: Vec<Gram> = grams.iter().map(|gram| gram.fold(fold)).collect();
    folded.sort_unstable();
    folded.dedup();
    folded
}

/// The text, one U+FFFD for each maximal subpart that is no UTF-8 (E-A08).
fn decoded(bytes: &[u8]) -> impl Iterator<Item = char> + Clone {
    bytes.utf8_chunks().flat_map(|chunk| {
        let broken = (!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER);
        chunk.valid().chars().chain(broken)
    })
}

/// The grams of the text in hand.
#[derive(Clone, Debug)]
struct Collected {
    ngram: usize,
    narrow: Bitmap,
    /// Grams with other scalars, with repetitions.
    wide: Vec<Gram>,
    /// Which wide grams came lately, by the low bits of a mix of theirs: most repetitions stop
    /// here.
    recent: Vec<Option<Gram>>,
    /// Scalars so far.
    length: usize,
}

/// Entries of the table of wide grams that came lately.
const RECENT: usize = 1 << 14;

impl Collected {
    fn new(ngram: usize) -> Self {
        Self { ngram, narrow: Bitmap::new(), wide: Vec::new(), recent: Vec::new(), length: 0 }
    }

    /// Takes a text that is ASCII.
    fn ascii(&mut self, bytes: &[u8]) {
        let mut window = 0;
        let mut rest = bytes;
        let mut from = 0;
        // Pieces between the carriage returns that are dropped; most texts are one piece.
        while let Some(at) = memchr(b'\r', rest.get(from..).unwrap_or_default()) {
            let at = from + at;
            let (piece, after) = rest.split_at(at);
            if after.get(1) == Some(&b'\n') {
                window = self.piece(piece, window);
                rest = after.get(1..).unwrap_or_default();
                from = 0;
            } else {
                from = at + 1;
            }
        }
        self.piece(rest, window);
    }

    /// Goes on with a piece of an ASCII text after `window`, and says what the window is then.
    fn piece(&mut self, piece: &[u8], mut window: u32) -> u32 {
        let mask = self.mask();
        let missing = (self.ngram - 1).saturating_sub(self.length).min(piece.len());
        let (head, tail) = piece.split_at(missing);
        for byte in head {
            window = (window << ASCII_BITS) | u32::from(*byte);
        }
        for byte in tail {
            window = ((window << ASCII_BITS) | u32::from(*byte)) & mask;
            self.narrow.set(window);
        }
        self.length += piece.len();
        window
    }

    /// Takes any text.
    fn scalars(&mut self, text: impl Iterator<Item = char>) {
        let mask = self.mask();
        let mut window = 0_u32;
        let mut word = 0_u64;
        // ASCII scalars since the last other one.
        let mut run = 0;
        let mut text = text.peekable();
        while let Some(c) = text.next() {
            if c == '\r' && text.peek() == Some(&'\n') {
                continue;
            }
            word = shift(word, u32::from(c));
            if c.is_ascii() {
                window = ((window << ASCII_BITS) | u32::from(c)) & mask;
                run += 1;
            } else {
                run = 0;
            }
            self.length += 1;
            if self.length < self.ngram {
                continue;
            }
            if run >= self.ngram {
                self.narrow.set(window);
            } else {
                self.add_wide(Gram::from_word(word, self.ngram));
            }
        }
    }

    fn mask(&self) -> u32 {
        if self.ngram == 3 { (1 << (3 * ASCII_BITS)) - 1 } else { (1 << (2 * ASCII_BITS)) - 1 }
    }

    fn add_wide(&mut self, gram: Gram) {
        if self.recent.is_empty() {
            self.recent.resize(RECENT, None);
        }
        if let Some(slot) = self.recent.get_mut(gram.mix() % RECENT) {
            if *slot == Some(gram) {
                return;
            }
            *slot = Some(gram);
        }
        self.wide.push(gram);
    }

    /// The grams, each once, in order, and whether the text was long enough to have one. Ready for
    /// the next text afterwards.
    fn finish(&mut self) -> (Vec<Gram>, bool) {
        let long_enough = self.length >= self.ngram;
        self.length = 0;
        let mut grams = Vec::with_capacity(self.narrow.count + self.wide.len());
        let ngram = self.ngram;
        self.narrow.drain(|window| {
            let scalar = |bits| (window >> bits) & ((1 << ASCII_BITS) - 1);
            let word =
                shift(shift(u64::from(scalar(2 * ASCII_BITS)), scalar(ASCII_BITS)), scalar(0));
            grams.push(Gram::from_word(word, ngram));
        });
        if !self.wide.is_empty() {
            self.recent.fill(None);
            // Two sorted runs, which the stable sort merges.
            self.wide.sort_unstable();
            grams.append(&mut self.wide);
            grams.sort();
            grams.dedup();
        }
        (grams, long_enough)
    }
}

/// A set of grams of ASCII scalars: one bit for each possible one, and one bit for each word of
/// those that is not zero, so that reading it does not take a pass over all of it.
#[derive(Clone, Debug)]
struct Bitmap {
    words: Vec<u64>,
    used: Vec<u64>,
    /// Grams in it.
    count: usize,
}

/// Words of the bitmap: 2^21 grams.
const WORDS: usize = 1 << 15;

impl Bitmap {
    fn new() -> Self {
        Self { words: vec![0; WORDS], used: vec![0; WORDS / 64], count: 0 }
    }

    #[inline]
    fn set(&mut self, window: u32) {
        let index = window as usize / 64;
        let bit = 1 << (window % 64);
        if let Some(word) = self.words.get_mut(index)
            && *word & bit == 0
        {
            *word |= bit;
            self.count += 1;
            if let Some(used) = self.used.get_mut(index / 64) {
                *used |= 1 << (index % 64);
            }
        }
    }

    /// Hands out what is in it, in order, and empties it.
    fn drain(&mut self, mut each: impl FnMut(u32)) {
        for (block, used) in (0_u32..).zip(&mut self.used) {
            for at in ones(std::mem::take(used)) {
                let index = block * 64 + at;
                if let Some(word) = self.words.get_mut(index as usize) {
                    ones(std::mem::take(word)).for_each(|bit| each(index * 64 + bit));
                }
            }
        }
        self.count = 0;
    }
}

/// The places of the bits that are set, from the lowest.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests;
