//! The page as a whole.
//!
//! Responsible for: what stands where, how large it may get, and saying what was left out.
//! Not here: [`super::matrix`], [`super::finding`], [`super::style`].
//! Invariants: no address of another machine; only the page's own script may run (a policy with a
//! nonce that depends on
//! the results, so that nothing in them can name it).

use maud::{DOCTYPE, Markup, PreEscaped, html};
use xxhash_rust::xxh3::xxh3_128;

use super::class::Class;
use super::finding::{self, style_class};
use super::matrix;
use super::style::{SCRIPT, STYLE};
use super::written::{duration, grouped, joined, shown};
use super::{Limits, Report, Row, cases, releases, trend};
use crate::outcome::State;
use crate::results::Results;

/// Most places with unexplained cases that are listed.
const MAX_PLACES: usize = 200;

/// The page.
pub(super) fn render(report: &Report<'_>, limits: &Limits) -> String {
    let mut articles = PreEscaped(String::new());
    let mut with_article = 0;
    for (at, one) in report.findings.iter().enumerate().take(limits.findings) {
        let article = finding::article(report, at, one);
        if articles.0.len() + article.0.len() > limits.cases {
            break;
        }
        articles.0.push_str(&article.0);
        with_article = at + 1;
    }
    let nonce = nonce(report.results);
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; \
         base-uri 'none'; form-action 'none'"
    );
    let page = html! { (DOCTYPE) "\n" html lang="en" {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width,initial-scale=1";
            title { "Touchstone: hunt" }
            style nonce=(nonce) { (PreEscaped(STYLE)) }
        }
        body {
            (head(report))
            main {
                (left_out(report, limits, with_article))
                (matrix::render(report, limits, with_article))
                (legend()) (trend::html(report)) (unexplained(report))
                (releases::render(report, limits, with_article))
                (findings(report, limits, with_article))
                section #cases { h2 { "Cases" } "\n" (articles) }
                (coverage(report.results, &report.rows))
            }
            (sheet())
            script nonce=(nonce) { (PreEscaped(SCRIPT)) }
        }
    } "\n" };
    page.into_string()
}

/// Where a case is opened.
fn sheet() -> Markup {
    let button = |id: &str, does: &str, key: &str, sign: char| {
        let title = format!("{does} ({key})");
        html! { button type="button" id=(id) aria-label=(does) title=(title) { (sign) } }
    };
    html! {
        dialog #sheet aria-labelledby="where" {
            header {
                div { h2 #where {} p #counts {} }
                nav {
                    (button("prev", "finding before", "k", '‹')) span #nth aria-live="polite" {}
                    (button("next", "next finding", "j", '›'))
                    (button("shut", "close", "Escape", '✕'))
                }
            }
            p #reason {} div #body {}
        }
        p.vh #said role="status" {}
    }
}

/// Title, sums, and what narrows the page down.
fn head(report: &Report<'_>) -> Markup {
    let results = report.results;
    let programs = report.programs();
    let outcome = results.outcome();
    let cases = cases(results);
    let check = |id: &str, told: &str| {
        html! {
            label { input type="checkbox" id=(id); span { (told) } }
        }
    };
    html! { header.top {
        h1 { "Hunt" }
        p.sums {
            span.c4 { b { (outcome.new) } " new" } span.c3 { b { (outcome.known) } " known" }
            span class=[(outcome.unexplained > 0).then_some("c5")] {
                b { (grouped(outcome.unexplained)) } " unexplained"
            }
            span { b { (programs.len()) } " programs" }
            span { b { (report.columns.len()) } " releases" }
            span { b { (grouped(cases)) } " cases" }
            span { b { (duration(results.cost.cpu_seconds)) } " CPU" }
        }
        p.sums { span { (outcome.says) } }
        @if let State::CouldNot(why) = results.state() {
            p.sums { span.c6 { "could not run: " (shown(&why)) } }
        }
        form #bar role="search" {
            label.find {
                span.vh { "Filter" }
                input #q type="search" placeholder="Filter groups and findings (/)"
                    autocomplete="off" spellcheck="false";
            }
            fieldset #programs {
                legend.vh { "Programs" }
                @for (at, program) in programs.iter().enumerate() {
                    label { input type="checkbox" value=(at) checked; span { (shown(program)) } }
                }
            }
            (check("wrong", "only what is wrong")) (check("fresh", "only new"))
            (check("counts-all", "all counts"))
            button #theme type="button" title="light or dark" { "◐" span.vh { " light or dark" } }
        }
    } }
}

