//! The requests of the agent's tools: fields with defaults, pattern or query, and directory,
//! validated in order (section 2).
//!
//! Bounds and defaults come from the tables and the configuration.

use serde_json::{Map, Value};

use super::query::{self, Term};
use super::{Config, Refusal};
use crate::arguments;
use crate::fields::exceeds;
use crate::fields::{self, FieldValue, Values};
use crate::glob::{self, Glob};
use crate::pattern;
use crate::place::Name;
use crate::request::Case;
use crate::sandbox::{self, SearchRoot};
use crate::tables::Field;
use crate::tables::agent::{AgentError, AgentLimits, AgentSetting, AgentTool};
use crate::walk::{BroughtBack, Depth, Links, Paths, Scope};
use crate::world::World;

/// A valid call.
#[derive(Debug)]
pub(super) struct Call<'w> {
    pub(super) sought: SearchTarget,
    pub(super) root: SearchRoot<'w>,
    recursive: bool,
    hidden: bool,
    no_ignore: bool,
    include: Vec<Glob>,
    exclude: Vec<Glob>,
    /// Without the leading dot.
    file_types: Vec<String>,
    pub(super) max_results: u64,
    pub(super) offset: u64,
    pub(super) context_lines: u64,
    pub(super) output: Output,
}

/// What `grep` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    Lines,
    Files,
    Count,
}

impl Output {
    /// The value of `output`. The table has no others.
    fn named(word: Option<&str>) -> Output {
        match word {
            Some("files") => Output::Files,
            Some("count") => Output::Count,
            _ => Output::Lines,
        }
    }
}

#[derive(Debug)]
pub(super) enum SearchTarget {
    Lines(regex_automata::nfa::thompson::pikevm::PikeVM),
    /// A glob, and its text if it has no wildcard.
    Paths(Glob, Option<String>),
    /// Terms that files contain.
    Terms(Vec<Term>),
}

impl Call<'_> {
    pub(super) fn scope(&self) -> Scope<'_> {
        Scope {
            root: &self.root,
            include: &self.include,
            exclude: &self.exclude,
            depth: if self.recursive { Depth::All } else { Depth::Children },
            hidden: self.hidden,
            brought_back: self.brought_back(),
            links: Links::Skipped,
            no_ignore: self.no_ignore,
            paths: Paths::FromWorkingDirectory,
        }
    }

    /// The hidden names that the globs and the pattern name.
    fn brought_back(&self) -> BroughtBack<'_> {
        let (pattern, text) = match &self.sought {
            SearchTarget::Paths(glob, text) => (Some(glob), text.as_deref()),
            SearchTarget::Lines(_) | SearchTarget::Terms(_) => (None, None),
        };
        BroughtBack { include: &self.include, pattern, text }
    }

    /// Whether the file types, and in the path search the pattern, admit this path below the search
    /// root.
    pub(super) fn asks_for(&self, below_root: &[Name]) -> bool {
        let is_matched = match &self.sought {
            SearchTarget::Paths(glob, _) => glob.matches(below_root, false),
            SearchTarget::Lines(_) | SearchTarget::Terms(_) => true,
        };
        is_matched && self.is_of_type(below_root)
    }

    /// Whether the base name ends in a dot and one of the types, and is longer.
    pub(super) fn is_of_type(&self, below_root: &[Name]) -> bool {
        let Some(base) = below_root.last() else { return false };
        let ends = |file_type: &String| {
            let stem =
                base.strip_suffix(file_type.as_bytes()).and_then(|stem| stem.strip_suffix(b"."));
            stem.is_some_and(|stem| !stem.is_empty())
        };
        self.file_types.is_empty() || self.file_types.iter().any(ends)
    }
}

/// Validates a request of `tool`.
pub(super) fn read<'w>(
    world: &'w World,
    config: &Config,
    tool: AgentTool,
    request: &Value,
) -> Result<Call<'w>, Refusal> {
    let fields = config.tables.fields_of(tool);
    let request = if config.search.lenient {
        arguments::published(tool, &fields, request).map_err(|name| {
            let is_own = fields.iter().any(|field| field.name == name);
            let error = if is_own { error_of(&name) } else { AgentError::InvalidArgument };
            Refusal::at(error, &name)
        })?
    } else {
        request.clone()
    };
    let Value::Object(object) = &request else {
        return Err(Refusal::of(AgentError::InvalidArgument));
    };
    if let Some(unknown) = fields::unknown(object, &fields) {
        return Err(Refusal::at(AgentError::InvalidArgument, &unknown));
    }
    for field in &fields {
        let right = one(object, field, config)
            .is_some_and(|values| means_something(&values, field.name, config));
        if !right {
            return Err(Refusal::at(error_of(field.name), field.name));
        }
    }
    // Each field was validated, so this does not fail.
    let values = all(object, &fields, config).ok_or(Refusal::of(AgentError::InvalidArgument))?;
    let sought = search_target(&values, tool, config)
        .map_err(|field| Refusal::at(AgentError::InvalidQuery, field))?;
    let directory = values.text("directory");
    let located = sandbox::locate(world, &config.search, directory.as_deref())
        .ok_or_else(|| Refusal::at(AgentError::PathNotAllowed, "directory"))?;
    let root = sandbox::open(located)
        .filter(|root| config.search.lenient || root.file.is_none())
        .ok_or_else(|| Refusal::at(AgentError::SearchFailed, "directory"))?;
    let globs = |name: &str| globs(&values.texts(name), config).unwrap_or_default();
    Ok(Call {
        sought,
        root,
        // Only the path search has the field.
        recursive: tool != AgentTool::FindFiles || values.flag("recursive"),
        // Absent where a tool does not have them.
        hidden: values.flag("hidden"),
        no_ignore: values.flag("no_ignore"),
        include: globs("include_path"),
        exclude: globs("exclude_path"),
        file_types: values
            .texts("file_type")
            .iter()
            .map(|given| without_dot(given).to_owned())
            .collect(),
        max_results: values.integer("max_results").unwrap_or(u64::MAX),
        offset: values.integer("offset").unwrap_or_default(),
        context_lines: values.integer("context_lines").unwrap_or_default(),
        output: Output::named(values.text("output").as_deref()),
    })
}

