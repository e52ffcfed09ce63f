//! Acts on names.

use super::{Edit, Example, part, text};

/// An act from one path to another.
type Moving = fn(touchstone_cases::case::Text, touchstone_cases::case::Text) -> Edit;

pub(super) fn all() -> Vec<Example> {
    [made(), linked(), gone(), moved()].into_iter().flatten().collect()
}

fn made() -> Vec<Example> {
    let tmpfile = |name: &str, directory: &str, path: &str, contents: &str| {
        let edit = Edit::Tmpfile(text(directory), text(path), part(contents));
        Example::new(format!("{name} without a name"), [edit])
    };
    vec![
        Example::new(
            "a new directory",
            [Edit::Mkdir(text("new")), Edit::write("new/n.txt", "needle\n")],
        ),
        Example::new("a pipe", [Edit::Fifo(text("pipe"))]),
        Example::new(
            "a pipe in the place of a file",
            [Edit::Remove(text("a.txt")), Edit::Fifo(text("a.txt"))],
        ),
        Example::new("a new link", [Edit::Symlink(text("other"), text("../out"))]),
        Example::new("a link that leads elsewhere", [Edit::Relink(text("link"), text("b.txt"))]),
        tmpfile("a file", "src", "t.txt", "needle\n"),
        tmpfile("a file from outside", "../out", "t.txt", "needle\n"),
        tmpfile("an ignore file", "src", "src/.gitignore", "*\n").finding("omega"),
    ]
}

fn linked() -> Vec<Example> {
    let mut all = Vec::new();
    for (name, link) in
        [("second name", Edit::HardLink as Moving), ("touched second name", Edit::SecondName)]
    {
        let linked = |object: &str, edit| Example::new(format!("{name} of {object}"), [edit]);
        all.extend([
            linked("a file", link(text("a.txt"), text("second.txt"))),
            linked("a file from outside", link(text("../out/needle.txt"), text("second.txt"))),
            linked("an ignore file", link(text(".gitignore"), text("src/.gitignore"))),
        ]);
    }
    all
}

fn gone() -> Vec<Example> {
    let removed = |object: &str, path: &str| {
        Example::new(format!("removal of {object}"), [Edit::Remove(text(path))])
    };
    vec![
        removed("a file", "a.txt"),
        removed("an ignore file", ".gitignore"),
        removed("a directory", "src").finding("zebra"),
        removed("a link", "link"),
        Example::new("another root", [Edit::NewRoot]),
        Example::new(
            "a file replaced",
            [Edit::Replace(text("b.txt"), part("needle in another\n"))],
        ),
        Example::new("an ignore file replaced", [Edit::Replace(text(".gitignore"), part("#\n"))]),
    ]
}

fn moved() -> Vec<Example> {
    let mut all = Vec::new();
    for (name, moving) in
        [("rename", Edit::Rename as Moving), ("plain rename", Edit::RenameNoReplace)]
    {
        let moved = |object: &str, from: &str, to: &str| {
            Example::new(format!("{name} of {object}"), [moving(text(from), text(to))])
        };
        all.extend([
            moved("a file", "a.txt", "moved.txt"),
            moved("a file from outside", "../out/needle.txt", "moved.txt"),
            moved("a file to the outside", "a.txt", "../out/moved.txt"),
            moved("an ignore file", ".gitignore", "no-rules"),
            moved("a directory", "src", "lib").finding("zebra"),
            moved("a directory to the outside", "src", "../lib").finding("zebra"),
            moved("a directory from outside", "../out", "in"),
            moved("a link", "link", "moved"),
        ]);
    }
    let exchanged = |object: &str, from: &str, to: &str| {
        Example::new(format!("exchange of {object}"), [Edit::Exchange(text(from), text(to))])
    };
    all.extend([
        exchanged("a file", "../out/needle.txt", "b.txt"),
        exchanged("two files", "a.txt", "src/c.rs"),
        exchanged("an ignore file", "../out/rules", ".gitignore"),
        exchanged("a directory", "src", "docs").finding("zebra"),
        exchanged("a directory and one outside", "../out", "docs"),
        exchanged("a link", "link", "b.txt"),
    ]);
    all
}
