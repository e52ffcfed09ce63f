//! Every worked example of the specification, asked of the model and of the service alike.
//!
//! A row states its own result, so model and service are each held against it:
//! [`clauses::asked_of`] lets no answer through that the model does not give, and what it lets
//! through is compared with the row.

use std::collections::BTreeSet;

use crate::clauses::{asked_of, errors, in_documents, lines, matched, over, paths};
use forge_search_core::glob::{Dialect, Glob, GlobError};
use forge_search_core::{order, text};
use serde_json::{Value, json};
use touchstone::case::{Case, CaseConfig, Entry, Text};
use touchstone::golden::workspace;
use touchstone::subject::{Backend, Observation};
use touchstone_spec::{Spec, Vectors};

/// What is planted in files whose names matter and whose text does not.
const PLANTED: &str = "planted";

fn vectors() -> Vectors {
    Spec::load(&workspace().join("spec")).unwrap_or_else(|error| panic!("{error}")).vectors
}

/// Asks the embedded backend, for rows that no backend has a say in.
fn native(case: &Case) -> Observation {
    asked_of(case, &[Backend::Native])
}

fn answer(case: &Case) -> Value {
    native(case).unwrap_or_else(|error| panic!("{}: {error}", case.request))
}

/// Asks every backend.
fn everywhere(case: &Case) -> Value {
    asked_of(case, &Backend::ALL).unwrap_or_else(|error| panic!("{}: {error}", case.request))
}

/// A file to be found at `path`, or in it where it is a directory.
fn planted_at(path: &[u8], is_directory: bool) -> Entry {
    let path = if is_directory { [path, b"/an-ordinary-file"].concat() } else { path.to_vec() };
    Entry::file(path, PLANTED)
}

fn is_found(case: &Case) -> bool {
    let found = answer(case);
    assert!(found["count"].as_u64().unwrap() <= 1, "only one file holds it");
    found["count"] == 1
}

#[test]
fn include_exclude_and_deny_globs_select_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-VAL-10", "FR-LS-SRC-05", "T-LS-INCL-01", "T-LS-EXCL-01");
    let vectors = vectors().globs;
    assert!(vectors.len() > 50);
    for vector in vectors {
        let about = format!("`{}` on `{}`", vector.glob, vector.path.written);
        let request = json!({"pattern": PLANTED, "hidden": true, "no_ignore": true});
        let case =
            Case::new("glob", "glob", request).with(planted_at(&vector.path.bytes, vector.dir));
        let mut include = case.clone();
        include.request["include_glob"] = json!([vector.glob]);
        assert_eq!(is_found(&include), vector.matches, "include {about}");
        let mut exclude = case.clone();
        exclude.request["exclude_glob"] = json!([vector.glob]);
        assert_eq!(is_found(&exclude), !vector.matches, "exclude {about}");
        let mut deny = case;
        deny.config.deny = vec![vector.glob.clone()];
        assert_eq!(is_found(&deny), !vector.matches, "deny {about}");
    }
}

#[test]
fn invalid_globs_of_the_vectors_are_refused_in_every_field() {
    touchstone::verifies!("FR-LS-VAL-06");
    let invalid = vectors().invalid_globs;
    assert!(invalid.len() > 5);
    for vector in invalid {
        for field in ["include_glob", "exclude_glob", "glob"] {
            let mut case = over(&[("a", PLANTED)], json!({"pattern": PLANTED}));
            case.request[field] = json!([vector.glob]);
            let error = native(&case).expect_err(&vector.glob);
            assert_eq!((&error["class"], &error["field"]), (&json!("BadArgs"), &json!(field)));
        }
        let parsed: Result<Glob, GlobError> = Glob::parse(vector.glob.as_bytes(), Dialect::Request);
        assert!(parsed.is_err(), "`{}`", vector.glob);
    }
}

#[test]
fn ignore_files_exclude_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-SRC-06", "FR-LS-SRC-06.no_ignore");
    let vectors = vectors().ignore;
    assert!(vectors.len() > 50);
    for vector in vectors {
        let rules: Vec<u8> =
            vector.lines.iter().flat_map(|line| [&line.bytes[..], b"\n"].concat()).collect();
        let mut case = Case::new(
            "ignore",
            "ignore",
            json!({"pattern": format!("^{PLANTED}$"), "hidden": true}),
        )
        .with(planted_at(&vector.path.bytes, vector.dir));
        case.tree.push(Entry::file(".gitignore", rules));
        let written: Vec<&str> = vector.lines.iter().map(|line| line.written.as_str()).collect();
        assert_eq!(is_found(&case), !vector.ignored, "{written:?} on `{}`", vector.path.written);
        case.request["no_ignore"] = json!(true);
        assert!(is_found(&case), "{written:?} on `{}` with no_ignore", vector.path.written);
    }
}

