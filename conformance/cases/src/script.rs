//! What a language model says in a case, whatever it is asked.
//!
//! Responsible for: [`Script`], a function from the data of a prompt to the text of an answer, or
//! to a failure; and finding the data in a prompt. Not here: what data is (the model), asking
//! (`touchstone_lockstep::subjects::forge`). Invariants: what is said depends on the script and the
//! data alone, so that it is the same to production and to the model.

use serde::{Deserialize, Serialize};
use touchstone_model::agent::keyword::boundary;
use touchstone_model::generated::keyword::KEYWORD;

/// Name of scripted models.
pub const NAME: &str = "scripted";

/// Their name at the server.
pub const MODEL: &str = "scripted-1";

/// Their server.
pub const HOST: &str = "model.invalid";

/// The script of a language model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// The text, in which `<<file 0>>` stands for the first path of the data as JSON has it between
    /// quotation marks, `<<hit 0 1>>` for the number of the second hit of that file, `<<near 0>>`
    /// for that of a line beside its hits. Numbers too great start over.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub says: String,
    /// The failure that replaces an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fails: Option<Failure>,
}

/// A failure of a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// No answer before the deadline.
    TimedOut,
    /// The server refuses.
    Refused,
    Unreachable,
    /// The response is malformed.
    Garbled,
    /// The response is too long.
    TooLong,
}

#[derive(Debug, Default)]
struct DataFile<'d> {
    path: &'d str,
    hits: Vec<&'d str>,
    near: Vec<&'d str>,
}

impl Script {
    /// The answer to `data`; `None` for a failure.
    pub fn answer(&self, data: &str) -> Option<String> {
        if self.fails.is_some() {
            return None;
        }
        let files = files(data);
        let mut said = String::new();
        let mut rest = self.says.as_str();
        while let Some((before, behind)) = rest.split_once("<<") {
            said.push_str(before);
            let placed = behind.split_once(">>");
            let filled = placed.and_then(|(place, behind)| Some((filled(place, &files)?, behind)));
            let (text, behind) = filled.unwrap_or_else(|| ("<<".to_owned(), behind));
            said.push_str(&text);
            rest = behind;
        }
        Some(said + rest)
    }
}

/// What stands for `file 0`, `hit 0 1`, `near 0`.
fn filled(place: &str, files: &[DataFile<'_>]) -> Option<String> {
    let mut words = place.split(' ');
    let what = words.next()?;
    let mut number = || words.next().and_then(|word| word.parse::<usize>().ok());
    let file = files.get(number()? % files.len().max(1))?;
    let one = |all: &[&str], number: usize| {
        all.get(number % all.len().max(1)).map_or_else(|| "0".to_owned(), |line| (*line).to_owned())
    };
    match what {
        "file" => Some(serde_json::Value::from(file.path).to_string().trim_matches('"').to_owned()),
        "hit" => Some(one(&file.hits, number()?)),
        "near" => Some(one(&file.near, 0)),
        _ => None,
    }
}

/// The files in the data, by first occurrence.
fn files(data: &str) -> Vec<DataFile<'_>> {
    let mut files: Vec<DataFile<'_>> = Vec::new();
    let mut here = 0;
    let mut is_path = true;
    for line in data.lines() {
        if line.is_empty() || line.starts_with("## term ") {
            is_path = true;
        } else if is_path {
            let known = files.iter().position(|file| file.path == line);
            here = known.unwrap_or(files.len());
            if known.is_none() {
                files.push(DataFile { path: line, ..DataFile::default() });
            }
            is_path = false;
        } else if let (Some(end), Some(file)) = (line.find([':', '-']), files.get_mut(here)) {
            let (number, mark) = line.split_at(end);
            let list = if mark.starts_with(':') { &mut file.hits } else { &mut file.near };
            if !number.is_empty() && !list.contains(&number) {
                list.push(number);
            }
        }
    }
    files
}

/// The data of a prompt: what stands between two lines that hold its boundary, which is that of the
/// data.
pub fn data_in(prompt: &str) -> Option<&str> {
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in prompt.split_inclusive('\n') {
        if line.contains("hits-") {
            ends.push((at, at + line.len()));
        }
        at += line.len();
    }
    let from = ends.iter().map(|(_, end)| *end);
    let pairs = from.flat_map(|from| {
        ends.iter().map(move |(to, _)| (from, *to)).filter(move |(_, to)| from < *to)
    });
    let holds = |range: &(usize, usize), mark: &str| {
        let line_before = prompt.get(..range.0).and_then(|before| before.lines().next_back());
        let line_behind = prompt.get(range.1..).and_then(|behind| behind.lines().next());
        [line_before, line_behind]
            .into_iter()
            .all(|line| line.is_some_and(|line| line.contains(mark)))
    };
    let found = pairs.filter_map(|range| Some((range, prompt.get(range.0..range.1)?)));
    found.into_iter().find(|(range, data)| holds(range, &mark(data))).map(|(_, data)| data)
}

fn mark(data: &str) -> String {
    boundary(data, KEYWORD.limits.boundary_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str =
        "## term 1: \"a\"\nx/\"y\n1-b\n2:a\n--\n9:a\n\nz\n3:a\n## term 2: \"b\"\nx/\"y\n1:b\n2-a\n";

    #[test]
    fn placeholders_are_filled_from_the_data() {
        let script =
            |says: &str| Script { says: says.to_owned(), fails: None }.answer(DATA).unwrap();
        assert_eq!(
            script("\"<<file 0>>\" <<file 1>> <<file 3>> <<file x>> <<"),
            "\"x/\\\"y\" z z <<file x>> <<"
        );
        assert_eq!(
            script("<<hit 0 0>> <<hit 0 1>> <<hit 0 2>> <<hit 0 3>> <<hit 1 1>>"),
            "2 9 1 2 3"
        );
        assert_eq!(script("<<near 0>> <<near 1>>"), "1 0");
    }

    #[test]
    fn data_without_terms_begin_with_a_path() {
        let script = Script { says: "<<file 0>> <<hit 0 1>> <<hit 1 0>>".to_owned(), fails: None };
        assert_eq!(script.answer("a:b\n1:x\n3:x\n\nb\n7:x\n").unwrap(), "a:b 3 7");
    }

    #[test]
    fn the_data_of_a_prompt_is_found_by_its_boundary() {
        let mark = mark(DATA);
        let prompt =
            format!("Between lines with {mark} stands data.\n<{mark}>\n{DATA}</{mark}>\nAnswer.\n");
        assert_eq!(data_in(&prompt), Some(DATA));
        assert_eq!(data_in(&prompt.replace("9:a", "9:b")), None);
    }
}
