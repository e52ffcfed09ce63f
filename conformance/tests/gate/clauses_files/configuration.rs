//! Section 5: the table `[tools.search_files]`.

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, FilesBackend, Preset, SearchFilesConfig, ToolContext};
use serde_json::{Value, json};
use touchstone::case::{Case, CasePreset, Entry};

use super::asked::{answer, bad_args, configured, matches, of, over, paths, table};
use super::clauses::{self, Ground};

/// The example as the document prints it.
const EXAMPLE: &str = r#"
[tools.search_files]
backend = "native"            # native | rg | ugrep
max_results = 200
max_matches_per_file = 20
max_file_size_bytes = 2000000
max_files = 5000
max_depth = 12
respect_gitignore_default = true
include_hidden_default = false
follow_symlinks_default = false
mode_default = "exact"         # exact | regex | fuzzy
case_default = "smart"         # sensitive | insensitive | smart
fuzzy_threshold = 0.8
"#;

/// What the documents' example means.
fn example() -> SearchFilesConfig {
    Config::from_toml(EXAMPLE, Preset::Documents).unwrap().search_files
}

/// Why a table is refused on load.
fn refused(keys: &str) -> String {
    let text = format!("[tools.search_files]\n{keys}\n");
    Config::from_toml(&text, Preset::Documents).unwrap_err().to_string()
}

/// A case under the documents' own defaults.
fn documents(files: &[(&str, &str)], request: Value) -> Case {
    let mut case = over(files, request);
    case.config.preset = CasePreset::Documents;
    case
}

#[test]
fn search_files_has_a_separate_table_and_the_example_equals_the_documents_preset() {
    touchstone::verifies!("CFG-SF-01");
    assert_eq!(example(), Config::from_toml("", Preset::Documents).unwrap().search_files);
    // The other tool's table is another matter.
    let other = Config::from_toml("[tools.search]\nmax_files = 7\n", Preset::Documents).unwrap();
    assert_eq!(other.search_files, example());
    let own =
        Config::from_toml("[tools.search_files]\nmax_files = 7\n", Preset::Documents).unwrap();
    assert_eq!(
        (own.search_files.max_files, own.max_files),
        (7, Config::preset(Preset::Documents).max_files)
    );
    assert!(
        refused("max_file = 7").contains("max_file"),
        "a key that nobody reads is no configuration"
    );
    for (key, value) in
        [("max_results", "\"7\""), ("mode_default", "1"), ("include_hidden_default", "1")]
    {
        assert!(refused(&format!("{key} = {value}")).contains(key), "{key}");
    }
}

