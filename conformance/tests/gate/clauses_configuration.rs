//! Clauses about configuration: keys, their defaults, the caps they set, and values refused on
//! load.

use crate::clauses::{answer, bad_args, over, refusal};
use forge_search_engine::{Config, Preset};
use serde_json::json;
use touchstone::case::{Case, CasePreset};

/// The defaults of the documents.
fn defaults() -> Config {
    let config = Config::from_toml("", Preset::Documents).unwrap();
    assert_eq!(config, Config::preset(Preset::Documents));
    config
}

fn set(key: &str, value: &str) -> Result<Config, String> {
    let text = format!("[tools.search]\n{key} = {value}\n");
    Config::from_toml(&text, Preset::Documents).map_err(|error| error.to_string())
}

fn documents(files: &[(&str, &str)], request: serde_json::Value) -> Case {
    let mut case = over(files, request);
    case.config.preset = CasePreset::Documents;
    case.config.enabled = Some(true);
    case
}

#[test]
fn the_tool_is_disabled_until_the_configuration_enables_it() {
    touchstone::verifies!("CFGKEY-LS-enabled", "CFGKEY-LSI-enabled");
    assert!(!defaults().enabled);
    assert!(set("enabled", "true").unwrap().enabled);
    let mut case = documents(&[("a", "foo\n")], json!({"pattern": "foo"}));
    case.config.enabled = None;
    let (class, field, message) = refusal(&case);
    assert_eq!((class.as_str(), field.as_str()), ("ExecutionFailed", "enabled"));
    assert!(message.contains("tools.search.enabled"), "{message}");
    // Before anything else is said about the request.
    case.request = json!({"nonsense": 1});
    assert_eq!(refusal(&case).1, "enabled");
    case.config.enabled = Some(true);
    case.request = json!({"pattern": "foo"});
    assert_eq!(answer(&case)["count"], 1);
}

#[test]
fn ugrep_is_the_default_program_and_rg_the_fallback() {
    touchstone::verifies!("CFGKEY-LS-binary", "CFGKEY-LS-fallback_binary");
    assert_eq!((defaults().binary.as_str(), defaults().fallback_binary.as_str()), ("ugrep", "rg"));
    assert_eq!(set("binary", "\"/usr/bin/rg\"").unwrap().binary, "/usr/bin/rg");
    assert_eq!(set("fallback_binary", "\"\"").unwrap().fallback_binary, "");
}

#[test]
fn numbers_have_the_documented_defaults_unless_configured() {
    touchstone::verifies!(
        "CFGKEY-LS-default_timeout_ms",
        "CFGKEY-LS-default_max_results",
        "CFGKEY-LS-max_matches_per_file",
        "CFGKEY-LS-max_files",
        "CFGKEY-LS-max_file_size_bytes"
    );
    let config = defaults();
    assert_eq!(config.default_timeout_ms, 20_000);
    assert_eq!(config.default_max_results, 200);
    assert_eq!(config.max_matches_per_file, Some(50));
    assert_eq!(config.max_files, 10_000);
    assert_eq!(config.max_file_size_bytes, 2_000_000);
    assert_eq!(set("default_timeout_ms", "5").unwrap().default_timeout_ms, 5);
    assert_eq!(set("default_max_results", "5").unwrap().default_max_results, 5);
    assert_eq!(set("max_matches_per_file", "5").unwrap().max_matches_per_file, Some(5));
    assert_eq!(set("max_files", "5").unwrap().max_files, 5);
    assert_eq!(set("max_file_size_bytes", "5").unwrap().max_file_size_bytes, 5);
}

#[test]
fn default_caps_apply_if_a_request_does_not_set_them() {
    touchstone::verifies!(
        "CFGKEY-LS-default_max_results",
        "CFGKEY-LS-max_matches_per_file",
        "CFGKEY-LS-max_file_size_bytes",
        "CFG-LS-05"
    );
    let (few, many) = ("foo\n".repeat(50), "foo\n".repeat(51));
    let seen = |files: &[(&str, &str)]| answer(&documents(files, json!({"pattern": "foo"})));
    let at_cap = seen(&[("a", &few)]);
    assert_eq!((&at_cap["count"], &at_cap["truncated"]), (&json!(50), &json!(false)));
    let above = seen(&[("a", &many)]);
    assert_eq!((&above["count"], &above["truncated"]), (&json!(50), &json!(true)));
    let names = ["a", "b", "c", "d", "e"];
    let five: Vec<(&str, &str)> = names.iter().map(|name| (*name, few.as_str())).collect();
    let full = seen(&five);
    assert_eq!(
        (&full["count"], &full["truncated"], &full["files_scanned"]),
        (&json!(200), &json!(true), &json!(5))
    );
    let big = format!("foo\n{}", "x".repeat(1_999_996));
    let bigger = format!("{big}x");
    assert_eq!(seen(&[("a", &big)])["count"], 1);
    let passed_over = seen(&[("a", &bigger)]);
    assert_eq!((&passed_over["count"], &passed_over["truncated"]), (&json!(0), &json!(true)));
}

#[test]
fn only_whole_numbers_above_zero_are_defaults() {
    touchstone::verifies!("CFG-LS-02");
    for key in ["default_timeout_ms", "default_max_results"] {
        for wrong in ["0", "-1", "1.5", "1.0", "\"20\"", "true", "[1]", "99999999999"] {
            let message = set(key, wrong).unwrap_err();
            assert!(message.contains(&format!("tools.search.{key}")), "{message}");
        }
        assert!(set(key, "1").is_ok());
        // Set without a file, they are checked as well.
        let mut config = defaults();
        match key {
            "default_timeout_ms" => config.default_timeout_ms = 0,
            _ => config.default_max_results = 0,
        }
        assert!(config.validate().is_err(), "{key}");
    }
}

#[test]
fn a_request_may_override_a_default_within_the_bounds_of_the_field() {
    touchstone::verifies!("CFG-LS-03");
    let text = "foo\n".repeat(20);
    let mut case = over(&[("a", &text)], json!({"pattern": "foo", "max_results": 12}));
    case.config.default_max_results = Some(5);
    case.config.default_timeout_ms = Some(600_000);
    assert_eq!(answer(&case)["count"], 12);
    case.request["timeout_ms"] = json!(600_000);
    assert_eq!(answer(&case)["count"], 12);
    case.request["timeout_ms"] = json!(600_001);
    bad_args(&case, "timeout_ms");
    case.request = json!({"pattern": "foo", "max_results": 0});
    bad_args(&case, "max_results");
}

#[test]
fn configured_caps_are_ceilings_of_requests() {
    touchstone::verifies!("CFG-LS-04", "CFGKEY-LS-max_files");
    let mut case = over(&[("a", "foo\n"), ("b", "foo\n")], json!({"pattern": "foo"}));
    case.config.max_matches_per_file = Some(7);
    case.config.max_files = Some(7);
    case.config.max_file_size_bytes = Some(7);
    for field in ["max_matches_per_file", "max_files", "max_file_size_bytes"] {
        case.request = json!({"pattern": "foo"});
        case.request[field] = json!(8);
        assert!(bad_args(&case, field).contains('7'));
        case.request[field] = json!(7);
        assert_eq!(answer(&case)["count"], 2, "{field}");
    }
    let mut case = documents(&[("a", "foo\n")], json!({"pattern": "foo", "max_files": 10_001}));
    bad_args(&case, "max_files");
    case.request = json!({"pattern": "foo", "max_files": 10_000});
    assert_eq!(answer(&case)["count"], 1);
}
