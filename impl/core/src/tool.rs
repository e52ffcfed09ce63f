//! Descriptions of tools for callers.

use serde::Serialize;
use serde_json::Value;

/// The risk of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RiskLevel {
    /// Read-only.
    Low,
}

/// A tool as callers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolDefinition {
    /// The name in calls.
    pub name: &'static str,
    /// The name for people.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub title: &'static str,
    /// The description for models.
    pub description: &'static str,
    /// Whether a call changes anything.
    pub is_side_effecting: bool,
    /// Whether a user must approve calls.
    pub requires_approval: bool,
    /// The risk of a call.
    pub risk: RiskLevel,
    /// Whether it may contact external services.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_world: bool,
    /// JSON schema of the request.
    pub input_schema: Value,
    /// JSON schema of the answer; null if the answer has none.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub output_schema: Value,
}

/// Sets of tools, each with its names (D9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The agent's tools of documents 003 and 004, with short descriptions and without answer
    /// schemas.
    #[default]
    Default,
    /// All tools under distinct names.
    All,
    /// The tools and names of Forge.
    Forge,
    /// The tools and names of document 004.
    Acode,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 4] = [Self::Default, Self::All, Self::Forge, Self::Acode];

    /// Whether the profile has `Search` and `search_files` over contents.
    pub const fn has_document_tools(self) -> bool {
        matches!(self, Self::All | Self::Forge)
    }

    /// The name in configuration.
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
    /// A read-only tool.
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
