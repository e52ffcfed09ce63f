//! Which engine serves ranked search best: the same questions on the same tree to SQLite FTS5,
//! tantivy and our own catalog, held against what matches by the contract.
//!
//! `cargo run --release -- TREE SCRATCH [ENGINE...]` prints the tables of `docs/ranking.md`; `TREE`
//! is copied nowhere, one file of it is edited and put back. `cargo run --release -- call TREE
//! SCRATCH TOOL TIMES REQUEST...` times calls of one tool, nothing compared.

use std::{
    collections::BTreeSet,
    fs,
    hint::black_box,
    path::{Path, PathBuf},
    time::Instant,
};

use forge_search_engine::json::Json;
use forge_search_engine::{Call, Session, Toolbox};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

#[path = "../../src/literals.rs"]
#[allow(dead_code, reason = "shared with the benches")]
mod literals;
#[path = "../../src/queries.rs"]
#[allow(dead_code, reason = "shared with the benches")]
mod queries;

mod engines;
mod tree;
mod truth;
mod words;

use engines::{Engine, fts5::Fts5, own, own::Own, tantivy::Tantivy};
use tree::File;
use words::{Term, terms};

/// Runs of each question.
const RUNS: usize = 20;
/// Files that the contract has ranked at most.
const LISTED: usize = 1_000;
/// Questions that are asked with nothing in the page cache.
const COLD: usize = 4;
/// The file that is edited, and where identifiers are defined that the list asks for.
const EDITED: &str = "kernel/sched/core.c";
const DEFINED: [(&str, &str); 9] = [
    ("kvm_vcpu_kick", "virt/kvm/kvm_main.c"),
    ("btrfs_relocate_block_group", "fs/btrfs/relocation.c"),
    ("i915_gem_object_pin_map_unlocked", "drivers/gpu/drm/i915/gem/i915_gem_pages.c"),
    ("tcp_v4_do_rcv", "net/ipv4/tcp_ipv4.c"),
    ("dma_alloc_coherent", "include/linux/dma-mapping.h"),
    ("pm_runtime_get_sync", "include/linux/pm_runtime.h"),
    ("spin_lock_irqsave", "include/linux/spinlock.h"),
    ("EXPORT_SYMBOL_GPL", "include/linux/export.h"),
    ("task_struct", "include/linux/sched.h"),
];

struct Question {
    text: String,
    terms: Vec<Term>,
    right: BTreeSet<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [call, tree, place, tool, times, requests @ ..] if call == "call" => {
            calls(Path::new(tree), Path::new(place), tool, times.parse().expect("a number"), requests);
        }
        [tree, place, engines @ ..] => {
            compare(&PathBuf::from(tree).canonicalize().expect("a tree"), Path::new(place), engines);
        }
        _ => panic!("TREE SCRATCH [ENGINE...]"),
    }
}

fn calls(tree: &Path, place: &Path, tool: &str, times: usize, requests: &[String]) {
    let (toolbox, session) = own::tools(tree, place);
    for request in requests {
        let name = if tool == "search_text" { "query" } else { "pattern" };
        let request: Value = serde_json::from_str(request).unwrap_or_else(|_| json!({ name: request }));
        let mut millis = Vec::new();
        let mut total = Value::Null;
        let busy = processor();
        for _ in 0..times {
            let started = Instant::now();
            let answer = toolbox.call(&session, tool, &Json(&request), &Call::new());
            millis.push(started.elapsed().as_secs_f64() * 1e3);
            total = answer.structured["total"].clone();
        }
        println!(
            "{:>8.2} {:>8.2} {:>8.2} ms  {:>8.2} ms of processor  {total:>6}  {request}",
            at(&mut millis, 0),
            at(&mut millis, 50),
            at(&mut millis, 99),
            (processor() - busy) / times as f64
        );
    }
    toolbox.service().index_shutdown();
}

/// Milliseconds of processor time of this process so far, on all processors together.
fn processor() -> f64 {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6
}

