//! Results made up for tests: small ones, and some as large and as hostile as a real run could be.

use std::collections::BTreeMap;

use touchstone_cases::case::{Contents, Entry, Node, Text};

use super::class::release_order;
use crate::answer::{Answer, FileAnswer, Line, Status};
use crate::draw::Theme;
use crate::question::{Ask, Feature, Pack, Question};
use crate::results::{Cell, Cost, Finding, Results, SubjectInfo, Sweep, Tried};
use crate::verdict::{Aspect, Verdict};

/// Text that would break out of anything that lets it.
pub(crate) const HOSTILE: &str = "</script><img src=x onerror=alert(1)>'\"&\u{202e}gnol\u{2066}\u{0}\u{7f}\r``` @someone ]]> --> \u{fffe}";

const PROGRAMS: [(&str, &[&str]); 9] = [
    ("ack", &["3.4.0", "3.7.0", "3.8.1"]),
    ("ag", &["2.2.0"]),
    ("busybox-grep", &["1.30.1", "1.35.0", "1.37.0", "1.38.0"]),
    ("git-grep", &["2.30.2", "2.39.5", "2.47.3", "2.53.0", "2.55.0"]),
    ("gnu-grep", &["3.6", "3.8", "3.11", "3.12"]),
    ("native", &["0.1.0"]),
    ("pcre2grep", &["10.42"]),
    (
        "ripgrep",
        &[
            "11.0.2", "12.1.1", "13.0.0", "14.0.0", "14.0.1", "14.0.2", "14.0.3", "14.1.0",
            "14.1.1", "15.0.0", "15.1.0", "15.2.0",
        ],
    ),
    ("ugrep", &["3.3.3", "3.11.2", "4.0.0", "5.1.4", "6.5.0", "7.0.0", "7.4.2", "7.8.0", "7.8.4"]),
];

/// Numbers that look drawn and are always the same.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A cell without a case.
pub(crate) fn cell(subject: &str, group: Feature) -> Cell {
    Cell::empty(subject, group)
}

fn line(number: u64, text: &str, spans: Option<Vec<(u64, u64)>>) -> Line {
    Line { number, selected: true, text: Some(Text(text.into())), spans }
}

fn answer(lines: Vec<Line>, status: Status) -> Answer {
    let file = FileAnswer { lines, count: None };
    Answer { files: [(Text(b"a".to_vec()), file)].into(), order: Vec::new(), status }
}

/// A finding of ripgrep; what it is depends on the number.
pub(crate) fn finding(number: u64) -> Finding {
    let pattern =
        ["a|ab", "(?i)\u{212a}", "x*", "^$|b", "foo\\b"][usize::try_from(number % 5).unwrap()];
    let texts = [
        ("xab ab", (1, 2), (1, 3)),
        ("k\u{212a} K", (0, 1), (1, 4)),
        ("ab\tc\r", (0, 0), (2, 2)),
        ("b  ", (0, 1), (1, 1)),
        ("\u{e9}foo", (2, 5), (1, 4)),
    ];
    let (text, right, wrong) = texts[usize::try_from(number % 5).unwrap()];
    Finding {
        id: format!("ripgrep-alternation-spans-{number:08x}"),
        title: format!("`{pattern}` marks other bytes than those that match"),
        program: "ripgrep".to_owned(),
        group: Feature::Alternation,
        aspect: Aspect::Spans,
        clauses: vec!["FR-LS-04c".to_owned(), "E-E09".to_owned()],
        shape: "alt(lit,lit) text(lit)".to_owned(),
        oracle: "model".to_owned(),
        question: Question {
            tree: Pack::of(&[("a", &format!("{text}\nzz\n"))]),
            ask: Ask::new(pattern),
        },
        expected: Some(answer(vec![line(1, text, Some(vec![right]))], Status::Matched)),
        actual: Some(answer(
            vec![line(1, text, Some(vec![wrong])), line(2, "zz", Some(vec![(0, 2)]))],
            Status::Matched,
        )),
        broken: None,
        command: format!("printf '%b' '{text}\\nzz\\n' > a; rg --json -e '{pattern}' a"),
        subject: "ripgrep@14.1.0".to_owned(),
        releases: vec![
            Sweep { version: "13.0.0".to_owned(), verdict: Verdict::Agree },
            Sweep { version: "14.1.0".to_owned(), verdict: Verdict::Diverge(Aspect::Spans) },
        ],
        known: None,
        variant_of: None,
        met: 3 + number,
        cpu_seconds: 1.5,
    }
}

