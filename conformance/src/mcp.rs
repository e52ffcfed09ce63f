//! Any server of the Model Context Protocol that offers the agent's tools, held against the model.
//!
//! Responsible for: which cases a server can be asked, starting it in each case's tree, calling the
//! tool under the name that it has there, and the observation made of the result. Not here: what is
//! said (`client`), and the process it is said to (`process`); the cases, their answers and the
//! comparison, which are those of the suite `agent-tools` ([`crate::generate`],
//! [`crate::expected`], [`crate::tool::agent`]). Invariants: a server is asked as it is, with its
//! own defaults, so a case loses its configuration before the model is asked; every case has a
//! server of its own, and a session of its own with it.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::{Value, json};

use crate::case::{Case, CaseConfig, Keys};
use crate::compare::Comparison;
use crate::expected::Expected;
use crate::family::Family;
use crate::gate::{Judge, Limit, Source, drive, findings};
use crate::generate::Mix;
use crate::golden::GoldenError;
use crate::materialise::{Tree, TreeError, remove};
use crate::observation::{BYTES, COMPLETE, STRUCTURED, TEXT_BYTES, hide_root, length};
use crate::report::{Report, SubjectLine, SuiteReport};
use crate::subject::{Backend, Broken, Observation, SubjectSpec, Verdict};
use crate::subjects::forge::with_root;

mod client;
mod process;

pub(crate) use client::Client;
use client::garbled;

/// The suite's name.
const NAME: &str = "mcp";

/// What the server is called in reports.
const LABEL: &str = "server";

/// The notice of an index that is not there yet. Whether a server has one, and how far it is, is
/// its own affair.
const NOT_READY: &str = "index_not_ready";

/// A server under test.
#[derive(Debug)]
pub struct Server {
    /// The command that starts it, as for a shell.
    pub command: String,
    /// The directory of its trees.
    pub scratch: tempfile::TempDir,
    trees: AtomicU64,
}

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The number of cases or the time.
    pub limit: Limit,
    pub seed: u64,
    /// Threads that run them.
    pub threads: usize,
    /// What to do with failures.
    pub finding_options: findings::FindingOptions,
}

/// Draws cases and asks the server.
///
/// # Errors
/// [`GoldenError`] when a finding cannot be stored.
pub fn check(
    asked: &Server,
    options: &Options,
    tick: &(dyn Fn(u64) + Sync),
) -> Result<Report, GoldenError> {
    let started = Instant::now();
    let source =
        Source::Random { mix: Mix::Of(Family::Agent), seed: options.seed, limit: options.limit };
    let judges: [&dyn Judge; 1] = [asked];
    let run = drive(&source, &judges, options.threads, tick);
    let findings =
        findings::collect(NAME, &run.failures, &judges, &options.finding_options, &|_| None)?;
    let mut notes = Vec::new();
    if run.failures.len() > findings.len() {
        notes.push(format!(
            "{} failure(s), {} distinct one(s) told in full",
            run.failures.len(),
            findings.len()
        ));
    }
    let done = SuiteReport {
        name: NAME.to_owned(),
        tables: run.tables,
        took: run.took,
        cases: run.cases,
        notes,
        ..SuiteReport::default()
    };
    Ok(Report {
        seed: options.seed,
        subjects: vec![SubjectLine { name: LABEL.to_owned(), found: Ok(asked.command.clone()) }],
        suites: vec![done],
        coverage: run.coverage.counts,
        findings,
        discrepancies: Vec::new(),
        took: started.elapsed(),
    })
}

impl Server {
    /// A server by its command.
    ///
    /// # Errors
    /// There is no place for trees.
    pub fn new(command: &str) -> std::io::Result<Self> {
        let scratch = tempfile::Builder::new().prefix("touchstone-mcp-").tempdir()?;
        Ok(Self { command: command.to_owned(), scratch, trees: AtomicU64::new(0) })
    }

    /// Puts the tree there, asks, and takes it away.
    fn observe(&self, case: &Case) -> Result<Result<Observation, String>, Broken> {
        let number = self.trees.fetch_add(1, Ordering::Relaxed);
        let place = self.scratch.path().join(number.to_string());
        let broken = |reason: String| Broken::Tree { reason };
        let observed = match Tree::build(case, &place, None) {
            Ok(tree) => called(case, &self.command, &tree.root),
            Err(TreeError::Privileged { .. }) => {
                Ok(Err("something in it is unreadable, and nothing is to this user".to_owned()))
            }
            Err(error) => Err(broken(error.to_string())),
        };
        remove(&place).map_err(|error| broken(error.to_string()))?;
        observed
    }
}

