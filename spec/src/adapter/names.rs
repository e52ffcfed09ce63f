//! Closed lists of names: kinds of answers, compared aspects, features of questions, declared
//! differences.

use serde::{Deserialize, Serialize};

macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$doc])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

names! {
    /// A kind of answer.
    Show {
        Lines = "lines",
        Spans = "spans",
        /// Number of selected lines of each file.
        Count = "count",
        /// Files with a selected line.
        Files = "files",
        /// Files without one.
        FilesWithout = "files_without",
    }
}

names! {
    /// An aspect in which answers are compared.
    Aspect {
        Files = "files",
        /// The numbers of selected lines.
        Lines = "lines",
        /// The text of shown lines.
        Text = "text",
        /// The bytes that match.
        Spans = "spans",
        /// The context lines.
        Context = "context",
        Count = "count",
        /// The order of files.
        Order = "order",
        Status = "status",
    }
}

names! {
    /// A feature of a question.
    Feature {
        /// The program finds the files itself.
        Walk = "walk",
        Hidden = "hidden",
        /// Ignore files are disregarded.
        NoIgnore = "no_ignore",
        /// The tree has ignore files.
        IgnoreFiles = "ignore_files",
        Globs = "globs",
        Follow = "follow",
        /// The tree has symbolic links.
        Links = "links",
        /// Directories to begin at are named.
        Roots = "roots",
        MaxFilesize = "max_filesize",
        MaxDepth = "max_depth",
        Sort = "sort",
        Invert = "invert",
        MaxCount = "max_count",
        Before = "before",
        After = "after",
        Word = "word",
        Line = "line",
        Insensitive = "insensitive",
        /// Insensitive unless the pattern has a capital.
        Smart = "smart",
        /// CR LF ends a line.
        Crlf = "crlf",
        Mmap = "mmap",
        NoMmap = "no_mmap",
        /// More than one pattern.
        Several = "several",
        /// UTF-16 with its byte order mark.
        Utf16 = "utf16",
        /// UTF-8 with its byte order mark.
        Bom = "bom",
        Nul = "nul",
        InvalidUtf8 = "invalid_utf8",
        Cr = "cr",
        /// A file that is named and cannot be read, or is not there.
        Inaccessible = "inaccessible",
        /// Longer than a buffer: 64 KiB.
        Long = "long",
        /// Non-ASCII letters in a haystack.
        NonAscii = "non_ascii",
        /// Non-ASCII letters in a pattern.
        NonAsciiPattern = "non_ascii_pattern",
        InlineFlags = "inline_flags",
        /// `\b` and the like.
        Boundary = "boundary",
        /// `\pL` and the like.
        Property = "property",
        /// `\w \d \s` and their complements.
        PerlClass = "perl_class",
        /// `[^…]` and the complements.
        NegatedClass = "negated_class",
        Lazy = "lazy",
        /// `{m,n}`.
        Bounded = "bounded",
        /// `\A` or `\z`.
        TextAnchor = "text_anchor",
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
        /// A literal.
        Fixed = "fixed",
        /// Any other regular expression.
        Regex = "regex",
    }
}

impl Feature {
    /// Whether it is an option, which an adapter supports or not.
    pub fn is_option(self) -> bool {
        self <= Self::NoMmap && !matches!(self, Self::IgnoreFiles | Self::Links | Self::Roots)
            || matches!(self, Self::Several | Self::Fixed)
    }

    /// Whether it is a property of haystacks rather than of questions.
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
