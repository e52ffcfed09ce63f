//! What lines that define names look like, by family of languages (docs/agent-tools.md, section 6).

/// A shape of lines.
pub(super) struct Shape {
    /// 3 for what a file offers, 2 for a member, 1 for what only may be a definition.
    pub(super) level: u64,
    /// All of the line before the name.
    pub(super) before: &'static str,
    /// The beginning of what stands behind the name.
    pub(super) after: &'static str,
    /// What the line does not begin with.
    pub(super) unless: &'static str,
    /// What the enclosing line holds.
    pub(super) inside: &'static str,
    /// Whether a block follows before any statement ends.
    pub(super) body: bool,
}

/// Languages that define names alike.
pub(super) struct Family {
    /// What names of files end in, without the dot.
    pub(super) endings: &'static [&'static str],
    /// Whole names of files.
    pub(super) names: &'static [&'static str],
    /// What lines begin with that hold no code.
    pub(super) comments: &'static [&'static str],
    pub(super) shapes: &'static [Shape],
}

/// A shape that needs nothing but what stands around the name.
const fn plain(level: u64, before: &'static str, after: &'static str) -> Shape {
    Shape { level, before, after, unless: "", inside: "", body: false }
}

const C: Family = Family {
    endings: &["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "inl", "ipp", "m", "mm", "cu", "ino"],
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
        plain(3, r"\}\s*(?:__\w+\s*)*\*?", r"\s*(?:;|,|__)"),
        plain(3, r"\s*using\s+", r"\s*="),
        Shape {
            unless: r"(?:return|else|if|for|while|switch|case|new|throw|goto|delete|typedef|extern|using|do|assert)\b",
            body: true,
            ..plain(3, r"(?:[A-Za-z_][\w \t*&:<>,\[\]~.]*)?", r"\s*\(")
        },
        Shape {
            unless: r"(?:extern|return|goto|typedef|using|case|else|new|delete)\b|(?:struct|union|enum|class)\s+\w+\s*;",
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
            unless: r"\s*(?:return|goto|else|case)\b",
            inside: r"^[^(=;]*\b(?:struct|union|class|enum)\b[^(=;]*$|^\s*(?:public|private|protected)\s*:",
            ..plain(2, r"\s+[A-Za-z_][\w \t*&:<>,]*[\s*&]", r"\s*(?:;|\[|:\s*\d|,|=)")
        },
        plain(2, r"\s+[\w \t*]*\(\*\s*", r"\s*\)\s*\("),
    ],
};

