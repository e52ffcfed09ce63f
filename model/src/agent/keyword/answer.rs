//! The answer: calls the model, validates its list, and renders results, reasons and notices
//! (sections 7 and 8) for any number of results that the budget leaves.
//!
//! Invariants: every file of an answer is in the pool, every line has a term; an answer that lacks
//! something is not complete.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::files::shown_path;
use super::pool::{Found, PoolFile, PoolLine, files_with};
use super::request::{Call, Term};
use super::{Config, Model, prompt, reply};
use crate::agent::{FREE_TEXT, lines};
use crate::place;
use crate::sandbox::SearchRoot;
use crate::tables::agent::Reason;

/// An answer with all its results.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The fields that do not depend on the number of results; all fields of a dry run.
    fixed: Map<String, Value>,
    results: Vec<Value>,
    max_results: u64,
    reasons: BTreeSet<&'static str>,
    notices: BTreeSet<&'static str>,
    tables: &'static crate::tables::keyword::KeywordTables,
    codes: &'static crate::tables::agent::AgentTables,
    is_dry: bool,
    data: Option<String>,
    asked: bool,
}

/// The result of calling the model.
#[derive(Default)]
struct ModelOutcome {
    /// The valid part of its list; `None` if it gave no list or nothing valid.
    named: Option<Vec<NamedFile>>,
    dropped_files: usize,
    dropped_lines: usize,
}

/// A file that a model named.
struct NamedFile {
    /// Index in the ranked pool.
    file: usize,
    /// The named lines, 0-based.
    lines: Vec<usize>,
    reason: Option<String>,
}

impl Answer {
    /// All results, in order.
    pub fn results(&self) -> &[Value] {
        &self.results
    }

    /// The number of results without a budget.
    pub fn due(&self) -> usize {
        usize::try_from(self.max_results).unwrap_or(usize::MAX).min(self.results.len())
    }

    /// The data for the model.
    pub fn data(&self) -> Option<&str> {
        self.data.as_deref()
    }

    /// Whether a model was called.
    pub fn asked(&self) -> bool {
        self.asked
    }

    /// Whether this is the prompt of a dry run.
    pub fn is_dry(&self) -> bool {
        self.is_dry
    }

    /// The answer with the first `shown` results, where the budget removed the others. Free texts
    /// are [`FREE_TEXT`].
    pub fn page(&self, shown: usize) -> Value {
        if self.is_dry {
            return Value::Object(self.fixed.clone());
        }
        let results: Vec<Value> = self.results.iter().take(shown).cloned().collect();
        let mut reasons = self.reasons.clone();
        reasons.extend((self.results.len() > self.due()).then_some("max_results"));
        reasons.extend((shown < self.due()).then_some("budget"));
        let rows: Vec<_> =
            self.tables.reasons.iter().filter(|row| reasons.contains(row.name)).collect();
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        let mut notices = self.notices.clone();
        notices.extend(
            results.iter().any(|result| result.get("cut").is_some()).then_some("lines_cut"),
        );
        let further = self.tables.notices.iter().copied().filter(|name| notices.contains(name));
        let mut page = self.fixed.clone();
        page.insert(
            "total_is_lower_bound".to_owned(),
            json!(rows.iter().any(|row| row.lower_bound)),
        );
        page.insert("complete".to_owned(), json!(names.is_empty()));
        page.insert("incomplete_because".to_owned(), json!(names));
        let notices = names.iter().copied().chain(further).map(|name| self.notice(name));
        page.insert("notices".to_owned(), notices.collect());
        page.extend(self.results.is_empty().then(|| ("message".to_owned(), json!(FREE_TEXT))));
        page.insert("results".to_owned(), Value::Array(results));
        Value::Object(page)
    }

    fn notice(&self, name: &str) -> Value {
        let mut notice = Map::new();
        notice.insert("notice".to_owned(), json!(name));
        let row = self.codes.notices.iter().find(|row| row.notice.name() == name);
        notice.extend(row.and_then(|row| row.code).map(|code| ("code".to_owned(), json!(code))));
        notice.insert("message".to_owned(), json!(FREE_TEXT));
        Value::Object(notice)
    }
}

/// The notices that depend on neither the model nor the results.
fn circumstances(config: &Config, is_any_eligible: bool) -> BTreeSet<&'static str> {
    let no_file = (!is_any_eligible).then_some("nothing_eligible");
    let index = config.agent.index_not_ready.then_some("index_not_ready");
    let rate = config.agent.rate_limit_near.then_some("rate_limit_near");
    no_file.into_iter().chain(index).chain(rate).collect()
}

