//! Trees with secrets.
//!
//! Responsible for: lines with values that are redacted, lines with similar ones, and private keys,
//! whole and cut. Not here: making a well-formed tree out of entries ([`tree::grow`]). Invariants:
//! every secret is made up.

use proptest::prelude::*;
use proptest::sample::select;

use crate::case::Entry;
use crate::generate::tree;

/// Lines with a secret, or with something like one.
const LINES: &[&str] = &[
    "AKIAABCDEFGHIJKLMNOP",
    "id=ASIA0123456789ABCDEF, foo",
    "AKIAABCDEFGHIJKLMNOPQ",
    "ghp_abcdefghijklmnopqrstuvwxyz",
    "github_pat_0123456789_0123456789",
    "glpat-abcdefghij-klmnopqrst user",
    "npm_abcdefghijklmnopqrstuvwxyz012345",
    "xoxb-0123456789-abc",
    "AIzaabcdefghijklmnopqrstuvwxyz0123456789_",
    "key sk-abcdefghijklmnopqrstuvwx and rk_abcdefghijklmnopqrstuvwx",
    "task-abcdefghijklmnopqrstuvwx",
    "eyJabcdefghijkl.abcdefghijkl.abcdef",
    "postgres://user:geheim@host/db https://a:b@c redis://:foo@user",
    "Authorization: Bearer abcdefghijklmnopqrst",
    "authorization: BASIC\tabcdefghijklmnop==",
    "let password = \"hunter22\";",
    "  \"api_key\" : 'abcdef', \"secretKey\": \"ghijkl\"",
    "token := \"x y\"",
    "TOKEN => \"short\"",
    "private-key: \"abcdefg\" // service",
    "export DB_PASSWORD=geheim1",
    "  SECRET_KEY = abcdef  ",
    "KEY=abc def",
    "KEY='abcdef'",
    "db.password: abcdefgh",
    "token: abcdefg",
    "x-api-key: abcdefghi   ",
    "token: next(abc)",
    "pa\u{17f}\u{17f}word = \"abcdefgh\"",
    "to\u{212a}en = \"abcdefgh\"",
    "password = \"[redacted]\"",
    "SG.abcdefghijklmnop.abcdefghijklmnop SG.abcdefghijklmnop.abc",
    "GOCSPX-abcdefghijklmnopqrst ya29.abcdefghijklmnopqrst hf_abcdefghijklmnopqrstuvwxyzabcd",
    "pypi-abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij shpat_0123456789abcdef0123456789abcdef",
    "https://hooks.slack.com/services/T00000000/B00000000/abc user",
    "AccountKey=abcdefghij0123456789==;sharedaccesskey=abcdefghij0123456789",
    "machine foo login user password a machine foo login user password b",
    "db.password = geheim1",
    "user_passwd=geh$im",
    "password = foo.user",
    "service.secret_key = abcdefghijklmnopqrst  ",
    "max_tokens = 65536",
    "user foo service",
    "foo(user)",
    "",
    "\u{1b}[31m token = \"abcdefgh\" \u{202e}",
    "ghp_abcdefghijklmnopqrstuvwxyz password = \"ghp_abcdefghijklmnopqrstuvwxyz\"",
    "<user:password id='1'>geheim1</user:password><token>foo</token>",
    "<add key=\"DbPassword\" value=\"geheim1\" /> user",
    "Server=foo;User Id=user;Password=geheim1;Pwd=;Encrypt=true",
    "postgres://user:p@a/b@host/db?x=1 http://foo:8080/@user https://foo:${PW}@host",
    "tool --password=geheim1 --token geheim1234 --password <password> user",
    "redis-cli -h foo -a geheim user; mysql -u user -pgeheim foo; curl -u user:geheim foo",
    "X-Api-Key: abcdefghij0123456789 user",
    "  \"auth\": \"abcdefghijABCDEFGHIJ0123\", foo",
    "token: 01234567-89ab-cdef-0123-456789abcdef",
    "sha256: 0123456789abcdef0123456789abcdef foo_0123456789abcdef0123456789abcdef0",
    "zz_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0 foo",
    "password: string; token: Token; secret = os.environ[\"X\"]; pass: user.pass",
    "{name: DB_PASSWORD, value: geheim1} [password: \u{e4}bcdefgh1, user]",
    "foo?access_token=abcdef0123456789&user=1;key=aaaaaaaaaaaaaaaa",
    "Cookie: sessionid=abcdefgh01234567; user=foo",
    "connect(foo, \"user\", \"Geheim2024\"); tool -p Geheim17 -X 'user-4711' foo/Geheim88@service",
    "key(foo, \"q7Xz9Lk2Wv\") service; user aB3dE6gH9jK, foo_bar9_x2; PKCS12 issue4711 \"Geheim2024\"",
    "foo(\"service\", \"0a1b2c3d4e5f60718293a4b5c6d7e8f9\"); id: 0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "user * Geheim17 * sk_X509_foo_new_null(user) 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9, Geheim2024",
    "PASSWORD=${PASSWORD:-geheim1} password \u{17f}ecret token=\"abcdefgh\"\"ijklmnop\"",
];

/// Lines of keys, as they stand one below the other.
const KEYS: &[&str] = &[
    "-----BEGIN RSA PRIVATE KEY-----\nMIIabc user\nfoo\n-----END RSA PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\nfoo user\n",
    "x -----BEGIN PGP PRIVATE KEY BLOCK----- foo\nabc\n-----END PGP PRIVATE KEY BLOCK----- foo\nuser\n",
    "-----BEGIN PRIVATE KEY-----foo-----END PRIVATE KEY-----\nuser\n",
    "-----END PRIVATE KEY-----\nfoo\n-----BEGIN EC PRIVATE KEY-----\nuser\n-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\nfoo\n",
    "-----BEGIN PUBLIC KEY-----\nfoo\n-----END PUBLIC KEY-----\n",
    "-----BEGIN private KEY-----\nfoo\n",
    "-----BEGIN PRIVATE KEY-----\nfoo\n-----END PRIVATE KEY----------BEGIN PRIVATE KEY-----\nuser\n-----END PRIVATE KEY-----\nservice\n",
];

/// Paths of files.
const PLACES: &[&str] = &[
    "src/config.rs",
    "deploy/user.yaml",
    "foo.pem",
    "service/ghp_abcdefghijklmnopqrstuvwxyz.txt",
    "token: abcdefghij",
    "a\u{1b}b.rs",
    "README.md",
    "service/user.py",
];

fn contents() -> BoxedStrategy<String> {
    let line = select(LINES).prop_map(|line| format!("{line}\n"));
    let piece = prop_oneof![
        8 => line,
        2 => select(KEYS).prop_map(str::to_owned),
        1 => (1_usize..14).prop_map(|number| "\n".repeat(number)),
        1 => Just(format!("{}token = \"abcdefgh\" foo\n", "x ".repeat(190))),
        1 => Just(format!("foo password: \"{}\"\n", "y".repeat(500))),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat()).boxed()
}

/// A tree of such files.
pub(super) fn tree() -> BoxedStrategy<Vec<Entry>> {
    prop::collection::vec((select(PLACES), contents()), 1..=4)
        .prop_map(|files| {
            tree::grow(files.into_iter().map(|(place, contents)| Entry::file(place, contents)))
        })
        .boxed()
}
