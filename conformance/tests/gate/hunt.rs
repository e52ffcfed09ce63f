//! A whole hunt of the service's own matcher: right, and the same however it is shared out.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use touchstone::golden;
use touchstone::hunt::baseline::Baselines;
use touchstone::hunt::campaign::{Campaign, Length, Plan, campaign};
use touchstone::hunt::draw::Theme;
use touchstone::hunt::groups::Groups;
use touchstone::hunt::merge::merge;
use touchstone::hunt::results::{Cost, Results};
use touchstone::hunt::subjects::{Adapters, subject};
use touchstone::hunt::verdict::{Aspect, Verdict};
use touchstone::hunt::watch::{Nobody, Watch};
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
    hunt_knowing(plan, &Baselines::shipped().unwrap())
}

fn hunt_knowing(plan: &Plan, baselines: &Baselines) -> Campaign {
    hunt_watched(plan, baselines, &Nobody)
}

fn hunt_watched(plan: &Plan, baselines: &Baselines, watch: &dyn Watch) -> Campaign {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    let adapters = Adapters::shipped().unwrap();
    let ended = campaign(plan, &adapters, &Groups::of(&spec), baselines, watch);
    ended.unwrap_or_else(|error| panic!("{error}"))
}

/// What does not depend on the machine.
fn timeless(results: Results) -> Results {
    let cost = Cost { seconds: 0.0, cpu_seconds: 0.0, ..results.cost };
    Results { cost, ..results }
}

#[test]
fn the_native_matcher_agrees_with_the_model_on_every_supported_question() {
    let ended = hunt(&plan(60));
    assert!(ended.is_fine(), "{:?} {:?}", ended.results.findings, ended.results.troubles);
    let agree: u64 = ended.results.cells.iter().map(|cell| cell.agree).sum();
    assert!(agree > 10_000, "{agree} cases agree");
    let groups: BTreeSet<&str> = ended
        .results
        .cells
        .iter()
        .filter(|cell| cell.agree > 0)
        .map(|cell| cell.group.name())
        .collect();
    for group in
        ["word", "insensitive", "max_count", "before", "bom", "cr", "empty_match", "alternation"]
    {
        assert!(groups.contains(group), "no case of `{group}` in {groups:?}");
    }
    assert!(ended.results.relations.values().map(|tried| tried.tried).sum::<u64>() > 100);
}

/// Ends a hunt when everything was asked.
#[derive(Default)]
struct EndsAfterAsking(AtomicBool);

impl Watch for EndsAfterAsking {
    fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn settle(&self, _sightings: usize) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_hunt_ended_before_known_bugs_were_asked_for_is_interrupted() {
    let baselines = Baselines::shipped().unwrap();
    let ended = hunt_watched(&plan(2), &baselines, &EndsAfterAsking::default());
    assert!(ended.results.left.is_empty() && ended.results.owed.is_empty());
    assert!(ended.results.interrupted && !ended.is_fine());
}

/// What the hunt can do is shown by its doing it again: nothing here says what is wrong with that
/// release, nor where.
#[test]
fn a_wrong_answer_of_a_release_is_found_and_shrunk_without_hints() {
    let name = "ripgrep@14.1.0";
    let adapters = Adapters::shipped().unwrap();
    if let Err(error) = subject(name, &adapters) {
        assert!(env::var_os("CI").is_none(), "{error}");
        eprintln!("not hunted: {error}");
        return;
    }
    let plan = Plan { subjects: vec![name.to_owned()], seed: 72, asks: 1000, ..plan(60) };
    let ended = hunt_knowing(&plan, &Baselines::default());
    let found =
        ended.results.findings.iter().find(|finding| finding.aspect == Aspect::Files).unwrap();
    let size: usize = found.question.tree.files().map(|(_, bytes)| bytes.len()).sum();
    assert!(found.question.tree.tree.len() == 1 && size <= 16, "{:?}", found.question);
    let at = found.releases.iter().find(|one| one.version == "14.1.0").unwrap();
    assert_eq!(at.verdict, Verdict::Diverge(Aspect::Files));
    assert!(
        found.command.starts_with("printf ") && found.command.contains("&& rg "),
        "{}",
        found.command
    );
}

#[test]
fn the_number_of_threads_does_not_change_the_findings() {
    let one = timeless(hunt(&plan(24)).results);
    let three = timeless(hunt(&Plan { jobs: 3, ..plan(24) }).results);
    assert_eq!(one, three);
}

#[test]
fn merged_shards_equal_the_whole_hunt() {
    let whole = timeless(hunt(&plan(24)).results);
    // Of two shards each takes every other batch, so half as many.
    let shards = [1, 0].map(|residue| hunt(&Plan { shard: (residue, 2), ..plan(12) }).results);
    let merged = timeless(merge(shards.to_vec(), false).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(merged.cells, whole.cells);
    assert_eq!(merged.features, whole.features);
    assert_eq!(merged.relations, whole.relations);
    assert_eq!(merged.cost, whole.cost);
}

/// A hunt as a process of its own, of one batch.
fn start(subject: &Path) -> Child {
    let arguments = ["hunt", "--theme", "listed", "--batches", "1", "--jobs", "1", "--subject"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
    command.current_dir(golden::workspace()).args(arguments).arg(subject);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The scratch directory of a hunt that asks a program which says where it is asked, and answers
/// when `place` is gone.
fn hunt_that_stays(place: &Path) -> (Child, PathBuf) {
    let (adapter, been) = (place.join("stays.yaml"), place.join("been"));
    let script = format!(
        "pwd > {0}/new; mv {0}/new {0}/been; while [ -d {0} ]; do sleep 0.1; done",
        place.display()
    );
    // Its options are those of the fake.
    let mut text = fs::read_to_string(golden::workspace().join("golden/hunt/fake.yaml")).unwrap();
    for (of_fake, own) in [
        ("command: [touchstone, fake, none, --]", format!("command: [sh, -c, '{script}', sh]")),
        ("args: [--version]", "args: [-c, echo fake 1.0.0]".to_owned()),
    ] {
        assert!(text.contains(of_fake), "{of_fake}");
        text = text.replace(of_fake, &own);
    }
    fs::write(&adapter, text).unwrap();
    let mut hunt = start(&adapter);
    let until = Instant::now() + Duration::from_secs(60);
    while !been.exists() {
        assert!(hunt.try_wait().unwrap().is_none(), "the hunt ended before it asked anything");
        assert!(Instant::now() < until, "nothing is asked");
        thread::park_timeout(Duration::from_millis(5));
    }
    let asked_in = PathBuf::from(fs::read_to_string(&been).unwrap().trim());
    let is_scratch = |part: &&Path| {
        part.file_name().is_some_and(|name| name.to_string_lossy().starts_with("touchstone-hunt-"))
    };
    let scratch = asked_in.ancestors().find(is_scratch).unwrap().to_owned();
    (hunt, scratch)
}

#[test]
fn leftovers_of_a_killed_hunt_are_removed_and_those_in_use_are_not() {
    let place = tempfile::tempdir().unwrap();
    let (mut hunt, scratch) = hunt_that_stays(place.path());
    let next = || assert!(start(Path::new("native")).wait().unwrap().success());
    next();
    assert!(scratch.is_dir(), "another one took it from a hunt that is under way");
    hunt.kill().unwrap();
    hunt.wait().unwrap();
    next();
    assert!(!scratch.exists(), "the next one left it there");
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
            &Nobody,
        );
        assert!(refused.unwrap_err().contains("1 to 64"));
    }
}
