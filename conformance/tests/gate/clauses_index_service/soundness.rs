//! Section 7: what may not be left out of a search is not, by a service whose index leaves out the
//! rest.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use forge_search_engine::index::Point;
use forge_search_engine::{BackendChoice, Config, IndexUse, Service};
use serde_json::{Value, json};
use touchstone::provision::required_backends;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::changes::WATCHED;
use super::database::opened;
use super::home::{Gate, Home, called, excluded, literal, paths, settle, state, status};
use crate::clauses::Spy;

/// Files that no filter tells anything about, or not all, with the pattern that finds each.
fn trapped(home: &Home) -> Vec<(&'static str, &'static str)> {
    let long = format!("{}\nneedle\n", "x".repeat(70_000));
    let traps: [(&str, &[u8], &str); 7] = [
        // NFC makes another text of it than the one that is searched.
        ("decomposed", b"cafe\xcc\x81 au lait\n", " au lait"),
        // More than half of it is no text.
        ("half", &[&[0xff; 40][..], b"\nneedle\n"].concat(), "needle"),
        ("long", long.as_bytes(), "needle"),
        ("zero", b"\0\0needle\n", "needle"),
        ("invalid", b"caf\xe9 needle\n", "needle"),
        ("marked", b"\xef\xbb\xbfneedle\n", "needle"),
        ("crlf", b"hay\r\nneedle\r\nhay\r\n", "needle"),
    ];
    for (path, bytes, _) in traps {
        fs::create_dir_all(home.root.join("traps")).unwrap();
        fs::write(home.root.join("traps").join(path), bytes).unwrap();
    }
    traps.map(|(path, _, pattern)| (path, pattern)).to_vec()
}

#[test]
fn files_not_fully_covered_by_filters_are_searched() {
    touchstone::verifies!(
        "FR-LSI-CAND-01",
        "FR-LSI-CAND-LIT-01",
        "FR-LSI-CAND-LIT-02",
        "FR-LSI-SAFE-02"
    );
    let home = Home::of_words(60);
    let traps = trapped(&home);
    for storage in ["sqlite", "memory"] {
        let settings = format!("index_max_tokenized_bytes = 65536\nindex_storage = {storage:?}");
        let service = home.settled(&settings);
        for (path, pattern) in &traps {
            let seen = home.asked(&service, &literal(pattern));
            let found = paths(&seen).contains(&format!("traps/{path}"));
            assert_eq!(found, *path != "zero", "{path}: {:?}", paths(&seen));
            assert!(excluded(&seen).1 >= 60, "{path}: {}", seen["stats"]);
        }
        // Without what they hold they are candidates all the same: nobody knows.
        home.asked(&service, &literal("xyzzy"));
        let spy = Spy::on(&[home.root.join("traps")]);
        called(&service, &literal("xyzzy"));
        let read = spy.touched();
        for (path, is_read) in
            [("decomposed", true), ("half", true), ("long", true), ("crlf", false)]
        {
            assert_eq!(read.iter().any(|name| name == path), is_read, "{path}: {read:?}");
        }
    }
}

/// A service over a real program, with an index or without.
fn over(home: &Home, program: &Path, settings: &str) -> Service {
    let config = Config {
        backend: BackendChoice::Auto,
        binary: program.to_string_lossy().into_owned(),
        fallback_binary: String::new(),
        allow_native: false,
        ..home.config(settings)
    };
    home.configured(IndexUse::Stepped, config, Gate::open())
}

#[test]
fn a_program_finds_nothing_in_any_excluded_file() {
    touchstone::verifies!("T-LSI-BLOOM-02", "T-LSI-BLOOM-02.note", "FR-LSI-CAND-01");
    let home = Home::of_words(36);
    let words = (0..36).map(|number| format!("d{}/f{number:03}", number % 5));
    let traps = trapped(&home).into_iter().map(|(path, _)| format!("traps/{path}"));
    let every: BTreeSet<String> = words.chain(traps).collect();
    let service = home.settled("index_max_tokenized_bytes = 65536");
    let programs = required_backends().unwrap_or_else(|error| panic!("{error}"));
    let program = over(&home, &programs.ripgrep.unwrap(), "index_mode = \"off\"");
    for request in [literal("chalk"), json!({"pattern": "NEED.E", "case": "insensitive"})] {
        let seen = home.asked(&service, &request);
        let found: BTreeSet<String> = paths(&seen).into_iter().collect();
        assert!(excluded(&seen).1 >= 33, "{}", seen["stats"]);
        // Every file without a match, among them all that were left out.
        assert_eq!(seen["files_scanned"], every.len());
        let mut asked = 0;
        for path in every.difference(&found) {
            let mut one = request.clone();
            one["path"] = json!(path);
            assert_eq!(called(&program, &one)["count"], 0, "{path}");
            asked += 1;
        }
        assert!(asked >= 33, "{asked}");
    }
}

