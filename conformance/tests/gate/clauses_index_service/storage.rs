//! Sections 7.4 to 7.8 and 12: where an index lies, who may read it, what it holds, and what goes
//! when there is no room.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use forge_search_engine::index::Point;
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, IndexOptions, IndexUse, Sandbox, Service};
use serde_json::json;

use super::eviction::various;
use super::home::{Gate, Home, LONG, called, excluded, literal, paths, settle, state, status};

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Every path below a directory with its kind, contents and times of change.
fn picture(directory: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let bytes = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            if metadata.is_dir() {
                open.push(path.clone());
            }
            found.insert(path, (metadata.mode(), metadata.mtime(), metadata.mtime_nsec(), bytes));
        }
    }
    found
}

#[test]
fn an_index_is_private_and_stored_at_the_configured_place() {
    touchstone::verifies!(
        "SEC-LSI-STORE-01",
        "FR-LSI-IDX-STOR-01",
        "FR-LSI-IDX-STOR-02",
        "FR-LSI-CACHE-ROOT-01",
        "FR-LSI-CACHE-ROOT-04",
        "THREAT-02"
    );
    let home = Home::of_words(30);
    let service = home.settled("");
    assert_eq!(
        (status(&service).storage, status(&service).storage_fallback_reason),
        ("sqlite", None)
    );
    assert_eq!(status(&service).file.as_deref(), Some(home.stored(".sqlite")[0].as_path()));
    assert_eq!(mode(&home.cache) & 0o077, 0, "{:o}", mode(&home.cache));
    for path in home.stored("").into_iter().filter(|path| path.is_file()) {
        assert_eq!(mode(&path) & 0o077, 0, "{} {:o}", path.display(), mode(&path));
    }
    // The cache lies outside the sandbox, and that is no violation; nor can it be searched.
    assert!(!home.cache.starts_with(&home.root));
    let outside = json!({"pattern": "x", "path": home.cache.to_str().unwrap()});
    assert!(service.call("Search", &outside).is_err());
    let unused = home.base().join("unused");
    let settings =
        format!("index_storage = \"memory\"\nindex_path = {:?}", unused.to_str().unwrap());
    let memory = home.settled(&settings);
    assert_eq!(
        (status(&memory).storage, status(&memory).storage_fallback_reason),
        ("memory", None)
    );
    assert_eq!(status(&memory).file, None);
    let kept = fs::read_dir(&unused).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    assert!(
        !kept.map(|name| name.to_string_lossy().into_owned()).any(|name| name.contains("sqlite"))
    );
    let other = "[tools.search]\nindex_storage = \"tape\"\n";
    assert!(Config::from_toml(other, forge_search_engine::Preset::Agent).is_err());
}

/// What tells the test below that it is the other process, and which tree to index.
const CHILD: &str = "TOUCHSTONE_TREE_OF_A_CHILD";

