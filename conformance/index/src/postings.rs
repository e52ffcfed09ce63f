//! Postings: production's factored filters, held against filters built file by file.
//!
//! Responsible for: the packed filter of every file, rebuilt from postings, bit for bit the
//! model's; the files that a gram passes, exactly those whose packed filter it passes; the files
//! that meet a need, exactly those whose filters do. Filters are so small that grams pass that are
//! in no file, and it is counted how often. Not here: the filters themselves (`filters`), how
//! postings are stored. Invariants: corpora are small first; a run without a false positive is a
//! fault of the check.

use forge_search_core::index::filter::FilterParameters;
use forge_search_core::index::gram::Gram;
use forge_search_core::index::need::{Need, Variant};
use forge_search_core::index::postings::{FileId, Postings};
use forge_search_core::index::tokens as production;
use touchstone_cases::case::escape;
use touchstone_cases::dice::Dice;
use touchstone_model::index::exclusion::Filters;
use touchstone_model::index::filter::Scheme;
use touchstone_model::index::tables::IndexTables;
use touchstone_model::index::tokens::{self as model, Grams};

use super::filters::{SEEDS, scheme};
use super::tokens::{FOLDS, SIZES};
use super::{Area, AreaReport, Extent, texts};

const VARIANTS: [Variant; 2] = [Variant::Sensitive, Variant::Insensitive];

/// A corpus, file by file.
struct Corpus<'t> {
    scheme: Scheme<'t>,
    files: Vec<File>,
}

/// A file: its number, its grams of both variants, its filters.
struct File {
    id: FileId,
    text: Vec<u8>,
    grams: [Grams; 2],
    filters: Filters,
}

#[derive(Default)]
struct Counts {
    packed: u64,
    answers: u64,
    needs: u64,
    false_positives: u64,
}

/// Holds production's postings against the model's filters over these tables.
pub(crate) fn check(
    tables: &IndexTables<'_>,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> AreaReport {
    let mut checked = AreaReport::of(Area::Postings);
    let mut counts = Counts::default();
    let corpora = u64::from(extent.drawn / 8).max(40);
    for number in 0..corpora {
        let mut dice = Dice::new(extent.seed ^ 0x9057, number);
        if let Err(told) = one(tables, &mut dice, number, &mut counts) {
            checked.fault("postings and filters differ", format!("corpus      {number}\n{told}"));
            break;
        }
        tick(1);
    }
    checked.cases = counts.packed + counts.answers + counts.needs;
    if counts.false_positives == 0 && checked.faults.is_empty() {
        checked.fault(
            "the check decides too little",
            "no gram passed a filter without being in the file".to_owned(),
        );
    }
    checked.fact(format!(
        "{corpora} corpora; {} packed filters, {} answers to a gram, {} to a need, {} false positives among them",
        counts.packed, counts.answers, counts.needs, counts.false_positives
    ));
    checked
}

fn one(
    tables: &IndexTables<'_>,
    dice: &mut Dice,
    number: u64,
    counts: &mut Counts,
) -> Result<(), String> {
    let (fold, other_fold) = dice.pick(&FOLDS, FOLDS[0]);
    let ngram = dice.pick(&SIZES, 3);
    let size = usize::try_from(ngram).unwrap_or(3);
    let bits = dice.pick(&[1, 5, 17, 64, 101, 251, 1_021], 17);
    let parameters =
        FilterParameters { bits, hashes: dice.pick(&[1, 2, 3, 7], 2), seed: dice.pick(&SEEDS, 1) };
    let scheme = scheme(&tables.filter, parameters);

    let mut tokenizer =
        production::Tokenizer::new(production::Parameters { max_bytes: 1 << 20, ngram: size });
    let mut files = Vec::new();
    let mut listed: Vec<(FileId, Vec<Gram>)> = Vec::new();
    for place in 0..=u32::try_from(number % 12).unwrap_or(0) {
        // Numbers with gaps, not in order.
        let id = place.wrapping_mul(7).wrapping_add(3) % 101;
        let text: Vec<u8> = texts::drawn(dice).into_iter().take(dice.below(80)).collect();
        let parameters = model::Parameters { max_tokenized_bytes: 1 << 20, ngram };
        let tokens = model::tokenize(&tables.text, &parameters, &text);
        let filters = Filters::of(&tables.text, &scheme, &tokens, fold);
        listed.push((id, tokenizer.tokenize(&text).grams));
        let insensitive = model::fold(&tables.text, fold, &tokens.sensitive);
        files.push(File { id, text, grams: [tokens.sensitive, insensitive], filters });
    }
    files.sort_by_key(|file| file.id);
    let corpus = Corpus { scheme, files };
    let postings = Postings::build(
        parameters,
        other_fold,
        listed.iter().map(|(id, grams)| (*id, grams.as_slice())),
    );
    corpus.packed(&postings, counts)?;
    let asked = corpus.questions(dice, size);
    corpus.answers(&postings, &asked, counts)?;
    corpus.needs(&postings, &asked, dice, counts)
}

