//! Sections 3, 7 and 10: which requests an index serves, what is excluded from them, and what
//! `stats` say.

use std::path::Path;

use forge_search_engine::index::Point;
use forge_search_engine::{Config, IndexUse, Service};
use serde_json::{Value, json};
use touchstone::provision::required_backends;

use super::home::{Gate, Home, called, excluded, literal, paths, settle, state, status};

fn with(request: &Value, extra: &Value) -> Value {
    let mut request = request.clone();
    request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    request
}

#[test]
fn a_search_below_a_root_uses_its_index_without_a_rebuild() {
    touchstone::verifies!(
        "FR-LSI-IDX-ROOT-02",
        "FR-LSI-IDX-ROOT-03",
        "FR-LSI-IDX-SCOPE-01",
        "FR-LSI-IDX-KEY-01a",
        "E-B09"
    );
    let home = Home::of_words(100);
    home.write("d1-more/f", "chalk\n");
    home.write("out/f", "chalk\n");
    let roots: Vec<String> =
        (0..5).map(|number| format!("{}/d{number}", home.root.display())).collect();
    let gate = Gate::open();
    let service =
        home.with_faults(IndexUse::Stepped, &format!("index_roots = {roots:?}"), gate.clone());
    settle(&service);
    let built = gate.count(Point::BuildBegin);
    assert_eq!((service.index_status().len(), built), (5, 5));
    let ask = |path: &str, extra: Value| {
        let request = with(&literal("chalk"), &extra);
        home.asked(&service, &with(&request, &json!({ "path": path })))
    };
    let below = ask("d1", json!({}));
    assert!(paths(&below).iter().all(|path| path.starts_with("d1/")));
    let (reason, left_out) = excluded(&below);
    assert_eq!((reason, left_out), (None, 20 - paths(&below).len() as u64));
    // Options of the query are asked of the same index.
    for extra in [
        json!({"glob": ["*f*"]}),
        json!({"case": "insensitive"}),
        json!({"case": "sensitive"}),
        json!({"word_regexp": true}),
        json!({"fixed_strings": false}),
        json!({"context": 2}),
        json!({"exclude_glob": ["f00*"]}),
    ] {
        let seen = ask("d1", extra.clone());
        let (reason, left_out) = excluded(&seen);
        assert!(reason.is_none() && left_out > 0, "{extra}");
    }
    assert_eq!(gate.count(Point::BuildBegin), built);
    // What belongs to no root has no index, nor has what belongs to several.
    assert_eq!(excluded(&ask("out", json!({}))), (Some("INDEX_OFF"), 0));
    assert_eq!(excluded(&ask("d1-more", json!({}))), (Some("INDEX_OFF"), 0));
    assert_eq!(excluded(&ask(".", json!({}))), (Some("INDEX_OFF"), 0));
}

#[test]
fn a_search_of_a_subtree_uses_the_index_of_the_whole_tree() {
    touchstone::verifies!("FR-LSI-IDX-SCOPE-01", "FR-LSI-IDX-ROOT-02", "FR-LSI-IDX-ROOT-03");
    let home = Home::of_words(100);
    for (path, text) in [
        ("d1/deep/er/f", "chalk\n"),
        ("d1/deep/g", "hay\n"),
        ("d1-more/f", "chalk\n"),
        ("d1.txt", "chalk\n"),
        ("d10/f", "chalk\n"),
    ] {
        home.write(path, text);
    }
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&service);
    for (path, total) in [(".", 105), ("d1", 22), ("d1/deep", 2), ("d1-more", 1), ("d10", 1)] {
        let seen = home.asked(&service, &with(&literal("chalk"), &json!({ "path": path })));
        let below = |found: &String| path == "." || found.starts_with(&format!("{path}/"));
        assert!(
            !paths(&seen).is_empty() && paths(&seen).iter().all(below),
            "{path}: {:?}",
            paths(&seen)
        );
        let files = seen["stats"]["candidates_total"].as_u64().unwrap();
        assert_eq!((excluded(&seen).0, files), (None, total), "{path}");
        assert_eq!(excluded(&seen).1, total - paths(&seen).len() as u64, "{path}");
    }
    assert_eq!((gate.count(Point::BuildBegin), service.index_turn()), (1, false));
}

