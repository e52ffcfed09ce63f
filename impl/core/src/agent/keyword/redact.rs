//! Secrets are taken out of whatever is sent (E-I25; docs/keyword-search.md, section 5).

use std::{borrow::Cow, ops::Range, sync::LazyLock};

use regex_automata::{Input, meta::Regex};

use crate::text::{self, Span};

/// What stands where a secret was.
const REDACTED: &str = "[redacted]";

/// What secrets look like. Where a pattern has a group, the group is the secret.
const PATTERNS: [&str; 18] = [
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{30,})",
    r"\bxox[a-z]-[A-Za-z0-9-]{10,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{20,}",
    r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}",
    r"\b(?:SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{50,}|dop_v1_[a-f0-9]{60,}|shp(?:at|ss)_[A-Fa-f0-9]{30,})",
    r"://[^/\s:@]*:([^/\s@]+)@",
    r"\bhooks\.slack\.com/services/([A-Za-z0-9/]{20,})",
    r"(?i)\b(?:bearer|basic)\s+([A-Za-z0-9+/=_.~-]{16,})",
    r"(?i)\b(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{20,}={0,2})",
    r#"(?i)(?:password|passwd|passphrase|pwd)[A-Za-z0-9_]*["']?\s*(?::=|=>|[:=])\s*["']([^"']{6,})["']"#,
    r#"(?i)(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)[A-Za-z0-9_]*["']?\s*(?::=|=>|[:=])\s*["']([^"'\s]{6,})["']"#,
    r#"^\s*(?:export\s+)?[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|KEY)[A-Z0-9_]*\s*=\s*([^\s"'#]{6,})\s*$"#,
    r"(?i)\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S+)",
    r#"(?i)^\s*[A-Za-z0-9_.-]*(?:password|passwd)\s*=\s*([^\s"'$.{}\[\](),;<>]{6,})\s*$"#,
    r"(?i)^\s*[A-Za-z0-9_.-]*(?:secret|token|api[_-]?key|access[_-]?key)[A-Za-z0-9_.-]*\s*=\s*([A-Za-z0-9+/=_~-]{20,})\s*$",
    r#"(?i)^\s*[A-Za-z0-9_.-]*(?:password|passwd|secret|token|api[_-]?key)[A-Za-z0-9_.-]*\s*:\s*([^\s"'{}\[\](),;<>]{8,})\s*$"#,
];

const BEGINS: &str = r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|PuTTY-User-Key-File-[0-9]+:";
const ENDS: &str = r"-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|Private-MAC:";

struct Secrets {
    each: Vec<Regex>,
    /// Whether any of them matches: most lines have no secret.
    any: Option<Regex>,
    begins: Option<Regex>,
    ends: Option<Regex>,
}

static SECRETS: LazyLock<Secrets> = LazyLock::new(|| Secrets {
    each: PATTERNS.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect(),
    any: Regex::new_many(&PATTERNS).ok(),
    begins: Regex::new(BEGINS).ok(),
    ends: Regex::new(ENDS).ok(),
});

/// A text without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// What is left.
    pub text: String,
    /// How many secrets were taken out.
    pub count: u64,
}

impl Redacted {
    /// A line that is nothing but a secret.
    pub(super) fn whole() -> Self {
        Self { text: REDACTED.to_owned(), count: 1 }
    }
}

/// Takes the secrets out of one line.
pub fn redact(line: &str) -> Redacted {
    let secrets = &*SECRETS;
    if secrets.any.as_ref().is_some_and(|any| !any.is_match(line)) {
        return Redacted { text: line.to_owned(), count: 0 };
    }
    let mut text = Cow::Borrowed(line);
    let mut count = 0;
    for pattern in &secrets.each {
        let found = secret_places(pattern, &text);
        if found.is_empty() {
            continue;
        }
        count += found.len() as u64;
        let mut left = String::with_capacity(text.len());
        let mut from = 0;
        for place in found {
            left.push_str(text.get(from..place.start).unwrap_or_default());
            left.push_str(REDACTED);
            from = place.end;
        }
        left.push_str(text.get(from..).unwrap_or_default());
        text = Cow::Owned(left);
    }
    Redacted { text: text.into_owned(), count }
}

