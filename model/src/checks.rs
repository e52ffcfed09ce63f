//! The checks of a call before the search, in the table's order (section 1).
//!
//! The first failing check determines the error. No check relies on an earlier one, so that a table
//! with a row moved or removed can be run too.

use serde_json::{Map, Value};

use crate::arguments;
use crate::config::Config;
use crate::fields::exceeds;
use crate::glob::{self, Glob};
use crate::outcome::Refusal;
use crate::pattern::{self, Matcher};
use crate::request::{self, Request};
use crate::sandbox::{self, SearchRoot};
use crate::tables::agent::AgentTool;
use crate::tables::{Check, ErrorCheck, ErrorField, Limits};
use crate::walk::{BroughtBack, Depth, Links, Paths, Scope};
use crate::world::World;

/// A valid call.
#[derive(Debug)]
pub(crate) struct Call<'w> {
    pub(crate) request: Request,
    pub(crate) include: Vec<Glob>,
    pub(crate) exclude: Vec<Glob>,
    pub(crate) matcher: Matcher,
    pub(crate) root: SearchRoot<'w>,
}

impl<'w> Call<'w> {
    pub(crate) fn scope(&self) -> Scope<'_> {
        let Request { recursive, hidden, follow, no_ignore, .. } = self.request;
        Scope {
            root: &self.root,
            include: &self.include,
            exclude: &self.exclude,
            depth: if recursive { Depth::All } else { Depth::Children },
            hidden,
            brought_back: BroughtBack::default(),
            links: if follow { Links::Followed } else { Links::Skipped },
            no_ignore,
            paths: Paths::FromWorkingDirectory,
        }
    }

    /// The same call with `fuzzy` at this level; `None` if the pattern does not allow it.
    pub(crate) fn at_level(&self, level: u64, config: &Config) -> Option<Call<'w>> {
        let request = Request { fuzzy: Some(level), ..self.request.clone() };
        let matcher = pattern::compile(&request, config.tables.limits.automaton_bytes)?;
        let (include, exclude) = (self.include.clone(), self.exclude.clone());
        Some(Call { request, include, exclude, matcher, root: self.root.clone() })
    }
}

/// Runs the checks in order.
pub(crate) fn run<'w>(
    world: &'w World,
    config: &Config,
    tool: &str,
    request: &Value,
) -> Result<Call<'w>, Refusal> {
    let shaped = if config.lenient {
        arguments::published(AgentTool::Search, config.tables.fields, request)
    } else {
        Ok(request.clone())
    };
    let request = shaped.as_ref().unwrap_or(request);
    let wrong = shaped.as_ref().err().map(String::as_str);
    let pending = PendingCall { world, config, tool, request, wrong };
    for row in config.tables.checks {
        pending.check(row.check).map_err(|offender| refusal(row, offender))?;
    }
    // Reached without a call only if the table lacks a check.
    pending
        .call()
        .ok_or_else(|| Refusal { class: "ExecutionFailed".to_owned(), field: "tables".to_owned() })
}

/// The error of a failed check.
pub(crate) fn refusal<C>(row: &ErrorCheck<C>, offender: String) -> Refusal {
    let field = match row.field {
        ErrorField::Named(field) => field.to_owned(),
        ErrorField::Offender => offender,
    };
    Refusal { class: row.class.to_owned(), field }
}

/// A call before validation.
#[derive(Clone, Copy)]
struct PendingCall<'w, 'a> {
    world: &'w World,
    config: &'a Config,
    tool: &'a str,
    request: &'a Value,
    /// The field that has no shape of the schema.
    wrong: Option<&'a str>,
}

/// `Err` has the name of the invalid field.
type Verdict = Result<(), String>;

impl<'w> PendingCall<'w, '_> {
    fn check(self, check: Check) -> Verdict {
        let tables = self.config.tables;
        match check {
            Check::ToolKnown => agree(tables.answers_to(self.tool)),
            Check::ToolEnabled => agree(self.config.enabled),
            Check::RequestObject => agree(self.request.is_object()),
            Check::FieldsKnown if self.wrong.is_some() => {
                Err(self.wrong.unwrap_or_default().to_owned())
            }
            Check::FieldsKnown => {
                request::unknown_field(&self.object(), self.config).map_or(Ok(()), Err)
            }
            Check::FieldsValid => request::read(&self.object(), self.config).map(drop),
            // Asked of the text alone, whatever the other fields are.
            Check::PatternText => {
                let pattern = self.request.get("pattern").and_then(Value::as_str);
                agree(pattern.is_none_or(|pattern| pattern_text(pattern, &tables.limits)))
            }
            Check::PathText => self.on_request(|request| agree(path_text(request))),
            Check::Globs => self.on_request(|request| globs(request, self.config).map(drop)),
            Check::Fuzzy => self.on_request(|request| agree(fuzzy(request))),
            Check::Regex => self.on_request(|request| agree(self.matcher(request).is_some())),
            Check::Sandbox => self.on_request(|request| {
                agree(sandbox::locate(self.world, self.config, request.path.as_deref()).is_some())
            }),
            Check::PathSearchable => self.on_request(|request| agree(self.root(request).is_some())),
            Check::BackendAvailable => agree(self.config.backend_available),
        }
    }

    /// The validated call.
    fn call(self) -> Option<Call<'w>> {
        let request = request::read(&self.object(), self.config).ok()?;
        let (include, exclude) = globs(&request, self.config).ok()?;
        let matcher = self.matcher(&request)?;
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

    fn matcher(self, request: &Request) -> Option<Matcher> {
        pattern::compile(request, self.config.tables.limits.automaton_bytes)
    }

    fn root(self, request: &Request) -> Option<SearchRoot<'w>> {
        let located = sandbox::locate(self.world, self.config, request.path.as_deref())?;
        sandbox::open(located)
    }
}

fn agree(holds: bool) -> Verdict {
    if holds { Ok(()) } else { Err(String::new()) }
}

/// Check 6. Only the blank test trims: the pattern is searched as given (E-F03). LF and NUL are
/// refused because no backend can take them as characters (E-A07, E-F02).
fn pattern_text(pattern: &str, limits: &Limits) -> bool {
    !exceeds(pattern.len(), limits.pattern_bytes)
        && !pattern.trim().is_empty()
        && !pattern.contains('\n')
        && !pattern.contains('\0')
}

/// Check 7.
fn path_text(request: &Request) -> bool {
    request.path.as_ref().is_none_or(|path| !path.is_empty() && !path.contains('\0'))
}

/// Check 8: the effective include and exclude globs. `glob` replaces an absent or empty
/// `include_glob`, and is validated in any case (FR-LS-VAL-11, E-F15).
fn globs(request: &Request, config: &Config) -> Result<(Vec<Glob>, Vec<Glob>), String> {
    let limits = &config.tables.limits;
    let include =
        glob::parse_all(&request.include_glob, limits, config.lenient).ok_or("include_glob")?;
    let exclude =
        glob::parse_all(&request.exclude_glob, limits, config.lenient).ok_or("exclude_glob")?;
    let glob = glob::parse_all(&request.glob, limits, config.lenient).ok_or("glob")?;
    Ok((if include.is_empty() { glob } else { include }, exclude))
}

/// Check 9 (D14, E-G02).
fn fuzzy(request: &Request) -> bool {
    request.fuzzy.is_none_or(|level| {
        request.fixed_strings && exceeds(request.pattern.chars().count(), level)
    })
}

#[cfg(test)]
mod tests;
