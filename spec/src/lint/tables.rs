//! Checks that tables are complete, and their values fit their types and bounds.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::config::{Key, KeyType};
use crate::files;
use crate::place::{At, Finding};
use crate::requirement::Status;
use crate::specification::Spec;
use crate::tool::{CheckId, Field, FieldType, LimitId, NoteId, Output, OutputType, ProblemId};

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    complete(spec, findings);
    for field in &spec.search.request {
        request_field(files::TOOL, |key| spec.configuration.key(key), field, findings);
    }
    for check in &spec.search.checks {
        check_field(
            files::TOOL,
            &spec.search.request,
            &check.field,
            &check.id,
            check.id.value.name(),
            findings,
        );
    }
    for note in &spec.search.notes {
        let left = note.text.replace("{limit}", "").replace("{count}", "");
        if left.contains(['{', '}', '\n']) {
            let message = format!(
                "note `{}` holds more than `{{limit}}` and `{{count}}`",
                note.id.value.name()
            );
            findings.push(Finding::at(files::TOOL, &note.id, message));
        }
    }
    events(&spec.search.event, findings);
    escapes(spec, findings);
    for key in &spec.configuration.keys {
        configuration(files::CONFIG, key, findings);
    }
    for preset in &spec.configuration.presets {
        if !["documents", "agent"].contains(&&*preset.name.value) {
            let message =
                format!("`{}` is not a preset that keys have values for", preset.name.value);
            findings.push(Finding::at(files::CONFIG, &preset.name, message));
        }
    }
    exit_classes(spec, findings);
    if !spec.documents.iter().any(|document| document.status == Status::Worked) {
        findings.push(Finding::of("requirements", "no document is worked".to_owned()));
    }
}

/// Every member of a closed list has a row, and the schema's own fields exist.
fn complete(spec: &Spec, findings: &mut Vec<Finding>) {
    let tool = &spec.search;
    let mut missing = |what: &str, all: Vec<&str>, given: Vec<&str>| {
        absent(files::TOOL, what, &all, &given, findings);
    };
    missing(
        "check",
        CheckId::ALL.iter().map(|id| id.name()).collect(),
        tool.checks.iter().map(|check| check.id.value.name()).collect(),
    );
    missing(
        "problem",
        ProblemId::ALL.iter().map(|id| id.name()).collect(),
        tool.problems.iter().map(|problem| problem.id.value.name()).collect(),
    );
    missing(
        "note",
        NoteId::ALL.iter().map(|id| id.name()).collect(),
        tool.notes.iter().map(|note| note.id.value.name()).collect(),
    );
    missing(
        "limit",
        LimitId::ALL.iter().map(|id| id.name()).collect(),
        tool.limits.iter().map(|limit| limit.id.value.name()).collect(),
    );
}

/// The members of a closed list that a file lacks.
pub(super) fn absent(
    file: &str,
    what: &str,
    all: &[&str],
    given: &[&str],
    findings: &mut Vec<Finding>,
) {
    let given: BTreeSet<&str> = given.iter().copied().collect();
    for id in all.iter().filter(|id| !given.contains(*id)) {
        findings.push(Finding::of(file, format!("there is no {what} `{id}`")));
    }
}

/// The field of a check is a field of the request, or one of the other nouns of errors.
pub(super) fn check_field<T>(
    file: &str,
    request: &[Field],
    named: &str,
    at: &At<T>,
    check: &str,
    findings: &mut Vec<Finding>,
) {
    let known = ["tool", "enabled", "request", "backend", "max_output_bytes", "offender"]
        .contains(&named)
        || request.iter().any(|field| field.name.value == named);
    if !known {
        let message = format!("check `{check}` names `{named}`, which is no field");
        findings.push(Finding::at(file, at, message));
    }
}

/// A field has the bounds and the default of its type; `key` looks up the tool's configuration
/// keys.
pub(super) fn request_field<'s>(
    file: &str,
    key: impl Fn(&str) -> Option<&'s Key>,
    field: &Field,
    findings: &mut Vec<Finding>,
) {
    let name = &field.name;
    let mut wrong = |message: String| {
        findings.push(Finding::at(file, name, format!("field `{}`: {message}", name.value)));
    };
    let bounded =
        field.minimum.is_some() || field.maximum.is_some() || field.maximum_from.is_some();
    if field.kind == FieldType::Integer {
        let both =
            field.minimum.is_some() && field.maximum.is_some() != field.maximum_from.is_some();
        if !both {
            wrong("an integer needs `minimum` and one of `maximum` and `maximum_from`".to_owned());
        }
    } else if bounded {
        wrong("only integers have bounds".to_owned());
    }
    if field.minimum.zip(field.maximum).is_some_and(|(least, most)| least > most) {
        wrong("`minimum` is above `maximum`".to_owned());
    }
    if !field.values.is_empty() && field.kind != FieldType::String {
        wrong("only strings have `values`".to_owned());
    }
    if field.required
        && (field.default.is_some() || field.default_from.is_some() || field.when_absent.is_some())
    {
        wrong("a required field has no default".to_owned());
    }
    if let Some(default) = &field.default
        && !fits(field, default)
    {
        wrong(format!("the default `{default}` is not a value of this field"));
    }
    if field.kind == FieldType::Boolean && field.default.is_none() {
        wrong("a boolean needs a default".to_owned());
    }
    let (kind, called) = match field.kind {
        FieldType::String => (KeyType::String, "a string"),
        FieldType::Boolean => (KeyType::Boolean, "true or false"),
        FieldType::Integer => (KeyType::Integer, "a number"),
        FieldType::Strings | FieldType::TextOrTexts => (KeyType::Strings, "a list"),
    };
    for name in field.maximum_from.iter().chain(&field.default_from) {
        if key(&name.value).is_some_and(|key| key.kind != kind) {
            wrong(format!("`{}` is not {called}", name.value));
        }
    }
    if let Some(from) = &field.default_from
        && let (Some(default), Some(key)) = (&field.default, key(&from.value))
        && key.documents.as_ref() != Some(default)
    {
        wrong(format!("the schema's default differs from `{}` in preset documents", from.value));
    }
}

