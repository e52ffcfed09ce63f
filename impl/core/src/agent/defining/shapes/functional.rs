//! Functional languages, and languages for data, messages and builds.

use super::{Family, Shape, plain};

pub(super) const HASKELL: Family = Family {
    endings: &["hs"],
    names: &[],
    comments: &["--", "{-"],
    shapes: &[
        plain(3, r"(?:\(?[\w', ]+,\s*)?\(?", r"\)?['\w, ]*\s*::"),
        plain(
            3,
            r"(?:data|newtype|type|type\s+family|data\s+family|pattern)\s+(?:\(?.*=>\s*)?",
            r"(?:[^']|$)",
        ),
        plain(3, r"class\s+(?:.*=>\s*)?", r"(?:[^']|$)"),
        plain(3, r"module\s+(?:[\w.]+\.)?", r"\s*(?:\(|where|$)"),
        Shape {
            inside: r"^(?:data|newtype)\b",
            ..plain(2, r"(?:.*\s)?[|=]\s*(?:forall.*\.\s*)?!?", r"(?:\s|$)")
        },
        plain(2, r"(?:data|newtype)\b.*[=|]\s*", r"(?:\s|$)"),
        plain(2, r"(?:data|newtype)\b.*[{,]\s*", r"\s*::"),
        Shape {
            inside: r"^(?:data|newtype|class)\b|^\s+[={]",
            ..plain(2, r"\s+(?:[{,]\s*)?", r"\s*::")
        },
        plain(1, r"", r#"(?:\s+[\w'_()\[\]@~!:,"]+)*\s*(?:=|\|)"#),
    ],
};

pub(super) const ELIXIR: Family = Family {
    endings: &["ex", "exs"],
    names: &[],
    comments: &["#"],
    shapes: &[
        plain(3, r"\s*(?:defmodule|defprotocol)\s+(?:[\w.]+\.)?", r"\s+do|\s*,"),
        plain(
            3,
            r"\s*(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defcallback)\s+",
            r"\s*(?:\(|,|do\b|$|when\b)|\s+\w+\s*,\s*do:",
        ),
        plain(
            2,
            r"\s*(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defcallback)\s+",
            r"[?!]\s*(?:\(|,|do\b|$|when\b)",
        ),
        plain(2, r"\s*@(?:type|typep|opaque|callback|macrocallback)\s+", r""),
        plain(1, r"\s*@", r"\s+\S"),
    ],
};

pub(super) const SQL: Family = Family {
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
        plain(2, r#"(?i)\s*create\s+(?:\w+\s+)*table\b.*[(,]\s*[`"\[]?"#, r#"[`"\]]?\s+[A-Za-z]"#),
    ],
};

pub(super) const PROTOBUF: Family = Family {
    endings: &["proto"],
    names: &[],
    comments: &["//", "/*", "* "],
    shapes: &[
        plain(3, r"\s*(?:message|enum|service|rpc|oneof|package)\s+", r"\s*(?:[{(;]|$)"),
        plain(2, r"\s+(?:[\w.<>, ]+\s+)?", r"\s*=\s*\d"),
    ],
};

pub(super) const MAKE: Family = Family {
    endings: &["mk"],
    names: &["Makefile", "GNUmakefile", "Kbuild"],
    comments: &["#"],
    shapes: &[
        plain(3, r"", r"\s*(?:[:?]|::|:::)?="),
        plain(1, r"", r"\s*\+="),
        plain(3, r"", r"\s*:(?:[^=]|$)"),
        plain(3, r"define\s+", r""),
        plain(2, r"(?:export\s+|override\s+)", r"\s*[:?+]?="),
    ],
};
