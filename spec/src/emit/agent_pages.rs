//! `docs/tables/agent-tools.md`: the tables of the agent's tools.

use std::fmt::Write as _;

use super::pages::{cite, code, keys, page, request, table};
use crate::specification::Spec;
use crate::tool::Field;
use crate::tool::agent::{AgentReasonId, Listed, OtherNames, ToolId};

fn other_names(row: &OtherNames) -> Vec<String> {
    let names: Vec<String> = row.names.iter().map(code).collect();
    let field = |field: &Listed| match field.name.as_str() {
        "" => field.tool.name().to_owned(),
        name => format!("{}: {}", field.tool.name(), code(name)),
    };
    let fields: Vec<String> = row.fields.iter().map(field).collect();
    let values = row.values.iter().map(|value| match value.own.as_str() {
        "" => format!("{}: absent", code(&value.theirs)),
        own => format!("{}: {}", code(&value.theirs), code(own)),
    });
    let more: Vec<String> = values.chain(row.instead.clone()).collect();
    vec![names.join(", "), fields.join(", "), [row.takes.name(), &more.join(", ")].join(" ")]
}

#[expect(clippy::too_many_lines, reason = "one section of the page after the other")]
pub(super) fn tools(spec: &Spec) -> String {
    let tools = &spec.agent_tools;
    let mut out = page("The agent's tools: tables", "`spec/tools/agent_tools.yaml`");
    out.push_str("\n## Profiles\n");
    let profiles = tools.profiles.iter().map(|profile| {
        let listed: Vec<String> = profile.tools.iter().map(|tool| code(&tool.name)).collect();
        vec![code(&profile.name.value), listed.join(", "), cite(&profile.clauses)]
    });
    table(&mut out, &["profile", "tools, in this order", "clauses"], profiles);
    for tool in [ToolId::SearchText, ToolId::FindFiles, ToolId::Grep] {
        let _ = write!(out, "\n## Request of `{}`\n", tool.name());
        let of_tool = tools.request.iter().filter(|row| row.tools.contains(&tool));
        let fields: Vec<Field> = of_tool.map(|row| row.field.clone()).collect();
        request(&mut out, &fields);
    }
    out.push_str("\n## Names that other tools have\n\nThe first row with the name and the tool.\n");
    table(&mut out, &["names", "fields", "takes"], tools.other_names.iter().map(other_names));
    out.push_str("\n## `incomplete_because`\n\nAll that apply, in this order.\n");
    let bound = |is_bound: bool| if is_bound { "yes" } else { "no" }.to_owned();
    table(
        &mut out,
        &["reason", "when", "`total` is a lower bound", "clauses"],
        tools.incomplete_because.iter().map(|row| {
            vec![
                code(row.id.value.name()),
                row.when.clone(),
                bound(row.lower_bound),
                cite(&row.clauses),
            ]
        }),
    );
    out.push_str("\n## Notices\n\nEvery reason brings the notice of its name.\n");
    table(
        &mut out,
        &["notice", "is a reason too", "code", "clauses"],
        tools.notices.iter().map(|row| {
            let name = row.id.value.name();
            let is_reason = AgentReasonId::ALL.iter().any(|reason| reason.name() == name);
            let given = row.code.as_ref().map(code).unwrap_or_default();
            vec![code(name), bound(is_reason), given, cite(&row.clauses)]
        }),
    );
    out.push_str("\n## Errors\n");
    table(
        &mut out,
        &["word", "code", "when", "clauses"],
        tools.errors.iter().map(|row| {
            vec![code(row.id.value.name()), code(&row.code), row.when.clone(), cite(&row.clauses)]
        }),
    );
    out.push_str(
        "\n## Configuration\n\nThe presets are those of [configuration.md](configuration.md).\n",
    );
    let all: Vec<_> = tools.keys.iter().map(|row| row.key.clone()).collect();
    keys(&mut out, &tools.section, &all);
    out.push_str("\n`.agent/config.yml`, below `tools.search`, may lower these:\n");
    let overlaid =
        tools.keys.iter().filter_map(|row| row.overlay.as_ref().map(|key| (key, &row.key)));
    table(
        &mut out,
        &["key there", "key here"],
        overlaid.map(|(there, here)| vec![code(there), code(&here.name.value)]),
    );
    out.push_str("\n## Fixed limits\n");
    table(
        &mut out,
        &["limit", "value", "unit", "what", "clauses"],
        tools.limits.iter().map(|row| {
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
