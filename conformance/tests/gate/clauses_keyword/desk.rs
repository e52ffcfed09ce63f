//! What the tests of document 002 share: trees, registries over them, models that are configured,
//! models that are scripted.
//!
//! Not here: servers of models ([`crate::clauses_keyword::server`]); what is expected,
//! which every test states itself. Invariants: unless a test says otherwise, no model that a maker
//! of models serves takes part, so that no variable of the environment matters, and answers have
//! room for everything.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use forge_search_core::tool::Profile;
use forge_search_engine::index::Clock;
use forge_search_engine::json::Json;
use forge_search_engine::language_model::{LanguageModel, ModelFacts, ModelFailure, Prompt};
use forge_search_engine::{Answer, Call, Config, Preset, Sandbox, Service, Session, Toolbox};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clauses::Hand;
use crate::clauses_keyword::server::Server;

/// A tree on the disk, gone with this value.
pub(crate) struct Tree {
    scratch: TempDir,
}

impl Tree {
    /// With these files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let tree = Self { scratch: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let place = self.place(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }

    /// Makes a directory.
    pub(crate) fn directory(&self, path: &str) {
        fs::create_dir_all(self.place(path)).unwrap();
    }

    /// Where something lies.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.scratch.path().canonicalize().unwrap().join(path)
    }
}

/// Room for everything, and a count of tokens that costs nothing.
const ROOMY: &str = "[tools.agent]\nmax_answer_tokens = 100000\nmax_answer_bytes = 8000000\ntokenizer = \"bytes\"\n";

/// A configuration: room for everything, models asked as document 002 has it, and these lines of
/// `[tools.keyword]`.
pub(crate) fn keyword(lines: &str) -> String {
    format!("{ROOMY}[tools.keyword]\nuse_model_default = true\n{lines}\n")
}

/// As [`keyword`], without the makers' models, [`SELECTING`].
pub(crate) fn selecting(lines: &str) -> String {
    keyword(&format!("builtin = false\n{SELECTING}\n{lines}"))
}

/// Where broad terms are skipped and a model reads the texts of the others.
pub(crate) const SELECTING: &str = "skip_broad_terms = true";

/// A configuration in which these models can be had, in this order, and no others: name, protocol,
/// server.
pub(crate) fn having(models: &[(&str, &str, &Server)]) -> String {
    having_with("model_timeout_seconds = 60", models)
}

/// As [`having`], with further lines of `[tools.keyword]`.
pub(crate) fn having_with(lines: &str, models: &[(&str, &str, &Server)]) -> String {
    let mut config = keyword(&format!("builtin = false\n{lines}"));
    for (name, protocol, server) in models {
        config += &entry(name, protocol, server);
    }
    config
}

/// An entry of `[[tools.keyword.models]]` that needs no key.
pub(crate) fn entry(name: &str, protocol: &str, server: &Server) -> String {
    let below = if *protocol == *"openai" { "/v1" } else { "" };
    let host = server.host();
    format!(
        "[[tools.keyword.models]]\nname = \"{name}\"\nprotocol = \"{protocol}\"\nbase_url = \"http://{host}{below}\"\nmodel = \"{name}-1\"\n"
    )
}

/// A registry over a tree.
pub(crate) struct Desk {
    /// What is searched.
    pub(crate) tree: Tree,
    /// The tools.
    pub(crate) toolbox: Toolbox,
    /// What time it is for their rate limit.
    pub(crate) clock: Arc<Hand>,
    session: Session,
}

impl Desk {
    /// Over a few files.
    pub(crate) fn over(files: &[(&str, &str)], config: &str) -> Self {
        Self::at(Tree::of(files), &["."], ".", config)
    }

    /// Over a tree, with these directories as roots of the sandbox, and this one as working
    /// directory.
    pub(crate) fn at(tree: Tree, roots: &[&str], working_dir: &str, config: &str) -> Self {
        let config = Config::from_toml(config, Preset::Agent)
            .unwrap_or_else(|why| panic!("{why}:\n{config}"));
        let roots: Vec<PathBuf> = roots.iter().map(|root| tree.place(root)).collect();
        let sandbox = Sandbox::new(&roots, &tree.place(working_dir)).unwrap();
        let service = Arc::new(Service::new(config, sandbox).unwrap());
        let clock = Arc::new(Hand::default());
        let toolbox =
            Toolbox::with_clock(service, Profile::All, Arc::clone(&clock) as Arc<dyn Clock>)
                .with_client(forge_search_llm::client);
        let session = toolbox.session();
        Self { tree, toolbox, clock, session }
    }

    /// The same, with a scripted model.
    pub(crate) fn with(self, model: &Arc<Scripted>) -> Self {
        let model: Arc<dyn LanguageModel> = Arc::clone(model) as _;
        Self { toolbox: self.toolbox.with_model(model), ..self }
    }

    /// A call.
    pub(crate) fn call(&self, request: &Value) -> Answer {
        self.call_as(request, &Call::new())
    }

    /// A call that another thread can observe.
    pub(crate) fn call_as(&self, request: &Value, call: &Call) -> Answer {
        self.toolbox.call(&self.session, "keyword_search", &Json(request), call)
    }

