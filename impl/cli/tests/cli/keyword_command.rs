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
        .args(["keyword", "q", "needle", "--root", "."])
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
