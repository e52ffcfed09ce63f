//! Whether `keyword_search` may ask a language model, and what it would send where (D27).

use clap::Args as Group;
use forge_search_engine::{
    Config, ToolError,
    language_model::{Preference, choose},
};

use crate::{args::Common, setup};

/// What the user allows on the command line.
#[derive(Clone, Copy, Debug, Default, Group)]
pub(crate) struct Consent {
    /// Let `keyword_search` send lines of files, secrets redacted, to a language model whose key is
    /// set, where a call asks for it
    #[arg(long)]
    pub(crate) allow_model: bool,
}

impl Consent {
    /// The configuration, with what is allowed here.
    pub(crate) fn config(self, common: &Common) -> Result<Config, ToolError> {
        let mut config = setup::config(common)?;
        if self.allow_model {
            let failed = |err: forge_search_engine::ConfigError| {
                ToolError::failed("configuration", format!("--allow-model: {err}"))
            };
            config.keyword.allow_model().map_err(failed)?;
        }
        Ok(config)
    }
}

/// What `keyword_search` sends where, in sentences.
pub(crate) fn what_is_sent(config: &Config) -> String {
    const SENT: &str = "the question, the terms and five lines each of at most 50 files, secrets \
                        redacted";
    let keyword = &config.keyword;
    let when = if keyword.use_model_default {
        "unless a call says `use_model`: false"
    } else {
        "if a call says `use_model`: true"
    };
    let allowed = keyword.preferences();
    if let Some(model) = available(&allowed) {
        let (name, host) = (&model.name, host(&model));
        return format!("keyword_search sends {SENT}, to {name} at {host}, {when}");
    }
    let mut wider = keyword.clone();
    let way = "`--allow-model`, or `model` or [[tools.keyword.models]] in the configuration,";
    let ranks = "keyword_search ranks by itself and sends nothing";
    if !allowed.is_empty() || keyword.use_model_default {
        let variables: Vec<&str> =
            allowed.iter().filter_map(|model| model.key_variable.as_deref()).collect();
        let lacks = if variables.is_empty() {
            "no model is configured".to_owned()
        } else {
            format!("none of {} is set", variables.join(", "))
        };
        return format!("keyword_search can ask no model: {lacks}; nothing is sent");
    }
    if wider.allow_model().is_err() {
        return format!("{ranks}: `model` is none in [tools.keyword]");
    }
    match available(&wider.preferences()) {
        Some(model) => {
            let variable = model.key_variable.as_deref().unwrap_or_default();
            format!(
                "{ranks}, though {variable} is set\n{way} would let a call that says \
                 `use_model`: true send {SENT}, to {} at {}",
                model.name,
                host(&model)
            )
        }
        None => format!("{ranks}\n{way} would let it ask a language model"),
    }
}

/// The first of them that can be had.
fn available(preferences: &[Preference]) -> Option<Preference> {
    choose(preferences, &|name| std::env::var(name).ok()).map(|chosen| chosen.preference)
}

fn host(model: &Preference) -> String {
    let address = model.base_url.split_once("://").map_or(&*model.base_url, |(_, rest)| rest);
    address.split('/').next().unwrap_or_default().to_owned()
}