#[test]
fn names_and_texts_of_either_normal_form_are_found_and_ordered_alike() {
    touchstone::verifies!("T-LSI-DET-03", "FR-LSI-ORD-03", "FR-LSI-ORD-ROOT-03", "ALG-LSI-C2.4");
    let home = Home::of_words(60);
    let lines: String = (1..=12).map(|line| format!("needle {line}\n")).collect();
    for (path, text) in [
        ("cafz", "needle caf\u{e9}\n"),
        ("caf\u{e9}/b", "needle cafe\u{301}\n"),
        ("cafe\u{301}/a", "needle cafe\u{301}\n"),
        ("cafe\u{301}/c", "needle caf\u{e9}\n"),
        ("cafe", &*lines),
    ] {
        home.write(path, text);
    }
    let service = home.settled("");
    let seen = home.asked(&service, &literal("needle"));
    // The composed letter is C3 A9, behind `z`; `e` with an accent of its own would be before it.
    let order = ["cafe", "cafz", "cafe\u{301}/a", "caf\u{e9}/b", "cafe\u{301}/c"];
    assert_eq!(paths(&seen), order);
    assert_eq!(excluded(&seen).1, 60);
    let events = seen["matches"].as_array().unwrap().iter().take(12);
    let numbers: Vec<u64> =
        events.map(|event| event["data"]["line_number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    for (pattern, found) in [
        ("caf\u{e9}", &["cafz", "cafe\u{301}/c"][..]),
        ("cafe\u{301}", &["cafe\u{301}/a", "caf\u{e9}/b"]),
    ] {
        let request = json!({"pattern": pattern, "fixed_strings": true, "case": "sensitive"});
        let seen = home.asked(&service, &request);
        assert_eq!(paths(&seen), found, "{pattern}");
        // What NFC changes is in no filter, and a pattern that it changes asks none.
        assert_eq!(excluded(&seen).1 >= 60, pattern == "caf\u{e9}", "{}", seen["stats"]);
    }
}

#[test]
fn a_capital_makes_a_smart_search_sensitive_with_an_index_too() {
    touchstone::verifies!("T-LSI-DET-04", "FR-LSI-CAND-LIT-05", "E-A05");
    let home = Home::of_words(60);
    for (path, text) in [
        ("e", "\u{c4}pfel eins\n\u{c4}PFEL zwei\n\u{c4}pfel drei\n"),
        ("b", "\u{e4}pfel vier\n\u{c4}pfel f\u{fc}nf\n"),
        ("c", "\u{e4}PFEL sechs\n"),
    ] {
        home.write(path, text);
    }
    let service = home.settled("");
    let told = |pattern: &str| {
        let request = json!({"pattern": pattern, "fixed_strings": true, "case": "smart"});
        let seen = home.asked(&service, &request);
        assert!(excluded(&seen).1 >= 60, "{}", seen["stats"]);
        crate::clauses::lines(&seen)
    };
    assert_eq!(
        told("\u{c4}pfel"),
        ["b:2:1:\u{c4}pfel f\u{fc}nf", "e:1:1:\u{c4}pfel eins", "e:3:1:\u{c4}pfel drei"]
    );
    assert_eq!(told("\u{c4}PFel"), [""; 0]);
    assert_eq!(told("\u{c4}PFEL"), ["e:2:1:\u{c4}PFEL zwei"]);
    // Preset agent folds letters of any script.
    assert_eq!(told("\u{e4}pfel").len(), 6);
}

#[test]
fn a_file_that_becomes_a_link_out_of_the_sandbox_is_no_longer_searched() {
    touchstone::verifies!("THREAT-01", "SEC-LSI-01", "T-LSI-PATH-04");
    for settings in WATCHED {
        let home = Home::of_words(60);
        let outside = home.base().join("outside");
        fs::create_dir(&outside).unwrap();
        for name in ["f001", "f002"] {
            fs::write(outside.join(name), "brick chalk quartz\n").unwrap();
        }
        home.age();
        let replaced = || {
            fs::remove_file(home.root.join("d1/f001")).unwrap();
            symlink(outside.join("f001"), home.root.join("d1/f001")).unwrap();
            fs::rename(home.root.join("d2"), home.base().join("away")).unwrap();
            symlink(&outside, home.root.join("d2")).unwrap();
        };
        // Between the moment at which the index is believed and the reading of files.
        let gate = Gate::open();
        let service = home.with_faults(IndexUse::Stepped, settings, gate.clone());
        settle(&service);
        gate.hold(Point::Permitted);
        std::thread::scope(|scope| {
            let searching = scope.spawn(|| called(&service, &literal("chalk")));
            gate.wait();
            replaced();
            gate.release();
            let seen = searching.join().unwrap();
            assert!(!seen.to_string().contains("quartz"), "{settings}: {seen}");
            assert!(excluded(&seen).1 > 0, "{settings}: {}", seen["stats"]);
        });
        for word in ["quartz", "brick", "chalk"] {
            let seen = home.asked(&service, &literal(word));
            assert!(!seen.to_string().contains("quartz\"") || word == "quartz", "{seen}");
        }
        assert_eq!(paths(&home.asked(&service, &literal("quartz"))), [""; 0], "{settings}");
        settle(&service);
        assert_eq!(paths(&home.asked(&service, &literal("quartz"))), [""; 0], "{settings}");
        let stored = status(&service).files;
        assert_eq!(stored, 47, "neither the link nor what it leads to is in the index");
    }
}

#[test]
fn hostile_names_are_treated_as_data() {
    touchstone::verifies!("THREAT-03", "T-LSI-PATH-02");
    let home = Home::of_words(60);
    let long = "n".repeat(255);
    let names = [
        "a'b\"c`d",
        "'; DROP TABLE block; --",
        "x') OR 1=1 --",
        "%s%n%00",
        "back\\slash\\..\\up",
        "-e",
        "--pre=sh",
        "?1",
        &long,
    ];
    let other = "m".repeat(255);
    let deep = format!("{other}/{other}/{other}/{other}");
    for name in names.iter().copied().chain([deep.as_str()]) {
        home.write(&format!("odd/{name}"), "quartz\n");
    }
    let service = home.settled("");
    let seen = home.asked(&service, &literal("quartz"));
    assert_eq!((paths(&seen).len(), excluded(&seen).1), (10, 60));
    service.index_shutdown();
    drop(service);
    let gate = Gate::open();
    let again = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&again);
    assert_eq!((state(&again).0, gate.count(Point::BuildBegin)), ("COMPLETE", 0));
    assert_eq!(paths(&home.asked(&again, &literal("quartz"))).len(), 10);
    assert!(again.index_verify().unwrap().iter().all(|check| check.findings.is_empty()));
}

