//! Lives drawn at random.
//!
//! Responsible for: which trees, settings, edits, requests and faults occur, and in which mix: few
//! names and few words, so that edits meet files that are indexed, and searches meet what was
//! edited. Not here: whole trees and requests with every trap there is
//! ([`touchstone_cases::generate`]), which some lives begin with. Invariants: a life depends on the
//! seed and its number, and on nothing else.

mod changes;

use std::collections::BTreeMap;

use forge_search_engine::index::Point;
use serde_json::{Map, Value, json};
use touchstone_cases::case::{CaseConfig, Entry, Part, Text};
use touchstone_cases::dice::Dice;
use touchstone_cases::generate::Generator;

use super::life::{Act, Damage, Edit, Fault, Life, Trap, Use, text};
use touchstone_index::names::snake;

const FILES: &[&str] = &[
    "a.txt",
    "b.txt",
    "src/a.rs",
    "src/b.rs",
    "src/deep/c.txt",
    "src/deep/er/d.txt",
    "docs/x.md",
    "vendor/v.txt",
    ".hid/h.txt",
    "src/.h.txt",
    "../out/o.txt",
    "caf\u{e9}.txt",
    "docs",
];

const RULES: &[&str] = &[
    ".gitignore",
    ".ignore",
    "src/.gitignore",
    "src/.ignore",
    ".git/info/exclude",
    "src/.git/info/exclude",
];

const DIRECTORIES: &[&str] = &[
    "src",
    "src/deep",
    "src/deep/er",
    "docs",
    "vendor",
    ".hid",
    "new",
    "../out",
    "../away",
    ".git",
    "src/.git",
];

const CLOSABLE: &[&str] = &["src", "src/deep", "docs", "vendor", ".hid"];

const WORDS: &[&str] = &[
    "needle",
    "needle",
    "Quartz",
    "alpha",
    "omega",
    "zebra",
    "stra\u{df}e",
    "caf\u{e9}",
    "cafe\u{301}",
    "12345",
    "\u{212a}elvin",
    "ab",
    "x",
    "foo.bar",
];

const IGNORING: &[&str] = &[
    "*.txt\n",
    "src/\n",
    "deep\n",
    "!a.txt\n",
    "*.rs\n!b.rs\n",
    "/docs\n",
    "",
    "v.txt\n",
    "**/c.txt\n",
    "!.hid/\n!.h.txt\n",
    "*.txt\n!.h*\n",
    "#\n",
];

const GLOBS: &[&str] =
    &["*.txt", "*.rs", "src/**", "**/deep/*", "docs/", "a.*", ".hid/**", "**/.h*"];

const EXPRESSIONS: &[&str] = &[
    "needle|zebra",
    "al.*ga",
    "[nz]e",
    "(?i)quartz",
    r"\bomega\b",
    "a{2,}",
    ".",
    "^needle",
    "zeb?ra$",
    r"\d{5}",
    "(?i)stra(ss|\u{df})e",
    "n(ee)?dle",
    "x*",
    "caf.",
    "(alpha|omega) ?(needle)?",
];

/// A word that stands in no file.
const ABSENT: &[&str] = &["nowhere", "Nirgends", "needles"];

/// Errors that systems give.
const ERRORS: &[i32] = &[5, 28, 13, 24, 12];

pub fn draw(seed: u64, number: u64) -> Life {
    life(seed, number, false)
}

/// The life with this number among mounts of its own.
pub fn draw_mounted(seed: u64, number: u64) -> Life {
    life(seed, number, true)
}

fn life(seed: u64, number: u64, own_mounts: bool) -> Life {
    let mut dice = Dice::new(seed, number);
    let mut drawn = Drawn { tree: tree(&mut dice), requests: Vec::new(), own_mounts };
    // A tree from elsewhere may hold what its owner must not read.
    if !own_mounts && dice.once_in(6) {
        let case = Generator::new(seed).case(number);
        if case.size().1 < 200_000 && case.request.is_object() {
            drawn.tree = case.tree;
            drawn.requests.push(case.request);
        }
    }
    let config = config(&mut dice);
    let settings = settings(&mut dice);
    let mut acts = Vec::new();
    if !dice.once_in(4) {
        acts.push(Act::Settle);
    }
    let length = 4 + dice.below(22);
    while acts.len() < length {
        drawn.more(&mut dice, &mut acts);
    }
    if dice.once_in(2) {
        // Every edit is followed by a search.
        acts = acts
            .into_iter()
            .flat_map(|act| {
                let searched = matches!(act, Act::Edit(_)).then(|| drawn.search(&mut dice));
                [Some(act), searched].into_iter().flatten()
            })
            .collect();
    }
    // However it went, in the end everything is looked for once more.
    acts.extend([
        Act::Disarm,
        drawn.search(&mut dice),
        Act::Settle,
        drawn.search(&mut dice),
        Act::Verify,
    ]);
    if own_mounts {
        acts.retain(|act| !changes::closes(act));
    }
    if own_mounts || acts.iter().any(changes::is_found_by_calls) {
        // What is written by another name is found by the next call, not by a comparison before it.
        acts.retain(|act| *act != Act::Verify);
    }
    Life {
        name: format!("{}-{seed:x}-{number}", if own_mounts { "mounted" } else { "life" }),
        config,
        settings,
        using: Use::Stepped,
        own_mounts,
        beside: dice.once_in(4),
        sabotage: None,
        damage: Vec::new(),
        tree: drawn.tree,
        acts,
    }
}

