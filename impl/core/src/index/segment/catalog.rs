//! The files of a segment: paths, fingerprints, what is known of their texts.

use super::{
    Fault,
    list::{put, take, take_slice},
};
use crate::{index::tokens::TokenStatus, text::TextKind};

/// What tells whether a file is the one that was read (FR-LSI-TRK-01, FR-LSI-TRK-02, E-C10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Bytes.
    pub size: u64,
    /// Last change of the content, nanoseconds since the epoch.
    pub mtime_ns: i64,
    /// Last change of content or attributes; cannot be set by programs.
    pub ctime_ns: i64,
    /// Device.
    pub device: u64,
    /// Inode, or what the system has for it.
    pub inode: u64,
    /// Hard links.
    pub links: u64,
}

/// Nanoseconds within which a file can change twice and show one time: above a tick of every kernel
/// in use.
const FINE_NS: i64 = 20_000_000;
/// The same where times have whole seconds, or two.
const COARSE_NS: i64 = 2_100_000_000;

impl Fingerprint {
    /// Whether a change right after a reading at `read_ns` could leave this fingerprint as it is
    /// (FR-LSI-TRK-03).
    pub fn is_racy(&self, read_ns: i64) -> bool {
        let whole = |time: i64| time % 1_000_000_000 == 0;
        let granularity =
            if whole(self.mtime_ns) && whole(self.ctime_ns) { COARSE_NS } else { FINE_NS };
        // A change moves ctime, always; mtime can be set back. A time in the future proves nothing
        // either.
        self.ctime_ns.max(self.mtime_ns) > read_ns.saturating_sub(granularity)
    }
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Relative to the index root, `/`-separated, raw bytes.
    pub path: Vec<u8>,
    /// What it was when it was read.
    pub fingerprint: Fingerprint,
    /// What became of it; none if it could not be read (`UNREADABLE`).
    pub status: Option<TokenStatus>,
    /// Whether it is text throughout.
    pub kind: TextKind,
    /// Whether the absence of a gram proves anything.
    pub complete: bool,
    /// Whether the fingerprint proves nothing.
    pub racy: bool,
}

/// The files of one segment by rank.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    paths: Vec<u8>,
    ends: Vec<u32>,
    facts: Vec<Facts>,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Facts {
    fingerprint: Fingerprint,
    status: Option<TokenStatus>,
    kind: TextKind,
    complete: bool,
    racy: bool,
}

impl Catalog {
    /// An empty catalog with memory for so many files and bytes of their paths.
    pub fn with_capacity(files: usize, path_bytes: usize) -> Self {
        Self {
            paths: Vec::with_capacity(path_bytes),
            ends: Vec::with_capacity(files),
            facts: Vec::with_capacity(files),
            bytes: 0,
        }
    }

    /// Bytes of all paths.
    pub fn path_bytes(&self) -> usize {
        self.paths.len()
    }

    /// Gives back memory that no file takes.
    pub fn shrink_to_fit(&mut self) {
        self.paths.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.facts.shrink_to_fit();
    }

    /// Adds a file after those before. Nothing happens beyond 4 GiB of paths, which no tree has.
    pub fn push(&mut self, row: &Row) {
        let Ok(end) = u32::try_from(self.paths.len() + row.path.len()) else { return };
        self.paths.extend_from_slice(&row.path);
        self.ends.push(end);
        let Row { fingerprint, status, kind, complete, racy, .. } = *row;
        self.bytes += if status == Some(TokenStatus::Full) { fingerprint.size } else { 0 };
        self.facts.push(Facts { fingerprint, status, kind, complete, racy });
    }

    /// Files.
    pub fn len(&self) -> u32 {
        u32::try_from(self.facts.len()).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Bytes of files whose n-grams are known.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The path of a file.
    pub fn path(&self, rank: u32) -> &[u8] {
        let rank = rank as usize;
        let start = rank
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |end| *end as usize);
        let end = self.ends.get(rank).map_or(start, |end| *end as usize);
        self.paths.get(start..end).unwrap_or_default()
    }

    /// The fingerprint of a file.
    pub fn fingerprint(&self, rank: u32) -> Fingerprint {
        self.facts.get(rank as usize).map(|facts| facts.fingerprint).unwrap_or_default()
    }