#[test]
fn a_forged_stored_path_out_of_the_tree_yields_nothing() {
    touchstone::verifies!("THREAT-03", "THREAT-01");
    let home = Home::of_words(60);
    // Somebody who can write the file, and knows its checksums, makes another path of one.
    let forge = |path: &[u8; 7]| {
        let database = opened(&home);
        let blocks = "SELECT place, content FROM block WHERE kind = 1";
        let rows: Vec<(i64, Vec<u8>)> = database
            .prepare(blocks)
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let mut forged = 0;
        for (place, mut content) in rows {
            let Some(at) = content.windows(7).position(|window| window == b"d0/f000") else {
                continue;
            };
            content[at..at + 7].copy_from_slice(path);
            let sum = xxh3_64_with_seed(&content, place.cast_unsigned()).cast_signed();
            let set = "UPDATE block SET content = ?2, sum = ?3 WHERE place = ?1";
            forged += database.execute(set, rusqlite::params![place, content, sum]).unwrap();
        }
        assert_eq!(forged, 1);
    };
    fs::write(home.base().join("x00"), "quartz chalk\n").unwrap();
    for path in
        [b"../..//", b"../x000", b"..//x00", b"/x00/d0", b"d0/./f0", b"a/../x0", b"d0/\0f00"]
    {
        fs::write(home.base().join("x000"), "quartz chalk\n").unwrap();
        let _ = fs::remove_dir_all(&home.cache);
        home.settled("").index_shutdown();
        forge(path);
        for using in [IndexUse::Existing, IndexUse::Stepped] {
            let service = home.service(using, "");
            for _ in 0..2 {
                for word in ["quartz", "chalk", "number 0"] {
                    home.asked(&service, &literal(word));
                }
                if using == IndexUse::Stepped {
                    settle(&service);
                }
            }
            if using == IndexUse::Stepped {
                home.uses_index(&service);
            }
        }
    }
}

