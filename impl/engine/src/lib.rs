#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! The search service: finds eligible files, has a backend propose lines, confirms and orders them.
//!
//! [`Service`] is the way in. Data flow of one call, top to bottom:
//!
//! ```text
//! service    request -> pattern, search root, backend; one pass, or several (fallback)
//! walk       search root -> files and problems in path order (sandbox, rules, root)
//! pipeline   batches -> threads -> outcomes in order (worker, read, backend, process)
//! core       outcomes -> events, caps, response (forge_search_core)
//! ```
//!
//! Invariants: nothing is written into a searched tree; a file is opened only after the sandbox,
//! the deny patterns and the eligibility rules let it pass; backends never decide what is searched
//! or what matches, they propose lines.

#![warn(clippy::print_stdout, clippy::print_stderr)]
// Some of what is left serves the parts that are left out.
#![cfg_attr(
    not(all(
        feature = "index",
        feature = "language-model",
        feature = "tokens",
        feature = "backends"
    )),
    allow(dead_code, clippy::drop_non_drop)
)]

pub mod config;
pub mod language_model;
pub mod sandbox;
pub mod search_files;
pub mod service;

/// The requests of the tools and how they are made, and the answers of the agent's tools, each in
/// the room of its tool.
pub mod requests {
    pub use forge_search_core::{
        agent::{Defaults, find_files, grep, keyword, search_text},
        request::{self as search, Builder, CaseMode, Limits, Reading},
        search_files::{self, Caps},
    };
}

mod account;
mod agent;
mod backend;
mod call;
mod deadline;
mod eligible;
mod fallback;
mod feature;
#[cfg(feature = "index")]
pub mod index;
#[cfg(not(feature = "index"))]
#[path = "index_off.rs"]
pub mod index;
mod index_status;
mod job;
pub mod json;
mod lines;
pub mod listing;
pub mod observe;
mod pipeline;
#[cfg(feature = "backends")]
mod process;
mod read;
pub mod read_tracker;
mod root;
mod rulebook;
mod rules;
mod search;
pub mod toolbox;
mod walk;
mod worker;

pub use agent::tokens::Tokenizer;
pub use call::Call;
pub use config::{
    AgentConfig, BackendChoice, Config, ConfigError, FilesBackend, Preset, SearchFilesConfig,
    TokenizerName,
};
pub use feature::Feature;
pub use forge_search_core::{
    ErrorClass, ToolError,
    agent::{
        Answer as AgentAnswer, Context, ErrorKind, Notice, NoticeKind, Reason, Refusal, Shown,
    },
    budget::TokenCounter,
    content::{escape_json, escape_line, escape_name},
    index::need::Variant,
    index::settings::{Mode as IndexMode, StorageKind as IndexStorage},
    request::{Limits, NAMES, definition as search_definition},
    response::{Event, EventType, PathError, Response, Stats, StatsDetail},
    search_files::{Fitted as FilesAnswer, Mode, definition as search_files_definition},
    tool::{Profile, RiskLevel, ToolDefinition},
};
pub use index::{IndexCheck, IndexOptions, IndexStatus, IndexUse};
pub use lines::EventSink;
#[cfg(feature = "backends")]
pub use process::adopt_orphans;
pub use read_tracker::ReadTracker;
pub use sandbox::Sandbox;
pub use search_files::ToolContext;
pub use service::Service;
pub use toolbox::{Answer, Arguments, Session, Toolbox};

#[cfg(test)]
#[path = "../../core/tests/fuzz/soup.rs"]
mod soup;
