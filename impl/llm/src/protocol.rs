//! Requests and responses, over all protocols.
//!
//! Responsible for: addresses, key headers, the choice of the protocol's module, error messages of
//! servers. Not here: bodies ([`openai`], [`anthropic`], [`ollama`]); sending
//! ([`super::transport`]). Invariants: a request is a function of preference, key, prompt and form;
//! it asks for one answer, not streamed, bounded in length.

use forge_search_engine::{
    escape_name,
    language_model::{Key, ModelFailure, Preference, Prompt, Protocol},
};
use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::{Map, Value};

use super::transport::Request;

mod anthropic;
mod ollama;
mod openai;

/// Most bytes of a server's error message that are passed on.
const MAX_ERROR_MESSAGE: usize = 200;

/// Which options a request uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Temperature 0, no thinking, an answer by schema: all that the model is known to support.
    Full,
    /// Only what every server of the protocol supports.
    Plain,
}

/// A request's body under construction.
#[derive(Clone, Debug)]
struct Body(Map<String, Value>);

impl Body {
    /// The fields of every protocol: the model, and no streaming.
    fn new(model: &str) -> Self {
        let mut body = Self(Map::new());
        body.put("model", model);
        body.put("stream", false);
        body
    }

    fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn written(self) -> Vec<u8> {
        Value::Object(self.0).to_string().into_bytes()
    }
}

/// Words in an error message that is about an option of the full form.
const OPTIONS: [&str; 7] = [
    "temperature",
    "reasoning",
    "response_format",
    "schema",
    "thinking",
    "effort",
    "output_config",
];

/// The request that sends a prompt to a preference's model.
pub(super) fn request(
    preference: &Preference,
    key: Option<&Key>,
    prompt: &Prompt,
    form: Form,
) -> Result<Request, ModelFailure> {
    let model = preference.model.as_str();
    let (path, body) = match preference.protocol {
        Protocol::OpenAi => ("chat/completions", openai::body(model, prompt, form)),
        Protocol::Anthropic => ("v1/messages", anthropic::body(model, prompt, form)),
        Protocol::Ollama => ("api/chat", ollama::body(model, prompt, form)),
    };
    let address = format!("{}/{path}", preference.base_url.trim_end_matches('/'));
    let url = Url::parse(&address)
        .map_err(|error| ModelFailure::Unreachable(format!("its address is none: {error}")))?;
    Ok(Request { url, headers: headers(preference, key)?, body: body.written() })
}

fn headers(preference: &Preference, key: Option<&Key>) -> Result<HeaderMap, ModelFailure> {
    let mut headers = HeaderMap::new();
    if preference.protocol == Protocol::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    let Some(key) = key else { return Ok(headers) };
    let (name, value) = match preference.protocol {
        Protocol::Anthropic => (HeaderName::from_static("x-api-key"), key.reveal().to_owned()),
        Protocol::OpenAi | Protocol::Ollama => {
            (reqwest::header::AUTHORIZATION, format!("Bearer {}", key.reveal()))
        }
    };
    let Ok(mut value) = HeaderValue::try_from(value) else {
        let variable = preference.key_variable.as_deref().unwrap_or_default();
        return Err(ModelFailure::Unreachable(format!("what `{variable}` holds cannot be a key")));
    };
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}

/// The answer in a successful response.
pub(super) fn answer(protocol: Protocol, body: &[u8]) -> Result<String, ModelFailure> {
    let body: Value = serde_json::from_slice(body)
        .map_err(|error| ModelFailure::Malformed(format!("not JSON: {error}")))?;
    let text = match protocol {
        Protocol::OpenAi => openai::answer(&body),
        Protocol::Anthropic => anthropic::answer(&body),
        Protocol::Ollama => ollama::answer(&body),
    }?;
    if text.trim().is_empty() {
        return Err(ModelFailure::Malformed("it holds no answer".to_owned()));
    }
    Ok(text)
}

/// The error message in a failed response, for people.
pub(super) fn error_message(body: &[u8], key: Option<&Key>) -> String {
    let text = String::from_utf8_lossy(body);
    let parsed: Option<Value> = serde_json::from_str(&text).ok();
    let message = parsed.as_ref().and_then(|body| {
        // OpenAI and Anthropic; Ollama; and proxies in front of self-hosted servers.
        ["/error/message", "/error", "/message", "/detail"]
            .iter()
            .find_map(|at| body.pointer(at)?.as_str())
    });
    readable(message.unwrap_or(&text), key)
}

/// Whether an error message is about an option that the plain form leaves out.
pub(super) fn is_about_options(error_message: &str) -> bool {
    let error_message = error_message.to_ascii_lowercase();
    OPTIONS.iter().any(|option| error_message.contains(option))
}

/// `text` with the key redacted.
pub(super) fn without(key: Option<&Key>, text: String) -> String {
    match key {
        Some(key) if text.contains(key.reveal()) => text.replace(key.reveal(), "[key]"),
        _ => text,
    }
}

/// A server's text: without the key, on one line, escaped, and cut.
pub(super) fn readable(text: &str, key: Option<&Key>) -> String {
    let text = without(key, text.to_owned());
    let words: Vec<&str> = text.split_whitespace().collect();
    cut(escape_name(&words.join(" ")))
}

fn cut(mut text: String) -> String {
    const MARK: &str = "…";
    if text.len() > MAX_ERROR_MESSAGE {
        let mut end = MAX_ERROR_MESSAGE - MARK.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(MARK);
    }
    text
}

/// A refusal by the model itself, in a response that is otherwise successful.
fn refusal(message: &str) -> ModelFailure {
    let message = readable(message, None);
    ModelFailure::Refused {
        status: 200,
        message: if message.is_empty() { "the model declined".to_owned() } else { message },
    }
}

fn malformed(what: &str) -> ModelFailure {
    ModelFailure::Malformed(what.to_owned())
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
