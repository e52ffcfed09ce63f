use super::*;
use crate::{
    glob::{Dialect, Glob},
    scope::Depth,
};

fn globs(texts: &[&str]) -> Vec<Glob> {
    texts.iter().map(|text| Glob::parse(text.as_bytes(), Dialect::Request).unwrap()).collect()
}

fn scope(include: &[&str], exclude: &[&str], ends: &[&str]) -> (Scope, Filters) {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let conditions =
        if ends.is_empty() { Vec::new() } else { vec![PathCondition::Suffix(owned(ends))] };
    let scope =
        Scope { include: globs(include), exclude: globs(exclude), conditions, ..Scope::default() };
    (scope, Filters { include: owned(include), exclude: owned(exclude) })
}

fn said(files: &[&str], (scope, filters): &(Scope, Filters)) -> Option<String> {
    let mut found = Ineligible { directory: ".".to_owned(), ..Ineligible::default() };
    for file in files {
        found.add(file.as_bytes(), scope, &Cancellation::never());
    }
    found.notice(scope, filters).map(|notice| notice.message)
}

#[test]
fn the_notice_names_the_filter_that_leaves_out_all_files() {
    let files = ["a.rs", "src/b.rs"];
    let why = |scope| said(&files, &scope).unwrap();
    assert_eq!(
        why(scope(&["*.rss"], &[], &[])),
        "`include_path` `*.rss` matches none of the 2 eligible files"
    );
    assert_eq!(
        why(scope(&[], &["src", "*.rs"], &[])),
        "`exclude_path` `src`, `*.rs` leaves out all of the 2 eligible files"
    );
    assert_eq!(
        why(scope(&[], &[], &[".py"])),
        "`file_type` `.py` is that of none of the 2 eligible files"
    );
    let together = why(scope(&["a.rs"], &["a.*"], &[]));
    assert!(together.starts_with("none of the 2 eligible files satisfies all"), "{together}");
}

#[test]
fn a_glob_that_covers_a_directory_covers_its_files() {
    assert_eq!(said(&["a.rs", "src/x/b.rs"], &scope(&["src"], &[], &[])), None);
    assert_eq!(said(&["src/b.rs"], &scope(&[], &["lib/"], &[".rs"])), None);
}

#[test]
fn the_notice_names_ignore_rules_with_the_number_of_entries_they_leave_out() {
    let rule = |line: usize, text: &str, entries: u64| RuleMatch {
        file: ".gitignore".to_owned(),
        line,
        text: Some(text.to_owned()),
        entries,
        first: String::new(),
    };
    let found = Ineligible {
        directory: "src".to_owned(),
        rules: vec![
            rule(3, "*.o", 1),
            rule(1, "/*", 27),
            rule(2, "a", 1),
            rule(9, "b", 1),
            rule(7, "c", 1),
        ],
        hidden: 1,
        links: 2,
        link: Some(Link { path: "x".to_owned(), target: Some("y".to_owned()) }),
        has_fields: true,
        ..Ineligible::default()
    };
    let (scope, filters) = scope(&[], &[], &[]);
    assert_eq!(
        found.notice(&scope, &filters).unwrap().message,
        "no file below `src` is eligible: `.gitignore` line 1 `/*` leaves out 27 entries, \
         `.gitignore` line 2 `a` leaves out 1 entry, `.gitignore` line 3 `*.o` leaves out 1 entry, \
         2 more rules leave out 2 entries (include them with `no_ignore`: true), \
         1 hidden name (include them with `hidden`: true), 2 symbolic links (such as `x` to `y`), not followed"
    );
}

#[test]
fn the_notice_of_an_incomplete_walk_counts_only_the_files_seen() {
    let all = scope(&["*.rss"], &[], &[]);
    let mut found = Ineligible { is_partial: true, ..Ineligible::default() };
    found.add(b"a.rs", &all.0, &Cancellation::never());
    let why = found.notice(&all.0, &all.1).unwrap().message;
    assert_eq!(why, "`include_path` `*.rss` matches none of the first 1 eligible files");
}

#[test]
fn the_notice_names_a_directory_without_files() {
    let all = scope(&[], &[], &[]);
    assert_eq!(said(&[], &all).unwrap(), "there is no file below `.` that may be searched");
    let (mut flat, filters) = all;
    flat.depth = Depth::Children;
    let why = said(&[], &(flat, filters)).unwrap();
    assert_eq!(why, "there is no file directly in `.` that may be searched (`recursive` is false)");
}