impl Judge for Server {
    fn label(&self) -> String {
        LABEL.to_owned()
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        let case = plain(case);
        if !case.request.is_object() {
            return Verdict::Unsupported("arguments are always an object".to_owned());
        }
        let expected = match Expected::of(&case) {
            Ok(expected) => expected,
            Err(panic) => return Verdict::Broken(panic),
        };
        match self.observe(&case) {
            Err(broken) => Verdict::Broken(broken.to_string()),
            Ok(Err(reason)) => Verdict::Unsupported(reason),
            Ok(Ok(observation)) => {
                match expected.compare(&case, Backend::Native, observation.as_ref()) {
                    Comparison::Canonical => Verdict::Agree,
                    Comparison::Permitted => Verdict::Allowed,
                    Comparison::Differs(differences) => Verdict::Diverge(differences),
                }
            }
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        Vec::new()
    }
}

/// The case without its configuration: a server has its own. How many tokens its answers may have
/// is not known.
fn plain(case: &Case) -> Case {
    let agent = Keys::default().with("tokenizer", json!("o200k_base"));
    Case { config: CaseConfig { agent, ..CaseConfig::default() }, ..case.clone() }
}

/// Starts a server in the tree and calls the tool of the case; a reason, if it does not have that
/// tool.
fn called(case: &Case, command: &str, root: &Path) -> Result<Result<Observation, String>, Broken> {
    let mut shell = Command::new("sh");
    let mut client = Client::start(shell.args(["-c", command]).current_dir(root))?;
    let tools = client.tools()?;
    let Some(name) = offered(&tools, &case.tool) else {
        return Ok(Err(format!("has no tool `{}`", case.tool)));
    };
    let shown = root.to_string_lossy();
    let result = client.call(&name, &with_root(&case.request, &shown))?;
    client.finish()?;
    observed(&result, &shown).map(Ok)
}

/// The name of a tool on this server. What finds files is called otherwise in profile `acode`, by a
/// name that is also that of a tool which reads them.
fn offered(tools: &[Value], tool: &str) -> Option<String> {
    let named = |name: &str| tools.iter().find(|one| one.get("name").is_some_and(|is| is == name));
    if named(tool).is_some() {
        return Some(tool.to_owned());
    }
    let other = named("search_files").filter(|_| tool == "find_files")?;
    let finds = other.pointer("/inputSchema/properties/pattern").is_some();
    finds.then(|| "search_files".to_owned())
}

/// What a result says, as the suites compare it.
fn observed(result: &Value, root: &str) -> Result<Observation, Broken> {
    let texts =
        result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text: String = texts.iter().filter_map(|block| block.get("text")?.as_str()).collect();
    let data =
        result.get("structuredContent").cloned().or_else(|| serde_json::from_str(&text).ok());
    if result.get("isError").is_some_and(|is| *is == json!(true)) {
        let meta = result.get("_meta").and_then(Value::as_object);
        let in_meta = || meta?.values().find(|value| value.get("code").is_some()).cloned();
        let mut error =
            data.filter(Value::is_object).or_else(in_meta).unwrap_or(json!({ "message": text }));
        hide_root(&mut error, root);
        return Ok(Err(error));
    }
    let mut data = data
        .filter(Value::is_object)
        .ok_or_else(|| garbled("there is no structured content", result))?;
    if text.is_empty() {
        return Err(garbled("there is no text beside it", result));
    }
    let bytes = length(&data);
    hide_root(&mut data, root);
    if let Some(notices) = data.get_mut("notices").and_then(Value::as_array_mut) {
        notices.retain(|notice| notice.get("notice").is_none_or(|word| word != NOT_READY));
    }
    let complete = data.get("complete").cloned().unwrap_or(Value::Null);
    Ok(Ok(json!({ STRUCTURED: data, BYTES: bytes, TEXT_BYTES: text.len(), COMPLETE: complete })))
}

#[cfg(test)]
mod tests;
