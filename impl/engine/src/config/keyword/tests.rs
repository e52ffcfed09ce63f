use super::*;
use crate::config::Config;

const ENTRY: &str = r#"
[[tools.keyword.models]]
name = "local"
protocol = "ollama"
base_url = "http://127.0.0.1:11434"
model = "qwen2.5-coder:7b"
"#;

fn read(table: &str) -> Result<KeywordConfig, ConfigError> {
    Config::from_toml(&format!("[tools.keyword]\n{table}"), Preset::Documents)
        .map(|config| config.keyword)
}

fn error(table: &str) -> String {
    read(table).unwrap_err().to_string()
}

/// The entry with one of its lines replaced.
fn with(line: &str) -> String {
    let key = line.split(' ').next().unwrap();
    let kept: Vec<&str> =
        ENTRY.lines().filter(|kept| kept.split(' ').next() != Some(key)).collect();
    format!("{}\n{line}\n", kept.join("\n"))
}

#[test]
fn presets_hold_the_documented_defaults() {
    for preset in [Preset::Documents, Preset::Agent] {
        let keyword = Config::preset(preset).keyword;
        assert_eq!(keyword.enabled, preset == Preset::Agent);
        assert!(keyword.builtin && keyword.models.is_empty());
        let documents = preset == Preset::Documents;
        let model = if documents { ModelChoice::Auto } else { ModelChoice::Configured };
        assert_eq!((keyword.model, keyword.use_model_default), (model, documents));
        assert_eq!(
            (keyword.model_timeout_seconds, keyword.term_bytes, keyword.total_bytes),
            (8, 65_536, 262_144)
        );
    }
}

#[test]
fn a_file_overrides_the_keyword_defaults_key_by_key() {
    let read = read(&format!(
        "enabled = false\nmodel = \"local\"\nbuiltin = false\nterm_bytes = 1024\n{ENTRY}key_variable = \"_K1\"\n"
    ))
    .unwrap();
    assert!(!read.enabled && !read.builtin);
    assert_eq!(read.model, ModelChoice::Only("local".to_owned()));
    assert_eq!((read.term_bytes, read.total_bytes), (1024, 262_144));
    let preference = Preference {
        name: "local".to_owned(),
        protocol: Protocol::Ollama,
        base_url: "http://127.0.0.1:11434".to_owned(),
        model: "qwen2.5-coder:7b".to_owned(),
        key_variable: Some("_K1".to_owned()),
    };
    assert_eq!(read.models, [ConfiguredModel { preference, allow_plain_http: false }]);
}

#[test]
fn a_bad_key_or_value_is_reported_with_the_fix() {
    for (table, words) in [
        (
            "modell = 1",
            "unknown configuration key `tools.keyword.modell`; known keys are enabled, model, use_model_default, builtin",
        ),
        ("model = 1", "`tools.keyword.model` is `1`; allowed: a string"),
        (
            "model = \"gpt-4\"",
            "`tools.keyword.model` is `gpt-4`; allowed: auto, configured, none, fireworks-qwen-coder, gpt-5-mini, gpt-5-nano, claude-sonnet",
        ),
        (
            "builtin = false\nmodel = \"gpt-5-mini\"",
            "is `gpt-5-mini`; allowed: auto, configured, none",
        ),
        (
            "model_timeout_seconds = 0",
            "`tools.keyword.model_timeout_seconds` is `0`; allowed: 1 to 120",
        ),
        ("model_timeout_seconds = 121", "allowed: 1 to 120"),
        ("term_bytes = 1023", "`tools.keyword.term_bytes` is `1023`; allowed: 1024 to 1048576"),
        (
            "total_bytes = 4194305",
            "`tools.keyword.total_bytes` is `4194305`; allowed: 1024 to 4194304",
        ),
        (
            "models = \"local\"",
            "`tools.keyword.models` is `\"local\"`; allowed: an array of tables",
        ),
        ("models = [1]", "`tools.keyword.models[0]` is `1`; allowed: a table"),
        (
            "models = [{ name = \"a\", model = \"b\" }]",
            "`tools.keyword.models[0]` is `a table with model, name`; allowed: a table with name, protocol, base_url and model, of which protocol is missing",
        ),
    ] {
        let found = error(table);
        assert!(found.contains(words), "{table}: {found}");
    }
    for (line, words) in [
        (
            "key = \"x\"",
            "unknown configuration key `tools.keyword.models[0].key`; known keys are name, protocol",
        ),
        ("name = \"Local\"", "`tools.keyword.models[0].name` is `Local`; allowed: 1 to 64 of a-z"),
        ("name = \"auto\"", "none of auto, configured, none"),
        ("name = \"-a\"", "a letter or digit first"),
        ("name = \"\"", "1 to 64 of a-z"),
        (
            "name = \"gpt-5-mini\"",
            "`tools.keyword.models[0].name` is `gpt-5-mini`; allowed: a name that no other model has; `builtin = false` frees",
        ),
        (
            "protocol = \"grpc\"",
            "`tools.keyword.models[0].protocol` is `\"grpc\"`; allowed: openai, anthropic, ollama",
        ),
        ("model = \" m\"", "no blank at its ends"),
        ("model = \"a\\u0007\"", "no control characters"),
        ("base_url = \"models.example\"", "begins with http:// or https://"),
        ("base_url = \"file:///etc\"", "begins with http:// or https://"),
        ("base_url = \"https://a.example/?k=1\"", "without `?` and `#`"),
        (
            "base_url = \"http://a.example\"",
            "`allow_plain_http = true` in the entry permits it elsewhere",
        ),
        ("base_url = \"http://127.0.0.1.a.example\"", "`allow_plain_http = true`"),
        ("base_url = \"http://192.168.0.2:8080\"", "`allow_plain_http = true`"),
    ] {
        let found = error(&with(line));
        assert!(found.contains(words), "{line}: {found}");
    }
}

