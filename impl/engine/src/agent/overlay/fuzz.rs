//! A tree's `.agent/config.yml` that is broken or hostile.

use super::{MOST_BYTES, file::OverlayFile};
use crate::{
    config::{AgentConfig, Preset},
    soup,
};

const WORDS: &[&str] = &[
    "tools:\n",
    "  search:\n",
    "    default_max_results: ",
    "    timeout_seconds: ",
    "rate_limit:\n",
    "      searches_per_minute: ",
    "1",
    "0",
    "-1",
    "5",
    "999999999999999999999",
    "~",
    ".inf",
    "\n",
    "  ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ",",
    ": ",
    "&a ",
    "*a",
    "<<: ",
    "!!binary ",
    "!x ",
    "|\n",
    ">\n",
    "\"",
    "'",
    "#",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "? ",
    "\t",
    "é",
    "\u{1b}",
    "0x1F",
    "1e3",
    "tools: {search: {",
];

/// A warning is some sentences on one line, whatever was found.
fn check_warning(warning: &str) {
    assert!(warning.len() < 3_000 && !warning.contains(char::is_control), "{warning:?}");
}

#[test]
fn an_overlay_file_only_lowers_values_and_lowering_is_idempotent() {
    let input = soup::text(WORDS, 24);
    bolero::check!().with_iterations(2_500).with_generator(input).for_each(|text| {
        let content = match OverlayFile::parse(text) {
            Ok(content) => content,
            Err(why) => return check_warning(&why),
        };
        for preset in [Preset::Documents, Preset::Agent] {
            let base = AgentConfig::preset(preset);
            let (lowered, warning) = content.lower(&base);
            warning.as_deref().inspect(|warning| check_warning(warning));
            for (lowered, own) in lowered.ranges().iter().zip(base.ranges()) {
                assert!(lowered.1 <= own.1 && (own.2..=own.3).contains(&lowered.1), "{}", own.0);
            }
            assert_eq!(content.lower(&lowered).0, lowered);
        }
    });
}

#[test]
fn a_file_of_nothing_but_nesting_or_repetition_is_refused_or_empty() {
    let most = usize::try_from(MOST_BYTES).unwrap();
    for word in ["[", "{", "- ", "? ", "a: {", "[[", "&a [", "!x [", "tools: &a [*a, ", "'", "|\n "]
    {
        let text = word.repeat(most / word.len());
        match OverlayFile::parse(&text) {
            Ok(content) => assert_eq!(content, OverlayFile::empty(), "{word}"),
            Err(why) => check_warning(&why),
        }
    }
}
