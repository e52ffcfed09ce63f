//! The trace as one page, without anything to fetch.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Status, Traced};

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ddd;padding:.3rem .6rem;text-align:left;\
vertical-align:top}.verified{color:#176f2c}.in-part,.not-run,.not-decided{color:#7a5c00}\
.open{color:#b3261e;font-weight:bold}code{font-size:.9em;white-space:nowrap}li{list-style:none}ul{margin:0;padding:0}";

/// The page: a table of counts, and one table per document.
pub(super) fn page(traced: &[Traced], counts: &BTreeMap<&str, BTreeMap<Status, usize>>) -> String {
    let page = html! { (DOCTYPE) "\n" html lang="en" {
        head { meta charset="utf-8"; title { "Touchstone: trace" } style { (PreEscaped(STYLE)) } }
        body {
            h1 { "Requirements and the checks that decide them" }
            table {
                tr { th { "document" } @for status in Status::ALL { th { (status.name()) } } }
                @for (document, counts) in counts { tr {
                    td { a href={ "#d" (document) } { (document) } }
                    @for status in Status::ALL { td { (counts.get(&status).unwrap_or(&0)) } }
                } }
            }
            @for document in counts.keys() {
                h2 id={ "d" (document) } { "Document " (document) } "\n"
                table {
                    tr { @for name in ["id", "keyword", "status", "text", "checks"] { th { (name) } } }
                    @for one in traced.iter().filter(|one| one.document == *document) { (row(one)) }
                }
            }
        }
    } "\n" };
    page.into_string()
}

fn row(one: &Traced) -> Markup {
    let status = one.status.name();
    html! { "\n" tr {
        td { code { (one.id) } } td { (one.keyword) }
        td class=(status.replace(' ', "-")) { (status) } td { (one.text) }
        td { ul {
            @for check in &one.checks { li { code { (check) } } }
            @if let Some(missing) = &one.missing { li { (missing) } }
        } }
    } }
}
