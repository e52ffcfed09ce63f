//! `forge-search keyword`, with a model that never answers.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::place::Place;

#[test]
fn an_interrupt_ends_the_wait_for_a_model_and_the_hits_are_printed() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let place = Place::new(&[("a.rs", "fn needle() {}\n")]);
    place.configure(&format!(
        "[tools.keyword]\nbuiltin = false\nmodel_timeout_seconds = 60\n\n\
         [[tools.keyword.models]]\nname = \"mute\"\nprotocol = \"openai\"\n\
         base_url = \"http://127.0.0.1:{port}\"\nmodel = \"m\"\n"
    ));
    let child = place
        .program()
        .args(["keyword", "q", "needle", "--allow-model", "--root", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once the question has come, it is waited for.
    let (connection, _) = server.accept().unwrap();
    let mut first = String::new();
    BufReader::new(&connection).read_line(&mut first).unwrap();
    assert!(first.starts_with("POST "), "{first}");
    let begun = Instant::now();
    assert!(
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("a.rs") && text.contains("fn needle()"), "{text}");
}

/// D27: a key is no consent, and neither is a call.
#[test]
fn nothing_is_sent_unless_the_user_allows_it_and_the_call_asks() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let url = format!("http://{}/v1", server.local_addr().unwrap());
    let place = Place::new(&[("a.rs", "fn needle() {}\n")]);
    // The entry is in the place of the built-in one that the key is for.
    let entry = format!(
        "[[tools.keyword.models]]\nname = \"gpt-5-mini\"\nprotocol = \"openai\"\n\
         base_url = \"{url}\"\nmodel = \"m\"\nkey_variable = \"OPENAI_API_KEY\"\n"
    );
    let wants = r#"{"query": "q", "search_terms": ["needle"], "use_model": true}"#;
    let silent = r#"{"query": "q", "search_terms": ["needle"]}"#;
    let text = r#"{"query": "q", "search_terms": ["needle"], "use_model": "true"}"#;
    let named = format!("[tools.keyword]\nbuiltin = false\nmodel_timeout_seconds = 1\n{entry}");
    let none = format!("[tools.keyword]\nbuiltin = false\nmodel = \"none\"\n{entry}");
    for (config, flags, request, is_sent) in [
        ("", &[][..], silent, false),
        ("", &[], wants, false),
        ("", &["--allow-model"], silent, false),
        ("", &["--allow-model"], text, false),
        (&*none, &[], wants, false),
        (&*named, &[], silent, false),
        (&*named, &["--allow-model"], silent, false),
        (&*named, &[], text, false),
        (&*named, &[], wants, true),
        (&*named, &["--allow-model"], wants, true),
    ] {
        place.configure(config);
        let output = place
            .command()
            .env("OPENAI_API_KEY", "k")
            .args([&["call", "keyword_search", request], flags].concat())
            .output()
            .unwrap();
        let answer = String::from_utf8(output.stdout).unwrap();
        let came = server.accept().is_ok();
        while server.accept().is_ok() {}
        assert_eq!(came, is_sent, "{config} {flags:?} {request}: {answer}");
        let is_error = request == text;
        assert_eq!(answer.contains("\"ranked_by\":\"hits\""), !is_error, "{answer}");
        let is_told = request == wants && !is_sent;
        assert_eq!(answer.contains("model_not_asked"), is_told, "{config} {flags:?}: {answer}");
        assert_eq!(answer.contains(" at api.openai.com"), is_told && config.is_empty(), "{answer}");
    }
}
