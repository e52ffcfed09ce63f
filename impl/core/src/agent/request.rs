//! The fields that the three tools share: where to look, which files, which page (FR-015b-17 to FR-015b-21; docs/agent-tools.md, section 2).

use super::ineligible::Filters;
use crate::{
    error::ToolError,
    request::fields::{Fields, globs, saturate},
    scope::{Depth, Links, Names, Scope},
};

/// Most results of one answer.
pub(crate) const MAX_RESULTS: u64 = 200;
/// Most results that can be passed over.
pub(crate) const MAX_OFFSET: u64 = 10_000;
/// Most lines of context on each side.
pub(crate) const MAX_CONTEXT: u64 = 20;
/// Most file types of one request.
const MAX_FILE_TYPES: usize = 256;
/// Most characters of a file type.
const MAX_FILE_TYPE_CHARS: usize = 32;

/// What requests take from configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// Results of an answer.
    pub max_results: u64,
    /// Lines of context on each side.
    pub context_lines: u64,
}

/// Which results of all there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Results passed over.
    pub offset: usize,
    /// Results shown at most.
    pub max_results: usize,
}

impl Page {
    pub(super) fn parse(fields: &Fields<'_>, defaults: &Defaults) -> Result<Self, ToolError> {
        let max_results = fields.integer("max_results", 1, MAX_RESULTS)?.unwrap_or(defaults.max_results);
        let offset = fields.integer("offset", 0, MAX_OFFSET)?.unwrap_or(0);
        Ok(Self { offset: saturate(offset), max_results: saturate(max_results) })
    }

    /// How many results are of interest: those passed over and those shown.
    pub fn end(&self) -> usize {
        self.offset + self.max_results
    }
}

/// Lines of context on each side.
pub(super) fn context(fields: &Fields<'_>, defaults: &Defaults) -> Result<usize, ToolError> {
    Ok(saturate(fields.integer("context_lines", 0, MAX_CONTEXT)?.unwrap_or(defaults.context_lines)))
}

/// Where to look: the working directory if the request does not say.
pub(super) fn directory(fields: &Fields<'_>) -> Result<String, ToolError> {
    let given = fields.text("directory")?.unwrap_or(".");
    if given.is_empty() {
        let why = "`directory` is empty; name a directory, or leave it out for the working directory";
        return Err(ToolError::bad_args("directory", why));
    }
    if given.contains('\0') {
        return Err(ToolError::bad_args("directory", "`directory` holds a NUL"));
    }
    Ok(given.to_owned())
}

/// Which files below the search root, and how the request says so.
pub(super) fn scope(fields: &Fields<'_>, recursive: bool) -> Result<(Scope, Filters), ToolError> {
    let read = |field| {
        let texts = fields.text_or_texts(field)?;
        let globs = globs(field, &texts)?;
        Ok::<_, ToolError>((globs, texts.into_iter().map(str::to_owned).collect()))
    };
    let (include, include_texts) = read("include_path")?;
    let (exclude, exclude_texts) = read("exclude_path")?;
    let scope = Scope {
        include,
        exclude,
        depth: if recursive { Depth::Any } else { Depth::Children },
        hidden: false,
        links: Links::Skip,
        no_ignore: false,
        also: Vec::new(),
    };
    Ok((scope, Filters { include: include_texts, exclude: exclude_texts }))
}

/// The ends of names that the request is about; none if it does not say.
pub(super) fn file_types(fields: &Fields<'_>) -> Result<Option<Names>, ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args("file_type", why));
    let given = fields.text_or_texts("file_type")?;
    if given.len() > MAX_FILE_TYPES {
        return refuse(format!(
            "`file_type` has {} entries; at most {MAX_FILE_TYPES} are allowed",
            given.len()
        ));
    }
    let mut ends = Vec::with_capacity(given.len());
    for text in given {
        let bare = text.strip_prefix('.').unwrap_or(text);
        let length = bare.chars().count();
        if !(1..=MAX_FILE_TYPE_CHARS).contains(&length) {
            return refuse(format!(
                "a `file_type` has {length} characters after its dot; 1 to {MAX_FILE_TYPE_CHARS} are allowed, as in `.cs` or `tar.gz`"
            ));
        }
        let alien = |c: char| c.is_whitespace() || c.is_control() || "/,*?[]{}\\".contains(c);
        if let Some(alien) = bare.chars().find(|c| alien(*c)) {
            return refuse(format!(
                "a `file_type` holds `{}`; give the end of file names, as in `.cs` or [\"cs\", \"h\"], and use `include_path` for globs",
                alien.escape_debug()
            ));
        }
        ends.push(format!(".{bare}"));
    }
    Ok((!ends.is_empty()).then_some(Names::Ending(ends)))
}
