//! Which divergences are one bug.
//!
//! Responsible for: what makes two findings one bug ([`Cause`]), which findings are variants of
//! others ([`fold`]), the [`shape`] of a shrunk case, which forgets letters and numbers; the id and
//! title of a finding.
//! Not here: taking parts out of a question ([`super::plainer`]); asking
//! ([`super::finding`]).
//! Invariants: the same question has the same shape and the same id in every run and on every
//! machine; folding twice is folding once.

use std::collections::{BTreeMap, BTreeSet};

use touchstone_cases::case::Text;
use xxhash_rust::xxh3::xxh3_64;

use super::answer::Answer;
use super::features::{content_features, is_ignore_file, tree_features};
use super::plainer::{Part, parts};
use super::question::{Ask, Case, Feature, Question, Show};
use super::results::{Finding, Sweep};
use super::verdict::{Aspect, NoAnswer, Verdict, alike};

/// So many telling parts are enough to know a bug by that all releases have.
const LEAST_TELLING: usize = 2;

/// What two findings have in common if they are one bug.
#[derive(Debug, Clone)]
pub struct Cause {
    program: String,
    aspect: Aspect,
    /// What the small case is made of; as it is small, the bug needs all of it.
    pub parts: BTreeSet<Part>,
    /// Those of them that are more than a way to have something match.
    telling: BTreeSet<Part>,
    shape: String,
    /// Whether the program did not end in time.
    hangs: bool,
    /// Whether each release is wrong; what could not be judged is not there.
    wrong: BTreeMap<String, bool>,
}

impl Cause {
    /// That of a finding.
    pub fn of(finding: &Finding) -> Self {
        let parts = parts(&finding.question);
        let mut telling: BTreeSet<Part> =
            parts.iter().copied().filter(|part| distinguishes(*part)).collect();
        // That case does not count is said by an option or in the pattern.
        if telling.remove(&Part::Feature(Feature::InlineFlags)) {
            telling.insert(Part::Feature(Feature::Insensitive));
        }
        // Which of several matches is reported is one matter, whatever it is that gives the choice.
        if finding.aspect == Aspect::Spans && finding.question.ask.has_choice() {
            telling.insert(Part::Feature(Feature::Alternation));
        }
        let mut cause = Self {
            program: finding.program.clone(),
            aspect: aspect(finding),
            telling,
            parts,
            shape: finding.shape.clone(),
            hangs: finding.broken.as_deref().is_some_and(NoAnswer::is_hung),
            wrong: wrong(&finding.releases, aspect(finding)),
        };
        if cause.aspect == Aspect::Spans && !cause.is_dated() && is_late(finding) {
            let gives_choice = [Feature::Alternation, Feature::Several].map(Part::Feature);
            let others = cause.telling.iter().filter(|part| !gives_choice.contains(part));
            let others: Vec<String> = others.copied().map(Part::name).collect();
            cause.shape = format!("late {}", others.join("+"));
        }
        cause
    }

    /// Whether the program did not end in time, and nothing else is known of it.
    pub fn hangs(&self) -> bool {
        self.hangs
    }

    /// Whether it is a bug of this program, seen in this aspect.
    pub fn is_about(&self, program: &str, aspect: Aspect) -> bool {
        self.program == program && self.aspect == alike(aspect)
    }

    /// Whether a release is known to be wrong.
    pub fn is_wrong(&self, release: &str) -> bool {
        self.wrong.get(release) == Some(&true)
    }

    /// Whether what is wrong in these releases could be this bug: both know of a release that is
    /// wrong, and of none that the other has right.
    pub fn could_be(&self, wrong: &BTreeMap<String, bool>) -> bool {
        let both = || self.wrong.iter().filter_map(|(one, bad)| Some((*bad, *wrong.get(one)?)));
        both().all(|(one, other)| one == other) && both().any(|(bad, _)| bad)
    }

    /// Whether another bug is in this case too, in some of the releases that have this one wrong.
    fn is_met_with(&self, other: &Self) -> bool {
        let is_part =
            |(release, bad): (&String, &bool)| !bad || self.wrong.get(release) == Some(bad);
        self.is_dated()
            && other.is_dated()
            && self.program == other.program
            && other.shows_as(self)
            && !other.telling.is_empty()
            && other.telling.is_subset(&self.telling)
            && other.wrong.iter().all(is_part)
    }

