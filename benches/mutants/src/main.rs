//! A sample of production's mutants, all in one build, and what the tests say of each.
//!
//! Responsible for: the draw, the tree that is built, the file of results. Not here: [`switch`]
//! puts mutants into texts, [`stages`] runs tests. Invariants: the searched checkout is only read;
//! a result is written as soon as it is known, and a run that is started again goes on behind the
//! last one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::Parser;
use serde_json::{Value, json};

mod stages;
mod summary;
mod switch;

use stages::Verdict;
use switch::{CONDITION, Mutant, Switched};

/// Draws mutants of packages, builds them all at once, and runs the tests that reach each.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// Whose mutants; repeatable
    #[arg(long = "package", value_name = "NAME", default_values_t = PACKAGES.map(str::to_owned))]
    packages: Vec<String>,
    /// How many that compile are wanted of each; all if it is left out
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Every n-th mutant of the draw, from the k-th on, as `k/n`, counted from 0
    #[arg(long, value_name = "K/N", default_value = "0/1")]
    shard: String,
    /// No mutant is begun later than this
    #[arg(long, value_name = "M", default_value_t = 100_000)]
    minutes: u64,
    /// How long the tests of one mutant may take, in seconds
    #[arg(long, value_name = "S", default_value_t = 3_600)]
    patience: u64,
    /// Tests that take longer without a mutant, in seconds, are not asked
    #[arg(long, value_name = "S", default_value_t = 600)]
    slowest: u64,
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Where results go, a line for each
    #[arg(long, value_name = "FILE", default_value = "target/mutants/results.jsonl")]
    results: PathBuf,
    /// Add up the results, and run nothing
    #[arg(long)]
    summary: bool,
}

