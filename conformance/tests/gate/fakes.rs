//! The hunt finds every kind of bug of the fake and classifies it (`golden/hunt/fakes.yaml`);
//! without a bug nothing is found.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Deserialize;
use touchstone::case::Node;
use touchstone::golden;
use touchstone::hunt::answer::Answer;
use touchstone::hunt::command::{CommandSearcher, Limits};
use touchstone::hunt::cost::cpu_seconds;
use touchstone::hunt::draw::{Batch, Theme};
use touchstone::hunt::fake::kind::Kind;
use touchstone::hunt::groups::Groups;
use touchstone::hunt::judge::judge;
use touchstone::hunt::pack_directory::PackDirectory;
use touchstone::hunt::protocol::ProtocolSearcher;
use touchstone::hunt::question::{Ask, Pack, Question};
use touchstone::hunt::results::Cell;
use touchstone::hunt::run::{Options, Until, hunt};
use touchstone::hunt::searcher::{PlacedPack, Searcher};
use touchstone::hunt::shrink::{Measure, shrink};
use touchstone::hunt::subjects::read;
use touchstone::hunt::tally::Tally;
use touchstone::hunt::verdict::{Aspect, NoAnswer, Verdict};
use touchstone::hunt::watch::Nobody;
use touchstone_spec::Spec;
use touchstone_spec::adapter::{Adapter, Drive};

/// What batches are drawn from.
const SEED: u64 = 1;

/// Batches after which a bug counts as not found.
const MOST_BATCHES: u64 = 150;

/// Processor seconds that finding one bug may take.
const MOST_SECONDS: f64 = 60.0;

