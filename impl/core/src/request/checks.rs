//! Checks that the requests of several tools share: bounds of numbers, globs, characters of
//! patterns. Each error names the field, the value and the allowed range.

use super::{MAX_GLOB_BYTES, MAX_GLOBS, MAX_PATTERN_BYTES, Reading};
use crate::{
    error::ToolError,
    glob::{Dialect, Glob, GlobError},
};

/// A request builder. The first invalid field is kept and is the error of [`Builder::build`];
/// errors that concern several fields come after it.
pub trait Builder: Sized + AsMut<FirstError> {
    /// The built request.
    type Request;

    /// Records `error` unless an earlier one is recorded.
    #[must_use]
    fn refuse(mut self, error: ToolError) -> Self {
        self.as_mut().keep::<()>(Err(error));
        self
    }

    /// The request, or the first error.
    fn build(self) -> Result<Self::Request, ToolError>;
}

/// The first error of a request's fields.
#[derive(Clone, Debug, Default)]
pub struct FirstError(Option<ToolError>);

impl FirstError {
    /// Records the error unless an earlier one is recorded.
    pub(crate) fn keep<T>(&mut self, checked: Result<T, ToolError>) -> Option<T> {
        match checked {
            Ok(value) => Some(value),
            Err(error) => {
                self.0.get_or_insert(error);
                None
            }
        }
    }

    /// Assigns a checked value, or records its error.
    pub(crate) fn set<T, S: From<T>>(&mut self, place: &mut S, checked: Result<T, ToolError>) {
        if let Some(value) = self.keep(checked) {
            *place = value.into();
        }
    }

    /// Fails with the recorded error.
    pub(crate) fn check(self) -> Result<(), ToolError> {
        self.0.map_or(Ok(()), Err)
    }
}

/// A number within its bounds.
pub(crate) fn within(
    field: &str,
    given: impl Into<i128>,
    least: u64,
    most: u64,
) -> Result<u64, ToolError> {
    let given = given.into();
    match u64::try_from(given) {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(ToolError::bad_args(
            field,
            format!("`{field}` is {given}; allowed are {least} to {most}"),
        )),
    }
}

/// Converts to `usize`, saturating.
pub(crate) fn saturate(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Checks that the pattern has characters, not too many, and none that no line contains (E-F02,
/// E-F03).
pub(crate) fn check_pattern(field: &str, pattern: &str) -> Result<(), ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args(field, why));
    if pattern.len() > MAX_PATTERN_BYTES {
        return refuse(format!(
            "`{field}` is {} bytes long; at most {MAX_PATTERN_BYTES} are allowed",
            pattern.len()
        ));
    }
    if pattern.trim().is_empty() {
        return refuse(format!(
            "`{field}` is empty or blank; give at least one character that is not white space"
        ));
    }
    for (c, name) in [('\n', "line feed"), ('\0', "NUL")] {
        if let Some(at) = pattern.find(c) {
            return refuse(format!(
                "`{field}` holds a {name} at byte {at}; the search goes line by line"
            ));
        }
    }
    Ok(())
}

/// A list of request globs.
pub(crate) fn globs(
    field: &str,
    texts: &[impl AsRef<str>],
    reading: Reading,
) -> Result<Vec<Glob>, ToolError> {
    if texts.len() > MAX_GLOBS {
        return Err(ToolError::bad_args(
            field,
            format!("`{field}` has {} entries; at most {MAX_GLOBS} are allowed", texts.len()),
        ));
    }
    texts
        .iter()
        .map(|text| {
            let text = text.as_ref();
            if text.len() > MAX_GLOB_BYTES {
                let length = text.len();
                let why = format!(
                    "a glob in `{field}` is {length} bytes long; at most {MAX_GLOB_BYTES} are allowed"
                );
                return Err(ToolError::bad_args(field, why));
            }
            let glob = match reading {
                Reading::Documents => Glob::parse(text.as_bytes(), Dialect::Request),
                Reading::Callers => Glob::of_caller(text.as_bytes()),
            };
            glob.map_err(|why| {
                let why = match why {
                    GlobError::Negated => format!(
                        "a leading `!` is not allowed; put the glob into `{}`, or escape it as `\\!`",
                        excluding(field)
                    ),
                    why => why.to_string(),
                };
                ToolError::bad_args(field, format!("invalid glob `{}` in `{field}`: {why}", shown(text)))
            })
        })
        .collect()
}

/// The field of the same request that excludes files by glob.
fn excluding(field: &str) -> &'static str {
    match field {
        "include_globs" | "exclude_globs" => "exclude_globs",
        "include_path" | "exclude_path" | "pattern" => "exclude_path",
        _ => "exclude_glob",
    }
}

/// User input on one line, for a message.
pub fn shown(text: &str) -> String {
    const SHOWN: usize = 200;
    let cut = if text.chars().count() > SHOWN { "…" } else { "" };
    crate::content::escape_name(&text.chars().take(SHOWN).collect::<String>()) + cut
}

/// Collects texts.
pub(crate) fn texts(given: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    given.into_iter().map(Into::into).collect()
}

/// The error of a missing required field.
pub fn missing(field: &str) -> ToolError {
    ToolError::bad_args(field, format!("`{field}` is required: a non-empty string"))
}

#[cfg(test)]
mod tests {
    use super::{Reading, globs};

    #[test]
    fn the_error_of_a_negated_glob_names_the_excluding_field_of_the_tool() {
        for (field, excluding) in [
            ("include_glob", "exclude_glob"),
            ("glob", "exclude_glob"),
            ("include_globs", "exclude_globs"),
            ("exclude_globs", "exclude_globs"),
            ("include_path", "exclude_path"),
            ("exclude_path", "exclude_path"),
            ("pattern", "exclude_path"),
        ] {
            let message = globs(field, &["!a"], Reading::Callers).unwrap_err().message;
            let advice = format!("put the glob into `{excluding}`, or escape it as `\\!`");
            assert!(message.ends_with(&advice), "{message}");
        }
    }
}
