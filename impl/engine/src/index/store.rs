//! The database of one index: opened, read by block, written by segment (docs/index-service.md,
//! section 2; FR-LSI-BG-13, FR-LSI-IDX-CONC-01..03).
//!
//! Responsible for: transactions, checksums, which segments are active, and distinguishing a busy
//! store from a broken one. Not here: what the bytes mean ([`super::segment`]), when they are
//! written (the indexer), where the file is ([`super::cache`]). Invariants: a reader sees whole
//! segments or none; uncommitted writes have no effect; a row that does not verify is an error, and
//! so is a missing row.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use forge_search_core::index::segment::Fault;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    cache,
    fault::{self, Faults, Point, Sabotage},
    key::{Key, Value},
};

mod shards;
mod write;

pub(crate) use shards::FIRST_SHARD;

/// The tables.
const SCHEMA_SQL: &str = include_str!("store/schema.sql");
/// The application id in the file's header: "fsix".
const APPLICATION: i32 = 0x6673_6978;
/// Pages kept by each connection, in KiB.
const CACHE_KIB: i32 = 32 << 10;
/// Connections kept for readers.
const MOST_READERS: usize = 16;

/// What a row of `block` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum BlockKind {
    Header,
    Catalog,
    Postings,
    Directory,
    SketchSensitive,
    SketchInsensitive,
    Tree,
    PackedSensitive,
    PackedInsensitive,
    /// Of a shard of words, which has a header of its own.
    Words,
}

/// A row of `block` without its segment: kind, number, content.
pub(crate) type Row = (BlockKind, u32, Vec<u8>);
/// The same, borrowed.
pub(crate) type BorrowedRow<'r> = (BlockKind, u32, &'r [u8]);

/// The key of a row of `block`.
fn row_key(segment: u32, kind: BlockKind, number: u32) -> i64 {
    (i64::from(segment) << 36) | (i64::from(kind as u8) << 32) | i64::from(number)
}

/// The state in which the database was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OpenOutcome {
    /// New: there was none, or it was replaced.
    New,
    /// An index with the expected key.
    Index,
    /// An index with a key that differs from its file name, or another schema.
    Mismatched,
    /// Not an index, or a corrupt one.
    Broken(String),
}

/// A row of the table `segment`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StoredSegment {
    pub(crate) id: u32,
    pub(crate) base: bool,
    pub(crate) dead: Option<Vec<u8>>,
}

/// One database.
#[derive(Debug)]
pub(crate) struct Store {
    cache: PathBuf,
    hash: String,
    lock_wait: Duration,
    faults: Arc<dyn Faults>,
    readers: Mutex<Vec<Connection>>,
    /// `None` for readers.
    writer: Mutex<Option<Connection>>,
    /// The shared lock of all processes that use the index.
    users: File,
    /// The exclusive lock of the writer.
    writing: Option<File>,
    used: AtomicBool,
}

/// Sets the file's time to the last use, for eviction (FR-LSI-IDX-RM-02).
impl Drop for Store {
    fn drop(&mut self) {
        if self.used.load(Ordering::Relaxed) {
            // If this fails, the index is only evicted earlier.
            let _ = File::open(self.path()).and_then(|file| file.set_modified(SystemTime::now()));
        }
    }
}

impl Store {
    /// Opens the database of a key, and creates it if `create`. Only one process becomes the
    /// writer.
    pub(crate) fn open(
        cache: &Path,
        key: &Key,
        lock_wait: Duration,
        create: bool,
        faults: &Arc<dyn Faults>,
    ) -> Result<(Self, OpenOutcome), Fault> {
        faults.at(Point::OpenStore).map_err(|err| Fault::Unreadable(err.to_string()))?;
        let hash = key.hash();
        let lock = |role| {
            cache::lock_file(cache, &hash, role).map_err(|err| Fault::Unreadable(err.to_string()))
        };
        let users = lock("users")?;
        users.try_lock_shared().map_err(|_| Fault::Busy)?;
        let writing = if create {
            Some(lock("writer")?).filter(|file| file.try_lock().is_ok())
        } else {
            None
        };
        let store = Self {
            cache: cache.to_owned(),
            hash,
            lock_wait,
            faults: Arc::clone(faults),
            readers: Mutex::default(),
            writer: Mutex::new(None),
            users,
            writing,
            used: AtomicBool::new(false),
        };
        let found = store.inspect(key)?;
        Ok((store, found))
    }

