//! What a word comes to: every file where it occurs, with what its score needs.

use std::{collections::BTreeSet, sync::Arc};

use memchr::memmem;

use super::{
    Fault, Words,
    pair::Pair,
    split::{Kind, key, text_of},
    unpacked::{Lists, Unpacked},
};
use crate::identifier::{Coverage, Demand, Extent, Word, occurs, stands_alone, weight};

/// Parts beyond which a word is not looked up.
const MOST_PARTS: usize = 32;
/// Common parts of a query beyond which names that are made of them are not found by their parts,
/// but by looking through all blocks of one.
const MOST_COMMON: usize = 8;

/// Neighbouring blocks that are read at once, at most.
const AT_ONCE: usize = 64;

/// What a word has in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub file: u32,
    /// Units in the text.
    pub units: u32,
    /// Identifiers in which the word occurs.
    pub identifiers: u32,
    /// How surely it is what is defined, where it is surest, in eighths.
    pub strength: u32,
}

/// What one occurrence of a name counts.
#[derive(Clone, Copy)]
struct Weight {
    units: u32,
    identifiers: u32,
    eighths: u32,
}

impl Weight {
    fn of(self, pair: Pair) -> Found {
        let count = pair.uses.count();
        Found {
            file: pair.file,
            units: self.units.saturating_mul(count),
            identifiers: self.identifiers.saturating_mul(count),
            strength: self.eighths.saturating_mul(u32::from(pair.uses.level())),
        }
    }
}

/// A word being looked up.
struct Sought<'q> {
    word: Word<'q>,
    coverage: &'q Coverage,
    /// Stands in all names in which the word occurs.
    longest: memmem::Finder<'q>,
}

impl Sought<'_> {
    /// Whether the word occurs in a name, and how much of it that is at most.
    fn occurs(&self, name: &str, folded: &[u8]) -> Option<Extent> {
        let [only] = self.word.parts else { return occurs(self.word.parts, name) };
        let mut from = 0;
        // Most names are rejected here.
        while let Some(at) = folded.get(from..).and_then(|rest| self.longest.find(rest)) {
            let (start, end) = (from + at, from + at + only.len());
            match stands_alone(name.as_bytes(), start, end) {
                None => return occurs(self.word.parts, name),
                Some(false) => from = start + 1,
                Some(true) => {
                    let around = [name.get(..start)?, name.get(end..)?];
                    let is_whole = around.iter().all(|text| text.bytes().all(|byte| byte == b'_'));
                    return Some(if is_whole { Extent::Whole } else { Extent::Part });
                }
            }
        }
        None
    }

    /// What a name counts in which the word occurs.
    fn weight(&self, name: &str, folded: &[u8]) -> Option<(Extent, Weight, Option<u32>)> {
        let extent = self.occurs(name, folded)?;
        let covered = self.coverage.eighths(name);
        let (units, own) = weight(extent, name == self.word.spelled);
        Some((extent, Weight { units, identifiers: 1, eighths: covered.unwrap_or(own) }, covered))
    }

    /// What a name counts beyond what the list of a common run says of it.
    fn weight_beyond(&self, name: &str, folded: &[u8]) -> Option<Weight> {
        let (extent, weight, covered) = self.weight(name, folded)?;
        let units = u32::from(extent == Extent::Whole);
        (units > 0 || covered.is_some()).then_some(Weight { units, identifiers: 0, ..weight })
    }
}

