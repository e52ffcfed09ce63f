//! Text inside markup.
//!
//! Responsible for: showing text and bytes so that nothing in them hides, shortening what may be of
//! any length, and writing numbers. Not here: escaping markup, which maud does.
//! Invariants: what comes out holds no character that is invisible or reverses text, except line
//! feeds.

use std::fmt::Write as _;

use maud::{Markup, html};
use touchstone_cases::case::escape;

/// Longest run of bytes that is shown in full; of a longer one both ends are.
const MAX_RUN: usize = 240;
/// How much of each end of a longer run is shown.
const END: usize = 80;

/// The beginning of a text that may be of any length: at most so many characters.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The beginning, which says where the rest is.
pub(super) fn cut_to(text: &str, most: usize) -> String {
    let start = beginning(text, most);
    if start == text { start } else { start + " (the rest is in the JSON)" }
}

/// The first 1,000 characters.
pub(super) fn cut(text: &str) -> String {
    cut_to(text, 1000)
}

/// Whether a character is invisible or looks like another.
fn hides(character: char) -> bool {
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    text != "\\" && text != "\n" && escape(text.as_bytes()) != text
}

/// Text as the content of an element, cut; line feeds stay.
pub(super) fn shown(text: &str) -> Markup {
    whole(&cut(text))
}

/// The same, however long it is.
pub(super) fn whole(text: &str) -> Markup {
    html! { @for part in text.split_inclusive(hides) {
        @let hidden = part.chars().next_back().filter(|last| hides(*last));
        (part.trim_end_matches(hides)) @if let Some(hidden) = hidden { (chip(hidden)) }
    } }
}

/// What stands between backticks is code, if they come in pairs.
pub(super) fn titled(text: &str) -> Markup {
    let text = cut(text);
    let paired = text.matches('`').count().is_multiple_of(2);
    html! { @for (at, part) in text.split(|c| paired && c == '`').enumerate() {
        @if at % 2 == 1 { code { (whole(part)) } } @else { (whole(part)) }
    } }
}

/// Parts with something between them.
pub(super) fn joined(parts: impl IntoIterator<Item = Markup>, between: &str) -> Markup {
    html! { @for (at, part) in parts.into_iter().enumerate() { @if at > 0 { (between) } (part) } }
}

/// Text for an attribute that people read, cut.
pub(super) fn plain(text: &str) -> String {
    let name = |hidden| format!("[U+{:04X}]", u32::from(hidden));
    let told = |one: char| if hides(one) { name(one) } else { one.into() };
    cut(text).chars().map(told).collect()
}

/// Text that the script reads back exactly, as `decodeURIComponent` does.
pub(super) fn percent(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_./:,@+".contains(&byte) {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    safe
}

/// Whether [`whole`] shows the text as it is, so that it can be copied from the page.
pub(super) fn is_shown_as_it_is(text: &str) -> bool {
    !text.chars().any(hides)
}

/// A piece of a line, and what is to be said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    from: usize,
    to: usize,
    /// Inside a match.
    matches: bool,
    /// Where two texts differ.
    differs: bool,
}

/// Bytes with blanks, control characters and letters beyond ASCII made visible, matches and
/// differences marked.
pub(super) fn bytes(text: &[u8], spans: &[(u64, u64)], differs: Option<(usize, usize)>) -> Markup {
    let empty: Vec<usize> =
        spans.iter().filter(|(from, to)| from == to).map(|(from, _)| clip(*from, text)).collect();
    html! { @for Piece { from, to, matches, differs } in pieces(text, spans, differs) {
        @for _ in empty.iter().filter(|at| **at == from) { mark.e title="an empty match" {} }
        @let held = run(text.get(from..to).unwrap_or_default());
        @let held = if differs { html! { b.x { (held) } } } else { held };
        @if matches { mark { (held) } } @else { (held) }
    } }
}

fn clip(at: u64, text: &[u8]) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX).min(text.len())
}

