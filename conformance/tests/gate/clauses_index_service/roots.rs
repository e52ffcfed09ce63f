//! Sections 4.3.1 and 5.2: which roots have an index and an indexer, what auto mode counts, and
//! which request goes to which root.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use forge_search_engine::index::Point;
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{
    Config, ErrorClass, IndexMode, IndexOptions, IndexUse, Preset, Sandbox, Service,
};
use serde_json::{Value, json};

use super::home::{
    Gate, Home, LONG, called, eventually, excluded, literal, paths, settle, state, status,
};
use crate::clauses::Spy;

/// A service whose sandbox has these roots, and which works in one of them or below.
fn within(home: &Home, roots: &[PathBuf], works_in: &Path, config: Config) -> Service {
    let sandbox = Sandbox::new(roots, works_in).unwrap();
    let options = IndexOptions { using: IndexUse::Stepped, ..IndexOptions::default() };
    let service = Service::with_index(config, sandbox, options).unwrap();
    settle(&service);
    assert!(home.cache.is_absolute());
    service
}

#[test]
fn without_configured_roots_the_working_directory_is_indexed() {
    touchstone::verifies!("FR-LSI-BG-03", "FR-LSI-IDX-ROOT-01", "E-C50");
    let home = Home::new(&[("a/f", "apple\n"), ("b/f", "brick\n"), ("b/in/f", "chalk\n")]);
    let all = [home.root.clone()];
    for (works_in, files) in [("", 3), ("a", 1), ("b", 2), ("b/in", 1)] {
        let works_in = home.root.join(works_in).components().collect::<PathBuf>();
        for settings in ["", "index_roots = []"] {
            let service = within(&home, &all, &works_in, home.config(settings));
            let now = status(&service);
            assert_eq!((now.root, now.state, now.files), (works_in.clone(), "COMPLETE", files));
        }
    }
    let settings = format!("index_roots = [{:?}]", home.root.join("a"));
    let service = within(&home, &all, &home.root.join("b"), home.config(&settings));
    assert_eq!(status(&service).root, home.root.join("a"), "what is configured counts");
}

/// Threads of this process that index.
#[cfg(target_os = "linux")]
fn indexers() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.map(|task| fs::read_to_string(task.unwrap().path().join("comm")));
    names.filter(|name| name.as_ref().is_ok_and(|name| name.trim() == "forge-index")).count()
}

#[cfg(target_os = "linux")]
#[test]
fn each_root_has_a_separate_indexer_and_mode_off_has_none() {
    touchstone::verifies!("FR-LSI-BG-01", "FR-LSI-BG-02", "FR-LSI-BG-04");
    let home = Home::new(&[("a/f", "apple\n"), ("b/f", "brick\n"), ("c/f", "chalk\n")]);
    let root = home.root.display();
    assert_eq!(indexers(), 0);
    for (names, threads) in [(&["a"][..], 1), (&["a", "b"], 2), (&["a", "b", "c"], 3)] {
        let names: Vec<String> = names.iter().map(|name| format!("{root}/{name}")).collect();
        for (mode, threads) in [("on", threads), ("off", 0)] {
            // Held, so that none of them is through before it is counted.
            let gate = Gate::at_point(Point::OpenStore);
            let settings = format!("index_roots = {names:?}\nindex_mode = {mode:?}");
            let service = home.with_faults(IndexUse::Background, &settings, gate.clone());
            eventually(&format!("{threads} indexers"), || indexers() == threads);
            gate.release();
            assert!(service.index_wait(LONG));
            drop(service);
            eventually("their end", || indexers() == 0);
        }
    }
}

#[test]
fn counting_lists_only_enough_to_pass_a_threshold() {
    touchstone::verifies!("FR-LSI-BG-05.1", "FR-LSI-BG-05");
    for (threshold, most) in [
        ("index_auto_threshold_files = 3", 4),
        ("index_auto_threshold_files = 20", 21),
        ("index_auto_threshold_bytes = 17\nindex_auto_threshold_files = 1000000", 3),
        ("index_auto_threshold_bytes = 18\nindex_auto_threshold_files = 1000000", 4),
    ] {
        let home = Home::new(&[]);
        for number in 0..60 {
            // Six bytes each.
            home.write(&format!("d{number:02}/f"), "apple\n");
        }
        let spy = Spy::on(std::slice::from_ref(&home.root));
        let gate = Gate::at_point(Point::BuildBegin);
        let settings = format!("index_mode = \"auto\"\n{threshold}");
        let service = home.with_faults(IndexUse::Background, &settings, gate.clone());
        gate.wait();
        let mut listed: Vec<String> =
            spy.touched().into_iter().filter(|name| name.starts_with('d')).collect();
        listed.sort();
        listed.dedup();
        // One directory may be opened ahead of the file that decides.
        assert!((most..=most + 1).contains(&listed.len()), "{threshold}: {listed:?}");
        gate.release();
        assert!(service.index_wait(LONG));
        assert_eq!(state(&service).0, "COMPLETE", "{threshold}");
    }
}

