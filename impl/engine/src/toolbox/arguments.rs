//! The arguments of a call before they are parsed. Each protocol implements this trait.

use forge_search_core::{
    ToolError,
    agent::{Defaults, find_files, grep, keyword, search_text},
    request::{self, Limits},
    search_files::{self, Caps},
};

use crate::config::KeywordConfig;

/// The arguments of one call, in the form of some protocol. One of its functions is called, after
/// the tool is known and before the search. The error is that of the first wrong field.
pub trait Arguments {
    /// The query, if it can be read without parsing all; for the log.
    fn query(&self) -> Option<&str>;

    /// Approximate size in memory, in bytes.
    fn bytes(&self) -> u64;

    /// As a request of `Search`.
    fn search(&self, limits: &Limits) -> Result<request::Request, ToolError>;

    /// As a request of `search_files`; `can_fuzzy`: the configured backend supports mode `fuzzy`.
    fn search_files(
        &self,
        caps: &Caps,
        can_fuzzy: bool,
    ) -> Result<search_files::Request, ToolError>;

    /// As a request of `search_text`.
    fn search_text(&self, defaults: &Defaults) -> Result<search_text::Request, ToolError>;

    /// As a request of `grep`.
    fn grep(&self, defaults: &Defaults) -> Result<grep::Request, ToolError>;

    /// As a request of the path search.
    fn find_files(&self, defaults: &Defaults) -> Result<find_files::Request, ToolError>;

    /// As a request of `keyword_search`, where `config` says what a field that is absent means.
    fn keyword_search(
        &self,
        defaults: &Defaults,
        config: &KeywordConfig,
    ) -> Result<keyword::Request, ToolError>;
}
