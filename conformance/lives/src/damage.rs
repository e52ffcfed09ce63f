//! Damage to stored files, as disks and people do it.
//!
//! Invariants: whatever fails is not done; nothing outside the directory of the stored indexes is
//! touched.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use touchstone_cases::materialise;

use super::life::Damage;

/// A page of the store, in bytes.
const PAGE: u64 = 4_096;

/// Applies the damage to every matching file.
pub(super) fn inflict(cache: &Path, damage: Damage) {
    let databases = || files(cache, ".sqlite");
    let logs = || files(cache, "-wal");
    match damage {
        Damage::Truncate(at) => each(&databases(), |path| truncate(path, at)),
        Damage::Zero(at) => each(&databases(), |path| zero(path, at)),
        Damage::Flip(at) => each(&databases(), |path| flip(path, at)),
        Damage::TruncateLog(at) => each(&logs(), |path| truncate(path, at)),
        Damage::ZeroLog(at) => each(&logs(), |path| zero(path, at)),
        Damage::FlipLog(at) => each(&logs(), |path| flip(path, at)),
        Damage::RemoveLog => each(&logs(), |path| fs::remove_file(path)),
        Damage::RemoveAll => {
            let _ = materialise::remove(cache);
        }
        Damage::Garbage => each(&databases(), |path| fs::write(path, vec![b'g'; 3 * 4_096])),
        Damage::Foreign => each(&databases(), disown),
        Damage::OpenToAll => {
            let _ = fs::set_permissions(cache, Permissions::from_mode(0o777));
        }
    }
}

fn each(paths: &[PathBuf], act: impl Fn(&Path) -> io::Result<()>) {
    for path in paths {
        // A file that cannot be damaged is as it was.
        let _ = act(path);
    }
}

/// Files of the directory and of those in it whose names end so.
pub fn files(cache: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if entry.file_name().to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Stored files in which a text stands, as it is or with 32 bits a scalar in either order of bytes.
pub(super) fn holding(cache: &Path, text: &[u8]) -> Vec<String> {
    let scalars: Vec<u32> = String::from_utf8_lossy(text).chars().map(u32::from).collect();
    let forms = [
        text.to_vec(),
        scalars.iter().flat_map(|scalar| scalar.to_le_bytes()).collect(),
        scalars.iter().flat_map(|scalar| scalar.to_be_bytes()).collect(),
    ];
    let holds = |bytes: &[u8], form: &Vec<u8>| {
        bytes.windows(form.len().max(1)).any(|window| window == form)
    };
    let mut found = Vec::new();
    for path in files(cache, "") {
        let bytes = fs::read(&path).unwrap_or_default();
        if forms.iter().any(|form| holds(&bytes, form)) {
            found.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    found
}

/// Whose a database is stands in its header, four bytes from the 68th on.
fn disown(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all_at(b"else", 68)
}

fn at(length: u64, thousandths: u64) -> u64 {
    length.saturating_mul(thousandths.min(999)) / 1_000
}

fn truncate(path: &Path, thousandths: u64) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_len(at(file.metadata()?.len(), thousandths))
}

fn zero(path: &Path, thousandths: u64) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    let from = at(length, thousandths) / PAGE * PAGE;
    let upto = (from + PAGE).min(length);
    file.write_all_at(&vec![0; usize::try_from(upto - from).unwrap_or(0)], from)
}

fn flip(path: &Path, thousandths: u64) -> io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let place = at(file.metadata()?.len(), thousandths);
    let mut byte = [0];
    file.read_exact_at(&mut byte, place)?;
    file.write_all_at(&byte.map(|byte| byte ^ (1 << (place % 8))), place)
}
