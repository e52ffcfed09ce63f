//! One finding on the page.
//!
//! Responsible for: the case as an article (releases, command, question, expected beside what came,
//! facts), and the row of
//! the table of findings.
//! Not here: the comparison itself ([`super::contrast`]), and opening it from a cell (the
//! page's script).
//! Invariants: an article's size is bounded whatever the finding holds.

use maud::{Markup, html};
use touchstone_cases::case::{Contents, Entry, Node};

use super::Report;
use super::class::{Class, Release, affected};
use super::contrast::{contrast, counted};
use super::written::{
    bytes, cut_to, duration, grouped, is_shown_as_it_is, joined, percent, plain, shown, titled,
    whole,
};
use crate::question::{Ask, Case, Question, Show, Walk};
use crate::results::{Finding, Sweep};
use crate::verdict::Verdict;

/// Most entries of a tree, and most lines of a file, that are shown.
const MAX_ENTRIES: usize = 12;
const MAX_LINES: usize = 30;
/// Most characters of a command.
const MAX_COMMAND: usize = 4000;
/// Most releases of a strip.
const MAX_RELEASES: usize = 120;

/// The name of a finding inside the page: its id where that is one, else its place.
pub(super) fn anchor(at: usize, finding: &Finding) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !finding.id.is_empty() && finding.id.len() <= 120 && finding.id.bytes().all(plain) {
        format!("f-{}", finding.id)
    } else {
        format!("f.{at}")
    }
}

/// A link to a finding's case.
pub(super) fn link(at: usize, finding: &Finding, text: &Markup) -> Markup {
    html! { a href={ "#" (anchor(at, finding)) } { (text) } }
}

/// The article that a cell opens.
pub(super) fn article(report: &Report<'_>, at: usize, finding: &Finding) -> Markup {
    let Finding { expected, actual, broken, question, .. } = finding;
    html! { article.case id=(anchor(at, finding)) data-i=(at) tabindex="-1" {
        h3 { (titled(&finding.title)) }
        p.tags {
            (state(finding)) span { (shown(&finding.program)) }
            span { (finding.group.name()) } span { (finding.aspect.name()) }
        }
        (strip(finding)) (command(&cut_to(&finding.command, MAX_COMMAND)))
        h4 { "Asked" } (asked(&question.ask)) (tree(question))
        h4 { "Expected, and what came" }
        div.diff { @for row in contrast(expected.as_ref(), actual.as_ref(), broken.as_deref()) {
            (row.html())
        } }
        (facts(report, finding))
    } "\n" }
}

/// The row of the table of findings, without its case.
pub(super) fn row(report: &Report<'_>, at: usize, finding: &Finding, has_article: bool) -> Markup {
    let title = titled(&finding.title);
    let program = report.programs().iter().position(|program| *program == finding.program);
    let group = report.rows.iter().position(|row| row.group == finding.group);
    let stale = u8::from(!finding.is_new());
    let clauses = finding.clauses.iter().take(20).map(|clause| shown(clause));
    html! { tr data-p=(program.unwrap_or(usize::MAX)) data-i=(at) data-k=(stale) {
        td data-l="state" data-s=(stale) { (state(finding)) }
        td data-l="finding" { @if has_article { (link(at, finding, &title)) } @else { (title) } }
        td data-l="program" { (shown(&finding.program)) }
        td data-l="group" data-s=(group.unwrap_or(usize::MAX)) { (finding.group.name()) }
        td data-l="aspect" { (finding.aspect.name()) }
        td data-l="wrong in" { (shown(&affected(finding))) }
        td data-l="clauses" { (joined(clauses, " ")) }
        td data-l="says" { (shown(&finding.oracle)) }
        td.num data-l="met" data-s=(finding.met) { (grouped(finding.met)) }
        td.num data-l="CPU" data-s=(finding.cpu_seconds) { (duration(finding.cpu_seconds)) }
    } "\n" }
}

fn state(finding: &Finding) -> Markup {
    html! { @match (&finding.known, &finding.broken) {
        (Some(_), _) => span.c3 { "◇ known" },
        _ if finding.variant_of.is_some() => span.c4 { "↳ variant" },
        (None, Some(_)) => span.c5 { "! new" },
        (None, None) => span.c4 { "✗ new" },
    } }
}

