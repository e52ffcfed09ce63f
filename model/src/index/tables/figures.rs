//! The figures of tokenizer, filter and exclusion, and of decisions with time as a parameter
//! (sections 1 to 3 and 8 of `docs/claims.md`).

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextTables<'a> {
    /// Prefixes of files that are never tokenized (E-A03).
    pub encoding_marks: &'a [&'a [u8]],
    /// The replacement character of lossy decoding.
    pub replacement: char,
    /// A file is binary if `replacements * binary_denominator > scalars * binary_numerator`, and it
    /// has a scalar.
    pub binary_numerator: u64,
    pub binary_denominator: u64,
    /// The order of the tests of section 1.
    pub order: &'a [Skip],
    pub normal_form: NormalForm,
    /// A replacement after normalisation: from, to.
    pub newline: (&'a str, &'a str),
    /// Whether a text with fewer scalars than an n-gram counts as complete.
    pub short_is_complete: bool,
    pub folds: FoldTables,
    /// Default of `index_max_tokenized_bytes`.
    pub max_tokenized_bytes: u64,
    /// Default of `bloom_ngram_k`.
    pub ngram: u64,
}

/// Why a file is not tokenized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    TooLarge,
    Encoding,
    Binary,
}

/// A Unicode normal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormalForm {
    /// No normalisation.
    None,
    Nfc,
    Nfd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldTables {
    /// The first scalar that `ASCII` folds.
    pub ascii_first: char,
    /// The last scalar that `ASCII` folds.
    pub ascii_last: char,
    /// The distance to the folded scalar.
    pub ascii_offset: u32,
    /// Whether `UNICODE_SIMPLE` uses the rows of status C.
    pub simple_common: bool,
    /// Whether `UNICODE_SIMPLE` uses the rows of status S.
    pub simple_simple: bool,
    /// The fold of `Search`.
    pub search: Fold,
}

/// A casefold strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    Ascii,
    /// Unicode, one scalar to one.
    UnicodeSimple,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilterTables {
    /// Default of `bloom_target_fp_rate`.
    pub target_fp_rate: f64,
    /// Default of `bloom_hash_seed`.
    pub seed: u64,
    pub first_seed: u64,
    /// `n = floor(index_max_tokenized_bytes / basis_divisor)`.
    pub basis_divisor: u64,
    /// Rounding of m.
    pub bits_rounding: Rounding,
    /// Rounding of k_hashes.
    pub hashes_rounding: Rounding,
    /// Least k_hashes.
    pub hashes_minimum: u64,
    /// Number of the first probe.
    pub first_probe: u64,
    /// Arithmetic of `h1 + i·h2`.
    pub arithmetic: Arithmetic,
    pub bit_order: BitOrder,
    pub bits_per_byte: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Ceil,
    Floor,
    /// `floor(x + 0.5)`.
    HalfUp,
}

/// Width of intermediate results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    Wrapping64,
    /// Arbitrary precision.
    Exact,
}

/// The position of bit 0 in a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitOrder {
    LsbFirst,
    MsbFirst,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExclusionTables<'a> {
    /// N-grams with one of these are never needed.
    pub never_needed: &'a [char],
    /// Whether a pattern that normalisation would change excludes nothing.
    pub unstable_bypasses: bool,
    /// Whether a fuzzy request excludes nothing.
    pub fuzzy_bypasses: bool,
    /// Whether only `token_complete` files are excluded.
    pub needs_complete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionTables<'a> {
    /// Criteria of the next eviction, most important first.
    pub eviction: &'a [EvictionOrder],
    /// Criteria of the order of dirty entries, most important first.
    pub queue: &'a [QueueOrder],
    /// Maximum number of dirty entries.
    pub queue_limit: u64,
    /// Limits, and how they are compared.
    pub limits: &'a [LimitRow],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvictionOrder {
    OldestAccess,
    LargestSize,
    SmallestKeyHash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOrder {
    OldestSequence,
    PathBytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitRow {
    pub limit: Limit,
    /// Whether reaching the limit is allowed.
    pub inclusive: bool,
    /// Whether 0 means no limit.
    pub zero_is_none: bool,
}

/// The quantity of a limit (section 8).
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