/// The value at so many hundredths.
fn at(values: &mut [f64], hundredths: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(((values.len() * hundredths).div_ceil(100)).max(1) - 1).copied().unwrap_or(f64::NAN)
}

fn compare(tree: &Path, place: &Path, wanted: &[String]) {
    let place = place.join("ranking");
    fs::create_dir_all(&place).expect("a directory");
    // The service says which files there are to be searched.
    let (toolbox, session) = own::tools(tree, &place.join("listing"));
    let mut paths = Vec::new();
    list(&toolbox, &session, tree, ".", &mut paths);
    toolbox.service().index_shutdown();
    let files = tree::files(tree, paths);
    let bytes: usize = files.iter().filter_map(File::text).map(|text| text.len()).sum();
    println!("{}: {} files, {:.0} MB of text\n", tree.display(), files.len(), bytes as f64 / 1e6);
    let texts: Vec<String> = queries::texts()
        .iter()
        .filter_map(|query| query.request["query"].as_str().map(str::to_owned))
        .collect();
    let split: Vec<Vec<Term>> = texts.iter().map(|text| terms(text)).collect();
    let right = truth::matches(&files, &split);
    let questions: Vec<Question> = texts
        .into_iter()
        .zip(split)
        .zip(right)
        .map(|((text, terms), numbers)| {
            let right = numbers.into_iter().map(|number| files[number as usize].path.clone()).collect();
            Question { text, terms, right }
        })
        .collect();
    let engines: [Box<dyn Engine>; 3] =
        [Box::<Own>::default(), Box::<Tantivy>::default(), Box::<Fts5>::default()];
    for mut engine in engines {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == engine.name()) {
            continue;
        }
        measure(engine.as_mut(), tree, &files, &questions, &place);
    }
}

/// Paths below a directory, as the path search gives them, page by page; directory by directory if
/// there are more than it pages through.
fn list(toolbox: &Toolbox, session: &Session, tree: &Path, directory: &str, paths: &mut Vec<String>) {
    let ask = |offset: usize, recursive: bool| {
        let request = json!({ "pattern": "*", "directory": directory, "max_results": 200, "offset": offset, "recursive": recursive });
        toolbox.call(session, "find_files", &Json(&request), &Call::new()).structured
    };
    let total =
        |recursive: bool| ask(0, recursive)["total"].as_u64().and_then(|total| usize::try_from(total).ok());
    let recursive = total(true).is_some_and(|total| total < 10_000);
    for offset in (0..total(recursive).expect("a total")).step_by(200) {
        let answer = ask(offset, recursive);
        let results = answer["results"].as_array().into_iter().flatten();
        paths.extend(results.filter_map(|result| result["path"].as_str().map(str::to_owned)));
    }
    if !recursive {
        for entry in fs::read_dir(tree.join(directory)).expect("a directory").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !name.starts_with('.') {
                list(toolbox, session, tree, &format!("{directory}/{name}"), paths);
            }
        }
    }
}

