//! What the tests of document 001 share.
//!
//! Responsible for: asking the service over every backend and holding each answer against the
//! model's, and reading answers. Not here: trees on the disk, real backends and programs
//! that misbehave ([`crate::clauses`]). Invariants: an answer that is handed out is the same over
//! every backend that can give it, byte for byte but for the time that it took, and the one the
//! model gives.

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, Preset, Service, ToolContext};
use serde_json::{Value, json};
use touchstone::case::{Case, CasePreset, Entry};
use touchstone::compare::{Comparison, render};
use touchstone::expected::Expected;
use touchstone::subject::{Backend, Observation, SubjectSpec};
use touchstone::subjects::forge::{self, ServiceBackend};

use crate::clauses::{self, Ground, unprivileged};

/// A request over a few files, under preset `agent`; the search root is the sandbox root unless the
/// request says otherwise.
pub(crate) fn over(files: &[(&str, &str)], request: Value) -> Case {
    let mut case = Case::of("clause", "a clause", "search_files", request);
    if let Some(fields) = case.request.as_object_mut()
        && !fields.contains_key("path")
    {
        fields.insert("path".to_owned(), json!("."));
    }
    files.iter().fold(case, |case, (path, text)| case.with(Entry::file(*path, *text)))
}

/// The case with a key of `[tools.search_files]`.
pub(crate) fn configured(mut case: Case, key: &str, value: impl Into<Value>) -> Case {
    case.config.search_files = case.config.search_files.clone().with(key, value);
    case
}

/// The case in preset documents, which reads requests strictly and folds ASCII (D25).
pub(crate) fn in_documents(mut case: Case) -> Case {
    case.config.preset = CasePreset::Documents;
    case
}

/// The backends that answer a case: mode `fuzzy` is the embedded one's alone.
fn able(case: &Case) -> &'static [Backend] {
    if case.mode() == Some("fuzzy") { &[Backend::Native] } else { &Backend::ALL }
}

/// What the service observes of a case over one backend, as the model says.
pub(crate) fn asked_over(case: &Case, backend: Backend) -> Observation {
    let ground = Ground::of(case);
    let backends = clauses::backends();
    let over = ServiceBackend {
        backend,
        executable: backends.executable(backend),
        threads: 2,
        indexed: false,
    };
    let seen = forge::observe(case, &ground.tree, over)
        .unwrap_or_else(|error| panic!("{backend:?}: {error}"));
    as_expected(case, backend, seen)
}

fn as_expected(case: &Case, backend: Backend, seen: Observation) -> Observation {
    let expected = Expected::of(case).unwrap();
    if let Comparison::Differs(found) = expected.compare(case, backend, seen.as_ref()) {
        panic!("{}: {backend:?}: not what the model says\n{}", case.request, render(&found));
    }
    seen
}

/// What is observed of a case, over every backend that can answer it alike.
pub(crate) fn asked(case: &Case) -> Observation {
    let seen: Vec<Observation> =
        able(case).iter().map(|backend| asked_over(case, *backend)).collect();
    alike(case, &seen)
}

/// As [`asked`], by workers without privileges, so that what is unreadable cannot be read.
pub(crate) fn asked_unprivileged(case: &Case) -> Observation {
    let runner = unprivileged();
    let run = |backend| {
        as_expected(case, backend, runner.run(case, &SubjectSpec::forge(backend)).unwrap())
    };
    alike(case, &able(case).iter().map(|backend| run(*backend)).collect::<Vec<_>>())
}

fn alike(case: &Case, seen: &[Observation]) -> Observation {
    for other in seen {
        assert_eq!(&seen[0], other, "{}: backends differ", case.request);
    }
    seen[0].clone()
}

/// The text of an answer, the time it took written as 0.
pub(crate) fn text(case: &Case) -> String {
    let seen = asked(case).unwrap_or_else(|error| panic!("{}: {error}", case.request));
    seen["text"].as_str().unwrap().to_owned()
}

/// An answer.
pub(crate) fn answer(case: &Case) -> Value {
    serde_json::from_str(&text(case)).unwrap()
}

/// An answer given without privileges.
pub(crate) fn answer_unprivileged(case: &Case) -> Value {
    let seen = asked_unprivileged(case).unwrap_or_else(|error| panic!("{}: {error}", case.request));
    serde_json::from_str(seen["text"].as_str().unwrap()).unwrap()
}

/// The refusal of a case: class, field, message.
pub(crate) fn refusal(case: &Case) -> (String, String, String) {
    clauses::told(case, asked(case))
}

/// Asserts that a case is refused with `BadArgs` at `field`, and gives the message.
pub(crate) fn bad_args(case: &Case, field: &str) -> String {
    clauses::is_bad_args(case, refusal(case), field)
}

/// The matches of an answer: `path:line:column:match_text`.
pub(crate) fn matches(answer: &Value) -> Vec<String> {
    let one = |found: &Value| {
        let (path, text) = (found["path"].as_str().unwrap(), found["match_text"].as_str().unwrap());
        format!("{path}:{}:{}:{text}", found["line"], found["column"])
    };
    answer["matches"].as_array().unwrap().iter().map(one).collect()
}

/// The paths of the matches, each once per run.
pub(crate) fn paths(answer: &Value) -> Vec<String> {
    let found = answer["matches"].as_array().unwrap().iter();
    let mut paths: Vec<String> =
        found.map(|one| one["path"].as_str().unwrap().to_owned()).collect();
    paths.dedup();
    paths
}

/// The problems of an answer: `path: message`.
pub(crate) fn errors(answer: &Value) -> Vec<String> {
    let problem = |one: &Value| {
        format!("{}: {}", one["path"].as_str().unwrap(), one["error"].as_str().unwrap())
    };
    answer["errors"].as_array().unwrap().iter().map(problem).collect()
}

/// Texts to compare with those.
pub(crate) fn of(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

/// A configuration from what stands in `[tools.search_files]`, on preset `agent`.
pub(crate) fn table(keys: &str) -> Config {
    Config::from_toml(&format!("[tools.search_files]\n{keys}\n"), Preset::Agent).unwrap()
}

/// One call of a service that is there already, with a budget that is never met.
pub(crate) fn call(service: &Service, request: &Value) -> Value {
    let answer = service.call_files(&mut ToolContext::default(), request);
    serde_json::from_str(&answer.unwrap_or_else(|error| panic!("{request}: {error}")).text).unwrap()
}
