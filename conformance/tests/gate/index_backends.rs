//! What production would exclude, searched all the same by the real programs: T-LSI-BLOOM-02 and
//! its note.
//!
//! Responsible for: a corpus of drawn files and of files made to look like matches, some forty
//! requests, and three ways to catch an exclusion that loses something: the service over each real
//! backend on every single excluded file, the bare programs on all of them, and the whole request
//! without an index. Not here: soundness by the tool's own matcher, on more inputs
//! (`clauses_index_exclusion`). Invariants: the seed is fixed; without backends the tests fail,
//! they never pass by looking at nothing.
//!
//! E-A22: the document's note runs a backend "directly on that file", by which rules about names
//! and sizes do not apply. So the files are such that every one of them is eligible, and the
//! service is asked as well, to which a file is the same whether it is named or met on a walk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::clauses::{Ground, backends, json, only, paths};
use forge_search_core::index::filter::{DEFAULT_SEED, Filter, FilterParameters};
use forge_search_core::index::fold::Fold;
use forge_search_core::index::need::{Need, Variant};
use forge_search_core::index::postings::{FileId, Postings};
use forge_search_core::index::tokens::{Parameters, Tokenizer, Tokens, folded};
use forge_search_core::request::Limits;
use forge_search_engine::json::{Json, JsonCalls as _};
use forge_search_engine::requests::Reading;
use forge_search_engine::{Arguments as _, BackendChoice, Config, Service};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};
use touchstone::subject::Backend;

const SEED: u64 = 0x7153;
const NGRAM: usize = 3;
const MAX_BYTES: u64 = 65_536;

/// Words of which files are drawn. Some differ in what folding, normalisation and line ends do to
/// them.
const WORDS: [&str; 36] = [
    "needle",
    "Needle",
    "NEEDLE",
    "needles",
    "haystack",
    "thread",
    "fn",
    "main",
    "let",
    "answer",
    "foo",
    "bar",
    "baz",
    "foobar",
    "barfoo",
    "na\u{ef}ve",
    "caf\u{e9}",
    "cafe\u{301}",
    "Stra\u{df}e",
    "STRASSE",
    "\u{17f}un",
    "sun",
    "Kelvin",
    "\u{212a}elvin",
    "\u{65e5}\u{672c}\u{8a9e}",
    "\u{65e5}\u{672c}",
    "x",
    "ab",
    "abc",
    "cab",
    "bca",
    "0x1F",
    "println!",
    "::",
    "J\u{30c}ava",
    "\u{fffd}",
];

const BETWEEN: [&str; 8] = [" ", " ", "\n", "\n", "\r\n", "\t", "", "\r"];

/// Literals, with a case each.
const LITERALS: [(&str, &str); 22] = [
    ("needle", "sensitive"),
    ("needle", "insensitive"),
    ("Needle", "smart"),
    ("needle", "smart"),
    ("haystack", "sensitive"),
    ("foobar", "sensitive"),
    ("barfoo ", "insensitive"),
    ("abcab", "sensitive"),
    ("bca", "sensitive"),
    ("caf\u{e9}", "sensitive"),
    ("cafe", "sensitive"),
    ("na\u{ef}ve", "insensitive"),
    ("stra\u{df}e", "insensitive"),
    ("sun", "insensitive"),
    ("kelvin", "insensitive"),
    ("\u{65e5}\u{672c}\u{8a9e}", "sensitive"),
    ("J\u{30c}ava", "sensitive"),
    ("foo\r", "sensitive"),
    ("x\u{fffd}needle", "sensitive"),
    ("0x1F", "insensitive"),
    ("println!", "sensitive"),
    ("a thread in a haystack", "smart"),
];

/// Expressions, searched as they stand.
const EXPRESSIONS: [&str; 18] = [
    "needle",
    "(?i)needle",
    "need(le|les)\\b",
    "(foo|bar)(foo|bar)",
    "^(needle|thread)",
    "hay.?stack",
    "ne{2}dle",
    "(?x) nee dle",
    "n(?i:EED)le",
    "[nN]eedle",
    "foo(bar)?baz",
    "(?i)kelvin",
    "(?i)sun\\b",
    "caf[\u{e9}e]",
    "\\x6eeedle",
    "0[xX]1[fF]",
    "needle\\r?$",
    "(answer|println!)::",
];

