//! Results as a comment on a pull request.
//!
//! Responsible for: sums, new findings first, a small table, the rest folded away; and quoting text
//! in Markdown for
//! [`crate::diff`] too.
//! Invariants: a comment is never longer than a hosting service takes; text of a finding is never
//! markup, a mention, or the
//! end of a block; what is left out is counted.

use std::fmt::Write as _;

use touchstone_cases::case::escape;

use super::class::{Class, affected};
use super::contrast::{Row, contrast};
use super::finding::options;
use super::written::{cut, duration, grouped, is_shown_as_it_is};
use super::{Report, cases, trend};
use crate::outcome::State;
use crate::results::Finding;

/// Longest comment, in bytes; hosting services take 65,536 characters.
const MAX_BYTES: usize = 60_000;
/// Most findings listed by title, of new and of known ones each.
const MAX_LISTED: usize = 100;

/// The comment.
pub(super) fn render(report: &Report<'_>) -> String {
    let fresh: Vec<&Finding> = report.findings.iter().copied().filter(|one| one.is_new()).collect();
    let known: Vec<&Finding> =
        report.findings.iter().copied().filter(|one| one.known.is_some()).collect();
    let cost = report.results.cost;
    let mut text = format!(
        "### Hunt: {}\n\n{}{} cases, {} releases of {} programs, {} of processor time, seed {}.\n\n",
        report.results.outcome().says,
        could_not(report),
        grouped(cases(report.results)),
        report.columns.len(),
        report.programs().len(),
        duration(cost.cpu_seconds),
        report.results.seed,
    );
    text.push_str(&trend::markdown(report));
    let mut without = 0;
    for finding in &fresh {
        let told = details(report, finding);
        // The table and the list of known findings need room too.
        if text.len() + told.len() > MAX_BYTES * 3 / 4 {
            without += 1;
        } else {
            text.push_str(&told);
        }
    }
    if without > 0 {
        let _ =
            writeln!(text, "… and {without} more new findings, for the size of this comment.\n");
    }
    text.push_str(&table(report));
    text.push_str(&unexplained(report));
    if !known.is_empty() {
        let _ = write!(text, "\n<details><summary>{} known</summary>\n\n", known.len());
        let mut listed = 0;
        for finding in known.iter().take(MAX_LISTED) {
            let line = format!(
                "- {}: {}, wrong in {}\n",
                code(&finding.id),
                titled(&cut(&finding.title)),
                prose(&affected(finding))
            );
            if text.len() + line.len() > MAX_BYTES {
                break;
            }
            text.push_str(&line);
            listed += 1;
        }
        if listed < known.len() {
            let _ = writeln!(text, "- … and {} more", known.len() - listed);
        }
        text.push_str("\n</details>\n");
    }
    text
}

/// Why it could not run.
fn could_not(report: &Report<'_>) -> String {
    match report.results.state() {
        State::CouldNot(why) => format!("**It could not run:** {}.\n\n", prose(&cut(&why))),
        _ => String::new(),
    }
}