    /// Whether a file's n-grams prove something: FULL, complete. What else is needed depends on the
    /// call.
    pub fn is_proof(&self, rank: u32) -> bool {
        self.facts
            .get(rank as usize)
            .is_some_and(|facts| facts.status == Some(TokenStatus::Full) && facts.complete)
    }

    /// Whether a file is text throughout.
    pub fn kind(&self, rank: u32) -> TextKind {
        self.facts.get(rank as usize).map(|facts| facts.kind).unwrap_or_default()
    }

    /// Whether the fingerprint of a file proves nothing.
    pub fn is_racy(&self, rank: u32) -> bool {
        self.facts.get(rank as usize).is_none_or(|facts| facts.racy)
    }

    /// A file.
    pub fn row(&self, rank: u32) -> Option<Row> {
        let facts = self.facts.get(rank as usize)?;
        let Facts { fingerprint, status, kind, complete, racy } = *facts;
        Some(Row { path: self.path(rank).to_vec(), fingerprint, status, kind, complete, racy })
    }

    /// The rank of a path, or where it would stand.
    pub fn find(&self, path: &[u8]) -> Result<u32, u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match crate::order::compare(self.path(middle), path) {
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }
}

const STATUSES: [Option<TokenStatus>; 5] = [
    None,
    Some(TokenStatus::Full),
    Some(TokenStatus::SkippedTooLarge),
    Some(TokenStatus::SkippedEncoding),
    Some(TokenStatus::SkippedBinary),
];

const KINDS: [TextKind; 4] =
    [TextKind::Unknown, TextKind::Text, TextKind::EarlyNul, TextKind::Invalid];

/// The stored form of the files `from..to` of a catalog.
pub fn write_rows(catalog: &Catalog, from: u32, to: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut before: &[u8] = b"";
    for rank in from..to {
        let (path, Some(facts)) = (catalog.path(rank), catalog.facts.get(rank as usize)) else {
            break;
        };
        let shared = before.iter().zip(path).take_while(|(a, b)| a == b).count();
        let rest = path.get(shared..).unwrap_or_default();
        put(&mut out, shared as u64);
        put(&mut out, rest.len() as u64);
        out.extend_from_slice(rest);
        let status = STATUSES.iter().position(|status| *status == facts.status).unwrap_or(0) as u64;
        let kind = KINDS.iter().position(|kind| *kind == facts.kind).unwrap_or(0) as u64;
        put(
            &mut out,
            status << 4 | kind << 2 | u64::from(facts.complete) << 1 | u64::from(facts.racy),
        );
        let Fingerprint { size, mtime_ns, ctime_ns, device, inode, links } = facts.fingerprint;
        for number in
            [size, mtime_ns.cast_unsigned(), ctime_ns.cast_unsigned(), device, inode, links]
        {
            put(&mut out, number);
        }
        before = path;
    }
    out
}

/// Whether a path leads down from its root, name by name. A user who could change what is stored is
/// led nowhere else by it.
fn is_plain(path: &[u8]) -> bool {
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&0);
    path.split(|byte| *byte == b'/').all(is_name)
}

/// Appends files from their stored form.
pub fn read_rows(mut bytes: &[u8], catalog: &mut Catalog) -> Result<(), Fault> {
    let bytes = &mut bytes;
    let mut path = Vec::new();
    while !bytes.is_empty() {
        let row = (|| {
            let shared = usize::try_from(take(bytes)?).ok()?;
            let length = take(bytes)?;
            let rest = take_slice(bytes, length)?;
            if shared > path.len() {
                return None;
            }
            path.truncate(shared);
            path.extend_from_slice(rest);
            if !is_plain(&path) {
                return None;
            }
            let flags = take(bytes)?;
            let mut number = || take(bytes);
            let fingerprint = Fingerprint {
                size: number()?,
                mtime_ns: number()?.cast_signed(),
                ctime_ns: number()?.cast_signed(),
                device: number()?,
                inode: number()?,
                links: number()?,
            };
            let status = *STATUSES.get(usize::try_from(flags >> 4).ok()?)?;
            let kind = *KINDS.get((flags >> 2 & 3) as usize)?;
            Some(Row {
                path: path.clone(),
                fingerprint,
                status,
                kind,
                complete: flags & 2 != 0,
                racy: flags & 1 != 0,
            })
        })();
        catalog.push(&row.ok_or(Fault::Malformed("a catalog"))?);
    }
    Ok(())
}
