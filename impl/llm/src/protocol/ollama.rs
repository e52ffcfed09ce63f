//! Ollama's chat.

use forge_search_engine::language_model::{ModelFailure, Prompt};
use serde_json::{Value, json};

use super::{Body, Form, malformed};

/// Smallest and largest context a model is loaded with, in tokens.
const CONTEXT: (usize, usize) = (4 << 10, 128 << 10);
/// Fewest bytes of a prompt that make one token.
const BYTES_PER_TOKEN: usize = 3;

/// Ollama silently cuts a prompt that exceeds the context, which is small by default. Powers of two
/// keep a model from being reloaded for every prompt.
fn context(prompt: &Prompt) -> usize {
    let (least, most) = CONTEXT;
    let sent = (prompt.system.len() + prompt.user.len()).div_ceil(BYTES_PER_TOKEN);
    let all = sent.saturating_add(usize::try_from(prompt.max_answer_tokens).unwrap_or(most));
    all.clamp(least, most).next_power_of_two()
}

pub(super) fn body(model: &str, prompt: &Prompt, form: Form) -> Body {
    let mut body = Body::new(model);
    body.put(
        "messages",
        json!([{ "role": "system", "content": prompt.system }, { "role": "user", "content": prompt.user }]),
    );
    let (length, context) = (prompt.max_answer_tokens, context(prompt));
    if form == Form::Full {
        body.put("options", json!({ "num_predict": length, "num_ctx": context, "temperature": 0 }));
        body.put("format", prompt.schema.clone());
        body.put("think", false);
    } else {
        body.put("options", json!({ "num_predict": length, "num_ctx": context }));
    }
    body
}

pub(super) fn answer(body: &Value) -> Result<String, ModelFailure> {
    if body["done_reason"] == "length" {
        return Err(ModelFailure::TooLong);
    }
    let text = body.pointer("/message/content").and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| malformed("it holds no message"))
}
