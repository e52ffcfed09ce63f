//! The written form of a case: what serde sees, in case files and between processes.
//!
//! Responsible for: the keys, which of them may be absent, and which of them go together. Not here:
//! layout ([`super::yaml`]), and everything that needs the whole case ([`super::validate`]).
//! Invariants: unknown keys are refused everywhere; what is at its default is not written.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    CallContext, Case, CaseConfig, Contents, DEFAULT_TOOL, Entry, Malformed, Node, Part, Text,
};
use crate::as_written::AsWritten;
use crate::script::Script;

/// [`Case`] as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseForm {
    id: String,
    title: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    clauses: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tree: Vec<Entry>,
    #[serde(default, skip_serializing_if = "is_default")]
    config: CaseConfig,
    #[serde(default = "default_tool", skip_serializing_if = "is_default_tool")]
    tool: String,
    #[serde(default, skip_serializing_if = "is_default")]
    context: CallContext,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<Script>,
    request: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    as_written: Option<AsWritten>,
}

/// [`Entry`] as it is written: one of `file`, `dir`, `link`, `fifo` with the path, and what belongs
/// to it.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dir: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fifo: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Part>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    readable: Option<bool>,
}

impl TryFrom<CaseForm> for Case {
    type Error = Malformed;

    fn try_from(form: CaseForm) -> Result<Self, Malformed> {
        let CaseForm {
            id,
            title,
            clauses,
            tree,
            config,
            tool,
            context,
            model,
            request,
            as_written,
        } = form;
        let case =
            Self { id, title, clauses, tree, config, tool, context, model, request, as_written };
        case.validate()?;
        Ok(case)
    }
}

impl From<Case> for CaseForm {
    fn from(case: Case) -> Self {
        let Case { id, title, clauses, tree, config, tool, context, model, request, as_written } =
            case;
        Self { id, title, clauses, tree, config, tool, context, model, request, as_written }
    }
}

impl TryFrom<EntryForm> for Entry {
    type Error = Malformed;

    fn try_from(form: EntryForm) -> Result<Self, Malformed> {
        let EntryForm { file, dir, link, fifo, bytes, parts, target, readable } = form;
        let has_contents = bytes.is_some() || parts.is_some();
        let entry = match (file, dir, link, fifo) {
            (Some(path), None, None, None) => {
                let contents = match (bytes, parts) {
                    (Some(bytes), None) => Contents::plain(bytes.0),
                    (None, Some(parts)) => Contents { parts },
                    (None, None) => Contents::default(),
                    (Some(_), Some(_)) => return Err(Malformed::BytesAndParts),
                };
                allow(target.is_none(), "target", "link")?;
                Self {
                    path: path.0,
                    node: Node::File { contents, readable: readable.unwrap_or(true) },
                }
            }
            (None, Some(path), None, None) => {
                allow(!has_contents, "bytes or parts", "file")?;
                allow(target.is_none(), "target", "link")?;
                Self { path: path.0, node: Node::Dir { readable: readable.unwrap_or(true) } }
            }
            (None, None, Some(path), None) => {
                allow(!has_contents, "bytes or parts", "file")?;
                allow(readable.is_none(), "readable", "file or dir")?;
                let target = target.ok_or(Malformed::NoTarget)?.0;
                Self { path: path.0, node: Node::Link { target } }
            }
            (None, None, None, Some(path)) => {
                allow(!has_contents, "bytes or parts", "file")?;
                allow(target.is_none(), "target", "link")?;
                allow(readable.is_none(), "readable", "file or dir")?;
                Self { path: path.0, node: Node::Fifo }
            }
            _ => return Err(Malformed::EntryKind),
        };
        Ok(entry)
    }
}

impl From<Entry> for EntryForm {
    fn from(entry: Entry) -> Self {
        let path = Some(Text(entry.path));
        let unless_readable = |readable: bool| (!readable).then_some(false);
        match entry.node {
            Node::File { contents, readable } => {
                let bytes = contents.single().map(|bytes| Text(bytes.to_vec()));
                let parts = if bytes.is_some() { None } else { Some(contents.parts) };
                Self {
                    file: path,
                    bytes,
                    parts,
                    readable: unless_readable(readable),
                    ..Self::default()
                }
            }
            Node::Dir { readable } => {
                Self { dir: path, readable: unless_readable(readable), ..Self::default() }
            }
            Node::Link { target } => {
                Self { link: path, target: Some(Text(target)), ..Self::default() }
            }
            Node::Fifo => Self { fifo: path, ..Self::default() },
        }
    }
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn allow(allowed: bool, key: &'static str, kind: &'static str) -> Result<(), Malformed> {
    if allowed { Ok(()) } else { Err(Malformed::Misplaced { key, kind }) }
}

fn default_tool() -> String {
    DEFAULT_TOOL.to_owned()
}

fn is_default_tool(tool: &str) -> bool {
    tool == DEFAULT_TOOL
}