/// A box per release, in words as well.
fn strip(finding: &Finding) -> Markup {
    let told = |verdict: &Verdict| match verdict {
        Verdict::Agree => "as it should be".to_owned(),
        Verdict::Declared(which) => format!("as declared: {which}"),
        Verdict::Known(entry) => format!("wrong, known: {entry}"),
        Verdict::Diverge(aspect) => format!("wrong in its {}", aspect.name()),
        Verdict::Unsupported(why) => format!("cannot be asked: {why}"),
        Verdict::Broken(why) => format!("no answer: {why}"),
        Verdict::Unreadable(why) => format!("cannot be read: {why}"),
    };
    let class = |verdict| match Release::of(verdict) {
        Release::Good => ("good", '✓'),
        Release::Bad => ("bad", '✗'),
        Release::Unknown => ("unknown", '?'),
    };
    html! {
        p.wrong { "Wrong in " strong { (shown(&affected(finding))) } }
        @if !finding.releases.is_empty() { ol.strip {
            @for Sweep { version, verdict } in finding.releases.iter().take(MAX_RELEASES) {
                @let (class, sign) = class(verdict);
                li class=(class) title=(plain(&format!("{version}: {}", told(verdict)))) {
                    b aria-hidden="true" { (sign) } " " (shown(version)) span.vh { " " (class) }
                }
            }
            (more(finding.releases.len(), MAX_RELEASES, ""))
        } }
    }
}

/// How many were left out of a list.
pub(super) fn more(all: usize, most: usize, what: &str) -> Markup {
    html! { @if all > most { li { "and " (all - most) " more" (what) } } }
}

/// The command with its button. What cannot be copied from the page as shown is given to the button
/// as well.
fn command(command: &str) -> Markup {
    let exact = (!is_shown_as_it_is(command)).then(|| percent(command));
    html! {
        h4 { "Shows it, in an empty directory" }
        div.cmd {
            pre tabindex="0" { code { (whole(command)) } }
            button.copy type="button" data-copy=[exact] { "Copy" }
        }
    }
}

/// Patterns and options.
fn asked(ask: &Ask) -> Markup {
    let kind = if ask.fixed { "literal " } else { "pattern " };
    html! { ul.asked {
        @for pattern in ask.patterns.iter().take(MAX_ENTRIES) { li {
            (kind) @if pattern.is_empty() { "(empty)" }
            @else { code { (bytes(pattern.as_bytes(), &[], None)) } }
        } }
        (more(ask.patterns.len(), MAX_ENTRIES, " patterns"))
        @for option in options(ask) { li { code { (shown(&option)) } } }
    } }
}

/// The options that are set, as words.
pub(super) fn options(ask: &Ask) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    let flags =
        [("word", ask.word), ("line", ask.line), ("invert", ask.invert), ("crlf", ask.crlf)];
    match ask.case {
        Case::Sensitive => {}
        Case::Insensitive => options.push("case: insensitive".to_owned()),
        Case::Smart => options.push("case: smart".to_owned()),
    }
    options.extend(flags.iter().filter(|(_, set)| *set).map(|(name, _)| (*name).to_owned()));
    options.extend(ask.max_count.map(|count| format!("max_count: {count}")));
    for (name, lines) in [("before", ask.before), ("after", ask.after)] {
        if lines > 0 {
            options.push(format!("{name}: {lines}"));
        }
    }
    options.extend(ask.mmap.map(|mmap| format!("mmap: {mmap}")));
    if let Some(Walk { hidden, no_ignore, globs, roots, follow, max_filesize, max_depth, sort }) =
        &ask.walk
    {
        options.push("walk".to_owned());
        let flags =
            [("hidden", *hidden), ("no_ignore", *no_ignore), ("follow", *follow), ("sort", *sort)];
        options.extend(flags.iter().filter(|(_, set)| *set).map(|(name, _)| (*name).to_owned()));
        options.extend(globs.iter().take(MAX_ENTRIES).map(|glob| format!("glob: {glob}")));
        options.extend(roots.iter().take(MAX_ENTRIES).map(|root| format!("root: {root}")));
        options.extend(max_filesize.map(|size| format!("max_filesize: {size}")));
        options.extend(max_depth.map(|depth| format!("max_depth: {depth}")));
    }
    if ask.show != Show::Lines {
        options.push(format!("show: {}", ask.show.name()));
    }
    options
}

