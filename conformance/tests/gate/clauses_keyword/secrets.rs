//! Secrets stay on this machine.

use serde_json::{Value, json};

use crate::clauses_keyword::desk::{
    Desk, SELECTING, dry, files, having_with, lines, paths, selecting, text,
};
use crate::clauses_keyword::server::Server;

/// What is sent about a file with this text, if `needle` is looked for; how much of it was
/// redacted; what the answer shows.
fn sent(content: &str) -> (String, u64, Value) {
    let server = Server::answering("openai", &files(&[("a.rs", &[], "r")]));
    let desk =
        Desk::over(&[("a.rs", content)], &having_with(SELECTING, &[("local", "openai", &server)]));
    let page = desk.page(&json!({"query": "where", "search_terms": ["needle"]}));
    let (system, user) = server.only().said();
    assert_eq!(page["model"]["bytes_sent"], json!(system.len() + user.len()));
    (user, page["model"]["redacted"].as_u64().unwrap(), page)
}

const KEY: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";

/// A file with a private key of 40 lines from line 6 on, and `needle` at a line.
fn with_key(needle_at: usize) -> String {
    (1..=60)
        .map(|line| {
            let text = match line {
                6 => "-----BEGIN RSA PRIVATE KEY-----".to_owned(),
                47 => "-----END RSA PRIVATE KEY-----".to_owned(),
                7..=46 => format!("{KEY}{line}"),
                _ => format!("line {line}"),
            };
            if line == needle_at { format!("{text} needle\n") } else { format!("{text}\n") }
        })
        .collect()
}

#[test]
fn private_keys_are_redacted_for_any_start_of_the_window() {
    touchstone::verifies!("E-I25");
    // Above it, in its first line, far inside (neither beginning nor end is shown), in its last
    // line, below it.
    for (at, first, last) in [(2, 6, 12), (6, 6, 16), (27, 17, 37), (47, 37, 47), (55, 45, 47)] {
        let (user, redacted, _) = sent(&with_key(at));
        assert!(!user.contains("MIIE") && !user.contains("PRIVATE KEY"), "needle at {at}: {user}");
        let expected: Vec<u64> = (first..=last).collect();
        let gone: Vec<u64> = user
            .lines()
            .filter(|line| line.ends_with("[redacted]"))
            .map(|line| line.split([':', '-']).next().unwrap().parse().unwrap())
            .collect();
        assert_eq!((gone, redacted), (expected.clone(), expected.len() as u64), "needle at {at}");
    }
}

#[test]
fn a_key_without_an_end_extends_to_the_end_of_the_file_and_a_one_line_key_does_not() {
    touchstone::verifies!("E-I25");
    let (user, redacted, _) =
        sent(&format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY}\nneedle\n{KEY}\n"));
    assert!(user.contains("\n1-[redacted]\n2-[redacted]\n3:[redacted]\n4-[redacted]\n"), "{user}");
    assert_eq!(redacted, 4);
    let (user, redacted, _) =
        sent(&format!("k = '-----BEGIN PRIVATE KEY-----{KEY}-----END PRIVATE KEY-----'\nneedle\n"));
    assert!(user.contains("\n1-[redacted]\n2:needle\n"), "{user}");
    assert_eq!(redacted, 1);
    // What only looks like one is kept.
    let (user, redacted, _) =
        sent("-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----\nneedle\n");
    assert!(user.contains("\n1------BEGIN CERTIFICATE-----\n2-MIIabc\n"), "{user}");
    assert_eq!(redacted, 0);
}

#[test]
fn a_private_key_that_begins_on_the_end_line_of_another_is_redacted() {
    touchstone::verifies!("E-I25");
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
    let (user, redacted, _) =
        sent(&format!("needle\n{begin}\none\n{end}{begin}\ntwo\n{end}\nlast\n"));
    let left =
        "1:needle\n2-[redacted]\n3-[redacted]\n4-[redacted]\n5-[redacted]\n6-[redacted]\n7-last\n";
    assert!(user.contains(left), "{user}");
    assert_eq!(redacted, 5);
}

