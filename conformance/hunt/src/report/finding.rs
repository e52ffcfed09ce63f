//! One finding on the page.
//!
//! Responsible for: the case as an article (releases, command, question, expected beside what came,
//! facts), and the row of
//! the table of findings.
//! Not here: the comparison itself ([`super::contrast`]), and opening it from a cell (the
//! page's script).
//! Invariants: an article's size is bounded whatever the finding holds.

use std::fmt::Write as _;

use touchstone_cases::case::{Entry, Node};

use super::Report;
use super::class::{Class, Release, affected};
use super::contrast::{Row, contrast, counted};
use super::written::{attribute, bytes, duration, grouped, html, is_shown_as_it_is, percent};
use crate::question::{Ask, Case, Question, Show, Walk};
use crate::results::{Finding, Sweep};
use crate::verdict::Verdict;

/// Most entries of a tree, and most lines of a file, that are shown.
const MAX_ENTRIES: usize = 12;
const MAX_LINES: usize = 30;
/// Most characters of a text that somebody else wrote: a title, a command, a reason.
const MAX_TEXT: usize = 4000;
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

/// The article that a cell opens.
pub(super) fn article(report: &Report<'_>, at: usize, finding: &Finding) -> String {
    let mut text = format!(
        "<article class=\"case\" id=\"{}\" data-i=\"{at}\" tabindex=\"-1\">\n<h3>{}</h3>\n<p class=\"tags\">{}<span>{}</span>\
         <span>{}</span><span>{}</span></p>\n",
        anchor(at, finding),
        title(finding),
        state(finding),
        html(&cut(&finding.program)),
        finding.group.name(),
        finding.aspect.name(),
    );
    text.push_str(&strip(finding));
    text.push_str(&command(&cut_to(&finding.command, MAX_TEXT)));
    let _ =
        write!(text, "<h4>Asked</h4>\n{}{}", asked(&finding.question.ask), tree(&finding.question));
    let rows =
        contrast(finding.expected.as_ref(), finding.actual.as_ref(), finding.broken.as_deref());
    let rows: String = rows.iter().map(Row::html).collect();
    let _ = write!(
        text,
        "<h4>Expected, and what came</h4>\n<div class=\"diff\">\n{rows}</div>\n{}</article>\n",
        facts(report, finding)
    );
    text
}

/// The row of the table of findings, without its case.
pub(super) fn row(report: &Report<'_>, at: usize, finding: &Finding, has_article: bool) -> String {
    let title = title(finding);
    let title = if has_article {
        format!("<a href=\"#{}\">{title}</a>", anchor(at, finding))
    } else {
        title
    };
    let program = report
        .programs()
        .iter()
        .position(|program| *program == finding.program)
        .unwrap_or(usize::MAX);
    let row = report.rows.iter().position(|row| row.group == finding.group).unwrap_or(usize::MAX);
    let clauses: Vec<String> =
        finding.clauses.iter().take(20).map(|clause| html(&cut(clause))).collect();
    format!(
        "<tr data-p=\"{program}\" data-i=\"{at}\" data-k=\"{}\"><td data-l=\"state\" data-s=\"{}\">{}</td><td data-l=\"finding\">{title}</td>\
         <td data-l=\"program\">{}</td><td data-l=\"group\" data-s=\"{row}\">{}</td><td data-l=\"aspect\">{}</td><td data-l=\"wrong in\">{}</td>\
         <td data-l=\"clauses\">{}</td><td data-l=\"says\">{}</td><td data-l=\"met\" class=\"num\" data-s=\"{}\">{}</td>\
         <td data-l=\"CPU\" class=\"num\" data-s=\"{}\">{}</td></tr>\n",
        u8::from(!finding.is_new()),
        u8::from(!finding.is_new()),
        state(finding),
        html(&cut(&finding.program)),
        finding.group.name(),
        finding.aspect.name(),
        html(&cut(&affected(finding))),
        clauses.join(" "),
        html(&cut(&finding.oracle)),
        finding.met,
        grouped(finding.met),
        finding.cpu_seconds,
        duration(finding.cpu_seconds),
    )
}

