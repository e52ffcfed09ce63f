//! Errors say where and what to do; `doctor`, completions, manual pages and clients.

use std::fs;

use crate::place::Place;

#[test]
fn a_configuration_error_has_its_file_and_line_in_every_command() {
    let place = Place::new(&[("a.txt", "needle\n")]);
    for (text, words) in [
        ("[tools.search]\nthreads =\n", &["line 2, column 10", "\n  threads =\n"][..]),
        (
            "[tools.search]\nmax_file = 1\n",
            &[
                "line 2, column 1",
                "did you mean `max_files`?",
                "\n  max_file = 1\n  ^^^^^^^^^^^^\n",
            ],
        ),
        ("[tools.search]\nbackend = \"grep\"\n", &["line 2", "allowed: auto, native, rg, ugrep"]),
    ] {
        place.configure(text);
        for args in [
            &["search", "needle"][..],
            &["keyword", "needle", "--no-model"],
            &["index", "status"],
            &["stats"],
            &["mcp"],
        ] {
            let (status, out, err) = place.run(args);
            assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}: {err}");
            for words in words {
                assert!(err.contains(words), "{args:?}: {words} in {err}");
            }
            assert!(!err.contains("\\n"), "{args:?}: {err}");
        }
        let (status, out, _) = place.run(&["doctor"]);
        assert_eq!(status, Some(2), "{out}");
        assert!(out.contains("BAD   configuration"), "{out}");
    }
}

#[test]
fn an_unknown_tool_error_suggests_the_nearest_name() {
    let place = Place::new(&[("a.txt", "x\n")]);
    let (status, out, _) = place.run(&["call", "find_file", "{\"pattern\": \"a\"}"]);
    assert_eq!(status, Some(2));
    assert!(out.contains("unknown tool `find_file` (did you mean `find_files`?); known"), "{out}");
}

