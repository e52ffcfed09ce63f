//! The command line as a caller meets it: exit status, one JSON object, configuration, escapes.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::place::Place;

/// Files, and a configuration by which no process is started.
fn place(files: &[(&str, &str)]) -> Place {
    let place = Place::new(files);
    place.configure("[tools.search]\nbackend = \"native\"\n");
    place
}

/// Exit status and the object printed.
fn call(place: &Place, args: &[&str]) -> (i32, Value) {
    let (status, text, _) = place.run(args);
    assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
    (status.unwrap(), serde_json::from_str(&text).unwrap())
}

fn error_of(answer: &Value) -> (&str, &str, &str) {
    let error = &answer["error"];
    (
        error["class"].as_str().unwrap(),
        error["field"].as_str().unwrap_or(""),
        error["message"].as_str().unwrap(),
    )
}

#[test]
fn an_unknown_tool_error_lists_all_tools_of_the_profile() {
    let place = place(&[("a.txt", "x\n")]);
    for (profile, names) in [
        ("default", "find_files, grep, keyword_search, search_text"),
        ("all", "Search, find_files, grep, keyword_search, search_files, search_text"),
        ("forge", "Search, keyword_search, search_files"),
        ("acode", "grep, search_files, search_text"),
    ] {
        let (status, answer) =
            call(&place, &["call", "Find", r#"{"pattern":"a"}"#, "--profile", profile]);
        assert_eq!(
            (status, &answer["error"], &answer["code"]),
            (2, &json!("unknown_tool"), &json!("ACODE-SRC-008"))
        );
        let message = answer["message"].as_str().unwrap();
        assert!(message.ends_with(&format!("known tools are {names}")), "{profile}: {message}");
    }
}

#[test]
fn a_request_from_standard_input_has_at_most_four_mebibytes() {
    let place = place(&[("a.txt", "needle\n")]);
    let ask = |length: usize| {
        // White space that JSON does not mind.
        let request = r#"{"pattern":"needle"}"#;
        let request = request.to_owned() + &" ".repeat(length - request.len());
        let mut command = Command::from_std(place.command());
        let output = command.args(["call", "Search", "-"]).write_stdin(request).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code().unwrap(), answer)
    };
    let (status, answer) = ask(4_194_304);
    assert_eq!((status, &answer["count"]), (0, &json!(1)), "{answer}");
    let (status, answer) = ask(4_194_305);
    assert_eq!(
        (status, error_of(&answer)),
        (2, ("BadArgs", "request", "request is larger than 4194304 bytes"))
    );
}

#[test]
fn the_exit_status_distinguishes_matches_no_match_and_incomplete() {
    let place = place(&[("a.txt", "needle\n"), ("b.txt", "x\n")]);
    let (status, answer) = call(&place, &["call", "Search", r#"{"pattern":"needle"}"#]);
    assert_eq!((status, &answer["count"]), (0, &json!(1)));
    let (status, answer) = call(&place, &["call", "rg", r#"{"pattern":"nothing"}"#]);
    assert_eq!((status, &answer["truncated"]), (1, &json!(false)));
    let (status, answer) = call(&place, &["call", "Search", r#"{"pattern":"x","max_files":1}"#]);
    assert_eq!(
        (status, &answer["truncated"]),
        (2, &json!(true)),
        "none in the first file, and there are more"
    );
}

#[test]
fn each_bad_input_is_one_error_object_and_exit_status_2() {
    let place = place(&[("a.txt", "needle\n")]);
    for (tool, request, class, field, words) in [
        ("Search", "{", "BadArgs", "request", "not valid JSON"),
        ("Search", "[]", "BadArgs", "request", "must be a JSON object"),
        ("Search", r#"{"pattern":"a","pattern":"b"}"#, "BadArgs", "request", "given twice"),
        ("Search", r#"{"pattern":"a","globed":[]}"#, "BadArgs", "globed", "unknown field `globed`"),
        ("Search", r#"{"pattern":1}"#, "BadArgs", "pattern", "must be a string"),
        ("Search", r#"{"pattern":""}"#, "BadArgs", "pattern", "empty"),
        ("Search", r#"{"pattern":"a(b"}"#, "BadArgs", "pattern", "byte 1: unclosed group"),
        (
            "Search",
            r#"{"pattern":"a","include_glob":["["]}"#,
            "BadArgs",
            "include_glob",
            "invalid glob `[`",
        ),
        (
            "Search",
            r#"{"pattern":"a","path":".."}"#,
            "SandboxViolation",
            "path",
            "outside the permitted roots",
        ),
        ("Search", r#"{"pattern":"a","path":"/nope"}"#, "SandboxViolation", "path", "outside"),
        ("Search", r#"{"pattern":"a","path":"nope"}"#, "ExecutionFailed", "path", "does not exist"),
        (
            "Search",
            r#"{"pattern":"a","max_files":1000001}"#,
            "BadArgs",
            "max_files",
            "allowed are 1 to 1000000",
        ),
    ] {
        let (status, answer) = call(&place, &["call", tool, request]);
        let (got_class, got_field, message) = error_of(&answer);
        assert_eq!((status, got_class, got_field), (2, class, field), "{request}");
        assert!(message.contains(words), "{request}: {message}");
        assert_eq!(message.chars().next().map(char::is_uppercase), Some(false), "{message}");
    }
}

#[test]
fn a_request_is_read_from_standard_input_and_a_pattern_may_start_with_a_dash() {
    let place = place(&[("a.txt", "-needle\n")]);
    let output = Command::from_std(place.command())
        .args(["call", "Search", "-"])
        .write_stdin(r#"{"pattern":"-needle"}"#)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let output = place.command().args(["search", "-F", "--", "-needle"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a.txt:-needle\n");
}

#[test]
fn an_unsupported_flag_is_an_error_that_names_its_replacement() {
    let place = place(&[("a.txt", "-l engine\nfn x\n")]);
    let search = |args: &[&str]| {
        let output = place.command().arg("search").args(args).output().unwrap();
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), texts)
    };
    for (args, words) in [
        (&["--bogus", "engine"][..], "unexpected argument '--bogus'"),
        (&["engine", "-y"], "unexpected argument '-y'"),
        (&["--ignorecase", "fn"], "a similar argument exists: '--ignore-case'"),
        (&["--fuzzy", "1", "-v", "engine"], "cannot be used with"),
        (&["-A", "x", "engine"], "invalid value 'x' for '--after-context <N>'"),
        (&["-t", "rustt", "engine"], "(did you mean `rust`?)"),
        (&["-t", "nope", "engine"], "--type-list"),
        (&["-g", "[", "engine"], "the glob `[` is wrong"),
        (&["--json=response", "-v", "engine"], "--json takes them"),
        (&["--json=response", "engine", "a.txt", "a.txt"], "several paths"),
        (&["-uuu", "engine"], "-uu -a"),
        (&["--sort", "size", "engine"], "use rg for other orders"),
        (&["--engine", "pcre2", "engine"], "use rg for look-around"),
        (&["-E", "latin1", "engine"], "use rg for others"),
        (&["-e", "a)|(b", "-e", "x"], "unopened group\n  a)|(b\n   ^\n"),
        (&["fo(o|b"], "unclosed group\n  fo(o|b\n    ^\n-F takes a pattern literally"),
        (&["é{3,1}"], "\n  é{3,1}\n   ^^^^^\n"),
        (&["[z-a]"], "\n  [z-a]\n   ^^^\n"),
        (&[r"\pX"], "\n  \\pX\n  ^^^\n"),
        (&["engine", "nope"], "nope: No such file"),
        (&["--fuzzy", "1", "-e", "engine", "-e", "fn"], "--fuzzy takes one pattern"),
        (&[], "PATTERN"),
    ] {
        let (status, [out, err]) = search(args);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
    for (args, found) in [
        (&["-e", "-l", "-n", "a.txt"][..], "1:-l engine\n"),
        (&["-F", "--", "-l"], "a.txt:-l engine\n"),
        (&["-l", "engine"], "a.txt\n"),
        (&["-ln", "engine"], "a.txt\n"),
        (&["-e", "fn", "-e", "ENGINE", "-i"], "a.txt:-l engine\na.txt:fn x\n"),
        (&["--fuzzy", "1", "-n", "engime"], "a.txt:1:-l engine\n"),
        (&["--max-results", "1", "-c", "n"], "a.txt:2\n"),
        (&["--max-results", "1", "n"], "a.txt:-l engine\n"),
    ] {
        assert_eq!(search(args), (Some(0), [found.to_owned(), String::new()]), "{args:?}");
    }
}

#[test]
fn several_paths_are_one_search_and_a_missing_path_is_reported() {
    let place = place(&[("a.txt", "needle\n"), ("b/c.txt", "needle\n"), ("d.txt", "x\n")]);
    let output = place.command().args(["search", "needle", "d.txt", "nope", "b"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "b/c.txt:needle\n");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("forge-search: nope: "), "{err}");
    assert_eq!(output.status.code(), Some(2));
    let status = |args: &[&str]| place.command().arg("search").args(args).output().unwrap().status;
    assert_eq!(status(&["needle", "d.txt", "b"]).code(), Some(0));
    assert_eq!(status(&["needle", "d.txt", "d.txt"]).code(), Some(1));
}

#[test]
fn search_prints_every_line_and_names_the_flag_for_what_it_omits() {
    let many = "needle\n".repeat(150_000);
    let large = format!("needle{}\n", "x".repeat(2000));
    let place = place(&[("a.txt", &many), ("large.txt", &large)]);
    let output = place.command().args(["search", "needle"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 150_001);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    let output =
        place.command().args(["search", "needlex", "--max-filesize", "1K"]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("incomplete: 2 files are larger than 1024 bytes"), "{err}");
    assert!(err.contains("--max-filesize 1G"), "{err}");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    let output = place.command().args(["search", "nowhere", "--max-files", "1"]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("there are more than 1 files; --max-files N"), "{err}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn configuration_is_read_from_the_users_directory_and_never_from_the_tree() {
    let place =
        place(&[("forge-search/config.toml", "[tools.search]\nenabled = false\n"), ("a", "x")]);
    assert_eq!(call(&place, &["call", "Search", r#"{"pattern":"x"}"#]).0, 0);
    place.configure("[tools.search]\nmax_file = 1\n");
    let (status, answer) = call(&place, &["call", "Search", r#"{"pattern":"x"}"#]);
    let (class, field, message) = error_of(&answer);
    assert_eq!((status, class, field), (2, "ExecutionFailed", "configuration"));
    assert!(message.contains("unknown configuration key `tools.search.max_file`"), "{message}");
    let missing = ["--config", "/nope.toml", "call", "Search", r#"{"pattern":"x"}"#];
    assert!(error_of(&call(&place, &missing).1).2.contains("cannot be read"));
}

#[test]
fn the_documents_preset_is_disabled_until_configuration_enables_it() {
    let place = place(&[("a", "x")]);
    let asked = ["--preset", "documents", "call", "Search", r#"{"pattern":"x"}"#];
    assert_eq!(error_of(&call(&place, &asked).1).1, "enabled");
    place.configure("[tools.search]\nenabled = true\nbackend = \"native\"\n");
    let (status, answer) = call(&place, &asked);
    assert_eq!((status, answer.get("stats")), (0, None));
}

#[test]
fn the_error_of_a_missing_or_unsuitable_backend_names_the_fix() {
    let place = place(&[("a", "x")]);
    place.configure(
        "[tools.search]\nbackend = \"auto\"\nbinary = \"no-such-program\"\nfallback_binary = \"/bin/sh\"\nallow_native = false\n",
    );
    let (status, answer) = call(&place, &["call", "Search", r#"{"pattern":"x"}"#]);
    let (class, field, message) = error_of(&answer);
    assert_eq!((status, class, field), (2, "ExecutionFailed", "backend"));
    for words in [
        "`no-such-program` was not found",
        "fallback_binary `/bin/sh`",
        "install ugrep 3.0 or ripgrep 13.0",
    ] {
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn control_characters_are_escaped_for_people_and_intact_in_matches() {
    let place = place(&[("a\u{1b}[2J.txt", "x\u{1b}[31mneedle\r\n")]);
    let output =
        place.command().args(["search", "-p", "--color=never", "needle"]).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "a\\u{1b}[2J.txt\n1:x\\u{1b}[31mneedle\n"
    );
    // A program gets what is there, as from ripgrep.
    let output = place.command().args(["search", "needle"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a\u{1b}[2J.txt:x\u{1b}[31mneedle\r\n");
    let (_, answer) = call(&place, &["call", "Search", r#"{"pattern":"needle"}"#]);
    assert_eq!(answer["matches"][0]["data"]["lines"]["text"], "x\u{1b}[31mneedle");
    assert_eq!(answer["matches"][0]["data"]["path"]["text"], "a\u{1b}[2J.txt");
}

#[test]
fn output_is_coloured_only_with_the_color_flag_or_on_a_terminal() {
    let place = place(&[("a", "a needle\n")]);
    let plain = place.command().args(["search", "needle"]).output().unwrap().stdout;
    assert!(!plain.contains(&0x1b));
    let coloured =
        place.command().args(["search", "--color", "always", "needle"]).output().unwrap().stdout;
    assert!(String::from_utf8(coloured).unwrap().contains("\x1b[0m\x1b[1m\x1b[31mneedle\x1b[0m"));
}

#[test]
fn a_path_argument_becomes_a_root() {
    let place = place(&[("a", "x")]);
    let other = tempfile::tempdir().unwrap();
    let file = dunce::canonicalize(other.path()).unwrap().join("o.txt");
    fs::write(&file, "needle\n").unwrap();
    let search =
        |path: &Path| place.command().args(["search", "needle"]).arg(path).output().unwrap();
    let output = search(&file);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "needle\n".to_owned());
    assert_eq!(search(&other.path().join("nope")).status.code(), Some(2));
}
