//! What the tests of single clauses share.
//!
//! Responsible for: asking the service over every backend and holding each answer against the
//! model's ([`asked`]), reading answers, and backends that misbehave on command ([`Fake`]). Not
//! here: the meaning of clauses; every test states that itself, in numbers and texts of its own.
//! Invariants: an answer that is handed out is the same over every backend and the one the model
//! gives; fakes lie outside every sandbox and are gone with their value.

use std::fs;
use std::io::Write as _;
use std::iter;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use forge_search_engine::index::Clock;
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{
    BackendChoice, Config, Preset, Response, Sandbox, Service, StatsDetail, ToolError,
};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use serde_json::Value;
use tempfile::TempDir;
use touchstone::case::{Case, CasePreset, Entry};
use touchstone::compare::{Comparison, between, render};
use touchstone::expected::Expected;
use touchstone::materialise::Tree;
use touchstone::provision::{Backends, required_backends};
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::subject::{Backend, Observation, SubjectSpec};
use touchstone::subjects::forge::{self, ServiceBackend};

/// A request over a few files, under preset `agent`.
pub(crate) fn over(files: &[(&str, &str)], request: Value) -> Case {
    let case = Case::new("clause", "a clause", request);
    files.iter().fold(case, |case, (path, text)| case.with(Entry::file(*path, *text)))
}

/// The case in preset documents, which reads requests strictly and folds ASCII (D25).
pub(crate) fn in_documents(mut case: Case) -> Case {
    case.config.preset = CasePreset::Documents;
    case.config.enabled = Some(true);
    case
}

/// The real backends.
pub(crate) fn backends() -> Backends {
    required_backends().unwrap_or_else(|error| panic!("{error}"))
}

/// A directory for many files, gone with this value.
pub(crate) struct Scratch {
    place: TempDir,
    _parent: TempDir,
}

impl Scratch {
    /// An empty one.
    pub(crate) fn new() -> Self {
        let parent = tempfile::tempdir().unwrap();
        touchstone::place::spread(parent.path());
        Self { place: tempfile::tempdir_in(&parent).unwrap(), _parent: parent }
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }
}

/// A case's tree on the disk, gone with this value.
pub(crate) struct Ground {
    _scratch: Scratch,
    /// The tree.
    pub(crate) tree: Tree,
}

impl Ground {
    /// Puts the tree of `case` on the disk.
    pub(crate) fn of(case: &Case) -> Self {
        let scratch = Scratch::new();
        let tree = Tree::build(case, &scratch.path().join("case"), None).unwrap();
        Self { _scratch: scratch, tree }
    }

    /// The sandbox root.
    pub(crate) fn root(&self) -> &Path {
        &self.tree.root
    }

    /// A service over the tree.
    pub(crate) fn service(&self, config: Config) -> Service {
        let root = self.tree.root.clone();
        let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
        Service::new(config, sandbox).unwrap()
    }
}

/// A case of so many files `f-0000`, `f-0001`, ... with the same text.
pub(crate) fn numbered(count: usize, text: &str) -> Case {
    let case = over(&[], serde_json::json!({"pattern": "foo"}));
    (0..count).fold(case, |case, number| case.with(Entry::file(format!("f-{number:04}"), text)))
}

/// What the service observes of `case` over each of `backends`, all alike and all as the model
/// says.
pub(crate) fn asked_of(case: &Case, over_backends: &[Backend]) -> Observation {
    let ground = Ground::of(case);
    let backends = backends();
    let observe = |backend: Backend| {
        let over = ServiceBackend {
            backend,
            executable: backends.executable(backend),
            threads: 2,
            indexed: false,
        };
        forge::observe(case, &ground.tree, over)
            .unwrap_or_else(|error| panic!("{backend:?}: {error}"))
    };
    let observations: Vec<Observation> =
        over_backends.iter().map(|backend| observe(*backend)).collect();
    agreed(case, over_backends, observations)
}

/// As [`asked_of`] every backend.
pub(crate) fn asked(case: &Case) -> Observation {
    asked_of(case, &Backend::ALL)
}

/// As [`asked`], by workers without privileges, so that what is unreadable cannot be read.
pub(crate) fn asked_unprivileged(case: &Case) -> Observation {
    let runner = unprivileged();
    let run = |backend| runner.run(case, &SubjectSpec::forge(backend)).unwrap();
    agreed(case, &Backend::ALL, Backend::ALL.map(run).to_vec())
}