    fn inspect(&self, key: &Key) -> Result<OpenOutcome, Fault> {
        let exists = self.path().symlink_metadata().is_ok();
        if !exists && self.writing.is_none() {
            return Ok(OpenOutcome::New);
        }
        let connection = match self.connect(self.writing.is_some()) {
            Ok(connection) => connection,
            Err(Fault::Busy) => return Err(Fault::Busy),
            Err(fault) if exists => return Ok(OpenOutcome::Broken(fault.to_string())),
            Err(fault) => return Err(fault),
        };
        let is_new = match connection
            .pragma_query_value(None, "application_id", |row| row.get::<_, i32>(0))
        {
            Ok(0) => {
                let tables: i64 = connection
                    .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
                    .map_err(|err| fault(&err))?;
                if tables > 0 {
                    return Ok(OpenOutcome::Mismatched);
                }
                true
            }
            Ok(APPLICATION) => false,
            Ok(_) => return Ok(OpenOutcome::Mismatched),
            Err(err) => match fault(&err) {
                Fault::Busy => return Err(Fault::Busy),
                fault => return Ok(OpenOutcome::Broken(fault.to_string())),
            },
        };
        if is_new {
            if self.writing.is_none() {
                return Ok(OpenOutcome::New);
            }
            make_tables(&connection, key).map_err(|err| fault(&err))?;
        } else {
            match key_fits(&connection, key) {
                Ok(true) => {}
                Ok(false) => return Ok(OpenOutcome::Mismatched),
                Err(err) => match fault(&err) {
                    Fault::Busy => return Err(Fault::Busy),
                    fault => return Ok(OpenOutcome::Broken(fault.to_string())),
                },
            }
        }
        if self.writing.is_some() {
            *self.writer() = Some(connection);
        } else {
            self.give_back(connection);
        }
        Ok(if is_new { OpenOutcome::New } else { OpenOutcome::Index })
    }

    /// The path of the database.
    pub(crate) fn path(&self) -> PathBuf {
        self.cache.join(format!("{}.sqlite", self.hash))
    }

    /// The directory of the database.
    pub(crate) fn directory(&self) -> &Path {
        &self.cache
    }

    /// Whether this process writes.
    pub(crate) fn is_writer(&self) -> bool {
        self.writing.is_some()
    }

    /// Whether no other process uses the index. Holds the lock exclusively during the check.
    pub(crate) fn is_alone(&self) -> bool {
        let alone = self.users.try_lock().is_ok();
        // Locking again fails only if another process evicts the index, which the next read
        // detects.
        let kept = self.users.try_lock_shared().is_ok();
        alone && kept
    }

    pub(crate) fn touch(&self) {
        self.used.store(true, Ordering::Relaxed);
    }

    /// Bytes on disk.
    pub(crate) fn size(&self) -> u64 {
        cache::size(&self.cache, &self.hash)
    }