const PACKAGES: [&str; 3] = ["touchstone-model", "forge-search-core", "forge-search-engine"];

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if arguments.summary {
        println!("{:#}", summary::of(&arguments.results)?);
        return Ok(());
    }
    let begun = Instant::now();
    let scratch = std::env::current_dir()?.join("target/mutants");
    let tree = scratch.join("tree");
    fs::create_dir_all(&scratch)?;
    let drawn = drawn(&arguments)?;
    let commit = said(Command::new("git").args(["rev-parse", "HEAD"]))?;
    let (build, messages) = Build::until_it_compiles(&drawn, &arguments, commit.trim(), &tree)?;
    let wanted = arguments.sample.unwrap_or(drawn.len());
    let counts = arguments.packages.iter().map(|name| (name, build.counts(&drawn, name, wanted)));
    let head = json!({
        "seed": arguments.seed, "shard": arguments.shard, "sample": arguments.sample, "commit": commit.trim(),
        "packages": counts.collect::<BTreeMap<_, _>>(),
    });
    eprintln!("{head:#}\nbuilt after {} s", begun.elapsed().as_secs());

    // Each test that needs a search program would build it anew, and be left out as too slow.
    let program = scratch.join("target/debug/touchstone");
    said(Command::new(&program).args(["backends", "--provision"]).current_dir(&tree))?;

    // The tests that a build has, and what they reach, are the same until there is another build.
    let kept = scratch.join("baseline.json");
    let of = format!("{:?}", (&head, fs::metadata(&program)?.modified()?));
    let mut asked = stages::list(&tree, &messages)?;
    let (mut tests, mut left_out) = (Vec::new(), Vec::new());
    if let Some((was, done, not)) = fs::read(&kept).ok().and_then(|text| serde_json::from_slice(&text).ok())
        && of == String::as_str(&was)
    {
        // Those that were red are asked once more: something may have been missing.
        (tests, left_out) = (done, not);
        asked.retain(|test| left_out.contains(&format!("red: {}", test.name)));
        left_out.retain(|name: &String| name.starts_with("slow: "));
    }
    let (green, red) = stages::baseline(&asked, &scratch, &arguments)?;
    tests.extend(green);
    left_out.extend(red);
    fs::write(&kept, serde_json::to_vec(&(&of, &tests, &left_out))?)?;
    eprintln!("{} tests, {} left out, after {} s", tests.len(), left_out.len(), begun.elapsed().as_secs());

    let before = fs::read_to_string(&arguments.results).unwrap_or_default();
    let lines = before.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let decided: BTreeSet<String> = lines
        .filter(|line| line["verdict"] != "undecided")
        .filter_map(|line| line["name"].as_str().map(str::to_owned))
        .collect();
    let file = Mutex::new(fs::File::options().create(true).append(true).open(&arguments.results)?);
    let write = |line: &Value| -> anyhow::Result<()> {
        let mut file = file.lock().map_err(|_| anyhow::anyhow!("a thread has failed"))?;
        Ok(writeln!(file, "{line}")?)
    };
    write(&json!({ "run": head, "tests": tests.len(), "red": left_out }))?;
    // Package by turns, so that a run that is cut off has a sample of each.
    let mut left: Vec<(usize, usize)> = Vec::new();
    for package in &arguments.packages {
        left.extend(build.chosen(&drawn, package, wanted).into_iter().enumerate());
    }
    left.sort_unstable();
    left.retain(|(_, at)| !decided.contains(&drawn[*at].name));
    stages::each(&left, arguments.threads, |thread, (_, which)| {
        if begun.elapsed() > Duration::from_secs(arguments.minutes * 60) {
            return;
        }
        let place = stages::place(thread);
        let started = Instant::now();
        let judged = stages::judge(*which, &tests, Duration::from_secs(arguments.patience), &place);
        let mutant = &drawn[*which];
        let line = match judged {
            Ok((verdict, by, ran, reach)) => json!({
                "name": mutant.name, "package": mutant.package, "verdict": verdict, "by": by, "ran": ran,
                "reach": reach, "seconds": started.elapsed().as_secs(),
            }),
            Err(error) => {
                json!({ "name": mutant.name, "verdict": Verdict::Undecided, "error": error.to_string() })
            }
        };
        eprintln!("{line}");
        if let Err(error) = write(&line) {
            eprintln!("cannot write a result: {error}");
        }
    });
    Ok(())
}

/// The mutants in the order of the draw, package by package.
fn drawn(arguments: &Arguments) -> anyhow::Result<Vec<Mutant>> {
    let (k, n) = arguments.shard.split_once('/').context("a shard is `k/n`")?;
    let (k, n): (usize, usize) = (k.parse()?, n.parse()?);
    ensure!(k < n, "there is no shard {k} of {n}");
    let mut drawn = Vec::new();
    for package in &arguments.packages {
        let listed = said(Command::new("cargo").args(["mutants", "--list", "--json", "-p", package]))?;
        let mut mutants: Vec<Mutant> = serde_json::from_str(&listed)?;
        // By a number made of seed and name, so that a mutant more or less leaves the others where
        // they are.
        mutants.sort_by_cached_key(|mutant| mixed(arguments.seed, &mutant.name));
        drawn.extend(mutants.into_iter().enumerate().filter(|(index, _)| index % n == k).map(|(_, one)| one));
    }
    Ok(drawn)
}

/// The files that a build has read, by what the compiler wrote down of each crate.
fn compiled(target: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(target.join("debug/deps"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "d") {
            let text = fs::read_to_string(path)?;
            files.extend(text.lines().filter_map(|line| line.strip_suffix(':')).map(str::to_owned));
        }
    }
    Ok(files)
}

/// FNV-1a of the name, and the last step of SplitMix64, for FNV's upper bits hardly move.
fn mixed(seed: u64, name: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash =
        name.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), step);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// Standard output of a command that succeeds.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8(output.stdout)?)
}

/// Which mutants are in the build, and why others are not.
#[derive(Default)]
struct Build {
    inside: BTreeSet<usize>,
    left_out: BTreeMap<usize, &'static str>,
    refused: BTreeSet<usize>,
}

