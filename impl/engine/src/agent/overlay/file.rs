//! The text of `.agent/config.yml`: its keys and their ranges.

use forge_search_core::content::escape_name;
use serde::Deserialize;
use serde_json::Value;

use super::PLACE;
use crate::config::AgentConfig;

/// The values of the keys that are read, unchecked.
#[derive(Debug, PartialEq)]
pub(crate) struct OverlayFile(Search);

/// The document. Other keys are ignored.
#[derive(Default, Deserialize)]
struct Document {
    tools: Option<Tools>,
}

#[derive(Default, Deserialize)]
struct Tools {
    search: Option<Search>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
struct Search {
    default_max_results: Option<Value>,
    default_context_lines: Option<Value>,
    timeout_seconds: Option<Value>,
    rate_limit: Option<RateLimit>,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
struct RateLimit {
    searches_per_minute: Option<Value>,
}

/// Most characters of a value or error that a message repeats.
const SHOWN: usize = 80;

impl OverlayFile {
    /// The content of a missing file.
    pub(crate) fn empty() -> Self {
        Self(Search::default())
    }

    /// Parses a file's text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // The parser refuses a file of comments only, which is valid here.
        let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        if text.lines().all(is_blank) {
            return Ok(Self::empty());
        }
        let document: Option<Document> = serde_yaml::from_str(text).map_err(|err| {
            // The first line has the error and its position; the others may repeat the file.
            let err = err.to_string();
            format!(
                "it is not the YAML that is expected: {}",
                shown(err.lines().next().unwrap_or_default())
            )
        })?;
        Ok(Self(document.and_then(|document| document.tools?.search).unwrap_or_default()))
    }

    /// `base`, lowered; and a message about values that have no effect.
    pub(crate) fn lower(&self, base: &AgentConfig) -> (AgentConfig, Option<String>) {
        let Self(search) = self;
        let per_minute =
            search.rate_limit.as_ref().and_then(|limit| limit.searches_per_minute.as_ref());
        let (mut config, mut wrong) = (base.clone(), Vec::new());
        for (name, own, least, most) in base.ranges() {
            let (content, key, place) = match name {
                "default_max_results" => {
                    (search.default_max_results.as_ref(), name, &mut config.default_max_results)
                }
                "default_context_lines" => {
                    (search.default_context_lines.as_ref(), name, &mut config.default_context_lines)
                }
                "timeout_seconds" => {
                    (search.timeout_seconds.as_ref(), name, &mut config.timeout_seconds)
                }
                "searches_per_minute" => {
                    (per_minute, "rate_limit.searches_per_minute", &mut config.searches_per_minute)
                }
                // A tree may not change the length of answers.
                _ => continue,
            };
            match content.map(|value| (value, value.as_u64())) {
                None => {}
                Some((_, Some(number))) if (least..=most).contains(&number) => {
                    *place = own.min(number);
                }
                Some((value, _)) => wrong.push(format!(
                    "`tools.search.{key}` is `{}`; allowed: {least} to {most}; {own} is used",
                    shown(&value.to_string())
                )),
            }
        }
        if wrong.is_empty() {
            return (config, None);
        }
        let wrong = format!(
            "`{PLACE}`: {}. Correct or remove what is wrong; no restart is needed.",
            wrong.join("; ")
        );
        (config, Some(wrong))
    }
}

fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    escape_name(&shown)
}
