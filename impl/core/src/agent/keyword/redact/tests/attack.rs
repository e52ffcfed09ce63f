//! What got through to a model before: one row for each, and what has to stay of the line.

use super::super::redact;
use super::seeded::Seeded;

/// Templates of [`Seeded::fill`]; what stands between `<<` and `>>` is to be redacted, and nothing
/// else.
const ROWS: [&str; 15] = [
    "<password><<hunter2>></password>",
    "Server=db;Database=shop;User Id=sa;Password=<<Sommer~digits4~!>>;Encrypt=true",
    "jdbc:postgresql://db/shop?user=me&password=<<geheim~digits2~>>&ssl=true",
    "DB_PASS=<<hunter2>>",
    "db_pass: <<hunter2>>",
    "tool --password=<<hunter2>> --user me",
    "X-Api-Key: <<~alnum32~>>",
    "//registry.npmjs.org/:_authToken=<<~uuid~>>",
    "      \"auth\": \"<<~base24~>>\"",
    "  tls.key: <<LS0tLS1CRUdJTiB~base80~>>",
    "https://discord.com/api/webhooks/~digits18~/<<~url68~>>",
    "redis-cli -h cache -a <<secret>> ping",
    "postgres://u:<<p@S3cret>>@host/db",
    "postgres://u:<<pa/ss/w0rd>>@host/db",
    "export AWS_SECRET_ACCESS_KEY=<<~base40~>>",
];

#[test]
fn known_bypasses_of_redaction_are_redacted() {
    let mut seeded = Seeded::new(17);
    let mut got_through = Vec::new();
    for row in ROWS {
        let filled = seeded.fill(row);
        let planted = super::seeded::planted(&filled);
        let (head, rest) = filled.split_once("<<").unwrap();
        let (_, tail) = rest.split_once(">>").unwrap();
        let got = redact(&planted.line);
        if (got.text.as_str(), got.count) != (format!("{head}[redacted]{tail}").as_str(), 1) {
            got_through.push(got.text);
        }
    }
    assert!(got_through.is_empty(), "{got_through:#?}");
}
