use super::*;
use crate::generated::keyword::KEYWORD;

fn clean(text: &str) -> (String, u64) {
    let clean = Secrets::of(&KEYWORD).clean(text);
    (clean.text, clean.redacted)
}

#[test]
fn every_redaction_pattern_compiles() {
    let secrets = Secrets::of(&KEYWORD);
    assert_eq!(secrets.known.len(), KEYWORD.secrets.len());
    assert_eq!((secrets.key_begin.len(), secrets.key_end.len()), (1, 1));
}

#[test]
fn secrets_are_replaced_and_other_text_stays() {
    for (text, shown) in [
        ("id AKIAABCDEFGHIJKLMNOP.", "id [redacted]."),
        ("https://user:geheim@host/", "https://user:[redacted]@host/"),
        ("Authorization: Bearer abcdefghijklmnop1", "Authorization: Bearer [redacted]"),
        ("export API_KEY=abcdefgh", "export API_KEY=[redacted]"),
        ("  db_password: longenough", "  db_password: [redacted]"),
        ("<password>hunter2</password>", "<password>[redacted]</password>"),
        ("postgres://u:p@S3cret/x@host/db", "postgres://u:[redacted]@host/db"),
    ] {
        assert_eq!(clean(text), (shown.to_owned(), 1), "{text}");
    }
    for text in
        ["let token = next();", "password: string;", "password = self.password", "token: ${TOKEN}"]
    {
        assert_eq!(clean(text), (text.to_owned(), 0), "{text}");
    }
}

#[test]
fn a_private_key_is_redacted_from_its_first_line_to_its_last() {
    let lines = ["a", "-----BEGIN RSA PRIVATE KEY-----", "x", "-----END RSA PRIVATE KEY-----", "b"];
    let lines = lines.map(str::to_owned);
    assert_eq!(Secrets::of(&KEYWORD).of_keys(&lines), [false, true, true, true, false]);
    let unfinished = ["-----BEGIN PRIVATE KEY-----".to_owned(), "x".to_owned()];
    assert_eq!(Secrets::of(&KEYWORD).of_keys(&unfinished), [true, true]);
    let one =
        ["-----BEGIN PRIVATE KEY----- x -----END PRIVATE KEY-----".to_owned(), "y".to_owned()];
    assert_eq!(Secrets::of(&KEYWORD).of_keys(&one), [true, false]);
}
