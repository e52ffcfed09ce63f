//! Typed calls beside the same calls as JSON.

use std::sync::Arc;

use crate::{
    Answer, Call, ErrorKind, Profile, Refusal, Toolbox,
    requests::{Builder, find_files, grep, keyword, search_text},
};
use serde_json::{Value, json};

use super::toolbox::{USERS, call, toolbox};

/// The answer without the number of its call.
fn as_json(toolbox: &Toolbox, tool: &str, request: &Value) -> Answer {
    Answer { query_id: 0, ..call(toolbox, tool, request) }
}

#[test]
fn a_typed_answer_is_that_of_the_same_request_as_json() {
    let (_dir, toolbox) = toolbox(&USERS, |config| config.agent.max_answer_bytes = 4_096);
    let (session, call, defaults) = (toolbox.session(), Call::new(), toolbox.defaults());

    let request = search_text::Request::builder("UserService", &defaults).max_results(1);
    let typed = toolbox.search_text(&session, &request.build().unwrap(), &call).unwrap();
    let request = json!({ "query": "UserService", "max_results": 1 });
    assert_eq!(typed.next_offset, Some(1));
    assert_eq!(Answer::from(typed), as_json(&toolbox, "search_text", &request));

    for output in grep::Output::ALL {
        let request = grep::Request::builder("user", &defaults).output(output);
        let typed = toolbox.grep(&session, &request.build().unwrap(), &call).unwrap();
        let request = json!({ "pattern": "user", "output": output.name() });
        assert_eq!(typed.own.is_some(), output != grep::Output::Lines);
        assert_eq!(Answer::from(typed), as_json(&toolbox, "grep", &request));
    }

    for (pattern, by) in [("*.rs", None), ("main", Some(find_files::MatchedBy::Substring))] {
        let request = find_files::Request::builder(pattern, &defaults).build().unwrap();
        let typed = toolbox.find_files(&session, &request, &call).unwrap();
        assert_eq!(typed.own.matched_by, by);
        let request = json!({ "pattern": pattern });
        assert_eq!(Answer::from(typed), as_json(&toolbox, "find_files", &request));
    }

    for dry_run in [false, true] {
        let request = keyword::Request::builder("the user", &defaults).search_terms(["user"]);
        let request = request.use_model(false).dry_run(dry_run).build().unwrap();
        let typed = toolbox.keyword_search(&session, &request, &call).unwrap();
        assert_eq!(matches!(typed, keyword::Answer::DryRun(_)), dry_run);
        let request = json!({
            "query": "the user", "search_terms": ["user"], "use_model": false, "dry_run": dry_run,
        });
        assert_eq!(Answer::from(typed), as_json(&toolbox, "keyword_search", &request));
    }
}

fn refused(toolbox: &Toolbox, directory: &str) -> Result<grep::Answer, Refusal> {
    let request = grep::Request::builder("user", &toolbox.defaults()).directory(directory);
    toolbox.grep(&toolbox.session(), &request.build().unwrap(), &Call::new())
}

#[test]
fn a_typed_refusal_is_that_of_the_same_request_as_json() {
    let (_dir, toolbox) = toolbox(&USERS, |_| {});
    let refusal = refused(&toolbox, "/etc").unwrap_err();
    let answer = as_json(&toolbox, "grep", &json!({ "pattern": "user", "directory": "/etc" }));
    assert_eq!(refusal.kind, ErrorKind::PathNotAllowed);
    assert_eq!((refusal.to_json(), refusal.to_string()), (answer.structured, answer.text));
    let forge = Toolbox::new(Arc::clone(toolbox.service()), Profile::Forge);
    let refusal = refused(&forge, ".").unwrap_err();
    let answer = as_json(&forge, "grep", &json!({ "pattern": "user" }));
    assert_eq!(refusal.kind, ErrorKind::UnknownTool);
    assert_eq!((refusal.to_json(), refusal.to_string()), (answer.structured, answer.text));
}

#[test]
fn typed_calls_count_against_the_rate_limit_of_their_session() {
    let (_dir, toolbox) = toolbox(&USERS, |config| config.agent.searches_per_minute = 1);
    let session = toolbox.session();
    let request = grep::Request::builder("user", &toolbox.defaults()).build().unwrap();
    assert!(toolbox.grep(&session, &request, &Call::new()).is_ok());
    let refusal = toolbox.grep(&session, &request, &Call::new()).unwrap_err();
    assert_eq!(refusal.kind, ErrorKind::RateLimitExceeded);
    assert!(refusal.retry_after_seconds.is_some() && session.counts(0).contains_key("grep"));
}
