//! `keyword_search` in the registry: which model is asked, and how its answer is used (REQ-KWS-005;
//! docs/keyword-search.md).

use std::{
    slice,
    sync::{Arc, PoisonError},
    time::Duration,
};

use forge_search_core::agent::{
    ErrorKind, Refusal,
    keyword::{self, Addressee, DryRun},
};

use super::{Models, Toolbox, turn::Turn};
use crate::{
    feature::Feature,
    language_model::{LanguageModel, ModelFacts, choose},
};

impl Toolbox {
    /// Carries out an accepted call.
    pub(super) fn files_by_terms(
        &self,
        request: &keyword::Request,
        turn: Turn<'_>,
    ) -> Result<keyword::Answer, Refusal> {
        let models = self.models();
        let wanted = request.use_model && !request.dry_run;
        if wanted && models.is_empty() {
            return Err(self.no_model());
        }
        let (deadline, call) = (turn.deadline(), turn.call);
        let searched =
            call.account.unless_over(self.service.keyword_search(request, deadline, call))?;
        if request.dry_run {
            let addressee = models.first().map(|model| {
                let ModelFacts { name, model, host } = model.facts().clone();
                Addressee { host, model, name }
            });
            return Ok(keyword::Answer::DryRun(DryRun::new(
                searched.prompt(request).as_ref(),
                searched.findings.timed_out(),
                addressee,
                searched.notices.into_iter().chain(turn.notices),
            )));
        }
        let patience = Duration::from_secs(self.service.config().keyword.model_timeout_seconds);
        let asked = if wanted {
            searched.ask(
                request,
                &models,
                patience,
                &[&call.cancelled, &self.service.cancel_switch()],
            )
        } else {
            None
        };
        if let Some(asked) = &asked {
            let names = asked.passed_over.iter().map(|gone| gone.name.clone());
            self.gone.lock().unwrap_or_else(PoisonError::into_inner).extend(names);
        }
        let files = turn.fitted(|_| Ok(searched.answer(request, asked)))?;
        Ok(keyword::Answer::Files(Box::new(files)))
    }

    /// The available models, most preferred first.
    fn models(&self) -> Vec<Arc<dyn LanguageModel>> {
        let client = match &self.models {
            Models::None => return Vec::new(),
            Models::One(model) => return vec![Arc::clone(model)],
            Models::Configured(client) => client,
        };
        let variable = |name: &str| std::env::var(name).ok();
        let gone = self.gone.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut preferences = self.service.config().keyword.preferences();
        preferences.retain(|preference| !gone.contains(&preference.name));
        let chosen = preferences.iter().filter_map(|one| choose(slice::from_ref(one), &variable));
        chosen.map(client).collect()
    }

    fn no_model(&self) -> Refusal {
        if let Models::None = self.models {
            let feature = Feature::LanguageModel;
            return Refusal::new(
                ErrorKind::NoModel,
                format!(
                    "no language model is available: this program was built without a client for \
                     them, which takes the feature `{feature}` of forge-search-engine and \
                     `Toolbox::with_client`; ask with `use_model`: false for files ranked by hits \
                     alone"
                ),
            );
        }
        let preferences = self.service.config().keyword.preferences();
        let mut variables: Vec<&str> = preferences
            .iter()
            .filter_map(|preference| preference.key_variable.as_deref())
            .collect();
        // Variants of one model share a key.
        variables.dedup();
        let set = match variables.as_slice() {
            [] => "configure a model in [[tools.keyword.models]]".to_owned(),
            some => {
                format!(
                    "set one of {}, or configure a model in [[tools.keyword.models]]",
                    some.join(", ")
                )
            }
        };
        Refusal::new(
            ErrorKind::NoModel,
            format!(
                "no language model is available; {set}; or ask with `use_model`: false for files ranked by hits alone"
            ),
        )
    }
}
