//! The registry of tools and the one way a call takes through it: the tool's name, its request, the rate limit, the work, the answer's length.
//!
//! Responsible for: which tools a profile has, in which order; the order of the steps of a call, whichever tool it is.
//! Left to neighbours: what a tool does; what a session's limit is; protocols.
//! Invariants: a call that is refused has done nothing; nothing of an answer depends on the clock except that a deadline or a limit cuts it, and it says so.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use forge_search_core::{
    ToolError,
    request::NAMES,
    tool::{Profile, ToolDefinition},
};
use serde_json::{Value, json};

use crate::{
    index::{Clock, SystemClock},
    search_files::ToolContext,
    service::Service,
};

/// The tools of one service, under the names of one profile.
#[derive(Debug)]
pub struct Toolbox {
    service: Arc<Service>,
    profile: Profile,
    tools: Vec<ToolDefinition>,
    clock: Arc<dyn Clock>,
    calls: AtomicU64,
}

/// Whoever calls: what is limited is limited for each session by itself.
#[derive(Debug, Default)]
pub struct Session {}

/// One call in progress: it can be cancelled, and asked how far it is. Share it by reference.
#[derive(Debug, Default)]
pub struct Call {
    cancelled: AtomicBool,
    files: AtomicU64,
}

impl Call {
    /// A call that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nobody waits for the answer any more: what is known is the answer, as at the deadline.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// How many files have been looked at.
    pub fn files_seen(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }
}

/// What one call came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// As data; the tool's output schema says how, unless it is an error.
    pub structured: Value,
    /// The same for reading, never longer than the data.
    pub text: String,
    /// The call was refused, or failed.
    pub is_error: bool,
    /// There are results.
    pub found: bool,
    /// Nothing was left out.
    pub complete: bool,
    /// The number of the call, by which the log knows it.
    pub query_id: u64,
}

impl Toolbox {
    /// The tools of `profile` over `service`.
    pub fn new(service: Arc<Service>, profile: Profile) -> Self {
        Self::with_clock(service, profile, Arc::new(SystemClock(std::time::Instant::now())))
    }

    /// The same, with another clock for the rate limit.
    pub fn with_clock(service: Arc<Service>, profile: Profile, clock: Arc<dyn Clock>) -> Self {
        let tools =
            vec![forge_search_core::request::definition(), forge_search_core::search_files::definition()];
        Self { service, profile, tools, clock, calls: AtomicU64::new(0) }
    }

    /// What callers are told of the tools, in the order of their names.
    pub fn tools(&self) -> &[ToolDefinition] {
        &self.tools
    }

    /// Whether there is a tool of this name, or with this other name.
    pub fn is_known(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
            || (self.profile != Profile::Acode && NAMES.contains(&name))
    }

    /// A new session.
    pub fn session(&self) -> Session {
        Session::default()
    }

    /// The service.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Carries out one call.
    pub fn call(&self, _session: &Session, tool: &str, arguments: &Value, call: &Call) -> Answer {
        let query_id = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let _ = self.clock.now_ms();
        if tool == forge_search_core::search_files::definition().name {
            let mut context = ToolContext::default();
            return match self.service.search_files_until(&mut context, arguments, &call.cancelled) {
                Ok(fitted) => Answer {
                    structured: serde_json::from_str(&fitted.text).unwrap_or_default(),
                    text: fitted.text,
                    is_error: false,
                    found: fitted.found,
                    complete: fitted.complete,
                    query_id,
                },
                Err(error) => refused(&error, query_id),
            };
        }
        match self.service.call_until(tool, arguments, &call.cancelled) {
            Ok(response) => {
                let mut structured = serde_json::to_value(&response).unwrap_or_default();
                if let Some(fields) = structured.as_object_mut() {
                    fields.remove("content");
                }
                Answer {
                    structured,
                    found: response.count > 0,
                    complete: response.complete(),
                    text: response.content,
                    is_error: false,
                    query_id,
                }
            }
            Err(error) => refused(&error, query_id),
        }
    }
}

fn refused(error: &ToolError, query_id: u64) -> Answer {
    let structured = json!({ "error": error });
    Answer {
        structured,
        text: error.message.clone(),
        is_error: true,
        found: false,
        complete: false,
        query_id,
    }
}
