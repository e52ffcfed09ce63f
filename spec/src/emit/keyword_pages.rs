//! `docs/tables/keyword-search.md`: the tables of `keyword_search` for people.

use super::pages::{cite, code, keys, page, request, table};
use crate::load::Spec;

/// Request, what answers can say, models, secrets, configuration, and what goes with them.
pub(super) fn tool(spec: &Spec) -> String {
    let tool = &spec.keyword_search;
    let mut out = page("keyword_search", "`spec/tools/keyword_search.yaml`");
    out.push_str("\n## Request\n");
    request(&mut out, &tool.request);
    out.push_str("\n## Why a term is skipped\n");
    let words =
        tool.skipped.iter().map(|row| vec![code(&row.id.value), row.when.clone(), cite(&row.clauses)]);
    table(&mut out, &["word", "when", "clauses"], words);
    out.push_str("\n## `incomplete_because`\n\nAll that apply, in this order.\n");
    let bound = |is_bound: bool| if is_bound { "yes" } else { "no" }.to_owned();
    table(
        &mut out,
        &["reason", "when", "`total` is a lower bound", "clauses"],
        tool.incomplete_because.iter().map(|row| {
            vec![code(&row.id.value), row.when.clone(), bound(row.lower_bound), cite(&row.clauses)]
        }),
    );
    out.push_str("\n## Further notices\n\nEvery reason brings the notice of its name.\n");
    let words =
        tool.notices.iter().map(|row| vec![code(&row.id.value), row.when.clone(), cite(&row.clauses)]);
    table(&mut out, &["notice", "when", "clauses"], words);
    out.push_str("\n## Models, in the order of preference\n");
    table(
        &mut out,
        &["name", "protocol", "address", "model", "variable", "clauses"],
        tool.preferences.iter().map(|row| {
            let cells = [&row.name.value, &row.protocol, &row.address, &row.model, &row.variable];
            cells.map(code).into_iter().chain([cite(&row.clauses)]).collect()
        }),
    );
    out.push_str("\n## Secrets\n\nOne after the other; where a pattern has a group, what that matched.\n");
    let private =
        [("private key, from", &tool.private_key.begin), ("private key, to", &tool.private_key.end)];
    let secrets = tool.secrets.iter().map(|row| (&*row.id.value, &row.pattern));
    table(
        &mut out,
        &["secret", "pattern"],
        private.into_iter().chain(secrets).map(|(name, pattern)| vec![name.replace('_', " "), code(pattern)]),
    );
    out.push_str("\n## Prose and data\n\n");
    let prose: Vec<String> = tool.prose.iter().map(|row| code(&row.value)).collect();
    out.push_str(&prose.join(", "));
    out.push_str("\n\n## Configuration\n\nThe presets are those of [configuration.md](configuration.md).\n");
    keys(&mut out, &tool.section, &tool.keys);
    out.push_str("\n## Fixed limits\n");
    table(
        &mut out,
        &["limit", "value", "unit", "what", "clauses"],
        tool.limits.iter().map(|row| {
            let name = code(row.id.value.name());
            vec![name, row.value.to_string(), row.unit.clone(), row.meaning.clone(), cite(&row.clauses)]
        }),
    );
    out
}
