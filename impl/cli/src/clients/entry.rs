//! An entry in a client's configuration, added to a text that is otherwise left as it is.
//!
//! Invariant: what is written reads back as what was there with the one entry more; a text of which
//! that cannot be said is refused.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use serde_json::{Value, json};
use toml::Table;

use super::parsed;
use crate::errors::Failure;

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// How a client's configuration is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Toml,
}

/// A server, and the table it stands in.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) form: Form,
    pub(super) table: &'static str,
    pub(super) name: &'static str,
    /// `command`, `args` and what else the client wants.
    pub(super) server: Value,
}

impl Entry {
    /// A configuration with nothing else.
    pub(super) fn whole(&self) -> String {
        match self.form {
            Form::Json => {
                let all = json!({ self.table: { self.name: self.server } });
                // A tree of strings always serialises.
                serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
            }
            Form::Toml => {
                let fields = self.server.as_object().into_iter().flatten();
                // JSON's strings and arrays of these are TOML's.
                let lines = fields.map(|(key, value)| format!("{key} = {value}\n"));
                format!("[{}.{}]\n{}", self.table, self.name, lines.collect::<String>())
            }
        }
    }

    /// Whether a text has an entry of this name, whatever it says.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let all = self.read(text);
        all.is_ok_and(|all| all.get(self.table).and_then(|table| table.get(self.name)).is_some())
    }

    /// The text with the entry; none if it has it already. The error says why it cannot be added.
    pub(super) fn added_to(&self, text: &str) -> Result<Option<String>, String> {
        if text.trim().is_empty() {
            return Ok(Some(self.whole()));
        }
        let before = self.read(text)?;
        let Some(object) = before.as_object() else {
            return Err("is not one object".to_owned());
        };
        let table = object.get(self.table);
        match table.map(Value::as_object) {
            Some(None) => return Err(format!("has a `{}` that is no table", self.table)),
            Some(Some(table)) => match table.get(self.name) {
                Some(known) if *known == self.server => return Ok(None),
                Some(_) => {
                    return Err(format!("has another entry `{}` already", self.name));
                }
                None => {}
            },
            None => {}
        }
        let after = match self.form {
            Form::Json => self.in_json(text, object.is_empty(), table),
            Form::Toml => Some(format!("{}\n\n{}", text.trim_end(), self.whole())),
        };
        let mut wanted = before.clone();
        if let Some(all) = wanted.as_object_mut() {
            let table = all.entry(self.table).or_insert_with(|| json!({}));
            if let Some(table) = table.as_object_mut() {
                table.insert(self.name.to_owned(), self.server.clone());
            }
        }
        match after.filter(|after| self.read(after).is_ok_and(|after| after == wanted)) {
            Some(after) => Ok(Some(after)),
            None => Err("is written in a way that nothing can be added to safely".to_owned()),
        }
    }

    fn in_json(&self, text: &str, empty: bool, table: Option<&Value>) -> Option<String> {
        let server = serde_json::to_string_pretty(&self.server).ok()?.replace('\n', "\n    ");
        let added = format!("\n    \"{}\": {server}", self.name);
        let (at, added, followed) = if let Some(table) = table {
            let followed = table.as_object().is_some_and(|table| !table.is_empty());
            (after_brace_of(text, self.table)?, added, followed)
        } else {
            let added = format!("\n  \"{}\": {{{added}\n  }}", self.table);
            (text.find('{')? + 1, added, !empty)
        };
        let comma = match (followed, table.is_some()) {
            (true, _) => ",",
            (false, true) => "\n  ",
            (false, false) => "\n",
        };
        Some([text.get(..at)?, &added, comma, text.get(at..)?].concat())
    }

    fn read(&self, text: &str) -> Result<Value, String> {
        match self.form {
            Form::Json => parsed(text).map_err(|err| format!("is not plain JSON: {err}")),
            Form::Toml => {
                let table: Table = text
                    .parse()
                    .map_err(|err: toml::de::Error| format!("is not TOML: {}", err.message()))?;
                serde_json::to_value(table).map_err(|err| format!("cannot be compared: {err}"))
            }
        }
    }
}

/// The offset behind the `{` of the value of a key of the outermost object.
fn after_brace_of(text: &str, key: &str) -> Option<usize> {
    let quoted = format!("\"{key}\"");
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(start), b'"') => {
                quote = None;
                let rest = text.get(at + 1..)?;
                let value = rest.trim_start().strip_prefix(':').map(str::trim_start);
                if depth == 1 && text.get(start..=at)? == quoted && value.is_some() {
                    let inner = value?.strip_prefix('{')?;
                    return Some(text.len() - inner.len());
                }
            }
            (None, b'"') => quote = Some(at),
            (None, b'{' | b'[') => depth += 1,
            (None, b'}' | b']') => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// A file's text; none if there is no file.