/// Workers without privileges, with every backend.
pub(crate) fn unprivileged() -> Runner {
    let worker = Some(PathBuf::from(env!("CARGO_BIN_EXE_touchstone")));
    Runner::new(RunnerOptions { worker, backends: backends(), ..RunnerOptions::default() }).unwrap()
}

/// Holds the observations of one case over several backends against the model and each other.
fn agreed(case: &Case, backends: &[Backend], observations: Vec<Observation>) -> Observation {
    let expected = Expected::of(case).unwrap_or_else(|error| panic!("{}: {error}", case.request));
    let first = observations[0].clone();
    for (backend, observation) in backends.iter().zip(observations) {
        if let Comparison::Differs(found) = expected.compare(case, *backend, observation.as_ref()) {
            panic!(
                "{}: not what the model says over {backend:?}\n{}",
                case.request,
                render(&found)
            );
        }
        let found = between(first.as_ref(), observation.as_ref());
        assert!(found.is_empty(), "{}: backends differ\n{}", case.request, render(&found));
    }
    first
}

/// The answer to a case, the same over every backend.
pub(crate) fn answer(case: &Case) -> Value {
    asked(case).unwrap_or_else(|error| panic!("{}: {error}", case.request))
}

/// The refusal of a case: class, field, message.
pub(crate) fn refusal(case: &Case) -> (String, String, String) {
    // What refuses a request lies before any backend, but for the last check.
    told(case, asked(case))
}

/// Class, field and message of what has to be a refusal.
pub(crate) fn told(case: &Case, observation: Observation) -> (String, String, String) {
    let error = observation.expect_err(&format!("{} is answered", case.request));
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
    (text("class"), text("field"), text("message"))
}

/// Asserts that a case is refused with `BadArgs` at `field`, and gives the message.
pub(crate) fn bad_args(case: &Case, field: &str) -> String {
    is_bad_args(case, refusal(case), field)
}

/// Asserts that a refusal of a case is `BadArgs` at `field`, and gives the message.
pub(crate) fn is_bad_args(
    case: &Case,
    (class, found, message): (String, String, String),
    field: &str,
) -> String {
    assert_eq!((class.as_str(), found.as_str()), ("BadArgs", field), "{}", case.request);
    message
}

/// A clock that is advanced by hand.
#[derive(Debug, Default)]
pub(crate) struct Hand(AtomicU64);

