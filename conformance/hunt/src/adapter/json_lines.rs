//! JSON lines made into an answer.
//!
//! Responsible for: finding what the adapter's pointers name in each line, texts in either of their
//! forms, base64.
//! Not here: what is done with lines once they are read ([`super::records::Reading`]).
//! Invariants: a line that cannot be read makes the whole answer unreadable; kinds that the adapter
//! does not name are passed over.

use serde_json::Value;

use super::records::{Garble, Reading, Told};
use touchstone_spec::adapter::JsonLines;

/// Reads the output of a program.
///
/// # Errors
/// The first line that cannot be understood.
pub fn read(rules: &JsonLines, output: &[u8], reading: &mut Reading<'_>) -> Result<(), Garble> {
    let Some(lines) = output.strip_suffix(b"\n") else {
        return if output.is_empty() {
            Ok(())
        } else {
            Err(Garble::new("the last line has no end", last_line(output)))
        };
    };
    for line in lines.split(|byte| *byte == b'\n') {
        let value: Value = serde_json::from_slice(line)
            .map_err(|error| Garble::new(format!("no JSON: {error}"), line))?;
        let wrong = |what: &str| Garble::new(format!("no {what}"), line);
        let kind =
            value.pointer(&rules.kind).and_then(Value::as_str).ok_or_else(|| wrong("kind"))?;
        let selected = kind == rules.selected;
        if !selected && kind != rules.context {
            continue;
        }
        let path = value.pointer(&rules.path).and_then(text).ok_or_else(|| wrong("path"))?;
        let number = value
            .pointer(&rules.line)
            .and_then(Value::as_u64)
            .ok_or_else(|| wrong("line number"))?;
        let mut shown = value.pointer(&rules.text).and_then(text).ok_or_else(|| wrong("text"))?;
        if shown.last() == Some(&b'\n') {
            shown.pop();
        }
        let spans = if selected {
            let list = value
                .pointer(&rules.spans)
                .and_then(Value::as_array)
                .ok_or_else(|| wrong("matches"))?;
            Some(list.iter().map(span).collect::<Option<Vec<_>>>().ok_or_else(|| wrong("match"))?)
        } else {
            None
        };
        reading
            .line(&path, Told { number, selected, text: Some(shown), spans })
            .map_err(|reason| Garble::new(reason, line))?;
    }
    Ok(())
}

fn last_line(output: &[u8]) -> &[u8] {
    output.rsplit(|byte| *byte == b'\n').next().unwrap_or_default()
}

fn span(value: &Value) -> Option<(u64, u64)> {
    let (start, end) = (value.get("start")?.as_u64()?, value.get("end")?.as_u64()?);
    (start <= end).then_some((start, end))
}

/// A string, `{"text": …}`, or `{"bytes": …}` in base64.
fn text(value: &Value) -> Option<Vec<u8>> {
    if let Some(plain) = value.as_str() {
        return Some(plain.as_bytes().to_vec());
    }
    match (value.get("text"), value.get("bytes")) {
        (Some(text), None) => Some(text.as_str()?.as_bytes().to_vec()),
        (None, Some(bytes)) => base64(bytes.as_str()?.as_bytes()),
        _ => None,
    }
}

/// Base64 with the standard alphabet and padding.
fn base64(written: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(written.len() / 4 * 3);
    let groups = written.chunks_exact(4);
    if !groups.remainder().is_empty() {
        return None;
    }
    let last = (written.len() / 4).checked_sub(1);
    for (index, group) in groups.enumerate() {
        let padding = group.iter().rev().take_while(|letter| **letter == b'=').count();
        if padding > 2 || (padding > 0 && Some(index) != last) {
            return None;
        }
        let mut bits = 0_u32;
        for (place, letter) in group.iter().enumerate() {
            bits = bits << 6 | if place >= 4 - padding { 0 } else { u32::from(sextet(*letter)?) };
        }
        let [_, first, second, third] = bits.to_be_bytes();
        bytes.extend_from_slice([first, second, third].get(..3 - padding)?);
    }
    Some(bytes)
}

fn sextet(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_and_invalid_text_is_refused() {
        assert_eq!(base64(b""), Some(vec![]));
        assert_eq!(base64(b"/w=="), Some(vec![0xff]));
        assert_eq!(base64(b"AP8="), Some(vec![0, 0xff]));
        assert_eq!(base64(b"YWJj"), Some(b"abc".to_vec()));
        for wrong in ["A", "AA=A", "=AAA", "AA==AAAA", "A===", "A*AA"] {
            assert_eq!(base64(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