/// What acts refer to.
struct Drawn {
    tree: Vec<Entry>,
    requests: Vec<Value>,
    own_mounts: bool,
}

impl Drawn {
    fn more(&self, dice: &mut Dice, acts: &mut Vec<Act>) {
        match dice.below(100) {
            0..=39 => {
                match dice.below(3) {
                    0 if self.own_mounts && !dice.once_in(4) => {
                        acts.push(Act::Edit(changes::mount(dice)));
                    }
                    0 => acts.extend(changes::acts(dice)),
                    _ => acts.push(Act::Edit(edit(dice))),
                }
                // Most often a search follows at once.
                if !dice.once_in(4) {
                    acts.push(self.search(dice));
                }
            }
            40..=61 => acts.push(self.search(dice)),
            62..=70 => acts.push(Act::Turns(1 + u32::try_from(dice.below(3)).unwrap_or(0))),
            71..=77 => acts.push(Act::Settle),
            78..=79 => acts.push(Act::Advance(dice.pick(&[10, 300, 5_000, 60_000], 10))),
            80..=84 => acts.push(Act::Restart { clean: !dice.once_in(3) }),
            85..=86 => {
                acts.push(Act::Mode(dice.pick(&["off", "on", "on", "auto"], "on").to_owned()));
            }
            87 => acts.push(Act::Rebuild),
            88 => acts.extend([Act::Settle, Act::Verify]),
            89 => {
                let deny = dice.pick(&[&[][..], &["docs/"], &["*.rs"], &["src/deep"]], &[]);
                acts.push(Act::Deny(deny.iter().map(ToString::to_string).collect()));
                acts.push(Act::Restart { clean: true });
            }
            90 => {
                acts.push(Act::GlobalIgnore(text(dice.pick(IGNORING, ""))));
                acts.push(Act::Restart { clean: true });
            }
            91 => {
                let at = dice.below(1_000) as u64;
                let damages = [
                    Damage::Truncate(at),
                    Damage::Zero(at),
                    Damage::Flip(at),
                    Damage::FlipLog(at),
                    Damage::TruncateLog(at),
                    Damage::RemoveAll,
                    Damage::Garbage,
                ];
                acts.push(Act::Damage(dice.pick(&damages, Damage::RemoveAll)));
                if !dice.once_in(3) {
                    acts.push(Act::Restart { clean: false });
                }
            }
            92 => acts.push(Act::Clear),
            93 => acts.extend([
                Act::Use(dice.pick(&[Use::Existing, Use::Stepped], Use::Stepped)),
                Act::Restart { clean: true },
                self.search(dice),
            ]),
            _ => acts.push(Act::Arm(Self::trap(dice))),
        }
    }

    fn trap(dice: &mut Dice) -> Trap {
        let point = dice.pick(&Point::ALL, Point::List);
        let fault = match dice.below(16) {
            12 => Fault::Mode(dice.pick(&["off", "on", "auto"], "on").to_owned()),
            13 => Fault::Rebuild,
            14 => Fault::Clear,
            0..=5 => Fault::Errno(dice.pick(ERRORS, 5)),
            6..=10 => Fault::Edits(vec![atomic(dice, point)]),
            _ => Fault::Search(request(dice)),
        };
        let after = u32::try_from(dice.below(4)).unwrap_or(0);
        let times = if dice.once_in(4) { 5 } else { 1 };
        Trap { point: snake(point), after, times, fault, errno: None }
    }

    fn search(&self, dice: &mut Dice) -> Act {
        if !self.requests.is_empty() && dice.once_in(2) {
            return Act::Search(
                self.requests.get(dice.below(self.requests.len())).cloned().unwrap_or_default(),
            );
        }
        Act::Search(request(dice))
    }
}

