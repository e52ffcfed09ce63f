#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests measure time and read the corpus"
)]

mod attack;
mod corpus;
mod harmless;
mod kinds_blind;
mod kinds_commands;
mod kinds_drawn;
mod kinds_files;
mod kinds_formed;
mod kinds_held_out_1;
mod kinds_held_out_2;
mod kinds_held_out_3;
mod kinds_listed;
mod kinds_named;
mod kinds_shapes;
mod kinds_unseen;
mod seeded;

use std::time::{Duration, Instant};

use super::*;

/// Secrets of one kind: its name, and templates of [`seeded::Seeded::fill`].
type Kind = (&'static str, &'static [&'static str]);

#[test]
fn every_redaction_pattern_compiles() {
    for (rule, ready) in RULES.iter().zip(&SECRETS.each) {
        let known = ready.known().unwrap_or_else(|| panic!("{}", rule.pattern));
        let unless = known.unless.len() + usize::from(known.before.is_some());
        assert_eq!(unless, rule.unless.len(), "{}", rule.pattern);
        let groups = known.pattern.captures_len();
        assert!(groups >= if rule.is_named { 3 } else { 1 }, "{}", rule.pattern);
    }
    for rule in &RULES {
        if let Err(error) = Regex::new(&spelled_out(rule.pattern)) {
            panic!("{}: {error}", rule.pattern);
        }
    }
    assert_eq!(SECRETS.each.len(), RULES.len());
    assert!(SECRETS.no_name.is_some() && SECRETS.begins.is_some() && SECRETS.ends.is_some());
    assert!(HARMLESS.iter().all(|(name, _)| harmless(name).is_some()));
}

#[test]
fn oddness_separates_words_from_random_strings() {
    for (text, odd) in [
        ("", 0),
        ("a", 0),
        ("ab", 0),
        ("aa", 0),
        ("zq", 200),
        ("ZQ", 200),
        ("Zq", 200),
        ("zQ", 100),
        ("a1", 100),
        ("1a", 200),
        ("12", 0),
        ("a-b", 0),
        ("ab1", 50),
        ("user_service_of_a_shop", 0),
        ("getUserById2", 36),
        ("q7Xz9Lk2", 128),
    ] {
        assert_eq!(oddness(text), odd, "{text}");
    }
}

#[test]
fn secrets_are_redacted_and_the_rest_of_the_line_stays() {
    for (line, left, count) in [
        ("key = AKIAIOSFODNN7EXAMPLE;", "key = [redacted];", 1),
        ("let t = \"ghp_0123456789abcdefghij0123\";", "let t = \"[redacted]\";", 1),
        ("postgres://me:hunter2@db/x", "postgres://me:[redacted]@db/x", 1),
        ("Authorization: Bearer abcdef0123456789xyz", "Authorization: Bearer [redacted]", 1),
        ("password = \"correct horse\"", "password = \"[redacted]\"", 1),
        ("secret = \"correct horse\"", "secret = \"correct horse\"", 0),
        ("ssh_passphrase => 'to be, or not'", "ssh_passphrase => '[redacted]'", 1),
        ("db_password: \"correcthorse\",", "db_password: \"[redacted]\",", 1),
        ("export API_KEY=abc123def", "export API_KEY=[redacted]", 1),
        ("  client_secret: abcd1234efgh", "  client_secret: [redacted]", 1),
        ("let token = parser.next_token();", "let token = parser.next_token();", 0),
        ("token: Token,", "token: Token,", 0),
        ("mail SG.abcdefghij0123456789.abcdefghij0123456789", "mail [redacted]", 1),
        (
            "https://hooks.slack.com/services/T0000/B0000/abcdefghij",
            "https://hooks.slack.com/services/[redacted]",
            1,
        ),
        (
            "AccountName=a;AccountKey=abcdefghij0123456789==;b",
            "AccountName=a;AccountKey=[redacted];b",
            1,
        ),
        (
            "machine a.example login me password hunter2",
            "machine a.example login me password [redacted]",
            1,
        ),
        ("db.password = hunter22", "db.password = [redacted]", 1),
        ("password = self.password", "password = self.password", 0),
        ("password=${DB_PASSWORD}", "password=${DB_PASSWORD}", 0),
        (
            "aws_secret_access_key = abcdefghij0123456789abcdefghij/+abcdefgh",
            "aws_secret_access_key = [redacted]",
            1,
        ),
        ("max_tokens = 65536", "max_tokens = 65536", 0),
        ("token = parser.next_token_of_the_line", "token = parser.next_token_of_the_line", 0),
        ("xoxb-0123456789-abc sk-abcdefghijklmnopqrstuv", "[redacted] [redacted]", 2),
    ] {
        assert_eq!(redact(line), Redacted { text: left.to_owned(), count }, "{line}");
    }
}

#[test]
fn cancellation_is_checked_throughout_a_long_line() {
    let line = "key-8f14e45fceea167a5a36dedd4bea2543 ".repeat(10_000);
    for most in [0, 1, 40] {
        let mut left = most;
        let mut go_on = || {
            left -= 1;
            left >= 0
        };
        assert_eq!(redact_while(&line, &mut go_on), Err(Interrupted), "{most}");
    }
    // Every rule is ready by now.
    assert_eq!(redact(&line).count, 10_000);
    assert_eq!(redact_while("a", &mut || false).map(|redacted| redacted.count), Ok(0));
}

#[test]
fn each_rule_checks_cancellation_before_a_long_line_only() {
    // Rules that are not ready ask whatever the line.
    redact("");
    for (length, asks) in [(LONG_LINE - 1, 0), (LONG_LINE, RULES.len())] {
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            true
        };
        assert!(redact_while(&" ".repeat(length), &mut go_on).is_ok());
        assert_eq!(asked, asks, "{length} bytes");
    }
}

#[test]
fn adjacent_secrets_are_redacted_as_one() {
    let (token, hash) = ("glpat-0123456789abcdefghij", "$2b$10$abcdefghijABCDEFGHIJ12");
    for (line, text, count) in [
        (format!("a {token}{hash} b"), "a [redacted] b", 1),
        (format!("a {token} {hash} b"), "a [redacted] [redacted] b", 2),
    ] {
        assert_eq!(redact(&line), Redacted { text: text.to_owned(), count }, "{line}");
    }
}

#[test]
fn a_private_key_may_be_one_line() {
    let text = b"key: -----BEGIN PRIVATE KEY-----\\nMII\\n-----END PRIVATE KEY-----\nb\n";
    let only = private_keys(text);
    assert_eq!(only.iter().map(|key| (key.start, key.end)).collect::<Vec<_>>(), [(0, 0)]);
}

#[test]
fn a_private_key_without_an_end_extends_to_the_end_of_the_file() {
    let text = b"a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb\n-----BEGIN PRIVATE KEY-----\nxyz\n";
    let lines: Vec<Span> = private_keys(text);
    let [first, second] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((first.start, second.end), (2, text.len()));
    assert!(text[first.end..].starts_with(b"-----END RSA"));
}

#[test]
fn putty_keys_are_redacted() {
    let text = "a\nPuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\nAAAAIBc=\nPrivate-MAC: 9f00\nb";
    assert_eq!(
        redact_lines(text),
        Redacted { text: format!("a\n{}b", "[redacted]\n".repeat(5)), count: 5 }
    );
}

#[test]
fn a_key_of_ssh2_is_redacted() {
    let text = "a\n---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56w\n\
        ---- END SSH2 ENCRYPTED PRIVATE KEY ----\nb";
    assert_eq!(redact_lines(text).text, "a\n[redacted]\n[redacted]\n[redacted]\nb");
}

#[test]
fn a_private_key_that_begins_on_the_end_line_of_another_is_redacted() {
    let text = "a\n-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY----------BEGIN PRIVATE KEY-----\ny\n-----END PRIVATE KEY-----\nb";
    let redacted = redact_lines(text);
    assert_eq!(redacted.text, "a\n[redacted]\n[redacted]\n[redacted]\n[redacted]\n[redacted]\nb");
    assert_eq!(redacted.count, 5);
}

#[test]
fn text_is_redacted_line_by_line() {
    let redacted = redact_lines("why:\nAPI_KEY=abc123\r\n  token: abcdefgh12345\n");
    assert_eq!(
        redacted,
        Redacted { text: "why:\nAPI_KEY=[redacted]\r\n  token: [redacted]\n".to_owned(), count: 2 }
    );
}

/// Lines that keep every rule busy without an end: time has to grow with their length, not with its
/// square.
#[test]
fn redaction_of_a_long_line_takes_linear_time() {
    let pieces = [
        "password=password=",
        "password=\"\\",
        "://a:b@",
        "://a:",
        "<password>",
        "mysql -p ",
        "echo abc | ",
        "token-",
        "a_",
        "curl -u a:b ",
        "\"password\", ",
        "name=password value=",
        "authorization: x ",
        "${PASSWORD:-",
        "key=",
        "-----BEGIN PRIVATE KEY----- ",
        "sess=",
        "aB3",
        "user, \"a\", ",
        "key 0a1b2c3d ",
        "user:a1 ",
    ];
    for piece in pieces {
        let took = |length: usize| {
            let line = piece.repeat(length / piece.len());
            let once = || {
                let started = Instant::now();
                redact(&line);
                started.elapsed()
            };
            // The least of some: other work only adds to it.
            (0..9).map(|_| once()).min().unwrap_or_default()
        };
        // Eight times the length: thirty-two times the time leaves room for noise, sixty-four would
        // be the square, each time.
        let is_linear = |_| {
            let (short, long) = (took(4_000), took(32_000));
            println!("{piece}: {short:?} and {long:?}");
            long < short * 32 + Duration::from_millis(50)
        };
        assert!((0..3).any(is_linear), "{piece}");
    }
}