impl Words {
    /// For each word of a query every file where it occurs, ascending; none for a word of so many
    /// parts that files have to be read for it.
    pub fn find(
        &self,
        query: &[Word<'_>],
        demand: Demand,
    ) -> Result<Vec<Option<Vec<Found>>>, Fault> {
        let coverage = Coverage::of(query.iter().copied(), demand);
        let is_short = |word: &Word<'_>| word.parts.len() <= MOST_PARTS;
        query
            .iter()
            .map(|word| is_short(word).then(|| self.word(*word, &coverage)).transpose())
            .collect()
    }

    fn word(&self, word: Word<'_>, coverage: &Coverage) -> Result<Vec<Found>, Fault> {
        let longest = word.parts.iter().max_by_key(|part| part.len());
        let longest = memmem::Finder::new(longest.map_or("", String::as_str));
        let sought = Sought { word, coverage, longest };
        let mut found = Vec::new();
        let stored = self.stored.as_ref();
        let common = match word.parts {
            [only] => self.common.list(stored, only, self.files)?.zip(Some(only)),
            _ => None,
        };
        if let Some((list, run)) = common {
            let part = Weight { units: 1, identifiers: 1, eighths: 1 };
            found.extend(list.iter().map(|pair| part.of(*pair)));
            // What shares a key may be in many blocks, of which few have the run.
            let own = self.keys.blocks(stored, key(Kind::Run, run))?;
            let mut blocks = shared(&own, &self.keys.blocks(stored, key(Kind::Whole, run))?);
            blocks.extend(self.covering(&own, coverage)?);
            blocks.sort_unstable();
            blocks.dedup();
            self.look(
                &blocks,
                &sought.longest,
                |name, folded| sought.weight_beyond(name, folded),
                &mut found,
            )?;
        } else {
            let blocks = self.holding(word.parts)?;
            self.look(
                &blocks,
                &sought.longest,
                |name, folded| Some(sought.weight(name, folded)?.1),
                &mut found,
            )?;
        }
        let long = (self.keyed..).zip(&self.folded);
        let long = long.filter(|(_, names)| sought.longest.find(names).is_some());
        let long: Vec<u32> = long.map(|(block, _)| block).collect();
        self.look(
            &long,
            &sought.longest,
            |name, folded| Some(sought.weight(name, folded)?.1),
            &mut found,
        )?;
        found.sort_by_key(|found| found.file);
        found.dedup_by(|more, kept| {
            let same = more.file == kept.file;
            if same {
                kept.units = kept.units.saturating_add(more.units);
                kept.identifiers = kept.identifiers.saturating_add(more.identifiers);
                kept.strength = kept.strength.max(more.strength);
            }
            same
        });
        Ok(found)
    }

    /// Looks through blocks, which are ascending, for names that hold `part` and weigh something.
    fn look(
        &self,
        blocks: &[u32],
        part: &memmem::Finder<'_>,
        weight: impl Fn(&str, &[u8]) -> Option<Weight>,
        found: &mut Vec<Found>,
    ) -> Result<(), Fault> {
        let mut list = Vec::new();
        let mut look_through = |block: &Unpacked, mut lists: Lists<'_>| {
            for (number, name, folded) in block.holding(part) {
                if let Some(weight) = weight(name, folded) {
                    lists.read(number, self.files, &mut list)?;
                    found.extend(list.iter().map(|pair| weight.of(*pair)));
                }
            }
            Ok(())
        };
        let mut unread = Vec::new();
        for number in blocks {
            match self.kept.get(*number) {
                Some(block) => look_through(&block, block.lists_by_steps(self.files))?,
                None => unread.push(*number),
            }
        }
        let neighbours = unread.chunk_by(|a, b| a + 1 == *b);
        for some in neighbours.flat_map(|some| some.chunks(AT_ONCE)) {
            let first = some.first().map_or(0, |first| *first as usize);
            let mut numbers = some.iter();
            let mut read = |bytes: &[u8]| {
                let block = Arc::new(Unpacked::read(bytes, &self.symbols)?);
                look_through(&block, block.lists())?;
                if let Some(number) = numbers.next() {
                    self.kept.keep(*number, block);
                }
                Ok(())
            };
            self.blocks.each(self.stored.as_ref(), first..first + some.len(), &mut read)?;
        }
        Ok(())
    }

    /// The blocks that may have names with these parts side by side: those that have them as runs,
    /// joined in any way.
    fn holding(&self, parts: &[String]) -> Result<Vec<u32>, Fault> {
        let stored = self.stored.as_ref();
        // For each part the blocks of what begins there.
        let mut from: Vec<Option<Vec<u32>>> = vec![None; parts.len()];
        for start in (0..parts.len()).rev() {
            let mut run = String::new();
            let mut all = Vec::new();
            for (end, part) in parts.iter().enumerate().skip(start) {
                run.push_str(part);
                let rest = from.get(end + 1).and_then(Option::as_ref);
                if rest.is_some_and(Vec::is_empty) {
                    continue;
                }
                let blocks = self.keys.blocks(stored, key(Kind::Run, &run))?;
                all.extend(rest.map_or(blocks.clone(), |rest| shared(&blocks, rest)));
            }
            all.sort_unstable();
            all.dedup();
            if let Some(place) = from.get_mut(start) {
                *place = Some(all);
            }
        }
        Ok(from.into_iter().next().flatten().unwrap_or_default())
    }

    /// Those of a common run's own blocks that may have names made of several words of the query,
    /// the run among them, be it a part or some parts joined.
    fn covering(&self, own: &[u32], coverage: &Coverage) -> Result<Vec<u32>, Fault> {
        let stored = self.stored.as_ref();
        let (mut common, mut blocks) = (Vec::new(), Vec::new());
        let parts: BTreeSet<&str> = coverage.parts().collect();
        if parts.is_empty() {
            return Ok(blocks);
        }
        for part in parts {
            if self.common.has(part) {
                common.push(part);
            } else {
                blocks.extend(shared(own, &self.keys.blocks(stored, key(Kind::Run, part))?));
            }
        }
        if common.len() > MOST_COMMON {
            return Ok(own.to_vec());
        }
        for chosen in 1..1_u32 << common.len() {
            let is_chosen = |at: &usize| chosen >> at & 1 == 1;
            let some = common.iter().enumerate().filter(|(at, _)| is_chosen(at));
            let text = text_of(&some.map(|(_, part)| *part).collect());
            blocks.extend(shared(own, &self.keys.blocks(stored, key(Kind::Parts, &text))?));
        }
        Ok(blocks)
    }
}

/// What two ascending lists have in common.
fn shared(one: &[u32], other: &[u32]) -> Vec<u32> {
    let (short, mut long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let mut both = Vec::new();
    for block in short {
        long = long.get(long.partition_point(|at| at < block)..).unwrap_or_default();
        if long.first() == Some(block) {
            both.push(*block);
        }
    }
    both
}
