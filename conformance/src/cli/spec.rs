//! `touchstone spec`: looks after the specification data.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Subcommand;
use touchstone_spec::{DIAGRAM, LoadError, Spec, emit, lint, lint_cases};

use super::{Outcome, Verdict, mutate, print};
use crate::golden;

/// Arguments of `touchstone spec`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    act: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Report every defect of the specification
    Lint,
    /// Write the tables, pages and schemas that are generated from it
    Emit,
    /// Change the index's tables one value at a time, and tell which changes no check notices
    Mutate(mutate::Arguments),
    /// Draw the states of the index as SVG
    Diagram {
        /// The file to write; without it, the picture goes to standard output
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// Lints, emits, mutates or draws.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let workspace = golden::workspace();
    match &arguments.act {
        Action::Lint => report_defects(&workspace),
        Action::Emit => write(&workspace),
        Action::Mutate(arguments) => mutate::run(arguments),
        Action::Diagram { output } => draw(&workspace, output.as_deref()),
    }
}

fn report_defects(workspace: &Path) -> Outcome {
    let findings = match Spec::load(&workspace.join("spec")) {
        Ok(spec) => [lint(&spec), lint_cases(&spec, &golden::directory("errata"))].concat(),
        Err(LoadError::Defective(findings)) => findings,
        Err(error) => return Err(error.into()),
    };
    for finding in &findings {
        print(&format!("spec/{finding}\n"))?;
    }
    print(&format!("{} defect(s)\n", findings.len()))?;
    Ok(Verdict::of(findings.is_empty()))
}

fn write(workspace: &Path) -> Outcome {
    let spec = Spec::load(&workspace.join("spec"))?;
    for emitted in emit(&spec) {
        let path = workspace.join(&emitted.path);
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        let fresh = old == emitted.text;
        if !fresh {
            let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            parent
                .and_then(|()| std::fs::write(&path, &emitted.text))
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        print(&format!("{} {}\n", if fresh { "fresh  " } else { "written" }, emitted.path))?;
    }
    Ok(Verdict::Fine)
}

fn draw(workspace: &Path, output: Option<&Path>) -> Outcome {
    let spec = Spec::load(&workspace.join("spec"))?;
    let drawn = emit(&spec).into_iter().find(|emitted| emitted.path == DIAGRAM);
    let picture = drawn.context("the specification draws no picture")?.text;
    match output {
        None => print(&picture)?,
        Some(path) => {
            std::fs::write(path, picture)
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
    }
    Ok(Verdict::Fine)
}
