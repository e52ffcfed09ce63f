//! Tools whose calls do what a test says, on a stage that both sides see.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

use forge_search_cli::mcp::{About, ContentBlock, Listing, Progress, Reply, Tools, Work};
use serde_json::{Map, Value};

/// Longest wait for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// What the calls of a test do, and have done.
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) state: Mutex<State>,
    pub(crate) changed: Condvar,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) begun: Vec<String>,
    pub(crate) running: usize,
    pub(crate) most_running: usize,
    pub(crate) released: BTreeSet<String>,
    pub(crate) everything_released: bool,
    pub(crate) cancelled: BTreeSet<String>,
    pub(crate) progress: BTreeMap<String, u64>,
    /// How often somebody has asked for it.
    pub(crate) asked: u64,
}

impl Stage {
    pub(crate) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap());
        self.changed.notify_all();
    }

    pub(crate) fn wait(&self, what: &str, done: impl Fn(&State) -> bool) {
        let state = self.state.lock().unwrap();
        let waited =
            self.changed.wait_timeout_while(state, PATIENCE, |state| !done(state)).unwrap();
        assert!(!waited.1.timed_out(), "waited in vain: {what}");
    }

    pub(crate) fn at(&self, name: &str, done: u64) {
        self.change(|state| {
            state.progress.insert(name.to_owned(), done);
        });
    }

    pub(crate) fn release(&self, name: &str) {
        self.change(|state| _ = state.released.insert(name.to_owned()));
    }
}

/// `hold` and `ask` go on until their `name` is released or they are cancelled; `ask` may wait for
/// somebody outside; `burst` panics.
pub(crate) struct Puppets(pub(crate) Arc<Stage>);

impl Tools for Puppets {
    fn about(&self) -> About {
        About { name: "puppets", title: "Puppets", version: "1", instructions: String::new() }
    }

    fn listings(&self) -> Vec<Listing> {
        ["ask", "burst", "hold"]
            .map(|name| Listing {
                name,
                title: "",
                description: "a puppet",
                input_schema: Map::new(),
                output_schema: None,
                read_only: true,
                open_world: false,
            })
            .into()
    }

    fn is_known(&self, name: &str) -> bool {
        ["ask", "burst", "hold"].contains(&name)
    }

    fn begin(&self, tool: &str, arguments: Map<String, Value>) -> Result<Arc<dyn Work>, Reply> {
        let name = arguments.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if name == "no room" {
            return Err(self.busy(tool, "no room"));
        }
        Ok(Arc::new(Puppet { stage: Arc::clone(&self.0), tool: tool.to_owned(), name }))
    }

    fn busy(&self, name: &str, why: &str) -> Reply {
        let content = vec![ContentBlock::text(format!("busy: {name}, {why}"))];
        Reply { content, is_error: true, ..Reply::default() }
    }
}

struct Puppet {
    stage: Arc<Stage>,
    tool: String,
    name: String,
}

impl Work for Puppet {
    fn carry_out(&self) -> Reply {
        assert!(self.tool != "burst", "it bursts");
        self.stage.change(|state| {
            state.begun.push(self.name.clone());
            state.running += 1;
            state.most_running = state.most_running.max(state.running);
        });
        self.stage.wait("a release", |state| {
            state.everything_released
                || state.released.contains(&self.name)
                || state.cancelled.contains(&self.name)
        });
        self.stage.change(|state| state.running -= 1);
        Reply { content: vec![ContentBlock::text(self.name.clone())], ..Reply::default() }
    }

    fn cancel(&self) {
        self.stage.change(|state| {
            state.cancelled.insert(self.name.clone());
        });
    }

    fn open_world(&self) -> bool {
        self.tool == "ask"
    }

    fn progress(&self) -> Option<Progress> {
        let mut state = self.stage.state.lock().unwrap();
        state.asked += 1;
        let done = state.progress.get(&self.name).copied().unwrap_or(state.asked);
        drop(state);
        self.stage.changed.notify_all();
        Some(Progress { done, total: Some(10), message: Some(format!("{done} things")) })
    }
}
