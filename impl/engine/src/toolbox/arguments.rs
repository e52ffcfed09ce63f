//! A call's request before it is read: whoever speaks a protocol reads it into the tool's own type.

use forge_search_core::{
    ToolError,
    agent::{Defaults, find_files, grep, keyword, search_text},
    request::{self, Limits},
    search_files::{self, Caps},
};

/// The request of one call in the form of some protocol. One of its functions is called, after the
/// tool is known and before anything is searched; the error is that of the first field that is
/// wrong.
pub trait Arguments {
    /// What is searched for, if that can be told without reading all; for the log.
    fn query(&self) -> Option<&str>;

    /// About how much memory it takes, in bytes.
    fn bytes(&self) -> u64;

    /// As a request of `Search`.
    fn search(&self, limits: &Limits) -> Result<request::Request, ToolError>;

    /// As a request of `search_files`; `can_fuzzy` is whether the configured backend has mode
    /// fuzzy.
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

    /// As a request of `keyword_search`; `terms_from_query` is whether it can be without terms.
    fn keyword_search(
        &self,
        defaults: &Defaults,
        terms_from_query: bool,
    ) -> Result<keyword::Request, ToolError>;
}