impl Hand {
    /// It is so much later.
    pub(crate) fn goes_on(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

impl Clock for Hand {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// The events of an answer: `path:line:column:text` for a match, `path-line-text` for context.
pub(crate) fn lines(answer: &Value) -> Vec<String> {
    let events = answer["matches"].as_array().unwrap();
    let render = |event: &Value| {
        let data = &event["data"];
        let (path, line) = (data["path"]["text"].as_str().unwrap(), &data["line_number"]);
        let text = data["lines"]["text"].as_str().unwrap();
        match event["type"].as_str().unwrap() {
            "match" => format!("{path}:{line}:{}:{text}", data["column"]),
            _ => format!("{path}-{line}-{text}"),
        }
    };
    events.iter().map(render).collect()
}

/// The paths of the events, each once per run.
pub(crate) fn paths(answer: &Value) -> Vec<String> {
    let events = answer["matches"].as_array().unwrap().iter();
    let mut paths: Vec<String> =
        events.map(|event| event["data"]["path"]["text"].as_str().unwrap().to_owned()).collect();
    paths.dedup();
    paths
}

/// The `match_text` of every match.
pub(crate) fn matched(answer: &Value) -> Vec<String> {
    let events = answer["matches"].as_array().unwrap().iter();
    events.filter_map(|event| Some(event["data"]["match_text"].as_str()?.to_owned())).collect()
}

/// The problems of an answer: `path: message`.
pub(crate) fn errors(answer: &Value) -> Vec<String> {
    let problems = answer["errors"].as_array().unwrap().iter();
    let text = |problem: &Value, key: &str| problem[key].as_str().unwrap().to_owned();
    problems
        .map(|problem| format!("{}: {}", text(problem, "path"), text(problem, "error")))
        .collect()
}

/// Preset `agent` over one program and nothing else.
pub(crate) fn only(program: &Path) -> Config {
    Config {
        backend: BackendChoice::Auto,
        binary: program.to_string_lossy().into_owned(),
        fallback_binary: String::new(),
        allow_native: false,
        threads: 1,
        stats_detail: StatsDetail::All,
        ..Config::preset(Preset::Agent)
    }
}

/// A program that stands in for ripgrep or ugrep.
pub(crate) struct Fake {
    directory: TempDir,
    /// Its absolute path.
    pub(crate) program: PathBuf,
}

impl Fake {
    /// Identifies as ripgrep and passes the probes through the real program; `script` is what it
    /// does when it is given files. `$real` is the real one, `$here` a directory to leave notes in.
    pub(crate) fn ripgrep(script: &str) -> Self {
        Self::standing_in_for(&backends().ripgrep.unwrap(), script)
    }

    /// As [`Fake::ripgrep`], for either program.
    pub(crate) fn standing_in_for(real: &Path, script: &str) -> Self {
        let body = format!(
            "for last; do :; done\ncase \"$1\" in --version) exec \"$real\" --version;; esac\n\
             case \"$last\" in -) exec \"$real\" \"$@\";; esac\n{script}\n"
        );
        Self::program(real, &body)
    }

    /// Says `banner` and does everything else as the program `real` does.
    pub(crate) fn calling_itself(banner: &str, real: &Path) -> Self {
        Self::program(
            real,
            &format!(
                "case \"$1\" in --version) echo '{banner}'; exit;; esac\nexec \"$real\" \"$@\"\n"
            ),
        )
    }

    /// Does what `body` says.
    pub(crate) fn program(real: &Path, body: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("program");
        let (here, real) = (directory.path().display(), real.display());
        write_program(&program, &format!("#!/bin/sh\nreal='{real}'\nhere='{here}'\n{body}"));
        Self { directory, program }
    }

    /// What it left under a name, once that is there.
    pub(crate) fn note(&self, name: &str) -> String {
        let path = self.directory.path().join(name);
        eventually(&format!("no note `{name}`"), || path.exists());
        fs::read_to_string(path).unwrap()
    }

    /// What it has left under a name so far; nothing if it left nothing.
    pub(crate) fn note_so_far(&self, name: &str) -> String {
        fs::read_to_string(self.directory.path().join(name)).unwrap_or_default()
    }
}

/// Writes an executable. Another process does it: one that this process is just starting could
/// inherit the open file, and then it could not be run.
fn write_program(path: &Path, text: &str) {
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
}

/// Records which of some files and directories are opened or read.
pub(crate) struct Spy(OwnedFd);

impl Spy {
    /// Watches these.
    pub(crate) fn on(places: &[PathBuf]) -> Self {
        let spy = inotify::init(CreateFlags::NONBLOCK).unwrap();
        for place in places {
            inotify::add_watch(&spy, place, WatchFlags::OPEN | WatchFlags::ACCESS).unwrap();
        }
        Self(spy)
    }

    /// What was touched since the last time: names in a watched directory, and nothing for a
    /// watched place itself.
    pub(crate) fn touched(&self) -> Vec<String> {
        let mut buffer = [MaybeUninit::uninit(); 4_096];
        let mut reader = inotify::Reader::new(&self.0, &mut buffer);
        let name = |event: inotify::Event<'_>| {
            event.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        iter::from_fn(|| reader.next().ok().map(name)).collect()
    }
}

/// A response as JSON.
pub(crate) fn json(response: Result<Response, ToolError>) -> Value {
    serde_json::to_value(response.unwrap_or_else(|error| panic!("{error}"))).unwrap()
}

/// Has a service choose and probe its backend now, so that the time this takes is not taken from a
/// deadline. `empty` is a directory without files, for which no process is started.
pub(crate) fn warm_up(service: &Service, empty: &str) {
    let request = serde_json::json!({"pattern": "foo", "path": empty});
    assert_eq!(json(service.call("Search", &request))["files_scanned"], 0);
}

/// Waits until `holds`, for a while.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        thread::park_timeout(Duration::from_millis(5));
    }
}

/// Whether a process is there and not merely waiting to be asked how it ended.
pub(crate) fn is_alive(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}
