use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use touchstone_cases::case::Contents;
use touchstone_cases::golden;
use touchstone_spec::Spec;
use touchstone_spec::adapter::Adapter;

use super::*;
use crate::answer::{Answer, Status};
use crate::native::NativeSearcher;
use crate::question::{Case, Feature, Pack};
use crate::searcher::PlacedPack;
use crate::subjects::Adapters;
use crate::verdict::NoAnswer;
use crate::watch::Nobody;

#[test]
fn the_creation_script_reproduces_every_byte() {
    let question = Question { tree: Pack::of(&[("d/it's", "a%\\\r\né'\n")]), ask: Ask::new("a") };
    let made = creation_script(&question);
    assert_eq!(made, r"mkdir -p d && printf -- 'a%%\\\r\n\303\251'\''\n' > 'd/it'\''s' && ");
}

#[test]
fn a_shell_makes_the_files_of_the_creation_script() {
    let place = tempfile::tempdir().unwrap();
    let many = Contents::of([(b"\0\xffa%".to_vec(), 3), (b"'\\\t".to_vec(), 1)]);
    let tree = vec![
        Entry { path: b"d e/many".to_vec(), node: Node::File { contents: many, readable: true } },
        Entry::file("empty", ""),
        Entry::link("link", "d e/many"),
        Entry::file("shut", "x").unreadable(),
        Entry::dir("bare"),
    ];
    let question = Question { tree: Pack { tree }, ask: Ask::new("a") };
    let script = creation_script(&question) + "true";
    let ran = Command::new("sh").args(["-c", &script]).current_dir(&place).status().unwrap();
    assert!(ran.success(), "{script}");
    let at = |path: &str| place.path().join(path);
    let bytes = b"\0\xffa%\0\xffa%\0\xffa%'\\\t";
    assert_eq!(fs::read(at("link")).unwrap(), bytes);
    assert_eq!(fs::read(at("empty")).unwrap(), b"");
    assert_eq!(fs::metadata(at("shut")).unwrap().permissions().mode() & 0o777, 0);
    assert!(at("bare").is_dir());
}

/// The service's matcher, which finds nothing where it is wrong.
struct Losing {
    inner: NativeSearcher,
    name: String,
    is_wrong: fn(&Ask) -> bool,
    /// How long it is waited for, if it has no answer.
    hangs: Option<Duration>,
}

impl Searcher for Losing {
    fn name(&self) -> &str {
        &self.name
    }

    fn adapter(&self) -> &Adapter {
        self.inner.adapter()
    }

    fn ask(&mut self, placed: PlacedPack<'_>, ask: &Ask) -> Result<Answer, NoAnswer> {
        if let Some(deadline) = self.hangs {
            let milliseconds = u64::try_from(deadline.as_millis()).unwrap();
            return Err(NoAnswer::Hung { milliseconds });
        }
        // The service refuses an empty pattern.
        let any = |one: &String| if one.is_empty() { "(?:)".to_owned() } else { one.clone() };
        let asked = Ask { patterns: ask.patterns.iter().map(any).collect(), ..ask.clone() };
        let mut answer = self.inner.ask(placed, &asked)?;
        if (self.is_wrong)(ask) {
            answer.files.clear();
            answer.status = Status::None;
        }
        Ok(answer)
    }

    fn shell(&self, _: PlacedPack<'_>, _: &Ask) -> Option<String> {
        None
    }

    fn wait_at_most(&mut self, deadline: Duration) {
        self.hangs = self.hangs.and(Some(deadline));
    }
}

/// Investigates one sighting by releases of which `one` is always wrong, `two` where case does not
/// count and nobody asks for a `d`, `three` never, `four` where case does not count, and `six`
/// where words are meant; `five` hangs.
fn investigated(sighting: &Sighting, wrong: &[&str], baselines: &Baselines) -> Investigated {
    investigated_by([(sighting, wrong)], &["three"], baselines, &Nobody)
}

