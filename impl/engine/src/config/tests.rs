use super::*;

fn error(text: &str) -> String {
    Config::from_toml(text, Preset::Agent).unwrap_err().to_string()
}

#[test]
fn the_documents_preset_holds_the_documents_defaults() {
    let config = Config::preset(Preset::Documents);
    assert!(!config.enabled && !config.allow_native && !config.emit_stats);
    assert_eq!((config.binary.as_str(), config.fallback_binary.as_str()), ("ugrep", "rg"));
    assert_eq!((config.default_timeout_ms, config.default_max_results), (20_000, 200));
    assert_eq!(config.max_matches_per_file, Some(50));
    assert_eq!((config.max_files, config.max_file_size_bytes), (10_000, 2_000_000));
}

#[test]
fn a_file_overrides_a_preset_key_by_key() {
    let text = "[tools.search]\nenabled = false\nmax_files = 7\nbackend = \"native\"\n[sandbox]\ndeny = [\"**/.env\"]\n";
    let config = Config::from_toml(text, Preset::Agent).unwrap();
    assert!(!config.enabled);
    assert_eq!((config.max_files, config.backend), (7, BackendChoice::Native));
    assert_eq!(config.deny, ["**/.env"]);
    assert_eq!(config.max_file_size_bytes, 32 << 20, "what is not named keeps the preset's value");
}

#[test]
fn a_bad_key_or_value_is_named_with_what_is_allowed() {
    for (text, words) in [
        (
            "[tools.search]\nmax_file = 1",
            "unknown configuration key `tools.search.max_file`; known keys are enabled",
        ),
        ("[tools.grep]\n", "unknown configuration key `tools.grep`"),
        ("[search]\n", "unknown configuration key `search`"),
        ("[tools.search]\nmax_files = 0", "`tools.search.max_files` is `0`; allowed: 1 to"),
        ("[tools.search]\nmax_files = -1", "`tools.search.max_files` is `-1`; allowed: a positive integer"),
        ("[tools.search]\ndefault_timeout_ms = 600001", "allowed: 1 to 600000"),
        ("[tools.search]\nenabled = \"yes\"", "`tools.search.enabled` is `\"yes\"`; allowed: true, false"),
        ("[tools.search]\nbackend = \"grep\"", "allowed: auto, native"),
        ("[tools.search]\nthreads = 1000", "allowed: 0 to 256"),
        ("[sandbox]\ndeny = [\"[\"]", "`sandbox.deny` is `[`; allowed: a valid glob"),
        ("[sandbox]\ndeny = \"x\"", "allowed: an array of strings"),
        ("tools = 1", "`tools` is `1`; allowed: a table"),
        ("not toml", "configuration is not valid TOML"),
    ] {
        assert!(error(text).contains(words), "{text}: {}", error(text));
    }
}
