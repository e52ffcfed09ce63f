//! What an index of words comes to on a tree: its bytes by what they are for, how long it takes to
//! build beside the n-grams of the same files, and how long each published question of
//! `search_text` takes to look up (docs/ranking.md, *Words in the index*).
//!
//! Times are of the processor, in this one thread: machines are noisy. Files are added to batches
//! of some size, each of which becomes a shard; sizes are summed, and all shards are asked.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use forge_search_core::{
    agent::search_text::{Term, names, terms},
    identifier::{Demand, Word},
    index::{
        tokens::{Parameters, Tokenizer},
        words::{Builder, Found, Shape, Words},
    },
    text,
};
use rustix::time::{ClockId, clock_gettime};
use touchstone_benches::{median, peak_memory_kib, queries};

const USAGE: &str = "usage: words TREE [NAMES BLOCKS], as in: words linux 192 400";
/// Larger files are not tokenized: `index_max_tokenized_bytes` of the preset `agent`.
const MOST_BYTES: usize = 32 << 20;
/// Bytes of a batch.
const BATCH: usize = 128 << 20;
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
    let mut sums = [0; 6];
    for shard in &build.shards {
        let sizes = shard.sizes().map_err(|error| error.to_string())?;
        let parts = [sizes.head, sizes.names, sizes.lists, sizes.keys, sizes.common];
        for (sum, part) in sums.iter_mut().zip(parts.iter().chain([&parts.iter().sum()])) {
            *sum += part;
        }
    }
    println!("{} files, {} bytes, {shape:?}", paths.len(), build.text);
    println!("{} shards\n| part | bytes | of the text |\n| --- | --: | --: |", build.shards.len());
    let names =
        ["kept when opened", "names", "their lists", "keys and blocks", "lists of common runs"];
    for (part, size) in names.into_iter().chain(["all"]).zip(sums) {
        let percent = as_float(size) * 100.0 / as_float(build.text);
        println!("| {part} | {size} | {percent:.2} % |");
    }
    println!("| step | s of processor | ms per MB |\n| --- | --: | --: |");
    for (step, took) in build.steps {
        let seconds = took.as_secs_f64();
        println!("| {step} | {seconds:.1} | {:.2} |", seconds * 1e9 / as_float(build.text));
    }
    println!("at most {} MiB of memory", peak_memory_kib().unwrap_or(0) >> 10);
    ask(&build.shards)
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files")]
fn as_float(size: u64) -> f64 {
    size as f64
}

/// An index that has been built, and what that took.
struct Build {
    text: u64,
    shards: Vec<Words>,
    steps: Vec<(&'static str, Duration)>,
}

impl Build {
    fn new(tree: &Path, paths: &[PathBuf], shape: Shape) -> Result<Self, String> {
        let files = u32::try_from(paths.len()).map_err(|error| error.to_string())?;
        let mut tokenizer = Tokenizer::new(Parameters { max_bytes: MOST_BYTES as u64, ngram: 3 });
        let mut builder = Builder::default();
        let (mut shards, mut said, mut places) = (Vec::new(), String::new(), Vec::new());
        let [mut reading, mut grams, mut levels, mut adding, mut closing] = [Duration::ZERO; 5];
        let finish = |builder: Builder| {
            let bytes = builder.finish(files, shape).map_err(|error| error.to_string())?;
            let length = bytes.len() as u64;
            Words::open(Arc::new(bytes), length).map_err(|error| error.to_string())
        };
        let mut text = 0;
        for (file, path) in (0..).zip(paths) {
            let content = timed(&mut reading, || fs::read(path));
            let Ok(content) = content else { continue };
            if content.len() > MOST_BYTES || text::is_binary(&content) {
                continue;
            }
            text += content.len() as u64;
            timed(&mut grams, || drop(tokenizer.tokenize(&content)));
            let below = path.strip_prefix(tree).unwrap_or(path).as_os_str().as_encoded_bytes();
            said.clear();
            places.clear();
            timed(&mut levels, || {
                names(below, &content, |name, level| {
                    said.push_str(name);
                    places.push((name.len(), level));
                });
            });
            timed(&mut adding, || {
                let mut rest = said.as_str();
                for (length, level) in &places {
                    let (name, behind) = rest.split_at(*length);
                    builder.add(file, name, *level);
                    rest = behind;
                }
            });
            if builder.held() > BATCH {
                shards.push(timed(&mut closing, || finish(std::mem::take(&mut builder)))?);
            }
        }
        shards.push(timed(&mut closing, || finish(builder))?);
        let steps = vec![
            ("reading", reading),
            ("n-grams of a file", grams),
            ("levels", levels),
            ("identifiers, added", adding),
            ("shards written", closing),
        ];
        Ok(Self { text, shards, steps })
    }
}

/// Asks the published questions that hold no phrase.
fn ask(shards: &[Words]) -> Result<(), String> {
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
            let asked = timed(&mut took, || {
                shards
                    .iter()
                    .map(|shard| shard.find(&query, Demand::All))
                    .collect::<Result<Vec<_>, _>>()
            });
            found = asked.map_err(|error| error.to_string())?;
            times.push(took.as_secs_f64() * 1e3);
        }
        let (mut counts, mut all_of) = (vec![0; query.len()], 0);
        for found in found {
            let found: Vec<Vec<Found>> = found.into_iter().flatten().collect();
            counts.iter_mut().zip(&found).for_each(|(count, found)| *count += found.len());
            let first = found.first().map(Vec::as_slice).unwrap_or_default();
            let holds = |list: &Vec<Found>, file: u32| {
                list.binary_search_by_key(&file, |at| at.file).is_ok()
            };
            all_of +=
                first.iter().filter(|at| found.iter().all(|list| holds(list, at.file))).count();
        }
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        let took = median(&times);
        println!("| `{}` | {} | {all_of} | {took:.2} |", question.name, counts.join(", "));
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
