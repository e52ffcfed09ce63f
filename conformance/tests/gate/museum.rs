//! The museum and the baselines are true of every release that is installed.

use std::collections::BTreeSet;
use std::env;
use std::fs;

use touchstone::golden;
use touchstone::hunt::baseline::Baselines;
use touchstone::hunt::groups::{Groups, Set};
use touchstone::hunt::museum::replay::replay;
use touchstone::hunt::museum::{self, Exhibit};
use touchstone::hunt::pack_directory::PackDirectory;
use touchstone::hunt::subjects::{Adapters, subject, sweep};
use touchstone::provision::releases::all_installed;
use touchstone_spec::Spec;

/// The releases that `.ci/run` installs: the words behind `backends install` that name one.
fn of_continuous_integration() -> BTreeSet<String> {
    let text = fs::read_to_string(golden::workspace().join(".ci/run")).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once("backends install "));
    let words = lines.flat_map(|(_, words)| words.split_whitespace());
    words.filter(|word| word.contains('@')).map(str::to_owned).collect()
}

fn exhibits() -> Vec<Exhibit> {
    museum::all(&museum::directory()).unwrap()
}

#[test]
fn every_confirmed_bug_shows_exactly_in_its_listed_releases() {
    let exhibits = exhibits();
    let replay = replay(&exhibits, &Adapters::shipped().unwrap()).unwrap();
    eprintln!(
        "{} confirmed bugs, {} answers; {} releases are not installed: {:?}",
        exhibits.len(),
        replay.asked,
        replay.missing.len(),
        replay.missing
    );
    assert!(replay.wrong.is_empty(), "{}", replay.wrong.join("\n"));
}

#[test]
fn in_ci_every_release_to_install_is_installed() {
    if env::var_os("CI").is_none() {
        eprintln!("CI is not set: releases may be missing");
        return;
    }
    let there: BTreeSet<String> =
        all_installed().into_iter().map(|one| format!("{}@{}", one.program, one.version)).collect();
    let missing: Vec<String> = of_continuous_integration().difference(&there).cloned().collect();
    assert!(
        missing.is_empty(),
        "`.ci/run` installs {}, and they are not there",
        missing.join(", ")
    );
}

#[test]
fn every_confirmed_bug_is_in_the_group_of_its_question_with_existing_clauses() {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    let groups = Groups::of(&spec);
    for exhibit in exhibits() {
        let group = groups.group(Set::of(&touchstone::hunt::cluster::features(&exhibit.question)));
        assert_eq!(group, exhibit.group, "{}", exhibit.id);
        assert_eq!(groups.about(group).1, exhibit.clauses, "{}", exhibit.id);
    }
}

#[test]
fn no_command_of_the_museum_contains_a_machine_path() {
    for exhibit in exhibits() {
        let text = exhibit.to_yaml().unwrap();
        for word in ["touchstone/backends", "/tmp/", "/home/", "/root/", "ld-linux"] {
            assert!(!text.contains(word), "{}: `{word}`", exhibit.id);
        }
    }
}

#[test]
fn every_known_divergence_still_fails_in_each_installed_listed_release() {
    let baselines = Baselines::shipped().unwrap();
    let adapters = Adapters::shipped().unwrap();
    let mut packs = PackDirectory::new().unwrap();
    let mut stale = Vec::new();
    let mut asked = 0;
    for baseline in &baselines.programs {
        let adapter = adapters.get(&baseline.program).unwrap();
        for (name, version) in sweep(&adapter, &baseline.program) {
            let mut subject = subject(&name, &adapters).unwrap();
            asked += 1;
            stale.extend(baselines.stale(
                &baseline.program,
                &version,
                subject.searcher.as_mut(),
                &mut packs,
            ));
        }
    }
    eprintln!("{} baselines, {asked} releases asked", baselines.programs.len());
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}

#[test]
fn the_page_on_the_museum_lists_every_exhibit() {
    let page = fs::read_to_string(golden::workspace().join("docs/museum.md")).unwrap();
    for exhibit in exhibits() {
        let row = page.lines().find(|line| line.contains(&format!("| `{}` |", exhibit.id)));
        let row = row.unwrap_or_else(|| panic!("docs/museum.md has no row for `{}`", exhibit.id));
        assert!(row.contains(&exhibit.title), "{}: another title", exhibit.id);
        assert!(
            row.contains(exhibit.releases.bad.first().unwrap()),
            "{}: other releases",
            exhibit.id
        );
    }
}
