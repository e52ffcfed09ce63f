//! Flags of ripgrep that are not taken here: what they are for, and what does it.

/// Names without their hyphens, parted by spaces; a single letter is a short flag.
const ELSEWHERE: [(&str, &str); 16] = [
    (
        "U multiline multiline-dotall",
        "lines are searched one by one; rg -U finds matches over several lines",
    ),
    (
        "P pcre2 engine auto-hybrid-regex",
        "there is no look-around and no back-reference here; rg -P has them",
    ),
    ("r replace passthru", "nothing is replaced here; rg -r prints replaced lines"),
    ("a text binary", "binary files are not searched; rg -a searches them"),
    (
        "z search-zip pre pre-glob",
        "archives are not unpacked, and no program is run; rg -z and rg --pre do it",
    ),
    ("E encoding", "text is UTF-8, or UTF-16 with a byte-order mark; rg -E reads other encodings"),
    ("f file", "give patterns by -e, which may be repeated; rg -f reads them from a file"),
    (
        "files",
        "to find files by name: forge-search call find_files '{\"pattern\": \"*.rs\"}'; \
         rg --files lists all",
    ),
    ("sort sortr", "results are sorted by path, always; rg --sort has other orders"),
    ("j threads", "the number of threads is configured: threads in [tools.search]"),
    (
        "d max-depth maxdepth",
        "--no-recursive searches direct children only; rg -d has other depths",
    ),
    (
        "stats debug trace",
        "--json=rg ends with figures, and --json has `stats`; forge-search doctor shows the setup",
    ),
    ("crlf null-data no-unicode", "lines end at LF, or at CR and LF, in Unicode; rg has the flag"),
    (
        "b byte-offset trim M max-columns max-columns-preview",
        "lines are printed as they are; --json=rg has byte offsets, rg the flag",
    ),
    (
        "no-ignore-vcs no-ignore-parent no-ignore-dot no-ignore-exclude no-ignore-global \
         no-ignore-files ignore-file ignore-file-case-insensitive no-require-git",
        "ignore files count all or, with --no-ignore, not at all; global_ignore_files in \
         [tools.search] names more; rg has the flag",
    ),
    (
        "mmap no-mmap line-buffered block-buffered colors context-separator \
         field-match-separator field-context-separator path-separator include-zero \
         one-file-system no-config no-messages regex-size-limit dfa-size-limit \
         glob-case-insensitive type-clear",
        "there is nothing like it here; rg has it",
    ),
];

/// What does the work of a flag, as it was typed.
pub(crate) fn advice(flag: &str) -> Option<&'static str> {
    let (name, short) = match flag.strip_prefix("--") {
        Some(name) => (name, false),
        None => (flag.strip_prefix('-')?, true),
    };
    let is_it = |known: &str| known == name && (known.len() == 1) == short;
    let (_, advice) = ELSEWHERE.iter().find(|(names, _)| names.split(' ').any(is_it))?;
    Some(advice)
}
