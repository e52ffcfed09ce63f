use super::*;
use crate::{Config, Preset};

fn config(table: &str) -> crate::config::KeywordConfig {
    Config::from_toml(&format!("[tools.keyword]\n{table}"), Preset::Documents).unwrap().keyword
}

fn names(table: &str) -> Vec<String> {
    config(table).preferences().into_iter().map(|preference| preference.name).collect()
}

const TWO: &str = r#"
[[tools.keyword.models]]
name = "local"
protocol = "ollama"
base_url = "http://127.0.0.1:11434"
model = "qwen2.5-coder:7b"
[[tools.keyword.models]]
name = "office"
protocol = "openai"
base_url = "https://models.example/v1"
model = "coder"
key_variable = "OFFICE_KEY"
"#;

#[test]
fn preferences_follow_the_document_then_the_configuration() {
    assert_eq!(names(""), ["fireworks-qwen-coder", "gpt-5-mini", "gpt-5-nano", "claude-sonnet"]);
    assert_eq!(
        names(TWO),
        ["fireworks-qwen-coder", "gpt-5-mini", "gpt-5-nano", "claude-sonnet", "local", "office"]
    );
    assert_eq!(names(&format!("builtin = false\n{TWO}")), ["local", "office"]);
    assert_eq!(names(&format!("model = \"office\"\n{TWO}")), ["office"]);
    assert_eq!(names("model = \"claude-sonnet\""), ["claude-sonnet"]);
    assert!(names(&format!("model = \"none\"\n{TWO}")).is_empty());
}

#[test]
fn the_first_model_with_a_set_variable_is_chosen() {
    let all = config(TWO).preferences();
    let chosen = |set: &[(&str, &str)]| {
        let variable = |name: &str| {
            set.iter().find(|(found, _)| *found == name).map(|(_, value)| (*value).to_owned())
        };
        choose(&all, &variable)
    };
    let name = |set| chosen(set).unwrap().preference.name;
    assert_eq!(name(&[("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b")]), "gpt-5-mini");
    assert_eq!(name(&[("FIREWORKS_API_KEY", " \t"), ("ANTHROPIC_API_KEY", "a")]), "claude-sonnet");
    assert_eq!(name(&[("OFFICE_KEY", "a")]), "local", "what needs no key can always be had");
    let key = chosen(&[("OPENAI_API_KEY", " k1\n")]).unwrap().key;
    assert_eq!(key, Some(Key::from("k1".to_owned())), "what stands around a key is none of it");
    assert_eq!(choose(&config("").preferences(), &|_| None), None);
}
