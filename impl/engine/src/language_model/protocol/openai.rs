//! Chat completions, as OpenAI has them and Fireworks, vLLM, llama.cpp, LM Studio and many more
//! understand them.

use serde_json::{Value, json};

use super::{Body, Form, ModelFailure, Prompt, garbled, refusal};

/// What a family of models takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Traits {
    /// Whether it takes a temperature that is not the default.
    temperature: bool,
    /// Its word for thinking as little as it can.
    effort: Option<&'static str>,
    /// What bounds the length of an answer.
    length: &'static str,
}

fn traits(model: &str) -> Traits {
    let id = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let begins = |prefix: &str| id.starts_with(prefix);
    let length = "max_completion_tokens";
    if begins("gpt-5.") {
        // From 5.1 on they can be told not to think at all, and then take a temperature.
        Traits { temperature: true, effort: Some("none"), length }
    } else if begins("gpt-5") {
        // They always think, and take no temperature but the default.
        Traits { temperature: false, effort: Some("minimal"), length }
    } else if ["gpt-6", "o1", "o3", "o4"].into_iter().any(begins) {
        Traits { temperature: false, effort: None, length }
    } else {
        // Servers other than OpenAI's know the length by its old name.
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
        return Err(garbled("it holds no choice"));
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
    text.map(str::to_owned).ok_or_else(|| garbled("it holds no message"))
}