#[test]
fn requests_outside_the_key_exclude_nothing_and_report_it() {
    touchstone::verifies!(
        "FR-LSI-IDX-SCHED-02",
        "FR-LSI-IDX-SCHED-03",
        "FR-LSI-IDX-SCHED-04",
        "E-B06",
        "E-B07",
        "FR-LSI-SAFE-02",
        "FR-LSI-IDX-SCHED-01",
        "CFGKEY-LSI-index_default_hidden",
        "CFGKEY-LSI-index_default_no_ignore"
    );
    let home = Home::of_words(60);
    home.write(".hidden/f", "chalk hidden\n");
    home.write(".gitignore", "ignored\n");
    home.write("ignored", "chalk ignored\n");
    let plain = home.settled("");
    let gate = Gate::open();
    let wide = home.with_faults(IndexUse::Stepped, "index_default_hidden = true", gate.clone());
    settle(&wide);
    let ask =
        |service: &Service, extra: Value| home.asked(service, &with(&literal("chalk"), &extra));
    for extra in [json!({"hidden": true}), json!({"no_ignore": true}), json!({"follow": true})] {
        assert_eq!(excluded(&ask(&plain, extra.clone())), (Some("OPTIONS_DIFFER"), 0), "{extra}");
    }
    assert_eq!(excluded(&ask(&plain, json!({"recursive": false}))).1, 0);
    let narrow = ask(&wide, json!({}));
    // Which hidden names a rule includes is not in the catalog (E-B50).
    assert_eq!(excluded(&narrow), (Some("OPTIONS_DIFFER"), 0));
    assert!(!paths(&narrow).iter().any(|path| path.starts_with(".hidden")));
    let equal = ask(&wide, json!({"hidden": true}));
    assert!(excluded(&equal).1 > 0 && paths(&equal).contains(&".hidden/f".to_owned()));
    assert_eq!(
        excluded(&ask(&wide, json!({"hidden": true, "no_ignore": true}))),
        (Some("OPTIONS_DIFFER"), 0)
    );
    assert_eq!(
        (gate.count(Point::BuildBegin), wide.index_turn()),
        (1, false),
        "no request begins another index"
    );
    let ignored = home.settled("index_default_no_ignore = true");
    assert_eq!(excluded(&ask(&ignored, json!({}))), (Some("OPTIONS_DIFFER"), 0));
    assert!(excluded(&ask(&ignored, json!({"no_ignore": true}))).1 > 0);
}

#[test]
fn every_exclusion_bypass_has_its_reason() {
    touchstone::verifies!(
        "E-G08",
        "FBR-INDEX_OFF",
        "FBR-INDEX_UNAVAILABLE",
        "FR-LSI-BUD-03",
        "STAT-index_exclusion_used",
        "STAT-index_safety_state",
        "FR-LSI-STABLE-02",
        "FR-LSI-CAND-FZ-01",
        "FR-LSI-SAFE-02",
        "PREC-P3"
    );
    let home = Home::of_words(60);
    home.write(".git/info/exclude", "closed\n");
    home.write("closed/f", "chalk\n");
    let service = home.settled("");
    let reason = |service: &Service, request: &Value| {
        let seen = home.asked(service, request);
        let (reason, left_out) = excluded(&seen);
        assert!(reason.is_none() || left_out == 0, "{request}: {reason:?}, {left_out}");
        assert!(seen["stats"]["fallback_reason"].is_null(), "a bypass is not a fallback");
        reason.map(str::to_owned)
    };
    let of = |extra: Value| reason(&service, &with(&literal("chalk"), &extra));
    assert_eq!(of(json!({})), None);
    assert_eq!(of(json!({"path": "d0/f000"})).as_deref(), Some("PATH_NOT_INDEXED"));
    assert_eq!(of(json!({"path": "closed"})).as_deref(), Some("PATH_NOT_INDEXED"));
    assert_eq!(of(json!({"follow": true})).as_deref(), Some("OPTIONS_DIFFER"));
    assert_eq!(of(json!({"fuzzy": 1})).as_deref(), Some("FUZZY"));
    assert_eq!(of(json!({"fuzzy": 1, "no_ignore": true})).as_deref(), Some("OPTIONS_DIFFER"));
    for pattern in [literal("ch"), json!({"pattern": ".*"}), json!({"pattern": "chalk|.."})] {
        assert_eq!(
            reason(&service, &pattern).as_deref(),
            Some("PATTERN_NEEDS_NOTHING"),
            "{pattern}"
        );
    }
    let fresh =
        home.service(IndexUse::Stepped, &format!("index_path = {:?}", home.base().join("other")));
    assert_eq!(reason(&fresh, &literal("chalk")).as_deref(), Some("INDEX_UNAVAILABLE"));
    let off = home.service(IndexUse::Stepped, "index_mode = \"off\"");
    assert_eq!(reason(&off, &literal("chalk")).as_deref(), Some("INDEX_OFF"));
    let none = home.service(IndexUse::None, "");
    assert_eq!(reason(&none, &literal("chalk")).as_deref(), Some("INDEX_OFF"));
}

