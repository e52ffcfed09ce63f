use serde_json::json;

use super::*;

fn prompt(bytes: usize) -> Prompt {
    Prompt {
        system: String::new(),
        user: "x".repeat(bytes),
        schema: json!({ "type": "object" }),
        max_answer_tokens: 300,
    }
}

/// What is asked of a model besides the prompt.
fn options(protocol: Protocol, model: &str) -> Value {
    let preference = Preference {
        name: "one".to_owned(),
        protocol,
        base_url: "https://models.example".to_owned(),
        model: model.to_owned(),
        key_variable: None,
    };
    let request = request(&preference, None, &prompt(1), Form::Full).unwrap();
    let mut body: Value = serde_json::from_slice(&request.body).unwrap();
    let fields = body.as_object_mut().unwrap();
    for name in ["model", "stream", "messages", "system", "response_format"] {
        fields.remove(name);
    }
    body
}

#[test]
fn each_model_family_gets_only_options_it_supports() {
    for (model, expected) in [
        ("gpt-5-mini", json!({ "reasoning_effort": "minimal", "max_completion_tokens": 300 })),
        (
            "openai/gpt-5-nano",
            json!({ "reasoning_effort": "minimal", "max_completion_tokens": 300 }),
        ),
        (
            "gpt-5.4-mini",
            json!({ "reasoning_effort": "none", "max_completion_tokens": 300, "temperature": 0 }),
        ),
        ("gpt-6-luna", json!({ "max_completion_tokens": 300 })),
        ("o4-mini", json!({ "max_completion_tokens": 300 })),
        ("gpt-4.1-mini", json!({ "max_tokens": 300, "temperature": 0 })),
        ("gpt-oss-20b", json!({ "max_tokens": 300, "temperature": 0 })),
        (
            "accounts/fireworks/models/qwen3-coder-480b-a35b-instruct",
            json!({ "max_tokens": 300, "temperature": 0 }),
        ),
    ] {
        assert_eq!(options(Protocol::OpenAi, model), expected, "{model}");
    }
    let format = json!({ "type": "json_schema", "schema": { "type": "object" } });
    for (model, thinking, effort, temperature) in [
        ("claude-sonnet-5-5", Some("between_tools"), true, false),
        ("claude-sonnet-5", Some("disabled"), true, false),
        ("claude-haiku-5-5", Some("disabled"), true, false),
        ("claude-opus-5-5", None, true, false),
        ("claude-opus-4-8", None, false, false),
        ("claude-sonnet-4-6", None, false, true),
        ("claude-haiku-4-5-20251001", None, false, true),
    ] {
        let mut expected = json!({ "max_tokens": 300, "output_config": { "format": format } });
        if let Some(kind) = thinking {
            expected["thinking"] = json!({ "type": kind });
        }
        if effort {
            expected["output_config"]["effort"] = json!("low");
        }
        if temperature {
            expected["temperature"] = json!(0);
        }
        assert_eq!(options(Protocol::Anthropic, model), expected, "{model}");
    }
}

#[test]
fn the_context_size_of_ollama_fits_the_prompt() {
    let context = |bytes: usize| {
        ollama::body("m", &prompt(bytes), Form::Full).0["options"]["num_ctx"].clone()
    };
    assert_eq!(context(0), 4 << 10);
    assert_eq!(context(3 * ((4 << 10) - 300)), 4 << 10, "what fits exactly");
    assert_eq!(context(3 * ((4 << 10) - 300) + 1), 8 << 10);
    assert_eq!(context(256 << 10), 128 << 10);
    assert_eq!(context(16 << 20), 128 << 10, "no model has more");
}

#[test]
fn the_error_message_is_found_in_every_known_form() {
    for (body, message) in [
        (r#"{"error":{"message":"a"}}"#, "a"),
        (r#"{"type":"error","error":{"type":"x","message":"b"}}"#, "b"),
        (r#"{"error":"c"}"#, "c"),
        (r#"{"object":"error","message":"d","code":404}"#, "d"),
        (r#"{"detail":"e"}"#, "e"),
        (r#"{"else":1}"#, r#"{"else":1}"#),
        ("  plain\r\n text ", "plain text"),
        ("", ""),
    ] {
        assert_eq!(error_message(body.as_bytes(), None), message);
    }
    assert_eq!(error_message(b"\xff!", None), "\u{fffd}!");
}

#[test]
fn errors_about_options_are_distinguished_from_others() {
    for about in [
        "Unsupported value: 'temperature' does not support 0 with this model.",
        "thinking.type: Input should be 'adaptive' or 'between_tools'",
        "Invalid schema for response_format 'answer'",
        "\"m\" does not support Thinking",
    ] {
        assert!(is_about_options(about), "{about}");
    }
    for other in ["This model's maximum context length is 8192 tokens.", "model 'm' not found"] {
        assert!(!is_about_options(other), "{other}");
    }
}
