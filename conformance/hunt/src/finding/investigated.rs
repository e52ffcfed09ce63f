//! What sightings came to, kept as they are looked at.
//!
//! Not here: looking at them ([`super::investigate`]).
//! Invariants: every sighting has one fate; of a finding that is made twice the smaller case stays.

use std::collections::{BTreeMap, BTreeSet};

use crate::merge::add_finding;
use crate::question::Feature;
use crate::results::Finding;
use crate::tally::{Kind, Sighting};
use crate::watch::Watch;

/// What sightings came to.
#[derive(Debug, Default)]
pub struct Investigated {
    /// One for each bug as far as is known, by id.
    pub findings: BTreeMap<String, Finding>,
    /// The subjects and groups in which cases of each finding were drawn.
    pub drawn: BTreeMap<String, BTreeSet<(String, Feature)>>,
    /// Sightings that were not wrong when asked again, in words.
    pub flakes: Vec<String>,
    /// What became of each kind.
    pub fates: BTreeMap<Kind, Fate>,
}

/// What became of the sightings of one kind.
#[derive(Debug, Default)]
pub struct Fate {
    /// The findings they came to, by id.
    pub findings: BTreeSet<String>,
    /// Those for which there was no time.
    pub left: Vec<Sighting>,
    /// Those that were not wrong when asked again.
    pub flaked: Vec<Sighting>,
}

impl Investigated {
    fn fate(&mut self, kind: &Kind) -> &mut Fate {
        self.fates.entry(kind.clone()).or_default()
    }

    /// There is no time for it.
    pub(super) fn leave(&mut self, (kind, sighting): (&Kind, &Sighting)) {
        self.fate(kind).left.push(sighting.clone());
    }

    /// It is not wrong when asked again.
    pub(super) fn flake(&mut self, (kind, sighting): (&Kind, &Sighting), watch: &dyn Watch) {
        watch.looked(None);
        let Sighting { subject, aspect, place: (batch, ask), .. } = sighting;
        let aspect = aspect.name();
        self.flakes.push(format!("{subject} ({aspect}) in batch {batch} ask {ask}"));
        self.fate(kind).flaked.push(sighting.clone());
    }

    /// It has come to a finding.
    pub(super) fn settle(
        &mut self,
        (kind, sighting): (&Kind, &Sighting),
        finding: Finding,
        watch: &dyn Watch,
    ) {
        watch.looked(Some(&finding));
        self.fate(kind).findings.insert(finding.id.clone());
        let drawn = self.drawn.entry(finding.id.clone()).or_default();
        drawn.insert((sighting.subject.clone(), sighting.group));
        drawn.insert((finding.subject.clone(), finding.group));
        add_finding(&mut self.findings, finding);
    }
}