/// Two subjects, three cells, two findings.
pub(crate) fn small() -> Results {
    let subject = |version: &str| SubjectInfo {
        subject: format!("ripgrep@{version}"),
        program: "ripgrep".to_owned(),
        version: version.to_owned(),
    };
    let mut wrong = cell("ripgrep@14.1.0", Feature::Alternation);
    (wrong.agree, wrong.diverge) = (40, 4);
    let mut known = finding(2);
    known.known = Some("rg-x".to_owned());
    known.group = Feature::EmptyMatch;
    wrong.explained = 4;
    wrong.findings = vec![finding(1).id];
    let mut fine = cell("ripgrep@13.0.0", Feature::Alternation);
    fine.agree = 44;
    let mut unsupported = cell("ripgrep@13.0.0", Feature::Fixed);
    (unsupported.unsupported, unsupported.reason) = (7, Some("it has no such option".to_owned()));
    Results {
        subjects: vec![subject("13.0.0"), subject("14.1.0")],
        cells: vec![fine, unsupported, wrong],
        findings: vec![finding(1), known],
        features: [("alternation".to_owned(), 88)].into(),
        relations: [("union".to_owned(), Tried { tried: 20, broken: 1 })].into(),
        cost: Cost { cases: 95, asks: 9, seconds: 0.5, cpu_seconds: 0.4 },
        ..Results::empty(7, Theme::All)
    }
}

/// Forty columns and four hundred findings; some hold text that would break out of a page, and long
/// ones.
pub(crate) fn big() -> Results {
    let mut draw = Draw::new(1);
    let mut results = Results {
        seed: 20_261_121,
        shards: (1..=4).map(|k| format!("{k}/4")).collect(),
        ..small()
    };
    results.subjects.clear();
    results.cells.clear();
    results.findings = findings(&mut draw);
    for (program, versions) in PROGRAMS {
        for version in versions {
            let subject = format!("{program}@{version}");
            results.subjects.push(SubjectInfo {
                subject: subject.clone(),
                program: program.to_owned(),
                version: (*version).to_owned(),
            });
            for group in Feature::ALL {
                results.cells.push(drawn_cell(
                    &mut draw,
                    program,
                    version,
                    *group,
                    &results.findings,
                ));
            }
        }
    }
    results.features =
        Feature::ALL.iter().map(|one| (one.name().to_owned(), 40 + draw.below(90_000))).collect();
    results.relations = ["union", "complement", "prefix", "alone", "padding"]
        .into_iter()
        .map(|name| {
            (name.to_owned(), Tried { tried: 1000 + draw.below(50_000), broken: draw.below(3) })
        })
        .collect::<BTreeMap<_, _>>();
    results.cost = Cost { cases: 3_412_775, asks: 41_212, seconds: 612.4, cpu_seconds: 1180.2 };
    results
}

fn findings(draw: &mut Draw) -> Vec<Finding> {
    let mut findings: Vec<Finding> = (0..400).map(|number| drawn_finding(draw, number)).collect();
    findings[0].title = format!("title {HOSTILE}");
    findings[0].command = format!("rg '{HOSTILE}' a");
    findings[0].clauses.push(HOSTILE.to_owned());
    findings[0].oracle = HOSTILE.to_owned();
    findings[0].shape = HOSTILE.to_owned();
    findings[0].question =
        Question { tree: Pack::of(&[(HOSTILE, HOSTILE)]), ask: Ask::new(HOSTILE) };
    findings[0].expected = Some(answer(vec![line(1, HOSTILE, Some(vec![(3, 9)]))], Status::Failed));
    let mut long = vec![b'a'; 65_536];
    long.extend(b"needle");
    let lines = |more: u64| {
        vec![Line {
            number: 1,
            selected: true,
            text: Some(Text(long.clone())),
            spans: Some(vec![(65_536, 65_540 + more)]),
        }]
    };
    findings[1].expected = Some(answer(lines(2), Status::Matched));
    findings[1].actual = Some(answer(lines(0), Status::Matched));
    let contents = Contents::of([(b"a".to_vec(), 65_536), (b"needle\n".to_vec(), 1)]);
    findings[1].question.tree.tree =
        vec![Entry { path: b"a".to_vec(), node: Node::File { contents, readable: true } }];
    findings[2].actual = None;
    findings[2].broken = Some("killed by signal 11: Segmentation fault".to_owned());
    findings
}

