//! `touchstone check --mcp`: a server of the protocol held against the model, and one with a bug.

use assert_cmd::Command;

use crate::program::program as server;

fn check(command: &str, cases: u64) -> (Option<i32>, String) {
    let cases = cases.to_string();
    let output = Command::cargo_bin("touchstone")
        .unwrap()
        .args(["check", "--mcp", command, "--cases", &cases])
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn forge_search_conforms_in_every_profile_with_the_agent_tools() {
    let Some(server) = server() else { return };
    for profile in ["default", "acode"] {
        let (status, told) =
            check(&format!("{} mcp --profile {profile} --log off", server.display()), 30);
        assert_eq!(status, Some(0), "{told}");
        assert!(told.contains("conforming: 0 finding(s)"), "{told}");
    }
}

/// What comes out of the server goes through `sed`, which puts a bug in.
fn bugged(script: &str) -> Option<String> {
    let server = server()?;
    Some(format!("{} mcp --log off | sed -u -E '{script}'", server.display()))
}

/// The count of files, which is reported first.
fn files(told: &str) -> usize {
    let finding = told.split("\n--- ").next().unwrap();
    finding.lines().filter(|line| line.trim_start().starts_with("- file:")).count()
}

#[test]
fn a_server_with_wrong_line_numbers_is_detected() {
    let Some(wrong) = bugged(r#"s/"line":([0-9])/"line":1\1/g"#) else { return };
    let (status, told) = check(&wrong, 12);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("results[0].line"), "{told}");
}

#[test]
fn a_server_that_loses_a_result_is_detected_and_the_case_shrunk() {
    // The first result of several.
    let Some(wrong) = bugged(r#"s/"results":\[\{[^{}]*(\{[^{}]*\}[^{}]*)?\},\{/"results":[{/"#)
    else {
        return;
    };
    let (status, told) = check(&wrong, 30);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("results["), "{told}");
    assert!((1..=3).contains(&files(&told)), "{told}");
}

#[test]
fn a_server_without_the_tools_is_not_conforming() {
    let Some(server) = server() else { return };
    let (status, told) = check(&format!("{} mcp --profile forge --log off", server.display()), 10);
    assert_eq!(status, Some(2), "{told}");
    assert!(told.contains("has no tool `"), "{told}");
}
