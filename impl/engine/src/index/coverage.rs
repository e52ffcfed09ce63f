//! The fixed context of an index: its root, and which paths below it are eligible.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use forge_search_core::{
    cancellation::Cancellation,
    ignore_rules::RuleFile,
    scope::{Links, Scope},
};

use xxhash_rust::xxh3::Xxh3;

use super::{Clock, key::Key};
use crate::{
    root::{Root, os_path, path_bytes},
    rulebook::Rulebook,
    rules::{DirRules, EXCLUDE, join},
    sandbox::Sandbox,
    walk::{Observer, Walker},
};

/// The fixed context of an index.
#[derive(Debug)]
pub(crate) struct Coverage {
    /// The canonical index root.
    pub(crate) root: PathBuf,
    pub(crate) sandbox: Arc<Sandbox>,
    /// The sandbox root that contains the index root.
    pub(super) sandbox_root: PathBuf,
    /// The index root relative to the sandbox root.
    prefix: Vec<u8>,
    pub(crate) rulebook: Arc<Rulebook>,
    /// The eligibility options of the key.
    scope: Scope,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Coverage {
    /// The context of an index root; `None` if it is outside the sandbox.
    pub(crate) fn new(
        root: &Path,
        sandbox: &Arc<Sandbox>,
        rulebook: &Arc<Rulebook>,
        key: &Key,
        clock: &Arc<dyn Clock>,
    ) -> Option<Self> {
        let sandbox_root = sandbox.root_of(root)?.to_owned();
        let prefix = path_bytes(root.strip_prefix(&sandbox_root).ok()?);
        let scope = Scope {
            hidden: key.hidden,
            // Changes behind links raise no event.
            links: Links::Skip,
            no_ignore: key.no_ignore,
            ..Scope::default()
        };
        Some(Self {
            root: root.to_owned(),
            sandbox: Arc::clone(sandbox),
            sandbox_root,
            prefix,
            rulebook: Arc::clone(rulebook),
            scope,
            clock: Arc::clone(clock),
        })
    }

    /// Opens the index root.
    pub(crate) fn open(&self) -> std::io::Result<Root> {
        Root::open(&self.sandbox_root)?.below(&self.prefix)
    }

    /// Walks everything below a directory of the index, until `stop`; paths are relative to that
    /// directory.
    pub(crate) fn walk<'s>(
        &'s self,
        directory: &[u8],
        observer: &'s mut (dyn Observer + Send),
        stop: &'s (dyn Fn() -> bool + Sync),
    ) -> std::io::Result<Walker<'s>> {
        let base =
            Arc::new(Root::open(&self.sandbox_root)?.below(&join_above(&self.prefix, directory))?);
        Ok(Walker::directory(
            &self.sandbox,
            &self.scope,
            &self.rulebook,
            base,
            &self.sandbox_root,
            true,
            Some(observer),
            Arc::default(),
            Cancellation::when(stop),
        ))
    }

    /// Whether these rules admit an entry of their directory, links apart. Void if it is
    /// cancelled.
    pub(crate) fn admits(
        &self,
        rules: &DirRules,
        path: &[u8],
        name: &[u8],
        is_dir: bool,
        cancellation: &Cancellation<'_>,
    ) -> bool {
        let from_top = join_above(&self.prefix, path);
        let hidden = !self.scope.hidden && name.starts_with(b".");
        let verdict = if self.scope.no_ignore {
            None
        } else {
            rules.verdict(&from_top, is_dir, cancellation)
        };
        !self.rulebook.leaves_out(name, hidden, verdict)
            && !self.sandbox.denies(&self.sandbox_root.join(os_path(&from_top)), is_dir)
    }

    /// Deny patterns, and what ignores from outside the tree with what `!` means, in a comparable
    /// form.
    pub(crate) fn policy(&self) -> [String; 2] {
        let mut outside = digest(self.rulebook.global());
        if self.rulebook.follows_repositories() {
            outside += " repositories";
        }
        if self.rulebook.reincludes_hidden() {
            outside += " with hidden";
        }
        [format!("{:?}", self.sandbox.denials()), outside]
    }

    /// Whether ignore files apply.
    pub(crate) fn heeds_ignore_files(&self) -> bool {
        !self.scope.no_ignore
    }

    /// The absolute path of a path below the index root.
    pub(crate) fn absolute(&self, path: &[u8]) -> PathBuf {
        if path.is_empty() { self.root.clone() } else { self.root.join(os_path(path)) }
    }

    /// The exclude file of a repository.
    pub(crate) fn exclude_file(&self, repository: &[u8]) -> PathBuf {
        self.absolute(repository).join(os_path(EXCLUDE))
    }
}

fn join_above(above: &[u8], path: &[u8]) -> Vec<u8> {
    if path.is_empty() { above.to_vec() } else { join(above, path) }
}

/// A digest of ignore rules, the same in every process.
fn digest(files: &[Arc<RuleFile>]) -> String {
    let mut hash = Xxh3::new();
    for file in files {
        for rule in file.rules() {
            hash.update(rule.text);
            hash.update(b"\n");
        }
        hash.update(b"\0");
    }
    format!("{:032x}", hash.digest128())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ignore_files_have_equal_digests_and_others_do_not() {
        let names: Vec<String> = (0..40).map(|number| format!("name{number}")).collect();
        let text = names.join("\n");
        let parsed = || Arc::new(RuleFile::parse(text.as_bytes()));
        let digests: Vec<String> = (0..8).map(|_| digest(&[parsed()])).collect();
        assert!(digests.iter().all(|other| *other == digests[0]), "{digests:?}");
        assert_ne!(digest(&[parsed(), parsed()]), digests[0]);
        assert_ne!(digest(&[Arc::new(RuleFile::parse(b"name0\n"))]), digests[0]);
    }
}
