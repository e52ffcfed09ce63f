//! Plain rankings over the files that the tools look at; texts that did not change between commits
//! are not read again.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::Path,
    sync::Arc,
    time::SystemTime,
};

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{BackendChoice, Sandbox, Service};
use serde_json::json;
use touchstone_benches::{
    counts::{File, Text, Vocabulary},
    plain::Plain,
    tools,
};

use crate::quality::DEPTH;

/// Endings of prose and data, as docs/keyword-search.md lists them.
const PROSE: &str = "md markdown rst adoc txt html htm css svg json yaml yml toml xml csv tsv lock ini cfg conf \
    log snap po ipynb";
/// Directories of tests and of documents.
const BESIDE: &str = "test tests testing __tests__ spec specs testdata test_data fixtures doc docs documentation \
    example examples";

/// The texts of one repository.
#[derive(Default)]
pub(crate) struct Texts {
    vocabulary: Vocabulary,
    /// By path, with what tells whether it is still the same.
    read: BTreeMap<String, (SystemTime, u64, Arc<Text>)>,
}

impl Texts {
    /// Reads what has changed.
    pub(crate) fn refresh(&mut self, directory: &Path) -> Result<(), String> {
        let eligible = eligible(directory)?;
        let mut read = BTreeMap::new();
        for path in eligible {
            let file = directory.join(&path);
            let Ok(metadata) = fs::metadata(&file) else { continue };
            let Ok(modified) = metadata.modified() else { continue };
            let known = self.read.remove(&path);
            let known =
                known.filter(|(then, length, _)| (*then, *length) == (modified, metadata.len()));
            let text = match known {
                Some((_, _, text)) => text,
                None => match fs::read(&file) {
                    Ok(bytes) if !bytes.contains(&0) => {
                        Arc::new(self.vocabulary.read(&String::from_utf8_lossy(&bytes)))
                    }
                    _ => continue,
                },
            };
            read.insert(path, (modified, metadata.len(), text));
        }
        self.read = read;
        Ok(())
    }

    /// Counts terms in all files.
    pub(crate) fn count(&self, terms: &[String]) -> Vec<File> {
        let texts = self.read.iter().map(|(path, (_, _, text))| (path, text.as_ref()));
        self.vocabulary.count(texts, terms)
    }
}

/// Files that the tools look at and that are not empty, in any order.
fn eligible(directory: &Path) -> Result<HashSet<String>, String> {
    let mut config = tools::configuration();
    (config.backend, config.allow_native) = (BackendChoice::Native, true);
    (config.max_output_bytes, config.default_timeout_ms) = (1 << 28, 120_000);
    let sandbox =
        Sandbox::new(&[directory.to_owned()], directory).map_err(|error| error.to_string())?;
    let service = Service::new(config, sandbox).map_err(|error| error.to_string())?;
    let request = json!({ "pattern": ".", "max_matches_per_file": 1, "max_results": 100_000 });
    let answer = service.call("Search", &request).map_err(|error| error.message)?;
    if answer.timed_out {
        return Err(format!("{}: no list of files in time", directory.display()));
    }
    Ok(answer.matches.into_iter().map(|event| event.data.path.text).collect())
}

/// BM25 over identifiers and parts of the files that are neither tests nor documents.
pub(crate) fn sources(files: &[File]) -> Vec<String> {
    let sources: Vec<File> = files.iter().filter(|file| !is_beside(&file.path)).cloned().collect();
    Plain::Parts.ranked(&sources, DEPTH)
}

/// Whether a path is that of a test, of a document or of data.
fn is_beside(path: &str) -> bool {
    let mut directories: Vec<&str> = path.split('/').collect();
    let name = directories.pop().unwrap_or_default();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let listed =
        |list: &str, word: &str| list.split_whitespace().any(|one| one.eq_ignore_ascii_case(word));
    let ends = |name: &str| {
        ["Test", "Tests", "Spec", "_test", "_tests", "_spec", "-test", "-tests", ".test", ".spec"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    ending.is_empty()
        || listed(PROSE, ending)
        || name.starts_with("test_")
        || ends(stem)
        || directories.iter().any(|directory| listed(BESIDE, directory) || ends(directory))
}

#[cfg(test)]
mod tests {
    use super::is_beside;

    #[test]
    fn tests_and_documents_are_recognised_by_their_paths() {
        for path in [
            "tests/a.py",
            "src/test/java/A.java",
            "a/test_b.py",
            "a/b_test.go",
            "a/BTest.java",
            "a/commonTest/B.kt",
            "docs/a.py",
            "README.md",
            "LICENSE",
        ] {
            assert!(is_beside(path), "{path}");
        }
        for path in ["src/contest.rs", "latest/a.py", "a/testing_tools.py", "src/main/A.java"] {
            assert!(!is_beside(path), "{path}");
        }
    }
}