/// The answer to a valid call.
pub(super) fn answer(
    config: &Config,
    call: &Call,
    root: &SearchRoot<'_>,
    found: &Found<'_>,
    shortfalls: &BTreeSet<Reason>,
    is_any_eligible: bool,
    model: Option<&Model<'_>>,
) -> Answer {
    let around = prompt::redacted_around(config, call);
    let redacted = found.data.as_ref().map_or(0, |data| data.redacted + around);
    let mut answer = Answer {
        fixed: Map::new(),
        results: Vec::new(),
        max_results: call.max_results,
        reasons: reasons(found, shortfalls),
        notices: circumstances(config, is_any_eligible),
        tables: config.tables,
        codes: config.agent.tables,
        is_dry: call.dry_run,
        data: found.data.as_ref().map(|data| data.text.clone()),
        asked: false,
    };
    if call.dry_run {
        answer.fixed = dry(&answer, redacted, model);
        return answer;
    }
    answer.notices.extend((call.use_model && model.is_none()).then_some("model_not_asked"));
    let told = model.filter(|_| call.use_model).zip(answer.data.clone()).map(|(model, data)| {
        answer.asked = true;
        ask(config, found, model, &data)
    });
    let named = told.as_ref().and_then(|told| told.named.as_ref());
    answer.results = match named {
        Some(named) => {
            let files = named.iter().filter_map(|one| Some((found.ranked.get(one.file)?, one)));
            files.map(|(file, one)| result(config, call, file, Some(one))).collect()
        }
        None => found.ranked.iter().map(|file| result(config, call, file, None)).collect(),
    };
    if let Some(told) = &told {
        answer.notices.extend(told.named.is_none().then_some("model_failed"));
        answer.notices.extend(named.is_some_and(Vec::is_empty).then_some("model_kept_none"));
        answer
            .notices
            .extend((told.dropped_files + told.dropped_lines > 0).then_some("model_dropped"));
    }
    let fixed = &mut answer.fixed;
    fixed.insert("ranked_by".to_owned(), json!(if named.is_some() { "model" } else { "hits" }));
    let root = place::shown(&root.names, &config.agent.search.working_dir);
    fixed.insert("root".to_owned(), json!(shown_path(&root, &config.root)));
    fixed.insert("total".to_owned(), json!(answer.results.len()));
    fixed.insert("terms".to_owned(), terms(config, call, found));
    if let (Some(told), Some(model)) = (&told, model) {
        let object = json!({
            "name": model.name, "model": model.model, "host": model.host,
            "outcome": if told.named.is_some() { "answered" } else { "failed" },
            "bytes_sent": FREE_TEXT, "redacted": redacted,
            "files_sent": found.ranked.iter().filter(|file| file.sent.is_some()).count(),
            "dropped_files": told.dropped_files, "dropped_lines": told.dropped_lines,
        });
        fixed.insert("model".to_owned(), object);
    }
    answer
}

/// The fields of a dry run.
fn dry(answer: &Answer, redacted: u64, model: Option<&Model<'_>>) -> Map<String, Value> {
    let mut dry = Map::new();
    dry.insert("dry_run".to_owned(), json!(true));
    dry.insert("complete".to_owned(), json!(true));
    dry.insert("prompt".to_owned(), answer.data.as_ref().map_or(Value::Null, |_| json!(FREE_TEXT)));
    dry.insert("bytes".to_owned(), answer.data.as_ref().map_or(json!(0), |_| json!(FREE_TEXT)));
    dry.insert("redacted".to_owned(), json!(redacted));
    dry.extend(model.map(|model| {
        let facts = json!({ "name": model.name, "model": model.model, "host": model.host });
        ("model".to_owned(), facts)
    }));
    let rows = answer.tables.notices.iter().filter(|name| answer.notices.contains(**name));
    let notices: Vec<Value> = rows.map(|name| answer.notice(name)).collect();
    dry.extend((!notices.is_empty()).then(|| ("notices".to_owned(), json!(notices))));
    dry
}

/// Calls the model and keeps what it named of the data.
fn ask(config: &Config, found: &Found<'_>, model: &Model<'_>, data: &str) -> ModelOutcome {
    let items = (model.says)(data).and_then(|said| reply::list(config, &said));
    let Some(items) = items else { return ModelOutcome::default() };
    let mut told = ModelOutcome::default();
    let mut named: Vec<NamedFile> = Vec::new();
    let was_empty = items.is_empty();
    for item in items {
        let readings = item.path.as_deref().map(reply::readings).into_iter().flatten();
        let found = readings.into_iter().find_map(|path| file_of(config, found, path));
        let Some((file, sent)) = found else {
            told.dropped_files += 1;
            continue;
        };
        if named.iter().any(|known| known.file == file) {
            continue;
        }
        let mut lines: Vec<usize> = Vec::new();
        for line in item.lines {
            let line = line
                .and_then(|line| usize::try_from(line).ok())
                .and_then(|line| line.checked_sub(1));
            match line.filter(|line| sent.contains(line)) {
                None => told.dropped_lines += 1,
                Some(line) if lines.contains(&line) => {}
                Some(line) => lines.push(line),
            }
        }
        named.push(NamedFile { file, lines, reason: item.reason });
    }
    told.named = (was_empty || !named.is_empty()).then_some(named);
    told
}