fn investigated_by<const N: usize>(
    sightings: [(&Sighting, &[&str]); N],
    asked: &[&str],
    baselines: &Baselines,
    watch: &dyn Watch,
) -> Investigated {
    let groups = Groups::of(&Spec::load(&golden::workspace().join("spec")).unwrap());
    let adapter = Adapters::shipped().unwrap().get("native").unwrap();
    let open = |name: &str| -> Result<Box<dyn Searcher>, String> {
        let inner = NativeSearcher::new(adapter.clone());
        let is_wrong: fn(&Ask) -> bool = match name {
            "one" => |_| true,
            "two" => |ask| {
                ask.case == Case::Insensitive && !ask.patterns.iter().any(|one| one.contains('d'))
            },
            "four" => |ask| ask.case == Case::Insensitive,
            "six" => |ask| ask.word,
            _ => |_| false,
        };
        let hangs = (name == "five").then(|| Limits::default().deadline);
        Ok(Box::new(Losing { inner, name: name.to_owned(), is_wrong, hangs }))
    };
    let kinds = sightings.map(|(_, wrong)| Kind {
        program: "native".to_owned(),
        oracle: "model".to_owned(),
        aspect: Aspect::Files,
        group: Feature::Insensitive,
        wrong: wrong.iter().map(|name| (*name).to_owned()).collect(),
    });
    let release = |name: &str| (name.to_owned(), name.to_owned());
    let releases = |_: &str| ["one", "two", "three", "four", "five", "six"].map(release).to_vec();
    let budget = Budget { asks: 200, until: None };
    let known = (&groups, baselines, &[][..]);
    let infos: Vec<SubjectInfo> = asked
        .iter()
        .map(|name| SubjectInfo {
            subject: format!("native@{name}"),
            program: "native".to_owned(),
            version: (*name).to_owned(),
        })
        .collect();
    let asked = (infos.as_slice(), &releases as Releases<'_>);
    let sightings = kinds.iter().zip(sightings.map(|(sighting, _)| sighting));
    investigate(sightings, known, &open, asked, budget, watch).unwrap()
}

fn sighting(subject: &str, ask: Ask) -> Sighting {
    Sighting {
        place: (0, 0),
        subject: subject.to_owned(),
        right: None,
        aspect: Aspect::Files,
        group: Feature::Insensitive,
        oracle: "model".to_owned(),
        hangs: false,
        question: Question { tree: Pack::of(&[("h", "ab\ncd\n")]), ask },
        among: None,
        cpu_seconds: 0.0,
        met: 1,
    }
}

#[test]
fn a_release_that_hangs_is_waited_for_as_long_as_the_sighting_takes_some_times() {
    let found = investigated(&sighting("one", Ask::new("a")), &["one"], &Baselines::default());
    let finding = found.findings.values().next().unwrap();
    let hung = finding.releases.iter().find(|one| one.version == "five").unwrap();
    let waited = |milliseconds: u128| {
        let reason = format!("no end within {milliseconds} ms");
        hung.verdict == Verdict::Broken(reason)
    };
    // The sighting takes a moment, so that the least time is waited, and a little.
    assert!((1_000..10_000).any(waited), "{:?}", hung.verdict);
}

#[test]
fn subjects_that_were_wrong_together_stay_wrong_during_shrinking() {
    let ask = Ask { case: Case::Insensitive, ..Ask::new("a") };
    let found = investigated(&sighting("one", ask), &["one", "two"], &Baselines::default());
    let finding = found.findings.values().next().unwrap();
    assert_eq!(finding.question.ask.case, Case::Insensitive, "{:?}", finding.question);
    let wrong = finding.releases.iter().filter(|one| one.verdict.is_wrong(Aspect::Files));
    assert_eq!(wrong.count(), 3);
}

#[test]
fn a_case_is_not_made_small_by_what_it_does_not_have() {
    let small = |pattern: &str| {
        let sighting = sighting("one", Ask::new(pattern));
        let found = investigated(&sighting, &["one"], &Baselines::default());
        found.findings.into_values().next().unwrap().question.ask.patterns
    };
    assert_eq!((small("cd"), small("c?")), (vec!["a".to_owned()], vec![String::new()]));
}

#[test]
fn a_small_case_may_have_an_empty_match_beside_a_telling_part_and_i_for_smart_case() {
    let gains_nothing = |start: Ask, small: Ask| {
        let question = |ask| Question { tree: Pack::of(&[]), ask };
        gains_nothing(&question(small), &parts(&question(start)))
    };
    let walk = |pattern| Ask { walk: Some(crate::question::Walk::default()), ..Ask::new(pattern) };
    let limit = |pattern| Ask { max_count: Some(1), ..Ask::new(pattern) };
    let case = |case| Ask { case, ..Ask::new("a") };
    assert!(!gains_nothing(Ask::new("a"), Ask::new("")));
    assert!(!gains_nothing(limit("a"), Ask::new("")) && !gains_nothing(walk("a"), walk("")));
    assert!(gains_nothing(limit("a"), limit("")));
    assert!(gains_nothing(case(Case::Smart), case(Case::Insensitive)));
    assert!(!gains_nothing(case(Case::Sensitive), case(Case::Insensitive)));
}

/// What is listed: where case does not count, the first two releases find nothing.
fn listed(releases: &str) -> Baselines {
    let home = tempfile::tempdir().unwrap();
    let text = format!(
        "program: native\nentries:\n  - id: native-a\n    releases: {releases}\n    aspect: files\n    \
         question: {{tree: [{{file: a, bytes: b}}], ask: {{patterns: [b], case: insensitive}}}}\n    \
         reason: it is so in this test and nowhere else\n    link: none\n"
    );
    std::fs::write(home.path().join("native.yaml"), text).unwrap();
    Baselines::load(home.path(), Vec::new()).unwrap()
}

#[test]
fn a_known_bug_is_recognised_in_a_larger_question() {
    let ask =
        Ask { case: Case::Insensitive, max_count: Some(2), word: true, ..Ask::new("a(b|x)|y+") };
    let sighting = sighting("two", ask);
    let found = investigated(&sighting, &["one", "two"], &listed("{}"));
    let finding = found.findings.values().next().unwrap();
    assert_eq!(finding.known.as_deref(), Some("native-a"));
    assert_eq!(finding.question.ask.patterns, ["b"], "made small instead");
    // Where a release is wrong that the list does not have, the bug is new there.
    let found = investigated(&sighting, &["one", "two"], &listed("{to: one}"));
    assert!(found.findings.values().all(|finding| finding.known.is_none()));
}

#[test]
fn a_known_bug_of_a_subject_is_named_though_nothing_that_was_drawn_meets_it() {
    let named = |asked: &[&str]| {
        let found = investigated_by([], asked, &listed("{}"), &Nobody);
        let told = |one: Finding| (one.known.unwrap(), one.subject, one.met);
        found.findings.into_values().map(told).collect::<Vec<_>>()
    };
    let expected = ("native-a".to_owned(), "native@two".to_owned(), 0);
    assert_eq!((named(&["three", "two"]), named(&["three"])), (vec![expected], Vec::new()));
    let sighting = sighting("two", Ask { case: Case::Insensitive, ..Ask::new("a(b|x)") });
    let sighting = Sighting { cpu_seconds: 7.0, met: 3, ..sighting };
    let met: [(&Sighting, &[&str]); 1] = [(&sighting, &["one", "two"])];
    let found = investigated_by(met, &["two"], &listed("{}"), &Nobody);
    let found: Vec<(u64, f64)> =
        found.findings.values().map(|one| (one.met, one.cpu_seconds)).collect();
    assert_eq!(found, [(3, 7.0)]);
}

#[test]
fn a_bug_in_other_releases_or_without_the_known_parts_is_new() {
    let insensitive = Ask { case: Case::Insensitive, ..Ask::new("d") };
    let word = Ask { word: true, ..Ask::new("ab") };
    for (subject, ask) in [("one", Ask::new("a")), ("one", word), ("four", insensitive)] {
        let found = investigated(&sighting(subject, ask), &[subject], &listed("{}"));
        assert!(found.findings.values().all(|finding| finding.known.is_none()));
        assert_eq!(found.findings.len(), 1);
    }
}

#[test]
fn a_release_that_was_right_stays_right_during_shrinking() {
    let ask = Ask { case: Case::Insensitive, ..Ask::new("cd") };
    let found = investigated(&sighting("four", ask), &["four"], &Baselines::default());
    let finding = found.findings.values().next().unwrap();
    let wrong = finding.releases.iter().filter(|one| one.verdict.is_wrong(Aspect::Files));
    let wrong: Vec<&str> = wrong.map(|one| one.version.as_str()).collect();
    assert_eq!(wrong, ["one", "four"], "{:?}", finding.question);
}

/// Notes which findings were known, in the order in which they were made.
struct Noting(std::sync::Mutex<Vec<bool>>);

impl Watch for Noting {
    fn looked(&self, finding: Option<&Finding>) {
        self.0.lock().unwrap().push(finding.is_some_and(|one| one.known.is_some()));
    }
}

#[test]
fn known_bugs_are_recognised_before_others_are_made_small() {
    let new = sighting("one", Ask { word: true, ..Ask::new("ab") });
    let known = sighting("two", Ask { case: Case::Insensitive, ..Ask::new("a(b|x)") });
    let noting = Noting(std::sync::Mutex::default());
    let (one, both): (&[&str], &[&str]) = (&["one"], &["one", "two"]);
    investigated_by([(&new, one), (&known, both)], &["three"], &listed("{}"), &noting);
    assert_eq!(*noting.0.lock().unwrap(), [true, false]);
}

#[test]
fn a_release_that_is_wrong_for_a_known_reason_does_not_date_another_bug() {
    let ask = Ask { case: Case::Insensitive, word: true, ..Ask::new("ab") };
    let sighting = sighting("six", ask);
    let small = |baselines: &Baselines| {
        let found = investigated(&sighting, &["two", "six"], baselines);
        let ask = found.findings.into_values().next().unwrap().question.ask;
        (ask.word, ask.case)
    };
    assert_eq!(small(&listed("{}")), (true, Case::Sensitive));
    assert_eq!(small(&Baselines::default()), (true, Case::Insensitive));
}

#[test]
fn a_walk_is_asked_in_a_repository_whose_names_are_text() {
    let walk = |name: &[u8]| Question {
        tree: Pack {
            tree: vec![
                Entry::file(".git/HEAD", ""),
                Entry { path: name.to_vec(), ..Entry::file("a", "x") },
            ],
        },
        ask: Ask { walk: Some(crate::question::Walk::default()), ..Ask::new("x") },
    };
    assert!(is_question(&walk("é".as_bytes())));
    assert!(!is_question(&walk(b"\xa9")));
    let listed = Question { ask: Ask::new("x"), ..walk(b"\xa9") };
    assert!(is_question(&listed));
}

#[test]
fn a_link_that_is_named_leads_nowhere() {
    let to = |target: &str| Question {
        tree: Pack { tree: vec![Entry::file("a/b", "x"), Entry::link("c", target)] },
        ask: Ask::new("x"),
    };
    assert!(is_question(&to("nowhere")));
    for target in ["a", "a/b", ".", "..", "/etc"] {
        assert!(!is_question(&to(target)), "{target}");
    }
}
