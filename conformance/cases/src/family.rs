//! The names of the tools, and which of them share a form of request and answer.

/// The default tool of a case.
pub const DEFAULT_TOOL: &str = "Search";

/// The tool with its own configuration table and a context.
pub const FILES_TOOL: &str = "search_files";

/// The tools of document 004, which share a configuration table.
pub const AGENT_TOOLS: [&str; 3] = ["find_files", "grep", "search_text"];

/// The tool of document 002, which may ask a language model.
pub const KEYWORD_TOOL: &str = "keyword_search";

/// Tools that share one form of request and answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// `Search` of document 000, under any name.
    Search,
    /// `search_files` of document 001.
    Files,
    /// The agent's tools of document 004.
    Agent,
    /// `keyword_search` of document 002.
    Keyword,
}

impl Family {
    pub const ALL: [Self; 4] = [Self::Search, Self::Files, Self::Agent, Self::Keyword];

    /// The family of a tool; that of `Search` for names that no tool has.
    pub fn of(tool: &str) -> Self {
        match tool {
            FILES_TOOL => Self::Files,
            KEYWORD_TOOL => Self::Keyword,
            name if AGENT_TOOLS.contains(&name) => Self::Agent,
            _ => Self::Search,
        }
    }
}
