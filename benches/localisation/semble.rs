//! The bench of semble: questions about pinned repositories, annotated with files.

use serde::Deserialize;

use crate::{
    mirrors::Mirrors,
    options::Parts,
    sources::Source,
    tasks::{Set, Task},
};

/// The last first letter of a repository that ranking may be chosen by.
const LAST_TUNING: char = 'm';

#[derive(Deserialize)]
struct Repository {
    name: String,
    url: String,
    revision: String,
    benchmark_root: Option<String>,
}

#[derive(Deserialize)]
struct Annotation {
    repo: Option<String>,
    query: String,
    #[serde(default)]
    relevant: Vec<Target>,
    #[serde(default)]
    secondary: Vec<Target>,
    category: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Target {
    Path(String),
    Span { path: String },
}

/// Its questions.
pub(crate) fn tasks(
    sources: &[Source],
    mirrors: &Mirrors,
    parts: Parts,
) -> Result<Vec<Task>, String> {
    let listed = sources.iter().find(|source| source.path.ends_with("/repos.json"));
    let listed = listed.ok_or("sources.tsv lists no repos.json")?;
    let repositories: Vec<Repository> = json(listed, mirrors)?;
    let mut tasks = Vec::new();
    for source in sources {
        let Some((_, file)) = source.path.split_once("/annotations/") else { continue };
        let default = file.trim_end_matches(".json");
        if !parts.hold(is_tuning(default)) {
            continue;
        }
        let annotations: Vec<Annotation> = json(source, mirrors)?;
        for (at, annotation) in annotations.into_iter().enumerate() {
            let name = annotation.repo.as_deref().unwrap_or(default);
            let Some(repository) = repositories.iter().find(|repository| repository.name == name)
            else {
                continue;
            };
            if !parts.hold(is_tuning(name)) {
                continue;
            }
            let targets = annotation.relevant.into_iter().chain(annotation.secondary);
            let kind = || kind(&annotation.query).to_owned();
            tasks.push(Task {
                set: Set::Semble,
                id: format!("{default}#{at}"),
                repository: owner_and_name(&repository.url),
                commit: repository.revision.clone(),
                below: repository.benchmark_root.clone(),
                category: Some(annotation.category.unwrap_or_else(kind)),
                text: annotation.query,
                truth: targets.map(|(Target::Path(path) | Target::Span { path })| path).collect(),
            });
        }
    }
    Ok(tasks)
}

fn json<T: serde::de::DeserializeOwned>(source: &Source, mirrors: &Mirrors) -> Result<T, String> {
    serde_json::from_str(&source.read(mirrors)?)
        .map_err(|error| format!("{}: {error}", source.path))
}

fn is_tuning(name: &str) -> bool {
    name.chars().next().is_some_and(|first| first.to_ascii_lowercase() <= LAST_TUNING)
}

fn owner_and_name(url: &str) -> String {
    let path = url.trim_end_matches('/').trim_end_matches(".git");
    path.split_once("github.com/").map_or(path, |(_, path)| path).to_owned()
}

/// The kind of a question that does not say it.
fn kind(query: &str) -> &'static str {
    if !query.trim().contains(' ') {
        "symbol"
    } else if query.to_lowercase().starts_with("how ") {
        "architecture"
    } else {
        "semantic"
    }
}

/// Whether one of two paths is the other, or its end.
pub(crate) fn path_matches(found: &str, right: &str) -> bool {
    let is_end =
        |whole: &str, end: &str| whole.strip_suffix(end).is_some_and(|rest| rest.ends_with('/'));
    found == right || is_end(found, right) || is_end(right, found)
}

#[cfg(test)]
mod tests {
    use super::{is_tuning, owner_and_name, path_matches};

    #[test]
    fn paths_match_at_a_separator() {
        assert!(
            path_matches("src/a.rs", "lib/src/a.rs") && path_matches("lib/src/a.rs", "src/a.rs")
        );
        assert!(!path_matches("xa.rs", "a.rs") && !path_matches("src/a.rs", "src/b.rs"));
    }

    #[test]
    fn names_from_n_on_are_held_back() {
        assert!(
            is_tuning("axum") && is_tuning("Mini.nvim") && !is_tuning("nvm") && !is_tuning("Zod")
        );
    }

    #[test]
    fn an_address_names_owner_and_repository() {
        assert_eq!(owner_and_name("https://github.com/a/b.js.git"), "a/b.js");
    }
}
