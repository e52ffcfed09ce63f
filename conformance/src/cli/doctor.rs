//! `touchstone doctor`: what there is on this machine, and how to get the rest.

use std::fmt::Write as _;

use touchstone_spec::Spec;

use super::{Outcome, Verdict, print};
use crate::golden;
use crate::hunt::subjects::Adapters;
use crate::place::{self, on_path};
use crate::provision::releases;

/// Programs that are started, what for, and what brings them.
const TOOLS: [(&str, &str, &str); 5] = [
    ("git", "walks are held against it", "apt-get install git"),
    ("cargo", "builds releases that come as crates", "https://rustup.rs"),
    ("apt-get", "fetches releases that come from Debian", "a system of Debian's family"),
    ("dpkg-deb", "unpacks them", "apt-get install dpkg"),
    ("python3", "unpacks releases that come as wheels", "apt-get install python3"),
];

/// Looks. The exit status is 1 if the specification cannot be used; everything else is optional.
pub(super) fn run() -> Outcome {
    let workspace = golden::workspace();
    let spec = Spec::load(&workspace.join("spec"));
    let mut out = format!("touchstone      {}\n", env!("CARGO_PKG_VERSION"));
    let fine = spec.is_ok();
    let _ = match spec {
        Ok(_) => writeln!(out, "specification   {}", workspace.display()),
        Err(error) => writeln!(out, "specification   unusable: {error}"),
    };
    let _ = match place::home() {
        Ok(home) => writeln!(out, "releases        {}", home.join("backends").display()),
        Err(error) => writeln!(out, "releases        no place: {error}"),
    };
    if let Ok(adapters) = Adapters::shipped() {
        for adapter in adapters.iter() {
            out.push_str(&program(adapter));
        }
    }
    for (name, what_for, way) in TOOLS {
        let _ = match on_path(&[name]) {
            Some(path) => writeln!(out, "{name:<15} {}", path.display()),
            None => writeln!(out, "{name:<15} missing; {what_for}. Get it: {way}"),
        };
    }
    print(&out)?;
    Ok(Verdict::of(fine))
}

/// The releases of a program, and how to install the newest of the others.
fn program(adapter: &touchstone_spec::Adapter) -> String {
    let name = &adapter.name;
    let there: Vec<String> = releases::installed(name).into_iter().map(|one| one.version).collect();
    let offered = releases::offered(adapter);
    let missing = offered.iter().rev().find(|version| !there.contains(version));
    let mut says = if there.is_empty() { "none installed".to_owned() } else { there.join(" ") };
    if offered.is_empty() {
        "needs no installation".clone_into(&mut says);
    } else if let Some(missing) = missing {
        let _ = write!(says, "; touchstone backends install {name}@{missing}");
    }
    format!("{name:<15} {says}\n")
}
