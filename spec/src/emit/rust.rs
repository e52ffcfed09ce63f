//! Rust expressions, formatted as `rustfmt` does under this repository's `rustfmt.toml`.
//!
//! Supports only the forms that tables of plain data need.

use std::fmt::Write as _;

/// The longest line in characters (`max_width`).
const WIDTH: usize = 100;
/// The longest item that shares a line with others in a list, as in rustfmt.
const SHORT: usize = 10;

/// An expression of plain data.
pub(super) enum Expr {
    /// An expression that stays on one line.
    Atom(String),
    /// `Name { field: value, .. }`.
    Struct(&'static str, Vec<(&'static str, Expr)>),
    /// `Name { field: value, ..base }`.
    Update(&'static str, Vec<(&'static str, Expr)>, &'static str),
    /// `&[value, ..]`.
    Slice(Vec<Expr>),
    /// `[value, ..]`.
    Array(Vec<Expr>),
    /// `Some("text")`.
    SomeText(String),
}

impl Expr {
    pub(super) fn atom(written: impl Into<String>) -> Self {
        Self::Atom(written.into())
    }

    pub(super) fn string(text: &str) -> Self {
        Self::Atom(format!("{text:?}"))
    }

    pub(super) fn strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Slice(texts.into_iter().map(Self::string).collect())
    }

    pub(super) fn number(value: u64) -> Self {
        Self::Atom(grouped(value))
    }

    pub(super) fn option(value: Option<u64>) -> Self {
        Self::Atom(
            value.map_or_else(|| "None".to_owned(), |number| format!("Some({})", grouped(number))),
        )
    }

    fn flat(&self) -> String {
        match self {
            Self::Atom(written) => written.clone(),
            Self::Struct(name, fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, value)| format!("{field}: {}", value.flat()))
                    .collect();
                format!("{name} {{ {} }}", fields.join(", "))
            }
            Self::Update(name, fields, base) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, value)| format!("{field}: {}, ", value.flat()))
                    .collect();
                format!("{name} {{ {}..{base} }}", fields.concat())
            }
            Self::Slice(values) => format!("&{}", flat_list(values)),
            Self::Array(values) => flat_list(values),
            Self::SomeText(text) => format!("Some({text:?})"),
        }
    }

    /// Writes the expression into `out`. `used` characters of the line are taken, `after`
    /// characters must follow, and broken lines are indented by `indent` and four.
    fn write(&self, out: &mut String, indent: usize, used: usize, after: usize) {
        let flat = self.flat();
        if used + flat.chars().count() + after <= WIDTH {
            out.push_str(&flat);
            return;
        }
        let inner = indent + 4;
        match self {
            Self::Atom(written) => out.push_str(written),
            Self::SomeText(text) => {
                let _ = write!(out, "Some(\n{:inner$}{text:?},\n{:indent$})", "", "");
            }
            Self::Struct(name, fields) => {
                let _ = writeln!(out, "{name} {{");
                write_fields(out, inner, fields);
                let _ = write!(out, "{:indent$}}}", "");
            }
            Self::Update(name, fields, base) => {
                let _ = writeln!(out, "{name} {{");
                write_fields(out, inner, fields);
                let _ = write!(out, "{:inner$}..{base}\n{:indent$}}}", "", "");
            }
            Self::Slice(values) | Self::Array(values) => {
                let open = if matches!(self, Self::Slice(_)) { "&[" } else { "[" };
                out.push_str(open);
                // A single value that can be broken itself shares its brackets with the list.
                if let [only] = &**values
                    && !matches!(only, Self::Atom(_))
                {
                    only.write(out, indent, used + open.len(), after + 1);
                    out.push(']');
                    return;
                }
                out.push('\n');
                let is_short = |value: &Self| matches!(value, Self::Atom(text) if text.chars().count() <= SHORT);
                if values.iter().all(is_short) {
                    let flat: Vec<String> = values.iter().map(Self::flat).collect();
                    fill(out, inner, flat.iter().map(String::as_str));
                } else {
                    for value in values {
                        let _ = write!(out, "{:inner$}", "");
                        value.write(out, inner, inner, 1);
                        out.push_str(",\n");
                    }
                }
                let _ = write!(out, "{:indent$}]", "");
            }
        }
    }
}

fn flat_list(values: &[Expr]) -> String {
    let values: Vec<String> = values.iter().map(Expr::flat).collect();
    format!("[{}]", values.join(", "))
}

fn write_fields(out: &mut String, indent: usize, fields: &[(&str, Expr)]) {
    for (field, value) in fields {
        let start = format!("{:indent$}{field}: ", "");
        out.push_str(&start);
        value.write(out, indent, start.chars().count(), 1);
        out.push_str(",\n");
    }
}