#[test]
fn the_caps_have_the_example_values_and_bound_requests() {
    touchstone::verifies!(
        "CFGKEY-SF-max_results",
        "CFGKEY-SF-max_matches_per_file",
        "CFGKEY-SF-max_file_size_bytes",
        "CFGKEY-SF-max_files",
        "CFGKEY-SF-max_depth",
        "CFG-SF-02"
    );
    let caps = example().caps();
    assert_eq!((caps.max_results, caps.max_matches_per_file), (200, Some(20)));
    assert_eq!((caps.max_file_size_bytes, caps.max_files, caps.max_depth), (2_000_000, 5_000, 12));
    let one = "foo\n";
    let many = |key: &str, value: u64, files: &[(&str, &str)]| {
        let case = configured(documents(files, json!({"query": "foo"})), key, value);
        let seen = answer(&case);
        let mut above = case;
        above.request[key] = json!(value + 1);
        bad_args(&above, key);
        matches(&seen).len()
    };
    let files = [("a", "foo\nfoo\nfoo\n"), ("b/b", one), ("b/c/d", one)];
    assert_eq!(many("max_results", 2, &files), 2);
    assert_eq!(many("max_matches_per_file", 1, &files), 3);
    assert_eq!(many("max_file_size_bytes", 5, &files), 2);
    assert_eq!(many("max_files", 2, &files), 4);
    assert_eq!(many("max_depth", 2, &files), 4);
    // The example's own values, each met by one too many.
    let all = "foo\n".repeat(25);
    let named: Vec<String> = (0..12).map(|number| format!("f-{number:02}")).collect();
    let files: Vec<(&str, &str)> = named.iter().map(|name| (name.as_str(), all.as_str())).collect();
    let seen = answer(&documents(&files, json!({"query": "foo"})));
    assert_eq!(
        (&seen["returned"], &seen["truncated_reason"]),
        (&json!(200), &json!("max_results"))
    );
    assert_eq!(
        (matches(&seen).last().unwrap().as_str(), seen["stats"]["files_cut"].as_u64()),
        ("f-09:20:1:foo", Some(10))
    );
    let deep = |levels: usize| format!("{}f", "d/".repeat(levels - 1));
    let seen = answer(&documents(
        &[(&deep(12), one), (&format!("e/{}", deep(12)), one)],
        json!({"query": "foo"}),
    ));
    assert_eq!(paths(&seen), [deep(12)]);
    let exact = format!("foo{}", "x".repeat(1_999_997));
    let seen = answer(&documents(
        &[("a", &exact), ("b", &format!("{exact}x"))],
        json!({"query": "foo", "max_results": 1}),
    ));
    assert_eq!(
        (paths(&seen), super::asked::errors(&seen)),
        (of(&["a"]), of(&["b: larger than max_file_size_bytes"]))
    );
    let mut case = documents(&[], json!({"query": "foo"}));
    (0..5_001).for_each(|number| {
        case.tree.push(Entry::file(format!("{number:04}"), if number < 4_999 { "" } else { one }));
    });
    let seen = answer(&case);
    assert_eq!((paths(&seen), &seen["truncated_reason"]), (of(&["4999"]), &json!("max_files")));
}

#[test]
fn values_out_of_range_are_refused_on_load() {
    touchstone::verifies!(
        "CFG-SF-01",
        "CFG-SF-04",
        "CFGKEY-SF-fuzzy_threshold",
        "CFGKEY-SF-backend",
        "CFGKEY-SF-mode_default",
        "CFGKEY-SF-case_default"
    );
    for keys in [
        "max_results = 0",
        "max_results = 100001",
        "max_matches_per_file = 0",
        "max_file_size_bytes = 0",
        "max_files = 0",
        "max_depth = 0",
        "max_depth = 10001",
        "timeout_ms = 0",
        "fuzzy_threshold = 1.1",
        "fuzzy_threshold = -0.1",
        "fuzzy_threshold = nan",
        "fuzzy_threshold = \"0.8\"",
        "backend = \"ripgrep\"",
        "backend = \"\"",
        "mode_default = \"literal\"",
        "case_default = \"lower\"",
    ] {
        let key = keys.split(' ').next().unwrap();
        assert!(refused(keys).contains(key), "{keys}");
    }
    for keys in [
        "fuzzy_threshold = 0.0",
        "fuzzy_threshold = 1",
        "max_depth = 10000",
        "max_results = 100000",
    ] {
        table(keys);
    }
}

#[test]
fn the_embedded_backend_is_used_unless_another_is_configured() {
    touchstone::verifies!("CFGKEY-SF-backend");
    assert_eq!(example().backend, FilesBackend::Native);
    let ground = Ground::of(&over(&[("a", "foo\n")], json!({})));
    let found = clauses::backends();
    for (name, program) in [("rg", found.ripgrep.unwrap()), ("ugrep", found.ugrep.unwrap())] {
        let keys = format!("backend = \"{name}\"\n{name}_binary = \"{}\"", program.display());
        let service = ground.service(table(&keys));
        let exact = super::asked::call(&service, &json!({"path": ".", "query": "foo"}));
        assert_eq!(matches(&exact), ["a:1:1:foo"]);
        // Only the embedded backend can do this, which identifies it.
        let fuzzy = json!({"path": ".", "query": "fooo", "mode": "fuzzy"});
        let error = service.call_files(&mut ToolContext::default(), &fuzzy).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("mode"), "{name}");
    }
}

