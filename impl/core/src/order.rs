//! `path_sort_key` and the order of paths (ALG-LS-A2, ALG-LS-A3, E-B21, E-D04).
//!
//! The key is the path relative to the search root, lossily decoded, in NFC, as UTF-8. Keys compare
//! bytewise over the whole path. `/` neither composes nor decomposes, so the key of a path is the
//! join of the keys of its components, and the walker can sort one directory at a time. A directory
//! is compared with `/` appended, the next byte of every path below it.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The sort key of a path or of one component. An ASCII name is its own key.
pub fn sort_key(raw: &[u8]) -> Cow<'_, [u8]> {
    if raw.is_ascii() {
        return Cow::Borrowed(raw);
    }
    match String::from_utf8_lossy(raw) {
        Cow::Borrowed(text) if is_nfc_quick(text.chars()) == IsNormalized::Yes => {
            Cow::Borrowed(raw)
        }
        text => Cow::Owned(text.nfc().collect::<String>().into_bytes()),
    }
}

/// Orders paths by key, then by raw bytes, so that paths with equal keys have a fixed order
/// (E-B21).
pub fn compare(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    sort_key(a).cmp(&sort_key(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(names: &[&'static [u8]]) -> Vec<&'static [u8]> {
        let mut names = names.to_vec();
        names.sort_by(|a, b| compare(a, b));
        names
    }

    #[test]
    fn whole_paths_compare_bytewise_not_by_component() {
        let want: [&[u8]; 4] = [b"a", b"a-b/x", b"a.txt", b"a/x"];
        assert_eq!(sorted(&[b"a/x", b"a.txt", b"a", b"a-b/x"]), want);
    }

    #[test]
    fn composed_and_decomposed_names_share_a_key_and_tie_on_raw_bytes() {
        let (nfc, nfd): (&[u8], &[u8]) = ("caf\u{e9}".as_bytes(), "cafe\u{301}".as_bytes());
        assert_eq!(sort_key(nfc), sort_key(nfd));
        assert_eq!(compare(nfd, nfc), std::cmp::Ordering::Less);
    }

    #[test]
    fn invalid_utf8_in_a_sort_key_becomes_replacement_characters() {
        assert_eq!(sort_key(b"a\xff").as_ref(), "a\u{fffd}".as_bytes());
        assert_eq!(sort_key(b"a\xfe"), sort_key(b"a\xff"));
    }

    #[test]
    fn the_key_of_a_path_is_the_join_of_the_keys_of_its_components() {
        for parts in [["e\u{301}", "\u{301}x"], ["a", "\u{338}b"], ["\u{1112}", "\u{1161}"]] {
            let joined = parts.join("/");
            let keys: Vec<_> =
                parts.iter().map(|part| sort_key(part.as_bytes()).into_owned()).collect();
            assert_eq!(sort_key(joined.as_bytes()).as_ref(), keys.join(&b'/'));
        }
    }
}
