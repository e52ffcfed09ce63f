//! `keyword_search` in the registry: which model is asked, and how its answer is used (REQ-KWS-005;
//! docs/keyword-search.md).

use std::{
    slice,
    sync::{Arc, PoisonError},
    time::Duration,
};

use forge_search_core::agent::{
    ErrorKind, Notice, NoticeKind, Refusal,
    keyword::{self, Addressee, DryRun},
};

use super::{Models, Toolbox, turn::Turn};
use crate::{
    config::ModelChoice,
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
        let lacks_model = request.use_model && !request.dry_run && models.is_empty();
        if lacks_model && self.service.config().keyword.use_model_default {
            let why = format!(
                "no language model is available; {}; or ask with `use_model`: false for files \
                 ranked by hits alone",
                self.way_to_a_model()
            );
            return Err(Refusal::new(ErrorKind::NoModel, why));
        }
        let wanted = request.use_model && !request.dry_run && !lacks_model;
        let request = &keyword::Request { use_model: wanted, ..request.clone() };
        let (deadline, call) = (turn.deadline(), turn.call);
        let mut searched =
            call.account.unless_over(self.service.keyword_search(request, deadline, call))?;
        if lacks_model {
            searched.notices.insert(0, self.model_not_asked());
        }
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

    /// That a model was wanted and none was asked, why, and what it would have been sent (D27).
    fn model_not_asked(&self) -> Notice {
        let host = match &self.models {
            Models::Configured(client) => {
                let mut config = self.service.config().keyword.clone();
                let allowed = config.allow_model().is_ok();
                let variable = |name: &str| std::env::var(name).ok();
                let chosen = choose(&config.preferences(), &variable).filter(|_| allowed);
                chosen.map(|chosen| format!(", at {}", client(chosen).facts().host))
            }
            _ => None,
        };
        let message = format!(
            "no language model was asked, and nothing was sent: {}. It would read the question \
             and lines of at most {} files, secrets redacted{}",
            self.way_to_a_model(),
            keyword::SENT_FILES,
            host.unwrap_or_default()
        );
        Notice::new(NoticeKind::ModelNotAsked, message)
    }

    /// What makes a model available.
    fn way_to_a_model(&self) -> String {
        if let Models::None = self.models {
            let feature = Feature::LanguageModel;
            return format!(
                "this program was built without a client for them, which takes the feature \
                 `{feature}` of forge-search-engine and `Toolbox::with_client`"
            );
        }
        let config = &self.service.config().keyword;
        let preferences = config.preferences();
        if preferences.is_empty() && config.model != ModelChoice::Auto {
            return "the user has allowed none (`--allow-model` on the command line, or `model` or \
                    [[tools.keyword.models]] in the configuration, allows one)"
                .to_owned();
        }
        let mut variables: Vec<&str> = preferences
            .iter()
            .filter_map(|preference| preference.key_variable.as_deref())
            .collect();
        // Variants of one model share a key.
        variables.dedup();
        match variables.as_slice() {
            [] => "configure a model in [[tools.keyword.models]]".to_owned(),
            some => {
                let some = some.join(", ");
                format!("set one of {some}, or configure a model in [[tools.keyword.models]]")
            }
        }
    }
}