#[test]
fn ignore_files_of_whole_trees_exclude_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-SRC-06", "FR-LS-SRC-06.no_ignore");
    for vector in vectors().ignore_trees {
        let request = json!({"pattern": format!("^{PLANTED}$"), "hidden": true});
        let mut case = Case::new("ignore", "ignore", request);
        for (path, bytes) in &vector.files {
            case.tree.push(Entry::file(path.as_str(), bytes.bytes.clone()));
        }
        for path in vector.paths.keys() {
            case.tree.push(Entry::file(path.as_str(), PLANTED));
        }
        case.config.global_ignore =
            vector.global.iter().map(|text| Text(text.bytes.clone())).collect();
        if let Some(root) = &vector.root {
            case.request["path"] = json!(root);
        }
        let left: BTreeSet<String> = paths(&answer(&case)).into_iter().collect();
        let expected: BTreeSet<String> = vector
            .paths
            .iter()
            .filter(|(_, ignored)| !**ignored)
            .map(|(path, _)| path.clone())
            .collect();
        assert_eq!(left, expected, "{}", vector.title);
        case.request["no_ignore"] = json!(true);
        assert_eq!(answer(&case)["count"], vector.paths.len(), "{} with no_ignore", vector.title);
    }
}

#[test]
fn files_are_ordered_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-ORD-02", "ALG-LS-A2.3", "ALG-LS-A2.4", "ALG-LS-A2.5", "ALG-LS-A3");
    let vectors = vectors().sort;
    assert!(vectors.len() > 20);
    for vector in vectors {
        let raw: Vec<&[u8]> = vector.paths.iter().map(|path| path.bytes.as_slice()).collect();
        for pair in raw.windows(2) {
            assert!(order::compare(pair[0], pair[1]).is_lt(), "{:?}", vector.paths);
        }
        // What stands in a file tells which one it is, whatever its name is shown as.
        let mut case = Case::new("order", "order", json!({"pattern": "^[0-9]+$", "hidden": true}));
        for (place, path) in raw.iter().enumerate().rev() {
            case.tree.push(Entry::file(*path, place.to_string()));
        }
        let order: Vec<String> = matched(&answer(&case));
        let expected: Vec<String> = (0..raw.len()).map(|place| place.to_string()).collect();
        assert_eq!(order, expected, "{:?}", vector.paths);
    }
}

#[test]
fn paths_resolve_as_in_the_vectors() {
    touchstone::verifies!(
        "FR-LS-VAL-03",
        "FR-LS-05b",
        "ALG-LS-A1",
        "ALG-LS-A1.1",
        "ALG-LS-A1.2",
        "ALG-LS-A1.3",
        "ALG-LS-A1.7"
    );
    let vectors = vectors();
    assert!(vectors.resolve.len() > 30);
    for vector in vectors.resolve {
        let mut case =
            Case::new("resolve", "resolve", json!({"pattern": PLANTED, "path": vector.path}));
        for entry in &vectors.resolve_tree {
            case.tree.push(match (&entry.file, &entry.link, &entry.target) {
                (Some(file), None, None) => Entry::file(file.as_str(), PLANTED),
                (None, Some(link), Some(target)) => Entry::link(link.as_str(), target.as_str()),
                other => panic!("{other:?} is no entry"),
            });
        }
        case.config.working_dir.clone_from(&vector.working_dir);
        case.config.deny.clone_from(&vector.deny);
        let about =
            format!("`{}` from `{}`, denying {:?}", vector.path, vector.working_dir, vector.deny);
        match (native(&case), &vector.shown, &vector.class) {
            (Ok(found), Some(shown), None) => assert_eq!(found["path"], json!(shown), "{about}"),
            (Err(error), None, Some(class)) => {
                assert_eq!(
                    (&error["class"], &error["field"]),
                    (&json!(class), &json!("path")),
                    "{about}"
                );
            }
            (observed, ..) => panic!("{about}: {observed:?}"),
        }
    }
}

