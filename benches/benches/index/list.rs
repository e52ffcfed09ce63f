//! The published list: every literal with every subject in turn, and their medians.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{IndexUse, Service};
use serde_json::{Value, json};
use touchstone::provision::Backends;
use touchstone_benches::{
    config,
    literals::{LITERALS, Literal},
    median, p99, quantile, rival,
    server::{configure, program},
    service, time_call, time_first_lines, time_rival,
};

use crate::{Bounds, PATIENCE, indexed, state};

/// Events asked for, and lines after which ripgrep is stopped.
const EVENTS: usize = 200;
/// Calls in a row that are timed in one round; they are so short that one says little.
const CALLS: usize = 5;

/// Times of one literal, in milliseconds.
struct Row {
    literal: Literal,
    events: u64,
    /// Why nothing was excluded, if nothing was.
    bypass: Option<String>,
    native: Vec<f64>,
    over_ripgrep: Vec<f64>,
    scan: Vec<f64>,
    sorted: Vec<f64>,
    full: Vec<f64>,
    one_shot: Vec<f64>,
}

/// The measured subjects.
struct Subjects<'b> {
    native: Service,
    over_ripgrep: Option<Service>,
    scan: Service,
    ripgrep: Option<&'b Path>,
    program: PathBuf,
    /// The program's configuration.
    settings: PathBuf,
}

/// Measures the list `times` times.
pub(crate) fn measure(
    tree: &Path,
    cache: &Path,
    backends: &Backends,
    rounds: usize,
    bounds: &mut Bounds,
) {
    let subjects = subjects(tree, cache, backends);
    let mut rows: Vec<Row> =
        LITERALS.iter().map(|literal| first_answers(&subjects, *literal)).collect();
    for _ in 0..rounds {
        for row in &mut rows {
            round(tree, &subjects, row);
        }
    }
    // So that nobody writes into a cache that is being removed.
    std::iter::once(&subjects.native)
        .chain(&subjects.over_ripgrep)
        .for_each(Service::index_shutdown);
    print(&rows);
    judge(&rows, bounds);
}

fn subjects<'b>(tree: &Path, cache: &Path, backends: &'b Backends) -> Subjects<'b> {
    let native = config("native", backends).expect("the embedded backend");
    let native = indexed(native, tree, cache, IndexUse::Background);
    let over_ripgrep = config("ripgrep", backends)
        .map(|config| indexed(config, tree, cache, IndexUse::Background));
    for service in std::iter::once(&native).chain(&over_ripgrep) {
        assert!(service.index_wait(PATIENCE), "the index opens: {}", state(service));
        println!("opened: {}", state(service));
    }
    Subjects {
        native,
        over_ripgrep,
        scan: service(tree, "native", backends).expect("the embedded backend"),
        ripgrep: backends.ripgrep.as_deref(),
        program: program(),
        settings: configure(cache, ""),
    }
}

fn request(literal: &Literal) -> Value {
    let case = if literal.folded { "insensitive" } else { "sensitive" };
    json!({
        "pattern": literal.text, "fixed_strings": true, "case": case, "max_results": EVENTS, "timeout_ms": 120_000
    })
}

/// Warms everything, and refuses to time answers that are not the same with an index as without.
fn first_answers(subjects: &Subjects<'_>, literal: Literal) -> Row {
    let ask = |service: &Service| service.call("Search", &request(&literal)).expect("an answer");
    let right = ask(&subjects.scan);
    let got = ask(&subjects.native);
    let others = subjects.over_ripgrep.as_ref().map(ask);
    for answer in std::iter::once(&got).chain(&others) {
        let same = answer.matches == right.matches && answer.files_scanned == right.files_scanned;
        assert!(same, "`{}` has another answer with an index than without", literal.text);
    }
    let stats = got.stats.expect("stats");
    Row {
        literal,
        events: right.count,
        bypass: stats.index.bypass_reason.map(str::to_owned),
        native: Vec::new(),
        over_ripgrep: Vec::new(),
        scan: Vec::new(),
        sorted: Vec::new(),
        full: Vec::new(),
        one_shot: Vec::new(),
    }
}

