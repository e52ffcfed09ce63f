//! Which indexes go when there are too many or they are too large (FR-LSI-IDX-RM-01,
//! FR-LSI-IDX-RM-02, E-C37).

/// A stored index, as far as eviction is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The hash of its key, in the form it is stored under.
    pub key_hash: String,
    /// Bytes on disk.
    pub size_bytes: u64,
    /// When it was last used, in milliseconds of any one clock.
    pub last_accessed_ms: u64,
    /// Being built, or read by somebody: never evicted.
    pub in_use: bool,
}

/// The hashes of the indexes to evict, in order, so that at most `max_bytes` in at most
/// `max_indexes` are left, if that can be: the least recently used first, of those the larger, of
/// those the one with the smaller hash.
pub fn victims(stored: &[Stored], max_bytes: u64, max_indexes: u64) -> Vec<String> {
    let mut bytes = stored.iter().fold(0_u64, |sum, index| sum.saturating_add(index.size_bytes));
    let mut count = stored.len() as u64;
    let mut idle: Vec<&Stored> = stored.iter().filter(|index| !index.in_use).collect();
    idle.sort_by(|a, b| {
        let by_age = a.last_accessed_ms.cmp(&b.last_accessed_ms);
        by_age.then(b.size_bytes.cmp(&a.size_bytes)).then_with(|| a.key_hash.cmp(&b.key_hash))
    });
    let mut victims = Vec::new();
    for index in idle {
        if bytes <= max_bytes && count <= max_indexes {
            break;
        }
        bytes = bytes.saturating_sub(index.size_bytes);
        count -= 1;
        victims.push(index.key_hash.clone());
    }
    victims
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(rows: &[(&str, u64, u64, bool)]) -> Vec<Stored> {
        let one = |&(key_hash, size_bytes, last_accessed_ms, in_use): &(&str, u64, u64, bool)| {
            Stored { key_hash: key_hash.to_owned(), size_bytes, last_accessed_ms, in_use }
        };
        rows.iter().map(one).collect()
    }

    #[test]
    fn eviction_takes_the_least_recently_used_then_the_larger_then_by_hash() {
        let rows = stored(&[
            ("d", 5, 2, false),
            ("c", 5, 1, false),
            ("b", 9, 1, false),
            ("a", 5, 1, false),
        ]);
        assert_eq!(victims(&rows, 0, 9), ["b", "a", "c", "d"]);
        assert_eq!(victims(&rows, 100, 2), ["b", "a"]);
        assert_eq!(victims(&rows, 24, 4), Vec::<String>::new());
        assert_eq!(victims(&rows, 23, 4), ["b"]);
    }

    #[test]
    fn an_index_in_use_is_not_evicted() {
        let rows = stored(&[("a", 50, 1, true), ("b", 5, 2, false)]);
        assert_eq!(victims(&rows, 10, 9), ["b"]);
    }
}
