//! What a server tells of itself while it runs and afterwards: its log, its stored figures, its
//! figures for a collector.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::Stdio,
};

use serde_json::{Value, json};

use crate::client::{Client, Ended};
use crate::place::{Place, outcome};

const SECRET: &str = "sk_live_51HxYz";

/// A place whose configuration names one for indexes and figures, and allows few calls.
fn place() -> Place {
    let place = Place::new(&[("a.txt", &format!("key = {SECRET}\n"))]);
    let cache = json!(place.home().join("cache"));
    place.configure(&format!(
        "[tools.search]\nindex_path = {cache}\n[tools.agent]\nsearches_per_minute = 3\n"
    ));
    place
}

fn stats(place: &Place) -> (Option<i32>, Value) {
    let (code, text, _) = outcome(place.program().args(["stats", "--json"]));
    (code, serde_json::from_str(&text).unwrap())
}

fn serve(place: &Place, arguments: &[&str]) -> Client {
    let mut command = place.program();
    command.arg("mcp").args(arguments);
    let mut server = Client::of(command);
    server.initialize();
    server
}

fn grep(server: &mut Client) -> Value {
    let id = server.call("grep", &json!({ "pattern": SECRET }));
    server.answer(id)
}

/// Ends the input, and with it the server. What it had logged.
fn end(server: Client) -> String {
    let Ended { status, stderr, .. } = server.finish();
    assert!(status.success(), "{stderr}");
    stderr
}

/// NFR-015b-13, NFR-015b-14.
#[test]
fn stats_of_a_server_are_visible_while_it_runs_and_after_its_end() {
    let place = place();
    assert_eq!(stats(&place), (Some(1), json!([])));
    let mut server = serve(&place, &[]);
    (0..4).for_each(|_| drop(grep(&mut server)));
    let seen = |stats: &Value| stats[0]["tools"]["grep"]["rate_limited"] == 1;
    // They are stored within a second; each look takes a few milliseconds.
    let running = (0..2_000).map(|_| stats(&place).1).find(seen).expect("figures");
    assert_eq!(running[0]["running"], true);
    end(server);
    let (code, stats) = stats(&place);
    assert_eq!(
        (code, &stats[0]["running"], &stats[0]["ended"]),
        (Some(0), &json!(false), &json!(true))
    );
    let grep = &stats[0]["tools"]["grep"];
    assert_eq!(
        (&grep["complete"], &grep["failed"], &grep["results"]),
        (&json!(3), &json!(1), &json!(3))
    );
    assert_eq!(grep["errors"], json!({ "rate_limit_exceeded": 1 }));
    let latency = |name: &str| grep["latency"][name].as_f64().unwrap();
    assert!(
        latency("count") >= 4.0
            && latency("p50_ms") <= latency("p99_ms")
            && latency("p99_ms") <= latency("max_ms")
    );
    let (_, human, _) = outcome(place.program().arg("stats"));
    assert!(
        human.contains("p50 ms") && human.contains("grep: rate_limit_exceeded 1 times"),
        "{human}"
    );
}

/// NFR-015b-15, SECC-015b-05.
#[test]
fn calls_are_logged_with_their_number_and_the_query_only_at_level_debug() {
    let place = place();
    for (level, secret, lines) in [("info", false, 1), ("debug", true, 1), ("off", false, 0)] {
        let mut server = serve(&place, &["--log", level]);
        let answer = grep(&mut server);
        let log = end(server);
        let number = &answer["result"]["_meta"]["forge-search/query_id"];
        let ended: Vec<&str> = log.lines().filter(|line| line.contains("call ended")).collect();
        assert_eq!(ended.len(), lines, "{level}: {log}");
        assert!(
            ended.iter().all(|line| line.contains(&format!("query_id={number}"))),
            "{number}: {log}"
        );
        assert_eq!(log.contains(SECRET), secret, "{level}: {log}");
    }
    let stored = fs::read_dir(place.home().join("cache")).unwrap().flatten();
    for file in stored.filter(|file| file.file_name().to_string_lossy().contains("stats")) {
        assert!(!String::from_utf8_lossy(&fs::read(file.path()).unwrap()).contains(SECRET));
    }
}

#[test]
fn metrics_are_served_only_on_request_and_only_on_loopback() {
    let place = place();
    let mut server = serve(&place, &["--metrics", "127.0.0.1:0", "--log", "off"]);
    grep(&mut server);
    let said = server.next_error();
    let address = said
        .strip_prefix("forge-search: figures at http://")
        .unwrap()
        .strip_suffix("/metrics")
        .unwrap();
    let mut collector = TcpStream::connect(address).unwrap();
    write!(collector, "GET /metrics HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut page = String::new();
    collector.read_to_string(&mut page).unwrap();
    let counted = "forge_search_calls_total{tool=\"grep\",outcome=\"complete\"} 1";
    assert!(
        page.contains(counted)
            && page.contains("forge_search_index_state")
            && !page.contains(SECRET),
        "{page}"
    );
    end(server);
    let mut refused = place.program();
    refused.args(["mcp", "--metrics", "0.0.0.0:0"]).stdin(Stdio::null());
    let (code, _, error) = outcome(&mut refused);
    assert_eq!((code, error.contains("allowed: 127.0.0.1:PORT")), (Some(2), true), "{error}");
}

#[test]
fn with_the_cache_inside_the_tree_stats_are_not_stored_and_calls_work() {
    let place = place();
    let inside = json!(place.tree().join("cache"));
    place.configure(&format!("[tools.search]\nindex_path = {inside}\n"));
    let mut server = serve(&place, &[]);
    assert_eq!(grep(&mut server)["result"]["structuredContent"]["total"], 1);
    end(server);
    assert!(!Path::new(inside.as_str().unwrap()).exists());
    let (code, _, error) = outcome(place.program().arg("stats"));
    assert_eq!((code, error.contains("tools.search.index_path")), (Some(2), true), "{error}");
}