const RUST: Family = Family {
    endings: &["rs"],
    names: &[],
    comments: &["//"],
    shapes: &[
        plain(3, r"(?:.*\b)?(?:fn|struct|enum|trait|union|mod|macro|type)\s+", r"\s*(?:[<({;:=]|where\b|$)"),
        plain(3, r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?", r"\s*:"),
        plain(3, r"\s*macro_rules!\s*", r"\s*(?:[{(\[]|$)"),
        Shape {
            inside: r"^[^(=;]*\b(?:enum|bitflags)\b",
            ..plain(2, r"\s+", r"\s*(?:,|\(.*\),?\s*$|\{\s*$|\s*\{.*\},?$|=\s*[-\d])")
        },
        Shape {
            inside: r"^[^(=;]*\b(?:struct|enum|union)\b",
            ..plain(2, r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:r#)?", r"\s*:(?:[^:]|$)")
        },
    ],
};

const PYTHON: Family = Family {
    endings: &["py", "pyi", "pyx"],
    names: &[],
    comments: &["#", ">>>"],
    shapes: &[
        plain(3, r"(?:async\s+)?def\s+", r"\s*[(\[]"),
        plain(3, r"class\s+", r"\s*[(:\[]"),
        plain(3, r"", r"\s*(?::[^=(]*)?=(?:[^=]|$)"),
        plain(3, r"\w+(?:\s*=\s*\w+)*\s*=\s*", r"\s*=(?:[^=]|$)"),
        plain(2, r"\s+(?:async\s+)?def\s+", r"\s*[(\[]"),
        plain(2, r"\s+class\s+", r"\s*[(:\[]"),
        Shape { inside: r"^\s*class\b", ..plain(1, r"\s+", r"\s*(?::[^=()]*)?=(?:[^=].*)?[^,]\s*$") },
    ],
};

const JAVASCRIPT: Family = Family {
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
        plain(3, r"(?:(?:export|declare)\s+)*(?:const|let|var)\s+", r"\s*(?:=(?:[^=]|$)|:|;|$)"),
        plain(3, r"[\w.$]+\.", r"\s*=\s*(?:async\s*)?(?:function|\(|class|\w+\s*=>)"),
        plain(3, r#"\s*Object\.defineProperty\([\w.]+,\s*['"]"#, r#"['"]"#),
        Shape {
            unless: r"\s*(?:return|else|if|for|while|switch|catch|case|new|throw|function|await|yield|do|super)\b",
            body: true,
            ..plain(
                2,
                r"\s+(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract)\s+)*[*#]?",
                r"\s*(?:<[^>]*>)?\(",
            )
        },
        plain(2, r#"\s*['"]?"#, r#"['"]?\s*[:=]\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)"#),
        Shape {
            inside: r"^[^(=;]*\b(?:class|interface|enum)\b|\btype\s+\w+.*=\s*\{",
            ..plain(
                2,
                r#"\s*(?:(?:public|private|protected|static|override|readonly|declare|abstract)\s+)*[#'"]?"#,
                r#"['"]?[?!]?\s*[:=](?:[^=]|$)"#,
            )
        },
        plain(1, r"\s+(?:const|let|var)\s+", r"\s*(?:=(?:[^=]|$)|:)"),
        plain(1, r"[\w.$]+\.", r"\s*=(?:[^=]|$)"),
        plain(1, r#"\s+['"]?"#, r#"['"]?\s*:(?:[^:]|$)"#),
    ],
};

const JAVA: Family = Family {
    endings: &["java", "kt", "kts", "scala", "sc", "cs", "swift", "groovy", "dart"],
    names: &[],
    comments: &["//", "/*", "* ", "*/"],
    shapes: &[
        plain(
            3,
            r"(?:.*[\s@])?(?:class|interface|enum|record|object|trait|protocol|struct|delegate\s.*|actor|extension|namespace)\s+",
            r"\s*(?:[<({:;\[]|extends\b|implements\b|permits\b|where\b|$)",
        ),
        plain(3, r"(?:.*\s)?(?:fun|func|def)\s+(?:<[^>]*>\s*)?(?:[\w<>?, .]+\.)?", r"\s*(?:[(\[<{:=]|$)"),
        Shape {
            unless: r".*\bcase\b.*:\s*(?://.*)?$",
            ..plain(
                3,
                r"\s*(?:(?:public|private|protected|internal|static|final|override|open|const|lazy|implicit|inline|lateinit|weak|abstract|case|sealed)\s+)*(?:val|var|let|given|type|typealias|case|alias)\s+(?:<[^>]*>\s*)?(?:[\w<>?, ]+\.)?",
                r"\s*(?:[:=<({\[,]|$|by\b|get\b)",
            )
        },
        Shape {
            unless: r"\s*new\b",
            ..plain(
                3,
                r"\s*(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|synchronized|native|default|async|sealed|readonly|const|unsafe|extern|new|partial|transient|volatile|@\w+(?:\(.*\))?)\s+)+(?:[\w<>,.?\[\] &@]+\s+)?",
                r"\s*(?:[(<{=;]|$)",
            )
        },
        Shape {
            unless: r"\s*(?:return|else|if|for|while|switch|case|new|throw|await|yield|do|assert|import|package)\b",
            body: true,
            ..plain(2, r"\s+[\w<>,.?\[\] &]+\s+", r"\s*\(")
        },
        Shape {
            inside: r"^[^(=;]*\benum\b",
            ..plain(2, r"\s+", r"\s*(?:,|\(.*\)\s*[,;{]|;\s*$|=(?:[^=]|$)|$)")
        },
        Shape {
            unless: r"\s*(?:return|else|case|new|throw|import|package)\b",
            inside: r"^[^(=;]*\b(?:class|struct|interface|trait|record|object|protocol)\b",
            ..plain(2, r"\s+[\w<>,.?\[\] &]+\s+", r"\s*(?:\(.*;\s*$|[=;{])")
        },
    ],
};

const GO: Family = Family {
    endings: &["go"],
    names: &[],
    comments: &["//"],
    shapes: &[
        plain(3, r"func\s+", r"\s*[(\[]"),
        plain(3, r"\s*type\s+", r"\s*\S"),
        plain(3, r"(?:var|const)\s+", r""),
        plain(3, r"\t", r"\s+(?:struct|interface|func)\b"),
        plain(2, r"func\s+\([^)]*\)\s*", r"\s*[(\[]"),
        Shape {
            inside: r"^(?:const|var|type)\s*\(",
            ..plain(3, r"\t", r"(?:\s*(?:,.*)?=(?:[^=]|$)|\s+[\w.*\[\]]+(?:\s|$)|\s*$)")
        },
        Shape {
            inside: r"\bstruct\b|\binterface\b",
            ..plain(2, r"\t", r"(?:\s*,.*|\s+[\w.*\[\]]+(?:\s|$)|\s*$|\()")
        },
    ],
};

const RUBY: Family = Family {
    endings: &["rb", "rake"],
    names: &[],
    comments: &["#"],
    shapes: &[
        plain(3, r"\s*(?:class|module)\s+(?:\w+::)*", r"\s*(?:<|$|;)"),
        plain(3, r"(?:.*\s)?def\s+(?:self\.|\w+\.)?", r"[?!=]?\s*(?:\(|$|;|\s\w|=)"),
        plain(
            2,
            r"\s*(?:attr_\w+|scope|define_method|alias_method|alias|has_many|belongs_to|delegate|helper_method|cattr_\w+|mattr_\w+|class_attribute)\W*(?:.*:)?",
            r"",
        ),
        Shape { inside: r"^\s*(?:class|module)\b", ..plain(2, r"\s*(?:\w+::)*", r"\s*=(?:[^=~]|$)") },
        plain(2, r"", r"\s*=(?:[^=~]|$)"),
    ],
};

const PHP: Family = Family {
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
            r"\s*[=;]",
        ),
        plain(2, r"\s*(?:(?:final|public|private|protected)\s+)*(?:const|case)\s+(?:\w+\s+)?", r"\s*[=;]"),
        plain(3, r#".*define\(\s*['"]"#, r#"['"]"#),
    ],
};

const LUA: Family = Family {
    endings: &["lua"],
    names: &[],
    comments: &["--"],
    shapes: &[
        plain(3, r"\s*(?:local\s+)?function\s+(?:[\w.:]+[.:])?", r"\s*\("),
        plain(3, r"(?:local\s+)?(?:[\w.]+\.)?", r"\s*=\s*(?:function\b|setmetatable|\{)"),
        plain(2, r"\s+(?:[\w.]+\.)?", r"\s*=\s*function\b"),
        plain(2, r"(?:local\s+)?(?:[\w.]+\.)?", r"\s*=(?:[^=]|$)"),
        plain(1, r"\s+(?:local\s+)?(?:[\w.]+\.)?", r"\s*=(?:[^=]|$)"),
    ],
};

const HASKELL: Family = Family {
    endings: &["hs"],
    names: &[],
    comments: &["--", "{-"],
    shapes: &[
        plain(3, r"(?:\(?[\w', ]+,\s*)?\(?", r"\)?['\w, ]*\s*::"),
        plain(3, r"(?:data|newtype|type|type\s+family|data\s+family|pattern)\s+(?:\(?.*=>\s*)?", r""),
        plain(3, r"class\s+(?:.*=>\s*)?", r""),
        plain(3, r"module\s+(?:[\w.]+\.)?", r"\s*(?:\(|where|$)"),
        Shape {
            inside: r"^(?:data|newtype)\b",
            ..plain(2, r"(?:.*\s)?[|=]\s*(?:forall.*\.\s*)?!?", r"(?:\s|$)")
        },
        plain(2, r"(?:data|newtype)\b.*=\s*", r"(?:\s|$)"),
        Shape { inside: r"^(?:data|newtype|class)\b|^\s+[={]", ..plain(2, r"\s+(?:[{,]\s*)?", r"\s*::") },
        plain(1, r"", r#"(?:\s+[\w'_()\[\]@~!:,"]+)*\s*(?:=|\|)"#),
    ],
};

const ELIXIR: Family = Family {
    endings: &["ex", "exs"],
    names: &[],
    comments: &["#"],
    shapes: &[
        plain(3, r"\s*(?:defmodule|defprotocol)\s+(?:[\w.]+\.)?", r"\s+do|\s*,"),
        plain(
            3,
            r"\s*(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defcallback)\s+",
            r"[?!]?\s*(?:\(|,|do\b|$|when\b)",
        ),
        plain(2, r"\s*@(?:type|typep|opaque|callback|macrocallback)\s+", r""),
        plain(1, r"\s*@", r"\s+\S"),
    ],
};

const SHELL: Family = Family {
    endings: &["sh", "bash", "bats", "zsh", "ksh"],
    names: &[],
    comments: &["#"],
    shapes: &[
        plain(3, r"\s*(?:function\s+)?", r"\s*\(\s*\)"),
        plain(3, r"\s*function\s+", r"\s*(?:\{|$|\()"),
        plain(3, r"(?:export\s+|readonly\s+|declare\s+(?:-\w+\s+)*|typeset\s+(?:-\w+\s+)*)?", r"="),
        plain(3, r"\s*alias\s+", r"="),
        plain(1, r"\s+(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?", r"="),
    ],
};

const SQL: Family = Family {
    endings: &["sql"],
    names: &[],
    comments: &["--"],
    shapes: &[
        plain(
            3,
            r#"(?i)\s*create\s+(?:or\s+replace\s+)?(?:\w+\s+)*(?:table|view|function|procedure|trigger|index|type|sequence|schema|domain)\s+(?:if\s+not\s+exists\s+)?[`"\[]?(?:\w+[`"\]]?\.[`"\[]?)?"#,
            r"",
        ),
        Shape { inside: r"(?i)\bcreate\b", ..plain(2, r#"\s+[`"\[]?"#, r#"[`"\]]?\s+[A-Za-z]"#) },
    ],
};

const ZIG: Family = Family {
    endings: &["zig"],
    names: &[],
    comments: &["//"],
    shapes: &[
        plain(3, r#"\s*(?:pub\s+)?(?:export\s+|inline\s+|extern\s+(?:"\w+"\s+)?)*fn\s+"#, r"\s*\("),
        plain(3, r"(?:pub\s+)?(?:export\s+|extern\s+|threadlocal\s+)*(?:const|var)\s+", r"\s*[:=]"),
        Shape {
            inside: r"\b(?:struct|enum|union)\b",
            ..plain(2, r"\s+(?:pub\s+)?(?:const|var)\s+", r"\s*[:=]")
        },
        Shape { inside: r"\b(?:struct|enum|union)\b", ..plain(2, r"\s+", r"\s*[:,=]") },
    ],
};

const PROTOBUF: Family = Family {
    endings: &["proto"],
    names: &[],
    comments: &["//", "/*", "* "],
    shapes: &[
        plain(3, r"\s*(?:message|enum|service|rpc|oneof|extend|package)\s+", r"\s*(?:[{(;]|$)"),
        plain(2, r"\s+(?:[\w.<>, ]+\s+)?", r"\s*=\s*\d"),
    ],
};

const MAKE: Family = Family {
    endings: &["mk"],
    names: &["Makefile", "GNUmakefile", "Kbuild"],
    comments: &["#"],
    shapes: &[
        plain(3, r"", r"\s*[:?+]?="),
        plain(3, r"", r"\s*:(?:[^=]|$)"),
        plain(3, r"define\s+", r""),
        plain(2, r"(?:export\s+|override\s+)", r"\s*[:?+]?="),
    ],
};

/// All families.
pub(super) const FAMILIES: [&Family; 16] = [
    &C,
    &RUST,
    &PYTHON,
    &JAVASCRIPT,
    &JAVA,
    &GO,
    &RUBY,
    &PHP,
    &LUA,
    &HASKELL,
    &ELIXIR,
    &SHELL,
    &SQL,
    &ZIG,
    &PROTOBUF,
    &MAKE,
];