/// Numbers that look drawn and are always the same.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 += 1;
        let drawn = xxhash_rust::xxh3::xxh3_64_with_seed(&self.0.to_le_bytes(), SEED);
        usize::try_from(drawn % below as u64).unwrap()
    }
}

/// Files of drawn words; a few with bytes that are no UTF-8.
fn drawn() -> Vec<Vec<u8>> {
    let mut dice = Dice(0);
    let mut files = Vec::new();
    for number in 0..96 {
        let mut file = Vec::new();
        for _ in 0..=dice.next(40) {
            file.extend_from_slice(WORDS[dice.next(WORDS.len())].as_bytes());
            file.extend_from_slice(BETWEEN[dice.next(BETWEEN.len())].as_bytes());
            if number % 7 == 0 && dice.next(6) == 0 {
                file.push(0xE9);
            }
        }
        files.push(file);
    }
    files
}

/// Files that look like matches of a word and are none, or are one in a way that is easily missed.
fn lookalikes(word: &str) -> Vec<Vec<u8>> {
    let scalars: Vec<char> = word.chars().collect();
    let half = scalars.len() / 2;
    let text = |scalars: &[char]| scalars.iter().collect::<String>();
    let (head, tail) = (text(&scalars[..half]), text(&scalars[half..]));
    let windows: Vec<String> = scalars.windows(NGRAM).map(text).collect();
    let swapped = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let wide: Vec<u8> = word.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        format!("{head}\n{tail}\n").into_bytes(),
        format!("{}\n", windows.iter().rev().cloned().collect::<Vec<_>>().join(" ")).into_bytes(),
        format!("{}\n", windows[1..].join("\n")).into_bytes(),
        format!("{}\n", word.chars().map(swapped).collect::<String>()).into_bytes(),
        [head.as_bytes(), b"\xFF", tail.as_bytes(), b"\n"].concat(),
        format!("{word}\u{301}\r\n").into_bytes(),
        [b"\xFF\xFE", &wide[..], b"\n\0"].concat(),
        format!("{head}{head}{tail}{tail}\r").into_bytes(),
    ]
}

/// The corpus: no name is hidden or ignored, and no file large or binary.
fn corpus() -> BTreeMap<String, Vec<u8>> {
    let words = ["needle", "foobar", "caf\u{e9}", "kelvin", "println!"];
    let odd = [&b""[..], b"a", b"\xEF\xBB\xBFneedle\n", b"\xFF\xFE\xFF\xFE\xFF", b"ab\r\n"];
    let all = drawn().into_iter().chain(words.iter().flat_map(|word| lookalikes(word)));
    let all = all.chain(odd.into_iter().map(<[u8]>::to_vec));
    all.enumerate().map(|(number, file)| (format!("f-{number:03}.txt"), file)).collect()
}

fn requests() -> Vec<Value> {
    let literals = LITERALS.iter().map(|(pattern, case)| {
        json!({"pattern": pattern, "fixed_strings": true, "case": case, "max_results": 100_000})
    });
    let words = ["needle", "foo"].into_iter().map(|pattern| {
        json!({"pattern": pattern, "fixed_strings": true, "word_regexp": true, "case": "sensitive", "max_results": 100_000})
    });
    let expressions = EXPRESSIONS
        .iter()
        .map(|pattern| json!({"pattern": pattern, "case": "sensitive", "max_results": 100_000}));
    literals.chain(words).chain(expressions).collect()
}

/// An index over the corpus, in the form that is stored and in the form that the document writes.
struct Index {
    names: Vec<String>,
    tokens: Vec<Tokens>,
    parameters: FilterParameters,
    postings: Postings,
    filters: Vec<[Filter; 2]>,
}

impl Index {
    fn of(corpus: &BTreeMap<String, Vec<u8>>) -> Self {
        let parameters = FilterParameters::sized(MAX_BYTES, 0.01, DEFAULT_SEED);
        let mut tokenizer = Tokenizer::new(Parameters { max_bytes: MAX_BYTES, ngram: NGRAM });
        let tokens: Vec<Tokens> = corpus.values().map(|file| tokenizer.tokenize(file)).collect();
        let files = (0..).zip(&tokens).map(|(file, tokens): (FileId, _)| (file, &tokens.grams[..]));
        let postings = Postings::build(parameters, Fold::Ascii, files);
        let both = |tokens: &Tokens| {
            [tokens.grams.clone(), folded(&tokens.grams, Fold::Ascii)]
                .map(|grams| Filter::build(&parameters, &grams))
        };
        let filters = tokens.iter().map(both).collect();
        Self { names: corpus.keys().cloned().collect(), tokens, parameters, postings, filters }
    }

