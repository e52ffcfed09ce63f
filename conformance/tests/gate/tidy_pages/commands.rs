//! Commands that pages name, held against what the program prints with `--help`.
//!
//! This file is compiled twice: here for `touchstone`, and in `impl/cli/tests/cli/pages.rs` for
//! `forge-search`. Checked are subcommands and flags; values are not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// What `--help` lists for one command.
struct Help {
    commands: BTreeSet<String>,
    flags: BTreeSet<String>,
}

/// A program, and the help texts of its commands that were needed so far.
pub(crate) struct Program<'p> {
    path: &'p Path,
    /// How pages call it, such as `touchstone `.
    names: &'p [&'p str],
    helps: BTreeMap<Vec<String>, Help>,
}

impl<'p> Program<'p> {
    pub(crate) fn new(path: &'p Path, names: &'p [&'p str]) -> Self {
        Self { path, names, helps: BTreeMap::new() }
    }

    fn help(&mut self, command: &[String]) -> &Help {
        let path = self.path;
        self.helps.entry(command.to_vec()).or_insert_with(|| {
            let output = Command::new(path).args(command).arg("--help").output().unwrap();
            assert!(output.status.success(), "{command:?} --help fails");
            Help::parse(&String::from_utf8(output.stdout).unwrap())
        })
    }

    fn has_flag(&mut self, command: &[String], flag: &str) -> bool {
        (0..=command.len()).any(|end| self.help(&command[..end]).flags.contains(flag))
    }

    /// What is wrong with the calls of this program in one piece of code.
    pub(crate) fn offences(&mut self, code: &str) -> Vec<String> {
        let joined = code.replace("\\\n", " ");
        let mut offences = Vec::new();
        for line in joined.lines() {
            for name in self.names {
                for (at, _) in line.match_indices(name) {
                    let before = &line[..at];
                    let part =
                        before.ends_with(|c: char| c.is_alphanumeric() || "/.-_".contains(c));
                    // Behind `-p` it is a package of Cargo's.
                    if !part && !before.ends_with("-p ") {
                        offences.extend(self.judge(&line[at + name.len()..]));
                    }
                }
            }
        }
        offences
    }

    /// One call, from behind the program's name.
    fn judge(&mut self, rest: &str) -> Option<String> {
        let mut command = Vec::new();
        for (index, word) in words(rest).into_iter().enumerate() {
            if word.starts_with('-') {
                let flag = word.split('=').next().unwrap_or_default().to_owned();
                let named = flag.trim_start_matches('-');
                if named.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !self.has_flag(&command, &flag)
                {
                    return Some(format!("`{}` has no flag `{flag}`", command.join(" ")));
                }
            } else if self.help(&command).commands.contains(&word) {
                command.push(word);
            } else if index == 0 && word.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
                return Some(format!("there is no command `{word}`"));
            }
        }
        None
    }
}

impl Help {
    fn parse(text: &str) -> Self {
        let listed = text.split("Commands:\n").nth(1).unwrap_or_default();
        let commands = listed
            .lines()
            .take_while(|line| line.starts_with("  "))
            .filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .map(str::to_owned)
            .collect();
        let flags = text
            .lines()
            .filter(|line| line.trim_start().starts_with('-'))
            .flat_map(str::split_whitespace)
            .filter(|word| word.starts_with('-'))
            .filter_map(|word| word.split([',', '.', '=', '[']).next())
            .map(str::to_owned)
            .collect();
        Self { commands, flags }
    }
}

/// The words of a call up to its end: a pipe, a comment, another command or a closing quote. Quoted
/// words are left out, brackets of a synopsis are dropped.
fn words(rest: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut open = 0_usize;
    let mut quote = None;
    for word in rest.split_whitespace() {
        if let Some(end) = quote {
            quote = (!word.ends_with(end)).then_some(end);
            continue;
        }
        if let Some(mark) = word.chars().next().filter(|c| ['\'', '"'].contains(c)) {
            quote = (word.len() == 1 || !word.ends_with(mark)).then_some(mark);
            continue;
        }
        open = (open + word.matches('[').count()).saturating_sub(word.matches(']').count());
        let pipe = ["|", "\\|"].contains(&word);
        if pipe && open > 0 {
            continue;
        }
        if pipe || [">", "&&", "||", "#", ";", "--"].contains(&word) {
            break;
        }
        let bare = word.trim_matches(['[', ']', '(', ')', '…', '.', ';', ',', '\'', '"']);
        let parts = bare.split('|').map(|part| part.trim_end_matches('\\'));
        words.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
        if word.ends_with(['\'', '"', ';']) && open == 0 {
            break;
        }
    }
    words
}