/// The text cut wherever a match or a difference begins or ends; at most 200 pieces, the rest is
/// the last but one, and the last is the empty one behind the text.
fn pieces(text: &[u8], spans: &[(u64, u64)], differs: Option<(usize, usize)>) -> Vec<Piece> {
    let spans: Vec<(usize, usize)> =
        spans.iter().take(90).map(|(from, to)| (clip(*from, text), clip(*to, text))).collect();
    let differs = differs.filter(|(from, to)| from < to);
    let mut cuts: Vec<usize> =
        spans.iter().chain(&differs).flat_map(|(from, to)| [*from, *to]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let ends = cuts.iter().copied().skip(1).chain([text.len()]);
    let within = |at: usize, range: &(usize, usize)| range.0 <= at && at < range.1;
    let piece = |(from, to)| Piece {
        from,
        to,
        matches: spans.iter().any(|span| within(from, span)),
        differs: differs.is_some_and(|range| within(from, &range)),
    };
    cuts.iter().copied().zip(ends).map(piece).collect()
}

/// One piece; the middle of a long one is left out and counted.
fn run(text: &[u8]) -> Markup {
    if text.len() <= MAX_RUN {
        return visible(text);
    }
    let (head, rest) = text.split_at_checked(END).unwrap_or((text, &[]));
    let (middle, tail) =
        rest.split_at_checked(rest.len().saturating_sub(END)).unwrap_or((rest, &[]));
    html! {
        (visible(head)) i.o title="left out" { "⋯ " (grouped(middle.len() as u64)) " bytes ⋯" }
        (visible(tail))
    }
}

/// Bytes, each blank and each byte that is no character as a sign.
fn visible(text: &[u8]) -> Markup {
    html! { @for chunk in text.utf8_chunks() {
        @for character in chunk.valid().chars() {
            @match character {
                ' ' => i { "·" },
                '\t' => i title="tab" { "→" },
                '\r' => i.h title="carriage return" { "CR" },
                '\n' => i.h title="line feed" { "LF" },
                '\0' => i.h title="NUL" { "NUL" },
                plain if plain.is_ascii_graphic() => (plain),
                hidden if hides(hidden) => (chip(hidden)),
                other => u title=(code_point(other)) { (other) },
            }
        }
        @for byte in chunk.invalid() {
            i.h title="a byte that is no UTF-8" { (format!("{byte:02x}")) }
        }
    } }
}

/// A character by its number and its bytes.
fn code_point(character: char) -> String {
    let mut buffer = [0; 4];
    let mut told = format!("U+{:04X}:", u32::from(character));
    for byte in character.encode_utf8(&mut buffer).bytes() {
        let _ = write!(told, " {byte:02x}");
    }
    told
}

fn chip(hidden: char) -> Markup {
    html! { i.h title=(code_point(hidden)) { (format!("U+{:04X}", u32::from(hidden))) } }
}

/// A number with its thousands apart.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number in at most four characters.
pub(super) fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1000),
        1_000_000..10_000_000 => format!("{}.{}M", number / 1_000_000, number / 100_000 % 10),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// A duration in the unit that suits it.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.0995 => format!("{:.0} ms", s * 1000.0),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &[u8], spans: &[(u64, u64)], differs: Option<(usize, usize)>) -> String {
        super::bytes(text, spans, differs).into_string()
    }

    #[test]
    fn markup_and_hidden_characters_are_escaped() {
        assert_eq!(
            shown("a</script>\u{202e}\n").into_string(),
            "a&lt;/script&gt;<i class=\"h\" title=\"U+202E: e2 80 ae\">U+202E</i>\n"
        );
        assert_eq!(plain("\"\u{7}"), "\"[U+0007]");
        assert_eq!(percent("rg 'a%b'\u{e9}\r"), "rg%20%27a%25b%27%C3%A9%0D");
        assert!(is_shown_as_it_is("rg 'a\\b'\n") && !is_shown_as_it_is("a\u{2066}"));
    }

    #[test]
    fn matches_are_marked_by_bytes_even_inside_a_character() {
        assert_eq!(bytes(b"abcd", &[(1, 2), (2, 3)], None), "a<mark>b</mark><mark>c</mark>d");
        assert!(bytes("\u{e9}".as_bytes(), &[(0, 1)], None).contains(">c3</i></mark>"));
        assert_eq!(bytes(b"", &[(0, 0)], None).matches("<mark").count(), 1);
        assert_eq!(bytes(b"ab", &[(1, 1), (2, 2)], None).matches("<mark").count(), 2);
        assert_eq!(
            bytes(b"ab", &[(1, 1)], Some((1, 2))).matches("<b class=\"x\">b</b>").count(),
            1
        );
        // A span that ends behind the text is no reason to fail.
        assert_eq!(bytes(b"ab", &[(1, 99)], None), "a<mark>b</mark>");
    }

    #[test]
    fn blanks_and_non_ascii_letters_are_made_visible() {
        let shown = bytes(b"a \t\r\0\xff\xc3\xa9", &[], None);
        for part in ["<i>·</i>", "→", ">CR<", ">NUL<", ">ff<", "<u title=\"U+00E9: c3 a9\">"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }

    #[test]
    fn long_runs_are_shortened_except_their_ends_and_marks() {
        let mut text = vec![b'a'; 70_000];
        text.extend(b"needle");
        let shown = bytes(&text, &[(70_000, 70_006)], None);
        assert!(
            shown.len() < 600
                && shown.ends_with("<mark>needle</mark>")
                && shown.contains("69,840 bytes"),
            "{shown}"
        );
    }

    #[test]
    fn numbers_are_abbreviated() {
        assert_eq!((grouped(1_234_567), grouped(12)), ("1,234,567".to_owned(), "12".to_owned()));
        assert_eq!(
            (short(9_999), short(45_678), short(1_250_000)),
            ("9999".into(), "45k".into(), "1.2M".into())
        );
        assert_eq!(
            (duration(0.02), duration(90.0), duration(9_000.0)),
            ("20 ms".into(), "90 s".into(), "2.5 h".into())
        );
    }
}
