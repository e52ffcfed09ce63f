//! Recognising and calling ripgrep. No other production module knows its flags.

use super::external::Dialect;

/// Byte-order marks of UTF-16. A line that holds one is proposed, and the service then decodes the
/// file. Reading the start of every file instead would cost as much as searching it.
const UTF16_MARKS: &str = r"\xff\xfe|\xfe\xff";

/// ripgrep 13 and later.
pub(super) const RIPGREP: Dialect = Dialect {
    name: "ripgrep",
    banner: "ripgrep ",
    floor: (13, 0),
    // `--encoding none` turns byte-order marks off: every release then searches the bytes on disk.
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
            // The parallel walk makes fewer system calls per file than the sequential one. Order
            // does not matter here.
            "--threads=2",
            // The service reads the text of lines itself; long lines are still listed.
            "--max-columns=1",
            "--no-max-columns-preview",
            "--case-sensitive",
        ]
        .into_iter()
        .map(str::to_owned)
        // The expression is written for bytes. An empty expression proposes every line.
        .chain([match expression {
            "" => "--regexp=".to_owned(),
            expression => format!("--regexp=(?-u:{expression}|{UTF16_MARKS})"),
        }])
        .collect()
    },
    list: None,
};