fn round(tree: &Path, subjects: &Subjects<'_>, row: &mut Row) {
    let request = request(&row.literal);
    let ms = |took: Duration| took.as_secs_f64() * 1000.0;
    let call = |service: &Service| ms(time_call(service, &request).expect("the service answers"));
    for _ in 0..CALLS {
        row.native.push(call(&subjects.native));
    }
    if let Some(service) = &subjects.over_ripgrep {
        row.over_ripgrep.push(call(service));
    }
    row.scan.push(call(&subjects.scan));
    if let Some(ripgrep) = subjects.ripgrep {
        let case = if row.literal.folded { "-i" } else { "-s" };
        let plain = ["--no-config", "-n", "--no-require-git", "--max-filesize", "32M", "-F", case];
        let sorted = [&plain[..], &["--sort", "path"]].concat();
        let mut sorted = rival(tree, ripgrep, &sorted, row.literal.text);
        row.sorted.push(ms(time_first_lines(&mut sorted, EVENTS).expect("ripgrep runs")));
        let mut full = rival(tree, ripgrep, &plain, row.literal.text);
        row.full.push(ms(time_rival(&mut full).expect("ripgrep runs")));
    }
    let case = if row.literal.folded { "-i" } else { "-s" };
    let mut command = Command::new(&subjects.program);
    command.arg("--config").arg(&subjects.settings);
    command.args(["search", "--max-results", &EVENTS.to_string(), "-F", case, row.literal.text]);
    command.current_dir(tree).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    row.one_shot.push(ms(time_rival(&mut command).expect("the command line runs")));
}

fn print(rows: &[Row]) {
    println!("\nmilliseconds: medians; of native also the p99");
    let headings = ["native", "p99", "over rg", "no index", "rg --sort", "rg", "one-shot"];
    print!("{:<36} {:>6}", "literal", "events");
    for heading in headings {
        print!(" {heading:>9}");
    }
    println!();
    for row in rows {
        let text =
            format!("{}{}", row.literal.text, if row.literal.folded { " (folded)" } else { "" });
        print!(
            "{text:<36} {:>6} {:>9.2} {:>9.2}",
            row.events,
            median(&row.native),
            p99(&row.native)
        );
        for values in [&row.over_ripgrep, &row.scan, &row.sorted, &row.full, &row.one_shot] {
            print!(" {:>9.1}", median(values));
        }
        println!("{}", row.bypass.as_ref().map(|why| format!("  {why}")).unwrap_or_default());
    }
}

/// How many times faster: a rival's median over ours, for every literal for which both are known,
/// from worst to best.
fn gains<'r>(
    rows: impl IntoIterator<Item = &'r Row>,
    ours: impl Fn(&Row) -> &[f64],
    rivals: impl Fn(&Row) -> &[f64],
) -> Vec<f64> {
    let both = rows.into_iter().filter(|row| !ours(row).is_empty() && !rivals(row).is_empty());
    let mut gains: Vec<f64> = both.map(|row| median(rivals(row)) / median(ours(row))).collect();
    gains.sort_by(f64::total_cmp);
    gains
}

fn judge(rows: &[Row], bounds: &mut Bounds) {
    let mut gain = |what: &str, gains: &[f64], share: f64, least: f64| {
        let found = quantile(gains, share);
        let slowest = gains.first().copied().unwrap_or(f64::NAN);
        let text =
            format!("{what}: {found:.1} times faster, at least {least}; slowest {slowest:.1}");
        bounds.note(text, found >= least);
    };
    let to_sorted = gains(rows, |row| &row.native, |row| &row.sorted);
    let to_full = gains(rows, |row| &row.native, |row| &row.full);
    gain("median over the list to `rg --sort path`, 200 lines", &to_sorted, 0.5, 50.0);
    gain("median over the list to `rg`", &to_full, 0.5, 100.0);
    gain("nine tenths of the list to `rg --sort path`, 200 lines", &to_sorted, 0.1, 8.0);
    gain("nine tenths of the list to `rg`", &to_full, 0.1, 8.0);
    let over_sorted = gains(rows, |row| &row.over_ripgrep, |row| &row.sorted);
    let over_full = gains(rows, |row| &row.over_ripgrep, |row| &row.full);
    gain("median over ripgrep as backend to `rg --sort path`, 200 lines", &over_sorted, 0.5, 20.0);
    gain("median over ripgrep as backend to `rg`", &over_full, 0.5, 20.0);
    let rare = rows.iter().filter(|row| row.literal.is_rare());
    let one_shot = gains(rare, |row| &row.one_shot, |row| &row.full);
    gain("one-shot command line, rare literals, median to `rg`", &one_shot, 0.5, 2.0);
    gain("one-shot command line, rare literals, slowest to `rg`", &one_shot, 0.0, 2.0);
    let slower: Vec<&str> = rows
        .iter()
        .filter(|row| median(&row.native) > median(&row.scan) * 1.1 + 2.0)
        .map(|row| row.literal.text)
        .collect();
    let text = format!("slower than without an index times 1.1 plus 2 ms: {slower:?}");
    bounds.note(text, slower.is_empty());
}
