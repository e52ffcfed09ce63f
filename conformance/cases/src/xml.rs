//! Text within XML.

/// Text made safe for XML, as content and inside quotes. Characters that XML 1.0 cannot hold become
/// U+FFFD.
pub fn attribute(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push_str("&#10;"),
            '\t' => safe.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            control if u32::from(control) < 0x20 => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}
