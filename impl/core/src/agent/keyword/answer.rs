//! Builds the answer from ranked files and the model's reply (REQ-KWS-001.3, REQ-KWS-003.4;
//! docs/keyword-search.md, sections 7 and 8).
//!
//! Invariants: every file and line of an answer is a hit; words of a model are marked as such.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Request,
    best_lines::SHOWN_LINES,
    findings::{Findings, RankedFile},
    found::{Draft, Found, Model, ModelOutcome, PassedOver, RankedBy, Ranking, short},
    hits::HitLine,
    reply::{NamedFile, Reply, bare, read},
};
use crate::{
    agent::{
        Listing, Notice, NoticeKind, Page,
        cut::{Anchor, cut},
        excerpt::Line,
    },
    order::compare,
};

/// A call of a language model and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCall {
    /// The name in the configuration.
    pub name: String,
    /// The provider's name of the model.
    pub model: String,
    /// The host.
    pub host: String,
    /// Length of the prompt in bytes.
    pub bytes_sent: u64,
    /// Number of redacted secrets in the prompt.
    pub redacted: u64,
    /// The reply, or why there is none.
    pub answer: Result<String, String>,
    /// Earlier calls that failed.
    pub passed_over: Vec<ModelCall>,
}

/// The input of [`AnswerInput::answer`].
pub struct AnswerInput<'f> {
    /// The request.
    pub request: &'f Request,
    /// What was found.
    pub findings: &'f Findings,
    /// The call of a model, if there was one.
    pub asked: Option<ModelCall>,
    /// The search root as shown.
    pub root: String,
}

/// A file of the answer.
struct Chosen<'f> {
    file: &'f RankedFile,
    /// Lines that the model named.
    lines: Vec<u64>,
    reason: Option<String>,
}

/// A model's list of files after validation.
#[derive(Default)]
struct Checked<'f> {
    chosen: Vec<Chosen<'f>>,
    dropped_files: u64,
    dropped_lines: u64,
    named: usize,
}

impl Checked<'_> {
    /// Whether the list is usable: it has a valid file, or the model named none.
    const fn holds(&self) -> bool {
        !self.chosen.is_empty() || self.named == 0
    }
}

