//! Writing: names with their files to the stored form.

use super::{
    Fault, Shape, block,
    frequent::Gathering,
    keys::{self, entry},
    pair::Turned,
    put,
    section::Pieces,
    split::{Kind, Split, key},
    symbols::Encoder,
};

/// Names of which the symbols are learnt, at most, and bytes of each.
const SAMPLE: (usize, usize) = (50_000, 64);

const BAD: Fault = Fault::Malformed("more words than can be stored");

/// Names in order, by whether they have keys, and the keys of blocks.
#[derive(Debug, Default)]
struct Sorted {
    keyed: Vec<u32>,
    long: Vec<u32>,
    entries: Vec<u64>,
}

impl Sorted {
    fn new(names: &Turned, shape: Shape) -> Self {
        let (mut sorted, mut keys) = (Self::default(), Vec::new());
        let (mut split, mut last) = (Split::default(), Split::default());
        for number in (0..).take(names.ends.len()) {
            split.set(names.name(number));
            if split.is_long() {
                sorted.long.push(number);
            } else if split.len() > 0 {
                // What is nothing but `_` holds no word.
                if sorted.keyed.len().is_multiple_of(shape.names) {
                    sorted.close(&mut keys, shape);
                    last = Split::default();
                }
                sorted.keyed.push(number);
                let known = split.common_parts(&last);
                split.each_run_beyond(known, |_, run| keys.push(key(Kind::Run, run)));
                std::mem::swap(&mut split, &mut last);
            }
        }
        sorted.close(&mut keys, shape);
        sorted.entries.sort_unstable();
        sorted
    }

    /// Turns the keys of the last block into entries.
    fn close(&mut self, keys: &mut Vec<u32>, shape: Shape) {
        keys.sort_unstable();
        keys.dedup();
        let block = self.keyed.len().div_ceil(shape.names).saturating_sub(1);
        let block = u32::try_from(block).unwrap_or(u32::MAX);
        self.entries.extend(keys.drain(..).map(|key| entry(key, block)));
    }

    /// Symbols that make names short.
    fn learn(&self, names: &Turned, shape: Shape) -> Encoder {
        let step = ((self.keyed.len() + self.long.len()) / SAMPLE.0).max(1);
        let mut texts = Vec::new();
        for names_of in [&self.keyed, &self.long] {
            for block in names_of.chunks(shape.names).step_by(step) {
                texts.extend(block::own(block.iter().map(|number| names.name(*number))));
            }
        }
        let texts = texts.into_iter().map(|(_, text)| text.get(..SAMPLE.1).unwrap_or(text));
        Encoder::learn(&texts.collect::<Vec<_>>())
    }

    /// What is common, with the entries by which it is found besides.
    fn gather(&mut self, names: &Turned, shape: Shape) -> Gathering {
        let mut gathering = Gathering::new(&self.entries, shape.blocks);
        let mut split = Split::default();
        for (block, numbers) in (0..).zip(self.keyed.chunks(shape.names)) {
            for number in numbers {
                split.set(names.name(*number));
                gathering.add(&split, *number, names, block, &mut self.entries);
            }
        }
        self.entries.sort_unstable();
        self.entries.dedup();
        gathering
    }
}

/// The stored form of names, out of `files` files.
pub(super) fn write(names: &Turned, files: u32, shape: Shape) -> Result<Vec<u8>, Fault> {
    let shape = Shape { names: shape.names.max(1), ..shape };
    let mut sorted = Sorted::new(names, shape);
    let symbols = sorted.learn(names, shape);
    let gathering = sorted.gather(names, shape);
    let (texts, lists) = gathering.write(names, files)?;
    let Sorted { keyed, long, entries } = sorted;
    let count = |numbers: &[u32]| u32::try_from(numbers.len().div_ceil(shape.names));
    let (keyed_blocks, long_blocks) =
        (count(&keyed).map_err(|_| BAD)?, count(&long).map_err(|_| BAD)?);
    let (width, buckets) = keys::write(&entries, keyed_blocks)?;
    drop(entries);
    let mut head = Vec::new();
    for number in [files, keyed_blocks, long_blocks] {
        put(&mut head, u64::from(number));
    }
    symbols.write(&mut head);
    for block in long.chunks(shape.names) {
        let bytes = block.iter().map(|number| names.name(*number).len() as u64 + 1).sum();
        put(&mut head, bytes);
        for number in block {
            head.extend(names.name(*number).bytes().map(|byte| byte.to_ascii_lowercase()));
            head.push(b'\n');
        }
    }
    let mut blocks = Pieces::default();
    for block in keyed.chunks(shape.names).chain(long.chunks(shape.names)) {
        block::write(block, names, files, &symbols, &mut blocks.bytes);
        blocks.close()?;
    }
    head.extend(&blocks.ends);
    head.push(width);
    head.extend(&buckets.ends);
    head.extend(texts);
    head.extend(&lists.ends);
    let mut out = (head.len() as u64).to_le_bytes().to_vec();
    for part in [head, blocks.bytes, buckets.bytes, lists.bytes] {
        out.extend(part);
    }
    Ok(out)
}
