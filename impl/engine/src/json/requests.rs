//! The requests of the six tools, out of JSON: which fields there are, in the order of their
//! schemas.

use std::borrow::Cow;

use serde_json::Value;

use forge_search_core::agent::{find_files_definition, grep_definition, search_text_definition};

use crate::{
    Arguments, Mode, ToolError,
    requests::{
        Caps, Defaults, Limits, Reading, find_files, grep, grep::Output, keyword, search,
        search_files, search_text,
    },
};

use std::sync::LazyLock;

use super::{other_names::Tool, reader::Reader, shapes};

/// The schemas of the requests, made once.
static SEARCH: LazyLock<Value> = LazyLock::new(|| search::definition().input_schema);
static CONTENTS: LazyLock<Value> = LazyLock::new(|| search_files::definition().input_schema);
static TEXT: LazyLock<Value> = LazyLock::new(|| search_text_definition().input_schema);
static GREP: LazyLock<Value> = LazyLock::new(|| grep_definition().input_schema);
static PATHS: LazyLock<Value> = LazyLock::new(|| find_files_definition().input_schema);
static KEYWORD: LazyLock<Value> = LazyLock::new(|| keyword::definition(true).input_schema);

impl super::Json<'_> {
    /// The request as it is to be read.
    fn shaped(
        &self,
        reading: Reading,
        tool: Tool,
        schema: &Value,
    ) -> Result<Cow<'_, Value>, ToolError> {
        match reading {
            Reading::Documents => Ok(Cow::Borrowed(self.0)),
            Reading::Callers => shapes::as_published(tool, schema, self.0).map(Cow::Owned),
        }
    }
}

