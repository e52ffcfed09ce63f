//! Languages compiled to machine code.

use super::{Family, Shape, plain};

pub(super) const C: Family = Family {
    endings: &[
        "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "inl", "ipp", "m", "mm", "cu", "ino",
    ],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(3, r"\s*#\s*define\s+", r""),
        plain(
            3,
            r"(?:.*\b)?(?:struct|union|class|enum(?:\s+class)?|namespace|concept)\s+(?:(?:[A-Z_]+(?:\([^)]*\))?|alignas\([^)]*\)|\[\[.*\]\]|__\w+(?:\(.*\))?|\w+::)\s*)*",
            r"\s*(?:final\s*)?(?:<[^;]*>\s*)?(?:\{|:(?:[^:]|$)|$)",
        ),
        plain(3, r"typedef\b.*[\s*]", r"\s*;"),
        plain(3, r"typedef\b.*\(\s*\*+\s*", r"\s*\)"),
        plain(3, r"\(\s*\*+\s*", r"\s*\)\s*\("),
        plain(3, r"\}\s*(?:__\w+\s*)*\*?", r"\s*(?:;|,|__)"),
        plain(2, r"\s+\}\s*\*?", r"\s*(?:;|,|\[)"),
        plain(3, r"\s*using\s+", r"(?:\s+\w+\([^)]*\))?\s*="),
        Shape {
            unless: r"(?:return|else|if|for|while|switch|case|new|throw|goto|delete|typedef|extern|using|do|assert)\b",
            body: true,
            ..plain(3, r"(?:[A-Za-z_][\w \t*&:<>,\[\]~.]*)?", r"\s*\(")
        },
        Shape {
            unless: r"(?:extern|return|goto|typedef|using|case|else|new|delete|template)\b|(?:struct|union|enum|class)\s+\w+\s*;",
            ..plain(3, r"[A-Za-z_][\w \t*&:<>,]*[\s*&]", r"\s*(?:=(?:[^=]|$)|;|\[)")
        },
        plain(
            3,
            r"(?:static\s+)?(?:DECLARE_\w+|LIST_HEAD|TRACE_EVENT|BPF_CALL_\d|\w*DEFINE\w*)\((?:.*,\s*)?",
            r"\s*[,)]",
        ),
        plain(1, r"EXPORT_SYMBOL\w*\(", r"\)"),
        Shape {
            unless: r"\s*(?:return|else|if|for|while|switch|case|new|throw|goto|delete)\b",
            inside: r"^[^(=;]*\b(?:struct|union|class)\b[^(=;]*$|^\s*(?:public|private|protected)\s*:",
            ..plain(2, r"\s+(?:[A-Za-z_][\w \t*&:<>,~]*[\s*&~])?", r"\s*\(")
        },
        Shape {
            inside: r"^[^(=;]*\b(?:struct|union|class|enum)\b[^(=;]*$",
            ..plain(2, r"\s+", r"\s*(?:,|=(?:[^=]|$)|$)")
        },
        Shape {
            inside: r"^[^(=;]*\benum\b[^(=;]*$",
            ..plain(2, r"\s+(?:[\w =]+,\s*)*", r"\s*(?:,|=(?:[^=]|$)|/[*/]|\w+\(|$)")
        },
        plain(2, r"(?:.*\b)?enum\b[^{]*\{(?:.*,)?\s*", r"\s*(?:[,}]|=[^=])"),
        Shape {
            inside: r"^[^(=;]*\b(?:struct|union|class)\b[^(=;]*$|^\s*(?:public|private|protected)\s*:",
            ..plain(2, r"\s+[A-Za-z_][\w:]*<.*>\s*[*&]?\s*", r"\s*[;={]")
        },
        Shape {
            unless: r"\s*(?:return|goto|else|case)\b",
            inside: r"^[^(=;]*\b(?:struct|union|class|enum)\b[^(=;]*$|^\s*(?:public|private|protected)\s*:",
            ..plain(2, r"\s+[A-Za-z_][\w \t*&:<>,]*[\s*&]", r"\s*(?:;|\[|:\s*\d|,|=)")
        },
        plain(2, r"\s+[\w \t*]*\((?:\w+::)*\*\s*", r"\s*\)\s*\("),
    ],
};

