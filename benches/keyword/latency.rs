//! How long `keyword_search` takes on the kernel tree, its index warm, without a model: the
//! published questions of `questions.tsv`, a question and its terms a line.
//!
//! The index is kept beside the tree, so that only the first run waits for it.

use std::{fs, path::Path, sync::Arc, time::Instant};

use forge_search_engine::json::Json;
use forge_search_engine::{
    Call, Config, IndexMode, IndexOptions, IndexUse, Preset, Profile, Sandbox, Service, Toolbox,
};
use serde_json::{Value, json};
use touchstone_benches::{median, p99};

use crate::{directory, trees};

/// Calls of each question that are timed, behind one that is not.
const CALLS: usize = 20;
/// The promised limit, in milliseconds.
const BOUND: f64 = 200.0;
/// Longest wait for the index.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);

/// Prints the times. An error if one in a hundred calls takes longer than is promised.
pub(crate) fn measured() -> Result<(), String> {
    let corpus = touchstone_benches::corpus()?;
    let tree = corpus.canonicalize().map_err(|error| format!("{}: {error}", corpus.display()))?;
    let toolbox = toolbox(&tree)?;
    let files = toolbox.service().index_status().first().map_or(0, |status| status.files);
    println!("{}: {files} files indexed, {CALLS} calls of each question", tree.display());
    println!("\n| question | median ms | longest ms | files | terms skipped |");
    println!("| --- | --- | --- | --- | --- |");
    let session = toolbox.session();
    let mut all = Vec::new();
    for line in questions()?.lines() {
        let (query, terms) = line.split_once('\t').ok_or_else(|| format!("no question: {line}"))?;
        let terms: Vec<&str> = terms.split('\t').collect();
        let request = json!({ "query": query, "search_terms": terms, "use_model": false });
        let call = || toolbox.call(&session, "keyword_search", &Json(&request), &Call::default());
        let answer = call();
        if answer.is_error {
            return Err(answer.text);
        }
        let measure = || {
            let started = Instant::now();
            call();
            started.elapsed().as_secs_f64() * 1_000.0
        };
        let times: Vec<f64> = (0..CALLS).map(|_| measure()).collect();
        let longest = times.iter().copied().fold(0.0, f64::max);
        let skipped = skipped(&answer.structured);
        let total = answer.structured.get("total").and_then(Value::as_u64).unwrap_or_default();
        println!("| {query} | {:.0} | {longest:.0} | {total} | {skipped} |", median(&times));
        all.extend(times);
    }
    toolbox.service().index_shutdown();
    println!("\n{} calls: median {:.0} ms, p99 {:.0} ms", all.len(), median(&all), p99(&all));
    if p99(&all) <= BOUND { Ok(()) } else { Err(format!("p99 is to be {BOUND} ms at most")) }
}

fn questions() -> Result<String, String> {
    let path = directory().join("questions.tsv");
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

fn skipped(answer: &Value) -> usize {
    let terms = answer.get("terms").and_then(Value::as_array);
    terms.map_or(0, |terms| terms.iter().filter(|term| term.get("skipped").is_some()).count())
}

/// The tools over a tree with its index, built and current.
fn toolbox(tree: &Path) -> Result<Toolbox, String> {
    let mut config = Config::preset(Preset::Agent);
    config.agent.searches_per_minute = 100_000;
    let settings = &mut config.index;
    settings.index_mode = IndexMode::On;
    settings.index_path = trees::corpus()?.join("keyword-index").to_string_lossy().into_owned();
    (settings.index_build_throttle_ms, settings.index_build_max_cpu_percent) = (0, 100);
    let sandbox = Sandbox::new(&[tree.to_owned()], tree).map_err(|error| error.to_string())?;
    let options = IndexOptions { using: IndexUse::Background, ..IndexOptions::default() };
    let service =
        Service::with_index(config, sandbox, options).map_err(|error| error.to_string())?;
    if !service.index_wait(PATIENCE) {
        return Err("the index is not ready".to_owned());
    }
    let toolbox = Toolbox::new(Arc::new(service), Profile::All);
    toolbox.prepare();
    Ok(toolbox)
}
