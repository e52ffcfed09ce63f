//! The agent's tools over an index of 100,000 files, one call a sample, and plain ripgrep beside
//! each question in the same run.
//!
//! `benches/fetch-corpus.sh && benches/make-100k.sh` make the tree; `cargo bench -p
//! touchstone-benches --bench agent` takes about eight minutes, 1 GB next to the tree, and quiet
//! (what other processes took of the processors is noted with the run); `touchstone nfr` then holds
//! what criterion has stored against `spec/nfr.yaml`. `TOUCHSTONE_BENCH` names the only part to
//! run: `texts`, `paths`, `lines`, `grams`, `formatting`, `growth` or `whole`; a run of a part is no
//! run that `touchstone nfr` accepts.
//!
//! Before anything is timed, every answer is compared with that of the tools without an index.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot run says so and ends"
)]

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use criterion::{Criterion, SamplingMode};
use forge_search_engine::json::Json;
use forge_search_engine::{
    Answer, Call, Config, IndexMode, IndexOptions, IndexUse, Preset, Profile, Sandbox, Service,
    Session, Toolbox, index::Clock,
};
use serde_json::{Value, json};
use touchstone::place::build_directory;
use touchstone::provision::available;
use touchstone_benches::{
    queries::{self, Query},
    time_rival,
};

mod formatting;
mod growth;
mod quiet;
mod whole;

/// The bound is about this many files.
const FILES: u64 = 100_000;
/// Calls of each question; percentiles are taken over all questions of a tool.
const CALLS: usize = 100;
/// Runs of ripgrep for a question: the fewest that criterion accepts.
const RIVALS: usize = 10;
/// ripgrep runs for every fourth query: a run takes as long as fifty calls.
const RIVAL_EVERY: usize = 4;
/// Longest wait; a longer one is a finding.
const PATIENCE: Duration = Duration::from_secs(300);

/// A clock on which every call has a minute to itself, so that the rate limit does not matter.
#[derive(Debug, Default)]
struct Unlimited(AtomicU64);

impl Clock for Unlimited {
    fn now_ms(&self) -> u64 {
        self.0.fetch_add(60_001, Ordering::Relaxed)
    }
}

/// The tools over a tree, and a session with them.
struct Tools {
    toolbox: Toolbox,
    session: Session,
}

impl Tools {
    fn over(tree: &Path, index: Option<&Path>) -> Self {
        let mut config = Config::preset(Preset::Agent);
        // Without an index an answer may take long, and is waited for.
        config.agent.timeout_seconds = 600;
        let using = match index {
            None => IndexUse::None,
            Some(cache) => {
                let settings = &mut config.index;
                (settings.index_mode, settings.index_path) =
                    (IndexMode::On, cache.to_string_lossy().into_owned());
                (settings.index_build_throttle_ms, settings.index_build_max_cpu_percent) = (0, 100);
                IndexUse::Background
            }
        };
        let sandbox = Sandbox::new(&[tree.to_owned()], tree).expect("a tree that can be searched");
        let options = IndexOptions { using, ..IndexOptions::default() };
        let service = Service::with_index(config, sandbox, options).expect("a valid configuration");
        let clock = Arc::new(Unlimited::default());
        let toolbox = Toolbox::with_clock(Arc::new(service), Profile::All, clock);
        toolbox.prepare();
        let session = toolbox.session();
        Self { toolbox, session }
    }

    fn call(&self, tool: &str, request: &Value) -> Answer {
        self.toolbox.call(&self.session, tool, &Json(request), &Call::new())
    }
}

/// Questions of one tool.
struct Part {
    /// As `TOUCHSTONE_BENCH` names it.
    wanted: &'static str,
    /// What its group is called.
    name: &'static str,
    tool: &'static str,
    queries: Vec<Query>,
    /// Calls of each.
    calls: usize,
}

impl Part {
    fn new(wanted: &'static str, tool: &'static str, queries: Vec<Query>) -> Self {
        Self { wanted, name: tool, tool, queries, calls: CALLS }
    }
}

