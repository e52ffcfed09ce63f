//! Walks: trees with ignore files, hidden names, links, and how they are walked.

use touchstone_cases::case::{Contents, Entry, Node};
use touchstone_cases::dice::Dice;

use super::Batch;
use crate::question::{Ask, Pack, Show, Walk};

/// Asks about one tree.
const ASKS: usize = 4;

const FILES: &[&str] =
    &["a", "b", "c.log", "d.txt", ".h", "a b", "!x", "#y", "é", "A", "[a]", "ab", "x.log.txt"];
const DIRECTORIES: &[&str] = &["d", "e", ".k", "a", "target", "d.log", "e f"];

/// Rules, in which `F` stands for a file's name and `D` for a directory's.
const RULES: &[&str] = &[
    "F", "/F", "D/", "D", "/D/", "D/F", "D/*", "D/**", "**/F", "**/D/**", "D/**/F", "*.log", "*",
    "!F", "!*.txt", "!D/", "*/", "!*/", "/*", "!/D", "[ab]", "[!a]", "a*", "*b", "?", "\\!x",
    "\\#y", "#y", "F ", "F\\ ", "a\\ b", "/", "//", "D//", "/**", "**", "***", "D/**/", "*/F",
    "[[]a]", "[a-c]*", "!/F", "{a,b}", "\\a", "F/", "F}", "{F", "{F}",
];

/// Globs for names that fit no directory that is drawn: what they mean there is not judged.
const GLOBS: &[&str] = &["*.txt", "*b", "x*", "[bc]*", "?b", ".h", "!*.txt", "![bc]", "!.h", "!c*"];

/// A tree and some ways to walk it.
pub(super) fn batch(dice: &mut Dice) -> Batch {
    let swarm = Kinds {
        repositories: dice.once_in(4),
        dot_ignore: dice.once_in(3),
        nested: dice.once_in(2),
        links: dice.once_in(5),
        exclude: dice.once_in(5),
        carriage: dice.once_in(10),
        mark: dice.once_in(10),
        sizes: dice.once_in(5),
    };
    let pack = Pack { tree: tree(dice, &swarm) };
    let asks = (0..ASKS)
        .map(|_| {
            // What globs mean beside other rules differs from program to program.
            let globs =
                if dice.once_in(8) { vec![dice.pick(GLOBS, "a*").to_owned()] } else { Vec::new() };
            let roots = if dice.once_in(3) { roots(dice, &pack) } else { Vec::new() };
            let walk = Walk {
                hidden: !globs.is_empty() || dice.once_in(3),
                no_ignore: !globs.is_empty() || dice.once_in(6),
                globs,
                follow: swarm.links && roots.is_empty() && dice.once_in(2),
                max_filesize: (swarm.sizes && dice.once_in(2)).then(|| 1 + dice.below(6) as u64),
                max_depth: dice.once_in(8).then(|| 1 + dice.below(3) as u64),
                sort: dice.once_in(5),
                roots,
            };
            Ask { fixed: true, walk: Some(walk), show: Show::Files, ..Ask::new("x") }
        })
        .collect();
    Batch { pack, asks }
}

/// What a tree has.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a tree has or not")]
struct Kinds {
    repositories: bool,
    dot_ignore: bool,
    nested: bool,
    links: bool,
    exclude: bool,
    carriage: bool,
    mark: bool,
    sizes: bool,
}