#[test]
#[expect(clippy::too_many_lines, reason = "one run in several environments")]
fn without_index_path_the_users_cache_is_used() {
    touchstone::verifies!(
        "FR-LSI-CACHE-ROOT-01",
        "FR-LSI-IDX-STOR-02",
        "E-H09",
        "CFGKEY-LSI-index_path"
    );
    if let Some(tree) = std::env::var_os(CHILD) {
        // The environment of a process cannot be changed from within, so this runs in another one.
        let sandbox = Sandbox::new(&[PathBuf::from(&tree)], Path::new(&tree)).unwrap();
        let options = IndexOptions { using: IndexUse::Stepped, ..IndexOptions::default() };
        let text = "[tools.search]\nindex_mode = \"on\"\nbackend = \"native\"\n";
        let config = Config::from_toml(text, forge_search_engine::Preset::Agent).unwrap();
        let service = Service::with_index(config, sandbox, options).unwrap();
        settle(&service);
        println!("FILE {}", status(&service).file.unwrap_or_default().display());
        return;
    }
    let home = Home::of_words(12);
    let user = rustix::process::getuid().as_raw();
    let lies_for = |stranger: Option<u32>, environment: &[(&str, PathBuf)]| {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        if let Some(stranger) = stranger {
            child.uid(stranger).gid(stranger);
        }
        let name = "clauses_index_service::storage::without_index_path_the_users_cache_is_used";
        child.args(["--exact", name, "--nocapture"]).env_clear().env(CHILD, &home.root);
        // Records of claims are this process's.
        child.env("CARGO_TARGET_DIR", home.base().join("target"));
        child.envs(environment.iter().map(|(key, value)| (key, value)));
        let told = String::from_utf8(child.output().unwrap().stdout).unwrap();
        let line = told
            .lines()
            .find_map(|line| line.split_once("FILE "))
            .unwrap_or_else(|| panic!("{told}"));
        PathBuf::from(line.1)
    };
    let lies = |environment: &[(&str, PathBuf)]| lies_for(None, environment);
    let (cache, own) = (home.base().join("xdg"), home.base().join("user"));
    for directory in [&cache, &own] {
        fs::create_dir(directory).unwrap();
    }
    let both = [("XDG_CACHE_HOME", cache.clone()), ("HOME", own.clone())];
    assert_eq!(lies(&both).parent().unwrap(), cache.join("forge/search-index"));
    assert_eq!(lies(&both[1..]).parent().unwrap(), own.join(".cache/forge/search-index"));
    // Where no such place can be, it lies below the temporary directory or in none.
    let nowhere = [
        ("XDG_CACHE_HOME", own.join("file")),
        ("HOME", own.join("file")),
        ("TMPDIR", cache.clone()),
    ];
    fs::write(own.join("file"), "").unwrap();
    let elsewhere = lies(&nowhere);
    let temporary = cache.join(format!("forge-search-{user}"));
    assert!(
        elsewhere == Path::new("") || elsewhere.starts_with(temporary),
        "{}",
        elsewhere.display()
    );
    // Somebody of whom the system knows no home has it below the temporary directory.
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only the superuser may become somebody without a home");
        return;
    }
    for open in [home.base(), &home.root, &cache] {
        fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let stranger = 1_000_000 + std::process::id();
    let named = lies_for(Some(stranger), &[("TMPDIR", cache.clone())]);
    assert_eq!(named.parent().unwrap(), cache.join(format!("forge-search-{stranger}")));
    assert_eq!(mode(named.parent().unwrap()), 0o700);
    let usual = lies_for(Some(stranger), &[]);
    let below = PathBuf::from(format!("/tmp/forge-search-{stranger}"));
    let found = usual.parent().map(Path::to_owned);
    fs::remove_dir_all(&below).unwrap();
    assert_eq!(found, Some(below));
}

#[test]
fn a_cache_root_inside_the_tree_is_refused_and_memory_used() {
    touchstone::verifies!(
        "FR-LSI-CACHE-ROOT-02",
        "FR-LSI-CACHE-ROOT-02.4",
        "FR-LSI-STOR-FALLBACK-01",
        "STAT-storage_fallback_reason",
        "STAT-storage_mode",
        "E-H07",
        "E-H08"
    );
    let home = Home::of_words(30);
    let before = picture(&home.root);
    let inside = home.root.join("cache");
    let linked = home.base().join("linked");
    symlink(&home.root, &linked).unwrap();
    for path in [inside.clone(), linked.join("cache")] {
        let service = home.settled(&format!("index_path = {:?}", path.to_str().unwrap()));
        assert_eq!(
            status(&service).storage_fallback_reason,
            Some("CACHE_ROOT_IN_TREE"),
            "{}",
            path.display()
        );
        assert_eq!((status(&service).storage, state(&service)), ("memory", ("COMPLETE", None)));
        let seen = home.asked(&service, &literal("chalk"));
        assert_eq!(seen["stats"]["storage_mode"], "memory");
        assert_eq!(seen["stats"]["storage_fallback_reason"], "CACHE_ROOT_IN_TREE");
        assert!(excluded(&seen).1 > 0, "it works all the same");
    }
    assert_eq!(picture(&home.root), before);
}

#[test]
fn a_cache_root_below_a_deny_pattern_is_refused() {
    touchstone::verifies!("FR-LSI-CACHE-ROOT-02", "FR-LSI-CACHE-ROOT-02.4", "SEC-LSI-01");
    let home = Home::of_words(30);
    // Patterns are about what lies below a root; the place of the cache beside it is none of them.
    let below = home.root.join("private/cache");
    let inside = format!("index_path = {:?}", below.to_str().unwrap());
    for (pattern, settings, storage, reason) in [
        ("cache", "", "sqlite", None),
        ("private", &inside, "memory", Some("CACHE_ROOT_DENIED")),
        ("other", &inside, "memory", Some("CACHE_ROOT_IN_TREE")),
    ] {
        let config = Config { deny: vec![pattern.to_owned()], ..home.config(settings) };
        let service = home.configured(IndexUse::Stepped, config, Gate::open());
        settle(&service);
        assert_eq!(
            (status(&service).storage, status(&service).storage_fallback_reason),
            (storage, reason)
        );
        assert_eq!(state(&service), ("COMPLETE", None), "{pattern}");
    }
    assert!(!below.exists());
}

