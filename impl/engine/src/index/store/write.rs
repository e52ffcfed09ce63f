//! Writing: everything goes through the one writer's connection, in short transactions
//! (FR-LSI-BG-13, FR-LSI-IDX-CONC-03, E-C32).

use forge_search_core::index::segment::{Fault, RankSet};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::{BlockKind, BorrowedRow, Store, dead_sum, row_key, sum_of};
use crate::index::fault::Point;

impl Store {
    /// Sets numbers of the table `fact`.
    pub(crate) fn set_facts(&self, facts: &[(&str, i64)]) -> Result<(), Fault> {
        self.writing(|connection| {
            let changes = begin(connection)?;
            for (name, value) in facts {
                changes
                    .execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", params![name, value])?;
            }
            changes.commit()
        })
    }

    /// Sets a text of the table `fact`.
    pub(crate) fn set_text_fact(&self, name: &str, value: &str) -> Result<(), Fault> {
        self.writing(|connection| {
            connection
                .execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", params![name, value])
                .map(drop)
        })
    }

    /// Reserves the number of a new segment, inactive until [`Store::flip`].
    pub(crate) fn new_segment(&self, base: bool) -> Result<u32, Fault> {
        self.writing(|connection| {
            let changes = begin(connection)?;
            let last: Option<u32> =
                changes.query_row("SELECT max(id) FROM segment", [], |row| row.get(0))?;
            let id = last.unwrap_or(0) + 1;
            changes.execute(
                "INSERT INTO segment VALUES (?1, ?2, 0, NULL, ?3)",
                params![id, base, dead_sum(id, None)],
            )?;
            changes.commit()?;
            Ok(id)
        })
    }

    /// Adds blocks to an inactive segment, in one transaction.
    pub(crate) fn write(
        &self,
        segment: u32,
        blocks: &[BorrowedRow<'_>],
        point: Point,
    ) -> Result<(), Fault> {
        let faults = &self.faults;
        self.writing(|connection| {
            let changes = begin(connection)?;
            insert(&changes, segment, blocks)?;
            faults.at(point).map_err(injected)?;
            changes.commit()
        })
    }

    /// In one transaction: adds a segment, if any, and sets the active segments with their dead
    /// ranks.
    pub(crate) fn flip(
        &self,
        added: Option<(u32, &[BorrowedRow<'_>])>,
        active: &[(u32, Option<&RankSet>)],
        facts: &[(&str, i64)],
        points: (Point, Point),
    ) -> Result<(), Fault> {
        let faults = &self.faults;
        self.writing(|connection| {
            let changes = begin(connection)?;
            if let Some((segment, blocks)) = added {
                insert(&changes, segment, blocks)?;
            }
            changes.execute("UPDATE segment SET active = 0", [])?;
            for (id, dead) in active {
                let dead = dead.map(RankSet::to_bytes);
                let set = "UPDATE segment SET active = 1, dead = ?2, sum = ?3 WHERE id = ?1";
                changes.execute(set, params![id, dead, dead_sum(*id, dead.as_deref())])?;
            }
            for (name, value) in facts {
                changes
                    .execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", params![name, value])?;
            }
            faults.at(points.0).map_err(injected)?;
            changes.commit()
        })?;
        faults.at(points.1).map_err(|err| Fault::Unreadable(err.to_string()))
    }

    /// Replaces all rows of one kind of a segment, in one transaction.
    pub(crate) fn replace(
        &self,
        segment: u32,
        kind: BlockKind,
        rows: &[BorrowedRow<'_>],
    ) -> Result<(), Fault> {
        self.writing(|connection| {
            let changes = begin(connection)?;
            let (from, to) = (row_key(segment, kind, 0), row_key(segment, kind, u32::MAX));
            changes.execute("DELETE FROM block WHERE place BETWEEN ?1 AND ?2", [from, to])?;
            insert(&changes, segment, rows)?;
            changes.commit()
        })
    }

    /// Deletes a slice of the rows of inactive segments that are not in `kept`. Whether there are
    /// more.
    pub(crate) fn delete_inactive(&self, kept: &[u32]) -> Result<bool, Fault> {
        /// Rows of one transaction.
        const SLICE: u32 = 256;
        self.faults.at(Point::DeleteInactive).map_err(|err| Fault::Unreadable(err.to_string()))?;
        let gone = self.reading(|connection| {
            let mut rows =
                connection.prepare_cached("SELECT id FROM segment WHERE active = 0 ORDER BY id")?;
            rows.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<u32>>>()
        })?;
        let Some(segment) = gone.into_iter().find(|id| !kept.contains(id)) else {
            return Ok(false);
        };
        self.writing(|connection| {
            let changes = begin(connection)?;
            let header = |segment| row_key(segment, BlockKind::Header, 0);
            let (from, to) = (header(segment), header(segment + 1));
            let deleted = changes.execute(
                "DELETE FROM block WHERE place IN (SELECT place FROM block WHERE place >= ?1 AND place < ?2 LIMIT ?3)",
                params![from, to, SLICE],
            )?;
            if deleted < SLICE as usize {
                changes.execute("DELETE FROM segment WHERE id = ?1", [segment])?;
            }
            changes.commit()
        })?;
        Ok(true)
    }

    /// Frees pages and truncates the write-ahead log, as far as readers permit.
    pub(crate) fn tidy(&self) -> Result<(), Fault> {
        self.faults.at(Point::Checkpoint).map_err(|err| Fault::Unreadable(err.to_string()))?;
        self.writing(|connection| {
            // Each step frees one page.
            let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
            let mut pages = vacuum.query([])?;
            while pages.next()?.is_some() {}
            drop(pages);
            drop(vacuum);
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        })
    }
}

/// Begins a write transaction and waits for its lock. Upgrading a read transaction would fail at
/// once if another connection writes (FR-LSI-BG-13.4).
fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

fn insert(
    changes: &Transaction<'_>,
    segment: u32,
    blocks: &[BorrowedRow<'_>],
) -> rusqlite::Result<()> {
    let mut one =
        changes.prepare_cached("INSERT INTO block (place, sum, content) VALUES (?1, ?2, ?3)")?;
    for (kind, number, content) in blocks {
        let place = row_key(segment, *kind, *number);
        one.execute(params![place, sum_of(place, content), content])?;
    }
    Ok(())
}

fn injected(err: std::io::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(err))
}
