//! Acts on mounts, and on what is mounted.

use super::{Edit, Example, part, text};

/// An act from one path to another.
type Showing = fn(touchstone_cases::case::Text, touchstone_cases::case::Text) -> Edit;

pub(super) fn all() -> Vec<Example> {
    let memory = || Edit::MountTmpfs(text("docs"), part("needle in memory\n"));
    let overlay = |contents| Edit::MountOverlay(text("docs"), part(contents));
    let mut all = vec![
        Example::new("a file system in memory", [memory()]),
        Example::new("an overlay", [overlay("needle in a lower layer\n")]),
        Example::new("copy-up", [Edit::CopyUp(text("docs/l.txt"), part("needle\n"))])
            .ready([overlay("alpha\n")]),
        Example::new(
            "a write in a file system in memory",
            [Edit::write("docs/m.txt", "zebra needle\n")],
        )
        .ready([memory()])
        .finding("zebra needle"),
        Example::new("a mount that moves", [Edit::MoveMount(text("docs"), text("src"))])
            .ready([memory()]),
        Example::new("a mount that goes", [Edit::Unmount(text("docs"))])
            .ready([memory()])
            .finding("Quartz"),
        Example::new("a mount of a file that goes", [Edit::Unmount(text("b.txt"))])
            .ready([Edit::Bind(text("../out/needle.txt"), text("b.txt"))])
            .finding("alpha"),
        Example::new(
            "a write of a mounted file by its other name",
            [Edit::ByOtherName(text("b.txt"), text("../out/m.txt"), part("needle\n"))],
        )
        .ready([
            Edit::write("../out/m.txt", "alpha\n"),
            Edit::Bind(text("../out/m.txt"), text("b.txt")),
        ]),
        Example::new(
            "a write in a mounted directory",
            [Edit::write("../out/needle.txt", "zebra needle\n")],
        )
        .ready([Edit::Bind(text("../out"), text("docs"))])
        .finding("zebra needle"),
    ];
    for (name, show) in [("bound", Edit::Bind as Showing), ("attached", Edit::Attach)] {
        let shown = |object: &str, from: &str, to: &str| {
            Example::new(format!("{object} {name}"), [show(text(from), text(to))])
        };
        all.extend([
            shown("a directory", "../out", "docs"),
            shown("a directory of the tree", "src", "docs").finding("zebra"),
            shown("a file", "../out/needle.txt", "b.txt"),
            shown("an ignore file", "../out/rules", ".gitignore"),
        ]);
    }
    all
}
