//! A server for the protocol's own conformance suite: its fixture tools, mounted through the module
//! that serves ours, over the SDK's HTTP transport.
//!
//! Listens on the loopback interface, says where on its first line of output, and ends when its
//! input does. The suite's scenarios name the tools and
//! what they answer; `impl/cli/tests/mcp_conformance/run` runs them.

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::Duration,
};

use forge_search_cli::mcp::{
    About, ContentBlock, Limits, Listing, Progress, Reply, Server, Tools, Work,
};
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use serde_json::{Map, Value, json};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A sound without samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// The tools that the suite's scenarios call.
const NAMES: [&str; 8] = [
    "json_schema_2020_12_tool",
    "test_audio_content",
    "test_embedded_resource",
    "test_error_handling",
    "test_image_content",
    "test_multiple_content_types",
    "test_simple_text",
    "test_tool_with_progress",
];

struct Fixtures;

impl Tools for Fixtures {
    fn about(&self) -> About {
        About {
            name: "forge-search-conformance",
            title: "Conformance fixtures",
            version: env!("CARGO_PKG_VERSION"),
            instructions: "Fixture tools of the conformance suite.".to_owned(),
        }
    }

    fn listings(&self) -> Vec<Listing> {
        NAMES.map(listing).into()
    }

    fn is_known(&self, name: &str) -> bool {
        NAMES.contains(&name)
    }

    fn begin(&self, name: &str, _arguments: Map<String, Value>) -> Result<Arc<dyn Work>, Reply> {
        let (told, tellings) = mpsc::channel();
        Ok(Arc::new(Fixture {
            name: name.to_owned(),
            at: AtomicU64::new(0),
            told,
            tellings: tellings.into(),
        }))
    }

    fn busy(&self, _name: &str, why: &str) -> Reply {
        Reply { content: vec![ContentBlock::text(why)], is_error: true, ..Reply::default() }
    }
}

fn listing(name: &'static str) -> Listing {
    let mut schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    if name == "json_schema_2020_12_tool" {
        schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "type": "object",
                    "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
                }
            },
            "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
            "additionalProperties": false
        });
    }
    Listing {
        name,
        title: "",
        description: "A fixture of the conformance suite",
        input_schema: schema.as_object().cloned().unwrap_or_default(),
        output_schema: None,
        read_only: true,
        open_world: false,
    }
}

/// A call of a fixture.
struct Fixture {
    name: String,
    /// How far it is, of 100; it goes on when that has been told.
    at: AtomicU64,
    told: mpsc::Sender<u64>,
    tellings: std::sync::Mutex<mpsc::Receiver<u64>>,
}

impl Fixture {
    /// Goes through its steps, each after the one before it has been told, or after a moment if
    /// nobody asks.
    fn step(&self) {
        let Ok(tellings) = self.tellings.lock() else { return };
        for at in [0, 50, 100] {
            self.at.store(at, Ordering::SeqCst);
            while tellings.recv_timeout(Duration::from_millis(200)).is_ok_and(|told| told < at) {}
        }
    }
}

impl Work for Fixture {
    fn open_world(&self) -> bool {
        false
    }

    fn carry_out(&self) -> Reply {
        let text = |text: &str| ContentBlock::text(text);
        let resource = |uri: &str, kind: &str, text: &str| {
            let block = json!({ "type": "resource", "resource": { "uri": uri, "mimeType": kind, "text": text } });
            serde_json::from_value::<ContentBlock>(block).ok()
        };
        let content = match self.name.as_str() {
            "test_simple_text" => vec![text("This is a simple text response for testing.")],
            "test_image_content" => vec![ContentBlock::image(PNG, "image/png")],
            "test_audio_content" => {
                let block = json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" });
                serde_json::from_value(block).ok().into_iter().collect()
            }
            "test_embedded_resource" => {
                let said = "This is an embedded resource content.";
                resource("test://embedded-resource", "text/plain", said).into_iter().collect()
            }
            "test_multiple_content_types" => {
                let said = r#"{"test":"data","value":123}"#;
                let mut blocks = vec![
                    text("Multiple content types test:"),
                    ContentBlock::image(PNG, "image/png"),
                ];
                blocks.extend(resource("test://mixed-content-resource", "application/json", said));
                blocks
            }
            "test_error_handling" => {
                vec![text("This tool intentionally returns an error for testing")]
            }
            "test_tool_with_progress" => {
                self.step();
                vec![text("Done, and told on the way.")]
            }
            _ => vec![text("Called.")],
        };
        Reply { content, is_error: self.name == "test_error_handling", ..Reply::default() }
    }

    fn cancel(&self) {}

    fn progress(&self) -> Option<Progress> {
        let done = self.at.load(Ordering::SeqCst);
        // Nobody listens after the end.
        let _ = self.told.send(done);
        Some(Progress { done, total: Some(100), message: None })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        writeln!(std::io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
        std::io::stdout().flush()?;
        let (ended, mut end) = tokio::sync::mpsc::channel::<()>(1);
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            drop(ended);
        });
        let limits = Limits {
            quiet: Duration::from_millis(5),
            between_reports: Duration::from_millis(5),
            ..Limits::default()
        };
        let service = StreamableHttpService::new(
            move || Ok(Server::new(Fixtures, limits.clone())),
            Arc::new(LocalSessionManager::default()),
            StreamableHttpServerConfig::default(),
        );
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => accepted?.0,
                _ = end.recv() => return Ok(()),
            };
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(async move {
                // A client that breaks off is its own affair.
                drop(http1::Builder::new().serve_connection(TokioIo::new(stream), service).await);
            });
        }
    })
}
