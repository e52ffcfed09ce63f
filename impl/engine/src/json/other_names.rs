//! The names that other search tools have for the fields of these (D25; docs/agent-tools.md,
//! section 2). `spec/tools/argument_names.yaml` has the same table; a test compares what comes of
//! both.

/// A tool whose arguments are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Search,
    Contents,
    Text,
    Grep,
    Paths,
    Keyword,
}

/// What becomes of a value under another name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// It is the field's value.
    Same,
    /// The field's value for each value. The field is absent for an empty one.
    Values(&'static [(&'static str, &'static str)]),
    /// A limit, of which the field takes as much as it may; 0 is as much as it may.
    Limit,
    /// Names of ripgrep's file types.
    Types,
    /// It is taken, and changes nothing.
    NoEffect,
    /// An error with this way out, unless the value is `false` or 0.
    Refused(&'static str),
}

/// Names that mean one field.
#[derive(Debug)]
pub(super) struct OtherNames {
    /// In lower case, without `_` and `-` but for flags of one letter.
    pub(super) names: &'static [&'static str],
    /// The field of each tool.
    pub(super) fields: &'static [(Tool, &'static str)],
    pub(super) rule: Rule,
}

use Rule::{Limit, NoEffect, Refused, Same, Types, Values};
use Tool::{Contents, Grep, Keyword, Paths, Search, Text};

const PATTERN: &[(Tool, &str)] = &[
    (Search, "pattern"),
    (Contents, "query"),
    (Text, "query"),
    (Grep, "pattern"),
    (Paths, "pattern"),
    (Keyword, "query"),
];
const ROOT: &[(Tool, &str)] = &[
    (Search, "path"),
    (Contents, "path"),
    (Text, "directory"),
    (Grep, "directory"),
    (Paths, "directory"),
];
const INCLUDE: &[(Tool, &str)] = &[
    (Search, "include_glob"),
    (Contents, "include_globs"),
    (Text, "include_path"),
    (Grep, "include_path"),
    (Paths, "include_path"),
];
const EXCLUDE: &[(Tool, &str)] = &[
    (Search, "exclude_glob"),
    (Contents, "exclude_globs"),
    (Text, "exclude_path"),
    (Grep, "exclude_path"),
    (Paths, "exclude_path"),
];
const TYPE: &[(Tool, &str)] = &[
    (Search, "include_glob"),
    (Contents, "include_globs"),
    (Text, "file_type"),
    (Grep, "file_type"),
];
const CASE: &[(Tool, &str)] = &[(Search, "case"), (Contents, "case"), (Grep, "case")];
const CONTEXT: &[(Tool, &str)] = &[
    (Search, "context"),
    (Contents, "context_lines"),
    (Text, "context_lines"),
    (Grep, "context_lines"),
];
const MAX_RESULTS: &[(Tool, &str)] = &[
    (Search, "max_results"),
    (Contents, "max_results"),
    (Text, "max_results"),
    (Grep, "max_results"),
    (Paths, "max_results"),
    (Keyword, "max_results"),
];
/// Tools whose results are lines.
const LINES: &[(Tool, &str)] = &[(Search, ""), (Contents, ""), (Text, ""), (Grep, "")];
const ALL: &[(Tool, &str)] =
    &[(Search, ""), (Contents, ""), (Text, ""), (Grep, ""), (Paths, ""), (Keyword, "")];
const INVERTED: &[(&str, &str)] = &[("true", "false"), ("false", "true")];

