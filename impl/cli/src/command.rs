//! The command line's shape: which forms of call there are.

use std::path::PathBuf;

use clap::{
    CommandFactory as _, Parser, Subcommand,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use clap_complete::Shell;

use crate::{
    args::{Budget, Common, Index, Names},
    clients::Client,
    keyword::Keyword,
    metrics::Watch,
    search::flags::Search,
    stats::Stats,
};

/// Deterministic code search for agents and people.
#[derive(Debug, Parser)]
#[command(name = "forge-search", version, about)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A form of call.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Call a tool with a JSON request; prints one JSON object
    Call {
        /// Tool name or alias
        tool: String,
        /// The request, or `-` to read it from standard input
        request: String,
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        budget: Budget,
    },
    /// Print the definitions of the tools, a JSON array
    Tools {
        #[command(flatten)]
        names: Names,
    },
    /// Serve the tools to an agent over the Model Context Protocol, on standard input and output
    Mcp {
        /// Say what to add to a client's configuration, instead of serving
        #[arg(long, value_enum, value_name = "CLIENT")]
        install: Option<Client>,
        /// Add it
        #[arg(long, requires = "install")]
        write: bool,
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        watch: Watch,
    },
    /// Search and print matching lines
    Search(Box<Search>),
    /// Find files by concept: grep for terms, rank the files, let a language model choose among
    /// them
    Keyword(Keyword),
    /// Look after the indexes of the roots
    Index {
        #[command(subcommand)]
        command: Index,
    },
    /// Print the figures of servers: calls, results, errors, rate-limit hits, percentiles of the
    /// time they took
    Stats(Stats),
    /// Look at configuration, roots, backend, index and clients, and say what to mend
    Doctor,
    /// Print completions of the command line for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page
    Man {
        /// Write it, and a page for each command, into this directory
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// What flags of ripgrep and grep that are not taken here are for, and what does it.
const ELSEWHERE: [(&[&str], &str); 16] = [
    (
        &["-U", "--multiline", "--multiline-dotall"],
        "lines are searched one by one; rg -U finds matches over several lines",
    ),
    (
        &["-P", "--pcre2", "--engine", "--auto-hybrid-regex"],
        "there is no look-around and no back-reference here; rg -P has them",
    ),
    (&["-r", "--replace", "--passthru"], "nothing is replaced here; rg -r prints replaced lines"),
    (&["-a", "--text", "--binary"], "binary files are not searched; rg -a searches them"),
    (
        &["-z", "--search-zip", "--pre", "--pre-glob"],
        "archives are not unpacked, and no program is run; rg -z and rg --pre do it",
    ),
    (
        &["-E", "--encoding"],
        "text is UTF-8, or UTF-16 with a byte-order mark; rg -E reads other encodings",
    ),
    (&["-f", "--file"], "give patterns by -e, which may be repeated; rg -f reads them from a file"),
    (
        &["--files"],
        "to find files by name: forge-search call find_files '{\"pattern\": \"*.rs\"}'; rg --files \
         lists all",
    ),
    (&["--sort", "--sortr"], "results are sorted by path, always; rg --sort has other orders"),
    (&["-j", "--threads"], "the number of threads is configured: threads in [tools.search]"),
    (
        &["-d", "--max-depth", "--maxdepth"],
        "--no-recursive searches direct children only; rg -d has other depths",
    ),
    (
        &["--stats", "--debug", "--trace"],
        "--json=rg ends with figures, and --json has `stats`; forge-search doctor shows the setup",
    ),
    (
        &["--crlf", "--null-data", "--no-unicode"],
        "lines end at LF, or at CR and LF, in Unicode; rg has the flag",
    ),
    (
        &["-b", "--byte-offset", "--trim", "-M", "--max-columns", "--max-columns-preview"],
        "lines are printed as they are; --json=rg has byte offsets, rg the flag",
    ),
    (
        &[
            "--no-ignore-vcs",
            "--no-ignore-parent",
            "--no-ignore-dot",
            "--no-ignore-exclude",
            "--no-ignore-global",
            "--no-ignore-files",
            "--ignore-file",
            "--ignore-file-case-insensitive",
            "--no-require-git",
        ],
        "ignore files count all or, with --no-ignore, not at all; global_ignore_files in \
         [tools.search] names more; rg has the flag",
    ),
    (
        &[
            "--mmap",
            "--no-mmap",
            "--line-buffered",
            "--block-buffered",
            "--colors",
            "--context-separator",
            "--field-match-separator",
            "--field-context-separator",
            "--path-separator",
            "--include-zero",
            "--one-file-system",
            "--no-config",
            "--no-messages",
            "--regex-size-limit",
            "--dfa-size-limit",
            "--glob-case-insensitive",
            "--type-clear",
        ],
        "there is nothing like it here; rg has it",
    ),
];

impl Args {
    /// The arguments of this process. Ends it if they are wrong, or ask for help.
    pub(crate) fn of_process() -> Self {
        Self::try_parse().unwrap_or_else(|error| with_way_out(error).exit())
    }
}

/// The error, with what does the work of a flag that is not taken.
fn with_way_out(error: Error) -> Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    // Only `search` has flags that people know from elsewhere.
    let searches = std::env::args_os().any(|word| word == "search");
    let advice = ELSEWHERE.iter().find(|(flags, _)| searches && flags.contains(&flag.as_str()));
    match advice {
        Some((_, advice)) if error.kind() == ErrorKind::UnknownArgument => Args::command()
            .error(ErrorKind::UnknownArgument, format!("unexpected argument '{flag}': {advice}")),
        _ => error,
    }
}
