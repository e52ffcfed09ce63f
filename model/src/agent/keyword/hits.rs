//! The hits of each term, the text made of them, and which terms are kept (section 3).
//!
//! Invariants: files are in path order; a term is skipped or has a text, and the texts of the kept
//! terms fit `total_bytes`.

use std::collections::BTreeMap;

use super::Config;
use super::hit_files::{self, HitFiles};
use super::request::{Call, Term};
use super::secrets::{Clean, Secrets};
use crate::agent::files::{self, FileText, Files};
use crate::agent::lines;
use crate::content;
use crate::meter::Meter;
use crate::place;
use crate::sandbox::SearchRoot;
use crate::tables::caps::{CapLimit, Counted};
use crate::walk::{Candidate, Depth, Links, Paths, Scope};
use crate::world::World;

/// The prefix of paths outside the working directory, which stands for the sandbox root.
const ROOT: &str = "{root}";

pub(super) struct Hits<'w> {
    pub(super) files: Files<'w>,
    pub(super) readings: Vec<FileText<'w>>,
    /// One per eligible file.
    pub(super) held: Vec<FileHits>,
    /// One per term.
    pub(super) terms: Vec<TermHits>,
    pub(super) hit_files: HitFiles,
    /// Indices of the terms that results may name.
    nameable: Vec<usize>,
}

/// The hits of a file.
pub(super) struct FileHits {
    /// Path as shown.
    pub(super) path: String,
    /// Path below the search root, redacted.
    pub(super) heading: Clean,
    /// For each term, the lines with a hit, 0-based.
    pub(super) hits: Vec<Vec<usize>>,
    /// The redacted lines near a hit.
    sent: BTreeMap<usize, Clean>,
}

/// The text of a term's hits, or why the term is skipped.
#[derive(Debug)]
pub(super) struct TermHits {
    pub(super) text: Clean,
    pub(super) skipped: Option<&'static str>,
}

impl Hits<'_> {
    /// Indices of the kept terms.
    pub(super) fn kept(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.terms).filter(|(_, term)| term.skipped.is_none()).map(|(place, _)| place)
    }

    /// Number of files with a hit of a term.
    pub(super) fn files_with(&self, term: usize) -> usize {
        holding(&self.held, term).len()
    }

    /// Whether a file is a hit file.
    pub(super) fn is_hit_file(&self, file: usize) -> bool {
        self.hit_files.hit_files.get(file).is_some_and(|is_one| *is_one)
    }

    /// The lines of a file with hits of kept terms, which a model may name.
    pub(super) fn sent_hits(&self, file: &FileHits) -> Vec<usize> {
        lines_of(file, self.kept())
    }

    /// Terms with hits in a hit file that its result may name.
    pub(super) fn named_in(&self, file: usize) -> Vec<usize> {
        let held = self.held.get(file).filter(|_| self.is_hit_file(file));
        let has_hits = |term: &usize| held.is_some_and(|held| !held.hits_of(*term).is_empty());
        self.nameable.iter().copied().filter(has_hits).collect()
    }

    /// Lines of a hit file that its result may show.
    pub(super) fn lines_in(&self, file: usize) -> Vec<usize> {
        let held = self.held.get(file);
        held.map(|held| lines_of(held, self.named_in(file).into_iter())).unwrap_or_default()
    }
}

/// The lines with a hit of one of these terms.
fn lines_of(file: &FileHits, terms: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut all: Vec<usize> = terms.flat_map(|term| file.hits_of(term).to_vec()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Indices of the files with a hit of a term.
fn holding(files: &[FileHits], term: usize) -> Vec<usize> {
    let both = (0..).zip(files).filter(|(_, file)| !file.hits_of(term).is_empty());
    both.map(|(place, _)| place).collect()
}

impl FileHits {
    /// The lines with a hit of a term, 0-based.
    pub(super) fn hits_of(&self, term: usize) -> &[usize] {
        self.hits.get(term).map_or(&[], Vec::as_slice)
    }
}

/// Searches every file.
pub(super) fn find<'w>(
    world: &'w World,
    config: &Config,
    call: &Call,
    root: &SearchRoot<'_>,
) -> Hits<'w> {
    let scope = Scope {
        root,
        include: &[],
        exclude: &[],
        depth: Depth::All,
        hidden: false,
        links: Links::Skipped,
        no_ignore: false,
        paths: Paths::FromWorkingDirectory,
    };
    let files = files::files_of(world, &config.agent, &scope, true, |_| true);
    let readings = files.read(&config.agent);
    let secrets = Secrets::of(config.tables);
    let both = files.eligible.iter().zip(&readings);
    let held: Vec<FileHits> =
        both.map(|(file, reading)| held(config, &call.terms, &secrets, file, reading)).collect();
    let mut meter =
        Meter::new(config.agent.search.tables.caps.keyword, false, |limit| match limit {
            CapLimit::TermBytes => Some(config.term_bytes),
            CapLimit::TotalBytes => Some(config.total_bytes),
            _ => None,
        });
    let texts = (0..call.terms.len()).map(|term| text(config, &held, term));
    let passed = meter.pass(texts, |text, counted| match counted {
        Counted::TermBytes => u64::try_from(text.text.len()).ok(),
        _ => None,
    });
    let mut terms: Vec<TermHits> = passed
        .gone_through
        .into_iter()
        .map(|(text, cap)| TermHits { text, skipped: cap.map(|cap| cap.reason) })
        .collect();
    if let Some((_, cap)) = passed.stopped {
        // Every term has an entry, also after the loop ends early.
        terms.resize_with(call.terms.len(), || TermHits {
            text: Clean::default(),
            skipped: Some(cap.reason),
        });
    }
    let kept: Vec<bool> = terms.iter().map(|term| term.skipped.is_none()).collect();
    let holding: Vec<Vec<usize>> = (0..terms.len()).map(|term| holding(&held, term)).collect();
    let hit_files = hit_files::select(held.len(), &kept, &holding, config.broad_files);
    let can_be_named =
        |term: &usize| config.broad_files > 0 || kept.get(*term).is_some_and(|kept| *kept);
    let nameable = (0..terms.len()).filter(can_be_named).collect();
    Hits { files, readings, held, terms, hit_files, nameable }
}

