//! Closed lists of names: what is asked for, in what answers differ, what questions have, which
//! differences are declared.

use serde::{Deserialize, Serialize};

/// A closed list of names.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$doc])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

names! {
    /// What is asked for.
    Show {
        /// Selected lines and their context.
        Lines = "lines",
        /// Every match.
        Spans = "spans",
        /// Selected lines of each file, counted.
        Count = "count",
        /// Files with a selected line.
        Files = "files",
        /// Files without one.
        FilesWithout = "files_without",
    }
}

names! {
    /// In what an answer can differ.
    Aspect {
        /// Which files.
        Files = "files",
        /// Which lines are selected, by number.
        Lines = "lines",
        /// What stands in the lines shown.
        Text = "text",
        /// Which bytes matched.
        Spans = "spans",
        /// Which lines are shown as context.
        Context = "context",
        /// How many.
        Count = "count",
        /// In which order the files come.
        Order = "order",
        /// The exit status.
        Status = "status",
    }
}

names! {
    /// Something a question has.
    Feature {
        /// The program finds the files itself.
        Walk = "walk",
        /// Hidden files too.
        Hidden = "hidden",
        /// Ignore files are not heeded.
        NoIgnore = "no_ignore",
        /// Ignore files are there.
        IgnoreFiles = "ignore_files",
        /// Globs for names.
        Globs = "globs",
        /// Symbolic links are followed.
        Follow = "follow",
        /// Symbolic links are there.
        Links = "links",
        /// Larger files are left out.
        MaxFilesize = "max_filesize",
        /// Deeper files are left out.
        MaxDepth = "max_depth",
        /// Files come in order.
        Sort = "sort",
        /// Lines without a match.
        Invert = "invert",
        /// At most so many lines.
        MaxCount = "max_count",
        /// Lines before.
        Before = "before",
        /// Lines after.
        After = "after",
        /// Whole words.
        Word = "word",
        /// Whole lines.
        Line = "line",
        /// Capitals are small letters.
        Insensitive = "insensitive",
        /// The same unless the pattern has a capital.
        Smart = "smart",
        /// CR LF is a line's end.
        Crlf = "crlf",
        /// Files are mapped.
        Mmap = "mmap",
        /// Files are not mapped.
        NoMmap = "no_mmap",
        /// More than one pattern.
        Several = "several",
        /// UTF-16 behind its mark.
        Utf16 = "utf16",
        /// UTF-8 behind its mark.
        Bom = "bom",
        /// A NUL.
        Nul = "nul",
        /// Bytes that are not UTF-8.
        InvalidUtf8 = "invalid_utf8",
        /// A CR.
        Cr = "cr",
        /// Longer than a buffer: 64 KiB.
        Long = "long",
        /// Letters beyond ASCII in a haystack.
        NonAscii = "non_ascii",
        /// Letters beyond ASCII in a pattern.
        NonAsciiPattern = "non_ascii_pattern",
        /// Flags inside the pattern.
        InlineFlags = "inline_flags",
        /// `\b` and its kin.
        Boundary = "boundary",
        /// `\pL` and its kin.
        Property = "property",
        /// `\w \d \s` and their complements.
        PerlClass = "perl_class",
        /// `[^…]` and the complements.
        NegatedClass = "negated_class",
        /// As few as possible.
        Lazy = "lazy",
        /// `{m,n}`.
        Bounded = "bounded",
        /// `^` or `$`.
        Anchor = "anchor",
        /// A pattern that matches the empty text.
        EmptyMatch = "empty_match",
        /// `a|b`.
        Alternation = "alternation",
        /// `*`, `+`, `?`.
        Repetition = "repetition",
        /// `[…]` or `.`.
        Class = "class",
        /// A literal, told to be one.
        Fixed = "fixed",
        /// Any other regular expression.
        Regex = "regex",
    }
}

impl Feature {
    /// Whether it is an option, which an adapter asks for or cannot.
    pub fn is_option(self) -> bool {
        self <= Self::NoMmap && !matches!(self, Self::IgnoreFiles | Self::Links)
            || matches!(self, Self::Several | Self::Fixed)
    }

    /// Whether haystacks have it, not asks.
    pub fn is_content(self) -> bool {
        Self::Utf16 <= self && self <= Self::NonAscii
    }
}

names! {
    /// A difference without an exact rule.
    Difference {
        /// Complements of classes match the line feed, so that lines are joined.
        ComplementsJoinLines = "complements_join_lines",
        /// `$` and the like near a CR.
        AnchorNearCr = "anchor_near_cr",
        /// Spans of patterns that are not plain literals.
        SpansNotFirst = "spans_not_first",
        /// Boundaries next to characters beyond ASCII.
        BoundaryBeyondAscii = "boundary_beyond_ascii",
        /// Case of characters beyond ASCII.
        CaseBeyondAscii = "case_beyond_ascii",
        /// Patterns on bytes that are not UTF-8.
        PatternsOnInvalidUtf8 = "patterns_on_invalid_utf8",
        /// Context after the last line that `max_count` allows.
        ContextAfterMax = "context_after_max",
        /// Empty matches.
        EmptyMatches = "empty_matches",
        /// Lines around a NUL.
        LinesWithNul = "lines_with_nul",
        /// A rule that takes back what another ignores (`!name`) also brings hidden files back.
        HiddenBroughtBack = "hidden_brought_back",
        /// Patterns see bytes where there are characters beyond ASCII.
        CharactersAreBytes = "characters_are_bytes",
    }
}