#[test]
fn defaults_of_a_request_come_from_the_configuration() {
    touchstone::verifies!(
        "CFGKEY-SF-respect_gitignore_default",
        "CFGKEY-SF-include_hidden_default",
        "CFGKEY-SF-follow_symlinks_default"
    );
    let caps = example().caps();
    assert_eq!(
        (caps.respect_gitignore, caps.include_hidden, caps.follow_symlinks),
        (true, false, false)
    );
    let files = [("a", "foo\n"), ("ign", "foo\n"), (".gitignore", "ign\n"), (".h", "foo\n")];
    let case = documents(&files, json!({"query": "foo"})).with(Entry::link("link", "a"));
    assert_eq!(paths(&answer(&case)), ["a"]);
    for (key, value, field, shown) in [
        ("respect_gitignore_default", false, "respect_gitignore", ["a", "ign"]),
        ("include_hidden_default", true, "include_hidden", [".h", "a"]),
        ("follow_symlinks_default", true, "follow_symlinks", ["a", "link"]),
    ] {
        let mut case = configured(case.clone(), key, value);
        assert_eq!(paths(&answer(&case)), shown, "{key}");
        // A request has the last word.
        case.request[field] = json!(!value);
        assert_eq!(paths(&answer(&case)), ["a"], "{key}");
    }
}

#[test]
fn mode_and_case_default_to_the_configuration() {
    touchstone::verifies!(
        "CFGKEY-SF-mode_default",
        "CFGKEY-SF-case_default",
        "OUTF-SF-mode",
        "OUTF-SF-case"
    );
    let silent = documents(&[("a", "f.o foo Foo\n")], json!({"query": "f.o"}));
    let seen = answer(&silent);
    assert_eq!(
        (&seen["mode"], &seen["case"], matches(&seen)),
        (&json!("exact"), &json!("smart"), of(&["a:1:1:f.o"]))
    );
    let seen = answer(&configured(silent.clone(), "mode_default", "regex"));
    assert_eq!(seen["mode"], "regex");
    assert_eq!(matches(&seen), ["a:1:1:f.o", "a:1:5:foo", "a:1:9:Foo"]);
    let seen = answer(&configured(
        configured(silent.clone(), "mode_default", "regex"),
        "case_default",
        "sensitive",
    ));
    assert_eq!(
        (&seen["case"], matches(&seen)),
        (&json!("sensitive"), of(&["a:1:1:f.o", "a:1:5:foo"]))
    );
    let mut loud = configured(silent.clone(), "case_default", "insensitive");
    loud.request["query"] = json!("FOO");
    let seen = answer(&loud);
    assert_eq!(
        (&seen["case"], matches(&seen)),
        (&json!("insensitive"), of(&["a:1:5:foo", "a:1:9:Foo"]))
    );
    // What stands in the table is read, also where it is the document's default.
    let read = |keys: &str| {
        let caps = table(keys).search_files.caps();
        format!("{:?} {:?}", caps.mode, caps.case)
    };
    let spelt = "mode_default = \"exact\"\ncase_default = \"smart\"";
    assert_eq!((read(spelt), read("")), ("Exact Smart".to_owned(), "Exact Smart".to_owned()));
    let other = "mode_default = \"regex\"\ncase_default = \"sensitive\"";
    assert_eq!(read(other), "Regex Sensitive");
    let seen = answer(&configured(silent, "mode_default", "fuzzy"));
    assert_eq!((&seen["mode"], &seen["matches"][0]["score"]), (&json!("fuzzy"), &json!(1.0)));
}

#[test]
fn the_threshold_of_the_example_is_eight_tenths() {
    touchstone::verifies!("CFGKEY-SF-fuzzy_threshold", "CFG-SF-04");
    assert!((example().caps().fuzzy_threshold - 0.8).abs() < f64::EPSILON);
    let files =
        [("four-of-five", "hallo\n"), ("three-of-five", "hallu\n"), ("four-of-six", "h-ell-a\n")];
    let case = documents(&files, json!({"query": "hello", "mode": "fuzzy"}));
    assert_eq!(paths(&answer(&case)), ["four-of-five"]);
    let seen = answer(&configured(case.clone(), "fuzzy_threshold", 0.6));
    assert_eq!(paths(&seen).len(), 3);
    assert_eq!(paths(&answer(&configured(case, "fuzzy_threshold", 0.81))), [""; 0]);
}
