//! What each release broke and mended against the release before it.
//!
//! Invariants: a release that a finding could not be asked of changes nothing: what comes next is
//! held against the last one that could. Variants are not listed, for their findings are.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::class::{Release, release_order};
use super::finding::link;
use super::page::table;
use super::written::shown;
use super::{Limits, Report};
use crate::results::{Finding, Sweep};

/// Most findings that one cell lists.
const MAX_LISTED: usize = 12;
/// Most rows that are shown before they are asked for.
const MAX_OPEN: usize = 12;

/// A table with a row for each release that has one before it, if there is any.
pub(super) fn render(report: &Report<'_>, limits: &Limits, with_article: usize) -> Markup {
    let pairs = pairs(report);
    let findings = |program: &str, version: &str, what: Release, name: &str| {
        let mut here: Vec<(usize, &&Finding)> = report.findings.iter().enumerate().collect();
        here.retain(|(_, one)| one.program == program && turned(one, version) == Some(what));
        html! { td data-l=(name) data-s=(here.len()) {
            @if here.is_empty() { "–" }
            @for (at, one) in here.iter().take(MAX_LISTED) {
                @let id = html! { @if one.known.is_some() { "◇ " } (shown(&one.id)) };
                div { @if *at < with_article { (link(*at, one, &id)) } @else { (id) } }
            }
            @if here.len() > MAX_LISTED { div { "and " (here.len() - MAX_LISTED) " more" } }
        } }
    };
    let listed = pairs.iter().take(limits.releases).enumerate();
    let rows = html! { @for (at, (program, before, version)) in listed {
        tr {
            td data-l="release" data-s=(at) {
                (shown(program)) " " (shown(version)) " " small { "after " (shown(before)) }
            }
            (findings(program, version, Release::Bad, "broke"))
            (findings(program, version, Release::Good, "mended"))
        }
        "\n"
    } };
    html! { @if !pairs.is_empty() { section.rest #releases { details open[pairs.len() <= MAX_OPEN] {
        summary { "What releases broke and mended " small { (pairs.len()) } }
        (table(None, &["release", "broke", "mended"], &rows))
        @if pairs.len() > limits.releases { p { "and " (pairs.len() - limits.releases) " more" } }
    } } } }
}

/// Program, release before and release, of all that were asked or swept.
fn pairs<'a>(report: &Report<'a>) -> Vec<(&'a str, &'a str, &'a str)> {
    let columns = report.columns.iter().filter(|column| column.version != column.subject);
    let asked = columns.map(|column| (column.program, column.version));
    let swept = report.findings.iter().flat_map(|finding| {
        finding.releases.iter().map(|sweep| (finding.program.as_str(), sweep.version.as_str()))
    });
    let mut programs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (program, version) in asked.chain(swept) {
        programs.entry(program).or_default().push(version);
    }
    let mut pairs = Vec::new();
    for (program, mut versions) in programs {
        versions.sort_by(|a, b| release_order(a, b).then(a.cmp(b)));
        versions.dedup();
        let after = versions.iter().skip(1);
        pairs.extend(versions.iter().zip(after).map(|(before, one)| (program, *before, *one)));
    }
    pairs
}

/// What a release is to a finding, if the last known one before it was something else.
fn turned(finding: &Finding, version: &str) -> Option<Release> {
    let at = finding.releases.iter().position(|sweep| sweep.version == version)?;
    let state = |sweep: &Sweep| Release::of(&sweep.verdict);
    let now = state(finding.releases.get(at)?);
    let mut before = finding.releases.get(..at)?.iter().map(state);
    let before = before.rfind(|state| *state != Release::Unknown)?;
    let is_listed = finding.variant_of.is_none() && now != Release::Unknown && now != before;
    is_listed.then_some(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::verdict::{Aspect, Verdict};

    #[test]
    fn a_release_turns_a_finding_if_the_last_known_one_was_otherwise() {
        let unknown = || Verdict::Unsupported("no".to_owned());
        let wrong = || Verdict::Diverge(Aspect::Spans);
        let mut finding = sample::finding(1);
        let verdicts = [wrong(), Verdict::Agree, unknown(), wrong(), unknown(), wrong()];
        finding.releases = (1..)
            .zip(verdicts)
            .map(|(at, verdict)| Sweep { version: format!("{at}.0"), verdict })
            .collect();
        let told = |finding: &Finding| {
            ["1.0", "2.0", "3.0", "4.0", "5.0", "6.0", "7.0"].map(|one| turned(finding, one))
        };
        let (good, bad) = (Some(Release::Good), Some(Release::Bad));
        assert_eq!(told(&finding), [None, good, None, bad, None, None, None]);
        finding.variant_of = Some("another".to_owned());
        assert_eq!(told(&finding), [None; 7]);
    }

    #[test]
    fn a_row_names_what_its_release_broke_and_mended() {
        let mut results = sample::small();
        results.findings[1].releases.reverse();
        for (sweep, version) in results.findings[1].releases.iter_mut().zip(["13.0.0", "14.1.0"]) {
            sweep.version = version.to_owned();
        }
        let groups = crate::report::groups().unwrap();
        let report = Report::new(&results, &groups);
        let told = render(&report, &Limits::default(), 9).into_string();
        let link = "data-s=\"1\"><div><a href=\"#f-ripgrep-alternation-spans-0000000";
        for part in [
            "ripgrep 14.1.0 <small>after 13.0.0</small>".to_owned(),
            format!("<td data-l=\"broke\" {link}1\">ripgrep-"),
            format!("<td data-l=\"mended\" {link}2\">◇ ripgrep-"),
        ] {
            assert!(told.contains(&part), "{part}: {told}");
        }
        assert_eq!(told.matches("<tr>").count(), 2, "the head and one release: {told}");
        // A case that was left out is no link, and a release left out is counted.
        let told = render(&report, &Limits::default(), 0).into_string();
        assert!(!told.contains("href") && told.contains("alternation-spans-00000001"), "{told}");
        let none = render(&report, &Limits { releases: 0, ..Limits::default() }, 9).into_string();
        assert!(none.contains("and 1 more") && !none.contains("after"), "{none}");
    }
}
