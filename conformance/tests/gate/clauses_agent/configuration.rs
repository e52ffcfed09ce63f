//! Configuration: `[tools.agent]`, its presets, and `.agent/config.yml`.

use forge_search_engine::{Config, Preset};
use serde_json::{Value, json};
use touchstone_model::generated::agent::AGENT;

use crate::clauses_agent::asked::{Desk, notices, text};

const FILES: &[(&str, &str)] =
    &[("a", "1\n2\n3\nfoo\n5\n6\n7\n"), ("b", "foo\nfoo\nfoo\nfoo\nfoo\nfoo\nfoo\nfoo\n")];

#[test]
fn the_presets_have_the_documented_values() {
    touchstone::verifies!(
        "CFGKEY-015b-default_max_results",
        "CFGKEY-015b-searches_per_minute",
        "CFGKEY-015b-timeout_seconds",
        "CFGKEY-015b-default_context_lines"
    );
    for (preset, name) in [(Preset::Documents, "documents"), (Preset::Agent, "agent")] {
        let agent = Config::preset(preset).agent;
        let row = AGENT.preset(name).unwrap();
        assert_eq!(agent.default_max_results, row.default_max_results);
        assert_eq!(agent.default_context_lines, row.default_context_lines);
        assert_eq!(agent.searches_per_minute, row.searches_per_minute);
        assert_eq!(agent.timeout_seconds, row.timeout_seconds);
        assert_eq!(agent.max_answer_tokens, row.max_answer_tokens);
        assert_eq!(agent.max_answer_bytes, row.max_answer_bytes);
        assert_eq!((agent.tokenizer.name(), agent.enabled), (row.tokenizer, row.enabled));
    }
    let documents = Config::preset(Preset::Documents).agent;
    let figures =
        (documents.default_max_results, documents.default_context_lines, documents.timeout_seconds);
    assert_eq!((figures, documents.searches_per_minute), ((20, 2, 10), 30));
}

#[test]
fn values_out_of_their_ranges_are_refused() {
    touchstone::verifies!("CFGKEY-015b-searches_per_minute", "AC-013");
    for line in [
        "default_max_results = 201",
        "default_context_lines = 21",
        "searches_per_minute = 0",
        "timeout_seconds = 601",
        "max_answer_tokens = 199",
        "max_answer_bytes = 4095",
        "tokenizer = \"words\"",
        "searches_per_hour = 1",
    ] {
        let read = Config::from_toml(&format!("[tools.agent]\n{line}\n"), Preset::Agent);
        assert!(read.is_err(), "{line}");
    }
}

#[test]
fn defaults_come_from_the_configuration() {
    touchstone::verifies!(
        "CFGKEY-015b-default_max_results",
        "CFGKEY-015b-default_context_lines",
        "FR-015b-17",
        "FR-015b-21"
    );
    let desk = Desk::over(FILES, "default_max_results = 3\ndefault_context_lines = 1");
    let page = desk.page("grep", &json!({"pattern": "foo"}));
    assert_eq!(page["results"].as_array().unwrap().len(), 3);
    assert_eq!(page["results"][0]["context"], json!({"before": ["3"], "after": ["5"]}));
}

fn with_overlay(yaml: &str) -> Desk {
    let desk = Desk::over(FILES, "");
    desk.write(".agent/config.yml", yaml);
    desk
}

const EXAMPLE: &str = "# .agent/config.yml
tools:
  search:
    # Default max results
    default_max_results: 4

    rate_limit:
      searches_per_minute: 2

    timeout_seconds: 10
    default_context_lines: 0
    theirs: {a: 1}
  other: yes
";

#[test]
fn the_overlay_file_lowers_configured_values() {
    touchstone::verifies!(
        "FR-015b-29",
        "AC-013",
        "UT-015b-RL-06",
        "CFGKEY-015b-searches_per_minute",
        "CFGKEY-015b-default_max_results",
        "CFGKEY-015b-default_context_lines",
        "CFGKEY-015b-timeout_seconds"
    );
    let desk = with_overlay(EXAMPLE);
    let page = desk.page("grep", &json!({"pattern": "foo"}));
    assert_eq!(
        (page["results"].as_array().unwrap().len(), page["results"][0].get("context")),
        (4, None)
    );
    assert!(!desk.call("grep", &json!({"pattern": "foo"})).is_error);
    let refused = desk.call("grep", &json!({"pattern": "foo"}));
    assert!(text(&refused.structured["message"]).contains("(2/min)"), "{}", refused.structured);
}

#[test]
fn the_overlay_file_never_raises_a_value() {
    touchstone::verifies!("FR-015b-29", "SECC-015b-03", "E-I22");
    let desk = Desk::over(FILES, "searches_per_minute = 2\ndefault_max_results = 1");
    desk.write(
        ".agent/config.yml",
        "tools:\n  search:\n    default_max_results: 9\n    rate_limit: {searches_per_minute: 1000}\n",
    );
    assert_eq!(
        desk.page("grep", &json!({"pattern": "foo"}))["results"].as_array().unwrap().len(),
        1
    );
    assert!(!desk.call("grep", &json!({"pattern": "foo"})).is_error);
    assert!(desk.call("grep", &json!({"pattern": "foo"})).is_error, "the service allows two");
}

#[test]
fn the_overlay_file_is_read_again_after_a_change() {
    touchstone::verifies!("FR-015b-29", "UT-015b-RL-06", "AC-013");
    let desk = Desk::over(FILES, "");
    let shown =
        || desk.page("grep", &json!({"pattern": "foo"}))["results"].as_array().unwrap().len();
    assert_eq!(shown(), 9);
    for most in [2_usize, 5, 3] {
        desk.write(
            ".agent/config.yml",
            &format!("tools:\n  search:\n    default_max_results: {most}\n"),
        );
        assert_eq!(shown(), most);
    }
    std::fs::remove_file(desk.place(".agent/config.yml")).unwrap();
    assert_eq!(shown(), 9);
}

#[test]
fn an_unusable_overlay_file_changes_nothing_and_is_reported() {
    touchstone::verifies!("FR-015b-29", "NFR-015b-06");
    for wrong in [
        "tools: [",
        "tools:\n  search:\n    default_max_results: many\n",
        "tools:\n  search:\n    default_max_results: 0\n",
    ] {
        let desk = with_overlay(wrong);
        let page: Value = desk.page("grep", &json!({"pattern": "foo"}));
        assert_eq!(page["results"].as_array().unwrap().len(), 9, "{wrong}");
        assert_eq!(notices(&page).last().map(String::as_str), Some("configuration"), "{wrong}");
        desk.write(".agent/config.yml", EXAMPLE);
        assert!(
            !notices(&desk.page("grep", &json!({"pattern": "foo"})))
                .contains(&"configuration".to_owned())
        );
    }
}
