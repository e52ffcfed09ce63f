//! Drawing what else changes a tree: handles, copies by the kernel, other names, attributes,
//! mounts.
//!
//! Invariants: nothing is drawn that `spec/index/changes.yaml` does not promise.

use touchstone_cases::case::Text;
use touchstone_cases::dice::Dice;

use super::super::edit::{Allocating, Copying};
use super::super::life::{Act, Edit, part, text};
use super::{CLOSABLE, DIRECTORIES, FILES, RULES, contents, line, request, text_of};

/// Files of the tree itself.
const INSIDE: &[&str] =
    &["a.txt", "b.txt", "src/a.rs", "src/b.rs", "src/deep/c.txt", "docs/x.md", "vendor/v.txt"];

/// A name outside by which nothing else is written.
const ALIAS: &str = "../out/alias";

/// Acts of which most change the tree.
pub(super) fn acts(dice: &mut Dice) -> Vec<Act> {
    let file = text_of(FILES);
    let edits = match dice.below(20) {
        0..=3 => by_handle(dice),
        4 => return late(dice),
        5..=7 => {
            let copying = dice.pick(&Copying::ALL, Copying::Range);
            vec![Edit::Copy(file(dice), file(dice), copying)]
        }
        8 => {
            let path = file(dice);
            let how = dice.pick(&Allocating::ALL, Allocating::Zero);
            let long = touchstone_cases::case::Part { times: 2_000, ..line(dice) };
            vec![
                Edit::Write(path.clone(), long),
                Edit::Allocate(path, how, dice.below(2) as u64, 1),
            ]
        }
        9 => {
            vec![Edit::ByPassingName(text_of(INSIDE)(dice), text_of(INSIDE)(dice), contents(dice))]
        }
        10 => {
            let path = if dice.once_in(3) { text_of(RULES)(dice) } else { text_of(INSIDE)(dice) };
            let contents = if dice.once_in(2) { part("!*\n") } else { line(dice) };
            let other = text(ALIAS);
            return vec![
                Act::Edit(Edit::Remove(other.clone())),
                Act::Edit(Edit::SecondName(path.clone(), other.clone())),
                Act::Search(request(dice)),
                Act::Edit(Edit::ByOtherName(path, other, contents)),
            ];
        }
        11 => vec![Edit::Tmpfile(text_of(DIRECTORIES)(dice), file(dice), contents(dice))],
        12 => {
            let path = file(dice);
            let target =
                |dice: &mut Dice| text(dice.pick(&["a.txt", "src", "../out", "nowhere"], "a.txt"));
            vec![Edit::Symlink(path.clone(), target(dice)), Edit::Relink(path, target(dice))]
        }
        13 => vec![Edit::Exchange(file(dice), file(dice))],
        14 => vec![Edit::Exchange(text_of(DIRECTORIES)(dice), text_of(DIRECTORIES)(dice))],
        15 => vec![Edit::RenameNoReplace(file(dice), file(dice))],
        16 => vec![
            Edit::Chown(file(dice)),
            Edit::Backdate(file(dice), 1_000_000 + dice.below(1_000) as u64),
        ],
        17 if dice.once_in(2) => {
            let path = if dice.once_in(4) { text_of(RULES)(dice) } else { file(dice) };
            let step = dice.pick(&[-86_400_000, -3_000, -30, 30, 3_000, 86_400_000], -30);
            vec![Edit::StepClock(path, step, line(dice))]
        }
        17 => {
            let names = if dice.once_in(2) { FILES } else { CLOSABLE };
            vec![Edit::Acl(text_of(names)(dice), dice.once_in(2))]
        }
        18 => vec![Edit::SetXattr(file(dice), line(dice))],
        _ => vec![Edit::Fifo(file(dice))],
    };
    edits.into_iter().map(Act::Edit).collect()
}

/// What a handle does that stays open meanwhile, or by handles that are closed at once.
fn by_handle(dice: &mut Dice) -> Vec<Edit> {
    let name = text(dice.pick(&["h", "i"], "h"));
    let at = dice.below(12) as u64;
    let file = text_of(FILES);
    match dice.below(10) {
        0..=1 => vec![Edit::Open(file(dice), name)],
        2..=4 => vec![Edit::WriteThrough(name, at, line(dice))],
        5 => vec![Edit::Close(name)],
        6 => vec![Edit::MapStore(file(dice), at, line(dice))],
        7 => vec![Edit::AioWrite(file(dice), at, line(dice))],
        8 => vec![Edit::RingWrite(file(dice), at, line(dice))],
        _ => vec![Edit::RingThrough(name, at, line(dice))],
    }
}

/// What no event tells, by a handle that was open when the file was read.
fn late(dice: &mut Dice) -> Vec<Act> {
    let (path, name): (Text, Text) = (text_of(INSIDE)(dice), text("k"));
    let at = dice.below(12) as u64;
    let silent = if dice.once_in(2) {
        Edit::AioThrough(name.clone(), at, line(dice))
    } else {
        Edit::StoreThrough(name.clone(), at, line(dice))
    };
    vec![
        // Nothing of an earlier one is left if this file cannot be opened.
        Act::Edit(Edit::Close(name.clone())),
        Act::Edit(Edit::Open(path.clone(), name)),
        Act::Edit(Edit::Append(path, line(dice))),
        Act::Search(request(dice)),
        Act::Edit(silent),
    ]
}

/// An edit of a life that has mounts of its own.
pub(super) fn mount(dice: &mut Dice) -> Edit {
    const PLACES: &[&str] =
        &["src", "src/deep", "docs", "vendor", ".hid", "../out", "../away", "new"];
    let place = text_of(PLACES);
    let file = text_of(FILES);
    match dice.below(12) {
        0..=1 => Edit::MountTmpfs(text_of(CLOSABLE)(dice), contents(dice)),
        2 => Edit::MountOverlay(text_of(CLOSABLE)(dice), contents(dice)),
        3 => Edit::CopyUp(
            text(dice.pick(&["src/l.txt", "docs/l.txt", "vendor/l.txt"], "docs/l.txt")),
            line(dice),
        ),
        4 => Edit::Bind(place(dice), place(dice)),
        5 => Edit::Bind(file(dice), file(dice)),
        6 => Edit::Attach(place(dice), place(dice)),
        7 => Edit::Attach(file(dice), file(dice)),
        8 => Edit::MoveMount(place(dice), place(dice)),
        9 => Edit::Unmount(file(dice)),
        _ => Edit::Unmount(place(dice)),
    }
}

/// Whether a comparison of the index with the tree may find what the next call would have found.
pub(super) fn is_found_by_calls(act: &Act) -> bool {
    matches!(
        act,
        Act::Edit(
            Edit::SecondName(..) | Edit::ByOtherName(..) | Edit::ByPassingName(..) | Edit::Open(..)
        )
    )
}

/// Whether an act takes permissions away, which has no effect on a user that is root in its
/// namespace.
pub(super) fn closes(act: &Act) -> bool {
    matches!(act, Act::Edit(Edit::Chmod(_, false) | Edit::Acl(_, false)))
}
