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

/// When to colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal
    Auto,
    Always,
    Never,
    /// Always
    Ansi,
}