    /// The files that a request excludes; both forms say the same.
    fn excluded(&self, need: &Need) -> Vec<&str> {
        let candidates: BTreeSet<FileId> = self.postings.meeting(need).into_iter().collect();
        let mut excluded = Vec::new();
        for (place, tokens) in self.tokens.iter().enumerate() {
            let [sensitive, insensitive] = &self.filters[place];
            let mut passes = |variant, gram| match variant {
                Variant::Sensitive => sensitive.passes(&self.parameters, gram),
                Variant::Insensitive => insensitive.passes(&self.parameters, gram),
            };
            let met = need.met(&mut passes);
            assert_eq!(
                met,
                candidates.contains(&FileId::try_from(place).unwrap()),
                "{}",
                self.names[place]
            );
            if tokens.complete && !met {
                excluded.push(self.names[place].as_str());
            }
        }
        excluded
    }
}

fn need(request: &Value) -> Need {
    let limits = Limits {
        default_timeout_ms: 20_000,
        default_max_results: 100_000,
        max_matches_per_file: None,
        max_files: 1_000_000,
        max_file_size_bytes: 32 << 20,
        max_output_bytes: 1 << 24,
        reading: forge_search_core::request::Reading::Documents,
    };
    let request =
        Json(request).search(&limits).unwrap_or_else(|error| panic!("{request}: {error}"));
    request.matcher.need(Fold::Ascii, NGRAM)
}

/// The corpus on the disk.
fn ground(corpus: &BTreeMap<String, Vec<u8>>) -> Ground {
    let case = Case::new("corpus", "files that may be excluded", json!({"pattern": "x"}));
    Ground::of(
        &corpus
            .iter()
            .fold(case, |case, (name, file)| case.with(Entry::file(name.as_str(), file.clone()))),
    )
}

fn service(ground: &Ground, backend: Backend) -> Service {
    let mut config = match backends().executable(backend) {
        Some(program) => only(program),
        None => Config { backend: BackendChoice::Native, ..only(Path::new("none")) },
    };
    // The index of these tests reads patterns as the documents do.
    config.agent.reading = Reading::Documents;
    ground.service(config)
}

/// Pairs of a request and a file that it excludes.
fn pairs(index: &Index, requests: &[Value]) -> Vec<(Value, String)> {
    let of = |request: &Value| {
        let excluded = index.excluded(&need(request));
        excluded.into_iter().map(|file| (request.clone(), file.to_owned())).collect::<Vec<_>>()
    };
    requests.iter().flat_map(of).collect()
}

/// Does something about every item, on as many threads as there are processors.
fn each<T: Sync>(items: &[T], one: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(2, std::num::NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    one(item);
                }
            });
        }
    });
}

#[test]
fn real_backends_find_nothing_in_an_excludable_file() {
    touchstone::verifies!("T-LSI-BLOOM-02", "T-LSI-BLOOM-02.note", "FR-LSI-CAND-01", "E-A22");
    let corpus = corpus();
    let (index, ground, requests) = (Index::of(&corpus), ground(&corpus), requests());
    let pairs = pairs(&index, &requests);
    assert!(
        pairs.len() > 2_000,
        "only {} pairs of a request and a file that it excludes",
        pairs.len()
    );
    let asked: BTreeSet<String> = pairs.iter().map(|(request, _)| request.to_string()).collect();
    assert!(
        asked.len() * 10 > requests.len() * 9,
        "only {} of {} requests exclude",
        asked.len(),
        requests.len()
    );
    for backend in [Backend::Ripgrep, Backend::Ugrep] {
        let service = service(&ground, backend);
        each(&pairs, |(request, file)| {
            let mut request = request.clone();
            request["path"] = json!(file);
            let answer = json(service.call("Search", &request));
            assert_eq!(answer["count"], 0, "{request} over {backend:?}: {answer}");
            assert_eq!(answer["files_scanned"], 1, "{request} over {backend:?}: {answer}");
        });
    }
}