/// One row of the table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: String,
    /// The aspects it may differ in.
    #[serde(default)]
    diverge: BTreeSet<Aspect>,
    /// The expected text of a program that broke.
    broken: Option<String>,
    #[serde(default)]
    theme: Themed,
    #[serde(default)]
    drive: Driven,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Themed {
    #[default]
    Listed,
    Walks,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Driven {
    #[default]
    Command,
    Protocol,
}

fn table() -> Vec<Row> {
    let text = std::fs::read_to_string(golden::workspace().join("golden/hunt/fakes.yaml")).unwrap();
    serde_yaml::from_str(&text).expect("the table of the kinds is read")
}

/// A searcher that notes why there was no answer.
struct Noting {
    inner: Box<dyn Searcher>,
    reasons: Arc<Mutex<BTreeSet<String>>>,
}

impl Searcher for Noting {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn adapter(&self) -> &Adapter {
        self.inner.adapter()
    }

    fn ask(&mut self, placed: PlacedPack<'_>, ask: &Ask) -> Result<Answer, NoAnswer> {
        let answered = self.inner.ask(placed, ask);
        if let Err(reason) = &answered
            && !matches!(reason, NoAnswer::Unsupported(_))
        {
            self.reasons.lock().unwrap().insert(reason.to_string());
        }
        answered
    }

    fn shell(&self, placed: PlacedPack<'_>, ask: &Ask) -> Option<String> {
        self.inner.shell(placed, ask)
    }
}

fn adapter(kind: &str, drive: Driven) -> Arc<Adapter> {
    let file = if drive == Driven::Protocol { "fake-protocol.yaml" } else { "fake.yaml" };
    let mut adapter = read(&golden::workspace().join("golden/hunt").join(file))
        .expect("the fake's adapter is read");
    for word in adapter.command.iter_mut().filter(|word| *word == "none") {
        kind.clone_into(word);
    }
    Arc::new(adapter)
}

fn searcher(adapter: Arc<Adapter>, deadline: Duration) -> Box<dyn Searcher> {
    let name = adapter.name.clone();
    let program = vec![OsString::from(env!("CARGO_BIN_EXE_touchstone"))];
    let limits = Limits { deadline, ..Limits::default() };
    match adapter.drive {
        Drive::Protocol => Box::new(ProtocolSearcher::new(adapter, name, program, limits)),
        _ => Box::new(CommandSearcher::new(adapter, name, program, limits)),
    }
}

fn fake(kind: &str, drive: Driven) -> Box<dyn Searcher> {
    // One that hangs is waited for; the others may take their time on a busy machine.
    let deadline = Duration::from_secs(if kind == "hangs" { 1 } else { 30 });
    searcher(adapter(kind, drive), deadline)
}

fn groups() -> Groups {
    Groups::of(&Spec::load(&golden::workspace().join("spec")).unwrap())
}

/// One batch, and why there were no answers in it.
fn batch(row: &Row, number: u64, groups: &Groups) -> (Tally, BTreeSet<String>) {
    let theme = if row.theme == Themed::Walks { Theme::Walks } else { Theme::Listed };
    let (until, spare) = (Until::Batches(1), Vec::new());
    let options = Options { seed: SEED, shard: (number, 1), until, theme, jobs: 1, spare };
    let reasons = Arc::new(Mutex::new(BTreeSet::new()));
    let noted = Arc::clone(&reasons);
    let open = move || -> Result<Vec<Box<dyn Searcher>>, String> {
        Ok(vec![Box::new(Noting {
            inner: fake(&row.kind, row.drive),
            reasons: Arc::clone(&noted),
        })])
    };
    let tally = hunt(&options, groups, &open, &Nobody).unwrap();
    let reasons = reasons.lock().unwrap().clone();
    (tally, reasons)
}

/// Hunts until the bug shows, and holds the verdict against the table; what is wrong with it.
fn found(row: &Row, groups: &Groups) -> Result<(), String> {
    let kind = &row.kind;
    let start = cpu_seconds();
    for number in 0..MOST_BATCHES {
        let (diverge, broken, aspects, reasons) = if row.theme == Themed::Walks {
            walks(row, number)
        } else {
            let (tally, reasons) = batch(row, number, groups);
            let sum = |of: fn(&Cell) -> u64| tally.cells.values().map(of).sum::<u64>();
            let aspects = tally
                .sightings
                .values()
                .flatten()
                .filter(|one| one.oracle == "model")
                .map(|one| one.aspect);
            (
                sum(|cell| cell.diverge),
                sum(|cell| cell.broken + cell.unreadable),
                aspects.collect(),
                reasons,
            )
        };
        if diverge + broken == 0 {
            continue;
        }
        let seconds = cpu_seconds() - start;
        println!("{kind}: batch {number}, {seconds:.2} s, {aspects:?} {reasons:?}");
        let right = match &row.broken {
            Some(why) => diverge == 0 && reasons.iter().all(|reason| reason.contains(why)),
            None => broken == 0 && aspects.is_subset(&row.diverge),
        };
        return match right {
            true if seconds < MOST_SECONDS => Ok(()),
            true => Err(format!("{kind} took {seconds} s")),
            false => Err(format!("{kind} is taken for {aspects:?}, {reasons:?}")),
        };
    }
    Err(format!("{kind} is not found in {MOST_BATCHES} batches"))
}

/// Walks of trees without ignore files and links, which the fake does not support.
fn walks(row: &Row, number: u64) -> (u64, u64, BTreeSet<Aspect>, BTreeSet<String>) {
    let (mut diverge, mut broken) = (0, 0);
    let (mut aspects, mut reasons) = (BTreeSet::new(), BTreeSet::new());
    let drawn = Batch::draw(SEED, number, Theme::Walks);
    let mut searcher = fake(&row.kind, row.drive);
    let mut packs = PackDirectory::new().unwrap();
    let known = |path: &[u8]| {
        !path.split(|byte| *byte == b'/').any(|name| name == b".git" || name.ends_with(b"ignore"))
    };
    let tree: Vec<_> = drawn
        .pack
        .tree
        .into_iter()
        .filter(|entry| known(&entry.path) && matches!(entry.node, Node::File { .. }))
        .collect();
    for ask in drawn.asks {
        let question = Question { tree: Pack { tree: tree.clone() }, ask };
        match judge(searcher.as_mut(), &mut packs, &question).unwrap().verdict {
            Verdict::Diverge(aspect) => {
                diverge += 1;
                aspects.insert(aspect);
            }
            Verdict::Broken(reason) | Verdict::Unreadable(reason) => {
                broken += 1;
                reasons.insert(reason);
            }
            _ => {}
        }
    }
    (diverge, broken, aspects, reasons)
}

/// A part of the table: what is found takes a second or two each.
fn every(part: usize, parts: usize) {
    let groups = groups();
    let table = table();
    let wrong: Vec<String> = table
        .iter()
        .skip(part)
        .step_by(parts)
        .filter_map(|row| found(row, &groups).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_hunt_gives_each_fake_bug_its_verdict_in_rows_0_mod_4() {
    every(0, 4);
}

#[test]
fn the_hunt_gives_each_fake_bug_its_verdict_in_rows_1_mod_4() {
    every(1, 4);
}

#[test]
fn the_hunt_gives_each_fake_bug_its_verdict_in_rows_2_mod_4() {
    every(2, 4);
}

#[test]
fn the_hunt_gives_each_fake_bug_its_verdict_in_rows_3_mod_4() {
    every(3, 4);
}

#[test]
fn the_fakes_table_lists_every_kind_of_fake_bug_once() {
    let mut kinds: Vec<String> = table().into_iter().map(|row| row.kind).collect();
    kinds.push("none".to_owned());
    kinds.sort();
    let mut names: Vec<&str> = Kind::names().to_vec();
    names.sort_unstable();
    assert_eq!(kinds, names);
    assert!(
        table().iter().all(|row| row.broken.is_some() == row.diverge.is_empty()),
        "one verdict a kind"
    );
}

#[test]
fn without_a_bug_nothing_is_found() {
    let groups = groups();
    for drive in [Driven::Command, Driven::Protocol] {
        let row = Row {
            kind: "none".to_owned(),
            diverge: BTreeSet::new(),
            broken: None,
            theme: Themed::Listed,
            drive,
        };
        let mut agree = 0;
        for number in 0..40 {
            let (tally, reasons) = batch(&row, number, &groups);
            assert_eq!(reasons, BTreeSet::new(), "{drive:?}, batch {number}");
            let first = tally.sightings.values().flatten().next();
            let told =
                first.map(|one| (one.oracle.clone(), one.aspect, small(&row, &one.question)));
            assert!(first.is_none(), "{drive:?}, batch {number}: {told:?}");
            agree += tally.cells.values().map(|cell| cell.agree).sum::<u64>();
        }
        assert!(agree > 10_000, "{agree} cases by {drive:?}");
    }
    for number in 0..40 {
        let row = Row {
            kind: "none".to_owned(),
            diverge: BTreeSet::new(),
            broken: None,
            theme: Themed::Walks,
            drive: Driven::Command,
        };
        let (diverge, broken, aspects, reasons) = walks(&row, number);
        assert_eq!((diverge, broken), (0, 0), "walk {number}: {aspects:?} {reasons:?}");
    }
}

/// The shrunk question, for the message.
fn small(row: &Row, question: &Question) -> String {
    let mut searcher = fake(&row.kind, row.drive);
    let mut packs = PackDirectory::new().unwrap();
    let shrunk = shrink(question, 500, |question| {
        judge(searcher.as_mut(), &mut packs, question)
            .is_ok_and(|judged| matches!(judged.verdict, Verdict::Diverge(_)))
    });
    serde_json::to_string(&shrunk.question).unwrap()
}

#[test]
fn found_bugs_are_shrunk_to_small_cases() {
    let groups = groups();
    let mut sizes = Vec::new();
    let kinds = [
        "drops-last",
        "spans-in-characters",
        "folds-one-letter-wrongly",
        "forgets-unended-line",
        "drops-cr",
        "stops-early",
        "underscore-ends-word",
        "first-pattern-only",
        "trims-lines",
    ];
    for row in table().into_iter().filter(|row| kinds.contains(&row.kind.as_str())) {
        let sighting = (0..MOST_BATCHES).find_map(|number| {
            let (tally, _) = batch(&row, number, &groups);
            tally.sightings.into_values().flatten().find(|one| one.oracle == "model")
        });
        let sighting = sighting.expect("each is found");
        let mut searcher = fake(&row.kind, row.drive);
        let mut packs = PackDirectory::new().unwrap();
        let wrong = Verdict::Diverge(sighting.aspect);
        let shrunk = shrink(&sighting.question, 600, |question| {
            judge(searcher.as_mut(), &mut packs, question)
                .is_ok_and(|judged| judged.verdict == wrong)
        });
        let size = Measure::of(&shrunk.question);
        let shown = serde_json::to_string(&shrunk.question).unwrap();
        println!("{}: {} asks, {} bytes: {shown}", row.kind, shrunk.asked, size.bytes);
        assert!(
            shrunk.fixpoint && size.entries <= 2 && size.bytes <= 16,
            "{}: {} asks, {shown}",
            row.kind,
            shrunk.asked
        );
        sizes.push((size.bytes, shrunk.asked));
    }
    assert_eq!(sizes.len(), kinds.len());
    sizes.sort_unstable();
    assert!(sizes.get(kinds.len() / 2).is_some_and(|(bytes, _)| *bytes <= 4), "{sizes:?}");
}

#[test]
fn a_program_that_hangs_is_not_asked_again_in_that_batch() {
    const NUMBER: u64 = 35;
    let row = table().into_iter().find(|row| row.kind == "hangs").unwrap();
    let mut packs = PackDirectory::new().unwrap();
    let drawn = Batch::draw(SEED, NUMBER, Theme::Listed);
    let mut hangs = |ask| {
        let question = Question { tree: drawn.pack.clone(), ask };
        let judged = judge(fake(&row.kind, row.drive).as_mut(), &mut packs, &question).unwrap();
        matches!(judged.no_answer, Some(NoAnswer::Hung { .. }))
    };
    assert!(drawn.asks.into_iter().filter(|ask| hangs(ask.clone())).count() > 1);
    let (until, spare) = (Until::Batches(1), Vec::new());
    let options =
        Options { seed: SEED, shard: (NUMBER, 1), until, theme: Theme::Listed, jobs: 1, spare };
    // Two releases of one program: where one hangs, the other is not waited for.
    let open = || -> Result<Vec<Box<dyn Searcher>>, String> {
        Ok(vec![fake(&row.kind, row.drive), fake(&row.kind, row.drive)])
    };
    let tally = hunt(&options, &groups(), &open, &Nobody).unwrap();
    let hung = tally.sightings.iter().flat_map(|(kind, sightings)| {
        let hung = sightings.iter().filter(|one| one.hangs);
        hung.map(|one| (kind.wrong.len(), one.met))
    });
    assert_eq!(hung.collect::<Vec<_>>(), [(1, 1)]);
}

#[test]
fn a_hanging_program_leaves_no_process() {
    // Other tests have theirs running, so this one is marked.
    let mark = format!("MARK=left-{}", std::process::id());
    let mut adapter = (*adapter("hangs", Driven::Command)).clone();
    adapter
        .ask
        .env
        .extend(mark.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut searcher = searcher(Arc::new(adapter), Duration::from_millis(200));
    let mut packs = PackDirectory::new().unwrap();
    let mut hung = 0;
    for number in 0..2 {
        let batch = Batch::draw(SEED, number, Theme::Listed);
        for ask in batch.asks {
            let question = Question { tree: batch.pack.clone(), ask };
            let judged = judge(searcher.as_mut(), &mut packs, &question).unwrap();
            hung += usize::from(matches!(judged.no_answer, Some(NoAnswer::Hung { .. })));
        }
    }
    assert!(hung > 0);
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let environments =
        processes.filter_map(|entry| std::fs::read(entry.path().join("environ")).ok());
    let left =
        environments.filter(|all| all.split(|byte| *byte == 0).any(|one| one == mark.as_bytes()));
    assert_eq!(left.count(), 0);
}
