//! JSON objects as text: the fields in their order, the values as they are written.
//!
//! Responsible for: taking an answer of `search_files` apart and putting it together again without
//! reading a value, since its bytes are what the contract speaks of; shortening one to a budget
//! (docs/search-files.md, section 6). Not here: what a value means (`serde_json`), and who needs an
//! answer in parts ([`crate::generate`], `touchstone_lockstep::subjects::sabotage`). Invariants: an
//! object that is not changed is written as it was read; nothing here panics, whatever the text.

use std::fmt::Write as _;

/// An object whose values are kept verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawObject(Vec<(String, String)>);

impl RawObject {
    /// Reads an object; `None` if the text is none, or not without white space around its
    /// punctuation.
    pub fn read(text: &str) -> Option<Self> {
        let inside = text.strip_prefix('{')?.strip_suffix('}')?;
        let fields = split(inside)?.into_iter().map(|field| {
            let key = string_length(field)?;
            let name = field.get(1..key.checked_sub(1)?)?;
            Some((name.to_owned(), field.get(key..)?.strip_prefix(':')?.to_owned()))
        });
        fields.collect::<Option<Vec<_>>>().map(Self)
    }

    /// A field's verbatim value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The fields in their order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Replaces the value of a field that is there.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        if let Some(field) = self.0.iter_mut().find(|(key, _)| key == name) {
            field.1 = value.into();
        }
    }

    /// The verbatim items of a list field.
    pub fn items(&self, name: &str) -> Option<Vec<String>> {
        items(self.get(name)?)
    }

    /// Replaces the items of a field that is a list.
    pub fn set_items(&mut self, name: &str, items: &[String]) {
        self.set(name, format!("[{}]", items.join(",")));
    }

    /// The object as text.
    pub fn to_text(&self) -> String {
        let mut text = String::from("{");
        for (index, (key, value)) in self.0.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}\"{key}\":{value}", if index == 0 { "" } else { "," });
        }
        text.push('}');
        text
    }
}

/// The verbatim items of a list.
pub fn items(text: &str) -> Option<Vec<String>> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    Some(split(inside)?.into_iter().map(str::to_owned).collect())
}

/// The whole answer as it is with its first `matches` and `errors`, for a budget that it does not
/// fit into.
pub fn shortened(whole: &RawObject, matches: usize, errors: usize) -> Option<RawObject> {
    let mut short = whole.clone();
    for (list, kept) in [("matches", matches), ("errors", errors)] {
        let mut items = whole.items(list)?;
        items.truncate(kept);
        if list == "matches" {
            short.set("returned", items.len().to_string());
        }
        short.set_items(list, &items);
    }
    short.set("truncated", "true");
    short.set("truncated_reason", "\"max_output_bytes\"");
    let mut stats = RawObject::read(whole.get("stats")?)?;
    let mut because = stats.items("incomplete_because")?;
    let place = because.iter().take_while(|reason| *reason == "\"max_results\"").count();
    because.insert(place, "\"max_output_bytes\"".to_owned());
    stats.set_items("incomplete_because", &because);
    stats.set("complete", "false");
    short.set("stats", stats.to_text());
    Some(short)
}

/// What stands between the commas of the outermost level.
fn split(inside: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let (mut start, mut at, mut depth) = (0, 0, 0_usize);
    while let Some(byte) = inside.as_bytes().get(at) {
        match byte {
            b'"' => {
                at += string_length(inside.get(at..)?)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                found.push(inside.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if !inside.is_empty() {
        found.push(inside.get(start..)?);
    }
    (depth == 0).then_some(found)
}

/// Length of the string that `text` begins with, quotes included.
fn string_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = concat!(
        r#"{"path":".","matches":[{"path":"a,]}","text":"\"\\","n":[1,[2]]},{"path":"b"}],"returned":2,"#,
        r#""truncated":false,"truncated_reason":null,"stats":{"matches_total":2,"elapsed_ms":         0,"#,
        r#""complete":true,"incomplete_because":[]},"errors":[{"path":"c","error":"binary file"}]}"#
    );

    #[test]
    fn an_object_is_written_back_unchanged() {
        let answer = RawObject::read(ANSWER).unwrap();
        assert_eq!(answer.to_text(), ANSWER);
        let matches = answer.items("matches").unwrap();
        assert_eq!(matches, [r#"{"path":"a,]}","text":"\"\\","n":[1,[2]]}"#, r#"{"path":"b"}"#]);
        let stats = RawObject::read(answer.get("stats").unwrap()).unwrap();
        assert_eq!(stats.get("elapsed_ms"), Some("         0"));
        assert_eq!(stats.items("incomplete_because"), Some(Vec::new()));
        assert_eq!(stats.fields().count(), 4);
    }

    #[test]
    fn a_text_that_is_no_object_is_refused() {
        for text in
            ["", "{", "[]", "{\"a\"}", "{\"a:1}", "{a:1}", "{\"a\":[}", "{\"a\":1}}", "\"", "{\"\\"]
        {
            assert_eq!(RawObject::read(text), None, "{text}");
        }
        assert_eq!(RawObject::read("{}").map(|object| object.to_text()), Some("{}".to_owned()));
    }

    #[test]
    fn a_shortened_answer_is_marked_at_every_place() {
        let whole = RawObject::read(ANSWER).unwrap();
        let short = shortened(&whole, 1, 0).unwrap();
        assert_eq!(short.items("matches").unwrap().len(), 1);
        assert_eq!(short.get("errors"), Some("[]"));
        assert_eq!((short.get("returned"), short.get("truncated")), (Some("1"), Some("true")));
        assert_eq!(short.get("truncated_reason"), Some("\"max_output_bytes\""));
        let stats = RawObject::read(short.get("stats").unwrap()).unwrap();
        assert_eq!(stats.get("incomplete_because"), Some("[\"max_output_bytes\"]"));
        assert_eq!((stats.get("complete"), stats.get("matches_total")), (Some("false"), Some("2")));
    }
}