#[test]
fn smart_case_resolves_patterns_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-SRC-04.smart", "T-LS-CASE-01");
    let vectors = vectors().smart;
    let mut telling = 0;
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    for vector in &vectors {
        // Lines of which some match in one case only: the pattern itself in every case, single
        // characters, words.
        let mut lines = vec![
            vector.pattern.clone(),
            vector.pattern.to_ascii_lowercase(),
            vector.pattern.to_ascii_uppercase(),
            vector.pattern.chars().map(swap).collect(),
            "\u{212a} \u{e9}\u{c9} \u{3b1}x \u{3b1}X".to_owned(),
            "abc ABC aBC abC aab AAB aaB foo Foo FOO bar Bar BAR foox FOOX".to_owned(),
        ];
        lines.extend((' '..='~').map(String::from));
        let text = lines.join("\n");
        let with = |case: &str| {
            let request =
                json!({"pattern": vector.pattern, "fixed_strings": vector.fixed, "case": case});
            let mut found = answer(&in_documents(over(&[("a", &text)], request)));
            found["matches"].take()
        };
        let (right, wrong) = match vector.smart {
            touchstone_spec::Effective::Sensitive => ("sensitive", "insensitive"),
            touchstone_spec::Effective::Insensitive => ("insensitive", "sensitive"),
        };
        let smart = with("smart");
        assert_eq!(smart, with(right), "`{}`", vector.pattern);
        telling += usize::from(smart != with(wrong));
    }
    // Digits and properties match the same in either case; most patterns must not.
    assert!(
        telling * 3 > vectors.len() * 2,
        "only {telling} of {} rows tell the cases apart",
        vectors.len()
    );
}

#[test]
fn patterns_match_in_lines_as_in_the_vectors() {
    touchstone::verifies!(
        "FR-LS-SRC-01",
        "FR-LS-SRC-03",
        "FR-LS-SRC-04",
        "FR-LS-SRC-04.sensitive",
        "FR-LS-SRC-04.insensitive",
        "FR-LS-04b",
        "FR-LS-04c",
        "T-LS-COL-01",
        "T-LS-MTXT-01"
    );
    let vectors = vectors().lines;
    assert!(vectors.len() > 80);
    for vector in vectors {
        let about = format!("`{}` in `{}`, {:?}", vector.pattern, vector.line.written, vector.case);
        let request = json!({
            "pattern": vector.pattern,
            "fixed_strings": vector.fixed,
            "word_regexp": vector.word,
            "case": vector.case.name(),
        });
        let case = Case::new("line", "line", request)
            .with(Entry::file("a", second_line(&vector.line.bytes)));
        let found = everywhere(&in_documents(case));
        let expected = vector.matched.map(|matched| (matched, vector.column.unwrap()));
        assert_eq!(in_second_line(&found), expected, "{about}");
    }
}

/// A file whose second line is `line`, so that what is special about a file's start is out of the
/// way. The last line has no end, so that a CR in it stays; an empty one needs an end to be a line.
fn second_line(line: &[u8]) -> Vec<u8> {
    let end: &[u8] = if line.is_empty() { b"\n" } else { b"" };
    [b"\n", line, end].concat()
}

/// What matched in the second line, and where.
fn in_second_line(found: &Value) -> Option<(String, u64)> {
    let events = found["matches"].as_array().unwrap();
    let data = &events.iter().find(|event| event["data"]["line_number"] == 2)?["data"];
    Some((data["match_text"].as_str().unwrap().to_owned(), data["column"].as_u64().unwrap()))
}

#[test]
fn expressions_are_accepted_or_refused_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-SRC-02");
    let vectors = vectors().regexes;
    assert!(vectors.len() > 30);
    for vector in vectors {
        match native(&over(&[("a", "x\n")], json!({"pattern": vector.pattern}))) {
            Ok(_) => assert!(vector.accepted, "`{}` is accepted", vector.pattern),
            Err(error) => {
                assert!(!vector.accepted, "`{}` is refused: {error}", vector.pattern);
                assert_eq!(
                    (&error["class"], &error["field"]),
                    (&json!("BadArgs"), &json!("pattern"))
                );
            }
        }
    }
}

#[test]
fn fuzzy_searches_find_the_matches_of_the_vectors() {
    touchstone::verifies!("FR-LS-SRC-11", "IT-LS-FZ-01");
    let vectors = vectors().fuzzy;
    assert!(vectors.len() > 20);
    for vector in vectors {
        let request = |level: u64| {
            json!({
                "pattern": vector.pattern,
                "fixed_strings": true,
                "fuzzy": level,
                "word_regexp": vector.word,
                "case": vector.case.name(),
            })
        };
        let text = second_line(&vector.line.bytes);
        let ask = |level: u64| {
            let case =
                Case::new("fuzzy", "fuzzy", request(level)).with(Entry::file("a", text.clone()));
            in_second_line(&everywhere(&case))
        };
        let expected = vector.matched.clone().map(|matched| (matched, vector.column.unwrap()));
        let about =
            format!("`{}` at {} in `{}`", vector.pattern, vector.level, vector.line.written);
        assert_eq!(ask(vector.level), expected, "{about}");
        // What a level finds, the looser ones find too.
        let longest = u64::try_from(vector.pattern.chars().count()).unwrap() - 1;
        if expected.is_some() && vector.level < longest.min(4) {
            assert!(ask(vector.level + 1).is_some(), "{about}, one level looser");
        }
    }
}

