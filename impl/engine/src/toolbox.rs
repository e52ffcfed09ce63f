//! The registry of tools, and the one way that a call takes through it: name, limit, request,
//! search, length (FR-015b-36, NFR-015b-10; docs/agent-tools.md).
//!
//! Responsible for: which tools a profile has, in which order; the order of the steps of a call,
//! whichever tool it is. Not here: what tools mean and do; what a session's limit is; protocols.
//! Invariants: a call that is refused has searched nothing; nothing of an answer depends on the
//! clock except that a deadline or a limit cuts it, which it says.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use crate::{
    agent::{overlay::Overlay, tokens::Tokenizer},
    call::Call,
    config::AgentConfig,
    index::{Clock, SystemClock},
    language_model::{Client, LanguageModel},
    observe::{self, Outcome},
    service::Service,
};
use forge_search_core::{
    ToolError,
    agent::{ErrorKind, Notice, NoticeKind, Refusal},
    content::escape_name,
    glob::Place,
    scope::OutsideGlob,
    tool::{Profile, ToolDefinition},
};

mod answer;
mod arguments;
mod fit;
mod keyword_search;
mod registry;
mod session;
mod turn;
mod typed;

pub use answer::Answer;
pub use arguments::Arguments;
use registry::Tool;
pub use session::Session;
use turn::{Counted, Turn, defaults};

/// The fields of globs of the agent's tools.
const PATHS: [&str; 2] = ["include_path", "exclude_path"];

/// The definitions of the tools of a profile, in the order of their names.
pub fn definitions(profile: Profile) -> Vec<ToolDefinition> {
    registry::tools(profile, true).into_iter().map(|(_, tool)| tool).collect()
}

/// The language models that `keyword_search` may ask.
enum Models {
    None,
    One(Arc<dyn LanguageModel>),
    Configured(Client),
}

/// The tools of one service, under the names of one profile.
pub struct Toolbox {
    service: Arc<Service>,
    profile: Profile,
    tools: Vec<ToolDefinition>,
    overlay: Overlay,
    clock: Arc<dyn Clock>,
    models: Models,
    /// Names of models that were unavailable in an earlier call.
    gone: Mutex<BTreeSet<String>>,
    calls: AtomicU64,
}

impl Toolbox {
    /// The tools of `profile` over `service`.
    pub fn new(service: Arc<Service>, profile: Profile) -> Self {
        Self::with_clock(service, profile, Arc::new(SystemClock(Instant::now())))
    }

    /// The same, with another clock for the rate limit.
    pub fn with_clock(service: Arc<Service>, profile: Profile, clock: Arc<dyn Clock>) -> Self {
        let tools = registry::tools(profile, service.config().keyword.terms_from_query);
        let tools = tools.into_iter().map(|(_, tool)| tool).collect();
        let overlay = Overlay::new(service.sandbox().working_dir().to_owned());
        Self {
            service,
            profile,
            tools,
            overlay,
            clock,
            models: Models::None,
            gone: Mutex::default(),
            calls: AtomicU64::new(0),
        }
    }

    /// The same, with this language model instead of the configured ones.
    #[must_use]
    pub fn with_model(self, model: Arc<dyn LanguageModel>) -> Self {
        Self { models: Models::One(model), ..self }
    }

    /// The same, with this client for the configured language models. Without one none is asked.
    #[must_use]
    pub fn with_client(self, client: Client) -> Self {
        Self { models: Models::Configured(client), ..self }
    }

    /// The definitions of the tools, in the order of their names.
    pub fn tools(&self) -> &[ToolDefinition] {
        &self.tools
    }

    /// Whether a tool has this name or alias.
    pub fn is_known(&self, name: &str) -> bool {
        Tool::named(self.profile, name).is_some()
    }

    /// A new session, with its own rate limit.
    pub fn session(&self) -> Session {
        Session::default()
    }

    /// The service that the tools search.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Does the slow work of a first call in advance.
    pub fn prepare(&self) {
        Tokenizer::from(self.service.config().agent.tokenizer).prepare();
    }

    /// A call that has these arguments and waits for its turn. The error says that they do not fit
    /// beside what other calls of the service hold.
    pub fn waiting(&self, arguments: &dyn Arguments) -> Result<Call, ToolError> {
        let call = Call::new();
        call.account.join_with_arguments(self.service.in_flight(), arguments.bytes())?;
        Ok(call)
    }

    /// Runs one call, logs it and counts it.
    pub fn call(
        &self,
        session: &Session,
        tool: &str,
        arguments: &dyn Arguments,
        call: &Call,
    ) -> Answer {
        let (query_id, answer) = self.observed(self.listed_name(tool), arguments.query(), |_| {
            self.dispatch(session, tool, arguments, call)
        });
        Answer { query_id, ..answer.unwrap_or_else(|refusal| Answer::refused(&refusal)) }
    }

