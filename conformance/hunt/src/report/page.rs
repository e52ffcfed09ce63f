//! The page as a whole.
//!
//! Responsible for: what stands where, how large it may get, and saying what was left out.
//! Not here: [`super::matrix`], [`super::finding`], [`super::style`].
//! Invariants: no address of another machine; only the page's own script may run (a policy with a
//! nonce that depends on
//! the results, so that nothing in them can name it).

use std::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_128;

use super::class::Class;
use super::finding::{self, style_class};
use super::matrix;
use super::style::{SCRIPT, STYLE};
use super::written::{duration, grouped, html};
use super::{Limits, Report, Row};
use crate::outcome::State;
use crate::results::Results;

/// Most places with unexplained cases that are listed.
const MAX_PLACES: usize = 200;

/// The page.
pub(super) fn render(report: &Report<'_>, limits: &Limits) -> String {
    let mut articles = String::new();
    let mut with_article = 0;
    for (at, one) in report.findings.iter().enumerate().take(limits.findings) {
        let article = finding::article(report, at, one);
        if articles.len() + article.len() > limits.cases {
            break;
        }
        articles.push_str(&article);
        with_article = at + 1;
    }
    let nonce = nonce(report.results);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>Touchstone: hunt</title>\n\
         <style nonce=\"{nonce}\">\n{STYLE}</style></head>\n<body>\n"
    );
    page.push_str(&head(report));
    page.push_str("<main>\n");
    page.push_str(&left_out(report, limits, with_article));
    page.push_str(&matrix::render(report, limits, with_article));
    page.push_str(&legend());
    page.push_str(&unexplained(report));
    page.push_str(&findings(report, limits, with_article));
    let _ = write!(page, "<section id=\"cases\"><h2>Cases</h2>\n{articles}</section>\n");
    page.push_str(&coverage(report.results, &report.rows));
    page.push_str(
        "</main>\n<dialog id=\"sheet\" aria-labelledby=\"where\"><header><div><h2 id=\"where\"></h2><p id=\"counts\"></p></div>\
         <nav><button type=\"button\" id=\"prev\" aria-label=\"finding before\" title=\"finding before (k)\">‹</button>\
         <span id=\"nth\" aria-live=\"polite\"></span><button type=\"button\" id=\"next\" aria-label=\"next finding\" title=\"next finding (j)\">›</button>\
         <button type=\"button\" id=\"shut\" aria-label=\"close\" title=\"close (Escape)\">✕</button></nav></header>\
         <p id=\"reason\"></p><div id=\"body\"></div></dialog>\n<p id=\"said\" class=\"vh\" role=\"status\"></p>\n",
    );
    let _ = write!(page, "<script nonce=\"{nonce}\">\n{SCRIPT}</script>\n</body></html>\n");
    page
}

/// Title, sums, and what narrows the page down.
fn head(report: &Report<'_>) -> String {
    let results = report.results;
    let programs = report.programs();
    let outcome = results.outcome();
    let total = report.total(None);
    let mut text = format!(
        "<header class=\"top\"><h1>Hunt</h1><p class=\"sums\"><span class=\"c4\"><b>{}</b> new</span><span class=\"c3\"><b>{}</b> known</span>\
         <span{}><b>{}</b> unexplained</span>\
         <span><b>{}</b> programs</span><span><b>{}</b> releases</span><span><b>{}</b> cases</span><span><b>{}</b> CPU</span></p>\n",
        outcome.new,
        outcome.known,
        if outcome.unexplained > 0 { " class=\"c5\"" } else { "" },
        grouped(outcome.unexplained),
        programs.len(),
        report.columns.len(),
        grouped(results.cost.cases.max(total.all())),
        duration(results.cost.cpu_seconds),
    );
    let _ = writeln!(text, "<p class=\"sums\"><span>{}</span></p>", outcome.says);
    if let State::CouldNot(why) = results.state() {
        let why = html(&finding::cut(&why));
        let _ =
            writeln!(text, "<p class=\"sums\"><span class=\"c6\">could not run: {why}</span></p>");
    }
    text.push_str(
        "<form id=\"bar\" role=\"search\"><label class=\"find\"><span class=\"vh\">Filter</span>\
         <input type=\"search\" id=\"q\" placeholder=\"Filter groups and findings (/)\" autocomplete=\"off\" spellcheck=\"false\"></label>\
         <fieldset id=\"programs\"><legend class=\"vh\">Programs</legend>",
    );
    for (at, program) in programs.iter().enumerate() {
        let _ = write!(
            text,
            "<label><input type=\"checkbox\" value=\"{at}\" checked><span>{}</span></label>",
            html(&finding::cut(program))
        );
    }
    text.push_str(
        "</fieldset><label><input type=\"checkbox\" id=\"wrong\"><span>only what is wrong</span></label>\
         <label><input type=\"checkbox\" id=\"fresh\"><span>only new</span></label>\
         <label><input type=\"checkbox\" id=\"counts-all\"><span>all counts</span></label>\
         <button type=\"button\" id=\"theme\" title=\"light or dark\">◐<span class=\"vh\"> light or dark</span></button></form></header>\n",
    );
    text
}