#[test]
fn ineligible_files_do_not_count_for_thresholds() {
    touchstone::verifies!("FR-LSI-IDX-03", "FR-LSI-BG-05", "CFG-LSI-IDX-02");
    for threshold in ["index_auto_threshold_files = 4", "index_auto_threshold_bytes = 33"] {
        let home = Home::new(&[("a", "apple\n"), ("b", "brick\n"), ("c", "chalk\n")]);
        home.write(".gitignore", "*.log\n");
        for number in 0..20 {
            home.write(&format!(".hidden/f{number}"), "dwarf\n");
            home.write(&format!("denied/f{number}"), "dwarf\n");
            home.write(&format!("l{number}.log"), "dwarf\n");
        }
        let config = || Config {
            deny: vec!["denied".to_owned()],
            ..home.config(&format!("index_mode = \"auto\"\n{threshold}"))
        };
        let started = || {
            let service = home.configured(IndexUse::Stepped, config(), Gate::open());
            settle(&service);
            state(&service)
        };
        assert_eq!(started(), ("DISABLED", Some("BELOW_THRESHOLD")), "{threshold}");
        // Those that a search looks at, with the same bytes, are enough.
        home.write("d", "dwarf\n");
        home.write("e", "dwarf and more of it\n");
        assert_eq!(started(), ("COMPLETE", None), "{threshold}");
    }
}

#[test]
fn a_tree_is_counted_again_after_a_configured_number_of_calls() {
    touchstone::verifies!(
        "FR-LSI-BG-06.2",
        "FR-LSI-BG-06",
        "CFGKEY-LSI-index_auto_reeval_calls",
        "T-LSI-SAFE-06"
    );
    for every in [2, 5] {
        let home = Home::new(&[("a", "apple\n"), ("b", "brick\n"), ("c", "chalk\n")]);
        let settings = format!(
            "index_mode = \"auto\"\nindex_auto_threshold_files = 3\nindex_auto_reeval_calls = {every}"
        );
        let service = home.settled(&settings);
        let call = || {
            called(&service, &literal("chalk"));
            settle(&service);
            state(&service).0
        };
        // Three rounds in which it is counted and still too small.
        for _ in 0..3 * every {
            assert_eq!(call(), "DISABLED");
        }
        home.write("d", "dwarf\n");
        for _ in 1..every {
            assert_eq!(call(), "DISABLED", "{every}");
        }
        assert_eq!(call(), "COMPLETE", "{every}");
    }
}

#[test]
fn below_a_threshold_nothing_is_watched() {
    touchstone::verifies!("FR-LSI-BG-06.3", "FR-LSI-BG-05.3");
    let home = Home::new(&[("a", "apple\n")]);
    let gate = Gate::open();
    let auto = "index_mode = \"auto\"\nindex_auto_threshold_files = 1";
    let service = home.with_faults(IndexUse::Stepped, auto, gate.clone());
    settle(&service);
    assert_eq!(state(&service), ("DISABLED", Some("BELOW_THRESHOLD")));
    assert!(!status(&service).watcher_live);
    let touched = [Point::Watch, Point::ReadEvents, Point::Cookie, Point::List];
    assert_eq!(touched.map(|point| gate.count(point)), [0; 4]);
}

fn asked(service: &Service, path: &str) -> Value {
    called(service, &json!({"pattern": "chalk", "fixed_strings": true, "path": path}))
}