    /// Whether another is this bug with something more. Where no release is right, the parts say
    /// too little, and only the same shape is the same bug, or a match that is as late. What makes a
    /// program slow takes too long to be taken apart, so that there the releases alone decide.
    pub fn covers(&self, other: &Self) -> bool {
        if self.hangs && other.hangs {
            return self.program == other.program && self.could_be(&other.wrong);
        }
        // Of nothing but ways to have something match all of them count.
        let (mine, theirs) = if self.telling.is_empty() {
            (&self.parts, &other.parts)
        } else {
            (&self.telling, &other.telling)
        };
        self.program == other.program
            && self.shows_as(other)
            && self.could_be(&other.wrong)
            && (self.shape == other.shape
                || (self.tells_apart() && !mine.is_empty() && mine.is_subset(theirs)))
    }

    /// Whether what is wrong is seen in the aspect of another.
    fn shows_as(&self, other: &Self) -> bool {
        let shown = [Aspect::Lines, Aspect::Context];
        // What comes behind the last line that is allowed is a selected line or not.
        let is_behind_max = [Feature::MaxCount, Feature::After]
            .into_iter()
            .all(|feature| self.telling.contains(&Part::Feature(feature)));
        // Which lines are selected says which are context.
        self.aspect == other.aspect
            || (self.aspect == Aspect::Lines && other.aspect == Aspect::Context)
            || self.is_of_reading()
            // A match that is lost leaves out a line, or a place in one that has others.
            || (self.aspect == Aspect::Lines
                && other.aspect == Aspect::Spans
                && self.telling == other.telling
                && self.is_dated())
            || (is_behind_max && shown.contains(&self.aspect) && shown.contains(&other.aspect))
    }

    /// Whether it is about how a text is read by its mark: then whatever is shown of the text is
    /// wrong.
    fn is_of_reading(&self) -> bool {
        let mark = [Feature::Utf16, Feature::Bom].map(Part::Feature);
        let is_letter = |part: &Part| *part == Part::Feature(Feature::NonAscii);
        self.telling.iter().any(|part| mark.contains(part))
            && self.telling.iter().all(|part| mark.contains(part) || is_letter(part))
    }

    /// Whether what it has in common with others says that they are one bug.
    fn tells_apart(&self) -> bool {
        self.is_dated() || self.is_of_reading()
    }

    /// Whether what it is made of, or the releases, say enough for another case to be tried as this
    /// bug.
    pub fn can_be_tried(&self) -> bool {
        let removable = self.telling.iter().filter(|part| part.comes_out());
        self.is_dated() || removable.count() >= LEAST_TELLING
    }

    /// Whether the releases say something: some are wrong and some are right.
    pub fn is_dated(&self) -> bool {
        self.wrong.values().any(|bad| *bad) && self.wrong.values().any(|bad| !*bad)
    }
}

/// Whether a part is more than a way to have something match.
pub(super) fn distinguishes(part: Part) -> bool {
    !matches!(
        part,
        Part::Feature(
            Feature::Class
                | Feature::Repetition
                | Feature::Bounded
                | Feature::EmptyMatch
                | Feature::NonAsciiPattern
                | Feature::Walk
                | Feature::Mmap
                | Feature::NoMmap
        )
    )
}

/// Whether the first match that differs begins within the one that should come: the leftmost is not
/// found. Patterns of any shape show that.
fn is_late(finding: &Finding) -> bool {
    let spans = |answer: &Option<Answer>| -> Vec<(Text, u64, (u64, u64))> {
        let files = answer.iter().flat_map(|answer| &answer.files);
        let lines = files.flat_map(|(path, file)| file.lines.iter().map(move |line| (path, line)));
        let spans = lines.flat_map(|(path, line)| {
            let spans = line.spans.iter().flatten();
            spans.map(|span| (path.clone(), line.number, *span))
        });
        spans.collect()
    };
    let (expected, actual) = (spans(&finding.expected), spans(&finding.actual));
    let first = expected.iter().zip(&actual).find(|(one, other)| one != other);
    first.is_some_and(|((path, number, (start, end)), other)| {
        (path, number) == (&other.0, &other.1) && (start + 1..*end).contains(&other.2.0)
    })
}

