//! ripgrep's side: how it is recognised and how it is asked. The only production module that knows
//! its flags.

use super::external::Dialect;

/// Byte-order marks of UTF-16. A file that holds one is proposed, so that the service finds out by
/// itself whether it has to be decoded; looking into every file for a mark would cost as much as
/// searching it.
const UTF16_MARKS: &str = r"\xff\xfe|\xfe\xff";

/// ripgrep 13 and later.
pub(super) const RIPGREP: Dialect = Dialect {
    name: "ripgrep",
    banner: "ripgrep ",
    floor: (13, 0),
    // `--encoding none` turns byte-order marks off: every release then sees the bytes that are on
    // disk.
    reads_raw_bytes: true,
    arguments: |expression| {
        [
            "--no-config",
            "--color=never",
            "--no-heading",
            "--with-filename",
            "--null",
            "--line-number",
            "--no-column",
            "--text",
            "--encoding=none",
            "--no-mmap",
            // Its parallel walk asks the system for less per file than its sequential one; order is
            // not needed here.
            "--threads=2",
            // Line text is read by the service itself, so long lines need not travel; they are
            // still counted.
            "--max-columns=1",
            "--no-max-columns-preview",
            "--case-sensitive",
        ]
        .into_iter()
        .map(str::to_owned)
        // Bytes, not characters: the expression is written for that. An empty one proposes every
        // line as it is.
        .chain([match expression {
            "" => "--regexp=".to_owned(),
            expression => format!("--regexp=(?-u:{expression}|{UTF16_MARKS})"),
        }])
        .collect()
    },
    list: None,
};
