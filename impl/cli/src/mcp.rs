//! `forge-search mcp`: the tools for an agent, over the Model Context Protocol on standard input and output.
//!
//! Responsible for: everything that mentions the protocol: what the tools are called in it, one call to one answer, cancelling, ending.
//! Left to neighbours: what a tool is and answers (the engine), configuration and roots ([`crate::setup`]).
//! Invariants: nothing but protocol goes to standard output; a call that is cancelled frees its threads and ends its processes; no more calls
//! run, or wait, than the limits below; the program ends when its input does.

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use forge_search_engine::{IndexUse, Service, ToolContext, ToolDefinition, ToolError, escape_line};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::{
    args::{Budget, Common},
    call, setup,
};

/// Calls that run at once; each uses all processors.
const RUNNING: usize = 4;
/// Calls that run or wait; one more is told to come back.
const ACCEPTED: usize = 64;
/// Bytes of an answer of `search_files` that nobody set a limit for: some thousands of tokens.
const ANSWER_BYTES: u64 = 32 << 10;
/// How long calls in progress may take to notice that nobody waits for them, once the input has ended.
const LEAVE_TIME: Duration = Duration::from_secs(2);

const INSTRUCTIONS: &str = "Read-only code search below the working directory. Search finds lines by regular expression or literal; \
    search_files finds every match, also approximately (mode fuzzy), as JSON. Answers are sorted and the same on every run; they say when they \
    are incomplete and why.";

/// Serves until the input ends or somebody interrupts.
pub(crate) fn run(common: &Common, budget: Budget) -> ExitCode {
    match serve(common, budget) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forge-search: {}", escape_line(&error.message));
            ExitCode::from(2)
        }
    }
}

fn serve(common: &Common, budget: Budget) -> Result<(), ToolError> {
    let config = setup::config(common)?;
    let using = if config.index.index_mode == "off" { IndexUse::None } else { IndexUse::Background };
    let context = ToolContext {
        max_output_bytes: budget
            .max_output_bytes
            .unwrap_or(config.search_files.max_output_bytes.min(ANSWER_BYTES)),
        available_capacity_bytes: budget.available_capacity.unwrap_or(u64::MAX),
        ..ToolContext::default()
    };
    let service = Arc::new(setup::build(common, config, &[], using)?);
    let failed = |why: String| ToolError::failed("mcp", why);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(RUNNING + 2)
        .enable_all()
        .build()
        .map_err(|err| failed(format!("cannot start: {err}")))?;
    let server = Server {
        service: Arc::clone(&service),
        context,
        running: Arc::new(Semaphore::new(RUNNING)),
        accepted: Arc::new(Semaphore::new(ACCEPTED)),
    };
    let served = runtime.block_on(server.until_the_end());
    service.cancel_switch().store(true, Ordering::Relaxed);
    // Whoever still reads the input cannot be woken; nobody waits for it.
    runtime.shutdown_timeout(LEAVE_TIME);
    service.index_shutdown();
    served.map_err(failed)
}

/// The tools of one service.
#[derive(Clone)]
struct Server {
    service: Arc<Service>,
    context: ToolContext,
    running: Arc<Semaphore>,
    accepted: Arc<Semaphore>,
}

/// What one call came to.
enum Outcome {
    /// An answer: what a model reads, and the same as data, where that says more.
    Answer(String, Option<Value>),
    /// A refusal that the caller can mend.
    Refused(ToolError),
}

impl Server {
    async fn until_the_end(self) -> Result<(), String> {
        let serving = async {
            let running = match self.serve(rmcp::transport::stdio()).await {
                Ok(running) => running,
                // The input ended before a word was said.
                Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
                Err(err) => return Err(format!("the client does not speak the protocol: {err}")),
            };
            running.waiting().await.map(drop).map_err(|err| format!("ended unexpectedly: {err}"))
        };
        tokio::select! {
            served = serving => served,
            () = interrupted() => Ok(()),
        }
    }

    fn carry_out(&self, name: &str, arguments: &Value, cancelled: &AtomicBool) -> Outcome {
        if name == forge_search_engine::search_files_definition().name {
            let mut context = self.context;
            return match self.service.search_files_until(&mut context, arguments, cancelled) {
                Ok(answer) => Outcome::Answer(answer.text, None),
                Err(error) => Outcome::Refused(error),
            };
        }
        let response = match self.service.call_until(name, arguments, cancelled) {
            Ok(response) => response,
            Err(error) => return Outcome::Refused(error),
        };
        let mut data = serde_json::to_value(&response).unwrap_or_default();
        // It is the text that goes beside the data; once is enough.
        if let Some(fields) = data.as_object_mut() {
            fields.remove("content");
        }
        Outcome::Answer(response.content, Some(data))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("forge-search", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(call::definitions().into_iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        if !call::is_known(&name) {
            return Err(ErrorData::invalid_params(format!("unknown tool `{}`", escape_line(&name)), None));
        }
        let Ok(_accepted) = Arc::clone(&self.accepted).try_acquire_owned() else {
            let why = format!("{ACCEPTED} calls are waiting already; wait for one of them");
            return Ok(refused(&ToolError::failed("calls", why)).into());
        };
        let over = || ErrorData::internal_error("the call was cancelled", None);
        let running = tokio::select! {
            running = Arc::clone(&self.running).acquire_owned() => running.map_err(|_| over())?,
            () = context.ct.cancelled() => return Err(over()),
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let (server, switch) = (self.clone(), Arc::clone(&cancelled));
        let mut work = tokio::task::spawn_blocking(move || {
            let _running = running;
            let arguments = Value::Object(request.arguments.unwrap_or_default());
            server.carry_out(&name, &arguments, &switch)
        });
        let outcome = tokio::select! {
            outcome = &mut work => outcome,
            () = context.ct.cancelled() => {
                cancelled.store(true, Ordering::Relaxed);
                work.await
            }
        };
        match outcome {
            Ok(Outcome::Answer(text, data)) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = data;
                Ok(result.into())
            }
            Ok(Outcome::Refused(error)) => Ok(refused(&error).into()),
            Err(_) => Err(ErrorData::internal_error("the search ended unexpectedly", None)),
        }
    }
}

/// A refusal that the caller can mend: a result, not an error of the protocol, so that the model sees it.
fn refused(error: &ToolError) -> CallToolResult {
    let field = error.field.as_deref().map_or_else(String::new, |field| format!(" ({field})"));
    let text = format!("{:?}{field}: {}", error.class, error.message);
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// A tool as the protocol lists it.
fn tool(definition: ToolDefinition) -> Tool {
    let schema = definition.input_schema.as_object().cloned().unwrap_or_default();
    let looks = !definition.is_side_effecting;
    let annotations =
        ToolAnnotations::new().read_only(looks).destructive(!looks).idempotent(looks).open_world(false);
    Tool::new(definition.name, definition.description, schema).with_annotations(annotations)
}

/// Until somebody at the terminal, or the system, wants the program to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
