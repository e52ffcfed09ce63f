//! Repositories above the sandbox root: a drawn case is moved into one (D23).

use crate::case::{Case, Contents, Entry, Node};
use crate::dice::Dice;

/// Rules, in which `F` stands for a name of the tree.
const RULES: &[&str] = &[
    "F",
    "/root/F",
    "root/F",
    "/p/root/F",
    "**/F",
    "!F",
    "!/root/F",
    "!root/F",
    "F/",
    "*",
    "!*.txt",
    "root/*",
    "/root",
    "p/",
    "*.txt",
    "/F",
];

/// The case in a sandbox root below a repository, or a place that looks like one.
pub(super) fn moved(mut case: Case, dice: &mut Dice) -> Case {
    let above: &[&str] = if dice.once_in(2) { &["", "p/"] } else { &[""] };
    let last = above.last().copied().unwrap_or_default();
    let names: Vec<String> = case.tree.iter().map(name).collect();
    for entry in &mut case.tree {
        let path = match entry.path.strip_prefix(b"../") {
            Some(beside) => [last.as_bytes(), beside].concat(),
            None => [last.as_bytes(), b"root/", &entry.path].concat(),
        };
        entry.path = path;
    }
    case.config.root = format!("{last}root");
    for directory in above {
        for ignore in [".gitignore", ".ignore"] {
            if dice.once_in(2) {
                put(&mut case, &format!("{directory}{ignore}"), &rules(dice, &names));
            }
        }
    }
    let top = dice.pick(above, "");
    if dice.once_in(4) {
        let main = "main/.git/worktrees/w";
        let up = if top.is_empty() { "" } else { "../" };
        put(&mut case, "main/.git/HEAD", "ref: x\n");
        put(&mut case, &format!("{main}/HEAD"), "ref: x\n");
        put(&mut case, &format!("{main}/commondir"), "../..\n");
        let back = dice.pick(&["../../../../", "../../../../", "../../../../p/"], "");
        put(&mut case, &format!("{main}/gitdir"), &format!("{back}.git\n"));
        put(&mut case, "main/.git/info/exclude", &rules(dice, &names));
        put(&mut case, &format!("{top}.git"), &format!("gitdir: {up}{main}\n"));
    } else if !dice.once_in(5) {
        put(&mut case, &format!("{top}.git/HEAD"), "ref: x\n");
        if dice.once_in(3) {
            put(&mut case, &format!("{top}.git/info/exclude"), &rules(dice, &names));
        }
    }
    case
}

fn name(entry: &Entry) -> String {
    let name = entry.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    String::from_utf8_lossy(name).into_owned()
}

fn rules(dice: &mut Dice, names: &[String]) -> String {
    let lines = (0..=dice.below(2)).map(|_| {
        let name = names.get(dice.below(names.len())).map_or("a", String::as_str);
        dice.pick(RULES, "F").replace('F', name) + "\n"
    });
    lines.collect()
}

/// Adds a file, unless something has its place or is in its way.
fn put(case: &mut Case, path: &str, text: &str) {
    let path = path.as_bytes();
    let meets = |entry: &Entry| {
        let is_above = |one: &[u8], other: &[u8]| {
            one == other || other.strip_prefix(one).is_some_and(|rest| rest.starts_with(b"/"))
        };
        is_above(path, &entry.path)
            || (is_above(&entry.path, path) && !matches!(entry.node, Node::Dir { readable: true }))
    };
    if !case.tree.iter().any(meets) {
        let node = Node::File { contents: Contents::plain(text), readable: true };
        case.tree.push(Entry { path: path.to_vec(), node });
    }
}