/// What the page does not hold.
fn left_out(report: &Report<'_>, limits: &Limits, with_article: usize) -> String {
    let mut notes = Vec::new();
    let (columns, findings) = (report.columns.len(), report.findings.len());
    if columns > limits.columns {
        notes.push(format!("{} of {columns} columns", columns - limits.columns));
    }
    if findings > limits.findings {
        notes.push(format!("{} of {findings} findings", findings - limits.findings));
    }
    let listed = findings.min(limits.findings);
    if with_article < listed {
        notes.push(format!(
            "the cases of {} findings, which are listed without",
            listed - with_article
        ));
    }
    if notes.is_empty() {
        return String::new();
    }
    format!(
        "<p class=\"note\">Left out for the size of this page: {}. The JSON has them.</p>\n",
        notes.join("; ")
    )
}

fn legend() -> String {
    let told = |class| match class {
        Class::Nothing => "not asked",
        Class::Unsupported => "unsupported: it cannot be asked this",
        Class::Agree => "agree",
        Class::Declared => "declared: its adapter says it means it so",
        Class::Known => "known: listed in the baseline",
        Class::Diverge => "diverge: wrong",
        Class::Broken => "broken: no answer",
        Class::Unreadable => "unreadable: the adapter cannot read the answer",
    };
    let mut text = String::from("<ul class=\"legend\">");
    for class in Class::WORST_FIRST {
        let _ = write!(
            text,
            "<li><b class=\"{}\">{}</b> {}</li>",
            style_class(class),
            class.sign(),
            told(class)
        );
    }
    text.push_str("<li>A cell shows its worst verdict and how many cases ended so; it opens its smallest case.</li></ul>\n");
    text
}

/// The places with wrong answers that nothing explains.
fn unexplained(report: &Report<'_>) -> String {
    let places = report.results.unexplained();
    if places.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "<section id=\"unexplained\"><h2>Unexplained <small>{}</small></h2>\n<ul class=\"legend\">",
        places.len()
    );
    for one in places.iter().take(MAX_PLACES) {
        let _ = write!(
            text,
            "<li>{} of {}, {}, says {}</li>",
            grouped(one.cases),
            html(&finding::cut(one.subject)),
            one.group.name(),
            html(&finding::cut(one.oracle))
        );
    }
    if places.len() > MAX_PLACES {
        let _ = write!(text, "<li>and {} more places</li>", places.len() - MAX_PLACES);
    }
    text.push_str("</ul></section>\n");
    text
}

