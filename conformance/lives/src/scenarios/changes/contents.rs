//! Acts on what files hold, and on what decides that they are searched.

use super::super::super::edit::{Allocating, Copying};
use super::{Edit, Example, part, text, written};

pub(super) fn all() -> Vec<Example> {
    let mut all = Vec::new();
    for (object, path, word) in written() {
        all.extend(plain(object, path, word));
        all.extend(by_handles(object, path, word));
        all.extend(by_other_names(object, path, word));
        all.extend(status(object, path));
    }
    all.extend(outside());
    for how in Allocating::ALL {
        all.push(Example::new(
            format!("{how:?} of space"),
            [Edit::Allocate(text("big.txt"), how, 1, 1)],
        ));
    }
    all.extend([
        Example::new("chmod of a directory", [Edit::Chmod(text("src"), false)]).finding("omega"),
        Example::new("chown of a directory", [Edit::Chown(text("src"))]),
        Example::new("access list of a file", [Edit::Acl(text("a.txt"), false)]),
        Example::new("access list of a directory", [Edit::Acl(text("src"), false)])
            .finding("omega"),
        Example::new("attribute of a file", [Edit::SetXattr(text("b.txt"), part("needle"))]),
        Example::new("attribute of a directory", [Edit::SetXattr(text("src"), part("needle"))]),
        Example::new("many files", [Edit::Many(text("m"), 3, part("needle\n"))]),
        Example::new("rules above", [Edit::write("../.gitignore", "#\n")])
            .ready([Edit::write("../.gitignore", "a.txt\n")]),
    ]);
    all
}

fn plain(object: &str, path: &str, word: &str) -> Vec<Example> {
    let line = || part(&format!("{word}\n"));
    let appended = if object == "a file" { part("needle\n") } else { part("!hid.txt\n") };
    let source = if object == "a file" { "../out/needle.txt" } else { "../out/rules" };
    let disguised = Example::new(format!("disguise of {object}"), [Edit::Disguise(text(path), 0)]);
    let mut all = vec![
        Example::new(format!("write of {object}"), [Edit::Write(text(path), line())]),
        Example::new(format!("append to {object}"), [Edit::Append(text(path), appended)]),
        Example::new(format!("truncation of {object}"), [Edit::Truncate(text(path), 0)]),
        if object == "a file" { disguised.finding("qlpha") } else { disguised },
    ];
    for (way, milliseconds) in [("ahead", 60_000), ("back", -60_000)] {
        all.push(Example::new(
            format!("write of {object} after the clock stepped {way}"),
            [Edit::StepClock(text(path), milliseconds, line())],
        ));
    }
    for copying in Copying::ALL {
        let copy = Edit::Copy(text(source), text(path), copying);
        all.push(Example::new(format!("{copying:?} copied into {object}"), [copy]));
    }
    all
}

fn by_handles(object: &str, path: &str, word: &str) -> Vec<Example> {
    let (handle, path, word) = (text("h"), text(path), part(word));
    let open = || Edit::Open(path.clone(), handle.clone());
    let through =
        |name: &str, edit| Example::new(format!("{name} of {object}"), [edit]).ready([open()]);
    vec![
        through("write through a handle", Edit::WriteThrough(handle.clone(), 0, word.clone())),
        Example::new(
            format!("write through a later handle of {object}"),
            [open(), Edit::WriteThrough(handle.clone(), 0, word.clone())],
        ),
        // Of a name that is gone by then.
        Example::new(
            format!("write through a handle of another name of {object}"),
            [Edit::WriteThrough(handle.clone(), 0, word.clone())],
        )
        .ready([
            Edit::HardLink(path.clone(), text("passing")),
            Edit::Open(text("passing"), handle.clone()),
            Edit::Remove(text("passing")),
        ]),
        through("store through a handle", Edit::StoreThrough(handle.clone(), 0, word.clone())),
        through("AIO through a handle", Edit::AioThrough(handle.clone(), 0, word.clone())),
        Example::new(format!("store in {object}"), [Edit::MapStore(path.clone(), 0, word.clone())]),
        through("ring through a handle", Edit::RingThrough(handle.clone(), 0, word.clone())),
        Example::new(format!("AIO in {object}"), [Edit::AioWrite(path.clone(), 0, word.clone())]),
        Example::new(format!("ring in {object}"), [Edit::RingWrite(path, 0, word)]),
    ]
}

fn by_other_names(object: &str, path: &str, word: &str) -> Vec<Example> {
    let line = || part(&format!("{word}\n"));
    let (path, alias) = (text(path), text("../out/alias"));
    vec![
        Example::new(
            format!("write of {object} by a passing name"),
            [Edit::ByPassingName(path.clone(), text("passing"), line())],
        ),
        Example::new(
            format!("write of {object} by a name outside"),
            [Edit::ByOtherName(path.clone(), alias.clone(), line())],
        )
        .ready([Edit::HardLink(path.clone(), alias.clone())]),
        // With times that prove that it is what was read, and so left out until it is looked at.
        Example::new(
            format!("write of {object} by a name outside, long after it was read"),
            [Edit::ByOtherName(path.clone(), alias.clone(), line())],
        )
        .ready([
            Edit::HardLink(path, alias),
            Edit::StepClock(text("src/late"), 60_000, part("late\n")),
        ]),
    ]
}

/// Handles that were opened at names outside.
fn outside() -> Vec<Example> {
    let lent = |object: &str, name: &str, inside: &str, contents: &str, word: &str| {
        let (name, handle) = (text(name), text("h"));
        Example::new(
            format!("write through a handle from outside of {object}"),
            [Edit::WriteThrough(handle.clone(), 0, part(word))],
        )
        .ready([
            Edit::Write(name.clone(), part(contents)),
            Edit::Open(name.clone(), handle),
            Edit::HardLink(name.clone(), text(inside)),
            Edit::Remove(name),
        ])
    };
    vec![
        lent("a file", "../out/n.txt", "n.txt", "alpha alpha\n", "needle"),
        lent("an ignore file", "../out/.ignore", ".ignore", "b.txt\n", "#").finding("alpha"),
    ]
}

fn status(object: &str, path: &str) -> Vec<Example> {
    let closed = if object == "a file" { "a.txt" } else { path };
    let path = text(path);
    vec![
        Example::new(format!("chmod of {object}"), [Edit::Chmod(text(closed), false)]),
        Example::new(format!("chown of {object}"), [Edit::Chown(path.clone())]),
        Example::new(format!("touch of {object}"), [Edit::Touch(path.clone())]),
        Example::new(
            format!("times of {object} put back"),
            [Edit::Backdate(path.clone(), 1_000_000_000), Edit::Backdate(path, 4_000_000_000)],
        ),
    ]
}