#[test]
fn a_cache_root_accessible_to_others_is_refused() {
    touchstone::verifies!(
        "SEC-LSI-STORE-02",
        "SEC-LSI-STORE-02.3",
        "FR-LSI-CACHE-ROOT-02",
        "FR-LSI-STOR-FALLBACK-01",
        "THREAT-02",
        "THREAT-03",
        "E-H09",
        "CFGKEY-LSI-index_allow_insecure_persistence"
    );
    let home = Home::of_words(30);
    fs::create_dir(&home.cache).unwrap();
    fs::set_permissions(&home.cache, fs::Permissions::from_mode(0o777)).unwrap();
    let service = home.settled("");
    assert_eq!(
        (status(&service).storage, status(&service).storage_fallback_reason),
        ("memory", Some("PERMISSION_DENIED"))
    );
    assert_eq!(state(&service), ("COMPLETE", None), "and not DISABLED");
    assert!(excluded(&home.asked(&service, &literal("chalk"))).1 > 0);
    assert!(home.stored("").is_empty());
    drop(service);
    let anyway = home.settled("index_allow_insecure_persistence = true");
    assert_eq!(status(&anyway).storage, "sqlite");
    drop(anyway);
    // Nor is a link to somebody's directory a directory of one's own.
    let home = Home::of_words(30);
    let elsewhere = home.base().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o700)).unwrap();
    symlink(&elsewhere, &home.cache).unwrap();
    let service = home.settled("");
    assert_eq!(status(&service).storage, "memory");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn nothing_is_written_into_the_tree() {
    touchstone::verifies!(
        "FR-LSI-EXE-02",
        "FR-LSI-BE-TMP-01",
        "FR-LSI-CACHE-ROOT-03",
        "E-H08",
        "SEC-LSI-01"
    );
    let home = Home::of_words(30);
    let before = picture(&home.root);
    let beside = |home: &Home| {
        let mut names: Vec<_> =
            fs::read_dir(home.base()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let service = home.settled("");
    for request in [
        literal("chalk"),
        json!({"pattern": "ch.lk"}),
        literal("absent"),
        json!({"pattern": "x", "path": "d1"}),
    ] {
        called(&service, &request);
    }
    service.index_verify().unwrap();
    service.index_shutdown();
    assert_eq!(picture(&home.root), before);
    assert_eq!(beside(&home), ["cache", "root"], "no list, no temporary file");
}

#[test]
fn the_store_contains_no_text_and_no_denied_path() {
    touchstone::verifies!("FR-LSI-IDX-STOR-03", "THREAT-02", "SEC-LSI-02", "T-LSI-SEC-01");
    let home = Home::of_words(30);
    let line = "correct horse battery staple";
    home.write("open", &format!("{line}\n"));
    home.write("secret/key", "chalk\n");
    let config = Config { deny: vec!["secret".to_owned()], ..home.config("") };
    let gate = Gate::open();
    let service = home.configured(IndexUse::Stepped, config, gate.clone());
    settle(&service);
    assert_eq!(status(&service).files, 31, "the denied one is not among them");
    assert_eq!(gate.count(Point::ReadFile), 31, "nor was it read");
    assert!(
        !paths(&called(&service, &literal("chalk"))).iter().any(|path| path.starts_with("secret"))
    );
    service.index_shutdown();
    assert!(home.stores(b"d0/f000") || home.stores(b"f000"), "paths are stored");
    // Words are stored, in the order of the alphabet; texts are not.
    for text in [line, "horse battery", "chalk number", "secret"] {
        assert!(!home.stores(text.as_bytes()), "{text}");
    }
}

#[test]
fn a_later_denied_path_is_removed_from_the_store() {
    touchstone::verifies!("SEC-LSI-02", "T-LSI-SEC-01", "E-H11", "TT-21", "D-POLICY_CHANGED");
    let home = Home::of_words(30);
    home.write("vault-7391/key", "zygote\n");
    let first = home.settled("");
    first.index_shutdown();
    drop(first);
    assert!(home.stores(b"vault-7391"), "it was stored");
    let config = Config { deny: vec!["vault-7391".to_owned()], ..home.config("") };
    let second = home.configured(IndexUse::Stepped, config, Gate::open());
    assert_eq!(called(&second, &literal("zygote"))["count"], 0);
    settle(&second);
    assert_eq!(state(&second), ("COMPLETE", None));
    assert!(!home.stores(b"vault-7391"), "while it runs");
    assert!(!home.stores(b"zygote"), "nor are its words");
    second.index_shutdown();
    drop(second);
    assert!(!home.stores(b"vault-7391"), "afterwards");
}

#[test]
fn each_root_has_a_separate_database() {
    touchstone::verifies!("E-C45", "FR-LSI-IDX-KEY-01", "FR-LSI-IDX-KEY-02", "FR-LSI-CAND-LIT-04");
    let home = Home::new(&[("a/f", "apple\n"), ("b/f", "brick\n")]);
    let roots: Vec<String> =
        ["a", "b"].iter().map(|name| format!("{}/{name}", home.root.display())).collect();
    let service = home.settled(&format!("index_roots = {roots:?}"));
    service.index_shutdown();
    drop(service);
    assert_eq!(home.stored(".sqlite").len(), 2);
    for root in &roots {
        assert!(home.stores(root.as_bytes()), "the key stands there in readable form");
    }
    // Other parameters are another key, which is built anew and leaves the other alone.
    let before: Vec<Vec<u8>> =
        home.stored(".sqlite").iter().map(|path| fs::read(path).unwrap()).collect();
    let gate = Gate::open();
    let settings = format!("index_roots = {:?}\nbloom_ngram_k = 2", &roots[..1]);
    let other = home.with_faults(IndexUse::Stepped, &settings, gate.clone());
    settle(&other);
    assert!(gate.count(Point::BuildBegin) == 1 && home.stored(".sqlite").len() == 3);
    let after: Vec<Vec<u8>> =
        home.stored(".sqlite").iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(before.iter().all(|bytes| after.contains(bytes)));
}

#[test]
fn the_database_is_written_in_short_transactions_beside_its_readers() {
    touchstone::verifies!(
        "FR-LSI-BG-13",
        "FR-LSI-BG-13.1",
        "FR-LSI-BG-13.2",
        "FR-LSI-BG-13.3",
        "REQ-LSI-F5",
        "E-C32"
    );
    let home = Home::new(&[]);
    various(&home, 40);
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&service);
    assert!(
        gate.count(Point::WriteBase) > 1,
        "{} transactions for a build",
        gate.count(Point::WriteBase)
    );
    service.index_shutdown();
    drop(service);
    // A transaction holds a few megabytes, however large the whole is.
    let blocks = "SELECT sum(length(content)) FROM block";
    let database = super::database::opened(&home);
    let bytes: i64 = database.query_row(blocks, [], |row| row.get(0)).unwrap();
    let transactions = i64::try_from(gate.count(Point::WriteBase)).unwrap();
    assert!(bytes > 4 << 20, "{bytes}");
    assert!(bytes / transactions < 8 << 20, "{bytes} bytes in {transactions} transactions");
    drop(database);
    let header = fs::read(&home.stored(".sqlite")[0]).unwrap();
    assert_eq!(&header[18..20], [2, 2], "write-ahead logging");
    let version = u32::from_be_bytes(header[96..100].try_into().unwrap());
    assert!(version >= 3_031_000, "SQLite {version}");
}

#[test]
fn an_unfinished_build_is_not_used() {
    touchstone::verifies!(
        "E-C32",
        "FR-LSI-BG-12",
        "FR-LSI-IDX-CONC-03",
        "NFR-LSI-REL-01",
        "FR-LSI-BG-20.3"
    );
    for point in [Point::WriteBase, Point::BeforeFlip] {
        let home = Home::of_words(400);
        let gate = Gate::at_point(point);
        let first = home.with_faults(IndexUse::Background, "", gate.clone());
        gate.wait();
        let reader = home.service(IndexUse::Existing, "");
        let seen = home.asked(&reader, &literal("chalk"));
        assert_eq!(excluded(&seen).1, 0, "{point:?}: {}", seen["stats"]);
        gate.release();
        assert!(first.index_wait(LONG));
        let late = home.service(IndexUse::Existing, "");
        assert!(excluded(&home.asked(&late, &literal("chalk"))).1 > 0, "{point:?}");
    }
}

#[test]
fn searches_write_nothing_to_the_store() {
    touchstone::verifies!("E-C43", "FR-LSI-BG-13.2", "FR-LSI-BG-13.5");
    let home = Home::of_words(60);
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&service);
    let checkpoints = gate.count(Point::Checkpoint);
    let database = |home: &Home| {
        let stored = home.stored(".sqlite").into_iter().chain(home.stored(".sqlite-wal"));
        stored.map(|path| fs::read(path).unwrap()).collect::<Vec<_>>()
    };
    let before = database(&home);
    for word in super::home::WORDS {
        home.asked(&service, &literal(word));
    }
    assert_eq!(database(&home), before);
    // The log is emptied when the indexer has nothing else to do, and no search does it.
    assert_eq!(gate.count(Point::Checkpoint), checkpoints);
    service.index_shutdown();
    assert!(gate.count(Point::Checkpoint) > 0);
}
