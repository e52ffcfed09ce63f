//! The flags of `forge-search search` that say what is printed.

use clap::{Args, ValueEnum};

use super::ripgrep::one_of;
use crate::args::Colour;

/// What is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct Output {
    /// Only paths of files with a match
    #[arg(short = 'l', long, overrides_with_all = SHOWN)]
    pub(crate) files_with_matches: bool,
    /// Only paths of the files that would be searched
    #[arg(long)]
    pub(crate) files: bool,
    /// Only paths of files without a match
    #[arg(long, overrides_with_all = SHOWN)]
    pub(crate) files_without_match: bool,
    /// Only how many lines match in each file that has some
    #[arg(short = 'c', long, overrides_with_all = SHOWN)]
    pub(crate) count: bool,
    /// Only how many matches there are in each file that has some
    #[arg(long, overrides_with_all = SHOWN)]
    pub(crate) count_matches: bool,
    /// Counts of files without a match, too
    #[arg(long)]
    pub(crate) include_zero: bool,
    /// Print nothing; the exit status tells
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,
    /// Only what matches, each match on a line
    #[arg(short = 'o', long)]
    pub(crate) only_matching: bool,
    /// Show matches replaced by this text; `$1` and `${name}` are groups
    #[arg(short = 'r', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) replace: Option<String>,
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
    #[arg(long, overrides_with = "no_column")]
    pub(crate) column: bool,
    #[arg(long, hide = true, overrides_with = "column")]
    pub(crate) no_column: bool,
    /// Show where each line starts (with -o: each match), in bytes from 0
    #[arg(short = 'b', long)]
    pub(crate) byte_offset: bool,
    /// Leave out white space at the start of lines
    #[arg(long)]
    pub(crate) trim: bool,
    /// Leave out lines that are longer than this many bytes; 0 for no limit
    #[arg(short = 'M', long, value_name = "N")]
    pub(crate) max_columns: Option<u64>,
    /// Show the start of such lines
    #[arg(long)]
    pub(crate) max_columns_preview: bool,
    /// Between the fields of a matching line, instead of `:`
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) field_match_separator: Option<String>,
    /// Between the fields of a line of context, instead of `-`
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) field_context_separator: Option<String>,
    /// Between parts of a file with context, instead of `--`
    #[arg(
        long,
        overrides_with = "no_context_separator",
        value_name = "TEXT",
        allow_hyphen_values = true
    )]
    pub(crate) context_separator: Option<String>,
    #[arg(long, hide = true, overrides_with = "context_separator")]
    pub(crate) no_context_separator: bool,
    /// Between the components of paths, instead of `/`
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) path_separator: Option<String>,
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
    /// Lines end with CR and LF, also those that are made up. `$` always matches before both
    #[arg(long)]
    pub(crate) crlf: bool,
    /// End each path with a NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// As on a terminal: colours, headings, line numbers
    #[arg(short = 'p', long)]
    pub(crate) pretty: bool,
    /// When to colour
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// A colour, as in `path:fg:blue`, `match:style:bold` or `line:none`
    #[arg(long, value_name = "SPEC")]
    pub(crate) colors: Vec<String>,
    /// The order of files: `path`, as ripgrep has it, or `none`, which is by path byte by byte
    #[arg(long, value_name = "ORDER", value_parser = one_of(&["path", "none"], ORDERS))]
    pub(crate) sort: Option<String>,
    /// The same as `--sort path`
    #[arg(long, hide = true)]
    pub(crate) sort_files: bool,
    /// Print figures about the search at the end
    #[arg(long)]
    pub(crate) stats: bool,
    /// Do not report files that cannot be read
    #[arg(long)]
    pub(crate) no_messages: bool,
    /// Write each file's lines at once
    #[arg(long)]
    pub(crate) line_buffered: bool,
    /// Matching lines after which the search ends; no limit unless given, but with --json=response
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_results: Option<u64>,
    /// Print JSON: ripgrep's events, or the response of `call Search` with --json=response
    #[arg(
        long,
        overrides_with_all = SHOWN,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "rg"
    )]
    pub(crate) json: Option<JsonForm>,
}

/// What can be shown instead of lines.
const SHOWN: [&str; 5] =
    ["files_with_matches", "files_without_match", "count", "count_matches", "json"];

const ORDERS: &str = "`path` and `none` are known; use rg for other orders";

/// Forms of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum JsonForm {
    /// One object, as `call Search` prints it
    Response,
    /// An event a line, as ripgrep prints them
    Rg,
}
