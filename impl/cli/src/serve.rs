//! `forge-search mcp`: the tools of one service, mounted for an agent.
//!
//! What the protocol is stays in [`forge_search_cli::mcp`]; what tools are and answer, in the
//! engine. Here the two are put together: one session
//! for the connection, one [`Call`] for each piece of work.

use std::{
    fmt::Write,
    io::IsTerminal as _,
    process::ExitCode,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use forge_search_cli::mcp::{
    self, About, ContentBlock, Limits, Listing, Progress, Reply, Tools, Work,
};
use forge_search_engine::{
    Answer, Call, IndexMode, IndexUse, NAMES, NamedRoot, Profile, Service, Session, ToolDefinition,
    ToolError, Toolbox, escape_name,
    json::Json,
    observe::{self, Outcome},
};
use serde_json::{Map, Value, json};
use tracing::error_span;

use crate::{
    args::{Common, Names},
    clients,
    consent::Consent,
    errors::Failure,
    log,
    metrics::{self, Watch},
    setup,
};

/// How long calls in progress go on once the input has ended, and how long the index has to put
/// down what it is at: the program ends within two seconds.
const GRACE_MS: u64 = 700;
const INDEX_MS: u64 = 700;

/// The instructions for clients: for every profile, for each, and for all answers.
const ABOUT: &str = "Read-only code search below the working directory; nothing is changed, \
    nothing outside is seen. ";
/// In the place of the first where there are several roots, whose names follow.
const ABOUT_ROOTS: &str = "Read-only code search below these roots; nothing is changed, nothing \
    outside is seen: ";
const ABOUT_NAMES: &str = ". Paths begin with the name of a root. A call that names no directory \
    searches all roots. ";
/// Roots that are named; of more it is said how many there are.
const MOST_ROOTS: usize = 32;
const ABOUT_DEFAULT: &str = "To find where something is defined or dealt with, ask search_text: \
    it ranks files. To see every line with an exact text or a regular expression, ask grep. \
    To find files by name, ask find_files. If you know neither a name nor a word that must occur, \
    ask keyword_search with many guesses.";
const ABOUT_ALL: &str = "To find where something is defined or dealt with, ask search_text: \
    it ranks files. To see every line with an exact text or a regular expression, ask grep, or \
    Search for whole words, approximate literals, hidden or ignored files. \
    To find files by name, ask find_files. search_files lists every match in every file, \
    approximate ones too. If you know neither a name nor a word that must occur, \
    ask keyword_search with many guesses.";
const ABOUT_FORGE: &str = "Search finds lines by regular expression or literal; \
    search_files lists every match in every file, approximate ones too; \
    keyword_search finds files by concept.";
const ABOUT_ACODE: &str = "To find where something is defined or dealt with, ask search_text: \
    it ranks files. To see every line with an exact text or a regular expression, ask grep. \
    To find files by name, ask search_files.";
const ABOUT_ANSWERS: &str =
    " Answers are sorted and the same on every run; they say when they are incomplete, and why.";

/// Serves until the input ends or somebody interrupts.
pub(crate) fn run(common: &Common, names: Names, watch: Watch, consent: Consent) -> ExitCode {
    let _log = log::to_stderr(watch.log);
    if std::io::stdin().is_terminal()
        && let Err(failure) = clients::explain(common, consent)
    {
        return failure.tell();
    }
    match serve(common, names, watch, consent) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => Failure::from(error).tell(),
    }
}

fn serve(common: &Common, names: Names, watch: Watch, consent: Consent) -> Result<(), ToolError> {
    let mut config = consent.config(common)?;
    setup::check_start(common)?;
    let using = if config.index.index_mode == IndexMode::Off {
        IndexUse::None
    } else {
        IndexUse::Background
    };
    config.index.index_shutdown_timeout_ms = config.index.index_shutdown_timeout_ms.min(INDEX_MS);
    let service = Arc::new(setup::build(common, config, &[], using)?);
    let watching = metrics::begin(watch, &service)?;
    let profile = names.profile_or(Profile::Default);
    let toolbox =
        Arc::new(Toolbox::new(Arc::clone(&service), profile).with_client(forge_search_llm::client));
    let unprepared = Arc::clone(&toolbox);
    std::thread::spawn(move || unprepared.prepare());
    let connection = Connection { session: Arc::new(toolbox.session()), toolbox, profile };
    let limits = Limits { grace: Duration::from_millis(GRACE_MS), ..Limits::default() };
    let served = mcp::over_stdio(connection, &limits);
    // A call that has not noticed yet notices now.
    service.cancel_switch().store(true, Ordering::Relaxed);
    watching.end();
    service.index_shutdown();
    served.map_err(|err| ToolError::failed("mcp", err.to_string()))
}

