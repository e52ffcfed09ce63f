//! The filters of all files at once, factored by gram (D2).
//!
//! Responsible for: the inverted form, which keeps for each distinct gram the files that hold it;
//! the exact answer of every file's Bloom filter to a gram, false positives included; and any
//! file's packed filter, bit for bit. `docs/postings.md` proves that the two forms are one. Not
//! here: storing it (the engine), needs of more than one gram ([`super::need`]). Invariants:
//! answers are those of [`super::filter::Filter`]s built file by file; lists are sorted and without
//! repetition.
//!
//! Worked example: with files 1 = `abc`, 2 = `bcd`, the lists are `abc → [1]`, `bcd → [2]`. Say the
//! probes of `abc` are {3, 9} and those of `bcd` {9, 12}. Bit 9 is set in both files, as both grams
//! have it; bit 3 in file 1 alone. A gram `xyz` with probes {9, 12} passes in file 2 only, though
//! neither file holds it.

use std::collections::BTreeMap;

use super::{filter::FilterParameters, fold::Fold, gram::Gram, need::Need, need::Variant};

/// A file's number within one index.
pub type FileId = u32;

/// The filters of many files.
#[derive(Clone, Debug)]
pub struct Postings {
    parameters: FilterParameters,
    fold: Fold,
    /// For each SENSITIVE gram, the files that hold it.
    files: BTreeMap<Gram, Vec<FileId>>,
    /// For each bit of a variant, the SENSITIVE grams that set it: themselves, or by their folded
    /// form.
    setters: [BTreeMap<u64, Vec<Gram>>; 2],
    /// Every file.
    all: Vec<FileId>,
}

impl Postings {
    /// The postings of these files, given with their SENSITIVE grams.
    pub fn build<'g>(
        parameters: FilterParameters,
        fold: Fold,
        files: impl IntoIterator<Item = (FileId, &'g [Gram])>,
    ) -> Self {
        let mut postings = Self {
            parameters,
            fold,
            files: BTreeMap::new(),
            setters: [BTreeMap::new(), BTreeMap::new()],
            all: Vec::new(),
        };
        for (file, grams) in files {
            postings.all.push(file);
            for gram in grams {
                postings.files.entry(*gram).or_default().push(file);
            }
        }
        tidy(&mut postings.all);
        postings.files.values_mut().for_each(tidy);
        let grams: Vec<Gram> = postings.files.keys().copied().collect();
        for variant in [Variant::Sensitive, Variant::Insensitive] {
            for &gram in &grams {
                for bit in parameters.probes(postings.image(gram, variant)) {
                    let setters = postings.setters_mut(variant).entry(bit).or_default();
                    // A gram may hit one bit twice.
                    if setters.last() != Some(&gram) {
                        setters.push(gram);
                    }
                }
            }
        }
        postings
    }

    /// What a gram is in a variant.
    fn image(&self, gram: Gram, variant: Variant) -> Gram {
        match variant {
            Variant::Sensitive => gram,
            Variant::Insensitive => gram.fold(self.fold),
        }
    }

    fn setters(&self, variant: Variant) -> &BTreeMap<u64, Vec<Gram>> {
        let [sensitive, insensitive] = &self.setters;
        if variant == Variant::Sensitive { sensitive } else { insensitive }
    }

    fn setters_mut(&mut self, variant: Variant) -> &mut BTreeMap<u64, Vec<Gram>> {
        let [sensitive, insensitive] = &mut self.setters;
        if variant == Variant::Sensitive { sensitive } else { insensitive }
    }

    /// The files whose filter `gram` passes: those in which each of its probes is set by some gram
    /// of the file.
    pub fn passing(&self, variant: Variant, gram: Gram) -> Vec<FileId> {
        let mut passing: Option<Vec<FileId>> = None;
        for bit in self.parameters.probes(gram) {
            let setters = self.setters(variant).get(&bit).map(Vec::as_slice).unwrap_or_default();
            let mut set: Vec<FileId> =
                setters.iter().filter_map(|gram| self.files.get(gram)).flatten().copied().collect();
            tidy(&mut set);
            passing = Some(match passing {
                None => set,
                Some(before) => common(&before, &set),
            });
            if passing.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        passing.unwrap_or_else(|| self.all.clone())
    }

    /// The files that meet a need.
    pub fn meeting(&self, need: &Need) -> Vec<FileId> {
        match need {
            Need::Nothing => self.all.clone(),
            Need::Gram(variant, gram) => self.passing(*variant, *gram),
            Need::All(parts) => parts
                .iter()
                .map(|part| self.meeting(part))
                .reduce(|before, after| common(&before, &after))
                .unwrap_or_else(|| self.all.clone()),
            Need::OneOf(parts) => {
                let mut files: Vec<FileId> =
                    parts.iter().flat_map(|part| self.meeting(part)).collect();
                tidy(&mut files);
                files
            }
        }
    }

    /// The packed filter of one file, rebuilt.
    pub fn packed(&self, variant: Variant, file: FileId) -> Vec<u8> {
        let mut bytes = vec![0; self.parameters.bytes()];
        for (bit, setters) in self.setters(variant) {
            let holds = |gram: &Gram| {
                self.files.get(gram).is_some_and(|files| files.binary_search(&file).is_ok())
            };
            if !setters.iter().any(holds) {
                continue;
            }
            let byte = usize::try_from(bit / 8).ok().and_then(|index| bytes.get_mut(index));
            if let Some(byte) = byte {
                *byte |= 1 << (bit % 8);
            }
        }
        bytes
    }
}

fn tidy(files: &mut Vec<FileId>) {
    files.sort_unstable();
    files.dedup();
}

/// What two sorted lists have in common.
fn common(one: &[FileId], other: &[FileId]) -> Vec<FileId> {
    one.iter().copied().filter(|file| other.binary_search(file).is_ok()).collect()
}

#[cfg(test)]
mod tests;
