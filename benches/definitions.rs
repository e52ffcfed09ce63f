//! Where `search_text` lists the file that defines an identifier, with `ctags` as the judge.
//!
//! Names are drawn that `ctags` finds defined in one file of a language and that stand in five
//! files or more. The draw is by a hash of the name, so that the same tree gives the same names.
//! With `--offered`, what `ctags` names and no file offers is left out, see `is_offered`; with
//! `--words`, names of several parts are drawn and asked for as words (`task struct`); with
//! `--misses` losses are listed.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Arc,
};

use forge_search_core::identifier::{identifiers, parts};
use forge_search_engine::json::Json;
use forge_search_engine::{Call, Config, Preset, Profile, Sandbox, Service, Toolbox};
use serde_json::{Value, json};

const USAGE: &str = "usage: definitions NAMES TREE ENDING... [--offered] [--words] [--misses], \
                     as in: definitions 150 linux c,h rs";
/// Files in which a name has to stand.
const LEAST_FILES: usize = 5;
/// Larger files are not looked through for names.
const MOST_BYTES: u64 = 2 << 20;
/// Languages that `ctags` does not know: their names, and what names stand behind, behind
/// modifiers.
const TAUGHT: [(&str, &str); 3] = [
    ("scala", "class|object|trait|def|type"),
    ("swift", "class|struct|enum|protocol|func|typealias|actor|associatedtype"),
    ("zig", "fn"),
];
/// The standard normal distribution's 0.975 quantile.
const Z: f64 = 1.959_964;