/// In what a finding is wrong. A status that says otherwise than the lines is a wrong selection; no
/// answer at all is not.
fn aspect(finding: &Finding) -> Aspect {
    match (finding.aspect, &finding.broken) {
        (Aspect::Status, None) => Aspect::Lines,
        (aspect, _) => alike(aspect),
    }
}

/// Whether each release is wrong in this aspect.
pub fn wrong(sweep: &[Sweep], aspect: Aspect) -> BTreeMap<String, bool> {
    let judged = sweep.iter().filter_map(|one| {
        let bad = match &one.verdict {
            Verdict::Agree | Verdict::Declared(_) => false,
            Verdict::Diverge(Aspect::Status) if aspect == Aspect::Lines => true,
            verdict if verdict.is_like(aspect) => true,
            _ => return None,
        };
        Some((one.version.clone(), bad))
    });
    judged.collect()
}

/// The known finding that a new one is, met as often; or else the new one. One of the same shape
/// comes first; where two known bugs meet in one case, it is that with the most parts.
pub fn named<'f>(finding: Finding, known: impl Iterator<Item = &'f Finding>) -> Finding {
    let cause = Cause::of(&finding);
    let known: Vec<(&Finding, Cause)> = known.map(|known| (known, Cause::of(known))).collect();
    let those = |is_same: &dyn Fn(&Cause) -> bool| -> Vec<&(&Finding, Cause)> {
        known.iter().filter(|(_, one)| is_same(one)).collect()
    };
    let mut same = those(&|one| one.shape == cause.shape && one.covers(&cause));
    if same.is_empty() {
        // What only has something match is in most cases, and is no telling part of a known one.
        let is_telling = |one: &Cause| !cause.telling.is_empty() || cause.parts == one.parts;
        same = those(&|one| one.covers(&cause) || (is_telling(one) && cause.covers(one)));
    }
    if same.is_empty() {
        same = those(&|one| cause.is_met_with(one));
        let explained = |release: &String| same.iter().any(|(_, one)| one.is_wrong(release));
        if !cause.wrong.iter().all(|(release, bad)| !bad || explained(release)) {
            same.clear();
        }
    }
    match same.into_iter().max_by_key(|(_, cause)| cause.parts.len()) {
        Some((same, _)) => {
            let Finding { subject, met, cpu_seconds, .. } = finding;
            Finding { subject, met, cpu_seconds, ..(*same).clone() }
        }
        None => finding,
    }
}

/// Says of each new finding of which other one it is a variant: of those that it is with something
/// more, that with the most parts.
pub fn fold(findings: &mut [Finding]) {
    let causes: Vec<Cause> = findings.iter().map(Cause::of).collect();
    let parts = |at: usize| causes.get(at).map_or(0, |cause| cause.parts.len());
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.retain(|at| findings.get(*at).is_some_and(|one| one.known.is_none()));
    order.sort_by_key(|at| (parts(*at), findings.get(*at).map(|one| one.id.clone())));
    let mut roots: Vec<usize> = Vec::new();
    for at in order {
        let covers = |root: &usize| match (causes.get(*root), causes.get(at)) {
            (Some(root), Some(cause)) => root.covers(cause),
            _ => false,
        };
        let root = roots.iter().copied().filter(covers).max_by_key(|root| parts(*root));
        let id = root.and_then(|root| findings.get(root)).map(|root| root.id.clone());
        if id.is_none() {
            roots.push(at);
        }
        if let Some(finding) = findings.get_mut(at) {
            finding.variant_of = id;
        }
    }
}

