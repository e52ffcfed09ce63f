//! Which shards of words there are: their rows are beside those of segments, under larger numbers.

use forge_search_core::index::segment::Fault;

use super::{BlockKind, Store, row_key};

/// The number of the first shard.
pub(crate) const FIRST_SHARD: u32 = 1 << 20;

/// The fact that holds the number of the last shard.
const LAST: &str = "last_shard";

impl Store {
    /// Reserves the number of a new shard. None is used twice: another process may still read the
    /// one that had it.
    pub(crate) fn new_shard(&self) -> Result<u32, Fault> {
        let last = self.fact(LAST)?.and_then(|last| u32::try_from(last).ok());
        let id = last.map_or(FIRST_SHARD, |last| last.saturating_add(1));
        self.set_facts(&[(LAST, i64::from(id))])?;
        Ok(id)
    }

    /// The shards of words, and whether each is whole: has its header.
    pub(crate) fn shards(&self) -> Result<Vec<(u32, bool)>, Fault> {
        let mut shards = Vec::new();
        let mut next = FIRST_SHARD;
        loop {
            let from = row_key(next, BlockKind::Header, 0);
            let place: Option<i64> = self.reading(|connection| {
                connection.query_row(
                    "SELECT min(place) FROM block WHERE place >= ?1",
                    [from],
                    |row| row.get(0),
                )
            })?;
            let id = place.and_then(|place| u32::try_from(place >> 36).ok());
            let Some((place, id)) = place.zip(id) else { return Ok(shards) };
            shards.push((id, place == row_key(id, BlockKind::Header, 0)));
            next = id.saturating_add(1);
        }
    }
}
