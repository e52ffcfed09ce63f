//! How the catalog is proved equal to the tree (D17): by file system, from lists of known ones.
//!
//! Responsible for: [`Proof`], the lists, the weakest proof of several. Not here: watching and
//! checking files ([`crate::index`]).

/// The proof that names or contents are unchanged, strongest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Proof {
    /// The system reports every change.
    Events,
    /// Times, sizes and inode numbers, from the server if there is one.
    Stat,
    /// No proof: the file is read.
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

/// The proofs that a call relies on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proofs {
    pub(crate) names: Proof,
    pub(crate) contents: Proof,
}

/// Local file systems: every change of a watched file raises an event.
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

/// File systems that do not report every change here, but whose times reveal it.
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

/// The proof that a file system supports, by its number in `statfs(2)`.
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
    fn the_proof_depends_on_the_kind_of_file_system() {
        assert_eq!(of_file_system(0xEF53), Proof::Events);
        assert_eq!(of_file_system(0x6969), Proof::Stat);
        // procfs, whose contents change without their times.
        assert_eq!(of_file_system(0x9FA0), Proof::Read);
        assert!(REPORTING.iter().all(|kind| !TIMED.contains(kind)));
        assert!(Proof::Events < Proof::Stat && Proof::Stat < Proof::Read);
    }
}