/// What a question looks like: its features, and its patterns with every run of letters as one
/// letter.
pub fn shape(question: &Question) -> String {
    let features: Vec<&str> = features(question).into_iter().map(Feature::name).collect();
    // Only smart case makes a difference of capitals.
    let is_smart = question.ask.case == Case::Smart;
    let plain = |pattern: &String| skeleton(pattern, is_smart);
    let mut texts: Vec<String> = question.ask.patterns.iter().map(plain).collect();
    if matches!(question.ask.show, Show::Files | Show::FilesWithout | Show::Count) {
        texts.push(question.ask.show.name().to_owned());
    }
    if question.ask.walk.is_some() {
        // There the rules of ignore files are what patterns are elsewhere.
        let rules = question.tree.files().filter(|(path, _)| is_ignore_file(path));
        texts.extend(rules.map(|(_, rules)| skeleton(&String::from_utf8_lossy(&rules), true)));
    }
    format!("{} {}", features.join("+"), texts.join(" "))
}

/// The features of a question: of the ask, of the tree if it is walked, and of all its haystacks.
pub fn features(question: &Question) -> BTreeSet<Feature> {
    let mut features = question.ask.features();
    let is_walked = question.ask.walk.is_some();
    features.extend(tree_features(&question.tree, is_walked));
    if !is_walked {
        for (path, bytes) in question.tree.files() {
            features.extend(content_features(path, &bytes));
        }
    }
    features
}

/// Runs of letters, digits and signs without a meaning as `a` or `A`, of characters beyond ASCII as
/// `é`, any number of times as `*`; the rest as it is. A class by a letter is no part of a run.
pub(super) fn skeleton(pattern: &str, capitals: bool) -> String {
    let mut out = String::new();
    let mut letters = pattern.chars().peekable();
    let mut is_behind_class = false;
    while let Some(letter) = letters.next() {
        let is_class = out.ends_with('\\') && letter.is_ascii_alphabetic();
        let kind = match letter {
            '\\' if letters.next_if(char::is_ascii_punctuation).is_some() => 'a',
            // `\W` is another class than `\w`.
            'A'..='Z' if capitals || is_class => 'A',
            'a'..='z' | 'A'..='Z' | '0'..='9' => 'a',
            '+' | '?' if out.chars().last().is_some_and(|last| last != '(') => '*',
            letter if r".[\]()*+?{}|^$".contains(letter) => letter,
            letter if letter.is_ascii() => 'a',
            _ => 'é',
        };
        if is_behind_class || !out.ends_with(kind) || kind.is_ascii_punctuation() {
            out.push(kind);
        }
        is_behind_class = is_class;
    }
    out
}

/// The id of a finding: the same for the same bug in every run. Where no release is right, the
/// parts say too little, and the shape stands for them.
pub fn id(
    program: &str,
    group: Feature,
    aspect: Aspect,
    question: &Question,
    (first_bad, is_dated): (Option<&str>, bool),
) -> String {
    let parts = parts(question).into_iter().map(Part::name).collect::<Vec<_>>().join("+");
    let made_of = if is_dated { parts } else { shape(question) };
    let digest = xxh3_64(format!("{made_of}\n{}", first_bad.unwrap_or("")).as_bytes());
    let (group, aspect) = (group.name().replace('_', "-"), alike(aspect).name());
    format!("{program}-{group}-{aspect}-{:08x}", digest >> 32)
}

/// One sentence on what is wrong.
pub fn title(
    program: &str,
    group: Feature,
    aspect: Aspect,
    ask: &Ask,
    no_answer: Option<&NoAnswer>,
) -> String {
    let what = match aspect {
        _ if matches!(no_answer, Some(NoAnswer::Hung { .. })) => "takes too long",
        _ if matches!(no_answer, Some(NoAnswer::Garbled { .. })) => "prints what cannot be read",
        _ if no_answer.is_some() => "fails",
        Aspect::Files => "names the wrong files",
        Aspect::Lines => "selects the wrong lines",
        Aspect::Text => "shows other text than the file has",
        Aspect::Spans => "reports matches at the wrong place",
        Aspect::Context => "shows the wrong context",
        Aspect::Count => "counts wrongly",
        Aspect::Order => "lists files out of order",
        Aspect::Status => "ends with the wrong status",
    };
    let with = if group == Feature::Regex {
        String::new()
    } else {
        format!(" with {}", group.name().replace('_', " "))
    };
    let patterns: Vec<String> = ask.patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("{program} {what}{with}: {}", patterns.join(", "))
}

#[cfg(test)]
mod tests;
