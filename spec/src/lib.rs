//! The requirement documents as data.
//!
//! [`Spec::load`] and [`Spec::from_sources`] parse the files below `spec/`, with file and line of
//! every defect; [`lint`] and [`lint_cases`] check them; [`emit`] generates texts from them. The
//! crate writes no file, and reads files only in [`Spec::load`] and [`lint_cases`]. Equal input
//! gives equal output, byte for byte.

#![allow(missing_docs, reason = "fields and variants are named as the keys of the YAML files")]

pub mod adapter;
mod audit;
mod backend;
mod checks;
mod closed;
mod config;
mod emit;
mod errata;
mod escaped;
mod exit;
mod files;
#[cfg(test)]
mod fixture;
pub mod index;
mod lint;
mod load;
mod nfr;
mod ordering;
mod place;
mod requirement;
mod rules;
mod source;
mod specification;
mod tool;
mod truncation;
mod vectors;
pub mod yaml;

pub use adapter::Adapter;
pub use audit::{Audit, Decided, Gap};
pub use backend::{Backend, Content, Fact, Identify, Probe};
pub use config::{Configuration, Key, KeyType, PresetName};
pub use emit::{DIAGRAM, Emitted, emit};
pub use errata::{Errata, Erratum, Severity};
pub use escaped::{EscapeError, Escaped};
pub use exit::{Documented, ExitClasses, Observed, Step};
pub use index::Index;
pub use lint::{lint, lint_cases};
pub use source::LoadError;
pub use specification::Spec;

pub use nfr::{Budget, Budgets, Latency};
pub use ordering::{By, Form, Key as OrderKey, Order, OrderId, Ordering, PlaceId, PlaceOf};
pub use place::{At, Finding};
pub use requirement::{Document, Keyword, Requirement, Status, Verify};
pub use rules::{IgnorePlace, IgnoreSource, Matching, Paths, Rule};
pub use tool::agent::{
    AgentErrorId, AgentField, AgentKey, AgentLimitId, AgentReason, AgentReasonId, AgentTools,
    ErrorWord, Listed, Notice, NoticeId, Profile, ToolId,
};
pub use tool::definitions::{Definitions, Family, Shape};
pub use tool::files::{
    Because, Definition, FilesCheckId, FilesConfiguration, FilesLimitId, FilesTool, JsonField,
    JsonType, Risk, ShortfallId, Stated,
};
pub use tool::keyword::{
    KeywordLimitId, KeywordReason, KeywordTool, KeywordWord, Preferred, PrivateKey, Secret,
};
pub use tool::{
    Absent, Check, CheckId, Class, Escape, Field, FieldType, Limit, LimitId, Note, NoteId, Output,
    OutputType, Presence, Problem, ProblemId, Tool,
};
pub use truncation::{
    Cap, CapLimit, CapsOf, Counted, Deadline, LengthBudget, LengthPart, Strikes, Then, Truncation,
    UpTo, Within,
};
pub use vectors::{
    CaseMode, ContentVector, DecodingVector, Effective, EventVector, FileVector, FuzzyVector,
    GlobVector, IgnoreTree, IgnoreVector, InvalidGlob, LineVector, Part, RegexVector,
    ResolveVector, SmartVector, SortVector, TreeEntry, Vectors,
};