#[test]
fn a_request_concerns_one_sandbox_root_and_is_refused_beyond_them() {
    touchstone::verifies!("FR-LSI-IDX-SCOPE-02", "FR-LSI-IDX-ROOT-02", "ALG-LSI-C1.5");
    let home = Home::new(&[]);
    for number in 0..24 {
        let word = super::home::WORDS[number % 12];
        for top in ["one", "two", "out"] {
            home.write(&format!("{top}/in/f{number:02}"), &format!("{word} of {top}\n"));
        }
    }
    let [one, two, out] = ["one", "two", "out"].map(|name| home.root.join(name));
    let settings = format!("index_roots = [{one:?}, {two:?}]");
    let service = within(&home, &[one.clone(), two.clone()], &one, home.config(&settings));
    assert_eq!(service.index_status().iter().map(|one| one.files).collect::<Vec<_>>(), [24, 24]);
    let two_in = format!("{}/in", two.display());
    let beside = format!("{}/../two/in", one.display());
    for (path, found) in [("in", "in/f02"), (two_in.as_str(), "two")] {
        let seen = asked(&service, path);
        assert_eq!((excluded(&seen), seen["count"].as_u64()), ((None, 22), Some(2)), "{path}");
        let other = if found == "two" { "of one" } else { "of two" };
        assert!(!seen.to_string().contains(other), "{path}: {seen}");
    }
    let above = home.root.display().to_string();
    let out = out.display().to_string();
    // Nor by a way that leaves one root and comes back into another.
    for path in [
        above.as_str(),
        out.as_str(),
        beside.as_str(),
        "..",
        "../out",
        "./../out",
        "in/./../.././out/in",
        "/",
    ] {
        let refused =
            service.call("Search", &json!({"pattern": "chalk", "path": path})).expect_err(path);
        assert_eq!(
            (refused.class, refused.field.as_deref()),
            (ErrorClass::SandboxViolation, Some("path")),
            "{path}"
        );
    }
    // No root of an index may span them either.
    let span = home.config(&format!("index_roots = [{above:?}]"));
    let sandbox = Sandbox::new(&[one.clone(), two], &one).unwrap();
    let options = IndexOptions { using: IndexUse::Stepped, ..IndexOptions::default() };
    let refused = Service::with_index(span, sandbox, options).unwrap_err();
    assert!(refused.to_string().contains("index_roots"), "{refused}");
}

#[test]
fn an_index_that_follows_links_serves_requests_that_follow_none() {
    touchstone::verifies!("FR-LSI-IDX-SCHED-02", "CFGKEY-LSI-index_default_follow", "E-H06");
    let home = Home::of_words(60);
    std::os::unix::fs::symlink("d2/f002", home.root.join("link")).unwrap();
    let gate = Gate::open();
    let settings = "index_default_follow = true";
    let service = home.with_faults(IndexUse::Stepped, settings, gate.clone());
    settle(&service);
    let seen = home.asked(&service, &literal("chalk"));
    assert_eq!((excluded(&seen), paths(&seen).len()), ((None, 55), 5));
    let follow = json!({"pattern": "chalk", "fixed_strings": true, "follow": true});
    let seen = home.asked(&service, &follow);
    // Whoever follows gets the link's file, from no index.
    assert_eq!((excluded(&seen), paths(&seen).len()), ((Some("OPTIONS_DIFFER"), 0), 6));
    settle(&service);
    assert_eq!(gate.count(Point::BuildBegin), 1);
}

#[test]
fn keys_of_the_index_are_read_only_from_the_table_of_search() {
    touchstone::verifies!("CFG-LSI-IDX-01");
    for preset in [Preset::Agent, Preset::Documents] {
        for (lines, mode) in [
            ("[tools.search]\nindex_mode = \"on\"\nbloom_ngram_k = 2\n", Some(IndexMode::On)),
            ("[tools.search]\nindex_mode = \"off\"\nbloom_ngram_k = 2\n", Some(IndexMode::Off)),
            ("index_mode = \"on\"\n", None),
            ("[index]\nindex_mode = \"on\"\n", None),
            ("[tools]\nindex_mode = \"on\"\n", None),
            ("[tools.search.index]\nindex_mode = \"on\"\n", None),
            ("[tools.search_files]\nindex_mode = \"on\"\n", None),
            ("[search]\nindex_mode = \"on\"\n", None),
        ] {
            let read = Config::from_toml(lines, preset);
            match mode {
                Some(mode) => {
                    let index = read.unwrap_or_else(|error| panic!("{lines}: {error}")).index;
                    assert_eq!((index.index_mode, index.bloom_ngram_k), (mode, 2), "{lines}");
                }
                // Refused, or a table of somebody else; never taken for the tool's.
                None => {
                    if let Ok(read) = read {
                        assert_eq!(read.index, Config::preset(preset).index, "{lines}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_uncreatable_cache_root_falls_back_to_memory() {
    touchstone::verifies!(
        "FR-LSI-CACHE-ROOT-02",
        "FR-LSI-CACHE-ROOT-02.4",
        "FR-LSI-STOR-FALLBACK-01"
    );
    let home = Home::of_words(60);
    let (file, closed) = (home.base().join("file"), home.base().join("closed"));
    fs::write(&file, "").unwrap();
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
    // Nobody makes a directory in `/proc`, whatever their privileges.
    let mut places = vec![file.clone(), file.join("cache"), PathBuf::from("/proc/forge-search")];
    if !rustix::process::geteuid().is_root() {
        places.push(closed.join("cache"));
    }
    for place in places {
        let service = home.settled(&format!("index_path = {:?}", place.to_str().unwrap()));
        let now = status(&service);
        assert_eq!(
            (now.storage, now.storage_fallback_reason, now.state),
            ("memory", Some("PERMISSION_DENIED"), "COMPLETE"),
            "{}",
            place.display()
        );
        home.uses_index(&service);
    }
    assert_eq!(fs::read(&file).unwrap(), b"");
}
