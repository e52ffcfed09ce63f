//! What a program seems to mean otherwise, by its answers.
//!
//! Responsible for: one small question for each key of `dialect`, and the value by which its answer
//! is right ([`meanings`]).
//! Not here: whether the program means it so, which its manual says and nobody else.
//! Invariants: a value is proposed only if the adapter's own is wrong and exactly one other is
//! right.

use touchstone_cases::case::Entry;
use touchstone_spec::adapter::{AfterMax, Alphabet, Bom, Cr, Dialect, Empty, Feature, Show, Spans};

use super::judge::judge;
use super::pack_directory::{PackDirectory, PackError};
use super::question::{Ask, Case, Pack, Question};
use super::smoke::Checked;
use super::verdict::Verdict;

/// A value of a key, and how it is set.
type Value = (&'static str, fn(&mut Dialect));

/// A key, its values, and a question that tells them apart.
struct Probe {
    key: &'static str,
    values: &'static [Value],
    question: Question,
    needs: Option<Feature>,
}

#[expect(clippy::too_many_lines, reason = "a list of probes")]
fn probes() -> Vec<Probe> {
    let probe = |key, values, files: &[(&str, &str)], ask: Ask, needs| Probe {
        key,
        values,
        question: Question { tree: Pack::of(files), ask },
        needs,
    };
    let mut utf16 = probe(
        "bom",
        &[
            ("decoded", |dialect| dialect.bom = Bom::Decoded),
            ("stripped", |dialect| dialect.bom = Bom::Stripped),
            ("kept", |dialect| dialect.bom = Bom::Kept),
        ],
        &[("h", "\u{feff}a\n")],
        Ask::new("^a"),
        None,
    );
    utf16.question.tree.tree.push(Entry::file("k", b"\xff\xfea\0\n\0".as_slice()));
    vec![
        probe(
            "fold",
            &[
                ("ascii", |dialect| dialect.fold = Alphabet::Ascii),
                ("unicode", |dialect| dialect.fold = Alphabet::Unicode),
            ],
            &[("h", "\u{c9}\n")],
            Ask { case: Case::Insensitive, ..Ask::new("\u{e9}") },
            Some(Feature::Insensitive),
        ),
        probe(
            "word",
            &[
                ("ascii", |dialect| dialect.word = Alphabet::Ascii),
                ("unicode", |dialect| dialect.word = Alphabet::Unicode),
            ],
            &[("h", "\u{e9}a\n")],
            Ask { word: true, ..Ask::new("a") },
            Some(Feature::Word),
        ),
        probe(
            "classes",
            &[
                ("ascii", |dialect| dialect.classes = Alphabet::Ascii),
                ("unicode", |dialect| dialect.classes = Alphabet::Unicode),
            ],
            &[("h", "\u{e9}\n")],
            Ask::new(r"^\w"),
            None,
        ),
        probe(
            "cr",
            &[
                ("dropped", |dialect| dialect.cr = Cr::Dropped),
                ("kept", |dialect| dialect.cr = Cr::Kept),
                ("end", |dialect| dialect.cr = Cr::End),
            ],
            &[("h", "a\r\n")],
            Ask::new("a$"),
            None,
        ),
        utf16,
        probe(
            "spans",
            &[
                ("first", |dialect| dialect.spans = Spans::First),
                ("longest", |dialect| dialect.spans = Spans::Longest),
            ],
            &[("h", "ab\n")],
            Ask { show: Show::Spans, ..Ask::new("a|ab") },
            None,
        ),
        probe(
            "empty",
            &[
                ("shown", |dialect| dialect.empty = Empty::Shown),
                ("hidden", |dialect| dialect.empty = Empty::Hidden),
            ],
            &[("h", "a\n")],
            Ask::new("x*"),
            None,
        ),
        probe(
            "after_max",
            &[
                ("stops", |dialect| dialect.after_max = AfterMax::Stops),
                ("window", |dialect| dialect.after_max = AfterMax::Window),
                ("context", |dialect| dialect.after_max = AfterMax::Context),
                ("none", |dialect| dialect.after_max = AfterMax::None),
            ],
            &[("h", "a\nb\na\nb\n")],
            Ask { max_count: Some(1), after: 3, ..Ask::new("a") },
            Some(Feature::After),
        ),
    ]
}

/// The keys whose value in the adapter is wrong for this program's answers, and the one value that
/// is right; or else nothing, if none or several are.
///
/// # Errors
/// The files cannot be laid.
pub fn meanings(
    searcher: &dyn Checked,
) -> Result<Vec<(&'static str, Option<&'static str>)>, PackError> {
    let mut packs = PackDirectory::new()?;
    let mut found = Vec::new();
    for probe in probes() {
        if probe.needs.is_some_and(|need| searcher.adapter().unsupported.contains_key(&need)) {
            continue;
        }
        let mut is_right = |dialect: Dialect| -> Result<bool, PackError> {
            let mut other = searcher.meaning(dialect);
            let verdict = judge(other.as_mut(), &mut packs, &probe.question)?.verdict;
            Ok(!matches!(verdict, Verdict::Diverge(_)))
        };
        let own = searcher.adapter().dialect;
        if is_right(own)? {
            continue;
        }
        let mut right = Vec::new();
        for (name, set) in probe.values {
            let mut dialect = own;
            set(&mut dialect);
            if is_right(dialect)? {
                right.push(*name);
            }
        }
        let only = if right.len() == 1 { right.first().copied() } else { None };
        found.push((probe.key, only));
    }
    Ok(found)
}
