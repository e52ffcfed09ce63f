//! Anthropic's messages.

use forge_search_engine::language_model::{ModelFailure, Prompt};
use serde_json::{Value, json};

use super::{Body, Form, malformed, refusal};

/// The options of a family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Traits {
    /// The kind of thinking closest to none, where thinking is on by default.
    thinking: Option<&'static str>,
    /// Whether it supports an effort setting.
    effort: bool,
    /// Whether it supports a temperature.
    temperature: bool,
}

/// Families by prefix of their ids, the first match counts. All other models think only on request
/// and support a temperature.
const FAMILIES: [(&str, Traits); 8] = [
    (
        "claude-sonnet-5-5",
        Traits { thinking: Some("between_tools"), effort: true, temperature: false },
    ),
    // These two always think.
    ("claude-opus-5-5", Traits { thinking: None, effort: true, temperature: false }),
    ("claude-fable", Traits { thinking: None, effort: true, temperature: false }),
    ("claude-sonnet-5", Traits { thinking: Some("disabled"), effort: true, temperature: false }),
    ("claude-haiku-5", Traits { thinking: Some("disabled"), effort: true, temperature: false }),
    ("claude-opus-5", Traits { thinking: Some("disabled"), effort: true, temperature: false }),
    ("claude-opus-4-7", Traits { thinking: None, effort: false, temperature: false }),
    ("claude-opus-4-8", Traits { thinking: None, effort: false, temperature: false }),
];

fn traits(model: &str) -> Traits {
    let known = FAMILIES.iter().find(|(prefix, _)| model.starts_with(prefix));
    known.map_or(Traits { thinking: None, effort: false, temperature: true }, |(_, traits)| *traits)
}

pub(super) fn body(model: &str, prompt: &Prompt, form: Form) -> Body {
    let mut body = Body::new(model);
    body.put("system", prompt.system.as_str());
    body.put("messages", json!([{ "role": "user", "content": prompt.user }]));
    body.put("max_tokens", prompt.max_answer_tokens);
    if form == Form::Full {
        let traits = traits(model);
        if traits.temperature {
            body.put("temperature", 0);
        }
        if let Some(kind) = traits.thinking {
            body.put("thinking", json!({ "type": kind }));
        }
        let format = json!({ "type": "json_schema", "schema": prompt.schema });
        let output = if traits.effort {
            json!({ "format": format, "effort": "low" })
        } else {
            json!({ "format": format })
        };
        body.put("output_config", output);
    }
    body
}

/// The text blocks of the answer, without thinking blocks.
pub(super) fn answer(body: &Value) -> Result<String, ModelFailure> {
    match body["stop_reason"].as_str() {
        Some("max_tokens" | "model_context_window_exceeded") => return Err(ModelFailure::TooLong),
        Some("refusal") => return Err(refusal("")),
        _ => {}
    }
    let Some(blocks) = body["content"].as_array() else {
        return Err(malformed("it holds no content"));
    };
    Ok(blocks
        .iter()
        .filter(|block| block["type"] == "text")
        .filter_map(|block| block["text"].as_str())
        .collect())
}