/// The table of findings.
fn findings(report: &Report<'_>, limits: &Limits, with_article: usize) -> String {
    let mut text = format!(
        "<section><h2>Findings <small id=\"tally\">{}</small></h2>\n<div class=\"scroll flow\"><table class=\"list\" id=\"findings\"><thead><tr>",
        report.findings.len()
    );
    let names = [
        "state", "finding", "program", "group", "aspect", "wrong in", "clauses", "says", "met",
        "CPU",
    ];
    for (at, name) in names.iter().enumerate() {
        let _ = write!(
            text,
            "<th scope=\"col\"><button type=\"button\" data-sort=\"{at}\">{name}</button></th>"
        );
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for (at, one) in report.findings.iter().enumerate().take(limits.findings) {
        text.push_str(&finding::row(report, at, one, at < with_article));
    }
    text.push_str(
        "</tbody></table></div>\n<p id=\"none\" hidden>Nothing here fits the filter.</p></section>\n",
    );
    text
}

/// What was asked, how relations fared, what it cost.
fn coverage(results: &Results, rows: &[Row<'_>]) -> String {
    let cost = results.cost;
    #[expect(clippy::cast_precision_loss, reason = "a rate is shown without decimals")]
    let rate = if cost.cpu_seconds > 0.0 { cost.cases as f64 / cost.cpu_seconds } else { 0.0 };
    let shards: Vec<String> =
        results.shards.iter().take(64).map(|shard| html(&finding::cut(shard))).collect();
    let mut text = format!(
        "<section class=\"rest\"><details><summary>The run</summary><dl class=\"facts\"><div><dt>seed</dt><dd><code>{}</code></dd></div>\
         <div><dt>shards</dt><dd>{}</dd></div><div><dt>cases</dt><dd>{} in {} asks</dd></div><div><dt>time</dt><dd>{} by the clock, {} of \
         processor time, {rate:.0} cases per second of it</dd></div></dl></details>\n",
        results.seed,
        if shards.is_empty() { "none, one run".to_owned() } else { shards.join(", ") },
        grouped(cost.cases),
        grouped(cost.asks),
        duration(cost.seconds),
        duration(cost.cpu_seconds),
    );
    if !results.relations.is_empty() {
        text.push_str(
            "<details><summary>Relations between answers</summary><div class=\"scroll flow\"><table class=\"list\"><thead><tr>\
             <th scope=\"col\"><button type=\"button\" data-sort=\"0\">relation</button></th>\
             <th scope=\"col\"><button type=\"button\" data-sort=\"1\">tried</button></th>\
             <th scope=\"col\"><button type=\"button\" data-sort=\"2\">broken</button></th></tr></thead><tbody>\n",
        );
        for (name, tried) in results.relations.iter().take(200) {
            let _ = writeln!(
                text,
                "<tr><td data-l=\"relation\">{}</td><td data-l=\"tried\" class=\"num\" data-s=\"{}\">{}</td><td data-l=\"broken\" class=\"num\" data-s=\"{}\">{}</td></tr>",
                html(&finding::cut(name)),
                tried.tried,
                grouped(tried.tried),
                tried.broken,
                grouped(tried.broken)
            );
        }
        text.push_str("</tbody></table></div></details>\n");
    }
    if !results.features.is_empty() {
        text.push_str(
            "<details><summary>What was asked</summary><div class=\"scroll flow\"><table class=\"list\"><thead><tr>\
             <th scope=\"col\"><button type=\"button\" data-sort=\"0\">feature</button></th>\
             <th scope=\"col\"><button type=\"button\" data-sort=\"1\">cases</button></th></tr></thead><tbody>\n",
        );
        for (name, cases) in results.features.iter().take(400) {
            let says = rows.iter().find(|row| row.group.name() == name).map_or("", |row| row.says);
            let _ = writeln!(
                text,
                "<tr><td data-l=\"feature\">{} <small>{}</small></td><td data-l=\"cases\" class=\"num\" data-s=\"{cases}\">{}</td></tr>",
                html(&finding::cut(name)),
                html(&finding::cut(says)),
                grouped(*cases)
            );
        }
        text.push_str("</tbody></table></div></details>\n");
    }
    text.push_str("</section>\n");
    text
}

/// A digest of the results.
fn nonce(results: &Results) -> String {
    let text = serde_json::to_vec(results).unwrap_or_default();
    format!("{:032x}", xxh3_128(&text))
}