#[test]
fn a_value_that_may_be_a_key_is_not_shown() {
    for line in ["base_url = \"https://me:sk-1234@a.example\"", "key_variable = \"sk-1234\""] {
        let found = error(&with(line));
        assert!(found.contains("[not shown]") && !found.contains("sk-1234"), "{found}");
    }
}

#[test]
fn a_duplicate_model_name_is_refused() {
    let found = error(&format!("{ENTRY}{ENTRY}"));
    assert!(
        found.contains("`tools.keyword.models[1].name` is `local`; allowed: a name that no other"),
        "{found}"
    );
    let freed = with("name = \"gpt-5-mini\"");
    assert!(read(&format!("builtin = false\n{freed}")).is_ok());
}

#[test]
fn plain_http_is_allowed_for_loopback_and_for_other_hosts_by_permission() {
    for line in [
        "base_url = \"http://localhost:1234/v1\"",
        "base_url = \"http://127.1.2.3\"",
        "base_url = \"http://[::1]:8080\"",
        "base_url = \"https://a.example/v1/\"",
    ] {
        assert!(read(&with(line)).is_ok(), "{line}");
    }
    let permitted = with("base_url = \"http://a.example\"");
    assert!(read(&format!("{permitted}allow_plain_http = true\n")).is_ok());
}

#[test]
fn more_than_32_models_are_refused() {
    let entries = |count: usize| -> String {
        (0..count).map(|index| with(&format!("name = \"m{index}\""))).collect()
    };
    assert_eq!(read(&entries(32)).unwrap().models.len(), 32);
    let found = error(&entries(33));
    assert!(found.contains("`tools.keyword.models` is `33`; allowed: 0 to 32"), "{found}");
}

#[test]
fn a_model_may_be_asked_only_if_configuration_or_the_command_line_names_or_allows_it() {
    let names = |table: &str, preset, allow: bool| -> Vec<String> {
        let text = format!("[tools.keyword]\n{table}");
        let mut keyword = Config::from_toml(&text, preset).unwrap().keyword;
        if allow {
            keyword.allow_model().unwrap();
        }
        keyword.preferences().into_iter().map(|preference| preference.name).collect()
    };
    let all = ["fireworks-qwen-coder", "gpt-5-mini", "gpt-5-nano", "claude-sonnet"];
    assert_eq!(names("", Preset::Documents, false), all);
    for (table, allow, expected) in [
        ("", false, &[][..]),
        ("", true, &all),
        ("model = \"auto\"", false, &all),
        ("model = \"gpt-5-nano\"", false, &["gpt-5-nano"]),
        ("model = \"gpt-5-nano\"", true, &["gpt-5-nano"]),
        ("builtin = false", true, &[]),
        (ENTRY, false, &["local"]),
    ] {
        assert_eq!(names(table, Preset::Agent, allow), expected, "{table} {allow}");
    }
    let mut none = read("model = \"none\"").unwrap();
    assert!(none.allow_model().is_err() && none.preferences().is_empty());
}
