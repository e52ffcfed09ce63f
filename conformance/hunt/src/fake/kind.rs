//! The kinds of bugs.

/// Declares the kinds with their names.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// Which bug.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind { $($(#[$doc])* $variant,)+ }

        impl Kind {
            /// The kind of that name.
            pub fn of(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// All names.
            pub fn names() -> &'static [&'static str] {
                &[$($name),+]
            }
        }
    };
}

kinds! {
    /// No bug.
    None = "none",
    /// The last line shown of each file is missing.
    DropsLast = "drops-last",
    /// Spans are counted in characters.
    SpansInCharacters = "spans-in-characters",
    /// Only the first match of a line is reported.
    FirstSpanOnly = "first-span-only",
    /// Matches end one byte early where a multi-byte character follows.
    SpanEndsEarly = "span-ends-early",
    /// The first two lines of each file change places.
    ReordersLines = "reorders-lines",
    /// Sorted files come in another order.
    ReordersFiles = "reorders-files",
    /// A file ends at its first NUL.
    EndsAtNul = "ends-at-nul",
    /// One line too few behind a match.
    AfterTooFew = "after-too-few",
    /// One line too many before a match.
    BeforeTooMany = "before-too-many",
    /// Context goes on beyond `max_count`.
    ContextBeyondMax = "context-beyond-max",
    /// It ends with 0 whatever was found.
    StatusAlwaysFine = "status-always-fine",
    /// It ends with 1 although something was found.
    StatusNone = "status-none",
    /// The last record is torn.
    TornOutput = "torn-output",
    /// It waits for ever, on one haystack in a thousand.
    Hangs = "hangs",
    /// It prints for ever, on one haystack in a thousand.
    Floods = "floods",
    /// It dies, on one haystack in a thousand.
    Crashes = "crashes",
    /// It fails without need.
    FailsNow = "fails-now",
    /// A `B` is no `b` where case does not count.
    FoldsOneLetterWrongly = "folds-one-letter-wrongly",
    /// A last line without a line feed is not seen.
    ForgetsUnendedLine = "forgets-unended-line",
    /// A CR before LF is dropped.
    DropsCr = "drops-cr",
    /// A CR alone ends a line.
    CrEndsLine = "cr-ends-line",
    /// `max_count` is one less.
    StopsEarly = "stops-early",
    /// The last line is never selected where lines without a match are meant.
    InvertForgetsLast = "invert-forgets-last",
    /// `_` is no part of words for `-w`.
    UnderscoreEndsWord = "underscore-ends-word",
    /// Lines end at 64 KiB.
    CutsLongLines = "cuts-long-lines",
    /// An empty match is none.
    EmptyMatchLost = "empty-match-lost",
    /// Every line comes twice.
    Duplicates = "duplicates",
    /// A byte order mark is part of the first line.
    KeepsMark = "keeps-mark",
    /// A file whose name has other characters than letters, digits and dots is left out of walks.
    LosesOddNames = "loses-odd-names",
    /// What fails is nothing found.
    ErrorAsNone = "error-as-none",
    /// `count` counts matches.
    CountsMatches = "counts-matches",
    /// Files with a match are taken for those without.
    FilesInverted = "files-inverted",
    /// Only the first pattern counts.
    FirstPatternOnly = "first-pattern-only",
    /// Smart case is no case.
    SmartIsInsensitive = "smart-is-insensitive",
    /// `$` stands before a CR only without the option for it.
    CrlfForgotten = "crlf-forgotten",
    /// A whole line may end before its end.
    LinePrefixSuffices = "line-prefix-suffices",
    /// The text of a line has no trailing blanks.
    TrimsLines = "trims-lines",
    /// By the protocol: the answer is that of the ask before.
    Stale = "stale",
    /// By the protocol: the reply has another number.
    WrongId = "wrong-id",
    /// By the protocol: a field that nobody knows.
    UnknownField = "unknown-field",
    /// By the protocol: one haystack too few.
    OneAnswerShort = "one-answer-short",
    /// By the protocol: two replies to one ask.
    RepliesTwice = "replies-twice",
    /// By the protocol: it says that it failed.
    SaysItFailed = "says-it-failed",
}
