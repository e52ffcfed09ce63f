//! Serves the tools of one tree in a server of one's own, beside a tool that is not ours.
//!
//! `cargo run -p forge-search --example own_server -- DIRECTORY` speaks the Model Context Protocol
//! on standard input and output.

use std::{
    env,
    error::Error,
    io::{BufRead, Write},
    path::Path,
    sync::Arc,
};

use forge_search_cli::mcp::{
    self, About, ContentBlock, Limits, Listing, Progress, Reply, Tools, Work,
};
use forge_search_engine::{
    Call, Config, Preset, Profile, Sandbox, Service, Session, Toolbox, json::Json,
};
use serde_json::{Map, Value, json};

/// The tool that is not ours.
const TIME: &str = "what_time_is_it";

/// One connection: the tools of a tree, and one more.
struct Own {
    toolbox: Arc<Toolbox>,
    session: Arc<Session>,
}

/// A call of a tool of the tree.
struct Search {
    toolbox: Arc<Toolbox>,
    session: Arc<Session>,
    name: String,
    arguments: Value,
    call: Call,
}

/// A call of the other one.
struct Time;

impl Tools for Own {
    fn about(&self) -> About {
        About {
            name: "own-server",
            title: "A server of one's own",
            version: "0.1.0",
            instructions: "Search the project, and tell the time.".to_owned(),
        }
    }

    fn listings(&self) -> Vec<Listing> {
        let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let own = Listing {
            name: TIME,
            title: "Time",
            description: "Tells the time.",
            input_schema: object(&json!({ "type": "object", "properties": {} })),
            output_schema: None,
            read_only: true,
            open_world: false,
        };
        let searches = self.toolbox.tools().iter().map(|tool| Listing {
            name: tool.name,
            title: tool.title,
            description: tool.description,
            input_schema: object(&tool.input_schema),
            output_schema: tool.output_schema.as_object().cloned(),
            read_only: true,
            open_world: tool.open_world,
        });
        searches.chain([own]).collect()
    }

    fn is_known(&self, name: &str) -> bool {
        name == TIME || self.toolbox.is_known(name)
    }

    fn begin(&self, name: &str, arguments: Map<String, Value>) -> Result<Arc<dyn Work>, Reply> {
        if name == TIME {
            return Ok(Arc::new(Time));
        }
        Ok(Arc::new(Search {
            toolbox: Arc::clone(&self.toolbox),
            session: Arc::clone(&self.session),
            name: name.to_owned(),
            arguments: Value::Object(arguments),
            call: Call::new(),
        }))
    }

    fn busy(&self, _name: &str, why: &str) -> Reply {
        Reply { content: vec![ContentBlock::text(why)], is_error: true, ..Reply::default() }
    }
}

impl Work for Search {
    fn carry_out(&self) -> Reply {
        let arguments = Json(&self.arguments);
        let answer = self.toolbox.call(&self.session, &self.name, &arguments, &self.call);
        Reply {
            content: vec![ContentBlock::text(answer.text)],
            structured: Some(answer.structured),
            is_error: answer.is_error,
            ..Reply::default()
        }
    }

    fn cancel(&self) {
        self.call.cancel();
    }

    fn open_world(&self) -> bool {
        self.toolbox.tools().iter().any(|tool| tool.name == self.name && tool.open_world)
    }

    fn progress(&self) -> Option<Progress> {
        Some(Progress { done: self.call.files_seen(), total: None, message: None })
    }
}

impl Work for Time {
    fn carry_out(&self) -> Reply {
        Reply { content: vec![ContentBlock::text("It is late.")], ..Reply::default() }
    }

    fn cancel(&self) {}

    fn open_world(&self) -> bool {
        false
    }

    fn progress(&self) -> Option<Progress> {
        None
    }
}

/// Serves the tree `root` until `input` ends.
pub(crate) fn run<I, O>(root: &Path, input: I, output: O) -> Result<(), Box<dyn Error>>
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
{
    let sandbox = Sandbox::new(&[root.to_owned()], root)?;
    let service = Service::new(Config::preset(Preset::Agent), sandbox)?;
    let toolbox = Arc::new(Toolbox::new(Arc::new(service), Profile::Default));
    let own = Own { session: Arc::new(toolbox.session()), toolbox };
    mcp::over(own, &Limits::default(), input, output)?;
    Ok(())
}

#[allow(dead_code, reason = "a test runs what it calls")]
fn main() -> Result<(), Box<dyn Error>> {
    let root = env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    run(Path::new(&root), std::io::BufReader::new(std::io::stdin()), std::io::stdout())
}
