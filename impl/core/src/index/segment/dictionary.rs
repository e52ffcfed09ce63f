//! What a need comes to over one segment: the files that meet it by their filters, false positives
//! included (docs/postings.md, theorem 1).

use std::sync::{Arc, OnceLock};

use super::{
    Fault,
    block::{Blocks, Entries},
    list::List,
    set::RankSet,
    sketch::Sketch,
};
use crate::index::{
    filter::FilterParameters,
    fold::Fold,
    gram::Gram,
    need::{Need, Variant},
};

/// The way into a segment's blocks.
#[derive(Debug)]
pub struct Dictionary {
    /// What the filters have in common.
    pub parameters: FilterParameters,
    /// The fold of the INSENSITIVE variant.
    pub fold: Fold,
    files: u32,
    /// The first gram of each block.
    first: Vec<Gram>,
    sketches: [Sketch; 2],
    setters: [OnceLock<Arc<Setters>>; 2],
}

/// For each bit of a variant which grams set it.
#[derive(Debug)]
struct Setters {
    grams: Vec<Gram>,
    /// The bit, and the place of the gram in `grams`, in order.
    pairs: Vec<(u64, u32)>,
}

impl Dictionary {
    /// The way into these blocks.
    pub fn new(
        parameters: FilterParameters,
        fold: Fold,
        files: u32,
        first: Vec<Gram>,
        sketches: [Sketch; 2],
    ) -> Self {
        Self {
            parameters,
            fold,
            files,
            first,
            sketches,
            setters: [OnceLock::new(), OnceLock::new()],
        }
    }

    /// The first gram of each block.
    pub fn first(&self) -> &[Gram] {
        &self.first
    }

    /// The sketches: SENSITIVE, INSENSITIVE.
    pub fn sketches(&self) -> &[Sketch; 2] {
        &self.sketches
    }

    /// The files that meet a need.
    pub fn meeting(&self, blocks: &dyn Blocks, need: &Need) -> Result<RankSet, Fault> {
        match need {
            Need::Nothing => Ok(RankSet::all(self.files)),
            Need::Gram(variant, gram) => self.passing(blocks, *variant, *gram),
            Need::All(parts) => {
                let mut meeting = RankSet::all(self.files);
                for part in parts {
                    meeting.intersect(&self.meeting(blocks, part)?);
                    if meeting.is_empty() {
                        break;
                    }
                }
                Ok(meeting)
            }
            Need::OneOf(parts) => {
                let mut meeting = RankSet::none(self.files);
                for part in parts {
                    meeting.unite(&self.meeting(blocks, part)?);
                }
                Ok(meeting)
            }
        }
    }

    /// The files whose filter a gram passes.
    fn passing(&self, blocks: &dyn Blocks, variant: Variant, gram: Gram) -> Result<RankSet, Fault> {
        let mut passing = RankSet::none(self.files);
        let mut held = false;
        for gram in self.unfolded(variant, gram) {
            held |= self.add_holders(blocks, gram, &mut passing)?;
        }
        let [sensitive, insensitive] = &self.sketches;
        let sketch = if variant == Variant::Sensitive { sensitive } else { insensitive };
        if sketch.possible(gram, held, &self.parameters) {
            passing.unite(&self.passing_by_chance(blocks, variant, gram)?);
        }
        Ok(passing)
    }

    /// The grams of a text that are `gram` in a variant.
    fn unfolded(&self, variant: Variant, gram: Gram) -> Vec<Gram> {
        if variant == Variant::Sensitive {
            return vec![gram];
        }
        let mut texts: Vec<Vec<char>> = vec![Vec::new()];
        for c in gram.scalars() {
            let sources = self.fold.sources(c);
            texts = texts
                .iter()
                .flat_map(|text| {
                    sources.iter().map(|source| [text.as_slice(), &[*source]].concat())
                })
                .collect();
        }
        texts.iter().filter_map(|text| Gram::new(text)).collect()
    }