fn drawn_finding(draw: &mut Draw, number: u64) -> Finding {
    let (program, versions) = PROGRAMS[usize::try_from(
        [7, 7, 8, 8, 2, 4, 0, 1][usize::try_from(draw.below(8)).unwrap()],
    )
    .unwrap()];
    let group = Feature::ALL[usize::try_from(draw.below(Feature::ALL.len() as u64)).unwrap()];
    let aspect = Aspect::ALL[usize::try_from(draw.below(Aspect::ALL.len() as u64)).unwrap()];
    let first = usize::try_from(draw.below(versions.len() as u64)).unwrap();
    let last = first + usize::try_from(draw.below((versions.len() - first) as u64)).unwrap();
    let releases = versions.iter().enumerate().map(|(at, version)| Sweep {
        version: (*version).to_owned(),
        verdict: match at {
            at if (first..=last).contains(&at) => Verdict::Diverge(aspect),
            0 if number.is_multiple_of(7) => {
                Verdict::Unsupported("it has no such option".to_owned())
            }
            _ => Verdict::Agree,
        },
    });
    Finding {
        id: format!("{program}-{}-{}-{number:08x}", group.name(), aspect.name()),
        title: [
            "marks other bytes than those that match",
            "loses a line behind a NUL",
            "shows context twice",
            "counts a line that is none",
        ][usize::try_from(draw.below(4)).unwrap()]
        .to_owned(),
        program: program.to_owned(),
        group,
        aspect,
        oracle: ["model", "union", "padding", "git"][usize::try_from(draw.below(4)).unwrap()]
            .to_owned(),
        subject: format!("{program}@{}", versions[first]),
        releases: releases.collect(),
        known: (draw.below(3) == 0).then(|| format!("{program}-{number}")),
        met: 1 + draw.below(4000),
        cpu_seconds: f64::from(u32::try_from(draw.below(90_000)).unwrap()) / 100.0,
        ..finding(number)
    }
}

fn drawn_cell(
    draw: &mut Draw,
    program: &str,
    version: &str,
    group: Feature,
    findings: &[Finding],
) -> Cell {
    let mut cell = cell(&format!("{program}@{version}"), group);
    cell.agree = draw.below(9_000);
    if draw.below(5) == 0 {
        cell.declared = draw.below(400);
    }
    if draw.below(9) == 0 {
        (cell.agree, cell.declared, cell.unsupported) = (0, 0, 900);
        cell.reason = Some("it has no such option".to_owned());
    }
    let here = findings.iter().filter(|one| {
        one.program == program
            && one.group == group
            && one.releases.iter().any(|sweep| {
                sweep.version == version && matches!(sweep.verdict, Verdict::Diverge(_))
            })
    });
    for finding in here {
        cell.findings.push(finding.id.clone());
        match (&finding.known, &finding.broken) {
            (Some(_), _) => cell.known += 1 + draw.below(20),
            (None, Some(_)) => cell.broken += 1 + draw.below(4),
            (None, None) => cell.diverge += 1 + draw.below(90),
        }
    }
    cell.explained = cell.wrong();
    cell
}

#[test]
fn programs_are_listed_in_order_of_their_releases() {
    for (_, versions) in PROGRAMS {
        assert!(versions.is_sorted_by(|a, b| release_order(a, b).is_lt()));
    }
}