impl AnswerInput<'_> {
    /// The answer before it is cut to its budget.
    pub fn answer(&self) -> Draft {
        let mut notices = Vec::new();
        let ranked = || -> Vec<Chosen<'_>> {
            let all = self.findings.files.iter();
            all.map(|file| Chosen { file, lines: Vec::new(), reason: None }).collect()
        };
        let (mut ranked_by, mut model) = (RankedBy::Hits, None);
        let chosen = match &self.asked {
            None => ranked(),
            Some(asked) => {
                let checked = self.check(asked, &mut notices);
                let answered = checked.as_ref().is_some_and(Checked::holds);
                model = Some(self.model(asked, checked.as_ref(), answered));
                match checked {
                    Some(checked) if answered => {
                        ranked_by = RankedBy::Model;
                        checked.chosen
                    }
                    _ => ranked(),
                }
            }
        };
        let page = Page { offset: 0, max_results: self.request.max_results };
        let total = match ranked_by {
            RankedBy::Hits => self.findings.total,
            RankedBy::Model => chosen.len() as u64,
        };
        Draft {
            nouns: ("file", "files"),
            total,
            counts: String::new(),
            results: chosen
                .into_iter()
                .take(page.max_results)
                .map(|chosen| self.result(chosen))
                .collect(),
            page,
            stopped: self.findings.stopped.clone(),
            searched: self.findings.searched.clone(),
            notices,
            advice: "try other words for the same thing, or parts of names".to_owned(),
            listing: Listing::OnePage,
            own: Ranking {
                model,
                ranked_by,
                root: self.root.clone(),
                terms: self.findings.terms.clone(),
            },
        }
    }

    /// The valid part of a model's reply; `None` if the reply has no list of files.
    fn check(&self, asked: &ModelCall, notices: &mut Vec<Notice>) -> Option<Checked<'_>> {
        let failed = |why: String| {
            let why = cut(&why, Anchor::Start).text;
            Notice::new(
                NoticeKind::ModelFailed,
                format!("{why}; these files are ranked without a model"),
            )
        };
        let named = match asked.answer.as_ref().map(|answer| read(answer)) {
            Err(why) => {
                notices.push(failed(format!("`{}` gave no answer: {why}", asked.name)));
                return None;
            }
            Ok(Reply::Malformed) => {
                notices.push(failed(format!(
                    "`{}` answered something that is no list of files",
                    asked.name
                )));
                return None;
            }
            Ok(Reply::Files(named)) => named,
        };
        let checked = self.checked(named);
        let (files, lines) = (checked.dropped_files, checked.dropped_lines);
        if !checked.holds() {
            notices.push(failed(format!(
                "`{}` named only files that were not sent to it ({files})",
                asked.name
            )));
        } else if checked.chosen.is_empty() {
            let hits = self.findings.files_sent();
            notices.push(Notice::new(
                NoticeKind::ModelKeptNone,
                format!("`{}` named none of the {hits} files that it read; `use_model`: false shows them", asked.name),
            ));
        }
        if files + lines > 0 {
            notices.push(Notice::new(
                NoticeKind::ModelDropped,
                format!(
                    "{files} files and {lines} lines that `{}` named were not sent to it, and were left out",
                    asked.name
                ),
            ));
        }
        Some(checked)
    }

    fn checked(&self, named: Vec<NamedFile>) -> Checked<'_> {
        let mut by_heading: BTreeMap<&str, &RankedFile> = BTreeMap::new();
        let mut in_path_order: Vec<&RankedFile> = self.findings.files.iter().collect();
        in_path_order.sort_by(|one, other| compare(&one.walked, &other.walked));
        for (file, heading) in
            in_path_order.into_iter().filter_map(|file| Some((file, file.heading.as_ref()?)))
        {
            by_heading.entry(heading).or_insert(file);
        }
        let mut checked = Checked { named: named.len(), ..Checked::default() };
        let mut seen = BTreeSet::new();
        for NamedFile { path, lines, not_lines, reason } in named {
            let of = |path: &str| by_heading.get(path).copied();
            let Some(file) = path.and_then(|path| of(&path).or_else(|| of(bare(&path)))) else {
                checked.dropped_files += 1;
                continue;
            };
            if !seen.insert(&file.walked) {
                continue;
            }
            let (mut hits, others): (Vec<u64>, Vec<u64>) =
                lines.into_iter().partition(|line| file.sent(*line).is_some());
            checked.dropped_lines += not_lines + others.len() as u64;
            let mut once = BTreeSet::new();
            hits.retain(|line| once.insert(*line));
            hits.truncate(SHOWN_LINES);
            hits.sort_unstable();
            checked.chosen.push(Chosen { file, lines: hits, reason });
        }
        checked
    }

    fn model(&self, asked: &ModelCall, checked: Option<&Checked<'_>>, answered: bool) -> Model {
        let (dropped_files, dropped_lines) =
            checked.map_or((0, 0), |checked| (checked.dropped_files, checked.dropped_lines));
        let ModelCall { name, model, host, bytes_sent, redacted, passed_over, .. } = asked.clone();
        let passed_over = passed_over.into_iter().map(|before| PassedOver {
            bytes_sent: before.bytes_sent,
            host: before.host,
            model: before.model,
            name: before.name,
            why: cut(&before.answer.err().unwrap_or_default(), Anchor::Start).text,
        });
        Model {
            bytes_sent,
            dropped_files,
            dropped_lines,
            files_sent: self.findings.files_sent(),
            host,
            model,
            name,
            outcome: if answered { ModelOutcome::Answered } else { ModelOutcome::Failed },
            passed_over: passed_over.collect(),
            redacted,
        }
    }

    fn result(&self, chosen: Chosen<'_>) -> Found {
        let Chosen { file, lines, reason } = chosen;
        let shown: Vec<&HitLine> = if lines.is_empty() {
            file.best.iter().collect()
        } else {
            lines.iter().filter_map(|line| file.sent(*line)).collect()
        };
        let terms = file.terms.iter().filter_map(|number| self.request.terms.get(*number));
        let line = |hit: &&HitLine| Line { line: hit.number, text: hit.shown.text.clone() };
        Found {
            cut: shown.iter().any(|hit| hit.shown.cut),
            lines: shown.iter().map(line).collect(),
            match_count: file.match_count,
            model_reason: reason,
            path: file.path.clone(),
            score: file.score,
            terms: terms.map(|term| short(term)).collect(),
        }
    }
}