/// One client and the tools it sees.
struct Connection {
    toolbox: Arc<Toolbox>,
    session: Arc<Session>,
    profile: Profile,
}

impl Tools for Connection {
    fn about(&self) -> About {
        let tools = match self.profile {
            Profile::Default => ABOUT_DEFAULT,
            Profile::All => ABOUT_ALL,
            Profile::Forge => ABOUT_FORGE,
            Profile::Acode => ABOUT_ACODE,
        };
        About {
            name: "forge-search",
            title: "Code search",
            version: env!("CARGO_PKG_VERSION"),
            instructions: [&where_it_searches(self.toolbox.service()), tools, ABOUT_ANSWERS]
                .concat(),
        }
    }

    fn listings(&self) -> Vec<Listing> {
        self.toolbox.tools().iter().map(listing).collect()
    }

    fn is_known(&self, name: &str) -> bool {
        self.toolbox.is_known(name)
    }

    fn begin(&self, name: &str, arguments: Map<String, Value>) -> Result<Arc<dyn Work>, Reply> {
        let arguments = Value::Object(arguments);
        let call = self.toolbox.waiting(&Json(&arguments));
        let call = call.map_err(|error| self.no_room(name, &error.message))?;
        let (toolbox, session) = (Arc::clone(&self.toolbox), Arc::clone(&self.session));
        Ok(Arc::new(Piece { toolbox, session, name: name.to_owned(), arguments, call }))
    }

    fn busy(&self, name: &str, why: &str) -> Reply {
        self.no_room(name, &format!("{why}; wait for the answer of one of them, then call again"))
    }
}

impl Connection {
    /// The answer to a call that was not begun.
    fn no_room(&self, name: &str, message: &str) -> Reply {
        // It never was a call of the toolbox, which numbers them.
        let tool = self.listed_name(name);
        error_span!("call", tool)
            .in_scope(|| observe::call_ended(tool, Outcome::Failed("busy"), Duration::ZERO, 0));
        let error = json!({ "error": "busy", "code": "ACODE-SRC-009", "message": message });
        refusal(format!("busy (ACODE-SRC-009): {message}"), error, Map::new())
    }

    /// The name under which a tool is listed; other names are all those of `Search`.
    fn listed_name(&self, name: &str) -> &'static str {
        let [search, others @ ..] = NAMES;
        let name = if others.contains(&name) { search } else { name };
        let listed = self.toolbox.tools().iter().find(|tool| tool.name == name);
        listed.map_or(observe::UNKNOWN_TOOL, |tool| tool.name)
    }
}

/// The beginning of the instructions.
fn where_it_searches(service: &Service) -> String {
    let roots = service.named_roots();
    if roots.is_empty() {
        return ABOUT.to_owned();
    }
    let shown = roots.iter().take(MOST_ROOTS).map(|NamedRoot { name, path }| {
        format!("`{}` ({})", escape_name(name), escape_name(&path.to_string_lossy()))
    });
    let mut shown: Vec<String> = shown.collect();
    if let more @ 1.. = roots.len().saturating_sub(MOST_ROOTS) {
        shown.push(format!("{more} more"));
    }
    [ABOUT_ROOTS, &shown.join(", "), ABOUT_NAMES].concat()
}

fn listing(tool: &ToolDefinition) -> Listing {
    Listing {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: tool.input_schema.as_object().cloned().unwrap_or_default(),
        output_schema: tool.output_schema.as_object().cloned(),
        read_only: !tool.is_side_effecting,
        open_world: tool.open_world,
    }
}

/// One call.
struct Piece {
    toolbox: Arc<Toolbox>,
    session: Arc<Session>,
    name: String,
    arguments: Value,
    call: Call,
}

impl Work for Piece {
    fn carry_out(&self) -> Reply {
        reply(self.toolbox.call(&self.session, &self.name, &Json(&self.arguments), &self.call))
    }

    fn cancel(&self) {
        self.call.cancel();
    }