fn secret_places(pattern: &Regex, text: &str) -> Vec<Range<usize>> {
    pattern
        .captures_iter(text)
        .filter_map(|found| found.get_group(1).or_else(|| found.get_group(0)))
        .map(|span| span.range())
        .collect()
}

/// Takes the secrets out of a text of several lines.
pub(super) fn redact_lines(text: &str) -> Redacted {
    let keys = private_keys(text.as_bytes());
    let mut all = Redacted { text: String::with_capacity(text.len()), count: 0 };
    let mut start = 0;
    for (number, line) in text.split('\n').enumerate() {
        let is_key = keys.iter().any(|key| key.start <= start && start <= key.end);
        let Redacted { text, count } = if is_key { Redacted::whole() } else { redact(line) };
        if number > 0 {
            all.text.push('\n');
        }
        all.text.push_str(&text);
        all.count += count;
        start += line.len() + 1;
    }
    all
}

/// The private keys in a text, each from the start of its first line to that of its last.
pub(super) fn private_keys(text: &[u8]) -> Vec<Span> {
    let mut keys = Vec::new();
    let (Some(begins), Some(ends)) = (&SECRETS.begins, &SECRETS.ends) else { return keys };
    let start_of = |at: usize| text::line_at(text, at).map_or(text.len(), |line| line.start);
    let mut from = 0;
    while let Some(begin) = begins.find(Input::new(text).range(from..)) {
        let start = start_of(begin.start());
        let Some(end) = ends.find(Input::new(text).range(begin.end()..)) else {
            keys.push(Span { start, end: text.len() });
            break;
        };
        keys.push(Span { start, end: start_of(end.start()) });
        from = end.end();
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        assert_eq!(SECRETS.each.len(), PATTERNS.len());
        assert!(SECRETS.any.is_some() && SECRETS.begins.is_some() && SECRETS.ends.is_some());
    }

    #[test]
    fn what_is_a_secret_is_taken_out_and_nothing_else() {
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
            ("AccountName=a;AccountKey=abcdefghij0123456789==;b", "AccountName=a;AccountKey=[redacted];b", 1),
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
    fn a_private_key_may_be_one_line() {
        let text = b"key: -----BEGIN PRIVATE KEY-----\\nMII\\n-----END PRIVATE KEY-----\nb\n";
        let only = private_keys(text);
        assert_eq!(only.iter().map(|key| (key.start, key.end)).collect::<Vec<_>>(), [(0, 0)]);
    }

    #[test]
    fn a_private_key_without_an_end_goes_on_to_the_end_of_the_file() {
        let text = b"a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb\n-----BEGIN PRIVATE KEY-----\nxyz\n";
        let lines: Vec<Span> = private_keys(text);
        let [first, second] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!((first.start, second.end), (2, text.len()));
        assert!(text[first.end..].starts_with(b"-----END RSA"));
    }

    #[test]
    fn keys_in_the_form_of_putty_are_keys() {
        let text = "a\nPuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\nAAAAIBc=\nPrivate-MAC: 9f00\nb";
        assert_eq!(
            redact_lines(text),
            Redacted { text: format!("a\n{}b", "[redacted]\n".repeat(5)), count: 5 }
        );
    }

    #[test]
    fn a_key_that_begins_where_another_ends_is_one_too() {
        let text = "a\n-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY----------BEGIN PRIVATE KEY-----\ny\n-----END PRIVATE KEY-----\nb";
        let redacted = redact_lines(text);
        assert_eq!(redacted.text, "a\n[redacted]\n[redacted]\n[redacted]\n[redacted]\n[redacted]\nb");
        assert_eq!(redacted.count, 5);
    }

    #[test]
    fn lines_are_lines_of_their_own() {
        let redacted = redact_lines("why:\nAPI_KEY=abc123\r\n  token: abcdefgh12345\n");
        assert_eq!(
            redacted,
            Redacted { text: "why:\nAPI_KEY=[redacted]\r\n  token: [redacted]\n".to_owned(), count: 2 }
        );
    }
}
