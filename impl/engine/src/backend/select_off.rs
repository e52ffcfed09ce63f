//! Which backend a service uses in a build without the feature `backends`: the embedded one. A
//! configuration that demands another is refused when it is checked.

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
