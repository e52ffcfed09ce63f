//! The trace as one page, without anything to fetch.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Status, Traced};

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ddd;padding:.3rem .6rem;text-align:left;\
vertical-align:top}.verified{color:#176f2c}.in-part,.not-run,.not-decided{color:#7a5c00}\
.open{color:#b3261e;font-weight:bold}code{font-size:.9em;white-space:nowrap}li{list-style:none}ul{margin:0;padding:0}";

/// The page: a table of counts, and one table per document.
pub(super) fn page(traced: &[Traced], counts: &BTreeMap<&str, BTreeMap<Status, usize>>) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Touchstone: trace</title>\
         <style>{STYLE}</style></head><body>\n<h1>Requirements and the checks that decide them</h1>\n\
         <table><tr><th>document</th>"
    );
    for status in Status::ALL {
        // Writing to a string cannot fail.
        let _ = write!(page, "<th>{}</th>", status.name());
    }
    page.push_str("</tr>\n");
    for (document, counts) in counts {
        let _ = write!(page, "<tr><td><a href=\"#d{document}\">{document}</a></td>");
        for status in Status::ALL {
            let _ = write!(page, "<td>{}</td>", counts.get(&status).copied().unwrap_or(0));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
    for document in counts.keys() {
        let _ = writeln!(
            page,
            "<h2 id=\"d{document}\">Document {document}</h2>\n<table><tr><th>id</th><th>keyword</th><th>status</th>\
             <th>text</th><th>checks</th></tr>"
        );
        for one in traced.iter().filter(|one| one.document == *document) {
            page.push_str(&row(one));
        }
        page.push_str("</table>\n");
    }
    page.push_str("</body></html>\n");
    page
}

fn row(one: &Traced) -> String {
    let mut checks = String::new();
    for check in &one.checks {
        let _ = write!(checks, "<li><code>{}</code></li>", safe(check));
    }
    if let Some(missing) = &one.missing {
        let _ = write!(checks, "<li>{}</li>", safe(missing));
    }
    let status = one.status.name();
    let class = status.replace(' ', "-");
    format!(
        "<tr><td><code>{}</code></td><td>{}</td><td class=\"{class}\">{status}</td><td>{}</td><td><ul>{checks}</ul></td></tr>\n",
        safe(&one.id),
        one.keyword,
        safe(&one.text)
    )
}

fn safe(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
