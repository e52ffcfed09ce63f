//! The flags of `forge-search search`: ripgrep's names for what this search can do
//! (docs/cli.md has the table, with what differs).

use std::{ffi::OsString, path::PathBuf};

use clap::{ArgAction, Args, ValueEnum};

use crate::args::Colour;

/// What is looked for, where, and how it is shown.
#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub(crate) struct Search {
    /// What to look for: a regular expression, or a literal with -F; a PATH if there is a -e
    #[arg(required_unless_present_any = ["patterns", "type_list"])]
    pub(crate) pattern: Option<OsString>,
    /// Where to look; added to the roots. The current directory if none is given
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// What to look for; lines that match one of several. May begin with a hyphen
    #[arg(short = 'e', long = "regexp", value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) matching: Matching,
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) output: Output,
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
}

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
    /// Print the types, with their globs
    #[arg(long)]
    pub(crate) type_list: bool,
    /// Names that start with a dot, too
    #[arg(short = '.', long)]
    pub(crate) hidden: bool,
    /// Disregard ignore files
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// -u disregards ignore files, -uu searches hidden files as well
    #[arg(short = 'u', long, action = ArgAction::Count)]
    pub(crate) unrestricted: u8,
    /// Follow symlinks that stay inside the roots
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// Only direct children of the directory
    #[arg(long)]
    pub(crate) no_recursive: bool,
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

/// What is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct Output {
    /// Only paths of files with a match
    #[arg(short = 'l', long, overrides_with_all = SHOWN)]
    pub(crate) files_with_matches: bool,
    /// Only paths of files without a match
    #[arg(long, overrides_with_all = SHOWN)]
    pub(crate) files_without_match: bool,
    /// Only how many lines match in each file that has some
    #[arg(short = 'c', long, overrides_with_all = SHOWN)]
    pub(crate) count: bool,
    /// Only how many matches there are in each file that has some
    #[arg(long, overrides_with_all = SHOWN)]
    pub(crate) count_matches: bool,
    /// Print nothing; the exit status tells
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,
    /// Only what matches, each match on a line
    #[arg(short = 'o', long)]
    pub(crate) only_matching: bool,
    /// Lines of context after each match
    #[arg(short = 'A', long, value_name = "N")]
    pub(crate) after_context: Option<u32>,
    /// Lines of context before each match
    #[arg(short = 'B', long, value_name = "N")]
    pub(crate) before_context: Option<u32>,
    /// Lines of context on each side
    #[arg(short = 'C', long, value_name = "N")]
    pub(crate) context: Option<u32>,
    /// Show line numbers, as on a terminal
    #[arg(short = 'n', long, overrides_with = "no_line_number")]
    pub(crate) line_number: bool,
    /// Do not, as in a pipe
    #[arg(short = 'N', long, overrides_with = "line_number")]
    pub(crate) no_line_number: bool,
    /// Show the column of the first match, in bytes from 1
    #[arg(long)]
    pub(crate) column: bool,
    /// Each match on a line of its own, with line and column
    #[arg(long)]
    pub(crate) vimgrep: bool,
    /// Paths above the lines of their files, as on a terminal
    #[arg(long, overrides_with = "no_heading")]
    pub(crate) heading: bool,
    /// Paths on each line, as in a pipe
    #[arg(long, overrides_with = "heading")]
    pub(crate) no_heading: bool,
    /// Show paths, also if one file is searched
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub(crate) with_filename: bool,
    /// Show no paths
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    pub(crate) no_filename: bool,
    /// End each path with a NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// As on a terminal: colours, headings, line numbers
    #[arg(short = 'p', long)]
    pub(crate) pretty: bool,
    /// When to colour
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// Matching lines after which the search ends; no limit unless given, but with --json
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_results: Option<u64>,
    /// Print JSON: the response of `call Search`, or ripgrep's events with --json=rg
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "response"
    )]
    pub(crate) json: Option<JsonForm>,
}

/// What can be shown instead of lines.
const SHOWN: [&str; 4] = ["files_with_matches", "files_without_match", "count", "count_matches"];

/// Forms of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum JsonForm {
    /// One object, as `call Search` prints it
    Response,
    /// An event a line, as ripgrep prints them
    Rg,
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
