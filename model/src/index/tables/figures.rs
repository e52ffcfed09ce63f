//! The figures of tokenizer, filter and exclusion, and of decisions with time passed in (sections 1
//! to 3 and 8 of `docs/index.md`).

/// The tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextTables<'a> {
    /// Starts of files that are never tokenized (E-A03).
    pub encoding_marks: &'a [&'a [u8]],
    /// What stands for what cannot be decoded.
    pub replacement: char,
    /// A file is binary if `replacements * binary_denominator > scalars * binary_numerator`, and it
    /// has a scalar.
    pub binary_numerator: u64,
    /// See `binary_numerator`.
    pub binary_denominator: u64,
    /// The order in which the conditions of section 1 are tested.
    pub order: &'a [Skip],
    /// The normal form.
    pub normal_form: NormalForm,
    /// What is replaced after that: from, to.
    pub newline: (&'a str, &'a str),
    /// Whether a text with fewer scalars than a gram counts as complete.
    pub short_is_complete: bool,
    /// The folds.
    pub folds: FoldTables,
    /// `index_max_tokenized_bytes`, when nothing is configured.
    pub max_tokenized_bytes: u64,
    /// `bloom_ngram_k`, when nothing is configured.
    pub ngram: u64,
}

/// Why a file is not tokenized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// `SKIPPED_TOO_LARGE`.
    TooLarge,
    /// `SKIPPED_ENCODING`.
    Encoding,
    /// `SKIPPED_BINARY`.
    Binary,
}

/// A Unicode normal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormalForm {
    /// As it is.
    None,
    /// Composed.
    Nfc,
    /// Decomposed.
    Nfd,
}

/// The folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldTables {
    /// The first scalar that `ASCII` folds.
    pub ascii_first: char,
    /// The last scalar that `ASCII` folds.
    pub ascii_last: char,
    /// How far it moves them.
    pub ascii_offset: u32,
    /// Whether `UNICODE_SIMPLE` uses the rows of status C.
    pub simple_common: bool,
    /// Whether `UNICODE_SIMPLE` uses the rows of status S.
    pub simple_simple: bool,
    /// What `Search` uses.
    pub search: Fold,
}

/// A casefold strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// ASCII letters only.
    Ascii,
    /// Unicode, one scalar to one.
    UnicodeSimple,
}

/// The filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilterTables {
    /// `bloom_target_fp_rate`, when nothing is configured.
    pub target_fp_rate: f64,
    /// `bloom_hash_seed`, when nothing is configured.
    pub seed: u64,
    /// The seed of the first hash.
    pub first_seed: u64,
    /// `n = floor(index_max_tokenized_bytes / basis_divisor)`.
    pub basis_divisor: u64,
    /// How m is made whole.
    pub bits_rounding: Rounding,
    /// How k_hashes is made whole.
    pub hashes_rounding: Rounding,
    /// k_hashes is at least this.
    pub hashes_minimum: u64,
    /// The number of the first probe.
    pub first_probe: u64,
    /// How `h1 + i·h2` is computed.
    pub arithmetic: Arithmetic,
    /// Which bit of a byte is bit 0.
    pub bit_order: BitOrder,
    /// Bits in one byte of the packed form.
    pub bits_per_byte: u64,
}

/// How a real number is made whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Up.
    Ceil,
    /// Down.
    Floor,
    /// `floor(x + 0.5)`.
    HalfUp,
}

/// How wide intermediate results are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// Modulo 2^64.
    Wrapping64,
    /// As wide as needed.
    Exact,
}

/// Which bit of a byte is bit 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitOrder {
    /// The least significant.
    LsbFirst,
    /// The most significant.
    MsbFirst,
}

/// The exclusion of literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExclusionTables<'a> {
    /// Grams that hold one of these are never needed.
    pub never_needed: &'a [char],
    /// Whether a pattern that normalisation would change excludes nothing.
    pub unstable_bypasses: bool,
    /// Whether a fuzzy request excludes nothing.
    pub fuzzy_bypasses: bool,
    /// Whether a file must be `token_complete` to be excluded.
    pub needs_complete: bool,
}

/// Decisions with time passed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionTables<'a> {
    /// By what the next victim of eviction is chosen, the most important first.
    pub eviction: &'a [EvictionOrder],
    /// By what dirty entries are ordered, the most important first.
    pub queue: &'a [QueueOrder],
    /// At most so many dirty entries.
    pub queue_limit: u64,
    /// Limits, and how they are compared.
    pub limits: &'a [LimitRow],
}

/// One criterion of eviction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvictionOrder {
    /// Least recently used first.
    OldestAccess,
    /// Larger first.
    LargestSize,
    /// Smaller key hash first.
    SmallestKeyHash,
}

/// One criterion of the dirty queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOrder {
    /// Smaller sequence number first.
    OldestSequence,
    /// Path bytes.
    PathBytes,
}

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitRow {
    /// Of what.
    pub limit: Limit,
    /// Whether reaching it exactly is allowed.
    pub inclusive: bool,
    /// Whether 0 means that there is none.
    pub zero_is_none: bool,
}

/// What a limit is of (section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is a configuration key")]
pub enum Limit {
    IndexBuildTimeoutMs,
    IndexBuildMaxFiles,
    IndexBuildMaxBytes,
    ReconcileMaxFiles,
    ReconcileMaxMs,
    IndexAutoThresholdFiles,
    IndexAutoThresholdBytes,
    IndexMaxDbBytes,
    IndexMaxIndexes,
}
