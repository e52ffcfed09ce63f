use super::{Notes, render};
use crate::Event;
use crate::generated::search::SEARCH;
use crate::tables::Note;

fn matched(path: &str, text: &str) -> Event {
    Event::Match {
        path: path.to_owned(),
        line: 12,
        column: 5,
        text: text.to_owned(),
        matched: String::new(),
    }
}

fn context(path: &str, text: &str) -> Event {
    Event::Context { path: path.to_owned(), line: 13, text: text.to_owned() }
}

#[test]
fn an_event_is_one_line_of_content() {
    let events = [matched("src/a.rs", "let needle = 1;"), context("src/a.rs", "next line")];
    let expected = "src/a.rs:12:5:let needle = 1;\nsrc/a.rs-13-next line\n";
    assert_eq!(render(&SEARCH, &events, &Notes::default()), expected);
}

/// E-E14.
#[test]
fn terminal_controls_are_escaped() {
    let rows = [
        ("\u{1b}[31mfoo", "\\u{1b}[31mfoo"),
        ("a\tb\rc", "a\tb\\rc"),
        ("\0\u{7f}\u{9f}", "\\u{0}\\u{7f}\\u{9f}"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        (
            "\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}",
            "\\u{61c}\\u{200e}\\u{200f}\\u{202a}\\u{202e}\\u{2066}\\u{2069}",
        ),
        ("\u{200b}\u{2060}\u{feff}\u{e0041}", "\\u{200b}\\u{2060}\\u{feff}\\u{e0041}"),
        ("\u{a0}\u{200c}\u{200d}\u{fe0f}é\\", "\u{a0}\u{200c}\u{200d}\u{fe0f}é\\"),
    ];
    for (text, escaped) in rows {
        let expected = format!("p:12:5:{escaped}\n");
        assert_eq!(render(&SEARCH, &[matched("p", text)], &Notes::default()), expected);
    }
    let in_path = render(&SEARCH, &[context("a\nb\tc", "x")], &Notes::default());
    assert_eq!(in_path, "a\\nb\\tc-13-x\n");
}

#[test]
fn notes_have_the_order_of_the_table_and_their_numbers() {
    let mut notes = Notes::default();
    for note in [
        Note::BackendFailed,
        Note::Errors,
        Note::TimedOut,
        Note::MaxFileSizeBytes,
        Note::MaxMatchesPerFile,
        Note::MaxFiles,
        Note::MaxOutputBytes,
        Note::MaxResults,
        Note::NoMatches,
    ] {
        notes.add_if(true, note, 8, 9);
    }
    notes.add_if(false, Note::Errors, 1, 1);
    let expected = "[no matches]\n\
        [truncated: max_results 8 reached, more events exist]\n\
        [truncated: max_output_bytes 8 reached, more events exist]\n\
        [truncated: max_files 8 reached, more files exist]\n\
        [truncated: max_matches_per_file 8 reached, files cut: 9]\n\
        [truncated: max_file_size_bytes 8 exceeded, files skipped: 9]\n\
        [timed out: files searched: 9]\n\
        [errors: 9]\n\
        [backend failed: the answer covers the files before the failure]\n";
    assert_eq!(render(&SEARCH, &[], &notes), expected);
}
