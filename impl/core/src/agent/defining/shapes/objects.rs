//! Object-oriented languages.

use super::{Family, Shape, plain};

pub(super) const JAVA: Family = Family {
    endings: &["java", "groovy", "dart"],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(
            3,
            r"(?:.*[\s@])?(?:class|interface|enum|record|mixin|extension|namespace)\s+",
            r"\s*(?:[<({:;]|extends\b|implements\b|permits\b|with\b|on\b|$)",
        ),
        plain(
            3,
            r"\s*(?:(?:public|private|protected|static|final|abstract|synchronized|native|default|sealed|strictfp|external|factory|def|@\w+(?:\(.*\))?)\s+)+(?:[\w<>,.?\[\] &@]+\s+)?",
            r"\s*\(",
        ),
        Shape {
            inside: r"^$|\b(?:class|interface|enum|record|mixin)\b",
            ..plain(
                3,
                r"\s*(?:(?:public|private|protected|static|final|transient|volatile|const|late|def|var|@\w+(?:\(.*\))?)\s+)+(?:[\w<>,.?\[\] &@]+\s+)?",
                r"\s*(?:[=;,]|\[\]|$)",
            )
        },
        Shape {
            unless: r"\s*(?:return|else|if|for|while|switch|case|new|throw|await|yield|do|assert|import|package)\b",
            body: true,
            ..plain(2, r"\s+[\w<>,.?\[\] &]+\s+", r"\s*\(")
        },
        Shape {
            inside: r"^[^(=;]*\benum\b",
            ..plain(2, r"\s+", r"\s*(?:,|\(.*\)\s*[,;{]|\([^)]*$|\{|;\s*$|=(?:[^=]|$)|$)")
        },
        Shape {
            unless: r"\s*(?:return|else|case|new|throw|import|package)\b",
            inside: r"^[^(=;]*\b(?:class|interface|record|enum|mixin)\b",
            ..plain(2, r"\s+[\w<>,.?\[\] &]+\s+", r"\s*(?:\(.*;\s*$|\([^)]*$|[=;])")
        },
        plain(1, r"\s+(?:final|var)\s+(?:[\w<>,.?\[\] &]+\s+)?", r"\s*[=;]"),
    ],
};

pub(super) const CSHARP: Family = Family {
    endings: &["cs"],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(
            3,
            r"(?:.*\s)?(?:class|interface|enum|record|record\s+struct|record\s+class|struct|namespace)\s+(?:\w+\.)*",
            r"\s*(?:[<({:;]|where\b|$)",
        ),
        plain(3, r"(?:.*\s)?delegate\s.*\s", r"\s*(?:<[^()]*>\s*)?\("),
        Shape {
            unless: r"\s*new\b",
            ..plain(
                3,
                r"\s*(?:\[.*\]\s*)?(?:(?:public|private|protected|internal|static|abstract|override|virtual|async|sealed|readonly|const|unsafe|extern|new|partial|volatile|required|event|ref)\s+)+(?:(?:[\w<>,.?\[\] ]+|\([^()]*\)\??)\s+)?(?:[\w<>,.?]+\.)?",
                r"\s*(?:(?:<[\w, ]+>\s*)?\(|\{|=|;|,|$)",
            )
        },
        Shape {
            unless: r"\s*(?:return|else|if|for|foreach|while|switch|case|new|throw|await|yield|do|using|lock|var)\b",
            body: true,
            ..plain(
                2,
                r"\s+(?:[\w<>,.?\[\] ]+|\([^()]*\))\s+(?:[\w<>,.? ]+\.)?",
                r"\s*(?:<[\w, ]+>\s*)?\(",
            )
        },
        Shape { inside: r"^[^(=;]*\benum\b", ..plain(2, r"\s+", r"\s*(?:,|=(?:[^=]|$)|$)") },
        Shape {
            unless: r"\s*(?:return|else|case|new|throw|using|await|var)\b",
            inside: r"^[^(=;]*\b(?:class|struct|interface|record)\b",
            ..plain(
                2,
                r"\s+[\w<>,.?\[\] ]+\s+(?:[\w<>,.? ]+\.)?",
                r"\s*(?:(?:<[\w, ]+>\s*)?\(.*(?:;|=>.*|,)\s*$|=|;|\{|$)",
            )
        },
        plain(2, r".*\brecord\b.*[(,]\s*[\w<>,.?\[\]]+\s+", r"\s*[,)=]"),
    ],
};

