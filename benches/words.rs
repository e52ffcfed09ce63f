//! What an index of words would take: how many identifiers a tree has, what they and their lists of
//! files come to in bytes, and how much of that each published question of `search_text` would read
//! (docs/ranking.md, *Words in the index*).
//!
//! Names are as they are spelled, in the order of their bytes, each without what it shares with the
//! one before, in blocks of 16 KiB. Each has a list of its files with counts. A **run** is some
//! neighbouring parts of a name without `_` between them, joined and folded; for each run it is
//! known in which blocks it stands. With a directory as second argument the names and the lists are
//! written there, for a look at how far they can be compressed.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use forge_search_core::{
    agent::search_text::{Term, identifiers, occurs, parts, terms},
    text,
};
use touchstone_benches::queries;

const USAGE: &str = "usage: words TREE [DIRECTORY]";
/// Bytes of a block of names.
const BLOCK_BYTES: usize = 16 << 10;
/// Parts without `_` between them beyond which the runs of a name are not listed: what has more is
/// a number or a digest.
const MOST_PARTS: usize = 8;
/// Blocks beyond which a run would need a list of files of its own.
const MANY_BLOCKS: usize = 100;
/// Larger files are not tokenized: `index_max_tokenized_bytes` of the preset `agent`.
const MOST_BYTES: u64 = 32 << 20;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let counted = match arguments.as_slice() {
        [tree] => count(tree, None),
        [tree, directory] => count(tree, Some(directory)),
        _ => Err(USAGE.to_owned()),
    };
    counted.map_or_else(
        |message| {
            eprintln!("{message}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

/// A name with its files, ascending, and how often it stands in each.
type Lists = BTreeMap<String, Vec<(u32, u32)>>;

/// What the names of a tree come to.
#[derive(Default)]
struct Names {
    /// Front-coded, and where each name's block is.
    bytes: Vec<u8>,
    blocks: Vec<u32>,
    lists: Vec<u8>,
    /// For each run the blocks it stands in.
    runs: HashMap<String, Vec<u32>>,
    /// Names whose runs are not listed, and what they take.
    long: (u64, usize),
}

fn count(tree: &Path, directory: Option<&PathBuf>) -> Result<(), String> {
    let mut paths = Vec::new();
    find(tree, &mut paths)?;
    let (lists, bytes, all) = read(&paths);
    let names = encode(&lists);
    let pairs: usize = lists.values().map(Vec::len).sum();
    let alone = lists.values().filter(|list| list.len() == 1).count();
    let blocks = names.bytes.len().div_ceil(BLOCK_BYTES);
    let entries: usize = names.runs.values().map(Vec::len).sum();
    let gaps: usize = names.runs.values().map(|blocks| gap_bytes(blocks.iter().copied())).sum();
    let (many, many_pairs) = many_blocks(&lists, &names);
    println!("{} files, {bytes} bytes, {all} identifiers", paths.len());
    println!("{} distinct, {alone} of them in one file; {pairs} pairs with files", lists.len());
    println!(
        "names {} bytes in {blocks} blocks, lists {} bytes",
        names.bytes.len(),
        names.lists.len()
    );
    println!("{} runs, {entries} times in a block, {gaps} bytes", names.runs.len());
    println!("{many} runs in more than {MANY_BLOCKS} blocks, {many_pairs} pairs with files");
    println!(
        "{} names of more than {MOST_PARTS} parts without `_`, {} bytes",
        names.long.0, names.long.1
    );
    tell_words(&lists, &names)?;
    let Some(directory) = directory else { return Ok(()) };
    let write = |name: &str, bytes: &[u8]| {
        fs::write(directory.join(name), bytes).map_err(|error| format!("{name}: {error}"))
    };
    write("names", &names.bytes)?;
    write("lists", &names.lists)
}

/// The files below a directory in the order of their paths, hidden ones aside.
fn find(directory: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let shown = |error| format!("{}: {error}", directory.display());
    let mut entries =
        fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(shown)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let kind = entry.file_type().map_err(shown)?;
        if kind.is_dir() {
            find(&entry.path(), paths)?;
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
    Ok(())
}

/// The identifiers of the files, the bytes of these, and how many identifiers stand in them.
fn read(paths: &[PathBuf]) -> (Lists, u64, u64) {
    let mut known: HashMap<Box<str>, Vec<(u32, u32)>> = HashMap::new();
    let (mut bytes, mut all) = (0, 0);
    for (file, path) in (0..).zip(paths) {
        let Ok(content) = fs::read(path) else { continue };
        if content.len() as u64 > MOST_BYTES || text::is_binary(&content) {
            continue;
        }
        bytes += content.len() as u64;
        for identifier in identifiers(&String::from_utf8_lossy(&content)) {
            all += 1;
            let list = match known.get_mut(identifier) {
                Some(list) => list,
                None => known.entry(Box::from(identifier)).or_default(),
            };
            match list.last_mut() {
                Some((newest, times)) if *newest == file => *times += 1,
                _ => list.push((file, 1)),
            }
        }
    }
    (known.into_iter().map(|(name, list)| (name.into_string(), list)).collect(), bytes, all)
}

fn encode(lists: &Lists) -> Names {
    let mut names = Names::default();
    let mut before: &str = "";
    let mut files_before: Vec<u32> = Vec::new();
    let mut last = 0;
    for (name, list) in lists {
        let shared = before.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        let block = u32::try_from(names.bytes.len() / BLOCK_BYTES).unwrap_or(u32::MAX);
        names.blocks.push(block);
        let start = names.bytes.len();
        put(&mut names.bytes, shared as u64);
        put(&mut names.bytes, (name.len() - shared) as u64);
        names.bytes.extend(name.bytes().skip(shared));
        before = name;
        match runs(name) {
            None => {
                names.long.0 += 1;
                names.long.1 += names.bytes.len() - start;
            }
            Some(runs) => {
                for run in runs {
                    let blocks = names.runs.entry(run).or_default();
                    if blocks.last() != Some(&block) {
                        blocks.push(block);
                    }
                }
            }
        }
        let files: Vec<u32> = list.iter().map(|(file, _)| *file).collect();
        // Names side by side often stand in the same files, and those of one file in files side by
        // side.
        let out = &mut names.lists;
        match list.as_slice() {
            _ if files == files_before => put(out, 0),
            [(file, _)] => {
                put(out, 1);
                let distance = i64::from(*file) - last;
                put(out, (distance << 1 ^ distance >> 63).cast_unsigned());
            }
            _ => {
                put(out, list.len() as u64);
                let mut next = 0;
                for file in &files {
                    put(out, u64::from(file - next));
                    next = file + 1;
                }
            }
        }
        for (_, times) in list {
            put(out, u64::from(*times));
        }
        last = files.first().map_or(0, |file| i64::from(*file));
        files_before = files;
    }
    names
}

/// The runs of a name; none if it has too many parts without `_` between them.
fn runs(name: &str) -> Option<HashSet<String>> {
    let parts = parts(name);
    let mut runs = HashSet::new();
    for from in 0..parts.len() {
        let mut run = String::new();
        for (at, part) in parts.iter().enumerate().skip(from) {
            if at > from && part.apart {
                break;
            }
            if at - from == MOST_PARTS {
                return None;
            }
            run.push_str(&part.text.to_ascii_lowercase());
            runs.insert(run.clone());
        }
    }
    Some(runs)
}

/// How many runs stand in many blocks, and in how many files those together.
fn many_blocks(lists: &Lists, names: &Names) -> (usize, usize) {
    let many = names.runs.iter().filter(|(_, blocks)| blocks.len() > MANY_BLOCKS);
    let mut files: HashMap<&str, HashSet<u32>> =
        many.map(|(run, _)| (run.as_str(), HashSet::new())).collect();
    for (name, list) in lists {
        for run in runs(name).into_iter().flatten() {
            if let Some(files) = files.get_mut(run.as_str()) {
                files.extend(list.iter().map(|(file, _)| file));
            }
        }
    }
    (files.len(), files.values().map(HashSet::len).sum())
}

/// What the words of the published questions take.
fn tell_words(lists: &Lists, names: &Names) -> Result<(), String> {
    let mut seen = HashSet::new();
    println!("| word | names | pairs | files | blocks |");
    println!("| --- | --: | --: | --: | --: |");
    for query in queries::texts() {
        for term in terms(&query.name).map_err(|error| error.to_string())? {
            let Term::Word { parts: word, spelled } = term else { continue };
            if !seen.insert(word.clone()) {
                continue;
            }
            let longest = word.iter().max_by_key(|part| part.len()).cloned().unwrap_or_default();
            let holds = |name: &str| name.to_ascii_lowercase().contains(&longest);
            let found: Vec<_> = lists
                .iter()
                .filter(|(name, _)| holds(name) && occurs(&word, name).is_some())
                .collect();
            let pairs: usize = found.iter().map(|(_, list)| list.len()).sum();
            let files: HashSet<u32> =
                found.iter().flat_map(|(_, list)| list.iter().map(|(file, _)| *file)).collect();
            let (names_found, files) = (found.len(), files.len());
            println!(
                "| `{spelled}` | {names_found} | {pairs} | {files} | {} |",
                blocks(&word, names).len()
            );
        }
    }
    Ok(())
}

/// The blocks that have to be looked through for a word: those that hold its parts, joined where
/// `_` may be missing.
fn blocks(word: &[String], names: &Names) -> HashSet<u32> {
    let mut all = HashSet::new();
    // Each bit says whether two neighbouring parts are joined.
    for joined in 0_u32..1 << word.len().saturating_sub(1).min(16) {
        let mut pieces: Vec<String> = Vec::new();
        for (at, part) in word.iter().enumerate() {
            match pieces.last_mut() {
                Some(piece) if joined >> (at - 1) & 1 == 1 => piece.push_str(part),
                _ => pieces.push(part.clone()),
            }
        }
        let of = |piece: &String| -> HashSet<u32> {
            names.runs.get(piece).into_iter().flatten().copied().collect()
        };
        let common = pieces.iter().map(of).reduce(|a, b| a.intersection(&b).copied().collect());
        all.extend(common.unwrap_or_default());
    }
    all
}

fn gap_bytes(numbers: impl Iterator<Item = u32>) -> usize {
    let (mut bytes, mut next) = (Vec::new(), 0);
    for number in numbers {
        put(&mut bytes, u64::from(number - next));
        next = number + 1;
    }
    bytes.len()
}

/// Appends a number, seven bits a byte.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    out.push((number & 0x7F) as u8);
}
