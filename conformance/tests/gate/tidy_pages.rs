//! What written pages say can be followed: links, paths, commands, flags, and ids of decisions,
//! errata and requirements. And how they say it: lines of at most 100 columns, plain words.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex_automata::meta::Regex;
use touchstone_spec::Spec;

use crate::tidy::{EDGES, expect_none, sources, workspace};

mod book;
mod cargo;
mod commands;
mod page;

use commands::Program;
use page::{Page, pages};

/// Turns that plain technical English does without, each with what to say instead.
const TURNS: [(&str, &str); 10] = [
    ("whoever", "name the part"),
    ("told", "say what is passed, printed or logged"),
    ("hears", "receives"),
    ("asks after", "looks up"),
    ("asked after", "looked up"),
    ("goes by", "uses"),
    ("go by", "use"),
    ("who asks", "name the part"),
    ("to be had", "is available"),
    ("in earnest", "leave it out"),
];

/// Sources whose comments avoid these turns, and what below them does not yet.
const PLAIN: [&str; 15] = [
    "benches/",
    "conformance/acts/",
    "conformance/cases/",
    "conformance/hunt/",
    "conformance/index/",
    "conformance/lives/",
    "conformance/lockstep/",
    "conformance/src/",
    "impl/cli/src/",
    "impl/core/",
    "impl/engine/src/",
    "impl/llm/",
    "impl/sys/",
    "model/",
    "spec/src/",
];
const NOT_YET: [&str; 2] =
    ["impl/core/src/agent/keyword/redact", "model/src/agent/keyword/secrets"];

fn every_page() -> Vec<Page> {
    pages(&workspace())
}

/// What the expression finds where no letter, digit or one of `apart` stands before it.
fn matches<'t>(expression: &Regex, text: &'t str, apart: &str) -> Vec<&'t str> {
    let begins = |at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !apart.contains(c))
    };
    let found = expression.find_iter(text).filter(|found| begins(found.start()));
    found.map(|found| &text[found.range()]).collect()
}

