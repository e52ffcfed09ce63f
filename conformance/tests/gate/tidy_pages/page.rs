//! A written page: its prose, its code, its links.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A written page of the repository.
pub(crate) struct Page {
    /// From the workspace's root, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Directories whose Markdown files are pages.
const DIRECTORIES: [&str; 6] =
    ["", "docs", "docs/decisions", "conformance", "benches/keyword", "benches/localisation"];

/// Every written page; those that are generated (`docs/tables`, `docs/assurance.md`) are left out.
pub(crate) fn pages(root: &Path) -> Vec<Page> {
    let mut found = Vec::new();
    for directory in DIRECTORIES {
        for entry in fs::read_dir(root.join(directory)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md")
                && !path.ends_with("docs/assurance.md")
            {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                found.push(Page { path, text });
            }
        }
    }
    assert!(found.len() > 40, "only {} pages found", found.len());
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl Page {
    /// The lines outside fenced blocks, with their numbers from 1.
    pub(crate) fn prose(&self) -> Vec<(usize, &str)> {
        self.fenced(false)
    }

    fn fenced(&self, wanted: bool) -> Vec<(usize, &str)> {
        let mut inside = false;
        let mut lines = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                inside = !inside;
            } else if inside == wanted {
                lines.push((index + 1, line));
            }
        }
        lines
    }

    /// Pieces of code: all fenced lines as one, and each span between back quotes, which may go on
    /// in the next line.
    pub(crate) fn code(&self) -> Vec<String> {
        let fenced: Vec<&str> = self.fenced(true).into_iter().map(|(_, line)| line).collect();
        let mut pieces = vec![fenced.join("\n")];
        let prose: Vec<&str> = self.prose().into_iter().map(|(_, line)| line).collect();
        for paragraph in prose.join("\n").split("\n\n") {
            let spans = paragraph.split('`').skip(1).step_by(2);
            pieces.extend(spans.map(|span| span.replace('\n', " ")));
        }
        pieces
    }

    /// The targets of links, each as written.
    pub(crate) fn links(&self) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        for (number, line) in self.prose() {
            for part in line.split("](").skip(1) {
                found.push((number, part.split(')').next().unwrap_or_default()));
            }
        }
        found
    }

    /// Names by which headings can be linked to.
    pub(crate) fn anchors(&self) -> BTreeSet<String> {
        let headings = self.prose().into_iter().filter(|(_, line)| line.starts_with('#'));
        let letters = |heading: &str| -> String {
            let kept = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        };
        headings.map(|(_, heading)| letters(heading)).collect()
    }
}
