//! Our own: `search_text` as it is, over the index of n-grams.

use std::{collections::BTreeSet, path::Path, sync::Arc, time::Duration};

use forge_search_engine::json::Json;
use forge_search_engine::{
    Call, Config, IndexMode, IndexOptions, IndexUse, Preset, Profile, Sandbox, Service, Session, Toolbox,
};
use serde_json::{Value, json};

use super::Engine;
use crate::{tree::File, words::Term};

#[derive(Default)]
pub struct Own {
    open: Option<(Toolbox, Session)>,
}

/// The tools over a tree, with an index below `place`.
pub fn tools(tree: &Path, place: &Path) -> (Toolbox, Session) {
    let mut config = Config::preset(Preset::Agent);
    // As many calls as are wanted, and room for every result.
    (config.agent.searches_per_minute, config.agent.timeout_seconds) = (100_000, 60);
    (config.agent.max_answer_tokens, config.agent.max_answer_bytes) = (100_000, 64 << 20);
    let index = &mut config.index;
    (index.index_mode, index.index_path) = (IndexMode::On, place.join("own").to_string_lossy().into_owned());
    (index.index_build_throttle_ms, index.index_build_max_cpu_percent) = (0, 100);
    let sandbox = Sandbox::new(&[tree.to_owned()], tree).expect("a tree");
    let options = IndexOptions { using: IndexUse::Background, ..IndexOptions::default() };
    let service = Service::with_index(config, sandbox, options).expect("a service");
    let toolbox = Toolbox::new(Arc::new(service), Profile::All);
    toolbox.prepare();
    assert!(toolbox.service().index_wait(Duration::from_secs(600)), "the index is ready");
    let session = toolbox.session();
    (toolbox, session)
}

impl Own {
    fn ask(&self, request: &Value) -> Value {
        let (toolbox, session) = self.open.as_ref().expect("it is open");
        let answer = toolbox.call(session, "search_text", &Json(request), &Call::new());
        assert!(!answer.is_error, "{}", answer.text);
        answer.structured
    }
}

fn paths(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().cloned().unwrap_or_default();
    results.iter().filter_map(|result| result["path"].as_str().map(str::to_owned)).collect()
}

impl Engine for Own {
    fn name(&self) -> &'static str {
        "own catalog"
    }

    fn reads_files(&self) -> bool {
        true
    }

    fn build(&mut self, tree: &Path, _files: &[File], place: &Path) {
        self.open(tree, place);
    }

    fn open(&mut self, tree: &Path, place: &Path) {
        if let Some((toolbox, _)) = self.open.take() {
            toolbox.service().index_shutdown();
        }
        self.open = Some(tools(tree, place));
    }

    fn first(&mut self, query: &str, _terms: &[Term]) -> Vec<String> {
        paths(&self.ask(&json!({ "query": query, "max_results": 20 })))
    }

    fn all(&mut self, query: &str, _terms: &[Term]) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for page in 0.. {
            let request =
                json!({ "query": query, "max_results": 200, "offset": page * 200, "context_lines": 0 });
            let found = paths(&self.ask(&request));
            if found.is_empty() {
                break;
            }
            all.extend(found);
        }
        all
    }

    fn edited(&mut self, _path: &str, _text: &str) {
        // It watches the tree; the next question reads what has happened.
    }
}
