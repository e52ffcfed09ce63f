//! OpenAI's chat completions, which Fireworks, vLLM, llama.cpp, LM Studio and others support.

use forge_search_engine::language_model::{ModelFailure, Prompt};
use serde_json::{Value, json};

use super::{Body, Form, malformed, refusal};

/// The options of a family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Traits {
    /// Whether it supports a temperature other than the default.
    temperature: bool,
    /// Its value of least effort.
    effort: Option<&'static str>,
    /// The field that bounds the length of an answer.
    length: &'static str,
}

fn traits(model: &str) -> Traits {
    let id = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let begins = |prefix: &str| id.starts_with(prefix);
    let length = "max_completion_tokens";
    if begins("gpt-5.") {
        // From 5.1 on thinking can be turned off, and a temperature is then supported.
        Traits { temperature: true, effort: Some("none"), length }
    } else if begins("gpt-5") {
        // They always think, at the default temperature.
        Traits { temperature: false, effort: Some("minimal"), length }
    } else if ["gpt-6", "o1", "o3", "o4"].into_iter().any(begins) {
        Traits { temperature: false, effort: None, length }
    } else {
        // Servers other than OpenAI's support only the older field.
        Traits { temperature: true, effort: None, length: "max_tokens" }
    }
}

pub(super) fn body(model: &str, prompt: &Prompt, form: Form) -> Body {
    let traits = traits(model);
    let mut body = Body::new(model);
    body.put(
        "messages",
        json!([{ "role": "system", "content": prompt.system }, { "role": "user", "content": prompt.user }]),
    );
    body.put(traits.length, prompt.max_answer_tokens);
    if form == Form::Full {
        if traits.temperature {
            body.put("temperature", 0);
        }
        if let Some(effort) = traits.effort {
            body.put("reasoning_effort", effort);
        }
        let schema = json!({ "name": "answer", "strict": true, "schema": prompt.schema });
        body.put("response_format", json!({ "type": "json_schema", "json_schema": schema }));
    }
    body
}

pub(super) fn answer(body: &Value) -> Result<String, ModelFailure> {
    let Some(choice) = body.pointer("/choices/0") else {
        return Err(malformed("it holds no choice"));
    };
    if let Some(text) = choice.pointer("/message/refusal").and_then(Value::as_str) {
        return Err(refusal(text));
    }
    match choice["finish_reason"].as_str() {
        Some("length") => return Err(ModelFailure::TooLong),
        Some("content_filter") => return Err(refusal("")),
        _ => {}
    }
    let text = choice.pointer("/message/content").and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| malformed("it holds no message"))
}
