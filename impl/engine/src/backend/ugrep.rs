//! Recognising and calling ugrep. No other production module knows its flags.

use super::external::Dialect;

/// ugrep 3 and later.
pub(super) const UGREP: Dialect = Dialect {
    name: "ugrep",
    banner: "ugrep ",
    floor: (3, 0),
    // ugrep always decodes UTF-16 by its byte-order mark, so such files are found and searched in
    // process.
    reads_raw_bytes: false,
    arguments: |expression| {
        [
            "--color=never",
            "--no-pager",
            "--no-heading",
            "--with-filename",
            "--null",
            "--line-number",
            // Whole files are text, in bytes, and empty matches select lines.
            "--text",
            "--binary",
            "--empty",
            "--jobs=1",
        ]
        .into_iter()
        .map(str::to_owned)
        // Attached to its option: a pattern that starts with `---` would otherwise name a
        // configuration file.
        .chain([format!("--regexp={expression}")])
        .collect()
    },
    list: Some(((7, 4), "--from=-")),
};