fn measure(engine: &mut dyn Engine, tree: &Path, files: &[File], questions: &[Question], place: &Path) {
    let place = place.join(engine.name().replace(' ', "-"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("a directory");
    let (started, busy) = (Instant::now(), processor());
    engine.build(tree, files, &place);
    let (built, busy) = (started.elapsed().as_secs_f64(), (processor() - busy) / 1e3);
    let size = tree::size(&place) as f64 / 1e6;
    println!("## {}\n\nbuilt in {built:.1} s, {busy:.1} s of processor, {size:.0} MB\n", engine.name());
    println!(
        "| question | files right | found | recall | precision | p50 ms | p99 ms | of processor |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    let (mut all, mut busies, mut recalls, mut precisions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for question in questions {
        let mut millis = Vec::new();
        let busy = processor();
        for _ in 0..RUNS {
            let started = Instant::now();
            black_box(engine.first(&question.text, &question.terms));
            millis.push(started.elapsed().as_secs_f64() * 1e3);
        }
        let busy = (processor() - busy) / RUNS as f64;
        busies.push(busy);
        let found = engine.all(&question.text, &question.terms);
        let both = found.intersection(&question.right).count() as f64;
        let share = |whole: usize| if whole == 0 { 1.0 } else { both / whole as f64 };
        let (recall, precision) = (share(question.right.len()), share(found.len()));
        // No answer lists more than that of the contract, whatever there is.
        if question.right.len() <= LISTED {
            recalls.push(recall);
        }
        precisions.push(precision);
        println!(
            "| `{}` | {} | {} | {recall:.4} | {precision:.4} | {:.2} | {:.2} | {busy:.2} |",
            question.text,
            question.right.len(),
            found.len(),
            at(&mut millis, 50),
            at(&mut millis, 99)
        );
        all.extend(millis);
    }
    println!(
        "\nwarm: p50 {:.2} ms, p90 {:.2}, p99 {:.2}, of processor at the median {:.2}; recall of questions with at most {LISTED}: least {:.4}, mean {:.4}; precision: least {:.4}, mean {:.4}",
        at(&mut all, 50),
        at(&mut all, 90),
        at(&mut all, 99),
        at(&mut busies, 50),
        recalls.iter().copied().fold(f64::INFINITY, f64::min),
        recalls.iter().sum::<f64>() / recalls.len() as f64,
        precisions.iter().copied().fold(f64::INFINITY, f64::min),
        precisions.iter().sum::<f64>() / precisions.len() as f64,
    );
    let ranks: Vec<String> = DEFINED
        .iter()
        .map(|(text, path)| {
            let rank = engine.first(text, &terms(text)).iter().position(|found| found == path);
            rank.map_or_else(|| format!("{text} beyond 20"), |rank| format!("{text} {}", rank + 1))
        })
        .collect();
    println!("rank of the file that defines: {}", ranks.join(", "));
    freshness(engine, tree);
    cold(engine, tree, questions, &place);
}

/// What an edit costs until the next question is answered rightly.
fn freshness(engine: &mut dyn Engine, tree: &Path) {
    let file = tree.join(EDITED);
    let before = fs::read_to_string(&file).expect("the file that is edited");
    let mut millis = Vec::new();
    let mut stale = 0;
    for round in 0..10 {
        let word = format!("freshly_edited_word_{round}x");
        let text = format!("{before}\n/* {word} */\n");
        fs::write(&file, &text).expect("an edit");
        let started = Instant::now();
        engine.edited(EDITED, &text);
        let found = engine.first(&word, &terms(&word));
        millis.push(started.elapsed().as_secs_f64() * 1e3);
        stale += usize::from(found != [EDITED]);
    }
    fs::write(&file, &before).expect("what was there");
    engine.edited(EDITED, &before);
    println!(
        "edit to right answer: p50 {:.2} ms, worst {:.2}; wrong answers {stale} of 10",
        at(&mut millis, 50),
        at(&mut millis, 100)
    );
}

/// The first question of a process, with neither index nor tree in the page cache.
fn cold(engine: &mut dyn Engine, tree: &Path, questions: &[Question], place: &Path) {
    let (mut opening, mut asking) = (Vec::new(), Vec::new());
    let evict = |engine: &dyn Engine| {
        tree::evict(place);
        if engine.reads_files() {
            tree::evict(tree);
        }
    };
    for question in questions.iter().step_by(questions.len().div_ceil(COLD)) {
        evict(&*engine);
        let started = Instant::now();
        engine.open(tree, place);
        opening.push(started.elapsed().as_secs_f64() * 1e3);
        // Opening may have read either.
        evict(&*engine);
        let started = Instant::now();
        black_box(engine.first(&question.text, &question.terms));
        asking.push(started.elapsed().as_secs_f64() * 1e3);
    }
    println!(
        "cold: opened after p50 {:.0} ms, worst {:.0}; first answer p50 {:.1} ms, worst {:.0}\n",
        at(&mut opening, 50),
        at(&mut opening, 100),
        at(&mut asking, 50),
        at(&mut asking, 100)
    );
}
