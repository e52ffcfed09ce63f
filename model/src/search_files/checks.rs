//! The checks of a call before the search, in the table's order (section 2). The budget is checked
//! after the search (`budget`).
//!
//! The first failing check determines the error. No check relies on an earlier one.

use serde_json::{Map, Value};

use super::Config;
use super::matching::Matcher;
use super::request::{self, Mode, Request};
use crate::Refusal;
use crate::arguments;
use crate::checks::refusal;
use crate::fields::exceeds;
use crate::glob::{self, Glob};
use crate::sandbox::{self, SearchRoot};
use crate::tables::agent::AgentTool;
use crate::tables::caps::Counted;
use crate::tables::files::FilesCheck;
use crate::walk::{BroughtBack, Depth, Links, Paths, Scope};
use crate::world::World;

/// A valid call, apart from the budget.
#[derive(Debug)]
pub(super) struct Call<'w> {
    pub(super) request: Request,
    pub(super) include: Vec<Glob>,
    pub(super) exclude: Vec<Glob>,
    pub(super) matcher: Matcher,
    pub(super) root: SearchRoot<'w>,
}

impl Call<'_> {
    pub(super) fn scope(&self, config: &Config) -> Scope<'_> {
        let Request { recursive, include_hidden, follow_symlinks, respect_gitignore, .. } =
            self.request;
        let caps = config.search.tables.caps.search_files;
        let cap = caps.iter().find(|cap| cap.counts == Counted::Levels);
        let capped = cap.and_then(|cap| Some(Depth::Capped(*cap, self.request.limit(cap.limit)?)));
        Scope {
            root: &self.root,
            include: &self.include,
            exclude: &self.exclude,
            depth: if recursive { capped.unwrap_or(Depth::All) } else { Depth::Children },
            hidden: include_hidden,
            brought_back: BroughtBack::default(),
            links: if follow_symlinks { Links::FollowedToFiles } else { Links::Skipped },
            no_ignore: !respect_gitignore,
            paths: Paths::FromSearchRoot,
        }
    }
}

/// Runs the checks in order.
pub(super) fn run<'w>(
    world: &'w World,
    config: &Config,
    request: &Value,
) -> Result<Call<'w>, Refusal> {
    let shaped = if config.search.lenient {
        arguments::published(AgentTool::SearchFiles, config.tables.fields, request)
    } else {
        Ok(request.clone())
    };
    let request = shaped.as_ref().unwrap_or(request);
    let wrong = shaped.as_ref().err().map(String::as_str);
    let pending = PendingCall { world, config, request, wrong };
    for row in config.tables.checks {
        pending.check(row.check).map_err(|offender| refusal(row, offender))?;
    }
    // Reached without a call only if the table lacks a check.
    pending
        .call()
        .ok_or_else(|| Refusal { class: "ExecutionFailed".to_owned(), field: "tables".to_owned() })
}

/// A call before validation.
#[derive(Clone, Copy)]
struct PendingCall<'w, 'a> {
    world: &'w World,
    config: &'a Config,
    request: &'a Value,
    /// The field that has no shape of the schema.
    wrong: Option<&'a str>,
}

/// `Err` has the name of the invalid field.
type Verdict = Result<(), String>;

impl<'w> PendingCall<'w, '_> {
    fn check(self, check: FilesCheck) -> Verdict {
        let config = self.config;
        match check {
            // The caller has used the tool's name; the budget is checked later.
            FilesCheck::ToolKnown | FilesCheck::Budget => Ok(()),
            FilesCheck::RequestObject => agree(self.request.is_object()),
            FilesCheck::FieldsKnown if self.wrong.is_some() => {
                Err(self.wrong.unwrap_or_default().to_owned())
            }
            FilesCheck::FieldsKnown => {
                request::unknown_field(&self.object(), config).map_or(Ok(()), Err)
            }
            FilesCheck::FieldsValid => request::read(&self.object(), config).map(drop),
            // Asked of the text alone, whatever the other fields are.
            FilesCheck::PathText => {
                agree(self.request.get("path").and_then(Value::as_str).is_none_or(path_text))
            }
            FilesCheck::QueryText => self.on_request(|request| agree(query_text(request, config))),
            FilesCheck::Depth => self.on_request(|request| agree(depth(request))),
            FilesCheck::Globs => self.on_request(|request| globs(request, config).map(drop)),
            FilesCheck::FuzzyBackend => self.on_request(|request| {
                agree(request.mode != Mode::Fuzzy || config.backend_is_native)
            }),
            FilesCheck::FuzzyQuery => {
                self.on_request(|request| agree(fuzzy_query(request, config)))
            }
            FilesCheck::Regex => {
                self.on_request(|request| agree(Matcher::compile(request, config).is_some()))
            }
            FilesCheck::Sandbox => self.on_request(|request| {
                agree(sandbox::locate(self.world, &config.search, Some(&request.path)).is_some())
            }),
            FilesCheck::PathSearchable => {
                self.on_request(|request| agree(self.root(request).is_some()))
            }
            FilesCheck::BackendAvailable => agree(config.backend_available),
        }
    }

    /// The validated call.
    fn call(self) -> Option<Call<'w>> {
        let request = request::read(&self.object(), self.config).ok()?;
        let (include, exclude) = globs(&request, self.config).ok()?;
        let matcher = Matcher::compile(&request, self.config)?;
        let root = self.root(&request)?;
        Some(Call { request, include, exclude, matcher, root })
    }

    fn object(self) -> Map<String, Value> {
        self.request.as_object().cloned().unwrap_or_default()
    }

    /// Checks the parsed request. A request that cannot be parsed fails another check.
    fn on_request(self, ask: impl FnOnce(&Request) -> Verdict) -> Verdict {
        request::read(&self.object(), self.config).map_or(Ok(()), |request| ask(&request))
    }

    /// Check 13: a directory that can be opened (FR-SF-VAL-07).
    fn root(self, request: &Request) -> Option<SearchRoot<'w>> {
        let located = sandbox::locate(self.world, &self.config.search, Some(&request.path))?;
        sandbox::open(located).filter(|root| root.file.is_none())
    }
}

fn agree(holds: bool) -> Verdict {
    if holds { Ok(()) } else { Err(String::new()) }
}

/// Check 5. Only the blank test trims: the path is used as given.
fn path_text(path: &str) -> bool {
    !path.trim().is_empty() && !path.contains('\0')
}

/// Check 6.
fn query_text(request: &Request, config: &Config) -> bool {
    let query = &request.query;
    !exceeds(query.len(), config.tables.limits.query_bytes)
        && !query.trim().is_empty()
        && !query.contains('\n')
        && !query.contains('\0')
}

/// Check 7 (FR-SF-VAL-03).
fn depth(request: &Request) -> bool {
    request.recursive || !request.depth_is_given || request.max_depth == 1
}

/// Check 8: the include and exclude globs.
fn globs(request: &Request, config: &Config) -> Result<(Vec<Glob>, Vec<Glob>), String> {
    let limits = &config.search.tables.limits;
    let include = glob::parse_all(&request.include_globs, limits, config.search.lenient)
        .ok_or("include_globs")?;
    let exclude = glob::parse_all(&request.exclude_globs, limits, config.search.lenient)
        .ok_or("exclude_globs")?;
    Ok((include, exclude))
}

/// Check 10.
fn fuzzy_query(request: &Request, config: &Config) -> bool {
    let length = request.query.chars().count();
    request.mode != Mode::Fuzzy || !exceeds(length, config.tables.limits.fuzzy_query_scalars)
}

#[cfg(test)]
mod tests;