    /// Adds the files that hold a gram; whether there are any.
    fn add_holders(
        &self,
        blocks: &dyn Blocks,
        gram: Gram,
        set: &mut RankSet,
    ) -> Result<bool, Fault> {
        let Some(number) = self.first.partition_point(|first| *first <= gram).checked_sub(1) else {
            return Ok(false);
        };
        let block = blocks.block(number)?;
        let mut entries = Entries::new(&block);
        while let Some((found, list)) = entries.next()? {
            if found == gram {
                list.add_to(set)?;
                return Ok(true);
            }
            if found > gram {
                break;
            }
        }
        Ok(false)
    }

    /// The files in which every probe of a gram is set by some gram, whichever.
    fn passing_by_chance(
        &self,
        blocks: &dyn Blocks,
        variant: Variant,
        gram: Gram,
    ) -> Result<RankSet, Fault> {
        let setters = self.setters(blocks, variant)?;
        let mut passing = RankSet::all(self.files);
        for bit in self.parameters.probes(gram) {
            let mut set = RankSet::none(self.files);
            let from = setters.pairs.partition_point(|(other, _)| *other < bit);
            let of_bit = setters
                .pairs
                .get(from..)
                .unwrap_or_default()
                .iter()
                .take_while(|pair| pair.0 == bit);
            for (_, place) in of_bit {
                if let Some(gram) = setters.grams.get(*place as usize) {
                    self.add_holders(blocks, *gram, &mut set)?;
                }
            }
            passing.intersect(&set);
            if passing.is_empty() {
                break;
            }
        }
        Ok(passing)
    }

    /// Which grams set which bits; one pass over the segment, kept.
    fn setters(&self, blocks: &dyn Blocks, variant: Variant) -> Result<Arc<Setters>, Fault> {
        let [sensitive, insensitive] = &self.setters;
        let kept = if variant == Variant::Sensitive { sensitive } else { insensitive };
        if let Some(setters) = kept.get() {
            return Ok(Arc::clone(setters));
        }
        let mut setters = Setters { grams: Vec::new(), pairs: Vec::new() };
        self.each_gram(blocks, |gram, _| {
            let image = if variant == Variant::Sensitive { gram } else { gram.fold(self.fold) };
            let place = u32::try_from(setters.grams.len()).unwrap_or(u32::MAX);
            setters.pairs.extend(self.parameters.probes(image).map(|bit| (bit, place)));
            setters.grams.push(gram);
            Ok(())
        })?;
        setters.pairs.sort_unstable();
        setters.pairs.dedup();
        Ok(Arc::clone(kept.get_or_init(|| Arc::new(setters))))
    }

    /// Goes through every gram of the segment, with its list.
    fn each_gram(
        &self,
        blocks: &dyn Blocks,
        mut each: impl FnMut(Gram, List<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for number in 0..self.first.len() {
            let block = blocks.block(number)?;
            let mut entries = Entries::new(&block);
            while let Some((gram, list)) = entries.next()? {
                each(gram, list)?;
            }
        }
        Ok(())
    }

    /// The SENSITIVE grams of every file, in order, by rank.
    pub fn grams_of_all(&self, blocks: &dyn Blocks) -> Result<Vec<Vec<Gram>>, Fault> {
        let mut files = vec![Vec::new(); self.files as usize];
        self.each_gram(blocks, |gram, list| {
            list.each(self.files, |rank| {
                files.get_mut(rank as usize).into_iter().for_each(|grams| grams.push(gram));
            })
        })?;
        Ok(files)
    }

    /// The SENSITIVE grams of one file, in order: one pass over the segment.
    pub fn grams_of(&self, blocks: &dyn Blocks, rank: u32) -> Result<Vec<Gram>, Fault> {
        let mut grams = Vec::new();
        self.each_gram(blocks, |gram, list| {
            let mut set = RankSet::none(self.files);
            list.add_to(&mut set)?;
            if set.contains(rank) {
                grams.push(gram);
            }
            Ok(())
        })?;
        Ok(grams)
    }
}