    fn open_world(&self) -> bool {
        self.toolbox.tools().iter().any(|tool| tool.name == self.name && tool.open_world)
    }

    fn progress(&self) -> Option<Progress> {
        let seen = self.call.files_seen();
        let mut message = format!("{seen} files seen");
        let mut indexed = 0;
        for status in self.toolbox.service().index_status() {
            let (Some(phase), done) = (status.build_phase, status.build_files_done.unwrap_or(0))
            else {
                continue;
            };
            indexed += done;
            let of =
                status.build_files_total.map_or_else(String::new, |total| format!(" of {total}"));
            // Writing to a string does not fail.
            let _ = write!(message, "; index: {}, {done}{of} files", phase.to_lowercase());
        }
        Some(Progress { done: seen + indexed, total: None, message: Some(message) })
    }
}

/// An answer as it is sent: the data beside a text that is shorter, unless it escapes what a
/// terminal would obey; an error as text, because clients hold data against the tool's schema.
fn reply(answer: Answer) -> Reply {
    let mut meta = Map::new();
    meta.insert("forge-search/query_id".to_owned(), json!(answer.query_id));
    if answer.is_error {
        return refusal(answer.text, answer.structured, meta);
    }
    let structured = (!answer.structured.is_null()).then_some(answer.structured);
    Reply { content: vec![ContentBlock::text(answer.text)], structured, is_error: false, meta }
}

fn refusal(text: String, error: Value, mut meta: Map<String, Value>) -> Reply {
    meta.insert("forge-search/error".to_owned(), error);
    Reply { content: vec![ContentBlock::text(text)], structured: None, is_error: true, meta }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        sync::{Arc, Mutex},
    };

    use forge_search_engine::{Config, Preset, Profile, Sandbox, Service, Toolbox};
    use serde_json::{Map, json};
    use tracing::subscriber::with_default;

    use super::{Connection, Tools};
    use crate::metrics::Figures;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_keyword_search_waits_for_an_external_service() {
        let tree = tempfile::tempdir().unwrap();
        let sandbox = Sandbox::new(&[tree.path().to_owned()], tree.path()).unwrap();
        let service = Arc::new(Service::new(Config::preset(Preset::Agent), sandbox).unwrap());
        let profile = Profile::All;
        let toolbox = Arc::new(Toolbox::new(service, profile));
        let connection = Connection { session: Arc::new(toolbox.session()), toolbox, profile };
        let names: Vec<&str> = connection.listings().iter().map(|listed| listed.name).collect();
        let outside =
            names.iter().filter(|name| connection.begin(name, Map::new()).unwrap().open_world());
        assert_eq!(outside.collect::<Vec<_>>(), [&"keyword_search"], "{names:?}");
    }

    #[test]
    fn a_busy_call_is_counted_under_the_listed_name_of_its_tool() {
        let tree = tempfile::tempdir().unwrap();
        let sandbox = Sandbox::new(&[tree.path().to_owned()], tree.path()).unwrap();
        let service = Arc::new(Service::new(Config::preset(Preset::Agent), sandbox).unwrap());
        for (profile, name, listed) in [
            (Profile::All, "find_files", "find_files"),
            (Profile::All, "rg", "Search"),
            (Profile::Forge, "search", "Search"),
            (Profile::Acode, "search_files", "search_files"),
        ] {
            let toolbox = Arc::new(Toolbox::new(Arc::clone(&service), profile));
            let connection = Connection { session: Arc::new(toolbox.session()), toolbox, profile };
            let (figures, log) = (Figures::default(), Log::default());
            let lines = log.clone();
            let subscriber = tracing_subscriber::fmt()
                .with_writer(move || lines.clone())
                .with_ansi(false)
                .finish();
            let reply = metrics::with_local_recorder(&figures, || {
                with_default(subscriber, || connection.busy(name, "busy"))
            });
            assert!(
                reply.is_error && reply.meta["forge-search/error"]["error"] == "busy",
                "{reply:?}"
            );
            assert_eq!(reply.meta.get("forge-search/query_id"), None);
            let tools = figures.summary().tools;
            assert_eq!(tools.keys().collect::<Vec<_>>(), [listed], "{name}");
            assert_eq!(json!(tools[listed].errors), json!({ "busy": 1 }), "{name}");
            let told = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
            assert!(told.contains(&format!("call{{tool=\"{listed}\"}}: ")), "{told}");
        }
    }
}
