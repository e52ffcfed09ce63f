//! What is printed on a terminal, which `script` of util-linux stands in for.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::place::Place;

/// What the program shows on a terminal of its own, standard error included.
fn on_terminal(place: &Place, args: &str, colours: bool) -> String {
    on_terminal_in(&place.tree(), place, args, colours)
}

fn on_terminal_in(directory: &Path, place: &Place, args: &str, colours: bool) -> String {
    let mut command = Command::new("script");
    let program = env!("CARGO_BIN_EXE_forge-search");
    command.args(["-qec", &format!("{program} {args}"), "/dev/null"]);
    command.current_dir(directory).stdin(Stdio::null()).env("TERM", "xterm");
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        command.env(name, place.home());
    }
    if colours {
        command.env_remove("NO_COLOR")
    } else {
        command.env("NO_COLOR", "1")
    };
    let output = command.output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

#[test]
fn lines_are_printed_below_their_file_with_numbers_and_colours() {
    let place = Place::new(&[("a.txt", "x\nneedle x needle\n"), ("b.txt", "needle\u{1b}[2J\n")]);
    assert_eq!(
        on_terminal(&place, "search needle", false),
        "a.txt\n2:needle x needle\n\nb.txt\n1:needle\\u{1b}[2J\n"
    );
    let found = "\u{1b}[0m\u{1b}[1m\u{1b}[31mneedle\u{1b}[0m";
    assert_eq!(
        on_terminal(&place, "search needle a.txt", true),
        format!("\u{1b}[0m\u{1b}[32m2\u{1b}[0m:{found} x {found}\n")
    );
    assert_eq!(on_terminal(&place, "search -o needle.* b.txt", false), "1:needle\\u{1b}[2J\n");
    let coloured = on_terminal(&place, "search -l needle", true);
    let path = |name: &str| format!("\u{1b}[0m\u{1b}[35m{name}\u{1b}[0m\n");
    assert_eq!(coloured, path("a.txt") + &path("b.txt"));
    assert_eq!(on_terminal(&place, "search --color never -l needle", true), "a.txt\nb.txt\n");
    assert_eq!(
        on_terminal(&place, "search --no-heading -N needle a.txt b.txt", false),
        "a.txt:needle x needle\nb.txt:needle\\u{1b}[2J\n"
    );
}

#[test]
fn names_lines_and_what_was_typed_are_escaped_in_every_form() {
    let hidden = "needle \u{9b}2J\u{202e}\u{e0041}\u{200b}\n";
    let place = Place::new(&[("a\u{1b}[2J.txt", hidden)]);
    for args in ["-0 -l", "-0", "--json", "--json=response", "-c", "--vimgrep", "--heading", "-o"] {
        let shown = on_terminal(&place, &format!("search {args} needle"), false);
        assert!(shown.contains("[2J.txt"), "{args}: {shown:?}");
        let obeyed = |c: char| (c.is_control() && !"\n\0".contains(c)) || !c.is_ascii();
        assert!(!shown.contains(obeyed), "{args}: {shown:?}");
    }
    let shown = on_terminal(&place, "search --\u{9b}2J\u{e0041}x needle", false);
    assert!(shown.contains("\\u{9b}2J\\u{e0041}x") && !shown.contains('\u{9b}'), "{shown:?}");
}

#[test]
fn a_server_on_a_terminal_explains_its_setup_for_five_clients() {
    let place = Place::new(&[]);
    // Its input is at its end as soon as it has been told so.
    let shown = on_terminal(&place, "mcp", false);
    for words in
        ["Model Context Protocol", "Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(
        shown.contains("[mcp_servers.forge-search]") && shown.contains("\"servers\""),
        "{shown}"
    );
    // Without a terminal there is not a word.
    let output = place.command().arg("mcp").stdin(Stdio::null()).output().unwrap();
    assert_eq!((output.stdout.len(), output.stderr.len()), (0, 0));
}

#[test]
fn a_command_longer_than_a_second_shows_progress_on_a_terminal_only() {
    let place = Place::new(&[("a.txt", "needle\n")]);
    // Somebody who listens and never says a word, for as long as is waited.
    let mute = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = mute.local_addr().unwrap().port();
    place.configure(&format!(
        "[tools.keyword]\nuse_model_default = true\nbuiltin = false\nmodel_timeout_seconds = 3\n\n[[tools.keyword.models]]\n\
         name = \"mute\"\nprotocol = \"openai\"\nbase_url = \"http://127.0.0.1:{port}\"\n\
         model = \"m\"\n"
    ));
    let shown = on_terminal(&place, "keyword needle", false);
    assert!(shown.contains(" files, "), "{shown:?}");
    assert!(shown.contains("a.txt"), "{shown:?}");
    let (_, out, err) = place.run(&["keyword", "needle"]);
    assert!(out.contains("a.txt"), "{out}");
    assert_eq!(err, "");
}

#[test]
fn a_long_search_shows_its_progress_in_files_on_a_terminal() {
    // Slow enough for the bar, and over soon: lines that nearly match.
    let large = ("jaihg fedcx bajih ".repeat(50) + "\n").repeat(30 << 10);
    let place = Place::new(&[("a.txt", &large), ("b.txt", &large), ("c.txt", &large)]);
    let search = "search --fuzzy 4 --timeout-ms 3000 abcdefghij";
    let shown = on_terminal(&place, search, false);
    assert!(shown.contains(" of 3 files, "), "{shown:?}");
    let (_, out, err) = place.run(&search.split(' ').collect::<Vec<_>>());
    assert!(out.is_empty() && !err.contains(" of "), "{out}{err}");
}

/// `BLESS=1` draws it anew.
#[test]
fn the_picture_of_the_readme_shows_the_terminal_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let place = Place::new(&[]);
    let shown = [
        "search -C1 'pub fn retry_after' impl/core",
        "search -l --fuzzy 2 retry_aftre_secnds impl/core",
        "search '(retry'",
    ]
    .map(|args| {
        let output = on_terminal_in(root, &place, args, true);
        format!("$ \u{1b}[1mforge-search {args}\u{1b}[0m\n{output}\n")
    });
    let drawn = anstyle_svg::Term::new().render_svg(shown.concat().trim_end());
    let path = root.join("impl/cli/demo.svg");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, drawn).unwrap();
    } else {
        assert_eq!(fs::read_to_string(&path).unwrap(), drawn, "renew it with BLESS=1");
    }
}
