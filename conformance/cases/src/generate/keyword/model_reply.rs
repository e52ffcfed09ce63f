//! What a language model says, well and badly.
//!
//! Responsible for: lists of files in every form that is read and in some that are not, with files
//! and lines that are hits and with others, amid prose; and failures. Not here: what the
//! placeholders stand for ([`crate::script`]). Invariants: what is drawn is text; nothing here
//! knows the tree.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use crate::script::{Failure, Script};

/// Paths as items name them, without the quotation marks.
const PATHS: &[&str] = &[
    "<<file 0>>",
    "<<file 0>>",
    "<<file 1>>",
    "<<file 1>>",
    "<<file 2>>",
    "<<file 3>>",
    "./<<file 0>>",
    " `<<file 1>>`\\n",
    "`./<<file 0>>`",
    "././<<file 0>>",
    "src/invented.rs",
    "../../etc/passwd",
    "",
    "<<file 0>> ",
    "/<<file 0>>",
    "<<file 0>>:<<hit 0 0>>",
];

/// Lists of lines.
const LINES: &[&str] = &[
    "[<<hit 0 0>>]",
    "[<<hit 0 1>>, <<hit 0 0>>]",
    "[<<hit 1 0>>, <<near 1>>]",
    "[<<near 0>>, <<hit 0 0>>, 0]",
    "[<<hit 0 0>>, 12.0, <<near 0>>]",
    "[<<near 0>>]",
    "[<<near 0>>, <<hit 0 0>>.0, <<near 0>>]",
    "[\"<<hit 0 0>>\", \"x\", \"\", null]",
    "[<<hit 0 0>>, <<hit 0 0>>, <<hit 0 1>>, <<hit 0 2>>, <<hit 0 3>>, <<hit 0 4>>, <<hit 0 5>>, <<hit 0 6>>]",
    "[<<hit 0 6>>, <<hit 0 5>>, <<hit 0 4>>, <<hit 0 3>>, <<hit 0 2>>, <<hit 0 1>>, <<hit 0 0>>]",
    "[0, -1, 1.5, 99999999999999999999, 1e3]",
    "[\"0<<hit 0 0>>\", \" <<hit 0 0>>\", \"+<<hit 0 0>>\"]",
    "[[<<hit 0 0>>]]",
    "[]",
    "\"<<hit 0 0>>\"",
    "null",
    "{}",
];

const REASONS: &[&str] = &[
    "\"Because it says so.\"",
    "\"  several\\n\\n lines \\u0001 and\\ttabs \"",
    "\"\"",
    "\" \\n\"",
    "null",
    "7",
    "\"\\u001b[31mred\\u001b[0m \\u2028 x\"",
];

/// Objects around an array of items; `@` stands for the items.
const AROUND: &[&str] = &[
    "{\"files\": [@]}",
    "{\"files\": [@]}",
    "{\"files\": [@]}",
    "{\"files\": [@], \"results\": []}",
    "{\"results\": [@]}",
    "{\"ranked_files\": [@]}",
    "{\"ranked_files\": [], \"results\": [@]}",
    "{\"files\": null, \"results\": [@]}",
    "{\"answer\": {\"files\": [@]}}",
    "[@]",
    "[@]",
    "[[@]]",
    "{\"files\": [@]",
    "{\"files\": {\"0\": [@]}}",
    "{\"paths\": [@]}",
];

/// What stands around that; `@` stands for it.
const PROSE: &[&str] = &[
    "@",
    "@",
    "@",
    "```json\n@\n```",
    "Here are the files:\n\n@\n\nI hope that [this] helps {you}!",
    "<think>{\"files\": [\"<<file 0>>\"]}</think>@",
    "<think>hm</think> and </think>\n@",
    "@</think>",
    "{ not json } [ ] [1, 2] @",
    "{\"note\": \"no list\"} @ {\"files\": []}",
    "\u{feff}@",
    "\u{65e5}\u{672c} @",
];

/// Everything else.
const WHOLE: &[&str] = &[
    "",
    "I cannot help with that.",
    "{\"files\": []}",
    "[]",
    "{}",
    "[1, 2, 3]",
    "[\"src/invented.rs\"]",
    "<<file 0>>",
    "\"<<file 0>>\"",
    "null",
    "{\"files\": \"<<file 0>>\"}",
    "{\"files\": [{\"path\": \"<<file 0>>\"}, {\"file\": \"<<file 0>>\"}, \"<<file 0>>\"]}",
];

fn item() -> BoxedStrategy<String> {
    let path = select(PATHS);
    let named = (
        path.clone(),
        select(&["path", "path", "file"][..]),
        weighted(0.7, select(LINES)),
        weighted(0.7, select(REASONS)),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(path, name, lines, reason, other)| {
            let lines = lines.map(|lines| format!(", \"lines\": {lines}")).unwrap_or_default();
            let word = if other { "explanation" } else { "reason" };
            let reason = reason.map(|reason| format!(", \"{word}\": {reason}")).unwrap_or_default();
            format!("{{\"{name}\": \"{path}\"{lines}{reason}}}")
        });
    prop_oneof![
        8 => named,
        3 => path.prop_map(|path| format!("\"{path}\"")),
        1 => select(&["7", "null", "{}", "[\"<<file 0>>\"]", "{\"path\": 7, \"file\": \"<<file 0>>\"}", "{\"name\": \"<<file 0>>\"}"][..]).prop_map(str::to_owned),
        1 => Just(format!("{{\"path\": \"<<file 0>>\", \"reason\": \"{}\"}}", "long \u{e9}".repeat(60))),
    ]
    .boxed()
}

fn list_reply() -> BoxedStrategy<String> {
    let list = (prop::collection::vec(item(), 0..5), select(AROUND), select(PROSE)).prop_map(
        |(items, around, prose)| prose.replace('@', &around.replace('@', &items.join(", "))),
    );
    let far = prop_oneof![Just(65_500_usize), Just(65_536), Just(70_000)]
        .prop_map(|length| format!("{}{{\"files\": [\"<<file 0>>\"]}}", "x".repeat(length)));
    let places = prop_oneof![Just(998_usize), Just(999), Just(1_000)]
        .prop_map(|number| format!("{}{{\"files\": [\"<<file 0>>\"]}}", "{ ".repeat(number)));
    prop_oneof![40 => list, 8 => select(WHOLE).prop_map(str::to_owned), 1 => far, 1 => places]
        .boxed()
}

/// Any reply of a model, malformed ones included.
pub(super) fn script() -> BoxedStrategy<Script> {
    let failures = [
        Failure::TimedOut,
        Failure::Refused,
        Failure::Unreachable,
        Failure::Garbled,
        Failure::TooLong,
    ];
    prop_oneof![
        12 => list_reply().prop_map(|says| Script { says, fails: None }),
        1 => select(failures.to_vec()).prop_map(|failure| Script { says: String::new(), fails: Some(failure) }),
    ]
    .boxed()
}

/// The usual reply: some of the files, the last first.
pub(super) fn usual() -> BoxedStrategy<Script> {
    let said = select(
        &[
            "{\"files\": [{\"path\": \"<<file 1>>\", \"lines\": [<<hit 1 0>>], \"reason\": \"It is here.\"}, {\"path\": \"<<file 0>>\", \"lines\": [], \"reason\": \"And here.\"}]}",
            "{\"files\": [{\"path\": \"<<file 2>>\", \"lines\": [<<hit 2 0>>, <<hit 2 1>>], \"reason\": \"\"}]}",
            "{\"files\": []}",
            "No.",
        ][..],
    );
    said.prop_map(|says| Script { says: says.to_owned(), fails: None }).boxed()
}