/// One tool's questions, timed one call a sample, followed by ripgrep's runs for the nearest
/// questions there are.
fn measure(
    criterion: &mut Criterion,
    tree: &Path,
    tools: &Tools,
    Part { name, tool, queries, calls, .. }: &Part,
    ripgrep: &Path,
) {
    let mut group = criterion.benchmark_group(format!("agent {name}"));
    // The shortest time there is: criterion then takes single calls.
    let short = Duration::from_millis(1);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(*calls)
        .warm_up_time(short)
        .measurement_time(short);
    for query in queries {
        group.bench_function(&query.name, |bencher| {
            bencher.iter(|| tools.call(tool, &query.request));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group(format!("agent {name}, plain rg"));
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(RIVALS)
        .warm_up_time(short)
        .measurement_time(short);
    for query in queries.iter().step_by(RIVAL_EVERY) {
        let mut rival = Command::new(ripgrep);
        rival.args(&query.rival).current_dir(tree).stdin(std::process::Stdio::null());
        rival.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
        group.bench_function(&query.name, |bencher| {
            bencher.iter(|| time_rival(&mut rival).expect("ripgrep runs"));
        });
    }
    group.finish();
}

/// Panics if an answer fails, or differs between a search with an index and one without.
fn compare(tools: &Tools, scan: &Tools, tool: &str, queries: &[Query]) {
    for query in queries {
        let (got, right) = (tools.call(tool, &query.request), scan.call(tool, &query.request));
        assert!(!got.is_error && !right.is_error, "{tool} `{}`: {}", query.name, got.text);
        for field in ["total", "results", "incomplete_because"] {
            assert_eq!(
                got.structured.get(field),
                right.structured.get(field),
                "{tool} `{}` has another `{field}` with an index than without",
                query.name
            );
        }
    }
}

/// The tree of 100,000 files, `TOUCHSTONE_CORPUS` or the one that `benches/make-100k.sh` makes.
fn tree() -> PathBuf {
    let made = || build_directory().ok().map(|build| build.join("corpus").join("100k"));
    let tree = std::env::var_os("TOUCHSTONE_CORPUS").map(PathBuf::from).or_else(made);
    tree.and_then(|tree| tree.canonicalize().ok())
        .expect("no tree of 100,000 files; run benches/fetch-corpus.sh and benches/make-100k.sh")
}

#[expect(clippy::too_many_lines, reason = "one measurement after the other")]
fn main() {
    // `cargo test` and `--list` only want to know that the bench builds and runs.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let only = std::env::var("TOUCHSTONE_BENCH").ok();
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let build = build_directory().expect("a build directory");
    let ripgrep = available()
        .expect("a build directory")
        .ripgrep
        .expect("ripgrep; run `touchstone backends --provision`");
    let scratch = tempfile::tempdir_in(&build).expect("a scratch directory");
    let cache = scratch.path().join("cache");
    let stored = build.join("criterion");
    let run = stored.join("agent-run.json");
    // Whatever was measured before is no longer the last run.
    let _ = std::fs::remove_file(&run);
    for group in std::fs::read_dir(&stored).into_iter().flatten().flatten() {
        if only.is_none() && group.file_name().to_string_lossy().starts_with("agent ") {
            let _ = std::fs::remove_dir_all(group.path());
        }
    }
    let mut criterion =
        Criterion::default().output_directory(&stored).without_plots().configure_from_args();
    let (started, quiet) = (std::time::SystemTime::now(), quiet::Watch::begin());
    if wanted("growth") {
        growth::measure(&mut criterion, &ripgrep, scratch.path());
    }
    if only.as_deref() == Some("growth") {
        return;
    }
    let tree = tree();
    let tools = Tools::over(&tree, Some(&cache));
    let service = tools.toolbox.service();
    assert!(service.index_wait(PATIENCE), "the index is built");
    let statuses = service.index_status();
    let status = statuses.first().expect("an index");
    println!(
        "tree: {}; index: {}, {} files, {} bytes of text",
        tree.display(),
        status.state,
        status.files,
        status.indexed_bytes
    );
    assert!(
        status.state == "COMPLETE" && status.files >= FILES,
        "the index holds {} files",
        status.files
    );
    let parts = [
        Part::new("texts", "search_text", queries::texts()),
        Part::new("paths", "find_files", queries::paths()),
        Part::new("lines", "grep", queries::lines()),
        Part {
            name: "grep without a gram",
            // A call may read the whole tree.
            calls: RIVALS,
            ..Part::new("grams", "grep", queries::without_a_gram())
        },
    ];
    {
        let scan = Tools::over(&tree, None);
        for part in parts.iter().filter(|part| wanted(part.wanted)) {
            compare(&tools, &scan, part.tool, &part.queries);
        }
    }
    for part in parts.iter().filter(|part| wanted(part.wanted)) {
        measure(&mut criterion, &tree, &tools, part, &ripgrep);
    }
    let files = status.files;
    service.index_shutdown();
    drop(tools);
    if wanted("formatting") {
        formatting::measure(&mut criterion);
    }
    if wanted("whole") {
        whole::measure(&mut criterion, &tree, &cache);
    }
    criterion.final_summary();
    let others = quiet.and_then(quiet::Watch::others);
    if let Some(others) = others {
        println!("other processes took {:.0} % of the processors' time", others * 100.0);
    }
    if only.is_none() {
        let since = started.duration_since(std::time::UNIX_EPOCH).expect("a clock after 1970");
        let seconds = since.as_secs();
        let note = json!({ "tree": tree, "files": files, "started_unix_seconds": seconds, "others": others });
        std::fs::write(&run, note.to_string()).expect("the run can be noted");
    }
}