    /// The structured answer to a call, which has to be none of an error.
    pub(crate) fn page(&self, request: &Value) -> Value {
        let answer = self.call(request);
        assert!(!answer.is_error, "{request}: {}", answer.structured);
        answer.structured
    }

    /// Word, code and field of the error in which a call ends.
    pub(crate) fn refused(&self, request: &Value) -> [String; 3] {
        let answer = self.call(request);
        assert!(answer.is_error, "{request}: {}", answer.structured);
        ["error", "code", "field"].map(|name| text(&answer.structured[name]))
    }

    /// What would be sent.
    pub(crate) fn prompt(&self, terms: &[&str]) -> String {
        text(&self.page(&dry(terms))["prompt"])
    }

    /// The hits that would be sent.
    pub(crate) fn data(&self, terms: &[&str]) -> String {
        between(&self.prompt(terms)).1
    }
}

/// A model with scripted answers that records its prompts.
pub(crate) struct Scripted {
    facts: ModelFacts,
    script: Box<dyn Fn(&Prompt) -> String + Send + Sync>,
    prompts: Mutex<Vec<Prompt>>,
}

impl Scripted {
    /// Answers by a script.
    pub(crate) fn by(script: impl Fn(&Prompt) -> String + Send + Sync + 'static) -> Arc<Self> {
        let facts = ModelFacts {
            name: "small".to_owned(),
            model: "small-1".to_owned(),
            host: "nowhere".to_owned(),
        };
        Arc::new(Self { facts, script: Box::new(script), prompts: Mutex::default() })
    }

    /// Answers the same to everything.
    pub(crate) fn saying(answer: &str) -> Arc<Self> {
        let answer = answer.to_owned();
        Self::by(move |_| answer.clone())
    }

    /// What it was asked.
    pub(crate) fn prompts(&self) -> Vec<Prompt> {
        self.prompts.lock().unwrap().clone()
    }
}

impl LanguageModel for Scripted {
    fn facts(&self) -> &ModelFacts {
        &self.facts
    }

    fn ask(&self, prompt: &Prompt, _: Instant, _: &[&AtomicBool]) -> Result<String, ModelFailure> {
        self.prompts.lock().unwrap().push(prompt.clone());
        Ok((self.script)(prompt))
    }
}

/// A request that wants a model.
pub(crate) fn ask(terms: &[&str]) -> Value {
    json!({"query": "how long does it wait", "search_terms": terms})
}

/// A request that wants none.
pub(crate) fn alone(terms: &[&str]) -> Value {
    json!({"query": "how long does it wait", "search_terms": terms, "use_model": false})
}

/// A request that wants to see the prompt.
pub(crate) fn dry(terms: &[&str]) -> Value {
    json!({"query": "how long does it wait", "search_terms": terms, "dry_run": true})
}

/// A model's answer.
pub(crate) fn files(each: &[(&str, &[u64], &str)]) -> String {
    let each = each
        .iter()
        .map(|(path, lines, reason)| json!({"path": path, "lines": lines, "reason": reason}));
    json!({"files": each.collect::<Vec<_>>()}).to_string()
}

/// The text of a value; nothing if it is none.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The paths of the results.
pub(crate) fn paths(page: &Value) -> Vec<String> {
    page["results"].as_array().unwrap().iter().map(|result| text(&result["path"])).collect()
}

/// The paths of the results in the order of their bytes, whatever their rank.
pub(crate) fn found(page: &Value) -> Vec<String> {
    let mut paths = paths(page);
    paths.sort();
    paths
}

/// Numbers of the lines of one result.
pub(crate) fn lines(result: &Value) -> Vec<u64> {
    result["lines"].as_array().unwrap().iter().map(|line| line["line"].as_u64().unwrap()).collect()
}

/// The names of the notices.
pub(crate) fn notices(page: &Value) -> Vec<String> {
    page["notices"].as_array().unwrap().iter().map(|notice| text(&notice["notice"])).collect()
}

/// The boundary of a prompt and what stands between the two lines that are it.
pub(crate) fn between(prompt: &str) -> (String, String) {
    let is_boundary = |line: &&str| {
        line.strip_prefix("hits-").is_some_and(|digits| {
            digits.len() == 16
                && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
        })
    };
    let boundary =
        prompt.split('\n').find(is_boundary).unwrap_or_else(|| panic!("no boundary in {prompt}"));
    let line = format!("\n{boundary}\n");
    let parts: Vec<&str> = prompt.split(&line).collect();
    let [_, data, _] = parts.as_slice() else { panic!("{} parts in {prompt}", parts.len()) };
    (boundary.to_owned(), format!("{data}\n"))
}

/// The program of the service, if it has been built beside this test.
pub(crate) fn service_program() -> Option<PathBuf> {
    let built = std::env::current_exe().unwrap();
    let program = built.ancestors().nth(2)?.join("forge-search");
    assert!(
        program.exists() || std::env::var_os("CI").is_none(),
        "there is no service here and CI is set"
    );
    program.exists().then_some(program)
}

/// A file outside of every tree, with a configuration.
pub(crate) fn configuration(directory: &Path, config: &str) -> PathBuf {
    let path = directory.join("config.toml");
    fs::write(&path, config).unwrap();
    path
}
