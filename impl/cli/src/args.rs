//! Options that several forms of call share, and the forms that are long.

use std::path::PathBuf;

use clap::{Args as Group, Subcommand, ValueEnum};
use forge_search_engine::Profile;

/// What every form of call shares.
#[derive(Debug, Group)]
pub(crate) struct Common {
    /// A directory that may be searched; repeatable. The current directory if none is given
    #[arg(long = "root", value_name = "DIR", global = true)]
    pub(crate) roots: Vec<PathBuf>,
    /// Configuration file, instead of `forge-search/config.toml` in the user's configuration
    /// directory
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// What configuration starts from
    #[arg(long, value_enum, default_value_t = PresetName::Agent, global = true)]
    pub(crate) preset: PresetName,
}

/// Names of presets.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PresetName {
    /// Enabled, with caps that leave ordinary trees complete
    Agent,
    /// The documents' defaults: disabled until configuration enables it, low caps
    Documents,
}

/// Which tools there are, under which names.
#[derive(Clone, Copy, Debug, Group)]
pub(crate) struct Names {
    /// A set of tools; `default` if a server is started, else `all`
    #[arg(long, value_enum)]
    pub(crate) profile: Option<ProfileName>,
}

impl Names {
    /// The profile that was asked for, else this one.
    pub(crate) fn profile_or(self, usual: Profile) -> Profile {
        self.profile.map_or(usual, |name| match name {
            ProfileName::Default => Profile::Default,
            ProfileName::All => Profile::All,
            ProfileName::Forge => Profile::Forge,
            ProfileName::Acode => Profile::Acode,
        })
    }
}

/// Names of profiles.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProfileName {
    /// grep, search_text, find_files and keyword_search, in few words
    Default,
    /// All tools, under distinct names
    All,
    /// Search, search_files over contents, and keyword_search
    Forge,
    /// grep, search_files over paths, and search_text
    Acode,
}

/// How long the answer of a tool may be that keeps its answer within bounds (`search_files`).
#[derive(Clone, Copy, Debug, Group)]
pub(crate) struct Budget {
    /// Most bytes of the answer; what configuration says if absent
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_output_bytes: Option<u64>,
    /// Bytes that its reader has room for; the smaller of the two counts
    #[arg(long, value_name = "BYTES")]
    pub(crate) available_capacity: Option<u64>,
}

/// What can be done with indexes.
#[derive(Debug, Subcommand)]
pub(crate) enum Index {
    /// Say how they stand
    Status {
        /// Print JSON instead
        #[arg(long)]
        json: bool,
    },
    /// Build them, or bring them up to date, and store them
    Build,
    /// Keep them up to date until interrupted; prints a line whenever their state changes
    Watch,
    /// Compare them with the files: 0 no findings, 1 findings, 2 an error
    Verify,
    /// Write one file's filter, as the documents define it
    Export {
        /// A file in an index
        path: String,
        /// Letters as they are, or folded
        #[arg(long, value_enum)]
        variant: VariantName,
        /// Where to write it
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Remove what is stored of them
    Clear,
}

/// Names of filter variants.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum VariantName {
    /// Letters as they are
    Sensitive,
    /// Letters folded
    Insensitive,
}

/// The human form of a `Search` request.
#[derive(Debug, Group)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct Search {
    /// What to look for: a regular expression, or a literal with -F; PATH if there is a -e
    #[arg(required_unless_present = "patterns")]
    pub(crate) pattern: Option<String>,
    /// Where to look; added to the roots
    pub(crate) path: Option<PathBuf>,
    /// What to look for; lines that match one of several. May begin with a hyphen
    #[arg(short = 'e', long = "regexp", value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) patterns: Vec<String>,
    /// Take the pattern literally
    #[arg(short = 'F', long)]
    pub(crate) fixed_strings: bool,
    /// Only whole words
    #[arg(short = 'w', long)]
    pub(crate) word_regexp: bool,
    /// Fold ASCII letters
    #[arg(short = 'i', long, conflicts_with = "case_sensitive")]
    pub(crate) ignore_case: bool,
    /// Do not fold, even if the pattern has no capital
    #[arg(short = 's', long)]
    pub(crate) case_sensitive: bool,
    /// Lines of context on each side
    #[arg(short = 'C', long, value_name = "N")]
    pub(crate) context: Option<u64>,
    /// Only files matching this glob; repeatable
    #[arg(short = 'g', long = "glob", value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// No files matching this glob; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Search names that start with a dot, too
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Disregard ignore files
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Follow symlinks that stay inside the roots
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// Only direct children of the directory
    #[arg(long)]
    pub(crate) no_recursive: bool,
    /// Tolerate this many edits in a literal (1 to 4)
    #[arg(long, value_name = "N")]
    pub(crate) fuzzy: Option<u64>,
    /// Stop after this many events
    #[arg(short = 'm', long, value_name = "N")]
    pub(crate) max_results: Option<u64>,
    /// Matching lines per file
    #[arg(long, value_name = "N")]
    pub(crate) max_matches_per_file: Option<u64>,
    /// Files to look at
    #[arg(long, value_name = "N")]
    pub(crate) max_files: Option<u64>,
    /// Skip larger files, in bytes
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_file_size: Option<u64>,
    /// Deadline in milliseconds
    #[arg(long, value_name = "MS")]
    pub(crate) timeout_ms: Option<u64>,
    /// Print the JSON response instead
    #[arg(long)]
    pub(crate) json: bool,
    /// When to colour
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
}

/// When to colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal
    Auto,
    Always,
    Never,
}