/// What the page does not hold.
fn left_out(report: &Report<'_>, limits: &Limits, with_article: usize) -> Markup {
    let (columns, findings) = (report.columns.len(), report.findings.len());
    let of = |all: usize, most: usize, what: &str| {
        (all > most).then(|| format!("{} of {all} {what}", all - most))
    };
    let listed = findings.min(limits.findings);
    let without = (with_article < listed).then(|| {
        format!("the cases of {} findings, which are listed without", listed - with_article)
    });
    let notes = [
        of(columns, limits.columns, "columns"),
        of(findings, limits.findings, "findings"),
        without,
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    html! { @if !notes.is_empty() {
        p.note { "Left out for the size of this page: " (notes.join("; ")) ". The JSON has them." }
    } }
}

fn legend() -> Markup {
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
    html! { ul.legend {
        @for class in Class::WORST_FIRST {
            li { b.(style_class(class)) { (class.sign()) } " " (told(class)) }
        }
        li {
            "A cell shows its worst verdict and how many cases ended so; "
            "it opens its smallest case."
        }
    } }
}

/// The places with wrong answers that nothing explains.
fn unexplained(report: &Report<'_>) -> Markup {
    let places = report.results.unexplained();
    html! { @if !places.is_empty() { section #unexplained {
        h2 { "Unexplained " small { (places.len()) } }
        ul.legend {
            @for one in places.iter().take(MAX_PLACES) { li {
                (grouped(one.cases)) " of " (shown(one.subject)) ", " (one.group.name())
                ", says " (shown(one.oracle))
            } }
            (finding::more(places.len(), MAX_PLACES, " places"))
        }
    } } }
}

/// A table whose columns sort its rows.
pub(super) fn table(id: Option<&str>, columns: &[&str], rows: &Markup) -> Markup {
    html! { div.scroll.flow { table.list id=[id] {
        thead { tr { @for (at, name) in columns.iter().enumerate() {
            th scope="col" { button type="button" data-sort=(at) { (name) } }
        } } }
        tbody { "\n" (rows) }
    } } }
}

/// The table of findings.
fn findings(report: &Report<'_>, limits: &Limits, with_article: usize) -> Markup {
    let columns = [
        "state", "finding", "program", "group", "aspect", "wrong in", "clauses", "says", "met",
        "CPU",
    ];
    let rows = html! { @for (at, one) in report.findings.iter().enumerate().take(limits.findings) {
        (finding::row(report, at, one, at < with_article))
    } };
    html! { section {
        h2 { "Findings " small #tally { (report.findings.len()) } }
        (table(Some("findings"), &columns, &rows))
        p #none hidden { "Nothing here fits the filter." }
    } }
}

/// What was asked, how relations fared, what it cost.
fn coverage(results: &Results, rows: &[Row<'_>]) -> Markup {
    let cost = results.cost;
    #[expect(clippy::cast_precision_loss, reason = "a rate is shown without decimals")]
    let rate = if cost.cpu_seconds > 0.0 { cost.cases as f64 / cost.cpu_seconds } else { 0.0 };
    let says =
        |name: &str| rows.iter().find(|row| row.group.name() == name).map_or("", |row| row.says);
    let number = |name: &str, number: u64| {
        html! { td.num data-l=(name) data-s=(number) { (grouped(number)) } }
    };
    let relations = html! { @for (name, tried) in results.relations.iter().take(200) { tr {
        td data-l="relation" { (shown(name)) }
        (number("tried", tried.tried)) (number("broken", tried.broken))
    } } };
    let features = html! { @for (name, cases) in results.features.iter().take(400) { tr {
        td data-l="feature" { (shown(name)) " " small { (shown(says(name))) } }
        (number("cases", *cases))
    } } };
    html! { section.rest {
        details { summary { "The run" } dl.facts {
            div { dt { "seed" } dd { code { (results.seed) } } }
            div { dt { "shards" } dd {
                (joined(results.shards.iter().take(64).map(|shard| shown(shard)), ", "))
                @if results.shards.is_empty() { "none, one run" }
            } }
            div { dt { "cases" } dd { (grouped(cost.cases)) " in " (grouped(cost.asks)) " asks" } }
            div { dt { "time" } dd {
                (duration(cost.seconds)) " by the clock, " (duration(cost.cpu_seconds))
                " of processor time, " (format!("{rate:.0}")) " cases per second of it"
            } }
        } }
        @if !results.relations.is_empty() { details {
            summary { "Relations between answers" }
            (table(None, &["relation", "tried", "broken"], &relations))
        } }
        @if !results.features.is_empty() { details {
            summary { "What was asked" } (table(None, &["feature", "cases"], &features))
        } }
    } }
}

/// A digest of the results.
fn nonce(results: &Results) -> String {
    let text = serde_json::to_vec(results).unwrap_or_default();
    format!("{:032x}", xxh3_128(&text))
}
