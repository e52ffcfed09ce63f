//! `mcp --install`: the files that clients read.
#![cfg(unix)]

use std::{fs, path::Path, process::Command};

use crate::place::{Place, changes};

/// Each client with its file, in the project (`.`) or in the home directory (`~`), and the
/// arguments in it.
const CLIENTS: [(&str, &str, &str); 7] = [
    ("claude-code", "./.mcp.json", "mcp"),
    ("claude-desktop", "~/Claude/claude_desktop_config.json", "mcp"),
    ("cursor", "./.cursor/mcp.json", "--root ${workspaceFolder} mcp"),
    ("windsurf", "~/.codeium/windsurf/mcp_config.json", "mcp"),
    ("gemini-cli", "./.gemini/settings.json", "mcp"),
    ("vscode", "./.vscode/mcp.json", "--root ${workspaceFolder} mcp"),
    ("codex", "./.codex/config.toml", "mcp"),
];

fn run(place: &Place, project: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command: Command = place.command();
    let output = command.current_dir(project).args(args).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// The arguments of the server in a client's file.
fn arguments(text: &str) -> String {
    let all: serde_json::Value = match serde_json::from_str(text) {
        Ok(all) => all,
        Err(_) => serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap(),
    };
    let tables = ["mcpServers", "servers", "mcp_servers"].iter().find_map(|name| all.get(*name));
    let args = tables.unwrap()["forge-search"]["args"].as_array().unwrap().clone();
    args.iter().map(|one| one.as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn mcp_install_works_in_one_project_after_the_other_and_names_no_root_in_a_users_file() {
    for (client, file, args) in CLIENTS {
        let place = Place::new(&[("one/a", ""), ("two/a", "")]);
        let projects = ["one", "two"].map(|name| place.tree().join(name));
        for (number, project) in projects.iter().enumerate() {
            let file = match file.split_at(2) {
                ("~/", name) => place.home().join(name),
                (_, name) => project.join(name),
            };
            let is_there = file.exists();
            let (status, out) = run(&place, project, &["mcp", "--install", client]);
            assert_eq!(status, Some(0), "{client}: {out}");
            assert_eq!((file.exists(), out.contains("keyword_search")), (is_there, true), "{out}");
            let (status, out) = run(&place, project, &["mcp", "--install", client, "--write"]);
            assert_eq!(status, Some(0), "{client}: {out}");
            assert_eq!(out.contains("already"), number > 0 && file.starts_with(place.home()));
            let text = fs::read_to_string(&file).unwrap();
            assert_eq!(arguments(&text), args, "{client}");
            let (status, out) = run(&place, project, &["mcp", "--install", client, "--write"]);
            assert!(status == Some(0) && out.contains("already"), "{client}: {out}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            let others = fs::read_dir(file.parent().unwrap()).unwrap().filter(|entry| {
                let name = entry.as_ref().unwrap().file_name();
                name.to_string_lossy().contains("tmp")
            });
            assert_eq!(others.count(), 0, "{client}");
        }
        let (_, out) = run(&place, &projects[1], &["doctor"]);
        assert!(out.contains("ok    clients"), "{client}: {out}");
        assert!(!out.contains("note  clients"), "{client}: {out}");
    }
}

#[test]
fn roots_are_named_in_a_users_file_only_if_the_command_line_names_them() {
    let place = Place::new(&[("one/a", ""), ("two/a", "")]);
    let tree = place.tree();
    let install = ["mcp", "--install", "claude-desktop", "--write"];
    let (status, out) =
        run(&place, &tree, &[&["--root", "one", "--root", "two"], &install[..]].concat());
    assert_eq!(status, Some(0), "{out}");
    let file = place.home().join("Claude/claude_desktop_config.json");
    let text = fs::read_to_string(&file).unwrap();
    let roots = ["one", "two"].map(|name| format!("--root {} ", tree.join(name).display()));
    assert_eq!(arguments(&text), roots.concat() + "mcp");
    // Another entry of the name is told, and left alone.
    let (status, out) = run(&place, &tree, &install);
    assert!(status == Some(2) && out.contains("another entry") && out.contains("add by hand"));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let (_, out) = run(&place, &tree, &["mcp", "--install", "windsurf"]);
    assert!(out.contains("--root DIR mcp --install windsurf"), "{out}");
    // What a client that starts servers in `/` gets, if nobody has named a root.
    let (status, out) = run(&place, Path::new("/"), &["mcp"]);
    assert!(status == Some(2) && out.contains("--root DIR"), "{out}");
}

#[test]
fn mcp_install_leaves_a_file_with_comments_alone_and_writes_consent_only_if_told() {
    let place = Place::new(&[]);
    let file = place.tree().join(".vscode/mcp.json");
    let mine = "{\n  // mine\n  \"servers\": {}\n}\n";
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, mine).unwrap();
    let (status, out) = run(&place, &place.tree(), &["mcp", "--install", "vscode", "--write"]);
    assert!(status == Some(2) && out.contains("Nothing was written. To add by hand:\n{"), "{out}");
    assert_eq!(fs::read_to_string(&file).unwrap(), mine);
    let (status, out) = run(&place, &place.tree(), &["mcp", "--write"]);
    assert!(status == Some(2) && out.contains("--install"), "{out}");
    let install = ["mcp", "--install", "codex", "--allow-model", "--write"];
    let (status, out) = run(&place, &place.tree(), &install);
    assert_eq!(status, Some(0), "{out}");
    let text = fs::read_to_string(place.tree().join(".codex/config.toml")).unwrap();
    assert_eq!(arguments(&text), "mcp --allow-model");
}

#[test]
fn looking_writes_nothing_and_a_search_nothing_in_the_tree() {
    let place = Place::new(&[("src/a.txt", "needle\n"), (".gitignore", "b\n")]);
    for (args, allowed) in [
        (&["doctor"][..], &[][..]),
        (&["mcp", "--install", "cursor"], &[]),
        (&["mcp", "--install", "codex"], &[]),
        (&["index", "status"], &[]),
        (&["search", "needle"], &["home/forge-search"]),
        (&["call", "grep", "{\"pattern\": \"needle\"}"], &["home/forge-search"]),
        (&["doctor"], &[]),
    ] {
        let found = changes(&place, || run(&place, &place.tree(), args).0);
        let outside = |path: &&String| !allowed.iter().any(|below| path.starts_with(below));
        let outside: Vec<&String> = found.iter().filter(outside).collect();
        assert!(outside.is_empty(), "{args:?}: {outside:?}");
    }
}
