//! What callers are told of a tool before they call it.

use serde::Serialize;
use serde_json::Value;

/// How much harm a tool can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RiskLevel {
    /// It only looks.
    Low,
}

/// A tool as its callers are told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolDefinition {
    /// What it is called by.
    pub name: &'static str,
    /// What people call it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// Whether a call changes anything.
    pub is_side_effecting: bool,
    /// Whether somebody has to agree to a call.
    pub requires_approval: bool,
    /// How much harm it can do.
    pub risk: RiskLevel,
    /// Whether it may turn to anything beyond the files below the roots.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_world: bool,
    /// JSON schema of the request.
    pub input_schema: Value,
    /// JSON schema of the answer; null if it is not promised as data.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub output_schema: Value,
}

/// Which tools there are, under which names (D9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The agent's tools of documents 003 and 004, in few words: their answers have no schema.
    #[default]
    Default,
    /// All of them under distinct names.
    All,
    /// Forge's.
    Forge,
    /// Those of document 004, under its names.
    Acode,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Default, Self::All, Self::Forge, Self::Acode];

    /// Whether `Search` and `search_files` over contents are among them.
    pub const fn has_document_tools(self) -> bool {
        matches!(self, Self::All | Self::Forge)
    }

    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::All => "all",
            Self::Forge => "forge",
            Self::Acode => "acode",
        }
    }
}

impl ToolDefinition {
    /// A tool that only looks.
    pub(crate) fn read_only(
        name: &'static str,
        description: &'static str,
        input_schema: Value,
    ) -> Self {
        let risk = RiskLevel::Low;
        Self {
            name,
            title: "",
            description,
            is_side_effecting: false,
            requires_approval: false,
            risk,
            open_world: false,
            input_schema,
            output_schema: Value::Null,
        }
    }
}