fn fits(field: &Field, value: &Value) -> bool {
    match field.kind {
        FieldType::String => value.as_str().is_some_and(|text| {
            field.values.is_empty() || field.values.iter().any(|allowed| allowed == text)
        }),
        FieldType::Boolean => value.is_boolean(),
        FieldType::Integer => {
            value.as_u64().is_some_and(|number| within(number, field.minimum, field.maximum))
        }
        FieldType::Strings | FieldType::TextOrTexts => value.is_array(),
    }
}

fn within(number: u64, minimum: Option<u64>, maximum: Option<u64>) -> bool {
    minimum.is_none_or(|least| number >= least) && maximum.is_none_or(|most| number <= most)
}

/// Fields of events are leaves; their objects follow from the dots.
fn events(fields: &[Output], findings: &mut Vec<Finding>) {
    for field in fields {
        if matches!(field.kind, OutputType::Array | OutputType::Object) {
            let message = format!("event field `{}` is not a leaf", field.name.value);
            findings.push(Finding::at(files::TOOL, &field.name, message));
        }
    }
}

fn escapes(spec: &Spec, findings: &mut Vec<Finding>) {
    let mut above = None;
    for escape in &spec.search.escaped {
        let message = match escape.range() {
            None => "both ends are written as U+ and hexadecimal digits".to_owned(),
            Some((from, to)) if from > to => "the range ends before it starts".to_owned(),
            Some((from, _)) if above.is_some_and(|last| from <= last) => {
                "ranges rise and do not overlap".to_owned()
            }
            Some((_, to)) => {
                above = Some(to);
                continue;
            }
        };
        findings.push(Finding::at(files::TOOL, &escape.from, message));
    }
}

/// A key has the bounds of its type, and the presets' values are valid.
pub(super) fn configuration(file: &str, key: &Key, findings: &mut Vec<Finding>) {
    let name = &key.name;
    let mut wrong = |message: String| {
        findings.push(Finding::at(file, name, format!("key `{}`: {message}", name.value)));
    };
    if key.documents.is_none() {
        wrong("preset documents needs a value".to_owned());
    }
    let is_number = matches!(key.kind, KeyType::Integer | KeyType::Number);
    if is_number != (key.minimum.is_some() && key.maximum.is_some()) {
        wrong("integers, and nothing else but numbers, have `minimum` and `maximum`".to_owned());
    }
    for (preset, value) in [("documents", &key.documents), ("agent", &key.agent)] {
        let Some(value) = value else { continue };
        let in_range = match key.kind {
            KeyType::Number => value.as_f64().is_none_or(|number| between(number, key)),
            _ => value.as_u64().is_none_or(|number| within(number, key.minimum, key.maximum)),
        };
        let listed = key.values.is_empty()
            || value.as_str().is_some_and(|text| key.values.iter().any(|allowed| allowed == text));
        if !key.kind.holds(value) || !in_range || !listed {
            wrong(format!("`{value}`, of preset {preset}, is not a value of this key"));
        }
    }
}

fn between(number: f64, key: &Key) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "bounds of numbers with a fraction are small")]
    let (least, most) =
        (key.minimum.map(|least| least as f64), key.maximum.map(|most| most as f64));
    least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
}

/// The document's table covers every status once.
fn exit_classes(spec: &Spec, findings: &mut Vec<Finding>) {
    let mut next: u16 = 0;
    for row in &spec.exit_classes.documented {
        if u16::from(row.from.value) != next || row.to < row.from.value {
            let message = "rows rise from 0 to 255 without gap or overlap".to_owned();
            findings.push(Finding::at(files::EXIT_CLASSES, &row.from, message));
        }
        next = u16::from(row.to) + 1;
    }
    if next != 256 {
        findings.push(Finding::of(files::EXIT_CLASSES, "the last row must end at 255".to_owned()));
    }
}
