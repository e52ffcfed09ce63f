//! Makes a failing case small, as a value, wherever it came from.
//!
//! Responsible for: a greedy search through smaller cases that a predicate still accepts: fewer
//! entries, fewer fields, a plainer configuration, shorter contents, names, patterns and globs,
//! smaller numbers. Not here: the predicate, which usually runs a subject and compares
//! (`touchstone::gate`). Invariants: the result satisfies the predicate and is well formed; it is
//! never larger than the start by [`Measure`]; the same start, predicate and budget give the same
//! result; the predicate is asked at most `budget` times.

use serde_json::Value;
use touchstone_cases::case::{Case, CaseConfig, Contents, DEFAULT_TOOL, Entry, Node, Part, Text};

mod passes;

/// The size of a case. Shrinking minimises it, earlier fields first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Entries of the tree.
    pub entries: usize,
    /// Entries that are no readable file or directory, and files made of several parts.
    pub oddities: usize,
    /// Bytes of names, contents and link targets.
    pub bytes: u64,
    /// Bytes that the case file holds for them, repetitions counted once.
    pub written: usize,
    /// Fields of the request and keys of the configuration.
    pub fields: usize,
    /// Length of request and configuration as JSON, in bytes.
    pub text: usize,
    /// Sum of the numbers in them.
    pub numbers: u64,
}

impl Measure {
    /// Measures a case.
    pub fn of(case: &Case) -> Self {
        let (entries, bytes) = case.size();
        let config = serde_json::to_value(&case.config).unwrap_or_default();
        let context = serde_json::to_value(case.context).unwrap_or_default();
        let keys = serde_json::to_value(&case.config.search_files).unwrap_or_default();
        let agent = serde_json::to_value(&case.config.agent).unwrap_or_default();
        let keyword = serde_json::to_value(&case.config.keyword).unwrap_or_default();
        let model = serde_json::to_value(&case.model).unwrap_or_default();
        let parts = [&case.request, &config, &context, &keys, &agent, &keyword, &model];
        let tool = if case.tool == DEFAULT_TOOL { 0 } else { case.tool.len() + 1 };
        Self {
            entries,
            oddities: case.tree.iter().map(oddity).sum(),
            bytes,
            written: case.tree.iter().map(written).sum(),
            fields: parts.iter().map(|part| part.as_object().map_or(0, serde_json::Map::len)).sum(),
            text: parts.iter().map(|part| part.to_string().len()).sum::<usize>() + tool,
            numbers: parts.iter().map(|part| number(part)).fold(0, u64::saturating_add),
        }
    }
}

fn oddity(entry: &Entry) -> usize {
    match &entry.node {
        Node::File { contents, readable } => {
            usize::from(!readable) + usize::from(contents.single().is_none())
        }
        Node::Dir { readable } => usize::from(!readable),
        Node::Link { .. } | Node::Fifo => 1,
    }
}

fn written(entry: &Entry) -> usize {
    match &entry.node {
        Node::File { contents, .. } => {
            contents.parts.iter().map(|part| part.bytes.0.len() + 1).sum()
        }
        _ => 0,
    }
}

fn number(value: &Value) -> u64 {
    match value {
        Value::Number(number) => number.as_u64().unwrap_or(0),
        Value::Array(items) => items.iter().map(number).fold(0, u64::saturating_add),
        Value::Object(fields) => fields.values().map(number).fold(0, u64::saturating_add),
        _ => 0,
    }
}

/// The result of shrinking.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// The smallest case found.
    pub case: Case,
    /// Number of calls of the predicate.
    pub asked: usize,
    /// Whether no pass reduced it further; otherwise the budget ran out.
    pub fixpoint: bool,
}

/// Shrinks `start`, which satisfies `holds`, asking it at most `budget` times.
pub fn shrink(start: &Case, budget: usize, holds: impl FnMut(&Case) -> bool) -> Shrunk {
    let mut search =
        Search { best: start.clone(), measure: Measure::of(start), budget, asked: 0, holds };
    loop {
        let before = search.measure;
        search.passes();
        if search.spent() || search.measure == before {
            return Shrunk { fixpoint: !search.spent(), asked: search.asked, case: search.best };
        }
    }
}

/// The state of one search.
struct Search<P> {
    best: Case,
    measure: Measure,
    budget: usize,
    asked: usize,
    holds: P,
}

impl<P: FnMut(&Case) -> bool> Search<P> {
    fn spent(&self) -> bool {
        self.asked >= self.budget
    }

    /// Takes the candidate if it is smaller, well formed, and still fails.
    fn offer(&mut self, candidate: Case) -> bool {
        if self.spent() {
            return false;
        }
        let measure = Measure::of(&candidate);
        if measure >= self.measure || candidate.validate().is_err() || names_the_root(&candidate) {
            return false;
        }
        self.asked += 1;
        if !(self.holds)(&candidate) {
            return false;
        }
        self.best = candidate;
        self.measure = measure;
        true
    }

    /// Offers the best case with one change made to it.
    fn change(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        self.offer(candidate)
    }

    /// Makes a list inside the case shorter: runs of its items are left out, long runs first.
    fn thin<T: Clone>(
        &mut self,
        read: impl Fn(&Case) -> Vec<T>,
        write: impl Fn(&mut Case, Vec<T>),
    ) {
        let mut chunk = read(&self.best).len();
        while chunk > 0 && !self.spent() {
            let mut start = 0;
            loop {
                let items = read(&self.best);
                if start >= items.len() {
                    break;
                }
                let rest: Vec<T> = items
                    .iter()
                    .take(start)
                    .chain(items.iter().skip(start + chunk))
                    .cloned()
                    .collect();
                if !self.change(|case| write(case, rest)) {
                    start += chunk;
                }
            }
            chunk /= 2;
        }
    }
}

/// The contents of the file at this index of the tree.
fn contents_mut(case: &mut Case, index: usize) -> Option<&mut Contents> {
    match &mut case.tree.get_mut(index)?.node {
        Node::File { contents, .. } => Some(contents),
        _ => None,
    }
}

fn contents(case: &Case, index: usize) -> Option<&Contents> {
    match &case.tree.get(index)?.node {
        Node::File { contents, .. } => Some(contents),
        _ => None,
    }
}

fn part(case: &Case, file: usize, index: usize) -> Option<&Part> {
    contents(case, file)?.parts.get(index)
}

fn set_part(case: &mut Case, file: usize, index: usize, bytes: Vec<u8>) {
    if let Some(part) = contents_mut(case, file).and_then(|contents| contents.parts.get_mut(index))
    {
        part.bytes = Text(bytes);
    }
}

/// Whether a link or the request reaches the sandbox root through its parent, by a name that a case
/// does not know: what that means depends on where the tree is put.
fn names_the_root(case: &Case) -> bool {
    let targets = case.tree.iter().filter_map(|entry| match &entry.node {
        Node::Link { target } => Some(target.as_slice()),
        _ => None,
    });
    let path = case.request.get("path").and_then(Value::as_str).unwrap_or_default();
    targets.chain([path.as_bytes()]).any(|path| path.windows(7).any(|window| window == b"../root"))
}

fn default_config() -> CaseConfig {
    CaseConfig::default()
}

#[cfg(test)]
mod tests;