#[test]
fn without_a_watcher_files_are_compared_by_times_without_reading() {
    touchstone::verifies!("FR-LSI-TRK-01", "FR-LSI-TRK-02");
    let home = Home::of_words(60);
    home.age();
    let service = home.settled("index_watch = false");
    home.asked(&service, &literal("chalk"));
    let directories: Vec<_> = (0..5).map(|n| home.root.join(format!("d{n}"))).collect();
    let spy = Spy::on(&directories);
    let seen = called(&service, &literal("chalk"));
    let read: BTreeSet<String> =
        spy.touched().into_iter().filter(|name| !name.is_empty()).collect();
    let found: BTreeSet<String> = paths(&seen).iter().map(|path| path[3..].to_owned()).collect();
    assert_eq!((excluded(&seen), &read), ((None, 55), &found));
}

/// Files with times of their last change of status.
fn changed_at(path: &Path) -> (i64, i64) {
    let metadata = fs::metadata(path).unwrap();
    (metadata.ctime(), metadata.ctime_nsec())
}

#[test]
fn another_file_of_equal_size_and_times_is_recognised() {
    touchstone::verifies!("FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for (settings, using) in
        [("index_watch = false", IndexUse::Stepped), ("index_watch = false", IndexUse::Existing)]
    {
        let home = Home::of_words(60);
        let (one, two) = (home.root.join("one"), home.root.join("two"));
        for directory in [&one, &two] {
            fs::create_dir(directory).unwrap();
        }
        // Until both are written in one tick of the clock.
        let mut tries = 0;
        while tries == 0 || changed_at(&one.join("f")) != changed_at(&two.join("f")) {
            fs::write(one.join("f"), "quartz\n").unwrap();
            fs::write(two.join("f"), "sphinx\n").unwrap();
            tries += 1;
            assert!(tries < 100_000, "the clock of files is too fine");
        }
        home.age();
        let service = home.settled(settings);
        let find = |service: &Service, word: &str| paths(&home.asked(service, &literal(word)));
        assert_eq!(find(&service, "quartz"), ["one/f"]);
        assert_eq!(find(&service, "sphinx"), ["two/f"]);
        // Neither file changes, nor do its times: the directories above them trade names.
        for (from, to) in [("one", "three"), ("two", "one"), ("three", "two")] {
            fs::rename(home.root.join(from), home.root.join(to)).unwrap();
        }
        let service = if using == IndexUse::Stepped {
            service
        } else {
            service.index_shutdown();
            drop(service);
            home.service(using, settings)
        };
        for (word, path) in [("quartz", "two/f"), ("sphinx", "one/f")] {
            assert_eq!(find(&service, word), [path], "{using:?}");
        }
    }
}

#[test]
fn named_files_are_searched_regardless_of_the_rules_of_a_program() {
    touchstone::verifies!("FR-LSI-ELIG-01", "FR-LSI-ELIG-01.2", "FR-LSI-ELIG-01.3", "E-B03");
    let programs = required_backends().unwrap_or_else(|error| panic!("{error}"));
    for program in [programs.ripgrep.unwrap(), programs.ugrep.unwrap()] {
        let home = Home::of_words(60);
        home.write(".gitignore", "f002\n");
        home.write(".rgignore", "f026\n");
        home.write(".git/config", "");
        home.write("denied/f", "chalk\n");
        home.write(".hidden", "chalk\n");
        symlink("d2/f002", home.root.join("link")).unwrap();
        let rules: [(&str, Value, usize); 4] = [
            ("", json!({}), 4),
            ("index_default_no_ignore = true", json!({"no_ignore": true}), 5),
            ("index_default_hidden = true", json!({"hidden": true}), 5),
            ("index_default_follow = true", json!({}), 4),
        ];
        for (settings, extra, count) in rules {
            let mut request = literal("chalk");
            request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            let mut found = Vec::new();
            for mode in ["on", "off"] {
                let settings = format!("{settings}\nindex_mode = {mode:?}");
                let mut config = home.config(&settings);
                config.backend = BackendChoice::Auto;
                config.binary = program.to_string_lossy().into_owned();
                (config.fallback_binary, config.allow_native) = (String::new(), false);
                config.deny = vec!["denied".to_owned()];
                let service = home.configured(IndexUse::Stepped, config, Gate::open());
                settle(&service);
                let seen = called(&service, &request);
                assert_eq!(excluded(&seen).1 > 0, mode == "on", "{settings}: {}", seen["stats"]);
                found.push(paths(&seen));
            }
            assert_eq!((found[0].len(), &found[0]), (count, &found[1]), "{settings}");
        }
    }
}
