//! Which model is asked.

use forge_search_engine::language_model::{Preference, choose};
use forge_search_engine::{Config, Preset};

use crate::clauses_keyword::desk::{Desk, ask, entry, having, having_with, keyword, text};
use crate::clauses_keyword::server::Server;

fn of(config: &str) -> Vec<Preference> {
    Config::from_toml(config, Preset::Agent).unwrap().keyword.preferences()
}

/// The name of the model that is chosen if these variables are set.
fn chosen(config: &str, set: &[(&str, &str)]) -> Option<String> {
    let variable = |name: &str| {
        let found = set.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    choose(&of(config), &variable).map(|chosen| chosen.preference.name)
}

const FIREWORKS: (&str, &str) = ("FIREWORKS_API_KEY", "k1");
const OPENAI: (&str, &str) = ("OPENAI_API_KEY", "k2");
const ANTHROPIC: (&str, &str) = ("ANTHROPIC_API_KEY", "k3");

#[test]
fn the_preferences_equal_those_of_the_document_in_order() {
    touchstone::verifies!(
        "REQ-KWS-005",
        "REQ-KWS-005.1",
        "REQ-KWS-005.2",
        "REQ-KWS-005.3",
        "REQ-KWS-003.1"
    );
    let fields = |preference: &Preference| {
        let Preference { name, protocol, base_url, model, key_variable } = preference.clone();
        [name, protocol.name().to_owned(), base_url, model, key_variable.unwrap()]
    };
    let all: Vec<[String; 5]> =
        of("[tools.keyword]\nmodel = \"auto\"").iter().map(fields).collect();
    let expected = [
        [
            "fireworks-qwen-coder",
            "openai",
            "https://api.fireworks.ai/inference/v1",
            "accounts/fireworks/models/qwen3-coder-480b-a35b-instruct",
            "FIREWORKS_API_KEY",
        ],
        ["gpt-5-mini", "openai", "https://api.openai.com/v1", "gpt-5.4-mini", "OPENAI_API_KEY"],
        ["gpt-5-nano", "openai", "https://api.openai.com/v1", "gpt-5.4-nano", "OPENAI_API_KEY"],
        [
            "claude-sonnet",
            "anthropic",
            "https://api.anthropic.com",
            "claude-sonnet-5-5",
            "ANTHROPIC_API_KEY",
        ],
    ];
    assert_eq!(all, expected);
}

#[test]
fn the_first_available_model_is_chosen() {
    touchstone::verifies!(
        "REQ-KWS-005",
        "REQ-KWS-005.1",
        "REQ-KWS-005.2",
        "REQ-KWS-005.3",
        "REQ-KWS-005.4",
        "REQ-KWS-005.5"
    );
    let server = Server::answering("openai", "");
    let own = keyword("model = \"auto\"")
        + &entry("own", "openai", &server)
        + "key_variable = \"OWN_KEY\"\n";
    let with_local = own.clone() + &entry("local", "ollama", &server);
    let key = ("OWN_KEY", "k4");
    for (set, expected) in [
        (&[FIREWORKS, OPENAI, ANTHROPIC, key][..], Some("fireworks-qwen-coder")),
        (&[FIREWORKS], Some("fireworks-qwen-coder")),
        (&[OPENAI, ANTHROPIC, key], Some("gpt-5-mini")),
        (&[ANTHROPIC, key], Some("claude-sonnet")),
        (&[key], Some("own")),
        (&[("FIREWORKS_API_KEY", ""), ("OPENAI_API_KEY", " \t"), ANTHROPIC], Some("claude-sonnet")),
        (&[("AZURE_KEY", "k"), ("GEMINI_API_KEY", "k")], None),
        (&[], None),
    ] {
        assert_eq!(chosen(&own, set).as_deref(), expected, "{set:?}");
        // What needs no key can always be had, and is still the last.
        assert_eq!(chosen(&with_local, set).as_deref(), expected.or(Some("local")), "{set:?}");
    }
}

#[test]
fn the_configuration_restricts_which_models_may_be_asked() {
    touchstone::verifies!("E-I25", "REQ-KWS-005", "REQ-KWS-005.5");
    let server = Server::answering("openai", "");
    let all = [FIREWORKS, OPENAI, ANTHROPIC];
    let with = |lines: &str| keyword(lines) + &entry("local", "ollama", &server);
    for (config, expected) in [
        (with("model = \"auto\""), Some("fireworks-qwen-coder")),
        (with("builtin = false"), Some("local")),
        (with("model = \"local\""), Some("local")),
        (with("model = \"gpt-5-nano\""), Some("gpt-5-nano")),
        (with("model = \"claude-sonnet\""), Some("claude-sonnet")),
        (with("model = \"none\""), None),
        (keyword("builtin = false"), None),
    ] {
        assert_eq!(chosen(&config, &all).as_deref(), expected, "{config}");
    }
    // The only one that is allowed is not replaced by another.
    assert_eq!(chosen(&with("model = \"gpt-5-mini\""), &[ANTHROPIC]), None);
    for wrong in [
        "model = \"unheard-of\"",
        "model_timeout_seconds = 0",
        "model_timeout_seconds = 121",
        "term_bytes = 1023",
        "total_bytes = 4194305",
        "temperature = 1",
    ] {
        assert!(Config::from_toml(&keyword(wrong), Preset::Agent).is_err(), "{wrong}");
    }
}

#[test]
fn model_entries_that_would_send_files_unencrypted_are_refused() {
    touchstone::verifies!("E-I25");
    let entry = |lines: &str| {
        let whole = format!(
            "[[tools.keyword.models]]\nname = \"x\"\nprotocol = \"openai\"\nmodel = \"m\"\n{lines}\n"
        );
        Config::from_toml(&whole, Preset::Agent).is_ok()
    };
    assert!(
        entry("base_url = \"http://127.0.0.1:8080/v1\"")
            && entry("base_url = \"http://localhost/v1\"")
    );
    assert!(entry("base_url = \"https://models.example/v1\""));
    assert!(
        !entry("base_url = \"http://models.example/v1\"")
            && !entry("base_url = \"http://10.0.0.1/v1\"")
    );
    assert!(entry("base_url = \"http://models.example/v1\"\nallow_plain_http = true"));
    for wrong in [
        "file:///etc/passwd",
        "https://me:pw@models.example/v1",
        "https://models.example/v1?k=1",
        "models.example",
    ] {
        assert!(!entry(&format!("base_url = \"{wrong}\"")), "{wrong}");
    }
}

#[test]
fn configured_models_are_asked_in_their_order() {
    touchstone::verifies!("REQ-KWS-005.4", "REQ-KWS-005");
    let (one, two) = (
        Server::answering("ollama", "{\"files\": []}"),
        Server::answering("openai", "{\"files\": []}"),
    );
    let tree = [("a.rs", "backoff\n")];
    let page = Desk::over(&tree, &having(&[("one", "ollama", &one), ("two", "openai", &two)]))
        .page(&ask(&["backoff"]));
    assert_eq!(
        (text(&page["model"]["name"]).as_str(), one.asked().len(), two.asked().len()),
        ("one", 1, 0)
    );
    let config =
        having_with("model = \"two\"", &[("one", "ollama", &one), ("two", "openai", &two)]);
    let page = Desk::over(&tree, &config).page(&ask(&["backoff"]));
    assert_eq!(
        (text(&page["model"]["name"]).as_str(), one.asked().len(), two.asked().len()),
        ("two", 1, 1)
    );
    // A scripted model stands in for all of them; none is asked beside it.
    let scripted = crate::clauses_keyword::desk::Scripted::saying("{\"files\": []}");
    let desk = Desk::over(&tree, &having(&[("one", "ollama", &one)])).with(&scripted);
    assert_eq!(
        (text(&desk.page(&ask(&["backoff"]))["model"]["name"]), one.asked().len()),
        ("small".to_owned(), 1)
    );
    assert_eq!(scripted.prompts().len(), 1);
}