fn tree(dice: &mut Dice, kinds: &Kinds) -> Vec<Entry> {
    let mut tree = repository("");
    let mut directories = vec![String::new()];
    for _ in 0..=dice.below(3) {
        let parent = if dice.once_in(2) { String::new() } else { pick(dice, &directories) };
        let path = format!("{parent}{}/", dice.pick(DIRECTORIES, "d"));
        if !directories.contains(&path) {
            directories.push(path);
        }
    }
    for _ in 0..4 + dice.below(8) {
        let path = format!("{}{}", pick(dice, &directories), dice.pick(FILES, "a"));
        let more = if kinds.sizes { dice.below(6) } else { 0 };
        file(&mut tree, &directories, &path, format!("x{}\n", "y".repeat(more)));
    }
    for directory in directories.clone() {
        let is_root = directory.is_empty();
        if is_root || (kinds.nested && dice.once_in(2)) {
            file(&mut tree, &directories, &format!("{directory}.gitignore"), rules(dice, kinds));
        }
        if kinds.dot_ignore && dice.once_in(2) {
            file(&mut tree, &directories, &format!("{directory}.ignore"), rules(dice, kinds));
        }
        if kinds.repositories && !is_root && dice.once_in(3) {
            tree.extend(repository(&directory));
        }
        if kinds.links && dice.once_in(2) {
            // What lies outside the tree is nobody's to find.
            let inside: &[&str] = &["a", "d", "missing", "b", "e", "../a", ".."];
            let targets = if is_root { inside.split_at(5).0 } else { inside };
            let target = dice.pick(targets, "a");
            let path = format!("{directory}link");
            tree.push(Entry {
                path: path.into_bytes(),
                node: Node::Link { target: target.into() },
            });
        }
    }
    if kinds.exclude {
        file(&mut tree, &directories, ".git/info/exclude", rules(dice, kinds));
    }
    tree
}

/// One or two directories to begin at, neither above the other.
fn roots(dice: &mut Dice, pack: &Pack) -> Vec<String> {
    let mut roots: Vec<String> = Vec::new();
    for _ in 0..=dice.below(2) {
        let path = pack.tree.get(dice.below(pack.tree.len())).map(|entry| entry.path.as_slice());
        let path = String::from_utf8_lossy(path.unwrap_or_default()).into_owned();
        let Some((directory, _)) = path.rsplit_once('/') else { continue };
        let apart = |root: &String| {
            let (one, other) = (format!("{root}/"), format!("{directory}/"));
            !one.starts_with(&other) && !other.starts_with(&one)
        };
        if !path.contains(".git/") && roots.iter().all(apart) {
            roots.push(directory.to_owned());
        }
    }
    roots
}

/// What git takes for a repository.
fn repository(directory: &str) -> Vec<Entry> {
    let path = |name: &str| format!("{directory}.git/{name}").into_bytes();
    let empty = |name: &str| Entry { path: path(name), node: Node::Dir { readable: true } };
    let head = Contents::plain("ref: refs/heads/main\n");
    vec![
        Entry { path: path("HEAD"), node: Node::File { contents: head, readable: true } },
        empty("objects"),
        empty("refs"),
    ]
}

/// Adds a file, unless its place is taken.
fn file(tree: &mut Vec<Entry>, directories: &[String], path: &str, text: String) {
    let taken = tree.iter().any(|entry| entry.path == path.as_bytes())
        || directories.iter().any(|directory| directory.strip_suffix('/') == Some(path));
    if !taken {
        let contents = Contents::plain(text);
        tree.push(Entry {
            path: path.as_bytes().to_vec(),
            node: Node::File { contents, readable: true },
        });
    }
}

fn rules(dice: &mut Dice, kinds: &Kinds) -> String {
    let mut text = String::new();
    if kinds.mark && dice.once_in(2) {
        text.push('\u{feff}');
    }
    for _ in 0..=dice.below(4) {
        let rule = dice.pick(RULES, "F");
        let rule =
            rule.replace('F', dice.pick(FILES, "a")).replace('D', dice.pick(DIRECTORIES, "d"));
        text.push_str(&rule);
        text.push_str(if kinds.carriage && dice.once_in(2) { "\r\n" } else { "\n" });
    }
    text
}

fn pick(dice: &mut Dice, directories: &[String]) -> String {
    directories.get(dice.below(directories.len())).cloned().unwrap_or_default()
}
