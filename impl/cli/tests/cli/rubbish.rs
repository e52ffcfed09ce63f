//! Rubbish: messages that are valid, and what becomes of them in clumsy hands. Everything is drawn
//! from a seed.

use serde_json::{Map, Value, json};

use crate::dice::Dice;

/// A message, and the argument of the tool that is wrong in it, if it is just one.
pub(crate) struct Rubbish {
    pub(crate) line: Vec<u8>,
    pub(crate) field: Option<String>,
}

/// What the tools are called with by those who read their schemas.
const CALLS: [(&str, &str); 6] = [
    (
        "grep",
        r#"{"pattern":"needle","regex":false,"case":"smart","directory":"src","include_path":["*.rs"],"exclude_path":"x*","file_type":["rs"],"max_results":5,"offset":0,"context_lines":1}"#,
    ),
    (
        "find_files",
        r#"{"pattern":"*.rs","directory":"src","recursive":true,"include_path":"*.rs","exclude_path":[],"max_results":5,"offset":0}"#,
    ),
    (
        "search_text",
        r#"{"query":"needle word","directory":"src","include_path":["*.rs"],"exclude_path":["x*"],"file_type":"rs","max_results":5,"offset":0,"context_lines":0}"#,
    ),
    (
        "Search",
        r#"{"pattern":"needle","path":"src","case":"smart","fixed_strings":false,"word_regexp":false,"include_glob":["*.rs"],"exclude_glob":[],"recursive":true,"hidden":false,"follow":false,"no_ignore":false,"context":1,"max_results":5}"#,
    ),
    (
        "search_files",
        r#"{"path":"src","query":"needle","mode":"exact","case":"smart","recursive":true,"max_results":5,"max_matches_per_file":5,"context_lines":1,"include_hidden":false,"include_globs":["*.rs"],"exclude_globs":[]}"#,
    ),
    ("grep", r#"{"pattern":"needle"}"#),
];

/// Values that somebody could think of.
fn odd(dice: &mut Dice) -> Value {
    match dice.below(16) {
        0 => Value::Null,
        1 => json!(dice.below(2) == 0),
        2 => json!(-1),
        3 => json!(5.0),
        4 => json!(2.5),
        5 => json!(18_446_744_073_709_551_615_u64),
        6 => json!(1e300),
        7 => json!(""),
        8 => json!("5"),
        9 => json!("true"),
        10 => json!([]),
        11 => json!(["*.rs", 7]),
        12 => json!({}),
        13 => json!({ "value": "needle" }),
        14 => json!("a\u{0}b"),
        _ => json!("x".repeat(40_000)),
    }
}

/// What a model makes of a value that it has not read the schema of.
fn slipped(value: &Value, dice: &mut Dice) -> Value {
    match value {
        Value::String(text) => match dice.below(3) {
            0 => json!([text]),
            1 => json!({ "text": text }),
            _ => Value::Null,
        },
        Value::Number(number) => match dice.below(4) {
            0 => json!(number.to_string()),
            1 => json!(number.as_f64().unwrap()),
            2 => json!(number.as_f64().unwrap() + 0.5),
            _ => Value::Null,
        },
        Value::Bool(so) => match dice.below(4) {
            0 => json!(so.to_string()),
            1 => json!(i32::from(*so)),
            2 => json!([so]),
            _ => Value::Null,
        },
        Value::Array(items) => match dice.below(4) {
            0 => items.first().cloned().unwrap_or(json!("*.rs")),
            1 => json!(items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")),
            2 => json!({ "items": items }),
            _ => Value::Null,
        },
        _ => odd(dice),
    }
}

/// A name as it is written by somebody who remembers it badly.
fn misspelt(name: &str, dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => name.replace('_', ""),
        1 => name
            .split('_')
            .enumerate()
            .map(|(at, part)| if at == 0 { part.to_owned() } else { capital(part) })
            .collect(),
        2 => name.chars().skip(1).collect(),
        _ => format!("{name}s"),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A valid request. Its `_meta` is complete, so that it is one before `initialize`, too.
fn valid(id: u64, dice: &mut Dice) -> Value {
    let (tool, arguments) = dice.one(&CALLS);
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let (method, params) = match dice.below(12) {
        0 => ("ping", json!({})),
        1 => ("tools/list", json!({})),
        2 => ("notifications/cancelled", json!({ "requestId": 1, "reason": "none" })),
        3 => ("resources/list", json!({})),
        4 => (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "a", "value": "b" } }),
        ),
        5 => (
            "tools/call",
            json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": 7 } }),
        ),
        _ => ("tools/call", json!({ "name": tool, "arguments": arguments })),
    };
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    if !method.starts_with("notifications/") {
        message["id"] = json!(id);
    }
    message
}