#[test]
fn files_have_the_lines_of_the_vectors() {
    touchstone::verifies!("FR-LS-04a", "FR-LS-ENC-01");
    let vectors = vectors().files;
    assert!(vectors.len() > 30);
    for vector in vectors {
        let about = vector.bytes.as_ref().map_or("parts", |bytes| bytes.written.as_str());
        // An expression that matches every line, the empty one too.
        let request = json!({"pattern": "^", "path": "a"});
        let case = Case::new("lines", "lines", request).with(Entry::file("a", vector.contents()));
        let found = everywhere(&case);
        let expected: &[&str] = if vector.binary { &["a: binary file"] } else { &[] };
        assert_eq!(errors(&found), expected, "{about}");
        let texts = texts(&found);
        if let Some(lines) = &vector.lines {
            assert_eq!(&texts, lines, "{about}");
        } else {
            assert_eq!(texts.is_empty(), vector.binary, "{about}");
        }
        if let text::Encoding::Utf8 { skip } = text::encoding(&vector.contents()) {
            assert_eq!(text::is_binary(&vector.contents()[skip..]), vector.binary, "{about}");
        }
    }
}

fn texts(found: &Value) -> Vec<String> {
    let events = found["matches"].as_array().unwrap().iter();
    events.map(|event| event["data"]["lines"]["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn invalid_bytes_are_decoded_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-ENC-01", "T-LS-ENC-01");
    for vector in vectors().decoding {
        // In a text, and in a name.
        let contents = [b"x", &vector.bytes.bytes[..], b"\n"].concat();
        let name = [b"n", &vector.bytes.bytes[..]].concat();
        let case = Case::new("decoding", "decoding", json!({"pattern": "x"}))
            .with(Entry::file(name, contents));
        let found = everywhere(&case);
        assert_eq!(texts(&found), [format!("x{}", vector.text)], "{}", vector.bytes.written);
        assert_eq!(paths(&found), [format!("n{}", vector.text)], "{}", vector.bytes.written);
    }
}

#[test]
fn content_shows_texts_and_paths_as_in_the_vectors() {
    touchstone::verifies!("FR-LS-05c", "FR-LS-05c.view");
    for vector in vectors().content {
        let text = &vector.text.value;
        let (name, line) =
            if vector.path { (text.as_str(), "planted") } else { ("a", text.as_str()) };
        let found = answer(&over(&[(name, line)], json!({"pattern": "^"})));
        let expected = if vector.path {
            format!("{}:1:1:planted\n", vector.content)
        } else {
            format!("a:1:1:{}\n", vector.content)
        };
        assert_eq!(found["content"], json!(expected));
        // What is for programs is not altered.
        assert_eq!((paths(&found), texts(&found)), (vec![name.to_owned()], vec![line.to_owned()]));
    }
}

/// How the note with an id begins.
fn beginning_of(note: &str) -> String {
    match note {
        "no_matches" => "[no matches]".to_owned(),
        "timed_out" => "[timed out: ".to_owned(),
        "errors" => "[errors: ".to_owned(),
        cap => format!("[truncated: {cap} "),
    }
}

#[test]
fn search_answers_equal_the_event_vectors() {
    touchstone::verifies!(
        "FR-LS-05c.view",
        "FR-LS-05e",
        "FR-LS-06",
        "FR-LS-06b",
        "FR-LS-SRC-07",
        "FR-LS-SRC-08",
        "FR-LS-SRC-09",
        "FR-LS-SRC-10"
    );
    let vectors = vectors().events;
    assert!(vectors.len() > 30);
    for vector in vectors {
        let title = &vector.title;
        let mut case = Case::new("events", "events", vector.request.clone());
        for (path, bytes) in &vector.files {
            case.tree.push(Entry::file(path.as_str(), bytes.bytes.clone()));
        }
        let config = serde_json::to_value(&vector.config).unwrap();
        case.config = serde_json::from_value::<CaseConfig>(config).unwrap();
        let found = everywhere(&case);
        assert_eq!(lines(&found), vector.events, "{title}");
        assert_eq!(found["truncated"], json!(vector.truncated), "{title}");
        assert_eq!(found["files_scanned"], json!(vector.files_scanned), "{title}");
        assert_eq!(errors(&found), vector.errors, "{title}");
        let content: Vec<&str> = found["content"].as_str().unwrap().lines().collect();
        let (events, notes) = content.split_at(vector.events.len());
        assert_eq!(events, vector.events, "{title}");
        assert_eq!(notes.len(), vector.notes.len(), "{title}: {notes:?}");
        for (note, id) in notes.iter().zip(&vector.notes) {
            assert!(
                note.starts_with(&beginning_of(&id.value)),
                "{title}: `{note}` is not `{}`",
                id.value
            );
        }
    }
}