    fn connect(&self, write: bool) -> Result<Connection, Fault> {
        let access = if write {
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
        } else {
            OpenFlags::SQLITE_OPEN_READ_WRITE
        };
        if write {
            // SQLite would create it with the permissions of the process.
            let _made = cache::lock_file(&self.cache, &self.hash, "sqlite")
                .map_err(|err| Fault::Unreadable(err.to_string()))?;
        }
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let open = || {
            let connection = Connection::open_with_flags(self.path(), flags)?;
            connection.busy_timeout(self.lock_wait)?;
            if write {
                connection.pragma_update(None, "page_size", 16384)?;
                connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
                connection.pragma_update(None, "journal_mode", "WAL")?;
                // A power failure may lose the last deltas but not corrupt the database; lost files
                // are found to differ from the tree.
                connection.pragma_update(None, "synchronous", "NORMAL")?;
                connection.pragma_update(None, "secure_delete", true)?;
                connection.pragma_update(None, "journal_size_limit", 0)?;
            } else {
                connection.pragma_update(None, "query_only", true)?;
            }
            connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
            connection.pragma_update(None, "trusted_schema", false)?;
            Ok(connection)
        };
        open().map_err(|err| fault(&err))
    }

    fn writer(&self) -> MutexGuard<'_, Option<Connection>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, connection: Connection) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < MOST_READERS {
            readers.push(connection);
        }
    }

    fn reading<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Fault> {
        let kept = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match kept {
            Some(connection) => connection,
            None => self.connect(false)?,
        };
        let found = read(&connection).map_err(|err| fault(&err));
        self.give_back(connection);
        found
    }

    fn writing<T>(
        &self,
        write: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Fault> {
        let mut writer = self.writer();
        let connection = writer
            .as_mut()
            .ok_or(Fault::Unreadable("another process writes this index".to_owned()))?;
        write(connection).map_err(|err| fault(&err))
    }

    /// The active segments, the base first, then by age.
    pub(crate) fn segments(&self) -> Result<Vec<StoredSegment>, Fault> {
        let rows = self.reading(|connection| {
            let mut rows = connection.prepare_cached(
                "SELECT id, base, dead, sum FROM segment WHERE active = 1 ORDER BY base DESC, id",
            )?;
            let one = |row: &rusqlite::Row<'_>| {
                Ok((
                    StoredSegment { id: row.get(0)?, base: row.get(1)?, dead: row.get(2)? },
                    row.get::<_, i64>(3)?,
                ))
            };
            rows.query_map([], one)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        for (listed, sum) in &rows {
            if dead_sum(listed.id, listed.dead.as_deref()) != *sum {
                return Err(Fault::Unreadable(format!("segment {} does not verify", listed.id)));
            }
        }
        Ok(rows.into_iter().map(|(listed, _)| listed).collect())
    }

    /// One block, verified.
    pub(crate) fn block(
        &self,
        segment: u32,
        kind: BlockKind,
        number: u32,
    ) -> Result<Arc<[u8]>, Fault> {
        self.faults.at(Point::ReadBlock).map_err(|err| injected(&err))?;
        let place = row_key(segment, kind, number);
        let row = self.reading(|connection| {
            let mut one =
                connection.prepare_cached("SELECT sum, content FROM block WHERE place = ?1")?;
            one.query_row([place], |row| {
                let sum: i64 = row.get(0)?;
                let content = row.get_ref(1)?.as_blob()?;
                let verified = sum_of(place, content) == sum
                    || fault::is_sabotaged(&*self.faults, Sabotage::Checksum);
                Ok(verified.then(|| Arc::<[u8]>::from(content)))
            })
            .optional()
        })?;
        match row {
            Some(Some(content)) => Ok(content),
            Some(None) => Err(Fault::Unreadable(format!(
                "block {kind:?} {number} of segment {segment} does not verify"
            ))),
            None if self.is_active(segment)? => Err(Fault::Unreadable(format!(
                "block {kind:?} {number} of segment {segment} is missing"
            ))),
            None => Err(Fault::Gone),
        }
    }

    fn is_active(&self, segment: u32) -> Result<bool, Fault> {
        self.reading(|connection| {
            connection
                .query_row("SELECT active FROM segment WHERE id = ?1", [segment], |row| row.get(0))
                .optional()
                .map(|active| active.unwrap_or(false))
        })
    }

    /// A number of the table `fact`.
    pub(crate) fn fact(&self, name: &str) -> Result<Option<i64>, Fault> {
        self.reading(|connection| {
            let found =
                connection
                    .query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0));
            found.optional()
        })
    }

    /// A text of the table `fact`.
    pub(crate) fn text_fact(&self, name: &str) -> Result<Option<String>, Fault> {
        self.reading(|connection| {
            let found =
                connection
                    .query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0));
            found.optional()
        })
    }

    /// The first error of SQLite's integrity check, if any.
    pub(crate) fn check(&self) -> Result<Option<String>, Fault> {
        self.faults.at(Point::Check).map_err(|err| Fault::Unreadable(err.to_string()))?;
        let said: String = self.reading(|connection| {
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        })?;
        Ok((said != "ok").then_some(said))
    }

    /// Verifies all rows of active segments. The number of rows, and the errors.
    pub(crate) fn verify_rows(&self) -> Result<(u64, Vec<String>), Fault> {
        let active: Vec<u32> = self.segments()?.iter().map(|listed| listed.id).collect();
        self.reading(|connection| {
            let mut rows =
                connection.prepare("SELECT place, sum, content FROM block ORDER BY place")?;
            let mut rows = rows.query([])?;
            let (mut count, mut findings) = (0, Vec::new());
            while let Some(row) = rows.next()? {
                let (place, sum): (i64, i64) = (row.get(0)?, row.get(1)?);
                let segment = place >> 36;
                let is_shard = segment >= i64::from(FIRST_SHARD);
                if !is_shard && !active.iter().any(|id| i64::from(*id) == segment) {
                    continue;
                }
                count += 1;
                if sum_of(place, row.get_ref(2)?.as_blob()?) != sum {
                    findings.push(format!("the block at place {place} does not verify"));
                }
            }
            Ok((count, findings))
        })
    }
}

