//! `forge-search keyword QUERY TERM...`: `keyword_search` for people (docs/keyword-search.md).

use std::{io::Write, process::ExitCode, sync::Arc};

use clap::Args as Group;
use forge_search_engine::json::Json;
use forge_search_engine::{Answer, Call, Profile, Toolbox};
use serde_json::{Value, json};

use crate::{
    args::Common,
    call,
    consent::Consent,
    errors::{Failure, ended},
    progress::Progress,
    setup,
};

/// What is looked for, and how.
#[derive(Debug, Group)]
pub(crate) struct Keyword {
    /// What is looked for, in words
    query: String,
    /// Terms to look for, the most important first; literal, letter case does not count. Without
    /// any, those of QUERY
    #[arg(value_name = "TERM")]
    terms: Vec<String>,
    /// Rank by hits alone; nothing is sent anywhere
    #[arg(long, conflicts_with = "allow_model")]
    no_model: bool,
    #[command(flatten)]
    consent: Consent,
    /// Print what would be sent to a language model instead of sending it
    #[arg(long)]
    dry_run: bool,
    /// Most files
    #[arg(long, value_name = "N")]
    max_results: Option<u64>,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the search and prints its answer.
pub(crate) fn run(common: &Common, keyword: &Keyword) -> ExitCode {
    let config = keyword.consent.config(common);
    let service = match config.and_then(|config| setup::reading(common, config, &[])) {
        Ok(service) => service,
        Err(error) => return Failure::from(error).tell(),
    };
    let mut request = json!({ "query": keyword.query, "dry_run": keyword.dry_run });
    if let Some(fields) = request.as_object_mut() {
        // Who allows a model here asks for it; without a word configuration decides.
        if keyword.no_model || keyword.consent.allow_model {
            fields.insert("use_model".to_owned(), keyword.consent.allow_model.into());
        }
        let terms = (!keyword.terms.is_empty()).then(|| keyword.terms.clone().into());
        fields.extend(terms.map(|terms| ("search_terms".to_owned(), terms)));
        fields.extend(keyword.max_results.map(|most| ("max_results".to_owned(), most.into())));
    }
    let toolbox =
        Toolbox::new(Arc::new(service), Profile::All).with_client(forge_search_llm::client);
    let call = Arc::new(Call::new());
    let progress = Progress::of_files(&call);
    let answer = toolbox.call(&toolbox.session(), "keyword_search", &Json(&request), &call);
    drop(progress);
    if keyword.json {
        return call::print(Ok(answer.into()));
    }
    if answer.is_error {
        return Failure::new(by_flags(answer.text.trim_end())).tell();
    }
    let text = in_flags(&answer);
    ended(write!(std::io::stdout(), "{text}"), call::status(answer.found, answer.complete))
}

/// A sentence of the tool, with the names of flags in the place of fields.
fn by_flags(sentence: &str) -> String {
    [("ask with `use_model`: false", "use --no-model"), ("`use_model`: false", "--no-model")]
        .iter()
        .fold(sentence.to_owned(), |text, (field, flag)| text.replace(field, flag))
}

/// The text of an answer with its notices so, and what files hold as it is.
fn in_flags(answer: &Answer) -> String {
    let notices = answer.structured.get("notices").and_then(Value::as_array);
    let said = notices.into_iter().flatten().filter_map(|notice| notice.get("message")?.as_str());
    said.fold(answer.text.clone(), |text, said| text.replacen(said, &by_flags(said), 1))
}
