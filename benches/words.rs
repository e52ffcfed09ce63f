//! What an index of words comes to on a tree: its bytes by what they are for, how long it takes to
//! build beside the n-grams of the same files, and how long each published question of
//! `search_text` takes to look up (docs/ranking.md, *Words in the index*).
//!
//! Times are of the processor, in this one thread: machines are noisy. Files are added to batches
//! of some size, which are merged in the end, as a build of the index does.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use forge_search_core::{
    agent::search_text::{Names, Term, terms},
    identifier::{Word, identifiers},
    index::{
        segment::RankMap,
        tokens::{Parameters, Tokenizer},
        words::{Builder, Found, Shape, Source, Words, merge},
    },
    text,
};
use rustix::time::{ClockId, clock_gettime};
use touchstone_benches::{median, peak_memory_kib, queries};

const USAGE: &str = "usage: words TREE [NAMES BLOCKS], as in: words linux 192 400";
/// Larger files are not tokenized: `index_max_tokenized_bytes` of the preset `agent`.
const MOST_BYTES: usize = 32 << 20;
/// Bytes of a batch.
const BATCH: usize = 256 << 20;
/// How often a question is asked.
const ROUNDS: usize = 15;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let shape = |names: &str, blocks: &str| {
        Some(Shape { names: names.parse().ok()?, blocks: blocks.parse().ok()? })
    };
    let told = match arguments.as_slice() {
        [tree] => tell(Path::new(tree), Shape::default()),
        [tree, names, blocks] => match shape(names, blocks) {
            Some(shape) => tell(Path::new(tree), shape),
            None => Err(USAGE.to_owned()),
        },
        _ => Err(USAGE.to_owned()),
    };
    told.map_or_else(
        |message| {
            eprintln!("{message}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

fn tell(tree: &Path, shape: Shape) -> Result<(), String> {
    let mut paths = Vec::new();
    find(tree, &mut paths)?;
    let build = Build::new(tree, &paths, shape)?;
    let bytes = &build.stored;
    let words = Words::new(bytes).map_err(|error| error.to_string())?;
    let sizes = words.sizes().map_err(|error| error.to_string())?;
    println!("{} files, {} bytes, {shape:?}", paths.len(), build.text);
    println!("| part | bytes | of the text |\n| --- | --: | --: |");
    for (part, size) in [
        ("names", sizes.names),
        ("their lists", sizes.lists),
        ("keys and blocks", sizes.keys),
        ("lists of common runs", sizes.common),
        ("all", bytes.len()),
    ] {
        let percent = as_float(size) * 100.0 / as_float(build.text);
        println!("| {part} | {size} | {percent:.2} % |");
    }
    println!("| step | s of processor | ms per MB |\n| --- | --: | --: |");
    for (step, took) in build.steps {
        let seconds = took.as_secs_f64();
        println!("| {step} | {seconds:.1} | {:.2} |", seconds * 1e9 / as_float(build.text));
    }
    println!("at most {} MiB of memory", peak_memory_kib().unwrap_or(0) >> 10);
    ask(&words)
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files")]
fn as_float(size: usize) -> f64 {
    size as f64
}

/// An index that has been built, and what that took.
struct Build {
    text: usize,
    stored: Vec<u8>,
    steps: Vec<(&'static str, Duration)>,
}

impl Build {
    fn new(tree: &Path, paths: &[PathBuf], shape: Shape) -> Result<Self, String> {
        let files = u32::try_from(paths.len()).map_err(|error| error.to_string())?;
        let mut tokenizer = Tokenizer::new(Parameters { max_bytes: MOST_BYTES as u64, ngram: 3 });
        let (mut names, mut builder) = (Names::default(), Builder::default());
        let mut batches = Vec::new();
        let [mut reading, mut grams, mut levels, mut adding, mut closing] = [Duration::ZERO; 5];
        let finish =
            |builder: Builder| builder.finish(files, shape).map_err(|error| error.to_string());
        let mut text = 0;
        for (file, path) in (0..).zip(paths) {
            let content = timed(&mut reading, || fs::read(path));
            let Ok(content) = content else { continue };
            if content.len() > MOST_BYTES || text::is_binary(&content) {
                continue;
            }
            text += content.len();
            timed(&mut grams, || drop(tokenizer.tokenize(&content)));
            let below = path.strip_prefix(tree).unwrap_or(path).as_os_str().as_encoded_bytes();
            let mut level = Vec::new();
            timed(&mut levels, || names.of(below, &content, |_, of_one| level.push(of_one)));
            timed(&mut adding, || {
                for (name, level) in identifiers(&String::from_utf8_lossy(&content)).zip(&level) {
                    builder.add(file, name, *level);
                }
            });
            if builder.held() > BATCH {
                batches.push(timed(&mut closing, || finish(std::mem::take(&mut builder)))?);
            }
        }
        batches.push(timed(&mut closing, || finish(builder))?);
        let mut merging = Duration::ZERO;
        let stored = timed(&mut merging, || {
            let parts = batches
                .iter()
                .map(|bytes| Ok(Source { words: Words::new(bytes)?, map: RankMap::Offset(0) }));
            merge(&parts.collect::<Result<Vec<_>, _>>()?, files, shape)
        });
        let stored = stored.map_err(|error| error.to_string())?;
        let steps = vec![
            ("reading", reading),
            ("n-grams of a file", grams),
            ("levels", levels),
            ("identifiers, added", adding),
            ("batches written", closing),
            ("batches merged", merging),
        ];
        Ok(Self { text, stored, steps })
    }
}

/// Asks the published questions that hold no phrase.
fn ask(words: &Words<'_>) -> Result<(), String> {
    println!("| question | files of its words | files | ms |\n| --- | --- | --: | --: |");
    let mut all = Vec::new();
    for question in queries::texts() {
        let terms = terms(&question.name).map_err(|error| error.to_string())?;
        let query: Vec<Word<'_>> = terms.iter().filter_map(Term::word).collect();
        if query.len() < terms.len() {
            continue;
        }
        let (mut times, mut found) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut took = Duration::ZERO;
            found = timed(&mut took, || words.find(&query)).map_err(|error| error.to_string())?;
            times.push(took.as_secs_f64() * 1e3);
        }
        let found: Vec<Vec<Found>> = found.into_iter().flatten().collect();
        let counts: Vec<String> = found.iter().map(|found| found.len().to_string()).collect();
        let first = found.first().map(Vec::as_slice).unwrap_or_default();
        let holds =
            |list: &Vec<Found>, file: u32| list.binary_search_by_key(&file, |at| at.file).is_ok();
        let both = first.iter().filter(|at| found.iter().all(|list| holds(list, at.file))).count();
        let took = median(&times);
        println!("| `{}` | {} | {both} | {took:.2} |", question.name, counts.join(", "));
        all.push(took);
    }
    println!(
        "median {:.2} ms, worst {:.2} ms",
        median(&all),
        all.iter().copied().fold(0.0, f64::max)
    );
    Ok(())
}

/// Adds what something takes to a time.
fn timed<T>(sum: &mut Duration, what: impl FnOnce() -> T) -> T {
    let before = processor();
    let done = what();
    *sum += processor().saturating_sub(before);
    done
}

/// What this thread has had of the processor.
fn processor() -> Duration {
    let spent = clock_gettime(ClockId::ThreadCPUTime);
    let nanoseconds = u32::try_from(spent.tv_nsec).unwrap_or(0);
    Duration::new(u64::try_from(spent.tv_sec).unwrap_or(0), nanoseconds)
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