impl Build {
    /// Puts mutants in and takes out what does not compile, until there are as many as are wanted.
    fn until_it_compiles(
        drawn: &[Mutant],
        arguments: &Arguments,
        commit: &str,
        tree: &Path,
    ) -> anyhow::Result<(Self, Vec<Value>)> {
        let target = &tree.with_file_name("target");
        // What did not compile in an earlier run of this commit is not tried again.
        let kept = target.with_file_name(format!("refused-{commit}.json"));
        let known: BTreeSet<String> =
            fs::read(&kept).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let refused = (0..drawn.len()).filter(|at| known.contains(&drawn[*at].name)).collect();
        let mut build = Self { refused, ..Self::default() };
        let wanted = arguments.sample.unwrap_or(drawn.len());
        let mut messages = Vec::new();
        let mut cursors = BTreeMap::new();
        loop {
            let (mut fresh, mut is_over) = (Vec::<usize>::new(), true);
            for package in &arguments.packages {
                let missing = wanted.saturating_sub(build.chosen(drawn, package, wanted).len());
                let mine: Vec<usize> = (0..drawn.len()).filter(|at| drawn[*at].package == *package).collect();
                let cursor: &mut usize = cursors.entry(package).or_default();
                // Many will not compile, and a second build costs more than mutants that are not
                // tried.
                let next = mine.iter().skip(*cursor).take(missing.saturating_mul(3).div_ceil(2));
                *cursor += next.len();
                is_over &= next.len() == 0;
                fresh.extend(next.filter(|at| !build.refused.contains(at)));
            }
            if is_over {
                return Ok((build, messages));
            }
            build.inside.extend(fresh);
            messages = build.compile(drawn, tree, target)?;
            let names: BTreeSet<&String> =
                build.refused.iter().map(|at| &drawn[*at].name).chain(&known).collect();
            fs::write(&kept, serde_json::to_vec(&names)?)?;
        }
    }

    /// The first mutants of a package that are in the build.
    fn chosen(&self, drawn: &[Mutant], package: &str, wanted: usize) -> Vec<usize> {
        self.inside.iter().copied().filter(|at| drawn[*at].package == package).take(wanted).collect()
    }