/// The places with wrong answers that nothing explains.
fn unexplained(report: &Report<'_>) -> String {
    let places = report.results.unexplained();
    let mut text = String::new();
    for one in places.iter().take(MAX_LISTED) {
        let _ = writeln!(
            text,
            "- unexplained: {} of {}, group `{}`, says {}",
            grouped(one.cases),
            code(&cut(one.subject)),
            one.group.name(),
            prose(&cut(one.oracle))
        );
    }
    if places.len() > MAX_LISTED {
        let _ = writeln!(text, "- … and {} more places", places.len() - MAX_LISTED);
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// A finding, folded.
fn details(report: &Report<'_>, finding: &Finding) -> String {
    let mut text = format!(
        "<details><summary><b>{}</b> {}</summary>\n\n",
        if finding.broken.is_some() { "!" } else { "✗" },
        summary(&cut(&finding.title))
    );
    let _ = writeln!(
        text,
        "Wrong in {}. Group `{}`, aspect `{}`.",
        prose(&affected(finding)),
        finding.group.name(),
        finding.aspect.name()
    );
    if !finding.clauses.is_empty() {
        let clauses: Vec<String> =
            finding.clauses.iter().take(20).map(|clause| code(clause)).collect();
        let _ = writeln!(text, "Clauses: {}.", clauses.join(", "));
    }
    let variants: Vec<String> =
        report.variants(finding).iter().take(20).map(|one| code(&cut(&one.id))).collect();
    if !variants.is_empty() {
        let _ = writeln!(text, "Variants: {}.", variants.join(", "));
    }
    let patterns: Vec<String> = finding
        .question
        .ask
        .patterns
        .iter()
        .take(8)
        .map(|pattern| code(&escape(pattern.as_bytes()).replace("\\\\", "\\")))
        .collect();
    let options: Vec<String> =
        options(&finding.question.ask).iter().map(|option| code(option)).collect();
    let _ = writeln!(text, "Asked: {}.\n", [patterns, options].concat().join(", "));
    text.push_str(&command(&cut(&finding.command)));
    let rows =
        contrast(finding.expected.as_ref(), finding.actual.as_ref(), finding.broken.as_deref());
    let rows: String = rows.iter().take(40).map(Row::plain).collect();
    let _ = write!(text, "\n`-` expected, `+` came:\n\n{}\n</details>\n\n", fenced("diff", &rows));
    text
}

/// A line per subject; of many only those where something is wrong.
fn table(report: &Report<'_>) -> String {
    let mut text = String::from(
        "| | agree | declared | known | diverge | unsupported | broken | unreadable |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut left_out = 0;
    for (at, column) in report.columns.iter().enumerate() {
        let tally = report.total(at);
        if report.columns.len() > 12 && !tally.class().is_wrong() || at >= 100 {
            left_out += 1;
            continue;
        }
        let _ = write!(
            text,
            "| {}",
            code(&column.subject.chars().take(80).collect::<String>()).replace('|', "\\|")
        );
        for class in [
            Class::Agree,
            Class::Declared,
            Class::Known,
            Class::Diverge,
            Class::Unsupported,
            Class::Broken,
            Class::Unreadable,
        ] {
            let count = tally.of(class);
            let bold = if class.is_wrong() && count > 0 { "**" } else { "" };
            let _ = write!(text, " | {bold}{}{bold}", grouped(count));
        }
        text.push_str(" |\n");
    }
    if left_out > 0 {
        let _ = writeln!(text, "\n{left_out} more releases are not in this table.");
    }
    text
}

/// Text between other words: nothing in it is markup or a mention, and it is one line.
pub fn prose(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in escape(text.as_bytes()).chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            // A mention or a reference to an issue is one only if a name or a number follows at
            // once.
            '@' | '#' => {
                safe.push(character);
                safe.push_str("<!-- -->");
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => {
                safe.push('\\');
                safe.push(character);
            }
            plain => safe.push(plain),
        }
    }
    safe
}

/// A title between other words: what stands between backticks is code, if they come in pairs.
pub fn titled(text: &str) -> String {
    pairs(text, prose, code)
}

/// A title inside an element, where Markdown is not read.
pub fn summary(text: &str) -> String {
    let plain = |part: &str| {
        let mut safe = String::new();
        for character in escape(part.as_bytes()).replace("\\\\", "\\").chars() {
            match character {
                '<' => safe.push_str("&lt;"),
                '>' => safe.push_str("&gt;"),
                '&' => safe.push_str("&amp;"),
                '@' | '#' => {
                    safe.push(character);
                    safe.push_str("<!-- -->");
                }
                plain => safe.push(plain),
            }
        }
        safe
    };
    pairs(text, plain, |part| format!("<code>{}</code>", plain(part)))
}

/// Text with every second part between backticks made by `code`; all by `plain` if the last
/// backtick is alone.
fn pairs(text: &str, plain: impl Fn(&str) -> String, code: impl Fn(&str) -> String) -> String {
    if text.matches('`').count() % 2 == 1 {
        return plain(text);
    }
    let parts = text.split('`').enumerate();
    let made = parts.map(|(at, part)| match (at % 2, part) {
        (0, part) => plain(part),
        (_, "") => "the empty one".to_owned(),
        (_, part) => code(&escape(part.as_bytes()).replace("\\\\", "\\")),
    });
    made.collect::<Vec<_>>().concat()
}

/// Text as code inside a line.
pub fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text as a block of code that nothing in the text can end.
pub(super) fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}

/// A command as a block; characters that hide are escaped, and then it says so.
pub fn command(text: &str) -> String {
    if is_shown_as_it_is(text) {
        return fenced("sh", text);
    }
    let shown: Vec<String> = text.split('\n').map(|line| escape(line.as_bytes())).collect();
    fenced(
        "sh",
        &format!(
            "# escaped for this comment; the JSON has the command itself\n{}",
            shown.join("\n")
        ),
    )
}

/// The most backticks in a row.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_markdown_is_neither_markup_nor_a_mention() {
        assert_eq!(prose("a<b> @me #1 *x*\n"), "a&lt;b&gt; @<!-- -->me #<!-- -->1 \\*x\\*\\\\n");
        assert_eq!(titled("x*: `a*b`, ``"), "x\\*: `a*b`, the empty one");
        assert_eq!(summary("x*: `a<b\\w`"), "x*: <code>a&lt;b\\w</code>");
        assert_eq!(summary("one ` @me"), "one ` @<!-- -->me");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced("sh", "a\n````\nb"), "`````sh\na\n````\nb\n`````\n");
    }
}
