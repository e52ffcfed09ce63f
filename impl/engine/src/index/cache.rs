//! The cache directory: where indexes are stored, closed to other users (FR-LSI-CACHE-ROOT-01..04,
//! SEC-LSI-STORE-01, E-H08, E-H09).

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use forge_search_core::index::{eviction::Stored, settings::Settings};

use super::fault::{Faults, Point};
use crate::{observe, sandbox::Sandbox};

/// Why the cache directory cannot be used, as `storage_fallback_reason` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    InTree,
    Denied,
    Permission,
    Store,
}

impl Unusable {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::InTree => "CACHE_ROOT_IN_TREE",
            Self::Denied => "CACHE_ROOT_DENIED",
            Self::Permission => "PERMISSION_DENIED",
            Self::Store => "STORE_UNUSABLE",
        }
    }
}

/// The configured path, or the user's cache directory, or this user's part of the temporary
/// directory.
fn place(settings: &Settings) -> PathBuf {
    if !settings.index_path.is_empty() {
        return PathBuf::from(&settings.index_path);
    }
    match etcetera::base_strategy::choose_native_strategy() {
        Ok(user) => user.cache_dir().join("forge").join("search-index"),
        Err(_) => std::env::temp_dir().join(format!("forge-search-{}", user_id())),
    }
}

/// Checks the cache directory, and creates it if `create` says so: a reader makes none.
pub(crate) fn prepare(
    settings: &Settings,
    sandbox: &Sandbox,
    roots: &[PathBuf],
    faults: &dyn Faults,
    create: bool,
) -> Result<PathBuf, Unusable> {
    let path = place(settings);
    let path = std::path::absolute(&path).map_err(|_| Unusable::Permission)?;
    // Judged by its real path, as far as it exists.
    let existing =
        path.ancestors().find_map(|above| Some((above, dunce::canonicalize(above).ok()?)));
    let Some((above, real)) = existing else { return Err(Unusable::Permission) };
    let real = real.join(path.strip_prefix(above).unwrap_or(Path::new("")));
    if roots.iter().any(|root| real.starts_with(root)) || sandbox.contains(&real) {
        return Err(if sandbox.is_denied(&real) { Unusable::Denied } else { Unusable::InTree });
    }
    faults.at(Point::CacheRoot).map_err(|_| Unusable::Permission)?;
    // The owner of a link decides where it leads. Directories above it may be links.
    if path.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
        return Err(Unusable::Permission);
    }
    let made = !real.exists();
    if made && !create {
        return Ok(real);
    }
    make(&real).map_err(|_| Unusable::Permission)?;
    match is_private(&real, made) {
        Ok(true) => Ok(real),
        _ if settings.index_allow_insecure_persistence && real.is_dir() => {
            observe::storage_is_insecure(&real);
            Ok(real)
        }
        _ => Err(Unusable::Permission),
    }
}

#[cfg(unix)]
fn make(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Whether a directory is the user's own, no link, and closed to others. A new one is closed here.
#[cfg(unix)]
fn is_private(path: &Path, made: bool) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let mut found = path.symlink_metadata()?;
    if found.is_dir() && found.uid() == user_id() && found.mode() & 0o077 != 0 {
        // Other users may have written into a directory that existed.
        if made {
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
            found = path.symlink_metadata()?;
        }
    }
    Ok(found.is_dir() && found.uid() == user_id() && found.mode().trailing_zeros() >= 6)
}

#[cfg(not(unix))]
fn is_private(path: &Path, _made: bool) -> io::Result<bool> {
    // The user's cache directory inherits the user's access list.
    Ok(path.symlink_metadata()?.is_dir())
}

#[cfg(unix)]
fn user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn user_id() -> u32 {
    0
}

/// Removes the files of an index. Returns the bytes freed.
pub(crate) fn remove(cache: &Path, hash: &str) -> io::Result<u64> {
    let mut freed = 0;
    // The database first: the other files are useless without it.
    for suffix in ["sqlite", "sqlite-wal", "sqlite-shm"] {
        let path = cache.join(format!("{hash}.{suffix}"));
        let size = path.symlink_metadata().map(|found| found.len());
        match fs::remove_file(&path) {
            Ok(()) => freed += size.unwrap_or(0),
            Err(err) if err.kind() == io::ErrorKind::NotFound => {}
            Err(err) => return Err(err),
        }
    }
    Ok(freed)
}

/// Bytes of an index on disk.
pub(crate) fn size(cache: &Path, hash: &str) -> u64 {
    ["sqlite", "sqlite-wal"]
        .iter()
        .filter_map(|suffix| cache.join(format!("{hash}.{suffix}")).symlink_metadata().ok())
        .map(|found| found.len())
        .sum()
}

/// The stored indexes, for eviction. Those of this process have locks like all others.
pub(crate) fn list(cache: &Path) -> io::Result<Vec<Stored>> {
    let mut stored = Vec::new();
    for entry in fs::read_dir(cache)? {
        let path = entry?.path();
        let Some(hash) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.extension().is_none_or(|suffix| suffix != "sqlite") {
            continue;
        }
        // The file's modification time is the time of its last use: the one clock that all
        // processes share.
        let last = path.metadata().and_then(|found| found.modified());
        let since = last.ok().and_then(|last| last.duration_since(std::time::UNIX_EPOCH).ok());
        stored.push(Stored {
            key_hash: hash.to_owned(),
            size_bytes: size(cache, hash),
            last_accessed_ms: since
                .and_then(|since| u64::try_from(since.as_millis()).ok())
                .unwrap_or(0),
            in_use: exclusive(cache, hash).is_none(),
        });
    }
    stored.sort_by(|a, b| a.key_hash.cmp(&b.key_hash));
    Ok(stored)
}

/// Opens a lock file of an index.
pub(crate) fn lock_file(cache: &Path, hash: &str, role: &str) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(cache.join(format!("{hash}.{role}")))
}

/// Takes the users' lock of an index exclusively; `None` if another process has it open.
pub(crate) fn exclusive(cache: &Path, hash: &str) -> Option<fs::File> {
    let file = lock_file(cache, hash, "users").ok()?;
    file.try_lock().ok()?;
    Some(file)
}