pub(super) const RUST: Family = Family {
    endings: &["rs"],
    names: &[],
    comments: &["//"],
    shapes: &[
        plain(
            3,
            r"(?:.*\b)?(?:fn|struct|enum|trait|union|mod|macro|type)\s+",
            r"\s*(?:[<({;:=]|where\b|$)",
        ),
        plain(3, r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?", r"\s*:"),
        plain(3, r"\s*macro_rules!\s*", r"\s*(?:[{(\[]|$)"),
        Shape {
            inside: r"^(?:[^(=;]|pub\([\w: ]+\))*\b(?:enum|bitflags)\b",
            ..plain(
                2,
                r"\s+",
                r"\s*(?:,|\(.*\),?\s*(?://.*)?$|\(\s*$|\{\s*$|\s*\{.*\},?$|=\s*[-\d]|$)",
            )
        },
        Shape {
            inside: r"^(?:[^(=;]|pub\([\w: ]+\))*\b(?:struct|enum|union)\b",
            ..plain(2, r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:r#)?", r"\s*:(?:[^:]|$)")
        },
        plain(
            1,
            r"\s*(?:unsafe\s+)?impl\b(?:.*\bfor\s+|\s*<.*>\s*|\s+)(?:\w+::)*",
            r"\s*(?:<.*>\s*)?(?:\{|where\b|$)",
        ),
    ],
};

pub(super) const GO: Family = Family {
    endings: &["go"],
    names: &[],
    comments: &["//"],
    shapes: &[
        plain(3, r"func\s+", r"\s*[(\[]"),
        plain(3, r"\s*type\s+", r"\s*\S"),
        plain(3, r"(?:var|const)\s+", r""),
        Shape { inside: r"^type\s*\(", ..plain(3, r"\t", r"(?:\[.*\])?\s+\S") },
        plain(2, r"func\s+\([^)]*\)\s*", r"\s*[(\[]"),
        Shape {
            inside: r"^(?:const|var)\s*\(",
            ..plain(3, r"\t", r"(?:\s*(?:,.*)?=(?:[^=]|$)|\s+[\w.*\[\]]+(?:\s|$)|\s*(?:,|//|$))")
        },
        Shape {
            inside: r"\b(?:struct|interface)\s*\{\s*(?://.*)?$",
            ..plain(2, r"\t+(?:\w+,\s*)*\*?", r"(?:\s*,.*|\s+[^=:\s]|\s*$|\()")
        },
    ],
};

pub(super) const ZIG: Family = Family {
    endings: &["zig"],
    names: &[],
    comments: &["//"],
    shapes: &[
        plain(3, r#"\s*(?:pub\s+)?(?:export\s+|inline\s+|extern\s+(?:"\w+"\s+)?)*fn\s+"#, r"\s*\("),
        Shape {
            unless: r".*=\s*(?:[A-Za-z_]\w*(?:\.\w+)+|@import\(.*\)(?:\.\w+)*);",
            ..plain(
                3,
                r"(?:pub\s+)?(?:export\s+|extern\s+|threadlocal\s+)*(?:const|var)\s+",
                r"\s*[:=]",
            )
        },
        plain(1, r"(?:pub\s+)?(?:const|var)\s+", r"\s*[:=]"),
        Shape {
            inside: r"\b(?:struct|enum|union)\b",
            ..plain(2, r"\s+(?:pub\s+)?(?:const|var)\s+", r"\s*[:=]")
        },
        Shape { inside: r"\b(?:struct|enum|union)\b", ..plain(2, r"\s+", r"\s*[:,=]") },
    ],
};
