use forge_search_core::search_files::Caps;

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
fn stats_detail_is_proof_or_all() {
    for (name, detail) in [("proof", StatsDetail::Proof), ("all", StatsDetail::All)] {
        let text = format!("[tools.search]\nstats_detail = {name:?}\n");
        assert_eq!(Config::from_toml(&text, Preset::Agent).unwrap().stats_detail, detail);
    }
}

#[test]
fn search_files_is_configured_in_a_separate_table() {
    let documents = Config::preset(Preset::Documents).search_files;
    assert_eq!(documents.caps(), Caps::documents());
    assert!(documents.backend == FilesBackend::Native && documents.record_binary);
    let text = "[tools.search_files]\nbackend = \"ugrep\"\nmax_depth = 3\nmode_default = \"fuzzy\"\nfuzzy_threshold = 1\n";
    let config = Config::from_toml(text, Preset::Documents).unwrap().search_files;
    assert_eq!((config.backend, config.max_depth), (FilesBackend::Ugrep, 3));
    assert_eq!((config.mode_default, config.fuzzy_threshold), (crate::Mode::Fuzzy, 1.0));
    assert_eq!(config.max_files, 5_000, "what is not named keeps the preset's value");
    for (line, words) in [
        (
            "max_depths = 1",
            "unknown configuration key `tools.search_files.max_depths`; known keys are backend",
        ),
        ("max_results = 0", "`tools.search_files.max_results` is `0`; allowed: 1 to 100000"),
        ("max_depth = 10001", "allowed: 1 to 10000"),
        (
            "fuzzy_threshold = 1.01",
            "`tools.search_files.fuzzy_threshold` is `1.01`; allowed: 0.0 to 1.0",
        ),
        ("fuzzy_threshold = nan", "allowed: 0.0 to 1.0"),
        ("fuzzy_threshold = 2", "allowed: 0.0 to 1.0"),
        ("backend = \"auto\"", "allowed: native, rg, ugrep"),
        ("mode_default = \"glob\"", "allowed: exact, regex, fuzzy"),
        ("case_default = 1", "allowed: sensitive, insensitive, smart"),
    ] {
        let found = error(&format!("[tools.search_files]\n{line}"));
        assert!(found.contains(words), "{line}: {found}");
    }
}

#[test]
fn a_bad_key_or_value_is_reported_with_the_allowed_ones() {
    for (text, words) in [
        (
            "[tools.search]\nmax_file = 1",
            "unknown configuration key `tools.search.max_file`; known keys are enabled",
        ),
        ("[tools.grep]\n", "unknown configuration key `tools.grep`"),
        ("[search]\n", "unknown configuration key `search`"),
        ("[tools.search]\nmax_files = 0", "`tools.search.max_files` is `0`; allowed: 1 to"),
        (
            "[tools.search]\nmax_files = -1",
            "`tools.search.max_files` is `-1`; allowed: a positive integer",
        ),
        ("[tools.search]\ndefault_timeout_ms = 600001", "allowed: 1 to 600000"),
        (
            "[tools.search]\nenabled = \"yes\"",
            "`tools.search.enabled` is `\"yes\"`; allowed: true, false",
        ),
        ("[tools.search]\nbackend = \"grep\"", "allowed: auto, native, rg, ugrep"),
        ("[tools.search]\nthreads = 1000", "allowed: 0 to 256"),
        ("[sandbox]\ndeny = [\"[\"]", "`sandbox.deny` is `[`; allowed: a valid glob"),
        ("[sandbox]\ndeny = \"x\"", "allowed: an array of strings"),
        ("tools = 1", "`tools` is `1`; allowed: a table"),
        ("not toml", "configuration is not valid TOML"),
    ] {
        assert!(error(text).contains(words), "{text}: {}", error(text));
    }
}
