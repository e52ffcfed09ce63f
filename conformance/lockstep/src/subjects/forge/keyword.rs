//! Calls of `keyword_search`.
//!
//! Responsible for: one call through the registry with the case's scripted language model, and the
//! observation made of it: the answer, the prompts, and the tree's path. Not here: the service and
//! its configuration ([`super`]), what is compared ([`crate::tool::keyword`]). Invariants: no
//! network; the sandbox root keeps its name, since lengths depend on it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use forge_search_core::tool::Profile;
use forge_search_engine::json::Json;
use forge_search_engine::language_model::{LanguageModel, ModelFacts, ModelFailure, Prompt};
use forge_search_engine::{Call, Service, Toolbox};
use serde_json::{Value, json};
use touchstone_cases::case::Case;
use touchstone_cases::script::{Failure, HOST, MODEL, NAME, Script, data_in};

use crate::observation::{
    ASKED, BYTES, COMPLETE, DATA, Observation, ROOT, STRUCTURED, TEXT_BYTES, TOLD_BYTES, length,
};

/// A language model that follows a script.
struct ScriptedModel {
    facts: ModelFacts,
    script: Script,
    prompts: Mutex<Vec<Prompt>>,
}

impl LanguageModel for ScriptedModel {
    fn facts(&self) -> &ModelFacts {
        &self.facts
    }

    fn ask(&self, prompt: &Prompt, _: Instant, _: &[&AtomicBool]) -> Result<String, ModelFailure> {
        self.prompts.lock().unwrap_or_else(PoisonError::into_inner).push(prompt.clone());
        let said = data_in(&whole(prompt)).and_then(|data| self.script.answer(data));
        said.ok_or_else(|| match self.script.fails {
            Some(Failure::TimedOut) => ModelFailure::TimedOut,
            Some(Failure::Refused) => {
                ModelFailure::Refused { status: 200, message: "no".to_owned() }
            }
            Some(Failure::Unreachable) => ModelFailure::Unreachable("not there".to_owned()),
            Some(Failure::TooLong) => ModelFailure::TooLong,
            Some(Failure::Garbled) | None => {
                ModelFailure::Malformed("the prompt holds no data".to_owned())
            }
        })
    }
}

/// Everything that a prompt says.
fn whole(prompt: &Prompt) -> String {
    format!("{}\n{}", prompt.system, prompt.user)
}

/// Calls once.
pub(crate) fn observe(case: &Case, service: Service, root: &str) -> Observation {
    let model = case.model.clone().map(|script| {
        let facts =
            ModelFacts { name: NAME.to_owned(), model: MODEL.to_owned(), host: HOST.to_owned() };
        Arc::new(ScriptedModel { facts, script, prompts: Mutex::default() })
    });
    let toolbox = Toolbox::new(Arc::new(service), Profile::All);
    let toolbox = match &model {
        Some(model) => toolbox.with_model(Arc::clone(model) as Arc<dyn LanguageModel>),
        None => toolbox,
    };
    let answer = toolbox.call(&toolbox.session(), &case.tool, &Json(&case.request), &Call::new());
    let prompts =
        model.map(|model| model.prompts.lock().unwrap_or_else(PoisonError::into_inner).clone());
    let prompts = prompts.unwrap_or_default();
    let shown = answer.structured.get("prompt").and_then(Value::as_str).map(str::to_owned);
    let told = prompts.first().map(whole).or(shown);
    if answer.is_error {
        let mut error = answer.structured;
        if let Some(fields) = error.as_object_mut() {
            fields.insert(ROOT.to_owned(), json!(root));
            fields.insert(ASKED.to_owned(), json!(prompts.len()));
        }
        return Err(error);
    }
    Ok(json!({
        BYTES: length(&answer.structured),
        STRUCTURED: answer.structured,
        TEXT_BYTES: answer.text.len(),
        COMPLETE: answer.complete,
        ROOT: root,
        ASKED: prompts.len(),
        DATA: told.as_deref().and_then(data_in),
        TOLD_BYTES: told.map_or(0, |told| told.len()),
    }))
}