pub(super) fn read(file: &Path) -> Result<Option<String>, Failure> {
    let shown = file.display();
    match fs::metadata(file) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            return Err(Failure::new(format!("`{shown}` is larger than {MAX_BYTES} bytes")));
        }
        Ok(metadata) if !metadata.is_file() => {
            return Err(Failure::new(format!("`{shown}` is no file")));
        }
        _ => {}
    }
    let text = fs::read_to_string(file);
    text.map(Some).map_err(|err| Failure::new(format!("`{shown}` cannot be read: {err}")))
}

/// Puts a text in the place of a file, all at once, unless the file has changed since it was read.
pub(super) fn replace(file: &Path, before: Option<&str>, after: &str) -> Result<(), Failure> {
    let failed =
        |err: io::Error| Failure::new(format!("`{}` cannot be written: {err}", file.display()));
    if read(file)?.as_deref() != before {
        return Err(Failure::new(format!("`{}` has just been changed; try again", file.display())));
    }
    // What a link leads to is replaced, not the link.
    let file = dunce::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let directory = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory).map_err(failed)?;
    let mut written = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
    written.write_all(after.as_bytes()).map_err(failed)?;
    if let Ok(metadata) = fs::metadata(&file) {
        written.as_file().set_permissions(metadata.permissions()).map_err(failed)?;
    }
    written.as_file().sync_all().map_err(failed)?;
    written.persist(&file).map_err(|err| failed(err.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(form: Form) -> Entry {
        let table = if form == Form::Json { "mcpServers" } else { "mcp_servers" };
        let server = json!({ "command": "forge-search", "args": ["--root", "/a \"b\"", "mcp"] });
        Entry { form, table, name: "forge-search", server }
    }

    #[test]
    fn an_added_client_entry_keeps_the_rest_of_the_file_unchanged() {
        let json = entry(Form::Json);
        for text in [
            "{}",
            "{ }\n",
            "{\"z\":1,\r\n \"a\": [\"{\", \"mcpServers\"]}",
            "{\"mcpServers\": {}}",
            "{\n\t\"b\": {\"mcpServers\": {}},\n\t\"mcpServers\" : {\"o\": {\"c\": \"x\"}}\n}\n",
            "{\"q\\\"\": \"}\", \"mcpServers\":{\"a\":{}}}",
        ] {
            let after = json.added_to(text).unwrap().unwrap();
            let mut left = after.chars();
            assert!(text.chars().all(|c| left.any(|other| other == c)), "{text}\n{after}");
            assert_eq!(json.added_to(&after), Ok(None), "{after}");
        }
        let toml = entry(Form::Toml);
        let text = "# mine\nmodel = \"o\"\n\n[mcp_servers.other]\ncommand = \"x\" # why\n";
        let after = toml.added_to(text).unwrap().unwrap();
        assert!(after.starts_with(text), "{after}");
        assert_eq!(toml.added_to(&after), Ok(None), "{after}");
    }

    #[test]
    fn a_client_file_of_unknown_form_is_refused_with_the_reason() {
        for (form, text, why) in [
            (Form::Json, "{ // a\n}", "is not plain JSON"),
            (Form::Json, "{\"a\": 1,}", "is not plain JSON"),
            (Form::Json, "\u{feff}{}", "is not plain JSON"),
            (Form::Json, "[]", "is not one object"),
            (Form::Json, "{\"mcpServers\": []}", "that is no table"),
            (Form::Json, "{\"mcpServers\": null}", "that is no table"),
            (Form::Json, "{\"mcpServers\": {}, \"mcpServers\": {}}", "is not plain JSON"),
            (Form::Json, "{\"mcpServers\": {\"forge-search\": {}}}", "another entry"),
            (Form::Json, "{\"mcp\\u0053ervers\": {}}", "added to safely"),
            (Form::Toml, "a = ", "is not TOML"),
            (Form::Toml, "mcp_servers = { a = { command = \"x\" } }", "added to safely"),
            (Form::Toml, "mcp_servers = 1", "that is no table"),
            (Form::Toml, "[mcp_servers.forge-search]\ncommand = \"y\"", "another entry"),
        ] {
            let refused = entry(form).added_to(text).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
