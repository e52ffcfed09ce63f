//! A whole hunt of the service's own matcher: right, and the same however it is shared out.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

use std::collections::BTreeSet;
use std::env;

use touchstone::golden;
use touchstone::hunt::baseline::Baselines;
use touchstone::hunt::campaign::{Campaign, Length, Plan, campaign};
use touchstone::hunt::draw::Theme;
use touchstone::hunt::groups::Groups;
use touchstone::hunt::merge::merge;
use touchstone::hunt::results::{Cost, Results};
use touchstone::hunt::subjects::{Adapters, subject};
use touchstone::hunt::verdict::{Aspect, Verdict};
use touchstone_spec::Spec;

fn plan(batches: u64) -> Plan {
    Plan {
        subjects: vec!["native".to_owned()],
        seed: 5,
        shard: (0, 1),
        length: Length::Batches(batches),
        theme: Theme::Listed,
        jobs: 1,
        asks: 200,
    }
}

fn hunt(plan: &Plan) -> Campaign {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    let ended =
        campaign(plan, &Adapters::shipped().unwrap(), &Groups::of(&spec), &Baselines::shipped().unwrap());
    ended.unwrap_or_else(|error| panic!("{error}"))
}

/// What does not depend on the machine.
fn timeless(results: Results) -> Results {
    let cost = Cost { seconds: 0.0, cpu_seconds: 0.0, ..results.cost };
    Results { cost, ..results }
}

#[test]
fn the_services_matcher_agrees_with_the_model_on_what_it_can_be_asked() {
    let ended = hunt(&plan(40));
    assert!(ended.is_fine(), "{:?} {:?}", ended.results.findings, ended.troubles);
    let agree: u64 = ended.results.cells.iter().map(|cell| cell.agree).sum();
    assert!(agree > 10_000, "{agree} cases agree");
    let groups: BTreeSet<&str> =
        ended.results.cells.iter().filter(|cell| cell.agree > 0).map(|cell| cell.group.name()).collect();
    for group in ["word", "insensitive", "max_count", "before", "bom", "cr", "empty_match", "alternation"] {
        assert!(groups.contains(group), "no case of `{group}` in {groups:?}");
    }
    assert!(ended.results.relations.values().map(|tried| tried.tried).sum::<u64>() > 100);
}

/// What the hunt can do is shown by its doing it again: nothing here says what is wrong with that release, nor where.
#[test]
fn a_wrong_answer_of_a_release_is_found_blind_and_made_small() {
    let name = "ripgrep@14.1.0";
    let adapters = Adapters::shipped().unwrap();
    if let Err(error) = subject(name, &adapters) {
        assert!(env::var_os("CI").is_none(), "{error}");
        eprintln!("not hunted: {error}");
        return;
    }
    let ended = hunt(&Plan { subjects: vec![name.to_owned()], seed: 71, asks: 1000, ..plan(10) });
    let found = ended.results.findings.iter().find(|finding| finding.aspect == Aspect::Files).unwrap();
    let size: usize = found.question.tree.files().map(|(_, bytes)| bytes.len()).sum();
    assert!(found.question.tree.tree.len() == 1 && size <= 16, "{:?}", found.question);
    let at = found.releases.iter().find(|one| one.version == "14.1.0").unwrap();
    assert_eq!(at.verdict, Verdict::Diverge(Aspect::Files));
    assert!(found.command.starts_with("printf ") && found.command.contains("&& rg "), "{}", found.command);
}

#[test]
fn threads_do_not_change_what_is_found() {
    let one = timeless(hunt(&plan(24)).results);
    let three = timeless(hunt(&Plan { jobs: 3, ..plan(24) }).results);
    assert_eq!(one, three);
}

#[test]
fn shards_added_up_are_the_whole() {
    let whole = timeless(hunt(&plan(24)).results);
    // Of two shards each takes every other batch, so half as many.
    let shards = [1, 0].map(|residue| hunt(&Plan { shard: (residue, 2), ..plan(12) }).results);
    let merged = timeless(merge(shards.to_vec(), false).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(merged.cells, whole.cells);
    assert_eq!(merged.features, whole.features);
    assert_eq!(merged.relations, whole.relations);
    assert_eq!(merged.cost, whole.cost);
}

#[test]
fn too_many_and_no_subjects_are_refused() {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    for count in [0, 65] {
        let plan = Plan { subjects: vec!["native".to_owned(); count], ..plan(1) };
        let refused = campaign(
            &plan,
            &Adapters::shipped().unwrap(),
            &Groups::of(&spec),
            &Baselines::shipped().unwrap(),
        );
        assert!(refused.unwrap_err().contains("1 to 64"));
    }
}
