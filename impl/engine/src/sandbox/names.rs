//! The names of several roots (D26): the first component of paths where there is more than one.

use std::path::{Path, PathBuf};

use forge_search_core::content::escape_name;

/// Roots that a message names; of more it says how many there are.
const LISTED: usize = 8;

/// A root that lies in no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRoot {
    /// Its last component, with a number if an earlier root has that name.
    pub name: String,
    /// Canonical.
    pub path: PathBuf,
}

/// The roots that lie in no other, each once, in their order; none if there is only one.
pub(super) fn named(roots: &[PathBuf]) -> Vec<NamedRoot> {
    let is_inner = |(at, root): &(usize, &PathBuf)| {
        let holds = |(other, outer): (usize, &PathBuf)| {
            root.starts_with(outer) && (*root != outer || other < *at)
        };
        roots.iter().enumerate().any(holds)
    };
    let outer: Vec<&PathBuf> =
        roots.iter().enumerate().filter(|root| !is_inner(root)).map(|(_, root)| root).collect();
    if outer.len() < 2 {
        return Vec::new();
    }
    let plain: Vec<String> = outer.iter().map(|root| last_component(root)).collect();
    let mut named: Vec<NamedRoot> = Vec::with_capacity(outer.len());
    for (at, (root, own)) in outer.into_iter().zip(&plain).enumerate() {
        let is_first = !plain.iter().take(at).any(|name| name == own);
        let is_free =
            |name: &String| !plain.contains(name) && named.iter().all(|root| root.name != *name);
        // More numbers than names.
        let numbers = 2..2 * plain.len() + 2;
        let numbered = || numbers.map(|number| format!("{own}-{number}")).find(is_free);
        let name = if is_first { None } else { numbered() };
        named.push(NamedRoot { name: name.unwrap_or_else(|| own.clone()), path: root.clone() });
    }
    named
}

fn last_component(root: &Path) -> String {
    root.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The names of roots for a message: "`app`, `flask`".
pub(crate) fn listed(roots: &[NamedRoot]) -> String {
    let shown = roots.iter().take(LISTED).map(|root| format!("`{}`", escape_name(&root.name)));
    let mut shown: Vec<String> = shown.collect();
    if let more @ 1.. = roots.len().saturating_sub(LISTED) {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_that_are_alike_are_numbered_and_inner_ones_have_no_name() {
        let names = |roots: &[&str]| {
            let roots: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
            named(&roots).into_iter().map(|root| root.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["/a/app", "/b/lib"]), ["app", "lib"]);
        assert_eq!(
            names(&["/a/app", "/b/app", "/c/app-2", "/d/app"]),
            ["app", "app-3", "app-2", "app-4"]
        );
        assert_eq!(names(&["/a/app/sub", "/b/lib", "/a/app", "/b/lib"]), ["lib", "app"]);
        assert_eq!(names(&["/a", "/a/b", "/a"]), [""; 0]);
    }
}
