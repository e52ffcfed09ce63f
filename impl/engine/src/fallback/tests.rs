use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
};

use forge_search_core::{
    request::{Builder, RequestBuilder},
    response::StatsDetail,
};
use serde_json::Value;

use super::*;
use crate::{
    config::{BackendChoice, Config, Preset},
    sandbox::Sandbox,
};

struct World {
    _dir: tempfile::TempDir,
    service: Service,
}

/// A service over these files, with fallback, changed as `change` says.
fn world(files: &[(&str, &str)], change: impl Fn(&mut Config)) -> World {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(dir.path().join(name), content).unwrap();
    }
    let mut config = Config::preset(Preset::Agent);
    config.backend = BackendChoice::Native;
    config.index.fuzzy_fallback = true;
    config.stats_detail = StatsDetail::All;
    change(&mut config);
    let root = dunce::canonicalize(dir.path()).unwrap();
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
    World { service: Service::new(config, sandbox).unwrap(), _dir: dir }
}

impl World {
    /// The response to a literal, with these fields besides.
    fn ask(&self, pattern: &str, fields: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Value {
        let request =
            fields(self.service.search_request(pattern).fixed_strings(true)).build().unwrap();
        serde_json::to_value(self.service.search(&request).unwrap()).unwrap()
    }
}

/// Used, levels tried, why not, how many not.
fn stats(response: &Value) -> (bool, Vec<u64>, Option<&str>, u64) {
    let stats = &response["stats"];
    let used = stats["fallback_used"].as_bool().unwrap();
    assert_eq!(stats["fallback_reason"].as_str(), used.then_some("LITERAL_NO_MATCHES"));
    (
        used,
        stats["fuzzy_levels_tried"]
            .as_array()
            .unwrap()
            .iter()
            .map(|level| level.as_u64().unwrap())
            .collect(),
        stats["fallback_skipped_reason"].as_str(),
        stats["fallback_passes_skipped"].as_u64().unwrap(),
    )
}

fn texts(response: &Value) -> Vec<&str> {
    let events = response["matches"].as_array().unwrap().iter();
    events.map(|event| event["data"]["lines"]["text"].as_str().unwrap()).collect()
}

const FILES: &[(&str, &str)] = &[("a", "needle\n"), ("b", "neexlxe\nother\n")];

#[test]
fn the_first_fallback_level_with_a_match_is_the_answer() {
    let world = world(FILES, |_| ());
    let one = world.ask("nxedle", |b| b);
    assert_eq!((texts(&one), stats(&one)), (vec!["needle"], (true, vec![1], None, 0)));
    assert_eq!(one["content"], "a:1:1:needle\n[no exact match: lines within 1 edits are shown]\n");
    assert_eq!(one["pattern"], "nxedle");
    let two = world.ask("nxxdle", |b| b);
    assert_eq!((texts(&two), stats(&two)), (vec!["needle"], (true, vec![1, 2], None, 0)));
    let none = world.ask("zzzzzz", |b| b);
    assert_eq!((texts(&none), stats(&none)), (vec![], (true, vec![1, 2, 3], None, 0)));
    assert_eq!(none["content"], "[no matches]\n");
}

#[test]
fn fallback_does_not_run_after_a_match_or_a_cut_or_if_not_requested() {
    let nothing = (false, vec![], None, 0);
    let world_on = world(FILES, |_| ());
    assert_eq!(stats(&world_on.ask("needle", |b| b)), nothing);
    assert_eq!(stats(&world_on.ask("nxedle", |b| b.fuzzy(1))), nothing);
    assert_eq!(stats(&world_on.ask("nxedle", |b| b.word_regexp(true))), nothing);
    assert_eq!(stats(&world_on.ask("nxedle", |b| b.fixed_strings(false))), nothing);
    assert_eq!(stats(&world_on.ask("nxedle", |b| b.max_files(1))), nothing);
    assert_eq!(stats(&world_on.ask("nxedle", |b| b.max_file_size_bytes(8))), nothing);
    let off = world(FILES, |config| config.index.fuzzy_fallback = false);
    assert_eq!(stats(&off.ask("nxedle", |b| b)), nothing);
    let wordless = world(FILES, |config| config.emit_stats = false).ask("nxedle", |b| b);
    assert_eq!((texts(&wordless), wordless.get("stats")), (vec!["needle"], None));
}

#[test]
fn an_event_without_room_in_the_answer_counts_as_found() {
    let world = world(FILES, |config| config.max_output_bytes = 5);
    // What the exact pass found, it found: no fallback replaces it.
    let exact = world.ask("needle", |b| b);
    assert_eq!((exact["count"].as_u64(), stats(&exact)), (Some(0), (false, vec![], None, 0)));
    let near = world.ask("nxedle", |b| b);
    assert_eq!((near["count"].as_u64(), stats(&near)), (Some(0), (true, vec![1], None, 0)));
    assert_eq!(near["truncated"], true);
    assert_eq!(
        near["content"],
        concat!(
            "[no exact match: lines within 1 edits are shown]\n",
            "[no matches]\n",
            "[truncated: max_output_bytes 5 reached, more events exist]\n"
        )
    );
    let context = world.ask("oxher", |b| b.context(1).max_results(1));
    assert_eq!(
        stats(&context),
        (true, vec![1], None, 0),
        "a context line before the match, and no room for more"
    );
}

#[test]
fn short_patterns_have_few_fallback_levels_or_none() {
    let short = Some("PATTERN_TOO_SHORT");
    let world_on = world(FILES, |_| ());
    assert_eq!(stats(&world_on.ask("zzz", |b| b)), (false, vec![], short, 0));
    assert_eq!(stats(&world_on.ask("ääää", |b| b)), (true, vec![1, 2], None, 0));
    assert_eq!(stats(&world_on.ask("zzzzz", |b| b)), (true, vec![1, 2], None, 0));
    let late = world(FILES, |config| config.index.fuzzy_fallback_levels = vec![3, 4]);
    assert_eq!(stats(&late.ask("zzzzz", |b| b)), (false, vec![], short, 0));
    let eager = world(FILES, |config| config.index.fuzzy_min_pattern_len = 1);
    assert_eq!(stats(&eager.ask("zz", |b| b)), (true, vec![1], None, 0));
    assert_eq!(stats(&eager.ask("z", |b| b)), (false, vec![], short, 0));
}

/// Everything that a pass needs of a call, for the directory itself.
fn checked_call(world: &World, pattern: &str, run: impl FnOnce(&Checked<'_>, &Request)) {
    use std::time::{Duration, Instant};
    let request = world.service.search_request(pattern).fixed_strings(true).build().unwrap();
    let places = world.service.places(None, &request.scope, None).unwrap();
    let backend = crate::backend::Backend::Native;
    let deadline = Instant::now() + Duration::from_secs(60);
    let cancelled = AtomicBool::new(false);
    let account = crate::account::MemoryAccount::default();
    let deadline = world.service.deadline(deadline, &cancelled, &account);
    let checked = Checked { places: &places, backend: &backend, deadline };
    run(&checked, &request);
}

#[test]
fn without_time_left_the_exact_answer_is_returned_and_every_pass_counted() {
    let world = world(FILES, |_| ());
    checked_call(&world, "nxedle", |checked, request| {
        for excluded in [false, true] {
            let exact = Pass { excluded, ..world.service.pass(checked, request, true).unwrap() };
            world.service.cancel_switch().store(true, Ordering::Relaxed);
            let found = world.service.with_fallback(checked, request, exact);
            world.service.cancel_switch().store(false, Ordering::Relaxed);
            let response = serde_json::to_value(found.response()).unwrap();
            assert_eq!(stats(&response), (false, vec![], Some("NO_TIME_LEFT"), 3));
            assert_eq!((response["timed_out"].as_bool(), texts(&response)), (Some(false), vec![]));
        }
    });
}

#[test]
fn an_exact_pass_with_exclusion_is_repeated_without_it_before_fallback() {
    let world = world(FILES, |_| ());
    checked_call(&world, "needle", |checked, request| {
        // An exact pass as a broken index would have made it.
        let nowhere =
            world.service.search_request("nowhere at all").fixed_strings(true).build().unwrap();
        let mut exact = world.service.pass(checked, &nowhere, true).unwrap();
        assert!(!exact.found.any());
        exact.excluded = true;
        let found = world.service.with_fallback(checked, request, exact.clone());
        let response = serde_json::to_value(found.response()).unwrap();
        assert_eq!(
            (texts(&response), stats(&response)),
            (vec!["needle"], (false, vec![], None, 0))
        );
        // Where it excluded nothing, nobody looks again.
        exact.excluded = false;
        let found = world.service.with_fallback(checked, request, exact);
        assert_eq!(stats(&serde_json::to_value(found.response()).unwrap()).1, [1]);
    });
}
