//! What is a change, and what is none.

use super::{Changes, FindingChange};
use crate::question::Feature;
use crate::report::class::Class;
use crate::report::{groups, sample};
use crate::results::{Results, Sweep};
use crate::verdict::{Aspect, Verdict};

fn told(old: &Results, new: &Results) -> (bool, String, String) {
    let groups = groups().unwrap();
    let changes = Changes::between(old, new, &groups);
    (changes.is_empty(), changes.text(), changes.markdown())
}

#[test]
fn changed_counts_and_costs_are_not_reported() {
    let old = sample::big();
    let mut new = old.clone();
    new.cost.cases += 9;
    for cell in new.cells.iter_mut().filter(|cell| cell.agree > 0) {
        cell.agree += 1;
    }
    new.findings.iter_mut().for_each(|finding| finding.met += 1);
    let (empty, text, markdown) = told(&old, &new);
    assert!(empty, "{text}");
    assert_eq!(
        (text.as_str(), markdown.as_str()),
        ("nothing changed\n", "### Hunt: nothing changed\n")
    );
}

#[test]
fn a_changed_class_of_a_cell_is_a_change_of_its_group() {
    let old = sample::small();
    let mut new = old.clone();
    new.cells[0].diverge = 1;
    let groups = groups().unwrap();
    let changes = Changes::between(&old, &new, &groups);
    assert_eq!(changes.groups.len(), 1);
    assert_eq!(changes.groups[0].group, Feature::Alternation);
    assert_eq!(
        changes.groups[0].cells,
        [((Class::Agree, Class::Diverge), vec!["ripgrep@13.0.0"])].into()
    );
    assert_eq!(
        changes.text(),
        "alternation (FR-LS-04c, E-E09)\n  agree -> diverge: ripgrep@13.0.0\n"
    );
    assert!(
        changes.markdown().contains("- ✓ agree → ✗ diverge: `ripgrep@13.0.0`"),
        "{}",
        changes.markdown()
    );
}

#[test]
fn a_diff_reports_new_gone_and_otherwise_changed_findings() {
    let old = sample::small();
    let mut new = old.clone();
    new.findings[1] = sample::finding(3);
    let sweep = |version: &str, verdict| Sweep { version: version.to_owned(), verdict };
    new.findings[0].releases = vec![
        sweep("13.0.0", Verdict::Diverge(Aspect::Spans)),
        sweep("14.1.0", Verdict::Agree),
        sweep("15.0.0", Verdict::Broken("x".into())),
    ];
    let (empty, text, markdown) = told(&old, &new);
    assert!(!empty);
    assert!(text.contains("  now wrong in 13.0.0, 15.0.0; now right in 14.1.0: "), "{text}");
    assert!(text.contains("  new, wrong in 14.1.0: ") && text.contains("rg --json"), "{text}");
    assert!(text.contains("empty_match (FR-LS-SRC-01, E-E08)\n  gone: "), "{text}");
    // Groups stand in the order of the specification.
    assert!(text.find("empty_match").unwrap() < text.find("alternation").unwrap());
    assert!(markdown.starts_with("### Hunt: 1 new, 1 gone, 1 otherwise changed\n"), "{markdown}");
}

#[test]
fn a_release_missing_from_a_run_does_not_count_as_right() {
    let old = sample::small();
    let mut new = old.clone();
    new.findings[0].releases.pop();
    assert!(told(&old, &new).0);
    let mut listed = old.clone();
    listed.findings[0].known = Some("entry".to_owned());
    let groups = groups().unwrap();
    let changes = Changes::between(&old, &listed, &groups);
    assert_eq!(changes.groups[0].findings[0].0, FindingChange::Listed { now: true });
    // A known one that is met for the first time is not new.
    let met = Results { findings: Vec::new(), ..listed.clone() };
    let changes = Changes::between(&met, &listed, &groups);
    assert_eq!(changes.groups[0].findings[0].0, FindingChange::Listed { now: true });
}

#[test]
fn added_and_removed_subjects_are_reported_once_and_not_by_cell() {
    let old = sample::small();
    let mut new = old.clone();
    new.seed = 8;
    new.subjects[0].subject = "ripgrep@15.0.0".to_owned();
    for cell in new.cells.iter_mut().filter(|cell| cell.subject == "ripgrep@13.0.0") {
        cell.subject = "ripgrep@15.0.0".to_owned();
    }
    let (empty, text, _) = told(&old, &new);
    assert!(!empty);
    assert_eq!(
        text,
        "asked now: ripgrep@15.0.0\nasked no more: ripgrep@13.0.0\nthe seeds differ: what is gone may only not have been met\n"
    );
}

#[test]
fn hostile_text_in_a_diff_stays_on_one_line_and_the_comment_fits() {
    let new = sample::big();
    let old = Results { findings: Vec::new(), ..new.clone() };
    let (_, text, markdown) = told(&old, &new);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'));
    assert!(markdown.len() < 62_000, "{}", markdown.len());
    // Inside a block of code nothing is markup; such lines follow its fence.
    let mut inside = false;
    let outside = |line: &&str| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    };
    let outside: String = markdown.lines().filter(outside).collect();
    assert!(!outside.contains("<img") && !outside.contains("@someone"), "{outside}");
    assert!(
        outside.contains("@<!-- -->someone") && markdown.contains("# escaped for this comment"),
        "{outside}"
    );
    assert!(markdown.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'));
    assert_eq!(markdown.matches("<details>").count(), markdown.matches("</details>").count());
}
