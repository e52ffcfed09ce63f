//! Writing: names in order with their files to the stored form.

use super::{
    Blocks, Fault, Pair, Shape,
    block::Raw,
    frequent::Gathering,
    keys::{self, entry},
    put,
    split::{Kind, Split, key},
    symbols::Encoder,
};

/// Names of which the symbols are learnt, at most, and bytes of each.
const SAMPLE: (usize, usize) = (50_000, 64);

const BAD: Fault = Fault::Malformed("more words than can be stored");

/// Puts names into blocks.
#[derive(Debug)]
pub(super) struct Writer {
    files: u32,
    shape: Shape,
    /// Blocks of names with keys, and of names without.
    blocks: [Vec<Raw>; 2],
    /// Of each block of names without keys these, folded, a line for each.
    folded: Vec<Vec<u8>>,
    entries: Vec<u64>,
    /// The keys of the block at hand.
    keys: Vec<u32>,
    split: Split,
}

impl Writer {
    /// A writer of lists out of `files` files.
    pub(super) fn new(files: u32, shape: Shape) -> Self {
        let blocks = [Vec::new(), Vec::new()];
        let (entries, keys, split) = (Vec::new(), Vec::new(), Split::default());
        Self { files, shape, blocks, folded: Vec::new(), entries, keys, split }
    }

    /// Adds a name, larger than any before of its kind, with its files, at least one, ascending.
    pub(super) fn add(&mut self, name: &str, list: &[Pair]) -> Result<(), Fault> {
        let ascending = list.windows(2).all(|pair| matches!(pair, [a, b] if a.file < b.file));
        if !ascending || list.last().is_none_or(|last| last.file >= self.files) {
            return Err(Fault::Malformed("a list of files"));
        }
        self.split.set(name);
        // What is nothing but `_` holds no word.
        if self.split.len() == 0 {
            return Ok(());
        }
        let is_long = self.split.is_long();
        let [keyed, long] = &self.blocks;
        let blocks = if is_long { long } else { keyed };
        if blocks.last().is_none_or(|block| block.len() >= self.shape.names) {
            if is_long {
                self.folded.push(Vec::new());
            } else {
                self.close();
            }
            let [keyed, long] = &mut self.blocks;
            (if is_long { long } else { keyed }).push(Raw::default());
        }
        if is_long {
            let bytes = name.bytes().map(|byte| byte.to_ascii_lowercase());
            self.folded
                .last_mut()
                .into_iter()
                .for_each(|to| to.extend(bytes.clone().chain([b'\n'])));
        } else {
            self.split.each_run(|run| self.keys.push(key(Kind::Run, run)));
        }
        let [keyed, long] = &mut self.blocks;
        if let Some(block) = (if is_long { long } else { keyed }).last_mut() {
            block.add(name, list, self.files);
        }
        Ok(())
    }

    /// Turns the keys of the block at hand into entries.
    fn close(&mut self) {
        self.keys.sort_unstable();
        self.keys.dedup();
        let [keyed, _] = &self.blocks;
        let block = u32::try_from(keyed.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.entries.extend(self.keys.drain(..).map(|key| entry(key, block)));
    }

    fn learn(&self) -> Encoder {
        let all = || self.blocks.iter().flatten();
        let step = (all().count() * self.shape.names / SAMPLE.0).max(1);
        let texts = all().step_by(step).flat_map(Raw::texts).filter(|text| !text.is_empty());
        let texts = texts.map(|text| text.get(..SAMPLE.1).unwrap_or(text));
        Encoder::learn(&texts.collect::<Vec<_>>())
    }

    /// The stored form.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, Fault> {
        self.close();
        let (files, shape) = (self.files, self.shape);
        let symbols = self.learn();
        let Self { blocks, folded, mut entries, .. } = self;
        let mut out = Vec::new();
        put(&mut out, u64::from(files));
        for blocks in &blocks {
            put(&mut out, blocks.len() as u64);
        }
        symbols.write(&mut out);
        for names in folded {
            put(&mut out, names.len() as u64);
            out.extend(names);
        }
        let (mut ends, mut bytes) = (Vec::new(), Vec::new());
        let [keyed, _] = &blocks;
        let number = u32::try_from(keyed.len()).map_err(|_| BAD)?;
        for block in blocks.into_iter().flatten() {
            block.encode(&symbols, &mut bytes);
            ends.extend(u32::try_from(bytes.len()).map_err(|_| BAD)?.to_le_bytes());
        }
        out.extend(ends);
        put(&mut out, bytes.len() as u64);
        out.append(&mut bytes);
        entries.sort_unstable();
        // The blocks are read back, as little as is known of their names by now.
        let mut tables = Vec::new();
        let mut gathering = Gathering::new(&entries, shape.blocks);
        Blocks::read(&mut out.as_slice())?.gather(&mut gathering, &mut entries)?;
        entries.sort_unstable();
        entries.dedup();
        keys::write(&entries, number, &mut tables)?;
        put(&mut out, tables.len() as u64);
        out.append(&mut tables);
        gathering.write(files, &mut out)?;
        Ok(out)
    }
}
