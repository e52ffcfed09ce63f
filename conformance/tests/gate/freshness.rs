//! What is generated from the specification is up to date.
//!
//! A stale file is rewritten, and the test fails once: the next run passes, and the diff shows a
//! reviewer everything that follows from the change.

use std::fs;
use std::path::{Path, PathBuf};

use touchstone_spec::{Emitted, Spec, emit, lint, lint_cases};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn spec() -> Spec {
    Spec::load(&workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"))
}

/// Rewrites what is stale below `root` and says what that was.
fn refresh(root: &Path, emitted: &[Emitted]) -> Vec<String> {
    let mut stale = Vec::new();
    for file in emitted {
        let path = root.join(&file.path);
        if fs::read_to_string(&path).is_ok_and(|text| text == file.text) {
            continue;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &file.text).unwrap();
        stale.push(file.path.clone());
    }
    stale
}

#[test]
fn generated_files_are_fresh() {
    let stale = refresh(&workspace(), &emit(&spec()));
    assert!(
        stale.is_empty(),
        "these were stale and are rewritten; look at the diff and run again: {stale:#?}"
    );
}

/// Its figures are those of the files below `docs/assurance`.
#[test]
fn the_page_of_assurance_is_fresh() {
    let text =
        touchstone::assurance::page(&workspace()).unwrap_or_else(|error| panic!("{error:#}"));
    let page = Emitted { path: "docs/assurance.md".to_owned(), text };
    let stale = refresh(&workspace(), &[page]);
    assert!(
        stale.is_empty(),
        "the page was stale and is rewritten; look at the diff and run again"
    );
}

#[test]
fn a_stale_file_is_rewritten_and_reported_once() {
    let root = tempfile::tempdir().unwrap();
    let emitted = [Emitted { path: "some/where.md".to_owned(), text: "new\n".to_owned() }];
    assert_eq!(refresh(root.path(), &emitted), ["some/where.md"]);
    assert_eq!(refresh(root.path(), &emitted), [""; 0]);
    fs::write(root.path().join("some/where.md"), "old\n").unwrap();
    assert_eq!(refresh(root.path(), &emitted), ["some/where.md"]);
    assert_eq!(fs::read_to_string(root.path().join("some/where.md")).unwrap(), "new\n");
}

/// The model's tables are generated; production has its own copy, which is a file of rows.
#[test]
fn production_has_the_secret_rules_of_the_specification() {
    let squeezed = |text: &str| {
        text.split_whitespace().collect::<String>().replace(",)", ")").replace(",]", "]")
    };
    let rules = workspace().join("impl/core/src/agent/keyword/redact/rules.rs");
    let text = squeezed(&fs::read_to_string(rules).unwrap());
    let tool = spec().keyword_search;
    let pattern = |row: &str| format!("r#\"{row}\"#");
    let quoted = |rows: Vec<&str>| {
        rows.into_iter().map(|row| format!("\"{row}\"")).collect::<Vec<_>>().join(",")
    };
    let words = tool.words.iter().chain(&tool.harmless);
    let pairs: Vec<String> =
        words.map(|row| format!("(\"{}\",{}),", row.id.value, pattern(&row.pattern))).collect();
    let (words, harmless) = pairs.split_at(tool.words.len());
    let secrets = tool.secrets.iter().map(|row| {
        let kind = if row.named { "named" } else { "value" };
        let unless = quoted(row.unless.iter().map(|name| &*name.value).collect());
        format!("{kind}({},&[{unless}],{}),", pattern(&row.pattern), row.odd)
    });
    let usual = quoted(tool.usual_pairs.iter().map(|row| &**row).collect());
    for table in [words.concat(), harmless.concat(), usual + ",", secrets.collect()] {
        let table = squeezed(&format!("=[{table}];"));
        assert!(text.contains(&table), "production has another table than\n{table}");
    }
}

#[test]
fn the_generated_directories_hold_only_generated_files() {
    let emitted: Vec<PathBuf> =
        emit(&spec()).into_iter().map(|file| workspace().join(file.path)).collect();
    let mut strays = Vec::new();
    for directory in ["conformance/src/generated", "docs/tables", "model/src/generated"] {
        let Ok(listing) = fs::read_dir(workspace().join(directory)) else { continue };
        for entry in listing {
            let path = entry.unwrap().path();
            let is_module = path.file_name().is_some_and(|name| name == "mod.rs");
            if !is_module && !emitted.contains(&path) {
                strays.push(path.strip_prefix(workspace()).unwrap().display().to_string());
            }
        }
    }
    // Beside pages written by hand, pictures are the only generated files.
    for entry in fs::read_dir(workspace().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "svg") && !emitted.contains(&path)
        {
            strays.push(path.strip_prefix(workspace()).unwrap().display().to_string());
        }
    }
    assert!(strays.is_empty(), "nothing generates these: {strays:#?}");
}

#[test]
fn the_specification_has_no_defects() {
    let spec = spec();
    let findings = [lint(&spec), lint_cases(&spec, &workspace().join("golden/errata"))].concat();
    let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{told:#?}");
}