fn main() -> ExitCode {
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<(), String> {
    let (options, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let [most, tree, languages @ ..] = arguments.as_slice() else { return Err(USAGE.to_owned()) };
    let most: usize = most.parse().map_err(|_| USAGE.to_owned())?;
    let tree = fs::canonicalize(tree).map_err(|error| format!("{tree}: {error}"))?;
    let has = |option: &str| options.iter().any(|given| given == option);
    let tags = tags(&tree, has("--offered"))?;
    println!("| endings | names | first | 95 % | among three | 95 % |");
    println!("| --- | --: | --: | --- | --: | --- |");
    let toolbox = toolbox(&tree)?;
    let session = toolbox.session();
    for language in languages {
        let endings: HashSet<&str> = language.split(',').collect();
        let is_drawn = |name: &str| !has("--words") || parts(name).nth(1).is_some();
        let drawn = drawn(&tree, &tags, &endings, &is_drawn, most)?;
        let mut places = Vec::new();
        for (name, defined_in) in &drawn {
            let query = if has("--words") { words(name) } else { name.clone() };
            let request = json!({ "query": query, "max_results": 10 });
            let answer = toolbox.call(&session, "search_text", &Json(&request), &Call::default());
            let results = answer.structured.get("results").and_then(Value::as_array);
            let results = results.ok_or_else(|| format!("{name}: {}", answer.text))?;
            let path = |result: &Value| {
                tree.join(result.get("path").and_then(Value::as_str).unwrap_or_default())
            };
            let place = results.iter().position(|result| path(result) == *defined_in);
            if place != Some(0) && has("--misses") {
                let first = results.first().cloned().unwrap_or_default();
                let [path, snippet] = ["path", "snippet"].map(|field| first.get(field).cloned());
                let (path, snippet) = (path.unwrap_or_default(), snippet.unwrap_or_default());
                eprintln!("{name}: {} at {place:?}, first {path} {snippet}", defined_in.display());
            }
            places.push(place);
        }
        let within = |most: usize| places.iter().flatten().filter(|place| **place < most).count();
        let row = [within(1), within(3)].map(|met| share(met, places.len()));
        println!("| {language} | {} | {} | {} |", places.len(), row[0], row[1]);
    }
    Ok(())
}

/// A share with its interval by Wilson.
#[expect(clippy::cast_precision_loss, reason = "no draw has so many names")]
fn share(met: usize, of: usize) -> String {
    let (met, of) = (met as f64, of.max(1) as f64);
    let share = met / of;
    let middle = (share + Z * Z / (2.0 * of)) / (1.0 + Z * Z / of);
    let half =
        Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt() / (1.0 + Z * Z / of);
    format!("{share:.3} | {:.3} to {:.3}", middle - half, middle + half)
}

/// The files that each name is defined in.
fn tags(tree: &Path, offered: bool) -> Result<BTreeMap<String, BTreeSet<PathBuf>>, String> {
    let mut ctags = Command::new("ctags");
    for (language, words) in TAUGHT {
        let modifiers = r"^[ \t]*(([a-z]+(\[[^]]*\]|\([^)]*\))?|@[A-Za-z]+)[ \t]+)*";
        let name = r"[ \t]+([A-Za-z0-9_]+)";
        ctags.arg(format!("--langdef={language}")).arg(format!("--langmap={language}:.{language}"));
        ctags.arg(format!("--regex-{language}=/{modifiers}({words}){name}/\\5/d/"));
    }
    let structure = "(struct|enum|union|extern struct|packed struct)";
    let constant = format!(r"/^(pub +)?const +([A-Za-z0-9_]+) *= *{structure}/\2/c/");
    ctags.arg(format!("--regex-zig={constant}"));
    let printed = ctags.args(["-R", "--links=no", "--sort=no", "-f", "-"]).arg(tree).output();
    let printed = printed.map_err(|error| format!("ctags (universal-ctags): {error}"))?;
    let mut tags: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for line in
        String::from_utf8_lossy(&printed.stdout).lines().filter(|line| !line.starts_with('!'))
    {
        let mut fields = line.splitn(3, '\t');
        let (Some(name), Some(path), Some(rest)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        // `M.name` of Lua, `A.B` of modules.
        let name = name.rsplit(['.', ':']).next().unwrap_or(name);
        if name.chars().count() > 2
            && identifiers(name).next() == Some(name)
            && (!offered || is_offered(path, rest))
        {
            tags.entry(name.to_owned()).or_default().insert(PathBuf::from(path));
        }
    }
    Ok(tags)
}

/// Whether a tag is of something that a file offers: no variable of a function, nor key of a
/// literal, import, name of a test, implementation for what is defined elsewhere, or line of a
/// bundle.
fn is_offered(path: &str, rest: &str) -> bool {
    let (pattern, fields) = rest.rsplit_once(";\"\t").unwrap_or((rest, ""));
    let kind = fields.split('\t').next().unwrap_or_default();
    let is_inner = pattern.starts_with("/^ ") || pattern.starts_with("/^\t");
    match path.rsplit('.').next().unwrap_or_default() {
        "js" | "mjs" | "cjs" | "jsx" => {
            let is_value = kind == "p" || is_inner && matches!(kind, "C" | "v" | "c");
            !is_value && !pattern.contains("require(") && pattern.ends_with("$/")
        }
        "ts" | "tsx" => !(is_inner && matches!(kind, "C" | "v")) && pattern.ends_with("$/"),
        "php" => kind != "a",
        "java" => kind != "p",
        "kt" | "kts" => kind != "p" && !fields.contains("method:"),
        "lua" => pattern.contains("= function") || pattern.contains("function "),
        "py" => !matches!(kind, "I" | "x" | "z"),
        "rs" => !matches!(kind, "c" | "v"),
        "ex" | "exs" => kind != "t",
        "go" => !matches!(kind, "p" | "P"),
        "cs" => kind != "f" || !(pattern.contains('(') || pattern.contains("var ")),
        _ => true,
    }
}

/// So many names that are defined once, in a file with one of these endings, and where.
fn drawn(
    tree: &Path,
    tags: &BTreeMap<String, BTreeSet<PathBuf>>,
    endings: &HashSet<&str>,
    is_drawn: &dyn Fn(&str) -> bool,
    most: usize,
) -> Result<Vec<(String, PathBuf)>, String> {
    let has_ending = |path: &Path| {
        path.extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|ending| endings.contains(ending))
    };
    let once = tags.iter().filter_map(|(name, files)| {
        let mut here = files.iter().filter(|file| has_ending(file));
        Some((name.as_str(), here.next()?)).filter(|_| here.next().is_none())
    });
    let once: HashMap<&str, &PathBuf> = once.collect();
    let mut held: HashMap<&str, usize> = HashMap::new();
    let mut directories = vec![tree.to_path_buf()];
    while let Some(directory) = directories.pop() {
        let entries = fs::read_dir(&directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        for entry in entries.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if metadata.is_dir() {
                directories.push(entry.path());
            } else if metadata.is_file() && metadata.len() <= MOST_BYTES {
                let Ok(text) = fs::read_to_string(entry.path()) else { continue };
                let found: HashSet<&str> = identifiers(&text).collect();
                for name in found {
                    if let Some((name, _)) = once.get_key_value(name) {
                        *held.entry(name).or_default() += 1;
                    }
                }
            }
        }
    }
    let mut names: Vec<&str> = held
        .into_iter()
        .filter(|(name, files)| *files >= LEAST_FILES && is_drawn(name))
        .map(|(name, _)| name)
        .collect();
    names.sort_by_cached_key(|name| hash(name));
    let names = names.into_iter().take(most);
    Ok(names.filter_map(|name| Some((name.to_owned(), (*once.get(name)?).clone()))).collect())
}

/// The parts of a name, blanks between them.
fn words(name: &str) -> String {
    let parts = parts(name).map(|part| part.text);
    parts.collect::<Vec<_>>().join(" ")
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// The tools over a tree, without an index: answers are the same with one.
fn toolbox(tree: &Path) -> Result<Toolbox, String> {
    let mut config = Config::preset(Preset::Agent);
    config.agent.searches_per_minute = 100_000;
    let sandbox = Sandbox::new(&[tree.to_owned()], tree).map_err(|error| error.to_string())?;
    let service = Service::new(config, sandbox).map_err(|error| error.to_string())?;
    Ok(Toolbox::new(Arc::new(service), Profile::All))
}
