//! `keyword_search` in the registry: which model is asked, and how its answer is used (REQ-KWS-005;
//! docs/keyword-search.md).

#[cfg(feature = "language-model")]
use std::slice;
use std::{
    sync::{Arc, PoisonError},
    time::Duration,
};

use forge_search_core::agent::{
    ErrorKind, Refusal,
    keyword::{self, Addressee, DryRun},
};

use super::{Toolbox, turn::Turn};
#[cfg(feature = "language-model")]
use crate::language_model::{RemoteModel, choose};
use crate::{
    feature::Feature,
    language_model::{LanguageModel, ModelFacts},
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

    /// The model that was set; this build has no others.
    #[cfg(not(feature = "language-model"))]
    fn models(&self) -> Vec<Arc<dyn LanguageModel>> {
        self.model.iter().cloned().collect()
    }

    /// The available models, most preferred first.
    #[cfg(feature = "language-model")]
    fn models(&self) -> Vec<Arc<dyn LanguageModel>> {
        if let Some(model) = &self.model {
            return vec![Arc::clone(model)];
        }
        let variable = |name: &str| std::env::var(name).ok();
        let gone = self.gone.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut models: Vec<Arc<dyn LanguageModel>> = Vec::new();
        let preferences = self.service.config().keyword.preferences();
        for preference in &preferences {
            if let Some(chosen) = choose(slice::from_ref(preference), &variable)
                && !gone.contains(&preference.name)
            {
                models.push(Arc::new(RemoteModel::new(chosen)));
            }
        }
        models
    }

    fn no_model(&self) -> Refusal {
        if !Feature::LanguageModel.is_on() {
            let feature = Feature::LanguageModel;
            return Refusal::new(
                ErrorKind::NoModel,
                format!(
                    "no language model is available: this build was compiled without the feature `{feature}` of forge-search-engine; ask with `use_model`: false for files ranked by hits alone"
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
