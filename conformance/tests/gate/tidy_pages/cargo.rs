//! Commands of Cargo that pages name: the packages and programs exist.

use std::collections::BTreeSet;
use std::fs;

use regex_automata::meta::Regex;

use super::{every_page, matches};
use crate::tidy::{expect_none, workspace};

/// What stands behind `name = ` in the sections of a manifest that name a package or a program.
fn named(manifest: &str) -> Vec<String> {
    let text = fs::read_to_string(workspace().join(manifest)).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("name = \""));
    names.map(|name| name.trim_end_matches('"').to_owned()).collect()
}

#[test]
fn packages_and_programs_that_pages_name_exist() {
    let workspace_manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let listed = workspace_manifest.split_once("members = [").unwrap().1.split(']').next().unwrap();
    let members = listed.split('"').skip(1).step_by(2);
    let mut there: BTreeSet<String> =
        members.flat_map(|member| named(&format!("{member}/Cargo.toml"))).collect();
    // The test executable, which a directory with `main.rs` names.
    there.insert("gate".to_owned());
    assert!(there.len() > 15, "{there:?}");

    let naming = Regex::new(r"(?:-p|--package|--bin|--test) [a-z][a-z-]+").unwrap();
    let mut offences = Vec::new();
    for page in every_page() {
        let code = page.code();
        for line in code.iter().flat_map(|code| code.lines()).filter(|line| line.contains("cargo "))
        {
            for found in matches(&naming, line, "-") {
                let name = found.split(' ').nth(1).unwrap();
                if !there.contains(name) {
                    offences.push(format!("{}: {found}", page.path));
                }
            }
        }
    }
    expect_none(&offences, "packages or programs of Cargo that are not there");
}

#[test]
fn continuous_integration_runs_the_commands_of_the_readme() {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    let script = fs::read_to_string(workspace().join(".ci/run")).unwrap();
    let commands = readme.lines().filter_map(|line| line.split_once(" # ")).map(|(line, _)| line);
    let commands: Vec<&str> =
        commands.map(str::trim_end).filter(|command| command.starts_with("cargo ")).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        assert!(script.lines().any(|line| line == command), ".ci/run lacks `{command}`");
    }
}
