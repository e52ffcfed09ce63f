//! Other programs, and our own command line, as processes.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use touchstone_benches::{
    server::{configure_without, program},
    time_first_lines, time_rival,
};

use crate::questions::{Question, RESULTS};

/// A measured subject besides the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `rg --sort path`, stopped at as many lines as are asked for.
    Sorted,
    /// `rg`, all lines.
    Ripgrep,
    /// `ugrep -r`, all lines.
    Ugrep,
    /// `git grep --no-index`, all lines.
    Git,
    /// `csearch` over an index that `cindex` built, all lines.
    Codesearch,
    /// `forge-search search` on the stored index.
    OneShot,
    /// The same without an index.
    OneShotPlain,
}

/// The available ones.
pub(crate) struct Rivals {
    there: Vec<(Kind, PathBuf)>,
    /// Where codesearch has its index.
    codesearch: PathBuf,
    /// Of the command line, with the index and without.
    configurations: [PathBuf; 2],
}

impl Rivals {
    /// Looks for them, and says which are not there.
    pub(crate) fn found(
        tree: &Path,
        scratch: &Path,
        config: &Path,
        ripgrep: Option<&Path>,
    ) -> Self {
        let codesearch = scratch.join("codesearch");
        let indexed = Command::new("cindex")
            .arg(tree)
            .env("CSEARCHINDEX", &codesearch)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let on_path = |name: &str| {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path).map(|place| place.join(name)).find(|file| file.is_file())
        };
        let csearch = on_path("csearch").filter(|_| indexed.is_ok_and(|status| status.success()));
        let wanted = [
            (Kind::Sorted, ripgrep.map(Path::to_owned)),
            (Kind::Ripgrep, ripgrep.map(Path::to_owned)),
            (Kind::Ugrep, on_path("ugrep")),
            (Kind::Git, on_path("git")),
            (Kind::Codesearch, csearch),
            (Kind::OneShot, Some(program())),
            (Kind::OneShotPlain, Some(program())),
        ];
        for (kind, program) in &wanted {
            match program {
                Some(program) => println!("{}: {}", kind.name(), program.display()),
                None => println!("{}: not there, left out", kind.name()),
            }
        }
        let there =
            wanted.into_iter().filter_map(|(kind, program)| Some((kind, program?))).collect();
        // Whatever the user's own configuration says.
        Self { there, codesearch, configurations: [config.to_owned(), configure_without(config)] }
    }

    /// Their names, by index.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.there.iter().map(|(kind, _)| kind.name()).collect()
    }

    /// Milliseconds that one takes for a question.
    pub(crate) fn time(&self, rival: usize, tree: &Path, question: &Question) -> f64 {
        let Some((kind, program)) = self.there.get(rival) else { return f64::NAN };
        let mut command = Command::new(program);
        command.current_dir(tree).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let literal = question.is_literal();
        let fixed = if literal { "-F" } else { "-E" };
        match kind {
            Kind::Sorted | Kind::Ripgrep => {
                command.args(["--no-config", "-n", "--no-require-git", "--max-filesize", "32M"]);
                command.args(literal.then_some("-F"));
                command.args((*kind == Kind::Sorted).then_some("--sort=path"));
                command.arg(if question.folded { "-i" } else { "-s" }).args([
                    "-e",
                    question.pattern,
                    ".",
                ]);
            }
            Kind::Ugrep => {
                command.args(["-rnI", "--ignore-files", fixed]);
                command.args(question.folded.then_some("-i")).args(["-e", question.pattern, "."]);
            }
            Kind::Git => {
                // A repository around the tree may ignore it.
                command.env("GIT_CEILING_DIRECTORIES", tree.parent().unwrap_or(tree));
                command.args(["grep", "--no-index", "--exclude-standard", "-nI", fixed]);
                command.args(question.folded.then_some("-i")).args(["-e", question.pattern, "."]);
            }
            Kind::Codesearch => {
                let quoted =
                    if literal { quote(question.pattern) } else { question.pattern.to_owned() };
                command.env("CSEARCHINDEX", &self.codesearch).arg("-n");
                command.args(question.folded.then_some("-i")).arg(quoted);
            }
            Kind::OneShot | Kind::OneShotPlain => {
                let [with, without] = &self.configurations;
                command.arg("--config").arg(if *kind == Kind::OneShot { with } else { without });
                command.args(["search", "--max-results", &RESULTS.to_string()]);
                command.args(literal.then_some("-F"));
                command.arg(if question.folded { "-i" } else { "-s" }).arg(question.pattern);
            }
        }
        let took = match kind {
            Kind::Sorted => time_first_lines(&mut command, RESULTS),
            _ => time_rival(&mut command),
        };
        took.expect("a rival runs").as_secs_f64() * 1000.0
    }
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Sorted => "`rg --sort path`, 200 lines",
            Self::Ripgrep => "`rg`",
            Self::Ugrep => "`ugrep -r`",
            Self::Git => "`git grep --no-index`",
            Self::Codesearch => "`csearch`",
            Self::OneShot => "one-shot, index",
            Self::OneShotPlain => "one-shot, none",
        }
    }
}

/// A literal as an expression of codesearch.
fn quote(literal: &str) -> String {
    let mut out = String::new();
    for c in literal.chars() {
        if c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
