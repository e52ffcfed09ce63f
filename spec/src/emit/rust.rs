//! Rust expressions, laid out as `rustfmt` lays them out under this repository's `rustfmt.toml`.
//!
//! Responsible for: breaking struct literals and arrays over lines when they do not fit. Knows just the forms that
//! tables of plain data need.

use std::fmt::Write as _;

/// The longest line, in characters (`max_width`).
const WIDTH: usize = 110;

/// An expression of plain data.
pub(super) enum Expr {
    /// Anything that stays on one line.
    Atom(String),
    /// `Name { field: value, .. }`.
    Struct(&'static str, Vec<(&'static str, Expr)>),
    /// `&[value, ..]`.
    Slice(Vec<Expr>),
}

impl Expr {
    pub(super) fn atom(written: impl Into<String>) -> Self {
        Self::Atom(written.into())
    }

    /// A string literal.
    pub(super) fn string(text: &str) -> Self {
        Self::Atom(format!("{text:?}"))
    }

    /// A slice of string literals.
    pub(super) fn strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Slice(texts.into_iter().map(Self::string).collect())
    }

    pub(super) fn number(value: u64) -> Self {
        Self::Atom(grouped(value))
    }

    pub(super) fn option(value: Option<u64>) -> Self {
        Self::Atom(value.map_or_else(|| "None".to_owned(), |number| format!("Some({})", grouped(number))))
    }

    fn flat(&self) -> String {
        match self {
            Self::Atom(written) => written.clone(),
            Self::Struct(name, fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(field, value)| format!("{field}: {}", value.flat())).collect();
                format!("{name} {{ {} }}", fields.join(", "))
            }
            Self::Slice(values) => {
                let values: Vec<String> = values.iter().map(Self::flat).collect();
                format!("&[{}]", values.join(", "))
            }
        }
    }

    /// Writes the expression into `out`, where `used` characters of the line are taken, `after` more must follow
    /// it, and broken lines are indented by `indent` and four.
    fn write(&self, out: &mut String, indent: usize, used: usize, after: usize) {
        let flat = self.flat();
        if used + flat.chars().count() + after <= WIDTH {
            out.push_str(&flat);
            return;
        }
        let inner = indent + 4;
        match self {
            Self::Atom(written) => out.push_str(written),
            Self::Struct(name, fields) => {
                let _ = writeln!(out, "{name} {{");
                for (field, value) in fields {
                    let start = format!("{:inner$}{field}: ", "");
                    out.push_str(&start);
                    value.write(out, inner, start.chars().count(), 1);
                    out.push_str(",\n");
                }
                let _ = write!(out, "{:indent$}}}", "");
            }
            Self::Slice(values) => {
                out.push_str("&[\n");
                for value in values {
                    let _ = write!(out, "{:inner$}", "");
                    value.write(out, inner, inner, 1);
                    out.push_str(",\n");
                }
                let _ = write!(out, "{:indent$}]", "");
            }
        }
    }
}

/// `pub static NAME: KIND = value;`
pub(super) fn constant(name: &str, kind: &str, value: &Expr) -> String {
    let mut out = format!("pub static {name}: {kind} = ");
    let used = out.chars().count();
    value.write(&mut out, 0, used, 1);
    out.push_str(";\n");
    out
}

/// `use path::{names};`, the names filled into lines.
pub(super) fn import(path: &str, names: &[&str]) -> String {
    let flat = format!("use {path}::{{{}}};", names.join(", "));
    if flat.chars().count() <= WIDTH {
        return format!("{flat}\n");
    }
    let mut out = format!("use {path}::{{\n");
    let mut line = String::new();
    for name in names {
        if !line.is_empty() && 4 + line.chars().count() + 1 + name.chars().count() + 1 > WIDTH {
            let _ = writeln!(out, "    {line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let _ = write!(line, "{name},");
    }
    let _ = writeln!(out, "    {line}\n}};");
    out
}

/// A number, its digits in groups of three.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && place % 3 == first {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        for (value, written) in
            [(0, "0"), (999, "999"), (1_000, "1_000"), (10_000, "10_000"), (1_000_000, "1_000_000")]
        {
            assert_eq!(grouped(value), written);
        }
    }

    #[test]
    fn what_does_not_fit_is_broken_from_the_outside_in() {
        let row = || Expr::Struct("Row", vec![("name", Expr::string(&"x".repeat(80)))]);
        let written = constant("A", "&[Row]", &Expr::Slice(vec![row(), row()]));
        let line = format!("    Row {{ name: \"{}\" }},\n", "x".repeat(80));
        assert_eq!(written, format!("pub static A: &[Row] = &[\n{line}{line}];\n"));
    }

    #[test]
    fn a_line_of_exactly_the_width_is_kept() {
        let fit = WIDTH - "pub static A: &str = \"\";".len();
        let kept = constant("A", "&str", &Expr::string(&"x".repeat(fit)));
        assert_eq!(kept.trim_end().chars().count(), WIDTH);
        let slice =
            |length: usize| constant("A", "&[u8]", &Expr::Slice(vec![Expr::atom("1".repeat(length))]));
        let most = WIDTH - "pub static A: &[u8] = &[];".len();
        assert_eq!(slice(most).lines().count(), 1);
        assert_eq!(slice(most + 1).lines().count(), 3);
    }
}