#[test]
fn stats_are_the_same_for_the_same_state_of_the_index() {
    touchstone::verifies!(
        "E-H01",
        "FR-LSI-STAT-03",
        "STAT-index_safety_state",
        "STAT-index_uncertain_reason",
        "STAT-storage_mode",
        "STAT-candidates_total",
        "STAT-candidates_excluded",
        "STAT-candidates_scanned"
    );
    let home = Home::of_words(60);
    let service = home.settled("");
    let stats = |service: &Service| {
        let mut stats = home.asked(service, &literal("chalk"))["stats"].clone();
        stats.as_object_mut().unwrap().remove("elapsed_ms");
        stats
    };
    let first = stats(&service);
    assert_eq!(first["index_safety_state"], "COMPLETE");
    assert_eq!(
        (&first["index_uncertain_reason"], &first["storage_mode"]),
        (&json!(null), &json!("sqlite"))
    );
    assert_eq!((&first["candidates_total"], &first["candidates_scanned"]), (&json!(60), &json!(5)));
    assert_eq!(first["candidates_excluded"], 55);
    assert!(first.get("build_phase").is_none(), "no build runs");
    for _ in 0..3 {
        assert_eq!(stats(&service), first);
    }
    drop(service);
    let memory = home.settled("index_storage = \"memory\"");
    assert_eq!(stats(&memory)["storage_mode"], "memory");
    assert_eq!(stats(&memory)["candidates_excluded"], 55);
    // Packed filters are as large as the largest file may be, so that has to be small.
    let small =
        "index_storage = \"memory\"\nindex_max_tokenized_bytes = 65536\nindex_filter_layout = ";
    let layout = |layout: &str| stats(&home.settled(&format!("{small}{layout:?}")));
    assert_eq!(layout("packed"), layout("factored"), "both layouts answer alike");
}

/// Files in an order that only whole paths give, with matches around every cut.
fn dense() -> Home {
    let home = Home::new(&[]);
    for number in 0..240 {
        let separator = ["/", "-", ".", "/z/"][number % 4];
        let text = match number % 3 {
            0 => "before\nneedle one\nbetween\nneedle two\nafter\n",
            1 => "hay\nhay\n",
            _ => "needles\nhay\n",
        };
        home.write(&format!("p{:02}{separator}f{number:03}", number % 20), text);
    }
    home
}

#[test]
fn exclusion_moves_no_cut_and_no_event() {
    touchstone::verifies!(
        "FR-LSI-TRUNC-02",
        "FR-LSI-STABLE-01",
        "FR-LSI-ORD-03",
        "FR-LSI-ORD-ROOT-03",
        "T-LSI-TRUNC-02",
        "FR-LSI-EXE-03",
        "FR-LSI-EXE-04",
        "NFR-LSI-COR-01",
        "T-LSI-DET-01",
        "FR-LSI-ORD-ROOT-02",
        "FR-LSI-SCHEMA-RESP-04"
    );
    let home = dense();
    let backends = required_backends().unwrap_or_else(|error| panic!("{error}"));
    let programs = [None, backends.ripgrep.as_deref(), backends.ugrep.as_deref()];
    for program in programs {
        let service = over(&home, program, "");
        settle(&service);
        for max_results in [1, 2, 3, 5, 7, 60, 158, 159, 160, 161, 1_000] {
            for extra in [
                json!({}),
                json!({"context": 1}),
                json!({"context": 3, "max_matches_per_file": 1}),
                json!({"max_files": 33}),
            ] {
                let request =
                    with(&with(&literal("needle"), &json!({"max_results": max_results})), &extra);
                let seen = home.asked(&service, &request);
                let whole = max_results == 1_000 && extra == json!({});
                assert!(!whole || excluded(&seen).1 == 80, "{program:?}: {}", seen["stats"]);
            }
        }
    }
}

/// A service over one backend, the embedded one without a program.
fn over(home: &Home, program: Option<&Path>, settings: &str) -> Service {
    let config = home.config(settings);
    let config = match program {
        None => config,
        Some(program) => Config {
            backend: forge_search_engine::BackendChoice::Auto,
            binary: program.to_string_lossy().into_owned(),
            fallback_binary: String::new(),
            allow_native: false,
            ..config
        },
    };
    home.configured(IndexUse::Stepped, config, Gate::open())
}