fn held(
    config: &Config,
    terms: &[Term],
    secrets: &Secrets,
    file: &Candidate<'_>,
    reading: &FileText<'_>,
) -> FileHits {
    let bytes = reading.lines();
    let lines: Vec<String> = bytes.iter().map(|line| place::lossy(line)).collect();
    let hits: Vec<Vec<usize>> = terms
        .iter()
        .map(|term| {
            let numbered = (0..).zip(&bytes);
            numbered
                .filter(|(_, line)| first_place(line, term).is_some())
                .map(|(number, _)| number)
                .collect()
        })
        .collect();
    let path = shown_path(&file.path, &config.root);
    let mut heading = secrets.clean(&place::lossy(&place::join(&file.below_root)));
    heading.text = content::escaped(config.agent.search.tables, &heading.text, false);
    let of_keys = if hits.iter().all(Vec::is_empty) { Vec::new() } else { secrets.of_keys(&lines) };
    let mut sent = BTreeMap::new();
    for (number, (line, of_key)) in lines.iter().zip(of_keys).enumerate() {
        if hits.iter().flatten().any(|hit| is_near(*hit, number, config)) {
            sent.insert(number, sent_line(config, secrets, line, of_key));
        }
    }
    FileHits { path, heading, hits, sent }
}

/// The offset of a term's first occurrence in a line.
pub(super) fn first_place(line: &[u8], term: &Term) -> Option<usize> {
    let sought = term.folded.as_bytes();
    line.windows(sought.len()).position(|window| window.eq_ignore_ascii_case(sought))
}

/// Replaces the prefix of a path outside the working directory by the sandbox root.
pub(super) fn shown_path(path: &str, root: &str) -> String {
    match path.strip_prefix(ROOT) {
        Some(below) if below.is_empty() || below.starts_with('/') => format!("{root}{below}"),
        _ => path.to_owned(),
    }
}

fn is_near(hit: usize, line: usize, config: &Config) -> bool {
    let context = usize::try_from(config.tables.limits.context_lines).unwrap_or(usize::MAX);
    hit.abs_diff(line) <= context
}

/// A redacted line.
fn sent_line(config: &Config, secrets: &Secrets, line: &str, of_key: bool) -> Clean {
    let looked_at = usize::try_from(config.tables.limits.redacted_bytes).unwrap_or(usize::MAX);
    let head = line.get(..lines::boundary_before(line, looked_at)).unwrap_or_default();
    let clean = if of_key { secrets.of_key() } else { secrets.clean(head) };
    let cut = lines::shown(&clean.text, 0, &config.agent.tables.limits).text;
    Clean {
        text: content::escaped(config.agent.search.tables, &cut, true),
        redacted: clean.redacted,
    }
}

/// The text of a term's hits with their context.
fn text(config: &Config, files: &[FileHits], term: usize) -> Clean {
    let mut all = Clean::default();
    for file in files.iter().filter(|file| !file.hits_of(term).is_empty()) {
        if !all.text.is_empty() {
            all.text.push('\n');
        }
        all.text.extend([&*file.heading.text, "\n"]);
        all.redacted += file.heading.redacted;
        let mut before: Option<usize> = None;
        for (number, line) in &file.sent {
            if !file.hits_of(term).iter().any(|hit| is_near(*hit, *number, config)) {
                continue;
            }
            if before.is_some_and(|before| before + 1 < *number) {
                all.text.push_str("--\n");
            }
            let mark = if file.hits_of(term).contains(number) { ":" } else { "-" };
            all.text.extend([&*(number + 1).to_string(), mark, &*line.text, "\n"]);
            all.redacted += line.redacted;
            before = Some(*number);
        }
    }
    all
}
