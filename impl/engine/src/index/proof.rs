//! What proves that the catalog is what the tree is (D17): by file system, from a list of those
//! that are known.
//!
//! Responsible for: [`Proof`], the lists, the weakest proof of several.
//! Left to neighbours: watching ([`super::watch`]), looking ([`super::alone`]).

/// How it was proved that names, or contents, are what the index knows them as. The strongest comes
/// first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Proof {
    /// The system reports every change.
    Events,
    /// Times, sizes and numbers were asked for, from the server if there is one.
    Stat,
    /// Nothing proves it: it is read.
    #[default]
    Read,
}

impl Proof {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Stat => "stat",
            Self::Read => "read",
        }
    }
}

/// How a call knows that what it believes is so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proofs {
    pub(crate) names: Proof,
    pub(crate) contents: Proof,
}

/// Local file systems: whatever changes a file raises an event where it is watched.
const REPORTING: [u64; 8] = [
    0xEF53,      // ext2, ext3, ext4
    0x5846_5342, // xfs
    0x9123_683E, // btrfs
    0x0102_1994, // tmpfs
    0x8584_58F6, // ramfs
    0x2FC1_2FC1, // zfs
    0xF2F5_2010, // f2fs
    0x794C_7630, // overlayfs, unless its layers are written directly
];

/// File systems whose changes elsewhere raise no event here, or that are not known to report all,
/// and whose times tell of a change.
const TIMED: [u64; 29] = [
    0x6969,      // NFS
    0xFF53_4D42, // CIFS
    0x517B,      // SMB
    0xFE53_4D42, // SMB2
    0x0102_1997, // 9P
    0x6573_5546, // FUSE, virtiofs
    0x6A65_6A63, // virtiofs by another name
    0x5346_414F, // AFS
    0x7375_7245, // Coda
    0x00C3_6400, // Ceph
    0x0BD0_0BD0, // Lustre
    0x4750_4653, // GPFS
    0x1983_0326, // BeeGFS
    0x786F_4256, // vboxsf
    0x7461_636F, // OCFS2
    0x0116_1970, // GFS2
    0xF15F,      // ecryptfs
    0x00C0_FFEE, // hostfs
    0x4D44,      // FAT
    0x2011_BAB0, // exFAT
    0x7366_746E, // NTFS
    0x482B,      // HFS+
    0x9660,      // ISO 9660
    0x1501_3346, // UDF
    0x7371_7368, // squashfs
    0xE0F5_E1E2, // EROFS
    0x3153_464A, // JFS
    0x5265_4973, // reiserfs
    0xCA45_1A4E, // bcachefs
];

/// The proof that a file system is good for, by the number it identifies itself with (`statfs(2)`).
pub(crate) fn of_file_system(kind: u64) -> Proof {
    if REPORTING.contains(&kind) {
        Proof::Events
    } else if TIMED.contains(&kind) {
        Proof::Stat
    } else {
        Proof::Read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_proves_nothing() {
        assert_eq!(of_file_system(0xEF53), Proof::Events);
        assert_eq!(of_file_system(0x6969), Proof::Stat);
        // procfs, whose contents change without a time.
        assert_eq!(of_file_system(0x9FA0), Proof::Read);
        assert!(REPORTING.iter().all(|kind| !TIMED.contains(kind)));
        assert!(Proof::Events < Proof::Stat && Proof::Stat < Proof::Read);
    }
}