/// One message that is not as it should be.
pub(crate) fn draw(id: u64, dice: &mut Dice) -> Rubbish {
    match dice.below(8) {
        0..=3 => slip(id, dice),
        4 | 5 => bent(id, dice),
        _ => torn(id, dice),
    }
}

/// A call in which one argument is wrong in a way that models are wrong.
fn slip(id: u64, dice: &mut Dice) -> Rubbish {
    let (tool, arguments) = dice.one(&CALLS);
    let mut arguments: Map<String, Value> = serde_json::from_str(arguments).unwrap();
    let names: Vec<String> = arguments.keys().cloned().collect();
    let name = dice.one(&names).clone();
    let field = match dice.below(4) {
        0 => {
            let wrong = misspelt(&name, dice);
            let value = arguments.remove(&name).unwrap();
            arguments.insert(wrong.clone(), value);
            wrong
        }
        1 => {
            let wrong =
                (*dice.one(&["colour", "max_result", "ignored", "path_filter", "budget", ""]))
                    .to_owned();
            arguments.insert(wrong.clone(), json!(1));
            wrong
        }
        2 => {
            arguments.insert(name.clone(), odd(dice));
            name
        }
        _ => {
            let value = slipped(&arguments[&name], dice);
            arguments.insert(name.clone(), value);
            name
        }
    };
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    Rubbish { line: message.to_string().into_bytes(), field: Some(field) }
}

/// A message in which something, anywhere, is something else, is gone, or is new.
fn bent(id: u64, dice: &mut Dice) -> Rubbish {
    let mut message = valid(id, dice);
    for _ in 0..=dice.below(2) {
        bend(&mut message, dice);
    }
    Rubbish { line: message.to_string().into_bytes(), field: None }
}

fn bend(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(fields) if !fields.is_empty() && dice.below(8) != 0 => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = dice.one(&names);
            match dice.below(8) {
                0 => drop(fields.remove(name)),
                1 => {
                    let value = fields.remove(name).unwrap();
                    fields.insert(misspelt(name, dice), value);
                }
                2 => drop(fields.insert("extra".to_owned(), odd(dice))),
                _ => bend(fields.get_mut(name).unwrap(), dice),
            }
        }
        Value::Array(items) if !items.is_empty() && dice.below(4) != 0 => {
            let at = dice.below(items.len());
            bend(&mut items[at], dice);
        }
        _ if dice.below(20) == 0 => {
            *value = (0..200).fold(json!(1), |inner, _| json!([inner]));
        }
        _ => *value = if dice.below(2) == 0 { odd(dice) } else { slipped(value, dice) },
    }
}

/// A line that has been damaged on its way. It stays one line.
fn torn(id: u64, dice: &mut Dice) -> Rubbish {
    let mut line = valid(id, dice).to_string().into_bytes();
    for _ in 0..=dice.below(3) {
        let at = dice.below(line.len().max(1));
        match dice.below(7) {
            0 => line.truncate(at),
            1 if at < line.len() => drop(line.remove(at)),
            2 => line.insert(at.min(line.len()), b"{}[]\",:\\ \x00\xff9e-"[dice.below(14)]),
            3 if at < line.len() => line[at] = [b'"', 0xC3, b'}', b'0', 0x01, b'\\'][dice.below(6)],
            4 => line.extend_from_slice(b"{}"),
            5 => {
                // A key that stands twice.
                let twice =
                    [&b"{\"jsonrpc\":\"2.0\","[..], line.get(1..).unwrap_or_default()].concat();
                line = twice;
            }
            _ => line = [b"[".as_slice(), &line, b"]"].concat(),
        }
        if line.is_empty() {
            line.push(b'7');
        }
    }
    Rubbish { line, field: None }
}