    /// Logs a call and counts it (FR-015b-37, FR-015b-38). Returns its number.
    fn observed<A: Counted>(
        &self,
        name: &'static str,
        query: Option<&str>,
        run: impl FnOnce(&'static str) -> Result<A, Refusal>,
    ) -> (u64, Result<A, Refusal>) {
        let query_id = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let _span = observe::span(query_id, name, query).entered();
        let started = Instant::now();
        let answer = run(name);
        let (outcome, results) = match &answer {
            Ok(answer) if answer.complete() => (Outcome::Complete, answer.results()),
            Ok(answer) => (Outcome::Partial, answer.results()),
            Err(refusal) => {
                if let Some(seconds) = refusal.retry_after_seconds {
                    let limit =
                        self.overlay.current(&self.service.config().agent).0.searches_per_minute;
                    observe::rate_limited(name, limit, seconds);
                }
                (Outcome::Failed(refusal.kind.name()), 0)
            }
        };
        observe::call_ended(name, outcome, started.elapsed(), results);
        (query_id, answer)
    }

    /// Whether configuration permits the tool. Checked before anything of the request.
    fn check_enabled(&self, tool: Tool, name: &str, config: &AgentConfig) -> Result<(), Refusal> {
        let own = self.service.config();
        let (enabled, table) = match tool {
            Tool::Search => (own.enabled, "search"),
            Tool::Contents => return Ok(()),
            Tool::Keyword => (own.keyword.enabled, "keyword"),
            Tool::Text | Tool::Grep | Tool::Paths => (config.enabled, "agent"),
        };
        if enabled {
            return Ok(());
        }
        let why = format!("tool `{name}` is disabled; set tools.{table}.enabled to true");
        Err(Refusal::new(ErrorKind::SearchFailed, why))
    }

    /// The listed name of a tool or alias.
    fn listed_name(&self, name: &str) -> &'static str {
        let tool = Tool::named(self.profile, name);
        tool.and_then(|tool| self.listed(tool)).unwrap_or(observe::UNKNOWN_TOOL)
    }

    /// The name of a tool in the profile.
    fn listed(&self, tool: Tool) -> Option<&'static str> {
        let mut names = self.tools.iter().map(|listed| listed.name);
        names.find(|name| Tool::named(self.profile, name) == Some(tool))
    }

    fn unknown(&self, name: &str) -> Refusal {
        let known: Vec<&str> = self.tools.iter().map(|tool| tool.name).collect();
        let (name, known) = (escape_name(name), known.join(", "));
        Refusal::new(
            ErrorKind::UnknownTool,
            format!("unknown tool `{name}`; known tools are {known}"),
        )
    }

    /// Accepts a call, or says why not. Nothing has been searched then.
    fn turn<'c>(
        &self,
        tool: Tool,
        name: &str,
        session: &Session,
        bytes: u64,
        call: &'c Call,
    ) -> Result<Turn<'c>, Refusal> {
        let started = Instant::now();
        let (config, wrong) = self.overlay.current(&self.service.config().agent);
        let wrong = wrong.map(|why| Notice::new(NoticeKind::Configuration, why));
        self.check_enabled(tool, name, &config)?;
        call.account.join_with_arguments(self.service.in_flight(), bytes)?;
        let near = session.admit(
            self.listed_name(name),
            config.searches_per_minute,
            self.clock.now_ms(),
        )?;
        let notices = near.into_iter().chain(wrong).collect();
        Ok(Turn { tool, call, config, notices, started })
    }

    fn dispatch(
        &self,
        session: &Session,
        name: &str,
        arguments: &dyn Arguments,
        call: &Call,
    ) -> Result<Answer, Refusal> {
        let tool = Tool::named(self.profile, name).ok_or_else(|| self.unknown(name))?;
        let turn = self.turn(tool, name, session, arguments.bytes(), call)?;
        let (config, defaults) = (self.service.config(), defaults(&turn.config));
        let refused = |error| tool.refused(error);
        let place =
            |root: Option<&str>,
             fields,
             place: &mut dyn FnMut(&Place<'_>) -> Result<(), OutsideGlob>| {
                self.service.place_globs(root, fields, place).map_err(refused)
            };
        Ok(match tool {
            Tool::Search => {
                let mut request = arguments.search(&config.limits()).map_err(refused)?;
                let scope = &mut request.scope;
                place(request.path.as_deref(), ["include_glob", "exclude_glob"], &mut |at| {
                    scope.place(at)
                })?;
                let found = self
                    .service
                    .lines_found(
                        &request,
                        turn.started,
                        &call.cancelled,
                        &call.account,
                        &mut |_| {},
                    )
                    .map_err(refused)?;
                turn.length().search(&self.service, &found, turn.started)
            }
            Tool::Contents => {
                let files = &config.search_files;
                let most = turn.config.max_answer_bytes.min(files.max_output_bytes);
                let (caps, can_fuzzy) = (files.caps(), files.can_fuzzy());
                let mut request = arguments.search_files(&caps, can_fuzzy).map_err(refused)?;
                let scope = &mut request.scope;
                place(Some(&request.path), ["include_globs", "exclude_globs"], &mut |at| {
                    scope.place(at)
                })?;
                let found = self
                    .service
                    .files_found(&request, most, turn.started, call)
                    .map_err(refused)?;
                turn.length().files(&found, most).map_err(refused)?
            }
            Tool::Text => {
                let mut request = arguments.search_text(&defaults).map_err(refused)?;
                let scope = &mut request.scope;
                place(request.directory.as_deref(), PATHS, &mut |at| scope.place(at))?;
                turn.fitted(|until| self.service.search_text(&request, until, call))?.into()
            }
            Tool::Grep => {
                let mut request = arguments.grep(&defaults).map_err(refused)?;
                let scope = &mut request.scope;
                place(request.directory.as_deref(), PATHS, &mut |at| scope.place(at))?;
                turn.fitted(|until| self.service.grep(&request, until, call))?.into()
            }
            Tool::Paths => {
                let mut request = arguments.find_files(&defaults).map_err(refused)?;
                let directory = request.directory.clone();
                place(directory.as_deref(), ["pattern", ""], &mut |at| request.place_pattern(at))?;
                let scope = &mut request.scope;
                place(directory.as_deref(), PATHS, &mut |at| scope.place(at))?;
                turn.fitted(|until| self.service.find_files(&request, until, call))?.into()
            }
            Tool::Keyword => {
                let request = arguments.keyword_search(&defaults, &config.keyword);
                let request = request.map_err(refused)?;
                self.files_by_terms(&request, turn)?.into()
            }
        })
    }
}
