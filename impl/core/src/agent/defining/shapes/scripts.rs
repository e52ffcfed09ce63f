//! Scripting languages.

use super::{Family, Shape, plain};

pub(super) const PYTHON: Family = Family {
    endings: &["py", "pyi", "pyx"],
    names: &[],
    comments: &["#", ">>>"],
    shapes: &[
        plain(3, r"(?:async\s+)?def\s+", r"\s*[(\[]"),
        plain(3, r"class\s+", r"\s*[(:\[]"),
        plain(3, r"", r"\s*(?::[^=]*)?=(?:[^=]|$)"),
        plain(3, r"\w+(?:\s*=\s*\w+)*\s*=\s*", r"\s*=(?:[^=]|$)"),
        plain(3, r"\(?(?:\w+\s*,\s*)*", r"\s*(?:,\s*\w+\s*)*,?\)?\s*=(?:[^=]|$)"),
        plain(3, r"type\s+", r"\s*[=\[]"),
        plain(3, r"\s*(?:cdef|cpdef)\s+(?:[\w*\[\]]+\s+)*", r"\s*[(:=]"),
        plain(2, r"\s+(?:async\s+)?def\s+", r"\s*[(\[]"),
        plain(2, r"\s+class\s+", r"\s*[(:\[]"),
        Shape { inside: r"^\s*class\b", ..plain(2, r"\s+", r"\s*(?::[^=]*)?=(?:[^=].*)?[^,]\s*$") },
        Shape {
            inside: r"^\s*class\b",
            ..plain(2, r"\s+", r#"\s*:\s*['"]?[\w.]+(?:\[.*|\s*\|.*|['"]?\s*(?:#.*)?$)"#)
        },
        Shape {
            inside: r"^(?:if|elif|else|try|except|finally|with|for|while)\b",
            ..plain(2, r"\s+", r"\s*(?::[^=]*)?=(?:[^=]|$)")
        },
        plain(1, r"\s+self\.", r"\s*(?::[^=]*)?=(?:[^=]|$)"),
    ],
};

pub(super) const JAVASCRIPT: Family = Family {
    endings: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(3, r"(?:.*[\s(=:,])?function\s*\*?\s*", r"\s*[(<]"),
        plain(
            3,
            r"\s*(?:(?:export|default|declare|abstract|const)\s+)*(?:class|interface|enum|namespace|module)\s+",
            r"\s*(?:[{<]|extends\b|implements\b|$)",
        ),
        plain(3, r"\s*(?:(?:export|declare)\s+)*type\s+", r"\s*(?:=|<|$)"),
        Shape {
            unless: r".*=\s*(?:(?:await\s+)?(?:\w+\()?(?:require|import)\(|[\w$]+(?:\.[\w$]+)+;?\s*$)",
            ..plain(
                3,
                r"(?:(?:export|declare)\s+)*(?:const|let|var)\s+",
                r"\s*(?:=(?:[^=]|$)|:|;|$)",
            )
        },
        plain(
            1,
            r"(?:(?:export|declare)\s+)*(?:const|let|var)\s+",
            r"\s*=\s*[\w$]+(?:\.[\w$]+)+;?\s*$",
        ),
        plain(3, r"[\w.$]+\.", r"\s*=\s*(?:async\s*)?(?:function|\(|class|\w+\s*=>)"),
        Shape {
            unless: r".*(?:=\s*void 0|\brequire\(|=\s*[\w$.]+;?\s*$)",
            ..plain(2, r"(?:module\.)?exports\.", r"\s*=(?:[^=]|$)")
        },
        Shape {
            unless: r".*\(exports,",
            ..plain(2, r#"\s*Object\.defineProperty\([\w.]+,\s*['"]"#, r#"['"]"#)
        },
        Shape {
            unless: r"\s*(?:return|else|if|for|while|switch|catch|case|new|throw|function|await|yield|do|super)\b",
            ..plain(
                2,
                r"\s+(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract)\s+)*[*#]?",
                r#"\s*(?:<[^>]*>)?\((?:[^'"`()]|\([^()]*\))*\)\s*(?::[^;=]*)?\{"#,
            )
        },
        Shape {
            unless: r"\s*(?:return|else|if|for|while|switch|catch|case|new|throw|function|await|yield|do|super)\b",
            inside: r"^[^(=;]*\bclass\b|\{\s*$",
            body: true,
            ..plain(
                2,
                r"\s+(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract)\s+)*[*#]?",
                r#"\s*(?:<[^>]*>)?\([^'"`()]*$"#,
            )
        },
        Shape {
            unless: r"\s*(?:return|else|if|for|while|switch|catch|case|new|throw|function|await|yield|do|super)\b",
            inside: r"^[^(=;]*\binterface\b|^[^(=;]*\btype\s+\w+.*=\s*\{|^[^(=;]*\bdeclare\b.*\bclass\b|^>.*\{\s*$",
            ..plain(
                2,
                r"\s+(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract)\s+)*",
                r"\??\s*(?:<.*>)?\(",
            )
        },
        plain(
            2,
            r#"\s*['"]?"#,
            r#"['"]?\s*[:=]\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)"#,
        ),
        Shape {
            inside: r"^[^(=;]*\b(?:class|interface|enum)\b|\btype\s+\w+.*=\s*\{|^>.*\{\s*$",
            ..plain(
                2,
                r#"\s*(?:(?:public|private|protected|static|override|readonly|declare|abstract)\s+)*[#'"]?"#,
                r#"['"]?[?!]?\s*(?:[:=](?:[^=]|$)|;|$)"#,
            )
        },
        Shape { inside: r"^[^(=;]*\benum\b", ..plain(2, r"\s*", r"\s*,") },
        Shape {
            unless: r".*=\s*(?:await\s+)?(?:\w+\()?(?:require|import)\(",
            ..plain(1, r"\s+(?:const|let|var)\s+", r"\s*(?:=(?:[^=]|$)|:|;|$)")
        },
        plain(1, r"[\w.$]+\.", r"\s*=(?:[^=]|$)"),
        plain(1, r#"\s+['"]?"#, r#"['"]?\s*:(?:[^:]|$)"#),
    ],
};

pub(super) const RUBY: Family = Family {
    endings: &["rb", "rake"],
    names: &[],
    comments: &["#"],
    shapes: &[
        plain(3, r"\s*(?:class|module)\s+(?:\w+::)*", r"\s*(?:<|$|;)"),
        plain(3, r"(?:.*\s)?def\s+(?:self\.|\w+\.)?", r"(?:\s*[(;=]|\s+[\w*&]|\s*$)"),
        plain(2, r"(?:.*\s)?def\s+(?:self\.|\w+\.)?", r"[?!=](?:[\s(;]|$)"),
        plain(3, r"", r"\s*=\s*(?:Class|Module|Struct|Data)\b"),
        plain(
            2,
            r"\s*(?:attr_\w+|scope|define_method|alias_method|alias|has_many|belongs_to|delegate|helper_method|cattr_\w+|mattr_\w+|class_attribute)\W*(?:.*:)?",
            r"",
        ),
        Shape {
            inside: r"^\s*(?:class|module)\b",
            ..plain(2, r"\s*(?:\w+::)*", r"\s*=(?:[^=~]|$)")
        },
        plain(2, r"", r"\s*=(?:[^=~]|$)"),
    ],
};

pub(super) const PHP: Family = Family {
    endings: &["php"],
    names: &[],
    comments: &["//", "/*", "* ", "*/", "#"],
    shapes: &[
        plain(
            3,
            r"\s*(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum|namespace)\s+(?:[\w\\]+\\)?",
            r"\s*(?:\{|extends\b|implements\b|:|;|$)",
        ),
        plain(3, r"(?:.*\s)?function\s+&?\s*", r"\s*\("),
        plain(
            2,
            r"\s*(?:(?:public|private|protected|static|readonly|var|final)\s+)+(?:[\w?|\\]+\s+)?(?:const\s+)?(?:\w+\s+)?\$?",
            r"\s*(?:[=;,{]|$)",
        ),
        plain(
            2,
            r".*[(,]\s*(?:(?:public|private|protected|readonly)\s+)+(?:[\w?|\\]+\s+)?\$",
            r"\s*[=,)]",
        ),
        plain(
            2,
            r"\s*(?:(?:final|public|private|protected)\s+)*(?:const|case)\s+(?:\w+\s+)?",
            r"\s*[=;]",
        ),
        plain(3, r#".*define\(\s*['"]"#, r#"['"]"#),
    ],
};

pub(super) const LUA: Family = Family {
    endings: &["lua"],
    names: &[],
    comments: &["--"],
    shapes: &[
        plain(3, r"\s*function\s+(?:[\w.:]+[.:])?", r"\s*\("),
        plain(3, r"local\s+function\s+", r"\s*\("),
        plain(2, r"\s+local\s+function\s+", r"\s*\("),
        plain(3, r"(?:local\s+)?(?:[\w.]+\.)?", r"\s*=\s*(?:function\b|setmetatable)"),
        plain(3, r"(?:local\s+)?", r"\s*=\s*\{"),
        plain(2, r#"\s+(?:local\s+)?(?:[\w.]+\.|\[['"])?"#, r#"(?:['"]\])?\s*=\s*function\b"#),
        Shape {
            unless: r".*=\s*(?:(?:\w+\()?require\b|[\w.]+\.\w+\s*$)",
            ..plain(2, r"(?:local\s+)?(?:[\w.]+\.)?", r"\s*=(?:[^=]|$)")
        },
        plain(1, r"(?:local\s+)?(?:[\w.]+\.)?", r"\s*=\s*[\w.]+\.\w+\s*$"),
        Shape {
            unless: r".*=\s*(?:\w+\()?require\b",
            ..plain(1, r"\s+(?:local\s+)?(?:[\w.]+\.)?", r"\s*=(?:[^=]|$)")
        },
    ],
};

pub(super) const SHELL: Family = Family {
    endings: &["sh", "bash", "bats", "zsh", "ksh"],
    names: &[],
    comments: &["#"],
    shapes: &[
        plain(3, r"\s*(?:function\s+)?(?:[\w:.-]+[:.])?", r"\s*\(\s*\)"),
        plain(3, r"\s*function\s+", r"\s*(?:\{|$|\()"),
        plain(2, r"(?:export\s+|readonly\s+|declare\s+(?:-\w+\s+)*|typeset\s+(?:-\w+\s+)*)?", r"="),
        plain(3, r"\s*alias\s+", r"="),
        plain(1, r"\s+(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?", r"="),
    ],
};