/// The title; what stands between backticks is code, if they come in pairs.
fn title(finding: &Finding) -> String {
    let text = cut(&finding.title);
    if text.matches('`').count() % 2 == 1 {
        return html(&text);
    }
    let parts = text.split('`').enumerate();
    parts
        .map(
            |(at, part)| {
                if at % 2 == 1 { format!("<code>{}</code>", html(part)) } else { html(part) }
            },
        )
        .collect()
}

fn state(finding: &Finding) -> &'static str {
    match (&finding.known, &finding.broken) {
        (Some(_), _) => "<span class=\"c3\">◇ known</span>",
        _ if finding.variant_of.is_some() => "<span class=\"c4\">↳ variant</span>",
        (None, Some(_)) => "<span class=\"c5\">! new</span>",
        (None, None) => "<span class=\"c4\">✗ new</span>",
    }
}

/// A box per release, in words as well.
fn strip(finding: &Finding) -> String {
    let mut text = format!(
        "<p class=\"wrong\">Wrong in <strong>{}</strong></p>\n",
        html(&cut(&affected(finding)))
    );
    if finding.releases.is_empty() {
        return text;
    }
    text.push_str("<ol class=\"strip\">");
    for Sweep { version, verdict } in finding.releases.iter().take(MAX_RELEASES) {
        let (class, sign) = match Release::of(verdict) {
            Release::Good => ("good", '✓'),
            Release::Bad => ("bad", '✗'),
            Release::Unknown => ("unknown", '?'),
        };
        let told = match verdict {
            Verdict::Agree => "as it should be".to_owned(),
            Verdict::Declared(which) => format!("as declared: {which}"),
            Verdict::Known(entry) => format!("wrong, known: {entry}"),
            Verdict::Diverge(aspect) => format!("wrong in its {}", aspect.name()),
            Verdict::Unsupported(why) => format!("cannot be asked: {why}"),
            Verdict::Broken(why) => format!("no answer: {why}"),
            Verdict::Unreadable(why) => format!("cannot be read: {why}"),
        };
        let told = attribute(&cut(&format!("{version}: {told}")));
        let _ = write!(
            text,
            "<li class=\"{class}\" title=\"{told}\"><b aria-hidden=\"true\">{sign}</b> {}<span class=\"vh\"> {class}</span></li>",
            html(&cut(version))
        );
    }
    if finding.releases.len() > MAX_RELEASES {
        let _ = write!(text, "<li>and {} more</li>", finding.releases.len() - MAX_RELEASES);
    }
    text.push_str("</ol>\n");
    text
}

/// The command with its button. What cannot be copied from the page as shown is given to the button
/// as well.
fn command(command: &str) -> String {
    let exact = if is_shown_as_it_is(command) {
        String::new()
    } else {
        format!(" data-copy=\"{}\"", percent(command))
    };
    format!(
        "<h4>Shows it, in an empty directory</h4>\n<div class=\"cmd\"><pre tabindex=\"0\"><code>{}</code></pre>\
         <button type=\"button\" class=\"copy\"{exact}>Copy</button></div>\n",
        html(command)
    )
}