/// The error of an invalid field.
fn error_of(field: &str) -> AgentError {
    match field {
        "query" | "pattern" => AgentError::InvalidQuery,
        _ => AgentError::InvalidArgument,
    }
}

fn one(
    object: &Map<String, Value>,
    field: &Field<AgentSetting>,
    config: &Config,
) -> Option<Values> {
    all(object, std::slice::from_ref(field), config)
}

fn all(
    object: &Map<String, Value>,
    fields: &[Field<AgentSetting>],
    config: &Config,
) -> Option<Values> {
    let most = config.search.tables.limits.integer_max;
    let setting = |key| {
        Some(FieldValue::Integer(match key {
            AgentSetting::DefaultMaxResults => config.default_max_results,
            AgentSetting::DefaultContextLines => config.default_context_lines,
        }))
    };
    fields::read(object, fields, most, setting).ok()
}

/// Whether a field of the right type is valid. The query or pattern is validated later.
fn means_something(values: &Values, field: &str, config: &Config) -> bool {
    match field {
        "directory" => values
            .text(field)
            .is_none_or(|directory| !directory.is_empty() && !directory.contains('\0')),
        "include_path" | "exclude_path" => globs(&values.texts(field), config).is_some(),
        "file_type" => {
            let types = values.texts(field);
            let limits = &config.tables.limits;
            !exceeds(types.len(), limits.texts)
                && types.iter().all(|given| is_file_type(given, limits))
        }
        _ => true,
    }
}

fn globs(globs: &[String], config: &Config) -> Option<Vec<Glob>> {
    glob::parse_all(globs, &config.search.tables.limits, config.search.lenient)
}

fn without_dot(file_type: &str) -> &str {
    file_type.strip_prefix('.').unwrap_or(file_type)
}

fn is_file_type(given: &str, limits: &AgentLimits) -> bool {
    let bare = without_dot(given);
    let is_odd = |one: char| one.is_whitespace() || one.is_control() || "/,*?[]{}\\".contains(one);
    !bare.is_empty()
        && !exceeds(bare.chars().count(), limits.file_type_characters)
        && !bare.contains(is_odd)
}

/// The compiled pattern or query; the field's name if it is invalid.
fn search_target(
    values: &Values,
    tool: AgentTool,
    config: &Config,
) -> Result<SearchTarget, &'static str> {
    match tool {
        AgentTool::SearchText => {
            let query = values.text("query").unwrap_or_default();
            query::terms(&query, &config.tables.limits).map(SearchTarget::Terms).ok_or("query")
        }
        AgentTool::FindFiles => {
            let pattern = values.text("pattern").unwrap_or_default();
            let globs = globs(std::slice::from_ref(&pattern), config);
            let glob = globs.and_then(|mut globs| globs.pop()).ok_or("pattern")?;
            let bare = pattern.strip_prefix("./").unwrap_or(&pattern);
            let is_name = bare.chars().all(|one| !"*?[]{}\\".contains(one));
            Ok(SearchTarget::Paths(glob, is_name.then(|| bare.to_ascii_lowercase())))
        }
        AgentTool::Grep | AgentTool::Search | AgentTool::SearchFiles | AgentTool::KeywordSearch => {
            let pattern = values.text("pattern").unwrap_or_default();
            let case = Case::named(values.text("case").as_deref());
            line_automaton(&pattern, values.flag("regex"), case, config)
                .map(SearchTarget::Lines)
                .ok_or("pattern")
        }
    }
}

/// The automaton of a pattern, refused where `Search` refuses it.
fn line_automaton(
    pattern: &str,
    is_regex: bool,
    case: Case,
    config: &Config,
) -> Option<regex_automata::nfa::thompson::pikevm::PikeVM> {
    let limits = &config.search.tables.limits;
    let no_line_holds = pattern.contains('\n') || pattern.contains('\0');
    if exceeds(pattern.len(), limits.pattern_bytes) || pattern.trim().is_empty() || no_line_holds {
        return None;
    }
    let expression = if is_regex {
        pattern::expression(pattern, case, config.search.folded())?
    } else {
        pattern::literal(pattern, case, config.search.folded())
    };
    pattern::automaton(&expression, limits.automaton_bytes)
}

#[cfg(test)]
mod tests;