#[test]
fn links_of_pages_resolve() {
    let pages = every_page();
    let mut offences = Vec::new();
    for page in &pages {
        let directory = Path::new(&page.path).parent().unwrap();
        for (number, link) in page.links() {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if path.is_empty() { page.path.clone() } else { plain(&directory.join(path)) };
            let there = workspace().join(&target).exists();
            let linked = pages.iter().find(|page| page.path == target);
            let anchored =
                anchor.is_empty() || linked.is_none_or(|page| page.anchors().contains(anchor));
            if !there || !anchored {
                offences.push(format!("{}:{number}: {link}", page.path));
            }
        }
    }
    expect_none(&offences, "links that lead nowhere");
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.to_str().unwrap().split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn paths_that_pages_name_exist() {
    let root = workspace();
    let named = Regex::new(
        r"(?:impl|model|spec|conformance|golden|docs|benches|\.github|\.ci)/[^\s`'\x22)(,;|]*",
    )
    .unwrap();
    let mut offences = Vec::new();
    for page in every_page() {
        for code in page.code() {
            for found in matches(&named, &code, "/._-@$}") {
                let (whole, position) = found.split_once(':').unwrap_or((found, ""));
                if position.starts_with(|first: char| first.is_ascii_digit()) {
                    // A line of a recorded mutant: it belongs to the commit that was measured.
                    continue;
                }
                let whole = whole.trim_end_matches('.');
                // Up to the first component that stands for several, or for a name of one's own.
                let fixed = whole.split('/').take_while(|part| {
                    let stem = part.split('.').next().unwrap();
                    let own = stem.len() > 1 && stem.chars().all(|c| c.is_ascii_uppercase());
                    !part.contains(['*', '<', '{', '…', '?']) && !own
                });
                let fixed: Vec<&str> = fixed.collect();
                if !root.join(fixed.join("/")).exists() {
                    offences.push(format!("{}: {whole}", page.path));
                }
            }
        }
    }
    expect_none(&offences, "paths that are not there");
}

#[test]
fn commands_of_touchstone_that_pages_name_exist() {
    let names = ["touchstone ", "cargo run --release -- ", "cargo run -p touchstone -- "];
    let mut program = Program::new(Path::new(env!("CARGO_BIN_EXE_touchstone")), &names);
    let mut offences = Vec::new();
    for page in every_page() {
        for code in page.code() {
            let found = program.offences(&code);
            offences.extend(found.into_iter().map(|offence| format!("{}: {offence}", page.path)));
        }
    }
    expect_none(&offences, "commands or flags of `touchstone` that are not there");
}

#[test]
fn ids_in_pages_and_comments_are_defined() {
    let spec = Spec::load(&workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"));
    let errata: BTreeSet<&str> =
        spec.errata.errata.iter().map(|erratum| erratum.id.value.as_str()).collect();
    let rows: BTreeSet<&str> = spec
        .documents
        .iter()
        .flat_map(|document| &document.requirements)
        .map(|row| row.id.value.as_str())
        .collect();
    let decisions: BTreeSet<String> = fs::read_dir(workspace().join("docs/decisions"))
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let number: u32 = name.strip_prefix('d')?.split('-').next()?.parse().ok()?;
            Some(format!("D{number}"))
        })
        .collect();
    assert!(decisions.len() > 20 && errata.len() > 150 && rows.len() > 800);

    let id = Regex::new(
        r"\b(?:D\d{1,2}|E-[A-Z]\d\d|(?:FR|NFR|SEC|CFG|ALG|REQ)-[A-Z0-9]+(?:-[A-Z0-9.]+)*)\b",
    )
    .unwrap();
    let defined = |id: &str| {
        let id = id.split("..").next().unwrap().trim_end_matches(['.', '-']);
        let row = rows.range(id..).next().is_some_and(|row| row.starts_with(id));
        decisions.contains(id) || errata.contains(id) || row
    };
    let pages = every_page().into_iter().map(|page| (page.path, page.text));
    let comments = sources().into_iter().map(|source| {
        let lines = source.text.lines().map(|line| {
            let comment = line.trim_start();
            if comment.starts_with("//") { comment } else { "" }
        });
        (source.path, lines.collect::<Vec<_>>().join("\n"))
    });
    let mut offences = Vec::new();
    for (path, text) in pages.chain(comments) {
        for (index, line) in text.lines().enumerate() {
            for found in matches(&id, line, "-").into_iter().filter(|found| !defined(found)) {
                offences.push(format!("{path}:{}: {found}", index + 1));
            }
        }
    }
    expect_none(&offences, "ids of decisions, errata or requirements that nothing defines");
}

#[test]
fn sections_cited_in_pages_and_comments_exist() {
    let cited = Regex::new(r"[a-z-]+\.md\)?,? sections? \d+").unwrap();
    let pages = every_page();
    let headings: BTreeSet<String> = pages
        .iter()
        .flat_map(|page| {
            let name = page.path.rsplit('/').next().unwrap();
            let numbers = page.text.lines().filter_map(|line| {
                line.strip_prefix("## ")?.split('.').next()?.parse::<u32>().ok()
            });
            numbers.map(move |number| format!("{name} {number}"))
        })
        .collect();
    let texts = pages.iter().map(|page| (&page.path, page.text.clone()));
    let sources = sources();
    let code = sources.iter().map(|source| {
        let lines = source
            .text
            .lines()
            .map(|line| line.trim_start().trim_start_matches(['/', '!']).trim_start());
        (&source.path, lines.collect::<Vec<_>>().join(" "))
    });
    let mut offences = Vec::new();
    for (path, text) in texts.chain(code) {
        let text = text.replace('\n', " ");
        for found in cited.find_iter(&text).map(|found| &text[found.range()]) {
            let (name, number) = found.split_once(".md").unwrap();
            let number = number.rsplit(' ').next().unwrap();
            if !headings.contains(&format!("{name}.md {number}")) {
                offences.push(format!("{path}: {found}"));
            }
        }
    }
    expect_none(&offences, "sections that are not there");
}