    /// What became of the mutants of a package up to the last that is tried.
    fn counts(&self, drawn: &[Mutant], package: &str, wanted: usize) -> Value {
        let chosen = self.chosen(drawn, package, wanted);
        let last = chosen.last().copied().unwrap_or(0);
        let counted = |at: &usize| *at <= last && drawn[*at].package == package;
        let mut why: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, reason) in self.left_out.iter().filter(|(at, _)| counted(at)) {
            *why.entry(reason).or_default() += 1;
        }
        json!({
            "listed": drawn.iter().filter(|one| one.package == package).count(), "viable": chosen.len(),
            "not_viable": self.refused.iter().filter(|at| counted(at)).count(), "left_out": why,
        })
    }

    /// Builds all tests, without what turns out not to compile.
    fn compile(&mut self, drawn: &[Mutant], tree: &Path, target: &Path) -> anyhow::Result<Vec<Value>> {
        loop {
            let switched = self.write(drawn, tree)?;
            let output = Command::new("cargo")
                .args([
                    "build",
                    "--workspace",
                    "--bins",
                    "--tests",
                    "--examples",
                    "--offline",
                    "--keep-going",
                    "--message-format=json",
                ])
                .current_dir(tree)
                .env("CARGO_TARGET_DIR", target)
                .stderr(Stdio::inherit())
                .output()?;
            let messages: Vec<Value> = String::from_utf8(output.stdout)?
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect();
            if output.status.success() {
                let compiled = compiled(target)?;
                let (here, elsewhere) =
                    self.inside.iter().partition(|at| compiled.contains(&drawn[**at].file));
                self.inside = here;
                self.left_out.extend(elsewhere.into_iter().map(|at| (at, "not compiled here")));
                return Ok(messages);
            }
            let mut blamed = BTreeSet::new();
            let mut errors = Vec::new();
            for message in messages.iter().map(|one| &one["message"]).filter(|one| one["level"] == "error") {
                let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
                for primary in [true, false] {
                    let before = blamed.len();
                    for span in spans.iter().filter(|span| span["is_primary"] == primary) {
                        // Out of macros, to where they are called.
                        let calls = std::iter::successors(Some(span), |span| {
                            Some(&span["expansion"]["span"]).filter(|call| call.is_object())
                        });
                        for span in calls {
                            let byte = |end: &str| span[end].as_u64().unwrap_or_default() as usize;
                            let range = byte("byte_start")..byte("byte_end").max(byte("byte_start") + 1);
                            let file = span["file_name"].as_str().and_then(|file| switched.get(file));
                            blamed.extend(file.map(|one| one.blamed(&range)).unwrap_or_default());
                        }
                    }
                    if blamed.len() > before {
                        break;
                    }
                }
                errors.push(message["rendered"].as_str().unwrap_or_default());
            }
            if blamed.is_empty() {
                bail!("no mutant is to blame for this:\n{}", errors.concat());
            }
            eprintln!("{} mutants do not compile", blamed.len());
            for at in blamed {
                self.inside.remove(&at);
                self.refused.insert(at);
            }
        }
    }

    /// The tree with the mutants in it. A file that stays as it is is not touched, for cargo looks
    /// at times.
    fn write(&mut self, drawn: &[Mutant], tree: &Path) -> anyhow::Result<BTreeMap<String, Switched>> {
        let mut switched = BTreeMap::new();
        let count = drawn.len();
        let roots: BTreeSet<String> = drawn
            .iter()
            .filter_map(|one| one.file.split_once("/src/"))
            .map(|(root, _)| format!("{root}/src/lib.rs"))
            .collect();
        for file in said(Command::new("git").args(["ls-files", "-z"]))?.split_terminator('\0') {
            let mut bytes = match fs::read(file) {
                Ok(bytes) => bytes,
                Err(_) if !Path::new(file).exists() => continue,
                Err(error) => return Err(error).context(file.to_owned()),
            };
            let inside: Vec<(usize, &Mutant)> =
                self.inside.iter().map(|at| (*at, &drawn[*at])).filter(|(_, one)| one.file == file).collect();
            if !inside.is_empty() {
                let made =
                    Switched::new(std::str::from_utf8(&bytes)?, &inside).with_context(|| file.to_owned())?;
                for (at, reason) in &made.left_out {
                    self.inside.remove(at);
                    self.left_out.insert(*at, reason);
                }
                bytes = made.text.clone().into_bytes();
                switched.insert(file.to_owned(), made);
            }
            if roots.contains(file) {
                bytes.extend(CONDITION.replace("COUNT", &count.to_string()).bytes());
            }
            if file.starts_with("conformance/") && file.ends_with(".rs") {
                // Workers are started with an environment of their own; the choice has to reach
                // them.
                let text = String::from_utf8(bytes)?.replace(".env_clear()", PASSED_ON);
                bytes = text.into_bytes();
            }
            let copy = tree.join(file);
            if fs::read(&copy).ok().as_deref() != Some(&bytes) {
                fs::create_dir_all(copy.parent().context("a file lies in a directory")?)?;
                let _ = fs::remove_file(&copy);
                fs::write(&copy, bytes)?;
                fs::set_permissions(&copy, fs::metadata(file)?.permissions())?;
            }
        }
        Ok(switched)
    }
}

const PASSED_ON: &str =
    ".env_clear().envs(std::env::vars().filter(|(name, _)| name.starts_with(\"TOUCHSTONE_MUTANT\")))";