/// `item NAME: KIND = value;`, where `item` is `pub static` or similar.
pub(super) fn constant(item: &str, name: &str, kind: &str, value: &Expr) -> String {
    let mut out = format!("{item} {name}: {kind} =");
    let (used, flat) = (out.chars().count() + 1, value.flat());
    let fits = |start: usize| start + flat.chars().count() < WIDTH;
    if matches!(value, Expr::Struct(..) | Expr::Update(..)) && !fits(used) && fits(4) {
        let _ = writeln!(out, "\n    {flat};");
        return out;
    }
    out.push(' ');
    value.write(&mut out, 0, used, 1);
    out.push_str(";\n");
    out
}

/// `use path::{names};`, filled into lines.
pub(super) fn import(path: &str, names: &[&str]) -> String {
    let flat = format!("use {path}::{{{}}};", names.join(", "));
    if flat.chars().count() <= WIDTH {
        return format!("{flat}\n");
    }
    let mut out = format!("use {path}::{{\n");
    fill(&mut out, 4, names.iter().copied());
    out.push_str("};\n");
    out
}

/// Fills lines with short items.
fn fill<'a>(out: &mut String, indent: usize, things: impl Iterator<Item = &'a str>) {
    let mut line = String::new();
    for thing in things {
        if !line.is_empty()
            && indent + line.chars().count() + 1 + thing.chars().count() + 1 >= WIDTH
        {
            let _ = writeln!(out, "{:indent$}{line}", "");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let _ = write!(line, "{thing},");
    }
    let _ = writeln!(out, "{:indent$}{line}", "");
}

/// `default_max_results` and `DEFAULT_MAX_RESULTS` as `DefaultMaxResults`.
pub(super) fn variant(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_ascii_uppercase().to_string() + &letters.as_str().to_ascii_lowercase()
        })
    });
    words.collect()
}

/// A number with its digits in groups of three.
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

/// A 64-bit number with its hexadecimal digits in groups of four.
pub(super) fn hexadecimal(value: u64) -> String {
    let groups: Vec<String> =
        [48, 32, 16, 0].map(|shift| format!("{:04x}", value >> shift & 0xffff)).to_vec();
    format!("0x{}", groups.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        for (value, written) in
            [(0, "0"), (999, "999"), (1_000, "1_000"), (10_000, "10_000"), (1_000_000, "1_000_000")]
        {
            assert_eq!(grouped(value), written);
        }
    }

    #[test]
    fn hexadecimal_digits_are_grouped_by_four() {
        assert_eq!(hexadecimal(0x9e37_79b9_7f4a_7c15), "0x9e37_79b9_7f4a_7c15");
        assert_eq!(hexadecimal(1), "0x0000_0000_0000_0001");
    }

    #[test]
    fn names_become_variants() {
        for (name, written) in [
            ("mode_off", "ModeOff"),
            ("MODE_OFF", "ModeOff"),
            ("reconcile_max_ms", "ReconcileMaxMs"),
        ] {
            assert_eq!(variant(name), written);
        }
    }

    #[test]
    fn a_too_long_value_is_broken_from_the_outside_in() {
        let row = || Expr::Struct("Row", vec![("name", Expr::string(&"x".repeat(70)))]);
        let written = constant("pub static", "A", "&[Row]", &Expr::Slice(vec![row(), row()]));
        let line = format!("    Row {{ name: \"{}\" }},\n", "x".repeat(70));
        assert_eq!(written, format!("pub static A: &[Row] = &[\n{line}{line}];\n"));
    }

    #[test]
    fn a_single_value_shares_its_brackets_with_the_list() {
        let row = Expr::Update("Row", vec![("name", Expr::string(&"x".repeat(100)))], "NONE");
        let written = constant("pub static", "A", "&[Row]", &Expr::Slice(vec![row]));
        let name = "x".repeat(100);
        assert_eq!(
            written,
            format!("pub static A: &[Row] = &[Row {{\n    name: \"{name}\",\n    ..NONE\n}}];\n")
        );
    }

    #[test]
    fn a_line_of_exactly_the_width_is_kept() {
        let fit = WIDTH - "pub static A: &str = \"\";".len();
        let kept = constant("pub static", "A", "&str", &Expr::string(&"x".repeat(fit)));
        assert_eq!(kept.trim_end().chars().count(), WIDTH);
        let slice = |length: usize| {
            constant("pub static", "A", "&[u8]", &Expr::Slice(vec![Expr::atom("1".repeat(length))]))
        };
        let most = WIDTH - "pub static A: &[u8] = &[];".len();
        assert_eq!(slice(most).lines().count(), 1);
        assert_eq!(slice(most + 1).lines().count(), 3);
    }
}
