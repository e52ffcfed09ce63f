//! Rust's `regex`, or `regex-lite` by its first argument, as other_language.py asks it.

use std::io::{Write, stdin, stdout};

use serde_json::{Value, json};

type Matcher = Box<dyn Fn(&str) -> Vec<(usize, usize)>>;

macro_rules! matcher {
    ($engine:ident, $pattern:expr, $insensitive:expr) => {{
        let built = $engine::RegexBuilder::new($pattern).case_insensitive($insensitive).build();
        built.map_err(|error| error.to_string()).map(|built| -> Matcher {
            Box::new(move |line| {
                built.find_iter(line).map(|one| (one.start(), one.end())).collect()
            })
        })
    }};
}

/// The release that was built in.
fn release(engine: &str) -> &str {
    let named = format!("name = \"{engine}\"\nversion = \"");
    let (_, rest) = include_str!("../Cargo.lock").split_once(&named).expect("it is a dependency");
    rest.split('"').next().expect("a version")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.last().is_some_and(|last| last == "--version") {
        return println!("{}", release(&arguments[0]));
    }
    let mut matcher: Option<Matcher> = None;
    for line in stdin().lines() {
        let told: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let answer = if let Some(line) = told.as_str() {
            json!(matcher.as_ref().expect("a pattern came first")(line))
        } else {
            // What Perl writes by looking around.
            let pattern =
                told[0].as_str().expect("a pattern").replace(r"(?<!\w)", r"\b{start-half}");
            let pattern = pattern.replace(r"(?!\w)", r"\b{end-half}");
            let made = match arguments[0].as_str() {
                "regex" => matcher!(regex, &pattern, told[1] == true),
                _ => matcher!(regex_lite, &pattern, told[1] == true),
            };
            let reason = made.as_ref().err().cloned();
            matcher = made.ok();
            json!(reason)
        };
        println!("{answer}");
        stdout().flush().expect("it is read");
    }
}
