//! The tools of each profile, and their names (D9; docs/agent-tools.md, section 1).

use forge_search_core::{
    ToolError,
    agent::{
        Refusal, find_files, find_files_definition, grep, grep_definition, keyword, search_text,
        search_text_definition,
    },
    request::{self, NAMES},
    search_files,
    tool::{Profile, ToolDefinition},
};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Search,
    Contents,
    Text,
    Grep,
    Paths,
    Keyword,
}

/// The tools of a profile, sorted by name in byte order. `terms_from_query`: `keyword_search`
/// derives its terms itself.
pub(super) fn tools(profile: Profile, terms_from_query: bool) -> Vec<(Tool, ToolDefinition)> {
    let search = || (Tool::Search, request::definition());
    let contents = || (Tool::Contents, search_files::definition());
    let text = || (Tool::Text, search_text_definition());
    let keyword = || (Tool::Keyword, keyword::definition(terms_from_query));
    let lines = || (Tool::Grep, grep_definition());
    let paths = || (Tool::Paths, find_files_definition());
    let mut tools = match profile {
        Profile::Default => {
            // Annotations that every conversation would pay for.
            let briefly = |(tool, definition)| {
                (tool, ToolDefinition { output_schema: Value::Null, ..definition })
            };
            [text(), lines(), paths(), keyword()].map(briefly).into()
        }
        Profile::All => vec![search(), contents(), text(), lines(), paths(), keyword()],
        Profile::Forge => vec![search(), contents(), keyword()],
        Profile::Acode => {
            let paths = ToolDefinition { name: search_files::NAME, ..find_files_definition() };
            vec![text(), lines(), (Tool::Paths, paths)]
        }
    };
    tools.sort_by_key(|(_, tool)| tool.name);
    tools
}

impl Tool {
    /// An error of a call, in terms of its request's fields.
    pub(super) fn refused(self, error: ToolError) -> Refusal {
        let (sought, root) = match self {
            Self::Search => ("pattern", "path"),
            Self::Contents => ("query", "path"),
            Self::Text => ("query", "directory"),
            Self::Grep | Self::Paths => ("pattern", "directory"),
            // It always searches the whole repository.
            Self::Keyword => ("query", "query"),
        };
        Refusal::of(error, sought, root)
    }

    /// The tool of a name in a profile.
    pub(super) fn named(profile: Profile, name: &str) -> Option<Self> {
        let acode = profile == Profile::Acode;
        let forge = profile == Profile::Forge;
        let documents = profile.has_document_tools();
        match name {
            search_files::NAME if acode => Some(Self::Paths),
            search_files::NAME if documents => Some(Self::Contents),
            search_text::NAME if !forge => Some(Self::Text),
            keyword::NAME if !acode => Some(Self::Keyword),
            grep::NAME if !forge => Some(Self::Grep),
            find_files::NAME if !acode && !forge => Some(Self::Paths),
            _ if documents && NAMES.contains(&name) => Some(Self::Search),
            _ => None,
        }
    }
}
