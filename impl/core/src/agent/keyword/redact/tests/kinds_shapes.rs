//! Secrets in shapes of lines, whatever service they are for. Notation as in
//! [`super::kinds_named`].

use super::Kind;

pub(super) const SHAPES: &[Kind] = &[
    (
        "name of several words",
        &[
            "API Key: <<~alnum32~>>",
            "Secret access key: <<~base40~>>",
            "    client secret = \"<<~alnum32~>>\"",
            "| API key | `<<~hex32~>>` |",
        ],
    ),
    (
        "nested value",
        &[
            "{\"apiToken\":{\"value\":\"<<~alnum32~>>\"}}",
            "<setting name=\"ServiceKey\" serializeAs=\"String\"><value><<~alnum32~>></value></setting>",
            "<Parameter name=\"AccessToken\"><<~alnum40~>></Parameter>",
        ],
    ),
    (
        "token of an address",
        &[
            "https://<<~alnum32~>>:@api.example.com/",
            "FOO_DSN=https://<<~hex32~>>@sentry.example.com/1",
            "https://api.example.com/v1/data?apikey=<<~alnum32~>>&x=1",
            "foo:<<~pw~>>@tcp(127.0.0.1:3306)/db",
        ],
    ),
    (
        "header of its own",
        &[
            "X-Custom-Auth: <<~alnum32~>>",
            "curl -H \"Api-Token: <<~alnum32~>>\" https://x",
            "headers[\"X-Token\"] = \"<<~alnum32~>>\"",
            "req.Header.Add(\"X-Signature-Key\", \"<<~alnum32~>>\")",
        ],
    ),
    (
        "options of a command",
        &[
            "http --auth me:<<~pw~>> example.com",
            "tool -u me -p <<~alnum12~>>",
            "tool login --token <<~alnum40~>>",
            "tool --api-key <<~hex32~>> run",
        ],
    ),
    (
        "argument of a call",
        &[
            "sdk.setApiKey(\"<<~alnum32~>>\")",
            "sdk.SetToken(\"<<~hex40~>>\")",
            "Foo::withKey('<<~alnum32~>>')",
            "const client = createClient(\"https://x.example.com\", \"<<~alnum40~>>\")",
            "'foo' => env('FOO', '<<~alnum32~>>'),",
            "requests.get(url, auth=HTTPBasicAuth(\"me\", \"hunter<<~digits6~>>\"))",
        ],
    ),
    (
        "random value of a setting",
        &["export FOO_BAR=<<~alnum40~>>", "ARG NPM_AUTH=<<~hex40~>>", "foo_bar: \"<<~alnum32~>>\""],
    ),
];
