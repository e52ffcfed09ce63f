//! The server's side of the conversation: who it is, what it lists, and what becomes of a call.

use std::{borrow::Cow, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
        ErrorCode, Implementation, ListToolsResult, MetaObject, PaginatedRequestParams,
        ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::json;
use tokio::sync::watch;

use super::{
    Limits, Listing, Reply, Stage, Tools,
    calls::{Calls, Outcome},
    message::{METHODS, quoted},
};

/// A connection's server over some tools. It can be served over any transport.
#[derive(Debug)]
pub struct Server<T> {
    tools: Arc<T>,
    calls: Calls,
}

impl<T: Tools> Server<T> {
    /// A server that goes on until its transport ends.
    pub fn new(tools: T, limits: Limits) -> Self {
        Self::until(tools, limits, watch::Sender::new(Stage::Open).subscribe())
    }

    /// One whose calls are cut when the stage says so.
    pub(super) fn until(tools: T, limits: Limits, stage: watch::Receiver<Stage>) -> Self {
        Self { tools: Arc::new(tools), calls: Calls::new(limits, stage) }
    }
}

impl<T: Tools> ServerHandler for Server<T> {
    fn get_info(&self) -> ServerConfig {
        let about = self.tools.about();
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new(about.name, about.version).with_title(about.title),
            )
            .with_instructions(about.instructions)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if let Some(cursor) = request.and_then(|request| request.cursor) {
            let why = format!(
                "`params.cursor` {} was not given out: all tools are on one page; leave it out",
                quoted(&cursor)
            );
            return Err(ErrorData::invalid_params(why, Some(json!({ "field": "params.cursor" }))));
        }
        Ok(ListToolsResult::with_all_items(self.tools.listings().into_iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name: Cow<'static, str> = request.name;
        if !self.tools.is_known(&name) {
            let known: Vec<&str> =
                self.tools.listings().iter().map(|listing| listing.name).collect();
            let why = format!("unknown tool {}; the tools are {}", quoted(&name), known.join(", "));
            return Err(ErrorData::invalid_params(why, Some(json!({ "field": "params.name" }))));
        }
        let arguments = request.arguments.unwrap_or_default();
        let begin = |arguments| self.tools.begin(&name, arguments);
        match self.calls.carry_out(arguments, begin, &context).await {
            Outcome::Done(reply) => Ok(result(reply).into()),
            Outcome::NoPlace(why) => Ok(result(self.tools.busy(&name, &why)).into()),
            // Nobody reads this: the SDK drops answers to requests that were cancelled.
            Outcome::Cancelled => Err(ErrorData::internal_error("the call was cancelled", None)),
            Outcome::Died => Err(ErrorData::internal_error("the call ended unexpectedly", None)),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let why = format!(
            "there is no method {}; use one of {}",
            quoted(&request.method),
            METHODS.join(", ")
        );
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, Some(json!({ "field": "method" }))))
    }
}

/// An answer as the protocol has it. What a tool refuses is a result too, so that the model sees
/// it.
fn result(reply: Reply) -> CallToolResult {
    let mut result = if reply.is_error {
        CallToolResult::error(reply.content)
    } else {
        CallToolResult::success(reply.content)
    };
    result.structured_content = reply.structured;
    result.meta = (!reply.meta.is_empty()).then_some(MetaObject(reply.meta));
    result
}

/// A tool as the protocol lists it.
fn tool(listing: Listing) -> Tool {
    let looks = listing.read_only;
    let annotations = ToolAnnotations::new()
        .read_only(looks)
        .destructive(!looks)
        .idempotent(looks)
        .open_world(listing.open_world);
    let mut tool = Tool::new(listing.name, listing.description, listing.input_schema)
        .with_annotations(annotations);
    if !listing.title.is_empty() {
        tool = tool.with_title(listing.title);
    }
    tool.output_schema = listing.output_schema.map(Arc::new);
    tool
}