/// The file with this heading in the data, as an index in the ranked pool, and its lines there.
fn file_of<'f>(
    config: &Config,
    found: &'f Found<'_>,
    path: &str,
) -> Option<(usize, &'f Vec<usize>)> {
    let sent = found.ranked.iter().enumerate().filter_map(|(at, file)| {
        let lines = file.sent.as_ref()?;
        (file.file.heading(config).text == path).then_some((file.file.number, at, lines))
    });
    sent.min_by_key(|(number, ..)| *number).map(|(_, at, lines)| (at, lines))
}

/// The reasons that depend neither on the model nor on the number of results.
fn reasons(found: &Found<'_>, shortfalls: &BTreeSet<Reason>) -> BTreeSet<&'static str> {
    let mut reasons: BTreeSet<&'static str> = shortfalls.iter().map(|one| one.name()).collect();
    let is_skipped = found.texts.iter().flatten().any(|text| text.skipped.is_some());
    reasons.extend(is_skipped.then_some("terms_skipped"));
    reasons
}

/// The field `terms`.
fn terms(config: &Config, call: &Call, found: &Found<'_>) -> Value {
    let row = |(number, term): (usize, &Term)| {
        let (name, files) = (term_name(config, term), files_with(&found.ranked, number));
        let Some(text) = found.texts.as_ref().and_then(|texts| texts.get(number)) else {
            return json!({ "term": name, "files": files });
        };
        if let Some(word) = text.skipped {
            return json!({ "term": name, "skipped": word });
        }
        let lines = found.ranked.iter().flat_map(|file| file.lines.values());
        let lines = lines.filter(|line| line.terms.contains(&number)).count();
        json!({ "term": name, "files": files, "lines": lines, "bytes": text.text.text.len() })
    };
    call.terms.iter().enumerate().map(row).collect()
}

/// A term, shortened for answers.
fn term_name(config: &Config, term: &Term) -> String {
    let most = usize::try_from(config.tables.limits.named_bytes).unwrap_or(usize::MAX);
    let ends = term.given.char_indices().scan(0, |written, (at, one)| {
        *written += length_in_json(one);
        (*written <= most).then_some(at + one.len_utf8())
    });
    let end = ends.last().unwrap_or_default();
    let mark = if end < term.given.len() { lines::MARK } else { "" };
    format!("{}{mark}", term.given.get(..end).unwrap_or_default())
}

/// The bytes of a character in a JSON string.
fn length_in_json(one: char) -> usize {
    match one {
        '"' | '\\' | '\u{8}' | '\t' | '\n' | '\u{c}' | '\r' => 2,
        '\0'..='\u{1f}' => 6,
        _ => one.len_utf8(),
    }
}

/// A file of the pool as a result; with what a model named of it, if it did.
fn result(config: &Config, call: &Call, file: &PoolFile<'_>, named: Option<&NamedFile>) -> Value {
    let most = usize::try_from(config.tables.limits.shown_lines).unwrap_or(usize::MAX);
    let mut lines: Vec<usize> =
        named.iter().flat_map(|one| &one.lines).copied().take(most).collect();
    lines.sort_unstable();
    if lines.is_empty() {
        lines = file.best_lines(config);
    }
    let terms = file.terms();
    let terms = terms.iter().filter_map(|term| call.terms.get(*term));
    let terms: Vec<String> = terms.map(|term| term_name(config, term)).collect();
    let lines = lines.iter().filter_map(|number| Some((number, file.lines.get(number)?)));
    let shown: Vec<_> =
        lines.map(|(number, line)| (number + 1, shown_line(config, file, *number, line))).collect();
    let rows: Vec<Value> =
        shown.iter().map(|(number, line)| json!({ "line": number, "text": line.text })).collect();
    let reason = named.and_then(|one| one.reason.as_ref());
    let mut result = Map::new();
    result.insert("path".to_owned(), json!(file.file.path));
    result.insert("score".to_owned(), json!(file.score));
    result.insert("terms".to_owned(), json!(terms));
    result.insert("match_count".to_owned(), json!(file.lines.len()));
    result.insert("lines".to_owned(), json!(rows));
    result.extend(shown.iter().any(|(_, line)| line.cut).then(|| ("cut".to_owned(), json!(true))));
    result.extend(reason.map(|reason| ("model_reason".to_owned(), json!(reason))));
    Value::Object(result)
}

/// A line as it is shown, around its first occurrence or hit.
fn shown_line(
    config: &Config,
    file: &PoolFile<'_>,
    number: usize,
    line: &PoolLine,
) -> lines::ShownLine {
    let bytes = file.file.lines.get(number).copied().unwrap_or_default();
    lines::shown(&place::lossy(bytes), line.start, &config.agent.tables.limits)
}