/// A request; most often a literal that an index can do something with.
pub fn request(dice: &mut Dice) -> Value {
    let mut request = Map::new();
    let literal = !dice.once_in(4);
    let pattern = if literal {
        let words = if dice.once_in(6) { ABSENT } else { WORDS };
        let word = dice.pick(words, "needle");
        match dice.below(8) {
            0 => word.to_uppercase(),
            1 => word.chars().skip(1).collect(),
            2 => format!("{word} {}", dice.pick(WORDS, "alpha")),
            _ => word.to_owned(),
        }
    } else {
        dice.pick(EXPRESSIONS, ".").to_owned()
    };
    let pattern = if pattern.trim().is_empty() { "x".to_owned() } else { pattern };
    if literal {
        request.insert("fixed_strings".to_owned(), json!(true));
    }
    request.insert("pattern".to_owned(), json!(pattern));
    if dice.once_in(2) {
        return Value::Object(request);
    }
    for _ in 0..=dice.below(2) {
        let (field, value) = field(dice, literal, &pattern);
        request.insert(field.to_owned(), value);
    }
    Value::Object(request)
}

fn field(dice: &mut Dice, literal: bool, pattern: &str) -> (&'static str, Value) {
    match dice.below(14) {
        0 => ("case", json!(dice.pick(&["sensitive", "insensitive", "smart"], "smart"))),
        1 => ("word_regexp", json!(true)),
        2 => ("include_glob", json!([dice.pick(GLOBS, "*")])),
        3 => ("exclude_glob", json!([dice.pick(GLOBS, "*.md")])),
        4 => ("hidden", json!(true)),
        5 => ("no_ignore", json!(true)),
        6 => (
            "path",
            json!(dice.pick(
                &["src", "src/deep", "docs", "a.txt", "vendor", ".hid", "{root}/src"],
                "src"
            )),
        ),
        7 => ("max_files", json!(1 + dice.below(4))),
        8 => ("max_results", json!(1 + dice.below(4))),
        9 => ("context", json!(dice.below(3))),
        10 => ("max_matches_per_file", json!(1 + dice.below(2))),
        11 => ("recursive", json!(false)),
        12 => ("max_file_size_bytes", json!(dice.pick(&[10, 100, 5_000], 100))),
        _ if literal && pattern.chars().count() > 2 => ("fuzzy", json!(1)),
        _ => ("follow", json!(true)),
    }
}

pub fn edit(dice: &mut Dice) -> Edit {
    let file = text_of(FILES);
    match dice.below(26) {
        0..=5 => Edit::Write(file(dice), contents(dice)),
        6..=7 => Edit::Append(file(dice), line(dice)),
        8..=9 => Edit::Replace(file(dice), contents(dice)),
        10 => Edit::Truncate(file(dice), dice.below(12) as u64),
        11..=12 => Edit::Disguise(file(dice), dice.below(40) as u64),
        13..=14 => Edit::Remove(file(dice)),
        15 => Edit::Remove(text_of(DIRECTORIES)(dice)),
        16 => Edit::Mkdir(text_of(DIRECTORIES)(dice)),
        17 => Edit::Rename(file(dice), file(dice)),
        18..=19 => Edit::Rename(text_of(DIRECTORIES)(dice), text_of(DIRECTORIES)(dice)),
        20 => Edit::SecondName(file(dice), file(dice)),
        21 => Edit::Symlink(
            file(dice),
            text(dice.pick(&["a.txt", "src", "../out", "nowhere", "b.txt", ".."], "a.txt")),
        ),
        22 => {
            // Not `.git`: once it is closed, whether it holds an ignore file is unknown.
            let names = if dice.once_in(2) { FILES } else { CLOSABLE };
            Edit::Chmod(text_of(names)(dice), dice.once_in(2))
        }
        23..=24 => Edit::Write(
            text_of(RULES)(dice),
            Part { bytes: text(dice.pick(IGNORING, "")), times: 1 },
        ),
        _ => Edit::Touch(file(dice)),
    }
}

/// An edit that happens at once, so that a search sees all of it or nothing.
fn atomic(dice: &mut Dice, point: Point) -> Edit {
    let file = text_of(FILES);
    match dice.below(6) {
        0..=2 => Edit::Replace(file(dice), contents(dice)),
        3 => Edit::Remove(file(dice)),
        // A call that knows what it leaves out sees the half of a rename that concerns what it
        // reads.
        4 if point == Point::Permitted => Edit::Remove(file(dice)),
        4 => Edit::Rename(file(dice), file(dice)),
        _ => Edit::Replace(
            text_of(RULES)(dice),
            Part { bytes: text(dice.pick(IGNORING, "")), times: 1 },
        ),
    }
}

