//! `docs/tables/keyword-search.md`: the tables of `keyword_search`.

use super::pages::{cite, code, keys, page, request, table};
use crate::specification::Spec;
use crate::tool::keyword::{KeywordTool, NamedPattern};

pub(super) fn tool(spec: &Spec) -> String {
    let tool = &spec.keyword_search;
    let mut out = page("keyword_search: tables", "`spec/tools/keyword_search.yaml`");
    out.push_str("\n## Request\n");
    request(&mut out, &tool.request);
    out.push_str("\n## Why a term is skipped\n");
    let words = tool
        .skipped
        .iter()
        .map(|row| vec![code(&row.id.value), row.when.clone(), cite(&row.clauses)]);
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
    let words = tool
        .notices
        .iter()
        .map(|row| vec![code(&row.id.value), row.when.clone(), cite(&row.clauses)]);
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
    secrets(&mut out, tool);
    out.push_str("\n## Everyday words\n\nThey are no terms, unless they are names.\n\n");
    let everyday: Vec<String> = tool.everyday.iter().map(|row| code(&row.value)).collect();
    out.push_str(&everyday.join(", "));
    out.push_str(
        "\n\n## Configuration\n\nThe presets are those of [configuration.md](configuration.md).\n",
    );
    keys(&mut out, &tool.section, &tool.keys);
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

/// Section 5 of the contract says how they are matched.
fn secrets(out: &mut String, tool: &KeywordTool) {
    let name = |id: &str| id.replace('_', " ");
    // A text with a backtick is quoted with two.
    let code = |text: &str| if text.contains('`') { format!("`` {text} ``") } else { code(text) };
    let rows = |rows: &[NamedPattern]| -> Vec<Vec<String>> {
        rows.iter().map(|row| vec![code(&row.id.value), code(&row.pattern)]).collect()
    };
    out.push_str("\n## Secrets\n\nA private key:\n");
    let key = [("from", &tool.private_key.begin), ("to", &tool.private_key.end)];
    let key = key.into_iter().map(|(mark, pattern)| vec![mark.to_owned(), code(pattern)]);
    table(out, &["mark", "pattern"], key);
    out.push_str("\nWhat `%word%` stands for in patterns, and in the words below it:\n");
    table(out, &["word", "pattern"], rows(&tool.words).into_iter());
    out.push_str(
        "\nValues that are no secrets; `name`: names that do not name one; `before`: what stands \
         before a value that is none:\n",
    );
    table(out, &["harmless", "pattern"], rows(&tool.harmless).into_iter());
    out.push_str("\nUsual pairs of letters:\n");
    let after = ('a'..='z').zip(&tool.usual_pairs);
    let after = after.map(|(first, after)| vec![code(&first.to_string()), code(after)]);
    table(out, &["after", "usually follows one of"], after);
    out.push_str("\nWhat is redacted:\n");
    table(
        out,
        &["secret", "pattern", "first group is its name", "unless", "least oddness"],
        tool.secrets.iter().map(|row| {
            let unless: Vec<String> = row.unless.iter().map(|name| code(&name.value)).collect();
            let named = if row.named { "yes" } else { "" }.to_owned();
            let odd = if row.odd > 0 { row.odd.to_string() } else { String::new() };
            vec![name(&row.id.value), code(&row.pattern), named, unless.join(", "), odd]
        }),
    );
}
