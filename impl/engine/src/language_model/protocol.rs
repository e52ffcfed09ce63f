//! What the protocols have in common: a prompt becomes a request, a response a text.
//!
//! Responsible for: addresses, headers with keys, which protocol writes and reads bodies; what a
//! server that refuses has to say. Left to neighbours: bodies ([`openai`], [`anthropic`],
//! [`ollama`]); sending ([`super::transport`]). Invariants: a request is a function of preference,
//! key, prompt and form; it asks for one answer, not streamed, bounded in length.

use forge_search_core::content::escape_name;
use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::{Map, Value};

use super::{Key, ModelFailure, Preference, Prompt, Protocol, transport::Request};

mod anthropic;
mod ollama;
mod openai;

/// Most bytes that are passed on of what a server says.
const MAX_COMPLAINT: usize = 200;

/// How much a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Temperature 0, no thinking, an answer by schema: whatever the model is known to take.
    Full,
    /// Only what every server of the protocol understands.
    Plain,
}

/// A request's body in the making.
#[derive(Clone, Debug)]
struct Body(Map<String, Value>);

impl Body {
    /// What every protocol asks: this model, and its answer in one piece.
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

/// What a server names when it complains about something that the plain form leaves out.
const OPTIONS: [&str; 7] = [
    "temperature",
    "reasoning",
    "response_format",
    "schema",
    "thinking",
    "effort",
    "output_config",
];

/// The request that asks a preference's model a prompt.
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

/// The answer that a successful response holds.
pub(super) fn answer(protocol: Protocol, body: &[u8]) -> Result<String, ModelFailure> {
    let body: Value = serde_json::from_slice(body)
        .map_err(|error| ModelFailure::Garbled(format!("not JSON: {error}")))?;
    let text = match protocol {
        Protocol::OpenAi => openai::answer(&body),
        Protocol::Anthropic => anthropic::answer(&body),
        Protocol::Ollama => ollama::answer(&body),
    }?;
    if text.trim().is_empty() {
        return Err(ModelFailure::Garbled("it holds no answer".to_owned()));
    }
    Ok(text)
}

/// What a response that is no success says, for people to read.
pub(super) fn complaint(body: &[u8], key: Option<&Key>) -> String {
    let text = String::from_utf8_lossy(body);
    let parsed: Option<Value> = serde_json::from_str(&text).ok();
    let message = parsed.as_ref().and_then(|body| {
        // OpenAI and Anthropic; Ollama; and what stands before servers of one's own.
        ["/error/message", "/error", "/message", "/detail"]
            .iter()
            .find_map(|at| body.pointer(at)?.as_str())
    });
    readable(message.unwrap_or(&text), key)
}

/// Whether a complaint is about something that the plain form leaves out.
pub(super) fn is_about_options(complaint: &str) -> bool {
    let complaint = complaint.to_ascii_lowercase();
    OPTIONS.iter().any(|option| complaint.contains(option))
}

/// A text in which the key does not stand.
pub(super) fn without(key: Option<&Key>, text: String) -> String {
    match key {
        Some(key) if text.contains(key.reveal()) => text.replace(key.reveal(), "[key]"),
        _ => text,
    }
}

/// Somebody else's words: without the key, on one line, escaped, and cut.
pub(super) fn readable(text: &str, key: Option<&Key>) -> String {
    let text = without(key, text.to_owned());
    let words: Vec<&str> = text.split_whitespace().collect();
    cut(escape_name(&words.join(" ")))
}

fn cut(mut text: String) -> String {
    const MARK: &str = "…";
    if text.len() > MAX_COMPLAINT {
        let mut end = MAX_COMPLAINT - MARK.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(MARK);
    }
    text
}

/// A refusal by the model itself, in a response that is otherwise a success.
fn refusal(message: &str) -> ModelFailure {
    let message = readable(message, None);
    ModelFailure::Refused {
        status: 200,
        message: if message.is_empty() { "the model declined".to_owned() } else { message },
    }
}

fn garbled(what: &str) -> ModelFailure {
    ModelFailure::Garbled(what.to_owned())
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
