//! The worst of a cell's verdicts, and which releases a finding is about.
//!
//! Invariants: classes are ordered from nothing to the worst, so that the worst is the greatest.

use crate::results::{Cell, Finding};
use crate::verdict::Verdict;

pub use crate::provision::releases::order as release_order;

/// The worst verdict of a cell. `unsupported` says least where anything else was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Nothing was asked.
    Nothing,
    /// Nothing could be asked.
    Unsupported,
    /// All as it should be.
    Agree,
    /// As the adapter declares.
    Declared,
    /// Wrong as listed.
    Known,
    /// Wrong.
    Diverge,
    /// No answer.
    Broken,
    /// An answer that the adapter cannot read.
    Unreadable,
}

impl Class {
    /// All verdicts, the worst first.
    pub const WORST_FIRST: [Class; 7] = [
        Class::Unreadable,
        Class::Broken,
        Class::Diverge,
        Class::Known,
        Class::Declared,
        Class::Agree,
        Class::Unsupported,
    ];

    /// The class of a cell.
    pub fn of(cell: &Cell) -> Self {
        Self::WORST_FIRST.into_iter().find(|class| class.count(cell) > 0).unwrap_or(Class::Nothing)
    }

    /// How many cases of the cell ended like this.
    pub fn count(self, cell: &Cell) -> u64 {
        match self {
            Class::Nothing => 0,
            Class::Unsupported => cell.unsupported,
            Class::Agree => cell.agree,
            Class::Declared => cell.declared,
            Class::Known => cell.known,
            Class::Diverge => cell.diverge,
            Class::Broken => cell.broken,
            Class::Unreadable => cell.unreadable,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Nothing => "not asked",
            Class::Unsupported => "unsupported",
            Class::Agree => "agree",
            Class::Declared => "declared",
            Class::Known => "known",
            Class::Diverge => "diverge",
            Class::Broken => "broken",
            Class::Unreadable => "unreadable",
        }
    }

    /// The sign that tells it without colour.
    pub fn sign(self) -> char {
        match self {
            Class::Nothing => ' ',
            Class::Unsupported => '–',
            Class::Agree => '✓',
            Class::Declared => '≈',
            Class::Known => '◇',
            Class::Diverge => '✗',
            Class::Broken => '!',
            Class::Unreadable => '?',
        }
    }

    /// Whether somebody has to look at it.
    pub fn is_wrong(self) -> bool {
        self >= Class::Diverge
    }
}

/// What a release is to a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// Right there.
    Good,
    /// Wrong there.
    Bad,
    /// Unknown.
    Unknown,
}

impl Release {
    /// What a verdict makes of a release.
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Agree | Verdict::Declared(_) => Release::Good,
            Verdict::Unsupported(_) => Release::Unknown,
            _ => Release::Bad,
        }
    }
}

/// The releases that a finding is wrong in, in their order.
pub fn bad_releases(finding: &Finding) -> Vec<&str> {
    let bad = finding.releases.iter().filter(|sweep| Release::of(&sweep.verdict) == Release::Bad);
    bad.map(|sweep| sweep.version.as_str()).collect()
}

/// The releases that a finding is wrong in as a phrase: runs of releases, and what was right
/// between them.
pub fn affected(finding: &Finding) -> String {
    let mut runs: Vec<(&str, &str)> = Vec::new();
    let mut open = false;
    for sweep in &finding.releases {
        match Release::of(&sweep.verdict) {
            Release::Good => open = false,
            Release::Unknown => {}
            Release::Bad => {
                match runs.last_mut().filter(|_| open) {
                    Some(run) => run.1 = &sweep.version,
                    None => runs.push((&sweep.version, &sweep.version)),
                }
                open = true;
            }
        }
    }
    if runs.is_empty() {
        return if finding.releases.is_empty() {
            version_of(&finding.subject).to_owned()
        } else {
            "none now".to_owned()
        };
    }
    let told: Vec<String> = runs
        .iter()
        .map(
            |(first, last)| {
                if first == last { (*first).to_owned() } else { format!("{first} to {last}") }
            },
        )
        .collect();
    told.join(", ")
}

/// The release of a `NAME@VERSION`, or all of it where there is none.
pub fn version_of(subject: &str) -> &str {
    subject.rsplit_once('@').map_or(subject, |(_, version)| version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::results::Sweep;
    use crate::verdict::Aspect;

    #[test]
    fn the_class_of_a_cell_is_its_worst_verdict() {
        let mut cell = sample::cell("rg@1", crate::question::Feature::Word);
        assert_eq!(Class::of(&cell), Class::Nothing);
        cell.unsupported = 4;
        assert_eq!(Class::of(&cell), Class::Unsupported);
        cell.agree = 1;
        assert_eq!(Class::of(&cell), Class::Agree);
        cell.diverge = 1;
        assert_eq!(Class::of(&cell), Class::Diverge);
        cell.broken = 1;
        assert_eq!(Class::of(&cell), Class::Broken);
        assert!(Class::Broken.is_wrong() && !Class::Known.is_wrong());
    }

    #[test]
    fn a_bug_that_broke_twice_is_reported_as_two_runs_of_releases() {
        let mut finding = sample::finding(1);
        let sweep = |version: &str, verdict| Sweep { version: version.to_owned(), verdict };
        finding.releases = vec![
            sweep("12.1.1", Verdict::Diverge(Aspect::Lines)),
            sweep("13.0.0", Verdict::Agree),
            sweep("14.0.0", Verdict::Diverge(Aspect::Lines)),
            sweep("14.1.0", Verdict::Unsupported("no".to_owned())),
            sweep("15.0.0", Verdict::Broken("killed".to_owned())),
        ];
        assert_eq!(affected(&finding), "12.1.1, 14.0.0 to 15.0.0");
        finding.releases.truncate(2);
        finding.releases.remove(0);
        assert_eq!(affected(&finding), "none now");
        finding.releases.clear();
        finding.subject = "ripgrep@15.1.0".to_owned();
        assert_eq!(affected(&finding), "15.1.0");
    }
}
