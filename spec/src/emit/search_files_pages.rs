//! `docs/tables/search-files-*.md`: the tables of `search_files`.

use std::fmt::Write as _;

use super::pages::{check, cite, code, keys, page, request, table};
use crate::specification::Spec;
use crate::tool::files::{Because, JsonField};

const SOURCE: &str = "`spec/tools/search_files.yaml`";

pub(super) fn fields(spec: &Spec) -> String {
    let tool = &spec.search_files;
    let defined = &tool.definition;
    let mut out = page(&format!("`{}`: request and answer", defined.name.value), SOURCE);
    out.push_str("\n## Definition\n");
    let rows = [
        ("name", code(&defined.name.value), &defined.name.clauses),
        ("description", code(&defined.description.value), &defined.description.clauses),
        (
            "is_side_effecting",
            code(defined.is_side_effecting.value),
            &defined.is_side_effecting.clauses,
        ),
        (
            "requires_approval",
            code(defined.requires_approval.value),
            &defined.requires_approval.clauses,
        ),
        ("risk", code(defined.risk.value.name()), &defined.risk.clauses),
    ];
    let rows =
        rows.into_iter().map(|(name, value, clauses)| vec![code(name), value, cite(clauses)]);
    table(&mut out, &["what", "value", "clauses"], rows);
    out.push_str("\n## Request\n");
    request(&mut out, &tool.request);
    for (title, parts) in [
        ("The answer", &tool.answer),
        ("One match", &tool.of_match),
        ("`stats`", &tool.stats),
        ("One error", &tool.error),
    ] {
        let _ = write!(out, "\n## {title}\n");
        json_fields(&mut out, parts);
    }
    out.push_str("\n## `truncated_reason`\n\nThe first that applies.\n");
    reasons(&mut out, &tool.truncated_reasons);
    out.push_str("\n## `incomplete_because`\n\nAll that apply, in this order.\n");
    reasons(&mut out, &tool.incomplete_because);
    out.push_str("\n## Fixed limits\n");
    table(
        &mut out,
        &["limit", "value", "unit", "what", "clauses"],
        tool.limits.iter().map(|row| {
            let name = code(row.id.value.name());
            vec![
                name,
                row.value.to_string(),
                row.unit.clone(),
                row.meaning.clone(),
                cite(&row.clauses),
            ]
        }),
    );
    out
}

fn json_fields(out: &mut String, fields: &[JsonField]) {
    table(
        out,
        &["field", "type", "meaning", "clauses"],
        fields.iter().map(|field| {
            let name = code(&field.name.value);
            vec![name, field.kind.name().to_owned(), field.meaning.clone(), cite(&field.clauses)]
        }),
    );
}

fn reasons(out: &mut String, reasons: &[Because]) {
    table(
        out,
        &["reason", "when", "truncates", "clauses"],
        reasons.iter().map(|reason| {
            let truncates = if reason.truncates { "yes" } else { "no" };
            vec![
                code(reason.id.value.name()),
                reason.when.clone(),
                truncates.to_owned(),
                cite(&reason.clauses),
            ]
        }),
    );
}

pub(super) fn checks(spec: &Spec) -> String {
    let tool = &spec.search_files;
    let mut out =
        page(&format!("`{}`: what is checked, in order", tool.definition.name.value), SOURCE);
    out.push_str("\nThe first check that fails is the answer.\n");
    let head = ["", "check", "class", "field", "clauses"];
    table(&mut out, &head, tool.checks.iter().enumerate().map(check));
    out
}

pub(super) fn configuration(spec: &Spec) -> String {
    let configuration = &spec.search_files_configuration;
    let title = format!("Configuration of `{}`", spec.search_files.definition.name.value);
    let mut out = page(&title, "`spec/tools/search_files_config.yaml`");
    out.push_str("\nThe presets are those of [configuration.md](configuration.md).\n");
    keys(&mut out, &configuration.section, &configuration.keys);
    out
}
