//! Responses as servers send them, shortened.

/// What every one of the successful responses answers.
pub(super) const ANSWER: &str =
    r#"{"files":[{"path":"src/retry.rs","lines":[12],"reason":"Doubles the wait."}]}"#;

pub(super) const OPENAI: &str = r#"{"id":"chatcmpl-B9MBs8","object":"chat.completion","created":1763798400,"model":"gpt-5.4-mini-2026-03-17",
"choices":[{"index":0,"message":{"role":"assistant","content":"{\"files\":[{\"path\":\"src/retry.rs\",\"lines\":[12],\"reason\":\"Doubles the wait.\"}]}","refusal":null},"logprobs":null,"finish_reason":"stop"}],
"usage":{"prompt_tokens":812,"completion_tokens":31,"total_tokens":843},"service_tier":"default"}"#;

pub(super) const ANTHROPIC: &str = r#"{"id":"msg_013Zva2C","type":"message","role":"assistant","model":"claude-sonnet-4-6",
"content":[{"type":"thinking","thinking":"Not {\"files\":[]} but","signature":"EqQBCg"},{"type":"text","text":"{\"files\":[{\"path\":\"src/retry.rs\",\"lines\":[12],"},{"type":"text","text":"\"reason\":\"Doubles the wait.\"}]}"}],
"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":901,"output_tokens":33}}"#;

pub(super) const OLLAMA: &str = r#"{"model":"qwen2.5-coder:7b","created_at":"2026-11-22T08:00:00.000000Z",
"message":{"role":"assistant","content":"{\"files\":[{\"path\":\"src/retry.rs\",\"lines\":[12],\"reason\":\"Doubles the wait.\"}]}"},
"done":true,"done_reason":"stop","total_duration":4883583458,"prompt_eval_count":26,"eval_count":298}"#;

pub(super) const RATE_LIMIT: &str = r#"{"error":{"message":"Rate limit reached for gpt-5.4-mini on tokens per min (TPM): Limit 200000.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#;

pub(super) const OVERLOADED: &str = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011C"}"#;

pub(super) const NO_TEMPERATURE: &str = r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#;
