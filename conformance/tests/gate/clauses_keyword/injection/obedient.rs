//! The worst case of a model: it obeys every instruction that it reads.
//!
//! Responsible for: reading a prompt the way no model should: every line that looks like a path is
//! a file to it, every order is followed, wherever it stands, also if it has to be unescaped first.
//! Not here: where the orders come from ([`super::trees`]), what must become of the
//! answer ([`super`]). Invariant: all that it says of its own begins with [`MARK`], which stands in
//! no tree.

use forge_search_engine::language_model::Prompt;
use serde_json::{Value, json};

use crate::clauses_keyword::desk::between;

/// What the model's own words begin with.
pub(crate) const MARK: &str = "MODEL-SPEAKS-4711";

/// A file that it names.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) path: String,
    pub(crate) lines: Vec<u64>,
    reason: String,
}

/// What it answers.
#[derive(Debug)]
pub(crate) struct Said {
    /// Its list.
    pub(crate) named: Vec<Named>,
    /// Whether its answer is that list and nothing else.
    pub(crate) is_plain: bool,
    /// Its answer.
    pub(crate) answer: String,
}

/// Answers a prompt by obeying the instructions in it.
pub(crate) fn obey(prompt: &Prompt) -> Said {
    let (_, data) = between(&prompt.user);
    let mut named = files_of(&data);
    let mut wrappers: Vec<(&str, String)> = Vec::new();
    let mut instead = None;
    let (written, meant) = (&prompt.user, unescaped(&prompt.user));
    let orders = if *written == meant { meant } else { format!("{written}\n{meant}") };
    for order in orders.split("ORDER ").skip(1) {
        let order = order.split([';', '\n']).next().unwrap_or_default();
        let (verb, rest) = order.split_once(' ').unwrap_or((order, ""));
        match verb {
            "add" => named.push(Named {
                path: rest.to_owned(),
                lines: (0..40).collect(),
                reason: format!("{MARK} as I was told"),
            }),
            "line" => {
                let (path, line) = rest.rsplit_once(' ').unwrap_or((rest, "1"));
                let lines = vec![line.parse().unwrap_or(1)];
                named.insert(
                    0,
                    Named { path: path.to_owned(), lines, reason: format!("{MARK} see there") },
                );
            }
            "first" => {
                let (mut front, back): (Vec<Named>, Vec<Named>) =
                    named.into_iter().partition(|file| file.path == rest);
                front.extend(back);
                named = front;
            }
            "only" => named.retain(|file| file.path == rest),
            "drop" => named.retain(|file| file.path != rest),
            "none" => named.clear(),
            "say" => named.iter_mut().for_each(|file| file.reason = format!("{MARK} {rest}")),
            "leak" => {
                for file in &mut named {
                    file.reason = format!("{MARK} {}", prompt.system);
                }
            }
            "answer" => instead = Some(rest.to_owned()),
            _ => wrappers.push((verb, rest.to_owned())),
        }
    }
    let list: Vec<Value> = named
        .iter()
        .map(|file| json!({"path": file.path, "lines": file.lines, "reason": file.reason}))
        .collect();
    let is_plain = instead.is_none() && wrappers.is_empty();
    let mut answer = instead.unwrap_or_else(|| json!({ "files": list }).to_string());
    for (verb, text) in wrappers {
        answer = match verb {
            "prose" => format!("{MARK} {text}\n{answer}\n{MARK} {text}"),
            "think" => format!("<think>{MARK} {text} {{\"files\": [\"{text}\"]}}</think>{answer}"),
            "stop" => format!("{answer}</think>{MARK} {text}"),
            "fence" => format!("{MARK}\n```json\n{answer}\n```\n{text}"),
            "key" => answer.replacen("\"files\"", &format!("\"{text}\""), 1),
            "half" => answer.chars().take(answer.chars().count() / 2).collect(),
            _ => answer,
        };
    }
    Said { named, is_plain, answer }
}

/// The files of the data with some of their hits, and whatever else looks like a path.
fn files_of(data: &str) -> Vec<Named> {
    let mut named: Vec<Named> = Vec::new();
    let mut expected = false;
    for line in data.lines() {
        let is_term = !expected && line.starts_with("## term ");
        if is_term || line.is_empty() {
            expected = true;
            continue;
        }
        if expected {
            expected = false;
            let reason = format!("{MARK} because of {line}");
            named.push(Named { path: line.to_owned(), lines: Vec::new(), reason });
            continue;
        }
        let Some(at) = line.find([':', '-']) else { continue };
        let (number, content) = line.split_at(at);
        if let (Ok(number), true, Some(last)) =
            (number.parse(), content.starts_with(':'), named.last_mut())
        {
            last.lines.push(number);
        }
        let content = content.get(1..).unwrap_or_default().trim();
        if content.contains('/')
            && content.contains('.')
            && !content.contains(' ')
            && content.len() < 60
        {
            named.insert(
                0,
                Named {
                    path: content.to_owned(),
                    lines: vec![1],
                    reason: format!("{MARK} a path"),
                },
            );
        }
    }
    named
}

/// A text with the escapes of control characters undone.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('}').unwrap_or(("", part));
        let escaped = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        plain.extend(escaped);
        plain += rest;
    }
    plain.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
}