/// The request of a call as JSON.
impl Arguments for super::Json<'_> {
    fn query(&self) -> Option<&str> {
        ["query", "pattern"].iter().find_map(|name| self.0.get(name)?.as_str())
    }

    fn bytes(&self) -> u64 {
        super::bytes(self.0) as u64
    }

    fn search(&self, limits: &Limits) -> Result<search::Request, ToolError> {
        type Request = search::RequestBuilder;
        let request = self.shaped(limits.reading, Tool::Search, &SEARCH)?;
        let mut reader = Reader::of(&request)?;
        let pattern = reader.required("pattern");
        reader
            .into(pattern.map(|pattern| search::Request::builder(pattern, limits)))
            .text("path", Request::path)
            .case(Request::case)
            .flag("fixed_strings", Request::fixed_strings)
            .flag("word_regexp", Request::word_regexp)
            .texts("include_glob", Request::include_glob)
            .texts("exclude_glob", Request::exclude_glob)
            .texts("glob", Request::glob)
            .flag("recursive", Request::recursive)
            .flag("hidden", Request::hidden)
            .flag("follow", Request::follow)
            .flag("no_ignore", Request::no_ignore)
            .integer("context", Request::context)
            .integer("max_results", Request::max_results)
            .integer("max_matches_per_file", Request::max_matches_per_file)
            .integer("max_files", Request::max_files)
            .integer("max_file_size_bytes", Request::max_file_size_bytes)
            .integer("timeout_ms", Request::timeout_ms)
            .integer("fuzzy", Request::fuzzy)
            .finish()
    }

    fn search_files(
        &self,
        caps: &Caps,
        can_fuzzy: bool,
    ) -> Result<search_files::Request, ToolError> {
        type Request = search_files::RequestBuilder;
        let request = self.shaped(caps.reading, Tool::Contents, &CONTENTS)?;
        let mut reader = Reader::of(&request)?;
        let path = reader.required("path");
        let query = reader.required("query");
        reader
            .into(
                path.and_then(|path| {
                    Ok(search_files::Request::builder(path, query?, caps, can_fuzzy))
                }),
            )
            .one_of("mode", &Mode::ALL.map(|mode| (mode.name(), mode)), Request::mode)
            .case(Request::case)
            .flag("recursive", Request::recursive)
            .integer("max_depth", Request::max_depth)
            .integer("max_results", Request::max_results)
            .integer("max_matches_per_file", Request::max_matches_per_file)
            .integer("max_file_size_bytes", Request::max_file_size_bytes)
            .integer("max_files", Request::max_files)
            .integer("context_lines", Request::context_lines)
            .flag("include_hidden", Request::include_hidden)
            .flag("follow_symlinks", Request::follow_symlinks)
            .flag("respect_gitignore", Request::respect_gitignore)
            .texts("include_globs", Request::include_globs)
            .texts("exclude_globs", Request::exclude_globs)
            .finish()
    }

    fn search_text(&self, defaults: &Defaults) -> Result<search_text::Request, ToolError> {
        type Request = search_text::RequestBuilder;
        let request = self.shaped(defaults.reading, Tool::Text, &TEXT)?;
        let mut reader = Reader::of(&request)?;
        let query = reader.required("query");
        reader
            .into(query.map(|query| search_text::Request::builder(query, defaults)))
            .text("directory", Request::directory)
            .text_or_texts("include_path", Request::include_path)
            .text_or_texts("exclude_path", Request::exclude_path)
            .text_or_texts("file_type", Request::file_type)
            .integer("max_results", Request::max_results)
            .integer("offset", Request::offset)
            .integer("context_lines", Request::context_lines)
            .finish()
    }

    fn grep(&self, defaults: &Defaults) -> Result<grep::Request, ToolError> {
        type Request = grep::RequestBuilder;
        let request = self.shaped(defaults.reading, Tool::Grep, &GREP)?;
        let mut reader = Reader::of(&request)?;
        let pattern = reader.required("pattern");
        reader
            .into(pattern.map(|pattern| grep::Request::builder(pattern, defaults)))
            .flag("regex", Request::regex)
            .case(Request::case)
            .one_of("output", &Output::ALL.map(|output| (output.name(), output)), Request::output)
            .text("directory", Request::directory)
            .flag("hidden", Request::hidden)
            .flag("no_ignore", Request::no_ignore)
            .text_or_texts("include_path", Request::include_path)
            .text_or_texts("exclude_path", Request::exclude_path)
            .text_or_texts("file_type", Request::file_type)
            .integer("max_results", Request::max_results)
            .integer("offset", Request::offset)
            .integer("context_lines", Request::context_lines)
            .finish()
    }

    fn find_files(&self, defaults: &Defaults) -> Result<find_files::Request, ToolError> {
        type Request = find_files::RequestBuilder;
        let request = self.shaped(defaults.reading, Tool::Paths, &PATHS)?;
        let mut reader = Reader::of(&request)?;
        let pattern = reader.required("pattern");
        reader
            .into(pattern.map(|pattern| find_files::Request::builder(pattern, defaults)))
            .text("directory", Request::directory)
            .flag("recursive", Request::recursive)
            .flag("hidden", Request::hidden)
            .flag("no_ignore", Request::no_ignore)
            .text_or_texts("include_path", Request::include_path)
            .text_or_texts("exclude_path", Request::exclude_path)
            .integer("max_results", Request::max_results)
            .integer("offset", Request::offset)
            .finish()
    }

    fn keyword_search(
        &self,
        defaults: &Defaults,
        terms_from_query: bool,
    ) -> Result<keyword::Request, ToolError> {
        type Request = keyword::RequestBuilder;
        let request = self.shaped(defaults.reading, Tool::Keyword, &KEYWORD)?;
        let mut reader = Reader::of(&request)?;
        let query = reader.required("query");
        let is_given = request.get("search_terms").is_some();
        let builder = query.map(|query| {
            let builder = keyword::Request::builder(query, defaults);
            // What is not there is an empty list, and that is refused.
            if terms_from_query || is_given { builder } else { builder.search_terms([""; 0]) }
        });
        reader
            .into(builder)
            .texts("search_terms", Request::search_terms)
            .integer("max_results", Request::max_results)
            .flag("use_model", Request::use_model)
            .flag("dry_run", Request::dry_run)
            .finish()
    }
}
