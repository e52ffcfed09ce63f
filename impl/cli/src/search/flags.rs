//! The flags of `forge-search search`: what is looked for, and in which files. What is printed:
//! `output`. Which flags of ripgrep there are, and what differs: `ripgrep`.

use std::{ffi::OsString, path::PathBuf};

use clap::{ArgAction, Args};

use super::{
    output::Output,
    ripgrep::{Idles, one_of},
};

/// What is looked for, where, and how it is shown.
#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub(crate) struct Search {
    /// What to look for: a regular expression, or a literal with -F; a PATH if there is a -e
    #[arg(required_unless_present_any = ["regexp", "file", "files", "type_list"])]
    pub(crate) pattern: Option<OsString>,
    /// Where to look; added to the roots. `-` is standard input. If none is given: standard input
    /// if that is a pipe or a file, else the current directory
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// What to look for; lines that match one of several. May begin with a hyphen
    #[arg(short = 'e', long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) regexp: Vec<String>,
    /// Read patterns from a file, one a line; `-` is standard input
    #[arg(short = 'f', long, value_name = "FILE", allow_hyphen_values = true)]
    pub(crate) file: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) matching: Matching,
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) idles: Idles,
}

impl Search {
    /// Standard input holds patterns, not text to search.
    pub(crate) fn reads_patterns_from_stdin(&self) -> bool {
        self.file.iter().any(|file| file.as_os_str() == "-")
    }
}

/// Which lines match.
#[derive(Debug, Args)]
#[command(next_help_heading = "Matching")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct Matching {
    /// Take patterns literally
    #[arg(short = 'F', long)]
    pub(crate) fixed_strings: bool,
    /// Only whole words
    #[arg(short = 'w', long, overrides_with = "line_regexp")]
    pub(crate) word_regexp: bool,
    /// Only whole lines
    #[arg(short = 'x', long, overrides_with = "word_regexp")]
    pub(crate) line_regexp: bool,
    /// Lines that do not match
    #[arg(short = 'v', long)]
    pub(crate) invert_match: bool,
    /// Letters in either case
    #[arg(short = 'i', long, overrides_with_all = ["case_sensitive", "smart_case"])]
    pub(crate) ignore_case: bool,
    /// Letters as they are, which is the default
    #[arg(short = 's', long, overrides_with_all = ["ignore_case", "smart_case"])]
    pub(crate) case_sensitive: bool,
    /// Letters in either case, unless a pattern has a capital
    #[arg(short = 'S', long, overrides_with_all = ["ignore_case", "case_sensitive"])]
    pub(crate) smart_case: bool,
    /// Tolerate this many edits in a literal (1 to 4)
    #[arg(long, value_name = "N", conflicts_with_all = ["invert_match", "line_regexp"])]
    pub(crate) fuzzy: Option<u64>,
    /// Matching lines of one file after which it is left
    #[arg(short = 'm', long, value_name = "N", alias = "max-matches-per-file")]
    pub(crate) max_count: Option<u64>,
    /// Expressions: the only engine is `default`
    #[arg(long, hide = true, value_parser = one_of(&["default", "auto"], NO_PCRE2))]
    pub(crate) engine: Option<String>,
}

const NO_PCRE2: &str = "there is no PCRE2 here; use rg for look-around and back-references";
const ENCODINGS: &str = "text is UTF-8, or UTF-16 with a byte-order mark; use rg for others";

/// Which files are searched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
#[expect(
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    reason = "flags of a command line"
)]
pub(crate) struct Files {
    /// Files matching this glob, or not matching it if it starts with `!`; the last one that
    /// matches counts
    #[arg(short = 'g', long, value_name = "GLOB", allow_hyphen_values = true)]
    pub(crate) glob: Vec<String>,
    /// The same, letters in either case
    #[arg(long, value_name = "GLOB")]
    pub(crate) iglob: Vec<String>,
    /// All globs: letters in either case
    #[arg(long)]
    pub(crate) glob_case_insensitive: bool,
    /// No files matching this glob; the same as `-g '!GLOB'`
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Files of this type; --type-list has them all
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// No files of this type
    #[arg(short = 'T', long, value_name = "TYPE")]
    pub(crate) type_not: Vec<String>,
    /// Add a glob to a type, as in `web:*.html`
    #[arg(long, value_name = "TYPE:GLOB")]
    pub(crate) type_add: Vec<String>,
    /// Forget the globs of a type
    #[arg(long, value_name = "TYPE")]
    pub(crate) type_clear: Vec<String>,
    /// Print the types, with their globs
    #[arg(long)]
    pub(crate) type_list: bool,
    /// Names that start with a dot, too
    #[arg(short = '.', long)]
    pub(crate) hidden: bool,
    /// Disregard ignore files
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Disregard `.ignore` files
    #[arg(long)]
    pub(crate) no_ignore_dot: bool,
    /// Disregard `.git/info/exclude`
    #[arg(long)]
    pub(crate) no_ignore_exclude: bool,
    /// Disregard --ignore-file
    #[arg(long)]
    pub(crate) no_ignore_files: bool,
    /// Disregard the ignore files that configuration names for all trees
    #[arg(long)]
    pub(crate) no_ignore_global: bool,
    /// Disregard ignore files of directories above PATH
    #[arg(long)]
    pub(crate) no_ignore_parent: bool,
    /// Disregard all ignore files of git, but not `.ignore`
    #[arg(long)]
    pub(crate) no_ignore_vcs: bool,
    /// One more ignore file, weaker than those of the tree; its globs start at the current directory
    #[arg(long, value_name = "FILE")]
    pub(crate) ignore_file: Vec<PathBuf>,
    /// -u disregards ignore files, -uu searches hidden files as well
    #[arg(short = 'u', long, action = ArgAction::Count)]
    pub(crate) unrestricted: u8,
    /// Follow symlinks that stay inside the roots
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// Only direct children of the directory
    #[arg(long)]
    pub(crate) no_recursive: bool,
    /// How deep to go: 1 for the files of a directory, 2 for those of its directories, too
    #[arg(short = 'd', long, visible_alias = "maxdepth", value_name = "N")]
    pub(crate) max_depth: Option<u64>,
    /// Search binary files as if they were text
    #[arg(short = 'a', long)]
    pub(crate) text: bool,
    /// Files are not unpacked; the number of compressed ones is printed
    #[arg(short = 'z', long, hide = true)]
    pub(crate) search_zip: bool,
    #[arg(short = 'E', long, hide = true, value_parser = one_of(&["auto", "utf-8", "utf8"], ENCODINGS))]
    pub(crate) encoding: Option<String>,
    /// Files to look at
    #[arg(long, value_name = "N")]
    pub(crate) max_files: Option<u64>,
    /// Skip larger files: bytes, or with K, M or G
    #[arg(long, value_name = "N[K|M|G]", alias = "max-file-size", value_parser = bytes)]
    pub(crate) max_filesize: Option<u64>,
    /// Deadline in milliseconds; none unless given
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub(crate) timeout_ms: Option<u64>,
}

/// Largest file that may be asked for, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// A number of bytes as ripgrep reads it.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.split_at_checked(text.len().saturating_sub(1)) {
        Some((digits, "K")) => (digits, 10),
        Some((digits, "M")) => (digits, 20),
        Some((digits, "G")) => (digits, 30),
        _ => (text, 0),
    };
    let wrong = || format!("give 1 to {MAX_FILE_BYTES} bytes, as in 500000, 80K, 32M or 1G");
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(wrong)?;
    if (1..=MAX_FILE_BYTES).contains(&bytes) { Ok(bytes) } else { Err(wrong()) }
}