impl Corpus<'_> {
    /// Every file's filters, rebuilt.
    fn packed(&self, postings: &Postings, counts: &mut Counts) -> Result<(), String> {
        for file in &self.files {
            for variant in VARIANTS {
                counts.packed += 1;
                let rebuilt = postings.packed(variant, file.id);
                if rebuilt != *file.packed(variant) {
                    return Err(format!(
                        "text        `{}`\nvariant     {}\nmodel       {:02x?}\nproduction  {rebuilt:02x?}",
                        escape(&file.text),
                        variant.name(),
                        file.packed(variant)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Grams of the files, and others.
    fn questions(&self, dice: &mut Dice, size: usize) -> Vec<Gram> {
        let mut asked: Vec<Gram> = Vec::new();
        for file in &self.files {
            let grams = file.grams.iter().flatten().step_by(1 + dice.below(5)).take(12);
            asked.extend(grams.filter_map(|gram| Gram::new(gram)));
        }
        for _ in 0..12 {
            let scalars: Vec<char> = (0..size)
                .map(|_| dice.pick(&['a', 'e', 'K', '\u{e9}', '\n', 'q', '\u{212a}'], 'a'))
                .collect();
            asked.extend(Gram::new(&scalars));
        }
        asked
    }

    /// The files whose filter a gram passes.
    fn answers(
        &self,
        postings: &Postings,
        asked: &[Gram],
        counts: &mut Counts,
    ) -> Result<(), String> {
        for gram in asked {
            let scalars: Vec<char> = gram.scalars().collect();
            for variant in VARIANTS {
                let passing = postings.passing(variant, *gram);
                let brute: Vec<FileId> = self
                    .files
                    .iter()
                    .filter(|file| self.scheme.passes(file.packed(variant), &scalars))
                    .map(|file| file.id)
                    .collect();
                counts.answers += 1;
                let absent = |file: &&File| !file.grams(variant).contains(&scalars);
                let wrongly = self
                    .files
                    .iter()
                    .filter(|file| brute.contains(&file.id))
                    .filter(absent)
                    .count();
                counts.false_positives += wrongly as u64;
                if passing != brute {
                    return Err(format!(
                        "gram        {scalars:?}\nvariant     {}\nfilters     {brute:?}\npostings    {passing:?}",
                        variant.name()
                    ));
                }
            }
        }
        Ok(())
    }

    /// The files that meet a need.
    fn needs(
        &self,
        postings: &Postings,
        asked: &[Gram],
        dice: &mut Dice,
        counts: &mut Counts,
    ) -> Result<(), String> {
        for _ in 0..8 {
            let need = need(asked, dice, 2);
            let met = |file: &&File| {
                need.met(&mut |variant, gram| {
                    self.scheme.passes(file.packed(variant), &gram.scalars().collect::<Vec<_>>())
                })
            };
            let brute: Vec<FileId> = self.files.iter().filter(met).map(|file| file.id).collect();
            let meeting = postings.meeting(&need);
            counts.needs += 1;
            if meeting != brute {
                return Err(format!(
                    "need        {need:?}\nfilters     {brute:?}\npostings    {meeting:?}"
                ));
            }
        }
        Ok(())
    }
}

impl File {
    fn packed(&self, variant: Variant) -> &Vec<u8> {
        match variant {
            Variant::Sensitive => &self.filters.sensitive,
            Variant::Insensitive => &self.filters.insensitive,
        }
    }

    fn grams(&self, variant: Variant) -> &Grams {
        let [sensitive, insensitive] = &self.grams;
        if variant == Variant::Sensitive { sensitive } else { insensitive }
    }
}

/// A need out of these grams, so deep at most.
fn need(grams: &[Gram], dice: &mut Dice, depth: usize) -> Need {
    let part = |dice: &mut Dice| need(grams, dice, depth.saturating_sub(1));
    match dice.below(if depth == 0 { 2 } else { 6 }) {
        0 if dice.once_in(8) => Need::Nothing,
        0 | 1 => {
            let gram = grams.get(dice.below(grams.len())).copied();
            gram.map_or(Need::Nothing, |gram| {
                Need::Gram(dice.pick(&VARIANTS, Variant::Sensitive), gram)
            })
        }
        2 | 3 => Need::all([part(dice), part(dice)]),
        _ => Need::one_of([part(dice), part(dice), part(dice)]),
    }
}
