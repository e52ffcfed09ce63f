//! The text of an issue, for the list of the program's maintainers.
//!
//! Invariants: it names the program, its releases and its command alone, so that it can be checked
//! without this project; text of a finding is never markup or a mention.

use std::fmt::Write as _;

use super::Report;
use super::class::{Release, affected};
use super::contrast::{Side, contrast};
use super::markdown::{command, fenced, prose, titled};
use crate::results::Finding;

/// Most variants whose commands are shown.
const MAX_VARIANTS: usize = 5;

impl Report<'_> {
    /// The text on one finding and its variants; `says` is what the manual, or another witness,
    /// has to say.
    pub fn issue(&self, finding: &Finding, says: Option<&str>) -> String {
        let mut text = format!("# {}\n\n{}", titled(&finding.title), command(&finding.command));
        let rows =
            contrast(finding.expected.as_ref(), finding.actual.as_ref(), finding.broken.as_deref());
        for (head, side) in [("Expected", Side::Want), ("Actual", Side::Got)] {
            let lines: String = rows
                .iter()
                .filter(|row| row.side == side || row.side == Side::Both)
                .map(|row| row.plain().get(1..).unwrap_or_default().trim_start().to_owned())
                .collect();
            let lines = if lines.is_empty() { "nothing\n".to_owned() } else { lines };
            let _ = write!(text, "\n{head}:\n\n{}", fenced("text", &lines));
        }
        let right: Vec<&str> = finding
            .releases
            .iter()
            .filter(|sweep| Release::of(&sweep.verdict) == Release::Good)
            .map(|sweep| sweep.version.as_str())
            .collect();
        let _ = write!(text, "\nWrong in {}", prose(&affected(finding)));
        if !right.is_empty() {
            let _ = write!(text, "; right in {}", prose(&right.join(", ")));
        }
        let _ = writeln!(text, ".");
        let rule = self.rows.iter().find(|row| row.group == finding.group);
        let rule = rule.map(|row| row.says).filter(|says| !says.is_empty());
        if let Some(rule) = rule {
            let _ = writeln!(text, "\nThe rule: {}.", prose(rule));
        }
        if let Some(says) = says {
            let _ = writeln!(text, "\n{}.", prose(says.trim_end_matches('.')));
        }
        let variants = self.variants(finding);
        if !variants.is_empty() {
            let _ = writeln!(text, "\nThe same releases are wrong about these, too:\n");
            for variant in variants.iter().take(MAX_VARIANTS) {
                text.push_str(&command(&variant.command));
            }
            if variants.len() > MAX_VARIANTS {
                let _ = writeln!(text, "\n… and {} more.", variants.len() - MAX_VARIANTS);
            }
        }
        text
    }
}