#[test]
fn without_a_language_model_the_error_names_the_flag_no_model() {
    let place = Place::new(&[("a.txt", "needle\n")]);
    place.configure("[tools.keyword]\nbuiltin = false\nuse_model_default = true\n");
    let (status, _, err) = place.run(&["keyword", "needle"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("--no-model") && !err.contains("use_model"), "{err}");
    let (status, out, _) = place.run(&["keyword", "needle", "--no-model"]);
    assert_eq!(status, Some(0), "{out}");
}

#[test]
fn index_status_of_an_absent_index_names_the_command_that_builds_it() {
    let place = Place::new(&[("a.txt", "needle\n")]);
    let (status, out, _) = place.run(&["index", "status"]);
    assert_eq!(status, Some(0));
    assert!(out.contains("ABSENT") && out.contains("`forge-search index build`"), "{out}");
    let (status, out, _) = place.run(&["index", "build"]);
    assert_eq!(status, Some(0), "{out}");
    let (_, out, _) = place.run(&["index", "status"]);
    assert!(out.contains("UNCERTAIN") && out.contains("compares it with the files"), "{out}");
    let (status, out, _) = place.run(&["doctor"]);
    assert_eq!((status, out.contains("ok    index")), (Some(0), true), "{out}");
    place.configure("[tools.search]\nindex_mode = \"off\"\n");
    let (_, out, _) = place.run(&["index", "status"]);
    assert!(out.contains("index_mode") && out.contains("[tools.search]"), "{out}");
}

#[test]
fn an_error_points_at_a_line_feed_in_a_pattern() {
    let place = Place::new(&[("a.txt", "a\nb\n")]);
    for (args, carets) in [
        (&["a\\nb"][..], "  a\\nb\n   ^^\n"),
        (&["a\nb"], "  a\n   ^\n"),
        (&["-i", "-F", "a\nb"], "  a\n   ^\n"),
        (&["--fuzzy", "1", "-e", "a\nb"], "  a\n   ^\n"),
    ] {
        let (status, out, err) = place.run(&[&["search"], args].concat());
        assert_eq!((status, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(carets) && err.contains("rg -U"), "{err}");
    }
    let (status, out, _) = place.run(&["search", "[b\\n]"]);
    assert_eq!((status, out.as_str()), (Some(0), "a.txt:b\n"));
}

#[test]
fn help_shows_the_description_and_usage_errors_show_the_usage_of_the_command() {
    let place = Place::new(&[]);
    let (status, out, _) = place.run(&["--help"]);
    assert_eq!((status, out.lines().next()), (Some(0), Some(env!("CARGO_PKG_DESCRIPTION"))));
    let (status, _, err) = place.run(&["search", "-P", "x"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("rg -P") && err.contains("forge-search search [OPTIONS]"), "{err}");
}

#[test]
fn the_doctor_reports_the_conditions_of_a_search() {
    let place = Place::new(&[("a.txt", "needle\n"), ("b.txt", "x\n")]);
    let (status, out, err) = place.run(&["doctor"]);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    for words in ["2 files can be searched", "ABSENT", "index build", "mcp --install", "--no-model"]
    {
        let expected = words != "--no-model";
        assert_eq!(out.contains(words), expected, "{words}: {out}");
    }
    place.configure(
        "[tools.search]\nbackend = \"auto\"\nbinary = \"no-such-program\"\n\
         fallback_binary = \"\"\nallow_native = false\n",
    );
    let (status, out, _) = place.run(&["doctor"]);
    assert_eq!(status, Some(2), "{out}");
    assert!(out.contains("BAD   search") && out.contains("`no-such-program`"), "{out}");
    let (status, out, _) = place.run(&["--root", "nope", "doctor"]);
    assert_eq!(status, Some(2), "{out}");
    assert!(out.contains("BAD   roots") && out.contains("--root and PATH take"), "{out}");
    let (status, _, err) = place.run(&["--config", "nope.toml", "search", "x"]);
    assert_eq!((status, err.contains("or leave out --config")), (Some(2), true), "{err}");
}

#[test]
fn completions_and_manual_pages_include_every_flag() {
    let place = Place::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, out, err) = place.run(&["completions", shell]);
        assert_eq!((status, err.as_str()), (Some(0), ""));
        for flag in ["files-with-matches", "max-filesize", "install", "no-model", "doctor"] {
            assert!(out.contains(flag), "{shell}: {flag}");
        }
    }
    let (status, out, _) = place.run(&["man"]);
    assert_eq!(status, Some(0));
    assert!(out.contains(".TH forge-search 1"), "{out}");
    let pages = place.home().join("man");
    let (status, _, err) = place.run(&["man", "--output", pages.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{err}");
    let page = fs::read_to_string(pages.join("forge-search-search.1")).unwrap();
    assert!(page.contains("files\\-with\\-matches"), "{page}");
    assert!(pages.join("forge-search-index-build.1").exists());
    let blocked = pages.join("forge-search.1").join("below");
    let (status, _, err) = place.run(&["man", "--output", blocked.to_str().unwrap()]);
    assert_eq!(status, Some(2));
    assert!(err.contains("cannot write manual pages"), "{err}");
}

#[test]
fn a_reader_that_goes_away_is_no_error_and_a_full_disk_is() {
    let place = Place::new(&[("a.txt", "needle\n")]);
    for args in [
        &["search", "needle"][..],
        &["keyword", "needle", "--no-model"],
        &["call", "grep", "{\"pattern\": \"needle\"}"],
        &["tools"],
        &["stats"],
        &["index", "status"],
        &["doctor"],
        &["completions", "bash"],
        &["man"],
        &["mcp", "--install", "cursor"],
    ] {
        let (closed, open) = std::io::pipe().unwrap();
        drop(closed);
        assert_eq!(printing_to(&place, args, open.into()), (Some(2), String::new()), "{args:?}");
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (status, err) = printing_to(&place, args, full.into());
        assert_eq!(status, Some(2), "{args:?}");
        assert!(err.contains("cannot write the answer: No space left"), "{args:?}: {err}");
    }
}

/// The exit status and standard error of a program that prints there.
fn printing_to(place: &Place, args: &[&str], stdout: std::process::Stdio) -> (Option<i32>, String) {
    let output = place.command().args(args).stdout(stdout).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}