fn text_of(names: &'static [&'static str]) -> impl Fn(&mut Dice) -> Text {
    move |dice| text(dice.pick(names, "a.txt"))
}

fn line(dice: &mut Dice) -> Part {
    let words: Vec<&str> = (0..=dice.below(3)).map(|_| dice.pick(WORDS, "needle")).collect();
    let end = dice.pick(&["\n", "\n", "\n", "\r\n", ""], "\n");
    Part { bytes: text(&format!("{}{end}", words.join(" "))), times: 1 }
}

fn contents(dice: &mut Dice) -> Part {
    let mut bytes: Vec<u8> = (0..=dice.below(3)).flat_map(|_| line(dice).bytes.0).collect();
    let times = match dice.below(24) {
        0 => 400,
        1 => 0,
        _ => 1,
    };
    match dice.below(24) {
        0 => bytes.extend(b"\xff\xfe\xff needle"),
        1 => bytes.push(0),
        2 => {
            let units: Vec<u8> =
                String::from_utf8_lossy(&bytes).encode_utf16().flat_map(u16::to_le_bytes).collect();
            bytes = [&b"\xff\xfe"[..], &units].concat();
        }
        3 => bytes = [&b"\xef\xbb\xbf"[..], &bytes].concat(),
        _ => {}
    }
    Part { bytes: Text(bytes), times }
}

pub fn tree(dice: &mut Dice) -> Vec<Entry> {
    let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
    for _ in 0..3 + dice.below(9) {
        // `docs` is a directory as long as a file lies in it.
        let path = dice.pick(FILES, "a.txt");
        if path != "docs" {
            let contents = touchstone_cases::case::Contents { parts: vec![contents(dice)] };
            let node = touchstone_cases::case::Node::File { contents, readable: true };
            entries.insert(path, Entry { path: path.as_bytes().to_vec(), node });
        }
    }
    if dice.once_in(3) {
        let path = dice.pick(RULES, ".gitignore");
        entries.insert(path, Entry::file(path, dice.pick(IGNORING, "")));
    }
    if dice.once_in(5) {
        entries.insert(".git", Entry::dir(".git"));
    }
    entries.into_values().collect()
}

fn config(dice: &mut Dice) -> CaseConfig {
    let mut config = CaseConfig::default();
    if dice.once_in(8) {
        config.deny = vec![dice.pick(&["docs/", "*.rs", "src/deep"], "docs/").to_owned()];
    }
    if dice.once_in(10) {
        config.global_ignore = vec![text(dice.pick(IGNORING, ""))];
    }
    if dice.once_in(12) {
        config.max_matches_per_file = Some(2);
    }
    config
}

fn settings(dice: &mut Dice) -> BTreeMap<String, Value> {
    let mut settings = BTreeMap::new();
    // Small enough for files that are too long to be tokenized.
    settings.insert("index_max_tokenized_bytes".to_owned(), json!(4_096));
    if dice.once_in(2) {
        return settings;
    }
    for _ in 0..=dice.below(4) {
        let (key, value) = setting(dice);
        settings.insert(key.to_owned(), value);
    }
    settings
}

fn setting(dice: &mut Dice) -> (&'static str, Value) {
    match dice.below(22) {
        0 => ("index_storage", json!("memory")),
        1 => ("index_filter_layout", json!("packed")),
        2 => ("index_mode", json!(dice.pick(&["auto", "off"], "auto"))),
        3 => ("index_auto_threshold_files", json!(dice.below(8))),
        4 => ("index_auto_reeval_calls", json!(1 + dice.below(3))),
        5..=6 => ("index_watch", json!(false)),
        7 => ("reconcile_max_files", json!(1 + dice.below(3))),
        8 => ("index_build_max_files", json!(1 + dice.below(4))),
        9 => ("index_build_max_bytes", json!(20 + dice.below(200))),
        10 => ("index_maint_budget_fraction", json!(0.0)),
        11 => ("index_integrity_check", json!(dice.pick(&["off", "periodic"], "off"))),
        12 => ("index_integrity_period_calls", json!(1 + dice.below(3))),
        13 => ("index_default_hidden", json!(true)),
        14 => ("index_default_follow", json!(true)),
        15 => ("index_default_no_ignore", json!(true)),
        16 => ("index_retry_on_failure", json!(true)),
        17 => ("index_checkpoint_on_shutdown", json!(false)),
        18 => ("bloom_ngram_k", json!(2)),
        19 => ("fuzzy_fallback", json!(true)),
        20 => ("index_watch_debounce_ms", json!(dice.pick(&[0, 1_000], 0))),
        _ => ("index_disable_cooldown_ms", json!(1_000)),
    }
}
