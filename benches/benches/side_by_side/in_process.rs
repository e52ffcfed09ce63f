//! The same call without a server; the difference is the cost of protocol and process.

use std::{path::Path, sync::Arc, time::Instant};

use forge_search_engine::json::Json;
use forge_search_engine::{
    Call, Config, IndexMode, IndexOptions, IndexUse, Preset, Profile, Sandbox, Service, Session,
    Toolbox,
};
use serde_json::Value;

use crate::PATIENCE;

/// The tools over an index that a server has built.
pub(crate) struct InProcess {
    toolbox: Toolbox,
    session: Session,
}

impl InProcess {
    pub(crate) fn open(tree: &Path, cache: &Path) -> Self {
        let mut config = Config::preset(Preset::Agent);
        config.agent.searches_per_minute = 100_000;
        config.index.index_mode = IndexMode::On;
        config.index.index_path = cache.to_string_lossy().into_owned();
        let sandbox = Sandbox::new(&[tree.to_owned()], tree).expect("a tree that can be searched");
        let options = IndexOptions { using: IndexUse::Background, ..IndexOptions::default() };
        let service = Service::with_index(config, sandbox, options).expect("a valid configuration");
        assert!(service.index_wait(PATIENCE), "the index opens");
        let toolbox = Toolbox::new(Arc::new(service), Profile::All);
        toolbox.prepare();
        let session = toolbox.session();
        Self { toolbox, session }
    }

    /// Milliseconds that a call of `Search` takes.
    pub(crate) fn time(&self, request: &Value) -> f64 {
        let started = Instant::now();
        let answer = self.toolbox.call(&self.session, "Search", &Json(request), &Call::new());
        assert!(!answer.is_error, "{}", answer.text);
        started.elapsed().as_secs_f64() * 1000.0
    }

    /// Ends the index's threads.
    pub(crate) fn end(self) {
        self.toolbox.service().index_shutdown();
    }
}