#[test]
fn a_search_without_an_index_has_no_event_in_an_excludable_file() {
    // E-A22: the oracle that is the same search.
    touchstone::verifies!("T-LSI-BLOOM-02", "FR-LSI-CAND-01", "E-A22");
    let corpus = corpus();
    let (index, ground, requests) = (Index::of(&corpus), ground(&corpus), requests());
    let (mut matched, mut kept) = (0, 0);
    for backend in Backend::ALL {
        let service = service(&ground, backend);
        for request in &requests {
            let answer = json(service.call("Search", request));
            assert_eq!(
                (&answer["truncated"], &answer["timed_out"]),
                (&json!(false), &json!(false)),
                "{request}"
            );
            let found: BTreeSet<String> = paths(&answer).into_iter().collect();
            let excluded = index.excluded(&need(request));
            for file in &excluded {
                assert!(
                    !found.contains(*file),
                    "{request} over {backend:?} finds something in {file}"
                );
            }
            // Leaving files without events out moves no event, so what is left is the same answer.
            matched += found.len();
            kept += index.names.len() - excluded.len();
        }
    }
    assert!(matched > 500, "only {matched} files with a match");
    assert!(kept >= matched, "{kept} candidates, {matched} of them with a match");
}

/// Runs a bare program with nothing in its environment, and says what it printed.
fn bare(
    program: &Path,
    args: &[&str],
    pattern: &str,
    files: &[&str],
    root: &Path,
) -> (Option<i32>, String) {
    let output = Command::new(program)
        .args(args)
        .args(["-e", pattern, "--"])
        .args(files)
        .env_clear()
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.stderr.is_empty(),
        "{}: {}",
        program.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn bare_programs_find_no_literal_in_an_excludable_file() {
    touchstone::verifies!("T-LSI-BLOOM-02", "T-LSI-BLOOM-02.note");
    let corpus = corpus();
    let (index, ground, backends) = (Index::of(&corpus), ground(&corpus), backends());
    let (mut pairs, mut found) = (0, 0);
    for (pattern, case) in LITERALS {
        let request = json!({"pattern": pattern, "fixed_strings": true, "case": case});
        let excluded = index.excluded(&need(&request));
        let kept: Vec<&str> = index
            .names
            .iter()
            .map(String::as_str)
            .filter(|name| !excluded.contains(name))
            .collect();
        let sensitive = case == "sensitive"
            || (case == "smart" && pattern.bytes().any(|byte| byte.is_ascii_uppercase()));
        // Insensitive means something else to ripgrep, which folds Unicode (E-A04).
        let programs: &[Backend] =
            if sensitive { &[Backend::Ripgrep, Backend::Ugrep] } else { &[Backend::Ugrep] };
        for backend in programs {
            let program = backends.executable(*backend).unwrap();
            let args: &[&str] = match (backend, sensitive) {
                (Backend::Ripgrep, _) => &["--no-config", "-FsnH"],
                (_, true) => &["-FnH"],
                (_, false) => &["-FinH"],
            };
            if !excluded.is_empty() {
                let (status, printed) = bare(program, args, pattern, &excluded, ground.root());
                assert_eq!(
                    (status, printed.as_str()),
                    (Some(1), ""),
                    "`{pattern}`, {case}, over {backend:?}"
                );
                pairs += excluded.len();
            }
            if !kept.is_empty() {
                found +=
                    usize::from(bare(program, args, pattern, &kept, ground.root()).0 == Some(0));
            }
        }
    }
    assert!(pairs > 1_500, "only {pairs} pairs");
    assert!(found > 20, "only {found} literals stand anywhere, so that little was put to the test");
}

#[test]
fn a_file_is_excluded_only_if_a_gram_of_the_pattern_is_truly_absent() {
    touchstone::verifies!("T-LSI-BLOOM-02");
    let corpus = corpus();
    let index = Index::of(&corpus);
    let mut pairs = 0;
    for (pattern, case) in LITERALS {
        let request = json!({"pattern": pattern, "fixed_strings": true, "case": case});
        let capital = pattern.bytes().any(|byte| byte.is_ascii_uppercase());
        let fold = |text: &str| {
            if case == "sensitive" || (case == "smart" && capital) {
                text.to_owned()
            } else {
                text.to_ascii_lowercase()
            }
        };
        let sought: Vec<char> = fold(pattern).chars().collect();
        for file in index.excluded(&need(&request)) {
            let text = fold(&String::from_utf8_lossy(&corpus[file]).replace("\r\n", "\n"));
            let absent =
                sought.windows(NGRAM).any(|gram| !text.contains(&gram.iter().collect::<String>()));
            assert!(absent, "{file} holds every gram of `{pattern}`");
            pairs += 1;
        }
    }
    assert!(pairs > 1_000, "only {pairs} pairs");
}