pub(super) const KOTLIN: Family = Family {
    endings: &["kt", "kts"],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(
            3,
            r"(?:.*\s)?(?:class|interface|object|typealias)\s+",
            r"\s*(?:[<({:=]|$|(?:private|internal|protected)\b|@)",
        ),
        plain(3, r"(?:.*\s)?fun\s+(?:<.*>\s*)?(?:[\w<>?, .*]+\.)?", r"\s*\("),
        Shape {
            inside: r"^$|^\s*\)|\b(?:class|interface|object|constructor)\b",
            ..plain(
                3,
                r"\s*(?:(?:[a-z]+|@\w+(?:\([^)]*\))?)\s+)*(?:val|var)\s+(?:<.*>\s*)?(?:[\w<>?, .*]+\.)?",
                r"\s*(?:[:=]|by\b|get\b|$)",
            )
        },
        plain(2, r".*\bclass\b.*[(,]\s*(?:[a-z]+\s+)*(?:val|var)\s+", r"\s*:"),
        Shape {
            inside: r"^[^(=;]*\benum\b",
            ..plain(2, r"\s+", r"\s*(?:,|\(.*\)\s*[,;{]|\([^)]*$|\{|;\s*$|$)")
        },
        plain(1, r"\s+(?:val|var)\s+", r"\s*(?:[:=]|by\b|$)"),
    ],
};

pub(super) const SCALA: Family = Family {
    endings: &["scala", "sc"],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(
            3,
            r"(?:.*\s)?(?:class|trait|object|enum|type|given)\s+",
            r"\s*(?:[<({:=\[]|extends\b|with\b|derives\b|$)",
        ),
        plain(3, r"(?:.*\s)?def\s+", r"\s*(?:[(\[{:=]|$)"),
        Shape {
            inside: r"^$|^\s*\)|\b(?:class|trait|object|enum|extends|with|package)\b",
            ..plain(3, r"\s*(?:[a-z]+(?:\[\w+\])?\s+)*(?:val|var)\s+", r"\s*(?:[:=]|$)")
        },
        plain(2, r".*\bclass\b.*[(,]\s*(?:[a-z]+\s+)*", r"\s*:"),
        Shape {
            inside: r"\bclass\b.*\(\s*$",
            ..plain(2, r"\s+(?:[a-z]+(?:\[\w+\])?\s+)*", r"\s*:\s*\S")
        },
        Shape {
            inside: r"^[^(=;]*\benum\b",
            ..plain(2, r"\s+case\s+(?:.*,\s*)?", r"\s*(?:[,(\[]|extends\b|$)")
        },
        plain(1, r"\s+(?:[a-z]+\s+)*(?:val|var)\s+", r"\s*(?:[:=]|$)"),
    ],
};

pub(super) const SWIFT: Family = Family {
    endings: &["swift"],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(
            3,
            r"(?:.*\s)?(?:class|struct|enum|protocol|actor|typealias|associatedtype|macro)\s+",
            r"\s*(?:[<{:=(]|where\b|$)",
        ),
        plain(3, r"(?:.*\s)?func\s+", r"\s*[<(]"),
        Shape {
            inside: r"^$|\b(?:class|struct|enum|protocol|extension|actor)\b",
            ..plain(
                3,
                r"\s*(?:(?:[a-z]+(?:\([a-z]+\))?|@\w+(?:\([^)]*\))?)\s+)*(?:let|var)\s+",
                r"\s*(?:[:={,]|$)",
            )
        },
        Shape {
            inside: r"\benum\b",
            ..plain(2, r"\s*(?:indirect\s+)?case\s+(?:.*,\s*)?", r"\s*(?:[,(=]|//|$)")
        },
        plain(1, r"(?:.*\s)?extension\s+(?:\w+\.)*", r"\s*(?:[<{:]|where\b|$)"),
        plain(1, r"\s+(?:let|var)\s+", r"\s*[:=]"),
    ],
};