#[test]
fn tests_that_pages_name_exist() {
    let sources = sources();
    let name = Regex::new("^[a-z0-9]+(_[a-z0-9]+){4,}$").unwrap();
    let mut offences = Vec::new();
    for page in every_page() {
        if !["SECURITY.md", "docs/architecture.md"].contains(&page.path.as_str()) {
            continue;
        }
        for code in page.code().iter().filter(|code| name.is_match(code)) {
            let function = format!("fn {code}(");
            let listed = format!("    {code}: ");
            if !sources
                .iter()
                .any(|source| source.text.contains(&function) || source.text.contains(&listed))
            {
                offences.push(format!("{}: {code}", page.path));
            }
        }
    }
    expect_none(&offences, "tests that are not there");
}

#[test]
fn the_table_of_crates_equals_the_build() {
    let text = fs::read_to_string(workspace().join("docs/architecture.md")).unwrap();
    for (package, may) in EDGES {
        let row = text.lines().find(|line| line.contains(&format!("| `{package}` |")));
        let cells: Vec<&str> = row.expect(package).split('|').map(str::trim).collect();
        let short = |package: &str| match package {
            "forge-search" => "cli".to_owned(),
            "touchstone" => "conformance".to_owned(),
            package => package.rsplit('-').next().unwrap().to_owned(),
        };
        let listed: BTreeSet<String> =
            cells[3].split(", ").filter(|used| *used != "nothing").map(str::to_owned).collect();
        let allowed: BTreeSet<String> = may.iter().map(|used| short(used)).collect();
        assert_eq!(listed, allowed, "{package}");
    }
}

#[test]
fn lines_of_pages_have_at_most_100_columns() {
    let mut offences = Vec::new();
    for page in every_page() {
        for (number, line) in page.prose() {
            let exempt =
                line.starts_with('|') || line.contains("://") || page.path == "docs/SUMMARY.md";
            if line.chars().count() > 100 && !exempt {
                offences.push(format!("{}:{number}", page.path));
            }
        }
    }
    expect_none(&offences, "lines of prose over 100 columns");
}

#[test]
fn pages_hold_no_marks_of_a_merge() {
    let marks = ["<<<<<<< ", ">>>>>>> "];
    let mut offences = Vec::new();
    for page in every_page() {
        let lines = page.text.lines().enumerate();
        let marked = lines.filter(|(_, line)| marks.iter().any(|mark| line.starts_with(mark)));
        offences.extend(marked.map(|(number, _)| format!("{}:{}", page.path, number + 1)));
    }
    expect_none(&offences, "conflicts of a merge that nobody resolved");
}

#[test]
fn pages_use_plain_words() {
    // The benches' pages quote questions.
    let pages = every_page().into_iter().filter(|page| !page.path.starts_with("benches/"));
    let pages = pages.map(|page| {
        let prose: Vec<&str> = page.prose().into_iter().map(|(_, line)| line).collect();
        (page.path.clone(), prose.join(" "))
    });
    let within = |path: &str, all: &[&str]| all.iter().any(|at| path.starts_with(at));
    let sources = sources().into_iter();
    let comments = sources
        .filter(|source| within(&source.path, &PLAIN) && !within(&source.path, &NOT_YET))
        .map(|source| {
            let lines = source.text.lines().filter_map(|line| line.trim().strip_prefix("//"));
            let prose = lines.collect::<Vec<_>>().join(" ");
            (source.path, prose)
        });
    let mut offences = Vec::new();
    for (path, prose) in pages.chain(comments) {
        let prose = prose.to_lowercase();
        let words: Vec<&str> = prose
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let spaced = format!(" {} ", words.join(" "));
        for (turn, instead) in TURNS {
            if let Some((before, after)) = spaced.split_once(&format!(" {turn} ")) {
                let before: Vec<&str> = before.rsplit(' ').take(3).collect();
                let place = format!("{turn} {}", after.split(' ').next().unwrap());
                let place = before.iter().rev().copied().chain([place.as_str()]);
                let place = place.collect::<Vec<_>>().join(" ");
                offences.push(format!("{path}: `{place}` ({instead})"));
            }
        }
    }
    expect_none(&offences, "turns that plain technical English does without");
}
