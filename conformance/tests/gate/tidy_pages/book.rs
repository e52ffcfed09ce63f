//! The book that `mdbook build` makes of `docs/`: each page stands once in `docs/SUMMARY.md`, under
//! its own heading, and links to pages of the book alone, since a link that leaves it would lead
//! nowhere. What lies elsewhere in the repository is named by its path, in back quotes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::page::Page;
use super::plain;
use crate::tidy::{expect_none, workspace};

/// The template of `docs/assurance.md`, and the table of contents itself.
const NO_PAGES: [&str; 2] = ["docs/assurance/page.md", "docs/SUMMARY.md"];

/// Every page below `directory`, generated ones included.
fn pages_below(directory: &Path, found: &mut Vec<Page>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(workspace()).unwrap().to_str().unwrap().replace('\\', "/");
            found.push(Page { path, text });
        }
    }
}

fn book() -> Vec<Page> {
    let mut pages = Vec::new();
    pages_below(&workspace().join("docs"), &mut pages);
    pages.retain(|page| !NO_PAGES.contains(&page.path.as_str()));
    assert!(pages.len() > 60, "only {} pages found", pages.len());
    pages
}

#[test]
fn the_table_of_contents_lists_every_page_once_under_its_heading() {
    let text = fs::read_to_string(workspace().join("docs/SUMMARY.md")).unwrap();
    let mut expected: BTreeSet<String> = book()
        .iter()
        .map(|page| {
            let heading = page.text.lines().next().unwrap().trim_start_matches("# ");
            format!("[{heading}]({})", page.path.strip_prefix("docs/").unwrap())
        })
        .collect();
    let listed = text.lines().map(|line| line.trim_start().trim_start_matches("- "));
    let wrong = listed.filter(|line| line.starts_with('[') && !expected.remove(*line));
    let mut offences: Vec<String> = wrong.map(|line| format!("listed: {line}")).collect();
    offences.extend(expected.into_iter().map(|line| format!("not listed: {line}")));
    expect_none(&offences, "differences between docs/SUMMARY.md and the pages");
}

#[test]
fn pages_of_the_book_link_only_within_it() {
    let pages = book();
    let mut offences = Vec::new();
    for page in &pages {
        let directory = Path::new(&page.path).parent().unwrap();
        // What else looks like a link is an expression of a generated table.
        let plain_path =
            |link: &str| link.chars().all(|c| c.is_alphanumeric() || "_./#-".contains(c));
        for (number, link) in page.links().into_iter().filter(|(_, link)| plain_path(link)) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            if path.is_empty() {
                continue;
            }
            let target = plain(&directory.join(path));
            let target = Path::new(&target);
            let leads = match pages.iter().find(|page| Path::new(&page.path) == target) {
                Some(linked) => anchor.is_empty() || linked.anchors().contains(anchor),
                // Beside pages, `mdbook` copies all files.
                None => {
                    target.starts_with("docs")
                        && target.extension().is_some_and(|extension| extension != "md")
                        && workspace().join(target).is_file()
                }
            };
            if !leads {
                offences.push(format!("{}:{number}: {link}", page.path));
            }
        }
    }
    expect_none(&offences, "links that lead out of the book");
}

/// A quotation is `<!-- file: PATH -->` and a block.
#[test]
fn blocks_that_quote_a_file_equal_it() {
    let mut quoted = 0;
    for page in book() {
        for part in page.text.split("<!-- file: ").skip(1) {
            let (path, rest) = part.split_once(" -->\n```").unwrap();
            let block = rest.split_once('\n').unwrap().1.split("```\n").next().unwrap();
            let file = fs::read_to_string(workspace().join(path)).unwrap();
            assert_eq!(block, file, "{} quotes {path}", page.path);
            quoted += 1;
        }
    }
    assert!(quoted > 0);
}
