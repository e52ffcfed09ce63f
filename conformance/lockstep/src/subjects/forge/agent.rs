//! Calls of the agent's tools.
//!
//! Responsible for: one call through the registry, in a session of its own, and the observation
//! made of it. Not here: the service and its configuration ([`super`]), what is compared
//! ([`crate::tool::agent`]). Invariants: the lengths observed are those of the answer as it was
//! given, before the sandbox root got a shorter name.

use std::sync::Arc;

use forge_search_core::tool::Profile;
use forge_search_engine::json::Json;
use forge_search_engine::{Call, Service, Toolbox};
use serde_json::json;
use touchstone_cases::case::Case;

use super::{hide_root, with_root};
use crate::observation::{BYTES, COMPLETE, Observation, STRUCTURED, TEXT_BYTES, length};

/// Calls once.
pub(crate) fn observe(case: &Case, service: Service, root: &str) -> Observation {
    let toolbox = Toolbox::new(Arc::new(service), Profile::All);
    let answer = toolbox.call(
        &toolbox.session(),
        &case.tool,
        &Json(&with_root(&case.request, root)),
        &Call::new(),
    );
    let bytes = length(&answer.structured);
    let mut structured = answer.structured;
    hide_root(&mut structured, root);
    if answer.is_error {
        return Err(structured);
    }
    Ok(json!({
        STRUCTURED: structured,
        BYTES: bytes,
        TEXT_BYTES: answer.text.len(),
        COMPLETE: answer.complete,
    }))
}
