//! Names of the specification's files, relative to its directory.

pub(crate) const TOOL: &str = "tools/search.yaml";
pub(crate) const FILES_TOOL: &str = "tools/search_files.yaml";
pub(crate) const FILES_CONFIG: &str = "tools/search_files_config.yaml";
pub(crate) const AGENT_TOOLS: &str = "tools/agent_tools.yaml";
pub(crate) const DEFINITIONS: &str = "tools/definitions.yaml";
pub(crate) const KEYWORD_SEARCH: &str = "tools/keyword_search.yaml";
pub(crate) const CONFIG: &str = "config.yaml";
pub(crate) const ORDERING: &str = "ordering.yaml";
pub(crate) const TRUNCATION: &str = "truncation.yaml";
pub(crate) const PATHS: &str = "paths.yaml";
pub(crate) const MATCHING: &str = "matching.yaml";
pub(crate) const EXIT_CLASSES: &str = "exit_classes.yaml";
pub(crate) const AUDIT: &str = "audit.yaml";
pub(crate) const NFR: &str = "nfr.yaml";
pub(crate) const HUNT: &str = "hunt.yaml";
pub(crate) const ERRATA: &str = "errata.yaml";
pub(crate) const RESOLVE: &str = "vectors/resolve.yaml";
pub(crate) const MATCHING_VECTORS: &str = "vectors/matching.yaml";
pub(crate) const FUZZY_VECTORS: &str = "vectors/fuzzy.yaml";
pub(crate) const LINES: &str = "vectors/lines.yaml";
pub(crate) const EVENTS: &str = "vectors/events.yaml";