fn make_tables(connection: &Connection, key: &Key) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    connection.execute_batch(SCHEMA_SQL)?;
    for (name, value) in key.components() {
        let insert = "INSERT INTO meta VALUES (?1, ?2)";
        match value {
            Value::Number(number) => connection.execute(insert, params![name, number])?,
            Value::Real(number) => connection.execute(insert, params![name, number])?,
            Value::Text(text) => connection.execute(insert, params![name, text])?,
            Value::Bytes(bytes) => connection.execute(insert, params![name, bytes])?,
        };
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.execute_batch("COMMIT")
}

/// Whether the stored components are the key's (FR-LSI-IDX-KEY-02, FR-LSI-CAND-LIT-04).
fn key_fits(connection: &Connection, key: &Key) -> rusqlite::Result<bool> {
    use rusqlite::types::Value as Stored;
    for (name, value) in key.components() {
        let stored: Option<Stored> = connection
            .query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0))
            .optional()?;
        let wanted = match value {
            Value::Number(number) => Stored::Integer(number),
            Value::Real(number) => Stored::Real(number),
            Value::Text(text) => Stored::Text(text),
            Value::Bytes(bytes) => Stored::Blob(bytes),
        };
        if stored != Some(wanted) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn sum_of(place: i64, content: &[u8]) -> i64 {
    xxh3_64_with_seed(content, place.cast_unsigned()).cast_signed()
}

fn dead_sum(segment: u32, dead: Option<&[u8]>) -> i64 {
    // A missing bitmap differs from an empty one.
    sum_of(i64::from(segment) << 1 | i64::from(dead.is_some()), dead.unwrap_or_default())
}

/// Maps an injected error: `WouldBlock` means a busy lock.
fn injected(err: &std::io::Error) -> Fault {
    match err.kind() {
        std::io::ErrorKind::WouldBlock => Fault::Busy,
        _ => Fault::Unreadable(err.to_string()),
    }
}

fn fault(err: &rusqlite::Error) -> Fault {
    match err.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::Busy,
        _ => Fault::Unreadable(err.to_string()),
    }
}