/// Patterns and options.
fn asked(ask: &Ask) -> String {
    let mut text = String::from("<ul class=\"asked\">");
    for pattern in ask.patterns.iter().take(MAX_ENTRIES) {
        let kind = if ask.fixed { "literal" } else { "pattern" };
        let shown = bytes(pattern.as_bytes(), &[], None);
        let shown =
            if shown.is_empty() { "(empty)".to_owned() } else { format!("<code>{shown}</code>") };
        let _ = write!(text, "<li>{kind} {shown}</li>");
    }
    if ask.patterns.len() > MAX_ENTRIES {
        let _ = write!(text, "<li>and {} more patterns</li>", ask.patterns.len() - MAX_ENTRIES);
    }
    for option in options(ask) {
        let _ = write!(text, "<li><code>{}</code></li>", html(&cut(&option)));
    }
    text.push_str("</ul>\n");
    text
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
fn tree(question: &Question) -> String {
    let tree = &question.tree.tree;
    let mut text = String::from("<div class=\"tree\">\n");
    for entry in tree.iter().take(MAX_ENTRIES) {
        text.push_str(&entry_html(entry));
    }
    if tree.len() > MAX_ENTRIES {
        let _ = writeln!(text, "<p>and {} more entries</p>", tree.len() - MAX_ENTRIES);
    }
    text.push_str("</div>\n");
    text
}

fn entry_html(entry: &Entry) -> String {
    let path = bytes(&entry.path, &[], None);
    match &entry.node {
        Node::Dir { .. } => format!("<p><strong>{path}/</strong></p>\n"),
        Node::Fifo => format!("<p><strong>{path}</strong>, a pipe</p>\n"),
        Node::Link { target } => {
            format!(
                "<p><strong>{path}</strong>, a link to <code>{}</code></p>\n",
                bytes(target, &[], None)
            )
        }
        Node::File { contents, .. } => {
            let mut lines = String::new();
            let mut shown = 0;
            for part in &contents.parts {
                let repeated = part.times != 1;
                if repeated {
                    let _ = write!(
                        lines,
                        "<div class=\"times\"><span class=\"o\">{} times:</span>",
                        grouped(part.times)
                    );
                }
                for line in part.bytes.0.split_inclusive(|byte| *byte == b'\n') {
                    shown += 1;
                    if shown <= MAX_LINES {
                        let _ = write!(lines, "<div>{}</div>", bytes(line, &[], None));
                    }
                }
                if repeated {
                    lines.push_str("</div>");
                }
                if shown > MAX_LINES {
                    break;
                }
            }
            if shown > MAX_LINES {
                lines.push_str("<div><i class=\"o\">⋯ the rest is in the JSON ⋯</i></div>");
            }
            let size = grouped(contents.len());
            format!(
                "<p><strong>{path}</strong> <span class=\"o\">{size} bytes</span></p>\n<div class=\"file\">{lines}</div>\n"
            )
        }
    }
}

/// Everything else that is known.
fn facts(report: &Report<'_>, finding: &Finding) -> String {
    let clauses: Vec<String> = finding
        .clauses
        .iter()
        .take(20)
        .map(|clause| format!("<code>{}</code>", html(&cut(clause))))
        .collect();
    let clauses = if clauses.is_empty() { "none".to_owned() } else { clauses.join(" ") };
    let mut facts = vec![
        ("clauses", clauses),
        ("who says so", html(&cut(&finding.oracle))),
        ("found with", html(&cut(&finding.subject))),
        (
            "met",
            format!(
                "{}, first after {} of processor time",
                counted(finding.met, "time"),
                duration(finding.cpu_seconds)
            ),
        ),
    ];
    if let Some(known) = &finding.known {
        facts.push(("known as", html(&cut(known))));
    }
    let mine = |one: &&Finding| {
        one.variant_of.as_ref() == Some(&finding.id) || finding.variant_of.as_ref() == Some(&one.id)
    };
    let related: Vec<String> = (report.findings.iter().enumerate())
        .filter(|(_, one)| mine(one))
        .take(MAX_ENTRIES)
        .map(|(at, one)| format!("<a href=\"#{}\">{}</a>", anchor(at, one), html(&cut(&one.id))))
        .collect();
    if !related.is_empty() {
        let name = if finding.variant_of.is_some() { "variant of" } else { "variants" };
        facts.push((name, related.join(" ")));
    }
    facts.push(("shape", format!("<code>{}</code>", html(&cut(&finding.shape)))));
    facts.push(("id", format!("<code>{}</code>", html(&cut(&finding.id)))));
    let rows: Vec<String> = facts
        .iter()
        .map(|(name, told)| format!("<div><dt>{name}</dt><dd>{told}</dd></div>"))
        .collect();
    let rows = rows.concat();
    format!("<dl class=\"facts\">{rows}</dl>\n")
}

/// The beginning of a text that may be of any length.
pub(super) fn cut(text: &str) -> String {
    cut_to(text, MAX_TEXT / 4)
}

fn cut_to(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((at, _)) => {
            format!("{}… (the rest is in the JSON)", text.get(..at).unwrap_or_default())
        }
        None => text.to_owned(),
    }
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
