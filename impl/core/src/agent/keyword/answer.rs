//! Builds the answer from ranked files and the model's reply (REQ-KWS-001.3, REQ-KWS-003.4;
//! docs/keyword-search.md, sections 7 and 8).
//!
//! Invariants: every file and line of an answer is a hit; words of a model are marked as such.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{
    Request,
    found::{Draft, Found, Line, Model, ModelOutcome, PassedOver, RankedBy, Ranking, TermFound},
    hits::HitLine,
    measure::SHOWN_LINES,
    pool::PoolFile,
    reply::{NamedFile, Reply, bare, read},
    selected_terms::{SelectedTerms, SkipReason},
};
use crate::{
    agent::{
        Listing, Notice, NoticeKind, Page, Reason,
        cut::{Anchor, cut},
    },
    order::compare,
};

/// Longest shown term in bytes of JSON.
const SHOWN_TERM_BYTES: usize = 64;

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
    /// The terms and ranked files.
    pub selected: &'f SelectedTerms,
    /// The call of a model, if there was one.
    pub asked: Option<ModelCall>,
    /// The search root as shown.
    pub root: String,
}

/// A file of the answer.
struct Chosen<'f> {
    file: &'f PoolFile,
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
            let all = self.selected.pool.iter();
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
        Draft {
            nouns: ("file", "files"),
            total: chosen.len() as u64,
            counts: String::new(),
            results: chosen
                .into_iter()
                .take(page.max_results)
                .map(|chosen| self.result(chosen))
                .collect(),
            page,
            stopped: self.skipped(),
            searched: self.selected.searched.clone(),
            notices,
            advice: "terms are literal, and found in the middle of words too; try other words for the same thing, shorter ones, or stems",
            listing: Listing::OnePage,
            own: Ranking { model, ranked_by, root: self.root.clone(), terms: self.terms() },
        }
    }

    /// The valid part of a model's reply; `None` if the reply has no list of files.
    fn check(&self, asked: &ModelCall, notices: &mut Vec<Notice>) -> Option<Checked<'_>> {
        let failed = |why: String| {
            let why = cut(&why, Anchor::Start).text;
            Notice::new(
                NoticeKind::ModelFailed,
                format!("{why}; these are all files with hits, ranked without a model"),
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
            notices
                .push(failed(format!("`{}` named only files without hits ({files})", asked.name)));
        } else if checked.chosen.is_empty() {
            let hits = self.selected.files();
            notices.push(Notice::new(
                NoticeKind::ModelKeptNone,
                format!("`{}` thinks that none of the {hits} files with hits matters; `use_model`: false shows them", asked.name),
            ));
        }
        if files + lines > 0 {
            notices.push(Notice::new(
                NoticeKind::ModelDropped,
                format!(
                    "{files} files and {lines} lines that `{}` named are no hits, and were left out",
                    asked.name
                ),
            ));
        }
        Some(checked)
    }

    fn checked(&self, named: Vec<NamedFile>) -> Checked<'_> {
        let mut by_heading: BTreeMap<&str, &PoolFile> = BTreeMap::new();
        let mut in_path_order: Vec<&PoolFile> =
            self.selected.pool.iter().filter(|file| !file.lines.is_empty()).collect();
        in_path_order.sort_by(|one, other| compare(&one.walked, &other.walked));
        for file in in_path_order {
            by_heading.entry(&file.heading).or_insert(file);
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
                lines.into_iter().partition(|line| file.lines.contains_key(line));
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
            files_sent: self.selected.files(),
            host,
            model,
            name,
            outcome: if answered { ModelOutcome::Answered } else { ModelOutcome::Failed },
            passed_over: passed_over.collect(),
            redacted,
        }
    }

    fn terms(&self) -> Vec<TermFound> {
        let each = self.selected.terms.iter().map(|term| {
            let kept = term.skipped.is_none();
            let files = term.found.files.len() as u64;
            TermFound {
                bytes: kept.then_some(term.found.bytes),
                files: if kept { Some(files) } else { term.only_hit_files },
                lines: kept.then(|| term.found.lines()),
                skipped: term.skipped,
                term: short(&term.term),
            }
        });
        each.collect()
    }

    fn skipped(&self) -> Option<(Reason, String)> {
        let named = |why: SkipReason| -> Vec<String> {
            let terms = self.selected.terms.iter();
            let terms = terms.filter(|term| term.skipped == Some(why) && !term.counts());
            terms.map(|term| json!(short(&term.term)).to_string()).collect()
        };
        let mut whys = Vec::new();
        let broad = named(SkipReason::TooBroad);
        if !broad.is_empty() {
            whys.push(format!(
                "not all files were looked at that hold these terms, which have too many hits: {}",
                broad.join(", ")
            ));
        }
        let late = named(SkipReason::OverBudget);
        if !late.is_empty() {
            whys.push(format!("nor those that hold these, for want of room: {}", late.join(", ")));
        }
        (!whys.is_empty()).then(|| (Reason::TermsSkipped, whys.join("; ")))
    }

    fn result(&self, chosen: Chosen<'_>) -> Found {
        let Chosen { file, lines, reason } = chosen;
        let measures = self.selected.measures.get(&file.walked);
        let shown: Vec<&HitLine> = if lines.is_empty() {
            measures.iter().flat_map(|measures| &measures.lines).collect()
        } else {
            lines.iter().filter_map(|line| file.lines.get(line)).collect()
        };
        let has = |number: usize| {
            let units = measures.and_then(|measures| measures.units.get(number));
            self.selected.is_named(number) && units.is_some_and(|units| *units > 0)
        };
        let terms = self.selected.terms.iter().enumerate().filter(|(number, _)| has(*number));
        let line = |hit: &&HitLine| Line { line: hit.number, text: hit.shown.text.clone() };
        Found {
            cut: shown.iter().any(|hit| hit.shown.cut),
            lines: shown.iter().map(line).collect(),
            match_count: measures.map_or(0, |measures| measures.match_count),
            model_reason: reason,
            path: file.path.clone(),
            score: file.score,
            terms: terms.map(|(_, term)| short(&term.term)).collect(),
        }
    }
}

/// A term shortened to [`SHOWN_TERM_BYTES`] of JSON.
fn short(term: &str) -> String {
    let written = |c: char| match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    };
    let mut bytes = 0;
    let end = term.char_indices().find(|(_, c)| {
        bytes += written(*c);
        bytes > SHOWN_TERM_BYTES
    });
    end.map_or_else(
        || term.to_owned(),
        |(end, _)| format!("{}…", term.get(..end).unwrap_or_default()),
    )
}