#[test]
fn a_question_of_several_lines_is_redacted_line_by_line() {
    touchstone::verifies!("E-I25");
    let desk = Desk::over(&[("a", "needle\n")], &selecting(""));
    let query = "why:\nAPI_KEY=abc123def456\n-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----\n?";
    let page = desk.page(&json!({"query": query, "search_terms": ["needle"], "dry_run": true}));
    let asked =
        "Question: \"why:\\nAPI_KEY=[redacted]\\n[redacted]\\n[redacted]\\n[redacted]\\n?\"\n";
    assert!(text(&page["prompt"]).contains(asked), "{page}");
    assert_eq!(page["redacted"], json!(4));
}

/// A line, and the secret of it.
const LINES: [(&str, &str); 32] = [
    ("aws = AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    ("aws = ASIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE"),
    (
        "push ghp_0123456789abcdefghijABCDEFGHIJ012345 now",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    ),
    ("github_pat_11ABCDEFG0123456789_abcdefghijkl", "github_pat_11ABCDEFG0123456789_abcdefghijkl"),
    ("glpat-abcdefghij0123456789", "glpat-abcdefghij0123456789"),
    (
        "npm_abcdefghij0123456789abcdefghij0123456789",
        "npm_abcdefghij0123456789abcdefghij0123456789",
    ),
    ("slack(xoxb-123456789012-abcdefGHIJKL)", "xoxb-123456789012-abcdefGHIJKL"),
    ("maps AIzaSyA0123456789abcdefghijklmnopqrstuv", "AIzaSyA0123456789abcdefghijklmnopqrstuv"),
    ("sk-0123456789abcdefghijklmn", "sk-0123456789abcdefghijklmn"),
    ("sk_live_0123456789abcdefghijklmn", "sk_live_0123456789abcdefghijklmn"),
    (
        "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    ),
    ("mail SG.abcdefghij012345.abcdefghij012345 now", "SG.abcdefghij012345.abcdefghij012345"),
    ("id GOCSPX-abcdefghij0123456789", "GOCSPX-abcdefghij0123456789"),
    ("hf_abcdefghij0123456789abcdefghij", "hf_abcdefghij0123456789abcdefghij"),
    (
        "POST https://hooks.slack.com/services/T01234567/B01234567/abcdef",
        "T01234567/B01234567/abcdef",
    ),
    ("AccountName=a;AccountKey=YWJjZGVmZ2hpamtsbW5v==;x", "YWJjZGVmZ2hpamtsbW5v=="),
    ("machine db.example login me password hunter2", "hunter2"),
    ("spring.datasource.password=hunter22", "hunter22"),
    (
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ),
    ("  _authToken=abcdefghij0123456789", "abcdefghij0123456789"),
    ("postgres://admin:s3cr3t-pw@db.example/x", "s3cr3t-pw"),
    ("redis://:hunter22@db.example/0", "hunter22"),
    ("Authorization: Bearer abcdefghijklmnop0123", "abcdefghijklmnop0123"),
    ("authorization: basic YWRtaW46aHVudGVyMg==", "YWRtaW46aHVudGVyMg=="),
    ("let password = \"hunter22\";", "hunter22"),
    ("'api-key' => 'abcdef123456',", "abcdef123456"),
    ("\"client_secret_v2\": \"abcdef123456\"", "abcdef123456"),
    ("DB_PASSWORD=hunter22", "hunter22"),
    ("export STRIPE_SECRET_KEY=abcd1234", "abcd1234"),
    ("  TOKEN = abcd1234", "abcd1234"),
    ("db-password: hunter2222", "hunter2222"),
    ("  github.token: abcd12345", "abcd12345"),
];

#[test]
fn tokens_and_passwords_are_redacted_and_the_rest_of_the_line_stays() {
    touchstone::verifies!("E-I25");
    for (line, secret) in LINES {
        let content = format!("needle\n{line}\n");
        let (user, redacted, page) = sent(&content);
        let left = line.replace(secret, "[redacted]");
        assert!(user.contains(&format!("\na.rs\n1:needle\n2-{left}\n")), "{line}: {user}");
        assert!(!user.contains(secret) && redacted == 1, "{line}: {redacted}");
        assert!(!page.to_string().contains(secret), "{line}: {page}");
    }
}

#[test]
fn text_that_is_no_secret_is_unchanged() {
    touchstone::verifies!("E-I25");
    for line in [
        "let token = parser.next_token();",
        "password: String,",
        "key = value",
        "fn secret(token: Token) {}",
        "https://example.com/a:b@c",
        "KEY=",
        "task-abcdefghijklmnopqrstuvwxyz",
        "// the bearer token",
        "max_tokens = 65536",
        "password = self.password",
        "password=${PASSWORD}",
    ] {
        let (user, redacted, _) = sent(&format!("needle\n{line}\n"));
        assert!(user.contains(&format!("\n2-{line}\n")) && redacted == 0, "{line}: {user}");
    }
}

#[test]
fn keyword_search_redacts_the_prompt_and_not_its_answer() {
    touchstone::verifies!("E-I25");
    let (user, redacted, page) =
        sent("let needle_token = \"hunter22\"; // sk-abcdefghijklmnopqrstuvwx\n");
    assert!(user.contains("\n1:let needle_token = \"[redacted]\"; // [redacted]\n"), "{user}");
    assert_eq!(redacted, 2);
    assert_eq!(
        text(&page["results"][0]["lines"][0]["text"]),
        "let needle_token = \"hunter22\"; // sk-abcdefghijklmnopqrstuvwx"
    );
}

#[test]
fn question_terms_and_paths_are_redacted_and_the_models_file_is_still_found() {
    touchstone::verifies!("E-I25", "REQ-KWS-003.2");
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let path = format!("{secret}/a.rs");
    let server = Server::answering("openai", &files(&[("[redacted]/a.rs", &[1], "r")]));
    let line = format!("say {secret}\n");
    let desk =
        Desk::over(&[(&path, &line)], &having_with(SELECTING, &[("local", "openai", &server)]));
    let page =
        desk.page(&json!({"query": format!("who uses {secret}?"), "search_terms": [secret]}));
    let (_, user) = server.only().said();
    assert!(!user.contains(secret), "{user}");
    assert!(
        user.contains("\"who uses [redacted]?\"")
            && user.contains("\n## term 1: \"[redacted]\"\n[redacted]/a.rs\n1:say [redacted]\n"),
        "{user}"
    );
    assert_eq!((paths(&page), lines(&page["results"][0])), (vec![path], vec![1]));
    assert_eq!(&page["model"]["dropped_files"], &json!(0));
}

#[test]
fn a_secret_is_redacted_before_its_line_is_cut() {
    touchstone::verifies!("E-I25");
    // The first 400 bytes end in the middle of it: what would be left of it looks like none.
    let (user, redacted, _) =
        sent(&format!("needle {}sk-abcdefghijklmnopqrstuvwx\n", "x ".repeat(191)));
    assert!(!user.contains("sk-a") && redacted == 1, "{user}");
}

#[test]
fn a_dry_run_reports_the_number_of_redactions() {
    touchstone::verifies!("E-I25");
    let desk =
        Desk::over(&[("a", "needle\nDB_PASSWORD=hunter22\nTOKEN=abcd1234\n")], &selecting(""));
    let page = desk.page(&dry(&["needle"]));
    assert_eq!(page["redacted"], json!(2));
    assert!(
        text(&page["prompt"]).contains("\n2-DB_PASSWORD=[redacted]\n3-TOKEN=[redacted]\n"),
        "{page}"
    );
}

#[test]
fn a_long_line_is_checked_for_secrets_in_its_first_65536_bytes() {
    const LOOKED_AT: usize = 65_536;
    touchstone::verifies!("E-I25");
    // A key of this form is known whole and no shorter.
    let token = format!("AKIA{}", "0AB1".repeat(4));
    let seen_whole = LOOKED_AT - token.len();
    for (before, counted) in [(0, 1), (seen_whole, 1), (seen_whole + 1, 0), (LOOKED_AT, 0)] {
        let line = format!("needle\n{}{token}\n", " ".repeat(before));
        let (user, redacted, _) = sent(&line);
        assert_eq!(redacted, counted, "{before} bytes before the token");
        assert!(!user.contains(&token), "{before} bytes before the token");
    }
}
