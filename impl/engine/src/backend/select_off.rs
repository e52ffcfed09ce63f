//! The backend of a build without the feature `backends`: always the embedded one. Validation
//! refuses a configuration that demands another.

use forge_search_core::ToolError;

use super::Backend;
use crate::{config::Config, sandbox::Sandbox};

#[expect(clippy::unnecessary_wraps, reason = "programs can be missing")]
pub(crate) fn select_for_files(_: &Config, _: &Sandbox) -> Result<Backend, ToolError> {
    Ok(Backend::Native)
}

#[expect(clippy::unnecessary_wraps, reason = "programs can be missing")]
pub(crate) fn select(_: &Config, _: &Sandbox) -> Result<Backend, ToolError> {
    Ok(Backend::Native)
}