#[test]
fn more_candidates_than_a_command_line_holds_are_searched_in_order() {
    touchstone::verifies!(
        "FR-LSI-EXE-01",
        "FR-LSI-EXE-03",
        "T-LSI-EXE-01",
        "FR-LSI-ELIG-01.2",
        "FR-LSI-BE-02",
        "FR-LSI-BE-RG-01",
        "E-B01"
    );
    let home = Home::new(&[]);
    // Together longer than what a process may be given at its start, which is 2 MiB on Linux as a
    // rule.
    let long = "x".repeat(200);
    for number in 0..4_000 {
        let text = if number % 100 == 99 { "hay\n" } else { "needle\n" };
        home.write(&format!("{long}{}/{long}{}/{long}{number:04}", number % 7, number % 3), text);
    }
    let backends = required_backends().unwrap_or_else(|error| panic!("{error}"));
    for program in [backends.ripgrep, backends.ugrep].iter().flatten() {
        let service = over(&home, Some(program), "");
        settle(&service);
        let seen =
            home.asked(&service, &with(&literal("needle"), &json!({"max_results": 100_000})));
        assert_eq!((paths(&seen).len(), excluded(&seen).1), (3_960, 40));
    }
}

#[test]
fn files_are_enumerated_equally_with_and_without_an_index() {
    touchstone::verifies!(
        "FR-LSI-ELIG-01",
        "FR-LSI-ELIG-02",
        "T-LSI-PATH-01",
        "T-LSI-PATH-02",
        "E-B05",
        "FR-LSI-BE-UG-03"
    );
    let home = Home::of_words(24);
    home.write("n\nl", "chalk in a line feed\n");
    home.write("r\rl", "chalk in a carriage return\n");
    home.write(".gitignore", "*.log\n!keep.log\n");
    home.write("drop.log", "chalk\n");
    home.write("keep.log", "chalk\n");
    home.write("sub/.ignore", "x\n");
    home.write("sub/x", "chalk\n");
    home.write("repo/.git/info/exclude", "y\n");
    home.write("repo/y", "chalk\n");
    home.write("repo/drop.log", "chalk\n");
    let bytes = std::os::unix::ffi::OsStrExt::from_bytes(b"\xff\xfename".as_slice());
    std::fs::write(home.root.join::<&std::ffi::OsStr>(bytes), "chalk in no text\n").unwrap();
    let service = home.settled("");
    let seen = home.asked(&service, &literal("chalk"));
    let found = paths(&seen);
    for path in ["n\nl", "r\rl", "keep.log", "repo/drop.log", "\u{fffd}\u{fffd}name"] {
        assert!(found.contains(&path.to_owned()), "{path:?} in {found:?}");
    }
    assert!(
        !found.iter().any(|path| ["drop.log", "sub/x", "repo/y"].contains(&path.as_str())),
        "{found:?}"
    );
    assert_eq!(excluded(&seen).1, 22);
    assert_eq!((state(&service), status(&service).pending), (("COMPLETE", None), 0));
}

#[test]
fn fallback_is_independent_of_exclusion_and_runs_on_every_file() {
    touchstone::verifies!(
        "E-G10",
        "FR-LSI-CAND-FZ-01",
        "FR-LSI-FUZ-03",
        "FR-LSI-SCHEMA-RESP-01",
        "NFR-LSI-COR-01"
    );
    let home = Home::of_words(60);
    home.write("near", "neadle\n");
    let service = home.settled("fuzzy_fallback = true");
    let seen = called(&service, &literal("needle"));
    assert_eq!(paths(&seen), ["near"]);
    assert_eq!(seen["stats"]["fallback_reason"], "LITERAL_NO_MATCHES");
    assert_eq!(
        excluded(&seen),
        (Some("FUZZY"), 0),
        "the figures are those of the pass that is returned"
    );
    let exact = called(&service, &literal("chalk"));
    assert_eq!((&exact["stats"]["fallback_used"], excluded(&exact).0), (&json!(false), None));
    // An index that left files out changes no field and no type.
    let plain = called(&home.service(IndexUse::None, ""), &literal("chalk"));
    let typed = |answer: &Value| {
        let fields = answer.as_object().unwrap().iter();
        let kind = |value: &Value| std::mem::discriminant(value);
        fields.map(|(name, value)| (name.clone(), kind(value))).collect::<Vec<_>>()
    };
    assert_eq!(typed(&exact), typed(&plain));
    assert_eq!(
        state(&service),
        ("COMPLETE", None),
        "nothing found is no reason to doubt the index"
    );
}