/// The files.
fn tree(question: &Question) -> Markup {
    let tree = &question.tree.tree;
    html! { div.tree {
        @for entry in tree.iter().take(MAX_ENTRIES) { (entry_html(entry)) }
        @if tree.len() > MAX_ENTRIES { p { "and " (tree.len() - MAX_ENTRIES) " more entries" } }
    } }
}

fn entry_html(entry: &Entry) -> Markup {
    let path = bytes(&entry.path, &[], None);
    html! { @match &entry.node {
        Node::Dir { .. } => p { strong { (path) "/" } },
        Node::Fifo => p { strong { (path) } ", a pipe" },
        Node::Link { target } => {
            p { strong { (path) } ", a link to " code { (bytes(target, &[], None)) } }
        }
        Node::File { contents, .. } => {
            p { strong { (path) } " " span.o { (grouped(contents.len())) " bytes" } }
            div.file { (lines(contents)) }
        }
    } }
}

/// The lines of a file, those of a part that is repeated once.
fn lines(contents: &Contents) -> Markup {
    let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n');
    let mut before = 0;
    let parts = contents.parts.iter().map(|part| {
        before += lines(&part.bytes.0).count();
        (before - lines(&part.bytes.0).count(), part)
    });
    html! {
        @for (from, part) in parts.take_while(|(from, _)| *from <= MAX_LINES) {
            @let lines = lines(&part.bytes.0).take(MAX_LINES - from);
            @let lines = html! { @for line in lines { div { (bytes(line, &[], None)) } } };
            @if part.times == 1 { (lines) } @else {
                div.times { span.o { (grouped(part.times)) " times:" } (lines) }
            }
        }
        @if before > MAX_LINES { div { i.o { "⋯ the rest is in the JSON ⋯" } } }
    }
}

/// A clause, with what it says if that is known.
fn clause_html(report: &Report<'_>, clause: &str) -> Markup {
    let name = html! { code { (shown(clause)) } };
    html! { @match report.clauses.get(clause) {
        Some(says) => div { (name) " " (shown(says)) },
        None => (name),
    } }
}

/// Everything else that is known.
fn facts(report: &Report<'_>, finding: &Finding) -> Markup {
    let is_related = |one: &Finding| {
        one.variant_of.as_ref() == Some(&finding.id) || finding.variant_of.as_ref() == Some(&one.id)
    };
    let related = report.findings.iter().enumerate().filter(|(_, one)| is_related(one));
    let related = related.map(|(at, one)| link(at, one, &shown(&one.id)));
    let related = joined(related.take(MAX_ENTRIES), " ");
    let fact = |name: &str, told: Markup| html! { div { dt { (name) } dd { (told) } } };
    html! { dl.facts {
        (fact("clauses", html! {
            (joined(finding.clauses.iter().take(20).map(|clause| clause_html(report, clause)), " "))
            @if finding.clauses.is_empty() { "none" }
        }))
        (fact("who says so", shown(&finding.oracle)))
        (fact("found with", shown(&finding.subject)))
        (fact("met", html! {
            @if finding.met == 0 { "by nothing that was drawn; it is known of these releases" }
            @else {
                (counted(finding.met, "time")) ", first after " (duration(finding.cpu_seconds))
                " of processor time"
            }
        }))
        @if let Some(known) = &finding.known { (fact("known as", shown(known))) }
        @if !related.0.is_empty() {
            (fact(if finding.variant_of.is_some() { "variant of" } else { "variants" }, related))
        }
        (fact("shape", html! { code { (shown(&finding.shape)) } }))
        (fact("id", html! { code { (shown(&finding.id)) } }))
    } }
}

/// How a class is called in style sheets.
pub(super) fn style_class(class: Class) -> &'static str {
    match class {
        Class::Nothing => "c0",
        Class::Unsupported => "cu",
        Class::Agree => "c1",
        Class::Declared => "c2",
        Class::Known => "c3",
        Class::Diverge => "c4",
        Class::Broken => "c5",
        Class::Unreadable => "c6",
    }
}
