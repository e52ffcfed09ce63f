use forge_search_core::search_files::Stats;

use super::*;
use crate::config::{Config, Preset};

#[test]
fn an_answer_that_is_too_long_keeps_as_many_matches_as_fit_both_limits() {
    let line = "x".repeat(80);
    let one = format!(r#"{{"path":"a","line":1,"line_text":"{line}"}}"#);
    let found = search_files::Answer {
        path: ".".to_owned(),
        query: "x",
        mode: "exact",
        case: "smart",
        max_results: 200,
        matches: vec![one.clone(); 50],
        errors: Vec::new(),
        more: false,
        because: Vec::new(),
        stats: Stats { matches_total: 50, ..Stats::default() },
        elapsed_ms: 0,
    };
    let mut config = Config::preset(Preset::Agent).agent;
    for (configured, most) in [(4_096, 20_000), (4_096, 4_096), (20_000, 4_096)] {
        config.max_answer_bytes = configured;
        let answer = Length { config: &config, notices: &[] }.files(&found, most).unwrap();
        let length = answer.structured.to_string().len() as u64;
        let next = length + one.len() as u64 + 1;
        assert!(length <= 4_096 && next > 4_096 - 20, "{configured} {most}: {length}");
        assert!(!answer.complete && answer.results > 0);
    }
}
