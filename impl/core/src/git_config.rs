//! Reads one value of a configuration file of git (docs/search.md section 3.2).
//!
//! As git reads it: sections and keys without regard to case, the last value wins, quotes and
//! escapes, comments, lines that go on. Not here: files that one includes, and typed values.

/// The last value of `key` in `[section]`, without subsections; `None` if there is none.
pub fn value(content: &[u8], section: &str, key: &str) -> Option<Vec<u8>> {
    let mut rest = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    let (mut inside, mut found) = (false, None);
    loop {
        rest = skip(rest, |byte| byte.is_ascii_whitespace());
        match rest.split_first() {
            None => return found,
            Some((b'#' | b';', _)) => rest = skip(rest, |byte| byte != b'\n'),
            Some((b'[', header)) => {
                let end = header_end(header)?;
                let name = header.get(..end)?.trim_ascii();
                inside = name.eq_ignore_ascii_case(section.as_bytes());
                rest = header.get(end + 1..)?;
            }
            Some(_) => {
                let end = rest.iter().position(|byte| !is_key(*byte)).unwrap_or(rest.len());
                let (name, after) = rest.split_at_checked(end)?;
                if name.is_empty() {
                    return found;
                }
                let after = skip(after, |byte| matches!(byte, b' ' | b'\t'));
                let (value, after) = match after.strip_prefix(b"=") {
                    Some(written) => read(written)?,
                    None => (Vec::new(), skip(after, |byte| byte != b'\n')),
                };
                if inside && name.eq_ignore_ascii_case(key.as_bytes()) {
                    found = Some(value);
                }
                rest = after;
            }
        }
    }
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Where the `]` of a section stands; a subsection's quoted name may hold one.
fn header_end(header: &[u8]) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in header.iter().enumerate() {
        match byte {
            b'\n' => return None,
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b']' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

/// A value from after its `=` to the end of its line, and what follows; `None` if it is malformed.
fn read(written: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = skip(written, |byte| matches!(byte, b' ' | b'\t'));
    let (mut value, mut quoted, mut kept) = (Vec::new(), false, 0);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'\n' if quoted => return None,
            b'\n' => break,
            b'"' => {
                quoted = !quoted;
                kept = value.len();
            }
            b'#' | b';' if !quoted => {
                rest = skip(rest, |byte| byte != b'\n');
            }
            b'\\' => {
                let (&escaped, after) = match rest.strip_prefix(b"\r\n") {
                    Some(after) => (&b'\n', after),
                    None => rest.split_first()?,
                };
                rest = after;
                match escaped {
                    b'\n' => continue,
                    b'n' => value.push(b'\n'),
                    b't' => value.push(b'\t'),
                    b'b' => value.push(8),
                    b'\\' | b'"' => value.push(escaped),
                    _ => return None,
                }
                kept = value.len();
            }
            _ => {
                value.push(byte);
                if quoted || !byte.is_ascii_whitespace() {
                    kept = value.len();
                }
            }
        }
    }
    // Spaces at the end count only in quotes.
    value.truncate(kept);
    (!quoted).then_some((value, rest))
}

fn skip(text: &[u8], what: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|byte| !what(*byte)).unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_git_reads_them() {
        for (text, want) in [
            ("[core]\n\tworktree = ../../../sub\n", Some("../../../sub")),
            ("[CORE] WorkTree=a\r\n", Some("a")),
            ("[core]\nworktree = a\nworktree = b ; c\n", Some("b")),
            ("[core]\nworktree = \"a # b\" # c\n", Some("a # b")),
            ("[core]\nworktree = \"a \" \n", Some("a ")),
            ("[core]\nworktree = a\\\n  b\\\\\\\"\n", Some("a  b\\\"")),
            ("# [core]\n; x\n[core]\n# y\n worktree = a", Some("a")),
            ("[core]\nworktree\n", Some("")),
            ("[core \"x\"]\nworktree = a\n", None),
            ("[user \"]\\\"\"]\nworktree = a\n[core]\nbare = false\n", None),
            ("[core]\nworktree = a\n[other]\nworktree = b\n", Some("a")),
            ("[core]\nworktree = \"a\n", None),
            ("[core]\nworktree = a\\q\n", None),
            ("[core\nworktree = a\n", None),
            ("", None),
        ] {
            let found = value(text.as_bytes(), "core", "worktree");
            assert_eq!(found.as_deref(), want.map(str::as_bytes), "{text:?}");
        }
    }

    #[test]
    fn any_bytes_have_a_value_or_none() {
        bolero::check!().for_each(|bytes: &[u8]| {
            let text = [b"[core]\nworktree = ".as_slice(), bytes].concat();
            let found = value(&text, "core", "worktree");
            assert!(found.is_none_or(|found| found.len() <= text.len()));
            value(bytes, "core", "worktree");
        });
    }
}
