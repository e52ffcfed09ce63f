//! The Model Context Protocol, and nothing else in the program knows of it (docs/mcp.md is its
//! contract).
//!
//! Responsible for: how tools are listed, called, watched and cancelled; which messages are
//! refused, and how that is said; when serving ends.
//! Not here: what the tools are and do. They are mounted as [`Tools`]; a call of one is a
//! piece of [`Work`].
//! Invariants: nothing but messages goes to standard output; every request with an id is answered
//! once, unless it was cancelled; no more calls
//! run, or wait, than [`Limits`] allow; no call outlives the connection.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value};

mod calls;
mod message;
mod notices;
mod server;
mod stdio;

pub use rmcp::model::ContentBlock;
pub use server::Server;
pub use stdio::{StartError, over, over_stdio};

/// What one connection offers. There is one value for each connection.
pub trait Tools: Send + Sync + 'static {
    /// Who serves.
    fn about(&self) -> About;
    /// What there is to call, in the order of its listing.
    fn listings(&self) -> Vec<Listing>;
    /// Whether a tool can be called by this name.
    fn is_known(&self, name: &str) -> bool;
    /// Prepares a call of a tool that is known. Nothing is done yet. The error is the answer if
    /// there is no room for it.
    fn begin(&self, name: &str, arguments: Map<String, Value>) -> Result<Arc<dyn Work>, Reply>;
    /// The answer to a call of a known tool that was not begun because others are in progress;
    /// `why` is a sentence.
    fn busy(&self, name: &str, why: &str) -> Reply;
}

/// Who serves.
#[derive(Clone, Debug)]
pub struct About {
    /// The program.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What a model should know before it chooses a tool.
    pub instructions: String,
}

/// A tool as it is listed.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The name in calls.
    pub name: &'static str,
    /// The name for people; may be empty.
    pub title: &'static str,
    /// Its purpose, for the model.
    pub description: &'static str,
    /// JSON schema of its arguments.
    pub input_schema: Map<String, Value>,
    /// JSON schema of the data of its answers, if that is promised.
    pub output_schema: Option<Map<String, Value>>,
    /// It changes nothing.
    pub read_only: bool,
    /// It may contact external services.
    pub open_world: bool,
}

/// One call of a tool.
pub trait Work: Send + Sync + 'static {
    /// Runs the call. Called once, on a thread that may block.
    fn carry_out(&self) -> Reply;
    /// Cancels the call. Called at any time, from another thread.
    fn cancel(&self);
    /// Whether it may wait for an external service. Such calls have a queue of their own, so that
    /// local calls never wait for them.
    fn open_world(&self) -> bool;
    /// Its progress, if known. Called at any time, from another thread.
    fn progress(&self) -> Option<Progress>;
}

/// The progress of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What has been done; grows.
    pub done: u64,
    /// What there is to do, if that is known.
    pub total: Option<u64>,
    /// What it is that has been done.
    pub message: Option<String>,
}

/// What a call came to.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// For reading.
    pub content: Vec<ContentBlock>,
    /// As data.
    pub structured: Option<Value>,
    /// The tool refused, or failed.
    pub is_error: bool,
    /// What clients may want to know and models need not.
    pub meta: Map<String, Value>,
}

/// What a server allows itself.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Calls that run at once, and as many of those that may wait for somebody outside.
    pub running: usize,
    /// Calls that wait for one of those to end.
    pub waiting: usize,
    /// How long a call goes on before the first report of its progress, if that is asked for.
    pub quiet: Duration,
    /// How long it is from one report to the next.
    pub between_reports: Duration,
    /// How long calls may go on when no more input can come.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            running: 4,
            waiting: 64,
            quiet: Duration::from_millis(500),
            between_reports: Duration::from_millis(500),
            grace: Duration::from_secs(1),
        }
    }
}

/// How much longer a connection is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Until something happens.
    #[default]
    Open,
    /// No more messages come; calls in progress are finished.
    Ending,
    /// Calls in progress are cut.
    Leaving,
}
