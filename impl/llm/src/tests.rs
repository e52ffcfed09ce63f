//! The real client against servers on loopback that speak each protocol: no network, no key, no
//! waiting but for events.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use forge_search_engine::language_model::{
    Chosen, Key, LanguageModel, ModelFailure, Preference, Prompt, Protocol,
};
use serde_json::json;

use super::{
    remote::{RemoteModel, jitter},
    transport::Trust,
};

mod answers;
mod fixtures;
mod retries;
mod secrecy;
mod server;
mod timeouts_and_cancellation;
mod tls;

/// A key like no other text in these tests.
const KEY: &str = "sk-only-for-tests-4711";
/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(30);

fn preference(protocol: Protocol, base_url: String) -> Preference {
    let model = match protocol {
        Protocol::OpenAi => "qwen2.5-coder",
        Protocol::Anthropic => "claude-sonnet-4-6",
        Protocol::Ollama => "qwen2.5-coder:7b",
    };
    Preference {
        name: "here".to_owned(),
        protocol,
        base_url,
        model: model.to_owned(),
        key_variable: Some("TEST_KEY".to_owned()),
    }
}

/// A model that has a key and comes back without spread.
fn model(preference: Preference) -> RemoteModel {
    let chosen = Chosen { preference, key: Some(Key::from(KEY.to_owned())) };
    RemoteModel::with(chosen, Box::new(|| Duration::ZERO), Trust::Only(Vec::new()))
}

fn prompt() -> Prompt {
    Prompt {
        system: "Rank the files.".to_owned(),
        user: "Where is the retry?".to_owned(),
        schema: json!({ "type": "object", "additionalProperties": false }),
        max_answer_tokens: 500,
    }
}

/// Asks with all the time in the world.
fn ask(model: &RemoteModel) -> Result<String, ModelFailure> {
    model.ask(&prompt(), Instant::now() + LONG, &[&AtomicBool::new(false)])
}

#[test]
fn retries_of_concurrent_clients_are_spread_by_jitter() {
    let drawn: Vec<Duration> = (0..64).map(|_| jitter()).collect();
    assert!(drawn.iter().all(|one| *one <= Duration::from_millis(200)), "{drawn:?}");
    assert!(drawn.iter().any(|one| *one != drawn[0]), "{drawn:?}");
}
