//! What the tests of document 004 share.
//!
//! Responsible for: single calls, each held against the model's answer; a registry over a tree on
//! the disk, for what takes several calls; a clock that is advanced by hand. Not here:
//! trees on the disk ([`crate::clauses`]). Invariants: an answer that is handed out by [`page`] is
//! the one that the model gives.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use forge_search_core::tool::Profile;
use forge_search_engine::index::Clock;
use forge_search_engine::json::Json;
use forge_search_engine::{
    Answer, Call, Config, IndexOptions, IndexUse, Preset, Sandbox, Service, Session, Toolbox,
};
use serde_json::Value;
use touchstone::case::{Case, Entry};
use touchstone::compare::{Comparison, render};
use touchstone::expected::Expected;
use touchstone::family::Family;
use touchstone::observation::STRUCTURED;
use touchstone::subject::{Backend, Observation, SubjectSpec};
use touchstone::subjects::forge::{self, ServiceBackend};

use crate::clauses::{Ground, Hand, unprivileged};

/// A call of a tool over a few files, under preset `agent`.
pub(crate) fn over(tool: &str, files: &[(&str, &str)], request: Value) -> Case {
    let case = Case::of("clause", "a clause", tool, request);
    files.iter().fold(case, |case, (path, text)| case.with(Entry::file(*path, *text)))
}

/// The case with a key of `[tools.agent]`.
pub(crate) fn configured(mut case: Case, key: &str, value: impl Into<Value>) -> Case {
    case.config.agent = case.config.agent.clone().with(key, value);
    case
}

/// What is observed of a case, as the model says, without an index; with one as well, except of
/// `Search`, whose statistics tell of the index.
pub(crate) fn asked(case: &Case) -> Observation {
    let ground = Ground::of(case);
    let observed = |indexed| {
        let over =
            ServiceBackend { backend: Backend::Native, executable: None, threads: 2, indexed };
        as_expected(case, forge::observe(case, &ground.tree, over).unwrap())
    };
    if case.family() != Family::Search {
        let _ = observed(true);
    }
    observed(false)
}

/// As [`asked`], by a worker without privileges, so that what is unreadable cannot be read.
pub(crate) fn asked_unprivileged(case: &Case) -> Observation {
    as_expected(case, unprivileged().run(case, &SubjectSpec::forge(Backend::Native)).unwrap())
}

fn as_expected(case: &Case, seen: Observation) -> Observation {
    let expected = Expected::of(case).unwrap();
    if let Comparison::Differs(found) = expected.compare(case, Backend::Native, seen.as_ref()) {
        panic!("{}: not what the model says\n{}", case.request, render(&found));
    }
    seen
}

/// The structured answer to a case.
pub(crate) fn page(case: &Case) -> Value {
    let seen = asked(case).unwrap_or_else(|error| panic!("{}: {error}", case.request));
    seen[STRUCTURED].clone()
}

/// The error that a case is refused with.
pub(crate) fn refusal(case: &Case) -> Value {
    asked(case).expect_err(&format!("{} is answered", case.request))
}

/// The word of the error that a case is refused with, and the field that it names.
pub(crate) fn refused(tool: &str, request: Value) -> (String, String) {
    let error = refusal(&over(tool, &[("a.txt", "foo\n"), ("src/b.rs", "foo\n")], request));
    (text(&error["error"]), text(&error["field"]))
}

/// The text of a value; nothing if it is none.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// One field of every result.
pub(crate) fn each(page: &Value, field: &str) -> Vec<Value> {
    page["results"].as_array().unwrap().iter().map(|result| result[field].clone()).collect()
}

/// The paths of the results.
pub(crate) fn paths(page: &Value) -> Vec<String> {
    each(page, "path").iter().map(text).collect()
}

/// `path:line` of the results.
pub(crate) fn places(page: &Value) -> Vec<String> {
    let lines = each(page, "line");
    paths(page).iter().zip(lines).map(|(path, line)| format!("{path}:{line}")).collect()
}

/// The names of the notices.
pub(crate) fn notices(page: &Value) -> Vec<String> {
    page["notices"].as_array().unwrap().iter().map(|notice| text(&notice["notice"])).collect()
}

/// A registry over a tree.
pub(crate) struct Desk {
    ground: Ground,
    /// The tools.
    pub(crate) toolbox: Toolbox,
    /// What time it is for their rate limit.
    pub(crate) clock: Arc<Hand>,
    /// A session.
    pub(crate) session: Session,
}

impl Desk {
    /// Over a few files, with lines of `[tools.agent]`.
    pub(crate) fn over(files: &[(&str, &str)], agent: &str) -> Self {
        Self::of(files, &format!("[tools.agent]\n{agent}\n"), Profile::All, None)
    }

    /// Over the small file `a` and one file of 32 MiB under a thousand names: reading them all
    /// takes longer than a second, however fast they are read, if no literal lets a reader pass
    /// over them. Every file holds `klmnop`, and `a` alone `zq9`.
    pub(crate) fn slow(agent: &str) -> Self {
        let config = format!("[tools.search]\nthreads = 2\n[tools.agent]\n{agent}\n");
        let desk = Self::of(&[("a", "klmnop zq9\n"), ("b0", "")], &config, Profile::All, None);
        fs::write(desk.place("b0"), "abcdefghij klmnop qrstuvw xyz\n".repeat(1_100_000)).unwrap();
        for number in 1..1_000 {
            fs::hard_link(desk.place("b0"), desk.place(&format!("b{number}"))).unwrap();
        }
        desk
    }

    /// With an index that is built on request.
    pub(crate) fn with_index(files: &[(&str, &str)]) -> Self {
        let config = "[tools.search]\nindex_mode = \"on\"\nindex_storage = \"memory\"\n";
        Self::of(files, config, Profile::All, Some(IndexUse::Stepped))
    }

    /// With a whole configuration.
    pub(crate) fn of(
        files: &[(&str, &str)],
        config: &str,
        profile: Profile,
        using: Option<IndexUse>,
    ) -> Self {
        let ground = Ground::of(&over("grep", files, Value::Null));
        let root = ground.root().to_owned();
        let config = Config::from_toml(config, Preset::Agent).unwrap();
        let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
        let service = match using {
            None => Service::new(config, sandbox),
            Some(using) => Service::with_index(
                config,
                sandbox,
                IndexOptions { using, ..IndexOptions::default() },
            ),
        };
        let clock = Arc::new(Hand::default());
        let as_clock: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let toolbox = Toolbox::with_clock(Arc::new(service.unwrap()), profile, as_clock);
        let session = toolbox.session();
        Self { ground, toolbox, clock, session }
    }

    /// A call in the session.
    pub(crate) fn call(&self, tool: &str, request: &Value) -> Answer {
        self.toolbox.call(&self.session, tool, &Json(request), &Call::new())
    }

    /// The structured answer to a call, which has to be none of an error.
    pub(crate) fn page(&self, tool: &str, request: &Value) -> Value {
        let answer = self.call(tool, request);
        assert!(!answer.is_error, "{request}: {}", answer.structured);
        answer.structured
    }

    /// Where a file of the tree lies.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.ground.root().join(path)
    }

    /// Writes a file of the tree.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let place = self.place(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }

    /// The index's turns, until there is nothing left to do.
    pub(crate) fn settle(&self) {
        let service = self.toolbox.service();
        assert!((0..10_000).any(|_| !service.index_turn()), "the index never rests");
    }

    /// The state of the index.
    pub(crate) fn state(&self) -> String {
        self.toolbox.service().index_status()[0].state.to_owned()
    }
}