pub(super) const OTHER_NAMES: &[OtherNames] = &[
    OtherNames {
        names: &[
            "query",
            "pattern",
            "search",
            "searchterm",
            "searchquery",
            "searchpattern",
            "text",
            "q",
        ],
        fields: PATTERN,
        rule: Same,
    },
    // Cline's, whose pattern is a regular expression.
    OtherNames {
        names: &["regex"],
        fields: &[(Search, "pattern"), (Contents, "query")],
        rule: Same,
    },
    OtherNames {
        names: &["name", "filename", "globpattern", "glob", "filepattern"],
        fields: &[(Paths, "pattern")],
        rule: Same,
    },
    OtherNames { names: &["keywords", "terms"], fields: &[(Keyword, "search_terms")], rule: Same },
    OtherNames {
        names: &[
            "path",
            "directory",
            "dir",
            "dirpath",
            "directorypath",
            "targetdirectory",
            "searchdirectory",
            "searchpath",
            "folder",
            "cwd",
            "root",
        ],
        fields: ROOT,
        rule: Same,
    },
    OtherNames {
        names: &[
            "glob",
            "globs",
            "include",
            "includes",
            "includepath",
            "includepattern",
            "includeglob",
            "includeglobs",
            "filepattern",
            "fileglob",
            "globpattern",
        ],
        fields: INCLUDE,
        rule: Same,
    },
    OtherNames {
        names: &[
            "exclude",
            "excludes",
            "excludepath",
            "excludepattern",
            "excludeglob",
            "excludeglobs",
        ],
        fields: EXCLUDE,
        rule: Same,
    },
    OtherNames { names: &["type", "filetypes"], fields: TYPE, rule: Types },
    OtherNames {
        names: &["-i", "ignorecase", "caseinsensitive"],
        fields: CASE,
        rule: Values(&[("true", "insensitive"), ("false", "sensitive")]),
    },
    OtherNames {
        names: &["casesensitive", "matchcase"],
        fields: CASE,
        rule: Values(&[("true", "sensitive"), ("false", "insensitive")]),
    },
    OtherNames {
        names: &["isregexp", "isregex", "useregex"],
        fields: &[(Grep, "regex")],
        rule: Same,
    },
    OtherNames {
        names: &["isregexp", "isregex", "useregex", "regex"],
        fields: &[(Contents, "mode")],
        rule: Values(&[("true", "regex"), ("false", "exact")]),
    },
    OtherNames {
        names: &["isregexp", "isregex", "useregex", "regex"],
        fields: &[(Search, "fixed_strings")],
        rule: Values(INVERTED),
    },
    OtherNames {
        names: &["fixedstrings", "literal"],
        fields: &[(Grep, "regex")],
        rule: Values(INVERTED),
    },
    OtherNames { names: &["literal"], fields: &[(Search, "fixed_strings")], rule: Same },
    OtherNames {
        names: &["fixedstrings", "literal"],
        fields: &[(Contents, "mode")],
        rule: Values(&[("true", "exact"), ("false", "regex")]),
    },
    OtherNames { names: &["-C", "context", "contextlines"], fields: CONTEXT, rule: Same },
    OtherNames {
        names: &["-A", "-B", "beforecontext", "aftercontext"],
        fields: LINES,
        rule: Refused(
            "context is shown on both sides alike: use `context_lines` (of `Search` `context`)",
        ),
    },
    OtherNames {
        names: &[
            "headlimit",
            "limit",
            "maxresults",
            "maxcount",
            "numresults",
            "topk",
            "totalmaxmatches",
        ],
        fields: MAX_RESULTS,
        rule: Limit,
    },
    OtherNames {
        names: &["outputmode"],
        fields: &[(Grep, "output")],
        rule: Values(&[("content", "lines"), ("files_with_matches", "files"), ("count", "count")]),
    },
    OtherNames {
        names: &["-l", "fileswithmatches", "filesonly", "namesonly"],
        fields: &[(Grep, "output")],
        rule: Values(&[("true", "files"), ("false", "")]),
    },
    OtherNames {
        // Beside flags of grep, what clients write for themselves.
        names: &[
            "-n",
            "linenumbers",
            "shownumbers",
            "explanation",
            "description",
            "taskprogress",
            "toolcallid",
            "sessionid",
            "chatinput",
            "action",
            "meta",
        ],
        fields: ALL,
        rule: NoEffect,
    },
    OtherNames {
        names: &["multiline"],
        fields: LINES,
        rule: Refused(
            "a match lies within one line: search for a line of it, with `context_lines` for the others",
        ),
    },
    OtherNames {
        names: &["hidden", "includehidden", "showhidden"],
        fields: &[
            (Search, "hidden"),
            (Contents, "include_hidden"),
            (Grep, "hidden"),
            (Paths, "hidden"),
        ],
        rule: Same,
    },
    OtherNames {
        names: &["noignore"],
        fields: &[(Search, "no_ignore"), (Grep, "no_ignore"), (Paths, "no_ignore")],
        rule: Same,
    },
    OtherNames {
        names: &["noignore"],
        fields: &[(Contents, "respect_gitignore")],
        rule: Values(INVERTED),
    },
    OtherNames {
        names: &["respectgitignore"],
        fields: &[(Search, "no_ignore"), (Grep, "no_ignore"), (Paths, "no_ignore")],
        rule: Values(INVERTED),
    },
];
