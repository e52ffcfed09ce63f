use touchstone_cases::case::Text;

use super::*;
use crate::answer::{FileAnswer, Line, Status};
use crate::question::{Ask, Pack};

pub(super) fn exhibit() -> Exhibit {
    let line = Line {
        number: 1,
        selected: true,
        text: Some(Text(b"a\xff\"b: #".to_vec())),
        spans: Some(vec![(0, 1)]),
    };
    let file = FileAnswer { lines: vec![line], count: None };
    let files = [(Text(b"h".to_vec()), file)].into();
    Exhibit {
        id: "seek-loses-a".to_owned(),
        title: "seek loses an a".to_owned(),
        program: "seek".to_owned(),
        group: Feature::Alternation,
        aspect: Aspect::Lines,
        clauses: vec!["S-1".to_owned()],
        oracle: MODEL.to_owned(),
        releases: Releases {
            bad: vec!["1.2".to_owned(), "1.10".to_owned()],
            good: vec!["2.0".to_owned()],
        },
        confirmed: Confirmed {
            by: Witness::Changelog,
            says: "2.0: an `a` is found again".to_owned(),
        },
        found: Some(Found { seed: 7, cpu_seconds: 12.5 }),
        command: r#"printf 'a\n' > h && seek -e 'a|"b' -- h"#.to_owned(),
        question: Question {
            tree: Pack::of(&[("h", "a\r\nno: yes\n")]),
            ask: Ask::new("a|\"b: #"),
        },
        expected: Some(Answer { files, order: vec![], status: Status::Matched }),
        actual: None,
    }
}

#[test]
fn a_stored_exhibit_is_read_back_and_found_by_its_name() {
    let home = tempfile::tempdir().unwrap();
    let path = store(&exhibit(), home.path()).unwrap();
    assert!(path.ends_with("seek-loses-a.yaml"));
    assert_eq!(all(home.path()).unwrap(), [exhibit()]);
    assert_eq!(all(&home.path().join("nowhere")).unwrap(), []);
}

#[test]
fn an_inconsistent_exhibit_is_refused_with_every_error() {
    let mut broken = exhibit();
    broken.id = "Loses A".to_owned();
    broken.releases.bad = vec!["1.10".to_owned(), "1.2".to_owned()];
    broken.releases.good = vec!["1.2".to_owned()];
    broken.confirmed.says = "yes".to_owned();
    broken.oracle = "nobody".to_owned();
    let home = tempfile::tempdir().unwrap();
    let message = store(&broken, home.path()).unwrap_err().to_string();
    for part in [
        "an id is",
        "begins with",
        "oldest first",
        "wrong and right",
        "nobody says",
        "no such oracle",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn an_exhibit_with_an_unknown_key_or_another_file_name_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let text = exhibit().to_yaml().unwrap();
    fs::write(home.path().join("other.yaml"), &text).unwrap();
    let message = all(home.path()).unwrap_err().to_string();
    assert!(message.contains("named after"), "{message}");
    let message =
        Exhibit::parse(Path::new("x.yaml"), &(text + "more: 1\n")).unwrap_err().to_string();
    assert!(message.contains("x.yaml") && message.contains("more"), "{message}");
}

#[test]
fn only_the_stored_aspect_is_the_bug_and_others_are_unknown() {
    assert_eq!(state(&Verdict::Diverge(Aspect::Lines), Aspect::Lines), State::Bad);
    assert_eq!(state(&Verdict::Diverge(Aspect::Spans), Aspect::Lines), State::Unknown);
    assert_eq!(state(&Verdict::Broken("killed".to_owned()), Aspect::Lines), State::Unknown);
    assert_eq!(state(&Verdict::Broken("killed".to_owned()), Aspect::Status), State::Bad);
    assert_eq!(state(&Verdict::Unsupported("no".to_owned()), Aspect::Lines), State::Unknown);
    assert_eq!(state(&Verdict::Agree, Aspect::Lines), State::Good);
}
