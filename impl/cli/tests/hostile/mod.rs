//! Trees and requests that are as much as is allowed, of each kind. Everything is drawn from a
//! seed.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that fails says so by panicking"
)]

use std::{fs, os::unix::fs::symlink, path::Path};

use serde_json::{Map, Value, json};

use crate::dice::Dice;

/// Makes a hostile tree at `root`, which is an empty directory, and says of what kind it is. Nine
/// numbers one after the
/// other make all kinds.
pub(crate) fn tree(root: &Path, number: u64, dice: &mut Dice) -> &'static str {
    fs::write(root.join("found.txt"), "needle\n").unwrap();
    match number % 9 {
        0 => {
            nested(root, 16, |_| "?\n".repeat(1 << 19));
            "equal ignore files of 1 MiB"
        }
        1 => {
            nested(root, 8, |depth| {
                (0..90_000).map(|line| format!("{depth}{line:x}?\n")).collect::<Vec<_>>().concat()
            });
            "different ignore files of 1 MiB"
        }
        2 => {
            let rules: Vec<String> =
                (0..5_000).map(|rule| format!("**/{}{rule}*/**", "a*".repeat(20))).collect();
            nested(root, 4, |_| rules.join("\n"));
            "ignore files of wildcards"
        }
        3 => {
            for number in 0..4_000 {
                fs::write(root.join(format!("{}{number}", "ab".repeat(100))), "needle\n").unwrap();
            }
            "long names in one directory"
        }
        4 => {
            let word = ["needle ", "aaaaaaaa", "é "][dice.below(3)];
            fs::write(root.join("line.txt"), word.repeat((7 << 20) / word.len())).unwrap();
            "one line of 7 MiB"
        }
        5 => {
            let mut directory = root.to_owned();
            for _ in 0..400 {
                directory.push("d");
            }
            fs::create_dir_all(&directory).unwrap();
            fs::write(directory.join("needle.txt"), "needle\n").unwrap();
            "400 levels"
        }
        6 => {
            for number in 0..3_000 {
                let to = ["nowhere", ".", "..", "/etc/passwd", "/proc/self/mem"][dice.below(5)];
                symlink(to, root.join(format!("link{number}"))).unwrap();
            }
            "links"
        }
        7 => {
            let text = "needle\n".repeat(1 << 19);
            for number in 0..8 {
                fs::write(root.join(format!("many{number}.txt")), &text).unwrap();
            }
            "millions of matches"
        }
        _ => {
            for number in 0..2_000_usize {
                let length = dice.below(300);
                let bytes: Vec<u8> =
                    (0..length).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
                fs::write(root.join(format!("\u{1b}[2J\n{number}\u{202e}")), bytes).unwrap();
            }
            "bytes"
        }
    }
}

fn nested(root: &Path, depth: usize, rules: impl Fn(usize) -> String) {
    let mut directory = root.to_owned();
    for level in 0..depth {
        directory = directory.join("directory");
        fs::create_dir(&directory).unwrap();
        let mut text = rules(level);
        text.truncate(1 << 20);
        fs::write(directory.join(".gitignore"), text).unwrap();
        fs::write(directory.join("needle.txt"), "needle\n").unwrap();
    }
}

/// A call: the tool and its arguments, each at its limit or beyond it.
pub(crate) fn call(dice: &mut Dice, timeout_ms: u64) -> (&'static str, Value) {
    let mut arguments = Map::new();
    let mut put = |name: &str, value: Value| drop(arguments.insert(name.to_owned(), value));
    let tool = *dice.one(&[
        "grep",
        "search_text",
        "find_files",
        "Search",
        "search_files",
        "keyword_search",
    ]);
    match tool {
        "grep" | "find_files" => put("pattern", pattern(dice)),
        "Search" => {
            put("pattern", pattern(dice));
            put("timeout_ms", json!(timeout_ms));
            put("max_results", json!(100_000));
            put("context", json!(dice.below(1_001)));
            for flag in ["no_ignore", "follow", "hidden", "fixed_strings"] {
                put(flag, json!(dice.below(2) == 0));
            }
            if dice.below(4) == 0 {
                put("fuzzy", json!(4));
            }
        }
        "search_files" => {
            put("query", pattern(dice));
            put("path", json!("."));
            put("mode", json!(*dice.one(&["exact", "regex", "fuzzy"])));
            put("context_lines", json!(dice.below(1_001)));
        }
        "search_text" => put("query", text(dice, 16 << 10)),
        _ => {
            put("query", text(dice, 16 << 10));
            let terms: Vec<Value> = (0..32).map(|_| text(dice, 1 << 10)).collect();
            put("search_terms", terms.into());
            put("use_model", json!(false));
        }
    }
    if tool == "grep" {
        put("regex", json!(dice.below(2) == 0));
        put("output", json!(*dice.one(&["lines", "files", "count"])));
    }
    let (include, exclude) = match tool {
        "Search" => ("include_glob", "exclude_glob"),
        "search_files" => ("include_globs", "exclude_globs"),
        "keyword_search" => return (tool, Value::Object(arguments)),
        _ => ("include_path", "exclude_path"),
    };
    for field in [include, exclude] {
        if dice.below(3) == 0 {
            let one = glob(dice);
            arguments.insert(field.to_owned(), json!(vec![one; 1 + dice.below(256)]));
        }
    }
    (tool, Value::Object(arguments))
}

/// A pattern, as literal or expression, of which much can come.
fn pattern(dice: &mut Dice) -> Value {
    let patterns = [
        "needle".to_owned(),
        "a".to_owned(),
        ".".to_owned(),
        "(a|b|c|d)*x{1,50}".to_owned(),
        "(?:a+a+)+y".to_owned(),
        r"\b\w+é\b".to_owned(),
        r"(\w+\s){20}z".to_owned(),
        "[a-z]{1,200}é".to_owned(),
        "a".repeat(16_384),
        format!("{}a{}", "(".repeat(240), ")".repeat(240)),
        (0..1_500).map(|word| format!("w{word}")).collect::<Vec<_>>().join("|"),
        "x*".repeat(2_000),
        "(".repeat(5_000),
        format!("{}{{3,9}}", "(?:a|é)".repeat(100)),
    ];
    json!(dice.one(&patterns))
}

fn glob(dice: &mut Dice) -> String {
    match dice.below(6) {
        0 => "{a,b}".repeat(10) + &"?".repeat(4_046),
        1 => "**/".repeat(1_300) + "*",
        2 => "*a".repeat(2_000),
        3 => format!("{{{}}}", vec!["*.x"; 1_000].join(",")),
        4 => "[".repeat(10),
        _ => "*".to_owned(),
    }
}

fn text(dice: &mut Dice, most: usize) -> Value {
    let words = ["needle ", "a", "\u{fffd}", "é ", "(", "\u{1b}[2J", "word_and_word "];
    let word = dice.one(&words);
    json!(word.repeat(1 + dice.below(most / word.len())))
}
