//! `forge-search keyword QUERY TERM...`: `keyword_search` for people (docs/keyword-search.md).

use std::{io::Write, process::ExitCode, sync::Arc};

use clap::Args as Group;
use forge_search_cli::json::Json;
use forge_search_engine::{Call, Profile, Toolbox};
use serde_json::json;

use crate::{args::Common, call, setup};

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
    #[arg(long)]
    no_model: bool,
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
    let service = match setup::service(common, &[]) {
        Ok(service) => service,
        Err(error) => return told(&error.to_string()),
    };
    let mut request = json!({
        "query": keyword.query, "use_model": !keyword.no_model, "dry_run": keyword.dry_run,
    });
    if let Some(fields) = request.as_object_mut() {
        let terms = (!keyword.terms.is_empty()).then(|| keyword.terms.clone().into());
        fields.extend(terms.map(|terms| ("search_terms".to_owned(), terms)));
        fields.extend(keyword.max_results.map(|most| ("max_results".to_owned(), most.into())));
    }
    let toolbox = Toolbox::new(Arc::new(service), Profile::All);
    let answer = toolbox.call(&toolbox.session(), "keyword_search", &Json(&request), &Call::new());
    if keyword.json {
        return call::print(Ok(answer.into()));
    }
    if answer.is_error {
        return told(answer.text.trim_end());
    }
    // A reader that went away wants no more.
    match write!(std::io::stdout(), "{}", answer.text) {
        Ok(()) => call::status(answer.found, answer.complete),
        Err(_) => ExitCode::from(2),
    }
}

/// Says what went wrong.
fn told(why: &str) -> ExitCode {
    // Nobody reads an error that cannot be written.
    let _ = writeln!(std::io::stderr(), "forge-search: {why}");
    ExitCode::from(2)
}
