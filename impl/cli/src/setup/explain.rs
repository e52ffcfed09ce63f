//! What is wrong with a configuration file: where it stands there, and what would be right.

use forge_search_engine::{ConfigError, escape_name};
use toml::de::{DeTable, DeValue};

use crate::errors::{nearest, pointed};

/// The error, with line, column and the line itself where it is known.
pub(super) fn explained(path: &str, text: &str, error: &ConfigError) -> String {
    let (span, why) = match error {
        ConfigError::Syntax(error) => (error.span(), format!("not TOML: {}", error.message())),
        ConfigError::UnknownKey { key, known } => {
            let name = key.rsplit('.').next().unwrap_or(key);
            let known_names =
                known.split(", ").map(|known| known.rsplit('.').next().unwrap_or(known));
            (place_of(text, key), format!("{error}{}", nearest(name, known_names)))
        }
        ConfigError::Invalid { key, value, .. } => {
            (place_of(text, key), format!("{error}{}", other_table(key, value)))
        }
        _ => (None, error.to_string()),
    };
    let Some(span) = span else { return format!("configuration file `{path}`: {}", line(&why)) };
    let before = text.get(..span.start).unwrap_or(text);
    let row = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let shown = pointed(text, span.start, span.end);
    format!(
        "configuration file `{path}`, line {row}, column {column}: {}\n{}",
        line(&why),
        shown.trim_end_matches('\n')
    )
}

fn line(why: &str) -> String {
    escape_name(&why.trim().replace('\n', "; "))
}

/// A word that the same key of another table takes.
fn other_table(key: &str, value: &str) -> &'static str {
    match (key, value) {
        ("tools.search_files.backend", "\"auto\"") => {
            "; this tool takes no second choice, and [tools.search] alone has auto"
        }
        _ => "",
    }
}

/// Where the value of a key stands, else the key itself; a key such as `tools.keyword.models[0]`.
fn place_of(text: &str, key: &str) -> Option<std::ops::Range<usize>> {
    let document = DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut parts = key.split('.').peekable();
    while let Some(part) = parts.next() {
        let (name, number) = match part.split_once('[') {
            Some((name, rest)) => (name, rest.trim_end_matches(']').parse::<usize>().ok()),
            None => (part, None),
        };
        let (written, value) = table.iter().find(|(written, _)| written.get_ref() == name)?;
        let value = match (number, value.get_ref()) {
            (Some(number), DeValue::Array(items)) => items.get(number)?,
            _ => value,
        };
        match value.get_ref() {
            DeValue::Table(inner) if parts.peek().is_some() => table = inner,
            DeValue::Table(_) => return Some(written.span()),
            _ => return Some(written.span().start..value.span().end),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use forge_search_engine::{Config, Preset};

    use super::*;

    fn told(text: &str) -> String {
        explained("c.toml", text, &Config::from_toml(text, Preset::Agent).unwrap_err())
    }

    #[test]
    fn a_configuration_error_has_line_column_and_text() {
        let syntax = told("[tools.search]\nthreads = \n");
        assert!(syntax.starts_with("configuration file `c.toml`, line 2, column 1"), "{syntax}");
        assert!(syntax.contains("\n  threads = \n  "), "{syntax}");
        let unknown = told("# a\n[tools.search]\nmax_file = 1\n");
        assert!(unknown.contains("line 3, column 1: unknown configuration key"), "{unknown}");
        assert!(unknown.contains("did you mean `max_files`?"), "{unknown}");
        assert!(unknown.ends_with("\n  max_file = 1\n  ^^^^^^^^^^^^"), "{unknown}");
        let value = told("[tools.search]\n  threads = 1000\n");
        assert!(value.contains("line 2, column 3") && value.contains("0 to 256"), "{value}");
        let table = told("[tools.serach]\na = 1\n");
        assert!(table.contains("line 1, column 8") && table.contains("`search`"), "{table}");
        let entry = told("[[tools.keyword.models]]\nname = \"\"\nmodel = \"m\"\n");
        assert!(entry.contains("line "), "{entry}");
    }

    #[test]
    fn backend_names_are_the_same_in_both_tables() {
        for word in ["native", "rg", "ugrep"] {
            let text = format!(
                "[tools.search]\nbackend = \"{word}\"\n[tools.search_files]\nbackend = \"{word}\"\n"
            );
            assert!(Config::from_toml(&text, Preset::Agent).is_ok(), "{word}");
        }
        let files = told("[tools.search_files]\nbackend = \"auto\"\n");
        assert!(files.contains("no second choice"), "{files}");
    }
}
