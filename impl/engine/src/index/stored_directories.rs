//! Stored directories and ignore files, by which a process without a watcher verifies that names
//! are unchanged.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use forge_search_core::{
    index::segment::{Catalog, Fault, Fingerprint, Row, read_rows, write_rows},
    text::TextKind,
};

use super::{
    catalog::{self, IgnoreFile, Rules},
    scan::Directory,
    store::{BlockKind, Store},
};
use crate::root::{os_path, path_bytes};

/// Directories, without their rules, and inputs.
type Stored = (BTreeMap<Vec<u8>, Directory>, Rules);

/// Bytes of one row.
const CHUNK: usize = 1 << 20;
const BAD: Fault = Fault::Malformed("a stored tree");

/// The rows of a tree. Four catalogs, each after its length: directories, ignore files,
/// repositories, inputs; then the count of unreadable paths. `proves` if every known file is
/// stored.
pub(crate) fn rows(tree: &catalog::Catalog, proves: bool) -> Vec<(BlockKind, u32, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut add = |files: &mut dyn Iterator<Item = (&[u8], Fingerprint, bool)>| {
        let mut catalog = Catalog::default();
        for (path, fingerprint, racy) in files {
            catalog.push(&Row {
                path: path.to_vec(),
                fingerprint,
                status: None,
                kind: TextKind::Unknown,
                complete: false,
                racy,
            });
        }
        let part = write_rows(&catalog, 0, catalog.len());
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&part);
    };
    let directories = tree.directories().iter();
    add(&mut directories.map(|(path, known)| (path.as_slice(), known.fingerprint, known.racy)));
    let rules = tree.rules();
    add(&mut rules.files.iter().map(|file| (file.path.as_slice(), file.fingerprint, !file.proved)));
    add(&mut rules
        .repositories
        .iter()
        .map(|path| (path.as_slice(), Fingerprint::default(), false)));
    let inputs: Vec<(Vec<u8>, Option<Fingerprint>)> =
        rules.inputs.iter().map(|(path, known)| (path_bytes(path), *known)).collect();
    // A missing file has the empty fingerprint.
    add(&mut inputs
        .iter()
        .map(|(path, known)| (path.as_slice(), known.unwrap_or_default(), known.is_none())));
    let walk_errors = tree.files().walk_errors().len() as u64 + u64::from(!proves);
    bytes.extend_from_slice(&walk_errors.to_le_bytes());
    let length = (bytes.len() as u64).to_le_bytes().to_vec();
    let chunks = (1..)
        .zip(bytes.chunks(CHUNK))
        .map(|(number, chunk)| (BlockKind::Tree, number, chunk.to_vec()));
    std::iter::once((BlockKind::Tree, 0, length)).chain(chunks).collect()
}

/// The directories, without their rules, and the inputs of a base, as stored; `None` if there were
/// unreadable paths, since then names prove nothing.
pub(crate) fn load(store: &Store, base: u32) -> Result<Option<Stored>, Fault> {
    let length = store.block(base, BlockKind::Tree, 0)?;
    let length = u64::from_le_bytes(length.as_ref().try_into().map_err(|_| BAD)?);
    let mut bytes = Vec::new();
    let mut number = 1;
    while (bytes.len() as u64) < length {
        bytes.extend_from_slice(&store.block(base, BlockKind::Tree, number)?);
        number += 1;
    }
    let mut rest = bytes.as_slice();
    let directories = part(&mut rest)?;
    let ignore_files = part(&mut rest)?;
    let repositories = part(&mut rest)?;
    let inputs = part(&mut rest)?;
    let walk_errors = word(&mut rest)?;
    let all = |catalog: &Catalog| -> Vec<(Vec<u8>, Fingerprint, bool)> {
        let one =
            |rank| (catalog.path(rank).to_vec(), catalog.fingerprint(rank), catalog.is_racy(rank));
        (0..catalog.len()).map(one).collect()
    };
    if walk_errors > 0 {
        return Ok(None);
    }
    let rules = || Arc::default();
    let directory =
        |(path, fingerprint, racy)| (path, Directory { rules: rules(), fingerprint, racy });
    let file = |(path, fingerprint, unsure): (Vec<u8>, Fingerprint, bool)| IgnoreFile {
        path,
        fingerprint,
        proved: !unsure,
        looked_at: true,
    };
    let input = |(path, known, missing): (Vec<u8>, Fingerprint, bool)| {
        (PathBuf::from(os_path(&path)), (!missing).then_some(known))
    };
    let rules = Rules {
        repositories: all(&repositories).into_iter().map(|(path, ..)| path).collect(),
        files: all(&ignore_files).into_iter().map(file).collect(),
        inputs: all(&inputs).into_iter().map(input).collect(),
    };
    Ok(Some((all(&directories).into_iter().map(directory).collect(), rules)))
}

fn word(rest: &mut &[u8]) -> Result<u64, Fault> {
    let (head, tail) = rest.split_first_chunk::<8>().ok_or(BAD)?;
    *rest = tail;
    Ok(u64::from_le_bytes(*head))
}

fn part(rest: &mut &[u8]) -> Result<Catalog, Fault> {
    let length = usize::try_from(word(rest)?).map_err(|_| BAD)?;
    let (part, tail) = rest.split_at_checked(length).ok_or(BAD)?;
    *rest = tail;
    let mut catalog = Catalog::default();
    read_rows(part, &mut catalog)?;
    Ok(catalog)
}
