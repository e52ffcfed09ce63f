//! What callers do, as rows of data: a tree, a call as the client sends it, the right answer.
//!
//! Responsible for: reading the rows of `golden/callers` and holding each against the server, the
//! command line and the model. Not here: the form of a row (`row`), how an answer is compared
//! with it (`expect`), starting programs (`ask`). Invariants: a row says what is right, not
//! what a program does; every subject that a row does not exclude by a reason is asked.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;
use serde_json::Value;

use crate::materialise::{Tree, remove};

mod ask;
mod expect;
mod model;
mod row;

pub use row::{Ask, Row, RowError, load};

/// A subject whose answer to a row is wrong.
#[derive(Debug)]
pub struct Failure {
    /// File and name of the row.
    pub row: String,
    /// Who answered.
    pub subject: &'static str,
    /// What differs, a line each.
    pub why: Vec<String>,
}

/// Asks every row of `rows` of the program `forge_search`, on `threads` threads. Failures are in
/// the order of the rows.
pub fn run(rows: &[Row], forge_search: &Path, threads: usize) -> Vec<Failure> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some((number, row)) = numbered(rows, next.fetch_add(1, Ordering::Relaxed))
                {
                    let wrong = judge(row, forge_search);
                    failures.lock().extend(wrong.into_iter().map(|failure| (number, failure)));
                }
            });
        }
    });
    let mut failures = failures.into_inner();
    failures.sort_by_key(|(number, _)| *number);
    failures.into_iter().map(|(_, failure)| failure).collect()
}

fn numbered(rows: &[Row], number: usize) -> Option<(usize, &Row)> {
    rows.get(number).map(|row| (number, row))
}

/// The subjects that answer a row wrongly.
fn judge(row: &Row, forge_search: &Path) -> Vec<Failure> {
    let failure = |subject, why| Failure { row: row.place(), subject, why };
    let scratch = match tempfile::Builder::new().prefix("touchstone-callers-").tempdir() {
        Ok(scratch) => scratch,
        Err(error) => return vec![failure("tree", vec![error.to_string()])],
    };
    let tree = match Tree::build(&row.tree(), scratch.path(), None) {
        Ok(tree) => tree,
        Err(error) => return vec![failure("tree", vec![error.to_string()])],
    };
    let says = row.says_at(&tree.root);
    let asked = ask::Program { path: forge_search, scratch: scratch.path(), root: &tree.root };
    let mut failures = Vec::new();
    for (subject, answer) in asked.answers(row) {
        failures
            .extend(wrong(&says, answer, subject.lacks()).map(|why| failure(subject.name(), why)));
    }
    if let Some(answer) = model::answer(row) {
        let subject = Subject::Model;
        let why = wrong(&row.says, answer, subject.lacks());
        failures.extend(why.map(|why| failure(subject.name(), why)));
    }
    if let Err(error) = remove(scratch.path()) {
        failures.push(failure("tree", vec![error.to_string()]));
    }
    failures
}

/// Who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Server,
    CommandLine,
    Model,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::CommandLine => "command line",
            Self::Model => "model",
        }
    }

    /// Keys that its answers never have.
    fn lacks(self) -> &'static [&'static str] {
        match self {
            Self::Server => &[],
            Self::CommandLine => &["text"],
            Self::Model => &["text", "stats"],
        }
    }
}

/// What is wrong with an answer, but for keys that the subject lacks.
fn wrong(says: &Value, answer: Result<Value, String>, lacks: &[&str]) -> Option<Vec<String>> {
    let mut says = says.clone();
    if let Value::Object(says) = &mut says {
        says.retain(|key, _| !lacks.contains(&key.as_str()));
    }
    let why = answer.map_or_else(|error| vec![error], |it| expect::differences(&says, &it));
    (!why.is_empty()).then_some(why)
}

/// An error as the tools word it, whichever of the two forms it has: `{"error": {"class": ...}}`
/// becomes `{"error": CLASS, ...}`.
fn flat(answer: Value) -> Value {
    match answer {
        Value::Object(mut object) => match object.remove("error") {
            Some(Value::Object(mut error)) => {
                if let Some(class) = error.remove("class") {
                    error.insert("error".to_owned(), class);
                }
                Value::Object(error)
            }
            Some(word) => {
                object.insert("error".to_owned(), word);
                Value::Object(object)
            }
            None => Value::Object(object),
        },
        other => other,
    }
}
