//! Tables that a bench writes into `docs/performance.md`, between two marks of its own.

use std::{fs, io, path::PathBuf};

/// A directory or file of the documentation.
pub fn docs(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join("docs").join(name)
}

/// Puts `text` where the page has the tables of `section`.
///
/// # Errors
/// The page cannot be read or written, or has no such section.
pub fn write(section: &str, text: &str) -> io::Result<()> {
    let place = docs("performance.md");
    let page = fs::read_to_string(&place)?;
    let (begin, end) = (format!("<!-- {section} -->\n"), format!("<!-- end of {section} -->\n"));
    let parts = page.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else {
        return Err(io::Error::other(format!("{} has no section {section}", place.display())));
    };
    fs::write(&place, format!("{before}{begin}{}\n{end}{after}", text.trim_end()))
}
